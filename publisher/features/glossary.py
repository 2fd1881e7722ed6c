"""The glossary: its page's list, and a term's first use on every other page linked to it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from publisher.errors import Mistake
from publisher.html.templates import entities, render
from publisher.render import prose

FILE = "glossary.md"
_MARKS = re.compile(r"[$`*]|\]\(|<\w")


class Glossary:
    """The terms, their other spellings and what they mean; plain text throughout.

    `source` is the page whose front matter holds them, for the lines of mistakes.
    """

    def __init__(self, terms: Any, source: str = "") -> None:
        self.means: dict[str, str] = {}
        self.spellings: dict[str, str] = {}
        self._source = source
        if not isinstance(terms, Mapping):
            raise self._mistake("terms", "the terms are no mapping; write 'term: {means: ...}'")
        anchors: dict[str, str] = {}
        for term, about in terms.items():
            self._add(term, about)
            if (first := anchors.setdefault(anchor(term), term)) != term:
                raise self._mistake(term, f"terms '{first}' and '{term}' share a link; rename one")
        longest_first = sorted(self.spellings, key=lambda spelling: (-len(spelling), spelling))
        words = "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in longest_first)
        self._pattern = re.compile(rf"(\*\*[^*]+\*\*)|(?<![\w-])({words})(?![\w-])", re.IGNORECASE)

    def _add(self, term: Any, about: Any) -> None:
        if not isinstance(term, str) or not anchor(term):
            what = f"term '{term}' is no word; write one, in quotation marks"
            raise self._mistake(str(term), what)
        if not isinstance(about, dict) or not str(about.get("means") or "").strip():
            raise self._mistake(term, f"term '{term}' has no meaning; write 'means:'")
        if odd := sorted(set(about) - {"means", "also"}, key=str):
            raise self._mistake(term, f"term '{term}' has '{odd[0]}'; write 'means' or 'also'")
        means, also = about["means"], about.get("also", [])
        if not isinstance(means, str) or _MARKS.search(means):
            raise self._mistake(term, f"term '{term}' needs a meaning in plain text, without marks")
        if not isinstance(also, list) or not all(isinstance(a, str) and a.strip() for a in also):
            raise self._mistake(term, f"term '{term}' needs a list of words in 'also'")
        self.means[term] = " ".join(means.split())
        for spelling in (term, *also):
            key = " ".join(spelling.lower().split())
            if key in self.spellings:
                what = f"'{spelling}' stands for '{self.spellings[key]}' already; take one out"
                raise self._mistake(term, f"term '{term}': {what}")
            self.spellings[key] = term

    def _mistake(self, term: str, what: str) -> Mistake:
        found = re.search(rf"^\s*[\"'-]?\s*{re.escape(term)}[\"']?\s*:", self._source, re.MULTILINE)
        at = found.end() if found else self._source.find("\nterms") + 1
        return Mistake(f"docs/{FILE}", self._source.count("\n", 0, at) + 1, what)

    def __bool__(self) -> bool:
        """Tell whether there are terms."""
        return bool(self.means)

    def link(self, text: str, up: str, seen: set[str], hidden: str | None = None) -> str:
        """Return text with the first use of each unseen term linked to its entry.

        `hidden` is the text with all signs hidden that are no running text; without it, the text
        is taken for a page.
        """
        out, position = [], 0
        bold: dict[str | None, int] = {}  # a bold term is explained where it stands
        for found in re.finditer(r"\*\*([^*]+)\*\*", text):
            bold.setdefault(self.spellings.get(" ".join(found[1].lower().split())), found.start())
        for match in self._pattern.finditer(prose.hide(text) if hidden is None else hidden):
            term = self.spellings.get(" ".join((match[2] or "").lower().split()))
            if term is None or term in seen or bold.get(term, len(text)) < match.start():
                continue
            seen.add(term)
            address, words = f"{up}glossary/#{anchor(term)}", text[match.start() : match.end()]
            out.append(text[position : match.start()])
            title = entities(self.means[term])
            out.append(f'<a class="term" href="{address}" title="{title}">{words}</a>')
            position = match.end()
        seen.update(filter(None, bold))
        return "".join([*out, text[position:]])

    def listing(self) -> Markup:
        """Return the page's list."""
        terms = sorted(self.means, key=str.lower)
        return render("glossary", terms=[(anchor(t), t, self.means[t]) for t in terms])


def anchor(term: str) -> str:
    """Return a term's permanent link: dot product -> dot-product."""
    return re.sub(r"\W+", "-", term.lower()).strip("-")
