"""Two heads, their concatenation, W_O and a second layer, against slow loops in `math`."""

import math

import numpy as np
import pytest
from matplotlib.patches import Rectangle

from snippets import heads as chapter
from snippets import running_example as example
from snippets.running_example import MONEY, RIVER
from tests.by_hand import WORDS, dot, exact, plain, softmax, times

E = math.e
TOTAL = E**2 + E + 1
FIRST = [E**2 / TOTAL, E / TOTAL, 1 / TOTAL]
SECOND = [FIRST[1], FIRST[0], FIRST[2]]
TOKENS = ["fisherman", "net", "bank"]
HEADS = [
    (example.W_Q, example.W_K, example.W_V),
    (example.SECOND_W_Q, example.SECOND_W_K, example.SECOND_W_V),
]


def slow_x(sentence: str) -> list[list[float]]:
    return [
        [e + p * s for e, s in zip(example.EMBEDDINGS[w], example.POSITION_STEP, strict=True)]
        for p, w in enumerate(WORDS[sentence], start=1)
    ]


def slow_head(sentence: str, head: int) -> tuple[list[float], list[float]]:
    """Return one head's weights and mixture at bank, the eighth token."""
    w_q, w_k, w_v = HEADS[head]
    x = slow_x(sentence)
    query = times(x[7], w_q)
    powers = [math.exp(dot(query, times(row, w_k)) / math.sqrt(2)) for row in x]
    weights = [power / math.fsum(powers) for power in powers]
    return weights, times(weights, [times(row, w_v) for row in x])


def slow_output(sentence: str) -> list[float]:
    return times(slow_head(sentence, 0)[1] + slow_head(sentence, 1)[1], example.W_O)


def test_one_total_is_a_rivalry() -> None:
    rows = [plain(row) for row in chapter.tables()["one_total"].rows]
    assert chapter.numbers()["score_now"].value == 1
    for row, net in zip(rows, (1, 2, 3), strict=True):
        total = E**2 + E**net + 1
        assert row == exact([net, E**2 / total, E**net / total, 1 / total, 1])
    assert rows[0][1] > rows[1][1] > rows[2][1]  # fisherman pays


def test_second_head_trades_places_and_leaves_the_first_alone() -> None:
    numbers = chapter.numbers()
    names = ("second_fisherman", "second_net", "second_bank")
    assert [numbers[name] for name in names] == exact(SECOND)
    assert [f"{numbers[name]:.4f}" for name in names] == ["0.2447", "0.6652", "0.0900"]
    *rows, total = chapter.tables()["two_heads"].rows
    assert [row[0] for row in rows] == TOKENS
    assert [plain(row[1:]) for row in rows] == [
        exact(list(row)) for row in zip((2, 1, 0), FIRST, (1, 2, 0), SECOND, strict=True)
    ]
    assert (plain(total[2]), plain(total[4])) == (exact(1), exact(1))
    assert numbers["second_total"].value == exact(1)
    assert numbers["both_total"].value == exact(2)
    assert numbers["heads"] == 2


def test_changing_head_two_does_not_touch_head_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(example, "SECOND_HEAD_SCORES", (0.0, 5.0, 1.0))
    rows = chapter.tables()["two_heads"].rows
    assert [row[2] for row in rows[:3]] == exact(FIRST)
    assert rows[1][4] == exact(E**5 / (1 + E**5 + E))


def test_hand_mixtures() -> None:
    vectors = chapter.vectors()
    assert vectors["hand_mixture"].tolist() == exact(times(FIRST, example.VALUES))
    second = times(SECOND, example.SECOND_HEAD_VALUES)
    assert vectors["second_mixture"].tolist() == exact(second)
    assert example.VALUES != example.SECOND_HEAD_VALUES  # "in its own way"


def test_matrices_and_weights_of_the_river_sentence() -> None:
    rows = chapter.tables()["matrices"].rows
    assert [plain(row) for row in rows] == [
        [i + 1, *(list(matrix[i]) for matrix in HEADS[1])] for i in range(4)
    ]
    *rows, total = chapter.tables()["river"].rows
    assert [row[0] for row in rows] == WORDS[RIVER]
    for head in (0, 1):
        assert [row[1 + head] for row in rows] == exact(slow_head(RIVER, head)[0])
    assert plain(total[1:]) == exact([1, 1])
    assert [max(rows, key=lambda row: row[c])[0] for c in (1, 2)] == ["fisherman", "net"]


def test_end_to_end_and_output() -> None:
    vectors, numbers = chapter.vectors(), chapter.numbers()
    first, second = (slow_head(RIVER, head)[1] for head in (0, 1))
    assert vectors["first"].tolist() == exact(first)
    assert vectors["second"].tolist() == exact(second)
    rows = chapter.tables()["meets"].rows
    assert [row[0] for row in rows] == ["one"] * 3 + ["two"] * 3
    assert [row[1] for row in rows] == exact(first + second)
    assert [plain(row[2]) for row in rows] == [list(row) for row in example.W_O]
    assert vectors["output"].tolist() == exact(slow_output(RIVER))
    shapes = [numbers[name] for name in ("n", "d_model", "d_v", "joined", "d_out")]
    assert shapes == [9, 4, 3, 6, 4]
    assert numbers["d_out"] == numbers["d_model"]  # what a residual connection needs


def test_both_ways_agree_at_every_position() -> None:
    for sentence in (RIVER, MONEY):
        x = np.array(slow_x(sentence))
        _, by_hand = chapter.head_by_head(x)
        output, weights = chapter.in_one_call(x)
        np.testing.assert_allclose(by_hand, output, rtol=0, atol=1e-12)
        np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=0, atol=1e-12)
        assert output[7].tolist() == exact(slow_output(sentence))


def test_parts_of_the_heads() -> None:
    rows = {name: list(vector) for name, vector in chapter.tables()["parts"].rows}
    first = times(slow_head(RIVER, 0)[1], example.W_O[:3])
    second = times(slow_head(RIVER, 1)[1], example.W_O[3:])
    assert rows["head one"] == exact(first)
    assert rows["head two"] == exact(second)
    assert rows["sum"] == exact(slow_output(RIVER))
    # Taking a head away leaves the other's part.
    zeros = [0.0] * 3
    without = times(slow_head(RIVER, 0)[1] + zeros, example.W_O)
    assert chapter.vectors()["without_second"].tolist() == exact(without)


def test_heads_exchanged() -> None:
    vectors = chapter.vectors()
    exchanged = times(slow_head(RIVER, 1)[1] + slow_head(RIVER, 0)[1], example.W_O)
    assert vectors["swapped"].tolist() == exact(exchanged)
    assert exchanged != exact(slow_output(RIVER))
    assert vectors["swapped_rows_too"].tolist() == exact(slow_output(RIVER))


def test_second_layer() -> None:
    rows: dict[str, list] = {}
    for step, sentence, vector in chapter.tables()["second_layer"].rows:
        assert sentence == ("money" if step in rows else "river")
        rows.setdefault(step, []).append(plain(vector))
    layer_one = [slow_x(s)[7] for s in (RIVER, MONEY)]
    added = [slow_output(s) for s in (RIVER, MONEY)]
    layer_two = [
        [x + y for x, y in zip(*pair, strict=True)] for pair in zip(layer_one, added, strict=True)
    ]
    assert rows["$x$"] == [exact(x) for x in layer_one]
    assert rows["$q^{(1)}$"] == [exact(times(x, example.W_Q)) for x in layer_one]
    assert rows["$q^{(2)}$"] == [exact(times(x, example.SECOND_W_Q)) for x in layer_one]
    assert rows["$y$"] == [exact(y) for y in added]
    assert rows["$x^{\\text{new}}$"] == [exact(x) for x in layer_two]
    assert rows["$q$, layer two"] == [exact(times(x, example.LAYER_TWO_W_Q)) for x in layer_two]
    # Equal to the last bit in the first layer, different in print in the second.
    for name in ("$x$", "$q^{(1)}$", "$q^{(2)}$"):
        assert rows[name][0] == rows[name][1]
    river, money = rows["$q$, layer two"]
    assert all(f"{a:.2f}" != f"{b:.2f}" for a, b in zip(river, money, strict=True))


def test_the_mean_of_a_map_depends_on_its_size_alone() -> None:
    rows = chapter.tables()["means"].rows
    sizes = [int(shape.split("\u00a0×\u00a0")[0]) for _, shape, _ in rows]
    assert sizes == [9, 9, 7, 7, 3]
    assert [mean.value for *_, mean in rows] == exact([1 / n for n in sizes])


def test_the_average_of_two_heads_is_neither() -> None:
    rows = [plain(row[1:]) for row in chapter.tables()["one_hot"].rows]
    assert rows == [[1, 0, 0], [0, 1, 0], [0.5, 0.5, 0]]


def test_counts_do_not_depend_on_the_number_of_heads() -> None:
    rows = chapter.tables()["counts"].rows
    assert [row[0] for row in rows] == [1, 2, 4]
    for heads, d_k, *counts, total in rows:
        assert heads * d_k == 8
        assert counts == [heads * 8 * d_k] * 3 + [heads * d_k * 8]
        assert total == sum(counts) == 4 * 8 * 8
    numbers = chapter.numbers()
    assert (numbers["width"], numbers["cut"]) == (8, 4)
    assert numbers["one_head"] == 4 * 2 + 4 * 2 + 4 * 3
    assert numbers["two_heads"] == 2 * 28 + 6 * 4


def test_split_after_projection_is_a_projection_of_its_own() -> None:
    x, w = (array.tolist() for array in chapter.wide())
    columns = [row[:4] for row in w]
    after, own, before = chapter.first_queries()
    for i, row in enumerate(x):
        expected = times(row, columns)
        assert after[i].tolist() == own[i].tolist() == expected
        assert before[i].tolist() == times(row[:4], columns[:4]) != expected
    rows = chapter.tables()["slices"].rows
    assert plain(rows[0][1]) == plain(rows[1][1]) == times(x[0], columns)
    assert plain(rows[2][1]) == before[0].tolist()


def test_every_coordinate_reaches_head_one() -> None:
    x, w = chapter.wide()
    for coordinate in range(8):
        other = x.copy()
        other[0, coordinate] += 1
        change = chapter.split(other @ w, 2)[0] - chapter.split(x @ w, 2)[0]
        assert change[0].tolist() == w[coordinate, :4].tolist()
        assert change[0].any()


def test_reshape_with_and_without_the_exchange() -> None:
    for i, right, wrong in chapter.tables()["reshape"].rows:
        assert plain(right) == [10 * i + c for c in (1, 2, 3, 4)]
        # Without it the row holds the pieces that come next in memory.
        token, half = divmod(i - 1, 2)
        assert plain(wrong) == [10 * (token + 1) + 4 * half + c for c in (1, 2, 3, 4)]
    assert plain(right) != plain(wrong)


def test_figure_shows_two_distributions() -> None:
    figure = chapter.figures()["two"]
    rows = [plain(row) for row in figure.data.rows]
    for title, scores, weights, values, part in (
        ("Head one", (2, 1, 0), FIRST, example.VALUES, rows[:4]),
        ("Head two", (1, 2, 0), SECOND, example.SECOND_HEAD_VALUES, rows[4:]),
    ):
        for row, *expected in zip(part, TOKENS, scores, weights, values, strict=False):
            token, score, weight, value = expected
            assert row == [title, token, exact(score), exact(weight), exact(list(value))]
        assert part[3][3:] == [exact(1), exact(times(weights, values))]
        mixture = ", ".join(f"{z:.4f}" for z in times(weights, values))
        assert f"the weights add up to 1, the mixture is [{mixture}]" in figure.description
        for narrow in (False, True):
            drawn = [
                text.get_text() for text in chapter.figures()["two"].draw(narrow).axes[0].texts
            ]
            assert f"z = [{mixture}]" in drawn
            assert title in drawn


@pytest.mark.parametrize("narrow", [False, True])
def test_each_head_fills_a_whole_bar(narrow: bool) -> None:
    patches = chapter.figures()["two"].draw(narrow).axes[0].patches
    widths = [patch.get_width() for patch in patches if isinstance(patch, Rectangle)]
    wholes = [width for width in widths if math.isclose(width, 76)]
    shares = [width for width in widths if not math.isclose(width, 76)]
    assert len(wholes) == 6  # an empty frame behind each bar
    assert shares[:6] == exact([76 * a for a in FIRST for _ in (1, 2)])
    assert shares[6:] == exact([76 * a for a in SECOND for _ in (1, 2)])


def test_demo_prints_the_shapes(capsys: pytest.CaptureFixture[str]) -> None:
    chapter.both_ways()
    lines = dict(line.rsplit("  ", 1) for line in capsys.readouterr().out.splitlines()[:-1])
    shapes = {name.strip(): shape.strip() for name, shape in lines.items()}
    assert shapes == {
        "X": "9 x 4", "W_Q": "2 x 4 x 2", "W_K": "2 x 4 x 2", "W_V": "2 x 4 x 3",
        "weights": "2 x 9 x 9", "end to end": "9 x 6", "W_O": "6 x 4", "output": "9 x 4",
    }  # fmt: skip


def test_demo_says_that_both_ways_agree(capsys: pytest.CaptureFixture[str]) -> None:
    chapter.both_ways()
    assert capsys.readouterr().out.endswith("the same: True\n")


def test_heads_start_from_the_hand_example_and_its_rows_of_w_o() -> None:
    widget = chapter.widgets()["explorer"]
    start, results = widget.start, widget.results
    assert start["tokens"] == list(example.TOKENS)
    # Dot products over the root of d_k; head two's scores are given.
    first = [dot(example.QUERY, key) / math.sqrt(2) for key in example.KEYS]
    assert start["scores"] == [exact(first), list(example.SECOND_HEAD_SCORES)]
    # Of three rows a head, the last belongs to the position, which the hand example leaves out.
    assert [row[2] for row in (*example.W_V[:3], *example.SECOND_W_V[:3])] == [0.0] * 6
    rows = [list(example.W_O[r]) for r in (0, 1, 3, 4)]
    assert start["w_o"] == rows
    output = [0.0] * len(rows[0])
    for head, values in enumerate((example.VALUES, example.SECOND_HEAD_VALUES)):
        assert start["values"][head] == [list(value) for value in values]
        weights = softmax(start["scores"][head])
        mixture = times(weights, values)
        part = times(mixture, rows[2 * head : 2 * head + 2])
        output = [y + p for y, p in zip(output, part, strict=True)]
        assert results["weights"][head] == exact(weights)
        assert results["mixtures"][head] == exact(mixture)
        assert results["parts"][head] == exact(part)
    assert results["output"] == exact(output)
