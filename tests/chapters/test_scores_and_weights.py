"""The chapter's numbers against loops and `math`, from the running example's inputs."""

import math
import re
from decimal import ROUND_HALF_EVEN, Decimal, localcontext

import numpy as np
import pytest
from matplotlib.patches import Rectangle

from publisher.results import shown, shown_vector
from snippets import scores_and_weights as chapter
from snippets.running_example import KEYS, QUERY, TOKENS
from tests.by_hand import (
    contents,
    contiguous,
    dot,
    exact,
    hand_scores,
    hand_weights,
    plain,
    scores,
    softmax,
)

Vector = tuple[float, float]


def cosine(a: Vector, b: Vector) -> float:
    """Return the cosine of the angle between two arrows in the plane."""
    return math.cos(math.atan2(a[1], a[0]) - math.atan2(b[1], b[0]))


def test_numbers() -> None:
    s, a = hand_scores(), hand_weights()
    in_print = [Decimal(weight).quantize(Decimal("0.0001"), ROUND_HALF_EVEN) for weight in a]
    assert plain(chapter.numbers()) == exact(
        {
            "e": math.e,
            "d_k": len(QUERY),
            "query_first": QUERY[0],
            "query_second": QUERY[1],
            "key_first": KEYS[0][0],
            "key_second": KEYS[0][1],
            "product": dot(QUERY, KEYS[0]),
            "score_fisherman": s[0],
            "score_net": s[1],
            "score_bank": s[2],
            "exponential_bank": math.exp(s[2]),
            "exponential_sum": math.fsum(map(math.exp, s)),
            "fisherman": a[0],
            "net": a[1],
            "bank": a[2],
            "displayed_sum": float(sum(in_print)),
            "constant": chapter.CONSTANT,
            "fisherman_shifted": a[0],  # a constant changes nothing
            "fisherman_doubled": softmax([2 * score for score in s])[0],
        }
    )


def test_vectors_and_the_heaviest_token() -> None:
    rows = list(zip(chapter.COMPARED_KEYS, *compared(), strict=True))
    assert plain(chapter.vectors()) == exact(
        {
            "query": list(QUERY),
            "key_fisherman": list(KEYS[0]),
            "shifted_scores": [score + chapter.CONSTANT for score in hand_scores()],
            "compared_query": list(chapter.COMPARED_QUERY),
            "more_alike": list(max(rows, key=lambda row: row[1])[0]),
            "heavier": list(max(rows, key=lambda row: row[3])[0]),
        }
    )
    weight, token = max(zip(hand_weights(), TOKENS, strict=True))
    assert chapter.texts()["heaviest"] == token
    assert weight < 1


def compared() -> tuple[list[float], list[float], list[float]]:
    """Return cosines, scores and weights of the two keys under the other query."""
    query, keys = chapter.COMPARED_QUERY, chapter.COMPARED_KEYS
    products = scores(query, keys)
    return [cosine(query, key) for key in keys], products, softmax(products)


def test_table_of_the_hand_example() -> None:
    expected = zip(TOKENS, map(list, KEYS), hand_scores(), strict=True)
    assert contents(chapter.tables()["hand"]) == exact(list(map(list, expected)))


def test_table_from_score_to_weight() -> None:
    s = hand_scores()
    expected = zip(TOKENS, s, map(math.exp, s), hand_weights(), strict=True)
    assert contents(chapter.tables()["softmax"]) == exact(list(map(list, expected)))


def test_table_of_a_key_that_is_doubled_keeps_its_cosine() -> None:
    key, score, alike = KEYS[1], hand_scores()[1], cosine(QUERY, KEYS[1])
    assert contents(chapter.tables()["length"]) == exact(
        [[list(key), score, alike], [[2 * k for k in key], 2 * score, alike]]
    )


def test_table_of_two_keys_the_more_alike_is_not_the_heavier_one() -> None:
    rows = list(map(list, zip(map(list, chapter.COMPARED_KEYS), *compared(), strict=True)))
    assert contents(chapter.tables()["compared"]) == exact(rows)
    (alike, longer), root = rows, math.sqrt(len(chapter.COMPARED_QUERY))
    assert alike[0] == list(chapter.COMPARED_QUERY)
    assert alike[1] > longer[1] and alike[3] < longer[3]
    for key, alike_by, score, _ in rows:  # length times length times cosine, as the page says
        lengths = math.hypot(*key) * math.hypot(*chapter.COMPARED_QUERY)
        assert score == exact(lengths * alike_by / root)


def test_table_of_moved_scores_keeps_its_weights_or_not() -> None:
    s = hand_scores()
    doubled = softmax([2 * x for x in s])
    assert doubled != exact(hand_weights())
    assert contents(chapter.tables()["moved"]) == exact(
        [
            ["none", s, *hand_weights()],
            ["constant added", [x + chapter.CONSTANT for x in s], *hand_weights()],
            ["doubled", [2 * x for x in s], *doubled],
        ]
    )


def test_figure_shows_the_query_and_the_keys() -> None:
    figure = chapter.figures()["plane"]
    hand = list(zip(TOKENS, KEYS, hand_scores(), strict=True))
    assert contents(chapter.figures()["plane"].data) == exact(
        [["query at bank", *QUERY, "none"], *([token, *key, score] for token, key, score in hand)]
    )
    for token, key, score in hand:
        said = f"{token}, key {shown_vector(key)}, score {shown(score, form='short')}"
        assert said in figure.description
    assert f"Query at bank {shown_vector(QUERY, 'surd')};" in figure.description
    for narrow in (False, True):
        labels = [text.get_text() for text in figure.draw(narrow).axes[0].texts]
        for token, _, score in hand:
            assert f"{token}: {shown(score, form='short')}" in labels


def test_figure_of_shares_shows_them_in_words_data_and_bars() -> None:
    figure = chapter.figures()["shares"]
    s, weights = hand_scores(), hand_weights()
    exponentials = [math.exp(score) for score in s]
    expected = list(map(list, zip(TOKENS, s, exponentials, weights, strict=True)))
    assert contents(chapter.figures()["shares"].data) == exact(expected)
    for token, score, e, a in expected:
        said = f"{token}: score {score:g}, exponential {e:.4f}, weight {a:.4f}"
        assert said in figure.description
    for narrow in (False, True):
        (axes,) = figure.draw(narrow).axes
        bars = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
        assert contiguous(bars[1::2])
        tall, whole = ([bar.get_width() for bar in each] for each in (bars[::2], bars[1::2]))
        assert [w / max(tall) for w in tall] == exact([e / max(exponentials) for e in exponentials])
        assert [w / sum(whole) for w in whole] == exact(weights)


LINE = re.compile(r"(\S+) +e\^(\S+) = (\S+)   share = (\S+)")


def printed(text: str) -> list[tuple[str, ...]]:
    *lines, last = text.splitlines()
    assert last.startswith("sum") and last.endswith(" 1.0000")
    found = [LINE.fullmatch(line) for line in lines]
    return [line.groups() for line in found if line]


def test_demo_prints_the_weights(capsys: pytest.CaptureFixture[str]) -> None:
    chapter.softmax_by_hand()
    text = capsys.readouterr().out
    for row, token, score, weight in zip(
        printed(text), TOKENS, hand_scores(), hand_weights(), strict=True
    ):
        assert row == (token, f"{score:g}", f"{math.exp(score):.4f}", f"{weight:.4f}")
    assert f" {math.fsum(map(math.exp, hand_scores())):.4f} " in text.splitlines()[-1]


@pytest.mark.parametrize(
    "by_hand",
    [
        (2.0, 1.0, 0.0),
        (1.3, -0.7, 0.25),
        (1.3000000000000003, 0.1, -0.0),  # as a computation may leave them
        (math.sqrt(2), 1 / 3, -math.pi),
        (12.3456789, 11.5, -40.0),
        (40.1, 39.0, 17.25),
        (700.5, 699.3, -700.0),
        (-699.3, -700.5, -701.0),
    ],
)
def test_demo_prints_no_false_equation(
    by_hand: tuple[float, float, float],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(chapter, "hand_scores", lambda: np.array(by_hand))
    chapter.softmax_by_hand()
    rows = printed(capsys.readouterr().out)
    assert [float(row[1]) for row in rows] == pytest.approx(by_hand, rel=1e-14)
    with localcontext(prec=400):
        powers = [Decimal(power).exp() for _, power, *_ in rows]  # of what is printed
        for (*_, e, share), power in zip(rows, powers, strict=True):
            form = ".4e" if "e" in e else ".4f"
            assert Decimal(e) == Decimal(format(power, form))
            assert share == f"{power / sum(powers):.4f}"


@pytest.mark.parametrize("scores", [(800.0, 1.0, 0.0), (-800.0, -801.0, -802.0)])
def test_demo_prints_nothing_that_it_cannot_compute(
    scores: tuple[float, float, float],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(chapter, "hand_scores", lambda: np.array(scores))
    with pytest.raises(ArithmeticError):
        chapter.softmax_by_hand()
    assert capsys.readouterr().out == ""


def test_explorable_starts_from_the_hand_examples_scores() -> None:
    widget = chapter.widgets()["explorer"]
    assert widget.start["tokens"] == list(TOKENS)
    assert widget.start["scores"] == widget.start["before"] == exact(hand_scores())
    assert widget.start["constant"] == chapter.CONSTANT
    exponentials = [math.exp(score) for score in hand_scores()]
    assert chapter.widgets()["explorer"].results == exact(
        {
            "exponentials": exponentials,
            "sum": math.fsum(exponentials),
            "weights": hand_weights(),
            "weights_before": hand_weights(),
        }
    )


def test_what_the_text_says() -> None:
    page = "docs/scores-and-weights.md"
    assert hand_scores()[2] == 0, f"{page}, 'any number to the power of zero': bank has a score"
    assert QUERY[1] == 0, f"{page}, caption of the plane: the query leaves the first axis"
