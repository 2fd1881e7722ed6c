"""The attention explorer, as a reader uses it."""

from __future__ import annotations

import csv
import io
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from snippets import explore
from snippets.attention import attention
from snippets.publish.formats import display
from tests import tiny
from tests.browser.conftest import Server, visit
from tests.browser.test_every_page import RULES

WIDGET = "attention-explorer"


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 1600})
    seen = visit(context, f"{server.url}explore/", "load")
    seen.page.wait_for_selector(f"{WIDGET}.alive")
    yield seen.page
    assert seen.complaints == []
    context.close()


def shown(page: Page) -> dict[str, Any]:
    """Return the full numbers that the widget shows."""
    found: dict[str, Any] = page.evaluate(
        f"""() => {{
          const widget = document.querySelector("{WIDGET}");
          const values = (at) => [...at.querySelectorAll("data.live")].map((d) => Number(d.value));
          const [output, equal] = [...widget.querySelectorAll(".shown > p .vector")].map(values);
          const rows = [...widget.querySelectorAll(".shown tbody tr")].map(values);
          return {{ output, equal, rows }};
        }}"""
    )
    return found


def field(page: Page, label: str) -> Any:
    return page.locator(WIDGET).get_by_label(label, exact=True)


def act(page: Page, name: str) -> None:
    page.locator(WIDGET).get_by_role("button", name=name, exact=True).click()


def problem(page: Page) -> str:
    return page.locator(f"{WIDGET} .problem").inner_text()


def taken(page: Page, name: str) -> str:
    act(page, name)
    return page.locator(f"{WIDGET} textarea").input_value()


def run(program: str) -> str:
    result = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tiny.ROOT, env=tiny.environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_starts_from_pythons_numbers_and_says_so(page: Page) -> None:
    results = explore.widgets()["attention"].results
    assert shown(page)["output"] == results["output"]
    assert [row[3] for row in shown(page)["rows"]] == results["weights"]
    assert "computed by Python" in page.locator(f"{WIDGET} .origin").inner_text()
    apart = page.evaluate(
        f"""() => {{
          const widget = document.querySelector("{WIDGET}");
          const ours = widget.compute(widget.start);
          return Object.keys(widget.python).flatMap((key) => (
            ours[key].flat().map((n, i) => Math.abs(n - widget.python[key].flat()[i]))));
        }}"""
    )
    assert len(apart) > 15 and max(apart) <= 1e-12


def test_typing_dragging_closing_and_undoing(page: Page) -> None:
    start = shown(page)
    field(page, "key of net, coordinate 1").fill("3/2")
    output, weights = attention(
        [[np.sqrt(2), 0]], [[2, 0], [1.5, 1], [0, 1]], [[2, 0], [0, 2], [1, 1]]
    )
    assert shown(page)["output"] == pytest.approx(output[0].tolist(), rel=1e-12)
    assert "in your browser" in page.locator(f"{WIDGET} .origin").inner_text()
    assert display(weights[0][1]) in page.locator(f"{WIDGET} .shown tbody tr").nth(1).inner_text()

    handle = page.locator(f"{WIDGET} [data-handle='tokens.2.value']")
    handle.scroll_into_view_if_needed()
    tip = handle.locator("circle.tip").bounding_box()
    assert tip
    page.mouse.move(tip["x"] + tip["width"] / 2, tip["y"] + tip["height"] / 2)
    page.mouse.down()
    page.mouse.move(tip["x"] + 5, tip["y"] + 60, steps=4)
    page.mouse.move(tip["x"] - 70, tip["y"] + 90, steps=4)
    page.mouse.up()
    moved = [float(field(page, f"value of bank, coordinate {c}").input_value()) for c in (1, 2)]
    assert moved[0] < 0.5 and moved[1] < 0.5
    values = [[2, 0], [0, 2], moved]
    output, _ = attention([[np.sqrt(2), 0]], [[2, 0], [1.5, 1], [0, 1]], values)
    assert shown(page)["output"] == pytest.approx(output[0].tolist(), rel=1e-12)

    page.locator(f"{WIDGET} [data-path='tokens.0.use']").uncheck()
    assert shown(page)["rows"][0][0] == pytest.approx(2 * np.sqrt(2))
    assert "masked" in page.locator(f"{WIDGET} .shown tbody tr").nth(0).inner_text()
    for _ in range(3):  # the switch, the whole drag, the typing
        act(page, "Undo")
    assert shown(page) == start
    assert "computed by Python" in page.locator(f"{WIDGET} .origin").inner_text()
    act(page, "Redo")
    assert field(page, "key of net, coordinate 1").input_value() == "1.5"
    act(page, "Reset")
    assert shown(page) == start


def test_by_keyboard_alone(page: Page) -> None:
    page.locator(f"{WIDGET} [data-handle='query']").focus()
    for key in ("ArrowRight", "ArrowUp", "ArrowUp"):
        page.keyboard.press(key)
    assert field(page, "query, coordinate 1").input_value() == "1.5"
    assert field(page, "query, coordinate 2").input_value() == "0.2"
    focused = "document.activeElement.dataset"
    assert page.evaluate(f"{focused}.handle") == "query"
    page.locator(f"{WIDGET} [data-action='add']").focus()
    page.keyboard.press("Enter")
    assert page.evaluate(f"{focused}.action") == "add"
    assert page.locator(f"{WIDGET} .shown tbody tr").count() == 4
    page.locator(f"{WIDGET} [data-action='remove 0']").focus()
    page.keyboard.press("Space")
    assert page.locator(f"{WIDGET} .shown tbody tr").count() == 3
    assert page.evaluate(f"{focused}.action") == "remove 0"
    page.wait_for_function(f"document.querySelector('{WIDGET} .said').textContent.includes('net')")


def test_sizes_scaling_and_temperature(page: Page) -> None:
    page.locator(f"{WIDGET} [data-resize]").select_option("8")
    assert page.locator(f"{WIDGET} [data-handle='query']").count() == 0
    field(page, "query, coordinate 8").fill("2")
    field(page, "key of bank, coordinate 8").fill("-1.25")
    queries, keys = np.zeros((1, 8)), np.zeros((3, 8))
    queries[0, [0, 7]] = np.sqrt(2), 2
    keys[:, :2], keys[2, 7] = [[2, 0], [1, 1], [0, 1]], -1.25
    values = [[2, 0], [0, 2], [1, 1]]
    expected, _ = attention(queries, keys, values)
    assert shown(page)["output"] == pytest.approx(expected[0].tolist(), rel=1e-12)
    page.get_by_label("nothing", exact=True).check()
    expected, _ = attention(queries * np.sqrt(8), keys, values)
    assert shown(page)["output"] == pytest.approx(expected[0].tolist(), rel=1e-12)
    page.get_by_label("a number:", exact=True).check()
    field(page, "divisor").fill("0.5")
    field(page, "temperature").fill("4")
    expected, _ = attention(queries * np.sqrt(8) / 2, keys, values)
    assert shown(page)["output"] == pytest.approx(expected[0].tolist(), rel=1e-12)
    for _ in range(5):
        act(page, "Add a token")
    assert page.get_by_role("button", name="Add a token").count() == 0
    assert page.locator(f"{WIDGET} .shown tbody tr").count() == 8


def test_doubling_the_query_moves_the_output_towards_fisherman(page: Page) -> None:
    before = shown(page)["output"]
    field(page, "query, coordinate 1").fill("2sqrt(2)")
    doubled = shown(page)
    gap = [abs(2 - output[0]) for output in (before, doubled["output"])]
    assert gap[1] < gap[0]
    act(page, "Reset")
    field(page, "temperature").fill("1/2")
    assert shown(page)["output"] == pytest.approx(doubled["output"], rel=1e-12)


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("", "key of net, coordinate 1 is empty: write a number"),
        ("two", "is not a number: write one such as 0.5, 1/3 or sqrt(2)"),
        ("NaN", "is not a number"),
        ("1e400", "is beyond what a computer's number holds"),
        ("0/0", "divides by zero"),
        ("<b>1</b>", "is not a number"),
        ("1,5", "is not a number"),
        ("1.7e308", "overflows float64 (about 1.8e308); scale queries or keys down"),
    ],
)
def test_bad_numbers_are_refused_in_place(page: Page, written: str, words: str) -> None:
    before = shown(page)
    box = field(page, "key of net, coordinate 1")
    box.fill(written)
    assert words in problem(page)
    assert shown(page) == before
    assert "NaN" not in page.locator(f"{WIDGET} .shown").inner_text()
    act(page, "Copy as CSV")
    assert page.locator(f"{WIDGET} textarea").is_hidden()
    box.fill("1")
    assert problem(page) == ""
    assert shown(page) == before


def test_impossible_states_are_refused_in_the_operations_words(page: Page) -> None:
    for place in range(3):
        page.locator(f"{WIDGET} [data-path='tokens.{place}.use']").uncheck()
    assert "mask row 0 is False throughout" in problem(page)
    act(page, "Undo")
    assert problem(page) == ""
    field(page, "temperature").fill("0")
    assert problem(page) == "the temperature must be above 0: write a positive number"


def test_a_link_brings_the_state_back(page: Page) -> None:
    field(page, "value of net, coordinate 2").fill("-7.5")
    field(page, "temperature").fill("1/3")
    page.locator(f"{WIDGET} [data-path='tokens.1.name']").fill(
        "<i>n\N{LATIN SMALL LETTER E WITH ACUTE}t</i>"
    )
    state = shown(page)
    link = taken(page, "Copy a link").strip()
    page.goto(link)
    page.wait_for_selector(f"{WIDGET}.alive")
    assert shown(page) == state
    assert (
        "<i>n\N{LATIN SMALL LETTER E WITH ACUTE}t</i>"
        in page.locator(f"{WIDGET} .shown tbody").inner_text()
    )
    assert problem(page) == ""


@pytest.mark.parametrize("damage", ["cut", "words", "other", "sizes", "empty"])
def test_a_damaged_link_says_so_and_starts_as_the_page(
    page: Page, server: Server, damage: str
) -> None:
    start = shown(page)
    name = page.locator(WIDGET).get_attribute("id")
    good = re.search(rf"{name}=([\w-]+)", taken(page, "Copy a link"))
    assert good
    text = {
        "cut": good[1][:-20],
        "words": "nonsense!",
        "other": "eyJhIjoxfQ",
        "sizes": page.evaluate(
            f"""() => {{ const w = document.querySelector("{WIDGET}");
            return btoa(JSON.stringify({{ ...w.start, query: Array(9).fill(1) }})); }}"""
        ),
        "empty": "",
    }[damage]
    page.goto(f"{server.url}explore/?{name}={text}")
    page.wait_for_selector(f"{WIDGET}.alive")
    assert "damaged" in problem(page)
    assert shown(page) == start
    field(page, "temperature").fill("2")
    assert problem(page) == ""


def test_copied_python_runs_and_prints_the_same_numbers(page: Page) -> None:
    for change in (False, True):
        if change:
            act(page, "Add a token")
            field(page, "key of token 4, coordinate 2").fill("-0.75")
            page.locator(f"{WIDGET} [data-path='tokens.0.use']").uncheck()
            field(page, "temperature").fill("1.7")
        said = run(taken(page, "Copy as Python")).replace("-", "\N{MINUS SIGN}")
        for row in page.locator(f"{WIDGET} .shown tbody tr").all():
            name, weight = (
                row.locator("th").inner_text(),
                row.locator("td:nth-of-type(4) data.live"),
            )
            assert f"{name}: {weight.inner_text()}" in said
        for z in page.locator(f"{WIDGET} .shown strong data.live").all():
            assert z.inner_text() in said


def test_copied_csv_holds_the_full_numbers(page: Page) -> None:
    rows = list(csv.DictReader(io.StringIO(taken(page, "Copy as CSV"))))
    weights = explore.widgets()["attention"].results["weights"]
    assert [float(row["weight"]) for row in rows[:3]] == pytest.approx(weights, rel=1e-12)
    assert [row["token"] for row in rows] == ["fisherman", "net", "bank", "output"]


def test_axe_finds_nothing_in_any_state(page: Page) -> None:
    options = {**RULES, "context": WIDGET}

    def clean(state: str) -> None:
        page.evaluate("scrollTo(0, 0)")  # nothing under the page's header
        found = Axe().run(page, context=WIDGET, options=options).response["violations"]
        assert [(rule["id"], rule["nodes"][0]["html"]) for rule in found] == [], state

    clean("start")
    act(page, "Add a token")
    act(page, "Copy as Python")
    clean("changed")
    field(page, "temperature").fill("no")
    clean("refused")
    page.locator(f"{WIDGET} [data-resize]").select_option("8")
    act(page, "Show the static figure")
    clean("with its figure")
