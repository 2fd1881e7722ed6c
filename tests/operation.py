"""The operation in plain Python, one number at a time, and inputs for its properties."""

from __future__ import annotations

import math
from itertools import chain
from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from numpy.typing import NDArray

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Rows = list[list[float]]
Projections = tuple[Array, Array, Array, Array]
HUGE = 1e308  # two of these add up to more than float64 holds
LARGEST = float(np.finfo(np.float64).max)

properties = settings(max_examples=60, deadline=None, derandomize=True)


def slow_softmax(scores: list[float], allowed: list[bool]) -> list[float]:
    """Compute e^s over the sum of e^s for the allowed scores, and 0 for the others."""
    largest = max(s for s, ok in zip(scores, allowed, strict=True) if ok)
    exponentials = [
        math.exp(s - largest) if ok else 0.0 for s, ok in zip(scores, allowed, strict=True)
    ]
    return [e / math.fsum(exponentials) for e in exponentials]


def slow_attention(
    queries: Rows, keys: Rows, values: Rows, mask: list[list[bool]]
) -> tuple[Rows, Rows]:
    """Compute attention for one query after the other, one dot product after the other."""
    output, weights = [], []
    for query, allowed in zip(queries, mask, strict=True):
        scores = [
            math.fsum(q * k for q, k in zip(query, key, strict=True)) / math.sqrt(len(query))
            for key in keys
        ]
        row = slow_softmax(scores, allowed)
        weights.append(row)
        output.append(
            [
                math.fsum(w * v for w, v in zip(row, column, strict=True))
                for column in zip(*values, strict=True)
            ]
        )
    return output, weights


def slow_product(left: Rows, right: Rows) -> Rows:
    """Multiply two matrices, entry by entry."""
    return [
        [
            math.fsum(a * b for a, b in zip(row, column, strict=True))
            for column in zip(*right, strict=True)
        ]
        for row in left
    ]


def slow_multi_head(
    x: Array, w_q: Array, w_k: Array, w_v: Array, w_o: Array, mask: Mask, context: Array
) -> tuple[Rows, list[Rows]]:
    """Attend head by head in plain Python, concatenate the outputs, multiply by w_o."""
    outputs, weights = [], []
    for head in range(len(w_q)):
        output, head_weights = slow_attention(
            slow_product(x.tolist(), w_q[head].tolist()),
            slow_product(context.tolist(), w_k[head].tolist()),
            slow_product(context.tolist(), w_v[head].tolist()),
            mask.tolist(),
        )
        outputs.append(output)
        weights.append(head_weights)
    concatenated = [list(chain(*rows)) for rows in zip(*outputs, strict=True)]
    return slow_product(concatenated, w_o.tolist()), weights


def everything(n_q: int, n_k: int) -> list[list[bool]]:
    """Let every query use every key."""
    return [[True] * n_k for _ in range(n_q)]


def same_bits(one: Array, other: Array) -> bool:
    """Compare two arrays bit by bit."""
    return one.shape == other.shape and one.tobytes() == other.tobytes()


def close(actual: Array, expected: Any) -> None:
    """Compare to within a few roundings; shapes must be equal, not only broadcast."""
    assert actual.shape == np.shape(expected)
    np.testing.assert_allclose(actual, expected, rtol=1e-10, atol=1e-12)


def draw(seed: int, *shape: int) -> Array:
    """Draw an array of normal numbers, always the same ones for the same seed."""
    return np.random.default_rng(seed).normal(size=shape)


def projections(heads: int, d_model: int, d_context: int, d_k: int, d_v: int) -> Projections:
    """Draw w_q, w_k, w_v and w_o, the last of them for an output of size 5."""
    return (
        draw(21, heads, d_model, d_k),
        draw(22, heads, d_context, d_k),
        draw(23, heads, d_context, d_v),
        draw(24, heads * d_v, 5),
    )


# A few tokens, moderate numbers, and now and then a large one.

sizes = st.integers(1, 6)
numbers = st.floats(-30, 30, width=32)


@st.composite
def problems(draw_from: st.DrawFn, batched: bool = False) -> dict[str, Any]:
    """Draw queries, keys, values and a mask that leaves every query at least one key."""
    n_q, n_k, d_k, d_v = (draw_from(sizes) for _ in range(4))
    batch = (draw_from(st.integers(1, 3)),) if batched else ()
    mask = draw_from(npst.arrays(np.bool_, (*batch, n_q, n_k)))
    kept = draw_from(npst.arrays(np.int64, (*batch, n_q, 1), elements=st.integers(0, n_k - 1)))
    np.put_along_axis(mask, kept, True, axis=-1)
    return {
        "queries": draw_from(npst.arrays(np.float64, (*batch, n_q, d_k), elements=numbers)),
        "keys": draw_from(npst.arrays(np.float64, (*batch, n_k, d_k), elements=numbers)),
        "values": draw_from(npst.arrays(np.float64, (*batch, n_k, d_v), elements=numbers)),
        "mask": mask,
    }
