"""The glossary: its terms, from the front matter of its page, and the list that the page shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from markupsafe import Markup

from publisher.errors import Mistake
from publisher.html.templates import render

_MARKS = re.compile(r"[$`*]|\]\(|<\w")


@dataclass(frozen=True)
class Glossary:
    """The terms of a site; plain text throughout.

    Attributes
    ----------
    means : mapping of str to str
        What each term means.
    spellings : mapping of str to str
        The term that each spelling stands for, in lower case with single blanks.
    """

    means: Mapping[str, str] = field(default_factory=dict)
    spellings: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Tell whether there are terms."""
        return bool(self.means)

    def term(self, words: str) -> str | None:
        """Return the term that these words spell, None if they spell none."""
        return self.spellings.get(_spelling(words))

    def uses(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yield where each use of a term begins and ends in a text, and the term.

        Where one term holds another, such as 'key vector' and 'key', the longer one is meant.
        """
        for found in self._pattern.finditer(text):
            if term := self.term(found[0]):
                yield *found.span(), term

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        longest_first = sorted(self.spellings, key=lambda spelling: (-len(spelling), spelling))
        words = "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in longest_first)
        return re.compile(rf"(?<![\w-])(?:{words or '(?!)'})(?![\w-])", re.IGNORECASE)

    def listing(self) -> Markup:
        """Return the list of all terms, by name, each with its permanent link."""
        terms = sorted(self.means, key=str.lower)
        return render("glossary", terms=[(anchor(t), t, self.means[t]) for t in terms])


def anchor(term: str) -> str:
    """Return a term's permanent link: dot product -> dot-product."""
    return re.sub(r"\W+", "-", term.lower()).strip("-")


def read(terms: Any, source: str, file: str) -> Glossary:
    """Return the glossary that a page's front matter holds.

    Parameters
    ----------
    terms : mapping of str to mapping
        For each term what it `means`, and its other spellings, `also`.
    source, file : str
        The page as it is written, and its name, for the lines of mistakes.

    Raises
    ------
    Mistake
        At the term that is not as it should be.
    """

    def mistake(term: str, what: str) -> Mistake:
        found = re.search(rf"^\s*[\"'-]?\s*{re.escape(term)}[\"']?\s*:", source, re.MULTILINE)
        at = found.end() if found else source.find("\nterms") + 1
        return Mistake(file, source.count("\n", 0, at) + 1, what)

    if not isinstance(terms, Mapping):
        raise mistake("terms", "the terms are not a mapping; write 'term: {means: ...}'")
    means, spellings, anchors = dict[str, str](), dict[str, str](), dict[str, str]()
    for term, about in terms.items():
        means[term], also = _entry(term, about, mistake)
        for spelling in (term, *also):
            if first := spellings.get(_spelling(spelling)):
                what = f"term '{term}': '{spelling}' stands for '{first}' already; take one out"
                raise mistake(term, what)
            spellings[_spelling(spelling)] = term
        if (first := anchors.setdefault(anchor(term), term)) != term:
            raise mistake(term, f"terms '{first}' and '{term}' share a link; rename one")
    return Glossary(means, spellings)


def _spelling(words: str) -> str:
    return " ".join(words.lower().split())


def _entry(term: Any, about: Any, mistake: Callable[[str, str], Mistake]) -> tuple[str, list[str]]:
    """Return what a term means, and its other spellings."""
    if not isinstance(term, str) or not anchor(term):
        raise mistake(str(term), f"term '{term}' is not a word; write one, in quotation marks")
    if not isinstance(about, dict) or not str(about.get("means") or "").strip():
        raise mistake(term, f"term '{term}' has no meaning; write 'means:'")
    if odd := sorted(set(about) - {"means", "also"}, key=str):
        raise mistake(term, f"term '{term}' has '{odd[0]}'; write 'means' or 'also'")
    means, also = about["means"], about.get("also", [])
    if not isinstance(means, str) or _MARKS.search(means):
        raise mistake(term, f"term '{term}' needs a meaning in plain text, without marks")
    if not isinstance(also, list) or not all(isinstance(a, str) and a.strip() for a in also):
        raise mistake(term, f"term '{term}' needs a list of words in 'also'")
    return " ".join(means.split()), also
