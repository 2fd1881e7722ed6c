"""The mask explorer, as a reader uses it."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from snippets.attention import Array, attention_weights, causal_mask
from snippets.running_example import OPEN, RIVER
from snippets.sentences import tokenise
from tests.browser.conftest import Tab
from tests.browser.reader import Reader, anew, reading, run

OWN = "L'\u00e9t\u00e9, 42 \u043a\u043e\u0442_\u0430 & <b>\u6771\u4eac</b>!"
WORDS = "sentence holds no token: give a text with a word in it"


@pytest.fixture(scope="module")
def desk(tab: Tab) -> Reader:
    return reading(tab, "masks/", "mask-explorer")


@pytest.fixture
def reader(desk: Reader) -> Iterator[Reader]:
    yield from anew(desk)


def grid(reader: Reader) -> list[list[bool]]:
    """Return what the marks say: the open cells, a row for each query."""
    rows = reader.widget.locator(".shown table").first.locator("tbody tr")
    found: list[list[bool]] = rows.evaluate_all(
        "rows => rows.map(row => [...row.querySelectorAll('td [role=img]')]"
        ".map(mark => mark.ariaLabel === 'open'))"
    )
    return found


def heads(reader: Reader) -> tuple[list[str], list[str]]:
    """Return the heads of the rows and of the columns."""
    table = reader.widget.locator(".shown table").first
    columns = table.locator("thead th[scope=col]").all_text_contents()
    return table.locator("tbody th[scope=row]").all_text_contents(), columns[1:]


def weights(reader: Reader) -> list[float]:
    return reader.numbers("table >> nth=1 >>")


def numbered(tokens: list[str]) -> list[str]:
    return [f"{place} {token}" for place, token in enumerate(tokens, start=1)]


def alone(mask: NDArray[np.bool_]) -> Array:
    """Return the weights that a mask makes of equal scores."""
    n_q, n_k = mask.shape
    return attention_weights(np.zeros((n_q, 1)), np.zeros((n_k, 1)), mask)


def choose(reader: Reader, kind: str) -> None:
    reader.field(kind).check()


def test_starts_from_pythons_numbers_at_bank(reader: Reader) -> None:
    assert reader.compare_start() > 100
    tokens = tokenise(OPEN)
    assert heads(reader) == (numbered(tokens), numbered(tokens))
    assert grid(reader) == causal_mask(len(tokens)).tolist()
    assert weights(reader) == pytest.approx([0.5, 0.5, 0, 0, 0, 0, 0], abs=1e-12)
    assert "2 bank: 2 of 7 positions open, each with the weight 1/2" in reader.shown
    assert "Every score is taken as 0" in reader.shown
    assert "computed by Python" in reader.origin


def test_the_chapters_question_by_pointer_and_by_keyboard(reader: Reader) -> None:
    n = len(tokenise(OPEN))
    for row, by in ((2, "button"), (n - 1, "cell"), (0, "keys")):
        button = reader.widget.locator(f"button[data-action='ask {row}']")
        if by == "button":
            button.click()
        elif by == "cell":
            reader.widget.locator(".shown table").first.locator(
                f"tbody tr >> nth={row} >> td"
            ).first.click()
        else:
            button.focus()
            reader.page.keyboard.press("Enter")
            assert reader.page.evaluate("document.activeElement.dataset.action") == f"ask {row}"
        assert button.get_attribute("aria-pressed") == "true"
        assert reader.widget.locator("[aria-pressed=true]").count() == 1
        assert weights(reader) == pytest.approx(alone(causal_mask(n))[row].tolist(), rel=1e-12)
        rows = reader.widget.locator(".shown table").nth(1).locator("tbody tr").all_inner_texts()
        assert [text.split("\t")[1] for text in rows] == ["yes"] * (row + 1) + ["no"] * (
            n - row - 1
        )
        # A closed position has exactly nothing, and is shown so.
        assert all(text.split("\t")[2] == "0" for text in rows[row + 1 :])
    assert "1 of 7 positions open, each with the weight 1" in reader.shown
    for _ in range(3):
        reader.act("Undo")
    assert "computed by Python" in reader.origin
    reader.act("Redo")
    assert "3 flooded: 3 of 7 positions" in reader.shown


def test_kinds_by_keyboard_padding_and_cross(reader: Reader) -> None:
    tokens = tokenise(OPEN)
    reader.field("causal").focus()
    reader.page.keyboard.press("ArrowLeft")
    assert grid(reader) == [[True] * 7] * 7
    for _ in range(2):
        reader.page.keyboard.press("ArrowRight")
    assert reader.field("padding").is_checked()
    assert grid(reader) == [[True] * 7 + [False] * 2] * 9
    assert weights(reader) == pytest.approx([1 / 7] * 7 + [0, 0], rel=1e-12)
    reader.page.keyboard.press("ArrowRight")
    real = np.arange(9) < 7
    assert grid(reader) == (causal_mask(9) & real).tolist()
    reader.widget.locator("button[data-action='ask 8']").click()
    assert weights(reader) == pytest.approx(alone(causal_mask(9) & real)[8].tolist(), rel=1e-12)

    choose(reader, "cross: another sentence asks")
    assert heads(reader) == (["1 Am", "2 Ufer"], numbered(tokens))
    assert grid(reader) == [[True] * 7] * 2
    assert "2 Ufer: 7 of 7 positions open" in reader.shown
    reader.field("second sentence, which gives the queries").fill(RIVER)
    assert heads(reader)[0] == numbered(tokenise(RIVER))
    assert heads(reader)[1] == numbered(tokens)


def test_a_query_without_a_key_is_refused_in_the_operations_words(reader: Reader) -> None:
    choose(reader, "causal and padding")
    reader.field("at the start").check()
    mask = causal_mask(9) & (np.arange(9) >= 2)
    with pytest.raises(ValueError, match="mask row 0 is False throughout") as refused:
        alone(mask)
    assert reader.problem == str(refused.value)
    reader.field("number of padding tokens, by slider").fill("0")
    assert reader.problem == ""
    assert grid(reader) == causal_mask(7).tolist()
    choose(reader, "padding")
    reader.field("number of padding tokens").fill("3")
    assert grid(reader) == [[False] * 3 + [True] * 7] * 10


def test_own_sentence_and_examples(reader: Reader) -> None:
    box = reader.widget.locator("[data-text][data-path=sentence]")
    box.fill(OWN)
    tokens = tokenise(OWN)
    assert heads(reader) == (numbered(tokens), numbered(tokens))
    assert reader.widget.locator("[type=radio][data-path=sentence]:checked").count() == 0
    reader.field(RIVER).check()
    assert box.input_value() == RIVER
    assert heads(reader)[0] == numbered(tokenise(RIVER))
    box.fill("One, two")
    reader.widget.locator("button[data-action='ask 2']").click()
    box.fill("One")  # the chosen query is gone: the last one that is left takes its place
    assert "Query 1 One: 1 of 1 positions open" in reader.shown
    reader.act("Reset")
    assert box.input_value() == OPEN


def test_cuts_texts_as_python_does(reader: Reader) -> None:
    characters = [
        chr(code)
        for code in (*range(0x20, 0xD800), *range(0xE000, 0x10000), *range(0x10000, 0x10200))
        if unicodedata.category(chr(code)) not in ("Cn", "Co")  # a newer browser may know more
    ]
    cut = reader.page.evaluate(
        """(text) => { const widget = document.querySelector("mask-explorer");
        const cut = (sentence) => widget.compute({ ...widget.start, sentence }).keys.length;
        return [...text].map((character) => cut(`a${character}b`)); }""",
        "".join(characters),
    )
    # One token, or two at a space, or three.
    assert len(characters) > 50_000 and set(cut) == {1, 2, 3}
    pairs = zip(characters, cut, strict=True)
    assert [each for each, size in pairs if size != len(tokenise(f"a{each}b"))] == []


BAD = (
    ("sentence", "", WORDS),
    ("sentence", "  \u00a0 ", WORDS),
    ("sentence", "a " * 17, "sentence holds 17 tokens: shorten it to 16"),
    ("asking", " ", f"second {WORDS}"),
    ("asking", "?" * 20, "second sentence holds 20 tokens: shorten it to 16"),
    ("padding", "", "number of padding tokens is empty: write a number"),
    ("padding", "two", "is not a number"),
    ("padding", "0/0", "divides by zero"),
    ("padding", "1e400", "is beyond what a computer's number holds"),
    ("padding", "1/2", "number of padding tokens is 0.5: write a whole number from 0 to 6"),
    ("padding", "-1", "number of padding tokens is -1: write a whole number from 0 to 6"),
    ("padding", "7", "number of padding tokens is 7: write a whole number from 0 to 6"),
)
KIND = {"asking": "cross: another sentence asks", "padding": "padding", "sentence": "causal"}


def test_bad_input_is_refused_in_place(reader: Reader) -> None:
    for path, written, words in BAD:
        choose(reader, KIND[path])
        before = reader.shown
        box = reader.widget.locator(f"[type=text][data-path={path}]")
        good = box.input_value()
        box.fill(written)
        assert words in reader.problem
        assert reader.shown == before
        reader.act("Copy as CSV")
        assert reader.widget.locator("textarea").is_hidden()
        box.fill(good)
        assert reader.problem == ""
        assert reader.shown == before


def test_python_refuses_an_empty_sentence_in_the_same_words() -> None:
    with pytest.raises(ValueError) as refused:
        tokenise("  \u00a0 ")
    assert str(refused.value) == WORDS


def test_a_link_brings_the_state_back(reader: Reader) -> None:
    reader.widget.locator("[data-text][data-path=sentence]").fill(OWN)
    choose(reader, "causal and padding")
    reader.widget.locator("button[data-action='ask 5']").click()
    before, marks = reader.shown, grid(reader)
    reader.follow(reader.taken("Copy a link").strip())
    assert (reader.shown, grid(reader)) == (before, marks)
    assert reader.problem == ""
    markup = '"><img src=x><'
    reader.follow_state(sentence=markup, asking=markup)
    assert heads(reader)[0] == numbered(tokenise(markup))
    assert reader.widget.locator("img").count() == 0


def test_a_damaged_link_says_so_and_starts_as_the_page(reader: Reader) -> None:
    before = reader.shown
    reader.follow_damaged()
    assert "damaged" in reader.problem
    wrong = [
        {"kind": "none"}, {"kind": "constructor"}, {"left": "no"}, {"padding": 1.5},
        {"padding": 10**9}, {"query": -1}, {"query": 0.5}, {"query": 99}, {"sentence": ""},
        {"sentence": "a " * 50}, {"sentence": 1}, {"kind": "cross", "asking": ""},
    ]  # fmt: skip
    for changes in wrong:
        reader.follow_state(**changes)
        assert "damaged" in reader.problem, changes
        assert reader.shown == before
    reader.follow_state(query=2)
    assert reader.problem == ""
    assert "3 flooded: 3 of 7" in reader.shown


def test_copied_python_prints_the_same_numbers(reader: Reader) -> None:
    kinds = ("causal", "bidirectional (none)", "padding", "causal and padding")
    reader.widget.locator("[data-text][data-path=sentence]").fill('It\'s "<i>" \\ \u6771\u4eac')
    for kind in (*kinds, "cross: another sentence asks"):
        if kind != "causal":
            choose(reader, kind)
        rows = reader.widget.locator(".shown table").nth(1).locator("tbody tr")
        keys = rows.locator("th").all_inner_texts()
        expected = [f"{k}: {w:.4f}" for k, w in zip(keys, weights(reader), strict=True)]
        first, *said = run(reader.taken("Copy as Python")).splitlines()
        assert said == expected, kind
        chosen = reader.widget.locator("[aria-pressed=true]").inner_text()
        assert first == f"query: {chosen}"
    choose(reader, "padding")
    reader.field("at the start").check()
    _, *said = run(reader.taken("Copy as Python")).splitlines()
    assert said[:2] == ["1 [padding]: 0.0000", "2 [padding]: 0.0000"]
    assert [float(line.rsplit(" ", 1)[1]) for line in said] == pytest.approx(
        weights(reader), abs=5e-5
    )


def test_copied_csv_holds_every_row(reader: Reader) -> None:
    head, *rows = csv.reader(io.StringIO(reader.taken("Copy as CSV")))
    assert head == ["query", *tokenise(OPEN)]
    assert [row[0] for row in rows] == tokenise(OPEN)
    expected = alone(causal_mask(7))
    assert np.array([row[1:] for row in rows], float) == pytest.approx(expected, rel=1e-12)


def test_axe_finds_nothing_and_what_is_said_is_short(reader: Reader) -> None:
    reader.widget.locator("[data-text][data-path=sentence]").fill(OWN)
    reader.page.wait_for_function(
        "document.querySelector('mask-explorer .said').textContent.startsWith('Query 2')"
    )
    reader.axe("own sentence")
    choose(reader, "cross: another sentence asks")
    reader.taken("Copy as Python")
    reader.axe("cross")
    choose(reader, "causal and padding")
    reader.act("Show the static figure")
    reader.axe("padding")


def test_the_widest_grid_scrolls_in_its_own_box(reader: Reader) -> None:
    reader.page.set_viewport_size({"width": 320, "height": 1600})
    box = reader.widget.locator(".mask .table-scroll").first
    size = "(at) => [at.scrollWidth, at.clientWidth]"
    wide, room = box.evaluate(size)
    assert wide <= room  # seven tokens need no scrolling
    reader.widget.locator("[data-text][data-path=sentence]").fill("Donaudampfschiff " * 8)
    choose(reader, "causal and padding")
    wide, room = box.evaluate(size)
    assert wide > room
    assert reader.page.evaluate("document.documentElement.scrollWidth") == 320
    for button in reader.widget.locator("[data-action^=ask]").all():
        target = button.bounding_box()
        assert target and min(target["width"], target["height"]) >= 24
    assert len(grid(reader)) == 10
    box.evaluate("(at) => at.scrollTo(60, 0)")
    box.locator("td").nth(4).click()
    assert box.evaluate("(at) => at.scrollLeft") == 60  # where the reader left it
