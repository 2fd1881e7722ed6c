"""Masked or not, a query's weights must add up to one."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from publisher.results import shown_vector
from snippets.attention import Array, attention_weights, causal_mask
from snippets.query_key_value import read
from snippets.running_example import TOKENS


def wrong(queries: Array, keys: Array, mask: NDArray[np.bool_]) -> Array:
    """Return the weights, (n_q, n_k), zero where the mask is False."""
    weights = attention_weights(queries, keys)
    return weights * mask


right = attention_weights


def case(function: Callable[..., Array]) -> Array:
    """Return the causal weights at net among the three tokens alone, (3,)."""
    three = read(" ".join(TOKENS))
    return function(three.queries, three.keys, causal_mask(len(TOKENS)))[1, :]


def measure(function: Callable[..., Array]) -> float:
    """Return what the weights at net add up to."""
    return float(case(function).sum())


def demo() -> None:
    """Print the row of weights at net, and its sum."""
    for name, function in (("wrong", wrong), ("right", right)):
        row = case(function)
        print(f"{name}  weights {shown_vector(row)}")
        print(f"{name}  sum     {row.sum():.4f}")


def check(function: Callable[..., Array]) -> None:
    """Allow two keys of three: their weights add up to one."""
    total = function(np.ones((1, 2)), np.eye(3, 2), np.array([[True, False, True]])).sum()
    assert np.isclose(total, 1), f"under a mask the weights add up to {total:.4f}, not to 1"
