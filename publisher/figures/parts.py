"""Parts of drawings on a bare canvas (`palette.canvas`): words, boxes, links, bars, grids of numbers.

All coordinates are points, y downwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, Rectangle
from numpy.typing import ArrayLike

from publisher.figures import palette

# The marks of points: matplotlib's sign, size and filling.
SHAPES: dict[str, tuple[str, int, Literal["full", "none"]]] = {
    "dot": ("o", 7, "full"),
    "ring": ("o", 13, "none"),
    "diamond": ("D", 8, "full"),
}


def write(
    axes: Axes, x: float, middle: float, words: str, colour: str = palette.INK,
    align: str = "center", size: float = 10.5, bold: bool = False, turned: bool = False,
) -> None:  # fmt: skip
    """Write a line of words around the height `middle`; on a row all share one baseline."""
    drop = size * 0.36  # from the middle of a digit to its foot
    x, y, angle = (x + drop, middle, 90) if turned else (x, middle + drop, 0)
    axes.text(
        x, y, words, color=colour, ha=align, va="baseline", fontsize=size, rotation=angle,
        rotation_mode="anchor", weight="bold" if bold else "normal",
    )  # fmt: skip


def headings(axes: Axes, middle: float, words: dict[str, float]) -> None:
    """Write small headings, each centred on its x."""
    for text, x in words.items():
        write(axes, x, middle, text, palette.MUTED, size=9.5)


def names(axes: Axes, x: float, middles: Sequence[float], tokens: tuple[str, ...]) -> None:
    """Write the example's tokens under each other, each in its colour."""
    for token, y in zip(tokens, middles, strict=True):
        write(axes, x, y, token, palette.token_colour(tokens, token), "left", bold=True)


def box(
    axes: Axes, left: float, top: float, right: float, bottom: float,
    edge: str = palette.ACCENT, face: str = palette.PAPER,
) -> None:  # fmt: skip
    """Draw a box with round corners."""
    patch = FancyBboxPatch(
        (left, top), right - left, bottom - top, boxstyle="round,pad=0,rounding_size=6",
        edgecolor=edge, facecolor=face, linewidth=1.2,
    )  # fmt: skip
    axes.add_patch(patch)


def panel(axes: Axes, left: float, top: float, right: float, bottom: float, title: str) -> None:
    """Draw a light ground with a title: one step of a calculation."""
    box(axes, left, top, right, bottom, "none", palette.FILL)
    write(axes, left + 10, top + 18, title, align="left", size=11, bold=True)


def link(
    axes: Axes, start: tuple[float, float], end: tuple[float, float],
    colour: str = palette.MUTED, head: bool = True,
) -> None:  # fmt: skip
    """Draw a light stroke, with an arrow's head unless told otherwise."""
    look = {
        "arrowstyle": "-|>" if head else "-", "color": colour, "linewidth": 1,
        "shrinkA": 0, "shrinkB": 0, "mutation_scale": 7,
    }  # fmt: skip
    axes.annotate("", end, start, arrowprops=look)


def bar(
    axes: Axes, left: float, middle: float, width: float, token: str, tokens: tuple[str, ...],
    height: float = 18,
) -> None:  # fmt: skip
    """Draw a bar in its token's colour and pattern, or a plain one for any other word."""
    known = token in tokens
    pattern = palette.PATTERNS[tokens.index(token)] if known else "plain"
    patch = Rectangle(
        (left, middle - height / 2), width, height, linewidth=0, edgecolor=palette.PAPER,
        facecolor=palette.token_colour(tokens, token) if known else palette.MUTED,
        hatch="///" if pattern == "stripes" else "",
    )  # fmt: skip
    axes.add_patch(patch)
    if pattern == "dots":
        _dots(axes, left, middle, width, height)


def _dots(axes: Axes, left: float, middle: float, width: float, height: float) -> None:
    """Fill a bar with dots: dashes of no length with round ends. A hatch of dots weighs 150 kB."""
    for row in range(-1, 2):
        first = left + (2.4 if row else 4.6)
        if first < left + width:
            y = middle + row * height * 0.29
            axes.plot(
                (first, left + width), (y, y), color=palette.PAPER, linewidth=1.7,
                linestyle=(0, (0.01, 2.6)), dash_capstyle="round", clip_on=True,
            )  # fmt: skip


def grid(
    axes: Axes, left: float, top: float, rows: Sequence[Sequence[str]], width: float,
    height: float = 20, edge: str = palette.MUTED, bold: bool = False,
) -> None:  # fmt: skip
    """Draw a matrix, a cell an entry; zeros are pale."""
    for i, row in enumerate(rows):
        for j, words in enumerate(row):
            x, y = left + j * width, top + i * height
            axes.add_patch(
                Rectangle(
                    (x, y), width, height, facecolor=palette.PAPER, edgecolor=edge, linewidth=1
                )
            )
            colour = palette.MUTED if words == "0" else palette.INK
            write(axes, x + width / 2, y + height / 2, words, colour, bold=bold and words != "0")


def mark(
    axes: Axes, at: ArrayLike, words: str, colour: str, offset: tuple[float, float],
    shape: str = "dot",
) -> None:  # fmt: skip
    """Mark a point of a plane (`palette.plane`) with its name, `offset` points away."""
    x, y = np.asarray(at, dtype=float).tolist()
    marker, size, fill = SHAPES[shape]
    axes.plot(
        x, y, marker=marker, markersize=size, fillstyle=fill, color=colour, markeredgewidth=1.6
    )  # fmt: skip
    axes.annotate(
        words, (x, y), offset, textcoords="offset points", color=colour, weight="bold",
        ha="left" if offset[0] > 0 else "right",
    )  # fmt: skip


def terminal(axes: Axes, left: float, right: float, middle: float, name: str, vector: str) -> None:
    """Draw a box for what goes into a calculation, or comes out of it."""
    box(axes, left, middle - 13, right, middle + 13)
    write(axes, left + 10, middle, name, palette.ACCENT, "left")
    write(axes, right - 8, middle, vector, palette.ACCENT, "right", bold=True)
