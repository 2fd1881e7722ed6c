"""The sources: author-year citations, and the list they lead to, from docs/references.bib."""

from __future__ import annotations

import html
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pybtex.database import Person, parse_string
from pybtex.exceptions import PybtexError
from pybtex.richtext import Text

from snippets.publish.results import Mistake

FILE = "docs/references.bib"


@dataclass(frozen=True)
class Reference:
    """One source: its line in the file, its short name in the text, its full entry."""

    key: str
    line: int
    label: str
    title: str
    entry: str


def load(root: Path) -> dict[str, Reference]:
    """Return the references by key, in the order of the list: by author, then year.

    Raises
    ------
    Mistake
        If the file does not parse, or an entry lacks what a reader needs to find the source.
    """
    path = root / FILE
    if not path.is_file():
        return {}
    text = path.read_text(encoding="utf-8")
    try:
        entries = parse_string(text, "bibtex").entries
    except PybtexError as error:
        line = getattr(error, "lineno", None) or 1
        raise Mistake(FILE, line, f"{error}; mend the entry") from None
    made = [_reference(key, entry, _line(text, key)) for key, entry in entries.items()]
    return {
        reference.key: reference for reference in sorted(made, key=lambda r: r.entry.casefold())
    }


def _line(text: str, key: str) -> int:
    return text.count("\n", 0, max(text.find(f"{{{key}"), 0)) + 1


def _reference(key: str, entry: Any, line: int) -> Reference:
    fields, people = entry.fields, entry.persons.get("author", [])
    missing = [name for name in ("title", "year") if name not in fields]
    if missing or not people or not ({"doi", "eprint"} & set(fields)):
        lacks = ", ".join([*missing, *([] if people else ["author"])]) or "doi or eprint (arXiv)"
        raise Mistake(FILE, line, f"entry '{key}' lacks {lacks}; add it")
    surnames = [_surname(person) for person in people]
    who = " and ".join(surnames) if len(surnames) < 3 else f"{surnames[0]} et al."
    full = [f"{_surname(person)}, {_initials(person)}" for person in people]
    authors = full[0] if len(full) == 1 else f"{', '.join(full[:-1])}, &amp; {full[-1]}"
    title = str(fields["title"])
    place = [fields[name] for name in ("booktitle", "journal") if name in fields]
    pages = [f"pp. {fields['pages'].replace('-', '–')}"] if "pages" in fields else []
    where = ", ".join([*place, *pages])
    parts = [f"{authors} ({fields['year']}). <cite>{html.escape(title)}</cite>", where]
    parts.append(". ".join(_links(fields)))
    if "note" in fields:
        parts[-1] += f" ({fields['note']})"
    text = ". ".join(part for part in parts if part) + "."
    return Reference(key, line, f"{who} {fields['year']}", title, text)


def _surname(person: Person) -> str:
    return " ".join(_plain(name) for name in [*person.prelast_names, *person.last_names])


def _initials(person: Person) -> str:
    return " ".join(f"{_plain(name)[0]}." for name in [*person.first_names, *person.middle_names])


def _plain(name: str) -> str:
    """Read a name's TeX, such as that of Łukasz."""
    return str(Text.from_latex(name))


def _links(fields: Any) -> list[str]:
    links = []
    if "doi" in fields:
        links.append(f'<a href="https://doi.org/{fields["doi"]}">doi:{fields["doi"]}</a>')
    if "eprint" in fields:
        address = f"https://arxiv.org/abs/{fields['eprint']}"
        links.append(f'<a href="{address}">arXiv:{fields["eprint"]}</a>')
    return links


def cite(reference: Reference, up: str, place: str) -> str:
    """Return a citation in the text: author and year, linked, and the place in the source."""
    link = (
        f'<a class="citation" href="{up}references/#{reference.key}" '
        f'title="{html.escape(reference.title)}">{html.escape(reference.label, quote=False)}</a>'
    )
    return f"{link}, {html.escape(place, quote=False)}" if place else link


def listing(references: dict[str, Reference]) -> str:
    """Return the list of sources."""
    items = "".join(f'<li id="{r.key}">{r.entry}</li>' for r in references.values())
    return f'<ul class="references">{items}</ul>'
