"""The home page: one row twice, other neighbours, and a drawing that says the same."""

from itertools import combinations

import pytest

from publisher.figures.palette import settings
from snippets import index as page
from snippets.running_example import EMBEDDINGS

RIVER = "The fisherman repaired his net beside the bank ."
MONEY = "The cashier counted the money inside the bank ."


def test_sentences_are_those_of_the_brief() -> None:
    assert page.texts()["river"] == RIVER.replace(" .", ".")
    assert page.texts()["money"] == MONEY.replace(" .", ".")


def test_bank_has_one_row_in_both_sentences() -> None:
    vectors = page.vectors()
    row = [number.value for number in vectors["river_row"]]
    assert row == list(EMBEDDINGS["bank"])
    assert [number.value for number in vectors["money_row"]] == row


def test_bank_stands_at_one_place_in_both_sentences() -> None:
    numbers = page.numbers()
    assert numbers["river_position"] == RIVER.split().index("bank") + 1
    assert numbers["money_position"] == MONEY.split().index("bank") + 1
    assert numbers["river_position"] == numbers["money_position"] == 8
    assert numbers["river_count"] == len(RIVER.split()) == len(MONEY.split()) == 9


def test_only_the_neighbours_differ() -> None:
    pairs = list(zip(RIVER.split(), MONEY.split(), strict=True))
    same = [EMBEDDINGS[a] == EMBEDDINGS[b] for a, b in pairs]
    rows = page.tables()["side_by_side"].rows
    assert [row[0] for row in rows] == list(range(1, 10))
    assert [(row[1], row[2]) for row in rows] == pairs
    assert [row[3] for row in rows] == ["same" if equal else "different" for equal in same]
    assert page.numbers()["differing"] == same.count(False) == 5
    assert rows[7] == (8, "bank", "bank", "same")


def test_a_missing_token_has_no_row() -> None:
    assert page.same_row("bank", "bank")
    assert not page.same_row("bank", "")
    assert not page.same_row("", "")


def test_demo_prints_the_same_row_twice(capsys: pytest.CaptureFixture[str]) -> None:
    page.same_word_twice()
    first, second = capsys.readouterr().out.splitlines()
    assert first == second == f"bank, position 8 of 9: {list(EMBEDDINGS['bank'])}"


def test_drawing_is_a_concept_and_says_so() -> None:
    figure = page.figures()["two_scenes"]
    assert figure.label == "concept drawing"
    assert "not a measured attention map" in figure.caption
    assert figure.description.count("to bank, at position 8 of 9") == 2
    assert "fisherman and net" in figure.description
    assert "cashier and money" in figure.description
    assert "[0, 0, 1, 0]" in figure.description
    for line, name, clues in zip(
        figure.data.rows,
        ("river", "money"),
        ("fisherman and net", "cashier and money"),
        strict=True,
    ):
        assert line[:4] == (name, clues, 8, 9)
        assert [number.value for number in line[4]] == list(EMBEDDINGS["bank"])


@pytest.mark.parametrize("narrow", [False, True])
def test_drawing_holds_both_sentences_and_both_rows(narrow: bool) -> None:
    with settings("test"):
        drawing = page.figures()["two_scenes"].draw(narrow)
        (axes,) = drawing.axes
        words = [text.get_text() for text in axes.texts]
        for word in (*RIVER.split(), *MONEY.split()):
            assert word in words
        assert words.count("position 8 of 9") == 2
        assert words.count("bank") == 2
        numbers = [float(word) for word in words if word.replace("−", "-").lstrip("-").isdigit()]
        assert numbers == [*EMBEDDINGS["bank"], *EMBEDDINGS["bank"]]
        # Nothing is cut off at an edge, and no text lies on another.
        right, bottom = drawing.get_size_inches() * 72
        inverse = axes.transData.inverted()
        boxes = [text.get_window_extent().transformed(inverse) for text in axes.texts]
        for one, other in combinations(boxes, 2):
            (a, b), (c, d) = sorted(one.intervaly), sorted(other.intervaly)
            beside = one.x1 < other.x0 or other.x1 < one.x0
            assert beside or b < c + 4 or d < a + 4  # boxes of one line may touch the next
        for box in boxes:
            assert min(box.x0, box.x1) >= 0
            assert max(box.x0, box.x1) <= right
            assert min(box.y0, box.y1) >= 0
            assert max(box.y0, box.y1) <= bottom
