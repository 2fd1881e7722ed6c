"""Padding, conventions and empty rows against loops that never see a padded position."""

import math

import numpy as np
import pytest

from snippets import padding as chapter
from snippets.running_example import OPEN, RIVER
from tests import by_hand
from tests.by_hand import exact, plain, rows, softmax, times
from tests.chapters.test_masks import BANK, anything, causal, mixture, weights

WORDS = by_hand.WORDS[OPEN]
E = math.e
HAND = [E**2 / (E**2 + E + 1), E / (E**2 + E + 1), 1 / (E**2 + E + 1)]


def test_batch() -> None:
    numbers = chapter.numbers()
    assert (numbers["longest"], numbers["shortest"], numbers["padded"]) == (9, 7, 2)
    for left in (False, True):
        x, real = chapter.batch((RIVER, OPEN), 5.0, left)
        assert x.shape == (2, 9, 4)
        assert real.tolist() == [[True] * 9, ([False] * 2 + [True] * 7)[:: 1 if left else -1]]
        assert x[1][real[1]].tolist() == exact(rows(WORDS))
        assert set(x[~real].ravel().tolist()) == {5}


def test_padding_takes_a_share_unless_masked() -> None:
    numbers = chapter.numbers()
    assert numbers["nothing"].value == 0 and numbers["anything"].value == 9
    assert numbers["pad_score"].value == 0
    # Seven scores of the sentence, and two of zero.
    shares = softmax([0, 0, 1, 0, 0, 2.5, 0, 0, 0])
    assert numbers["pad_weight"] == exact(shares[7] + shares[8])
    assert numbers["pad_masked"].value == 0
    alone, unmasked, masked, filled = chapter.tables()["batch"].rows
    sentence = mixture(rows(WORDS), BANK, anything)
    diluted = [z * (1 - shares[7] - shares[8]) for z in sentence]
    assert (plain(alone[1]), alone[2]) == (0, exact(sentence))
    assert (plain(unmasked[1]), unmasked[2]) == (exact(shares[7] + shares[8]), exact(diluted))
    for row in (masked, filled):
        assert (plain(row[1]), row[2]) == (0, exact(sentence))
    assert masked[2] == filled[2]  # to the last bit


def test_padded_columns_are_exactly_zero_for_every_real_query() -> None:
    for filling in (0.0, 9.0):
        output, found = chapter.in_batch(masked=True, filling=filling)
        assert (found[1, :, 7:] == 0).all()
        assert output[1, :7].tolist() == [
            exact(mixture(rows(WORDS), i, anything)) for i in range(7)
        ]
    assert (chapter.in_batch(False)[1][1, :, 7:] > 0).all()


def test_shapes_are_printed_from_the_arrays(capsys: pytest.CaptureFixture[str]) -> None:
    chapter.shapes()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(maxsplit=1) for line in lines[:4]] == [
        ["x", "2 x 9 x 4"], ["mask", "2 x 1 x 9"],
        ["weights", "2 x 9 x 9"], ["output", "2 x 9 x 3"],
    ]  # fmt: skip
    assert [line.split()[0] for line in lines[4:]] == ["#########", "#######.."]


def test_three_conventions_say_the_same() -> None:
    flooded = 2
    written = chapter.tables()["written"]
    assert written.columns[1:] == ("True = may attend", "True = blocked", "Added to the scores")
    for j, row in enumerate(written.rows):
        may = causal(flooded, j)
        assert row == (WORDS[j], str(may), str(not may), "0" if may else "$-\\infty$")
    expected = weights(rows(WORDS), flooded, causal)
    equal = chapter.tables()["equal"].rows
    for column in (1, 2, 3):
        assert [plain(row[column]) for row in equal] == exact(expected)
        assert [plain(row[column]) == 0 for row in equal] == [False] * 3 + [True] * 4
    assert len(set(expected[:3])) > 1


def test_the_wrong_way_round_is_all_that_comes_later() -> None:
    assert chapter.texts()["wrong_way_round"] == "flooded, after, the, storm, the full stop"
    assert [token for j, token in enumerate(WORDS) if not causal(BANK, j)][:-1] == (
        chapter.texts()["wrong_way_round"].split(", ")[:-1]
    )


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
    table = chapter.tables()["nothing_left"].rows
    assert [row[0] for row in table] == ["minus infinity", "a very low score", "zero for NaN"]
    infinite, low, zero = ([plain(cell) for cell in row[1:]] for row in table)
    assert infinite == ["NaN", "NaN", "NaN", "NaN in each coordinate"]
    with np.errstate(invalid="ignore"):
        assert math.isnan(np.float64(0) / np.float64(0))
    assert low == [*[exact(1 / 3)] * 3, exact([1, 1])]
    assert zero == [0, 0, 0, [0, 0]]
    assert np.isnan(chapter.nothing_left()["minus infinity"]).all()


def test_adding_a_very_low_number_masks_nothing() -> None:
    numbers = chapter.numbers()
    assert numbers["lowest"].value == -(10**9)
    assert numbers["fisherman"] == exact(HAND[0])
    # In double precision a billion leaves room for whole numbers: 2, 1 and 0 survive exactly.
    scores = [-1e9 + s for s in (2, 1, 0)]
    assert [s - scores[2] for s in scores] == [2, 1, 0]
    assert numbers["fisherman_lowered"] == exact(HAND[0])
    assert numbers["fisherman_filled"] == exact(1 / 3)
    single = [np.float32(-1e9) + np.float32(s) for s in (2, 1, 0)]
    assert len(set(single)) == 1  # in single precision they do not


def test_share_is_softmax_where_nothing_is_infinite() -> None:
    assert chapter.share(np.array((2.0, 1.0, 0.0))).tolist() == exact(HAND)
    assert chapter.share(np.array((2.0, -np.inf))).tolist() == [1, 0]
    assert times([1.0, 0.0], [[1.0], [2.0]]) == [1]
