"""The HTML of a table, of a line that says where code comes from, of the ledger, of a source."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from publisher.collect import cell_id
from publisher.results import Cell, Table, Widget, cells, number

if TYPE_CHECKING:
    from publisher.ledger import Row
    from publisher.render.page import Renderer


def element_id(kind: str, identifier: str) -> str:
    """Return the permanent link of a table or figure: table-notes-scaling-spread."""
    return f"{kind}-{identifier}".replace(".", "-").replace("_", "-")


def table(renderer: Renderer, identifier: str, made: Table, plain: bool = False) -> str:
    """Return a table; `plain` is the one beside a figure, which the figure captions."""
    head = "".join(f'<th scope="col">{renderer.inline(text)}</th>' for text in made.columns)
    body = []
    for row, line in enumerate(made.rows):
        items = []
        for column, cell in enumerate(line):
            inner = _cell(renderer, cell_id(identifier, row, column), cell)
            tag = 'th scope="row"' if column == 0 and isinstance(cell, str) else "td"
            number_class = "" if isinstance(cell, str) else ' class="number"'
            items.append(f"<{tag}{number_class}>{inner}</{tag.split()[0]}>")
        body.append(f"<tr>{''.join(items)}</tr>")
    name = html.escape(renderer.spoken(made.caption))
    caption = "" if plain else f"<caption><span>{renderer.inline(made.caption)}</span></caption>"
    link = "" if plain else f' id="{element_id("table", identifier)}"'
    return (
        f'<div class="table-scroll"{link} role="group" aria-label="{name}" tabindex="0" '
        f"data-search-exclude>"
        f'<table class="data">{caption}<thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


def _cell(renderer: Renderer, identifier: str, cell: Cell) -> str:
    if isinstance(cell, str):
        return renderer.cell(cell)
    items = cells(cell)
    if len(items) == 1:
        return renderer.number(identifier, number(items[0]))
    inner = [renderer.number(f"{identifier}[{i}]", number(item)) for i, item in enumerate(items)]
    return f"[{', '.join(inner)}]"


def widget(up: str, identifier: str, made: Widget, figure: str) -> str:
    """Return a figure inside the element that brings it to life where JavaScript runs."""
    data = json.dumps({"start": made.start, "results": made.results}, separators=(",", ":"))
    folder, anchor = f"{up}assets/explore", made.anchor or element_id("widget", identifier)
    return (
        f'<link rel="stylesheet" href="{folder}/explore.css">'
        f'<{made.element} class="explorable" id="{anchor}" '
        f'data-title="{html.escape(made.title)}" data-label="{made.label}">'
        f"<template data-search-exclude>{html.escape(data, quote=False)}</template>"
        f"{figure}</{made.element}>"
        f'<script type="module" src="{folder}/{made.element}.js"></script>'
    )


def source_url(file: str) -> str:
    """Return the page that shows a source file, from the site's root."""
    return f"source/{file}/"


def provenance(up: str, file: str, first: int, last: int, test: str) -> str:
    """Return the line under a piece of code: its file, its lines, its test."""
    lines = f"line {first}" if first == last else f"lines {first} to {last}"
    return (
        f'<p class="provenance" data-search-exclude>'
        f'<a href="{up}{source_url(file)}#L-{first}">{file}, '
        f"{lines}</a>, tested in "
        f'<a href="{up}{source_url(test)}">{test}</a></p>'
    )


def source(text: str) -> str:
    """Return highlighted source with a link a line (#L-12)."""
    formatter = HtmlFormatter(
        linespans="L", anchorlinenos=False, wrapcode=True, cssclass="highlight source"
    )
    marked: str = highlight(text, PythonLexer(stripnl=False), formatter)
    return marked.replace("<pre>", '<pre tabindex="0" aria-label="Source">')


def _line(up: str, file: str, line: int) -> str:
    shown = file.replace("/", "/<wbr>")
    return f'<a href="{up}{source_url(file)}#L-{line}">{shown}:{line}</a>'


def ledger(ledger_rows: Iterable[Row], up: str) -> str:
    """Return the table of every number that a page shows."""
    rows = []
    for ledger_row in ledger_rows:
        entry = ledger_row.entry
        pages = ", ".join(
            f'<a href="{up}{page}">{page.strip("/") or "home"}</a>' for page in ledger_row.pages
        )
        rows.append(
            f'<tr id="{html.escape(entry.id.replace(" ", "-"))}">'
            f'<th scope="row"><code>{html.escape(entry.id).replace(".", ".<wbr>", 1)}</code></th>'
            f'<td class="number">{entry.displayed}</td><td class="number">{entry.value}</td>'
            f"<td>{_line(up, entry.file, entry.line)}</td>"
            f"<td>{_line(up, entry.test, entry.test_line)}</td><td>{pages}</td></tr>"
        )
    head = "".join(
        f'<th scope="col">{text}</th>'
        for text in ("Number", "Shown as", "Full value", "Made at", "Tested at", "Pages")
    )
    return (
        '<div class="table-scroll ledger" role="group" aria-label="Every number" tabindex="0">'
        f'<table class="data"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def share(numbers: dict[str, list[str]]) -> str:
    """Return a page's own part of the ledger, for the reader who asks about a number."""
    if not numbers:
        return ""
    # Not a script: the theme's instant navigation would run it.
    data = html.escape(json.dumps(numbers, separators=(",", ":")), quote=False)
    return f'<template id="page-numbers">{data}</template>'
