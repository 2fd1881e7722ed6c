"""Padding, conventions and empty rows against loops that never see a padded position."""

import math

import numpy as np
import pytest

from snippets import padding as chapter
from snippets.running_example import OPEN, RIVER, TOKENS, VALUES
from tests import by_hand
from tests.by_hand import (
    causal,
    exact,
    hand_scores,
    hand_weights,
    mixture_at,
    plain,
    rows,
    scores_at,
    softmax,
    times,
    weights_at,
)

WORDS, LONGEST = by_hand.WORDS[OPEN], by_hand.WORDS[RIVER]
N, BANK, FLOODED = len(WORDS), WORDS.index("bank"), WORDS.index("flooded")
PADDED = len(LONGEST) - N
EQUAL = [1 / len(TOKENS)] * len(TOKENS)


def padding_weight() -> float:
    """Return what the padding gets at bank: rows of zeros, whose keys score zero."""
    return math.fsum(softmax([*scores_at(rows(WORDS), BANK), *[0.0] * PADDED])[N:])


def test_numbers() -> None:
    assert plain(chapter.numbers()) == exact(
        {
            "longest": len(LONGEST),
            "shortest": N,
            "padded": PADDED,
            "nothing": 0,
            "anything": chapter.ANYTHING,
            "pad_score": 0,
            "pad_weight": padding_weight(),
            "pad_masked": 0,
            "lowest": -(10**9),
            "fisherman": hand_weights()[0],
            "fisherman_lowered": softmax([score - 1e9 for score in hand_scores()])[0],
            "fisherman_filled": EQUAL[0],
        }
    )
    assert chapter.numbers()["pad_masked"].value == 0  # exactly
    assert PADDED > 0 and chapter.ANYTHING != 0


def test_batch() -> None:
    for left in (False, True):
        x, real = chapter.batch((RIVER, OPEN), 5.0, left)
        assert x.shape == (2, len(LONGEST), len(rows(WORDS)[0]))
        shorter = [*[False] * PADDED, *[True] * N]
        assert real.tolist() == [[True] * len(LONGEST), shorter[:: 1 if left else -1]]
        assert x[1][real[1]].tolist() == exact(rows(WORDS))
        assert set(x[~real].ravel().tolist()) == {5}


def test_padding_takes_a_share_unless_masked() -> None:
    sentence, lost = mixture_at(rows(WORDS), BANK), padding_weight()
    table = chapter.tables()["batch"].rows
    assert plain(chapter.tables()["batch"].rows) == exact(
        [
            ["by itself", 0, sentence],
            ["in the batch, no mask", lost, [z * (1 - lost) for z in sentence]],
            ["in the batch, masked", 0, sentence],
            ["masked, filled with 9", 0, sentence],
        ]
    )
    assert table[2][2] == table[3][2]  # to the last bit


def test_padded_columns_are_exactly_zero_for_every_real_query() -> None:
    for filling in (0.0, 9.0):
        output, found = chapter.in_batch(masked=True, filling=filling)
        assert (found[1, :, N:] == 0).all()
        assert output[1, :N].tolist() == exact([mixture_at(rows(WORDS), i) for i in range(N)])
    assert (chapter.in_batch(False)[1][1, :, N:] > 0).all()


def test_shapes_are_printed_from_the_arrays(capsys: pytest.CaptureFixture[str]) -> None:
    chapter.batch_shapes()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(maxsplit=1) for line in lines[:4]] == [
        ["x", "2 x 9 x 4"], ["mask", "2 x 1 x 9"],
        ["weights", "2 x 9 x 9"], ["output", "2 x 9 x 3"],
    ]  # fmt: skip
    assert [line.split()[0] for line in lines[4:]] == ["#########", "#######.."]


def test_three_conventions_say_the_same() -> None:
    tables = chapter.tables()
    for name in ("written", "equal"):
        ways = ("True = may attend", "True = blocked", "Added to the scores")
        assert tables[name].columns[1:] == ways
    may = [causal(FLOODED, j) for j in range(N)]
    assert tables["written"].rows == [
        (token, str(use), str(not use), "0" if use else "$-\\infty$")
        for token, use in zip(WORDS, may, strict=True)
    ]
    weights = weights_at(rows(WORDS), FLOODED, causal)
    assert plain(tables["equal"].rows) == exact(
        [[token, *[weight] * 3] for token, weight in zip(WORDS, weights, strict=True)]
    )
    for row in tables["equal"].rows[FLOODED + 1 :]:
        assert plain(row[1:]) == [0, 0, 0]  # exactly


def test_the_wrong_way_round_is_all_that_comes_later() -> None:
    later = [token.replace(".", "the full stop") for token in WORDS[BANK + 1 :]]
    assert chapter.texts()["wrong_way_round"] == ", ".join(later)


def test_added_masks_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    chapter.added_mask()
    printed = " ".join(capsys.readouterr().out.split())
    assert printed.startswith("TypeError: mask must be boolean (True = may attend), got float64")


def test_padding_first_leaves_the_first_row_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    chapter.padding_first()
    printed = " ".join(capsys.readouterr().out.split())
    assert printed.startswith("ValueError: mask row 1, 0 is False throughout")
    assert "no key left" in printed
    # With the padding last, every row keeps something.
    real = chapter.batch((RIVER, OPEN))[1]
    assert all(any(causal(i, j) and row[j] for j in range(9)) for row in real for i in range(9))


def test_an_empty_row_in_three_conventions() -> None:
    assert plain(chapter.tables()["nothing_left"].rows) == exact(
        [
            ["minus infinity", *["NaN"] * len(TOKENS), "NaN in each coordinate"],
            ["a very low score", *EQUAL, times(EQUAL, VALUES)],
            ["zero for NaN", *[0.0] * len(TOKENS), [0.0] * len(VALUES[0])],
        ]
    )
    assert np.isnan(chapter.nothing_left()["minus infinity"]).all()


def test_adding_a_very_low_number_masks_nothing() -> None:
    # Near a billion, double precision keeps the differences of the scores; single does not.
    assert softmax([-1e9 + s for s in (2, 1, 0)]) == softmax([2, 1, 0])
    assert len({np.float32(-1e9) + np.float32(s) for s in (2, 1, 0)}) == 1


def test_unchecked_softmax_is_softmax_where_nothing_is_infinite() -> None:
    assert chapter.unchecked_softmax(np.array(hand_scores())).tolist() == exact(hand_weights())
    assert chapter.unchecked_softmax(np.array((2.0, -np.inf))).tolist() == [1, 0]


def test_what_the_text_says() -> None:
    """Claims that hold for these inputs; on failure, change the sentence that is quoted."""
    lowered = chapter.numbers()["fisherman_lowered"]
    assert lowered == exact(hand_weights()[0]), (
        'docs/padding.md: "which is what it has with no mask at all"'
    )
