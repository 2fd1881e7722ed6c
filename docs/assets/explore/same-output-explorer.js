// All distributions over three or four values with one output: a point, a segment, a polygon or more.

import { attention } from "./attention.js";
import { Explorable, bar, button, display, escape, field, listed, number, plane, python, slider, spot, table, vector } from "./explorable.js";

const [FEWEST, MOST, LARGEST] = [3, 4, 1e6];
const SAME = 1e-7; // nearer than this is equal: weights, and places as a share of the values' spread
const TINY = 1e-100; // a spread below it is none

const sum = (numbers) => numbers.reduce((all, n) => all + n, 0);
const mixed = (weights, numbers) => sum(weights.map((w, i) => w * numbers[i]));
const far = (one, other) => Math.max(...one.map((n, i) => Math.abs(n - other[i])));

/** Cut a convex set, given by its corners, where measure(point) is 0. A zero that all share stays exact. */
function cut(corners, measure) {
  const at = corners.map(measure);
  const met = corners.filter((_, i) => Math.abs(at[i]) <= SAME);
  corners.forEach((one, i) => corners.forEach((other, j) => {
    if (at[i] >= -SAME || at[j] <= SAME) return;
    const share = at[i] / (at[i] - at[j]);
    met.push(one.map((w, k) => w * (1 - share) + other[k] * share));
  }));
  return met.filter((one, i) => met.slice(0, i).every((other) => far(one, other) > SAME));
}

/** Of all distributions, those with the mixture of `weights`: cut along the values' spread, then across. */
function family(values, weights) {
  const offsets = values.flatMap(([a, b]) => values.map(([c, d]) => [c - a, d - b]));
  const [x, y] = offsets.reduce((most, next) => (Math.hypot(...next) > Math.hypot(...most) ? next : most));
  const spread = Math.max(Math.hypot(x, y), TINY);
  let corners = weights.map((_, i) => weights.map((_, j) => Number(i === j)));
  for (const [c, d] of [[x, y], [-y, x]]) {
    const at = values.map(([a, b]) => (a - values[0][0]) / spread * (c / spread) + (b - values[0][1]) / spread * (d / spread));
    const width = Math.max(...at) - Math.min(...at);
    if (width <= SAME) continue; // no freedom is lost: the values lie on a line, or on a point
    const output = mixed(weights, at);
    corners = cut(corners, (point) => (mixed(point, at) - output) / width);
  }
  return corners.length ? corners : [weights];
}

/** Tokens whose weights tell the points of a set apart: Gaussian elimination, from the last token on. */
function freeTokens(corners) {
  let rows = corners.slice(1).map((corner) => corner.map((w, k) => w - corners[0][k]));
  const found = [];
  while (rows.length) {
    const largest = rows[0].map((_, k) => Math.max(...rows.map((row) => Math.abs(row[k]))));
    const most = Math.max(...largest);
    if (most <= SAME) break;
    const token = largest.findLastIndex((size) => size >= most / 4);
    const pivot = rows.find((row) => Math.abs(row[token]) === largest[token]);
    rows = rows.filter((row) => row !== pivot).map((row) => row.map((n, k) => n - pivot[k] / pivot[token] * row[token]));
    found.push(token);
  }
  return found;
}

const relative = (p, q) => sum(p.map((n, i) => (n > 0 ? n * Math.log(2 * n / (n + q[i])) : 0)));
const jensenShannon = (p, q) => Math.max(0, (relative(p, q) + relative(q, p)) / 2);
const totalVariation = (p, q) => sum(p.map((n, i) => Math.abs(n - q[i]))) / 2;

/** What lies between these places: the triangles of every three of them, laid over each other. */
function area(places, style) {
  const threes = places.flatMap((a, i) => places.slice(i + 1).flatMap((b, j) => places.slice(i + j + 2).map((c) => [a, b, c])));
  return (threes.length ? threes : [places]).map((three) => `<polygon points="${three.join(" ")}" class="${style}"/>`).join("");
}

class SameOutputExplorer extends Explorable {
  compute({ tokens }) {
    const values = tokens.map((token) => token.value);
    if (tokens.length < FEWEST || tokens.length > MOST || values.some((value) => value.length !== 2)) {
      throw new RangeError("no such sizes");
    }
    const large = tokens.find(({ value }) => value.some((v) => Math.abs(v) > LARGEST));
    if (large) throw new RangeError(`value of ${large.name}: keep its coordinates within ${LARGEST} of 0`);
    const [[output], [weights]] = attention([[1]], tokens.map(({ score }) => [score]), values);
    const met = family(values, weights);
    const free = freeTokens(met);
    const corners = free.length ? met.sort((one, other) => one[free[0]] - other[free[0]]) : [weights];
    if (free.length === 1) corners.splice(1, corners.length - 2); // what lies between the two ends
    const ranges = tokens.map(() => []);
    let left = corners;
    for (const token of free) { // fix one weight after the other; each leaves the next its range
      const [least, most] = [Math.min, Math.max].map((edge) => edge(...left.map((point) => point[token])));
      ranges[token] = [least, most];
      const goal = Math.min(most, Math.max(least, weights[token] + tokens[token].moved));
      left = cut(left, (point) => point[token] - goal);
    }
    const now = left[0];
    const shift = far(output.map((_, c) => mixed(now, values.map((value) => value[c]))), output);
    const [divergences, variations] = [jensenShannon, totalVariation].map((measure) => [weights, now, ...corners].map((one) => measure(weights, one)));
    return { weights, output, free, corners, ranges, now, shift, divergences, variations };
  }

  fields({ tokens }) {
    const cards = tokens.map(({ name, value, score }, i) => `<fieldset class="card"><legend>${this.word(name)}</legend>
      <span>value ${value.map((v, c) => field(`tokens.${i}.value.${c}`, v, `value of ${name}, coordinate ${c + 1}`, 4)).join("")}</span>
      <label>score ${field(`tokens.${i}.score`, score, `score of ${name}`, 4)}</label></fieldset>`);
    const walks = tokens.map(({ name, moved }, i) => `<label data-walk="${i}"><span>weight of ${this.word(name)}</span>
      ${slider(`tokens.${i}.moved`, moved, `weight of ${name}, with the same output`, [-1, 1, "any"])}</label>`);
    return `<div class="cards">${cards.join("")}</div>
      <div class="row">${tokens.length < MOST ? button("add", "Add a fourth value") : button("remove", "Remove the fourth value")}${button("back", "Back to the start")}</div>
      <div class="row">${walks.reverse().join("")}</div>`;
  }

  /** Show the sliders that the present set has, each as long as its weight may be. */
  drawn() {
    const { free, ranges, now, weights } = this.results;
    for (const label of this.panel.querySelectorAll("[data-walk]")) {
      const token = Number(label.dataset.walk);
      label.hidden = !free.includes(token);
      if (label.hidden) continue;
      const input = label.querySelector("input");
      [input.min, input.max] = ranges[token].map((end) => end - weights[token]);
      input.value = now[token] - weights[token];
      input.setAttribute("aria-valuetext", display(now[token]));
    }
  }

  show({ tokens }, { weights, output, free, corners, now, shift, divergences, variations }) {
    const names = tokens.map(({ name }) => this.word(name));
    const points = [...this.points("value"), { name: "z", at: output, style: "output" }];
    const bound = this.reach("values", points);
    const ends = free.length ? corners : [];
    const heads = ends.map((corner) => `no ${corner.flatMap((w, k) => (w === 0 ? [names[k]] : [])).join(", ")}`);
    const rows = names.map((name, i) => [name, ...[weights, now].map((side) => `${number(side[i])} ${bar(side[i], this.style(tokens[i].name))}`), ...ends.map((corner) => number(corner[i]))]);
    const measures = [["divergence", divergences], ["distance", variations]].map(([name, all]) => [name, ...all.slice(0, ends.length + 2).map((n) => number(n))]);
    return `<div class="planes"><figure><figcaption>Values and the output z: drag a tip</figcaption>
        ${plane("Values and the output", points, bound, area(tokens.map(({ value }) => spot(value, bound)), "hull"))}</figure>
        <figure><figcaption>All weights with this output: ${["a point, no freedom", "a segment", "a polygon", "a solid, here its shadow"][free.length]}</figcaption>${this.map(tokens, weights, free, corners, now)}</figure></div>
      <p>Output <strong>z = ${vector(output)}</strong>. Its largest difference from the start: ${number(shift)}.</p>
      ${table(`Weights at the start, now, and at the ${free.length < 2 ? "ends" : "corners"}`, ["Token", "Start", "Now", ...heads], [...rows, ...measures])}
      <p>From the start: divergence is Jensen and Shannon\u2019s, at most ln 2 = ${display(Math.LN2)}; distance is total variation, at most 1.
        Weights nearer than ${SAME} count as equal; places too, as a share of the values\u2019 spread.</p>`;
  }

  /** The triangle of all weights that two tokens can have, and in it those with the same output. */
  map(tokens, weights, free, corners, now) {
    const pair = [...new Set([...free, 0, 1])].slice(0, 2);
    const flat = (point) => pair.map((token) => 2 * point[token] - 1);
    const frame = [[-1, -1], [1, -1], [-1, 1]].map((place) => spot(place, 1));
    const [[x, y], [u, v], ...ends] = [weights, now, ...corners].map((point) => spot(flat(point), 1));
    const says = escape(listed(tokens.map(({ name }) => name), now));
    const can = free.length ? `data-handle="walk" data-at="[${flat(now)}]" tabindex="0" role="button" aria-label="now: ${says}; move it with the arrow keys"` : `role="img" aria-label="now: ${says}"`;
    const all = ({ name }, [left, base], anchor) => `<text x="${left}" y="${base}" text-anchor="${anchor}" class="${this.style(name)}">all to ${escape(name)}</text>`;
    const [[left, base], [right], [, top]] = frame;
    return `<svg class="plane" viewBox="0 0 ${left + right} ${base + 20}" data-bound="1" role="group" aria-label="All weights with this output">
      ${area(frame, "frame")}${area(ends, "family")}${ends.map(([a, b]) => `<circle cx="${a}" cy="${b}" r="3.5" class="end"/>`).join("")}
      ${all(tokens[pair[0]], [right, base + 14], "end")}${all(tokens[pair[1]], [left + 12, top + 8], "start")}${tokens.length === FEWEST ? all(tokens[3 - pair[0] - pair[1]], [left, base + 14], "start") : ""}
      <rect x="${x - 6.5}" y="${y - 6.5}" width="13" height="13" class="begun"/><text x="${x - 6}" y="${y + 27}">start</text>
      <g class="point query" ${can}><circle cx="${u}" cy="${v}" r="14" class="halo"/><circle cx="${u}" cy="${v}" r="5.5" class="tip"/><text x="${u + 12}" y="${v - 8}">now</text></g></svg>`;
  }

  move(handle, place) {
    if (handle !== "walk") return this.set(handle, place);
    const next = structuredClone(this.state);
    const { free, weights } = this.results;
    free.slice(0, 2).forEach((token, c) => { next.tokens[token].moved = (place[c] + 1) / 2 - weights[token]; });
    return this.change(next, handle);
  }

  do(action) {
    const { tokens } = this.state;
    const [{ value: [a, b] }, last] = tokens.slice(-2);
    const added = { ...last, name: "fourth", value: [(a + last.value[0]) / 2, (b + last.value[1]) / 2], moved: 0 };
    this.change({ tokens: action === "add" ? [...tokens, added] : action === "remove" ? tokens.slice(0, FEWEST)
      : tokens.map((token) => ({ ...token, moved: 0 })) });
  }

  say({ tokens }, { output, free, now, divergences }) {
    const others = free.length ? `divergence from the start ${display(divergences[1])}` : "no other weights give it";
    return `Weights now: ${listed(tokens.map(({ name }) => name), now)}. Output: ${output.map((z) => display(z)).join(", ")}; ${others}.`;
  }

  csv({ tokens }, { weights, output, corners, now, divergences, variations }) {
    const blank = ["", "", ""];
    return [["token", "value 1", "value 2", "score", "start", "now", ...corners.map((_, i) => `corner ${i + 1}`)],
      ...tokens.map(({ name, value, score }, i) => [name, ...value, score, ...[weights, now, ...corners].map((one) => one[i])]),
      ["output", ...output], ["divergence", ...blank, ...divergences], ["distance", ...blank, ...variations]];
  }

  code({ tokens }) {
    const { free, now } = this.results;
    return `import numpy as np

from snippets.attention import attention
from snippets.explore import jensen_shannon, same_output

names = ${python(tokens.map((token) => token.name))}
values = np.array(${python(tokens.map((token) => token.value))})  # (${tokens.length}, 2)
scores = np.array(${python(tokens.map((token) => token.score))})
given = {${free.map((token) => `${token}: ${python(now[token])}`).join(", ")}}  # position: weight; the others follow

(output,), (weights,) = attention([[1.0]], scores[:, np.newaxis], values)
now = same_output(values, weights, given)
for name, one, other in zip(names, weights, now):
    print(f"{name}: {one:.4f}, now {other:.4f}")
print("output:", [f"{z:.4f}" for z in output], "now", [f"{z:.4f}" for z in now @ values])
print(f"divergence: {jensen_shannon(weights, now):.4f}")
print(f"distance: {np.abs(now - weights).sum() / 2:.4f}")`;
  }
}

customElements.define("same-output-explorer", SameOutputExplorer);
