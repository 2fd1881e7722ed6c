"""One head is taken out, to see what the others do without it."""

from collections.abc import Callable

import numpy as np

from publisher.results import shown_vector
from snippets.attention import Array
from snippets.heads import bank_row, head_by_head
from snippets.query_key_value import read
from snippets.running_example import RIVER, W_O


def wrong(heads: Array, w_o: Array, index: int) -> Array:
    """Return the output, (d_out,), without one of the heads, (h, d_v)."""
    output = np.asarray(heads.reshape(-1) @ w_o)
    d_v = heads.shape[-1]
    output[index * d_v : (index + 1) * d_v] = 0
    return output


def right(heads: Array, w_o: Array, index: int) -> Array:
    """Return the output, (d_out,), without one of the heads, (h, d_v)."""
    kept = heads.copy()
    kept[index] = 0
    return np.asarray(kept.reshape(-1) @ w_o)


def case(function: Callable[..., Array]) -> Array:
    """Return the output at bank in the river sentence without head two, (d_out,)."""
    end_to_end, _ = head_by_head(read(RIVER).x)  # (n, h * d_v)
    return function(bank_row(end_to_end).reshape(2, -1), np.array(W_O), 1)


def measure(function: Callable[..., Array]) -> float:
    """Return the first coordinate of the output at bank without head two."""
    return float(case(function)[0])


def demo() -> None:
    """Print the output at bank without head two."""
    for name, function in (("wrong", wrong), ("right", right)):
        print(f"{name}  output {shown_vector(case(function))}")


def check(function: Callable[..., Array]) -> None:
    """Change what the absent head had found: the output stays."""
    found, other = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[1.0, 2.0], [8.0, 9.0]])
    one, two = (function(heads, np.ones((4, 4)), 1) for heads in (found, other))
    assert np.allclose(one, two), f"the absent head moves a coordinate to {two[0]:g}"
