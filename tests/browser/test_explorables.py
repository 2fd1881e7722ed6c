"""What every explorable owes its reader, wherever it stands."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Route

from publisher.formats import display
from tests import tiny
from tests.browser.conftest import Tab
from tests.browser.test_search import find_the_cabinet

BUDGET_BYTES = 15_000  # of an explorable with all that it may import
EXPLORE = tiny.ROOT / "docs/assets/explore"
TAGS = sorted(path.stem for path in EXPLORE.glob("*-explorer.js"))
SHARED = {"attention.js", "explorable.js", "html.js", "plane.js", "state.js"}
# What is seen of the page around an explorable, where the explorable stands alone.
AROUND = """() => [...document.body.querySelectorAll("h1, h2, p, header, nav, footer, table")]
  .filter((e) => e.getClientRects().length && !e.closest(".explorable")).length"""


def place(site: Path, tag: str) -> str:
    """Return the page of an explorable's chapter."""
    pages = sorted(site.rglob("index.html"), key=lambda path: path.parent.name == "explore")
    path = next(path for path in pages if f"<{tag} " in path.read_text("utf-8"))
    return path.relative_to(site).parent.as_posix() + "/"


def test_the_code_of_each_is_small_and_loaded_only_where_used(site: Path) -> None:
    folder = site / "assets" / "explore"
    sizes = {file.name: len(gzip.compress(file.read_bytes(), 9)) for file in folder.iterdir()}
    assert len(TAGS) == 6
    assert set(sizes) - SHARED == {f"{tag}.js" for tag in TAGS}
    shared = sum(sizes[name] for name in SHARED)
    assert shared + max(sizes[f"{tag}.js"] for tag in TAGS) <= BUDGET_BYTES, sizes
    for path in site.rglob("*.html"):
        text = path.read_text("utf-8")
        assert ("assets/explore/" in text) == ('class="explorable"' in text), path


@pytest.mark.parametrize("tag", TAGS)
def test_alone_in_a_frame(tab: Tab, site: Path, tag: str) -> None:
    address = "explore/" if tag == "attention-explorer" else place(site, tag)
    page = tab.open(f"{address}?embed=1", 400, 700)
    page.wait_for_selector(f"{tag}.alive")
    assert page.evaluate(AROUND) == 0
    assert "CC BY 4.0" in page.locator(f"{tag} .credit").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= 400


def test_a_link_is_followed_from_anywhere(tab: Tab) -> None:
    page = tab.open("explore/")
    page.get_by_label("temperature", exact=True).fill("2")
    page.get_by_role("button", name="Copy a link").click()
    link = page.locator(".explorable textarea").input_value().strip()
    page = tab.open("")
    page.goto(link)
    assert page.get_by_label("temperature", exact=True).input_value() == "2"


def test_numbers_are_written_by_the_sites_rule(tab: Tab, site: Path) -> None:
    page = tab.open("")
    published = json.loads((site / "numbers.json").read_text("utf-8"))
    numbers = [n for n in published if isinstance(n["value"], float)]
    cases = [[n["value"], n["digits"], "", display(n["value"], n["digits"])] for n in numbers]
    cases += [
        [value, digits, form, display(value, digits, form)]
        for value in (0.03125, 0.09375, -0.00004, 2.5, -1234567.5, 1e21, 3e22, 8**0.5, -(2**0.5))
        for digits in (0, 1, 4, 6)
        for form in ("", "short", "surd")
    ]
    assert len(cases) > 1000
    shown = page.evaluate(
        """async (cases) => {
          const { display } = await import(new URL("assets/explore/html.js", location.href));
          return cases.map(([value, digits, form]) => display(value, digits, form));
        }""",
        cases,
    )
    wrong = [(case, text) for case, text in zip(cases, shown, strict=True) if case[3] != text]
    assert wrong == []


def instant(route: Route) -> None:
    """Answer as a site whose theme has instant navigation and whose address is this server's."""
    response = route.fetch()
    server, _, _ = route.request.url.partition("/")[2].strip("/").partition("/")
    body = response.text().replace('"features": [', '"features": ["navigation.instant", ', 1)
    body = body.replace("<loc>https://attention-computed.github.io/", f"<loc>http://{server}/")
    route.fulfill(response=response, body=body)


def test_with_the_themes_instant_navigation(tab: Tab) -> None:
    addresses = re.compile(r"/$|/sitemap\.xml$")
    tab.page.route(addresses, instant)
    page = tab.open("context/", until="networkidle")
    assert not any("search_index" in url for url in tab.asked)
    page.evaluate("window.stayed = true")
    for title in ("Values are what travel", "Explore"):
        menu = page.locator(".md-nav--primary")
        menu.get_by_role("link", name=title, exact=True).click()
        page.wait_for_selector(f"h1:has-text('{title}')")
        page.wait_for_selector("attention-explorer.alive .shown data.live")
        assert page.locator(".numbers-bar").count() == 1
    page.get_by_label("temperature", exact=True).fill("2")
    assert "in your browser" in page.locator(".explorable .origin").inner_text()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("/")
    find_the_cabinet(page)
    assert page.evaluate("window.stayed"), "the page was loaded anew"
    assert tab.complaints == []
    tab.page.unroute(addresses)
