"""Boxes on common misreadings, collected from their chapters onto one page."""

from __future__ import annotations

import posixpath
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from markupsafe import Markup

from publisher.errors import Mistake
from publisher.html.templates import inline, render
from publisher.project import Addresses, Here
from publisher.render import shortcodes
from publisher.render.front_matter import Page

_COLLECT = re.compile(r"^\{\{ misreadings all \}\}[ \t]*$", re.MULTILINE)
_BOX = re.compile(
    r'^!!! warning "A common misreading: (?P<title>[^\n]+)"[ \t]*\n\n'
    r"    \{\{ misreading (?P<slug>[^{}\n]*) \}\}[ \t]*\n"
    r"(?P<body>(?:    [^\n]*\n|[ \t]*\n)*)",
    re.MULTILINE,
)
_TITLE = re.compile(r"^[ \t>]*(?:!!!|\?\?\?\+?)[^\n]*A common misreading", re.MULTILINE)
_SHORTCODE = re.compile(r"^[ \t>]*\{\{ misreading ", re.MULTILINE)
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_REMEDY = "put it first in '!!! warning \"A common misreading: ...\"', after a blank line"
_LINK = re.compile(r"\]\((?!https?:|mailto:)([^)\s]*)")
# Links that only work on the page they are written for.
_BOUND = re.compile(r"\]\[[^\]]*\]|\[\^[^\]]+\]|href=[\"'](?!https?:)")


def collect(
    pages: Mapping[str, Page], order: Sequence[str], own_page: str, addresses: Addresses
) -> str:
    """Return the boxes of all pages as Markdown, in reading order, each with a link to its place.

    Parameters
    ----------
    pages : mapping of str to Page
        All pages, by file.
    order : sequence of str
        The files in reading order; those that it leaves out come last, by name.
    own_page : str
        The file that the boxes are collected on.
    addresses : Addresses
        How pages are addressed.

    Raises
    ------
    Mistake
        If two boxes share a link, a shortcode stands outside a box, or a box cannot be moved.
    """
    here = Here(addresses, own_page)
    sections, seen = [], set[str]()
    for file in [*order, *sorted(set(pages) - set(order))]:
        if file not in pages:
            continue
        page = pages[file]
        text = "\n" * (page.first_line - 1) + page.body + "\n"
        for box in _boxes(page, text, own_page):
            if box["slug"] in seen:
                what = f"two misreadings '{box['slug']}'; rename one"
                raise _mistake(file, text, box.start(), what)
            seen.add(box["slug"])
            title, body = (text[slice(*box.span(name))] for name in ("title", "body"))
            title = title[0].upper() + title[1:]  # it stood after a colon
            address = here.page(file, f"misreading-{box['slug']}")
            place = inline("in_its_chapter", address, page.title)
            body = _moved(textwrap.dedent(body).strip(), file)
            sections.append(f"## {title} {{#{box['slug']}}}\n\n{body}\n\n{place}")
    return "\n\n".join(sections)


def gathered(pages: Mapping[str, Page], boxes: str, own_page: str) -> dict[str, Page]:
    """Return the pages with the collected boxes on their own page.

    That page comes last, so that a mistake in a box is reported in its chapter.

    Parameters
    ----------
    pages : mapping of str to Page
        All pages, by file.
    boxes : str
        What `collect` returned.
    own_page : str
        The file that asks for the boxes.
    """
    found = {file: page for file, page in pages.items() if file != own_page}
    if own_page in pages:
        body = pages[own_page].body
        if place := _COLLECT.search(body):
            body = body[: place.start()] + boxes + body[place.end() :]
        found[own_page] = replace(pages[own_page], body=body)
    return found


def _boxes(page: Page, text: str, own_page: str) -> Iterator[re.Match[str]]:
    """Yield a page's boxes; what only looks like one is a mistake."""
    file = page.file
    shown = "".join(
        re.sub(r"\S", "x", part.text) if part.kind in ("fence", "comment", "code") else part.text
        for part in shortcodes.parts(text)
    )
    boxes = list(_BOX.finditer(shown))
    for box in boxes:
        if file == own_page:
            raise _mistake(file, text, box.start(), "a misreading's box; move it into its chapter")
        if not _SLUG.fullmatch(box["slug"]):
            what = f"a misreading's name '{box['slug']}'; write small letters, digits and hyphens"
            raise _mistake(file, text, box.start("slug"), what)
        if not box["body"].strip():
            raise _mistake(file, text, box.start(), "a misreading without a text; write what holds")
        if bound := _BOUND.search(shown, *box.span("body")):
            what = f"'{bound[0]}' in a misreading, which is shown twice; write [text](page.md)"
            raise _mistake(file, text, bound.start(), what)
    for code in _SHORTCODE.finditer(shown):
        if not any(box.start() < code.start() < box.start("body") for box in boxes):
            what = f"a misreading outside its box; {_REMEDY}"
            raise _mistake(file, text, code.end() - 1, what)
    for title in _TITLE.finditer(shown):
        if not any(box.start() <= title.start() < box.start("body") for box in boxes):
            what = "a misreading without its link; begin its text with {{ misreading some-name }}"
            raise _mistake(file, text, title.end(), what)
    yield from boxes


def _mistake(file: str, text: str, position: int, what: str) -> Mistake:
    return Mistake(f"docs/{file}", text.count("\n", 0, position) + 1, what)


def _moved(body: str, file: str) -> str:
    """Return a box's text with its links written as the page of misreadings needs them."""
    folder = posixpath.dirname(file)

    def link(match: re.Match[str]) -> str:
        if match[1].startswith("#"):
            return f"]({file}{match[1]}"
        return f"]({posixpath.normpath(posixpath.join(folder, match[1]))}"

    return "".join(
        _LINK.sub(link, part.text) if part.kind == "prose" else part.text
        for part in shortcodes.parts(body)
    )


def anchor(slug: str, own_page: str, here: Here) -> Markup:
    """Return what a box begins with: its permanent link, and the way to the others.

    Parameters
    ----------
    slug : str
        The box's name.
    own_page : str
        The Markdown file with all the boxes.
    here : Here
        The page that the box stands on.
    """
    return render("misreading", slug=slug, page=own_page, here=here)
