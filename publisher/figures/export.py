"""A figure's drawings become SVGs that follow the page's colours, and files to take away."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from publisher.errors import Mistake
from publisher.figures import palette
from publisher.figures.inline import Drawing, ForeignColourError, inline
from publisher.project import element_id, slug
from publisher.results import Figure, Number, cells
from publisher.syntax import Origin


@dataclass(frozen=True)
class Credit:
    """What every file that leaves the site says about itself."""

    site: str
    version: str
    year: str
    url: str
    licence: str = "CC BY 4.0"
    licence_url: str = "https://creativecommons.org/licenses/by/4.0/"

    def cite(self, title: str, address: str) -> str:
        """Return the citation of a page or a figure."""
        author = f"{self.site} contributors ({self.year})"
        return f"{author}. {title}. {self.site}, version {self.version}. {self.url}{address}"


@dataclass(frozen=True)
class Artwork:
    """A figure as a page and a reader's folder get it; `files` are by address from the root."""

    anchor: str
    title: str
    description: str
    label: str
    licence: str
    citation: str
    wide: Drawing
    narrow: Drawing
    files: Mapping[str, bytes]

    @property
    def downloads(self) -> dict[str, str]:
        """Return the address of each file by its kind: svg, png, pdf, csv, json."""
        return {address.rpartition(".")[2]: address for address in self.files}


def artwork(
    name: str,
    where: Origin,
    page: str,
    figure: Figure,
    credit: Credit,
    content_colours: Mapping[str, str],
) -> Artwork:
    """Draw a figure, wide and narrow, and write its files.

    Parameters
    ----------
    name : str
        Its dotted name, such as values.mixture.
    where : Origin
        The line that its chapter names it on.
    page : str
        The address of its chapter, for the citation.
    figure : Figure
        What its chapter returns.
    credit : Credit
        What the files say about the site.
    content_colours : mapping of str to str
        Colours beyond the palette, #rrggbb by the CSS variable that stands for each on a page.

    Raises
    ------
    Mistake
        If a drawing has a colour that is neither in the palette nor among `content_colours`.
    """
    anchor = element_id("figure", name)
    about = _about(figure, f"{page}#{anchor}", credit)
    with palette.settings(name):
        files = _files(figure.draw(False), figure, about)
        narrow = _save(figure.draw(True), "svg", about)
    variables = {colour: f"figure-{role}" for role, colour in palette.COLOURS.items()}
    variables |= {colour: variable for variable, colour in content_colours.items()}
    try:
        wide_drawing = inline(files["svg"], f"{anchor}-w", variables)
        narrow_drawing = inline(narrow, f"{anchor}-n", variables)
    except ForeignColourError as error:
        what = f"figure '{name.rpartition('.')[2]}' {error}"
        raise Mistake(where.file, where.line, what) from None
    return Artwork(
        anchor=anchor,
        title=figure.title,
        description=figure.description,
        label=figure.label,
        licence=credit.licence,
        citation=about["citation"],
        wide=wide_drawing,
        narrow=narrow_drawing,
        files={f"figures/{slug(name)}.{kind}": content for kind, content in files.items()},
    )


def _about(figure: Figure, address: str, credit: Credit) -> dict[str, str]:
    """Return what each of a figure's files says about it."""
    return {
        "title": figure.title,
        "description": figure.description,
        "label": figure.label,
        "licence": f"{credit.licence}, {credit.licence_url}",
        "version": credit.version,
        "citation": credit.cite(figure.title, address),
    }


def _files(drawing: Any, figure: Figure, about: dict[str, str]) -> dict[str, bytes]:
    """Return the files to download, by kind, in the order in which a page offers them."""
    return {
        **{kind: _save(drawing, kind, about) for kind in ("svg", "png", "pdf")},
        "csv": _csv(figure, about),
        "json": _json(figure, about),
    }


def _save(drawing: Any, kind: str, about: dict[str, str]) -> bytes:
    """Save a drawing without a date, with its licence and citation inside."""
    rights = f"{about['licence']}; version {about['version']}; cite as: {about['citation']}"
    metadata: dict[str, Any] = {
        "svg": {"Title": about["title"], "Description": about["description"], "Rights": rights,
                "Date": None, "Creator": None},
        "png": {"Title": about["title"], "Description": about["description"], "Copyright": rights,
                "Software": None},
        "pdf": {"Title": about["title"], "Subject": about["description"], "Keywords": rights,
                "Creator": None, "Producer": None, "CreationDate": None},
    }[kind]  # fmt: skip
    stream = io.BytesIO()
    drawing.savefig(stream, format=kind, dpi=200 if kind == "png" else 72, metadata=metadata)
    return stream.getvalue()


def _plain(cell: Any) -> Any:
    """Return a cell as data: a string, a number, or a list of numbers, unrounded."""
    if isinstance(cell, str):
        return cell
    values = [item.value if isinstance(item, Number) else item for item in cells(cell)]
    values = [int(v) if float(v).is_integer() else float(v) for v in values]
    return values[0] if len(values) == 1 else values


def _bare(column: str) -> str:
    """Return a column's head without TeX."""
    return re.sub(r"\\(\w+)", r"\1", column.replace("$", "").replace(r"\cdot", "·"))


def _csv(figure: Figure, about: dict[str, str]) -> bytes:
    stream = io.StringIO()
    for key, text in about.items():
        stream.write(f"# {key}: {text}\n")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([_bare(column) for column in figure.data.columns])
    writer.writerows([_plain(cell) for cell in row] for row in figure.data.rows)
    return stream.getvalue().encode()


def _json(figure: Figure, about: dict[str, str]) -> bytes:
    columns = [_bare(column) for column in figure.data.columns]
    rows = [[_plain(cell) for cell in row] for row in figure.data.rows]
    return (json.dumps({**about, "columns": columns, "rows": rows}, indent=1) + "\n").encode()
