"""The scaling explorer, as a reader uses it."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator

import pytest

from publisher.formats import display
from snippets.notes import scaling
from tests.browser.conftest import Tab
from tests.browser.reader import Reader, anew, reading, run

WIDGET = scaling.widgets()["explorer"]
SIZES, CURVES = WIDGET.results["sizes"], WIDGET.results["curves"]
SLIDER = "d_k, by slider"


@pytest.fixture(scope="module")
def desk(tab: Tab) -> Reader:
    return reading(tab, "notes/scaling/", "scaling-explorer")


@pytest.fixture
def reader(desk: Reader) -> Iterator[Reader]:
    yield from anew(desk)


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
    assert reader.field(SLIDER).get_attribute("aria-valuetext") == str(SIZES[place])
    assert "computed by Python" in reader.origin  # whatever was chosen: none is the browser's


def check_chart(reader: Reader, estimates: list[list[float]]) -> None:
    """The marks and bars of the one curve stand where the numbers are: d_k by its logarithm."""
    marks, bars = (
        reader.widget.locator(f"svg.chart g {part}").evaluate_all(
            "all => all.map(e => { const b = e.getBBox();"
            " return [b.x + b.width / 2, b.y + b.height / 2, b.height]; })"
        )
        for part in ("rect.tip", "line.arrow")
    )
    values, errors = ([estimate[k] for estimate in estimates] for k in (0, 2))
    unit = (marks[0][1] - marks[-1][1]) / (values[-1] - values[0])  # of height, for a value of 1
    assert unit > 0
    decade = (marks[-1][0] - marks[0][0]) / math.log10(SIZES[-1] / SIZES[0])
    assert len(marks) == len(SIZES)
    for mark, bar, d_k, value, error in zip(marks, bars, SIZES, values, errors, strict=True):
        across = marks[0][0] + decade * math.log10(d_k / SIZES[0])
        up = marks[0][1] - unit * (value - values[0])
        assert mark[:2] == pytest.approx([across, up], abs=0.01)
        assert bar == pytest.approx([across, up, 4 * error * unit], abs=0.01)


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
    for name, side in {"not divided": "unscaled", "divided by √d_k": "scaled"}.items():
        reader.field(name).check()
        assert reader.widget.locator("svg.chart polyline").count() == 1
        assert reader.widget.locator("svg.chart text.tick").last.text_content() == name
        check_chart(reader, CURVES["gradient"][side])
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
    place = 4
    reader.field(SLIDER).fill(str(place))
    said = run(reader.taken("Copy as Python")).splitlines()
    for line, name in zip(said, ("spread", "entropy", "largest", "gradient"), strict=True):
        both = [CURVES[name][side][place] for side in ("unscaled", "scaled")]
        numbers = [text for v, n, e, m in both for text in (display(v, n), display(e, m))]
        assert line.split()[1:] == numbers
        row = reader.widget.locator(".shown tbody tr").filter(has_text=name)
        assert row.locator("td").all_inner_texts() == numbers
    rows = list(csv.DictReader(io.StringIO(reader.taken("Copy as CSV"))))
    assert len(rows) == 4 * len(SIZES)
    assert float(rows[0]["not divided"]) == CURVES["spread"]["unscaled"][0][0]


def test_axe_finds_nothing(reader: Reader) -> None:
    reader.field("largest weight").check()
    reader.act("Copy as CSV")
    reader.axe("changed")
