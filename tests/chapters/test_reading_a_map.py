"""The chapter's measures against slow loops in `math`, and every claim that its words make."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

from publisher.figures import palette
from snippets import reading_a_map as chapter
from snippets import running_example as example
from snippets.attention import attention
from snippets.notes import matrices
from snippets.running_example import (
    EMBEDDINGS,
    KEYS,
    POSITION_STEP,
    QUERY,
    VALUES,
    W_K,
    W_Q,
    W_V,
)
from tests.by_hand import divergence, exact, plain, times

E = math.e
WEIGHTS = [E**2 / (E**2 + E + 1), E / (E**2 + E + 1), 1 / (E**2 + E + 1)]
RIVER = ["The", "fisherman", "repaired", "his", "net", "beside", "the", "bank", "."]
SWAPS = {2: "cashier", 3: "counted", 4: "the", 5: "money", 6: "inside"}


def mix(weights: Sequence[float], values: Sequence[Sequence[float]]) -> list[float]:
    """Mix without NumPy, over whatever total the weights have."""
    total = math.fsum(weights)
    columns = zip(*values, strict=True)
    return [
        math.fsum(a * v for a, v in zip(weights, column, strict=True)) / total for column in columns
    ]


def without(rows: Sequence, position: int) -> list:
    """Leave a row out altogether: a mask by another way."""
    return [row for j, row in enumerate(rows) if j != position]


def slowly(words: Sequence[str]) -> tuple[list[float], list[list[float]], list[float]]:
    """Return weights, values and mixture at bank, from the words on, with `math` alone."""
    x = [
        [e + p * s for e, s in zip(EMBEDDINGS[word], POSITION_STEP, strict=True)]
        for p, word in enumerate(words, start=1)
    ]
    query = times(x[words.index("bank")], W_Q)
    scores = [math.fsum(np.multiply(query, times(row, W_K))) / math.sqrt(2) for row in x]
    exponentials = [math.exp(s) for s in scores]
    weights = [e / math.fsum(exponentials) for e in exponentials]
    values = [times(row, W_V) for row in x]
    return weights, values, mix(weights, values)


def moved_by_masking(weights: Sequence[float], values: Sequence[Sequence[float]]) -> list[float]:
    whole = mix(weights, values)
    return [
        math.dist(whole, mix(without(weights, j), without(values, j))) for j in range(len(weights))
    ]


def ranked(measure: Sequence[float]) -> list[str]:
    pairs = sorted(zip(measure, ("fisherman", "net", "bank"), strict=True), reverse=True)
    return [token for _, token in pairs]


@pytest.mark.parametrize(
    ("name", "values"), [("hand", VALUES), ("unequal", ((0.1, 0), (0.6, 0.8), (4, 3)))]
)
def test_three_measures(name: str, values: Sequence[Sequence[float]]) -> None:
    tables = {"hand": chapter.tables()["hand"], "unequal": chapter.tables()["unequal"]}
    rows = tables[name].rows
    norms = [math.hypot(*value) for value in values]
    masking = moved_by_masking(WEIGHTS, values)
    assert [row[0] for row in rows] == ["fisherman", "net", "bank"]
    for row, norm, weight, effect in zip(rows, norms, WEIGHTS, masking, strict=True):
        assert list(row[1:]) == exact([weight, weight * norm, effect])


def test_in_the_hand_example_all_three_agree() -> None:
    norms = [math.hypot(*value) for value in VALUES]
    assert plain(chapter.vectors()["norms"]) == exact(norms)
    weighted = [a * n for a, n in zip(WEIGHTS, norms, strict=True)]
    order = ranked(WEIGHTS)
    assert ranked(weighted) == order
    assert ranked(moved_by_masking(WEIGHTS, VALUES)) == order


def test_on_unequal_values_the_three_rankings_differ() -> None:
    values = ((0.1, 0), (0.6, 0.8), (4, 3))
    assert values == chapter.UNEQUAL_VALUES
    vectors = chapter.vectors()
    for name, value in zip(
        ("unequal_fisherman", "unequal_net", "unequal_bank"), values, strict=True
    ):
        assert plain(vectors[name]) == list(value)
    rankings = {row[0]: list(row[1:]) for row in chapter.tables()["rankings"].rows}
    weighted = [a * math.hypot(*v) for a, v in zip(WEIGHTS, values, strict=True)]
    masking = moved_by_masking(WEIGHTS, values)
    assert rankings == {
        "weight": ranked(WEIGHTS),
        "norm of the weighted value": ranked(weighted),
        "effect of removal": ranked(masking),
    }
    assert len({tuple(order) for order in rankings.values()}) == 3
    # What the words say: least brought, most missed.
    numbers = chapter.numbers()
    assert numbers["norm_fisherman"] == exact(weighted[0]) == exact(min(weighted))
    assert numbers["effect_fisherman"] == exact(masking[0]) == exact(max(masking))


def test_misreading_a_high_weight_is_a_high_contribution() -> None:
    rows = chapter.tables()["contribution"].rows
    assert plain(chapter.vectors()["unequal_norms"]) == exact([0.1, 1, 5])
    assert plain([row[2] for row in rows]) == exact([0.1, 1, 5])
    assert [row[1] for row in rows] == exact(WEIGHTS)
    weighted = [row[3] for row in rows]
    assert weighted == exact([0.1 * WEIGHTS[0], WEIGHTS[1], 5 * WEIGHTS[2]])
    assert ranked(weighted) == ranked(WEIGHTS)[::-1]


def test_masking_is_what_a_mask_before_softmax_does_and_silencing_subtracts() -> None:
    weights, values = np.array(WEIGHTS), np.array(VALUES)
    for j in range(3):
        may = np.array([[i != j for i in range(3)]])
        by_mask = attention([QUERY], KEYS, values, may)[0][0]
        assert chapter.masked(weights, values, j) == exact(by_mask)
        left = weights @ values - weights[j] * values[j]
        assert chapter.silenced(weights, values, j) == exact(left)
    silencing = chapter.effects(weights, values, chapter.silenced)
    assert silencing == exact([a * math.hypot(*v) for a, v in zip(WEIGHTS, VALUES, strict=True)])
    assert weights == exact(WEIGHTS)  # the functions leave their input alone


def test_the_read_out_does_not_hear_bank() -> None:
    values = chapter.UNEQUAL_VALUES
    assert plain(chapter.vectors()["read_out"]) == [-3, 4]
    heard = [a * (-3 * v[0] + 4 * v[1]) for a, v in zip(WEIGHTS, values, strict=True)]
    rows = chapter.tables()["heard"].rows
    assert plain([row[2] for row in rows]) == exact(heard)
    assert plain(rows[2][2]) == 0  # not nearly: at right angles
    assert [row[1] for row in rows] == exact(
        [a * math.hypot(*v) for a, v in zip(WEIGHTS, values, strict=True)]
    )
    assert rows[2][1] == max(row[1] for row in rows)
    assert chapter.numbers()["read_out_whole"] == exact(math.fsum(heard))


def test_misreading_weights_explain_all_or_nothing() -> None:
    value, first, second = chapter.tables()["pairs"].rows
    assert plain(value[1:4]) == [0, 1, 2]
    for row in (first, second):
        weights = plain(row[1:4])
        assert math.fsum(weights) == exact(1)
        assert min(weights) > 0
        assert plain(row[4]) == exact(weights[1] + 2 * weights[2]) == exact(1)
    assert np.argmax(plain(first[1:4])) != np.argmax(plain(second[1:4]))
    numbers = chapter.numbers()
    assert (numbers["middle_value"].value, numbers["raised_value"].value) == (1, 2)
    for row, weight, raised in (
        (first, "outer_weight", numbers["outer_raised"].value),
        (second, "middle_weight", numbers["middle_raised"].value),
    ):
        weights = plain(row[1:4])
        assert raised == exact(2 * weights[1] + 2 * weights[2])
        assert numbers[weight].value == exact(raised - 1)
    assert {"outer_weight", "middle_weight", "outer_raised", "middle_raised"} <= set(numbers)


def test_values_on_a_line_leave_a_choice_of_weights() -> None:
    vectors = chapter.vectors()
    fisherman, net, bank = (
        plain(vectors[name]) for name in ("fisherman_value", "net_value", "bank_value")
    )
    assert bank == [(a + b) / 2 for a, b in zip(fisherman, net, strict=True)]  # half-way
    f, n, b = WEIGHTS
    expected = ([f, n, b], [f + b / 2, n + b / 2, 0], [f - n, 0, b + 2 * n])
    rows = chapter.tables()["ends"].rows
    for row, weights in zip(rows, expected, strict=True):
        assert row[0] == exact(weights)
        assert list(row[1]) == exact(mix(WEIGHTS, VALUES))
        assert row[2] == exact(sum(abs(a - w) for a, w in zip(weights, WEIGHTS, strict=True)) / 2)
        assert min(weights) >= 0 and math.fsum(weights) == exact(1)
    assert rows[1][0][2] == rows[2][0][1] == 0
    between = chapter.traded(-0.1)  # nothing is zero, and still the same mixture
    assert between.min() > 0
    assert mix(between, VALUES) == exact(mix(WEIGHTS, VALUES))
    assert f > n > b  # net is second


def test_freedom_is_what_the_totals_leave() -> None:
    numbers = chapter.numbers()
    assert numbers["freedom_hand"] == 1
    assert numbers["freedom_unequal"] == 0
    # Nine positions; three coordinates and the total are fixed, and none follows from the others.
    values = np.array(slowly(RIVER)[1])
    rows = np.hstack([values, np.ones((9, 1))])[[1, 4, 7, 8]]
    assert abs(np.linalg.det(rows)) > 0.1
    assert numbers["freedom_river"] == 9 - 4
    # Three points lie on a line exactly if the triangle has no area.
    for triangle, flat in ((VALUES, True), (chapter.UNEQUAL_VALUES, False)):
        (a, b), (c, d), (e, f) = triangle
        assert ((c - a) * (f - b) == (e - a) * (d - b)) == flat


def test_river_position_by_position() -> None:
    rows = chapter.tables()["river"].rows
    weights, values, mixture = slowly(RIVER)
    masking = moved_by_masking(weights, values)
    assert [row[0] for row in rows] == RIVER
    assert [row[1] for row in rows] == exact(weights)
    norms = [math.sqrt(math.fsum(c * c for c in value)) for value in values]
    assert [row[2] for row in rows] == exact([a * n for a, n in zip(weights, norms, strict=True)])
    assert [row[3] for row in rows] == exact(masking)
    assert chapter.vectors()["river_mixture"] == exact(mixture)


def test_what_the_words_say_of_the_river() -> None:
    numbers, texts = chapter.numbers(), chapter.texts()
    weights, values, _ = slowly(RIVER)
    masking = dict(zip(RIVER, moved_by_masking(weights, values), strict=True))
    weight = dict(zip(RIVER, weights, strict=True))
    assert texts["strongest"] == "fisherman" == max(weight, key=weight.__getitem__)
    assert numbers["map_fisherman"] == exact(weight["fisherman"])
    assert numbers["equal_share"] == exact(1 / 9)
    # One weight, two effects.
    assert numbers["river_net"] == exact(weight["net"])
    assert numbers["river_his"] == exact(numbers["river_net"])
    assert numbers["masked_net"] == exact(masking["net"])
    assert numbers["masked_his"] == exact(masking["his"])
    assert numbers["masked_net"] > 3 * numbers["masked_his"]
    # The hypothesis holds for fisherman, and the full stop is missed more than its weight says.
    assert numbers["masked_fisherman"] == exact(max(masking.values())) == masking["fisherman"]
    assert numbers["river_stop"] == exact(weight["."])
    assert numbers["masked_stop"] == exact(masking["."])
    assert numbers["river_stop"] < numbers["river_his"]
    assert numbers["masked_stop"] > numbers["masked_his"]


def test_one_word_at_a_time() -> None:
    rows = chapter.tables()["swaps"].rows
    weights, _, mixture = slowly(RIVER)
    assert [(row[0], row[1]) for row in rows] == [(RIVER[p - 1], w) for p, w in SWAPS.items()]
    moved = {}
    for (place, new), row in zip(SWAPS.items(), rows, strict=True):
        words = RIVER.copy()
        words[place - 1] = new
        moved[row[0]] = math.dist(mixture, slowly(words)[2])
        assert row[2] == exact(weights[place - 1])
        assert row[3] == exact(moved[row[0]])
    numbers = chapter.numbers()
    assert numbers["swap_fisherman"] == exact(moved["fisherman"]) == exact(max(moved.values()))
    assert numbers["swap_net"] == exact(moved["net"]) == exact(min(moved.values()))


def test_the_map_and_the_table_beside_it_hold_the_same_weights() -> None:
    figure = chapter.figures()["map"]
    table = matrices.tables()["weights"]
    assert [row[0] for row in figure.data.rows] == RIVER
    for row, other in zip(figure.data.rows, table.rows, strict=True):
        assert list(row[1:]) == exact(plain(list(other[-9:])))
        assert math.fsum(row[1:]) == exact(1)
    assert list(figure.data.rows[7][1:]) == exact(slowly(RIVER)[0])
    assert "fisherman 0.3312" in figure.description
    assert "full stop 0.0448" in figure.description


@pytest.mark.parametrize("narrow", [False, True])
def test_shades_follow_the_weights(narrow: bool) -> None:
    weights = [w for row in chapter.figures()["map"].data.rows for w in row[1:]]
    axes = chapter.draw_map(narrow).axes[0]
    patches = [p for p in axes.patches if isinstance(p, Rectangle) and p.get_fill()]
    shades = [to_hex(p.get_facecolor()) for p in patches[: len(weights)]]
    for weight, shade in zip(weights, shades, strict=True):
        steps = [c for edge, c in ((0, palette.PAPER), (0.75, palette.FILL), (1.25, palette.RULE),
                                   (2, palette.MUTED)) if 9 * weight >= edge]  # fmt: skip
        assert shade == steps[-1]
        assert all(abs(9 * weight - edge) > 1e-6 for edge in (0.75, 1.25, 2))  # none on an edge
    assert len(set(shades)) == 4
    drawn = [text.get_text() for text in axes.texts]
    for weight in weights:
        assert f"{weight:.2f}" in drawn
    # 'his' and net have one shade in the row of bank.
    assert shades[7 * 9 + 3] == shades[7 * 9 + 4]
    assert "under 0.75" in drawn and "2 and more" in drawn


@pytest.mark.parametrize("narrow", [False, True])
def test_bars_of_the_rankings(narrow: bool) -> None:
    figure = chapter.figures()["measures"]
    values = chapter.UNEQUAL_VALUES
    measures = (
        WEIGHTS,
        [a * math.hypot(*v) for a, v in zip(WEIGHTS, values, strict=True)],
        moved_by_masking(WEIGHTS, values),
    )
    assert [row[0] for row in figure.data.rows] == ["fisherman", "net", "bank"]
    axes = chapter.draw_measures(narrow).axes[0]
    widths = [p.get_width() for p in axes.patches if isinstance(p, Rectangle)]
    longest = 120 if narrow else 50
    for k, measure in enumerate(measures):
        assert [row[k + 1] for row in figure.data.rows] == exact(measure)
        bars = [longest * x / max(measure) for x in measure]
        assert widths[3 * k : 3 * k + 3] == exact(bars)
        for x in measure:
            assert f"{x:.4f}" in figure.description
    owners = [int(np.argmax(measure)) for measure in measures]
    assert all(a != b for a, b in pairwise(owners))


def test_demo_prints_both_removals(capsys: pytest.CaptureFixture[str]) -> None:
    chapter.remove_each()
    lines = capsys.readouterr().out.splitlines()
    values = chapter.UNEQUAL_VALUES
    silencing = [a * math.hypot(*v) for a, v in zip(WEIGHTS, values, strict=True)]
    moved = [*silencing, *moved_by_masking(WEIGHTS, values)]
    assert len(lines) == 7
    for line, distance in zip(lines[1:], moved, strict=True):
        assert line.endswith(f"moved {distance:.4f}")


def test_jensen_shannon_is_the_entropy_that_mixing_adds() -> None:
    random = np.random.RandomState(2019)
    for _ in range(50):
        p, q = random.dirichlet(np.ones(4), 2)
        assert chapter.jensen_shannon(p, q) == pytest.approx(divergence(p, q), abs=1e-12)
        assert chapter.jensen_shannon(p, q) == pytest.approx(chapter.jensen_shannon(q, p))
        assert 0 < chapter.jensen_shannon(p, q) < math.log(2)
        assert chapter.jensen_shannon(p, p) == 0
        nearly = p * (1 + random.uniform(-1e-15, 1e-15, 4))
        assert 0 <= chapter.jensen_shannon(p, nearly) < 1e-15
    assert chapter.jensen_shannon([1, 0], [0, 1]) == pytest.approx(math.log(2), rel=1e-15)
    assert chapter.jensen_shannon([1, 0, 0], [0.5, 0, 0.5]) == pytest.approx(
        divergence([1, 0, 0], [0.5, 0, 0.5])
    )


def test_same_output_starts_from_the_hand_example() -> None:
    widget = chapter.widgets()["explorer"]
    tokens = widget.start["tokens"]
    assert [token["name"] for token in tokens] == list(example.TOKENS)
    assert [token["value"] for token in tokens] == [list(value) for value in example.VALUES]
    assert [token["score"] for token in tokens] == pytest.approx([2, 1, 0], abs=1e-12)
    assert {token["moved"] for token in tokens} == {0}
    f, n, b = WEIGHTS
    results = widget.results
    # The value of bank is half-way between the others, so its weight is taken from both alike.
    two = [[f + b / 2, n + b / 2, 0], [f - n, 0, b + 2 * n]]
    assert results["weights"] == pytest.approx(WEIGHTS, rel=1e-12)
    assert results["now"] == results["weights"]
    assert results["output"] == pytest.approx([2 * f + b, 2 * n + b], rel=1e-12)
    for corner, expected in zip(results["corners"], two, strict=True):
        assert corner == pytest.approx(expected, rel=1e-12)
    assert results["corners"][0][2] == results["corners"][1][1] == 0  # exactly
    divergences = [divergence(WEIGHTS, end) for end in two]
    assert results["divergences"] == pytest.approx([0, 0, *divergences], rel=1e-9)
    # What changed hands: all the weight of bank, or all that of net and as much of fisherman's.
    assert results["variations"] == pytest.approx([0, 0, b, 2 * n], rel=1e-12)
    assert results["shift"] == results["divergences"][0] == results["variations"][0] == 0
    # One direction, from the null space of the values and the total.
    rows = np.vstack([np.array(example.VALUES).T, np.ones(3)])
    _, sizes, directions = np.linalg.svd(rows)
    assert sum(sizes < 1e-12) == len(results["free"]) == 1
    token = results["free"][0]
    across = np.subtract(*results["corners"])
    assert across / across[token] == pytest.approx(directions[-1] / directions[-1][token])
    assert results["ranges"][token] == [corner[token] for corner in results["corners"]]
    assert [r for i, r in enumerate(results["ranges"]) if i != token] == [[], []]
