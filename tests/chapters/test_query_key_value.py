"""The chapter's vectors against the hand example and against products written out one by one."""

import math

import numpy as np
import pytest

from snippets import query_key_value as chapter
from snippets.running_example import (
    EMBEDDINGS,
    KEYS,
    MONEY,
    POSITION_STEP,
    QUERY,
    RIVER,
    VALUES,
    W_K,
    W_Q,
    W_V,
)
from tests.by_hand import exact, plain, times

ROOT = math.sqrt(2)
RIVER_TOKENS = ["The", "fisherman", "repaired", "his", "net", "beside", "the", "bank", "."]


def row(word: str, position: int) -> list[float]:
    """Build one representation from the inputs, without the primer's functions."""
    return [e + position * s for e, s in zip(EMBEDDINGS[word], POSITION_STEP, strict=True)]


def test_sizes_and_positions() -> None:
    numbers = chapter.numbers()
    assert chapter.texts() == {"river": RIVER, "money": MONEY, "worked": "repaired"}
    assert numbers["length"] == len(RIVER_TOKENS)
    assert numbers["position"] == RIVER_TOKENS.index("repaired") + 1
    assert numbers["bank_position"] == RIVER_TOKENS.index("bank") + 1
    assert (numbers["d_model"], numbers["d_k"], numbers["d_v"]) == (4, 2, 3)
    assert numbers["entries"] == 4 * 2 + 4 * 2 + 4 * 3


def test_the_worked_position_by_hand() -> None:
    vectors = chapter.vectors()
    assert plain(vectors["x"]) == exact([0.5, 0.5, 0, 3 * 0.125])
    assert plain(vectors["query"]) == exact([0.5 * 1 + 0.5 * 0, 0.5 * 0 + 0.5 * 1])
    assert plain(vectors["key"]) == exact([0.5 * 2 + 0.5 * 1, 0.5 * 0 + 0.5 * 1])
    assert plain(vectors["value"]) == exact([0.5 * 2, 0.5 * 2, 0.375 * 1])


def test_one_source_gives_three_different_vectors() -> None:
    query, key, value = (plain(chapter.vectors()[name]) for name in ("query", "key", "value"))
    assert query != key
    assert query != value[:2]
    assert key != value[:2]


def test_first_coordinates_in_the_table_and_in_print(capsys: pytest.CaptureFixture[str]) -> None:
    x = row("repaired", 3)
    chapter.first_coordinates()
    lines = capsys.readouterr().out.splitlines()
    rows = chapter.tables()["first"].rows
    assert [r[0] for r in rows] == ["query", "key", "value"]
    for line, table_row, matrix in zip(lines, rows, (W_Q, W_K, W_V), strict=True):
        column = [coefficients[0] for coefficients in matrix]
        assert plain(table_row[1]) == exact(column)
        assert plain([table_row[2]]) == exact(times(x, matrix)[:1])
        assert line.endswith(f" = {times(x, matrix)[0]:g}")
        assert line.count("*") == len(x)


def test_every_position_is_multiplied_by_the_same_matrices() -> None:
    rows = chapter.tables()["river"].rows
    assert [r[0] for r in rows] == RIVER_TOKENS
    for position, (word, x, query, key, value) in enumerate(rows, start=1):
        assert plain(x) == exact(row(str(word), position))
        assert plain(query) == exact(times(plain(x), W_Q))
        assert plain(key) == exact(times(plain(x), W_K))
        assert plain(value) == exact(times(plain(x), W_V))


def test_projection_gives_back_the_hand_example() -> None:
    rows = [row(word, RIVER_TOKENS.index(word) + 1) for word in ("fisherman", "net", "bank")]
    queries, keys, values = chapter.queries_keys_values(rows)
    assert queries[2].tolist() == exact(list(QUERY))
    assert keys.tolist() == [exact(list(key)) for key in KEYS]
    assert values[:, :2].tolist() == [exact(list(value)) for value in VALUES]


def test_a_repeated_word_differs_only_in_its_value() -> None:
    first, second = chapter.tables()["repeated"].rows
    assert (first[0], second[0]) == (4, 7)
    assert (first[1], second[1]) == ("the", "the")
    assert plain(first[2])[:3] == plain(second[2])[:3]
    assert plain(first[2])[3] != plain(second[2])[3]
    assert plain(first[3]) == plain(second[3])
    assert plain(first[4]) == plain(second[4])
    assert plain(first[5])[:2] == plain(second[5])[:2]
    assert plain(first[5])[2] != plain(second[5])[2]
    # What the page says of the last rows of the matrices.
    assert not any(W_Q[3]) and not any(W_K[3]) and any(W_V[3])


def test_query_at_bank_is_made_from_bank_alone() -> None:
    vectors = chapter.vectors()
    assert row("bank", 8) == [0, 0, 1, 8 * 0.125]
    assert plain(vectors["bank_x"]) == exact(row("bank", 8))
    assert plain(vectors["bank_query"]) == exact([ROOT, 0])
    alone, _, _ = chapter.queries_keys_values([row("bank", 8)])
    assert plain(vectors["bank_query"]) == exact(alone[0].tolist())


def test_a_position_need_not_match_itself_best() -> None:
    numbers, vectors = chapter.numbers(), chapter.vectors()
    assert plain(vectors["bank_key"]) == exact([0, 1])
    assert numbers["own_match"].value == exact(ROOT * 0 + 0 * 1)
    assert numbers["fisherman_match"].value == exact(ROOT * 2 + 0 * 0)
    assert plain(vectors["plain_one"]) == [1, 0]
    assert plain(vectors["plain_other"]) == [3, 0]
    assert numbers["plain_own_match"].value == 1 * 1 + 0 * 0
    assert numbers["plain_other_match"].value == 1 * 3 + 0 * 0


def test_figure_shows_the_worked_position() -> None:
    figure = chapter.figures()["roles"]
    rows, matrices = figure.data.rows[:4], figure.data.rows[4:]
    assert [r[0] for r in rows] == ["representation", "query", "key", "value"]
    shown = [plain(r[1]) for r in rows]
    x = row("repaired", 3)
    assert shown == [exact(x), exact(times(x, W_Q)), exact(times(x, W_K)), exact(times(x, W_V))]
    assert matrices[0][0] == "query matrix, row 1"
    assert [plain(r[1]) for r in matrices] == [list(line) for line in (*W_Q, *W_K, *W_V)]
    for words in ("[0.5, 0.5, 0, 0.375]", "[1.5, 0.5]", "[1, 1, 0.375]", "[√2, 0]", "repaired"):
        assert words in figure.description


@pytest.mark.parametrize("narrow", [False, True])
def test_drawing_holds_every_entry_of_the_matrices(narrow: bool) -> None:
    drawn = [text.get_text() for text in chapter.figures()["roles"].draw(narrow).axes[0].texts]
    assert drawn.count("√2") == sum(np.isclose(entry, ROOT) for line in W_Q for entry in line)
    for label in ("query matrix, 4 × 2", "key matrix, 4 × 2", "value matrix, 4 × 3"):
        assert label in drawn
