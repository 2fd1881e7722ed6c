"""From representations to weights, with the scaling done on the way."""

from collections.abc import Callable

import numpy as np

from publisher.results import shown_vector
from snippets.attention import Array, attention_weights, softmax
from snippets.query_key_value import read
from snippets.running_example import TOKENS, W_K, W_Q


def wrong(x: Array, w_q: Array, w_k: Array) -> Array:
    """Return the weight of every position for every position, (n, n)."""
    queries, keys = x @ w_q, x @ w_k  # (n, d_k)
    scores = queries @ keys.T
    return softmax(scores / np.sqrt(x.shape[-1]))


def right(x: Array, w_q: Array, w_k: Array) -> Array:
    """Return the weight of every position for every position, (n, n)."""
    return attention_weights(x @ w_q, x @ w_k)


def case(function: Callable[..., Array]) -> Array:
    """Return the weights at bank among the three tokens alone, (3,)."""
    x = read(" ".join(TOKENS)).x  # (3, d_model)
    return function(x, np.array(W_Q), np.array(W_K))[-1, :]


def measure(function: Callable[..., Array]) -> float:
    """Return the weight of fisherman for the query at bank."""
    return float(case(function)[0])


def demo() -> None:
    """Print the weights at bank."""
    for name, function in (("wrong", wrong), ("right", right)):
        print(f"{name}  weights {shown_vector(case(function), form='')}")


def check(function: Callable[..., Array]) -> None:
    """Add five coordinates that hold nothing: every weight stays."""
    x, w = np.eye(3, 4), np.eye(4, 2)
    wider_x, wider_w = np.pad(x, ((0, 0), (0, 5))), np.pad(w, ((0, 5), (0, 0)))
    narrow, wide = function(x, w, w)[0, 0], function(wider_x, wider_w, wider_w)[0, 0]
    assert np.isclose(narrow, wide), f"empty coordinates move a weight to {wide:.4f}"
