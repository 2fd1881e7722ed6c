"""The parts of a page: numbers, tables, figures, widgets, source code and its provenance, ledger.

Each takes what it shows ready-made, and its addresses from a `Here`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from publisher.collect import Entry
from publisher.figures.export import Artwork
from publisher.html.templates import inline, render, shielded
from publisher.project import Here, element_id
from publisher.results import Widget


def number(identifier: str, value: str, text: str) -> Markup:
    """Return a number that the reader can ask about.

    Parameters
    ----------
    identifier : str
        Its id in the ledger.
    value : str
        All its digits.
    text : str
        What the reader sees.
    """
    return inline("number", identifier, value, text)


def text(words: str) -> Markup:
    """Return plain text, in which a pair of backticks marks code."""
    pieces = re.split(r"`([^`]+)`", words)
    return Markup().join(code(piece) if i % 2 else piece for i, piece in enumerate(pieces))


def code(words: str) -> Markup:
    """Return a piece of code in a line of text."""
    return inline("code", words)


def vector(items: Sequence[Markup]) -> Markup:
    """Return a vector in running text, its brackets written so that Markdown leaves them alone."""
    return inline("vector", items)


def row(items: Sequence[Markup]) -> Markup:
    """Return a vector in a table's cell."""
    return inline("row", items)


def token(index: int, name: str) -> Markup:
    """Return a token of the running example in its colour, the `index`-th, counted from 1."""
    return inline("token", index, name)


@dataclass(frozen=True)
class TableCell:
    """A table's cell as HTML; one that heads its row is text, one of numbers aligns right."""

    content: Markup
    heads_row: bool = False
    numeric: bool = False


def table(
    spoken: str,
    columns: Sequence[Markup],
    rows: Sequence[Sequence[TableCell]],
    caption: Markup | None = None,
    anchor: str = "",
) -> Markup:
    """Return a table that scrolls sideways where it is too wide.

    Parameters
    ----------
    spoken : str
        Its name for a screen reader.
    columns : sequence of Markup
        The heads of its columns.
    rows : sequence of sequence of TableCell
        Its cells, one for each column.
    caption, anchor
        Its caption and permanent link; the table beside a figure has neither.
    """
    return render(
        "table", spoken=spoken, columns=columns, rows=rows, caption=caption, anchor=anchor
    )


def figure(artwork: Artwork, caption: Markup, data: Markup, here: Here) -> Markup:
    """Return a figure with its caption, and its data as a table beside the links to its files."""
    return render("figure", artwork=artwork, caption=caption, data=data, here=here)


def widget(identifier: str, made: Widget, figure: Markup, here: Here) -> Markup:
    """Return a figure inside the element that brings it to life where JavaScript runs."""
    return render(
        "widget",
        anchor=made.anchor or element_id("widget", identifier),
        element=made.element,
        title=made.title,
        label=made.label,
        data={"start": made.start, "results": made.results},
        figure=figure,
        here=here,
    )


def provenance(file: str, first: int, last: int, test: str, here: Here) -> Markup:
    """Return the line under a piece of code: its file, its lines, its test."""
    return render("provenance", file=file, first=first, last=last, test=test, here=here)


def source(text: str) -> Markup:
    """Return highlighted Python with a permanent link for each line (#L-12)."""
    marked = highlight(text, PythonLexer(stripnl=False), HtmlFormatter(nowrap=True))
    return render("source", lines=[Markup(line) for line in marked.rstrip("\n").split("\n")])


def ledger(rows: Iterable[tuple[Entry, Sequence[str]]], here: Here) -> Markup:
    """Return the table of every number, each with the addresses of the pages that show it."""
    return render("ledger", rows=rows, here=here)


def page_numbers(records: Mapping[str, Sequence[str]], here: Here) -> Markup:
    """Return a page's own share of the ledger, for the reader who asks about a number.

    Parameters
    ----------
    records : mapping of str to sequence of str
        For each number's id: the line that makes it, the line that tests it, the call.
    here : Here
        The page.
    """
    return render("page_numbers", records=records, here=here) if records else Markup()


def formula(mathml: str) -> Markup:
    """Return a formula that stands on a line of its own."""
    return render("formula", mathml=Markup(mathml))


def math(mathml: str) -> Markup:
    """Return a formula in running text, with nothing in it for Markdown to act on.

    It stands inside a span, so that Markdown never takes a paragraph's first formula for a block.
    """
    return inline("math", shielded(mathml))
