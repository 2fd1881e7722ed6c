// What d_k does to scores, weights and gradient, with the division and without: the note's simulation.

import { Explorable, check, choice, display, number, planeStep, slider, table } from "./explorable.js";

const QUANTITIES = { spread: "spread of the scores", entropy: "entropy of the weights", largest: "largest weight", gradient: "gradient by the query" };
const SIDES = { unscaled: "not divided", scaled: "divided by √d<sub>k</sub>" };
const [WIDTH, HEIGHT, LEFT, BOTTOM] = [340, 210, 40, 30];

class ScalingExplorer extends Explorable {
  /** The simulation is Python's; here it is looked up. An estimate: value, digits, error, digits. */
  compute({ place }) {
    const { sizes, curves } = this.python;
    const chosen = Object.keys(QUANTITIES).map((name) => Object.keys(SIDES).map((side) => curves[name][side][place]));
    return { d_k: sizes[place], chosen };
  }

  fields({ place, quantity, alone }) {
    return `<div class="row"><label><span>d<sub>k</sub></span> ${slider("place", place, "d_k, by slider", [0, this.python.sizes.length - 1, 1])}</label>
        <output>${this.python.sizes[place]}</output></div>
      ${choice(this.id, "quantity", quantity, "Draw", Object.entries(QUANTITIES))}
      <div class="row">${check("alone", alone, "the divided ones alone, on a scale of their own")}</div>`;
  }

  show({ place, quantity, alone }, { d_k, chosen }) {
    const estimate = ([value, digits, error, errorDigits]) => [number(value, digits), number(error, errorDigits)];
    this.panel?.querySelector("output")?.replaceChildren(String(d_k));
    return `${this.chart(quantity, place, alone)}
      ${table(`Simulation: d<sub>k</sub> = ${d_k}`, ["Quantity", "Not divided", "s.e.", "Divided", "s.e."],
    Object.values(QUANTITIES).map((name, i) => [name, ...chosen[i].flatMap(estimate)]))}`;
  }

  chart(quantity, place, alone) {
    const { sizes, curves } = this.python;
    const sides = alone ? ["scaled"] : Object.keys(SIDES);
    const most = Math.max(...sides.flatMap((side) => curves[quantity][side].map(([value, , error]) => value + 2 * error))) * 1.1;
    const last = sizes.length - 1;
    const x = (i) => LEFT + Math.log(sizes[i] / sizes[0]) / Math.log(sizes[last] / sizes[0]) * (WIDTH - LEFT - 20);
    const y = (value) => (HEIGHT - BOTTOM) * (1 - Math.max(0, value) / most) + 8;
    const step = planeStep(most * 2) * 10;
    const rules = Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step).map((v) => (
      `<line x1="${LEFT}" x2="${WIDTH - 10}" y1="${y(v)}" y2="${y(v)}" class="grid"/><text x="${LEFT - 6}" y="${y(v) + 4}" class="scale tick">${display(v, 3, "short")}</text>`));
    const curve = (side) => {
      const points = curves[quantity][side].map(([value, , error], i) => `<line class="arrow" x1="${x(i)}" x2="${x(i)}" y1="${y(value - 2 * error)}" y2="${y(value + 2 * error)}"/>${
        side === "scaled" ? `<circle class="tip" cx="${x(i)}" cy="${y(value)}" r="${i === place ? 6 : 3}"/>`
          : `<rect class="tip" x="${x(i) - (i === place ? 6 : 3)}" y="${y(value) - (i === place ? 6 : 3)}" width="${i === place ? 12 : 6}" height="${i === place ? 12 : 6}"/>`}`);
      const path = curves[quantity][side].map(([value], i) => `${x(i)},${y(value)}`).join(" ");
      return `<g class="${side}"><polyline class="arrow" points="${path}"/>${points.join("")}</g>`;
    };
    const words = sides.map((side) => `${SIDES[side].replace(/<.*?>/g, "")} ${display(...curves[quantity][side][place])}`).join(", ");
    return `<figure><figcaption>${QUANTITIES[quantity]} over d<sub>k</sub>: ${sides.map((side) => `${side === "scaled" ? "circles" : "dashed squares"} = ${SIDES[side]}`).join("; ")}</figcaption>
      <svg class="plane chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${QUANTITIES[quantity]} at d_k = ${sizes[place]}: ${words}">${rules.join("")}
      <line class="axis" x1="${x(place)}" x2="${x(place)}" y1="8" y2="${y(0)}"/>${sizes.map((d_k, i) => `<text class="scale" x="${x(i)}" y="${HEIGHT - 6}">${d_k}</text>`).join("")}
      ${sides.map(curve).join("")}</svg></figure>`;
  }

  say({ quantity }, { d_k, chosen }) {
    const [plain, divided] = chosen[Object.keys(QUANTITIES).indexOf(quantity)];
    return `d_k ${d_k}, ${QUANTITIES[quantity]}: not divided ${display(plain[0], plain[1])}, divided ${display(divided[0], divided[1])}.`;
  }

  csv() {
    const { sizes, curves } = this.python;
    return [["d_k", "quantity", "not divided", "s.e.", "divided", "s.e."], ...Object.keys(QUANTITIES).flatMap((name) => (
      sizes.map((d_k, i) => [d_k, QUANTITIES[name], ...Object.keys(SIDES).flatMap((side) => [curves[name][side][i][0], curves[name][side][i][2]])])))];
  }

  code({ place }) {
    return `import math

from snippets.notes.scaling import mean, simulate, spread

size = simulate(${this.python.sizes[place]})
rows = {"spread": (spread(size, 1), spread(size, math.sqrt(size.d_k)))}
for name in ("entropy", "largest", "gradient"):
    rows[name] = (mean(getattr(size.unscaled, name)), mean(getattr(size.scaled, name)))
for name, estimates in rows.items():
    print(f"{name}:", *(f"{value.value:.{value.digits}f}" for value, _ in estimates))`;
  }
}

customElements.define("scaling-explorer", ScalingExplorer);
