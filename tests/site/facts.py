"""What the checks ask of a page, read in one pass: its elements in order, and its numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

# A span without an id only colours code; there are more of them than of all else together.
_BARE = re.compile(r'<span(?: class="\w*")?>|</span>')


class Element(NamedTuple):
    """A start tag."""

    tag: str
    attributes: dict[str, str]


class Shown(NamedTuple):
    """A number as it stands on a page."""

    id: str
    value: str
    text: str


@dataclass
class Facts:
    """One page."""

    elements: list[Element] = field(default_factory=list)
    numbers: list[Shown] = field(default_factory=list)

    def all(self, *tags: str) -> list[Element]:
        """Return the elements of some kinds."""
        return [element for element in self.elements if element.tag in tags]

    @property
    def ids(self) -> list[str]:
        """Every id, as often as it stands there."""
        return [element.attributes["id"] for element in self.elements if "id" in element.attributes]

    def has_class(self, name: str) -> bool:
        return any(name in e.attributes.get("class", "").split() for e in self.elements)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.facts = Facts()
        self.open: Element | None = None  # a number
        self.text = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attributes})
        self.facts.elements.append(element)
        if tag == "data" and element.attributes.get("class") == "num":
            self.open, self.text = element, ""

    def handle_data(self, data: str) -> None:
        self.text += data if self.open else ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "data" and self.open:
            about = self.open.attributes
            self.facts.numbers.append(Shown(about["data-id"], about["value"], self.text))
            self.open = None


def read(html: str) -> Facts:
    """Read one page."""
    reader = _Reader()
    reader.feed(_BARE.sub("", html))
    reader.close()
    return reader.facts


def read_site(site: Path) -> dict[str, Facts]:
    """Read every page of a site, by address."""
    return {
        page.relative_to(site).as_posix().removesuffix("index.html"): read(page.read_text("utf-8"))
        for page in sorted(site.rglob("*.html"))
    }
