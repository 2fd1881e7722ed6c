"""Two heads, their concatenation, W_O and a second layer, against slow loops in `math`."""

import math

import numpy as np
import pytest
from matplotlib.patches import Rectangle

from publisher.results import shown, shown_vector
from snippets import heads as chapter
from snippets import running_example as example
from snippets.running_example import MONEY, OPEN, RIVER, TOKENS
from tests.by_hand import (
    WORDS,
    contents,
    contiguous,
    exact,
    hand_scores,
    hand_weights,
    plain,
    rows,
    scores,
    softmax,
    times,
)

HEADS = [
    (example.W_Q, example.W_K, example.W_V),
    (example.SECOND_W_Q, example.SECOND_W_K, example.SECOND_W_V),
]
D_V = len(example.W_V[0])


def second_weights() -> list[float]:
    return softmax(example.SECOND_HEAD_SCORES)


def mixtures() -> list[list[float]]:
    """Return both heads' mixtures in the hand example."""
    return [
        times(hand_weights(), example.VALUES),
        times(second_weights(), example.SECOND_HEAD_VALUES),
    ]


def x_at_bank(sentence: str) -> list[float]:
    return rows(WORDS[sentence])[WORDS[sentence].index("bank")]


def slow_head(sentence: str, head: int) -> tuple[list[float], list[float]]:
    """Return one head's weights and mixture at bank."""
    w_q, w_k, w_v = HEADS[head]
    x = rows(WORDS[sentence])
    weights = softmax(scores(times(x_at_bank(sentence), w_q), [times(row, w_k) for row in x]))
    return weights, times(weights, [times(row, w_v) for row in x])


def slow_output(sentence: str, order: tuple[int, int] = (0, 1)) -> list[float]:
    first, second = (slow_head(sentence, head)[1] for head in order)
    return times(first + second, example.W_O)


def slow_parts() -> list[list[float]]:
    """Return what each head adds to the output at bank: its mixture through its rows of W_O."""
    w_o = example.W_O
    return [times(slow_head(RIVER, h)[1], w_o[D_V * h : D_V * h + D_V]) for h in (0, 1)]


def test_numbers() -> None:
    second = second_weights()
    sizes = [sum(len(matrix) * len(matrix[0]) for matrix in head) for head in HEADS]
    w_o = example.W_O
    assert plain(chapter.numbers()) == exact(
        {
            "heads": len(HEADS),
            "n": len(WORDS[RIVER]),
            "d_model": len(x_at_bank(RIVER)),
            "d_v": D_V,
            "joined": len(HEADS) * D_V,
            "d_out": len(w_o[0]),
            "second_fisherman": second[0],
            "second_net": second[1],
            "second_bank": second[2],
            "second_total": 1,
            "both_total": 2,
            "score_now": hand_scores()[1],
            "one_head": sizes[0],
            "two_heads": sum(sizes) + len(w_o) * len(w_o[0]),
            "width": chapter.WIDTH,
            "cut": chapter.WIDTH / 2,
        }
    )


def test_vectors() -> None:
    hand, second = mixtures()
    assert plain(chapter.vectors()) == exact(
        {
            "hand_mixture": hand,
            "second_mixture": second,
            "first": slow_head(RIVER, 0)[1],
            "second": slow_head(RIVER, 1)[1],
            "output": slow_output(RIVER),
            "swapped": slow_output(RIVER, (1, 0)),
            "swapped_rows_too": slow_output(RIVER),
            "without_second": times(slow_head(RIVER, 0)[1] + [0.0] * D_V, example.W_O),
        }
    )


def test_one_total_is_a_rivalry() -> None:
    fisherman, net, bank = hand_scores()
    raised = [net + more for more in chapter.RAISES]
    expected = [[score, *softmax([fisherman, score, bank]), 1] for score in raised]
    assert contents(chapter.tables()["one_total"]) == exact(expected)
    assert expected[0][1] > expected[1][1] > expected[2][1]  # fisherman pays


def test_table_of_both_heads() -> None:
    columns = (hand_scores(), hand_weights(), example.SECOND_HEAD_SCORES, second_weights())
    expected = zip(TOKENS, *columns, strict=True)
    assert contents(chapter.tables()["two_heads"]) == exact(
        [*map(list, expected), ["sum", "", 1, "", 1]]
    )


def test_changing_head_two_does_not_touch_head_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(example, "SECOND_HEAD_SCORES", (0.0, 5.0, 1.0))
    found = chapter.tables()["two_heads"].rows
    assert [row[2] for row in found[:3]] == exact(hand_weights())
    assert [row[4] for row in found[:3]] == exact(softmax((0.0, 5.0, 1.0)))


def test_matrices_and_weights_of_the_river_sentence() -> None:
    assert contents(chapter.tables()["matrices"]) == exact(
        [[i + 1, *(list(matrix[i]) for matrix in HEADS[1])] for i in range(len(HEADS[1][0]))]
    )
    weights = zip(WORDS[RIVER], slow_head(RIVER, 0)[0], slow_head(RIVER, 1)[0], strict=True)
    assert contents(chapter.tables()["river"]) == exact([*map(list, weights), ["sum", 1, 1]])


def test_concatenation_and_what_it_meets() -> None:
    names, z = ["one"] * D_V + ["two"] * D_V, slow_head(RIVER, 0)[1] + slow_head(RIVER, 1)[1]
    expected = zip(names, z, map(list, example.W_O), strict=True)
    assert contents(chapter.tables()["meets"]) == exact(list(map(list, expected)))


def test_both_ways_agree_at_every_position() -> None:
    for sentence in (RIVER, MONEY):
        x = np.array(rows(WORDS[sentence]))
        _, by_hand = chapter.head_by_head(x)
        output, weights = chapter.in_one_call(x)
        np.testing.assert_allclose(by_hand, output, rtol=0, atol=1e-12)
        np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=0, atol=1e-12)
        assert chapter.bank_row(output, sentence).tolist() == exact(slow_output(sentence))


def test_parts_of_the_heads() -> None:
    one, two = slow_parts()
    assert contents(chapter.tables()["parts"]) == exact(
        [["head one", one], ["head two", two], ["sum", slow_output(RIVER)]]
    )


def test_second_layer() -> None:
    before, added = ([make(s) for s in (RIVER, MONEY)] for make in (x_at_bank, slow_output))
    after = [
        [x + y for x, y in zip(*both, strict=True)] for both in zip(before, added, strict=True)
    ]
    steps = {
        "$x$": before,
        "$q^{(1)}$": [times(x, example.W_Q) for x in before],
        "$q^{(2)}$": [times(x, example.SECOND_W_Q) for x in before],
        "$y$": added,
        "$x^{\\text{new}}$": after,
        "$q$, layer two": [times(x, example.LAYER_TWO_W_Q) for x in after],
    }
    expected = [
        [step, sentence, vector]
        for step, pair in steps.items()
        for sentence, vector in zip(("river", "money"), pair, strict=True)
    ]
    assert contents(chapter.tables()["second_layer"]) == exact(expected)
    found = [vector for *_, vector in contents(chapter.tables()["second_layer"])]
    assert found[0:6:2] == found[1:6:2]  # the first layer's x and queries, to the last bit


def test_the_mean_of_a_map_depends_on_its_size_alone() -> None:
    river, open_ = len(WORDS[RIVER]), len(WORDS[OPEN])
    sizes = [river, river, open_, open_, len(TOKENS)]
    expected = [[f"{n}\u00a0×\u00a0{n}", 1 / n] for n in sizes]
    assert [row[1:] for row in contents(chapter.tables()["means"])] == exact(expected)


def test_the_average_of_two_heads_is_neither() -> None:
    assert contents(chapter.tables()["one_hot"]) == [
        ["head one", 1, 0, 0],
        ["head two", 0, 1, 0],
        ["average", 0.5, 0.5, 0],
    ]


def test_counts_do_not_depend_on_the_number_of_heads() -> None:
    width = chapter.WIDTH
    sizes = [(heads, width // heads) for heads in chapter.HEAD_COUNTS]
    assert contents(chapter.tables()["counts"]) == [
        [heads, d_k, *[heads * width * d_k] * 3, heads * d_k * width, 4 * width * width]
        for heads, d_k in sizes
    ]


def test_split_after_projection_is_a_projection_of_its_own() -> None:
    x, w = (array.tolist() for array in chapter.wide())
    columns = [row[:4] for row in w]
    after, own, before = chapter.first_queries()
    for i, row in enumerate(x):
        expected = times(row, columns)
        assert after[i].tolist() == own[i].tolist() == expected
        assert before[i].tolist() == times(row[:4], columns[:4]) != expected
    projected, of_a_part = times(x[0], columns), times(x[0][:4], columns[:4])
    assert contents(chapter.tables()["slices"]) == [
        ["project all, then split", projected],
        ["a matrix of its own", projected],
        ["cut first, then project", of_a_part],
    ]


def test_every_coordinate_reaches_head_one() -> None:
    x, w = chapter.wide()
    for coordinate in range(8):
        other = x.copy()
        other[0, coordinate] += 1
        change = chapter.split(other @ w, 2)[0] - chapter.split(x @ w, 2)[0]
        assert change[0].tolist() == w[coordinate, :4].tolist()
        assert change[0].any()


def test_reshape_with_and_without_the_exchange() -> None:
    expected = []
    for i in range(1, chapter.ROWS + 1):
        token, half = divmod(i - 1, 2)  # without it, a row holds what comes next in memory
        wrong = [10 * (token + 1) + 4 * half + c for c in (1, 2, 3, 4)]
        expected.append([i, [10 * i + c for c in (1, 2, 3, 4)], wrong])
    assert contents(chapter.tables()["reshape"]) == expected


def two_heads() -> list[tuple]:
    """Return title, scores, weights, values and mixture of both heads in the hand example."""
    one, two = mixtures()
    second = example.SECOND_HEAD_SCORES
    return [
        ("Head one", hand_scores(), hand_weights(), example.VALUES, one),
        ("Head two", second, second_weights(), example.SECOND_HEAD_VALUES, two),
    ]


def test_figure_shows_two_distributions() -> None:
    figure = chapter.figures()["two"]
    expected: list[list] = []
    for title, s, weights, values, mixture in two_heads():
        for token, score, weight, value in zip(TOKENS, s, weights, values, strict=True):
            expected.append([title, token, score, weight, list(value)])
            said = f"{token}, score {shown(score, form='short')}, weight {weight:.4f}, value "
            assert f"{said}{shown_vector(value)}" in figure.description
        expected.append([title, "sum and mixture", "", 1, mixture])
        said = f"the weights add up to 1, the mixture is {shown_vector(mixture, '')}"
        assert said in figure.description
        for narrow in (False, True):
            drawn = [text.get_text() for text in figure.draw(narrow).axes[0].texts]
            assert {title, f"z = {shown_vector(mixture, '')}"} <= set(drawn)
            assert {f"{weight:.4f}" for weight in weights} <= set(drawn)
            assert {shown_vector(value) for value in values} <= set(drawn)
    assert contents(chapter.figures()["two"].data) == exact(expected)


@pytest.mark.parametrize("narrow", [False, True])
def test_each_head_fills_a_whole_bar(narrow: bool) -> None:
    patches = chapter.figures()["two"].draw(narrow).axes[0].patches
    rectangles = [patch for patch in patches if isinstance(patch, Rectangle)]
    bars = [bar for bar in rectangles if not math.isclose(bar.get_width(), 76)]
    assert len(rectangles) - len(bars) == 2 * len(TOKENS)  # an empty frame behind each bar
    own, parts = bars[::2], bars[1::2]
    for drawn in (own, parts):
        weights = [*hand_weights(), *second_weights()]
        assert [bar.get_width() for bar in drawn] == exact([76 * a for a in weights])
    assert contiguous(parts[: len(TOKENS)]) and contiguous(parts[len(TOKENS) :])


def test_demo_prints_the_shapes_and_that_both_ways_agree(
    capsys: pytest.CaptureFixture[str],
) -> None:
    chapter.both_ways()
    *lines, last = capsys.readouterr().out.splitlines()
    shapes = {line[:11].strip(): line[12:].strip() for line in lines}
    n, heads = len(WORDS[RIVER]), len(HEADS)
    d_model, d_k, d_out = len(example.W_Q), len(example.W_Q[0]), len(example.W_O[0])
    assert shapes == {
        "X": f"{n} x {d_model}",
        "W_Q": f"{heads} x {d_model} x {d_k}",
        "W_K": f"{heads} x {d_model} x {d_k}",
        "W_V": f"{heads} x {d_model} x {D_V}",
        "weights": f"{heads} x {n} x {n}",
        "end to end": f"{n} x {heads * D_V}",
        "W_O": f"{heads * D_V} x {d_out}",
        "output": f"{n} x {d_out}",
    }
    assert last == "head by head gives the same: True"


def test_demo_says_so_if_the_two_ways_differ(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    as_it_is = chapter.in_one_call
    monkeypatch.setattr(chapter, "in_one_call", lambda x: (as_it_is(x)[0] + 0.1, as_it_is(x)[1]))
    chapter.both_ways()
    assert capsys.readouterr().out.endswith("the same: False\n")


def test_explorable_starts_from_the_hand_example_and_its_rows_of_w_o() -> None:
    widget = chapter.widgets()["explorer"]
    start = widget.start
    both = two_heads()
    assert start["tokens"] == list(TOKENS)
    assert start["scores"] == [exact(list(s)) for _, s, *_ in both]
    assert start["values"] == [[list(value) for value in values] for *_, values, _ in both]
    # The last row of each head belongs to the position, which the hand example leaves out.
    kept = [r for r in range(len(example.W_O)) if (r + 1) % D_V]
    assert start["w_o"] == [list(example.W_O[r]) for r in kept]
    half = len(kept) // 2
    parts = [
        times(mixture, start["w_o"][half * h : half * h + half])
        for h, mixture in enumerate(mixtures())
    ]
    assert chapter.widgets()["explorer"].results == exact(
        {
            "weights": [hand_weights(), second_weights()],
            "mixtures": mixtures(),
            "parts": parts,
            "output": [math.fsum(pair) for pair in zip(*parts, strict=True)],
        }
    )


def test_what_the_text_says() -> None:
    vectors = plain(chapter.vectors())
    river = [slow_head(RIVER, head)[0] for head in (0, 1)]
    heaviest = [WORDS[RIVER][weights.index(max(weights))] for weights in river]
    second_queries = [
        times([x + y for x, y in zip(x_at_bank(s), slow_output(s), strict=True)], matrix)
        for s in (RIVER, MONEY)
        for matrix in [example.LAYER_TWO_W_Q]
    ]
    for sentence, holds in {
        "Every head projects values in its own way": (example.VALUES != example.SECOND_HEAD_VALUES),
        "the head for persons, the head for things": heaviest == ["fisherman", "net"],
        "The (others) carry the position along": (
            [row[-1] for w_v in (example.W_V, example.SECOND_W_V) for row in w_v[:-1]]
            == [0.0] * 2 * (len(example.W_V) - 1)
        ),
        "as many as a representation": len(example.W_O[0]) == len(x_at_bank(RIVER)),
        "If only the heads are exchanged, yes": vectors["swapped"] != exact(vectors["output"]),
        "one matrix makes two queries of it": all(
            f"{a:.2f}" != f"{b:.2f}" for a, b in zip(*second_queries, strict=True)
        ),
    }.items():
        assert holds, f"docs/heads.md: no longer so: '{sentence}'"
