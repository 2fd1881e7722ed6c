"""Softmax of a whole map at once: every row is divided by its own sum."""

from collections.abc import Callable

import numpy as np

from publisher.results import shown_vector
from snippets.attention import Array, scaled_dot_product_scores, softmax
from snippets.query_key_value import read
from snippets.running_example import TOKENS


def wrong(scores: Array) -> Array:
    """Return the weights, (n_q, n_k); every row adds up to one."""
    exponentials = np.exp(scores)
    return np.asarray(exponentials / exponentials.sum(axis=-1))


right = softmax


def three_by_three() -> Array:
    """Return the scores among the three tokens alone: queries down, keys across."""
    three = read(" ".join(TOKENS))
    return scaled_dot_product_scores(three.queries, three.keys)


def measure(function: Callable[..., Array]) -> float:
    """Return the weight of fisherman for the query at bank."""
    return float(function(three_by_three())[-1, 0])


def demo() -> None:
    """Print the row of weights at bank."""
    for name, function in (("wrong", wrong), ("right", right)):
        row = function(three_by_three())[-1]
        print(f"{name}  weights {shown_vector(row, form='')}")
        print(f"{name}  sum     {row.sum():.4f}")


def check(function: Callable[..., Array]) -> None:
    """Take a square map whose rows differ: every row adds up to one."""
    sums = function(np.array([[0.0, 1.0], [0.0, 3.0]])).sum(axis=-1)
    assert np.allclose(sums, 1), f"a row adds up to {sums[0]:.4f}, not to 1"
