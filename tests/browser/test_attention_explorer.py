"""The attention explorer, as a reader uses it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator

from publisher.formats import display
from snippets import values
from snippets.attention import attention
from tests.browser.conftest import Tab
from tests.browser.reader import Reader, anew, reading, run


@pytest.fixture(scope="module")
def desk(tab: Tab) -> Reader:
    return reading(tab, "explore/", "attention-explorer")


@pytest.fixture
def reader(desk: Reader) -> Iterator[Reader]:
    yield from anew(desk)


def shown(reader: Reader) -> dict[str, Any]:
    """Return the full numbers that the widget shows."""
    found: dict[str, Any] = reader.widget.evaluate(
        """(widget) => {
          const values = (at) => [...at.querySelectorAll("data.live")].map((d) => Number(d.value));
          const [output, equal] = [...widget.querySelectorAll(".shown > p .vector")].map(values);
          const rows = [...widget.querySelectorAll(".shown tbody tr")].map(values);
          return { output, equal, rows };
        }"""
    )
    return found


def row(reader: Reader, place: int) -> Locator:
    return reader.widget.locator(".shown tbody tr").nth(place)


def at(reader: Reader, path: str) -> Locator:
    return reader.widget.locator(f"[data-path='{path}']")


def test_starts_from_pythons_numbers_and_says_so(reader: Reader) -> None:
    results = values.widgets()["explorer"].results
    assert shown(reader)["output"] == results["output"]
    assert [row[3] for row in shown(reader)["rows"]] == results["weights"]
    assert "computed by Python" in reader.origin
    assert reader.compare_start() == 3 * 4 + 3 * 2 + 2 + 2


def test_typing_dragging_closing_and_undoing(reader: Reader) -> None:
    start = shown(reader)
    reader.field("key of net, coordinate 1").fill("3/2")
    output, weights = attention(
        [[np.sqrt(2), 0]], [[2, 0], [1.5, 1], [0, 1]], [[2, 0], [0, 2], [1, 1]]
    )
    assert shown(reader)["output"] == pytest.approx(output[0].tolist(), rel=1e-12)
    assert "in your browser" in reader.origin
    assert display(weights[0][1]) in row(reader, 1).inner_text()

    handle = reader.widget.locator("[data-handle='tokens.2.value']")
    handle.scroll_into_view_if_needed()
    tip = handle.locator("circle.tip").bounding_box()
    assert tip
    reader.page.mouse.move(tip["x"] + tip["width"] / 2, tip["y"] + tip["height"] / 2)
    reader.page.mouse.down()
    reader.page.mouse.move(tip["x"] + 5, tip["y"] + 60, steps=4)
    reader.page.mouse.move(tip["x"] - 70, tip["y"] + 90, steps=4)
    reader.page.mouse.up()
    moved = [float(reader.field(f"value of bank, coordinate {c}").input_value()) for c in (1, 2)]
    assert moved[0] < 0.5 and moved[1] < 0.5
    values = [[2, 0], [0, 2], moved]
    output, _ = attention([[np.sqrt(2), 0]], [[2, 0], [1.5, 1], [0, 1]], values)
    assert shown(reader)["output"] == pytest.approx(output[0].tolist(), rel=1e-12)

    at(reader, "tokens.0.use").uncheck()
    assert shown(reader)["rows"][0][0] == pytest.approx(2 * np.sqrt(2))
    assert "masked" in row(reader, 0).inner_text()
    for _ in range(3):  # the switch, the whole drag, the typing
        reader.act("Undo")
    assert shown(reader) == start
    assert "computed by Python" in reader.origin
    reader.act("Redo")
    assert reader.field("key of net, coordinate 1").input_value() == "1.5"
    reader.act("Reset")
    assert shown(reader) == start


def test_by_keyboard_alone(reader: Reader) -> None:
    reader.widget.locator("[data-handle='query']").focus()
    for key in ("ArrowRight", "ArrowUp", "ArrowUp"):
        reader.page.keyboard.press(key)
    assert reader.field("query, coordinate 1").input_value() == "1.5"
    assert reader.field("query, coordinate 2").input_value() == "0.2"
    focused = "document.activeElement.dataset"
    assert reader.page.evaluate(f"{focused}.handle") == "query"
    reader.widget.locator("[data-action='add']").focus()
    reader.page.keyboard.press("Enter")
    assert reader.page.evaluate(f"{focused}.action") == "add"
    assert reader.widget.locator(".shown tbody tr").count() == 4
    reader.widget.locator("[data-action='remove 0']").focus()
    reader.page.keyboard.press("Space")
    assert reader.widget.locator(".shown tbody tr").count() == 3
    assert reader.page.evaluate(f"{focused}.action") == "remove 0"
    reader.page.wait_for_function("document.querySelector('.said').textContent.includes('net')")


def test_sizes_scaling_and_temperature(reader: Reader) -> None:
    reader.widget.locator("[data-resize]").select_option("8")
    assert reader.widget.locator("[data-handle='query']").count() == 0
    reader.field("query, coordinate 8").fill("2")
    reader.field("key of bank, coordinate 8").fill("-1.25")
    queries, keys = np.zeros((1, 8)), np.zeros((3, 8))
    queries[0, [0, 7]] = np.sqrt(2), 2
    keys[:, :2], keys[2, 7] = [[2, 0], [1, 1], [0, 1]], -1.25
    values = [[2, 0], [0, 2], [1, 1]]
    expected, _ = attention(queries, keys, values)
    assert shown(reader)["output"] == pytest.approx(expected[0].tolist(), rel=1e-12)
    reader.page.get_by_label("nothing", exact=True).check()
    expected, _ = attention(queries * np.sqrt(8), keys, values)
    assert shown(reader)["output"] == pytest.approx(expected[0].tolist(), rel=1e-12)
    reader.page.get_by_label("a number:", exact=True).check()
    reader.field("divisor").fill("0.5")
    reader.field("temperature").fill("4")
    expected, _ = attention(queries * np.sqrt(8) / 2, keys, values)
    assert shown(reader)["output"] == pytest.approx(expected[0].tolist(), rel=1e-12)
    for _ in range(5):
        reader.act("Add a token")
    assert reader.page.get_by_role("button", name="Add a token").count() == 0
    assert reader.widget.locator(".shown tbody tr").count() == 8


def test_doubling_the_query_moves_the_output_towards_fisherman(reader: Reader) -> None:
    before = shown(reader)["output"]
    reader.field("query, coordinate 1").fill("2sqrt(2)")
    doubled = shown(reader)
    gap = [abs(2 - output[0]) for output in (before, doubled["output"])]
    assert gap[1] < gap[0]
    reader.act("Reset")
    reader.field("temperature").fill("1/2")
    assert shown(reader)["output"] == pytest.approx(doubled["output"], rel=1e-12)


BAD = {
    "": "key of net, coordinate 1 is empty: write a number",
    "two": "is not a number: write one such as 0.5, 1/3 or sqrt(2)",
    "NaN": "is not a number",
    "1e400": "is beyond what a computer's number holds",
    "0/0": "divides by zero",
    "<b>1</b>": "is not a number",
    "1,5": "is not a number",
    "1.7e308": "overflows float64 (about 1.8e308); scale queries or keys down",
}


def test_bad_numbers_are_refused_in_place(reader: Reader) -> None:
    before = shown(reader)
    box = reader.field("key of net, coordinate 1")
    for written, words in BAD.items():
        box.fill(written)
        assert words in reader.problem, written
        assert shown(reader) == before
        assert "NaN" not in reader.shown
        reader.act("Copy as CSV")
        assert reader.widget.locator("textarea").is_hidden()
        box.fill("1")
        assert reader.problem == ""
        assert shown(reader) == before


def test_impossible_states_are_refused_in_the_operations_words(reader: Reader) -> None:
    for place in range(3):
        at(reader, f"tokens.{place}.use").uncheck()
    assert "mask row 0 is False throughout" in reader.problem
    reader.act("Undo")
    assert reader.problem == ""
    reader.field("temperature").fill("0")
    assert reader.problem == "the temperature must be above 0: write a positive number"


def test_a_link_brings_the_state_back(reader: Reader) -> None:
    reader.field("value of net, coordinate 2").fill("-7.5")
    reader.field("temperature").fill("1/3")
    at(reader, "tokens.1.name").fill("<i>n\N{LATIN SMALL LETTER E WITH ACUTE}t</i>")
    state = shown(reader)
    link = reader.taken("Copy a link").strip()
    reader.follow(link)
    assert shown(reader) == state
    assert (
        "<i>n\N{LATIN SMALL LETTER E WITH ACUTE}t</i>"
        in reader.widget.locator(".shown tbody").inner_text()
    )
    assert reader.problem == ""


def test_a_damaged_link_says_so_and_starts_as_the_page(reader: Reader) -> None:
    start = shown(reader)

    def starts_as_the_page() -> None:
        assert "damaged" in reader.problem
        assert shown(reader) == start

    reader.follow_damaged()
    starts_as_the_page()
    for text in ("nonsense!", "eyJhIjoxfQ", ""):  # the second is {"a": 1}
        reader.follow(f"{reader.address}?{reader.widget.get_attribute('id')}={text}")
        starts_as_the_page()
    wide = [{"name": "a", "key": [1, 1], "value": [1] * 2000, "use": True}] * 2
    for wrong in (
        {"query": [1.0] * 9},
        {"scaling": "cube"},
        {"tokens": []},
        {"tokens": wide},
        {"divisor": None},
    ):
        reader.follow_state(**wrong)
        starts_as_the_page()
    reader.field("temperature").fill("2")
    assert reader.problem == ""


def test_copied_python_runs_and_prints_the_same_numbers(reader: Reader) -> None:
    for change in (False, True):
        if change:
            reader.act("Add a token")
            reader.field("key of token 4, coordinate 2").fill("-0.75")
            at(reader, "tokens.0.use").uncheck()
            reader.field("temperature").fill("1.7")
        said = run(reader.taken("Copy as Python")).replace("-", "\N{MINUS SIGN}")
        for row in reader.widget.locator(".shown tbody tr").all():
            name, weight = (
                row.locator("th").inner_text(),
                row.locator("td:nth-of-type(4) data.live"),
            )
            assert f"{name}: {weight.inner_text()}" in said
        for z in reader.widget.locator(".shown strong data.live").all():
            assert z.inner_text() in said


def test_copied_csv_holds_the_full_numbers(reader: Reader) -> None:
    rows = list(csv.DictReader(io.StringIO(reader.taken("Copy as CSV"))))
    weights = values.widgets()["explorer"].results["weights"]
    assert [float(row["weight"]) for row in rows[:3]] == pytest.approx(weights, rel=1e-12)
    assert [row["token"] for row in rows] == ["fisherman", "net", "bank", "output"]


def test_axe_finds_nothing_in_any_state(reader: Reader) -> None:
    reader.axe("start")
    reader.act("Add a token")
    reader.act("Copy as Python")
    reader.axe("changed")
    reader.field("temperature").fill("no")
    reader.axe("refused")
    reader.widget.locator("[data-resize]").select_option("8")
    reader.act("Show the static figure")
    reader.axe("with its figure")


def test_results_beyond_a_numbers_range_are_refused_whole(reader: Reader) -> None:
    before = shown(reader)
    reader.field("temperature").fill("1e300")
    reader.field("query, coordinate 1").fill("1e200")
    after = shown(reader)
    reader.field("key of net, coordinate 1").fill("1e200")  # the product overflows, no score does
    assert "a result is beyond what a computer's number holds" in reader.problem
    assert shown(reader) == after != before
    reader.act("Reset")
    reader.field("temperature").fill("1e-320")
    assert "query / (divisor * temperature) is beyond" in reader.problem
    reader.act("Reset")
    at(reader, "tokens.0.use").uncheck()
    reader.field("key of net, coordinate 1").fill("-1e20")
    reader.field("key of bank, coordinate 1").fill("50")
    assert [row[2] for row in shown(reader)["rows"]] == [0, 0, 1]  # from the largest score, exactly


def test_a_refusal_goes_with_what_was_refused(reader: Reader) -> None:
    reader.field("temperature").fill("warm")
    reader.act("Undo")  # of nothing, but for what was written
    assert reader.problem == "" and reader.field("temperature").input_value() == "1"
    reader.field("temperature").fill("warm")
    reader.field("temperature, by slider").focus()
    reader.page.keyboard.press("ArrowRight")
    assert reader.problem == ""
    assert reader.field("temperature").get_attribute("aria-invalid") is None


def test_labels_follow_a_name_and_the_size_keeps_the_focus(reader: Reader) -> None:
    name = at(reader, "tokens.1.name")
    name.fill('=a"\\')
    assert reader.page.evaluate("document.activeElement.dataset.path") == "tokens.1.name"
    assert reader.widget.locator(".card legend").nth(1).inner_text() == '=a"\\'
    reader.field('key of =a"\\, coordinate 1').fill("one")
    assert reader.problem.startswith('key of =a"\\, coordinate 1: ')
    reader.field('key of =a"\\, coordinate 1').fill("1e20")
    for place in (0, 2):
        at(reader, f"tokens.{place}.key.0").fill("1e20")
    reader.widget.locator("[data-resize]").focus()
    reader.page.keyboard.press("ArrowUp")
    assert reader.page.evaluate("'resize' in document.activeElement.dataset")
    rows = list(csv.reader(io.StringIO(reader.taken("Copy as CSV"))))
    assert rows[2][0] == "'=a\"\\"  # text to a spreadsheet, and no formula
    assert '=a"\\: ' in run(reader.taken("Copy as Python"))  # whole numbers beyond int64


def test_long_names_and_numbers_stay_within_a_narrow_page(reader: Reader) -> None:
    reader.page.set_viewport_size({"width": 320, "height": 900})
    at(reader, "tokens.0.name").fill("W" * 200)
    for place in range(3):
        at(reader, f"tokens.{place}.value.0").fill("1.7e308")
    assert reader.problem == ""
    assert reader.page.evaluate("document.documentElement.scrollWidth") == 320
    reader.widget.locator("[data-handle='tokens.0.value']").focus()
    for _ in range(12):
        reader.page.keyboard.press("ArrowRight")
    assert reader.problem.startswith("that is beyond what a computer's number holds")
    assert "Infinity" not in reader.widget.inner_html()


def test_a_second_finger_and_a_size_changed_meanwhile_do_not_disturb_a_drag(reader: Reader) -> None:
    send = """(panel) => panel.dispatchEvent(new PointerEvent("pointermove",
      { pointerId: 77, clientX: 5, clientY: 5, bubbles: true }))"""
    tip = reader.widget.locator("[data-handle='tokens.2.key'] circle.tip")
    tip.hover()
    reader.page.mouse.down()
    before = shown(reader)
    reader.widget.locator(".panel").evaluate(send)
    assert shown(reader) == before
    reader.widget.locator("[data-action='remove 2']").focus()
    reader.page.keyboard.press("Enter")
    reader.page.mouse.move(300, 300)
    reader.page.mouse.up()
    assert reader.problem == "" and len(shown(reader)["rows"]) == 2
