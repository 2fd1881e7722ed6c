"""The average and the mixtures of chapter one, against loops in plain Python."""

import math

import pytest

from publisher.figures.palette import settings
from publisher.results import Number
from snippets import context as chapter
from snippets.running_example import EMBEDDINGS, MONEY, POSITION_STEP, RIVER, W_K, W_Q
from tests.by_hand import exact

WORDS = RIVER.replace(".", " .").split()
Matrix = list[list[float]]


def representations(words: list[str]) -> Matrix:
    return [
        [e + place * s for e, s in zip(EMBEDDINGS[word], POSITION_STEP, strict=True)]
        for place, word in enumerate(words, start=1)
    ]


def average(rows: Matrix) -> list[float]:
    return [math.fsum(column) / len(rows) for column in zip(*rows, strict=True)]


def project(row: list[float], matrix: tuple[tuple[float, ...], ...]) -> list[float]:
    return [
        math.fsum(x * m for x, m in zip(row, column, strict=True))
        for column in zip(*matrix, strict=True)
    ]


def values(numbers: list[Number]) -> list[float]:
    return [number.value for number in numbers]


def shares_at(word: str) -> list[float]:
    """Compute one row of shares: scores, exponentials, division, one position at a time."""
    rows = representations(WORDS)
    query = project(rows[WORDS.index(word)], W_Q)
    powers = []
    for row in rows:
        key = project(row, W_K)
        dot = math.fsum(q * k for q, k in zip(query, key, strict=True))
        powers.append(math.exp(dot / math.sqrt(len(query))))
    return [power / math.fsum(powers) for power in powers]


def mixture(shares: list[float], rows: Matrix) -> list[float]:
    return [
        math.fsum(share * row[d] for share, row in zip(shares, rows, strict=True))
        for d in range(len(rows[0]))
    ]


def test_representations_are_row_and_position() -> None:
    numbers, table = chapter.numbers(), chapter.tables()["x"]
    assert (numbers["n"], numbers["d_model"]) == (len(WORDS), len(POSITION_STEP)) == (9, 4)
    assert [(place, token) for place, token, _ in table.rows] == list(enumerate(WORDS, start=1))
    assert [values(x) for _, _, x in table.rows] == [exact(row) for row in representations(WORDS)]


def test_bank_has_one_representation_in_both_sentences() -> None:
    vectors = chapter.vectors()
    river = [number.value for number in vectors["bank_x"]]
    assert river == exact(representations(WORDS)[WORDS.index("bank")])
    assert river == [number.value for number in vectors["money_bank_x"]]


def test_equal_average_gives_every_position_one_vector() -> None:
    numbers = chapter.numbers()
    rows = representations(WORDS)
    assert numbers["equal_share"].value == 1 / 9
    for row in chapter.equal_mixtures(chapter.representations(WORDS)):
        assert row.tolist() == exact(average(rows))
    assert numbers["equal_distinct"] == 1


def test_average_tells_the_sentences_apart_and_not_their_order() -> None:
    vectors = chapter.vectors()
    money = MONEY.replace(".", " .").split()
    assert values(vectors["river_average"]) == exact(average(representations(WORDS)))
    assert values(vectors["money_average"]) == exact(average(representations(money)))
    assert math.dist(values(vectors["river_average"]), values(vectors["money_average"])) > 0.1
    backwards = average(representations(list(reversed(WORDS))))
    assert values(vectors["backwards_average"]) == exact(backwards)
    assert values(vectors["backwards_average"]) == exact(values(vectors["river_average"]))


def test_each_query_gets_a_mixture_of_its_own() -> None:
    numbers = chapter.numbers()
    rows = chapter.tables()["own"].rows
    assert [word for word, _ in rows] == ["repaired", "net", "bank"]
    for word, row in rows:
        assert values(row) == exact(mixture(shares_at(word), representations(WORDS)))
    mixtures = [values(row) for _, row in rows]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert math.dist(mixtures[one], mixtures[other]) > 0.05
    assert numbers["asking"] == numbers["own_distinct"] == 3


def test_shares() -> None:
    numbers = chapter.numbers()
    at_bank, at_net = shares_at("bank"), shares_at("net")
    assert numbers["bank_fisherman"] == exact(at_bank[WORDS.index("fisherman")])
    assert numbers["net_fisherman"] == exact(at_net[WORDS.index("fisherman")])
    assert numbers["bank_total"].value == exact(1)
    assert chapter.texts()["most_at_bank"] == WORDS[at_bank.index(max(at_bank))] == "fisherman"
    assert sorted(at_bank)[-1] - sorted(at_bank)[-2] > 0.1  # not a tie


def test_distinct_counts_up_to_rounding() -> None:
    x = chapter.representations(["the", "bank", "the"])
    assert chapter.distinct(x) == 3
    assert chapter.distinct(x[[0, 0, 1]] + [[0], [1e-15], [0]]) == 2


def test_demo_prints_one_vector_three_times(capsys: pytest.CaptureFixture[str]) -> None:
    chapter.average_at_three()
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[0] for line in lines] == ["repaired", "net", "bank"]
    for line in lines:
        assert line[1:] == [f"{value:.3f}" for value in average(representations(WORDS))]


def test_figure_shows_three_columns_of_shares() -> None:
    figure = chapter.figures()["shares"]
    assert figure.label == "invented numbers"
    assert [(row[0], row[1]) for row in figure.data.rows] == list(enumerate(WORDS, start=1))
    for column, word in enumerate(("repaired", "net", "bank"), start=2):
        assert [row[column] for row in figure.data.rows] == exact(shares_at(word))
    assert f"At bank: The {shares_at('bank')[0]:.4f}, fisherman" in figure.description
    assert "full stop 0.0" in figure.description
    assert "equal share, 1/9" in figure.description


@pytest.mark.parametrize("narrow", [False, True])
def test_drawing_is_to_scale_and_inside_its_edges(narrow: bool) -> None:
    with settings("test"):
        drawing = chapter.figures()["shares"].draw(narrow)
        (axes,) = drawing.axes
        widths = [bar.get_width() for bar in axes.patches]
        shares = [share for word in ("repaired", "net", "bank") for share in shares_at(word)]
        scale = max(widths) / max(shares)
        assert widths == pytest.approx([share * scale for share in shares])
        starts = sorted({bar.get_x() for bar in axes.patches})
        upright = [line for line in axes.lines if len(set(line.get_xdata())) == 1]
        dashed = [line.get_xdata()[0] for line in upright if line.get_linestyle() == "--"]
        assert dashed == pytest.approx([start + scale / 9 for start in starts])
        right, bottom = drawing.get_size_inches() * 72
        for text in axes.texts:
            box = text.get_window_extent().transformed(axes.transData.inverted())
            assert min(box.x0, box.x1) >= 0
            assert max(box.x0, box.x1) <= right
            assert max(box.y0, box.y1) <= bottom
