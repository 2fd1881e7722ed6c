"""Boxes on common misreadings, collected from their chapters onto one page."""

from __future__ import annotations

import posixpath
import re
import textwrap
from collections.abc import Mapping, Sequence

from snippets.publish.results import Mistake

COLLECT = "{{ misreadings all }}"
_BOX = re.compile(
    r'^!!! warning "A common misreading: (?P<title>[^\n]+)"\n\n'
    r"    \{\{ misreading (?P<slug>[a-z0-9-]+) \}\}\n"
    r"(?P<body>(?:    [^\n]*\n|\n)+)",
    re.MULTILINE,
)
_TOKEN = re.compile(r"^ *\{\{ misreading ", re.MULTILINE)
_LINK = re.compile(r"\]\((?!https?:)([^)#\s]+\.md)")


def collect(pages: Mapping[str, str], titles: Mapping[str, str], order: Sequence[str]) -> str:
    """Return the boxes of all pages as Markdown, in reading order, each with a link to its place.

    Raises
    ------
    Mistake
        If two boxes share a link, or a token stands outside a box.
    """
    sections, seen = [], set[str]()
    for file in order:
        boxes = list(_BOX.finditer(pages.get(file, "")))
        for token in _TOKEN.finditer(pages.get(file, "")):
            if not any(box.start() < token.start() < box.end() for box in boxes):
                line = pages[file].count("\n", 0, token.start()) + 1
                what = (
                    "a misreading outside its box; begin the box's text with it, after a blank line"
                )
                raise Mistake(f"docs/{file}", line, what)
        for box in boxes:
            if box["slug"] in seen:
                line = pages[file].count("\n", 0, box.start()) + 1
                raise Mistake(f"docs/{file}", line, f"two misreadings '{box['slug']}'; rename one")
            seen.add(box["slug"])
            folder = posixpath.dirname(file)
            body = textwrap.dedent(box["body"]).strip()
            body = _LINK.sub(lambda link, at=folder: f"]({posixpath.join(at, link[1])}", body)  # type: ignore[misc]
            address = f"../{file.removesuffix('.md')}/#misreading-{box['slug']}"
            place = f'<a href="{address}">In its chapter: {titles[file]}</a>'
            title = box["title"][0].upper() + box["title"][1:]  # it stood after a colon
            sections.append(f"## {title} {{#{box['slug']}}}\n\n{body}\n\n{place}")
    return "\n\n".join(sections)


def anchor(slug: str, up: str) -> str:
    """Return what a box begins with: its permanent link, and the way to the others."""
    return (
        f'<p class="misreading" data-search-exclude>'
        f'<a id="misreading-{slug}" href="{up}misreadings/#{slug}">'
        "All the misreadings</a></p>"
    )
