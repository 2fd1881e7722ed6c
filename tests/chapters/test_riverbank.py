"""The route and the exercises against `math`; each wrong answer against the mistake it names."""

import math

import pytest

from snippets import riverbank as chapter
from snippets import running_example as example
from snippets.running_example import KEYS, MONEY, QUERY, RIVER, VALUES, W_Q
from tests.by_hand import (
    WORDS,
    dot,
    exact,
    hand_weights,
    mixture_at,
    plain,
    rows,
    scores,
    softmax,
    times,
)

TOKENS = list(example.TOKENS)
D_K = len(QUERY)
# The three queries in the river sentence, their dot products with the keys, and the scores.
QUERIES = [times(rows(WORDS[RIVER])[WORDS[RIVER].index(token)], W_Q) for token in TOKENS]
PRODUCTS = [[dot(query, key) for key in KEYS] for query in QUERIES]
SCORES = [scores(query, KEYS) for query in QUERIES]
FISHERMAN, NET, BANK = range(3)


def slowly(sentence: str) -> list[float]:
    """Return the mixture at bank, from the words on, with `math` alone."""
    return mixture_at(rows(WORDS[sentence]), WORDS[sentence].index("bank"))


def third_columns() -> list[float]:
    """Return net's row after softmax down the columns: each key meets the queries that may use it.

    The key of fisherman meets all three queries, that of net its own and bank's.
    """
    first = softmax([SCORES[i][FISHERMAN] for i in (FISHERMAN, NET, BANK)])
    second = softmax([SCORES[i][NET] for i in (NET, BANK)])
    return [first[1], second[0], 0.0]


@pytest.mark.parametrize("sentence", [RIVER, MONEY])
def test_the_route_from_words_to_mixture(sentence: str) -> None:
    assert chapter.mixture_at_bank(sentence).tolist() == exact(slowly(sentence))


def test_numbers() -> None:
    with open(chapter.__file__, encoding="utf-8") as file:
        body = file.read().split("def mixture_at_bank")[1].split("\n\n\n")[0].splitlines()
    assert plain(chapter.numbers()) == exact(
        {
            "lines": sum(line.startswith("    ") for line in body) - 1,
            "d_k": D_K,
            "third_total": 1,
            "third_cut_total": math.fsum(softmax(SCORES[NET])[:BANK]),
            "third_columns_total": math.fsum(third_columns()),
        }
    )


def test_vectors() -> None:
    first, net = softmax(SCORES[FISHERMAN]), SCORES[NET]
    assert plain(chapter.vectors()) == exact(
        {
            "river": slowly(RIVER),
            "money": slowly(MONEY),
            "first_query": QUERIES[FISHERMAN],
            "second_query": QUERIES[NET],
            "first": first,
            "first_not_divided": softmax(PRODUCTS[FISHERMAN]),
            "first_by_d_k": softmax([product / D_K for product in PRODUCTS[FISHERMAN]]),
            "first_no_exponentials": [s / sum(SCORES[FISHERMAN]) for s in SCORES[FISHERMAN]],
            "second": times(first, VALUES),
            "second_rounded": times([round(weight, 1) for weight in first], VALUES),
            "second_not_divided": times(softmax(PRODUCTS[FISHERMAN]), VALUES),
            "second_keys": times(first, KEYS),
            "second_equal": [sum(column) / len(VALUES) for column in zip(*VALUES, strict=True)],
            "third": [*softmax(net[:BANK]), 0.0],
            "third_no_mask": softmax(net),
            "third_ahead": [0.0, *softmax(net[NET:])],
            "third_not_divided": [*softmax(PRODUCTS[NET][:BANK]), 0.0],
            "third_cut": [*softmax(net)[:BANK], 0.0],
            "third_zero": softmax([*net[:BANK], 0.0]),
            "third_columns": third_columns(),
        }
    )
    assert chapter.vectors()["third"][2] == 0  # not nearly


def test_the_inputs_of_the_exercises() -> None:
    expected = zip(TOKENS, QUERIES, map(list, KEYS), map(list, VALUES), strict=True)
    assert plain(chapter.tables()["inputs"].rows) == exact([list(row) for row in expected])


def test_the_demo_prints_both(capsys: pytest.CaptureFixture[str]) -> None:
    chapter.both_banks()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0::2] == [RIVER, MONEY]
    for line, sentence in zip(lines[1::2], (RIVER, MONEY), strict=True):
        printed = line.partition("[")[2].rstrip("]").split()
        assert [float(z) for z in printed] == pytest.approx(slowly(sentence), abs=5.1e-5)


@pytest.mark.parametrize("exercise", ["first", "second", "third"])
def test_no_two_answers_look_alike(exercise: str) -> None:
    answers = [
        tuple(f"{x:.4f}" for x in vector)
        for name, vector in chapter.vectors().items()
        if name.startswith(exercise) and not name.endswith("query")
    ]
    assert len(answers) == len(set(answers)) >= 4


def says(claim: bool, sentence: str) -> None:
    assert claim, f'docs/riverbank.md: change the sentence "{sentence}"'


def test_what_the_text_says() -> None:
    """Claims that hold for these inputs; on failure, change the sentence that is quoted."""
    apart = math.dist(slowly(RIVER), slowly(MONEY))
    says(apart > 1, "One embedding row and one query went in. ... came out beside the fisherman")
    longer = [coordinate * math.sqrt(D_K) for coordinate in QUERIES[FISHERMAN]]
    says(list(QUERY) == exact(longer), "It points the same way as this one and is longer")
    left_out = softmax(PRODUCTS[FISHERMAN])
    says(left_out == exact(hand_weights()), "You may recognise the weights of the query at bank")
    says(max(softmax(SCORES[FISHERMAN])) < max(left_out), "a longer query makes sharper weights")
    one, two = (
        times([round(weight, decimals) for weight in softmax(SCORES[FISHERMAN])], VALUES)
        for decimals in (1, 2)
    )
    says(one == exact(two), "you rounded the weights before mixing, to one decimal or to two")
