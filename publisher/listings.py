"""A page for every source file that a number leads to: light, and apart from the theme."""

from __future__ import annotations

from collections.abc import Mapping

from publisher.collect import Memo, remembered
from publisher.html import blocks
from publisher.html.templates import render
from publisher.keep import kept
from publisher.project import Addresses, Here, Project, slug
from publisher.render.front_matter import Page


def listings(
    project: Project, pages: Mapping[str, Page], addresses: Addresses, site: str, memo: Memo
) -> dict[str, bytes]:
    """Return the page of every module, bug and test, by the address of its file.

    Parameters
    ----------
    project : where the sources lie
    pages : the chapters that they are shown on, by Markdown file
    addresses : where the pages go
    site : the site's name
    memo : the pages of the last build
    """
    made = {}
    for name in [*project.modules, *project.bugs]:  # the bugs share one test, and its page
        module, test = project.file(name), project.test(name)
        chapter = f"{slug(name.partition('.')[0] if name in project.bugs else name)}.md"
        for file in (module, test):
            here = Here(addresses, f"source/{file}.md")
            partners = [("Tested in", test)] if file == module else [("Tests", module)]
            links = [(words, here.source(other), other) for words, other in partners]
            if chapter in pages:
                links.append(("shown on the page", here.page(chapter), pages[chapter].title))
            text = (project.root / file).read_text("utf-8-sig")
            inputs = (file, text, here, links, site)
            made[addresses.file(here.file)] = remembered(
                memo,
                ("listing", file),
                inputs,
                lambda: kept(project.kept, inputs, lambda: _page(*inputs)),  # noqa: B023
            )
    return made


def _page(
    file: str, text: str, here: Here, links: list[tuple[str, str, str]], site: str
) -> bytes:  # fmt: skip
    listing = blocks.source(text)
    page = render(
        "source_page", file=file, site=site, here=here, partners=links, listing=listing
    )  # fmt: skip
    return f"{page}\n".encode()
