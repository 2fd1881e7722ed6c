"""The softmax explorer, as a reader uses it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import pytest

from publisher.formats import display
from snippets.attention import softmax
from tests.browser.conftest import Tab
from tests.browser.reader import Reader, anew, reading, run

MINUS = "\N{MINUS SIGN}"


@pytest.fixture(scope="module")
def desk(tab: Tab) -> Reader:
    return reading(tab, "scores-and-weights/", "softmax-explorer")


@pytest.fixture
def reader(desk: Reader) -> Iterator[Reader]:
    yield from anew(desk)


def columns(reader: Reader) -> tuple[list[float], list[float]]:
    """Return the weights now and before the last change."""
    rows = reader.widget.locator(".shown tbody tr").all()[:3]
    pairs = [
        [float(at.get_attribute("value") or "") for at in row.locator("data").all()[-2:]]
        for row in rows
    ]
    return [now for now, _ in pairs], [before for _, before in pairs]


def test_starts_from_pythons_numbers(reader: Reader) -> None:
    assert reader.compare_start() == 3 + 1 + 3 + 3
    now, before = columns(reader)
    assert now == before == softmax([2, 1, 0]).tolist()
    assert "0.9999" in reader.shown and "rounding hides 0.0001" in reader.shown


def test_the_chapters_question(reader: Reader) -> None:
    reader.act("Add to every score:")
    now, before = columns(reader)
    assert now == pytest.approx(before, rel=1e-12)
    assert "Every weight is as before" in reader.shown
    assert "so it is taken from every score first" in reader.shown  # by 100
    reader.act("Double every score")
    now, before = columns(reader)
    assert before == pytest.approx(softmax([2, 1, 0]).tolist(), rel=1e-12)
    assert now == pytest.approx(softmax([4, 2, 0]).tolist(), rel=1e-12)
    assert f"moved a weight by up to {display(now[0] - before[0])}" in reader.shown
    reader.act("Halve every score")
    assert columns(reader)[0] == pytest.approx(before, rel=1e-12)
    for _ in range(3):
        reader.act("Undo")
    assert "computed by Python" in reader.origin
    for _ in range(3):
        reader.act("Redo")
    assert columns(reader)[1] == pytest.approx(now, rel=1e-12)
    reader.act("Reset")
    assert "computed by Python" in reader.origin


def test_sliders_fields_and_digits_by_keyboard(reader: Reader) -> None:
    reader.field("score of net, by slider").focus()
    for _ in range(5):
        reader.page.keyboard.press("ArrowRight")
    assert reader.field("score of net").input_value() == "1.5"
    now, before = columns(reader)
    assert now == pytest.approx(softmax([2, 1.5, 0]).tolist(), rel=1e-12)
    assert before == pytest.approx(softmax([2, 1.4, 0]).tolist(), rel=1e-12)
    reader.field("score of bank").fill("-1/2")
    assert columns(reader)[1] == pytest.approx(now, rel=1e-12)
    reader.field("digits shown").focus()
    for _ in range(3):
        reader.page.keyboard.press("ArrowLeft")
    weights = softmax([2, 1.5, -0.5]).tolist()
    printed = sum(float(display(w, 1)) for w in weights)
    assert f"as printed add up to {display(printed, 1)}" in reader.shown
    assert columns(reader)[1] == pytest.approx(now, rel=1e-12)  # no score has moved
    said = "document.querySelector('softmax-explorer .said').textContent"
    reader.page.wait_for_function(f"{said}.includes('{display(weights[1])}')")


def test_bad_input_and_links(reader: Reader) -> None:
    before = columns(reader)
    for written, words in {
        "": "score of net is empty: write a number",
        "high": "is not a number",
        "1e400": "beyond what a computer's number holds",
        "0/0": "divides by zero",
    }.items():
        reader.field("score of net").fill(written)
        assert words in reader.problem
        assert columns(reader) == before
    reader.field("score of net").fill("-800")
    assert reader.problem == ""
    now = columns(reader)[0]
    assert now[1] == 0.0 and now == softmax([2, -800, 0]).tolist()
    reader.follow(reader.taken("Copy a link"))
    assert columns(reader)[0] == now and reader.problem == ""
    reader.follow_state(digits=40)
    assert "damaged" in reader.problem and "computed by Python" in reader.origin
    reader.follow_state(scores=[1.0])
    assert "damaged" in reader.problem
    reader.follow_damaged()
    assert "damaged" in reader.problem


def test_what_cannot_be_held_is_refused_and_changes_nothing(reader: Reader) -> None:
    reader.field("score of net").fill("1.7e308")
    before = columns(reader)
    reader.act("Double every score")
    assert reader.problem.startswith("that is beyond what a computer's number holds")
    assert columns(reader) == before
    assert reader.field("score of net").input_value() == "1.7e308"


def scores(reader: Reader) -> list[float]:
    fields = [reader.field(f"score of {token}") for token in ("fisherman", "net", "bank")]
    return [float(at.input_value()) for at in fields]


def test_sliders_follow_the_scores_and_stay_while_moved(reader: Reader) -> None:
    """In the chapter's own order, add, double, lower one: it must not jump down to 10."""
    slider = reader.field("score of bank, by slider")
    reader.act("Add to every score:")
    reader.act("Double every score")
    assert scores(reader) == [204, 202, 200]
    assert float(slider.input_value()) == 200
    slider.focus()
    reader.page.keyboard.press("ArrowLeft")
    assert scores(reader) == [204, 202, 199.9]
    low = slider.get_attribute("min")
    reader.page.keyboard.press("Home")
    assert scores(reader)[2] == float(low or "") < 200
    assert slider.get_attribute("min") == low
    reader.field("score of net").fill("-35")  # leaves the range, and takes it along
    assert float(reader.field("score of net, by slider").input_value()) == -35
    assert float(reader.field("score of fisherman, by slider").input_value()) == 204
    reader.act("Reset")
    assert slider.get_attribute("min") == "-10" and slider.get_attribute("max") == "10"


def test_no_button_works_with_what_is_not_in_sight(reader: Reader) -> None:
    reader.field("what to add").fill("much")
    reader.act("Add to every score:")
    assert "what to add" in reader.problem and scores(reader) == [2, 1, 0]
    reader.field("what to add").fill("1/2")
    reader.field("score of net").fill("")
    reader.act("Double every score")
    assert "score of net is empty" in reader.problem
    assert reader.field("score of fisherman").input_value() == "2"
    reader.field("score of net").fill("1")
    reader.act("Add to every score:")
    assert reader.problem == "" and scores(reader) == [2.5, 1.5, 0.5]


def test_few_digits_do_not_hide_the_change(reader: Reader) -> None:
    reader.field("digits shown").fill("0")
    for score in (1.25, 9):  # one step, as both are typed in a row
        reader.field("score of net").fill(str(score))
        change = max(abs(softmax([2, score, 0]) - softmax([2, 1, 0])))
        assert f"moved a weight by up to {display(change)}, rounded" in reader.shown


def test_copies_run_and_hold_the_same_numbers(reader: Reader) -> None:
    reader.field("score of fisherman").fill("2.75")
    said = run(reader.taken("Copy as Python"))
    now, _ = columns(reader)
    for name, weight in zip(("fisherman", "net", "bank"), now, strict=True):
        assert f"{name}: {display(weight)}" in said
    assert said.split()[-1] in reader.shown
    rows = list(csv.DictReader(io.StringIO(reader.taken("Copy as CSV"))))
    assert [float(row["weight"]) for row in rows] == now


def test_axe_finds_nothing(reader: Reader) -> None:
    reader.act("Double every score")
    reader.act("Copy as CSV")
    reader.axe("changed")
    reader.field("score of net").fill("x")
    reader.axe("refused")
