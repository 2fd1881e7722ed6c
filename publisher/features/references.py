"""The sources: author-year citations, and the list they lead to, from docs/references.bib."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup
from pybtex.database import Person, parse_string
from pybtex.exceptions import PybtexError
from pybtex.richtext import Text

from publisher.errors import Mistake
from publisher.html.templates import inline, render
from publisher.project import Here

FILE = "docs/references.bib"
# What a field must look like to become a link, a label or a permanent link; and how to say so.
_WELL_FORMED = {
    "year": (r"\d{4}[a-z]?", "write a year, such as 2017 or 2017a"),
    "doi": (r"10\.\d+/[\w.()/;:+-]+", "write it from its 10. on, without https"),
    "eprint": (r"\d{4}\.\d{4,5}(v\d+)?|[a-z-]+(\.[A-Z]{2})?/\d{7}", "write an arXiv number alone"),
}
_KEY = r"[A-Za-z0-9][\w:.-]*"


@dataclass(frozen=True)
class Reference:
    """One source: its line in the file, its short name in the text, its full entry."""

    key: str
    line: int
    label: str
    title: str
    entry: Markup


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
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise Mistake(FILE, 1, "not written as UTF-8; save it so") from None
    try:
        entries = parse_string(text, "bibtex").entries
    except PybtexError as error:
        named = re.search(r"entry: (\S+)$|with key (\S+) has", str(error))  # the parser's own words
        line = getattr(error, "lineno", None) or _lines(text, named and (named[1] or named[2]))[-1]
        raise Mistake(FILE, line, f"{error}; mend the entry") from None
    made = [_reference(key, entry, _lines(text, key)[0]) for key, entry in entries.items()]
    labels: dict[str, str] = {}
    for reference in made:
        if (first := labels.setdefault(reference.label, reference.key)) != reference.key:
            what = f"'{reference.key}' and '{first}' would both be cited as {reference.label}"
            raise Mistake(FILE, reference.line, f"{what}; add a letter to each year")
    return {
        reference.key: reference for reference in sorted(made, key=lambda r: r.entry.casefold())
    }


def _lines(text: str, key: str | None) -> list[int]:
    """Return the lines on which entries with this key begin."""
    found = re.finditer(rf"@\s*\w+\s*[{{(]\s*{re.escape(key or '')}\s*,", text, re.IGNORECASE)
    return [text.count("\n", 0, match.start()) + 1 for match in found] or [1]


def _reference(key: str, entry: Any, line: int) -> Reference:
    def mistake(what: str) -> Mistake:
        return Mistake(FILE, line, f"entry '{key}' {what}")

    if not re.fullmatch(_KEY, key, re.ASCII):
        raise mistake("has signs in its key that no link can have; use letters and digits")
    fields = {name: _plain(text, name, mistake) for name, text in entry.fields.items()}
    fields = {name: text for name, text in fields.items() if text}
    people = [_person(person, mistake) for person in entry.persons.get("author", [])]
    missing = [name for name in ("title", "year") if name not in fields]
    if missing or not people or not ({"doi", "eprint"} & set(fields)):
        lacks = ", ".join([*missing, *([] if people else ["author"])]) or "doi or eprint (arXiv)"
        raise mistake(f"lacks {lacks}; add it")
    for name, (form, remedy) in _WELL_FORMED.items():
        if name in fields and not re.fullmatch(form, fields[name], re.ASCII):
            raise mistake(f"has the {name} '{fields[name]}'; {remedy}")
    label = f"{_who([surname for surname, _ in people])} {fields['year']}"
    return Reference(key, line, label, fields["title"], _entry(fields, people))


def _who(surnames: list[str]) -> str:
    """Return the authors as the text names them."""
    if len(surnames) > 2 or surnames[-1] == "others":
        return f"{surnames[0]} et al."
    return " and ".join(surnames)


def _entry(fields: dict[str, str], people: list[tuple[str, str]]) -> Markup:
    """Return the full entry."""
    *others, last = [", ".join(filter(None, person)) for person in people]
    if last == "others":
        authors = f"{', '.join(others)}, et al."
    else:
        authors = f"{', '.join(others)}, & {last}" if others else last
    place = [fields[name] for name in ("booktitle", "journal") if name in fields]
    pages = [f"pp. {re.sub('-+', '–', fields['pages'])}"] if "pages" in fields else []
    fields = {"doi": "", "eprint": "", "note": "", **fields}
    return render("reference", authors=authors, fields=fields, where=", ".join([*place, *pages]))


def _person(person: Person, mistake: Callable[[str], Mistake]) -> tuple[str, str]:
    """Return an author's surname and initials; the surname alone of a group."""
    first = [*person.first_names, *person.middle_names]
    last = [*person.prelast_names, *person.last_names, *person.lineage_names]
    if "and" in (*first, *last):
        raise mistake("has an 'and' that joins no two authors; take it out")
    names = [_plain(name, "author", mistake) for name in first]
    surname = " ".join(_plain(name, "author", mistake) for name in last)
    return surname, " ".join(f"{name[0]}." for name in names if name)


def _plain(text: str, field: str, mistake: Callable[[str], Mistake]) -> str:
    """Read the TeX of a name or a field, such as that of Łukasz."""
    try:
        plain = str(Text.from_latex(text)).strip()
    except PybtexError as error:
        raise mistake(f"has {error} in its {field}; mend it") from None
    if left := re.search(r"\\\w*|[{}$]", plain):
        raise mistake(
            f"has '{left[0]}' in its {field}, which is not read; write it in plain letters"
        )
    return plain


def cite(reference: Reference, page: str, place: str, here: Here) -> Markup:
    """Return a citation in running text: author and year, linked, and the place in the source.

    Parameters
    ----------
    reference : Reference
        The source.
    page : str
        The Markdown file with the list of sources.
    place : str
        Where in the source, such as 'section 3.2.1'; empty for the whole.
    here : Here
        The page that cites.
    """
    address = here.page(page, reference.key)
    return inline("citation", address, reference.title, reference.label, place)


def listing(references: Mapping[str, Reference]) -> Markup:
    """Return the list of sources."""
    return render("references", references=references.values())
