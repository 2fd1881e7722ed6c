"""How the running example's three tokens look in every drawing: colour, stroke and pattern."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from publisher.figures import palette
from publisher.figures.parts import write

# One colour per token, in the order of running_example.TOKENS.
TOKEN_COLOURS = ("#0b3f94", "#b04300", "#0a7d5a")
# Beside its colour each token has a stroke and a pattern of its own: colour is never the only cue.
STROKES = ("-", "--", ":")
PATTERNS = ("plain", "stripes", "dots")


def token_colour(tokens: tuple[str, ...], name: str) -> str:
    """Return a token's colour; words outside the example are drawn in ink.

    Parameters
    ----------
    tokens : the running example's three tokens
    name : any token
    """
    return TOKEN_COLOURS[tokens.index(name)] if name in tokens else palette.INK


def names(axes: Axes, x: float, middles: Sequence[float], tokens: tuple[str, ...]) -> None:
    """Write the example's tokens under each other, each in its colour.

    Parameters
    ----------
    axes : of a canvas, as are all lengths, in points
    x : where the words begin
    middles : the middle of each line
    tokens : the three tokens
    """
    for token, y in zip(tokens, middles, strict=True):
        write(axes, x, y, token, token_colour(tokens, token), "left", bold=True)


def bar(
    axes: Axes, left: float, middle: float, width: float, token: str, tokens: tuple[str, ...],
    height: float = 18,
) -> None:  # fmt: skip
    """Draw a bar in its token's colour and pattern, or a plain one for any other word.

    Parameters
    ----------
    axes : of a canvas, as are all lengths, in points
    left, middle : where the bar begins, and the middle of its height
    width, height : its size
    token : whose bar it is
    tokens : the running example's three tokens
    """
    known = token in tokens
    pattern = PATTERNS[tokens.index(token)] if known else "plain"
    patch = Rectangle(
        (left, middle - height / 2), width, height, linewidth=0, edgecolor=palette.PAPER,
        facecolor=token_colour(tokens, token) if known else palette.MUTED,
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
