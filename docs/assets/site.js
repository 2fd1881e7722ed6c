// Every number on a page can say where it comes from. One control, not a tab stop a number:
// the bar's first button opens a panel, and the panel's own buttons (or the arrow keys) walk
// through the numbers; a click or a tap on a number opens the panel there.

/**
 * A number of the page.
 * @typedef {object} PageNumber
 * @property {HTMLDataElement} at where it stands
 * @property {string} id
 * @property {string} shown
 * @property {string} value in full
 * @property {string} source as "snippets/values.py:12"
 * @property {string} test
 * @property {string} call that made it
 */

/** @type {[string, (number: PageNumber) => Node | string][]} */
const PANEL_ROWS = [
  ["Name", (number) => element("code", {}, number.id)],
  ["Shown as", (number) => number.shown],
  ["Full value", (number) => number.value],
  ["Made by", (number) => element("code", {}, number.call)],
  ["Source", (number) => sourceLink(number.source)],
  ["Test", (number) => sourceLink(number.test)],
];

/** @param {string} tag @param {Record<string, string>} attributes @param {(Node | string)[]} children */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** @param {string} label @param {Record<string, string>} attributes */
const button = (label, attributes = {}) => element("button", { type: "button", ...attributes }, label);

/** What the page brings along: its numbers' origins, and the address of any source. */
const origins = () => /** @type {HTMLTemplateElement | null} */ (document.getElementById("page-numbers"));

/** @param {string} place */
function sourceLink(place) {
  const [file, line] = place.split(":");
  const address = origins()?.dataset.source?.replace("FILE", file);
  return element("a", { href: `${address}#L-${line}` }, `${file}, line ${line}`);
}

/** @param {HTMLElement} article @returns {PageNumber[]} */
function numbersOf(article) {
  const data = origins()?.content.textContent;
  if (!data) return [];
  const about = JSON.parse(data);
  const all = /** @type {NodeListOf<HTMLDataElement>} */ (article.querySelectorAll("data.num"));
  return [...all].map((at) => {
    const id = String(at.dataset.id);
    const [source, test, call] = about[id];
    return { at, id, shown: at.textContent, value: at.value.replace("-", "\u2212"), source, test, call };
  });
}

/** The panel that explains one number after the other. */
class NumbersPanel {
  inspect = button("Inspect the numbers", { "aria-expanded": "false" });
  next = button("Next");
  facts = element("div", { "aria-live": "polite" });
  current = -1;

  /** @param {PageNumber[]} numbers */
  constructor(numbers) {
    this.numbers = numbers;
    const [previous, close] = [button("Previous"), button("Close")];
    const actions = element("div", { class: "actions" }, previous, this.next, close);
    const about = { class: "numbers-panel", "aria-label": "Where this number comes from", hidden: "" };
    this.panel = element("section", about, this.facts, actions);
    this.inspect.addEventListener("click", () => this.toggle());
    previous.addEventListener("click", () => this.walk(-1));
    this.next.addEventListener("click", () => this.walk(1));
    close.addEventListener("click", () => this.hide());
    this.panel.addEventListener("keydown", (event) => this.key(event));
  }

  /** @param {number} index */
  visible(index) {
    return this.numbers[index].at.getClientRects().length > 0;
  }

  /** @param {number} index */
  show(index) {
    const number = this.numbers[index];
    this.numbers[this.current]?.at.classList.remove("inspected");
    this.current = index;
    number.at.classList.add("inspected");
    const rows = PANEL_ROWS.flatMap(([name, value]) => [
      element("dt", {}, name),
      element("dd", {}, value(number)),
    ]);
    const place = element("p", { class: "place" }, `Number ${index + 1} of ${this.numbers.length}`);
    this.facts.replaceChildren(place, element("dl", {}, ...rows));
    this.panel.hidden = false;
    this.inspect.setAttribute("aria-expanded", "true");
    // In the middle of what the panel leaves free, and below the header.
    const middle = Math.max(64, (innerHeight - this.panel.offsetHeight) / 2);
    scrollBy(0, number.at.getBoundingClientRect().top - middle);
    if (!this.panel.contains(document.activeElement)) this.next.focus({ preventScroll: true });
  }

  /** Numbers in closed boxes are passed over: an answer is the reader's to open. @param {number} step */
  walk(step) {
    const count = this.numbers.length;
    let index = this.current;
    do index = (index + step + count) % count;
    while (!this.visible(index) && index !== this.current);
    this.show(index);
  }

  hide() {
    this.numbers[this.current]?.at.classList.remove("inspected");
    this.panel.hidden = true;
    this.inspect.setAttribute("aria-expanded", "false");
    this.inspect.focus({ preventScroll: true });
  }

  toggle() {
    if (!this.panel.hidden) this.hide();
    else this.show(this.current < 0 || !this.visible(this.current) ? this.nearest() : this.current);
  }

  nearest() {
    const below = this.numbers.findIndex(
      ({ at }, index) => this.visible(index) && at.getBoundingClientRect().top > 0,
    );
    return Math.max(0, below);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    /** @type {Record<string, number>} */
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    if (event.key in steps) {
      event.preventDefault();
      this.walk(steps[event.key]);
    }
    if (event.key === "Escape") this.hide();
    event.stopPropagation(); // the theme's own keys would leave the page
  }
}

/**
 * Return the switch between rounded numbers and full values.
 * @param {HTMLElement} article
 * @param {PageNumber[]} numbers
 */
function fullSwitch(article, numbers) {
  const made = button("Show full values", { "aria-pressed": "false" });
  const pressed = () => made.getAttribute("aria-pressed") === "true";
  /** @param {boolean} on */
  const setFull = (on) => {
    article.classList.toggle("show-full", on);
    for (const { at, value, shown } of numbers) at.textContent = on ? value : shown;
  };
  made.addEventListener("click", () => {
    made.setAttribute("aria-pressed", String(!pressed()));
    setFull(pressed());
  });
  // Paper shows the rounded numbers, and the answers.
  matchMedia("print").addEventListener("change", ({ matches }) => setFull(!matches && pressed()));
  addEventListener("beforeprint", () => setFull(false));
  addEventListener("afterprint", () => setFull(pressed()));
  return made;
}

function start() {
  const article = /** @type {HTMLElement | null} */ (document.querySelector("article.md-content__inner"));
  if (!article || article.querySelector(".numbers-bar")) return;
  const numbers = numbersOf(article);
  if (!numbers.length) return;
  const panel = new NumbersPanel(numbers);
  const about = { class: "numbers-bar", role: "group", "aria-label": "Numbers on this page" };
  const bar = element("div", about, panel.inspect, fullSwitch(article, numbers));
  (article.querySelector("h1") ?? article.firstElementChild)?.after(bar, panel.panel);
  article.classList.add("inspectable");
  article.addEventListener("click", ({ target }) => {
    const clicked = /** @type {Element} */ (target).closest("data.num");
    const index = numbers.findIndex(({ at }) => at === clicked);
    if (index >= 0) panel.show(index);
  });
}

// With the theme's instant navigation a page may come without this script running again.
const { document$ } = /** @type {{ document$?: { subscribe(start: () => void): void } }} */ (window);
if (document$) document$.subscribe(start);
else start();
