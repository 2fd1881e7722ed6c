"""The chapter's vectors against products written out one by one, from the inputs."""

import re

import numpy as np
import pytest

from publisher.formats import display
from publisher.results import shown_vector
from snippets import query_key_value as chapter
from snippets.running_example import MONEY, RIVER, TOKENS, W_K, W_Q, W_V
from snippets.sentences import WORD
from tests.by_hand import WORDS, dot, exact, plain, rows, says, times

PAGE = "docs/query-key-value.md"
TOKENS_HERE = WORDS[RIVER]
X = rows(TOKENS_HERE)
AT, BANK = TOKENS_HERE.index(chapter.WORKED), TOKENS_HERE.index(WORD)
MATRICES = {"query": W_Q, "key": W_K, "value": W_V}


def three(x: list[float]) -> list[list[float]]:
    """Return query, key and value of one representation."""
    return [times(x, matrix) for matrix in MATRICES.values()]


def test_numbers() -> None:
    query, key, _ = three(X[BANK])
    one, other = chapter.PLAIN
    assert plain(chapter.numbers()) == exact(
        {
            "length": len(TOKENS_HERE),
            "position": AT + 1,
            "bank_position": BANK + 1,
            "d_model": len(X[0]),
            "d_k": len(W_Q[0]),
            "d_v": len(W_V[0]),
            "entries": sum(len(row) for matrix in MATRICES.values() for row in matrix),
            "own_match": dot(query, key),
            "fisherman_match": dot(query, three(X[TOKENS_HERE.index(TOKENS[0])])[1]),
            "plain_own_match": dot(one, one),
            "plain_other_match": dot(one, other),
        }
    )


def test_vectors() -> None:
    query, key, value = three(X[AT])
    assert plain(chapter.vectors()) == exact(
        {
            "x": X[AT],
            "query": query,
            "key": key,
            "value": value,
            "bank_x": X[BANK],
            "bank_query": three(X[BANK])[0],
            "bank_key": three(X[BANK])[1],
            "plain_one": list(chapter.PLAIN[0]),
            "plain_other": list(chapter.PLAIN[1]),
        }
    )


def test_texts() -> None:
    assert chapter.texts() == {"river": RIVER, "money": MONEY, "worked": chapter.WORKED}


def test_first_coordinates_in_the_table_and_in_print(capsys: pytest.CaptureFixture[str]) -> None:
    columns = {role: [row[0] for row in matrix] for role, matrix in MATRICES.items()}
    assert plain(chapter.tables()["first"].rows) == exact(
        [[role, column, dot(X[AT], column)] for role, column in columns.items()]
    )
    chapter.first_coordinates()
    for line, (role, column) in zip(
        capsys.readouterr().out.splitlines(), columns.items(), strict=True
    ):
        products = " + ".join(f"{x:g}*{w:.4g}" for x, w in zip(X[AT], column, strict=True))
        assert line == f"{role[0]}_1 = {products} = {dot(X[AT], column):g}"


def test_every_position_is_multiplied_by_the_same_matrices() -> None:
    assert plain(chapter.tables()["river"].rows) == exact(
        [[token, x, *three(x)] for token, x in zip(TOKENS_HERE, X, strict=True)]
    )


def test_a_word_at_two_positions() -> None:
    money = list(enumerate(zip(WORDS[MONEY], rows(WORDS[MONEY]), strict=True), start=1))
    assert plain(chapter.tables()["repeated"].rows) == exact(
        [[place, token, x, *three(x)] for place, (token, x) in money if token == "the"]
    )


def test_projection_takes_any_number_of_positions() -> None:
    for x in (X, X[:1]):
        queries, keys, values = chapter.queries_keys_values(x)
        made = zip(queries.tolist(), keys.tolist(), values.tolist(), strict=True)
        assert [list(vectors) for vectors in made] == [exact(three(row)) for row in x]


def test_figure_shows_the_worked_position() -> None:
    figure = chapter.figures()["roles"]
    vectors = dict(zip(("representation", *MATRICES), (X[AT], *three(X[AT])), strict=True))
    matrix_rows = [
        [f"{role} matrix, row {i}", list(row)]
        for role, matrix in MATRICES.items()
        for i, row in enumerate(matrix, start=1)
    ]
    expected = [*map(list, vectors.items()), *matrix_rows]
    assert plain(chapter.figures()["roles"].data.rows) == exact(expected)
    for name, vector in vectors.items():
        assert f"the {name} {shown_vector(vector, 'surd')}" in figure.description
    for role, matrix in MATRICES.items():
        said = ", ".join(shown_vector(row, "surd") for row in matrix)
        assert f"the {role} matrix has the rows {said}" in figure.description


@pytest.mark.parametrize("narrow", [False, True])
def test_drawing_holds_every_entry_of_the_matrices(narrow: bool) -> None:
    drawn = [t.get_text() for t in chapter.figures()["roles"].draw(narrow).axes[0].texts]
    for role, matrix in MATRICES.items():
        assert f"{role} matrix, {len(matrix)} × {len(matrix[0])}" in drawn
    expected = [*X[AT]]  # in the order of drawing: x, then each matrix and what it makes of x
    for matrix, vector in zip(MATRICES.values(), three(X[AT]), strict=True):
        expected += [entry for row in (*matrix, vector) for entry in row]
    numbers = [words for words in drawn if re.fullmatch("−?[0-9.√]+", words)]
    assert numbers == [display(entry, form="surd") for entry in expected]


def test_what_the_text_says() -> None:
    """Claims that hold for these inputs; on failure, change the sentence that is quoted."""
    query, key, value = three(X[AT])
    differ = query != key and query != value[:2] and key != value[:2]
    says(differ, PAGE, "Why make three vectors where there was one? So that they may differ.")
    says(WORDS[MONEY].count("the") == 2, PAGE, 'has the word "the" in it twice')
    first, second = chapter.tables()["repeated"].rows
    one, other = plain(first[2:]), plain(second[2:])
    assert isinstance(one, list) and isinstance(other, list)
    only_value = [a == b for a, b in zip(one, other, strict=True)] == [False, True, True, False]
    says(only_value, PAGE, "Which of its three vectors differ? Only the value.")
    last = [any(matrix[-1]) for matrix in MATRICES.values()]
    says(last == [False, False, True], PAGE, "The last rows of W_Q and W_K hold nothing but zeros")
    says(not any(np.array(W_V)[-1, :-1]), PAGE, "passes it on, to the last coordinate of the value")
    numbers = plain(chapter.numbers())
    assert isinstance(numbers, dict)
    exceeds = numbers["fisherman_match"] > numbers["own_match"]
    says(exceeds, PAGE, "nothing makes them fit ... With the key of fisherman it is ...")
    says(numbers["plain_other_match"] > numbers["plain_own_match"], PAGE, "Nor would it help")
