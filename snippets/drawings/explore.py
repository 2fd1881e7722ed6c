"""The drawing inside the explorable of weights with one output."""

from __future__ import annotations

from collections.abc import Mapping

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from publisher.figures import palette
from publisher.figures.parts import canvas, panel, write
from publisher.results import shown
from snippets.attention import Array
from snippets.drawings.tokens import TOKEN_COLOURS, bar, names


def draw_same_output(
    tokens: tuple[str, ...], three: Mapping[str, Array], start: str, narrow: bool
) -> Drawing:
    """Draw the distributions that have one output: as a segment, and three of them as bars.

    Parameters
    ----------
    tokens : the three tokens
    three : by name, the segment's one end, the start, and the other end; each (3,)
    start : the name of the start
    narrow : whether for a phone
    """
    drawing, axes = canvas(*((320, 618) if narrow else (600, 338)))
    panel(axes, 6, 6, 314 if narrow else 290, 292 if narrow else 332, "All with this output")
    _segment(axes, tokens, three, start, 36, 44, 214 if narrow else 232)
    for k, (name, weights) in enumerate(three.items()):
        left, top = (6, 300 + 106 * k) if narrow else (304, 6 + 112 * k)
        right = left + (308 if narrow else 290)
        panel(axes, left, top, right, top + 102, name[0].upper() + name[1:])
        middles = [top + 42 + 22 * j for j in range(len(tokens))]
        names(axes, left + 10, middles, tokens)
        for token, y, weight in zip(tokens, middles, weights, strict=True):
            bar(axes, left + 84, y, 150 * weight, token, tokens, 14)
            write(axes, right - 10, y, shown(weight), align="right")
    return drawing


def _segment(
    axes: Axes, tokens: tuple[str, ...], three: Mapping[str, Array], start: str, left: float,
    top: float, side: float,
) -> None:  # fmt: skip
    """Draw the triangle of all distributions over three tokens, and in it the segment.

    The weight of the third token grows to the right, that of the first one upwards.
    """
    points = {
        name: (left + side * weights[2], top + side * (1 - weights[0]))
        for name, weights in three.items()
    }
    corners = ((0.0, 1.0), (1.0, 1.0), (0.0, 0.0), (0.0, 1.0))
    axes.plot(*zip(*((left + side * x, top + side * y) for x, y in corners), strict=True),
              color=palette.MUTED, linewidth=1)  # fmt: skip
    axes.plot(*zip(*points.values(), strict=True), color=palette.ACCENT, linewidth=3)
    for name, (x, y) in points.items():
        begun = name == start
        axes.plot(x, y, "s" if begun else "o", color=palette.ACCENT, markersize=7,
                  markerfacecolor=palette.PAPER)  # fmt: skip
        across, down = (-14, 28) if begun else (8, -10)  # clear of the segment
        write(axes, x + across, y + down, name, align="left", bold=begun)
    write(axes, left + side, top + side + 13, f"all to {tokens[2]}", TOKEN_COLOURS[2],
          "right", 9.5)  # fmt: skip
    write(axes, left + 8, top + 2, f"all to {tokens[0]}", TOKEN_COLOURS[0], "left", 9.5)
    write(axes, left, top + side + 13, f"all to {tokens[1]}", TOKEN_COLOURS[1], "left", 9.5)
