// Which positions a query may use: any sentence, four kinds of mask, and every score 0, so that
// the mask works alone.

import { attention_weights, causal_mask } from "./attention.js";
import { Explorable, bar, check, choice, escape, field, number, python, slider, table } from "./explorable.js";

const [MOST, MOST_PADDING, PAD] = [16, 6, "[padding]"];
const KINDS = [["bidirectional", "bidirectional (none)"], ["causal", "causal"], ["padding", "padding"], ["both", "causal and padding"],
  ["cross", "cross: another sentence asks"]];
const [PAST, PADDED] = [["causal", "both"], ["padding", "both"]];

const marked = (may) => `<span role="img" aria-label="${may ? "open" : "closed"}">${may ? "●" : "×"}</span>`;

/** Python's \w and \s, spelled out: what JavaScript means by them stops at English. */
function tokenise(text, what) {
  const tokens = text.match(/[\p{L}\p{N}_]+|[^\p{L}\p{N}_\p{White_Space}\x1c-\x1f]/gu);
  if (!tokens) throw new RangeError(`${what} holds no token: give a text with a word in it`);
  if (tokens.length > MOST) throw new RangeError(`${what} holds ${tokens.length} tokens: shorten it to ${MOST}, so that the grid can be read`);
  return tokens;
}

const whole = (number, most) => Number.isInteger(number) && number >= 0 && number <= most;

const inOrder = (left, tokens, pads) => (left ? [pads, tokens] : [tokens, pads]);

class MaskExplorer extends Explorable {
  compute({ sentence, asking, kind, padding, left, query }) {
    if (!KINDS.some(([name]) => name === kind) || !whole(query, MOST + MOST_PADDING)) throw new RangeError("no such choice");
    if (!whole(padding, MOST_PADDING)) throw new RangeError(`number of padding tokens is ${padding}: write a whole number from 0 to ${MOST_PADDING}`);
    const pads = Array(PADDED.includes(kind) ? padding : 0).fill(PAD);
    const keys = inOrder(left, tokenise(sentence, "sentence"), pads).flat();
    const queries = kind === "cross" ? tokenise(asking, "second sentence") : keys;
    const past = PAST.includes(kind) && causal_mask(keys.length);
    const mask = queries.map((_, i) => keys.map((key, j) => key !== PAD && (!past || past[i][j])));
    const [zero_queries, zero_keys] = [queries, keys].map((rows) => rows.map(() => [0]));
    const weights = attention_weights(zero_queries, zero_keys, mask);
    return { queries, keys, mask, weights, query: Math.min(query, queries.length - 1) };
  }

  fields({ sentence, asking, kind, padding, left }) {
    const text = (path, value, label) => (
      `<label>${label} <input type="text" data-text data-path="${path}" maxlength="200" size="34" value="${escape(value)}"></label>`);
    return `<div class="row">${choice(this.id, "sentence", sentence, "Sentence", this.start.examples.map((ours) => [ours, ours]))}
        ${text("sentence", sentence, "or your own")}</div>
      <div class="row">${choice(this.id, "kind", kind, "Mask", KINDS)}</div>
      <div class="row" data-for="padding both"><label>number of padding tokens ${field("padding", padding, "number of padding tokens", 2)}</label>
        ${slider("padding", padding, "number of padding tokens, by slider", [0, MOST_PADDING, 1])} ${check("left", left, "at the start")}</div>
      <div class="row" data-for="cross">${text("asking", asking, "second sentence, which gives the queries")}</div>`;
  }

  /** The fields stay, so that the arrow keys can walk along the kinds; those of no use now hide. */
  drawn() {
    for (const row of this.panel.querySelectorAll("[data-for]")) row.hidden = !row.dataset.for.includes(this.state.kind);
  }

  show(_, results) {
    const { queries, keys, mask, weights, query } = results;
    const grid = queries.map((token, i) => [
      `<button type="button" data-action="ask ${i}" aria-pressed="${i === query}">${i + 1} ${escape(token)}</button>`,
      ...mask[i].map((may) => `<span class="mark ${may ? "open" : ""}" data-action="ask ${i}">${marked(may)}</span>`)]);
    const names = keys.map((key, j) => `${j + 1} ${escape(key)}`);
    const row = names.map((name, j) => {
      const weight = weights[query][j];
      return [name, ...(mask[query][j] ? ["yes", `${number(weight)} ${bar(weight)}`] : ["no", number(weight, 4, "short")])];
    });
    return `<p>● may be used, × may not. Every score is taken as 0: what you see is the mask’s work alone.</p>
      <div class="mask planes">${table("Choose a query by its row", ["query \\ key", ...names.map((name) => `<span>${name}</span>`)], grid)}
        ${table("The chosen row", ["Key", "May be used", "Weight"], row)}</div>
      <p>${escape(this.sentence(results))}.</p>`;
  }

  sentence({ queries, mask, query }) {
    const open = mask[query].filter(Boolean).length;
    return `Query ${query + 1} ${queries[query]}: ${open} of ${mask[query].length} positions open, each with the weight ${open > 1 ? "1/" : ""}${open}`;
  }

  do(_, place) {
    const box = () => this.panel.querySelector(".mask .table-scroll");
    const { scrollLeft } = box();
    this.set("query", Number(place));
    box().scrollLeft = scrollLeft; // the grid is drawn anew
  }

  say(_, results) {
    return `${this.sentence(results)}: ${results.keys.filter((_, j) => results.mask[results.query][j]).join(" ")}`;
  }

  csv(_, { queries, keys, weights }) {
    return [["query", ...keys], ...weights.map((row, i) => [queries[i], ...row])];
  }

  code({ sentence, asking, kind, padding, left }) {
    const keys = inOrder(left, `tokenise(${python(sentence)})`, PADDED.includes(kind) && `${padding} * [PAD]`).filter(Boolean).join(" + ");
    return `import numpy as np

from snippets.attention import attention_weights, causal_mask
from snippets.sentences import tokenise

PAD = ${python(PAD)}
keys = ${keys}
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

customElements.define("mask-explorer", MaskExplorer);
