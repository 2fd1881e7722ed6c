"""The chapter's measures against slow loops in `math`, and every claim that its words make."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

from publisher.figures import palette
from publisher.results import shown
from snippets import reading_a_map as chapter
from snippets import running_example as example
from snippets.attention import attention
from snippets.notes import matrices
from snippets.running_example import KEYS, QUERY, VALUES, W_V
from tests.by_hand import (
    WORDS,
    divergence,
    dot,
    exact,
    hand_scores,
    hand_weights,
    plain,
    rows,
    times,
    weights_at,
)

Rows = Sequence[Sequence[float]]
TOKENS, RIVER, MONEY = list(example.TOKENS), WORDS[example.RIVER], WORDS[example.MONEY]
BANK = RIVER.index("bank")
WEIGHTS, UNEQUAL, READ_OUT = hand_weights(), chapter.UNEQUAL_VALUES, chapter.READ_OUT
NORMS = [math.hypot(*value) for value in UNEQUAL]
WEIGHTED = [a * norm for a, norm in zip(WEIGHTS, NORMS, strict=True)]


def slowly(words: Sequence[str]) -> tuple[list[float], list[list[float]], list[float]]:
    """Return weights, values and mixture at bank, from the words on, with `math` alone."""
    x = rows(words)
    weights, values = weights_at(x, words.index("bank")), [times(row, W_V) for row in x]
    return weights, values, times(weights, values)


def without(items: Sequence, position: int) -> list:
    """Leave a position out altogether: a mask by another way."""
    return [item for j, item in enumerate(items) if j != position]


def masked(weights: Sequence[float], values: Rows, position: int) -> list[float]:
    left = without(weights, position)
    total = math.fsum(left)
    return [z / total for z in times(left, without(values, position))]


def silenced(weights: Sequence[float], values: Rows, position: int) -> list[float]:
    return times(without(weights, position), without(values, position))


def moved_by_masking(weights: Sequence[float], values: Rows) -> list[float]:
    whole = times(weights, values)
    return [math.dist(whole, masked(weights, values, j)) for j in range(len(weights))]


def measured(values: Rows) -> list[list[float]]:
    """Return weight, norm of the weighted value and effect of a mask in the hand example."""
    norms = [a * math.hypot(*v) for a, v in zip(WEIGHTS, values, strict=True)]
    return [WEIGHTS, norms, moved_by_masking(WEIGHTS, values)]


def by_position(*columns: Sequence) -> list[list]:
    return [list(row) for row in zip(*columns, strict=True)]


def ranked(measure: Sequence[float]) -> list[str]:
    return [token for _, token in sorted(zip(measure, TOKENS, strict=True), reverse=True)]


def replaced() -> dict[str, tuple[str, float]]:
    """Return each word that the money sentence replaces, the new one, and the mixture's move."""
    mixture, found = slowly(RIVER)[2], {}
    for place, (old, new) in enumerate(zip(RIVER, MONEY, strict=True)):
        if old != new:
            words = [*RIVER[:place], new, *RIVER[place + 1 :]]
            found[old] = (new, math.dist(mixture, slowly(words)[2]))
    return found


def ends() -> list[list[float]]:
    """Return the hand example's weights, and the trades that leave bank, then net, nothing."""
    f, n, b = WEIGHTS
    fisherman, net, bank = VALUES
    across = [q - p for p, q in zip(fisherman, net, strict=True)]
    along = dot([q - p for p, q in zip(fisherman, bank, strict=True)], across)
    part = along / dot(across, across)  # how far from fisherman to net the value of bank lies
    share = -n / part
    return [
        WEIGHTS,
        [f + b * (1 - part), n + b * part, 0.0],
        [f + share * (1 - part), 0.0, b - share],
    ]


def freedom(values: Rows) -> int:
    """Count the weights that are free: all but the rank of the edges, and one for the total."""
    edges = [[a - b for a, b in zip(value, values[0], strict=True)] for value in values[1:]]
    rank = 0
    while any(abs(x) > 1e-12 for edge in edges for x in edge):  # Gaussian elimination
        pivot = max(edges, key=lambda edge: max(map(abs, edge)))
        column = max(range(len(pivot)), key=lambda c: abs(pivot[c]))
        edges = [
            [x - edge[column] / pivot[column] * y for x, y in zip(edge, pivot, strict=True)]
            for edge in edges
            if edge is not pivot
        ]
        rank += 1
    return len(values) - 1 - rank


def test_numbers() -> None:
    weights, values, _ = slowly(RIVER)
    weight = dict(zip(RIVER, weights, strict=True))
    moved = dict(zip(RIVER, moved_by_masking(weights, values), strict=True))
    raised = [chapter.SINGLE_VALUES[0], chapter.SINGLE_VALUES[1] + 1, chapter.SINGLE_VALUES[2]]
    assert plain(chapter.numbers()) == exact(
        {
            "equal_share": 1 / len(RIVER),
            "map_fisherman": weight["fisherman"],
            "norm_fisherman": WEIGHTED[0],
            "effect_fisherman": moved_by_masking(WEIGHTS, UNEQUAL)[0],
            "read_out_whole": dot(times(WEIGHTS, UNEQUAL), READ_OUT),
            "middle_value": chapter.SINGLE_VALUES[1],
            "raised_value": raised[1],
            "outer_raised": dot(chapter.OUTER_WEIGHTS, raised),
            "middle_raised": dot(chapter.MIDDLE_WEIGHTS, raised),
            "outer_weight": chapter.OUTER_WEIGHTS[1],
            "middle_weight": chapter.MIDDLE_WEIGHTS[1],
            "freedom_hand": freedom(VALUES),
            "freedom_unequal": freedom(UNEQUAL),
            "freedom_river": freedom(values),
            "river_net": weight["net"],
            "river_his": weight["his"],
            "masked_fisherman": moved["fisherman"],
            "masked_net": moved["net"],
            "masked_his": moved["his"],
            "river_stop": weight["."],
            "masked_stop": moved["."],
            "swap_fisherman": replaced()["fisherman"][1],
            "swap_net": replaced()["net"][1],
        }
    )


def test_vectors() -> None:
    assert plain(chapter.vectors()) == exact(
        {
            "net_value": list(VALUES[1]),
            "bank_value": list(VALUES[2]),
            "fisherman_value": list(VALUES[0]),
            "norms": [math.hypot(*value) for value in VALUES],
            "unequal_fisherman": list(UNEQUAL[0]),
            "unequal_net": list(UNEQUAL[1]),
            "unequal_bank": list(UNEQUAL[2]),
            "unequal_norms": NORMS,
            "read_out": list(READ_OUT),
            "river_mixture": slowly(RIVER)[2],
        }
    )


def test_three_measures_and_their_rankings() -> None:
    tables, measures = chapter.tables(), measured(UNEQUAL)
    assert plain(tables["hand"].rows) == exact(by_position(TOKENS, *measured(VALUES)))
    assert plain(tables["unequal"].rows) == exact(by_position(TOKENS, *measures))
    names = ("weight", "norm of the weighted value", "effect of removal")
    assert tables["rankings"].rows == [
        [name, *ranked(measure)] for name, measure in zip(names, measures, strict=True)
    ]


def test_a_high_weight_is_not_a_high_contribution() -> None:
    rows = by_position(TOKENS, WEIGHTS, NORMS, WEIGHTED)
    assert plain(chapter.tables()["contribution"].rows) == exact(rows)


def test_masking_is_what_a_mask_before_softmax_does_and_silencing_subtracts() -> None:
    weights, values = np.array(WEIGHTS), np.array(VALUES)
    for j in range(3):
        may = np.array([[i != j for i in range(3)]])
        by_mask = attention([QUERY], KEYS, values, may)[0][0]
        assert chapter.masked(weights, values, j).tolist() == exact(by_mask.tolist())
        assert chapter.silenced(weights, values, j).tolist() == exact(silenced(WEIGHTS, VALUES, j))
    silencing = chapter.effects(weights, values, chapter.silenced).tolist()
    assert silencing == exact([a * math.hypot(*v) for a, v in zip(WEIGHTS, VALUES, strict=True)])
    assert weights.tolist() == exact(WEIGHTS)  # the functions leave their input alone


def test_what_the_read_out_hears() -> None:
    heard = [a * dot(value, READ_OUT) for a, value in zip(WEIGHTS, UNEQUAL, strict=True)]
    assert plain(chapter.tables()["heard"].rows) == exact(by_position(TOKENS, WEIGHTED, heard))
    assert plain(chapter.tables()["heard"].rows[2][2]) == 0  # not nearly: at right angles


def test_two_distributions_have_one_output() -> None:
    value = list(chapter.SINGLE_VALUES)
    pairs = {"first": list(chapter.OUTER_WEIGHTS), "second": list(chapter.MIDDLE_WEIGHTS)}
    assert plain(chapter.tables()["pairs"].rows) == exact(
        [["value", *value, ""], *([name, *a, dot(a, value)] for name, a in pairs.items())]
    )
    outer, middle = pairs.values()
    assert dot(outer, value) == exact(dot(middle, value))
    assert math.fsum(outer) == exact(math.fsum(middle)) == exact(1)
    assert outer.index(max(outer)) != middle.index(max(middle)) and min(outer + middle) > 0
    # "Each step of a value moves the output by exactly its weight."
    numbers = plain(chapter.numbers())
    for name in ("outer", "middle"):
        assert numbers[f"{name}_raised"] - dot(outer, value) == exact(numbers[f"{name}_weight"])


def test_distributions_at_the_ends() -> None:
    expected = [
        [w, times(w, VALUES), sum(abs(a - b) for a, b in zip(w, WEIGHTS, strict=True)) / 2]
        for w in ends()
    ]
    assert plain(chapter.tables()["ends"].rows) == exact(expected)
    rows = chapter.tables()["ends"].rows
    assert rows[1][0][2] == rows[2][0][1] == 0  # exactly
    assert [math.fsum(row[0]) for row in rows] == exact([1, 1, 1])


def test_river_position_by_position() -> None:
    weights, values, _ = slowly(RIVER)
    norms = [a * math.sqrt(dot(value, value)) for a, value in zip(weights, values, strict=True)]
    assert plain(chapter.tables()["river"].rows) == exact(
        by_position(RIVER, weights, norms, moved_by_masking(weights, values))
    )
    weight, token = max(zip(weights, RIVER, strict=True))
    assert weight > 0 and chapter.texts()["strongest"] == token


def test_one_word_at_a_time() -> None:
    weight = dict(zip(RIVER, slowly(RIVER)[0], strict=True))
    assert plain(chapter.tables()["swaps"].rows) == exact(
        [[old, new, weight[old], moved] for old, (new, moved) in replaced().items()]
    )


def test_the_map_and_the_table_beside_it_hold_the_same_weights() -> None:
    x = rows(RIVER)
    weights = [weights_at(x, i) for i in range(len(RIVER))]
    figure = chapter.figures()["map"]
    assert plain(chapter.figures()["map"].data.rows) == exact(
        [[token, *row] for token, row in zip(RIVER, weights, strict=True)]
    )
    assert plain(figure.data.rows) == exact(plain(matrices.tables()["weights"].rows))
    for token, weight in zip(RIVER, weights[BANK], strict=True):
        assert f"{token.replace('.', 'full stop')} {shown(weight)}" in figure.description


@pytest.mark.parametrize("narrow", [False, True])
def test_shades_follow_the_weights(narrow: bool) -> None:
    figure = chapter.figures()["map"]
    weights = [w for row in figure.data.rows for w in row[1:]]
    axes = figure.draw(narrow).axes[0]
    patches = [p for p in axes.patches if isinstance(p, Rectangle) and p.get_fill()]
    shades = [to_hex(p.get_facecolor()) for p in patches[: len(weights)]]
    edges = {0: palette.PAPER, 0.75: palette.FILL, 1.25: palette.RULE, 2: palette.MUTED}
    for weight, shade in zip(weights, shades, strict=True):
        assert shade == [c for edge, c in edges.items() if len(RIVER) * weight >= edge][-1]
    drawn = [text.get_text() for text in axes.texts]
    assert {f"{weight:.2f}" for weight in weights} <= set(drawn)
    assert "under 0.75" in drawn and "2 and more" in drawn
    (frame,) = [p for p in axes.patches if isinstance(p, Rectangle) and not p.get_fill()]
    assert frame.get_y() == patches[BANK * len(RIVER)].get_y()


@pytest.mark.parametrize("narrow", [False, True])
def test_bars_of_the_rankings(narrow: bool) -> None:
    figure, measures = chapter.figures()["measures"], measured(UNEQUAL)
    assert plain(chapter.figures()["measures"].data.rows) == exact(by_position(TOKENS, *measures))
    axes = figure.draw(narrow).axes[0]
    widths = [p.get_width() for p in axes.patches if isinstance(p, Rectangle)]
    longest = 120 if narrow else 50
    for k, measure in enumerate(measures):
        bars = [longest * x / max(measure) for x in measure]
        assert widths[3 * k : 3 * k + 3] == exact(bars)
        said = ", ".join(f"{t} {shown(x)}" for t, x in zip(TOKENS, measure, strict=True))
        assert said in figure.description


def test_demo_prints_both_removals(capsys: pytest.CaptureFixture[str]) -> None:
    chapter.remove_each()
    lines = capsys.readouterr().out.splitlines()
    whole = times(WEIGHTS, UNEQUAL)
    left = [remove(WEIGHTS, UNEQUAL, j) for remove in (silenced, masked) for j in range(3)]
    assert len(lines) == 7
    for line, mixture in zip(lines[1:], left, strict=True):
        assert line.endswith(f"moved {math.dist(whole, mixture):.4f}")


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
    assert plain(chapter.widgets()["explorer"].start["tokens"]) == exact(
        [
            {"name": name, "value": list(value), "score": score, "moved": 0.0}
            for name, value, score in zip(TOKENS, VALUES, hand_scores(), strict=True)
        ]
    )
    results = chapter.widgets()["explorer"].results
    start, *two = ends()
    changed = [sum(abs(a - b) for a, b in zip(w, start, strict=True)) / 2 for w in two]
    assert results["weights"] == results["now"] == exact(start)
    assert results["output"] == exact(times(start, VALUES))
    assert results["corners"] == exact(two)
    assert results["corners"][0][2] == results["corners"][1][1] == 0  # exactly
    divergences = [0, 0, *(divergence(start, end) for end in two)]
    assert results["divergences"] == pytest.approx(divergences, rel=1e-9)
    assert results["variations"] == exact([0, 0, *changed])
    assert results["shift"] == results["divergences"][0] == results["variations"][0] == 0
    # One way to change the weights, given by that of bank, from one end to the other.
    assert results["free"] == [2]
    assert results["ranges"] == [[], [], exact([end[2] for end in two])]


def says(claim: bool, sentence: str) -> None:
    assert claim, f'docs/reading-a-map.md: change the sentence "{sentence}"'


def test_what_the_text_says_of_the_hand_example() -> None:
    """Claims that hold for these inputs; on failure, change the sentence that is quoted."""
    _, norms, effects = (ranked(measure) for measure in measured(VALUES))
    says(norms == effects == ranked(WEIGHTS), "There, all three agree")
    orders = {tuple(ranked(measure)) for measure in measured(UNEQUAL)}
    says(len(orders) == 3, "Three measures, three orders")
    owners = [order[0] for order in map(ranked, measured(UNEQUAL))]
    says(all(a != b for a, b in pairwise(owners)), "The longest bar changes its owner")
    says(ranked(WEIGHTED) == ranked(WEIGHTS)[::-1], "the reverse of the order of the weights")
    effects = ranked(moved_by_masking(WEIGHTS, UNEQUAL))
    says(effects[0] == ranked(WEIGHTED)[-1] == "fisherman", "It misses fisherman, the one with")
    says(ranked(WEIGHTED)[0] == "bank", "The longest vector in the mixture comes from bank")
    halfway = [(a + b) / 2 for a, b in zip(*VALUES[:2], strict=True)]
    says(list(VALUES[2]) == halfway, "is half-way between")
    says(ranked(WEIGHTS)[1] == "net", "net, once second, has nothing at all")
    says(freedom(VALUES) == 1, "as in the hand example, there is a segment of them")
    mixtures = [times(weights, VALUES) for weights in ends()]
    says(mixtures == exact([mixtures[0]] * 3), "The mixture is the same")
    says(min(map(min, ends())) >= 0, "Three distributions, one mixture")


def test_what_the_text_says_of_the_river() -> None:
    """Claims that hold for these inputs; on failure, change the sentence that is quoted."""
    weights, values, _ = slowly(RIVER)
    weight = dict(zip(RIVER, weights, strict=True))
    moved = dict(zip(RIVER, moved_by_masking(weights, values), strict=True))
    says(weight["his"] == exact(weight["net"]), "'his' and net have the same weight")
    says(moved["net"] > 3 * moved["his"], "Nothing in the map could have told you")
    says(moved["fisherman"] == max(moved.values()), "For fisherman the hypothesis holds")
    misled = weight["."] < weight["his"] and moved["."] > moved["his"]
    says(misled, "Yet the mixture misses the full stop more")
    by_move = sorted(replaced(), key=lambda old: replaced()[old][1])
    says(by_move[-1] == "fisherman", "Again fisherman comes first")
    says(by_move[0] == "net", "But net, which was missed so much, comes last")
