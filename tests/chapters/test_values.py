"""The chapter's mixtures against slow loops in `math`, from the words to the last digit."""

import math
from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Decimal

import pytest
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from publisher.results import shown, shown_vector
from snippets import values as chapter
from snippets.running_example import KEYS, MONEY, QUERY, RIVER, TOKENS, VALUES, W_K, W_Q, W_V
from tests.by_hand import (
    WORDS,
    contents,
    contiguous,
    dot,
    exact,
    hand_scores,
    hand_weights,
    plain,
    rows,
    scores,
    softmax,
    times,
)

PAGE = "docs/values.md"


def hand_mixture() -> list[float]:
    return times(hand_weights(), VALUES)


def given() -> list[list[float]]:
    """Return what each value of the hand example gives to the mixture."""
    return [[a * v for v in value] for a, value in zip(hand_weights(), VALUES, strict=True)]


def equal_mixture() -> list[float]:
    return [math.fsum(column) / len(VALUES) for column in zip(*VALUES, strict=True)]


def slowly(sentence: str, only: Sequence[str] = ()) -> dict[str, list]:
    """Take a sentence through the head with loops and `math` alone, for the query at bank."""
    words = WORDS[sentence]
    x = rows(words)
    query = times(x[words.index("bank")], W_Q)
    kept = [row for word, row in zip(words, x, strict=True) if not only or word in only]
    keys, values = ([times(row, matrix) for row in kept] for matrix in (W_K, W_V))
    weights = softmax(scores(query, keys))
    return {"x": kept, "query": query, "keys": keys, "scores": scores(query, keys),
            "weights": weights, "values": values, "mixture": times(weights, values)}  # fmt: skip


def heaviest(sentence: str) -> str:
    weights = slowly(sentence)["weights"]
    named = zip(WORDS[sentence], weights, strict=True)
    return " and ".join(w for w, a in named if math.isclose(a, max(weights), rel_tol=1e-9))


def test_numbers() -> None:
    weights = dict(zip(WORDS[RIVER], slowly(RIVER)["weights"], strict=True))
    first, net, _ = hand_weights()
    assert (
        plain(chapter.numbers())
        == exact(
            {
                "d_k": len(W_K[0]),
                "d_v": len(W_V[0]),
                "hand_d_v": len(VALUES[0]),
                "length": len(WORDS[RIVER]),
                "position": 1 + WORDS[RIVER].index("bank"),
                "first": hand_mixture()[0],
                "largest_in_first": max(row[0] for row in given()),
                "largest_in_second": max(row[1] for row in given()),
                "first_smallest": min(value[0] for value in VALUES),
                "first_largest": max(value[0] for value in VALUES),
                "coordinate_sum": math.fsum(hand_mixture()),
                "low_score": chapter.LOW_SCORE,
                "underflow": 1075 * math.log(2),  # half of 2^-1074, the least double
                "low_weight": softmax([*hand_scores()[:2], chapter.LOW_SCORE])[2],
                "fisherman_of_all": weights["fisherman"],
                "bank_of_all": weights["bank"],
                "ratio_of_three": first / net,
                "ratio_of_all": weights["fisherman"] / weights["net"],
            }
        )
    )


def test_vectors() -> None:
    rounded = [
        float(Decimal(a).quantize(Decimal("0.0001"), ROUND_HALF_EVEN)) for a in hand_weights()
    ]
    among_three = slowly(RIVER, TOKENS)
    assert plain(chapter.vectors()) == exact(
        {
            "mixture": hand_mixture(),
            "rounded_weights": rounded,
            "rounded_mixture": times(rounded, VALUES),
            "equal_mixture": equal_mixture(),
            "difference": [z - e for z, e in zip(hand_mixture(), equal_mixture(), strict=True)],
            "corner": [max(column) for column in zip(*VALUES, strict=True)],
            "weights_among_three": among_three["weights"],
            "mixture_among_three": among_three["mixture"],
        }
    )


def test_who_gives_most_to_each_coordinate() -> None:
    first, second = (
        max(zip(column, TOKENS, strict=True))[1] for column in zip(*given(), strict=True)
    )
    assert chapter.texts() == {"first_from": first, "second_from": second}


def test_contributions() -> None:
    parts = zip(TOKENS, hand_weights(), map(list, VALUES), given(), strict=True)
    assert contents(chapter.tables()["contributions"]) == exact(
        [*map(list, parts), ["sum", 1, "", hand_mixture()]]
    )


def test_mixture_stays_between_the_values() -> None:
    for z, column in zip(hand_mixture(), zip(*VALUES, strict=True), strict=True):
        assert min(column) < z < max(column)


def test_sentences_from_the_words_to_the_mixture() -> None:
    expected = {"river": RIVER, "money": MONEY}
    for name, sentence in expected.items():
        slow = slowly(sentence)
        columns = [slow[key] for key in ("x", "keys", "scores", "weights", "values")]
        assert contents(chapter.tables()[name]) == exact(
            list(map(list, zip(WORDS[sentence], *columns, strict=True)))
        )
        mixture, weights = chapter.at_bank(sentence)
        assert mixture.tolist() == exact(slow["mixture"])
        assert weights.tolist() == exact(slow["weights"])


def test_same_place_same_query_different_mixture() -> None:
    both = (RIVER, MONEY)
    assert contents(chapter.tables()["twice"]) == exact(
        [
            ["Position", *(1 + WORDS[s].index("bank") for s in both)],
            ["Tokens in all", *(len(WORDS[s]) for s in both)],
            ["Representation $x$", *(rows(WORDS[s])[WORDS[s].index("bank")] for s in both)],
            ["Query $q$", *(slowly(s)["query"] for s in both)],
            ["Largest weight", *(heaviest(s) for s in both)],
            ["Mixture $z$", *(slowly(s)["mixture"] for s in both)],
        ]
    )
    for name, river, money in contents(chapter.tables()["twice"])[:4]:
        assert river == money, name  # to the last bit


def test_figure_of_the_whole_calculation() -> None:
    figure = chapter.figures()["mixture"]
    expected = []
    columns = (TOKENS, KEYS, hand_scores(), hand_weights(), VALUES, given())
    for token, key, score, weight, value, part in zip(*columns, strict=True):
        expected.append([token, list(key), dot(QUERY, key), score, weight, list(value), part])
        said = f"{token}: key {shown_vector(key)}, score {shown(score, form='short')}, weight "
        assert f"{said}{weight:.4f}, value {shown_vector(value)}," in figure.description
    expected.append(["sum", "", "", "", 1, "", hand_mixture()])
    assert contents(chapter.figures()["mixture"].data) == exact(expected)
    assert f"The query at bank is {shown_vector(QUERY, 'surd')}." in figure.description
    assert f"the output {shown_vector(hand_mixture(), '')}." in figure.description


@pytest.mark.parametrize("narrow", [False, True])
def test_drawing_of_the_whole_calculation(narrow: bool) -> None:
    axes = chapter.figures()["mixture"].draw(narrow).axes[0]
    drawn = words(axes)
    assert f"q = {shown_vector(QUERY, 'surd')}" in drawn
    assert f"z = {shown_vector(hand_mixture(), '')}" in drawn
    for key, score, weight, part in zip(KEYS, hand_scores(), hand_weights(), given(), strict=True):
        assert {shown_vector(key), f"{score:g}", f"{weight:.4f}"} <= set(drawn)
        assert shown(dot(QUERY, key), form="surd") in drawn
        assert shown_vector(part, "") in drawn
    # Each weight is drawn twice: as its own bar, and as its part of the whole.
    whole = 140 if narrow else 66
    bars = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    parts = [bar for bar in bars if bar.get_y() == bars[-1].get_y()]
    assert contiguous(parts)
    assert [bar.get_width() for bar in parts] == exact([a * whole for a in hand_weights()])
    for weight in hand_weights():
        assert sum(math.isclose(bar.get_width(), weight * whole) for bar in bars) == 2


def words(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def test_figure_of_what_lies_between() -> None:
    figure = chapter.figures()["between"]
    expected = [
        *([token, list(value)] for token, value in zip(TOKENS, VALUES, strict=True)),
        ["equal weights", equal_mixture()],
        ["mixture at bank", hand_mixture()],
    ]
    assert contents(chapter.figures()["between"].data) == exact(expected)
    assert f"mixture at bank at {shown_vector(hand_mixture(), '')}" in figure.description
    for narrow in (False, True):
        lines = figure.draw(narrow).axes[0].lines
        marks = [line.get_xydata()[0].tolist() for line in lines[-len(expected) :]]
        assert marks == exact([point for _, point in expected])


def test_figure_of_two_sentences() -> None:
    figure = chapter.figures()["sentences"]
    scale = 126 / max(max(slowly(s)["weights"]) for s in (RIVER, MONEY))
    n = len(WORDS[RIVER])
    expected: list[list[object]] = []
    for name, sentence in (("River", RIVER), ("Money", MONEY)):
        slow = slowly(sentence)
        expected.append([name, "", "query", slow["query"]])
        weighed = zip(WORDS[sentence], slow["weights"], strict=True)
        expected += [[name, i, token, weight] for i, (token, weight) in enumerate(weighed, 1)]
        expected.append([name, "", "mixture", slow["mixture"]])
        mixture = shown_vector(slow["mixture"], "")
        assert f", full stop {slow['weights'][-1]:.4f}; mixture {mixture}" in figure.description
        for narrow in (False, True):
            axes = figure.draw(narrow).axes[0]
            assert f"z = {mixture}" in words(axes)
            assert f"q = {shown_vector(slow['query'], 'surd')}" in words(axes)
            # The bars are as long as the weights say, on one scale for both sentences.
            widths = [p.get_width() for p in axes.patches if isinstance(p, Rectangle)]
            bars = widths[:n] if sentence == RIVER else widths[n:]
            assert bars == exact([scale * weight for weight in slow["weights"]])
    assert contents(chapter.figures()["sentences"].data) == exact(expected)


def test_demo_prints_the_mixture(capsys: pytest.CaptureFixture[str]) -> None:
    chapter.mix_by_hand()
    *lines, last = capsys.readouterr().out.splitlines()
    columns = list(zip(*VALUES, strict=True))
    for i, (line, column, z) in enumerate(zip(lines, columns, hand_mixture(), strict=True), 1):
        products = [f"{a:.4f}*{v:g}" for a, v in zip(hand_weights(), column, strict=True)]
        assert line == f"z_{i} = {' + '.join(products)} = {z:.4f}"
    printed = last.removeprefix("attention() gives [").removesuffix("]")
    assert [float(z) for z in printed.split()] == pytest.approx(hand_mixture(), abs=5.1e-5)


def test_explorable_starts_from_the_hand_example() -> None:
    widget = chapter.widgets()["explorer"]
    assert widget.start["query"] == list(QUERY)
    assert widget.start["divisor"] == len(QUERY)
    assert widget.start["tokens"] == [
        {"name": name, "key": list(key), "value": list(value), "use": True}
        for name, key, value in zip(TOKENS, KEYS, VALUES, strict=True)
    ]
    results = {
        "products": [dot(QUERY, key) for key in KEYS],
        "scores": hand_scores(),
        "exponentials": [math.exp(score) for score in hand_scores()],
        "weights": hand_weights(),
        "contributions": given(),
        "output": hand_mixture(),
        "equal": equal_mixture(),
    }
    assert chapter.widgets()["explorer"].results == exact(results)


def test_what_the_text_says() -> None:
    numbers, vectors = plain(chapter.numbers()), plain(chapter.vectors())
    printed = {name: shown_vector(vectors[name], "") for name in ("mixture", "rounded_mixture")}
    sums = {math.fsum(value) for value in VALUES}
    first, *others = sorted(zip(VALUES, TOKENS, strict=True), reverse=True)
    for sentence, holds in {
        "Most of it ... comes from": numbers["largest_in_first"] > numbers["first"] / 2,
        "Almost. The printed weights lead to": len(set(printed.values())) == 2,
        "The hull of our three values is as thin as a line": len(sums) == 1,
        "asks for all the weight on fisherman": first[1] == "fisherman" and first[0][1] == 0,
        "and that leaves nothing": others[0][0][0] < first[0][0],
        "and its weight is still": f"{numbers['low_weight']:.8f}".strip("0."),
        "about ... below the largest score": (
            math.exp(-math.ceil(numbers["underflow"]))
            == 0
            < math.exp(-math.floor(numbers["underflow"]))
        ),
        "The weight falls": numbers["fisherman_of_all"] < hand_weights()[0],
        "The ratio stays": numbers["ratio_of_all"] == exact(numbers["ratio_of_three"]),
        "The weight of bank is only": numbers["bank_of_all"] < 1 / numbers["length"],
        "The hand example comes back": vectors["weights_among_three"] == exact(hand_weights()),
        "Its first coordinates are the hand example's": (
            vectors["mixture_among_three"][: len(VALUES[0])] == exact(hand_mixture())
        ),
        "Two different mixtures came out": slowly(RIVER)["mixture"] != slowly(MONEY)["mixture"],
    }.items():
        assert holds, f"{PAGE}: no longer so: '{sentence}'"
