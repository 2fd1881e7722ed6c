"""Parts of drawings: a bare canvas with words, boxes, links and grids; a plane with arrows.

On a canvas all coordinates are points, and y grows downwards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.patches import FancyBboxPatch, Rectangle
from matplotlib.ticker import MultipleLocator
from numpy.typing import ArrayLike

from publisher.figures import palette

# The marks of points: matplotlib's marker, size and filling.
SHAPES: dict[str, tuple[str, int, Literal["full", "none"]]] = {
    "dot": ("o", 7, "full"),
    "ring": ("o", 13, "none"),
    "diamond": ("D", 8, "full"),
}


def write(
    axes: Axes, x: float, middle: float, words: str, colour: str = palette.INK,
    align: str = "center", size: float = 10.5, bold: bool = False, turned: bool = False,
) -> None:  # fmt: skip
    """Write a line of words.

    Parameters
    ----------
    axes : Axes
        A canvas.
    x, middle : float
        Where; digits reach as far above `middle` as below it, and all words that share a `middle`
        share a baseline.
    words : str
        What is written.
    colour : str
        A colour of the palette, or of a token.
    align : {"left", "center", "right"}
        Which part of the line stands at `x`.
    size : float
        In points.
    bold : bool
        Whether in bold.
    turned : bool
        Whether from the bottom to the top.
    """
    drop = size * 0.36  # from the middle of a digit to its foot
    x, y, angle = (x + drop, middle, 90) if turned else (x, middle + drop, 0)
    axes.text(
        x, y, words, color=colour, ha=align, va="baseline", fontsize=size, rotation=angle,
        rotation_mode="anchor", weight="bold" if bold else "normal",
    )  # fmt: skip


def headings(axes: Axes, middle: float, words: dict[str, float]) -> None:
    """Write small headings side by side.

    Parameters
    ----------
    axes : Axes
        A canvas.
    middle : float
        Their height.
    words : dict of str to float
        For each heading the x of its centre.
    """
    for text, x in words.items():
        write(axes, x, middle, text, palette.MUTED, size=9.5)


def box(
    axes: Axes, left: float, top: float, right: float, bottom: float,
    edge: str = palette.ACCENT, face: str = palette.PAPER,
) -> None:  # fmt: skip
    """Draw a box with round corners from (`left`, `top`) to (`right`, `bottom`) on a canvas.

    `edge` and `face` are the colours of its line and its ground; "none" leaves one out.
    """
    patch = FancyBboxPatch(
        (left, top), right - left, bottom - top, boxstyle="round,pad=0,rounding_size=6",
        edgecolor=edge, facecolor=face, linewidth=1.2,
    )  # fmt: skip
    axes.add_patch(patch)


def panel(axes: Axes, left: float, top: float, right: float, bottom: float, title: str) -> None:
    """Draw one step of a calculation: a light ground with a title in its upper left corner."""
    box(axes, left, top, right, bottom, "none", palette.FILL)
    write(axes, left + 10, top + 18, title, align="left", size=11, bold=True)


def link(
    axes: Axes, start: tuple[float, float], end: tuple[float, float],
    colour: str = palette.MUTED, head: bool = True,
) -> None:  # fmt: skip
    """Draw a light line from `start` to `end` on a canvas, with an arrowhead if `head` is set."""
    look = {
        "arrowstyle": "-|>" if head else "-", "color": colour, "linewidth": 1,
        "shrinkA": 0, "shrinkB": 0, "mutation_scale": 7,
    }  # fmt: skip
    axes.annotate("", end, start, arrowprops=look)


def grid(
    axes: Axes, left: float, top: float, rows: Sequence[Sequence[str]], width: float,
    height: float = 20, edge: str = palette.MUTED, bold: bool = False,
) -> None:  # fmt: skip
    """Draw a matrix, one cell for each entry; zeros are pale.

    Parameters
    ----------
    axes : Axes
        A canvas.
    left, top : float
        The upper left corner.
    rows : sequence of sequence of str
        The entries as they are written.
    width, height : float
        The size of a cell.
    edge : str
        The colour of the lines.
    bold : bool
        Whether entries other than zero are written in bold.
    """
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
    """Mark a point on a plane.

    Parameters
    ----------
    axes : Axes
        A plane, as `plane` returns it.
    at : array_like
        The point, shape (2,), in the plane's units.
    words : str
        Its name.
    colour : str
        The colour of both.
    offset : tuple of float
        How far to the right of the point and above it the name stands, in points; a name to the
        left ends there.
    shape : {"dot", "ring", "diamond"}
        The mark.
    """
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
    """Draw a box for what goes into a calculation or comes out of it: its name and its vector."""
    box(axes, left, middle - 13, right, middle + 13)
    write(axes, left + 10, middle, name, palette.ACCENT, "left")
    write(axes, right - 8, middle, vector, palette.ACCENT, "right", bold=True)


def canvas(width: float, height: float) -> tuple[Drawing, Axes]:
    """Return an empty drawing and its axes, in points from the upper left corner."""
    drawing = Drawing(figsize=(width / 72, height / 72))
    axes = drawing.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    axes.axis("off")
    return drawing, axes


def plane(
    width: float, height: float, limit: tuple[float, float, float, float]
) -> tuple[Drawing, Axes]:
    """Return a drawing with a plane of coordinates on a light grid, and its axes.

    Parameters
    ----------
    width, height : float
        The size of the drawing in points.
    limit : tuple of float
        The least and the greatest x, the least and the greatest y; both axes have equal units.
    """
    drawing = Drawing(figsize=(width / 72, height / 72), layout="constrained")
    axes = drawing.add_subplot()
    axes.set_xlim(*limit[:2])
    axes.set_ylim(*limit[2:])
    axes.set_aspect("equal")
    axes.grid(visible=True, linewidth=0.6)
    axes.axhline(0, color=palette.MUTED, linewidth=0.8)
    axes.axvline(0, color=palette.MUTED, linewidth=0.8)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.tick_params(length=0)
    step = _step(max(limit[1] - limit[0], limit[3] - limit[2]))
    axes.xaxis.set_major_locator(MultipleLocator(step))
    axes.yaxis.set_major_locator(MultipleLocator(step))
    return drawing, axes


def _step(extent: float) -> float:
    """Return the grid's step: 1, or for wide planes 2, 5 or 10 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(max(extent / 10, 1)))
    return next(k * power for k in (1, 2, 5, 10) if extent <= 10 * k * power)


def arrow(
    axes: Axes, end: tuple[float, float], colour: str, dashes: str = "-", width: float = 2
) -> None:
    """Draw a vector from the origin of a plane to `end`.

    `dashes` is matplotlib's style of the line, `width` its width in points; the head is solid.
    """
    near = (0.96 * end[0], 0.96 * end[1])
    axes.plot((0, near[0]), (0, near[1]), dashes, color=colour, linewidth=width)
    head = {"arrowstyle": "-|>", "color": colour, "linewidth": 1, "mutation_scale": 6 + 4 * width}
    axes.annotate("", end, near, arrowprops={**head, "shrinkA": 0, "shrinkB": 0})
