"""What a topic module may hand to a page: a number, a table, a figure. Plain data, no rendering."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from publisher.formats import display

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

LABELS = ("concept drawing", "invented numbers", "simulation", "trained here", "real model")


@dataclass(frozen=True)
class Number:
    """A scalar with its way of being shown (`form` is one of `formats.FORMS`)."""

    value: float
    digits: int = 4
    form: str = ""


Cell = str | int | float | Number | Sequence[Any]


@dataclass(frozen=True)
class Table:
    """Rows under columns. A cell is text, a number, or a vector of numbers."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True)
class Figure:
    """A drawing, its words, and the data it shows.

    `draw(narrow)` returns the matplotlib figure, for a wide page or for a phone. `description` is
    the alternative text, made from the same arrays as the drawing.
    """

    title: str
    caption: str
    description: str
    label: str
    data: Table
    draw: Callable[[bool], Drawing]


@dataclass(frozen=True)
class Widget:
    """A figure to change by hand: a custom element around a static figure of the same thing.

    `element` is its tag, and the name of its module under docs/assets/explore/; `figure` is the
    dotted name of the figure that stands inside it. The element starts from `start`, and shows what
    Python made of it, `results`, until the reader changes something. `anchor` is its permanent
    link, under which shared links also keep a reader's numbers; by default it is made of module
    and name.
    """

    element: str
    title: str
    label: str
    figure: str
    start: Mapping[str, Any]
    results: Mapping[str, Any]
    anchor: str = ""


Numbers = Mapping[str, float | Number]
Vectors = Mapping[str, Sequence[float | Number] | Any]
Tables = Mapping[str, Table]
Figures = Mapping[str, Figure]
Texts = Mapping[str, str]
Widgets = Mapping[str, Widget]


def short(value: float, digits: int = 4) -> Number:
    """Show `value` without trailing zeros: for inputs such as 2 or 1.5."""
    return Number(float(value), digits, "short")


def cells(cell: Any) -> list[Any]:
    """Return a cell's numbers: one, or a vector's."""
    if isinstance(cell, Number) or np.ndim(cell) == 0:
        return [cell]
    return list(cell)


def number(value: Any) -> Number:
    """Wrap a plain scalar as a Number; an integer keeps its type."""
    inner = value.value if isinstance(value, Number) else value
    inner = int(inner) if isinstance(inner, (int, np.integer)) else float(inner)
    return replace(value, value=inner) if isinstance(value, Number) else Number(inner)


def shown(value: float, digits: int = 4, form: str = "") -> str:
    """Return a number as the pages show it, for labels and descriptions."""
    return display(value, digits, form)


def shown_vector(values: Iterable[float], form: str = "short") -> str:
    """Return a vector as the pages show it: [2, 0]."""
    return "[" + ", ".join(display(value, 4, form) for value in values) + "]"
