"""The scaling explorer, as a reader uses it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from snippets import explore
from snippets.publish.formats import display
from tests.browser.conftest import Server
from tests.browser.reader import Reader, reading, run

WIDGET = explore.widgets()["scaling"]
SIZES, CURVES = WIDGET.results["sizes"], WIDGET.results["curves"]
SLIDER = "d_k, by slider"


@pytest.fixture
def reader(browser: Browser, server: Server) -> Iterator[Reader]:
    with reading(browser, server, "notes/scaling/", "scaling-explorer", 1280) as made:
        yield made


def check(reader: Reader, place: int) -> None:
    """Compare the table with the simulation's numbers."""
    expected = [
        number
        for name in ("spread", "entropy", "largest", "gradient")
        for side in ("unscaled", "scaled")
        for number in (CURVES[name][side][place][0], CURVES[name][side][place][2])
    ]
    assert reader.numbers("tbody") == expected
    assert reader.widget.locator("output").inner_text() == str(SIZES[place])


def test_starts_from_pythons_numbers(reader: Reader) -> None:
    check(reader, WIDGET.start["place"])
    assert "computed by Python" in reader.origin
    made = reader.widget.evaluate("(widget) => widget.compute(widget.start)")
    assert made == {name: WIDGET.results[name] for name in ("d_k", "chosen")}


def test_the_notes_question_by_keyboard(reader: Reader) -> None:
    spreads = []
    reader.field(SLIDER).focus()
    for key, place in (("Home", 0), ("End", len(SIZES) - 1)):
        reader.page.keyboard.press(key)
        check(reader, place)
        spreads.append(reader.numbers("tbody")[:3:2])
    (plain_small, divided_small), (plain_large, divided_large) = spreads
    assert plain_large > 20 * plain_small
    assert divided_large == pytest.approx(divided_small, rel=0.1)
    reader.page.wait_for_function(
        "document.querySelector('scaling-explorer .said').textContent.includes('d_k 1024')"
    )
    reader.act("Undo")
    check(reader, 0)


def test_quantities_and_scale(reader: Reader) -> None:
    place = WIDGET.start["place"]
    for name, word in {
        "entropy": "entropy of the weights",
        "gradient": "gradient by the query",
    }.items():
        reader.field(word).check()
        label = reader.widget.locator("svg.chart").get_attribute("aria-label") or ""
        for side in ("unscaled", "scaled"):
            value, digits, *_ = CURVES[name][side][place]
            assert f" {display(value, digits)}" in label
    assert reader.widget.locator("svg.chart polyline").count() == 2
    reader.field("the divided ones alone, on a scale of their own").check()
    assert reader.widget.locator("svg.chart polyline").count() == 1
    # The marks stand where the numbers are: a straight line from value to height.
    heights = reader.widget.locator("svg.chart circle").evaluate_all(
        "all => all.map(c => c.cy.baseVal.value)"
    )
    values = [value for value, *_ in CURVES["gradient"]["scaled"]]
    slope = (heights[0] - heights[-1]) / (values[0] - values[-1])
    for height, value in zip(heights, values, strict=True):
        assert height == pytest.approx(heights[0] + slope * (value - values[0]), abs=0.01)
    reader.act("Reset")
    assert "computed by Python" in reader.origin


def test_links(reader: Reader) -> None:
    reader.field(SLIDER).fill("2")
    reader.follow(reader.taken("Copy a link"))
    check(reader, 2)
    for wrong in (
        {"place": 99},
        {"place": 0.5},
        {"quantity": "size"},
        {"place": "1"},
        {"quantity": "toString"},
    ):
        reader.follow_state(**wrong)
        assert "damaged" in reader.problem
        check(reader, WIDGET.start["place"])


def test_copies_run_and_hold_the_same_numbers(reader: Reader) -> None:
    said = run(reader.taken("Copy as Python")).splitlines()
    place = WIDGET.start["place"]
    for line, name in zip(said, ("spread", "entropy", "largest", "gradient"), strict=True):
        both = [CURVES[name][side][place] for side in ("unscaled", "scaled")]
        assert line.split()[1:] == [f"{value:.{digits}f}" for value, digits, *_ in both]
    rows = list(csv.DictReader(io.StringIO(reader.taken("Copy as CSV"))))
    assert len(rows) == 4 * len(SIZES)
    assert float(rows[0]["not divided"]) == CURVES["spread"]["unscaled"][0][0]


def test_axe_finds_nothing(reader: Reader) -> None:
    reader.field("largest weight").check()
    reader.act("Copy as CSV")
    reader.axe("changed")
