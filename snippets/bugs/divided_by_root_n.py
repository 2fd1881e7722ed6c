"""A score depends on one query and one key, and on nothing else."""

from collections.abc import Callable

import numpy as np

from publisher.results import shown_vector
from snippets.attention import Array, scaled_dot_product_scores, softmax
from snippets.running_example import KEYS, QUERY


def wrong(queries: Array, keys: Array) -> Array:
    """Return the score of every key for every query, (n_q, n_k)."""
    return np.asarray(queries @ keys.T / np.sqrt(len(keys)))


right = scaled_dot_product_scores


def measure(function: Callable[..., Array]) -> float:
    """Return the weight of fisherman for the query at bank."""
    return float(softmax(function(np.array([QUERY]), np.array(KEYS)))[0, 0])


def demo() -> None:
    """Print the score of fisherman with one, two and three keys present."""
    for name, function in (("wrong", wrong), ("right", right)):
        scores = [function(np.array([QUERY]), np.array(KEYS[:n]))[0, 0] for n in (1, 2, 3)]
        print(f"{name}  scores {shown_vector(scores, form='surd')}")


def check(function: Callable[..., Array]) -> None:
    """Score a key alone and among others: it is the same score."""
    query, keys = np.ones((1, 2)), np.ones((4, 2))
    alone, among = function(query, keys[:1])[0, 0], function(query, keys)[0, 0]
    assert np.isclose(alone, among), f"a key scores {alone:.4f} alone, {among:.4f} among four"
