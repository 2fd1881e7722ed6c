"""What every page owes its reader, in a real browser: each is opened once, and asked everything."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests import tiny
from tests.browser import questions
from tests.browser.conftest import Server, Tab, tab_of

BUDGET_BYTES = 180_000
BUDGET_REQUESTS = 12
DOCS = tiny.ROOT / "docs"
PAGES = [path.relative_to(DOCS).with_suffix("").as_posix() for path in sorted(DOCS.rglob("*.md"))]
ADDRESSES = ["" if page == "index" else f"{page}/" for page in PAGES]
SOURCE = "source/snippets/attention.py/"
# One of each kind: home, chapter with an explorable, note, gallery, glossary, ledger, source, 404.
KINDS = ("", "values/", "notes/scaling/", "bugs/", "glossary/", "numbers/", SOURCE, "404.html")


@pytest.mark.parametrize("address", [*ADDRESSES, SOURCE, "404.html"])
def test_a_page(tab: Tab, site: Path, address: str) -> None:
    # What comes late comes from scripts that all pages share: waiting for it at some will do.
    page = tab.open(address, until="networkidle" if address in KINDS else "load")
    page.evaluate("document.fonts.ready.then(() => true)")
    small_quiet_and_asks_nobody_else(tab)
    file = site / address if address.endswith(".html") else site / address / "index.html"
    html = file.read_text("utf-8")
    questions.wide_enough_for_tables(page, html.count('class="table-scroll"'))
    for tag in re.findall(r'<([\w-]+) class="explorable"', html):
        questions.says_whose_numbers_it_shows_and_speaks_only_when_asked(page, tag)
        questions.shows_its_figure_on_paper(page, tag)
        questions.fits_when_narrow_and_large_in_forced_colours(page, tag)
    questions.narrow_enough(page, 320)
    if address in KINDS:
        questions.accessible(page)
    assert tab.complaints == []


def small_quiet_and_asks_nobody_else(tab: Tab) -> None:
    """Ask a page that was just opened."""
    own = (tab.server.url, "data:", "blob:")
    assert [url for url in tab.asked if not url.startswith(own)] == []
    assert tab.complaints == []
    assert sum(size for _, size in tab.server.sent) <= BUDGET_BYTES, tab.server.sent
    assert len(tab.server.sent) <= BUDGET_REQUESTS, tab.server.sent


@pytest.fixture(scope="module")
def plain(browser: Browser, server: Server) -> Iterator[Tab]:
    """Return a tab that runs no script."""
    with tab_of(browser, server, java_script_enabled=False) as made:
        yield made


@pytest.mark.parametrize("address", ADDRESSES)
def test_page_is_whole_without_javascript(plain: Tab, address: str) -> None:
    assert plain.open(address).evaluate(questions.HIDDEN) == []


def test_there_is_something_to_look_at(site: Path) -> None:
    """The tests above look for tables, figures and formulas, and would pass without any."""
    pages = [(site / address / "index.html").read_text("utf-8") for address in ADDRESSES]
    for what, least in (("<p", 60), ('class="figure"', 4), ("<math", 40), ("table-scroll", 50)):
        assert sum(page.count(what) for page in pages) > least, what
    assert sum(page.count('class="explorable"') for page in pages) >= 6


def test_all_sources_ask_for_what_the_one_visited_asks_for(site: Path) -> None:
    def asked(path: Path) -> list[Path | str]:
        tags = re.findall(r"<(?:script|link|img|iframe)\b[^>]*>", path.read_text("utf-8"))
        found = [match[1] for tag in tags if (match := re.search(r'(?:src|href)="([^"]*)"', tag))]
        return [(path.parent / link).resolve() if link[:5] != "data:" else link for link in found]

    paths = sorted(site.glob("source/**/index.html"))
    assert len(paths) > 20
    for path in paths:
        assert asked(path) == asked(site / SOURCE / "index.html"), path
        assert len(gzip.compress(path.read_bytes())) < BUDGET_BYTES // 2, path
