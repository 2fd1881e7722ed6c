// The state of an explorable as data: compared, changed and undone, and written as text to take away.

import { escaped } from "./html.js";

/** @param {unknown} one @param {unknown} other */
export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** @param {unknown} value */
const kind = (value) => (Array.isArray(value) ? "list" : typeof value);

/**
 * Is this state from a link built like the one we start from? Sizes are for the widget to judge.
 * @param {any} state
 * @param {any} start
 * @returns {boolean}
 */
export function alike(state, start) {
  if (kind(state) !== kind(start)) return false;
  if (typeof state === "number") return Number.isFinite(state);
  if (typeof state === "string") return state.length <= 200 && !/\p{Cs}/u.test(state);
  if (Array.isArray(state)) return state.every((item) => alike(item, start[0] ?? item));
  if (typeof state !== "object") return true;
  return (
    same(Object.keys(state).sort(), Object.keys(start).sort()) &&
    Object.keys(start).every((key) => alike(state[key], start[key]))
  );
}

/**
 * Python's results in the place of ours: they agree, but these are the page's own.
 * @param {any} ours
 * @param {any} theirs
 * @returns {any}
 */
export function merged(ours, theirs) {
  if (theirs === undefined) return ours;
  if (kind(ours) !== "object") return theirs;
  return Object.fromEntries(Object.entries(ours).map(([key, value]) => [key, merged(value, theirs[key])]));
}

/**
 * Return what stands at a path such as "tokens.0.key.1".
 * @param {object} state
 * @param {string} path
 * @returns {any}
 */
export const valueAt = (state, path) =>
  path.split(".").reduce((/** @type {any} */ part, key) => part?.[key], state);

/**
 * Return the state with another value at a path.
 * @template S
 * @param {S} state
 * @param {string} path
 * @param {unknown} value
 */
export function withValue(state, path, value) {
  const next = structuredClone(state);
  const keys = path.split(".");
  const last = String(keys.pop());
  keys.reduce((/** @type {any} */ part, key) => part[key], next)[last] = value;
  return next;
}

/**
 * A state, and the steps that led to it.
 * @template S
 */
export class Steps {
  past = /** @type {S[]} */ ([]);
  future = /** @type {S[]} */ ([]);
  typing = /** @type {string | null} */ (null); // the name of the change that may go on

  /** @param {S} state */
  constructor(state) {
    this.state = state;
  }

  /**
   * Go on to a state; changes under one name in a row are one step.
   * @param {S} next
   * @param {string | null} name
   */
  take(next, name) {
    if (name === null || name !== this.typing) this.past.push(this.state);
    this.future = [];
    this.typing = name;
    this.state = next;
  }

  /** Go a step back, or forward again; return whether there was one. @param {boolean} back */
  travel(back) {
    const [from, to] = back ? [this.past, this.future] : [this.future, this.past];
    const next = from.pop();
    if (next === undefined) return false;
    to.push(this.state);
    this.state = next;
    return true;
  }
}

/**
 * Return the address of this page with a state in it, which the element of this id will start from.
 * @param {string} id
 * @param {unknown} state
 */
export function linkTo(id, state) {
  const address = new URL(location.href);
  address.searchParams.delete("embed");
  address.searchParams.set(id, packed(state));
  address.hash = id;
  return address.href;
}

/**
 * Return the state that this page's address holds for an element, undefined if none.
 * @param {string} id
 * @returns {unknown}
 */
export function linkedState(id) {
  const text = new URLSearchParams(location.search).get(id);
  return text === null ? undefined : unpacked(text);
}

/** @param {unknown} state */
const packed = (state) =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(state))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** @param {string} text */
function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
}

/**
 * Write a frame for somebody else's page, which shows the explorable alone.
 * @param {string} link
 * @param {string} title
 * @param {number} height
 */
export function frame(link, title, height) {
  const address = new URL(link);
  address.hash = "";
  address.searchParams.set("embed", "1");
  return (
    `<iframe src="${escaped(address.href)}" title="${escaped(title)}" width="100%" ` +
    `height="${Math.ceil(height / 50) * 50}" loading="lazy" style="border: 0"></iframe>`
  );
}

/** In such a frame the page around is hidden; the licence asks for a name, and a way there. */
export function credit() {
  if (!document.documentElement.classList.contains("embed")) return "";
  const site = document.querySelector("meta[property='og:site_name']")?.getAttribute("content") ?? "";
  const page = escaped(location.href.split(/[?#]/)[0]);
  const link = `<a href="${page}" target="_blank" rel="noopener">${escaped(site)}</a>`;
  return `<p class="credit">From ${link}, CC BY 4.0</p>`;
}

/**
 * Write a value as Python: a float always has its point.
 * @param {unknown} value
 * @returns {string}
 */
export function python(value) {
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return JSON.stringify(value);
  return Number.isInteger(value) && Math.abs(Number(value)) < 1e21 ? `${value}.0` : String(value);
}

/** @typedef {string | number | boolean} Cell */

/** @param {Cell[][]} rows */
export const csv = (rows) => rows.map((row) => row.map(quoted).join(",")).join("\n");

/**
 * A cell of CSV; a name that a spreadsheet would take for a formula is marked as text.
 * @param {Cell} cell
 */
function quoted(cell) {
  const text = typeof cell === "string" && /^[=+@-]./.test(cell) ? `'${cell}` : String(cell);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
