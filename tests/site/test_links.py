"""Where links lead: to something that is there, on this host, under either form of addresses."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from tests.site import facts
from tests.site.facts import Facts

SITE_URL = "https://attention-computed.github.io/"


def dead_links(site: Path, pages: dict[str, Facts]) -> list[tuple[str, str]]:
    """Return the links, by page, that lead to no file or to no element of a page."""
    ids = {address: set(page.ids) for address, page in pages.items()}
    there = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    dead = []
    for address, page in pages.items():
        if address == "404.html":  # shown under any address
            continue
        for _, attributes in page.all("a", "link", "script", "img"):
            target = attributes.get("href") or attributes.get("src") or ""
            parts = urlsplit(urljoin(SITE_URL + address, target))
            if not target or not parts.geturl().startswith(SITE_URL):
                continue
            file = unquote(parts.path.removeprefix("/"))
            on_disk = f"{file}index.html" if file.endswith("/") or not file else file
            fragment = unquote(parts.fragment)
            if on_disk not in there or (fragment and fragment not in ids.get(file, {fragment})):
                dead.append((address, target))
    return dead


def test_every_link_leads_somewhere(site: Path, pages: dict[str, Facts]) -> None:
    assert sum(len(page.all("a")) for page in pages.values()) > 5_000
    assert dead_links(site, pages) == []


def test_every_link_leads_somewhere_where_pages_are_files(builds: Path, site: Path) -> None:
    pages = facts.read_site(builds / "files")
    assert "scores-and-weights.html" in pages
    assert len(pages) == len(list(site.rglob("*.html")))
    assert dead_links(builds / "files", pages) == []


@pytest.mark.parametrize(
    ("href", "dead"),
    [("b/", False), ("b/#x", False), ("b/#y", True), ("c/", True), ("#here", False),
     ("#there", True), ("https://other.org/c", False), ("", False)],
)  # fmt: skip
def test_a_dead_link_is_found(href: str, dead: bool, tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b/index.html").write_text('<p id="x">')
    (tmp_path / "index.html").write_text(f'<p id="here"><a href="{href}">')
    assert dead_links(tmp_path, facts.read_site(tmp_path)) == ([("", href)] if dead else [])


def test_ids_are_unique(pages: dict[str, Facts]) -> None:
    for address, page in pages.items():
        # The theme's own drawer and palette controls are not ours to rename.
        ours = [name for name in page.ids if not name.startswith("__")]
        assert len(ours) == len(set(ours)), (address, {i for i in ours if ours.count(i) > 1})


def test_nothing_is_asked_of_another_host(pages: dict[str, Facts], site: Path) -> None:
    for address, page in pages.items():
        for tag, attributes in page.all("script", "img", "link", "iframe", "source", "use"):
            target = attributes.get("src") or attributes.get("href") or ""
            if tag == "link" and "canonical" in attributes.get("rel", "").split():
                continue
            assert "//" not in target.removeprefix(SITE_URL), (address, target)
    for sheet in (site / "assets").rglob("*.css"):
        assert not re.search(r"url\(\s*['\"]?(?:https?:)?//", sheet.read_text("utf-8")), sheet
