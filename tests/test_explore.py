"""What the explorables start from, by hand."""

from __future__ import annotations

import math

import pytest

from snippets import explore
from snippets import running_example as example


def test_attention_starts_from_the_hand_example() -> None:
    widget = explore.widgets()["attention"]
    assert [token["name"] for token in widget.start["tokens"]] == list(example.TOKENS)
    scores = [
        sum(q * k for q, k in zip(example.QUERY, key, strict=True)) / math.sqrt(len(example.QUERY))
        for key in example.KEYS
    ]
    total = sum(math.exp(score) for score in scores)
    weights = [math.exp(score) / total for score in scores]
    output = [
        sum(w * value[c] for w, value in zip(weights, example.VALUES, strict=True))
        for c in range(len(example.VALUES[0]))
    ]
    equal = [sum(column) / len(example.VALUES) for column in zip(*example.VALUES, strict=True)]
    results = widget.results
    assert results["scores"] == pytest.approx(scores, abs=1e-12)
    assert results["products"] == pytest.approx([s * math.sqrt(2) for s in scores], abs=1e-12)
    assert results["exponentials"] == pytest.approx([math.exp(s) for s in scores], rel=1e-12)
    assert results["weights"] == pytest.approx(weights, rel=1e-12)
    assert results["output"] == pytest.approx(output, rel=1e-12)
    assert results["equal"] == pytest.approx(equal, rel=1e-12)
    for row, weight, value in zip(results["contributions"], weights, example.VALUES, strict=True):
        assert row == pytest.approx([weight * v for v in value], rel=1e-12)
