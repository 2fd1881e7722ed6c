// A plane with arrows, of which some can be moved: its drawing, and what a pointer or a key means on it.

import { display, escaped } from "./html.js";

/**
 * An arrow from the origin; one with a handle can be moved.
 * @typedef {object} Point
 * @property {string} name
 * @property {number[]} at
 * @property {string} style
 * @property {string} [handle]
 */

const HALF = 150; // of the drawing's side, in its own units
const INSIDE = 0.92; // as much of it is the plane; the rest is margin

/**
 * Where a point of a plane stands in its drawing.
 * @param {number[]} point
 * @param {number} bound the largest coordinate on the plane
 */
export const spot = ([x, y], bound) =>
  [HALF + (x / bound) * HALF * INSIDE, HALF - (y / bound) * HALF * INSIDE].map(
    (c) => Math.round(c * 100) / 100,
  );

/**
 * Draw a plane, with other SVG `under` its arrows.
 * @param {string} label
 * @param {Point[]} points
 * @param {number} bound
 */
export function plane(label, points, bound, under = "") {
  const taken = points.map(({ at }) => spot(at, bound)).map(([x, y]) => [x - 6, y + 5, 12]);
  const arrows = points.map((point) => arrow(point, bound, taken));
  return (
    `<svg class="plane" viewBox="0 0 ${2 * HALF} ${2 * HALF}" data-bound="${bound}" role="group" ` +
    `aria-label="${escaped(label)}">${under}${grid(bound)}${arrows.join("")}</svg>`
  );
}

/**
 * The keys or values of tokens as points, each to be moved.
 * @param {{ name: string, [what: string]: any }[]} tokens
 * @param {"key" | "value"} what
 * @param {(name: string) => string} styleOf
 * @returns {Point[]}
 */
export const tokenPoints = (tokens, what, styleOf) =>
  tokens.map(({ name, [what]: at }, i) => ({
    name,
    at,
    handle: `tokens.${i}.${what}`,
    style: styleOf(name),
  }));

/** @param {number} bound */
function grid(bound) {
  const gap = planeStep(bound) * 10;
  const most = Math.floor(bound / gap);
  const marks = Array.from({ length: 2 * most + 1 }, (_, i) => (i - most) * gap);
  const lines = marks.map((mark) => {
    const style = mark ? "grid" : "axis";
    return (
      line([mark, -bound], [mark, bound], bound, style) + line([-bound, mark], [bound, mark], bound, style)
    );
  });
  const numbers = marks.slice(most + 1).map((mark) => {
    const [x, y] = spot([mark, 0], bound);
    return `<text x="${x}" y="${y + 12}" class="scale">${display(mark, 4, "short")}</text>`;
  });
  return lines.join("") + numbers.join("");
}

/** @param {number[]} from @param {number[]} to @param {number} bound @param {string} style */
function line(from, to, bound, style) {
  const [[x1, y1], [x2, y2]] = [spot(from, bound), spot(to, bound)];
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" class="${style}"/>`;
}

/** @param {Point} point @param {number} bound @param {number[][]} taken as labelPlace has it */
function arrow({ name, at, style, handle }, bound, taken) {
  const [x, y] = spot(at, bound);
  const [left, base] = labelPlace(x, y, name.length * 7.2, taken);
  const words = escaped(`${name} [${at.map((c) => display(c, 4, "short")).join(", ")}]`);
  const [role, tip] = handle
    ? [held(handle, at, `${words}, move it with the arrow keys`), round(x, y)]
    : [seen(words), square(x, y)];
  return (
    `<g class="point ${style}" ${role}>${line([0, 0], at, bound, "arrow")}${tip}` +
    `<text x="${left}" y="${base}">${escaped(name)}</text></g>`
  );
}

/**
 * The attributes of what can be moved, by pointer or by the arrow keys, and of what can only be seen.
 * @param {string} handle
 * @param {number[]} at
 * @param {string} words
 */
export const held = (handle, at, words) =>
  `data-handle="${handle}" data-at="[${at}]" tabindex="0" role="button" aria-label="${words}"`;

/** @param {string} words */
export const seen = (words) => `role="img" aria-label="${words}"`;

/** @param {number} x @param {number} y */
export const round = (x, y) =>
  `<circle cx="${x}" cy="${y}" r="14" class="halo"/><circle cx="${x}" cy="${y}" r="5.5" class="tip"/>`;

/** @param {number} x @param {number} y */
const square = (x, y) => `<rect x="${x - 4.5}" y="${y - 4.5}" width="9" height="9" class="tip"/>`;

/**
 * Find room for a name beside a tip: inside the drawing, and clear of the names before it.
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number[][]} taken left, base and width of each name; this one is added
 */
function labelPlace(x, y, width, taken) {
  const corners = [9, 23, 37].flatMap((far) =>
    [y - far, y + far + 17].flatMap((base) => [x + 9, x - width - 9].map((left) => [left, base])),
  );
  const inside = corners.filter(
    ([left, base]) => left >= 0 && left + width <= 2 * HALF && base >= 12 && base <= 2 * HALF,
  );
  const free = inside.find(([left, base]) =>
    taken.every(([l, b, w]) => left + width < l || l + w < left || Math.abs(base - b) > 13),
  );
  const place = free ?? corners[0];
  taken.push([...place, width]);
  return place;
}

/** The step of a handle on a plane: a twentieth to a two hundredth of its bound. @param {number} bound */
export const planeStep = (bound) => 10 ** Math.floor(Math.log10(bound / 2)) / 10;

/** @param {number} value @param {number} step */
const rounded = (value, step) => Number((Math.round(value / step) * step).toPrecision(12));

/** @typedef {SVGGraphicsElement & { ownerSVGElement: SVGSVGElement }} Handle */

/**
 * Return what turns a pointer's place into coordinates of a handle's plane, in steps.
 * @param {Handle} handle
 */
function pointerPlace({ ownerSVGElement: svg }) {
  const { left, top, width } = svg.getBoundingClientRect();
  const bound = Number(svg.dataset.bound);
  /** @param {number} share */
  const coordinate = (share) =>
    rounded(Math.max(-1, Math.min(1, ((share - 0.5) * 2) / INSIDE)) * bound, planeStep(bound));
  /** @param {PointerEvent} event */
  return ({ clientX, clientY }) => [
    coordinate((clientX - left) / width),
    coordinate(1 - (clientY - top) / width),
  ];
}

/** @type {Record<string, number[]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/**
 * Where an arrow key sends a handle: a step along its plane.
 * @param {Handle} handle
 * @param {string} key
 */
function keyPlace(handle, key) {
  const step = planeStep(Number(handle.ownerSVGElement.dataset.bound));
  /** @type {number[]} */
  const at = JSON.parse(String(handle.dataset.at));
  return at.map((c, axis) => rounded(c + ARROWS[key][axis] * step, step));
}

/** What moves the handles within an element, by pointer and by key. */
export class Hand {
  reaches = /** @type {Record<string, number>} */ ({});
  held = /** @type {{ id: number, name: string, place: ReturnType<typeof pointerPlace> } | null} */ (null);

  /**
   * @param {HTMLElement} element keeps the pointer, as its handles are drawn anew while one is moved
   * @param {(handle: string, place: number[]) => void} move
   * @param {() => void} release
   */
  constructor(element, move, release) {
    this.element = element;
    this.move = move;
    this.release = release;
    for (const type of ["keydown", "pointerdown", "pointermove", "pointerup", "pointercancel"]) {
      element.addEventListener(type, this);
    }
  }

  /** @param {Event} event */
  handleEvent(event) {
    const target = /** @type {Element} */ (event.target);
    const handle = /** @type {Handle | null} */ (target.closest("[data-handle]"));
    if (event instanceof PointerEvent) this.drag(event, handle);
    if (event instanceof KeyboardEvent && handle && event.key in ARROWS) {
      event.preventDefault();
      event.stopPropagation(); // the theme's own keys would leave the page
      this.move(String(handle.dataset.handle), keyPlace(handle, event.key));
    }
  }

  /**
   * How far a plane reaches: room for its points, and steady while one is dragged.
   * @param {string} name of the plane
   * @param {Point[]} points
   */
  reach(name, points) {
    const most = Math.max(...points.flatMap(({ at }) => at.map(Math.abs)));
    if (!this.held || !(name in this.reaches)) {
      this.reaches[name] = Math.min(Number.MAX_VALUE, Math.max(2.5, most * 1.25));
    }
    return this.reaches[name];
  }

  /** @param {PointerEvent} event @param {Handle | null} handle */
  drag(event, handle) {
    if (event.type === "pointerdown" && handle && event.button === 0) {
      event.preventDefault();
      handle.focus({ preventScroll: true });
      this.held = { id: event.pointerId, name: String(handle.dataset.handle), place: pointerPlace(handle) };
      this.element.setPointerCapture(event.pointerId);
    } else if (this.held?.id !== event.pointerId) {
      return; // another finger's
    } else if (event.type === "pointermove") {
      this.move(this.held.name, this.held.place(event));
    } else if (event.type !== "pointerdown") {
      this.held = null;
      this.release();
    }
  }
}
