// What d_k does to scores, weights and gradient, with the division and without: the note's simulation.

import { Explorable } from "./explorable.js";
import { choice, display, number, slider, table } from "./html.js";
import { planeStep } from "./plane.js";

/** @typedef {"spread" | "entropy" | "largest" | "gradient"} Quantity */
/** @typedef {"unscaled" | "scaled"} Side */
/** @typedef {[number, number, number, number]} Estimate value, digits, standard error, its digits */

/**
 * @typedef {object} State
 * @property {number} place of d_k among the sizes
 * @property {Quantity} quantity
 * @property {Side | "both"} divided
 */

/**
 * @typedef {object} Results
 * @property {number} d_k
 * @property {Estimate[][]} chosen for each quantity, for each side
 */

/** @type {Record<Quantity, string>} */
const QUANTITIES = {
  spread: "spread of the scores",
  entropy: "entropy of the weights",
  largest: "largest weight",
  gradient: "gradient by the query",
};
/** @type {Record<Side, string>} */
const SIDES = { unscaled: "not divided", scaled: "divided by √d_k" };
const ALL = /** @type {Quantity[]} */ (Object.keys(QUANTITIES));
const BOTH = /** @type {Side[]} */ (Object.keys(SIDES));
const [WIDTH, HEIGHT, LEFT, BOTTOM] = [340, 210, 40, 30];

/** @extends {Explorable<State, Results>} */
class ScalingExplorer extends Explorable {
  /** The simulation is Python's; here it is looked up. */
  get simulation() {
    /** @type {{ sizes: number[], curves: Record<Quantity, Record<Side, Estimate[]>> }} */
    const { sizes, curves } = this.python;
    return { sizes, curves };
  }

  /** @param {State} state @returns {Results} */
  compute({ place }) {
    const { sizes, curves } = this.simulation;
    const chosen = ALL.map((name) => BOTH.map((side) => curves[name][side][place]));
    return { d_k: sizes[place], chosen };
  }

  /** @param {State} state */
  fields({ place, quantity, divided }) {
    const last = this.simulation.sizes.length - 1;
    const sides = [...Object.entries(SIDES), ["both", "both"]];
    return `<div class="row">
        <label><span>d<sub>k</sub></span> ${slider("place", place, "d_k, by slider", [0, last, 1])}</label>
        <output aria-live="off"></output></div>
      ${choice(this.id, "quantity", quantity, "Draw", Object.entries(QUANTITIES))}
      <div class="row">${choice(this.id, "divided", divided, "Dot products", sides)}</div>`;
  }

  /** No number here is ever the browser's own. */
  origin() {
    return ["python", "All from the simulation: these numbers were computed by Python."];
  }

  /** The slider says its size, and not its place. */
  drawn() {
    const d_k = String(this.results.d_k);
    this.find("output").textContent = d_k;
    this.find("[type=range]").setAttribute("aria-valuetext", d_k);
  }

  /** @param {State} state @param {Results} results */
  show({ place, quantity, divided }, { d_k, chosen }) {
    const rows = ALL.map((name, i) => [
      QUANTITIES[name],
      ...chosen[i].flatMap(([value, digits, error, more]) => [number(value, digits), number(error, more)]),
    ]);
    const heads = ["Quantity", "Not divided", "s.e.", "Divided", "s.e."];
    return `${this.chart(quantity, place, divided === "both" ? BOTH : [divided])}
      ${table(`Simulation: d<sub>k</sub> = ${d_k}`, heads, rows)}`;
  }

  /** @param {Quantity} quantity @param {number} place @param {Side[]} sides */
  chart(quantity, place, sides) {
    const { sizes, curves } = this.simulation;
    const name = QUANTITIES[quantity];
    const estimates = sides.flatMap((side) => curves[quantity][side]);
    const most = Math.max(...estimates.map(([value, , error]) => value + 2 * error)) * 1.1;
    const says = sides.map((side) => {
      const [value, digits] = curves[quantity][side][place];
      return `${SIDES[side]} ${display(value, digits)}`;
    });
    const x = acrossOf(sizes);
    /** @param {number} value */
    const y = (value) => (HEIGHT - BOTTOM) * (1 - Math.max(0, value) / most) + 8;
    const step = planeStep(most * 2) * 10;
    const rules = Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => {
      const across = line(LEFT, WIDTH - 10, y(i * step), y(i * step), "grid");
      return across + text(LEFT - 6, y(i * step) + 4, "scale tick", display(i * step, 3, "short"));
    });
    const marks = sizes.map((d_k, i) => text(x(i), HEIGHT - 6, "scale", String(d_k)));
    return `<figure><figcaption>Over d<sub>k</sub>, on a logarithmic scale: ${name},
        with two standard errors to either side</figcaption>
      <svg class="plane chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img"
        aria-label="${name} at d_k = ${sizes[place]}: ${says.join(", ")}">${rules.join("")}
      ${line(x(place), x(place), 8, y(0), "axis")}${marks.join("")}
      ${sides.map((side) => curve(side, curves[quantity][side], place, x, y)).join("")}</svg></figure>`;
  }

  /** @param {State} state @param {Results} results */
  say({ quantity }, { d_k, chosen }) {
    const [plain, divided] = chosen[ALL.indexOf(quantity)].map(([value, digits]) => display(value, digits));
    return `d_k ${d_k}, ${QUANTITIES[quantity]}: not divided ${plain}, divided ${divided}.`;
  }

  csv() {
    const { sizes, curves } = this.simulation;
    const rows = ALL.flatMap((name) =>
      sizes.map((d_k, i) => {
        const pairs = BOTH.flatMap((side) => [curves[name][side][i][0], curves[name][side][i][2]]);
        return [d_k, QUANTITIES[name], ...pairs];
      }),
    );
    return [["d_k", "quantity", "not divided", "s.e.", "divided", "s.e."], ...rows];
  }

  /** @param {State} state */
  code({ place }) {
    return `import math

from snippets.notes.scaling import mean, simulate, spread

size = simulate(${this.simulation.sizes[place]})
rows = {"spread": (spread(size, 1), spread(size, math.sqrt(size.d_k)))}
for name in ("entropy", "largest", "gradient"):
    rows[name] = (mean(getattr(size.unscaled, name)), mean(getattr(size.scaled, name)))
for name, estimates in rows.items():
    print(f"{name}:", *(f"{n.value:.{n.digits}f}" for estimate in estimates for n in estimate))`;
  }
}

/** Return where each size stands across the chart, by its logarithm. @param {number[]} sizes */
function acrossOf(sizes) {
  const logarithms = sizes.map((size) => Math.log(size / sizes[0]));
  /** @param {number} i */
  return (i) => LEFT + (logarithms[i] / logarithms[sizes.length - 1]) * (WIDTH - LEFT - 20);
}

/**
 * Draw one curve with its errors and its name; the chosen size is marked.
 * @param {Side} side
 * @param {Estimate[]} estimates
 * @param {number} place
 * @param {(i: number) => number} x
 * @param {(value: number) => number} y
 */
function curve(side, estimates, place, x, y) {
  const points = estimates.map(([value, , error], i) => {
    const r = i === place ? 6 : 3;
    return (
      line(x(i), x(i), y(value - 2 * error), y(value + 2 * error), "arrow") +
      `<rect x="${x(i) - r}" y="${y(value) - r}" width="${2 * r}" height="${2 * r}" ` +
      `rx="${side === "scaled" ? r : 0}" class="tip"/>`
    );
  });
  const last = estimates.length - 1;
  const end = y(estimates[last][0]);
  const name = text(x(last) - 24, end + (end < HEIGHT / 2 ? 26 : -22), "tick", SIDES[side]);
  const path = estimates.map(([value], i) => `${x(i)},${y(value)}`).join(" ");
  return `<g class="${side}"><polyline class="arrow" points="${path}"/>${points.join("")}${name}</g>`;
}

/** @param {number} x1 @param {number} x2 @param {number} y1 @param {number} y2 @param {string} style */
const line = (x1, x2, y1, y2, style) =>
  `<line x1="${x1}" x2="${x2}" y1="${y1}" y2="${y2}" class="${style}"/>`;

/** @param {number} x @param {number} y @param {string} style @param {string} words */
const text = (x, y, style, words) => `<text x="${x}" y="${y}" class="${style}">${words}</text>`;

customElements.define("scaling-explorer", ScalingExplorer);
