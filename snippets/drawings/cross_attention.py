"""The drawing of the chapter on cross-attention: two positions ask, three answer."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from publisher.figures.parts import canvas, link, panel, terminal, write
from publisher.results import shown, shown_vector
from snippets.attention import Array
from snippets.drawings.tokens import bar, token_colour


def draw_cross(
    tokens: tuple[str, ...], asking: Sequence[str], weights: Array, mixtures: Array, narrow: bool
) -> Drawing:
    """Draw what two output positions take from the source positions, and their mixtures.

    Parameters
    ----------
    tokens : the n tokens of the source
    asking : the two tokens of the output
    weights : (2, n)
    mixtures : (2, d_v)
    narrow : whether for a phone
    """
    drawing, axes = canvas(300, 358) if narrow else canvas(600, 172)
    for i, token in enumerate(asking):
        left, top = (8, 6 + 180 * i) if narrow else (8 + 300 * i, 6)
        bottom = top + 44 + 24 * len(tokens)
        panel(axes, left, top, left + 284, bottom, f"Query at {token}")
        _bars(axes, tokens, weights[i, :], weights.max(), left, top)
        link(axes, (left + 142, bottom), (left + 142, bottom + 16))
        mixture = f"z = {shown_vector(mixtures[i], '')}"
        terminal(axes, left, left + 284, bottom + 29, "mixture", mixture)
    return drawing


def _bars(
    axes: Axes, tokens: tuple[str, ...], weights: Array, longest: float, left: float, top: float
) -> None:
    """Draw one query's weights as bars, the longest of all queries over the whole length."""
    for place, (token, weight) in enumerate(zip(tokens, weights, strict=True)):
        y = top + 46 + 24 * place
        write(axes, left + 12, y, token, token_colour(tokens, token), "left", bold=True)
        bar(axes, left + 90, y, 132 * weight / longest, token, tokens, 16)
        write(axes, left + 274, y, shown(weight), align="right")
