"""A causal mask: every position may use itself and those before it."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from publisher.results import shown_vector
from snippets.attention import Array, attention_weights, causal_mask
from snippets.query_key_value import read
from snippets.running_example import TOKENS

Mask = NDArray[np.bool_]


def wrong(n: int) -> Mask:
    """Return the mask, (n, n), True where a position may use another."""
    return np.tri(n, k=1, dtype=bool)


right = causal_mask


def case(function: Callable[[int], Mask]) -> Array:
    """Return the weights among the three tokens alone, (3, 3)."""
    three = read(" ".join(TOKENS))
    return attention_weights(three.queries, three.keys, function(len(TOKENS)))


def measure(function: Callable[[int], Mask]) -> float:
    """Return the weight of net, which comes next, for the query at fisherman."""
    return float(case(function)[0, 1])


def demo() -> None:
    """Print the row of weights at fisherman, the first position."""
    for name, function in (("wrong", wrong), ("right", right)):
        print(f"{name}  weights {shown_vector(case(function)[0])}")


def check(function: Callable[[int], Mask]) -> None:
    """Look at the first position: it may use itself, and nothing else."""
    first = function(4)[0]
    assert first.tolist() == [True, False, False, False], (
        f"the first position may use {first.sum()} positions, not itself alone"
    )
