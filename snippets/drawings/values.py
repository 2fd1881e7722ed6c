"""The drawings of the chapter on values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.patches import Circle, Polygon, Rectangle

from publisher.figures import palette
from publisher.figures.parts import box, canvas, headings, link, mark, panel, plane, terminal, write
from publisher.results import shown, shown_vector
from snippets.attention import Array
from snippets.drawings.tokens import TOKEN_COLOURS, bar, names, token_colour


class Calculation(NamedTuple):
    """Every step of attention for one query: a name, a row or a number for each of n tokens."""

    tokens: tuple[str, ...]
    query: Sequence[float]  # (d_k,)
    keys: Array  # (n, d_k)
    products: Array  # (n,), q . k
    divisor: float  # the square root of d_k
    scores: Array  # (n,)
    weights: Array  # (n,)
    total: float  # the weights' sum
    values: Array  # (n, d_v)
    contributions: Array  # (n, d_v), weight times value
    output: Array  # (d_v,)


class Row(NamedTuple):
    """The weights of one query in a sentence, and the mixture that they make."""

    title: str
    tokens: Sequence[str]
    weights: Array  # (n,)
    mixture: Array  # (d_v,)


def draw_mixture(hand: Calculation, narrow: bool) -> Drawing:
    """Draw the whole calculation at bank, from the query to the result.

    Parameters
    ----------
    hand : the calculation, of three tokens
    narrow : whether for a phone
    """
    return _narrow_mixture(hand) if narrow else _wide_mixture(hand)


def _wide_mixture(hand: Calculation) -> Drawing:
    drawing, axes = canvas(604, 320)
    middles = (132, 174, 216)
    terminal(axes, 8, 248, 21, "query at bank", f"q = {shown_vector(hand.query, 'surd')}")
    panel(axes, 8, 52, 248, 244, "1  Compare")
    panel(axes, 282, 52, 412, 244, "2  Share out")
    panel(axes, 432, 52, 596, 244, "3  Mix")
    names(axes, 18, middles, hand.tokens)
    _compare(axes, hand, middles, (107, 143, 174, 207, 235))
    box(axes, 256, 112, 274, 236, palette.MUTED)
    write(axes, 265, 174, "softmax", size=9.5, turned=True)
    for y in middles:
        link(axes, (244, y), (256, y))
        link(axes, (274, y), (289, y))
    headings(axes, 103, {"weight α": 347})
    _share(axes, hand, middles, 283, 292, 66)
    _mix(axes, hand, middles, (422, 458, 486, 588))
    for x in (325, 546):
        link(axes, (x, 244), (x, 269))
        write(axes, x - 7, 257, "sum", palette.MUTED, "right", size=9.5)
    terminal(axes, 432, 596, 283, "", f"z = {shown_vector(hand.output, '')}")
    write(axes, 596, 308, "the head's output at bank", palette.MUTED, "right", size=9.5)
    return drawing


def _narrow_mixture(hand: Calculation) -> Drawing:
    drawing, axes = canvas(300, 632)
    compare, share, mix = (124, 156, 188), (306, 338, 370), (502, 534, 566)
    terminal(axes, 6, 294, 21, "query at bank", f"q = {shown_vector(hand.query, 'surd')}")
    panel(axes, 6, 48, 294, 208, "1  Compare")
    panel(axes, 6, 252, 294, 422, "2  Share out")
    panel(axes, 6, 436, 294, 586, "3  Mix")
    for middles in (compare, share, mix):
        names(axes, 16, middles, hand.tokens)
    _compare(axes, hand, compare, (111, 150, 186, 226, 264))
    box(axes, 95, 221, 205, 239, palette.MUTED)
    write(axes, 150, 230, "softmax", size=9.5)
    headings(axes, 280, {"weight α": 256})
    _share(axes, hand, share, 402, 88, 140)
    write(axes, 16, 402, "sum", palette.MUTED, "left", size=9.5)
    headings(axes, 473, {"weight α": 103})
    for y, weight in zip(mix, hand.weights, strict=True):
        write(axes, 103, y, shown(weight), bold=True)
    _mix(axes, hand, mix, (131, 156, 184, 286))
    for top, bottom in ((208, 221), (239, 252), (422, 436), (586, 603)):
        link(axes, (150, top), (150, bottom))
    write(axes, 143, 595, "sum", palette.MUTED, "right", size=9.5)
    terminal(axes, 6, 294, 617, "output at bank", f"z = {shown_vector(hand.output, '')}")
    return drawing


def _compare(
    axes: Axes, hand: Calculation, middles: Sequence[float], columns: Sequence[float]
) -> None:
    """Draw keys, dot products and scores; the query comes down to the keys like a rail."""
    key, rail, product, divided, score = columns
    headings(axes, middles[0] - 29, {"key k": key, "q · k": product, "score s": score - 8})
    axes.plot((rail, rail), (34, middles[-1]), color=palette.ACCENT, linewidth=1.2)
    root = shown(hand.divisor, form="surd")
    for y, k, p, s in zip(middles, hand.keys, hand.products, hand.scores, strict=True):
        write(axes, key, y, shown_vector(k))
        link(axes, (key + 21, y), (rail, y), head=False)
        link(axes, (rail, y), (product - 13, y))
        for radius, face in ((7, palette.PAPER), (1.5, palette.ACCENT)):
            axes.add_patch(Circle((rail, y), radius, fc=face, ec=palette.ACCENT, lw=1.2, zorder=3))
        write(axes, product, y, shown(p, form="surd"))
        write(axes, divided, y, f"÷ {root} =", palette.MUTED, size=9.5)
        write(axes, score, y, shown(s, form="short"), bold=True)


def _share(
    axes: Axes, hand: Calculation, middles: Sequence[float], sum_middle: float, left: float,
    full: float,
) -> None:  # fmt: skip
    """Draw the weights as bars, each a part of a whole, and the whole that they make."""
    start, right = left, left + full + 6
    for token, y, weight in zip(hand.tokens, middles, hand.weights, strict=True):
        axes.add_patch(Rectangle((left, y - 9), full, 18, fc=palette.PAPER, ec=palette.RULE))
        bar(axes, left, y, full * weight, token, hand.tokens)
        bar(axes, start, sum_middle, full * weight, token, hand.tokens)
        write(axes, right, y, shown(weight), align="left", bold=True)
        start += full * weight
    write(axes, right, sum_middle, shown(hand.total, form="short"), align="left", bold=True)


def _mix(axes: Axes, hand: Calculation, middles: Sequence[float], columns: Sequence[float]) -> None:
    """Draw weight times value, the contribution of each position."""
    times, value, equals, right = columns
    headings(axes, middles[0] - 29, {"value v": value, "contribution αv": right - 42})
    for y, v, c in zip(middles, hand.values, hand.contributions, strict=True):
        write(axes, times, y, "×", palette.MUTED, size=11)
        write(axes, value, y, shown_vector(v))
        write(axes, equals, y, "=", palette.MUTED, size=11)
        write(axes, right, y, shown_vector(c, ""), align="right")


def draw_between(
    tokens: tuple[str, ...], values: Array, equal: Array, mixture: Array, narrow: bool
) -> Drawing:
    """Draw the values as points, what lies between them, and two of their mixtures.

    Parameters
    ----------
    tokens : the three tokens
    values : (3, 2)
    equal, mixture : (2,) each, the mean of the values and the mixture at bank
    narrow : whether for a phone
    """
    low, high = values.min(axis=0) - 0.5, values.max(axis=0) + np.array((1, 0.5))
    size = (320, 290) if narrow else (400, 310)
    drawing, axes = plane(*size, (low[0], high[0], low[1], high[1]))
    axes.add_patch(Polygon(values, fc=palette.FILL, ec=palette.MUTED, lw=1.2))
    for token, value, colour in zip(tokens, values, TOKEN_COLOURS, strict=True):
        mark(axes, value, token, colour, (8, 6))
    mark(axes, equal, "equal weights", palette.ACCENT, (-11, -13), "ring")
    mark(axes, mixture, "mixture at bank", palette.ACCENT, (-9, -13), "diamond")
    return drawing


def draw_sentences(
    known: tuple[str, ...], query: Array, sentences: Sequence[Row], narrow: bool
) -> Drawing:
    """Draw one query, two sentences, and the weights and mixtures that come of it.

    Parameters
    ----------
    known : the running example's tokens, which keep their colours
    query : (d_k,)
    sentences : the two, of nine tokens each
    narrow : whether for a phone
    """
    drawing, axes = canvas(300, 646) if narrow else canvas(600, 340)
    vector = f"q = {shown_vector(query, 'surd')}"
    terminal(axes, 8 if narrow else 158, 292 if narrow else 442, 21, "query at bank", vector)
    for x in (150,) if narrow else (200, 400):
        axes.plot((x, x), (34, 52), color=palette.ACCENT, linewidth=1.2)
    longest = max(row.weights.max() for row in sentences)
    corners = ((8, 52), (8, 356) if narrow else (308, 52))
    for row, corner in zip(sentences, corners, strict=True):
        _weights(axes, row, known, longest, *corner)
    return drawing


def _weights(
    axes: Axes, sentence: Row, known: tuple[str, ...], longest: float, left: float, top: float
) -> None:
    """Draw the weights at bank in one sentence, and the mixture they make."""
    right, bottom = left + 284, top + 44 + 22 * len(sentence.tokens)
    panel(axes, left, top, right, bottom, sentence.title)
    for row, (token, weight) in enumerate(zip(sentence.tokens, sentence.weights, strict=True)):
        y, colour = top + 46 + 22 * row, token_colour(known, token)
        write(axes, left + 20, y, str(row + 1), palette.MUTED, "right", size=9.5)
        write(axes, left + 28, y, token, colour, "left", bold=token in known)
        bar(axes, left + 98, y, 126 * weight / longest, token, known, 14)
        write(axes, right - 10, y, shown(weight), align="right")
    link(axes, (left + 142, bottom), (left + 142, bottom + 16))
    mixture = f"z = {shown_vector(sentence.mixture, '')}"
    terminal(axes, left, right, bottom + 29, "mixture", mixture)
