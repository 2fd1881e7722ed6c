"""The chapter's masks against slow loops in `math`, which leave a key out where a mask would."""

import math

import numpy as np
import pytest
from matplotlib.patches import Circle

from snippets import masks as chapter
from snippets import running_example as example
from snippets.attention import causal_mask
from snippets.cross_attention import OUTPUT
from tests.by_hand import (
    WORDS,
    Access,
    anything,
    causal,
    exact,
    mixture_at,
    plain,
    rows,
    scores_at,
    softmax,
    weights_at,
)

Rows = list[list[float]]
RIVER, OPEN = WORDS[example.RIVER], WORDS[example.OPEN]
BANK, STORM = OPEN.index("bank"), OPEN.index("storm")
PREFIX = OPEN[: STORM + 1]
EXCHANGED = ["The", "storm", "flooded", "after", "the", "bank", "."]


def layer(x: Rows, masked: bool) -> Rows:
    """One head; its third coordinate goes where the position was, and the third stays empty."""
    out = [mixture_at(x, i, causal if masked else anything) for i in range(len(x))]
    return [[z[0], z[1], 0.0, z[2]] for z in out]


def at_bank_in_river(may: Access) -> list[float]:
    return weights_at(rows(RIVER), RIVER.index("bank"), may)


def four_ways(scores: list[float], kept: int) -> list[list[float]]:
    """Mask all but the first `kept` scores: before softmax, after, after and divided, by zero."""
    zeros = [0.0] * (len(scores) - kept)
    before = [*softmax(scores[:kept]), *zeros]
    after = [*softmax(scores)[:kept], *zeros]
    return [before, after, before, softmax([*scores[:kept], *zeros])]


def test_numbers() -> None:
    free, masked = at_bank_in_river(anything), at_bank_in_river(causal)
    fisherman, net = RIVER.index("fisherman"), RIVER.index("net")
    x = rows(OPEN)
    low, far = list(chapter.LOW), list(chapter.FAR)
    before, after, _, zeroed = four_ways(low, 2)
    _, open_after, _, open_zeroed = four_ways(scores_at(x, BANK), BANK + 1)
    assert plain(chapter.numbers()) == exact(
        {
            "n": len(OPEN),
            "bank_place": BANK + 1,
            "late_place": STORM + 1,
            "stop": free[-1],
            "stop_causal": 0,
            "fisherman": free[fisherman],
            "fisherman_causal": masked[fisherman],
            "net_causal": masked[net],
            "river_total": 1,
            "late_at_bank": weights_at(x, BANK)[STORM],
            "late_masked": 0,
            "bank_at_late": weights_at(x, STORM, causal)[BANK],
            "left_over": sum(open_after),
            "times_zero": open_zeroed[-1],
            "low_masked": 0,
            "low_wins": zeroed[2],
            "low_first": zeroed[0],
            "low_after": sum(after),
            "low_before": before[0],
            "low_divided": after[0] / sum(after),
            "far_score": far[2],
            "far_after": math.exp(far[0] - far[2]) + math.exp(far[1] - far[2]),
            "far_before": four_ways(far, 2)[0][0],
        }
    )


def test_what_is_excluded_is_exactly_zero() -> None:
    numbers = chapter.numbers()
    for name in ("stop_causal", "late_masked", "low_masked", "far_after"):
        assert numbers[name].value == 0
        assert math.copysign(1, numbers[name].value) == 1  # 0, not -0


def test_vectors() -> None:
    x = rows(PREFIX)
    masked, free = layer(x, True), layer(x, False)
    vectors = chapter.vectors()
    assert plain(vectors) == exact(
        {
            "low": list(chapter.LOW),
            "once_masked": masked[-1],
            "once_open": free[-1],
            "twice_masked": layer(masked, True)[-1],
            "twice_open": layer(free, False)[-1],
        }
    )
    # "No difference, since nothing comes after it": after one layer, and only after one.
    assert plain(vectors["once_masked"]) == exact(plain(vectors["once_open"]))
    assert plain(vectors["twice_masked"]) != exact(plain(vectors["twice_open"]))


def test_the_river_sentence_shares_out_the_stop_in_proportion() -> None:
    free, masked = at_bank_in_river(anything), at_bank_in_river(causal)
    expected = [list(row) for row in zip(RIVER, free, masked, strict=True)]
    assert plain(chapter.tables()["river"].rows) == exact(expected)
    ratios = [m / f for m, f in zip(masked[:-1], free[:-1], strict=True)]
    assert ratios == exact([1 / (1 - free[-1])] * len(ratios))
    assert RIVER[-2] == "bank"  # so that nothing but the full stop comes later


def test_access() -> None:
    table = chapter.tables()["positions"]
    assert plain(chapter.tables()["positions"].rows) == [
        [
            j + 1,
            token,
            *("yes" if may else "no" for may in (causal(BANK, j), True, causal(STORM, j), True)),
        ]
        for j, token in enumerate(OPEN)
    ]
    assert [title.split()[1].strip(",") for title in table.columns[2:]] == [
        "bank", "bank", "storm", "storm",
    ]  # fmt: skip


def test_texts() -> None:
    assert chapter.texts() == {
        "river": example.RIVER,
        "open": example.OPEN,
        "late": OPEN[STORM],
        "other": chapter.OTHER,
        "swapped": " ".join(EXCHANGED).replace(" .", "."),
    }
    assert chapter.OTHER in example.EMBEDDINGS and chapter.OTHER not in OPEN


def test_figure_of_access() -> None:
    figure = chapter.figures()["access"]
    assert plain(chapter.figures()["access"].data.rows) == [
        [j + 1, token, "disc" if causal(BANK, j) else "cross", "disc"]
        for j, token in enumerate(OPEN)
    ]
    assert figure.label == "concept drawing"
    assert "Causal, it may use 1 The, 2 bank and no other" in figure.description
    assert "6 storm, 7 full stop" in figure.description


@pytest.mark.parametrize("narrow", [False, True])
def test_drawing_of_access(narrow: bool) -> None:
    axes = chapter.figures()["access"].draw(narrow).axes[0]
    discs = [patch.center for patch in axes.patches if isinstance(patch, Circle)]
    words = {text.get_text(): text.get_position() for text in axes.texts}
    assert {*OPEN, "causal", "bidirectional", "asks"} <= set(words)
    assert len(discs) == (BANK + 1) + len(OPEN) + 1  # and the legend's
    assert len(axes.lines) == 2 * (len(OPEN) - BANK - 1 + 1)
    along = 1 if narrow else 0  # tokens follow each other downwards, or to the right
    for j, token in enumerate(OPEN):
        level = words[token][along] - (12 * 0.36 if narrow else 0)
        here = sum(math.isclose(disc[along], level, abs_tol=0.01) for disc in discs)
        assert here == (2 if causal(BANK, j) else 1)


def test_four_ways_to_mask() -> None:
    scores = scores_at(rows(OPEN), BANK)
    ways = four_ways(scores, BANK + 1)
    expected = [list(row) for row in zip(OPEN, scores, *ways, strict=True)]
    total = ["sum", "", *map(sum, ways)]
    assert plain(chapter.tables()["ways"].rows) == exact([*expected, total])


def test_two_layers() -> None:
    table = chapter.tables()["layers"].rows
    settings = {
        "both": (True, True), "the first": (True, False), "the second": (False, True),
        "neither": (False, False),
    }  # fmt: skip
    ends = [[*PREFIX[:-1], last] for last in ("storm", chapter.OTHER)]
    assert plain(chapter.tables()["layers"].rows) == exact(
        [
            [
                name,
                *(layer(layer(rows(tokens), first), second)[0] for tokens in ends),
                "yes" if first and second else "no",
            ]
            for name, (first, second) in settings.items()
        ]
    )
    for row in table:
        assert (plain(row[1]) == plain(row[2])) == (row[3] == "yes")  # to the last bit


def test_leaks_are_found_where_they_are() -> None:
    x = np.array(rows(PREFIX))
    n = len(x)
    for first in (True, False):
        for second in (True, False):
            found = chapter.leaks(lambda x, a=first, b=second: chapter.two_layers(x, a, b), x)
            assert found == ([] if first and second else list(range(1, n)))
    # A mask that lets each position see one too many is caught at each position but the last,
    off_by_one = np.tri(n, k=1, dtype=bool)
    assert chapter.leaks(lambda x: chapter.layer(x, off_by_one), x) == list(range(1, n))
    # and a mask that leaks at one place is caught there.
    one = causal_mask(n)
    one[2, 4] = True
    assert chapter.leaks(lambda x: chapter.layer(x, one), x) == [3]


def test_leak_test_prints_four_models(capsys: pytest.CaptureFixture[str]) -> None:
    chapter.leak_test()
    _, *lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines] == [
        [a, b] for a in ("masked", "open") for b in ("masked", "open")
    ]
    assert [line.split(maxsplit=2)[2] for line in lines] == ["no position", *["1 2 3 4 5"] * 3]


def test_order() -> None:
    made = (("embeddings alone", False, anything), ("with positions", True, anything),
            ("with a causal mask instead", False, causal))  # fmt: skip
    table = chapter.tables()["order"].rows
    assert plain(chapter.tables()["order"].rows) == exact(
        [
            [name, *(mixture_at(rows(t, placed), t.index("bank"), may) for t in (OPEN, EXCHANGED))]
            for name, placed, may in made
        ]
    )
    alone, placed, masked = (plain(row[1:]) for row in table)
    assert alone[0] == exact(alone[1])
    assert placed[0][:2] == exact(placed[1][:2])  # only the last coordinate takes it up
    assert placed[0][2] != exact(placed[1][2])
    assert masked[0] != exact(masked[1])


def test_every_token_keeps_its_mixture_when_all_change_places() -> None:
    backwards = OPEN[::-1]
    for i, token in enumerate(backwards):
        if OPEN.count(token) == 1:
            there = mixture_at(rows(backwards, placed=False), i)
            assert there == exact(mixture_at(rows(OPEN, placed=False), OPEN.index(token)))


def test_what_the_text_says() -> None:
    """Claims that hold for these inputs; on failure, change the sentence that is quoted."""
    page, scores = "docs/masks.md", scores_at(rows(OPEN), BANK)
    before, after, _, zeroed = four_ways(scores, BANK + 1)
    assert before[0] == exact(before[BANK]), f'{page}: "so each gets half"'
    assert zeroed == exact([1 / len(OPEN)] * len(OPEN)), f'{page}: "*every* position has the same"'
    assert sum(after) < 0.5, f'{page}: "Softmax has already given most of the total to positions"'
    low = softmax([*chapter.LOW[:2], 0])
    assert max(low) == low[2], f'{page}: "which is now the *largest* of the three"'


def test_masks_start_from_the_open_sentence_at_bank_with_equal_scores() -> None:
    start, results = chapter.widgets()["explorer"].start, chapter.widgets()["explorer"].results
    n = len(OPEN)
    assert chapter.widgets()["explorer"].start == {
        "examples": [example.RIVER, example.MONEY, example.OPEN],
        "sentence": example.OPEN,
        "asking": " ".join(OUTPUT),
        "kind": "causal",
        "padding": len(RIVER) - n,
        "left": False,
        "query": BANK,
    }
    assert start["query"] == results["query"]
    assert results["queries"] == results["keys"] == OPEN
    for i, (may, weights) in enumerate(zip(results["mask"], results["weights"], strict=True)):
        assert may == [causal(i, j) for j in range(n)]
        assert weights == exact([1 / (i + 1)] * (i + 1) + [0.0] * (n - i - 1))
        assert all((weight == 0) is not use for weight, use in zip(weights, may, strict=True))
