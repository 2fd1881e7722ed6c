// What d_k does to scores, weights and gradient, with the division and without: the note's simulation.

import { Explorable, choice, display, number, planeStep, slider, table } from "./explorable.js";

const QUANTITIES = { spread: "spread of the scores", entropy: "entropy of the weights", largest: "largest weight", gradient: "gradient by the query" };
const SIDES = { unscaled: "not divided", scaled: "divided by √d_k" };
const BOTH = Object.keys(SIDES);
const [WIDTH, HEIGHT, LEFT, BOTTOM] = [340, 210, 40, 30];

class ScalingExplorer extends Explorable {
  /** The simulation is Python's; here it is looked up. An estimate: value, digits, error, digits. */
  compute({ place }) {
    const { sizes, curves } = this.python;
    const chosen = Object.keys(QUANTITIES).map((name) => BOTH.map((side) => curves[name][side][place]));
    return { d_k: sizes[place], chosen };
  }

  fields({ place, quantity, divided }) {
    return `<div class="row"><label><span>d<sub>k</sub></span> ${slider("place", place, "d_k, by slider", [0, this.python.sizes.length - 1, 1])}</label>
        <output aria-live="off"></output></div>
      ${choice(this.id, "quantity", quantity, "Draw", Object.entries(QUANTITIES))}
      <div class="row">${choice(this.id, "divided", divided, "Dot products", [...Object.entries(SIDES), ["both", "both"]])}</div>`;
  }

  /** No number here is ever the browser's own. */
  origin() { return ["python", "All from the simulation: these numbers were computed by Python."]; }

  /** The slider says its size, and not its place. */
  drawn() {
    const { panel, results } = this;
    panel.querySelector("output").textContent = results.d_k;
    panel.querySelector("[type=range]").setAttribute("aria-valuetext", results.d_k);
  }

  show({ place, quantity, divided }, { d_k, chosen }) {
    return `${this.chart(quantity, place, divided === "both" ? BOTH : [divided])}
      ${table(`Simulation: d<sub>k</sub> = ${d_k}`, ["Quantity", "Not divided", "s.e.", "Divided", "s.e."],
    Object.values(QUANTITIES).map((name, i) => [name, ...chosen[i].flatMap(([value, digits, error, place]) => [number(value, digits), number(error, place)])]))}`;
  }

  chart(quantity, place, sides) {
    const { sizes, curves: { [quantity]: curves } } = this.python;
    const most = Math.max(...sides.flatMap((side) => curves[side].map(([value, , error]) => value + 2 * error))) * 1.1;
    const last = sizes.length - 1;
    const x = (i) => LEFT + Math.log(sizes[i] / sizes[0]) / Math.log(sizes[last] / sizes[0]) * (WIDTH - LEFT - 20);
    const y = (value) => (HEIGHT - BOTTOM) * (1 - Math.max(0, value) / most) + 8;
    const line = (x1, x2, y1, y2, style) => `<line x1="${x1}" x2="${x2}" y1="${y1}" y2="${y2}" class="${style}"/>`;
    const text = (x, y, style, words) => `<text x="${x}" y="${y}" class="${style}">${words}</text>`;
    const step = planeStep(most * 2) * 10;
    const rules = Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step).map((v) => (
      line(LEFT, WIDTH - 10, y(v), y(v), "grid") + text(LEFT - 6, y(v) + 4, "scale tick", display(v, 3, "short"))));
    const curve = (side) => {
      const points = curves[side].map(([value, , error], i) => {
        const r = i === place ? 6 : 3;
        return line(x(i), x(i), y(value - 2 * error), y(value + 2 * error), "arrow")
          + `<rect x="${x(i) - r}" y="${y(value) - r}" width="${2 * r}" height="${2 * r}" rx="${side === "scaled" ? r : 0}" class="tip"/>`;
      });
      const end = y(curves[side][last][0]);
      return `<g class="${side}"><polyline class="arrow" points="${curves[side].map(([value], i) => `${x(i)},${y(value)}`).join(" ")}"/>${points.join("")}${
        text(x(last) - 24, end + (end < HEIGHT / 2 ? 26 : -22), "tick", SIDES[side])}</g>`;
    };
    return `<figure><figcaption>Over d<sub>k</sub>, on a logarithmic scale: ${QUANTITIES[quantity]}, with two standard errors to either side</figcaption>
      <svg class="plane chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${QUANTITIES[quantity]} at d_k = ${sizes[place]}: ${
  sides.map((side) => `${SIDES[side]} ${display(...curves[side][place])}`).join(", ")}">${rules.join("")}
      ${line(x(place), x(place), 8, y(0), "axis")}${sizes.map((d_k, i) => text(x(i), HEIGHT - 6, "scale", d_k)).join("")}
      ${sides.map(curve).join("")}</svg></figure>`;
  }

  say({ quantity }, { d_k, chosen }) {
    const [plain, divided] = chosen[Object.keys(QUANTITIES).indexOf(quantity)];
    return `d_k ${d_k}, ${QUANTITIES[quantity]}: not divided ${display(plain[0], plain[1])}, divided ${display(divided[0], divided[1])}.`;
  }

  csv() {
    const { sizes, curves } = this.python;
    return [["d_k", "quantity", "not divided", "s.e.", "divided", "s.e."], ...Object.keys(QUANTITIES).flatMap((name) => (
      sizes.map((d_k, i) => [d_k, QUANTITIES[name], ...BOTH.flatMap((side) => [curves[name][side][i][0], curves[name][side][i][2]])])))];
  }

  code({ place }) {
    return `import math

from snippets.notes.scaling import mean, simulate, spread

size = simulate(${this.python.sizes[place]})
rows = {"spread": (spread(size, 1), spread(size, math.sqrt(size.d_k)))}
for name in ("entropy", "largest", "gradient"):
    rows[name] = (mean(getattr(size.unscaled, name)), mean(getattr(size.scaled, name)))
for name, estimates in rows.items():
    print(f"{name}:", *(f"{n.value:.{n.digits}f}" for estimate in estimates for n in estimate))`;
  }
}

customElements.define("scaling-explorer", ScalingExplorer);
