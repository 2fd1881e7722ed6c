"""The look of every figure: colours that the page can swap, and a few shared strokes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.ticker import MultipleLocator

from publisher.formats import display

# The colours of the light scheme. On a page each becomes a CSS variable of the same name, so one
# drawing serves light, dark and print; in a downloaded file they stay as they are.
COLOURS = {
    "paper": "#ffffff",
    "ink": "#1f2328",
    "muted": "#5b626b",
    "rule": "#c9ced6",
    "fill": "#eef1f5",
    "accent": "#6b3fa0",
    "token-1": "#0b3f94",
    "token-2": "#b04300",
    "token-3": "#0a7d5a",
}
PAPER, INK, MUTED = COLOURS["paper"], COLOURS["ink"], COLOURS["muted"]
RULE, FILL, ACCENT = COLOURS["rule"], COLOURS["fill"], COLOURS["accent"]
TOKEN_COLOURS = (COLOURS["token-1"], COLOURS["token-2"], COLOURS["token-3"])
# Beside its colour each token has a stroke and a pattern of its own: colour is never the only cue.
STROKES = ("-", "--", ":")
PATTERNS = ("plain", "stripes", "dots")

_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.id": None,
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": INK,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "grid.color": RULE,
    "hatch.linewidth": 0.8,
    "pdf.fonttype": 3,
    "legend.frameon": False,
}


@contextmanager
def settings(identifier: str) -> Iterator[None]:
    """Draw and save under the site's settings; ids in the file depend on `identifier` alone."""
    with matplotlib.rc_context({**_SETTINGS, "svg.hashsalt": identifier}):
        yield


def canvas(width: float, height: float) -> tuple[Drawing, Axes]:
    """Return a drawing of `width` x `height` points with one bare axes in those units, y down."""
    drawing = Drawing(figsize=(width / 72, height / 72))
    axes = drawing.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    axes.axis("off")
    return drawing, axes


def token_colour(tokens: tuple[str, ...], name: str) -> str:
    """Return a token's colour; words outside the example are drawn in ink."""
    return TOKEN_COLOURS[tokens.index(name)] if name in tokens else INK


def number(value: float, digits: int = 4, form: str = "") -> str:
    """Return a number as the pages show it, for labels and descriptions."""
    return display(value, digits, form)


def vector(values: Iterable[float], form: str = "short") -> str:
    """Return a vector as the pages show it: [2, 0]."""
    return "[" + ", ".join(display(value, 4, form) for value in values) + "]"


def plane(
    width: float, height: float, limit: tuple[float, float, float, float]
) -> tuple[Drawing, Axes]:
    """Return a drawing with a plane: x from, x to, y from, y to; equal units, a light grid."""
    drawing = Drawing(figsize=(width / 72, height / 72), layout="constrained")
    axes = drawing.add_subplot()
    axes.set_xlim(*limit[:2])
    axes.set_ylim(*limit[2:])
    axes.set_aspect("equal")
    axes.grid(visible=True, linewidth=0.6)
    axes.axhline(0, color=MUTED, linewidth=0.8)
    axes.axvline(0, color=MUTED, linewidth=0.8)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.tick_params(length=0)
    step = _step(max(limit[1] - limit[0], limit[3] - limit[2]))
    axes.xaxis.set_major_locator(MultipleLocator(step))
    axes.yaxis.set_major_locator(MultipleLocator(step))
    return drawing, axes


def _step(extent: float) -> float:
    """Return the grid's step: one, or for wide planes 2, 5 or 10 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(max(extent / 10, 1)))
    return next(k * power for k in (1, 2, 5, 10) if extent <= 10 * k * power)


def arrow(
    axes: Axes, end: tuple[float, float], colour: str, dashes: str = "-", width: float = 2
) -> None:
    """Draw a vector from the origin: a shaft, dashed or not, and a solid head."""
    near = (0.96 * end[0], 0.96 * end[1])
    axes.plot((0, near[0]), (0, near[1]), dashes, color=colour, linewidth=width)
    head = {"arrowstyle": "-|>", "color": colour, "linewidth": 1, "mutation_scale": 6 + 4 * width}
    axes.annotate("", end, near, arrowprops={**head, "shrinkA": 0, "shrinkB": 0})
