"""The drawings of the note on scaling; values are drawn with two standard errors to either side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.ticker import FuncFormatter

from publisher.figures import palette
from publisher.results import Number, shown
from snippets.attention import Array

Estimates = Sequence[tuple[Number, Number]]  # for each d_k, a value and its standard error


class Slopes(NamedTuple):
    """What the figure of the slopes shows, for each d_k; "unscaled" is without the division."""

    d_ks: Sequence[int]
    jacobian_unscaled: Estimates
    jacobian_scaled: Estimates
    gradient_unscaled: Estimates
    gradient_scaled: Estimates
    quartiles: Array  # (3, sizes), of the unscaled gradient: lower, median, upper
    crossing: int  # the place of the last d_k whose unscaled Jacobian is the larger one


def draw_spread(
    d_ks: Sequence[int], roots: Sequence[float], unscaled: Estimates, scaled: Estimates,
    narrow: bool,
) -> Drawing:  # fmt: skip
    """Draw the standard deviation of the scores over d_k, with theory's lines behind.

    Parameters
    ----------
    d_ks, roots : the sizes, and the square root of each
    unscaled, scaled : the standard deviation without and with the division
    narrow : whether for a phone
    """
    drawing, (axes,) = _panels((330, 280) if narrow else (500, 310), d_ks)
    axes.set(yscale="log", ylim=(0.7, 1.5 * roots[-1]), ylabel="standard deviation of the score")
    axes.set_yticks(roots, [shown(root, form="short") for root in roots])
    axes.minorticks_off()
    axes.plot(d_ks, roots, color=palette.MUTED, linewidth=0.8)
    axes.axhline(1, color=palette.MUTED, linewidth=0.8)
    _bars(axes, d_ks, unscaled, palette.INK, "s", "none")
    _bars(axes, d_ks, scaled, palette.ACCENT, "o", "none")
    middle = len(d_ks) // 2
    axes.text(d_ks[middle] / 1.2, roots[middle] * 1.1, "not divided: line √d_k", ha="right")
    axes.text(d_ks[middle], 1.15, "divided by √d_k: line 1", color=palette.ACCENT, ha="center")
    return drawing


def draw_slopes(slopes: Slopes, narrow: bool) -> Drawing:
    """Draw the Jacobian's norm and the gradient's size over d_k, divided and not.

    Parameters
    ----------
    slopes : what to draw
    narrow : whether for a phone
    """
    size, shape = ((330, 570), (2, 1)) if narrow else ((600, 310), (1, 2))
    drawing, both = _panels(size, slopes.d_ks, *shape)
    titles = ("Weights by scores: norm of J", "Weights by query: size of J K / divisor")
    for axes, title, digits in zip(both, titles, (2, 1), strict=True):
        axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _, n=digits: shown(y, n)))
        axes.set_title(title, loc="left", fontsize=10)
    _jacobians(both[0], slopes)
    _gradients(both[1], slopes)
    return drawing


def _panels(
    size: tuple[int, int], d_ks: Sequence[int], rows: int = 1, columns: int = 1
) -> tuple[Drawing, list[Axes]]:
    """Return a drawing, `size` in points, and its panels over d_k."""
    width, height = size  # fixed margins, in points: faster to draw than a layout
    drawing = Drawing(figsize=(width / 72, height / 72))
    drawing.subplots_adjust(44 / width, 40 / height, 1 - 8 / width, 1 - 20 / height, 0.18, 0.28)
    every = [drawing.add_subplot(rows, columns, place + 1) for place in range(rows * columns)]
    for axes in every:
        axes.set(xscale="log", xlabel="d_k, coordinates of a query and a key")
        axes.set_xticks(d_ks, [shown(d_k) for d_k in d_ks])
        axes.minorticks_off()
        axes.grid(visible=True, linewidth=0.6)
        axes.tick_params(length=0)
    return drawing, every


def _bars(
    axes: Axes, d_ks: Sequence[int], estimates: Estimates, colour: str, mark: str, dashes: str
) -> None:
    """Draw values over d_k, each with two standard errors to either side."""
    axes.errorbar(
        d_ks, [value.value for value, _ in estimates], [2 * error.value for _, error in estimates],
        color=colour, fmt=mark, linestyle=dashes, linewidth=1.4, markersize=5, capsize=3,
        markerfacecolor=colour if mark == "o" else palette.PAPER,
    )  # fmt: skip


def _jacobians(axes: Axes, slopes: Slopes) -> None:
    """Draw the Jacobian's spectral norm: its mean."""
    d_ks, unscaled, scaled = slopes.d_ks, slopes.jacobian_unscaled, slopes.jacobian_scaled
    _bars(axes, d_ks, unscaled, palette.INK, "s", "--")
    _bars(axes, d_ks, scaled, palette.ACCENT, "o", "-")
    axes.set_ylim(0, 1.15 * max(value.value for value, _ in unscaled))
    place = slopes.crossing
    axes.text(d_ks[place] * 1.5, unscaled[place][0].value, "not divided", va="center")
    above = scaled[-1][0].value + 3 * scaled[-1][1].value
    axes.text(d_ks[-1] / 1.3, above, "divided by √d_k", color=palette.ACCENT, ha="right")


def _gradients(axes: Axes, slopes: Slopes) -> None:
    """Draw the gradient's size: its mean, and without the division its quartiles as well."""
    d_ks, (low, middle, high) = slopes.d_ks, slopes.quartiles
    axes.fill_between(d_ks, low, high, facecolor=palette.FILL, edgecolor=palette.RULE)
    axes.plot(d_ks, middle, color=palette.INK, linewidth=1.4, marker="s", markersize=5)
    _bars(axes, d_ks, slopes.gradient_unscaled, palette.INK, "s", "--")
    _bars(axes, d_ks, slopes.gradient_scaled, palette.ACCENT, "o", "-")
    top = int(np.argmax(high))
    mean = slopes.gradient_unscaled[top][0].value
    axes.set_ylim(0, 1.1 * high[top])
    axes.text(d_ks[top] * 1.15, 0.8 * high[top], "middle\nhalf", ha="center", va="center")
    axes.text(d_ks[top] * 1.2, middle[top], "median")
    axes.text(d_ks[top] * 1.7, 1.16 * mean, "mean", ha="center")
    axes.text(d_ks[0], 1.02 * high[top], "not divided: mean,\nmedian, middle half", va="top")
    axes.text(d_ks[0], 0.05 * high[top], "divided by √d_k: mean", color=palette.ACCENT, va="center")
