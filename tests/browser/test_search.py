"""Search: its index comes when it is wanted, and finds prose, not code or tables."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Server, visit


def assert_finds_the_cabinet(page: Page) -> None:
    page.keyboard.type("filing cabinet")
    result = page.locator('.md-search-result__link[href*="/query-key-value/"]').first
    expect(result).to_be_visible()
    result.click()
    page.wait_for_url("**/query-key-value/**")


@pytest.mark.parametrize("key", ["/", "s", "f"])
def test_index_is_fetched_when_the_reader_searches(
    browser: Browser, server: Server, key: str
) -> None:
    context = browser.new_context()
    seen = visit(context, server.url + "values/", "networkidle")
    assert not any("search_index" in url for url in seen.asked)
    with seen.page.expect_request("**/search_index.json"):
        seen.page.keyboard.press(key)
    assert_finds_the_cabinet(seen.page)
    assert seen.complaints == []
    context.close()


def test_a_shared_search_opens(browser: Browser, server: Server) -> None:
    context = browser.new_context()
    page = visit(context, server.url + "?q=softmax", "load").page
    expect(page.locator(".md-search-result__link").first).to_be_visible()
    assert page.locator('[data-md-component="search-query"]').input_value() == "softmax"
    context.close()
