"""The two pictures of the home page: a river with a fisherman, a counter with a cashier.

Units are points, y runs down; every piece is placed by its top left corner.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Ellipse, Polygon

from publisher.figures import palette
from snippets.drawings.tokens import TOKEN_COLOURS

Point = tuple[float, float]
SIZE = (236.0, 104.0)  # of each picture


def draw_river(axes: Axes, at: Point) -> None:
    """Draw a fisherman and his net on the bank of a river; the picture is 236 by 104."""
    fisherman, net, bank = TOKEN_COLOURS
    sun = (at[0] + 40, at[1] + 20)
    axes.add_patch(Circle(sun, 11, facecolor=palette.FILL, edgecolor=palette.RULE, lw=1.6))
    hills = np.linspace(0, 116, 60)
    _line(axes, [(h, 53 - 10 * np.sin(h / 24) ** 2 - h / 18) for h in hills], at, palette.RULE)
    slope = np.linspace(0, 1, 30)
    edge = [(86 + 58 * s, 104 - 43 * (1 - (1 - s) ** 2.2)) for s in slope] + [(236.0, 61.0)]
    _shape(axes, [*edge, (236, 104)], at, palette.FILL, palette.FILL)
    _line(axes, edge, at, bank, 3)
    for start, depth in ((0, 65), (8, 77), (0, 89), (8, 101)):
        shore = min(x for x, y in edge if y <= depth)
        xs = np.arange(start, shore - 14, 1.0)
        _line(axes, [(x, depth + 2.2 * np.sin(x / 4.5)) for x in xs], at, palette.MUTED, 1.3)
    for x, y in ((116, 69), (127, 64), (230, 60)):
        for lean in (-4, 0, 4):
            _line(axes, [(x, y), (x + lean, y - 9)], at, bank, 1.5)
    for foot in (144.5, 151.5):
        _line(axes, [(148, 42), (foot, 58)], at, fisherman, 3.6)
    _person(axes, (148, 25), (148, 40), (168, 34), at, fisherman)
    _line(axes, [(138, 10.5), (158, 10.5)], at, fisherman, 2.6)
    _line(axes, [(145, 8), (151, 8)], at, fisherman, 5)
    _net(axes, (at[0] + 166, at[1] + 22), net)


def draw_counter(axes: Axes, at: Point) -> None:
    """Draw a cashier who counts coins inside a bank; the picture is 236 by 104."""
    bank = TOKEN_COLOURS[2]
    _shape(axes, [(118, 1), (18, 27), (218, 27)], at, bank, palette.FILL)
    pediment = (at[0] + 118, at[1] + 17)
    axes.add_patch(Circle(pediment, 4.5, facecolor=palette.PAPER, edgecolor=bank, lw=1.8))
    for beam in ((24, 27, 188, 8), (14, 95, 208, 8)):
        _shape(axes, _box(*beam), at, bank, palette.FILL)
    for left in (32, 54, 168, 190):
        _shape(axes, _box(left, 35, 14, 60), at, bank, palette.FILL)
        _line(axes, [(left + 7, 41), (left + 7, 89)], at, bank, 1)
    _person(axes, (100, 58), (100, 80), (119, 69), at, palette.INK)
    _shape(axes, _box(80, 77, 78, 18), at, palette.INK, palette.PAPER, over=3)
    for left, height in ((123, 2), (136, 5), (149, 3)):
        for coin in range(height):
            axes.add_patch(
                Ellipse((at[0] + left, at[1] + 75 - 4 * coin), 11, 4.6, facecolor=palette.PAPER,
                        edgecolor=palette.INK, lw=1.3, zorder=3)
            )  # fmt: skip


def _line(axes: Axes, points: Sequence[Point], at: Point, colour: str, width: float = 1.6) -> None:
    """Draw straight strokes with round ends through the points."""
    xs, ys = zip(*points, strict=True)
    axes.plot(
        np.add(xs, at[0]), np.add(ys, at[1]), color=colour, linewidth=width,
        solid_capstyle="round", solid_joinstyle="round",
    )  # fmt: skip


def _shape(
    axes: Axes, points: Sequence[Point], at: Point, edge: str, fill: str, over: int = 1
) -> None:
    """Draw a filled shape with an outline; `over` 3 puts it before the strokes."""
    corners = np.add(points, at)
    axes.add_patch(
        Polygon(corners, facecolor=fill, edgecolor=edge, lw=2, joinstyle="round", zorder=over)
    )


def _box(x: float, y: float, width: float, height: float) -> list[Point]:
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


def _person(axes: Axes, neck: Point, hips: Point, hand: Point, at: Point, colour: str) -> None:
    """Draw a head, a body and one arm stretched out."""
    axes.add_patch(Circle((at[0] + neck[0], at[1] + neck[1] - 11), 6, color=colour, linewidth=0))
    _line(axes, [(neck[0], neck[1] + 2), hips], at, colour, 8)
    _line(axes, [(neck[0], neck[1] + 3), hand], at, colour, 3)


def _net(axes: Axes, at: Point, colour: str) -> None:
    """Draw a net of slanting meshes, hung between two posts."""
    width, height, sag, slant = 58.0, 25.0, 5.0, 0.36
    steps = np.linspace(0, 1, 25)

    def place(u: float, v: float) -> Point:
        return u * width, v * height + (1 + v) * sag * 4 * u * (1 - u)

    for start in np.linspace(-slant, 1, 9):
        for foot, head in ((start, start + slant), (start + slant, start)):
            strand = [(foot + (head - foot) * v, v) for v in steps]
            inside = [place(u, v) for u, v in strand if 0 <= u <= 1]
            if len(inside) > 1:
                _line(axes, inside, at, colour, 0.9)
    for v in (0.0, 1.0):
        _line(axes, [place(u, v) for u in steps], at, colour, 1.8)
    for x in (0.0, width):
        _line(axes, [(x, -5), (x, 37)], at, palette.MUTED, 2.6)
