"""The sources: author-year citations, and the list they lead to, from docs/references.bib."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup
from pybtex.database import Entry, Person
from pybtex.database.input.bibtex import LowLevelParser, Parser, month_names
from pybtex.exceptions import PybtexError
from pybtex.richtext import Text
from pybtex.scanner import PybtexSyntaxError
from pybtex.utils import CaseInsensitiveDict

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
    """One source.

    Attributes
    ----------
    key : str
        Its key in the file, and its permanent link.
    line : int
        The line its entry begins on.
    label : str
        What the text calls it: Vaswani et al. 2017.
    title : str
        Its title, as plain text.
    entry : Markup
        Its full entry in the list.
    """

    key: str
    line: int
    label: str
    title: str
    entry: Markup


def load(root: Path) -> dict[str, Reference]:
    """Return the references by key, in the order of the list: by author, then year.

    Parameters
    ----------
    root : Path
        The project's folder; without docs/references.bib in it there are no references.

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
    made = [_reference(entry, line) for entry, line in _entries(text)]
    labels: dict[str, str] = {}
    for reference in made:
        if (first := labels.setdefault(reference.label, reference.key)) != reference.key:
            what = f"'{reference.key}' and '{first}' would both be cited as {reference.label}"
            raise Mistake(FILE, reference.line, f"{what}; add a letter to each year")
    return {
        reference.key: reference for reference in sorted(made, key=lambda r: r.entry.casefold())
    }


def _entries(text: str) -> list[tuple[Entry, int]]:
    """Return each entry and the line it begins on.

    Pybtex's parser is driven one entry at a time, since what it returns in the end, and most of
    its errors, know of no line.
    """
    commands = LowLevelParser(text, macros=CaseInsensitiveDict(month_names))
    parser, lines, line = Parser(), [], 1
    try:
        for kind, content in commands:
            line = text.count("\n", 0, commands.command_start) + 1
            if kind.lower() not in ("string", "preamble"):
                parser.process_entry(kind, *content)
                lines.append(line)
    except PybtexSyntaxError as error:
        raise Mistake(FILE, error.lineno, f"{error}; correct the entry") from None
    except PybtexError as error:
        raise Mistake(FILE, line, f"{error}; correct the entry") from None
    return list(zip(parser.data.entries.values(), lines, strict=True))


def _reference(entry: Entry, line: int) -> Reference:
    key: str = entry.key

    def mistake(what: str) -> Mistake:
        return Mistake(FILE, line, f"entry '{key}' {what}")

    if not re.fullmatch(_KEY, key, re.ASCII):
        raise mistake("has characters in its key that no link can have; use letters and digits")
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
        raise mistake(f"has {error} in its {field}; correct it") from None
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
