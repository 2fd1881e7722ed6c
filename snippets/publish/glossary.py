"""The glossary: its page's list, and a term's first use on every other page linked to it."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Any

from snippets.publish.results import Mistake

FILE = "glossary.md"
# What stands in Markdown and is no running text: links, tags, a term being defined, braces; and the
# site's own name.
_APART = (
    r"Attention, Computed|<a\b.*?</a>|\[[^\]]*\]\([^)\s]*\)|<[^>]+>|\*\*[^*]+\*\*|\{[^}\n]*\}|&\w+;"
)


class Glossary:
    """The terms, their other spellings and what they mean; plain text throughout."""

    def __init__(self, terms: Mapping[str, Any]) -> None:
        self.means: dict[str, str] = {}
        self.spellings: dict[str, str] = {}
        for term, about in terms.items():
            if not isinstance(about, dict) or not str(about.get("means", "")).strip():
                raise Mistake(f"docs/{FILE}", 1, f"term '{term}' has no meaning; write 'means:'")
            self.means[term] = " ".join(str(about["means"]).split())
            for spelling in (term, *about.get("also", [])):
                self.spellings[spelling.lower()] = term
        longest_first = sorted(self.spellings, key=lambda spelling: (-len(spelling), spelling))
        words = "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in longest_first)
        self._pattern = re.compile(rf"({_APART})|(?<![\w-])({words})(?![\w-])", re.IGNORECASE)

    def __bool__(self) -> bool:
        """Tell whether there are terms."""
        return bool(self.means)

    def link(self, text: str, up: str, seen: set[str]) -> str:
        """Return running text with the first use of each unseen term linked to its entry."""

        def replace(match: re.Match[str]) -> str:
            if match[1]:  # a bold term is explained where it stands
                bold = " ".join(re.sub(r"^.*?\*\*|\*\*.*$", "", match[1]).lower().split())
                seen.update({self.spellings[bold]} if bold in self.spellings else set())
                return match[1]
            term = self.spellings[" ".join(match[2].lower().split())]
            if term in seen:
                return match[2]
            seen.add(term)
            meaning = html.escape(self.means[term])
            address = f"{up}glossary/#{anchor(term)}"
            return f'<a class="term" href="{address}" title="{meaning}">{match[2]}</a>'

        return self._pattern.sub(replace, text)

    def listing(self) -> str:
        """Return the page's list."""
        items = (
            f'<dt id="{anchor(term)}">{html.escape(term)}</dt><dd>{html.escape(meaning)}</dd>'
            for term, meaning in sorted(self.means.items(), key=lambda item: item[0].lower())
        )
        return f'<dl class="glossary">{"".join(items)}</dl>'


def anchor(term: str) -> str:
    """Return a term's permanent link: dot product -> dot-product."""
    return re.sub(r"\W+", "-", term.lower())
