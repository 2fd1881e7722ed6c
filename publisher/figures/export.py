"""A figure becomes an inline SVG that follows the page's colours, and files to take away."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from dataclasses import dataclass
from typing import Any

from publisher.figures import palette
from publisher.html.blocks import element_id
from publisher.results import Figure, Number, cells

FORMATS = ("svg", "png", "pdf", "csv", "json")


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


def publish(name: str, page: str, figure: Figure, credit: Credit) -> tuple[str, dict[str, bytes]]:
    """Return the figure's HTML, with {root}, {caption} and {data} left open, and its files by URL.

    `name` is its dotted name, `page` the URL of its chapter.
    """
    folder = "figures/" + name.replace(".", "/").replace("_", "-")
    anchor = element_id("figure", name)
    about = {
        "title": figure.title,
        "description": figure.description,
        "label": figure.label,
        "licence": f"{credit.licence}, {credit.licence_url}",
        "version": credit.version,
        "citation": credit.cite(figure.title, f"{page}#{anchor}"),
    }
    with palette.settings(name):
        wide = figure.draw(False)
        standalone = _save(wide, "svg", about).decode()
        narrow = _save(figure.draw(True), "svg", about).decode()
        files = {
            f"{folder}.svg": standalone.encode(),
            f"{folder}.png": _save(wide, "png", about),
            f"{folder}.pdf": _save(wide, "pdf", about),
            f"{folder}.csv": _csv(figure, about),
            f"{folder}.json": _json(figure, about),
        }
    label = html.escape(f"{figure.title}. {figure.description}")
    links = ", ".join(
        f'<a href="{{root}}{folder}.{kind}" download>{kind.upper()}</a>' for kind in FORMATS
    )
    markup = (
        f'<figure class="figure" id="{anchor}">'
        f"{_inline(standalone, label, 'wide', anchor + '-w')}"
        f"{_inline(narrow, label, 'narrow', anchor + '-n')}"
        f'<figcaption><p><span class="label">{figure.label}</span> '
        f"<strong>{html.escape(figure.title)}.</strong> {{caption}} "
        f'<a class="headerlink" href="#{anchor}" title="Link to this figure">¶</a></p>'
        f"<details data-search-exclude><summary>In words, as data, to download</summary>"
        f"<p>{html.escape(figure.description)}</p>{{data}}"
        f"<p>Download: {links}. Licence: {credit.licence}. "
        f"Cite: {html.escape(about['citation'])}</p></details></figcaption></figure>"
    )
    return markup, files


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


def _inline(svg: str, label: str, width_class: str, prefix: str) -> str:
    """Return the SVG for a page: named, its ids its own, its colours and letters the page's."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg, flags=re.DOTALL)
    linked = set(re.findall(r'(?:url\(#|href="#)([^)"]+)', svg))
    svg = re.sub(
        r' id="([^"]+)"',
        lambda found: f' id="{prefix}-{found[1]}"' if found[1] in linked else "",
        svg,
    )
    svg = re.sub(r'(url\(#|href="#)', rf"\1{prefix}-", svg)
    for name, colour in palette.COLOURS.items():
        variable = name if name.startswith("token") else f"figure-{name}"
        svg = svg.replace(colour, f"var(--{variable})")
    svg = svg.replace("'DejaVu Sans'", "var(--figure-font)")
    width = float(re.search(r'viewBox="0 0 ([\d.]+)', svg)[1])  # type: ignore[index]
    opening = (
        f'<svg data-search-exclude class="drawing {width_class}" role="img" '
        f'style="max-width:{width * 4 / 3:.0f}px" aria-label="{label}" '
    )
    body = re.sub(r'<svg [^>]*?(viewBox="[^"]+")[^>]*>', rf"{opening}\1>", svg, count=1)
    return re.sub(r"\s*\n\s*", " ", body).replace("> <", "><")


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
