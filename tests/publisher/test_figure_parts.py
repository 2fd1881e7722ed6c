"""The parts of drawings: what tells tokens apart without colour, and what a drawing weighs."""

from __future__ import annotations

import io

import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from publisher.figures import palette, parts
from publisher.figures.parts import plane
from snippets.drawings.tokens import bar, token_colour

TOKENS = ("one", "two", "three")


@pytest.fixture
def canvas() -> tuple[Figure, Axes]:
    return parts.canvas(200, 100)


def weight(drawing: Figure) -> int:
    stream = io.BytesIO()
    with palette.settings("test"):
        drawing.savefig(stream, format="svg")
    return len(stream.getvalue())


def test_bars_differ_in_pattern_as_well_as_in_colour(canvas: tuple[Figure, Axes]) -> None:
    _, axes = canvas
    looks = set()
    for row, word in enumerate((*TOKENS, "another")):
        lines = len(axes.lines)
        bar(axes, 10, 20 * row + 10, 60, word, TOKENS)
        patch = axes.patches[-1]
        assert isinstance(patch, Rectangle)
        assert (patch.get_x(), patch.get_width(), patch.get_height()) == (10, 60, 18)
        colour = token_colour(TOKENS, word) if word in TOKENS else palette.MUTED
        assert to_hex(patch.get_facecolor()) == colour
        looks.add((patch.get_hatch() or "", len(axes.lines) - lines))
    assert looks == {("", 0), ("///", 0), ("", 3)}  # plain, hatched, three rows of dots


def test_dots_stay_inside_a_bar_and_weigh_little(canvas: tuple[Figure, Axes]) -> None:
    drawing, axes = canvas
    empty = weight(drawing)
    for width in (1, 3, 60):
        bar(axes, 10, 50, width, "three", TOKENS)
    for line in axes.lines:
        assert 10 < min(line.get_xdata()) <= max(line.get_xdata()) <= 70
    assert weight(drawing) - empty < 5_000


def test_words_of_one_row_stand_on_one_line(canvas: tuple[Figure, Axes]) -> None:
    _, axes = canvas
    for x, words in enumerate(("[2, 0]", "2√2", "gap")):
        parts.write(axes, 50 * x, 40, words)
    assert len({text.get_position()[1] for text in axes.texts}) == 1
    assert {text.get_verticalalignment() for text in axes.texts} == {"baseline"}


def test_a_grid_shows_every_entry_and_pales_zeros(canvas: tuple[Figure, Axes]) -> None:
    _, axes = canvas
    parts.grid(axes, 10, 10, [["1", "0"], ["√2", "-1"]], 20)
    assert [text.get_text() for text in axes.texts] == ["1", "0", "√2", "-1"]
    assert [text.get_color() for text in axes.texts] == [
        palette.INK, palette.MUTED, palette.INK, palette.INK,
    ]  # fmt: skip
    assert len(axes.patches) == 4


@pytest.mark.parametrize(("extent", "step"), [(4, 1), (10, 1), (11, 2), (60, 10), (3e9, 5e8)])
def test_a_plane_has_a_grid_of_few_lines(extent: float, step: float) -> None:
    _, axes = plane(200, 200, (0, extent, -1, 1))
    ticks = axes.get_xticks()
    assert ticks[1] - ticks[0] == step
    assert len(ticks) < 15
