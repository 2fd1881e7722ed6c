"""The second computation's small parts: loops and `math`, without NumPy and without the site."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest
from matplotlib.patches import Rectangle

from publisher.results import Number, Table
from snippets.running_example import (
    EMBEDDINGS,
    KEYS,
    MONEY,
    OPEN,
    POSITION_STEP,
    QUERY,
    RIVER,
    W_K,
    W_Q,
    W_V,
)

# Each sentence's words, and its full stop.
WORDS = {sentence: sentence.replace(".", " .").split() for sentence in (RIVER, MONEY, OPEN)}


def exact(value: object) -> object:
    """Expect a number, a vector, a table's rows or several of them by name, to the last digits."""
    if isinstance(value, Mapping):
        return {name: exact(item) for name, item in value.items()}
    if isinstance(value, str):
        return value
    if isinstance(value, list) and any(isinstance(item, (list, str, Mapping)) for item in value):
        return [exact(row) for row in value]
    return pytest.approx(value, rel=1e-12, abs=1e-12)


def plain(cell: object) -> object:
    """Return a number, a vector or all by name, without the chapter's ways of showing them."""
    if isinstance(cell, Mapping):
        return {name: plain(item) for name, item in cell.items()}
    if isinstance(cell, Number):
        return cell.value
    if isinstance(cell, (Sequence, np.ndarray)) and not isinstance(cell, str):
        return [plain(item) for item in cell]
    return cell


def contents(table: Table) -> list[list[object]]:
    """Return a table's rows, plain."""
    return [[plain(cell) for cell in row] for row in table.rows]


def contiguous(bars: Sequence[Rectangle]) -> bool:
    """Tell whether each bar begins where the one before it ends."""
    ends = [bar.get_x() + bar.get_width() for bar in bars[:-1]]
    return all(math.isclose(end, bar.get_x()) for end, bar in zip(ends, bars[1:], strict=True))


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


def hand_scores() -> list[float]:
    return scores(QUERY, KEYS)


def hand_weights() -> list[float]:
    return softmax(hand_scores())


def anything(i: int, j: int) -> bool:
    """Let every position use every other: no mask."""
    return True


def causal(i: int, j: int) -> bool:
    """Let position i use itself and the positions before it."""
    return j <= i


Access = Callable[[int, int], bool]


def scores_at(x: Sequence[Sequence[float]], i: int) -> list[float]:
    """Return the scores of position i of X against every position."""
    return scores(times(x[i], W_Q), [times(row, W_K) for row in x])


def weights_at(x: Sequence[Sequence[float]], i: int, may: Access = anything) -> list[float]:
    """Share out among the allowed positions only: a forbidden one never meets the softmax."""
    allowed = [j for j in range(len(x)) if may(i, j)]
    shares = dict(zip(allowed, softmax([scores_at(x, i)[j] for j in allowed]), strict=True))
    return [shares.get(j, 0.0) for j in range(len(x))]


def mixture_at(x: Sequence[Sequence[float]], i: int, may: Access = anything) -> list[float]:
    """Return the mixture at position i of X."""
    return times(weights_at(x, i, may), [times(row, W_V) for row in x])


def says(claim: bool, page: str, sentence: str) -> None:
    """Assert what a page says of the inputs as they are; on other inputs the sentence must go."""
    assert claim, f'{page}: change the sentence "{sentence}"'
