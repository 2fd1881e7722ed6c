"""The drawing of the first chapter: the shares of every token in three mixtures."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from publisher.figures import palette
from publisher.figures.parts import canvas
from publisher.results import shown
from snippets.attention import Array
from snippets.drawings.tokens import bar, token_colour

# Measures, in points: where the first row of bars stands, and how much of a column a number takes.
TOP, NUMBER = 40.0, 42.0


def draw_shares(
    known: tuple[str, ...], tokens: Sequence[str], asking: Sequence[str], shares: Array,
    narrow: bool,
) -> Drawing:  # fmt: skip
    """Draw each mixture's shares as bars in a column of its own, beside the equal share.

    Parameters
    ----------
    known : the tokens that have a colour of their own
    tokens : the n tokens of the sentence
    asking : the words at whose positions the mixtures are made
    shares : (len(asking), n)
    narrow : whether for a phone
    """
    left, column, step = (74.0, 74.0, 21.0) if narrow else (84.0, 150.0, 22.0)
    bottom = TOP + step * len(tokens)
    drawing, axes = canvas(left + column * len(asking), bottom + 22)
    for row, token in enumerate(tokens):
        weight = "bold" if token in known else "normal"
        colour = token_colour(known, token)
        axes.text(
            left - 8, TOP + step * row + 13, token, color=colour, weight=weight, ha="right"
        )  # fmt: skip
    longest = column - NUMBER
    unit = longest / shares.max()
    for index, (word, line) in enumerate(zip(asking, shares, strict=True)):
        x = left + index * column
        axes.text(x, 14, "mixture at", size=9.5, color=palette.MUTED)
        axes.text(x, 29, word, weight="bold", color=token_colour(known, word), size=11)
        for row, (token, share) in enumerate(zip(tokens, line, strict=True)):
            y = TOP + step * row
            bar(axes, x, y + 9, share * unit, token, known, step - 6)
            axes.text(x + longest + 6, y + 13, shown(share, 2), size=9.5)
        _upright(axes, x + unit / len(tokens), bottom, palette.INK, 1.1, "--")
        _upright(axes, x, bottom, palette.RULE, 1, "-")
    legend = f"dashed: the equal share, 1/{len(tokens)}"
    axes.text(left, bottom + 15, legend, size=9.5, color=palette.MUTED)
    return drawing


def _upright(axes: Axes, x: float, bottom: float, colour: str, width: float, dashes: str) -> None:
    """Draw an upright line through a column of bars."""
    axes.plot([x, x], [TOP - 3, bottom], color=colour, lw=width, ls=dashes)
