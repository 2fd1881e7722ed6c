"""The second computation's small parts: loops and `math`, without NumPy and without the site."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from publisher.results import Number
from snippets.running_example import EMBEDDINGS, MONEY, OPEN, POSITION_STEP, RIVER

WORDS = {
    RIVER: ["The", "fisherman", "repaired", "his", "net", "beside", "the", "bank", "."],
    MONEY: ["The", "cashier", "counted", "the", "money", "inside", "the", "bank", "."],
    OPEN: ["The", "bank", "flooded", "after", "the", "storm", "."],
}


def exact(value: object) -> object:
    """Expect a number, a vector or a matrix to the last digits."""
    if isinstance(value, list) and value and isinstance(value[0], list):
        return [exact(row) for row in value]
    return pytest.approx(value, rel=1e-12, abs=1e-12)


def plain(cell: object) -> object:
    """Return a number or a vector of a chapter without its ways of being shown."""
    if isinstance(cell, Number):
        return cell.value
    if isinstance(cell, (Sequence, np.ndarray)) and not isinstance(cell, str):
        return [plain(item) for item in cell]
    return cell


def dot(a: Sequence[float], b: Sequence[float]) -> float:
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def times(x: Sequence[float], matrix: Sequence[Sequence[float]]) -> list[float]:
    """Multiply a row by a matrix, product by product."""
    return [dot(x, column) for column in zip(*matrix, strict=True)]


def softmax(scores: Sequence[float]) -> list[float]:
    powers = [math.exp(score - max(scores)) for score in scores]
    return [power / math.fsum(powers) for power in powers]


def rows(tokens: Sequence[str], placed: bool = True) -> list[list[float]]:
    """Return X: the embedding of each token, with its position or without."""
    return [
        [e + p * s * placed for e, s in zip(EMBEDDINGS[token], POSITION_STEP, strict=True)]
        for p, token in enumerate(tokens, start=1)
    ]


def scores(query: Sequence[float], keys: Sequence[Sequence[float]]) -> list[float]:
    """Return q . k over the root of d_k, for every key."""
    return [dot(query, key) / math.sqrt(len(query)) for key in keys]


def entropy(weights: Sequence[float]) -> float:
    return -math.fsum(w * math.log(w) for w in weights if w > 0)


def divergence(p: Sequence[float], q: Sequence[float]) -> float:
    """Return the Jensen-Shannon divergence: the entropy of the mean less the mean entropy."""
    middle = [(a + b) / 2 for a, b in zip(p, q, strict=True)]
    return entropy(middle) - (entropy(p) + entropy(q)) / 2
