"""The route and the exercises against `math`; each wrong answer against the mistake it names."""

import math
from collections.abc import Sequence

import pytest

from snippets import riverbank as chapter
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
from tests.by_hand import WORDS, dot, exact, plain

ROOT = math.sqrt(2)


def shares(scores: Sequence[float]) -> list[float]:
    exponentials = [math.exp(s) for s in scores]
    return [e / math.fsum(exponentials) for e in exponentials]


def mix(weights: Sequence[float], rows: Sequence[Sequence[float]]) -> list[float]:
    return [dot(weights, column) for column in zip(*rows, strict=True)]


def slowly(sentence: str) -> list[float]:
    """Return the mixture at bank, from the words on, with `math` alone."""
    x = [
        [e + p * s for e, s in zip(EMBEDDINGS[word], POSITION_STEP, strict=True)]
        for p, word in enumerate(WORDS[sentence], start=1)
    ]

    def times(row: Sequence[float], matrix: Sequence[Sequence[float]]) -> list[float]:
        return [dot(row, column) for column in zip(*matrix, strict=True)]

    query = times(x[7], W_Q)
    weights = shares([dot(query, times(row, W_K)) / ROOT for row in x])
    return mix(weights, [times(row, W_V) for row in x])


@pytest.mark.parametrize("sentence", [RIVER, MONEY])
def test_the_route_from_words_to_mixture(sentence: str) -> None:
    assert chapter.mixture_at_bank(sentence).tolist() == exact(slowly(sentence))


def test_the_vectors_of_the_route() -> None:
    vectors = chapter.vectors()
    assert vectors["river"].tolist() == exact(slowly(RIVER))
    assert vectors["money"].tolist() == exact(slowly(MONEY))
    assert math.dist(slowly(RIVER), slowly(MONEY)) > 1


def test_the_demo_prints_both(capsys: pytest.CaptureFixture[str]) -> None:
    chapter.both_banks()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0::2] == [RIVER, MONEY]
    for line, sentence in zip(lines[1::2], (RIVER, MONEY), strict=True):
        assert line.endswith(f"[{' '.join(f'{z:.4f}' for z in slowly(sentence))}]")


def test_the_lines_of_the_route_are_counted() -> None:
    with open(chapter.__file__, encoding="utf-8") as file:
        source = file.read()
    body = source.split("def mixture_at_bank")[1].split("\n\n\n")[0].splitlines()
    assert chapter.numbers()["lines"] == sum(line.startswith("    ") for line in body) - 1


def test_the_inputs_of_the_exercises() -> None:
    rows = chapter.tables()["inputs"].rows
    queries = [[1, 0], [0, 1], [ROOT, 0]]
    assert [row[0] for row in rows] == ["fisherman", "net", "bank"]
    for row, query, key, value in zip(rows, queries, KEYS, VALUES, strict=True):
        assert plain(row[1:]) == [exact(query), exact(list(key)), exact(list(value))]
    vectors = chapter.vectors()
    assert plain(vectors["first_query"]) == exact([1, 0])
    assert plain(vectors["second_query"]) == exact([0, 1])
    assert chapter.numbers()["d_k"] == 2 == len(QUERY)
    # "Points the same way and is longer, by the very factor": bank's query is the root times it.
    assert list(QUERY) == exact([ROOT * c for c in (1, 0)])


def test_first_exercise_and_its_slips() -> None:
    products = [2.0, 1.0, 0.0]
    assert [dot((1, 0), key) for key in KEYS] == products
    vectors = chapter.vectors()
    assert vectors["first"].tolist() == exact(shares([p / ROOT for p in products]))
    assert vectors["first_not_divided"].tolist() == exact(shares(products))
    assert vectors["first_by_d_k"].tolist() == exact(shares([p / 2 for p in products]))
    assert vectors["first_no_exponentials"].tolist() == exact([2 / 3, 1 / 3, 0])
    # The weights of the query at bank, which are sharper.
    at_bank = shares([dot(QUERY, key) / ROOT for key in KEYS])
    assert vectors["first_not_divided"].tolist() == exact(at_bank)
    assert max(vectors["first"]) < max(at_bank)


def test_second_exercise_and_its_slips() -> None:
    right = shares([2 / ROOT, 1 / ROOT, 0])
    vectors = chapter.vectors()
    assert vectors["second"].tolist() == exact(mix(right, VALUES))
    # One decimal or two: the mixture is the same.
    for decimals in (1, 2):
        rounded = [round(weight, decimals) for weight in right]
        assert vectors["second_rounded"].tolist() == exact(mix(rounded, VALUES))
    at_bank = shares([dot(QUERY, key) / ROOT for key in KEYS])
    assert vectors["second_not_divided"].tolist() == exact(mix(at_bank, VALUES))
    assert vectors["second_keys"].tolist() == exact(mix(right, KEYS))
    assert vectors["second_equal"].tolist() == exact([1, 1])


def test_third_exercise_and_its_slips() -> None:
    s = 1 / ROOT  # net's query is (0, 1): its dot products are 0, 1, 1
    assert [dot((0, 1), key) for key in KEYS] == [0, 1, 1]
    vectors, numbers = chapter.vectors(), chapter.numbers()
    assert vectors["third"].tolist() == exact([*shares([0, s]), 0])
    assert vectors["third"][2] == 0  # not nearly
    assert numbers["third_total"].value == exact(1)
    free = shares([0, s, s])
    assert vectors["third_no_mask"].tolist() == exact(free)
    assert vectors["third_ahead"].tolist() == exact([0, *shares([s, s])])
    assert vectors["third_not_divided"].tolist() == exact([*shares([0, 1]), 0])
    assert vectors["third_cut"].tolist() == exact([free[0], free[1], 0])
    assert numbers["third_cut_total"] == exact(1 - free[2])
    assert vectors["third_zero"].tolist() == exact(shares([0, s, 0]))
    # Down the columns: fisherman's key meets all three queries, net's its own and bank's.
    first_column = shares([dot(q, KEYS[0]) / ROOT for q in ((1, 0), (0, 1), (ROOT, 0))])
    second_column = shares([dot(q, KEYS[1]) / ROOT for q in ((0, 1), (ROOT, 0))])
    assert vectors["third_columns"].tolist() == exact([first_column[1], second_column[0], 0])
    assert numbers["third_columns_total"] == exact(first_column[1] + second_column[0])


@pytest.mark.parametrize("exercise", ["first", "second", "third"])
def test_no_two_answers_look_alike(exercise: str) -> None:
    answers = [
        tuple(f"{x:.4f}" for x in vector)
        for name, vector in chapter.vectors().items()
        if name.startswith(exercise) and not name.endswith("query")
    ]
    assert len(answers) == len(set(answers)) >= 4
