"""A reader asks a number where it comes from: by mouse, by touch, by keyboard, and on paper."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Server, Tab, tab_of

ADDRESS = "scores-and-weights/"
FULL = "0.6652409557748219"


# Put the article, as the page brought it, in the place of the used one: instant navigation does so.
RESTART = """async () => {
  window.served ??= await (await fetch(location.pathname)).text();
  const page = new DOMParser().parseFromString(window.served, "text/html");
  document.querySelector("article").replaceWith(page.querySelector("article"));
  start();
  scrollTo(0, 0);
}"""


@pytest.fixture(scope="module")
def hand(browser: Browser, server: Server) -> Iterator[Tab]:
    """Return a tab that can be touched."""
    with tab_of(browser, server, has_touch=True) as made:
        made.open(ADDRESS)
        yield made


@pytest.fixture
def page(hand: Tab) -> Page:
    page = hand.page
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(media="screen")
    if page.url.split("#")[0] != hand.server.url + ADDRESS:
        hand.open(ADDRESS)
    page.evaluate(RESTART)
    return page


def weight(page: Page):  # type: ignore[no-untyped-def]
    return page.locator("p > data.num", has_text="0.6652").first


def assert_panel_explains(page: Page) -> None:
    panel = page.get_by_role("region", name="Where this number comes from")
    expect(panel).to_contain_text(FULL)
    expect(panel).to_contain_text("hand_weights()[0]")
    expect(panel.get_by_role("link", name="snippets/scores_and_weights.py, line")).to_be_visible()
    expect(
        panel.get_by_role("link", name="tests/chapters/test_scores_and_weights.py, line")
    ).to_be_visible()


def test_by_mouse(page: Page) -> None:
    weight(page).click()
    assert_panel_explains(page)


def test_by_touch(page: Page) -> None:
    weight(page).tap()
    assert_panel_explains(page)


def test_by_keyboard(page: Page) -> None:
    page.get_by_role("button", name="Inspect the numbers").focus()
    page.keyboard.press("Enter")
    panel = page.get_by_role("region", name="Where this number comes from")
    expect(panel.get_by_role("button", name="Next")).to_be_focused()
    for _ in range(200):
        if FULL in panel.inner_text():
            break
        page.keyboard.press("ArrowRight")
    assert_panel_explains(page)
    # The arrow keys walk; the page has not moved on to another chapter.
    assert page.url.split("#")[0].endswith(ADDRESS)
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(page.get_by_role("button", name="Inspect the numbers")).to_be_focused()


def test_numbers_are_no_tab_stops(page: Page) -> None:
    assert page.locator("data.num[tabindex]").count() == 0
    assert page.locator("data.num").count() > 20


def test_escape_closes_after_a_click_and_keys_stay_in_the_panel(page: Page) -> None:
    weight(page).click()
    panel = page.get_by_role("region", name="Where this number comes from")
    page.keyboard.press("n")  # the theme's key for the next page
    assert page.url.split("#")[0].endswith(ADDRESS)
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ArrowRight")  # from a link that is replaced
    expect(panel).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()


def test_walking_passes_over_closed_answers(page: Page) -> None:
    page.get_by_role("button", name="Inspect the numbers").click()
    for _ in range(60):
        page.keyboard.press("ArrowRight")
    assert page.locator("details[open]").count() == 0
    expect(page.locator("data.num.inspected")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(320, 568), (640, 400), (1280, 800)])
def test_panel_does_not_cover_the_number(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.get_by_role("button", name="Inspect the numbers").click()
    panel = page.locator(".numbers-panel")
    for _ in range(12):
        page.keyboard.press("ArrowRight")
        number, cover = page.locator("data.num.inspected").bounding_box(), panel.bounding_box()
        assert number and cover
        assert number["y"] >= 40 and number["y"] + number["height"] <= cover["y"]


def test_a_found_number_can_still_be_asked(hand: Tab) -> None:
    page = hand.open(ADDRESS + "?h=0.6652")
    weight(page).evaluate("n => { n.innerHTML = '<mark>' + n.textContent + '</mark>'; }")
    weight(page).locator("mark").click()
    assert_panel_explains(page)


def test_print_from_the_dark_scheme_is_dark_on_white(tab: Tab) -> None:
    page = tab.open(ADDRESS, scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    for name in ("--figure-ink", "--token-1"):
        colour = page.evaluate(
            f"getComputedStyle(document.body).getPropertyValue('{name}')"
        ).strip()
        assert colour in ("#1f2328", "#0b3f94"), (name, colour)


def test_links_lead_to_the_lines(page: Page) -> None:
    weight(page).click()
    panel = page.get_by_role("region", name="Where this number comes from")
    panel.get_by_role("link", name="snippets/scores_and_weights.py, line").click()
    page.wait_for_load_state()
    line = page.locator(":target")
    expect(line).to_contain_text('"fisherman": weights[0]')
    page.go_back()
    weight(page).click()
    panel.get_by_role("link", name="tests/chapters/test_scores_and_weights.py, line").click()
    page.wait_for_load_state()
    expect(page.locator(":target")).to_contain_text('"fisherman"')


def test_switch_shows_all_full_values_and_paper_shows_the_rounded_ones(page: Page) -> None:
    switch = page.get_by_role("button", name="Show full values")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    numbers = page.locator("data.num")
    for text, value in zip(
        numbers.all_text_contents(),
        numbers.evaluate_all("all => all.map(n => n.value)"),
        strict=True,
    ):
        assert text.replace("\N{MINUS SIGN}", "-") == value
    page.emulate_media(media="print")
    expect(page.locator(f'p > data.num[value="{FULL}"]').first).to_have_text("0.6652")
    page.emulate_media(media="screen")
    expect(page.locator(f'p > data.num[value="{FULL}"]').first).to_have_text(FULL)
    switch.click()
    expect(page.locator(f'p > data.num[value="{FULL}"]').first).to_have_text("0.6652")


def test_answers_are_printed(page: Page) -> None:
    page.emulate_media(media="print")
    answer = page.locator("details.question").first
    assert answer.get_attribute("open") is None
    expect(answer.locator("p").last).to_be_visible()
