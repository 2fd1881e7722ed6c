"""Search: its index comes when it is wanted, and finds prose, not code or tables."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Tab


def find_the_cabinet(page: Page) -> None:
    """Write into the search, which was turned to just now, and follow the first result."""
    page.keyboard.type("filing cabinet")
    result = page.locator('.md-search-result__link[href*="/query-key-value/"]').first
    expect(result).to_be_visible()
    result.click()
    page.wait_for_selector(".md-content h1:has-text('Three roles')")
    assert "/query-key-value/" in page.url


def test_index_is_fetched_when_the_reader_searches(tab: Tab) -> None:
    for key in ("/", "s", "f"):
        page = tab.open("values/", until="networkidle" if key == "/" else "load")
        assert not any("search_index" in url for url in tab.asked)
        with page.expect_request("**/search_index.json"):
            page.keyboard.press(key)
        find_the_cabinet(page)
        assert tab.complaints == []


def test_a_shared_search_opens(tab: Tab) -> None:
    page = tab.open("?q=softmax")
    expect(page.locator(".md-search-result__link").first).to_be_visible()
    assert page.locator('[data-md-component="search-query"]').input_value() == "softmax"
