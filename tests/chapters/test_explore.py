"""All weights with one output, by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from matplotlib.patches import Rectangle

from publisher.results import shown, shown_vector
from snippets import explore
from snippets.reading_a_map import jensen_shannon
from snippets.running_example import TOKENS, VALUES
from tests.by_hand import contents, divergence, dot, exact, hand_weights, plain, times


def ends() -> dict[str, list[float]]:
    """Walk along the one direction that keeps output and total, both ways, until a weight is 0."""
    across = [b - a for a, b in zip(*VALUES[:2], strict=True)]
    first, second, third = (dot(value, across) for value in VALUES)  # places on the line
    direction = [second - third, third - first, first - second]
    assert math.fsum(direction) == pytest.approx(0, abs=1e-12)
    assert times(direction, VALUES) == pytest.approx([0, 0], abs=1e-12)
    found = {}
    for way in (1, -1):
        steps = [
            (-a / (way * d), token)
            for a, d, token in zip(hand_weights(), direction, TOKENS, strict=True)
            if way * d < 0
        ]
        step, token = min(steps)
        moved = zip(hand_weights(), direction, strict=True)
        found[f"no {token}"] = [a + step * way * d for a, d in moved]
    return found


def three() -> dict[str, list[float]]:
    return {
        "no bank": ends()["no bank"],
        "the start": hand_weights(),
        "no net": ends()["no net"],
    }


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


def test_numbers() -> None:
    start = hand_weights()
    assert plain(explore.numbers()) == exact(
        {
            "without_bank": divergence(start, ends()["no bank"]),
            "without_net": divergence(start, ends()["no net"]),
            "ln_2": math.log(2),
        }
    )


def test_figure_shows_the_two_ends_and_the_start() -> None:
    figure = explore.figures()["same_output"]
    output = times(hand_weights(), VALUES)
    expected = [
        [name, *weights, output, divergence(hand_weights(), weights)]
        for name, weights in three().items()
    ]
    assert contents(explore.figures()["same_output"].data) == exact(expected)
    for name, weights in three().items():
        said = ", ".join(f"{t} {a:.4f}" for t, a in zip(TOKENS, weights, strict=True))
        assert f"{name}: {said}" in figure.description
    assert f"one output, {shown_vector(output, '')}." in figure.description


@pytest.mark.parametrize(("narrow", "side"), [(False, 232), (True, 214)])
def test_drawing_has_a_segment_and_three_times_three_bars(narrow: bool, side: float) -> None:
    axes = explore.figures()["same_output"].draw(narrow).axes[0]
    weights = list(three().values())
    segment = axes.lines[1].get_xydata()
    assert [list(map(float, point)) for point in segment] == [
        exact([36 + side * w[2], 44 + side * (1 - w[0])]) for w in weights
    ]
    bars = [p.get_width() for p in axes.patches if isinstance(p, Rectangle)]
    assert bars == exact([150 * a for w in weights for a in w])
    assert {shown(a) for w in weights for a in w} <= {text.get_text() for text in axes.texts}


def test_what_the_text_says() -> None:
    near, far = (divergence(hand_weights(), end) for end in (ends()["no bank"], ends()["no net"]))
    page = "docs/reading-a-map.md"
    assert near < far, f"{page}: no longer so: 'The end without net'"
    random = np.random.RandomState(2019)
    for _ in range(50):  # the most unlike is a corner: mixtures of corners are nearer
        start, *corners = random.dirichlet(np.ones(4), 4)
        farthest = max(jensen_shannon(start, corner) for corner in corners)
        inside = random.dirichlet(np.ones(3)) @ np.array(corners)
        assert jensen_shannon(start, inside) < farthest
