"""The primer's numbers against plain Python, and its two functions that later chapters call."""

import pytest

from publisher.figures.palette import settings
from snippets import before_you_start as chapter
from snippets.running_example import EMBEDDINGS, MONEY, OPEN, POSITION_STEP, RIVER
from tests.by_hand import exact

RIVER_TOKENS = ["The", "fisherman", "repaired", "his", "net", "beside", "the", "bank", "."]


def placed(word: str, position: int) -> list[float]:
    """Add the position to the row, coordinate by coordinate."""
    return [e + position * s for e, s in zip(EMBEDDINGS[word], POSITION_STEP, strict=True)]


def test_counts_and_numbers() -> None:
    assert chapter.texts()["open"] == "The bank flooded after the storm."
    numbers = chapter.numbers()
    assert numbers["river_count"] == 9
    assert numbers["known"] == len(set(EMBEDDINGS))
    assert numbers["d_model"] == len(EMBEDDINGS["bank"]) == 4
    known = dict(zip(EMBEDDINGS, range(1, 100), strict=False))
    assert (numbers["capital_the"], numbers["small_the"]) == (known["The"], known["the"])
    assert numbers["capital_the"] != numbers["small_the"]
    assert numbers["bank"] == known["bank"]
    for number, token, row in chapter.tables()["embeddings"].rows:
        assert known[token] == number
        assert tuple(cell.value for cell in row) == EMBEDDINGS[token]
    assert len(chapter.tables()["embeddings"].rows) == numbers["known"]
    table = chapter.tables()["river"]
    assert [(place, token) for place, token, _ in table.rows] == list(enumerate(RIVER_TOKENS, 1))
    assert [number for _, _, number in table.rows] == [known[token] for token in RIVER_TOKENS]


def test_same_number_same_row_whatever_the_sentence() -> None:
    rows = chapter.tables()["rows"].rows
    assert [name for name, _, _ in rows] == ["river", "money", "open"]
    for _, number, row in rows:
        assert number == chapter.numbers()["bank"]
        assert [cell.value for cell in row] == list(EMBEDDINGS["bank"])
    assert [n.value for n in chapter.vectors()["bank_row"]] == list(EMBEDDINGS["bank"])


def test_bank_differs_by_place_and_only_by_place() -> None:
    numbers, vectors = chapter.numbers(), chapter.vectors()
    assert [n.value for n in vectors["step"]] == list(POSITION_STEP)
    places = [sentence.rstrip(".").split().index("bank") + 1 for sentence in (RIVER, MONEY, OPEN)]
    assert places == [8, 8, 2]  # the page says: the same place, the same place, earlier
    assert numbers["river_position"] == places[0]
    rows = chapter.tables()["placed"].rows
    assert [(name, place) for name, place, _ in rows] == list(
        zip(("river", "money", "open"), places, strict=True)
    )
    values = [[cell.value for cell in x] for _, _, x in rows]
    assert values == [exact(placed("bank", place)) for place in places]
    assert values[0] == values[1] != values[2]
    assert [n.value for n in vectors["river_bank"]] == exact(placed("bank", 8))


def test_a_repeated_word_shares_its_row_and_not_its_vector() -> None:
    numbers, vectors = chapter.numbers(), chapter.vectors()
    words = MONEY.rstrip(".").split()
    assert words.count("the") == 2
    first = words.index("the") + 1
    last = len(words) - words[::-1].index("the")
    assert (numbers["repeated_first"], numbers["repeated_last"]) == (first, last)
    assert [n.value for n in vectors["repeated_row"]] == list(EMBEDDINGS["the"])
    one = [n.value for n in vectors["repeated_first_x"]]
    other = [n.value for n in vectors["repeated_last_x"]]
    assert one == exact(placed("the", first))
    assert other == exact(placed("the", last))
    assert one != other


def test_dot_product_by_hand(capsys: pytest.CaptureFixture[str]) -> None:
    numbers, vectors = chapter.numbers(), chapter.vectors()
    assert [n.value for n in vectors["a"]] == [3, 1]
    assert [n.value for n in vectors["b"]] == [2, -1]
    assert (numbers["a_first"].value, numbers["a_second"].value) == (3, 1)
    assert (numbers["b_first"].value, numbers["b_second"].value) == (2, -1)
    assert numbers["product_first"].value == 6
    assert numbers["product_second"].value == -1
    assert numbers["dot"].value == 5
    chapter.dot_by_hand()
    assert capsys.readouterr().out.splitlines() == [
        "3 times 2 is 6",
        "1 times -1 is -1",
        "together: 5",
    ]


def test_one_dot_product_is_positive_one_zero_one_negative() -> None:
    rows = chapter.tables()["dots"].rows
    assert [name for name, _, _ in rows] == [r"$a \cdot b$", r"$a \cdot c$", r"$a \cdot d$"]
    assert [[cell.value for cell in products] for _, products, _ in rows] == [
        [3 * 2, 1 * -1],
        [3 * -1, 1 * 3],
        [3 * -2, 1 * 1],
    ]
    assert [dot.value for _, _, dot in rows] == [5, 0, -5]
    vectors = chapter.vectors()
    assert [n.value for n in vectors["c"]] == [-1, 3]
    assert [n.value for n in vectors["d"]] == [-2, 1]


def test_figure_shows_the_four_vectors() -> None:
    figure = chapter.figures()["plane"]
    assert [row[0] for row in figure.data.rows] == ["a", "b", "c", "d"]
    assert [row[-1].value for row in figure.data.rows] == [3 * 3 + 1 * 1, 5, 0, -5]
    assert (
        "a = [3, 1]; b = [2, −1], whose dot product with a is 5; c = [−1, 3]" in figure.description
    )
    with settings("test"):
        for narrow in (False, True):
            words = [text.get_text() for text in figure.draw(narrow).axes[0].texts]
            assert [w for w in words if w] == ["a", "b: 5", "c: 0", "d: −5"]
