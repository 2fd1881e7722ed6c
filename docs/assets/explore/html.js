// Numbers as the site writes and reads them, and the pieces of HTML that explorables are made of.

const MINUS = "\u2212";

export const BEYOND = "beyond what a computer's number holds (about 1.8e308): write a smaller one";

/**
 * Show a number by the site's rule: half to even, from the full value. The form "short" drops zeros at
 * the end, and "surd" writes 2.828... as 2√2.
 * @param {number} value
 * @returns {string}
 */
export function display(value, digits = 4, form = "") {
  if (!Number.isFinite(value)) throw new RangeError(`a result is ${BEYOND}`);
  if (form === "surd") return surd(value) || display(value, digits, "short");
  let text = fixed(Math.abs(value), digits);
  if (form === "short" && text.includes(".")) text = text.replace(/\.?0+$/, "");
  return signed(value, text);
}

/** @param {number} size @param {number} digits */
function fixed(size, digits) {
  if (size >= 1e21) return `${BigInt(size)}${digits ? "." : ""}${"0".repeat(digits)}`;
  const text = size.toFixed(digits);
  const halves = size * 2 ** (digits + 1); // an odd number of them is a tie, which toFixed rounds up
  const last = Number(text.at(-1));
  return halves % 2 !== 1 || last % 2 === 0 ? text : text.slice(0, -1) + (last - 1);
}

/** @param {number} value @param {string} text */
const signed = (value, text) => (value < 0 && /[1-9]/.test(text) ? MINUS + text : text);

/** @param {number} value */
function surd(value) {
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

/**
 * Read 0.5, -2e-3, 1/3, sqrt(2) or 2√2; `what` names the field in the refusal.
 * @param {string} text
 * @param {string} what
 */
export function parse(text, what) {
  const clean = text.trim().replaceAll(MINUS, "-");
  if (!clean) throw new RangeError(`${what} is empty: write a number`);
  const [, sign, top, topRoot, bottom, bottomRoot] = EXPRESSION.exec(clean) ?? [];
  const divided = clean.includes("/") ? factor(bottom, bottomRoot) : 1;
  if (divided === 0) throw new RangeError(`${what}: ${clean} divides by zero: write a number`);
  const value = ((sign === "-" ? -1 : 1) * factor(top, topRoot)) / divided;
  if (Number.isFinite(value)) return value;
  if (!Number.isNaN(value)) throw new RangeError(`${what}: ${clean} is ${BEYOND}`);
  throw new RangeError(
    `${what}: \u201c${clean}\u201d is not a number: write one such as 0.5, 1/3 or sqrt(2)`,
  );
}

/** @param {string} [number] @param {string} [root] */
const factor = (number, root) =>
  (number ?? root) === undefined ? NaN : Number(number ?? 1) * Math.sqrt(Number(root ?? 1));

/**
 * Write a number into a field: as short as it can be read back.
 * @param {number} value
 */
export const written = (value) =>
  surd(value).includes("√") ? surd(value).replace(MINUS, "-") : String(value);

/** @param {string} text */
export const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/**
 * A number to read. Its full value stands in the attribute, and under the pointer.
 * @param {number} value
 * @param {number} [digits]
 * @param {string} [form]
 */
export const number = (value, digits, form) =>
  `<data class="live" value="${value}" title="${value}">${display(value, digits, form)}</data>`;

/** @param {number[]} values */
export const vector = (values) =>
  `<span class="vector">[${values.map((value) => number(value)).join(", ")}]</span>`;

/**
 * Names with their numbers, to be read aloud.
 * @param {string[]} names
 * @param {number[]} numbers
 */
export const listed = (names, numbers) => names.map((name, i) => `${name} ${display(numbers[i])}`).join(", ");

/** A bar from 0 to 1; the number always stands beside it. @param {number} share */
export const bar = (share, style = "") =>
  `<span class="bar ${style}" style="--share:${share}" aria-hidden="true"></span>`;

/** @param {string} caption @param {string[]} heads @param {string[][]} rows the first cell heads its row */
export function table(caption, heads, rows) {
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join("");
  const body = rows.map(([first, ...rest]) => {
    const cells = rest.map((cell) => `<td class="number">${cell}</td>`);
    return `<tr><th scope="row">${first}</th>${cells.join("")}</tr>`;
  });
  return (
    `<div class="table-scroll" role="group" aria-label="${escaped(caption)}" tabindex="0">` +
    `<table class="data"><caption><span>${caption}</span></caption>` +
    `<thead><tr>${head}</tr></thead><tbody>${body.join("")}</tbody></table></div>`
  );
}

/**
 * A number to write. `path` says where it stands in the state, as in "tokens.0.key.1".
 * @param {string} path
 * @param {number} value
 * @param {string} label
 */
export const field = (path, value, label, size = 5) =>
  `<input type="text" inputmode="decimal" autocomplete="off" spellcheck="false" maxlength="40" ` +
  `size="${size}" data-path="${path}" aria-label="${escaped(label)}" value="${written(value)}">`;

/** @param {string} path @param {string} value @param {number} longest */
export const textField = (path, value, longest, size = longest) =>
  `<input type="text" data-text data-path="${path}" maxlength="${longest}" size="${size}" ` +
  `value="${escaped(value)}">`;

/**
 * @param {string} path
 * @param {number} value
 * @param {string} label
 * @param {[number, number, number | "any"]} range least, most and step
 */
export const slider = (path, value, label, [least, most, step]) =>
  `<input type="range" min="${least}" max="${most}" step="${step}" data-path="${path}" ` +
  `aria-label="${escaped(label)}" value="${value}">`;

/** @param {string} path @param {boolean} on @param {string} label */
export const check = (path, on, label) =>
  `<label><input type="checkbox" data-path="${path}"${on ? " checked" : ""}> ${label}</label>`;

/**
 * One of several: radio buttons under a legend.
 * @param {string} name
 * @param {string} path
 * @param {string} chosen
 * @param {string} legend
 * @param {string[][]} options pairs of value and label
 */
export function choice(name, path, chosen, legend, options) {
  const radio = `<input type="radio" name="${name}-${path}" data-path="${path}"`;
  const buttons = options.map(
    ([value, label]) =>
      `<label>${radio} value="${value}"${value === chosen ? " checked" : ""}> ${label}</label>`,
  );
  return `<fieldset class="choice"><legend>${legend}</legend>${buttons.join("")}</fieldset>`;
}

/** @param {string} action @param {string} label */
export const button = (action, label, about = "") =>
  `<button type="button" data-action="${action}"` +
  `${about && ` aria-label="${escaped(about)}"`}>${label}</button>`;

/** What an explorable's panel holds, empty. @param {string} label @param {string} title */
export const panelParts = (label, title) =>
  `<p class="title"><span class="label">${label}</span> <strong>${title}</strong></p>` +
  '<p class="origin"></p><div class="fields"></div><p class="problem" role="alert"></p>' +
  `<div class="shown"></div><div class="actions">${button("undo", "Undo")}${button("redo", "Redo")}` +
  button("reset", "Reset") +
  button("copy link", "Copy a link") +
  button("copy python", "Copy as Python") +
  button("copy csv", "Copy as CSV") +
  button("copy embed", "Copy to embed") +
  `${button("figure", "Show the static figure")}</div>` +
  '<label class="copied" hidden><span></span><textarea readonly rows="6"></textarea></label>' +
  '<p class="said" role="status"></p>';

/**
 * Read a field; a number that cannot be read is a RangeError, which calls the field by its label.
 * @param {HTMLInputElement} input
 */
export function readField(input) {
  if (input.type === "checkbox") return input.checked;
  if (input.type === "radio" || "text" in input.dataset) return input.value;
  return input.type === "range" ? Number(input.value) : parse(input.value, String(input.ariaLabel));
}

/**
 * Put a value into a field; where the reader is writing, the text stays as it is.
 * @param {HTMLInputElement} input
 * @param {any} value
 * @param {boolean} focused
 */
export function fillField(input, value, focused) {
  if (input.type === "checkbox") input.checked = value;
  else if (input.type === "radio") input.checked = input.value === value;
  else if (!focused)
    input.value = input.type === "text" && typeof value === "number" ? written(value) : value;
}

/**
 * Let the labels of fields follow those in newly written ones; the fields stay, as the reader is in one.
 * @param {HTMLElement} fields
 * @param {string} html
 */
export function relabel(fields, html) {
  const made = document.createElement("div");
  made.innerHTML = html;
  for (const named of ["legend", "[aria-label]"]) {
    const old = fields.querySelectorAll(named);
    for (const [i, part] of made.querySelectorAll(named).entries()) {
      if (part.ariaLabel) old[i].setAttribute("aria-label", part.ariaLabel);
      else old[i].replaceWith(part);
    }
  }
}

/**
 * Give the focus back to what had it and was written anew, or else to the first button.
 * @param {HTMLElement} within
 * @param {Element | null} focused
 */
export function refocus(within, focused) {
  if (!focused || focused.isConnected || focused === document.body) return;
  const name = ["path", "action", "handle", "resize"].find((key) => focused.hasAttribute(`data-${key}`));
  const value = CSS.escape(focused.getAttribute(`data-${name}`) ?? "");
  const again = name && within.querySelector(`[data-${name}="${value}"]`);
  const undo = within.querySelector("[data-action=undo]");
  /** @type {HTMLElement} */ (again || undo).focus({ preventScroll: true });
}
