"""The drawings of the chapter on scores and weights."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure as Drawing

from publisher.figures import palette
from publisher.figures.parts import arrow, canvas, headings, plane, write
from publisher.results import shown
from snippets.attention import Array
from snippets.drawings.tokens import STROKES, TOKEN_COLOURS, bar, names

Pair = tuple[float, float]


def draw_plane(
    tokens: tuple[str, ...], query: Pair, keys: Sequence[Pair], scores: Array, narrow: bool
) -> Drawing:
    """Draw the query and the three keys as arrows in the plane, each key with its score.

    Parameters
    ----------
    tokens : the three tokens
    query : the query's two coordinates
    keys : (3, 2)
    scores : (3,)
    narrow : whether for a phone
    """
    size = (330, 250) if narrow else (460, 300)
    drawing, axes = plane(*size, (-0.6, 3.1, -0.45, 1.6))
    arrow(axes, query, palette.ACCENT, width=5)
    axes.text(
        query[0], query[1] - 0.12, "query at bank", color=palette.ACCENT, ha="right", va="top"
    )
    for token, key, score, colour, stroke in zip(
        tokens, keys, scores, TOKEN_COLOURS, STROKES, strict=True
    ):
        arrow(axes, key, colour, stroke)
        label = f"{token}: {shown(score, form='short')}"
        axes.text(key[0] + 0.08, key[1] + 0.06, label, color=colour, weight="bold", va="bottom")
    return drawing


def draw_shares(
    tokens: tuple[str, ...], scores: Array, exponentials: Array, weights: Array, total: float,
    narrow: bool,
) -> Drawing:  # fmt: skip
    """Draw each exponential as a bar, and below them one whole bar, divided by the weights.

    Parameters
    ----------
    tokens : the three tokens
    scores, exponentials, weights : (3,) each
    total : the weights' sum
    narrow : whether for a phone
    """
    width = 320 if narrow else 540
    drawing, axes = canvas(width, 232)
    full, left = width - 190.0, 118.0
    headings(axes, 18, {"score": 94, "e to the score": left + 46, "weight": width - 36})
    start, whole = left, 200
    names(axes, 10, [52, 94, 136], tokens)
    for row, token in enumerate(tokens):
        y = 52 + 42 * row
        write(axes, 94, y, shown(scores[row], form="short"))
        bar(axes, left, y, 0.72 * full * exponentials[row] / exponentials.max(), token, tokens)
        end = left + 0.72 * full * exponentials[row] / exponentials.max()
        write(axes, end + 6, y, shown(exponentials[row]), align="left")
        write(axes, width - 36, y, shown(weights[row]), bold=True)
        bar(axes, start, whole, full * weights[row], token, tokens)
        start += full * weights[row]
    write(axes, 10, whole, "shared out", palette.MUTED, "left", size=9.5)
    write(axes, width - 36, whole, shown(total, form="short"), bold=True)
    return drawing
