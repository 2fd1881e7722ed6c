"""What every explorable owes its reader, wherever it stands."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Browser, Page

from publisher.formats import display
from tests.browser.conftest import Server, serving, visit
from tests.conftest import build, copy_project

BUDGET_BYTES = 15_000  # of an explorable with all that it may import


@pytest.fixture(scope="module")
def places(site: Path) -> dict[str, str]:
    """Return each explorable's tag and the page of its chapter."""
    found: dict[str, str] = {}
    for path in sorted(site.rglob("index.html"), key=lambda p: p.parent.name == "explore"):
        for element in BeautifulSoup(path.read_text("utf-8"), "html.parser").select(".explorable"):
            found.setdefault(element.name, path.relative_to(site).parent.as_posix() + "/")
    return found


def test_the_code_of_each_is_small_and_loaded_only_where_used(
    site: Path, places: dict[str, str]
) -> None:
    folder = site / "assets" / "explore"
    sizes = {file.name: len(gzip.compress(file.read_bytes(), 9)) for file in folder.iterdir()}
    modules = {"attention.js", "explorable.js", "html.js", "plane.js", "state.js"}
    assert set(sizes) - modules == {f"{tag}.js" for tag in places}
    shared = sum(sizes[name] for name in modules)
    assert shared + max(sizes[f"{tag}.js"] for tag in places) <= BUDGET_BYTES, sizes
    for path in site.rglob("*.html"):
        text = path.read_text("utf-8")
        assert ("assets/explore/" in text) == ('class="explorable"' in text), path


def test_each_says_whose_numbers_it_shows_and_speaks_only_when_asked(
    browser: Browser, server: Server, places: dict[str, str]
) -> None:
    assert len(places) == 6
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    for tag, address in places.items():
        seen = visit(context, server.url + address, "load")
        widget = seen.page.locator(tag)
        widget.locator(".panel").wait_for()
        assert "computed by Python" in widget.locator(".origin").inner_text(), tag
        assert widget.locator(".said").inner_text() == "", tag
        for missing in ("NaN", "undefined", "Infinity", "[object"):
            assert missing not in widget.inner_html(), (tag, missing)
        assert seen.complaints == [], tag
        seen.page.close()
    context.close()


def test_static_figure_without_javascript_and_on_paper(
    browser: Browser, server: Server, places: dict[str, str]
) -> None:
    plain = browser.new_context(java_script_enabled=False)
    paper = browser.new_context()
    for tag, address in places.items():
        page = plain.new_page()
        page.goto(server.url + address)
        assert page.locator(f"{tag} > figure svg.drawing:visible").count() == 1, tag
        assert page.locator(f"{tag} .panel").count() == 0, tag
        page.close()
        page = paper.new_page()
        page.goto(server.url + address)
        page.wait_for_selector(f"{tag}.alive")
        assert page.locator(f"{tag} > figure").is_hidden(), tag
        page.emulate_media(media="print")
        assert page.locator(f"{tag} > figure").is_visible(), tag
        assert page.locator(f"{tag} .panel").is_hidden(), tag
        page.close()
    plain.close()
    paper.close()


def test_alone_in_a_frame(browser: Browser, server: Server, places: dict[str, str]) -> None:
    context = browser.new_context(viewport={"width": 400, "height": 700})
    for tag, address in {**places, "attention-explorer": "explore/"}.items():
        page = visit(context, f"{server.url}{address}?embed=1", "load").page
        page.wait_for_selector(f"{tag}.alive")
        shown = page.evaluate(
            """() => [...document.body.querySelectorAll("h1, h2, p, header, nav, footer, table")]
            .filter((e) => e.getClientRects().length && !e.closest(".explorable")).length"""
        )
        assert shown == 0, tag
        assert "CC BY 4.0" in page.locator(f"{tag} .credit").inner_text()
        assert page.evaluate("document.documentElement.scrollWidth") <= 400, tag
        page.close()
    context.close()


@pytest.mark.parametrize(("width", "text"), [(320, "100%"), (640, "200%")])
def test_narrow_and_large_in_forced_colours(
    browser: Browser, server: Server, places: dict[str, str], width: int, text: str
) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 640}, forced_colors="active", reduced_motion="reduce"
    )
    for tag, address in places.items():
        page = visit(context, server.url + address, "load").page
        page.wait_for_selector(f"{tag}.alive")
        page.evaluate("size => { document.documentElement.style.fontSize = size; }", text)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, tag
        broken = page.locator(f"{tag} .data data.live").evaluate_all(
            "all => all.filter(n => n.getClientRects().length > 1).map(n => n.textContent)"
        )
        assert broken == [], tag  # a number stands on one line
        page.close()
    context.close()


def test_numbers_are_written_by_the_sites_rule(page_of_numbers: tuple[Page, Any]) -> None:
    page, numbers = page_of_numbers
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


@pytest.fixture
def page_of_numbers(browser: Browser, server: Server, site: Path) -> Any:
    """Return an open page, and every published number that is no whole one."""
    page = browser.new_page()
    page.goto(server.url)
    numbers = json.loads((site / "numbers.json").read_text("utf-8"))
    yield page, [n for n in numbers if isinstance(n["value"], float)]
    page.close()


def test_with_the_themes_instant_navigation(browser: Browser, tmp_path: Path) -> None:
    folder = copy_project(tmp_path)
    config = folder / "mkdocs.yml"
    text = config.read_text("utf-8")
    assert "  features:\n" in text
    config.write_text(text.replace("  features:\n", "  features:\n    - navigation.instant\n"))
    with serving(folder / "site") as server:
        build(folder, SITE_URL=server.url)
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        seen = visit(context, server.url + "context/", "networkidle")
        seen.page.evaluate("window.stayed = true")
        for title in ("Values are what travel", "Explore"):
            menu = seen.page.locator(".md-nav--primary")
            menu.get_by_role("link", name=title, exact=True).click()
            seen.page.wait_for_selector(f"h1:has-text('{title}')")
            seen.page.wait_for_selector("attention-explorer.alive .shown data.live")
            assert seen.page.locator(".numbers-bar").count() == 1
        assert seen.page.evaluate("window.stayed"), "the page was loaded anew"
        seen.page.get_by_label("temperature", exact=True).fill("2")
        assert "in your browser" in seen.page.locator(".explorable .origin").inner_text()
        assert seen.complaints == []
        context.close()
