"""One wide projection is cut into heads: each head gets its own columns of every row."""

from collections.abc import Callable

import numpy as np

from publisher.results import shown_vector
from snippets.attention import Array
from snippets.heads import split
from snippets.running_example import KEYS

HEADS = 2


def wrong(x: Array, heads: int) -> Array:
    """Cut (n, heads * d) into (heads, n, d)."""
    n, width = x.shape
    return x.reshape(heads, n, width // heads)


right = split


def measure(function: Callable[[Array, int], Array]) -> float:
    """Return what head one gets as the key of net."""
    return float(function(np.array(KEYS), HEADS)[0, 1, 0])


def demo() -> None:
    """Print the keys of fisherman, net and bank in head one and in head two."""
    for name, function in (("wrong", wrong), ("right", right)):
        one, two = function(np.array(KEYS), HEADS)[:, :, 0]
        print(f"{name}  head one {shown_vector(one)}")
        print(f"{name}  head two {shown_vector(two)}")


def check(function: Callable[[Array, int], Array]) -> None:
    """Cut four columns in two: head one has the first two."""
    x = np.arange(12.0).reshape(3, 4)
    head_one = function(x, 2)[0]
    assert np.array_equal(head_one, x[:, :2]), f"head one, position two is {head_one[1]}"
