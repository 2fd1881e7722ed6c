"""The drawing of the chapter on heads."""

from __future__ import annotations

from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.patches import Rectangle

from publisher.figures import palette
from publisher.figures.parts import canvas, headings, link, panel, terminal, write
from publisher.results import shown, shown_vector
from snippets.attention import Array
from snippets.drawings.tokens import bar, names


class Head(NamedTuple):
    """One head at one position: a number or a row for each of n tokens."""

    title: str
    scores: Array  # (n,)
    weights: Array  # (n,)
    total: float  # the weights' sum
    values: Array  # (n, d_v)
    mixture: Array  # (d_v,)


def draw_two(tokens: tuple[str, ...], heads: tuple[Head, Head], narrow: bool) -> Drawing:
    """Draw two heads side by side, or under each other: each has a whole of its own.

    Parameters
    ----------
    tokens : the three tokens
    heads : the two
    narrow : whether for a phone
    """
    drawing, axes = canvas(300, 470) if narrow else canvas(600, 234)
    for head, corner in zip(heads, ((8, 8), (8, 244) if narrow else (308, 8)), strict=True):
        _head(axes, tokens, head, *corner)
    return drawing


def _head(axes: Axes, tokens: tuple[str, ...], head: Head, left: float, top: float) -> None:
    """Draw one head's weights, as bars and as one whole bar, its values and its mixture."""
    right, full = left + 284, 76.0
    middles = [top + 62 + 30 * row for row in range(len(tokens))]
    panel(axes, left, top, right, top + 176, head.title)
    headings(axes, top + 36, {"score": left + 88, "weight α": left + 150, "value v": left + 250})
    names(axes, left + 10, middles, tokens)
    sum_middle, start = top + 154, left + 108
    for token, y, s, a, v in zip(
        tokens, middles, head.scores, head.weights, head.values, strict=True
    ):
        write(axes, left + 88, y, shown(s, form="short"))
        axes.add_patch(Rectangle((left + 108, y - 9), full, 18, fc=palette.PAPER, ec=palette.RULE))
        bar(axes, left + 108, y, full * a, token, tokens)
        bar(axes, start, sum_middle, full * a, token, tokens)
        write(axes, left + 190, y, shown(a), align="left", bold=True)
        write(axes, left + 250, y, shown_vector(v))
        start += full * a
    write(axes, left + 10, sum_middle, "sum", palette.MUTED, "left", size=9.5)
    whole = shown(head.total, form="short")
    write(axes, left + 190, sum_middle, whole, align="left", bold=True)
    link(axes, (left + 142, top + 176), (left + 142, top + 192))
    terminal(axes, left, right, top + 205, "mixture", f"z = {shown_vector(head.mixture, '')}")
