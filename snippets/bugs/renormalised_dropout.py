"""Dropout on weights: in training some are dropped and the rest scaled, so that the mean stays."""

from collections.abc import Callable
from itertools import product

import numpy as np
from numpy.typing import NDArray

from publisher.results import shown_vector
from snippets.attention import Array
from snippets.scores_and_weights import hand_weights

# The chance that a weight is dropped.
RATE = 0.25


def wrong(weights: Array, keep: NDArray[np.bool_], rate: float) -> Array:
    """Return the weights, (n,), after dropping those that are not kept."""
    kept = weights * keep
    if keep.any():
        kept = kept / kept.sum()
    return kept


def right(weights: Array, keep: NDArray[np.bool_], rate: float) -> Array:
    """Return the weights, (n,), after dropping those that are not kept."""
    return weights * keep / (1 - rate)


def average(function: Callable[..., Array], weights: Array, rate: float) -> Array:
    """Return the mean over all ways to drop, each weighted by its probability, (n,)."""
    mean = np.zeros(len(weights))
    for kept in product((True, False), repeat=len(weights)):
        keep = np.array(kept)
        chance = np.where(keep, 1 - rate, rate).prod()
        mean += chance * function(weights, keep, rate)
    return mean


def measure(function: Callable[..., Array]) -> float:
    """Return the mean weight of fisherman for the query at bank."""
    return float(average(function, hand_weights(), RATE)[0])


def demo() -> None:
    """Print one draw, in which fisherman is dropped, and the mean over all draws."""
    weights, keep = hand_weights(), np.array([False, True, True])
    for name, function in (("wrong", wrong), ("right", right)):
        draw = function(weights, keep, RATE)
        print(f"{name}  a draw {shown_vector(draw, form='')}")
        print(f"{name}  sum    {draw.sum():.4f}")
        print(f"{name}  mean   {shown_vector(average(function, weights, RATE), form='')}")


def check(function: Callable[..., Array]) -> None:
    """Average over all ways to drop: the mean is what there is without dropout."""
    weights = np.array([0.5, 0.25, 0.25])
    mean = average(function, weights, 0.5)
    assert np.allclose(mean, weights), f"the mean weight is {mean[0]:.4f}, not {weights[0]:.4f}"
