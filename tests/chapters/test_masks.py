"""The chapter's masks against slow loops in `math`, which leave a key out where a mask would."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.patches import Circle

from snippets import masks as chapter
from snippets import running_example as example
from snippets.attention import causal_mask
from snippets.cross_attention import OUTPUT
from snippets.running_example import W_K, W_Q, W_V
from tests.by_hand import WORDS, exact, plain, rows, softmax, times

Rows = list[list[float]]
RIVER, OPEN = WORDS[example.RIVER], WORDS[example.OPEN]
BANK, STORM = 1, 5


def scores(x: Rows, i: int) -> list[float]:
    query = times(x[i], W_Q)
    return [
        math.fsum(q * k for q, k in zip(query, times(row, W_K), strict=True)) / math.sqrt(2)
        for row in x
    ]


def weights(x: Rows, i: int, may: Callable[[int, int], bool]) -> list[float]:
    """Share out among the allowed positions only: a forbidden one never meets the softmax."""
    allowed = [j for j in range(len(x)) if may(i, j)]
    shares = dict(zip(allowed, softmax([scores(x, i)[j] for j in allowed]), strict=True))
    return [shares.get(j, 0.0) for j in range(len(x))]


def mixture(x: Rows, i: int, may: Callable[[int, int], bool]) -> list[float]:
    return times(weights(x, i, may), [times(row, W_V) for row in x])


def causal(i: int, j: int) -> bool:
    return j <= i


def anything(i: int, j: int) -> bool:
    return True


def layer(x: Rows, masked: bool) -> Rows:
    """One head; its third coordinate goes where the position was, and the third stays empty."""
    out = [mixture(x, i, causal if masked else anything) for i in range(len(x))]
    return [[z[0], z[1], 0.0, z[2]] for z in out]


def test_river_sentence() -> None:
    x = rows(RIVER)
    free, masked = (weights(x, 7, may) for may in (anything, causal))
    table = chapter.tables()["river"].rows
    assert [row[0] for row in table] == RIVER
    assert [plain(row[1]) for row in table] == exact(free)
    assert [plain(row[2]) for row in table] == exact(masked)
    numbers = chapter.numbers()
    assert numbers["stop"] == exact(free[-1])
    assert numbers["stop_causal"].value == 0  # exactly, and so with all that is printed as 0
    assert numbers["fisherman"] == exact(free[1])
    assert numbers["fisherman_causal"] == exact(masked[1])
    assert numbers["net_causal"] == exact(masked[4])
    assert numbers["river_total"].value == exact(1)
    assert free[-1] > 0
    # In proportion: every ratio stays.
    assert [m / f for m, f in zip(masked[:8], free[:8], strict=True)] == exact(
        [1 / (1 - free[-1])] * 8
    )
    assert masked[1] > 0 and masked[4] > 0 and RIVER[7] == "bank"


def test_open_sentence() -> None:
    numbers, texts = chapter.numbers(), chapter.texts()
    assert texts["open"] == "The bank flooded after the storm."
    assert texts["river"].split()[1] == "fisherman"
    assert (texts["late"], texts["other"]) == ("storm", "money")
    assert (numbers["n"], numbers["bank_place"], numbers["late_place"]) == (7, 2, 6)
    x = rows(OPEN)
    assert numbers["late_at_bank"] == exact(weights(x, BANK, anything)[STORM])
    assert numbers["late_masked"].value == 0
    assert numbers["bank_at_late"] == exact(weights(x, STORM, causal)[BANK])
    assert numbers["bank_at_late"] > 0.01  # storm does see bank


def test_access() -> None:
    table = chapter.tables()["positions"]
    assert [row[:2] for row in table.rows] == list(enumerate(OPEN, start=1))
    for j, row in enumerate(table.rows):
        expected = [causal(BANK, j), True, causal(STORM, j), True]
        assert [cell == "yes" for cell in row[2:]] == expected
        assert {*row[2:]} <= {"yes", "no"}
    assert [row[2] for row in table.rows] == ["yes"] * 2 + ["no"] * 5
    assert table.rows[BANK][4] == "yes" and table.rows[STORM][2] == "no"
    assert [title.split()[1].strip(",") for title in table.columns[2:]] == [
        "bank", "bank", "storm", "storm",
    ]  # fmt: skip


def test_figure_of_access() -> None:
    figure = chapter.figures()["access"]
    assert figure.label == "concept drawing"
    assert [row[2] for row in figure.data.rows] == ["disc"] * 2 + ["cross"] * 5
    assert {row[3] for row in figure.data.rows} == {"disc"}
    assert "Causal, it may use 1 The, 2 bank and no other" in figure.description
    assert "6 storm, 7 full stop" in figure.description


@pytest.mark.parametrize("narrow", [False, True])
def test_drawing_of_access(narrow: bool) -> None:
    axes = chapter.draw_access(narrow).axes[0]
    discs = [patch.center for patch in axes.patches if isinstance(patch, Circle)]
    words = {text.get_text(): text.get_position() for text in axes.texts}
    assert {*OPEN, "causal", "bidirectional", "asks"} <= set(words)
    assert len(discs) == 2 + 7 + 1  # and the legend's
    assert len(axes.lines) == 2 * (5 + 1)
    along = 1 if narrow else 0  # tokens follow each other downwards, or to the right
    for token in OPEN:
        level = words[token][along] - (12 * 0.36 if narrow else 0)
        here = sum(math.isclose(disc[along], level, abs_tol=0.01) for disc in discs)
        assert here == (2 if token in ("The", "bank") else 1)


def test_four_ways_to_mask() -> None:
    all_scores = scores(rows(OPEN), BANK)
    assert all_scores == exact([0, 0, 1, 0, 0, 2.5, 0])
    shares = softmax(all_scores)
    kept = shares[0] + shares[1]
    half = [0.5, 0.5, 0, 0, 0, 0, 0]
    expected = [half, [*shares[:2], 0, 0, 0, 0, 0], half, [1 / 7] * 7]
    *table, total = chapter.tables()["ways"].rows
    assert [row[0] for row in table] == OPEN
    assert [plain(row[1]) for row in table] == exact(all_scores)
    for column, way in enumerate(expected, start=2):
        assert [plain(row[column]) for row in table] == exact(way)
    assert plain(total[2:]) == exact([1, kept, 1, 1])
    numbers = chapter.numbers()
    assert numbers["left_over"] == exact(kept)
    assert kept < 0.5  # most of the one went to positions that are not allowed
    assert numbers["times_zero"] == exact(1 / 7)


def test_masking_is_not_multiplying_by_zero() -> None:
    numbers = chapter.numbers()
    assert plain(chapter.vectors()["low"]) == [-1, -2, -0.5]
    assert numbers["low_masked"].value == 0
    assert math.copysign(1, numbers["low_masked"].value) == 1  # 0, not -0
    zeroed = softmax([-1, -2, 0])
    assert numbers["low_wins"] == exact(zeroed[2])
    assert numbers["low_first"] == exact(zeroed[0])
    assert zeroed[2] == max(zeroed)
    free, before = softmax([-1, -2, -0.5]), softmax([-1, -2])
    assert numbers["low_after"] == exact(free[0] + free[1])
    assert numbers["low_before"] == exact(before[0])
    assert numbers["low_divided"] == exact(free[0] / (free[0] + free[1]))
    assert before[0] == exact(1 / (1 + math.exp(-1)))


def test_after_softmax_nothing_may_be_left() -> None:
    numbers = chapter.numbers()
    assert numbers["far_score"].value == 1000
    assert math.exp(-1 - 1000) + math.exp(-2 - 1000) == numbers["far_after"].value == 0
    assert numbers["far_before"] == exact(1 / (1 + math.exp(-1)))


def test_two_layers() -> None:
    table = chapter.tables()["layers"].rows
    settings = [(True, True), (True, False), (False, True), (False, False)]
    names = ["both", "the first", "the second", "neither"]
    assert [row[0] for row in table] == names
    for row, (first, second) in zip(table, settings, strict=True):
        for column, last in ((1, "storm"), (2, "money")):
            tokens = [*OPEN[:5], last]
            assert plain(row[column]) == exact(layer(layer(rows(tokens), first), second)[0])
        assert row[3] == ("yes" if first and second else "no")
        assert (plain(row[1]) == plain(row[2])) == (first and second)  # to the last bit


def test_leaks_are_found_where_they_are() -> None:
    x = np.array(rows(OPEN[:6]))
    for first in (True, False):
        for second in (True, False):
            found = chapter.leaks(lambda x, a=first, b=second: chapter.two_layers(x, a, b), x)
            assert found == ([] if first and second else [1, 2, 3, 4, 5])
    # A mask that lets each position see one too many is caught at each position but the last,
    off_by_one = np.tri(6, k=1, dtype=bool)
    assert chapter.leaks(lambda x: chapter.layer(x, off_by_one), x) == [1, 2, 3, 4, 5]
    # and a mask that leaks at one place is caught there.
    one = causal_mask(6)
    one[2, 4] = True
    assert chapter.leaks(lambda x: chapter.layer(x, one), x) == [3]


def test_leak_test_prints_four_models(capsys: pytest.CaptureFixture[str]) -> None:
    chapter.leak_test()
    _, *lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines] == [
        [a, b] for a in ("masked", "open") for b in ("masked", "open")
    ]
    assert [line.split(maxsplit=2)[2] for line in lines] == ["no position", *["1 2 3 4 5"] * 3]


def test_the_newest_position_needs_the_mask_too() -> None:
    vectors = chapter.vectors()
    x = rows(OPEN[:6])
    for name, masked in (("masked", True), ("open", False)):
        assert plain(vectors[f"once_{name}"]) == exact(layer(x, masked)[-1])
        assert plain(vectors[f"twice_{name}"]) == exact(layer(layer(x, masked), masked)[-1])
    assert plain(vectors["once_masked"]) == exact(plain(vectors["once_open"]))
    one, other = plain(vectors["twice_masked"]), plain(vectors["twice_open"])
    assert max(abs(a - b) for a, b in zip(one, other, strict=True)) > 0.1


def test_order() -> None:
    swapped = ["The", "storm", "flooded", "after", "the", "bank", "."]
    assert chapter.texts()["swapped"] == "The storm flooded after the bank."
    plainly, placed, masked = ([plain(z) for z in r[1:]] for r in chapter.tables()["order"].rows)
    for column, tokens in enumerate((OPEN, swapped)):
        bank = tokens.index("bank")
        assert plainly[column] == exact(mixture(rows(tokens, placed=False), bank, anything))
        assert placed[column] == exact(mixture(rows(tokens), bank, anything))
        assert masked[column] == exact(mixture(rows(tokens, placed=False), bank, causal))
    assert plainly[0] == exact(plainly[1])
    assert placed[0][:2] == exact(placed[1][:2])  # only the last coordinate takes it up
    assert abs(placed[0][2] - placed[1][2]) > 0.1
    assert max(abs(a - b) for a, b in zip(*masked, strict=True)) > 0.1


def test_every_token_keeps_its_mixture_when_all_change_places() -> None:
    backwards = OPEN[::-1]
    for i, token in enumerate(backwards):
        there = mixture(rows(backwards, placed=False), i, anything)
        if OPEN.count(token) == 1:
            here = mixture(rows(OPEN, placed=False), OPEN.index(token), anything)
            assert there == exact(here)


def test_masks_start_from_the_open_sentence_at_bank_with_equal_scores() -> None:
    widget = chapter.widgets()["explorer"]
    start, results = widget.start, widget.results
    words = WORDS[example.OPEN]
    n = len(words)
    assert start["examples"] == [example.RIVER, example.MONEY, example.OPEN]
    assert start["sentence"] == example.OPEN
    assert start["kind"] == "causal" and start["asking"] == " ".join(OUTPUT) and not start["left"]
    assert start["padding"] == len(WORDS[example.RIVER]) - n
    assert start["query"] == results["query"] == words.index("bank")
    assert results["queries"] == results["keys"] == words
    for i, (may, weights) in enumerate(zip(results["mask"], results["weights"], strict=True)):
        assert may == [True] * (i + 1) + [False] * (n - i - 1)
        assert weights == pytest.approx([1 / (i + 1)] * (i + 1) + [0.0] * (n - i - 1))
        assert all((weight == 0) is not use for weight, use in zip(weights, may, strict=True))
