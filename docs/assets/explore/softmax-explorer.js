// Softmax: move scores one by one or all together, and see which changes the weights notice.

import { softmax, within_range } from "./attention.js";
import { Explorable, bar, button, display, field, listed, number, python, slider, table } from "./explorable.js";

const MOST_DIGITS = 6;

class SoftmaxExplorer extends Explorable {
  compute({ scores, before, digits }) {
    if (scores.length !== this.tokens.length || before.length !== scores.length || digits < 0 || digits > MOST_DIGITS || digits % 1) {
      throw new RangeError("no such sizes");
    }
    const [weights, weights_before] = [scores, before].map((row) => softmax(row));
    const exponentials = within_range(scores).map(Math.exp);
    return { exponentials, sum: exponentials.reduce((sum, e) => sum + e, 0), weights, weights_before };
  }

  /** Keep the scores that a step of undo would bring back, to compare the weights. */
  change(next, name = null) {
    const step = name === null || name !== this.typing;
    const moved = String(next.scores) !== String(this.state.scores);
    super.change(step && moved && next !== this.start ? { ...next, before: this.state.scores } : next, name);
  }

  /** Let the sliders follow scores that left their range; while one of them is moved, it stays. */
  fill(input, focused) {
    if (input.step === "0.1") { // a slider of a score
      const { scores } = this.state;
      const reach = this.typing ? this.range : [-10, 10];
      this.range = scores.every((score) => score >= reach[0] && score <= reach[1]) ? reach
        : [Math.round(Math.min(...scores)) - 10, Math.round(Math.max(...scores)) + 10];
      [input.min, input.max] = this.range;
    }
    super.fill(input, focused);
  }

  fields({ scores, constant, digits }) {
    const rows = scores.map((score, i) => `<div class="row">${this.word(this.tokens[i])}
      ${field(`scores.${i}`, score, `score of ${this.tokens[i]}`)} ${slider(`scores.${i}`, score, `score of ${this.tokens[i]}, by slider`, [-10, 10, 0.1])}</div>`);
    return `${rows.join("")}<div class="row">${button("add", "Add to every score:")} ${field("constant", constant, "what to add")}
      ${button("scale 2", "Double every score")} ${button("scale 0.5", "Halve every score")}</div>
      <div class="row"><label>digits shown ${slider("digits", digits, "digits shown", [0, MOST_DIGITS, 1])}</label></div>`;
  }

  do(action, factor) {
    if (this.bad.size) return; // a field shows what is not in the state
    const { scores, constant } = this.state;
    this.change({ ...this.state, scores: scores.map((score) => (action === "add" ? score + constant : score * factor)) });
  }

  show({ scores, digits }, { exponentials, sum, weights, weights_before }) {
    const moved = within_range(scores) !== scores;
    const rows = this.tokens.map((token, i) => [this.word(token), number(scores[i], 4, "short"),
      number(exponentials[i], digits), `${number(weights[i], digits)} ${bar(weights[i], this.style(token))}`, number(weights_before[i], digits)]);
    const printed = weights.reduce((total, w) => total + Number(display(w, digits)), 0);
    const furthest = Math.max(...weights.map((w, i) => Math.abs(w - weights_before[i])));
    return `${table("Scores, exponentials and weights", ["Token", "Score s", moved ? "e<sup>s − largest s</sup>" : "e<sup>s</sup>", "Weight α", "Before"],
      [...rows, ["sum", "", number(sum, digits), number(printed, digits), ""]])}
      <p>The weights as printed add up to ${display(printed, digits)}. The full ones add up to one; rounding hides ${display(1 - printed, digits)}.</p>
      <p>${moved ? "The largest score is far from 0, so it is taken from every score first: no weight changes, and no exponential overflows. " : ""}${furthest < 1e-12
    ? "Every weight is as before, but for the rounding of the computer."
    : `The last change moved a weight by up to ${number(furthest)}, rounded.`}</p>`;
  }

  say(_, { weights }) { return `Weights: ${listed(this.tokens, weights)}.`; }

  csv({ scores }, { exponentials, weights, weights_before }) {
    return [["token", "score", "exponential", "weight", "weight before"],
      ...this.tokens.map((token, i) => [token, scores[i], exponentials[i], weights[i], weights_before[i]])];
  }

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
