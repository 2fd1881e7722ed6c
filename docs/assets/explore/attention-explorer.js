// The hand example with every number open: one query, two to eight tokens, d_k from 1 to 8.

import { attention, scaled_dot_product_scores, within_range } from "./attention.js";
import { Explorable } from "./explorable.js";
import {
  BEYOND,
  bar,
  button,
  check,
  choice,
  display,
  field,
  listed,
  number,
  slider,
  table,
  textField,
  vector,
} from "./html.js";
import { plane, tokenPoints } from "./plane.js";
import { python } from "./state.js";

const [FEWEST, MOST, LARGEST_D_K] = [2, 8, 8];
const SCALINGS = [
  ["root", "<span>√d<sub>k</sub></span>"],
  ["none", "nothing"],
  ["custom", "a number:"],
];

/** @typedef {{ name: string, key: number[], value: number[], use: boolean }} Token */

/**
 * @typedef {object} State
 * @property {number[]} query (d_k,)
 * @property {Token[]} tokens keys (d_k,), values (d_v,)
 * @property {string} scaling what the dot products are divided by
 * @property {number} divisor
 * @property {number} temperature
 */

/**
 * @typedef {object} Results
 * @property {number[]} products
 * @property {number[]} scores
 * @property {number[]} exponentials
 * @property {number[]} weights
 * @property {number[][]} contributions weight times value
 * @property {number[]} output
 * @property {number[]} equal the output with equal weights
 */

/** @extends {Explorable<State, Results>} */
class AttentionExplorer extends Explorable {
  /** @param {State} state @returns {Results} */
  compute({ query, tokens, scaling, divisor, temperature }) {
    checkSizes(query, tokens);
    const [keys, values] = [tokens.map((token) => token.key), tokens.map((token) => token.value)];
    const mask = [tokens.map((token) => token.use)];
    const scaled = scaledQuery(query, divisorOf(scaling, query.length, divisor), temperature);
    const [[output], [weights]] = attention([scaled], keys, values, mask);
    const [[equal]] = attention([query.map(() => 0)], keys, values, mask);
    const [scores] = scaled_dot_product_scores([scaled], keys);
    const used = scores.map((score, i) => (tokens[i].use ? score : -Infinity));
    return {
      products: keys.map((key) => key.reduce((sum, k, c) => sum + k * query[c], 0)),
      scores,
      exponentials: within_range(used).map(Math.exp),
      weights,
      contributions: values.map((value, i) => value.map((v) => v * weights[i])),
      output,
      equal,
    };
  }

  /** @param {State} state */
  fields({ query, tokens, scaling, divisor, temperature }) {
    const sizes = Array.from({ length: LARGEST_D_K }, (_, i) => i + 1);
    const options = sizes.map((n) => `<option${n === query.length ? " selected" : ""}>${n}</option>`);
    const label = "d_k, the number of coordinates of queries and keys";
    const cards = tokens.map((token, i) => this.card(token, i, tokens.length > FEWEST));
    return `<div class="row"><span>query ${coordinates("query", query, "query")}</span>
        <label><span>d<sub>k</sub></span>
          <select data-resize aria-label="${label}">${options.join("")}</select></label>
        ${tokens.length < MOST ? button("add", "Add a token") : ""}</div>
      <div class="cards">${cards.join("")}</div>
      <div class="row">${choice(this.id, "scaling", scaling, "Divide the dot product by", SCALINGS)}
        ${field("divisor", divisor, "divisor")}</div>
      <div class="row"><label>temperature ${field("temperature", temperature, "temperature")}</label>
        ${slider("temperature", temperature, "temperature, by slider", [0.1, 5, 0.1])}</div>`;
  }

  /** The fields of one token. @param {Token} token @param {number} i @param {boolean} removable */
  card({ name, key, value, use }, i, removable) {
    return `<fieldset class="card"><legend>${this.word(name)}</legend>
      <label>name ${textField(`tokens.${i}.name`, name, 20, 9)}</label>
      <span>key ${coordinates(`tokens.${i}.key`, key, `key of ${name}`)}</span>
      <span>value ${coordinates(`tokens.${i}.value`, value, `value of ${name}`)}</span>
      <span>${check(`tokens.${i}.use`, use, "may be used")}
        ${removable ? button(`remove ${i}`, "Remove", `Remove ${name}`) : ""}</span></fieldset>`;
  }

  /** @param {State} state @param {Results} results */
  show({ query, tokens }, results) {
    const { products, scores, exponentials, weights, contributions, output, equal } = results;
    const open = scores.filter((_, i) => tokens[i].use);
    const exponential = within_range(open) === open ? "e<sup>s</sup>" : "e<sup>s − largest s</sup>";
    const heads = ["Token", "q · k", "Score s", exponential, "Weight α", "Weight × value"];
    const rows = tokens.map(({ name, use }, i) => [
      this.word(name),
      number(products[i]),
      use ? number(scores[i]) : "masked",
      number(exponentials[i]),
      `${number(weights[i])} ${bar(weights[i], this.styleOf(name))}`,
      vector(contributions[i]),
    ]);
    const printed = weights.reduce((sum, w) => sum + Number(display(w)), 0);
    return `<div class="planes">${query.length === 2 ? this.comparing() : ""}${this.mixing(output)}</div>
      ${table("Computed from the numbers above", heads, rows)}
      <p>Output <strong>z = ${vector(output)}</strong>. With equal weights it would be ${vector(equal)};
        the weighting moved it by ${vector(output.map((z, c) => z - equal[c]))}.</p>
      <p>The displayed weights add up to ${display(printed)}; the full ones to one.</p>`;
  }

  comparing() {
    const { query, tokens } = this.state;
    const keys = tokenPoints(tokens, "key", (name) => this.styleOf(name));
    const points = [{ name: "query", at: query, handle: "query", style: "query" }, ...keys];
    const drawing = plane("Query and keys", points, this.hand.reach("keys", points));
    return `<figure><figcaption>Query and keys: drag a tip</figcaption>${drawing}</figure>`;
  }

  /** @param {number[]} output */
  mixing(output) {
    if (output.length !== 2) return "";
    const values = tokenPoints(this.state.tokens, "value", (name) => this.styleOf(name));
    const points = [...values, { name: "z", at: output, style: "output" }];
    const drawing = plane("Values and output", points, this.hand.reach("values", points));
    return `<figure><figcaption>Values and the output z</figcaption>${drawing}</figure>`;
  }

  /** @param {Event} event */
  handleEvent(event) {
    const { target, type } = event;
    if (type === "change" && target instanceof HTMLSelectElement) this.resize(Number(target.value));
    super.handleEvent(event);
  }

  /** @param {number} d_k */
  resize(d_k) {
    /** @param {number[]} numbers */
    const fitted = (numbers) => Array.from({ length: d_k }, (_, c) => numbers[c] ?? 0);
    const { query, tokens } = this.state;
    const resized = tokens.map((token) => ({ ...token, key: fitted(token.key) }));
    this.change({ ...this.state, query: fitted(query), tokens: resized });
  }

  /** @param {string} action @param {string} index */
  do(action, index) {
    const { tokens } = this.state;
    const kept = tokens.filter((_, i) => i !== Number(index));
    this.change({ ...this.state, tokens: action === "add" ? [...tokens, this.added()] : kept });
  }

  /** One more token, with a name that is free. */
  added() {
    const { query, tokens } = this.state;
    const names = tokens.map((token) => token.name);
    const numbered = Array.from({ length: MOST + 1 }, (_, i) => `token ${tokens.length + 1 + i}`);
    const name = String(numbered.find((free) => !names.includes(free)));
    return { name, key: query.map(() => 0), value: tokens[0].value.map(() => 0), use: true };
  }

  /** @param {State} state @param {Results} results */
  say({ tokens }, { weights, output }) {
    const shares = listed(
      tokens.map(({ name }) => name),
      weights,
    );
    return `Weights: ${shares}. Output: ${output.map((z) => display(z)).join(", ")}.`;
  }

  /** @param {State} state @param {Results} results */
  csv({ tokens }, { products, scores, exponentials, weights, contributions, output }) {
    const axes = output.map((_, c) => `contribution ${c + 1}`);
    const heads = ["token", "used", "dot product", "score", "exponential", "weight", ...axes];
    const rows = tokens.map(({ name, use }, i) => {
      const numbers = [products[i], scores[i], exponentials[i], weights[i], ...contributions[i]];
      return [name, use, ...numbers];
    });
    return [heads, ...rows, ["output", "", "", "", "", "", ...output]];
  }

  /** @param {State} state */
  code({ query, tokens, scaling, divisor, temperature }) {
    /** @param {keyof Token} name */
    const list = (name) => python(tokens.map((token) => token[name]));
    const divided = { root: "np.sqrt(len(query))", none: "1.0" }[scaling] ?? python(divisor);
    return `import numpy as np

from snippets.attention import attention

names = ${list("name")}
query = np.array(${python(query)})
keys = np.array(${list("key")})  # (${tokens.length}, d_k)
values = np.array(${list("value")})  # (${tokens.length}, d_v)
mask = np.array([${list("use")}])  # True = may be used
divisor = ${divided}
temperature = ${python(temperature)}

# attention() divides by sqrt(d_k) itself; this factor makes that our own divisor.
factor = np.sqrt(len(query)) / (divisor * temperature)
output, weights = attention([query * factor], keys, values, mask)
for name, weight in zip(names, weights[0]):
    print(f"{name}: {weight:.4f}")
print("output:", [f"{z:.4f}" for z in output[0]])`;
  }
}

/** @param {string} path @param {number[]} numbers @param {string} what */
const coordinates = (path, numbers, what) =>
  numbers.map((n, c) => field(`${path}.${c}`, n, `${what}, coordinate ${c + 1}`)).join("");

/** Refuse sizes that only a link can bring. @param {number[]} query @param {Token[]} tokens */
function checkSizes(query, tokens) {
  const d = Math.max(query.length, tokens[0].value.length);
  if (tokens.length < FEWEST || tokens.length > MOST || query.length < 1 || d > LARGEST_D_K) {
    throw new RangeError("no such sizes");
  }
}

/** @param {string} scaling @param {number} d_k @param {number} divisor */
function divisorOf(scaling, d_k, divisor) {
  const divided = { root: Math.sqrt(d_k), none: 1, custom: divisor }[scaling];
  if (divided && divided > 0) return divided;
  throw new RangeError("the divisor must be above 0: write a positive number");
}

/**
 * The query with which attention(), which divides by sqrt(d_k) itself, divides by our own divisor.
 * @param {number[]} query
 * @param {number} divisor
 * @param {number} temperature
 */
function scaledQuery(query, divisor, temperature) {
  if (!(temperature > 0)) throw new RangeError("the temperature must be above 0: write a positive number");
  const factor = Math.sqrt(query.length) / (divisor * temperature);
  const scaled = query.map((q) => q * factor);
  if (scaled.every(Number.isFinite)) return scaled;
  throw new RangeError(`query / (divisor * temperature) is ${BEYOND}`);
}

customElements.define("attention-explorer", AttentionExplorer);
