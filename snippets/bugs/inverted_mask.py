"""A mask keeps some keys from some queries. Here True means: this query may use this key."""

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
    """Return the weights, (n_q, n_k). True = may use."""
    scores = scaled_dot_product_scores(queries, keys)  # (n_q, n_k)
    scores = np.where(mask, -1e9, scores)
    return softmax(scores)


right = attention_weights


def case(function: Callable[..., Array]) -> Array:
    """Return the causal weights among the three tokens alone, (3, 3)."""
    three = read(" ".join(TOKENS))
    return function(three.queries, three.keys, causal_mask(len(TOKENS)))


def measure(function: Callable[..., Array]) -> float:
    """Return the weight of bank, which comes later, for the query at net."""
    return float(case(function)[1, 2])


def demo() -> None:
    """Print a row of weights for each of the three queries."""
    for name, function in (("wrong", wrong), ("right", right)):
        for token, row in zip(TOKENS, case(function), strict=True):
            print(f"{name}  at {token:<9}  {shown_vector(row)}")


def check(function: Callable[..., Array]) -> None:
    """Allow one key of two: it has all the weight."""
    weights = function(np.ones((1, 2)), np.ones((2, 2)), np.array([[True, False]]))[0]
    assert weights.tolist() == [1, 0], f"the key that is allowed gets {weights[0]:g}, not 1"
