"""What goes into the rendering of a page, and what comes out: values, which nothing changes."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass

from publisher.collect import Results
from publisher.features.glossary import Glossary
from publisher.features.references import Reference
from publisher.figures.export import Artwork
from publisher.project import Here, Project

_PLACEHOLDER = "computed-block-{}-here"


@dataclass(frozen=True)
class Sources:
    """What a page may draw on."""

    project: Project
    results: Results
    figures: Mapping[str, Artwork]  # by dotted name
    references: Mapping[str, Reference]
    glossary: Glossary
    gathered: bool = False  # whether the misreadings stand on their page already


@dataclass(frozen=True)
class Uses:
    """What a page took: ids of numbers, (kind, dotted name) of results, and the rest by name."""

    numbers: frozenset[str] = frozenset()
    results: frozenset[tuple[str, str]] = frozenset()
    programs: frozenset[str] = frozenset()
    cited: frozenset[str] = frozenset()
    misreadings: frozenset[str] = frozenset()
    lists: frozenset[str] = frozenset()
    letters: frozenset[str] = frozenset()  # that its formulas draw


class Late(enum.Enum):
    """What stands on a page and can be made only when all pages are rendered."""

    LEDGER = enum.auto()


Block = str | Late


@dataclass(frozen=True)
class Rendered:
    """A rendered page: Markdown with placeholders, the HTML that belongs there, what it used."""

    here: Here
    markdown: str
    blocks: tuple[Block, ...]
    uses: Uses = Uses()

    @staticmethod
    def placeholder(index: int) -> str:
        """Return what stands in the Markdown for a block, on a line of its own."""
        return _PLACEHOLDER.format(index)

    def bind(self, content: str, late: Mapping[Late, str]) -> str:
        """Return the page's HTML, made from its Markdown, with the blocks in their places."""
        for index, block in enumerate(self.blocks):
            markup = late[block] if isinstance(block, Late) else block
            placeholder = self.placeholder(index)
            content = content.replace(f"<p>{placeholder}</p>", markup)
            content = content.replace(placeholder, markup)
        # Code and tables stay out of the search index: it is fetched with every first page.
        plain = '<div class="highlight"'
        return content.replace(f"{plain}>", f"{plain} data-search-exclude>")
