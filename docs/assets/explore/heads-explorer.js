// The hand example's two heads: each has a softmax of its own; concatenated, W_O makes one vector.

import { attention, multi_head_attention } from "./attention.js";
import { Explorable } from "./explorable.js";
import { bar, display, field, listed, number, table, vector } from "./html.js";
import { python } from "./state.js";

const HEADS = ["Head one", "Head two"];

/**
 * @typedef {object} State
 * @property {string[]} tokens
 * @property {number[][]} scores (heads, n)
 * @property {number[][][]} values (heads, n, d_v)
 * @property {number[][]} w_o (heads * d_v, d_out)
 */

/**
 * @typedef {object} Results
 * @property {number[][]} weights (heads, n)
 * @property {number[][]} mixtures (heads, d_v)
 * @property {number[][]} parts what each head adds to the output: (heads, d_out)
 * @property {number[]} output
 */

/** @extends {Explorable<State, Results>} */
class HeadsExplorer extends Explorable {
  /** @param {State} state @returns {Results} */
  compute(state) {
    if (this.shape(state) !== this.shape(this.start)) {
      throw new RangeError("this needs the sizes that it starts with");
    }
    const { scores, values, w_o } = state;
    // A query of 1 and keys that are the scores: with one coordinate, the scores stay as they are.
    const one = [[1]];
    const keys = scores.map((row) => row.map((score) => [score])); // (heads, n, 1)
    const attended = keys.map((head, h) => attention(one, head, values[h]));
    // Tokens that are each their own coordinate: then W_K is the keys, and W_V the values.
    const own = keys[0].map((_, i) => keys[0].map((_, j) => Number(i === j)));
    /** @param {number[]} heads @param {number[][]} rows of W_O */
    const through = (heads, rows) => {
      const [w_q, w_k, w_v] = [heads.map(() => one), heads.map((h) => keys[h]), heads.map((h) => values[h])];
      const [[output]] = multi_head_attention(one, w_q, w_k, w_v, rows, null, own);
      return output;
    };
    const size = w_o.length / scores.length;
    return {
      weights: attended.map(([, [weights]]) => weights),
      mixtures: attended.map(([[mixture]]) => mixture),
      parts: scores.map((_, h) => through([h], w_o.slice(h * size, (h + 1) * size))),
      output: through([...scores.keys()], w_o),
    };
  }

  /** @param {State} state */
  fields({ scores, values, w_o }) {
    const cards = HEADS.map((head, h) => {
      const rows = this.tokens.flatMap((token, i) => [
        this.word(token) + field(`scores.${h}.${i}`, scores[h][i], `${head}, score of ${token}`, 4),
        entries(`values.${h}.${i}`, values[h][i], `${head}, value of ${token}, coordinate`),
      ]);
      const heads = "<span></span><span>score</span><span>value</span><span></span>";
      return card(head, 1 + values[h][0].length, [heads, ...rows]);
    });
    const size = w_o.length / HEADS.length;
    const rows = w_o.map((row, r) => {
      const name = `z<sup>(${Math.floor(r / size) + 1})</sup><sub>${(r % size) + 1}</sub>`;
      return `<span>${name}</span>${entries(`w_o.${r}`, row, `W_O, row ${r + 1}, column`)}`;
    });
    const matrix = card("W<sub>O</sub>: a row for each coordinate of head (1) and (2)", w_o[0].length, rows);
    return `<div class="cards">${cards.join("")}${matrix}</div>`;
  }

  /** @param {State} _ @param {Results} results */
  show(_, { weights, mixtures, parts, output }) {
    const sums = weights.map((row) => row.reduce((sum, w) => sum + w, 0));
    const rows = this.tokens.map((token, i) => [
      this.word(token),
      ...weights.map((row) => `${number(row[i])} ${bar(row[i], this.styleOf(token))}`),
    ]);
    rows.push(["sum", ...sums.map((sum) => number(sum, 4, "short"))]);
    rows.push(["mixture z", ...mixtures.map((z) => vector(z))]);
    const added = HEADS.map((head, h) => [head, ...parts[h].map((y) => number(y))]);
    added.push(["output y", ...output.map((y) => `<strong>${number(y)}</strong>`)]);
    const columns = output.map((_, c) => `y<sub>${c + 1}</sub>`);
    return `${table("Weights: each head shares out a whole of its own", ["Token", ...HEADS], rows)}
      <p>End to end: [z<sup>(1)</sup> z<sup>(2)</sup>] = ${vector(mixtures.flat())}.
        Each coordinate times its row of W<sub>O</sub>, added up:</p>
      ${table("What each head adds to the output", ["Part", ...columns], added)}`;
  }

  /** @param {State} _ @param {Results} results */
  say(_, { weights, output }) {
    const shares = HEADS.map((head, h) => `${head}: ${listed(this.tokens, weights[h])}.`);
    return `${shares.join(" ")} Output: ${output.map((y) => display(y)).join(", ")}.`;
  }

  /** @param {State} state @param {Results} results */
  csv({ scores }, { weights, mixtures, parts, output }) {
    const heads = HEADS.flatMap((head, h) => [
      [head, "token", ...this.tokens],
      [head, "score", ...scores[h]],
      [head, "weight", ...weights[h]],
      [head, "mixture", ...mixtures[h]],
      [head, "part of the output", ...parts[h]],
    ]);
    return [["head", "what", ...output.map((_, c) => c + 1)], ...heads, ["both", "output", ...output]];
  }

  /** @param {State} state */
  code({ scores, values, w_o }) {
    return `import numpy as np

from snippets.attention import softmax

scores = np.array(${python(scores)})  # (heads, n)
values = np.array(${python(values)})  # (heads, n, d_v)
w_o = np.array(${python(w_o)})  # (heads * d_v, d_out)

weights = softmax(scores)  # each head's row by itself
mixtures = [row @ of_head for row, of_head in zip(weights, values)]
output = np.concatenate(mixtures) @ w_o
for name, rows in {"weights": weights, "mixture": mixtures, "output": [output]}.items():
    for row in rows:
        print(f"{name}:", ", ".join(f"{number:.4f}" for number in row))`;
  }
}

/** @param {string} path @param {number[]} numbers @param {string} what */
const entries = (path, numbers, what) =>
  numbers.map((n, c) => field(`${path}.${c}`, n, `${what} ${c + 1}`, 4)).join("");

/** @param {string} legend @param {number} columns @param {string[]} cells */
const card = (legend, columns, cells) =>
  `<fieldset class="card"><legend>${legend}</legend>` +
  `<div class="entries" style="--columns: ${columns}">${cells.join("")}</div></fieldset>`;

customElements.define("heads-explorer", HeadsExplorer);
