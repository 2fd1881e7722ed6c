"""What every page owes its reader, in a real browser."""

from __future__ import annotations

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from tests.browser.conftest import Server, visit

BUDGET_BYTES = 180_000
BUDGET_REQUESTS = 12
RULES = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
}
# The ledger has thousands of rows of one kind.
SHORTER = "document.querySelectorAll('.ledger tr:nth-child(n + 40)').forEach(row => row.remove())"
OPEN_ALL = "document.querySelectorAll('details').forEach(d => d.open = true)"


def sampled(addresses: list[str]) -> list[str]:
    """Return every page; of the sources, which share markup and colours, every tenth."""
    sources = [address for address in addresses if address.startswith("source/")]
    return [address for address in addresses if address not in sources or address in sources[::10]]


def test_cold_load_is_small_quiet_and_asks_nobody_else(
    browser: Browser, server: Server, addresses: list[str]
) -> None:
    assert len(addresses) > 20
    wrong = {}
    for address in addresses:
        server.sent.clear()
        context = browser.new_context()
        seen = visit(context, server.url + address, "networkidle")
        context.close()
        foreign = [url for url in seen.asked if not url.startswith((server.url, "data:", "blob:"))]
        size = sum(length for _, length in server.sent)
        if foreign or seen.complaints or size > BUDGET_BYTES or len(server.sent) > BUDGET_REQUESTS:
            wrong[address] = (foreign, seen.complaints, size, server.sent[:])
    assert wrong == {}


@pytest.mark.parametrize(("scheme", "width"), [("light", 320), ("dark", 1280)])
def test_axe_finds_nothing(
    browser: Browser,
    server: Server,
    addresses: list[str],
    scheme: Literal["light", "dark"],
    width: int,
) -> None:
    axe = Axe()
    wrong = {}
    # High enough that no link of the menu is half scrolled out of it: axe would call that small.
    context = browser.new_context(
        color_scheme=scheme, viewport={"width": width, "height": 2000}, reduced_motion="reduce"
    )
    sources = [address for address in addresses if address.startswith("source/")]
    for address in sampled(addresses):
        page = visit(context, server.url + address, "load").page
        page.evaluate(OPEN_ALL)
        page.evaluate(SHORTER)
        rules = {**RULES, "rules": {"color-contrast": {"enabled": address not in sources[1:]}}}
        found = axe.run(page, options=rules).response["violations"]
        page.close()
        if found:
            wrong[address] = [
                (rule["id"], [node["html"][:160] for node in rule["nodes"][:3]]) for rule in found
            ]
    context.close()
    assert wrong == {}


def test_no_table_scrolls_sideways_on_a_wide_screen(
    browser: Browser, server: Server, addresses: list[str]
) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    wrong, count = {}, 0
    for address in sampled(addresses):
        page = visit(context, server.url + address, "load").page
        page.evaluate(OPEN_ALL)
        over = page.eval_on_selector_all(
            ".table-scroll, .md-typeset__table",
            "all => all.map(e => e.scrollWidth - e.clientWidth)",
        )
        count += len(over)
        if max(over, default=0) > 0:
            wrong[address] = over
        page.close()
    context.close()
    assert count > 50
    assert wrong == {}


def test_nothing_scrolls_sideways_at_320_pixels(
    browser: Browser, server: Server, addresses: list[str]
) -> None:
    context = browser.new_context(viewport={"width": 320, "height": 700})
    wrong = {}
    for address in sampled(addresses):
        page = visit(context, server.url + address, "load").page
        page.evaluate(OPEN_ALL)
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > 320:
            wrong[address] = width
        page.close()
    context.close()
    assert wrong == {}


def test_page_is_whole_without_javascript(
    browser: Browser, server: Server, addresses: list[str]
) -> None:
    context = browser.new_context(java_script_enabled=False)
    seen = {"paragraphs": 0, "figures": 0, "formulas": 0}
    for address in sampled(addresses):
        page = context.new_page()
        page.goto(server.url + address)
        article = page.locator("article.md-content__inner")
        shown = article.locator(":scope > p, :scope > .formula, :scope > figure")
        for item in shown.all():
            assert item.is_visible(), (address, item.inner_text())
        seen["paragraphs"] += article.locator(":scope > p").count()
        # An answer's figure waits in its closed box.
        for drawing in article.locator("figure.figure:not(details:not([open]) *)").all():
            assert drawing.locator("svg.drawing:visible").count() == 1, address
            seen["figures"] += 1
        for formula in article.locator("math:visible").all():
            box = formula.bounding_box()
            assert box and box["width"] > 2 and box["height"] > 4, address
            seen["formulas"] += 1
        page.close()
    context.close()
    assert seen["paragraphs"] > 60 and seen["figures"] >= 4 and seen["formulas"] > 40, seen
