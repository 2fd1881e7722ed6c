"""The drawings of the chapter on attention maps: the map itself, and three measures as bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.patches import Rectangle

from publisher.figures import palette
from publisher.figures.parts import canvas, panel, write
from publisher.results import shown
from snippets.attention import Array
from snippets.drawings.tokens import bar, names, token_colour

# The shades of the map: where they begin, in multiples of the equal share.
SHADES = {0.0: palette.PAPER, 0.75: palette.FILL, 1.25: palette.RULE, 2.0: palette.MUTED}


def draw_map(
    known: tuple[str, ...], tokens: Sequence[str], weights: Array, framed: int, narrow: bool
) -> Drawing:
    """Draw a sentence's weights as a heat map.

    Parameters
    ----------
    known : the example's three tokens, which have colours
    tokens : the n tokens of the sentence
    weights : (n, n), a row for each query
    framed : the index of the row that has a frame
    narrow : whether for a phone
    """
    left, top, width, height = (68, 70, 25, 24) if narrow else (120, 74, 44, 26)
    drawing, axes = canvas(*((300, 370) if narrow else (540, 362)))
    for i, token in enumerate(tokens):
        colour, bold = token_colour(known, token), token in known
        write(axes, left - 8, top + height * (i + 0.5), token, colour, "right", 10, bold)
        axes.text(
            left + width * (i + 0.5) + 4, top - 8, token, color=colour, rotation=60,
            rotation_mode="anchor", fontsize=10, weight="bold" if bold else "normal",
        )  # fmt: skip
        for j, weight in enumerate(weights[i, :]):
            x, y, colour = left + width * j, top + height * i, _shade(weight * len(tokens))
            _cell(axes, x, y, width, height, colour)
            ink = palette.PAPER if colour == palette.MUTED else palette.INK
            write(axes, x + width / 2, y + height / 2, shown(weight, 2), ink, size=9)
    frame = Rectangle(
        (left, top + height * framed), width * len(tokens), height, fill=False,
        edgecolor=palette.ACCENT, lw=2.4,
    )  # fmt: skip
    axes.add_patch(frame)
    _legend(axes, left, top + height * len(tokens) + 18, narrow)
    return drawing


def _shade(multiple: float) -> str:
    """Return the colour of a weight that is so many times the equal share."""
    return SHADES[max(edge for edge in SHADES if multiple >= edge)]


def _cell(axes: Axes, x: float, y: float, width: float, height: float, colour: str) -> None:
    axes.add_patch(
        Rectangle((x, y), width, height, facecolor=colour, edgecolor=palette.MUTED, linewidth=0.6)
    )


def _legend(axes: Axes, left: float, top: float, narrow: bool) -> None:
    """Say what each shade stands for, in multiples of the equal share."""
    edges = [shown(edge, form="short") for edge in SHADES]
    said = [f"under {edges[1]}", *(f"{a} to {b}" for a, b in pairwise(edges[1:]))]
    write(axes, left, top + 4, "times the equal share:", palette.MUTED, "left", 9.5)
    for k, words in enumerate([*said, f"{edges[-1]} and more"]):
        row, column = divmod(k, 2 if narrow else 4)
        x, y = left + (132 if narrow else 98) * column, top + 20 * row
        _cell(axes, x, y + 18, 16, 12, list(SHADES.values())[k])
        write(axes, x + 22, y + 24, words, align="left", size=9.5)


def draw_measures(
    tokens: tuple[str, ...], measures: Mapping[str, Array], narrow: bool
) -> Drawing:  # fmt: skip
    """Draw measures of the same positions as bars, one panel each with a scale of its own.

    Parameters
    ----------
    tokens : the three tokens
    measures : three by name, each (3,)
    narrow : whether for a phone
    """
    drawing, axes = canvas(*((320, 414) if narrow else (600, 150)))
    for k, (title, measure) in enumerate(measures.items()):
        left, top = (8, 6 + 136 * k) if narrow else (6 + 198 * k, 8)
        right, middles = left + (304 if narrow else 192), [top + 46 + 30 * j for j in range(3)]
        panel(axes, left, top, right, top + 130, title.capitalize())
        names(axes, left + 10, middles, tokens)
        longest = 120 if narrow else 50
        for token, y, size in zip(tokens, middles, measure, strict=True):
            bar(axes, left + 84, y, longest * size / measure.max(), token, tokens, 16)
            write(axes, right - 10, y, shown(size), align="right")
    return drawing
