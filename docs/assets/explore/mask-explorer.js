// Which positions a query may use: any sentence, four kinds of mask, and every score 0, so that
// the mask works alone.

import { attention_weights, causal_mask } from "./attention.js";
import { Explorable, bar, choice, display, escape, field, number, python, slider, table } from "./explorable.js";

const [MOST, MOST_PADDING, PAD] = [16, 6, "[padding]"];
const KINDS = [["bidirectional", "bidirectional (none)"], ["causal", "causal"], ["padding", "padding"], ["both", "causal and padding"],
  ["cross", "cross: another sentence asks"]];
const SIDES = [["end", "at the end"], ["start", "at the start"]];
const MARKS = ['<span role="img" aria-label="closed">×</span>', '<span role="img" aria-label="open">●</span>'];

/** Python's \w and \s, spelled out: what JavaScript means by them stops at English. */
function tokenise(text, what) {
  const tokens = text.match(/[\p{L}\p{N}_]+|[^\p{L}\p{N}_\p{White_Space}\x1c-\x1f]/gu);
  if (!tokens) throw new RangeError(`${what} holds no token: give a text with a word in it`);
  if (tokens.length > MOST) throw new RangeError(`${what} holds ${tokens.length} tokens: shorten it to ${MOST}, so that the grid can be read`);
  return tokens;
}

const known = (options, value) => options.some(([name]) => name === value);

const named = (tokens, i) => `${i + 1} ${escape(tokens[i])}`;

class MaskExplorer extends Explorable {
  compute({ sentence, asking, kind, padding, side, query }) {
    if (!known(KINDS, kind) || !known(SIDES, side)) throw new RangeError("no such mask: choose one of those listed");
    if (!(Number.isInteger(padding) && padding >= 0 && padding <= MOST_PADDING)) {
      throw new RangeError(`number of padding tokens is ${padding}: write a whole number from 0 to ${MOST_PADDING}`);
    }
    if (!(Number.isInteger(query) && query >= 0 && query < MOST + MOST_PADDING)) throw new RangeError("no such query: choose a row");
    const padded = kind === "padding" || kind === "both";
    const pads = Array(padded ? padding : 0).fill(PAD);
    const tokens = tokenise(sentence, "sentence");
    const keys = side === "end" ? [...tokens, ...pads] : [...pads, ...tokens];
    const queries = kind === "cross" ? tokenise(asking, "second sentence") : keys;
    const past = kind === "causal" || kind === "both" ? causal_mask(keys.length) : null;
    const mask = queries.map((_, i) => keys.map((key, j) => key !== PAD && (!past || past[i][j])));
    const zeros = (rows) => rows.map(() => [0]);
    const weights = attention_weights(zeros(queries), zeros(keys), mask);
    return { queries, keys, mask, weights, query: Math.min(query, queries.length - 1) };
  }

  fields({ sentence, asking, kind, padding, side }) {
    const text = (path, value, label) => (
      `<label>${label} <input type="text" data-text data-path="${path}" maxlength="200" size="34" value="${escape(value)}"></label>`);
    return `<div class="row">${choice(this.id, "sentence", sentence, "Sentence", this.start.examples.map((example) => [escape(example), escape(example)]))}
        ${text("sentence", sentence, "or your own")}</div>
      <div class="row">${choice(this.id, "kind", kind, "Mask", KINDS)}</div>
      <div class="row" data-for="padding both"><label>number of padding tokens ${field("padding", padding, "number of padding tokens", 2)}</label>
        ${slider("padding", padding, "number of padding tokens, by slider", [0, MOST_PADDING, 1])} ${choice(this.id, "side", side, "Put them", SIDES)}</div>
      <div class="row" data-for="cross">${text("asking", asking, "second sentence, which gives the queries")}</div>`;
  }

  /** The fields stay, so that the arrow keys can walk along the kinds; those of no use now hide. */
  drawn() {
    for (const row of this.panel.querySelectorAll("[data-for]")) row.hidden = !row.dataset.for.split(" ").includes(this.state.kind);
  }

  show(_, { queries, keys, mask, weights, query }) {
    const grid = queries.map((_, i) => [
      `<button type="button" data-action="ask ${i}" aria-pressed="${i === query}">${named(queries, i)}</button>`,
      ...mask[i].map((may) => `<span class="mark ${may ? "open" : ""}" data-action="ask ${i}">${MARKS[Number(may)]}</span>`)]);
    const row = keys.map((_, j) => [named(keys, j), mask[query][j] ? "yes" : "no",
      mask[query][j] ? `${number(weights[query][j])} ${bar(weights[query][j])}` : number(weights[query][j], 4, "short")]);
    return `<p>● may be used, × may not. Every score is taken as 0: what you see is the mask’s work alone.</p>
      <div class="mask planes">${table("Choose a query by its row", ["query \\ key", ...keys.map((_, j) => `<span>${named(keys, j)}</span>`)], grid)}
        ${table("The chosen row", ["Key", "May be used", "Weight"], row)}</div>
      <p>${this.sentence(queries, mask, query)}</p>`;
  }

  sentence(queries, mask, query) {
    const open = mask[query].filter(Boolean).length;
    return `Query <strong>${named(queries, query)}</strong>: ${open} of ${mask[query].length} positions `
      + `${open === 1 ? "is open, and has the whole of 1" : `are open, with a weight of 1/${open} each`}.`;
  }

  do(_, place) { this.set("query", Number(place)); }

  say(_, { queries, keys, mask, weights, query }) {
    const open = keys.filter((_, j) => mask[query][j]);
    return `Query ${query + 1} ${queries[query]} may use ${open.length} of ${keys.length} positions: ${open.join(" ")}. `
      + `Each has the weight ${display(Math.max(...weights[query]))}.`;
  }

  csv(_, { queries, keys, weights }) {
    return [["query", ...keys], ...weights.map((row, i) => [queries[i], ...row])];
  }

  code({ sentence, asking, kind, padding, side }) {
    const [past, padded] = ["causal", "padding"].map((name) => kind === name || kind === "both");
    const real = side === "end" ? "np.arange(len(keys)) < len(keys) - padding" : "np.arange(len(keys)) >= padding";
    const lines = [padded && [`padding = ${padding}`, `keys = ${side === "end" ? "keys + padding * " : "padding * "}[${python(PAD)}]${side === "end" ? "" : " + keys"}`],
      kind === "cross" ? [`queries = tokenise(${python(asking)})`] : ["queries = keys"],
      ["mask = np.full((len(queries), len(keys)), True)  # True = may attend"],
      past && ["mask &= causal_mask(len(keys))"], padded && [`mask &= ${real}`]].filter(Boolean).flat();
    return `import numpy as np

from snippets.attention import attention_weights${past ? ", causal_mask" : ""}
from snippets.sentences import tokenise

keys = tokenise(${python(sentence)})
${lines.join("\n")}

# Every score is 0, so that the mask works alone.
weights = attention_weights(np.zeros((len(queries), 1)), np.zeros((len(keys), 1)), mask)
query = ${this.results.query}  # from zero
print("query:", query + 1, queries[query])
for place, (key, weight) in enumerate(zip(keys, weights[query]), start=1):
    print(f"{place} {key}: {weight:.4f}")`;
  }
}

customElements.define("mask-explorer", MaskExplorer);
