"""What a chapter may hand to a page: a number, a table, a figure. Plain data, no rendering."""

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


# The words that chapters share for showing a value. Two return results, with their full value:
# short() and surd(), and inputs() for vectors; those named shown... return text.


def short(value: float, digits: int = 4) -> Number:
    """Show a number without trailing zeros: 2 rather than 2.0000, for inputs and whole results.

    Parameters
    ----------
    value : a finite scalar
    digits : the decimals that are shown at most

    Returns
    -------
    The number, with its full value.
    """
    return Number(float(value), digits, "short")


def surd(value: float) -> Number:
    """Show a number as a root where it is one: √2 rather than 1.4142, else as `short` does.

    Parameters
    ----------
    value : a finite scalar; a root is recognised if its square is a whole number up to 10,000

    Returns
    -------
    The number, with its full value.
    """
    return Number(float(value), form="surd")


def inputs(values: Iterable[float]) -> list[Number]:
    """Show a vector of inputs, each as `surd` does: [2, 0, √2].

    Parameters
    ----------
    values : n finite scalars

    Returns
    -------
    The n numbers, with their full values.
    """
    return [surd(value) for value in values]


def spoken(token: str) -> str:
    """Return a token as it can be read aloud, for descriptions: "full stop" for "."."""
    return "full stop" if token == "." else token


def shown(value: float, digits: int = 4, form: str = "") -> str:
    """Return a number as the pages show it, for labels and descriptions.

    Parameters
    ----------
    value : a finite scalar; a Python or NumPy integer is shown as an integer
    digits : decimals of the plain and the short form
    form : one of `formats.FORMS`

    Raises
    ------
    ValueError : a form that is not known or does not fit the value
    """
    return display(value, digits, form)


def shown_vector(values: Iterable[float], form: str = "short") -> str:
    """Return a vector as the pages show it, for labels and descriptions: [2, 0].

    Parameters
    ----------
    values : finite scalars
    form : one of `formats.FORMS`, the same for all

    Raises
    ------
    ValueError : as `shown`
    """
    return "[" + ", ".join(display(value, 4, form) for value in values) + "]"


def shown_shape(sizes: Iterable[int], by: str = "×") -> str:
    """Return an array's shape as the pages show it: 3 × 4.

    Parameters
    ----------
    sizes : the sizes of its axes; one size stands alone
    by : the character between them; a demo prints the letter x
    """
    return f" {by} ".join(str(size) for size in sizes)


def cells(cell: Any) -> list[Any]:
    """Return what stands in a cell as a list: a vector's entries, or the one number or text.

    Parameters
    ----------
    cell : a `Number`, a scalar, a text, or a sequence or array of numbers
    """
    if isinstance(cell, Number) or np.ndim(cell) == 0:
        return [cell]
    return list(cell)


def number(value: Any) -> Number:
    """Return a scalar as a `Number` of Python's own types.

    Parameters
    ----------
    value : a Python or NumPy scalar, or a `Number`, whose way of being shown is kept

    Returns
    -------
    The number; an integer's value stays an integer, which is shown without decimals.
    """
    inner = value.value if isinstance(value, Number) else value
    inner = int(inner) if isinstance(inner, (int, np.integer)) else float(inner)
    return replace(value, value=inner) if isinstance(value, Number) else Number(inner)
