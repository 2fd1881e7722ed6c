// What all explorables share: a state with undo and a link, fields that refuse bad input in place,
// numbers as the site rounds them, a plane with vectors to drag. No number starts here: the page
// brings each element's start, and what Python made of it, in a <template>.

const MINUS = "\u2212";

export const BEYOND = "beyond what a computer's number holds (about 1.8e308): write a smaller one";

/** Show a number by the site's rule: half to even, from the full value. */
export function display(value, digits = 4, form = "") {
  if (!Number.isFinite(value)) throw new RangeError(`a result is ${BEYOND}`);
  if (form === "surd") return surd(value) || display(value, digits, "short");
  let text = fixed(Math.abs(value), digits);
  if (form === "short" && text.includes(".")) text = text.replace(/\.?0+$/, "");
  return signed(value, text);
}

function fixed(size, digits) {
  if (size >= 1e21) return `${BigInt(size)}${digits ? "." : ""}${"0".repeat(digits)}`;
  const text = size.toFixed(digits);
  const halves = size * 2 ** (digits + 1); // an odd number of them is a tie, which toFixed rounds up
  if (halves % 2 !== 1 || text.at(-1) % 2 === 0) return text;
  return text.slice(0, -1) + (text.at(-1) - 1);
}

const signed = (value, text) => (value < 0 && /[1-9]/.test(text) ? MINUS + text : text);

function surd(value) { // 2.828... -> 2√2
  const square = Math.round(value * value);
  if (square <= 0 || square > 10_000 || Math.abs(Math.sqrt(square) - Math.abs(value)) > 1e-12) return "";
  let outer = Math.floor(Math.sqrt(square));
  while (square % (outer * outer)) outer--;
  const inner = square / (outer * outer);
  return signed(value, (outer === 1 && inner > 1 ? "" : String(outer)) + (inner > 1 ? `√${inner}` : ""));
}

const NUMBER = String.raw`\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?`;
const FACTOR = String.raw`(${NUMBER})?(?:\s*\*?\s*(?:√|sqrt)\s*\(?\s*(${NUMBER})\s*\)?)?`;
const EXPRESSION = new RegExp(String.raw`^([+-]?)\s*${FACTOR}(?:\s*/\s*${FACTOR})?$`, "i");

/** Read 0.5, -2e-3, 1/3, sqrt(2) or 2√2; `what` names the field in the refusal. */
export function parse(text, what) {
  const clean = text.trim().replaceAll(MINUS, "-");
  if (!clean) throw new RangeError(`${what} is empty: write a number`);
  const match = EXPRESSION.exec(clean);
  const factor = (number, root) => (number ?? root) === undefined ? NaN : Number(number ?? 1) * Math.sqrt(root ?? 1);
  const [, sign, top, topRoot, bottom, bottomRoot] = match ?? [];
  const divided = clean.includes("/") ? factor(bottom, bottomRoot) : 1;
  if (divided === 0) throw new RangeError(`${what}: ${clean} divides by zero: write a number`);
  const value = (sign === "-" ? -1 : 1) * factor(top, topRoot) / divided;
  if (Number.isNaN(value)) throw new RangeError(`${what}: \u201c${clean}\u201d is not a number: write one such as 0.5, 1/3 or sqrt(2)`);
  if (Number.isFinite(value)) return value;
  throw new RangeError(`${what}: ${clean} is ${BEYOND}`);
}

/** Write a number into a field: as short as it can be read back. */
export const written = (value) => (surd(value).includes("√") ? surd(value).replace(MINUS, "-") : String(value));

export const escape = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** A number to read. Its full value stands in the attribute, and under the pointer. */
export const number = (value, digits, form) => (
  `<data class="live" value="${value}" title="${value}">${display(value, digits, form)}</data>`);

/** Names with their numbers, to be read aloud. */
export const listed = (names, numbers) => names.map((name, i) => `${name} ${display(numbers[i])}`).join(", ");

export const vector = (values, digits, form) => `<span class="vector">[${values.map((v) => number(v, digits, form)).join(", ")}]</span>`;

/** A number to write. */
export const field = (path, value, label, size = 5) => (
  `<input type="text" inputmode="decimal" autocomplete="off" spellcheck="false" maxlength="40" size="${size}" data-path="${path}" `
  + `aria-label="${escape(label)}" value="${written(value)}">`);

export const slider = (path, value, label, [least, most, step]) => (
  `<input type="range" min="${least}" max="${most}" step="${step}" data-path="${path}" aria-label="${escape(label)}" value="${value}">`);

export const check = (path, on, label) => (
  `<label><input type="checkbox" data-path="${path}"${on ? " checked" : ""}> ${label}</label>`);

/** One of several, as [value, label] pairs: radio buttons under a legend. */
export function choice(name, path, chosen, legend, options) {
  const buttons = options.map(([value, label]) => (
    `<label><input type="radio" name="${name}-${path}" data-path="${path}" value="${value}"${value === chosen ? " checked" : ""}> ${label}</label>`));
  return `<fieldset class="choice"><legend>${legend}</legend>${buttons.join("")}</fieldset>`;
}

export const button = (action, label, about = "") => (
  `<button type="button" data-action="${action}"${about && ` aria-label="${escape(about)}"`}>${label}</button>`);

/** A bar from 0 to 1; the number always stands beside it. */
export const bar = (share, style = "") => `<span class="bar ${style}" style="--share:${share}" aria-hidden="true"></span>`;

export function table(caption, heads, rows) {
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join("");
  const body = rows.map(([first, ...rest]) => (
    `<tr><th scope="row">${first}</th>${rest.map((cell) => `<td class="number">${cell}</td>`).join("")}</tr>`));
  return `<div class="table-scroll" role="group" aria-label="${escape(caption)}" tabindex="0"><table class="data">`
    + `<caption><span>${caption}</span></caption><thead><tr>${head}</tr></thead><tbody>${body.join("")}</tbody></table></div>`;
}

/** Python's numbers for a snippet: a float always has its point. */
export const python = (value) => (
  Array.isArray(value) ? `[${value.map(python).join(", ")}]`
    : typeof value === "boolean" ? (value ? "True" : "False")
      : typeof value === "string" ? JSON.stringify(value)
        : Number.isInteger(value) && Math.abs(value) < 1e21 ? `${value}.0` : String(value));

/** Where a point of a plane stands in its drawing. */
export const spot = ([x, y], bound) => [HALF + x / bound * HALF * .92, HALF - y / bound * HALF * .92].map((c) => Math.round(c * 100) / 100);

/** A plane with arrows: { name, at, style, handle } each; those with a handle can be moved; `under` them, other SVG. */
export function plane(label, points, bound, under = "") {
  const place = (at) => spot(at, bound);
  const line = (from, to, style) => {
    const [[a, b], [c, d]] = [place(from), place(to)];
    return `<line x1="${a}" y1="${b}" x2="${c}" y2="${d}" class="${style}"/>`;
  };
  const gap = planeStep(bound) * 10;
  const marks = Array.from({ length: 2 * Math.floor(bound / gap) + 1 }, (_, i) => (i - Math.floor(bound / gap)) * gap);
  const grid = marks.map((m) => line([m, -bound], [m, bound], m ? "grid" : "axis") + line([-bound, m], [bound, m], m ? "grid" : "axis"));
  const scale = marks.filter((m) => m > 0).map((m) => {
    const [x, y] = place([m, 0]);
    return `<text x="${x}" y="${y + 12}" class="scale">${display(m, 4, "short")}</text>`;
  });
  const taken = points.map(({ at }) => place(at)).map(([x, y]) => [x - 6, y + 5, 12]);
  const arrows = points.map(({ name, at, style = "", handle }) => {
    const [x, y] = place(at);
    const words = `${name} [${at.map((c) => display(c, 4, "short")).join(", ")}]`;
    const tip = handle ? `<circle cx="${x}" cy="${y}" r="14" class="halo"/><circle cx="${x}" cy="${y}" r="5.5" class="tip"/>`
      : `<rect x="${x - 4.5}" y="${y - 4.5}" width="9" height="9" class="tip"/>`;
    const [left, base] = labelPlace(x, y, name.length * 7.2, taken);
    const text = `<text x="${left}" y="${base}">${escape(name)}</text>`;
    const can = handle ? ` data-handle="${handle}" data-at="[${at}]" tabindex="0" role="button" aria-label="${escape(words)}, move it with the arrow keys"` : ` role="img" aria-label="${escape(words)}"`;
    return `<g class="point ${style}"${can}>${line([0, 0], at, "arrow")}${tip}${text}</g>`;
  });
  return `<svg class="plane" viewBox="0 0 ${2 * HALF} ${2 * HALF}" data-bound="${bound}" role="group" aria-label="${escape(label)}">`
    + under + grid.join("") + scale.join("") + arrows.join("") + "</svg>";
}

/** Find room for a name beside a tip: inside the drawing, and clear of the names before it. */
function labelPlace(x, y, width, taken) {
  const free = ([left, base]) => left >= 0 && left + width <= 2 * HALF && base >= 12 && base <= 2 * HALF
    && taken.every(([l, b, w]) => left + width < l || l + w < left || Math.abs(base - b) > 13);
  const corners = [9, 23, 37].flatMap((far) => [[x + 9, y - far], [x - width - 9, y - far], [x + 9, y + far + 17], [x - width - 9, y + far + 17]]);
  const place = corners.find(free) ?? corners[0];
  taken.push([...place, width]);
  return place;
}

const HALF = 150; // of the drawing's side, in its own units

export const planeStep = (bound) => 10 ** Math.floor(Math.log10(bound / 2)) / 10;

const rounded = (value, step) => Number((Math.round(value / step) * step).toPrecision(12));

/** Return what turns a pointer's place into coordinates of this plane, in steps. */
function planePlace(svg) {
  const { left, top, width } = svg.getBoundingClientRect();
  const bound = Number(svg.dataset.bound);
  const coordinate = (share) => rounded(Math.max(-1, Math.min(1, (share - .5) * 2 / .92)) * bound, planeStep(bound));
  return (x, y) => [coordinate((x - left) / width), coordinate(1 - (y - top) / width)];
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

const kind = (value) => (Array.isArray(value) ? "list" : typeof value);

/** Is this state from a link built like the one we start from? Sizes are for the widget to judge. */
function alike(state, start) {
  if (kind(state) !== kind(start)) return false;
  if (typeof state === "number") return Number.isFinite(state);
  if (typeof state === "string") return state.length <= 200 && !/\p{Cs}/u.test(state);
  if (Array.isArray(state)) return state.every((item) => alike(item, start[0] ?? item));
  if (typeof state !== "object") return true;
  return same(Object.keys(state).sort(), Object.keys(start).sort())
    && Object.keys(start).every((key) => alike(state[key], start[key]));
}

/** Python's results in the place of ours: they agree, but these are the page's own. */
const merged = (ours, theirs) => (theirs === undefined ? ours
  : kind(ours) === "object" ? Object.fromEntries(Object.entries(ours).map(([key, value]) => [key, merged(value, theirs[key])]))
    : theirs);

const packed = (state) => btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(state))))
  .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

const unpacked = (text) => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0))));

/**
 * The element. A kind of explorable gives compute(state) -> results, which throws at what cannot be
 * computed; fields(state) and show(state, results) -> HTML; say(state, results) -> a sentence;
 * csv(state, results) -> rows; code(state) -> Python; and, if it likes, shape(state): the fields are
 * written anew when it changes.
 */
export class Explorable extends HTMLElement {
  connectedCallback() {
    if (this.panel) return;
    const { start, results } = JSON.parse(this.querySelector(":scope > template").content.textContent);
    Object.assign(this, { start, python: results, state: start, past: [], future: [], bad: new Map() });
    const problem = this.fromLink();
    this.panel = document.createElement("section");
    this.panel.className = "panel";
    this.panel.setAttribute("aria-label", this.dataset.title);
    this.panel.innerHTML = `<p class="title"><span class="label">${this.dataset.label}</span> <strong>${this.dataset.title}</strong></p>`
      + '<p class="origin"></p><div class="fields"></div><p class="problem" role="alert"></p><div class="shown"></div>'
      + `<div class="actions">${button("undo", "Undo")}${button("redo", "Redo")}${button("reset", "Reset")}`
      + `${button("copy link", "Copy a link")}${button("copy python", "Copy as Python")}${button("copy csv", "Copy as CSV")}${button("copy embed", "Copy to embed")}`
      + `${button("figure", "Show the static figure")}</div>`
      + `<label class="copied" hidden><span></span><textarea readonly rows="6"></textarea></label>`
      + `<p class="said" role="status"></p>${this.credit()}`;
    for (const type of ["input", "change", "click", "keydown", "pointerdown", "pointermove", "pointerup", "pointercancel"]) this.panel.addEventListener(type, this);
    this.render();
    this.append(this.panel); // the figure stays, for paper and for whoever asks for it
    this.classList.add("alive");
    if (problem) this.complain(problem);
  }

  /** Begin with the state in the page's address, if it has one for us; say what is wrong with it. */
  fromLink() {
    const text = new URLSearchParams(location.search).get(this.id);
    try {
      if (text !== null) this.state = unpacked(text);
      if (!alike(this.state, this.start)) throw this.state;
      this.solve();
      return "";
    } catch {
      this.state = this.start;
      this.solve();
      return "The link that brought you here is damaged, so this starts from the page's own numbers.";
    }
  }

  handleEvent(event) {
    const { action, path } = event.target.closest?.("[data-action], [data-path]")?.dataset ?? {};
    if (event.type === "click" && action) this.act(action);
    if (event.type === "input" && path) this.read(event.target, path);
    if (event.type === "change") this.typing = null; // the next change is a step of its own
    if (event.type.startsWith("pointer")) this.drag(event);
    if (event.type === "keydown") this.nudge(event);
  }

  /** Drag a handle of a plane; the panel keeps the pointer, as the handle is drawn anew. */
  drag(event) {
    const handle = event.target.closest("[data-handle]");
    if (event.type === "pointerdown" && handle && event.button === 0) {
      event.preventDefault();
      handle.focus({ preventScroll: true });
      this.held = { id: event.pointerId, name: handle.dataset.handle, place: planePlace(handle.ownerSVGElement) };
      this.panel.setPointerCapture(event.pointerId);
    } else if (this.held?.id !== event.pointerId) {
      return; // another finger's
    } else if (event.type === "pointermove") {
      this.move(this.held.name, this.held.place(event.clientX, event.clientY));
    } else if (event.type !== "pointerdown") {
      this.held = this.typing = null;
      this.refresh(); // the plane may find a new size
    }
  }

  nudge(event) {
    const handle = event.target.closest("[data-handle]");
    const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] ?? [];
    if (!handle || x === undefined) return;
    event.preventDefault();
    event.stopPropagation(); // the theme's own keys would leave the page
    const step = planeStep(Number(handle.ownerSVGElement.dataset.bound));
    const [left, up] = JSON.parse(handle.dataset.at);
    this.move(handle.dataset.handle, [rounded(left + x * step, step), rounded(up + y * step, step)]);
  }

  /** How far a plane reaches: room for its points, and steady while one is dragged. */
  reach(name, points) {
    const most = Math.max(...points.flatMap(({ at }) => at.map(Math.abs)));
    this.reaches ??= {};
    if (!this.held || !(name in this.reaches)) this.reaches[name] = Math.min(Number.MAX_VALUE, Math.max(2.5, most * 1.25));
    return this.reaches[name];
  }

  read(input, path) {
    this.bad.delete(path);
    try {
      const value = input.type === "checkbox" ? input.checked
        : input.type === "radio" || input.tagName === "SELECT" || "text" in input.dataset ? input.value
          : input.type === "range" ? Number(input.value) : parse(input.value, input.getAttribute("aria-label"));
      this.set(path, value);
      if ("text" in input.dataset) this.relabel();
    } catch (error) {
      input.setAttribute("aria-invalid", "true");
      this.bad.set(path, error.message);
      this.refresh();
    }
  }

  /** Let the names of fields follow a name; the fields stay, as one is being written in. */
  relabel() {
    const fields = this.panel.querySelector(".fields");
    const made = fields.cloneNode();
    made.innerHTML = this.fields(this.state);
    for (const named of ["legend", "[aria-label]"]) {
      const old = fields.querySelectorAll(named);
      made.querySelectorAll(named).forEach((part, i) => (part.ariaLabel ? old[i].setAttribute("aria-label", part.ariaLabel) : old[i].replaceWith(part)));
    }
  }

  set(path, value) {
    const next = structuredClone(this.state);
    const keys = path.split(".");
    const last = keys.pop();
    keys.reduce((part, key) => part[key], next)[last] = value;
    this.change(next, path);
  }

  /** Take a new state; changes under one name in a row are one step of undo. */
  change(next, name = null) {
    if (!alike(next, this.start)) return this.complain(`that is ${BEYOND}`);
    if (same(next, this.state)) return this.refresh();
    if (name === null || name !== this.typing) this.past.push(this.state);
    this.future = [];
    this.typing = name;
    this.go(next);
  }

  go(next) {
    this.state = next;
    this.panel.querySelector(".copied").hidden = true;
    this.refresh();
  }

  /** Compute and show before the page changes, as either may refuse. */
  solve() {
    const results = this.compute(this.state);
    this.html = this.show(this.state, this.untouched ? merged(results, this.python) : results);
    this.results = results;
  }

  refresh() {
    this.problem = [...this.bad.values()][0] ?? "";
    try {
      this.solve();
    } catch (error) {
      this.problem ||= error.message;
    }
    this.render();
    this.complain(this.problem);
  }

  complain(problem) {
    const place = this.panel.querySelector(".problem");
    if (place.textContent !== problem) place.textContent = problem;
    this.panel.classList.toggle("stale", Boolean(this.problem));
    clearTimeout(this.later);
    if (!this.problem) this.later = setTimeout(() => this.tell(this.say(this.state, this.results)), 700);
  }

  get untouched() { return same(this.state, this.start); }

  /** Whose numbers these are: in a word, and as the reader is told. */
  origin() {
    return this.untouched ? ["python", "As on this page: these numbers were computed by Python."]
      : ["browser", "Changed by you: these numbers were computed in your browser."];
  }

  /** The page's own tokens, whatever somebody wrote into a link. */
  get tokens() { return this.start.tokens; }

  /** The tokens' keys or values as points of a plane, each to be dragged. */
  points(what) {
    return this.state.tokens.map(({ name, [what]: at }, i) => ({ name, at, handle: `tokens.${i}.${what}`, style: this.style(name) }));
  }

  /** The example's own tokens keep their colours. */
  style(name) {
    const place = this.tokens.findIndex((token) => (token.name ?? token) === name);
    return place < 0 ? "token" : `token token-${place + 1}`;
  }

  word(name) { return `<span class="${this.style(name)}">${escape(name)}</span>`; }

  tell(text) { this.panel.querySelector(".said").textContent = text; }

  shape(state) { return JSON.stringify(state, (_, value) => (typeof value === "object" ? value : 0)); }

  render() {
    const focused = document.activeElement;
    const fields = this.panel.querySelector(".fields");
    if (this.shape(this.state) !== this.shaped) {
      this.shaped = this.shape(this.state);
      fields.innerHTML = this.fields(this.state);
      this.bad.clear();
      this.held = null;
    }
    for (const input of fields.querySelectorAll("[data-path]")) this.fill(input, focused);
    if (!this.problem) this.panel.querySelector(".shown").innerHTML = this.html;
    [this.panel.dataset.origin, this.panel.querySelector(".origin").textContent] = this.origin();
    for (const [action, off] of [["undo", !this.past.length && !this.bad.size], ["redo", !this.future.length], ["reset", this.untouched && !this.bad.size]]) {
      this.panel.querySelector(`[data-action=${action}]`).setAttribute("aria-disabled", String(off));
    }
    this.drawn?.();
    this.refocus(focused);
  }

  fill(input, focused) {
    const path = input.dataset.path;
    const [value, began] = [this.state, this.start].map((state) => path.split(".").reduce((part, key) => part?.[key], state));
    input.classList.toggle("changed", value !== began);
    if (!this.bad.has(path)) input.removeAttribute("aria-invalid");
    if (input.type === "checkbox") input.checked = value;
    else if (input.type === "radio") input.checked = input.value === value;
    else if (input !== focused && !this.bad.has(path)) input.value = typeof value === "number" && input.type === "text" ? written(value) : value;
  }

  /** What had the focus and was written anew has it again. */
  refocus(focused) {
    if (!focused?.dataset || focused.isConnected || focused === document.body) return;
    const name = ["path", "action", "handle", "resize"].find((key) => key in focused.dataset);
    const again = name && this.panel.querySelector(`[data-${name}="${CSS.escape(focused.dataset[name])}"]`);
    (again ?? this.panel.querySelector("[data-action=undo]")).focus({ preventScroll: true });
  }

  act(action) {
    const [name, ...rest] = action.split(" ");
    this.typing = null;
    if (name === "undo" || name === "redo") this.travel(...(name === "undo" ? [this.past, this.future] : [this.future, this.past]));
    else if (name === "reset") { this.bad.clear(); this.shaped = ""; this.change(this.start); }
    else if (name === "figure") this.uncover();
    else if (name === "copy") this.copy(...rest);
    else this.do(name, ...rest);
  }

  travel(from, to) {
    this.bad.clear();
    this.shaped = "";
    if (!from.length) return this.refresh();
    to.push(this.state);
    this.go(from.pop());
  }

  uncover() {
    const shown = this.classList.toggle("with-figure");
    this.panel.querySelector("[data-action=figure]").textContent = shown ? "Hide the static figure" : "Show the static figure";
  }

  /** Show the text to take away, and put it on the clipboard where the browser lets us. */
  async copy(what) {
    if (this.problem) return this.tell("Mend the input first.");
    const [name, text] = {
      link: () => ["a link", this.link()],
      embed: () => ["a frame for a page of yours", this.frame()],
      python: () => ["Python", this.code(this.state)],
      csv: () => ["CSV", this.csv(this.state, this.results).map((row) => row.map(quoted).join(",")).join("\n")],
    }[what]();
    const box = this.panel.querySelector(".copied");
    box.querySelector("span").textContent = `This state as ${name}`;
    box.querySelector("textarea").value = `${text}\n`;
    box.hidden = false;
    clearTimeout(this.later);
    try {
      await navigator.clipboard.writeText(`${text}\n`);
      this.tell(`Copied as ${name}.`);
    } catch {
      this.tell("The clipboard is closed to this page: select the text and copy it.");
    }
  }

  link() {
    const address = new URL(location.href);
    address.searchParams.delete("embed");
    address.searchParams.set(this.id, packed(this.state));
    address.hash = this.id;
    return address.href;
  }

  frame() {
    const address = new URL(this.link());
    address.hash = "";
    address.searchParams.set("embed", "1");
    return `<iframe src="${escape(address.href)}" title="${escape(this.dataset.title)}" width="100%" `
      + `height="${Math.ceil(this.panel.offsetHeight / 50) * 50}" loading="lazy" style="border: 0"></iframe>`;
  }

  /** In a frame the page around is hidden; the licence asks for a name, and a way there. */
  credit() {
    if (!document.documentElement.classList.contains("embed")) return "";
    const site = document.querySelector("meta[property='og:site_name']").content;
    const [page] = location.href.split(/[?#]/);
    return `<p class="credit">From <a href="${escape(page)}" target="_blank" rel="noopener">${escape(site)}</a>, CC BY 4.0</p>`;
  }
}

/** A cell of CSV; a name that a spreadsheet would take for a formula is marked as text. */
function quoted(cell) {
  const text = typeof cell === "string" && /^[=+@-]./.test(cell) ? `'${cell}` : String(cell);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
