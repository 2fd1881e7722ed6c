// What all explorables share: an element whose state has undo and a link, and whose fields refuse bad
// input in place. No number starts here: the page brings each element's start, and what Python made of
// it, in a <template>.

import { BEYOND, escaped, fillField, panelParts, readField, refocus, relabel } from "./html.js";
import { Hand } from "./plane.js";
import * as states from "./state.js";

const DAMAGED = "The link that brought you here is damaged, so this starts from the page's own numbers.";

/**
 * What each kind of explorable writes itself.
 * @template S its state, as the page's template starts it
 * @template R its results, computed from the state
 * @typedef {object} Kind
 * @property {(state: S) => R} compute throws at what cannot be computed
 * @property {(state: S) => string} fields HTML
 * @property {(state: S, results: R) => string} show HTML
 * @property {(state: S, results: R) => string} say a sentence
 * @property {(state: S, results: R) => import("./state.js").Cell[][]} csv rows
 * @property {(state: S) => string} code a program in Python that prints the results
 */

/**
 * The element; a kind of explorable extends it, and is one more element.
 * @template {object} S
 * @template {object} R
 */
export class Explorable extends HTMLElement {
  kind = /** @type {Kind<S, R>} */ (/** @type {unknown} */ (this));
  panel = document.createElement("section");
  start = /** @type {S} */ ({});
  python = /** @type {any} */ ({}); // the start's results, and data that no state changes
  steps = new states.Steps(this.start);
  results = /** @type {R} */ ({});
  bad = /** @type {Map<string, string>} */ (new Map()); // the path of a refused field, and why
  problem = "";
  html = "";
  shaped = ""; // the shape() that the fields were written for
  later = 0;
  hand = new Hand(
    this.panel,
    (handle, place) => this.move(handle, place),
    () => {
      this.steps.typing = null;
      this.refresh(); // the plane may find a new size
    },
  );

  connectedCallback() {
    if (this.panel.parentNode) return;
    const template = /** @type {HTMLTemplateElement} */ (this.querySelector(":scope > template"));
    const { start, results } = JSON.parse(String(template.content.textContent));
    [this.start, this.python] = [start, results];
    const problem = this.begin();
    const { label = "", title = "" } = this.dataset;
    this.panel.className = "panel";
    this.panel.setAttribute("aria-label", title);
    this.panel.innerHTML = panelParts(label, title) + states.credit();
    for (const type of ["input", "change", "click"]) this.panel.addEventListener(type, this);
    this.render();
    this.append(this.panel); // the figure stays, for paper and for whoever asks for it
    this.classList.add("alive");
    if (problem) this.complain(problem);
  }

  /** Begin with the state in the page's address, if it has one for us; return what is wrong with it. */
  begin() {
    try {
      const linked = states.linkedState(this.id) ?? this.start;
      if (!states.alike(linked, this.start)) throw linked;
      this.steps = new states.Steps(/** @type {S} */ (linked));
      this.solve();
      return "";
    } catch {
      this.steps = new states.Steps(this.start);
      this.solve();
      return DAMAGED;
    }
  }

  get state() {
    return this.steps.state;
  }

  get untouched() {
    return states.same(this.state, this.start);
  }

  /** @param {Event} event */
  handleEvent({ type, target }) {
    const input = /** @type {HTMLInputElement} */ (target);
    const action = /** @type {HTMLElement | null} */ (input.closest("[data-action]"))?.dataset.action;
    if (type === "click" && action) this.act(action);
    if (type === "input" && input.dataset.path) this.read(input, input.dataset.path);
    if (type === "change") this.steps.typing = null; // the next change is a step of its own
  }

  /** @param {string} action */
  act(action) {
    const [name, ...rest] = action.split(" ");
    this.steps.typing = null;
    if (name === "undo" || name === "redo" || name === "reset") this.travel(name);
    else if (name === "figure") this.uncover();
    else if (name === "copy") this.copy(rest[0]);
    else this.do(name, ...rest);
  }

  /** Follow a button of this kind's own: its data-action, split at spaces. @param {string[]} _action */
  do(..._action) {}

  /** Put a handle of a plane somewhere. @param {string} handle @param {number[]} place */
  move(handle, place) {
    this.set(handle, place);
  }

  /** @param {HTMLInputElement} input @param {string} path */
  read(input, path) {
    this.bad.delete(path);
    try {
      this.set(path, readField(input));
      if ("text" in input.dataset) relabel(this.find(".fields"), this.kind.fields(this.state));
    } catch (error) {
      input.setAttribute("aria-invalid", "true");
      this.bad.set(path, words(error));
      this.refresh();
    }
  }

  /** @param {string} path @param {unknown} value */
  set(path, value) {
    this.change(states.withValue(this.state, path, value), path);
  }

  /**
   * Take a new state; changes under one name in a row are one step of undo.
   * @param {S} next
   * @param {string | null} name
   */
  change(next, name = null) {
    if (!states.alike(next, this.start)) return this.complain(`that is ${BEYOND}`);
    if (!states.same(next, this.state)) {
      this.steps.take(next, name);
      this.find(".copied").hidden = true;
    }
    this.refresh();
  }

  /** @param {"undo" | "redo" | "reset"} where */
  travel(where) {
    this.bad.clear();
    this.shaped = ""; // what was refused stands in the fields
    if (where === "reset") return this.change(this.start);
    if (this.steps.travel(where === "undo")) this.find(".copied").hidden = true;
    this.refresh();
  }

  /** Compute and show before the page changes, as either may refuse. */
  solve() {
    const results = this.kind.compute(this.state);
    this.html = this.kind.show(this.state, this.untouched ? states.merged(results, this.python) : results);
    this.results = results;
  }

  refresh() {
    this.problem = [...this.bad.values()][0] ?? "";
    try {
      this.solve();
    } catch (error) {
      this.problem ||= words(error);
    }
    this.render();
    this.complain(this.problem);
  }

  /** Show what is wrong, if anything; else say the results once all is quiet. @param {string} problem */
  complain(problem) {
    const place = this.find(".problem");
    if (place.textContent !== problem) place.textContent = problem;
    this.panel.classList.toggle("stale", Boolean(this.problem));
    clearTimeout(this.later);
    if (this.problem) return;
    this.later = setTimeout(() => this.tell(this.kind.say(this.state, this.results)), 700);
  }

  /** @param {string} text */
  tell(text) {
    this.find(".said").textContent = text;
  }

  /** @param {string} selector @returns {HTMLElement} */
  find(selector) {
    return /** @type {HTMLElement} */ (this.panel.querySelector(selector));
  }

  render() {
    const focused = document.activeElement;
    const fields = this.find(".fields");
    if (this.shape(this.state) !== this.shaped) {
      this.shaped = this.shape(this.state);
      fields.innerHTML = this.kind.fields(this.state);
      this.bad.clear();
      this.hand.held = null;
    }
    for (const input of fields.querySelectorAll("[data-path]")) {
      this.fill(/** @type {HTMLInputElement} */ (input), focused);
    }
    if (!this.problem) this.find(".shown").innerHTML = this.html;
    [this.panel.dataset.origin, this.find(".origin").textContent] = this.origin();
    const { past, future } = this.steps;
    const whole = !this.bad.size;
    const off = { undo: !past.length && whole, redo: !future.length, reset: this.untouched && whole };
    for (const [action, state] of Object.entries(off)) {
      this.find(`[data-action=${action}]`).setAttribute("aria-disabled", String(state));
    }
    this.drawn();
    refocus(this.panel, focused);
  }

  /** Say what the fields depend on: they are written anew when it changes. @param {S} state */
  shape(state) {
    return JSON.stringify(state, (_, value) => (typeof value === "object" ? value : 0));
  }

  /** Whose numbers these are: in a word, and as the reader is told. */
  origin() {
    return this.untouched
      ? ["python", "As on this page: these numbers were computed by Python."]
      : ["browser", "Changed by you: these numbers were computed in your browser."];
  }

  /** Finish what was just drawn. */
  drawn() {}

  /** @param {HTMLInputElement} input @param {Element | null} focused */
  fill(input, focused) {
    const path = String(input.dataset.path);
    const value = states.valueAt(this.state, path);
    input.classList.toggle("changed", value !== states.valueAt(this.start, path));
    if (this.bad.has(path)) return;
    input.removeAttribute("aria-invalid");
    fillField(input, value, input === focused);
  }

  uncover() {
    const shown = this.classList.toggle("with-figure");
    this.find("[data-action=figure]").textContent = `${shown ? "Hide" : "Show"} the static figure`;
  }

  /** Show a text to take away, and put it on the clipboard where the browser lets us. @param {string} what */
  async copy(what) {
    if (this.problem) return this.tell("Mend the input first.");
    const [name, text] = this.taken(what);
    this.find(".copied span").textContent = `This state as ${name}`;
    /** @type {HTMLTextAreaElement} */ (this.find("textarea")).value = `${text}\n`;
    this.find(".copied").hidden = false;
    clearTimeout(this.later);
    try {
      await navigator.clipboard.writeText(`${text}\n`);
      this.tell(`Copied as ${name}.`);
    } catch {
      this.tell("The clipboard is closed to this page: select the text and copy it.");
    }
  }

  /** @param {string} what @returns {[string, string]} what it is called, and the text */
  taken(what) {
    if (what === "python") return ["Python", this.kind.code(this.state)];
    if (what === "csv") return ["CSV", states.csv(this.kind.csv(this.state, this.results))];
    const link = states.linkTo(this.id, this.state);
    if (what === "link") return ["a link", link];
    const { title = "" } = this.dataset;
    return ["a frame for a page of yours", states.frame(link, title, this.panel.offsetHeight)];
  }

  /** The page's own tokens, whatever somebody wrote into a link. */
  get tokens() {
    const tokens = states.valueAt(this.start, "tokens"); // names, or objects with a name
    return /** @type {S extends { tokens: infer T } ? T : never} */ (tokens);
  }

  /** The example's own tokens keep their colours. @param {string} name */
  styleOf(name) {
    const tokens = /** @type {any[]} */ (this.tokens);
    const place = tokens.findIndex((token) => (token.name ?? token) === name);
    return place < 0 ? "token" : `token token-${place + 1}`;
  }

  /** @param {string} name */
  word(name) {
    return `<span class="${this.styleOf(name)}">${escaped(name)}</span>`;
  }
}

/** @param {unknown} error */
const words = (error) => (error instanceof Error ? error.message : String(error));
