"""The drawing of the home page: one word in two scenes, and the row of numbers they share."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.font_manager import FontProperties
from matplotlib.patches import FancyBboxPatch, PathPatch, Polygon, Rectangle
from matplotlib.path import Path
from matplotlib.textpath import TextPath

from publisher.figures import palette
from publisher.figures.parts import canvas
from publisher.results import shown
from snippets.drawings.scenes import SIZE, draw_counter, draw_river
from snippets.drawings.tokens import STROKES, token_colour

Point = tuple[float, float]
# Measures, in points: a panel's height; how far down the word stands, and the row of numbers; a
# cell of that row; the space between two words.
PANEL, BASE, ROW, CELL, SPACE = 280.0, 207.0, 245.0, 40.0, 3.6
PICTURES = {"river": draw_river, "money": draw_counter}


class Scene(NamedTuple):
    """A sentence with the word in it."""

    name: str  # one of PICTURES
    tokens: Sequence[str]
    place: int  # of the word, counted from one
    clues: Sequence[str]  # the neighbours that arrows lead from


class Shared(NamedTuple):
    """What both scenes have in common."""

    word: str
    row: Sequence[float]  # its embedding
    known: tuple[str, ...]  # the tokens that have a colour of their own

    @property
    def colour(self) -> str:
        """The word's colour."""
        return token_colour(self.known, self.word)


def draw_scenes(scenes: Sequence[Scene], shared: Shared, narrow: bool) -> Drawing:
    """Draw the two scenes, side by side or one above the other, joined by the row they share.

    Parameters
    ----------
    scenes : the two sentences, each with the word
    shared : the word and its row
    narrow : whether for a phone
    """
    width, gap = (280.0, 14.0) if narrow else (266.0, 12.0)
    size = (width, 2 * PANEL + gap) if narrow else (2 * width + gap, PANEL)
    drawing, axes = canvas(*size)
    corners = [(0.0, 0.0), (0.0, PANEL + gap)] if narrow else [(0.0, 0.0), (width + gap, 0.0)]
    for scene, corner in zip(scenes, corners, strict=True):
        _panel(axes, scene, shared, corner, width)
    edge = CELL * len(shared.row) / 2
    ends = [(x + width / 2, y + ROW) for x, y in corners]
    if narrow:
        out = width - 14
        points = [(ends[0][0] + edge, ends[0][1]), (out, ends[0][1]), (out, ends[1][1]),
                  (ends[1][0] + edge, ends[1][1])]  # fmt: skip
        pill = (width - 50, PANEL + gap / 2)
    else:
        points = [(ends[0][0] + edge, ends[0][1]), (ends[1][0] - edge, ends[1][1])]
        pill = (size[0] / 2, ends[0][1])
    for start, end in pairwise(points):
        axes.plot(*zip(start, end, strict=True), color=shared.colour, lw=1.8, ls=":")
    look = {"boxstyle": "round,pad=0.35", "facecolor": palette.PAPER, "edgecolor": shared.colour}
    axes.text(
        *pill, "the same row", size=9.5, weight="bold", color=shared.colour, ha="center",
        va="center", bbox=look,
    )  # fmt: skip
    return drawing


def _panel(axes: Axes, scene: Scene, shared: Shared, at: Point, width: float) -> None:
    """Draw one scene, its sentence, and the word in it with its position and its row."""
    x, y = at
    middle = x + width / 2
    frame = FancyBboxPatch(
        (x + 6, y + 6), width - 12, PANEL - 12, boxstyle="round,pad=5", facecolor=palette.PAPER,
        edgecolor=palette.RULE, lw=1.2,
    )  # fmt: skip
    axes.add_patch(frame)
    PICTURES[scene.name](axes, (middle - SIZE[0] / 2, y + 16))
    found = _sentence(axes, scene, shared, middle, y)
    goal = y + BASE - 20
    offsets = np.linspace(-9, 9, len(found)) if len(found) > 1 else [0.0]
    for (clue, spot), offset in zip(found.items(), offsets, strict=True):
        stroke = STROKES[shared.known.index(clue)] if clue in shared.known else "-"
        start = (spot[0], min(spot[1] + 6, goal))
        colour = token_colour(shared.known, clue)
        _link(axes, start, (middle + offset, goal), colour, stroke)
    _row(axes, shared, (middle, y + ROW))
    under = "its row in the embedding table"
    axes.text(middle, y + ROW + 26, under, size=9.5, color=palette.MUTED, ha="center")


def _sentence(
    axes: Axes, scene: Scene, shared: Shared, middle: float, top: float
) -> dict[str, Point]:
    """Set a sentence on two lines, its word large; return where the linked neighbours stand."""
    _, tokens, place, clues = scene
    cut = max(place - 3, 0)  # two words stand before the word, on its own line
    above, before, after = tokens[:cut], tokens[cut : place - 1], tokens[place:]

    def length(words: Sequence[str]) -> float:
        weights = ["bold" if word in clues else "normal" for word in words]
        parts = (_width(w, 11, weight) + SPACE for w, weight in zip(words, weights, strict=True))
        return math.fsum(parts)  # the same on every Python; sum() of floats is not

    half = _width(shared.word, 21, "bold") / 2 + 5
    base = top + BASE
    colours = {clue: token_colour(shared.known, clue) for clue in clues}
    found = _set(axes, above, (middle - length(above) / 2, base - 59), colours)
    found |= _set(axes, before, (middle - half - length(before) + 2, base), colours)
    found |= _set(axes, after, (middle + half, base), colours)
    axes.text(
        middle, base, shared.word, size=21, weight="bold", color=shared.colour, ha="center"
    )  # fmt: skip
    where = f"position {shown(place)} of {shown(len(tokens))}"
    axes.text(middle, base + 18, where, size=9.5, color=palette.MUTED, ha="center")
    return found


def _set(
    axes: Axes, words: Sequence[str], start: Point, clues: Mapping[str, str]
) -> dict[str, Point]:
    """Set words on one line, from `start` on; return the middle of each clue's baseline.

    The clues are bold, each in the colour given with it.
    """
    middles = {}
    x, y = start
    for word in words:
        weight = "bold" if word in clues else "normal"
        width = _width(word, 11, weight)
        middle, colour = x + width / 2, clues.get(word, palette.MUTED)
        axes.text(middle, y, word, size=11, weight=weight, color=colour, ha="center")
        if word in clues:
            middles[word] = (middle, y)
        x += width + SPACE
    return middles


def _link(axes: Axes, start: Point, end: Point, colour: str, stroke: str) -> None:
    """Draw an arrow that leaves a neighbour downwards and reaches the word from above."""
    middle = (start[1] + end[1]) / 2
    neck = (end[0], end[1] - 6)
    path = Path([start, (start[0], middle + 8), (end[0], middle - 12), neck], [1, 4, 4, 4])
    axes.add_patch(PathPatch(path, facecolor="none", edgecolor=colour, lw=1.8, linestyle=stroke))
    head = [(end[0] - 4.5, neck[1]), (end[0] + 4.5, neck[1]), (end[0], neck[1] + 9)]
    axes.add_patch(Polygon(head, color=colour, linewidth=0))


def _row(axes: Axes, shared: Shared, centre: Point) -> None:
    """Draw the word's embedding row as a strip of cells."""
    left = centre[0] - CELL * len(shared.row) / 2
    for place, value in enumerate(shared.row):
        corner = (left + CELL * place, centre[1] - 11)
        cell = Rectangle(corner, CELL, 22, facecolor=palette.FILL, edgecolor=shared.colour)
        axes.add_patch(cell)
        axes.text(corner[0] + CELL / 2, centre[1] + 4, shown(value, form="short"), ha="center")


def _width(word: str, size: float, weight: str) -> float:
    """Return the width of a word in the figures' own typeface."""
    return float(TextPath((0, 0), word, prop=_font(size, weight)).get_extents().width)


def _font(size: float, weight: str) -> FontProperties:
    return FontProperties(family="DejaVu Sans", size=size, weight=weight)
