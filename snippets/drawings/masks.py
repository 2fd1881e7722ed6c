"""The drawing of the chapter on masks: who may contribute at one position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.patches import Circle

from publisher.figures import palette
from publisher.figures.parts import canvas, panel, write
from snippets.drawings.tokens import token_colour

Access = Mapping[str, Sequence[bool]]  # by the mask's name: may the query use each position?


def draw_access(
    known: tuple[str, ...], tokens: Sequence[str], asking: int, access: Access, narrow: bool
) -> Drawing:
    """Draw which positions one query may use under each mask.

    Parameters
    ----------
    known : the example's three tokens, which have colours
    tokens : the n tokens of the sentence
    asking : the index of the token that asks
    access : two masks by name; n times True or False each
    narrow : whether for a phone
    """
    draw = _downwards if narrow else _across
    return draw(known, tokens, asking, access)


def _across(
    known: tuple[str, ...], tokens: Sequence[str], asking: int, access: Access
) -> Drawing:  # fmt: skip
    step, first, levels = 66.0, 142.0, (88, 130)
    drawing, axes = canvas(first + step * (len(tokens) - 1) + 42, 186)
    middle = first + step * asking
    panel(axes, middle - 31, 6, middle + 31, 152, "")
    write(axes, middle, 18, "asks", palette.MUTED, size=9.5)
    for i, token in enumerate(tokens):
        x = first + step * i
        write(axes, x, 38, token, token_colour(known, token), bold=token in known)
        write(axes, x, 56, str(i + 1), palette.MUTED, size=9.5)
        for y, row in zip(levels, access.values(), strict=True):
            _mark(axes, x, y, row[i])
    write(axes, 8, 56, "position", palette.MUTED, "left", size=9.5)
    for y, name in zip(levels, access, strict=True):
        write(axes, 8, y, name, align="left", size=11, bold=True)
    _legend(axes, first - 10, 173)
    return drawing


def _downwards(
    known: tuple[str, ...], tokens: Sequence[str], asking: int, access: Access
) -> Drawing:  # fmt: skip
    step, first = 30.0, 52.0
    bottom = first + step * len(tokens)
    drawing, axes = canvas(320, bottom + 26)
    middle = first + step * asking
    panel(axes, 4, middle - 14, 316, middle + 14, "")
    write(axes, 92, middle, "asks", palette.MUTED, "left", size=9.5)
    for x, (name, row) in zip((166, 262), access.items(), strict=True):
        write(axes, x, 20, name, size=11, bold=True)
        for i, may in enumerate(row):
            _mark(axes, x, first + step * i, may)
    for i, token in enumerate(tokens):
        y, colour = first + step * i, token_colour(known, token)
        write(axes, 22, y, str(i + 1), palette.MUTED, "right", size=10.5)
        write(axes, 32, y, token, colour, "left", size=12, bold=token in known)
    _legend(axes, 120, bottom + 10)
    return drawing


def _mark(axes: Axes, x: float, y: float, may: bool) -> None:
    """Draw a full disc for a position that may be used, a cross for one that may not."""
    if may:
        axes.add_patch(Circle((x, y), 7, facecolor=palette.ACCENT, edgecolor=palette.ACCENT))
    else:
        for rise in (-4.5, 4.5):
            axes.plot((x - 4.5, x + 4.5), (y - rise, y + rise), color=palette.MUTED, linewidth=1.6)


def _legend(axes: Axes, left: float, y: float) -> None:
    _mark(axes, left + 7, y, True)
    write(axes, left + 20, y, "may be used", palette.MUTED, "left", size=9.5)
    _mark(axes, left + 107, y, False)
    write(axes, left + 119, y, "may not", palette.MUTED, "left", size=9.5)
