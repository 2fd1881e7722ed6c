"""A masked key gets no weight at all."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from publisher.results import shown_vector
from snippets.attention import (
    Array,
    attention_weights,
    causal_mask,
    scaled_dot_product_scores,
    softmax,
)
from snippets.query_key_value import read
from snippets.running_example import TOKENS


def wrong(queries: Array, keys: Array, mask: NDArray[np.bool_]) -> Array:
    """Return the weights, (n_q, n_k), zero where the mask is False."""
    scores = scaled_dot_product_scores(queries, keys)  # (n_q, n_k)
    return softmax(scores * mask)


right = attention_weights


def case(function: Callable[..., Array]) -> Array:
    """Return the causal weights at net among the three tokens alone, (3,)."""
    three = read(" ".join(TOKENS))
    return function(three.queries, three.keys, causal_mask(len(TOKENS)))[1, :]


def measure(function: Callable[..., Array]) -> float:
    """Return the weight of bank, which comes later, for the query at net."""
    return float(case(function)[2])


def demo() -> None:
    """Print the row of weights at net."""
    for name, function in (("wrong", wrong), ("right", right)):
        print(f"{name}  weights {shown_vector(case(function))}")


def check(function: Callable[..., Array]) -> None:
    """Mask one key where all scores are below zero: its weight is zero."""
    keys, mask = np.array([[-1.0], [-2.0], [-3.0]]), np.array([[True, True, False]])
    masked = function(np.ones((1, 1)), keys, mask)[0, 2]
    assert masked == 0, f"a masked key has the weight {masked:.4f}, not 0"
