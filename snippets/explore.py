"""Where the explorables start: the page's own inputs, and what Python makes of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from numpy.typing import ArrayLike

from publisher.figures import palette
from publisher.figures.parts import canvas, panel, write
from publisher.results import Figure, Figures, Numbers, Table, Widget, Widgets, shown, shown_vector
from snippets import running_example as example
from snippets.attention import Array, attention, attention_weights, causal_mask
from snippets.cross_attention import OUTPUT
from snippets.drawings.tokens import TOKEN_COLOURS, bar, names
from snippets.heads import second_mixture, second_weights
from snippets.notes import scaling
from snippets.reading_a_map import ends
from snippets.running_example import KEYS, QUERY, TOKENS, VALUES
from snippets.scores_and_weights import CONSTANT, hand_scores, hand_weights
from snippets.sentences import SENTENCES, WORD, tokenise
from snippets.values import contributions, hand_mixture


def _attention() -> Widget:
    """Start from the hand example: a query, and a key and a value for each of three tokens."""
    products = np.array(KEYS) @ QUERY
    (equal,), _ = attention(np.zeros((1, len(QUERY))), KEYS, VALUES)
    return Widget(
        element="attention-explorer",
        title="Change the numbers: one head at one position",
        label="invented numbers",
        figure="values.mixture",
        start={
            "query": list(QUERY),
            "tokens": [
                {"name": name, "key": list(key), "value": list(value), "use": True}
                for name, key, value in zip(TOKENS, KEYS, VALUES, strict=True)
            ],
            "scaling": "root",
            "divisor": float(len(QUERY)),
            "temperature": 1.0,
        },
        results={
            "products": products.tolist(),
            "scores": hand_scores().tolist(),
            "exponentials": np.exp(hand_scores()).tolist(),
            "weights": hand_weights().tolist(),
            "contributions": contributions().tolist(),
            "output": hand_mixture().tolist(),
            "equal": equal.tolist(),
        },
    )


def jensen_shannon(one: ArrayLike, other: ArrayLike) -> float:
    """Return how unlike two distributions are: 0 if equal, ln 2 if they share no position."""
    pair = np.array([one, other], dtype=float)  # (2, n)
    middle = np.broadcast_to(pair.mean(axis=0), pair.shape)
    some = pair > 0  # a weight of zero adds nothing
    divergence = (pair[some] * np.log(pair[some] / middle[some])).sum() / 2
    return max(0.0, float(divergence))  # where rounding left less than nothing


def same_output(values: ArrayLike, weights: Array, given: Mapping[int, float]) -> Array:
    """Return the distribution that has this mixture and gives some positions set weights."""
    rows = np.asarray(values, dtype=float)  # (n, d_v)
    fixed = np.hstack([rows - rows[0], np.ones((len(rows), 1))])  # the mixture, and the total
    other = np.zeros(len(rows))
    other[list(given)] = list(given.values())
    open_ = [j for j in range(len(rows)) if j not in given]
    other[open_] = np.linalg.lstsq(fixed[open_].T, (weights - other) @ fixed)[0]
    return other.clip(0.0)  # where rounding left less than nothing


def _ends() -> dict[str, Array]:
    """Return the hand example's weights and the two ends, by what there is to say of them."""
    start, *two = ends()
    named = {f"no {TOKENS[int(np.argmin(end))]}": end for end in two}
    (first, one), (last, other) = named.items()
    return {first: one, "the start": start, last: other}


def _segment(axes: Axes, left: float, top: float, side: float) -> None:
    """Draw the triangle of all distributions over three, and the same-output segment in it."""
    points = {  # the weight of bank to the right, that of fisherman upwards
        name: (left + side * end[2], top + side * (1 - end[0])) for name, end in _ends().items()
    }
    corners = ((0.0, 1.0), (1.0, 1.0), (0.0, 0.0), (0.0, 1.0))
    axes.plot(*zip(*((left + side * x, top + side * y) for x, y in corners), strict=True),
              color=palette.MUTED, linewidth=1)  # fmt: skip
    axes.plot(*zip(*points.values(), strict=True), color=palette.ACCENT, linewidth=3)
    for name, (x, y) in points.items():
        begun = name == "the start"
        axes.plot(x, y, "s" if begun else "o", color=palette.ACCENT, markersize=7,
                  markerfacecolor=palette.PAPER)  # fmt: skip
        across, down = (-14, 28) if begun else (8, -10)  # clear of the segment
        write(axes, x + across, y + down, name, align="left", bold=begun)
    write(axes, left + side, top + side + 13, f"all to {TOKENS[2]}", TOKEN_COLOURS[2],
          "right", 9.5)  # fmt: skip
    write(axes, left + 8, top + 2, f"all to {TOKENS[0]}", TOKEN_COLOURS[0], "left", 9.5)
    write(axes, left, top + side + 13, f"all to {TOKENS[1]}", TOKEN_COLOURS[1], "left", 9.5)


def draw_same_output(narrow: bool) -> Drawing:
    """Draw the distributions with the hand example's output: the segment, and three as bars."""
    drawing, axes = canvas(*((320, 618) if narrow else (600, 338)))
    panel(axes, 6, 6, 314 if narrow else 290, 292 if narrow else 332, "All with this output")
    _segment(axes, 36, 44, 214 if narrow else 232)
    for k, (name, weights) in enumerate(_ends().items()):
        left, top = (6, 300 + 106 * k) if narrow else (304, 6 + 112 * k)
        right = left + (308 if narrow else 290)
        panel(axes, left, top, right, top + 102, name[0].upper() + name[1:])
        middles = [top + 42 + 22 * j for j in range(len(TOKENS))]
        names(axes, left + 10, middles, TOKENS)
        for token, y, weight in zip(TOKENS, middles, weights, strict=True):
            bar(axes, left + 84, y, 150 * weight, token, TOKENS, 14)
            write(axes, right - 10, y, shown(weight), align="right")
    return drawing


def numbers() -> Numbers:
    """Return how far the segment's ends are from the start, and how far anything can be."""
    start, without_bank, without_net = ends()
    return {
        "without_bank": jensen_shannon(start, without_bank),
        "without_net": jensen_shannon(start, without_net),
        "ln_2": float(np.log(2)),
    }


def figures() -> Figures:
    """Return the figures that stand inside explorables and nowhere else."""
    three = _ends()
    said = ". ".join(
        f"{name}: " + ", ".join(f"{t} {shown(a)}" for t, a in zip(TOKENS, w, strict=True))
        for name, w in three.items()
    )
    output = shown_vector(hand_mixture(), "")
    return {
        "same_output": Figure(
            title="Same output, other weights",
            caption="Each point of the triangle is a distribution over the three tokens. Those on "
            f"the thick segment all have the output {output}. The square is the start.",
            description="A triangle, whose corners give all the weight to one token. In it a "
            f"segment of distributions with one output, {output}. Three of them as bars. {said}.",
            label="invented numbers",
            data=Table(
                "Three distributions, one output",
                ("Weights", *TOKENS, "Output", "Divergence"),
                [
                    [name, *w.tolist(), (w @ np.array(VALUES)).tolist(),
                     jensen_shannon(hand_weights(), w)]
                    for name, w in three.items()
                ],
            ),
            draw=draw_same_output,
        ),
    }  # fmt: skip


def _same_output() -> Widget:
    """Start from the hand example, whose values lie on a line: one way to change the weights."""
    start, *two = ends()
    return Widget(
        element="same-output-explorer",
        title="Same output, other weights",
        label="invented numbers",
        figure="explore.same_output",
        start={
            "tokens": [
                {"name": name, "value": list(value), "score": float(score), "moved": 0.0}
                for name, value, score in zip(TOKENS, VALUES, hand_scores(), strict=True)
            ],
        },
        results={
            "weights": start.tolist(),
            "output": hand_mixture().tolist(),
            "free": [2],
            "corners": [end.tolist() for end in two],
            "ranges": [[], [], [float(end[2]) for end in two]],
            "now": start.tolist(),
            "shift": 0.0,
            "divergences": [jensen_shannon(start, one) for one in (start, start, *two)],
            "variations": [float(np.abs(one - start).sum() / 2) for one in (start, start, *two)],
        },
    )


def _masks() -> Widget:
    """Start from the open sentence with the causal mask, asked at bank; every score is 0."""
    tokens = tokenise(example.OPEN)
    mask, zeros = causal_mask(len(tokens)), np.zeros((len(tokens), 1))
    query = tokens.index(WORD)
    return Widget(
        element="mask-explorer",
        title="Who may use whom: your own sentence under a mask",
        label="concept drawing",
        figure="masks.access",
        start={
            "examples": list(SENTENCES.values()),
            "sentence": example.OPEN,
            "asking": " ".join(OUTPUT),
            "kind": "causal",
            "padding": len(tokenise(example.RIVER)) - len(tokens),  # as in the chapter on padding
            "left": False,
            "query": query,
        },
        results={
            "queries": tokens,
            "keys": tokens,
            "mask": mask.tolist(),
            "weights": attention_weights(zeros, zeros, mask).tolist(),
            "query": query,
        },
    )


def _heads() -> Widget:
    """Start from the hand example's two heads, and the rows of W_O that meet their coordinates."""
    mixtures = np.array((hand_mixture(), second_mixture()))  # (heads, d_v), the hand example's d_v
    w_o = np.array(example.W_O).reshape(len(mixtures), -1, len(example.W_O[0]))
    w_o = w_o[:, : mixtures.shape[1]]  # (heads, d_v, d_model): without those for the position
    parts = (mixtures[:, np.newaxis] @ w_o)[:, 0]  # (heads, d_model)
    return Widget(
        element="heads-explorer",
        title="Two heads, end to end, and through one matrix",
        label="invented numbers",
        figure="heads.two",
        start={
            "tokens": list(TOKENS),
            "scores": [hand_scores().tolist(), list(example.SECOND_HEAD_SCORES)],
            "values": [np.array(VALUES).tolist(), np.array(example.SECOND_HEAD_VALUES).tolist()],
            "w_o": np.concatenate(w_o).tolist(),  # (heads * d_v, d_model)
        },
        results={
            "weights": [hand_weights().tolist(), second_weights().tolist()],
            "mixtures": mixtures.tolist(),
            "parts": parts.tolist(),
            "output": parts.sum(axis=0).tolist(),
        },
    )


def _softmax() -> Widget:
    """Start from the hand example's scores, and a constant to add to them."""
    scores = hand_scores()
    return Widget(
        element="softmax-explorer",
        title="Scores to weights: move them one by one, or all together",
        label="invented numbers",
        figure="scores_and_weights.shares",
        start={
            "tokens": list(TOKENS),
            "scores": scores.tolist(),
            "before": scores.tolist(),
            "constant": CONSTANT,
            "digits": 4,
        },
        results={
            "exponentials": np.exp(scores).tolist(),
            "sum": float(np.exp(scores).sum()),
            "weights": hand_weights().tolist(),
            "weights_before": hand_weights().tolist(),
        },
    )


def _scaling() -> Widget:
    """Bring the note's simulation: a value and its standard error, each with its digits."""
    sizes = scaling.sizes()
    sides: dict[str, Callable[[scaling.Size], float]] = {
        "unscaled": lambda size: 1.0,
        "scaled": lambda size: math.sqrt(size.d_k),
    }
    curves = {
        "spread": {
            side: [scaling.spread(size, divisor(size)) for size in sizes]
            for side, divisor in sides.items()
        }
    }
    for name in ("entropy", "largest", "gradient"):
        curves[name] = {
            side: [scaling.mean(getattr(getattr(size, side), name)) for size in sizes]
            for side in sides
        }
    plain = {
        name: {
            side: [[v.value, v.digits, e.value, e.digits] for v, e in estimates]
            for side, estimates in both.items()
        }
        for name, both in curves.items()
    }
    d_ks = [size.d_k for size in sizes]
    place = d_ks.index(scaling.HEAD_SIZE)
    return Widget(
        element="scaling-explorer",
        title="From small heads to large ones: what the division mends",
        label="simulation",
        figure="notes.scaling.spread",
        start={"place": place, "divided": "both", "quantity": "spread"},
        results={
            "sizes": d_ks,
            "curves": plain,
            "d_k": scaling.HEAD_SIZE,
            "chosen": [[plain[name][side][place] for side in sides] for name in plain],
        },
    )


def widgets() -> Widgets:
    """Return every explorable, by name."""
    return {
        "attention": _attention(),
        "heads": _heads(),
        "masks": _masks(),
        "same_output": _same_output(),
        "scaling": _scaling(),
        "softmax": _softmax(),
    }
