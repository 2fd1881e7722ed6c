"""The inputs are those of the brief, and fit together."""

import math

from snippets import running_example as example


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
