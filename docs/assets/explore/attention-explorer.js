// The hand example with every number open: one query, two to eight tokens, d_k from 1 to 8.

import { attention, scaled_dot_product_scores, within_range } from "./attention.js";
import { BEYOND, Explorable, bar, button, check, choice, display, escape, field, listed, number, plane, python, slider, table, vector } from "./explorable.js";

const [FEWEST, MOST, LARGEST_D_K] = [2, 8, 8];

class AttentionExplorer extends Explorable {
  compute({ query, tokens, scaling, divisor, temperature }) {
    const d_k = query.length;
    if (tokens.length < FEWEST || tokens.length > MOST || d_k < 1 || Math.max(d_k, tokens[0].value.length) > LARGEST_D_K) {
      throw new RangeError("no such sizes");
    }
    const divided = { root: Math.sqrt(d_k), none: 1, custom: divisor }[scaling];
    if (!(divided > 0)) throw new RangeError("the divisor must be above 0: write a positive number");
    if (!(temperature > 0)) throw new RangeError("the temperature must be above 0: write a positive number");
    const [keys, values] = [tokens.map((token) => token.key), tokens.map((token) => token.value)];
    const mask = [tokens.map((token) => token.use)];
    // attention() divides by sqrt(d_k) itself; this factor makes that our own divisor.
    const factor = Math.sqrt(d_k) / (divided * temperature);
    const scaled = query.map((q) => q * factor);
    if (!scaled.every(Number.isFinite)) throw new RangeError(`query / (divisor * temperature) is ${BEYOND}`);
    const [[output], [weights]] = attention([scaled], keys, values, mask);
    const [[equal]] = attention([query.map(() => 0)], keys, values, mask);
    const [scores] = scaled_dot_product_scores([scaled], keys);
    const products = keys.map((key) => key.reduce((sum, k, c) => sum + k * query[c], 0));
    const exponentials = within_range(scores.map((score, i) => (tokens[i].use ? score : -Infinity))).map(Math.exp);
    const contributions = values.map((value, i) => value.map((v) => v * weights[i]));
    return { products, scores, exponentials, weights, contributions, output, equal };
  }

  fields({ query, tokens, scaling, temperature }) {
    const sizes = Array.from({ length: LARGEST_D_K }, (_, i) => (
      `<option${i + 1 === query.length ? " selected" : ""}>${i + 1}</option>`));
    const coordinates = (path, numbers, what) => numbers.map((n, c) => field(`${path}.${c}`, n, `${what}, coordinate ${c + 1}`)).join("");
    const cards = tokens.map(({ name, key, value, use }, i) => `<fieldset class="card"><legend>${this.word(name)}</legend>
      <label>name <input type="text" data-text data-path="tokens.${i}.name" maxlength="20" size="9" value="${escape(name)}"></label>
      <span>key ${coordinates(`tokens.${i}.key`, key, `key of ${name}`)}</span>
      <span>value ${coordinates(`tokens.${i}.value`, value, `value of ${name}`)}</span>
      <span>${check(`tokens.${i}.use`, use, "may be used")} ${tokens.length > FEWEST ? button(`remove ${i}`, "Remove", `Remove ${name}`) : ""}</span></fieldset>`);
    return `<div class="row"><span>query ${coordinates("query", query, "query")}</span>
        <label><span>d<sub>k</sub></span> <select data-resize aria-label="d_k, the number of coordinates of queries and keys">${sizes.join("")}</select></label>
        ${tokens.length < MOST ? button("add", "Add a token") : ""}</div>
      <div class="cards">${cards.join("")}</div>
      <div class="row">${choice(this.id, "scaling", scaling, "Divide the dot product by", [["root", "<span>√d<sub>k</sub></span>"], ["none", "nothing"], ["custom", "a number:"]])}
        ${field("divisor", this.state.divisor, "divisor")}</div>
      <div class="row"><label>temperature ${field("temperature", temperature, "temperature")}</label>
        ${slider("temperature", temperature, "temperature, by slider", [0.1, 5, 0.1])}</div>`;
  }

  show({ query, tokens }, results) {
    const { products, scores, exponentials, weights, contributions, output, equal } = results;
    const open = scores.filter((_, i) => tokens[i].use);
    const moved = within_range(open) !== open;
    const rows = tokens.map(({ name, use }, i) => [
      this.word(name), number(products[i]), use ? number(scores[i]) : "masked",
      number(exponentials[i]), `${number(weights[i])} ${bar(weights[i], this.style(name))}`, vector(contributions[i])]);
    return `<div class="planes">${query.length === 2 ? this.comparing() : ""}${this.mixing(output)}</div>
      ${table("Computed from the numbers above", ["Token", "q · k", "Score s", moved ? "e<sup>s − largest s</sup>" : "e<sup>s</sup>", "Weight α", "Weight × value"], rows)}
      <p>Output <strong>z = ${vector(output)}</strong>. With equal weights it would be ${vector(equal)}; the weighting moved it by ${vector(output.map((z, c) => z - equal[c]))}.</p>
      <p>The displayed weights add up to ${display(weights.reduce((sum, w) => sum + Number(display(w)), 0))}; the full ones to one.</p>`;
  }

  comparing() {
    const { query } = this.state;
    const points = [{ name: "query", at: query, handle: "query", style: "query" },
      ...this.points("key")];
    return `<figure><figcaption>Query and keys: drag a tip</figcaption>${plane("Query and keys", points, this.reach("keys", points))}</figure>`;
  }

  mixing(output) {
    if (output.length !== 2) return "";
    const points = [...this.points("value"), { name: "z", at: output, style: "output" }];
    return `<figure><figcaption>Values and the output z</figcaption>${plane("Values and output", points, this.reach("values", points))}</figure>`;
  }

  move(handle, place) { this.set(handle, place); }

  handleEvent(event) {
    if (event.type === "change" && "resize" in event.target.dataset) this.resize(Number(event.target.value));
    super.handleEvent(event);
  }

  resize(d_k) {
    const fitted = (numbers) => Array.from({ length: d_k }, (_, c) => numbers[c] ?? 0);
    const { query, tokens } = this.state;
    this.change({ ...this.state, query: fitted(query), tokens: tokens.map((token) => ({ ...token, key: fitted(token.key) })) });
  }

  do(action, index) {
    const { query, tokens } = this.state;
    const names = tokens.map((token) => token.name);
    const free = Array.from({ length: MOST + 1 }, (_, i) => `token ${tokens.length + 1 + i}`).find((name) => !names.includes(name));
    const added = { name: free, key: query.map(() => 0), value: tokens[0].value.map(() => 0), use: true };
    this.change({ ...this.state, tokens: action === "add" ? [...tokens, added] : tokens.filter((_, i) => i !== Number(index)) });
  }

  say({ tokens }, { weights, output }) {
    return `Weights: ${listed(tokens.map(({ name }) => name), weights)}. Output: ${output.map((z) => display(z)).join(", ")}.`;
  }

  csv({ tokens }, { products, scores, exponentials, weights, contributions, output }) {
    const axes = output.map((_, c) => `contribution ${c + 1}`);
    return [["token", "used", "dot product", "score", "exponential", "weight", ...axes],
      ...tokens.map(({ name, use }, i) => [name, use, products[i], scores[i], exponentials[i], weights[i], ...contributions[i]]),
      ["output", "", "", "", "", "", ...output]];
  }

  code({ query, tokens, scaling, divisor, temperature }) {
    const list = (name) => python(tokens.map((token) => token[name]));
    return `import numpy as np

from snippets.attention import attention

names = ${list("name")}
query = np.array(${python(query)})
keys = np.array(${list("key")})  # (${tokens.length}, d_k)
values = np.array(${list("value")})  # (${tokens.length}, d_v)
mask = np.array([${list("use")}])  # True = may be used
divisor = ${{ root: "np.sqrt(len(query))", none: "1.0", custom: python(divisor) }[scaling]}
temperature = ${python(temperature)}

# attention() divides by sqrt(d_k) itself; this factor makes that our own divisor.
factor = np.sqrt(len(query)) / (divisor * temperature)
output, weights = attention([query * factor], keys, values, mask)
for name, weight in zip(names, weights[0]):
    print(f"{name}: {weight:.4f}")
print("output:", [f"{z:.4f}" for z in output[0]])`;
  }
}

customElements.define("attention-explorer", AttentionExplorer);
