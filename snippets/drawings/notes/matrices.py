"""The drawing of the note on matrices: every array of the formula as a grid of cells."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.patches import Rectangle

from publisher.figures import palette
from publisher.figures.parts import canvas

Shapes = Mapping[str, tuple[int, int]]  # by the array's name: rows, columns

# Every key and every value takes part; in all the other arrays one row asks.
_WHOLE = ("Kᵀ", "V")


def draw_shapes(asking: str, row: int, colour: str, shapes: Shapes, narrow: bool) -> Drawing:
    """Draw the arrays of the formula as grids, in one line, or in two for a phone.

    Parameters
    ----------
    asking : the token that asks
    row : the index of its row
    colour : its colour
    shapes : the six arrays in the order of the calculation; the first has a row for each token
    narrow : whether for a phone
    """
    cell, gap, margin = (9.5, 24, 42) if narrow else (11.0, 27, 42)
    names, n = list(shapes), next(iter(shapes.values()))[0]
    height = n * cell + 64
    lines = (names[:3], names[3:]) if narrow else (names,)
    drawing, axes = canvas(330 if narrow else 590, len(lines) * height)
    for place, line in enumerate(lines):
        left, middle = float(margin), (place + 0.5) * height
        beside = middle + (row + 0.5 - n / 2) * cell
        axes.text(
            left - 5, beside, asking, ha="right", va="center", weight="bold", color=colour
        )  # fmt: skip
        for name in line:
            marked = None if name in _WHOLE else row
            right = _grid(axes, name, shapes[name], (left, middle), cell, marked, colour)
            between = "·" if name.startswith(("Q", "A")) else "→"
            if name != names[-1]:
                axes.text(right + gap / 2, middle, between, ha="center", va="center", size=14)
            left = right + gap
    return drawing


def _grid(
    axes: Axes, name: str, shape: tuple[int, int], at: tuple[float, float], cell: float,
    marked: int | None, colour: str,
) -> float:  # fmt: skip
    """Draw an array's cells with its name, its shape and a marked row; return its right edge.

    `at` is the left edge and the height of the middle.
    """
    rows, columns = shape
    wide, high = columns * cell, rows * cell
    left, top, right = at[0], at[1] - high / 2, at[0] + wide
    axes.add_patch(Rectangle((left, top), wide, high, facecolor=palette.FILL))
    if marked is not None:
        axes.add_patch(Rectangle((left, top + marked * cell), wide, cell, facecolor=colour))
    across, down = top + cell * np.arange(rows + 1), left + cell * np.arange(columns + 1)
    axes.hlines(across, left, right, color=palette.MUTED, linewidth=0.7)
    axes.vlines(down, top, top + high, color=palette.MUTED, linewidth=0.7)
    axes.text(left + wide / 2, top - 8, name, ha="center", weight="bold")
    axes.text(left + wide / 2, top + high + 16, f"{rows} × {columns}", ha="center")
    return right
