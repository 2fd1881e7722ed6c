"""The drawing of the three roles: one representation, three matrices, three vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from publisher.figures import palette
from publisher.figures.parts import canvas, grid, link, write
from publisher.results import shown, shown_shape
from snippets.attention import Array


class Role(NamedTuple):
    """What one role's matrix makes of a representation."""

    name: str
    letter: str
    does: str  # what a vector in this role does
    matrix: Array  # (d_model, d)
    made: Array  # (d,)


def draw_roles(word: str, x: Array, roles: Sequence[Role], narrow: bool) -> Drawing:
    """Draw one representation going through three matrices and coming out as three vectors.

    Parameters
    ----------
    word : the word at the position
    x : its representation, (d_model,)
    roles : the three roles
    narrow : whether for a phone
    """
    drawing, axes = canvas(300, 404) if narrow else canvas(470, 322)
    middles = (128, 243, 358) if narrow else (62, 170, 278)
    x_left, x_middle, rail, left = (10, 38, 24, 46) if narrow else (10, 170, 190, 218)
    label = f"x at {word}, {shown_shape((1, len(x)))}"
    write(axes, x_left, x_middle - 20, label, palette.INK, "left", bold=True)
    grid(axes, x_left, x_middle - 10, _cells([x]), 38, 20, palette.ACCENT)
    if narrow:
        link(axes, (rail, x_middle + 10), (rail, middles[-1]), head=False)
    else:
        link(axes, (x_left + 38 * len(x), x_middle), (rail, x_middle), head=False)
        link(axes, (rail, middles[0]), (rail, middles[-1]), head=False)
    for middle, role in zip(middles, roles, strict=True):
        link(axes, (rail, middle), (left - 4, middle))
        _role(axes, left, middle, role)
    return drawing


def _role(axes: Axes, left: float, middle: float, role: Role) -> None:
    """Draw one matrix, and the vector that it makes of x."""
    rows, columns = role.matrix.shape
    label = f"{role.name} matrix, {shown_shape(role.matrix.shape)}"
    write(axes, left, middle - 8 * rows - 10, label, palette.MUTED, "left", size=9.5)
    grid(axes, left, middle - 8 * rows, _cells(role.matrix), 26, 16, palette.RULE)
    start = left + 118
    link(axes, (left + 26 * columns + 5, middle), (start - 5, middle))
    title = f"{role.name} {role.letter}"
    write(axes, start, middle - 20, title, palette.INK, "left", bold=True)
    grid(axes, start, middle - 10, _cells([role.made]), 38, 20, palette.ACCENT)
    write(axes, start, middle + 20, role.does, palette.MUTED, "left", size=9.5)


def _cells(rows: Array | Sequence[Array]) -> list[list[str]]:
    return [[shown(entry, form="surd") for entry in row] for row in rows]
