"""All weights with one output, by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from snippets import explore
from snippets.reading_a_map import jensen_shannon
from tests.by_hand import divergence

E = math.e
WEIGHTS = [E**2 / (E**2 + E + 1), E / (E**2 + E + 1), 1 / (E**2 + E + 1)]


def test_same_output_keeps_the_mixture_and_the_total() -> None:
    random = np.random.RandomState(2019)
    cases: list[tuple[list[tuple[float, float]], dict[int, float]]] = [
        ([(2, 0), (0, 2), (1, 1)], {2: 0.3}),
        ([(0, 0), (3, 1), (1, 4)], {}),
        ([(0, 0), (3, 1), (1, 4), (1.5, 1.5)], {3: 0.2}),
        ([(0, 0), (1, 1), (2, 2), (3, 3)], {2: 0.25, 3: 0.2}),
        ([(1, 1)] * 4, {1: 0.1, 2: 0.2, 3: 0.3}),
    ]
    for values, given in cases:
        weights = random.dirichlet(np.full(len(values), 20))
        other = explore.same_output(values, weights, given)
        assert min(other) >= 0 and math.fsum(other) == pytest.approx(1, abs=1e-12)
        assert other @ np.array(values) == pytest.approx(weights @ np.array(values), abs=1e-12)
        assert [other[j] for j in given] == list(given.values())
        if not given:
            assert other == pytest.approx(weights, abs=1e-12)


def test_the_figure_of_same_output_shows_the_two_ends_and_the_start() -> None:
    figure = explore.figures()["same_output"]
    f, n, b = WEIGHTS
    expected = {
        "no bank": [f + b / 2, n + b / 2, 0],
        "the start": WEIGHTS,
        "no net": [f - n, 0, b + 2 * n],
    }
    assert [row[0] for row in figure.data.rows] == list(expected)
    for row, weights in zip(figure.data.rows, expected.values(), strict=True):
        assert list(row[1:4]) == pytest.approx(weights, abs=1e-12)
        assert row[4] == pytest.approx([2 * f + b, 2 * n + b], rel=1e-12)
        assert row[5] == pytest.approx(divergence(WEIGHTS, weights), abs=1e-12)
    assert "no net: fisherman 0.4205, net 0.0000, bank 0.5795" in figure.description


def test_what_the_words_say_of_the_divergence() -> None:
    f, n, b = WEIGHTS
    numbers = explore.numbers()
    near = divergence(WEIGHTS, [f + b / 2, n + b / 2, 0])
    far = divergence(WEIGHTS, [f - n, 0, b + 2 * n])
    assert numbers["without_bank"] == pytest.approx(near, rel=1e-9)
    assert numbers["without_net"] == pytest.approx(far, rel=1e-9)
    assert numbers["ln_2"] == pytest.approx(math.log(2), rel=1e-15)
    assert near < far  # the end without net is further away
    random = np.random.RandomState(2019)
    for _ in range(50):  # the most unlike is a corner: mixtures of corners are nearer
        start, *corners = random.dirichlet(np.ones(4), 4)
        farthest = max(jensen_shannon(start, corner) for corner in corners)
        inside = random.dirichlet(np.ones(3)) @ np.array(corners)
        assert jensen_shannon(start, inside) < farthest
