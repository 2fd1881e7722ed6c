"""The drawing of the primer: vectors as arrows in the plane, and their dot products with one."""

from __future__ import annotations

from collections.abc import Mapping

from matplotlib.figure import Figure as Drawing

from publisher.figures import palette
from publisher.figures.parts import arrow, plane
from publisher.results import shown
from snippets.drawings.tokens import STROKES

Point = tuple[float, float]


def draw_plane(
    a: Point, others: Mapping[str, Point], products: Mapping[str, float], narrow: bool
) -> Drawing:
    """Draw a vector and up to three others as arrows in the plane.

    Parameters
    ----------
    a : the vector, labelled "a"
    others : the other vectors by name
    products : the dot product of each of them with `a`, by name
    narrow : whether for a phone
    """
    xs, ys = zip((0.0, 0.0), a, *others.values(), strict=True)
    limits = (min(xs) - (0.95 if narrow else 0.7), max(xs) + 0.9, min(ys) - 0.6, max(ys) + 0.7)
    drawing, axes = plane(*((290, 250) if narrow else (440, 330)), limits)
    strokes = zip(others.items(), STROKES, strict=True)
    looks = [(name, end, palette.INK, stroke) for (name, end), stroke in strokes]
    for name, end, colour, stroke in [("a", a, palette.ACCENT, "-"), *looks]:
        arrow(axes, end, colour, stroke)
        label = f"{name}: {shown(products[name], form='short')}" if name in products else name
        axes.text(
            end[0] + (0.1 if end[0] > 0 else -0.1), end[1], label, color=colour, weight="bold",
            size=11, ha="left" if end[0] > 0 else "right", va="bottom" if end[1] > 0 else "top",
        )  # fmt: skip
    return drawing
