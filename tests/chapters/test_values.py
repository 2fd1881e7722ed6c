"""The chapter's mixtures against slow loops in `math`, from the words to the last digit."""

import math
from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Decimal

import pytest
from matplotlib.patches import Rectangle

from snippets import running_example as example
from snippets import values as chapter
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
from tests.by_hand import WORDS, exact, plain, times

ROOT = math.sqrt(2)
E = math.e
TOTAL = E**2 + E + 1
WEIGHTS = [E**2 / TOTAL, E / TOTAL, 1 / TOTAL]
MIXTURE = [WEIGHTS[0] * 2 + WEIGHTS[2], WEIGHTS[1] * 2 + WEIGHTS[2]]


def slowly(sentence: str, only: Sequence[str] = ()) -> dict[str, list]:
    """Take a sentence through the head with loops and `math` alone, for the query at bank."""
    words = WORDS[sentence]
    x = [
        [e + p * s for e, s in zip(EMBEDDINGS[word], POSITION_STEP, strict=True)]
        for p, word in enumerate(words, start=1)
    ]
    query = times(x[7], W_Q)
    kept = [row for word, row in zip(words, x, strict=True) if not only or word in only]
    keys = [times(row, W_K) for row in kept]
    scores = [math.fsum(q * k for q, k in zip(query, key, strict=True)) / ROOT for key in keys]
    total = math.fsum(math.exp(score) for score in scores)
    weights = [math.exp(score) / total for score in scores]
    values = [times(row, W_V) for row in kept]
    mixture = times(weights, values)
    return {"x": kept, "query": query, "keys": keys, "scores": scores, "weights": weights,
            "values": values, "mixture": mixture}  # fmt: skip


def test_mixture_by_hand() -> None:
    assert VALUES == ((2, 0), (0, 2), (1, 1))
    assert chapter.vectors()["mixture"].tolist() == exact(MIXTURE)
    assert [f"{z:.4f}" for z in MIXTURE] == ["1.4205", "0.5795"]
    assert chapter.numbers()["first"] == exact(MIXTURE[0])
    assert chapter.numbers()["hand_d_v"] == len(MIXTURE)


def test_contributions() -> None:
    *rows, total = chapter.tables()["contributions"].rows
    assert [row[0] for row in rows] == ["fisherman", "net", "bank"]
    for row, weight, value in zip(rows, WEIGHTS, VALUES, strict=True):
        assert plain(row[1:3]) == [exact(weight), exact(list(value))]
        assert row[3] == exact([weight * value[0], weight * value[1]])
    assert (plain(total[1]), total[3]) == (exact(1), exact(MIXTURE))


def test_who_contributes_most() -> None:
    numbers, texts = chapter.numbers(), chapter.texts()
    assert texts["first_from"] == "fisherman"
    assert numbers["largest_in_first"] == exact(2 * WEIGHTS[0])
    assert numbers["largest_in_first"] > numbers["first"] / 2  # "most of it"
    assert texts["second_from"] == "net"
    assert numbers["largest_in_second"] == exact(2 * WEIGHTS[1])
    assert 2 * WEIGHTS[1] > WEIGHTS[2] > 0


def test_rounded_weights_give_a_slightly_different_mixture() -> None:
    vectors = chapter.vectors()
    places = Decimal("0.0001")
    rounded = [float(Decimal(a).quantize(places, ROUND_HALF_EVEN)) for a in WEIGHTS]
    assert vectors["rounded_weights"] == rounded
    mixture = [2 * rounded[0] + rounded[2], 2 * rounded[1] + rounded[2]]
    assert vectors["rounded_mixture"].tolist() == exact(mixture)
    for one, other in zip(mixture, MIXTURE, strict=True):
        assert f"{one:.4f}" != f"{other:.4f}"  # seen in print,
        assert abs(one - other) < 2e-4  # and only just


def test_equal_weights() -> None:
    vectors = chapter.vectors()
    equal = [(2 + 0 + 1) / 3, (0 + 2 + 1) / 3]
    assert equal == [1, 1]
    assert plain(vectors["equal_mixture"]) == exact(equal)
    difference = [z - e for z, e in zip(MIXTURE, equal, strict=True)]
    assert vectors["difference"].tolist() == exact(difference)


def test_softmax_gives_no_zero_until_the_digits_run_out() -> None:
    numbers = chapter.numbers()
    low = numbers["low_score"].value
    assert low == -10
    weight = math.exp(low) / (E**2 + E + math.exp(low))
    assert numbers["low_weight"].value == exact(weight)
    assert f"{weight:.8f}".strip("0.")  # the printed digits show that it is not zero
    gap = numbers["underflow"].value
    assert math.exp(-math.floor(gap)) > 0
    assert math.exp(-math.ceil(gap)) == 0


def test_mixture_stays_between_the_values() -> None:
    numbers, vectors = chapter.numbers(), chapter.vectors()
    first = [value[0] for value in VALUES]
    assert numbers["first_smallest"].value == min(first) == 0
    assert numbers["first_largest"].value == max(first) == 2
    assert min(first) < MIXTURE[0] < max(first)
    # The values lie on one line, x + y = 2, which misses the corner.
    assert {sum(value) for value in VALUES} == {2}
    assert numbers["coordinate_sum"].value == exact(2)
    assert plain(vectors["corner"]) == [2, 2]
    # Only one value reaches the largest first coordinate, and its second is zero.
    assert [value for value in VALUES if value[0] == max(first)] == [(2, 0)]


@pytest.mark.parametrize(("name", "sentence"), [("river", RIVER), ("money", MONEY)])
def test_sentences_end_to_end(name: str, sentence: str) -> None:
    table = chapter.tables()["river" if name == "river" else "money"]
    slow = slowly(sentence)
    assert [row[0] for row in table.rows] == WORDS[sentence]
    for column, key in enumerate(("x", "keys", "scores", "weights", "values"), start=1):
        shown = [plain(row[column]) for row in table.rows]
        assert shown == [exact(value) for value in slow[key]]
    mixture, weights = chapter.at_bank(sentence)
    assert mixture.tolist() == exact(slow["mixture"])
    assert weights.tolist() == exact(slow["weights"])


def test_same_place_same_query_different_mixture() -> None:
    rows = {row[0]: [plain(cell) for cell in row[1:]] for row in chapter.tables()["twice"].rows}
    assert rows["Position"] == [8, 8]
    assert rows["Tokens in all"] == [9, 9]
    river, money = rows["Representation $x$"]
    assert river == money  # to the last bit
    assert river == exact([0, 0, 1, 1])
    river, money = rows["Query $q$"]
    assert river == money
    assert river == exact([ROOT, 0])
    assert rows["Largest weight"] == ["fisherman", "cashier and counted"]
    river, money = rows["Mixture $z$"]
    assert river == exact(slowly(RIVER)["mixture"])
    assert money == exact(slowly(MONEY)["mixture"])
    for one, other in zip(river[:2], money[:2], strict=True):
        assert abs(one - other) > 0.5


def test_sizes() -> None:
    numbers = chapter.numbers()
    assert (numbers["d_k"], numbers["d_v"]) == (2, 3)
    assert (numbers["position"], numbers["length"]) == (8, 9)


def test_three_positions_give_back_the_hand_example() -> None:
    vectors = chapter.vectors()
    slow = slowly(RIVER, ("fisherman", "net", "bank"))
    assert slow["weights"] == exact(WEIGHTS)
    assert vectors["weights_among_three"].tolist() == exact(WEIGHTS)
    assert vectors["mixture_among_three"].tolist() == exact(slow["mixture"])
    assert vectors["mixture_among_three"][:2].tolist() == exact(MIXTURE)
    positions = [2 * 0.125, 5 * 0.125, 8 * 0.125]
    mean = math.fsum(a * p for a, p in zip(WEIGHTS, positions, strict=True))
    assert vectors["mixture_among_three"][2] == exact(mean)


def test_more_positions_take_from_fisherman_and_leave_the_ratio() -> None:
    numbers = chapter.numbers()
    weights = dict(zip(WORDS[RIVER], slowly(RIVER)["weights"], strict=True))
    assert numbers["fisherman_of_all"] == exact(weights["fisherman"])
    assert numbers["fisherman_of_all"] < WEIGHTS[0]
    assert numbers["ratio_of_three"] == exact(E)  # scores 2 and 1
    assert numbers["ratio_of_all"] == exact(E)
    assert numbers["bank_of_all"] == exact(weights["bank"])
    assert weights["bank"] == exact(min(weights.values()))
    assert weights["bank"] < 1 / 9


def test_figure_of_the_whole_calculation() -> None:
    figure = chapter.figures()["mixture"]
    *rows, total = figure.data.rows
    assert [row[0] for row in rows] == ["fisherman", "net", "bank"]
    for row, key, score, weight, value in zip(rows, KEYS, (2, 1, 0), WEIGHTS, VALUES, strict=True):
        product = QUERY[0] * key[0] + QUERY[1] * key[1]
        expected = [list(key), product, score, weight, list(value), [weight * v for v in value]]
        assert [plain(cell) for cell in row[1:]] == [exact(cell) for cell in expected]
    assert (plain(total[4]), total[6]) == (exact(1), exact(MIXTURE))
    for words in ("[√2, 0]", "score 2, weight 0.6652", "[1.4205, 0.5795]"):
        assert words in figure.description


@pytest.mark.parametrize("narrow", [False, True])
def test_drawing_of_the_whole_calculation(narrow: bool) -> None:
    axes = chapter.figures()["mixture"].draw(narrow).axes[0]
    drawn = [text.get_text() for text in axes.texts]
    assert "q = [√2, 0]" in drawn
    assert "z = [1.4205, 0.5795]" in drawn
    for weight, value in zip(WEIGHTS, VALUES, strict=True):
        assert f"{weight:.4f}" in drawn
        assert f"[{weight * value[0]:.4f}, {weight * value[1]:.4f}]" in drawn
    # Each weight is drawn twice: as its own bar, and as its part of the whole.
    whole = 140 if narrow else 66
    widths = [p.get_width() for p in axes.patches if hasattr(p, "get_width")]
    for weight in WEIGHTS:
        assert sum(math.isclose(width, weight * whole) for width in widths) == 2


def test_figure_of_what_lies_between() -> None:
    figure = chapter.figures()["between"]
    points = {row[0]: plain(row[1]) for row in figure.data.rows}
    assert list(points) == ["fisherman", "net", "bank", "equal weights", "mixture at bank"]
    assert points["equal weights"] == exact([1, 1])
    assert points["mixture at bank"] == exact(MIXTURE)
    assert "mixture at bank at [1.4205, 0.5795]" in figure.description
    marks = [tuple(line.get_xydata()[0]) for line in figure.draw(False).axes[0].lines]
    assert tuple(MIXTURE) in [pytest.approx(mark) for mark in marks]


def test_figure_of_two_sentences() -> None:
    figure = chapter.figures()["sentences"]
    for name, sentence in (("River", RIVER), ("Money", MONEY)):
        rows = [row for row in figure.data.rows if row[0] == name]
        slow = slowly(sentence)
        assert [row[2] for row in rows] == ["query", *WORDS[sentence], "mixture"]
        assert plain(rows[0][3]) == exact(slow["query"])
        assert [row[3] for row in rows[1:-1]] == exact(slow["weights"])
        assert rows[-1][3] == exact(slow["mixture"])
        mixture = ", ".join(f"{z:.4f}" for z in slow["mixture"])
        assert f", full stop {slow['weights'][-1]:.4f}; mixture [{mixture}]" in figure.description
        axes = figure.draw(True).axes[0]
        assert f"z = [{mixture}]" in [text.get_text() for text in axes.texts]
        # The bars are as long as the weights say, on one scale for both sentences.
        widths = [p.get_width() for p in axes.patches if isinstance(p, Rectangle)]
        bars = widths[:9] if sentence == RIVER else widths[9:]
        scale = 126 / max(slowly(RIVER)["weights"])
        assert bars == exact([scale * weight for weight in slow["weights"]])


def test_demo_prints_the_mixture(capsys: pytest.CaptureFixture[str]) -> None:
    chapter.mix_by_hand()
    lines = capsys.readouterr().out.splitlines()
    for line, z in zip(lines, MIXTURE, strict=False):
        assert line.endswith(f" = {z:.4f}")
    assert lines[-1].endswith(f"[{MIXTURE[0]:.4f} {MIXTURE[1]:.4f}]")


def test_attention_starts_from_the_hand_example() -> None:
    widget = chapter.widgets()["explorer"]
    assert [token["name"] for token in widget.start["tokens"]] == list(example.TOKENS)
    scores = [
        sum(q * k for q, k in zip(example.QUERY, key, strict=True)) / math.sqrt(len(example.QUERY))
        for key in example.KEYS
    ]
    total = sum(math.exp(score) for score in scores)
    weights = [math.exp(score) / total for score in scores]
    output = [
        sum(w * value[c] for w, value in zip(weights, example.VALUES, strict=True))
        for c in range(len(example.VALUES[0]))
    ]
    equal = [sum(column) / len(example.VALUES) for column in zip(*example.VALUES, strict=True)]
    results = widget.results
    assert results["scores"] == pytest.approx(scores, abs=1e-12)
    assert results["products"] == pytest.approx([s * math.sqrt(2) for s in scores], abs=1e-12)
    assert results["exponentials"] == pytest.approx([math.exp(s) for s in scores], rel=1e-12)
    assert results["weights"] == pytest.approx(weights, rel=1e-12)
    assert results["output"] == pytest.approx(output, rel=1e-12)
    assert results["equal"] == pytest.approx(equal, rel=1e-12)
    for row, weight, value in zip(results["contributions"], weights, example.VALUES, strict=True):
        assert row == pytest.approx([weight * v for v in value], rel=1e-12)
