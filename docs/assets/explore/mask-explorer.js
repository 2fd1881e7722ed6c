// Which positions a query may use: any sentence, four kinds of mask, and every score 0, so that
// the mask works alone.

import { attention_weights, causal_mask } from "./attention.js";
import { Explorable } from "./explorable.js";
import { bar, check, choice, escaped, field, number, slider, table, textField } from "./html.js";
import { python } from "./state.js";

const [MOST, MOST_PADDING, PAD] = [16, 6, "[padding]"];
const KINDS = [
  ["bidirectional", "bidirectional (none)"],
  ["causal", "causal"],
  ["padding", "padding"],
  ["both", "causal and padding"],
  ["cross", "cross: another sentence asks"],
];
const [PAST, PADDED] = [
  ["causal", "both"],
  ["padding", "both"],
];

/**
 * @typedef {object} State
 * @property {string} sentence
 * @property {string} asking another sentence, of which the queries are
 * @property {string} kind of the mask
 * @property {number} padding how many tokens
 * @property {boolean} left the padding stands at the start
 * @property {number} query the chosen row
 * @property {string[]} examples sentences of the page
 */

/**
 * @typedef {object} Results
 * @property {string[]} queries
 * @property {string[]} keys
 * @property {boolean[][]} mask true = may attend
 * @property {number[][]} weights
 * @property {number} query
 */

/** @extends {Explorable<State, Results>} */
class MaskExplorer extends Explorable {
  /** @param {State} state @returns {Results} */
  compute({ sentence, asking, kind, padding, left, query }) {
    if (!KINDS.some(([name]) => name === kind) || !whole(query, MOST + MOST_PADDING)) {
      throw new RangeError("no such choice");
    }
    if (!whole(padding, MOST_PADDING)) {
      const remedy = `write a whole number from 0 to ${MOST_PADDING}`;
      throw new RangeError(`number of padding tokens is ${padding}: ${remedy}`);
    }
    const pads = Array(PADDED.includes(kind) ? padding : 0).fill(PAD);
    const keys = inOrder(left, tokenise(sentence, "sentence"), pads).flat();
    const queries = kind === "cross" ? tokenise(asking, "second sentence") : keys;
    const past = PAST.includes(kind) && causal_mask(keys.length);
    const mask = queries.map((_, i) => keys.map((key, j) => key !== PAD && (!past || past[i][j])));
    const [zero_queries, zero_keys] = [queries, keys].map((rows) => rows.map(() => [0]));
    const weights = attention_weights(zero_queries, zero_keys, mask);
    return { queries, keys, mask, weights, query: Math.min(query, queries.length - 1) };
  }

  /** @param {State} state */
  fields({ sentence, asking, kind, padding, left }) {
    const examples = this.start.examples.map((ours) => [ours, ours]);
    const many = "number of padding tokens";
    return `<div class="row">${choice(this.id, "sentence", sentence, "Sentence", examples)}
        <label>or your own ${textField("sentence", sentence, 200, 34)}</label></div>
      <div class="row">${choice(this.id, "kind", kind, "Mask", KINDS)}</div>
      <div class="row" data-for="padding both"><label>${many} ${field("padding", padding, many, 2)}</label>
        ${slider("padding", padding, `${many}, by slider`, [0, MOST_PADDING, 1])}
        ${check("left", left, "at the start")}</div>
      <div class="row" data-for="cross"><label>second sentence, which gives the queries
        ${textField("asking", asking, 200, 34)}</label></div>`;
  }

  /** The fields stay, so that the arrow keys can walk along the kinds; those of no use now hide. */
  drawn() {
    for (const row of this.panel.querySelectorAll("[data-for]")) {
      const of = String(row.getAttribute("data-for"));
      row.toggleAttribute("hidden", !of.includes(this.state.kind));
    }
  }

  /** @param {State} _ @param {Results} results */
  show(_, results) {
    const { queries, keys, mask, weights, query } = results;
    const names = keys.map((key, j) => `${j + 1} ${escaped(key)}`);
    const grid = queries.map((token, i) => [
      `<button type="button" data-action="ask ${i}" aria-pressed="${i === query}">` +
        `${i + 1} ${escaped(token)}</button>`,
      ...mask[i].map((may) => mark(may, i)),
    ]);
    const row = names.map((name, j) => {
      const weight = weights[query][j];
      return mask[query][j]
        ? [name, "yes", `${number(weight)} ${bar(weight)}`]
        : [name, "no", number(weight, 4, "short")];
    });
    const heads = ["query \\ key", ...names.map((name) => `<span>${name}</span>`)];
    return `<p>● may be used, × may not. Every score is taken as 0: what you see is the mask’s work alone.</p>
      <div class="mask planes">${table("Choose a query by its row", heads, grid)}
        ${table("The chosen row", ["Key", "May be used", "Weight"], row)}</div>
      <p>${escaped(this.sentence(results))}.</p>`;
  }

  /** @param {Results} results */
  sentence({ queries, mask, query }) {
    const open = mask[query].filter(Boolean).length;
    return (
      `Query ${query + 1} ${queries[query]}: ${open} of ${mask[query].length} positions open, ` +
      `each with the weight ${open > 1 ? "1/" : ""}${open}`
    );
  }

  /** Choose a row; the grid is drawn anew, and stays where it was scrolled to. @param {string[]} action */
  do(...action) {
    const { scrollLeft } = this.find(".mask .table-scroll");
    this.set("query", Number(action[1]));
    this.find(".mask .table-scroll").scrollLeft = scrollLeft;
  }

  /** @param {State} _ @param {Results} results */
  say(_, results) {
    const open = results.keys.filter((_, j) => results.mask[results.query][j]);
    return `${this.sentence(results)}: ${open.join(" ")}`;
  }

  /** @param {State} _ @param {Results} results */
  csv(_, { queries, keys, weights }) {
    return [["query", ...keys], ...weights.map((row, i) => [queries[i], ...row])];
  }

  /** @param {State} state */
  code({ sentence, asking, kind, padding, left }) {
    const pads = PADDED.includes(kind) ? [`${padding} * [PAD]`] : [];
    const keys = inOrder(left, [`tokenise(${python(sentence)})`], pads).flat();
    return `import numpy as np

from snippets.attention import attention_weights, causal_mask
from snippets.sentences import tokenise

PAD = ${python(PAD)}
keys = ${keys.join(" + ")}
queries = ${kind === "cross" ? `tokenise(${python(asking)})` : "keys"}
mask = np.array([[key != PAD for key in keys] for _ in queries])  # True = may attend
${PAST.includes(kind) ? "mask &= causal_mask(len(keys))\n" : ""}
# Every score is 0, so that the mask works alone.
weights = attention_weights(np.zeros((len(queries), 1)), np.zeros((len(keys), 1)), mask)
query = ${this.results.query}  # from zero
print("query:", query + 1, queries[query])
for place, (key, weight) in enumerate(zip(keys, weights[query]), start=1):
    print(f"{place} {key}: {weight:.4f}")`;
  }
}

/**
 * Python's \w and \s, spelled out: what JavaScript means by them stops at English.
 * @param {string} text
 * @param {string} what the field is called
 */
function tokenise(text, what) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Python counts these four as white space
  const tokens = text.match(/[\p{L}\p{N}_]+|[^\p{L}\p{N}_\p{White_Space}\x1c-\x1f]/gu);
  if (!tokens) throw new RangeError(`${what} holds no token: give a text with a word in it`);
  if (tokens.length <= MOST) return /** @type {string[]} */ (tokens);
  const remedy = `shorten it to ${MOST}, so that the grid can be read`;
  throw new RangeError(`${what} holds ${tokens.length} tokens: ${remedy}`);
}

/** @param {boolean} may @param {number} i the query */
function mark(may, i) {
  const [style, name, sign] = may ? ["open", "open", "●"] : ["", "closed", "×"];
  const shown = `<span role="img" aria-label="${name}">${sign}</span>`;
  return `<span class="mark ${style}" data-action="ask ${i}">${shown}</span>`;
}

/** @param {number} number @param {number} most */
const whole = (number, most) => Number.isInteger(number) && number >= 0 && number <= most;

/** @param {boolean} left @param {string[]} tokens @param {string[]} pads */
const inOrder = (left, tokens, pads) => (left ? [pads, tokens] : [tokens, pads]);

customElements.define("mask-explorer", MaskExplorer);
