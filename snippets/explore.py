"""All the weights that give one output: the figure inside the explorable of that name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from publisher.results import Figure, Figures, Numbers, Table, shown, shown_vector
from snippets.attention import Array
from snippets.drawings.explore import draw_same_output
from snippets.reading_a_map import ends, jensen_shannon
from snippets.running_example import TOKENS, VALUES
from snippets.values import hand_mixture


def same_output(values: ArrayLike, weights: Array, given: Mapping[int, float]) -> Array:
    """Find the weights that keep the mixture while some positions get weights set by hand.

    Parameters
    ----------
    values : (n, d_v)
    weights : (n,), whose mixture is to be kept
    given : the positions with a weight set by hand, from 0, and these weights; there must be an
        answer, with the other positions as far as they are needed

    Returns
    -------
    The other weights, (n,), together 1 as well.
    """
    rows = np.asarray(values, dtype=float)  # (n, d_v)
    fixed = np.hstack([rows - rows[0], np.ones((len(rows), 1))])  # the mixture, and the total
    other = np.zeros(len(rows))
    other[list(given)] = list(given.values())
    open_ = [j for j in range(len(rows)) if j not in given]
    other[open_] = np.linalg.lstsq(fixed[open_].T, (weights - other) @ fixed)[0]
    return other.clip(0.0)  # where rounding left less than nothing


def named_ends() -> dict[str, Array]:
    """Return the hand example's weights and the two ends, by what there is to say of them."""
    start, *two = ends()
    named = {f"no {TOKENS[int(np.argmin(end))]}": end for end in two}
    (first, one), (last, other) = named.items()
    return {first: one, "the start": start, last: other}


def numbers() -> Numbers:
    """Return how far the segment's ends are from the start, and how far anything can be."""
    start, without_bank, without_net = ends()
    return {
        "without_bank": jensen_shannon(start, without_bank),
        "without_net": jensen_shannon(start, without_net),
        "ln_2": float(np.log(2)),
    }


def figures() -> Figures:
    """Return the figure of all weights with one output."""
    three, values = named_ends(), np.array(VALUES)
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
                    [name, *w.tolist(), (w @ values).tolist(),
                     jensen_shannon(three["the start"], w)]
                    for name, w in three.items()
                ],
            ),
            draw=partial(draw_same_output, TOKENS, three, "the start"),
        ),
    }  # fmt: skip
