// All distributions over three or four values with one output: a point, a segment, a polygon or more.

import { attention } from "./attention.js";
import { Explorable } from "./explorable.js";
import { bar, button, display, escaped, field, listed, number, slider, table, vector } from "./html.js";
import { held, plane, round, seen, spot, tokenPoints } from "./plane.js";
import { python } from "./state.js";

/** @typedef {{ name: string, value: number[], score: number, moved: number }} Token */
/** @typedef {{ tokens: Token[] }} State `moved`: what the reader added to each weight */

/**
 * @typedef {object} Results
 * @property {number[]} weights at the start
 * @property {number[]} output
 * @property {number[]} free the tokens whose weights can be chosen, one after the other
 * @property {number[][]} corners of the set of all weights with this output
 * @property {number[][]} ranges of each free weight, given those before it
 * @property {number[]} now the chosen weights
 * @property {number} shift the output's largest difference from the start
 * @property {number[]} divergences from the start: of the start, of now, of each corner
 * @property {number[]} variations
 */

const [FEWEST, MOST, LARGEST] = [3, 4, 1e6];
const SAME = 1e-7; // nearer than this is equal: weights, and places as a share of the values' spread
const TINY = 1e-100; // a spread below it is none

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((all, n) => all + n, 0);
/** @param {number[]} weights @param {number[]} numbers */
const mixed = (weights, numbers) => sum(weights.map((w, i) => w * numbers[i]));
/** @param {number[]} one @param {number[]} other */
const far = (one, other) => Math.max(...one.map((n, i) => Math.abs(n - other[i])));

/**
 * Cut a convex set, given by its corners, where measure(point) is 0. A zero that all share stays exact.
 * @param {number[][]} corners
 * @param {(point: number[]) => number} measure
 */
function cut(corners, measure) {
  const at = corners.map(measure);
  const met = corners.filter((_, i) => Math.abs(at[i]) <= SAME);
  for (const [i, one] of corners.entries()) {
    for (const [j, other] of corners.entries()) {
      if (at[i] >= -SAME || at[j] <= SAME) continue;
      const share = at[i] / (at[i] - at[j]);
      met.push(one.map((w, k) => w * (1 - share) + other[k] * share));
    }
  }
  return met.filter((one, i) => met.slice(0, i).every((other) => far(one, other) > SAME));
}

/**
 * Of all distributions, those with the mixture of `weights`: cut along the values' spread, then across.
 * @param {number[][]} values
 * @param {number[]} weights
 */
function family(values, weights) {
  const offsets = values.flatMap(([a, b]) => values.map(([c, d]) => [c - a, d - b]));
  const lengths = offsets.map((offset) => Math.hypot(...offset));
  const longest = Math.max(...lengths);
  const [x, y] = offsets[lengths.indexOf(longest)];
  const spread = Math.max(longest, TINY);
  let corners = weights.map((_, i) => weights.map((_, j) => Number(i === j)));
  for (const [c, d] of [
    [x, y],
    [-y, x],
  ]) {
    const at = values.map(
      ([a, b]) => ((a - values[0][0]) / spread) * (c / spread) + ((b - values[0][1]) / spread) * (d / spread),
    );
    const width = Math.max(...at) - Math.min(...at);
    if (width <= SAME) continue; // no freedom is lost: the values lie on a line, or on a point
    const output = mixed(weights, at);
    corners = cut(corners, (point) => (mixed(point, at) - output) / width);
  }
  return corners.length ? corners : [weights];
}

/**
 * Tokens whose weights tell the points of a set apart: Gaussian elimination, from the last token on.
 * @param {number[][]} corners
 */
function freeTokens(corners) {
  let rows = corners.slice(1).map((corner) => corner.map((w, k) => w - corners[0][k]));
  const found = /** @type {number[]} */ ([]);
  while (rows.length) {
    const largest = rows[0].map((_, k) => Math.max(...rows.map((row) => Math.abs(row[k]))));
    const most = Math.max(...largest);
    if (most <= SAME) break;
    const token = largest.findLastIndex((size) => size >= most / 4);
    const pivot = rows[rows.findIndex((row) => Math.abs(row[token]) === largest[token])];
    rows = rows
      .filter((row) => row !== pivot)
      .map((row) => row.map((n, k) => n - (pivot[k] / pivot[token]) * row[token]));
    found.push(token);
  }
  return found;
}

/** @param {number[]} p @param {number[]} q */
const relative = (p, q) => sum(p.map((n, i) => (n > 0 ? n * Math.log((2 * n) / (n + q[i])) : 0)));
/** @param {number[]} p @param {number[]} q */
const jensenShannon = (p, q) => Math.max(0, (relative(p, q) + relative(q, p)) / 2);
/** @param {number[]} p @param {number[]} q */
const totalVariation = (p, q) => sum(p.map((n, i) => Math.abs(n - q[i]))) / 2;

/**
 * What lies between these places: the triangles of every three of them, laid over each other.
 * @param {number[][]} places
 * @param {string} style
 */
function area(places, style) {
  const threes = places.flatMap((a, i) =>
    places.slice(i + 1).flatMap((b, j) => places.slice(i + j + 2).map((c) => [a, b, c])),
  );
  return (threes.length ? threes : [places])
    .map((three) => `<polygon points="${three.join(" ")}" class="${style}"/>`)
    .join("");
}

/** @extends {Explorable<State, Results>} */
class SameOutputExplorer extends Explorable {
  /** @param {State} state @returns {Results} */
  compute({ tokens }) {
    checkTokens(tokens);
    const values = tokens.map((token) => token.value);
    const keys = tokens.map(({ score }) => [score]); // with one coordinate, the scores stay as they are
    const [[output], [weights]] = attention([[1]], keys, values);
    const met = family(values, weights);
    const free = freeTokens(met);
    const corners = free.length ? met.sort((one, other) => one[free[0]] - other[free[0]]) : [weights];
    if (free.length === 1) corners.splice(1, corners.length - 2); // what lies between the two ends
    const ranges = tokens.map(() => /** @type {number[]} */ ([]));
    let left = corners;
    for (const token of free) {
      // Fix one weight after the other; each leaves the next its range.
      const places = left.map((point) => point[token]);
      const [least, most] = [Math.min(...places), Math.max(...places)];
      ranges[token] = [least, most];
      const goal = Math.min(most, Math.max(least, weights[token] + tokens[token].moved));
      left = cut(left, (point) => point[token] - goal);
    }
    const now = left[0];
    const mixture = output.map((_, c) =>
      mixed(
        now,
        values.map((value) => value[c]),
      ),
    );
    const [divergences, variations] = [jensenShannon, totalVariation].map((measure) =>
      [weights, now, ...corners].map((one) => measure(weights, one)),
    );
    return {
      weights,
      output,
      free,
      corners,
      ranges,
      now,
      shift: far(mixture, output),
      divergences,
      variations,
    };
  }

  /** @param {State} state */
  fields({ tokens }) {
    const cards = tokens.map(({ name, value, score }, i) => {
      const coordinates = value.map((v, c) =>
        field(`tokens.${i}.value.${c}`, v, `value of ${name}, coordinate ${c + 1}`, 4),
      );
      return `<fieldset class="card"><legend>${this.word(name)}</legend>
        <span>value ${coordinates.join("")}</span>
        <label>score ${field(`tokens.${i}.score`, score, `score of ${name}`, 4)}</label></fieldset>`;
    });
    const walks = tokens.map(({ name, moved }, i) => {
      const label = `weight of ${name}, with the same output`;
      return `<label data-walk="${i}"><span>weight of ${this.word(name)}</span>
        ${slider(`tokens.${i}.moved`, moved, label, [-1, 1, "any"])}</label>`;
    });
    const fourth =
      tokens.length < MOST
        ? button("add", "Add a fourth value")
        : button("remove", "Remove the fourth value");
    return `<div class="cards">${cards.join("")}</div>
      <div class="row">${fourth}${button("back", "Back to the start")}</div>
      <div class="row">${walks.reverse().join("")}</div>`;
  }

  /** Show the sliders that the present set has, each as long as its weight may be. */
  drawn() {
    const { free, ranges, now, weights } = this.results;
    for (const label of this.panel.querySelectorAll("[data-walk]")) {
      const token = Number(label.getAttribute("data-walk"));
      label.toggleAttribute("hidden", !free.includes(token));
      if (!free.includes(token)) continue;
      const input = /** @type {HTMLInputElement} */ (label.querySelector("input"));
      [input.min, input.max] = ranges[token].map((end) => String(end - weights[token]));
      input.value = String(now[token] - weights[token]);
      input.setAttribute("aria-valuetext", display(now[token]));
    }
  }

  /** @param {State} state @param {Results} results */
  show({ tokens }, results) {
    const { output, free, shift } = results;
    const kind = ["a point, no freedom", "a segment", "a polygon", "a solid, here its shadow"][free.length];
    return `<div class="planes"><figure><figcaption>Values and the output z: drag a tip</figcaption>
        ${this.mixing(tokens, output)}</figure>
        <figure><figcaption>All weights with this output: ${kind}</figcaption>
        ${this.map(tokens, results)}</figure></div>
      <p>Output <strong>z = ${vector(output)}</strong>.
        Its largest difference from the start: ${number(shift)}.</p>
      ${this.weightsTable(tokens, results)}
      <p>From the start: divergence is Jensen and Shannon\u2019s, at most ln 2 = ${display(Math.LN2)};
        distance is total variation, at most 1. Weights nearer than ${SAME} count as equal;
        places too, as a share of the values\u2019 spread.</p>`;
  }

  /** @param {Token[]} tokens @param {number[]} output */
  mixing(tokens, output) {
    const points = tokenPoints(tokens, "value", (name) => this.styleOf(name));
    points.push({ name: "z", at: output, style: "output" });
    const bound = this.hand.reach("values", points);
    const hull = area(
      tokens.map(({ value }) => spot(value, bound)),
      "hull",
    );
    return plane("Values and the output", points, bound, hull);
  }

  /** @param {Token[]} tokens @param {Results} results */
  weightsTable(tokens, { weights, free, corners, now, divergences, variations }) {
    const names = tokens.map(({ name }) => this.word(name));
    const ends = free.length ? corners : [];
    const heads = ends.map((corner) => `no ${names.filter((_, k) => corner[k] === 0).join(", ")}`);
    const rows = names.map((name, i) => {
      const style = this.styleOf(tokens[i].name);
      const sides = [weights, now].map((side) => `${number(side[i])} ${bar(side[i], style)}`);
      return [name, ...sides, ...ends.map((corner) => number(corner[i]))];
    });
    /** @param {string} name @param {number[]} measures */
    const measured = (name, measures) => [name, ...measures.slice(0, ends.length + 2).map((n) => number(n))];
    return table(
      `Weights at the start, now, and at the ${free.length < 2 ? "ends" : "corners"}`,
      ["Token", "Start", "Now", ...heads],
      [...rows, measured("divergence", divergences), measured("distance", variations)],
    );
  }

  /**
   * The triangle of all weights that two tokens can have, and in it those with the same output.
   * @param {Token[]} tokens
   * @param {Results} results
   */
  map(tokens, { weights, free, corners, now }) {
    const pair = [...new Set([...free, 0, 1])].slice(0, 2);
    /** @param {number[]} point */
    const flat = (point) => pair.map((token) => 2 * point[token] - 1);
    const frame = [
      [-1, -1],
      [1, -1],
      [-1, 1],
    ].map((corner) => spot(corner, 1));
    const [[x, y], [u, v], ...ends] = [weights, now, ...corners].map((point) => spot(flat(point), 1));
    const says = escaped(
      listed(
        tokens.map(({ name }) => name),
        now,
      ),
    );
    const can = free.length
      ? held("walk", flat(now), `now: ${says}; move it with the arrow keys`)
      : seen(`now: ${says}`);
    const [[left, base], [right], [, top]] = frame;
    const third =
      tokens.length === FEWEST ? this.allTo(tokens[3 - pair[0] - pair[1]], left, base + 14, "start") : "";
    return `<svg class="plane" viewBox="0 0 ${left + right} ${base + 20}" data-bound="1" role="group"
        aria-label="All weights with this output">
      ${area(frame, "frame")}${area(ends, "family")}
      ${ends.map(([a, b]) => `<circle cx="${a}" cy="${b}" r="3.5" class="end"/>`).join("")}
      ${this.allTo(tokens[pair[0]], right, base + 14, "end")}
      ${this.allTo(tokens[pair[1]], left + 12, top + 8, "start")}${third}
      <rect x="${x - 6.5}" y="${y - 6.5}" width="13" height="13" class="begun"/>
      <text x="${x - 6}" y="${y + 27}">start</text>
      <g class="point query" ${can}>${round(u, v)}<text x="${u + 12}" y="${v - 8}">now</text></g></svg>`;
  }

  /**
   * Name a corner of the triangle.
   * @param {Token} token
   * @param {number} x
   * @param {number} y
   * @param {string} anchor
   */
  allTo({ name }, x, y, anchor) {
    const style = this.styleOf(name);
    return `<text x="${x}" y="${y}" text-anchor="${anchor}" class="${style}">all to ${escaped(name)}</text>`;
  }

  /** @param {string} handle @param {number[]} place */
  move(handle, place) {
    if (handle !== "walk") return this.set(handle, place);
    const next = structuredClone(this.state);
    const { free, weights } = this.results;
    for (const [c, token] of free.slice(0, 2).entries()) {
      next.tokens[token].moved = (place[c] + 1) / 2 - weights[token];
    }
    return this.change(next, handle);
  }

  /** @param {string} action */
  do(action) {
    const { tokens } = this.state;
    const back = tokens.map((token) => ({ ...token, moved: 0 }));
    const [
      {
        value: [a, b],
      },
      last,
    ] = tokens.slice(-2);
    const value = [(a + last.value[0]) / 2, (b + last.value[1]) / 2];
    const fourth = { ...last, name: "fourth", value, moved: 0 };
    const next = { add: [...tokens, fourth], remove: tokens.slice(0, FEWEST) }[action];
    this.change({ tokens: next ?? back });
  }

  /** @param {State} state @param {Results} results */
  say({ tokens }, { output, free, now, divergences }) {
    const shares = listed(
      tokens.map(({ name }) => name),
      now,
    );
    const others = free.length
      ? `divergence from the start ${display(divergences[1])}`
      : "no other weights give it";
    return `Weights now: ${shares}. Output: ${output.map((z) => display(z)).join(", ")}; ${others}.`;
  }

  /** @param {State} state @param {Results} results */
  csv({ tokens }, { weights, output, corners, now, divergences, variations }) {
    const all = [weights, now, ...corners];
    const heads = ["token", "value 1", "value 2", "score", "start", "now"];
    const rows = tokens.map(({ name, value, score }, i) => [
      name,
      ...value,
      score,
      ...all.map((one) => one[i]),
    ]);
    const measures = [
      ["divergence", "", "", "", ...divergences],
      ["distance", "", "", "", ...variations],
    ];
    return [
      [...heads, ...corners.map((_, i) => `corner ${i + 1}`)],
      ...rows,
      ["output", ...output],
      ...measures,
    ];
  }

  /** @param {State} state */
  code({ tokens }) {
    const { free, now } = this.results;
    const given = free.map((token) => `${token}: ${python(now[token])}`);
    return `import numpy as np

from snippets.attention import attention
from snippets.explore import jensen_shannon, same_output

names = ${python(tokens.map((token) => token.name))}
values = np.array(${python(tokens.map((token) => token.value))})  # (${tokens.length}, 2)
scores = np.array(${python(tokens.map((token) => token.score))})
given = {${given.join(", ")}}  # position: weight; the others follow

(output,), (weights,) = attention([[1.0]], scores[:, np.newaxis], values)
now = same_output(values, weights, given)
for name, one, other in zip(names, weights, now):
    print(f"{name}: {one:.4f}, now {other:.4f}")
print("output:", [f"{z:.4f}" for z in output], "now", [f"{z:.4f}" for z in now @ values])
print(f"divergence: {jensen_shannon(weights, now):.4f}")
print(f"distance: {np.abs(now - weights).sum() / 2:.4f}")`;
  }
}

/** Refuse what cannot be drawn, or only a link can bring. @param {Token[]} tokens */
function checkTokens(tokens) {
  if (tokens.length < FEWEST || tokens.length > MOST || tokens.some(({ value }) => value.length !== 2)) {
    throw new RangeError("no such sizes");
  }
  const large = tokens.find(({ value }) => value.some((v) => Math.abs(v) > LARGEST));
  if (large) throw new RangeError(`value of ${large.name}: keep its coordinates within ${LARGEST} of 0`);
}

customElements.define("same-output-explorer", SameOutputExplorer);
