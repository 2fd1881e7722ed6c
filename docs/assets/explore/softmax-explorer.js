// Softmax: move scores one by one or all together, and see which changes the weights notice.

import { softmax, within_range } from "./attention.js";
import { Explorable } from "./explorable.js";
import { bar, button, display, field, listed, number, slider, table } from "./html.js";
import { python } from "./state.js";

const MOST_DIGITS = 6;
const FAR_SCORE =
  "The largest score is far from 0, so it is taken from every score first: " +
  "no weight changes, and no exponential overflows. ";

/**
 * @typedef {object} State
 * @property {string[]} tokens
 * @property {number[]} scores
 * @property {number[]} before the scores before the last change
 * @property {number} constant
 * @property {number} digits
 */

/**
 * @typedef {object} Results
 * @property {number[]} exponentials
 * @property {number} sum
 * @property {number[]} weights
 * @property {number[]} weights_before
 */

/** @extends {Explorable<State, Results>} */
class SoftmaxExplorer extends Explorable {
  range = [-10, 10];

  /** @param {State} state */
  compute({ scores, before, digits }) {
    const sizes = [scores.length, before.length].every((size) => size === this.tokens.length);
    if (!sizes || !Number.isInteger(digits) || digits < 0 || digits > MOST_DIGITS) {
      throw new RangeError("no such sizes");
    }
    const [weights, weights_before] = [scores, before].map((row) => softmax(row));
    const exponentials = within_range(scores).map(Math.exp);
    return { exponentials, sum: exponentials.reduce((sum, e) => sum + e, 0), weights, weights_before };
  }

  /**
   * Keep the scores that a step of undo would bring back, to compare the weights.
   * @param {State} next
   * @param {string | null} name
   */
  change(next, name = null) {
    const step = name === null || name !== this.steps.typing;
    const moved = String(next.scores) !== String(this.state.scores);
    super.change(step && moved && next !== this.start ? { ...next, before: this.state.scores } : next, name);
  }

  /**
   * Let the sliders follow scores that left their range; while one of them is moved, it stays.
   * @param {HTMLInputElement} input
   * @param {Element | null} focused
   */
  fill(input, focused) {
    const ofScore = input.step === "0.1";
    if (ofScore) {
      const { scores } = this.state;
      const [least, most] = this.steps.typing ? this.range : [-10, 10];
      const within = scores.every((score) => score >= least && score <= most);
      this.range = within
        ? [least, most]
        : [Math.round(Math.min(...scores)) - 10, Math.round(Math.max(...scores)) + 10];
      [input.min, input.max] = this.range.map(String);
    }
    super.fill(input, focused);
  }

  /** @param {State} state */
  fields({ scores, constant, digits }) {
    const rows = scores.map((score, i) => {
      const [path, label] = [`scores.${i}`, `score of ${this.tokens[i]}`];
      return `<div class="row">${this.word(this.tokens[i])}
        ${field(path, score, label)} ${slider(path, score, `${label}, by slider`, [-10, 10, 0.1])}</div>`;
    });
    return `${rows.join("")}<div class="row">
        ${button("add", "Add to every score:")} ${field("constant", constant, "what to add")}
        ${button("scale 2", "Double every score")} ${button("scale 0.5", "Halve every score")}</div>
      <div class="row">
        <label>digits shown ${slider("digits", digits, "digits shown", [0, MOST_DIGITS, 1])}</label></div>`;
  }

  /** @param {string} action @param {string} factor */
  do(action, factor) {
    if (this.bad.size) return; // a field shows what is not in the state
    const { scores, constant } = this.state;
    const moved = scores.map((score) => (action === "add" ? score + constant : score * Number(factor)));
    this.change({ ...this.state, scores: moved });
  }

  /** @param {State} state @param {Results} results */
  show({ scores, digits }, { exponentials, sum, weights, weights_before }) {
    const moved = within_range(scores) !== scores;
    const heads = ["Score s", moved ? "e<sup>s − largest s</sup>" : "e<sup>s</sup>", "Weight α", "Before"];
    const rows = this.tokens.map((token, i) => [
      this.word(token),
      number(scores[i], 4, "short"),
      number(exponentials[i], digits),
      `${number(weights[i], digits)} ${bar(weights[i], this.styleOf(token))}`,
      number(weights_before[i], digits),
    ]);
    const printed = weights.reduce((total, w) => total + Number(display(w, digits)), 0);
    const sums = ["sum", "", number(sum, digits), number(printed, digits), ""];
    const furthest = Math.max(...weights.map((w, i) => Math.abs(w - weights_before[i])));
    const change =
      furthest < 1e-12
        ? "Every weight is as before, but for the rounding of the computer."
        : `The last change moved a weight by up to ${number(furthest)}, rounded.`;
    return `${table("Scores, exponentials and weights", ["Token", ...heads], [...rows, sums])}
      <p>The weights as printed add up to ${display(printed, digits)}. The full ones add up to one;
        rounding hides ${display(1 - printed, digits)}.</p>
      <p>${moved ? FAR_SCORE : ""}${change}</p>`;
  }

  /** @param {State} _ @param {Results} results */
  say(_, { weights }) {
    return `Weights: ${listed(this.tokens, weights)}.`;
  }

  /** @param {State} state @param {Results} results */
  csv({ scores }, { exponentials, weights, weights_before }) {
    return [
      ["token", "score", "exponential", "weight", "weight before"],
      ...this.tokens.map((token, i) => [token, scores[i], exponentials[i], weights[i], weights_before[i]]),
    ];
  }

  /** @param {State} state */
  code({ scores, digits }) {
    return `from snippets.attention import softmax

names = ${python(this.tokens)}
weights = softmax(${python(scores)}).tolist()
for name, weight in zip(names, weights):
    print(f"{name}: {weight:.${digits}f}")
printed = sum(round(weight, ${digits}) for weight in weights)
print(f"as printed they add up to {printed:.${digits}f}")`;
  }
}

customElements.define("softmax-explorer", SoftmaxExplorer);
