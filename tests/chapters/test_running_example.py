"""The inputs and the numbers that the site's text follows: the one place that types them.

Whoever changes an input turns this file red, and beside it only tests named after what a text says.
"""

import math

from snippets import running_example as example
from snippets.attention import attention, softmax
from tests.by_hand import exact, hand_scores, hand_weights, scores, times
from tests.by_hand import softmax as softmax_by_hand


def digits(numbers: list[float]) -> list[str]:
    """Return numbers with four decimals, as the article prints them."""
    return [f"{number:.4f}" for number in numbers]


def test_the_three_sentences_are_quoted_exactly() -> None:
    assert example.RIVER == "The fisherman repaired his net beside the bank."
    assert example.MONEY == "The cashier counted the money inside the bank."
    assert example.OPEN == "The bank flooded after the storm."


def test_the_hand_example_is_the_articles() -> None:
    assert example.TOKENS == ("fisherman", "net", "bank")
    assert (math.sqrt(2), 0) == example.QUERY
    assert example.KEYS == ((2, 0), (1, 1), (0, 1))
    assert example.VALUES == ((2, 0), (0, 2), (1, 1))
    assert example.SECOND_HEAD_SCORES == (1, 2, 0)
    assert example.SECOND_HEAD_VALUES == ((1, 1), (3, 0), (0, 2))


def test_the_hand_examples_results_are_the_articles() -> None:
    assert hand_scores() == exact([2, 1, 0])
    assert digits(hand_weights()) == ["0.6652", "0.2447", "0.0900"]
    assert digits(times(hand_weights(), example.VALUES)) == ["1.4205", "0.5795"]
    output, weights = attention([example.QUERY], example.KEYS, example.VALUES)
    assert digits(weights[0].tolist()) == ["0.6652", "0.2447", "0.0900"]
    assert digits(output[0].tolist()) == ["1.4205", "0.5795"]


def test_in_the_second_head_fisherman_and_net_trade_their_weights() -> None:
    weights = softmax_by_hand(example.SECOND_HEAD_SCORES)
    fisherman, net, bank = hand_weights()
    assert weights == exact([net, fisherman, bank])
    assert digits(weights) == ["0.2447", "0.6652", "0.0900"]
    assert digits(softmax(example.SECOND_HEAD_SCORES).tolist()) == ["0.2447", "0.6652", "0.0900"]
    assert digits(times(weights, example.SECOND_HEAD_VALUES)) == ["2.2405", "0.4248"]


def test_the_embeddings_and_the_step_are_the_articles() -> None:
    at = example.EMBEDDINGS
    assert [at[token] for token in example.TOKENS] == [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0)]
    assert example.POSITION_STEP == (0, 0, 0, 1 / 8)


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
    x = [example.EMBEDDINGS[token] for token in example.TOKENS]
    width = len(example.VALUES[0])
    assert times(x[-1], example.W_Q) == list(example.QUERY)
    assert [times(row, example.W_K) for row in x] == [list(key) for key in example.KEYS]
    values = [times(row, example.W_V) for row in x]
    assert values == [[*value, 0] for value in example.VALUES]
    assert (len(example.W_Q[0]), len(example.W_K[0]), len(example.W_V[0])) == (2, 2, width + 1)


def test_the_second_head_gives_its_scores_and_values_at_the_three_tokens() -> None:
    x = [example.EMBEDDINGS[token] for token in example.TOKENS]
    query = times(x[-1], example.SECOND_W_Q)
    keys = [times(row, example.SECOND_W_K) for row in x]
    assert scores(query, keys) == exact(list(example.SECOND_HEAD_SCORES))
    values = [times(row, example.SECOND_W_V) for row in x]
    assert values == [[*value, 0] for value in example.SECOND_HEAD_VALUES]
    for first, second in (("W_Q", "SECOND_W_Q"), ("W_K", "SECOND_W_K"), ("W_V", "SECOND_W_V")):
        one, other = ([len(row) for row in getattr(example, name)] for name in (first, second))
        assert one == other


def test_the_output_projection_takes_both_heads_and_leads_back_to_the_model() -> None:
    joined = len(example.W_V[0]) + len(example.SECOND_W_V[0])
    assert len(example.W_O) == joined == 6
    assert {len(row) for row in example.W_O} == {len(example.POSITION_STEP)} == {4}
    assert [len(row) for row in example.LAYER_TWO_W_Q] == [2] * 4
