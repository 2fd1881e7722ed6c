"""One word, two scenes: the same embedding row twice, among different neighbours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise, zip_longest

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Circle, Ellipse, FancyBboxPatch, PathPatch, Polygon, Rectangle
from matplotlib.path import Path
from matplotlib.textpath import TextPath

from publisher.figures import palette
from publisher.figures.parts import canvas
from publisher.results import (
    Figure,
    Figures,
    Numbers,
    Table,
    Tables,
    Texts,
    Vectors,
    short,
    shown,
    shown_vector,
)
from snippets.drawings.tokens import STROKES, TOKEN_COLOURS, token_colour
from snippets.running_example import MONEY, RIVER, TOKENS
from snippets.sentences import WORD, look_up, position_of, tokenise

# The neighbours that the drawing links to the word: our choice, not a measurement.
CLUES = {"river": TOKENS[:2], "money": ("cashier", "money")}
SENTENCES = {"river": RIVER, "money": MONEY}

Point = tuple[float, float]
# Measures of the drawing, in points: a panel's height; how far down the word stands, and the row
# of numbers; a cell of that row; the space between two words.
PANEL, BASE, ROW, CELL, SPACE = 280.0, 207.0, 245.0, 40.0, 3.6


def same_word_twice() -> None:
    """Print the embedding row of bank, looked up from each of the two sentences."""
    for sentence in (RIVER, MONEY):
        tokens = tokenise(sentence)
        place = position_of(WORD, tokens)
        row = look_up(tokens)[place - 1]
        print(f"{WORD}, position {place} of {len(tokens)}: {row.tolist()}")


def same_row(first: str, second: str) -> bool:
    """Tell whether two tokens have one embedding row; no token has none."""
    return bool(first and second) and np.array_equal(look_up([first]), look_up([second]))


def numbers() -> Numbers:
    """Return the page's numbers."""
    river, money = tokenise(RIVER), tokenise(MONEY)
    return {
        "river_position": position_of(WORD, river),
        "money_position": position_of(WORD, money),
        "river_count": len(river),
        "differing": sum(not same_row(a, b) for a, b in zip_longest(river, money, fillvalue="")),
    }


def vectors() -> Vectors:
    """Return the page's vectors."""
    river, money = tokenise(RIVER), tokenise(MONEY)
    in_river = look_up(river)[position_of(WORD, river) - 1]
    in_money = look_up(money)[position_of(WORD, money) - 1]
    return {
        "river_row": [short(value) for value in in_river],
        "money_row": [short(value) for value in in_money],
    }


def texts() -> Texts:
    """Return the two sentences, exactly."""
    return {"river": RIVER, "money": MONEY}


def tables() -> Tables:
    """Return the page's tables."""
    pairs = list(zip_longest(tokenise(RIVER), tokenise(MONEY), fillvalue=""))
    return {
        "side_by_side": Table(
            caption="The two sentences, position by position",
            columns=("Position", "River", "Money", "Same row?"),
            rows=[
                (place, first, second, "same" if same_row(first, second) else "different")
                for place, (first, second) in enumerate(pairs, start=1)
            ],
        ),
    }


# The drawing. Units are points, y runs down; every piece is placed by its top left corner.


def _line(axes: Axes, points: Sequence[Point], at: Point, colour: str, width: float = 1.6) -> None:
    """Draw straight strokes with round ends through the points."""
    xs, ys = zip(*points, strict=True)
    axes.plot(
        np.add(xs, at[0]), np.add(ys, at[1]), color=colour, linewidth=width,
        solid_capstyle="round", solid_joinstyle="round",
    )  # fmt: skip


def _shape(
    axes: Axes, points: Sequence[Point], at: Point, edge: str, fill: str, over: int = 1
) -> None:
    """Draw a filled shape with an outline; `over` 3 puts it before the strokes."""
    corners = np.add(points, at)
    axes.add_patch(
        Polygon(corners, facecolor=fill, edgecolor=edge, lw=2, joinstyle="round", zorder=over)
    )


def _box(x: float, y: float, width: float, height: float) -> list[Point]:
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


def _person(axes: Axes, neck: Point, hips: Point, hand: Point, at: Point, colour: str) -> None:
    """Draw a head, a body and one arm stretched out."""
    axes.add_patch(Circle((at[0] + neck[0], at[1] + neck[1] - 11), 6, color=colour, linewidth=0))
    _line(axes, [(neck[0], neck[1] + 2), hips], at, colour, 8)
    _line(axes, [(neck[0], neck[1] + 3), hand], at, colour, 3)


def _net(axes: Axes, at: Point, colour: str) -> None:
    """Draw a net of slanting meshes, hung between two posts."""
    width, height, sag, slant = 58.0, 25.0, 5.0, 0.36
    steps = np.linspace(0, 1, 25)

    def place(u: float, v: float) -> Point:
        return u * width, v * height + (1 + v) * sag * 4 * u * (1 - u)

    for start in np.linspace(-slant, 1, 9):
        for foot, head in ((start, start + slant), (start + slant, start)):
            strand = [(foot + (head - foot) * v, v) for v in steps]
            inside = [place(u, v) for u, v in strand if 0 <= u <= 1]
            if len(inside) > 1:
                _line(axes, inside, at, colour, 0.9)
    for v in (0.0, 1.0):
        _line(axes, [place(u, v) for u in steps], at, colour, 1.8)
    for x in (0.0, width):
        _line(axes, [(x, -5), (x, 37)], at, palette.MUTED, 2.6)


def draw_river(axes: Axes, at: Point) -> None:
    """Draw a fisherman and his net on the bank of a river; the picture is 236 by 104."""
    fisherman, net, bank = TOKEN_COLOURS
    sun = (at[0] + 40, at[1] + 20)
    axes.add_patch(Circle(sun, 11, facecolor=palette.FILL, edgecolor=palette.RULE, lw=1.6))
    hills = np.linspace(0, 116, 60)
    _line(axes, [(h, 53 - 10 * np.sin(h / 24) ** 2 - h / 18) for h in hills], at, palette.RULE)
    slope = np.linspace(0, 1, 30)
    edge = [(86 + 58 * s, 104 - 43 * (1 - (1 - s) ** 2.2)) for s in slope] + [(236.0, 61.0)]
    _shape(axes, [*edge, (236, 104)], at, palette.FILL, palette.FILL)
    _line(axes, edge, at, bank, 3)
    for start, depth in ((0, 65), (8, 77), (0, 89), (8, 101)):
        shore = min(x for x, y in edge if y <= depth)
        xs = np.arange(start, shore - 14, 1.0)
        _line(axes, [(x, depth + 2.2 * np.sin(x / 4.5)) for x in xs], at, palette.MUTED, 1.3)
    for x, y in ((116, 69), (127, 64), (230, 60)):
        for lean in (-4, 0, 4):
            _line(axes, [(x, y), (x + lean, y - 9)], at, bank, 1.5)
    for foot in (144.5, 151.5):
        _line(axes, [(148, 42), (foot, 58)], at, fisherman, 3.6)
    _person(axes, (148, 25), (148, 40), (168, 34), at, fisherman)
    _line(axes, [(138, 10.5), (158, 10.5)], at, fisherman, 2.6)
    _line(axes, [(145, 8), (151, 8)], at, fisherman, 5)
    _net(axes, (at[0] + 166, at[1] + 22), net)


def draw_counter(axes: Axes, at: Point) -> None:
    """Draw a cashier who counts coins inside a bank; the picture is 236 by 104."""
    bank = TOKEN_COLOURS[2]
    _shape(axes, [(118, 1), (18, 27), (218, 27)], at, bank, palette.FILL)
    pediment = (at[0] + 118, at[1] + 17)
    axes.add_patch(Circle(pediment, 4.5, facecolor=palette.PAPER, edgecolor=bank, lw=1.8))
    for beam in ((24, 27, 188, 8), (14, 95, 208, 8)):
        _shape(axes, _box(*beam), at, bank, palette.FILL)
    for left in (32, 54, 168, 190):
        _shape(axes, _box(left, 35, 14, 60), at, bank, palette.FILL)
        _line(axes, [(left + 7, 41), (left + 7, 89)], at, bank, 1)
    _person(axes, (100, 58), (100, 80), (119, 69), at, palette.INK)
    _shape(axes, _box(80, 77, 78, 18), at, palette.INK, palette.PAPER, over=3)
    for left, height in ((123, 2), (136, 5), (149, 3)):
        for coin in range(height):
            axes.add_patch(
                Ellipse((at[0] + left, at[1] + 75 - 4 * coin), 11, 4.6, facecolor=palette.PAPER,
                        edgecolor=palette.INK, lw=1.3, zorder=3)
            )  # fmt: skip


def _width(word: str, size: float, weight: str) -> float:
    """Return the width of a word in the figures' own typeface."""
    return float(TextPath((0, 0), word, prop=_font(size, weight)).get_extents().width)


def _font(size: float, weight: str) -> FontProperties:
    return FontProperties(family="DejaVu Sans", size=size, weight=weight)


def _set(axes: Axes, words: Sequence[str], start: Point, clues: Sequence[str]) -> dict[str, Point]:
    """Set words on one line, from `start` on; return the middle of each clue's baseline."""
    middles = {}
    x, y = start
    for word in words:
        weight = "bold" if word in clues else "normal"
        colour = token_colour(TOKENS, word) if word in clues else palette.MUTED
        colour = colour if word in (*TOKENS, *clues) else palette.MUTED
        width = _width(word, 11, weight)
        axes.text(x + width / 2, y, word, size=11, weight=weight, color=colour, ha="center")
        if word in clues:
            middles[word] = (x + width / 2, y)
        x += width + SPACE
    return middles


def _link(axes: Axes, start: Point, end: Point, colour: str, stroke: str) -> None:
    """Draw an arrow that leaves a neighbour downwards and reaches the word from above."""
    middle = (start[1] + end[1]) / 2
    neck = (end[0], end[1] - 6)
    path = Path([start, (start[0], middle + 8), (end[0], middle - 12), neck], [1, 4, 4, 4])
    axes.add_patch(PathPatch(path, facecolor="none", edgecolor=colour, lw=1.8, linestyle=stroke))
    head = [(end[0] - 4.5, neck[1]), (end[0] + 4.5, neck[1]), (end[0], neck[1] + 9)]
    axes.add_patch(Polygon(head, color=colour, linewidth=0))


def _row(axes: Axes, centre: Point) -> None:
    """Draw the word's embedding row as a strip of cells."""
    (row,) = look_up([WORD])
    left = centre[0] - CELL * len(row) / 2
    for place, value in enumerate(row):
        corner = (left + CELL * place, centre[1] - 11)
        cell = Rectangle(corner, CELL, 22, facecolor=palette.FILL, edgecolor=TOKEN_COLOURS[2])
        axes.add_patch(cell)
        axes.text(corner[0] + CELL / 2, centre[1] + 4, shown(value, form="short"), ha="center")


def _sentence(axes: Axes, name: str, middle: float, top: float) -> dict[str, Point]:
    """Set a sentence on two lines, its word large; return where the linked neighbours stand."""
    tokens, clues = tokenise(SENTENCES[name]), CLUES[name]
    place = position_of(WORD, tokens)
    cut = max(place - 3, 0)  # two words stand before the word, on its own line
    above, before, after = tokens[:cut], tokens[cut : place - 1], tokens[place:]

    def length(words: Sequence[str]) -> float:
        weights = ["bold" if word in clues else "normal" for word in words]
        parts = (_width(w, 11, weight) + SPACE for w, weight in zip(words, weights, strict=True))
        return math.fsum(parts)  # the same on every Python; sum() of floats is not

    half = _width(WORD, 21, "bold") / 2 + 5
    base = top + BASE
    found = _set(axes, above, (middle - length(above) / 2, base - 59), clues)
    found |= _set(axes, before, (middle - half - length(before) + 2, base), clues)
    found |= _set(axes, after, (middle + half, base), clues)
    colour = TOKEN_COLOURS[2]
    axes.text(middle, base, WORD, size=21, weight="bold", color=colour, ha="center")
    where = f"position {shown(place)} of {shown(len(tokens))}"
    axes.text(middle, base + 18, where, size=9.5, color=palette.MUTED, ha="center")
    return found


def _panel(axes: Axes, name: str, at: Point, width: float) -> None:
    """Draw one scene, its sentence, and the word in it with its position and its row."""
    x, y = at
    middle = x + width / 2
    frame = FancyBboxPatch(
        (x + 6, y + 6), width - 12, PANEL - 12, boxstyle="round,pad=5", facecolor=palette.PAPER,
        edgecolor=palette.RULE, lw=1.2,
    )  # fmt: skip
    axes.add_patch(frame)
    (draw_river if name == "river" else draw_counter)(axes, (middle - 118, y + 16))
    found = _sentence(axes, name, middle, y)
    goal = y + BASE - 20
    offsets = np.linspace(-9, 9, len(found)) if len(found) > 1 else [0.0]
    for (clue, spot), offset in zip(found.items(), offsets, strict=True):
        stroke = STROKES[TOKENS.index(clue)] if clue in TOKENS else "-"
        start = (spot[0], min(spot[1] + 6, goal))
        _link(axes, start, (middle + offset, goal), token_colour(TOKENS, clue), stroke)
    _row(axes, (middle, y + ROW))
    under = "its row in the embedding table"
    axes.text(middle, y + ROW + 26, under, size=9.5, color=palette.MUTED, ha="center")


def draw_scenes(narrow: bool) -> Drawing:
    """Draw the two scenes, side by side or one above the other, joined by the row they share."""
    width, gap = (280.0, 14.0) if narrow else (266.0, 12.0)
    size = (width, 2 * PANEL + gap) if narrow else (2 * width + gap, PANEL)
    drawing, axes = canvas(*size)
    corners = [(0.0, 0.0), (0.0, PANEL + gap)] if narrow else [(0.0, 0.0), (width + gap, 0.0)]
    for name, corner in zip(SENTENCES, corners, strict=True):
        _panel(axes, name, corner, width)
    edge = CELL * len(look_up([WORD])[0]) / 2
    ends = [(x + width / 2, y + ROW) for x, y in corners]
    if narrow:
        out = width - 14
        points = [(ends[0][0] + edge, ends[0][1]), (out, ends[0][1]), (out, ends[1][1]),
                  (ends[1][0] + edge, ends[1][1])]  # fmt: skip
        pill = (width - 50, PANEL + gap / 2)
    else:
        points = [(ends[0][0] + edge, ends[0][1]), (ends[1][0] - edge, ends[1][1])]
        pill = (size[0] / 2, ends[0][1])
    for start, end in pairwise(points):
        axes.plot(*zip(start, end, strict=True), color=TOKEN_COLOURS[2], lw=1.8, ls=":")
    axes.text(
        *pill, "the same row", size=9.5, weight="bold", color=TOKEN_COLOURS[2],
        ha="center", va="center",
        bbox={"boxstyle": "round,pad=0.35", "facecolor": palette.PAPER,
              "edgecolor": TOKEN_COLOURS[2]},
    )  # fmt: skip
    return drawing


def figures() -> Figures:
    """Return the page's figure."""
    (row,) = look_up([WORD])
    lines, said = [], []
    for name, sentence in SENTENCES.items():
        tokens = tokenise(sentence)
        clues = " and ".join(clue for clue in CLUES[name] if clue in tokens)
        place = position_of(WORD, tokens)
        lines.append((name, clues, place, len(tokens), [short(value) for value in row]))
        said.append(
            f'The {name} sentence, "{sentence}": arrows lead from {clues} to {WORD}, '
            f"at position {place} of {len(tokens)}."
        )
    return {
        "two_scenes": Figure(
            title="One word among two sets of neighbours",
            caption="Below, what the two scenes share: one word, one row of numbers. Above, what "
            "tells them apart: the neighbours. The arrows are our idea of which words help. This "
            "is not a measured attention map.",
            description="Two panels. In one a fisherman mends a net on the bank of a river, in "
            f"the other a cashier counts coins inside a bank. {' '.join(said)} A dotted line joins "
            f"the row of {WORD} in both panels, {shown_vector(row)}, with the words: the same row.",
            label="concept drawing",
            data=Table(
                "What the drawing shows",
                ("Sentence", "Linked neighbours", f"Position of {WORD}", "Tokens", "Row"),
                lines,
            ),
            draw=draw_scenes,
        ),
    }
