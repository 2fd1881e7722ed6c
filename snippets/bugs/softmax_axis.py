"""Scores become weights: each query shares out a total of one over the keys."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from publisher.results import shown_vector
from snippets.attention import Array, attention_weights, scaled_dot_product_scores, softmax
from snippets.running_example import KEYS, QUERY, VALUES


def wrong(queries: ArrayLike, keys: ArrayLike) -> Array:
    """Return the weight of every key for every query, (n_q, n_k)."""
    scores = scaled_dot_product_scores(queries, keys)  # (n_q, n_k)
    return softmax(scores, axis=0)


right = attention_weights


def measure(function: Callable[..., Array]) -> float:
    """Return the weight of fisherman for the query at bank."""
    return float(function([QUERY], KEYS)[0, 0])


def demo() -> None:
    """Print the weights and the mixture at bank."""
    for name, function in (("wrong", wrong), ("right", right)):
        weights = function([QUERY], KEYS)
        print(f"{name}  weights {shown_vector(weights[0], form='')}")
        print(f"{name}  mixture {shown_vector((weights @ VALUES)[0])}")


def check(function: Callable[..., Array]) -> None:
    """Take two queries and three keys: each query's weights add up to one."""
    sums = function(np.eye(2, 4), np.eye(3, 4)).sum(axis=-1)
    assert np.allclose(sums, 1), f"a query's weights add up to {sums[0]:.4f}, not to 1"
