"""The inputs are those of the brief, and fit together."""

import math
import re

from publisher.results import shown
from snippets import running_example as example
from snippets import scores_and_weights
from tests import tiny


def test_the_three_sentences_are_quoted_exactly() -> None:
    assert example.RIVER == "The fisherman repaired his net beside the bank."
    assert example.MONEY == "The cashier counted the money inside the bank."
    assert example.OPEN == "The bank flooded after the storm."


def test_the_hand_example_is_the_briefs() -> None:
    assert example.TOKENS == ("fisherman", "net", "bank")
    assert (math.sqrt(2), 0) == example.QUERY
    assert example.KEYS == ((2, 0), (1, 1), (0, 1))
    assert example.VALUES == ((2, 0), (0, 2), (1, 1))
    assert example.SECOND_HEAD_SCORES == (1, 2, 0)
    assert [len(value) for value in example.SECOND_HEAD_VALUES] == [2, 2, 2]


def test_every_word_of_the_sentences_has_a_row_and_no_row_is_idle() -> None:
    words = set()
    for sentence in (example.RIVER, example.MONEY, example.OPEN):
        words |= set(sentence.replace(".", " .").split())
    assert words == set(example.EMBEDDINGS)


def test_rows_have_one_length_and_leave_the_last_coordinate_to_the_position() -> None:
    rows = [*example.EMBEDDINGS.values(), example.POSITION_STEP]
    assert {len(row) for row in rows} == {len(example.W_Q)} == {4}
    assert {row[-1] for row in example.EMBEDDINGS.values()} == {0}
    assert set(example.POSITION_STEP[:-1]) == {0} and example.POSITION_STEP[-1] > 0


def test_the_matrices_give_the_hand_example_at_its_three_tokens() -> None:
    for index, token in enumerate(example.TOKENS):
        row = example.EMBEDDINGS[token]
        for matrix, expected in ((example.W_K, example.KEYS), (example.W_V, example.VALUES)):
            product = [
                sum(x * w for x, w in zip(row, column, strict=True))
                for column in zip(*matrix, strict=True)
            ]
            assert product[:2] == list(expected[index])
    bank = example.EMBEDDINGS["bank"]
    query = [
        sum(x * w for x, w in zip(bank, c, strict=True)) for c in zip(*example.W_Q, strict=True)
    ]
    assert query == list(example.QUERY)
    assert (len(example.W_Q[0]), len(example.W_K[0]), len(example.W_V[0])) == (2, 2, 3)


def test_the_second_head_gives_its_scores_and_values_at_the_three_tokens() -> None:
    assert [len(rows) for rows in (example.SECOND_W_Q, example.SECOND_W_K)] == [4, 4]
    bank = example.EMBEDDINGS["bank"]
    query = [
        sum(x * row[c] for x, row in zip(bank, example.SECOND_W_Q, strict=True)) for c in (0, 1)
    ]
    for index, token in enumerate(example.TOKENS):
        x = example.EMBEDDINGS[token]
        key = [
            sum(a * row[c] for a, row in zip(x, example.SECOND_W_K, strict=True)) for c in (0, 1)
        ]
        value = [
            sum(a * row[c] for a, row in zip(x, example.SECOND_W_V, strict=True)) for c in range(3)
        ]
        score = (query[0] * key[0] + query[1] * key[1]) / math.sqrt(len(key))
        assert math.isclose(score, example.SECOND_HEAD_SCORES[index], abs_tol=1e-12)
        assert value == [*example.SECOND_HEAD_VALUES[index], 0]
    for first, second in (("W_Q", "SECOND_W_Q"), ("W_K", "SECOND_W_K"), ("W_V", "SECOND_W_V")):
        shapes = [[len(row) for row in getattr(example, name)] for name in (first, second)]
        assert shapes[0] == shapes[1]


def test_the_output_projection_takes_both_heads_and_leads_back_to_the_model() -> None:
    joined = len(example.W_V[0]) + len(example.SECOND_W_V[0])
    assert len(example.W_O) == joined == 6
    assert {len(row) for row in example.W_O} == {len(example.POSITION_STEP)} == {4}
    assert [len(row) for row in example.LAYER_TWO_W_Q] == [2] * 4


def test_what_the_readme_types_is_what_the_site_shows() -> None:
    typed = re.findall(r"\b\d\.\d{3,}", (tiny.ROOT / "README.md").read_text("utf-8"))
    weight = float(scores_and_weights.numbers()["fisherman"])
    assert set(typed) == {shown(weight), repr(weight)}, "correct README.md"
