"""Scores are scaled, so that they keep their spread when vectors get longer."""

from collections.abc import Callable

import numpy as np

from publisher.results import shown_vector
from snippets.attention import Array, scaled_dot_product_scores, softmax
from snippets.running_example import KEYS, QUERY


def wrong(queries: Array, keys: Array) -> Array:
    """Return the score of every key for every query, (n_q, n_k)."""
    d_k = keys.shape[-1]
    return np.asarray(queries @ keys.T / d_k)


right = scaled_dot_product_scores


def measure(function: Callable[..., Array]) -> float:
    """Return the weight of fisherman for the query at bank."""
    return float(softmax(function(np.array([QUERY]), np.array(KEYS)))[0, 0])


def demo() -> None:
    """Print the weights at bank."""
    for name, function in (("wrong", wrong), ("right", right)):
        scores = function(np.array([QUERY]), np.array(KEYS))[0]
        print(f"{name}  weights {shown_vector(softmax(scores), form='')}")


def check(function: Callable[..., Array]) -> None:
    """Score sixteen ones against sixteen ones: the product is 16, the score 4."""
    score = function(np.ones((1, 16)), np.ones((1, 16)))[0, 0]
    assert np.isclose(score, 4), f"sixteen ones against sixteen ones score {score:g}, not 4"
