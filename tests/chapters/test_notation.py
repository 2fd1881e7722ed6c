"""Every notation against loops in `math`, and every shape against the inputs' own lengths."""

import math
from typing import Any

import numpy as np
import pytest

from snippets import notation as page
from snippets.attention import attention
from snippets.running_example import (
    EMBEDDINGS,
    KEYS,
    POSITION_STEP,
    QUERY,
    RIVER,
    TOKENS,
    VALUES,
    W_K,
    W_O,
    W_Q,
    W_V,
)
from snippets.sentences import WORD
from tests.by_hand import (
    WORDS,
    exact,
    hand_scores,
    hand_weights,
    plain,
    rows,
    says,
    scores,
    softmax,
    times,
)

PAGE = "docs/notation.md"
X = dict(zip(WORDS[RIVER], rows(WORDS[RIVER]), strict=True))  # x of each word
STATES = [X[token] for token in TOKENS]
# Two queries, three keys, four coordinates, five in a value: no axis can be taken for another.
QUERIES = [[1.0, -0.5, 0.25, 2.0], [0.0, 1.5, -1.0, 0.5]]
MORE_KEYS = [[0.5, 1.0, -1.0, 0.0], [2.0, 0.0, 0.5, 0.25], [-1.0, 1.0, 1.0, 1.0]]
MORE_VALUES = [[1.0, 2.0, 3.0, 4.0, 5.0], [0.0, -1.0, 0.5, 2.0, 1.0], [3.0, 0.0, 0.0, -2.0, 7.0]]


def bahdanau(s: list[float], h: list[list[float]]) -> tuple[list[float], list[float], list[float]]:
    """Return e, alpha and c, with the scaled dot product for a."""
    e = scores(times(s, W_Q), [times(row, W_K) for row in h])
    alpha = softmax(e)
    return e, alpha, times(alpha, h)


def projected(c: list[float]) -> list[float]:
    """Multiply by the columns of W_V that made the hand example's values."""
    return times(c, W_V)[: len(VALUES[0])]


def test_each_layout_on_arrays_whose_sizes_all_differ() -> None:
    weights = [softmax(scores(query, MORE_KEYS)) for query in QUERIES]
    mixtures = [times(row, MORE_VALUES) for row in weights]
    queries, keys, values = (np.array(rows) for rows in (QUERIES, MORE_KEYS, MORE_VALUES))
    for made in (
        page.as_rows(queries, keys, values),
        page.as_letters(queries, keys, values),
        [turned.T for turned in page.as_columns(queries.T, keys.T, values.T)],
        attention(queries, keys, values)[::-1],
    ):
        assert made[0].tolist() == exact(weights)
        assert made[1].tolist() == exact(mixtures)
    for query, row, mixture in zip(queries, weights, mixtures, strict=True):
        column, z = page.as_column(query[:, np.newaxis], keys, values)
        assert (column.shape, z.shape) == ((3, 1), (5, 1))
        assert column[:, 0].tolist() == exact(row)
        assert z[:, 0].tolist() == exact(mixture)


def test_the_state_that_asks_and_the_annotations_have_parts_of_their_own() -> None:
    s = [0.5, -1.0, 2.0, 1.0]
    made = page.as_bahdanau(np.array(s), np.array(MORE_KEYS))
    assert [array.tolist() for array in made] == exact(list(bahdanau(s, MORE_KEYS)))


def test_numbers() -> None:
    assert page.numbers() == {
        "n_q": 1,
        "n_k": len(KEYS),
        "d_k": len(QUERY),
        "d_v": len(VALUES[0]),
        "river_n": len(WORDS[RIVER]),
        "river_model": len(POSITION_STEP),
        "river_d_k": len(W_Q[0]),
        "river_d_v": len(W_V[0]),
        "heads": len(W_O) // len(W_V[0]),
    }


def test_vectors() -> None:
    e, alpha, c = bahdanau(X[WORD], STATES)
    assert plain(page.vectors()) == exact(
        {
            "e": e,
            "alpha": alpha,
            "c": c,
            "c_projected": projected(c),
            # Softmax of rows of one entry: every weight is 1, the mixture a plain sum.
            "wrong_weights": [1.0] * len(KEYS),
            "wrong_mixture": [math.fsum(column) for column in zip(*VALUES, strict=True)],
        }
    )


def in_every_notation() -> list[list[Any]]:
    """Return a name, the weights and the mixture for each: in Bahdanau's letters, of the states."""
    hand = [*hand_weights(), times(hand_weights(), VALUES)]
    _, alpha, c = bahdanau(X[WORD], STATES)
    return [
        ["Rows", *hand],
        ["One column", *hand],
        ["All columns", *hand],
        ["Bahdanau's letters", *alpha, projected(c)],
        ["A letter an axis", *hand],
    ]


def test_the_hand_example_in_every_notation() -> None:
    table = page.tables()["same"]
    assert table.columns == ("Notation", *(f"Weight of {token}" for token in TOKENS), "Mixture")
    assert plain(page.tables()["same"].rows) == exact(in_every_notation())


def test_layouts_prints_shapes_that_differ(capsys: pytest.CaptureFixture[str]) -> None:
    page.layouts()
    shapes = [("1 x 3", "1 x 2"), ("3 x 1", "2 x 1"), ("3 x 1", "2 x 1"), ("3", "2")]
    shapes.append(shapes[0])
    expected = []
    for (name, *weights, mixture), (one, other) in zip(in_every_notation(), shapes, strict=True):
        expected.append(name)
        expected.append(f"  weights {one:<5}  " + " ".join(f"{w:.4f}" for w in weights))
        expected.append(f"  mixture {other:<5}  " + " ".join(f"{z:.4f}" for z in mixture))
    assert capsys.readouterr().out.splitlines() == expected


def spelled(general: str, sizes: dict[str, int]) -> list[int]:
    """Put sizes for the letters of a shape such as $n \\times d_k$."""
    factors = general.strip("$").replace("d_\\text{model}", "d").split(" \\times ")
    return [math.prod(sizes[letter] for letter in factor.split()) for factor in factors]


def test_shapes_say_what_the_arrays_are() -> None:
    d, d_k, d_v = len(POSITION_STEP), len(QUERY), len(W_V[0])
    sizes = {"n": len(WORDS[RIVER]), "d": d, "d_k": d_k, "d_v": d_v, "h": 2, "1": 1}
    symbols, heads = page.tables()["symbols"].rows, page.tables()["heads"].rows
    for _, _, general, size in [*symbols, *heads]:
        assert size == spelled(str(general), sizes)
    assert len({row[0] for row in page.tables()["symbols"].rows}) == len(symbols) == 17
    assert [row[3] for row in page.tables()["heads"].rows if row[0] == "$W_O$"] == [
        list(np.shape(W_O))
    ]
    # Q and K have one shape, as have W_Q and W_K: the table names each pair once.
    assert np.shape(W_Q) == np.shape(W_K)


def test_table_of_letters_names_the_same_things_as_the_formulas() -> None:
    by_name = {row[0]: list(map(str, row)) for row in page.tables()["letters"].rows}
    here = ["$q_i$", "$k_j$", "$v_j$", "$s_{ij}$", "$\\alpha_{ij}$", "$z_i$"]
    assert [row[1] for row in page.tables()["letters"].rows[:6]] == here
    # What asks, what is asked and what is handed over: the last two are one in the old letters.
    assert "s_{i-1}" in by_name["query"][4]
    assert "h_j" in by_name["key"][4] and "h_j" in by_name["value"][4]
    assert by_name["value matrix"][4] == "none"


def test_what_the_text_says() -> None:
    """Claims that hold for these inputs; on failure, change the sentence that is quoted."""
    e, alpha, c = bahdanau(X[WORD], STATES)
    as_before = e == exact(hand_scores()) and alpha == exact(hand_weights())
    says(as_before, PAGE, "The scores are e = ... and the weights ..., both as before")
    single = all(sorted(EMBEDDINGS[token]) == [0, 0, 0, 1] for token in TOKENS)
    says(single, PAGE, "each of which has a single one among zeros")
    mixture = times(hand_weights(), VALUES)
    says(projected(c) == exact(mixture), PAGE, "so c_i W_V is our mixture")
    carried = [column[-1] != 0 for column in zip(*W_V, strict=True)]
    says(carried == [False, False, True], PAGE, "The one left out carries the position along")
    sizes = {len(WORDS[RIVER]), len(POSITION_STEP), len(QUERY), len(W_V[0])}
    says(len(sizes) == 4, PAGE, "All four differ, so that a wrong order shows")
