"""The heads explorer, as a reader uses it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from publisher.formats import display
from snippets import heads
from snippets.attention import softmax
from tests.browser.conftest import Tab
from tests.browser.reader import Reader, anew, reading, run

START = heads.widgets()["explorer"].start
MINUS = "\N{MINUS SIGN}"


@pytest.fixture(scope="module")
def desk(tab: Tab) -> Reader:
    return reading(tab, "heads/", "heads-explorer")


@pytest.fixture
def reader(desk: Reader) -> Iterator[Reader]:
    yield from anew(desk)


def shown(reader: Reader) -> dict[str, Any]:
    """Return the full numbers that are shown, by what they are."""
    rows = np.array(reader.numbers("table >> nth=0 >> tbody >>")).reshape(-1, 2)
    n = len(START["tokens"])
    mixtures = rows[n + 1 :].reshape(2, -1)
    end_to_end = np.array(reader.numbers("p .vector"))
    assert end_to_end.tolist() == mixtures.ravel().tolist()
    parts = np.array(reader.numbers("table >> nth=1 >> tbody >>")).reshape(3, -1)
    return {
        "weights": rows[:n].T, "sums": rows[n], "mixtures": mixtures,
        "parts": parts[:2], "output": parts[2],
    }  # fmt: skip


def expected(scores: Any, values: Any, w_o: Any) -> dict[str, Any]:
    """Compute all of it in NumPy, head by head."""
    weights = np.array([softmax(row) for row in scores])
    mixtures = np.array(
        [row @ np.array(of_head) for row, of_head in zip(weights, values, strict=True)]
    )
    half = len(w_o) // 2
    rows = np.array([w_o[:half], w_o[half:]])
    parts = np.array([z @ of_head for z, of_head in zip(mixtures, rows, strict=True)])
    output = np.concatenate(mixtures) @ np.array(w_o)
    return {
        "weights": weights, "sums": np.ones(2), "mixtures": mixtures, "parts": parts,
        "output": output,
    }  # fmt: skip


def check(reader: Reader, scores: Any, values: Any, w_o: Any) -> None:
    found = shown(reader)
    for name, numbers in expected(scores, values, w_o).items():
        assert found[name] == pytest.approx(numbers, rel=1e-12, abs=1e-12), name


def start() -> tuple[Any, Any, Any]:
    return tuple(np.array(START[name]) for name in ("scores", "values", "w_o"))


def test_starts_from_pythons_numbers(reader: Reader) -> None:
    assert reader.compare_start() == 6 + 4 + 8 + 4
    check(reader, *start())
    assert "computed by Python" in reader.origin
    sums = reader.widget.locator(".shown table").first.locator("tbody tr").nth(3)
    assert sums.inner_text().split("\t") == ["sum", "1", "1"]


def test_the_chapters_question(reader: Reader) -> None:
    before = shown(reader)
    scores, values, w_o = start()
    scores[1, 1] = 3.5
    reader.field("Head two, score of net").fill("7/2")
    check(reader, scores, values, w_o)
    after = shown(reader)
    assert after["weights"][0].tolist() == before["weights"][0].tolist()
    assert (after["weights"][1] != before["weights"][1]).all()
    moved = np.abs(w_o[2:]).any(axis=0)
    assert moved.any() and not moved.all()
    assert (after["output"] != before["output"]).tolist() == moved.tolist()
    for column in range(1, 5):  # a row of zeros lets nothing through
        reader.field(f"W_O, row 3, column {column}").fill("0")
    w_o[2] = 0
    check(reader, scores, values, w_o)
    assert shown(reader)["weights"].tolist() == after["weights"].tolist()


def test_every_field_by_keyboard_with_undo_redo_and_reset(reader: Reader) -> None:
    scores, values, w_o = start()
    reader.field("Head one, score of fisherman").focus()
    reader.page.keyboard.press("Control+A")
    reader.page.keyboard.type("-0.5")
    reader.page.keyboard.press("Tab")
    assert reader.page.evaluate("document.activeElement.dataset.path") == "values.0.0.0"
    reader.page.keyboard.type("sqrt(2)")
    reader.page.keyboard.press("Tab")
    scores[0, 0], values[0, 0, 0] = -0.5, np.sqrt(2)
    check(reader, scores, values, w_o)
    assert "in your browser" in reader.origin
    reader.field("Head two, value of bank, coordinate 2").fill("-7")
    reader.field("W_O, row 4, column 1").fill("1e-3")
    values[1, 2, 1], w_o[3, 0] = -7, 1e-3
    check(reader, scores, values, w_o)
    labels = reader.widget.locator("input").evaluate_all("all => all.map(i => i.ariaLabel)")
    assert len(set(labels)) == len(labels) == 6 + 12 + 16
    reader.act("Undo")
    w_o[3, 0] = 0.5
    check(reader, scores, values, w_o)
    reader.act("Redo")
    w_o[3, 0] = 1e-3
    check(reader, scores, values, w_o)
    reader.act("Reset")
    check(reader, *start())
    assert "computed by Python" in reader.origin


BAD = (
    ("", "Head one, value of net, coordinate 2 is empty: write a number"),
    ("two", "is not a number: write one such as 0.5, 1/3 or sqrt(2)"),
    ("NaN", "is not a number"),
    ("1e400", "is beyond what a computer's number holds"),
    ("0/0", "divides by zero"),
    ("<b>1</b>", "is not a number"),
)


def test_bad_numbers_are_refused_in_place(reader: Reader) -> None:
    before = reader.shown
    box = reader.field("Head one, value of net, coordinate 2")
    for written, words in BAD:
        box.fill(written)
        assert words in reader.problem
        assert reader.shown == before
        reader.act("Copy as CSV")
        assert reader.widget.locator("textarea").is_hidden()
        box.fill("2")
        assert reader.problem == ""
        assert reader.shown == before


def test_sums_beyond_a_number_are_refused_in_the_operations_words(reader: Reader) -> None:
    before = reader.shown
    for token in START["tokens"]:
        reader.field(f"Head one, value of {token}, coordinate 1").fill("1.7e308")
    reader.field("W_O, row 1, column 1").fill("4")
    assert (
        reader.problem == "output[0, 0] overflows float64 (about 1.8e308); scale x, w_v or w_o down"
    )
    reader.act("Reset")
    assert reader.problem == "" and reader.shown == before
    # Scores may be as far apart as they like.
    reader.field("Head one, score of net").fill("1e300")
    assert shown(reader)["weights"][0].tolist() == [0, 1, 0]


def test_a_link_brings_the_state_back(reader: Reader) -> None:
    reader.field("Head two, score of bank").fill("-1/3")
    reader.field("W_O, row 2, column 4").fill("9")
    before = reader.shown
    reader.follow(reader.taken("Copy a link").strip())
    assert reader.shown == before
    assert "in your browser" in reader.origin and reader.problem == ""


def test_a_damaged_link_says_so_and_starts_as_the_page(reader: Reader) -> None:
    before = reader.shown
    reader.follow_damaged()
    assert "damaged" in reader.problem
    scores, values, w_o = (array.tolist() for array in start())
    wrong = [
        {"scores": scores[:1]}, {"scores": [*scores, [0, 0, 0]]}, {"scores": [[1, 2], [0, 1]]},
        {"values": values[::-1][:1]}, {"values": []}, {"w_o": w_o[:3]}, {"w_o": [[1]] * 4},
        {"w_o": [[1e308] * 4] * 4}, {"tokens": ["a", "b"]}, {"tokens": "net"},
    ]  # fmt: skip
    for changes in wrong:
        reader.follow_state(**changes)
        assert "damaged" in reader.problem, changes
        assert reader.shown == before
    reader.follow_state(tokens=["<img src=x onerror=alert(1)>", "b", "c"])
    assert reader.widget.locator("img").count() == 0
    assert reader.shown == before  # names are the page's, never the link's


def test_copied_python_prints_the_same_numbers(reader: Reader) -> None:
    for change in (False, True):
        if change:
            reader.field("Head one, score of bank").fill("2.75")
            reader.field("Head two, value of net, coordinate 2").fill("-1/3")
            reader.field("W_O, row 2, column 4").fill("sqrt(2)")
        found = shown(reader)
        rows = [*found["weights"], *found["mixtures"], found["output"]]
        names = ["weights"] * 2 + ["mixture"] * 2 + ["output"]
        said = run(reader.taken("Copy as Python")).replace("-0.0000", "0.0000").splitlines()
        assert said == [
            f"{name}: {', '.join(display(number) for number in row)}".replace(MINUS, "-")
            for name, row in zip(names, rows, strict=True)
        ]


def test_copied_csv_holds_the_full_numbers(reader: Reader) -> None:
    _, *rows = csv.reader(io.StringIO(reader.taken("Copy as CSV")))
    assert [row[:2] for row in rows[:2]] == [["Head one", "token"], ["Head one", "score"]]
    made = expected(*start())
    held = {(head, what): entries for head, what, *entries in rows}
    for h, head in enumerate(("Head one", "Head two")):
        assert held[head, "token"] == START["tokens"]
        for what, name in (
            ("weight", "weights"),
            ("mixture", "mixtures"),
            ("part of the output", "parts"),
        ):
            numbers = [float(entry) for entry in held[head, what]]
            assert numbers == pytest.approx(made[name][h].tolist(), rel=1e-12), what
    assert [float(entry) for entry in held["both", "output"]] == pytest.approx(
        made["output"].tolist()
    )


def test_axe_finds_nothing_and_the_result_is_said(reader: Reader) -> None:
    reader.field("Head two, score of net").fill("-4")
    net = display(shown(reader)["weights"][1][1])
    reader.page.wait_for_function(
        f"document.querySelector('heads-explorer .said').textContent.includes('net {net}')"
    )
    reader.taken("Copy as Python")
    reader.axe("changed")
    reader.field("Head two, score of net").fill("no")
    reader.act("Show the static figure")
    reader.axe("refused, with its figure")


def test_stays_inside_a_narrow_window(reader: Reader) -> None:
    reader.page.set_viewport_size({"width": 320, "height": 1600})
    assert reader.page.evaluate("document.documentElement.scrollWidth") == 320
    for box in reader.widget.locator(".fields input").all():
        target = box.bounding_box()
        assert target and min(target["width"], target["height"]) >= 24
        assert target["x"] + target["width"] <= 300
