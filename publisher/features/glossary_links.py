"""A term's first use in the running text of a page is linked to its entry in the glossary.

Python-Markdown does this where it has read the page, and knows what is running text: not a
heading, a title, a table, code, a link, nor what stands in raw HTML that a link would break.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor
from markdown.util import HTML_PLACEHOLDER_RE

from publisher.features.glossary import Glossary, anchor

# Elements, written in Markdown or in HTML, whose text is not running text.
_APART = frozenset(
    ("a", "abbr", "button", "code", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "kbd", "math", "pre",
     "script", "style", "summary", "svg", "table", "title")
)  # fmt: skip
# Classes of elements that stay without links: an admonition's title, and the box of a page's aims.
_BARE = frozenset({"admonition-title", "abstract"})
_TAG = re.compile(r"""<(/?)([A-Za-z][\w-]*)\b(?:"[^"]*"|'[^']*'|[^"'>])*>""")
_HIDDEN = "\0"  # stands for a character that is not running text; no term can hold it
_ADDRESS = re.compile(r"https?://\S+|\S+@\S+")


@dataclass(frozen=True)
class Links:
    """What one page's links need.

    Attributes
    ----------
    glossary : Glossary
        The terms.
    address : str
        The way from the page to the glossary's page.
    names : tuple of str
        Names in which no term is meant, such as that of the site.
    """

    glossary: Glossary
    address: str
    names: tuple[str, ...] = ()


class GlossaryExtension(Extension):  # type: ignore[misc]
    """Links terms in whatever page is being converted.

    Parameters
    ----------
    current : callable
        Returns the links of the page that is being converted; None if it has none.
    """

    def __init__(self, current: Callable[[], Links | None]) -> None:
        super().__init__()
        self._current = current

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (Python-Markdown's name)
        """Come after all that shapes the tree, and after MkDocs has looked at the page's links."""
        md.treeprocessors.register(_Linker(md, self._current), "glossary", -10)


class _Linker(Treeprocessor):  # type: ignore[misc]
    def __init__(self, md: Markdown, current: Callable[[], Links | None]) -> None:
        super().__init__(md)
        self._current = current

    def run(self, root: Element) -> None:
        """Link the terms of a page, in place."""
        if links := self._current():
            _Page(self.md, links).walk(root, running=True)


class _Page:
    """One page: which terms it has linked or explained, and which raw tags stand open."""

    def __init__(self, md: Markdown, links: Links) -> None:
        self.md, self.links = md, links
        self.seen: set[str] = set()
        self.raw: list[str] = []
        names = "|".join(map(re.escape, links.names)) or "(?!)"
        self.apart = re.compile(f"{names}|{_ADDRESS.pattern}")

    def walk(self, element: Element, running: bool) -> None:
        """Link the terms in an element, in the order of the text."""
        if self.md.is_block_level(element.tag):
            self.raw.clear()
        running = running and not _is_apart(element)
        if element.tag == "strong":  # a bold term is explained where it stands
            running = False
            if term := self.links.glossary.term("".join(element.itertext())):
                self.seen.add(term)
        children = list(element)
        if running:
            element.text, linked = self._linked(element.text)
            element[:0] = linked
        for child in children:
            self.walk(child, running)
            if running:
                child.tail, linked = self._linked(child.tail)
                place = list(element).index(child) + 1
                element[place:place] = linked

    def _linked(self, text: str | None) -> tuple[str | None, list[Element]]:
        """Return the text before the first link, and the links, each with the text behind it."""
        if not text:
            return text, []
        links: list[Element] = []
        position, before = 0, text
        for start, end, term in self.links.glossary.uses(self._running_text(text)):
            if term in self.seen:
                continue
            self.seen.add(term)
            if links:
                links[-1].tail = text[position:start]
            else:
                before = text[:start]
            links.append(self._link(term, text[start:end]))
            position = end
        if links:
            links[-1].tail = text[position:]
        return before, links

    def _link(self, term: str, words: str) -> Element:
        href = f"{self.links.address}#{anchor(term)}"
        title = self.links.glossary.means[term]
        link = Element("a", {"class": "term", "href": href, "title": title})
        link.text = words
        return link

    def _running_text(self, text: str) -> str:
        """Return text of the same length with all hidden in which no term is meant."""
        out, position = [], 0
        for found in HTML_PLACEHOLDER_RE.finditer(text):
            out += [self._shown(text[position : found.start()]), _hidden(found)]
            self._note(self.md.htmlStash.rawHtmlBlocks[int(found[1])])
            position = found.end()
        return "".join([*out, self._shown(text[position:])])

    def _shown(self, piece: str) -> str:
        return _HIDDEN * len(piece) if self.raw else self.apart.sub(_hidden, piece)

    def _note(self, raw: object) -> None:
        """Note that a raw tag opens or closes an element without running text."""
        tag = _TAG.fullmatch(raw) if isinstance(raw, str) else None
        if tag and tag[2].lower() in _APART:
            if not tag[1]:
                self.raw.append(tag[2].lower())
            elif self.raw:
                self.raw.pop()


def _hidden(found: re.Match[str]) -> str:
    return _HIDDEN * len(found.group())


def _is_apart(element: Element) -> bool:
    return element.tag in _APART or not _BARE.isdisjoint(element.get("class", "").split())
