"""The average and the mixtures of the first chapter, against loops in plain Python."""

import math

import numpy as np
import pytest

from publisher.figures.palette import settings
from publisher.results import shown
from snippets import context as chapter
from snippets.running_example import MONEY, POSITION_STEP, RIVER, TOKENS
from snippets.sentences import WORD
from tests.by_hand import WORDS, exact, plain, rows, says, times, weights_at

PAGE = "docs/context.md"
TOKENS_HERE = WORDS[RIVER]
N = len(TOKENS_HERE)
X = rows(TOKENS_HERE)
ASKING = list(chapter.ASKING)
# One row of shares for each position that asks; what it mixes is X itself.
SHARES = [weights_at(X, TOKENS_HERE.index(word)) for word in ASKING]


def average(x: list[list[float]]) -> list[float]:
    return [math.fsum(column) / len(x) for column in zip(*x, strict=True)]


def counted(vectors: list[list[float]]) -> int:
    """Count the vectors that differ by more than rounding."""
    return len({tuple(round(coordinate, 9) for coordinate in vector) for vector in vectors})


def test_numbers() -> None:
    at_bank, at_net = (SHARES[ASKING.index(word)] for word in (WORD, TOKENS[1]))
    fisherman = TOKENS_HERE.index(TOKENS[0])
    assert plain(chapter.numbers()) == exact(
        {
            "n": N,
            "d_model": len(POSITION_STEP),
            "equal_share": 1 / N,
            "equal_distinct": 1,
            "asking": len(ASKING),
            "own_distinct": counted(SHARES),
            "bank_fisherman": at_bank[fisherman],
            "net_fisherman": at_net[fisherman],
            "bank_total": 1,
        }
    )


def test_vectors() -> None:
    assert plain(chapter.vectors()) == exact(
        {
            "bank_x": X[TOKENS_HERE.index(WORD)],
            "money_bank_x": rows(WORDS[MONEY])[WORDS[MONEY].index(WORD)],
            "river_average": average(X),
            "money_average": average(rows(WORDS[MONEY])),
            "backwards_average": average(rows(TOKENS_HERE[::-1])),
        }
    )


def test_tables() -> None:
    assert plain(chapter.tables()["x"].rows) == exact(
        [[place, token, x] for place, (token, x) in enumerate(zip(TOKENS_HERE, X, strict=True), 1)]
    )
    assert plain(chapter.tables()["own"].rows) == exact(
        [[word, times(shares, X)] for word, shares in zip(ASKING, SHARES, strict=True)]
    )


def test_the_largest_share_is_named() -> None:
    at_bank = SHARES[ASKING.index(WORD)]
    assert chapter.texts()["most_at_bank"] == TOKENS_HERE[at_bank.index(max(at_bank))]


def test_equal_average_gives_every_position_one_vector() -> None:
    mixtures = chapter.equal_mixtures(np.array(X)).tolist()
    assert mixtures == exact([average(X)] * N)


def test_an_average_does_not_ask_for_the_order() -> None:
    vectors = plain(chapter.vectors())
    assert isinstance(vectors, dict)
    assert vectors["backwards_average"] == exact(vectors["river_average"])


def test_distinct_counts_up_to_rounding() -> None:
    x = np.array([[1.0, 2.0], [3.0, 4.0], [1.0, 2.5]])
    assert chapter.distinct(x) == 3
    assert chapter.distinct(x[[0, 0, 1]] + [[0], [1e-15], [0]]) == 2


def test_demo_prints_one_vector_for_every_position(capsys: pytest.CaptureFixture[str]) -> None:
    chapter.average_at_three()
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines == [[word, *(f"{value:.3f}" for value in average(X))] for word in ASKING]


def test_figure_shows_a_column_of_shares_for_each_that_asks() -> None:
    figure = chapter.figures()["shares"]
    assert figure.label == "invented numbers"
    assert plain(chapter.figures()["shares"].data.rows) == exact(
        [
            [place, token, *(shares[place - 1] for shares in SHARES)]
            for place, token in enumerate(TOKENS_HERE, start=1)
        ]
    )
    for word, shares in zip(ASKING, SHARES, strict=True):
        said = [f"{t} {shown(s)}" for t, s in zip(TOKENS_HERE, shares, strict=True)]
        assert f"At {word}: {', '.join(said)}".replace(". 0", "full stop 0") in figure.description
    assert f"equal share, 1/{N}" in figure.description


@pytest.mark.parametrize("narrow", [False, True])
def test_drawing_is_to_scale_and_inside_its_edges(narrow: bool) -> None:
    with settings("test"):
        drawing = chapter.figures()["shares"].draw(narrow)
        (axes,) = drawing.axes
        widths = [bar.get_width() for bar in axes.patches]
        shares = [share for column in SHARES for share in column]
        scale = max(widths) / max(shares)
        assert widths == pytest.approx([share * scale for share in shares])
        starts = sorted({bar.get_x() for bar in axes.patches})
        upright = [line for line in axes.lines if len(set(line.get_xdata())) == 1]
        dashed = [line.get_xdata()[0] for line in upright if line.get_linestyle() == "--"]
        assert dashed == pytest.approx([start + scale / N for start in starts])
        right, bottom = drawing.get_size_inches() * 72
        for text in axes.texts:
            box = text.get_window_extent().transformed(axes.transData.inverted())
            assert min(box.x0, box.x1) >= 0
            assert max(box.x0, box.x1) <= right
            assert max(box.y0, box.y1) <= bottom


def test_what_the_text_says() -> None:
    """Claims that hold for these inputs; on failure, change the sentence that is quoted."""
    money = rows(WORDS[MONEY])
    same = X[TOKENS_HERE.index(WORD)] == money[WORDS[MONEY].index(WORD)]
    says(same, PAGE, "In the money sentence it has ..., and that is the same")
    apart = math.dist(average(X), average(money))
    says(apart > 0.1, PAGE, "So the two sentences can be told apart")
    mixtures = [times(shares, X) for shares in SHARES]
    says(counted(mixtures) == counted(SHARES) == len(ASKING), PAGE, "The vectors that come out")
    second, first = sorted(SHARES[ASKING.index(WORD)])[-2:]
    says(first - second > 0.001, PAGE, "The largest share is that of ...")
