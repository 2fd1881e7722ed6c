"""The last step: mix what the positions have to offer."""

from collections.abc import Callable

import numpy as np

from publisher.results import shown_vector
from snippets.attention import Array, attention, attention_weights
from snippets.running_example import KEYS, QUERY, VALUES


def wrong(queries: Array, keys: Array, values: Array) -> Array:
    """Return the mixture at every query, (n_q, d_v)."""
    weights = attention_weights(queries, keys)  # (n_q, n_k)
    return np.asarray(weights @ keys)


def right(queries: Array, keys: Array, values: Array) -> Array:
    """Return the mixture at every query, (n_q, d_v)."""
    return attention(queries, keys, values)[0]


def case(function: Callable[..., Array]) -> Array:
    """Return the mixture at bank, (d_v,)."""
    return function(np.array([QUERY]), np.array(KEYS), np.array(VALUES))[0, :]


def measure(function: Callable[..., Array]) -> float:
    """Return the first coordinate of the mixture at bank."""
    return float(case(function)[0])


def demo() -> None:
    """Print the mixture at bank."""
    for name, function in (("wrong", wrong), ("right", right)):
        print(f"{name}  mixture {shown_vector(case(function))}")


def check(function: Callable[..., Array]) -> None:
    """Take values of another width than the keys: the mixture is as wide as a value."""
    mixture = function(np.ones((1, 2)), np.eye(3, 2), np.ones((3, 5)))
    assert mixture.shape == (1, 5), f"the mixture has shape {mixture.shape}, not (1, 5)"
