"""Each bug really is one: its wrong number by hand, its check against wrong code and right code."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from snippets import bugs
from snippets.attention import Array, attention_weights, causal_mask
from snippets.bugs import (
    ablated_after_w_o,
    divided_by_d_k,
    divided_by_root_n,
    inverted_mask,
    keys_for_values,
    leak,
    mask_after_softmax,
    mask_off_by_one,
    missing_keepdims,
    multiplied_mask,
    renormalised_dropout,
    softmax_axis,
    unswapped_heads,
)
from snippets.heads import added_by_head, bank_row, in_one_call
from snippets.query_key_value import queries_keys_values, read
from snippets.running_example import (
    KEYS,
    QUERY,
    RIVER,
    SECOND_W_K,
    SECOND_W_Q,
    SECOND_W_V,
    TOKENS,
    VALUES,
    W_K,
    W_O,
    W_Q,
    W_V,
)
from tests import tiny
from tests.by_hand import (
    WORDS,
    dot,
    exact,
    hand_weights,
    plain,
    rows,
    scores,
    scores_at,
    softmax,
    times,
)

FISHERMAN, NET, BANK = hand_weights()
# The scores of each of the three tokens against all three, when they stand alone.
ALONE = rows(TOKENS)
AT_FISHERMAN, AT_NET, AT_BANK = (scores_at(ALONE, i) for i in range(len(TOKENS)))
WORD = TOKENS[-1]


def name_of(bug: ModuleType) -> str:
    return bug.__name__.rpartition(".")[2]


every_bug = pytest.mark.parametrize("bug", bugs.BUGS, ids=name_of)


def divided(divisor: float) -> float:
    """Return the weight of fisherman at bank if the dot products are divided by `divisor`."""
    return softmax([dot(QUERY, key) / divisor for key in KEYS])[0]


def divided_alone(divisor: float) -> float:
    """Return the same weight from the representations of the three tokens alone."""
    query, keys = times(ALONE[2], W_Q), [times(x, W_K) for x in ALONE]
    return softmax([dot(query, key) / divisor for key in keys])[0]


def centred_mixture(word: str) -> list[float]:
    """Return the mixture at fisherman, in loops, with centring by column and `word` for bank."""
    words = [word if token == WORD else token for token in WORDS[RIVER]]
    x = rows(words)
    means = [math.fsum(column) / len(x) for column in zip(*x, strict=True)]
    centred = [[a - mean for a, mean in zip(row, means, strict=True)] for row in x]
    at = words.index("fisherman")
    seen = centred[: at + 1]
    weights = softmax(scores(times(centred[at], W_Q), [times(row, W_K) for row in seen]))
    return times(weights, [times(row, W_V) for row in seen])


def head_outputs() -> list[list[float]]:
    """Return each head's mixture at bank in the river sentence."""
    x, found = rows(WORDS[RIVER]), []
    for w_q, w_k, w_v in ((W_Q, W_K, W_V), (SECOND_W_Q, SECOND_W_K, SECOND_W_V)):
        query = times(x[WORDS[RIVER].index(WORD)], w_q)
        weights = softmax(scores(query, [times(row, w_k) for row in x]))
        found.append(times(weights, [times(row, w_v) for row in x]))
    return found


def mean_after_renormalising(rate: float) -> float:
    """Return fisherman's mean weight over the draws that keep it, with or without the others."""
    mean = 0.0
    for net in (True, False):
        for bank in (True, False):
            chance = (1 - rate) * math.prod(1 - rate if kept else rate for kept in (net, bank))
            mean += chance * FISHERMAN / (FISHERMAN + NET * net + BANK * bank)
    return mean


def test_numbers() -> None:
    one, two = head_outputs()
    moved = zip(centred_mixture(WORD), centred_mixture(leak.OTHER), strict=True)
    assert plain(bugs.numbers()) == exact(
        {
            "count": 14,
            "softmax_axis_wrong": 1,
            "softmax_axis_right": FISHERMAN,
            # The row of bank, divided by the sum of the row of fisherman.
            "missing_keepdims_wrong": math.exp(AT_BANK[0]) / math.fsum(map(math.exp, AT_FISHERMAN)),
            "missing_keepdims_right": softmax(AT_BANK)[0],
            "divided_by_d_k_wrong": divided(len(QUERY)),
            "divided_by_d_k_right": FISHERMAN,
            "divided_by_root_d_model_wrong": divided_alone(math.sqrt(len(W_Q))),
            "divided_by_root_d_model_right": softmax(AT_BANK)[0],
            "divided_by_root_n_wrong": divided(math.sqrt(len(KEYS))),
            "divided_by_root_n_right": FISHERMAN,
            "inverted_mask_wrong": 1,
            "inverted_mask_right": 0,
            "multiplied_mask_wrong": softmax([*AT_NET[:2], 0.0])[2],
            "multiplied_mask_right": 0,
            "mask_after_softmax_wrong": math.fsum(softmax(AT_NET)[:2]),
            "mask_after_softmax_right": 1,
            "mask_off_by_one_wrong": softmax(AT_FISHERMAN[:2])[1],
            "mask_off_by_one_right": 0,
            "unswapped_heads_wrong": KEYS[0][1],
            "unswapped_heads_right": KEYS[1][0],
            "keys_for_values_wrong": times(hand_weights(), KEYS)[0],
            "keys_for_values_right": times(hand_weights(), VALUES)[0],
            "ablated_after_w_o_wrong": times([*one, *two], W_O)[0],
            "ablated_after_w_o_right": times([*one, *(0.0 for _ in two)], W_O)[0],
            "dropout_rate": renormalised_dropout.RATE,
            "renormalised_dropout_wrong": mean_after_renormalising(renormalised_dropout.RATE),
            "renormalised_dropout_right": FISHERMAN,
            "leak_wrong": max(abs(a - b) for a, b in moved),
            "leak_right": 0,
        }
    )
    for name in ("inverted_mask", "multiplied_mask", "mask_off_by_one", "leak"):
        assert plain(bugs.numbers())[f"{name}_right"] == 0  # exactly


def test_every_bug_has_its_two_numbers() -> None:
    pairs = {f"{name_of(bug)}_{side}" for bug in bugs.BUGS for side in ("wrong", "right")}
    assert pairs == set(bugs.numbers()) - {"count", "dropout_rate"}


@every_bug
def test_the_check_catches_the_wrong_code(bug: ModuleType) -> None:
    with pytest.raises(AssertionError) as caught:
        bug.check(bug.wrong)
    # The first line is the check's own, in words; pytest may add the comparison below it.
    message = str(caught.value).splitlines()[0]
    assert re.fullmatch(r"[a-z][^\n]{20,99}", message), message


@every_bug
def test_the_check_passes_the_right_code(bug: ModuleType) -> None:
    bug.check(bug.right)


@every_bug
def test_the_demo_prints_both(bug: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    bug.demo()
    lines = capsys.readouterr().out.splitlines()
    wrong = [line.removeprefix("wrong") for line in lines if line.startswith("wrong")]
    right = [line.removeprefix("right") for line in lines if line.startswith("right")]
    assert len(wrong) == len(right) == len(lines) / 2 > 0
    assert wrong != right
    assert max(map(len, lines)) < 50  # little more than a phone shows


@every_bug
def test_the_wrong_code_and_its_test_are_short_and_do_not_spoil(bug: ModuleType) -> None:
    source = Path(bug.__file__ or "").read_text("utf-8")
    pieces = {n.name: n for n in ast.parse(source).body if isinstance(n, ast.FunctionDef)}
    wrong = ast.get_source_segment(source, pieces["wrong"]) or ""
    assert len(pieces["wrong"].body) <= 5 and len(wrong.splitlines()) <= 7
    assert len(pieces["check"].body) <= 6
    # A comment in the wrong code gives a shape, and nothing else.
    for comment in re.findall(r"#(.*)", wrong):
        assert re.fullmatch(r" \([a-z_, *]+\)", comment), comment


def test_softmax_axis_with_as_many_queries_as_keys() -> None:
    uneven = softmax_axis.wrong([[2, 0], [1, 1], [0, 1]], [[2, 0], [1, 1], [0, 1]]).sum(axis=-1)
    assert uneven.mean() == pytest.approx(1) and np.abs(uneven - 1).max() > 0.1
    even = softmax_axis.wrong(np.eye(3, 4), np.eye(3, 4)).sum(axis=-1)
    assert even == pytest.approx(1)


def test_keepdims_is_missed_by_square_maps_only() -> None:
    for map_ in (np.array([[2.0, 1, 0]]), np.array([[0.5, 3]])):
        assert missing_keepdims.wrong(map_) == pytest.approx(missing_keepdims.right(map_))
    with pytest.raises(ValueError, match="broadcast"):
        missing_keepdims.wrong(np.ones((2, 3)))
    square = missing_keepdims.three_by_three()
    assert square.tolist() == exact([AT_FISHERMAN, AT_NET, AT_BANK])
    assert np.diag(missing_keepdims.wrong(square)) == pytest.approx(
        np.diag(missing_keepdims.right(square))
    )


def test_divided_by_d_k_is_worse_with_longer_keys() -> None:
    for width in (2, 8, 32):  # the score of ones against ones: sqrt(width), and it shrinks to 1
        ones = np.ones((1, width))
        wrong, right = (f(ones, ones).item() for f in (divided_by_d_k.wrong, divided_by_d_k.right))
        assert (wrong, right) == pytest.approx((1, math.sqrt(width)))


def test_two_wrong_divisors_are_equal_here() -> None:
    assert math.sqrt(len(W_Q)) == len(QUERY)


def test_divided_by_root_n_is_right_for_as_many_keys_as_coordinates() -> None:
    queries, keys, d_k = np.array([QUERY]), np.array(KEYS), len(QUERY)
    wrong = divided_by_root_n.wrong(queries, keys[:d_k])
    assert wrong.tolist() == exact(divided_by_root_n.right(queries, keys[:d_k]).tolist())


def test_masks() -> None:
    inverted = inverted_mask.case(inverted_mask.wrong)
    assert inverted[1].tolist() == [0, 0, 1]
    assert inverted[2] == pytest.approx(1 / 3)
    keys, mask = np.array([[-1.0], [-2.0], [-3.0]]), np.array([[True, True, False]])
    assert multiplied_mask.wrong(np.ones((1, 1)), keys, mask).argmax() == 2
    wrong, right = map(
        mask_after_softmax.case, (mask_after_softmax.wrong, mask_after_softmax.right)
    )
    assert wrong[2] == right[2] == 0
    assert wrong / wrong.sum() == pytest.approx(right, rel=1e-14)
    with pytest.raises(AssertionError, match="0 positions"):
        mask_off_by_one.check(lambda n: np.tri(n, k=-1, dtype=bool))


def test_heads() -> None:
    wrong, right = (f(np.array(KEYS), unswapped_heads.HEADS) for f in (
        unswapped_heads.wrong, unswapped_heads.right))  # fmt: skip
    assert wrong[0, 1, 0] == KEYS[0][1] and wrong.shape == right.shape
    whole = bank_row(in_one_call(read(RIVER).x)[0])  # (d_out,)
    output = ablated_after_w_o.case(ablated_after_w_o.wrong)
    assert output == pytest.approx([*whole[:-1], 0])
    assert len(whole) < len(W_O)
    without = ablated_after_w_o.case(ablated_after_w_o.right)
    assert without == pytest.approx(added_by_head()[0])


def test_keys_and_values_have_one_width() -> None:
    wrong, right = map(keys_for_values.case, (keys_for_values.wrong, keys_for_values.right))
    assert wrong.shape == right.shape
    assert wrong.tolist() == exact(times(hand_weights(), KEYS))


def test_one_draw_of_dropout() -> None:
    weights, keep = np.array([FISHERMAN, NET, BANK]), np.array([False, True, True])
    rate = renormalised_dropout.RATE
    draw = renormalised_dropout.right(weights, keep, rate)
    assert draw.sum() == pytest.approx((NET + BANK) / (1 - rate))
    assert renormalised_dropout.wrong(weights, keep, 0.5).sum() == pytest.approx(1)
    nothing = np.zeros(3, bool)
    assert renormalised_dropout.wrong(weights, nothing, 0.5).tolist() == [0, 0, 0]


def says(claim: bool, sentence: str) -> None:
    assert claim, f'docs/bugs.md: change the sentence "{sentence}"'


def test_what_the_text_says() -> None:
    """Claims that hold for these inputs; on failure, change the sentence that is quoted."""
    beyond = zip(*VALUES, strict=True)
    says(all(math.fsum(column) > max(column) for column in beyond), "The mixture lies beyond every")
    wrong, right = (
        plain(f(missing_keepdims.three_by_three())[-1])
        for f in (missing_keepdims.wrong, missing_keepdims.right)
    )
    says(wrong[0] > 1, "fisherman receives more than the whole")
    close = [math.isclose(a, b) for a, b in zip(wrong, right, strict=True)]
    says(close == [False, False, True], "Only the last weight is right")
    numbers = plain(bugs.numbers())
    twins = numbers["divided_by_root_d_model_wrong"], numbers["divided_by_d_k_wrong"]
    says(math.isclose(*twins), "it is the wrong weight of the bug before, digit for digit")
    says(dot(QUERY, KEYS[0]) > 0, "We add the other keys one by one, and its score falls")
    last = bank_row(in_one_call(read(RIVER).x)[0])[-1]
    says(abs(last) > 0.01, "The last coordinate of the output turns to zero")
    for bug in bugs.BUGS:
        apart = abs(bug.measure(bug.wrong) - bug.measure(bug.right)) > 0.01
        says(apart, f"{name_of(bug)} ... and should be")


def causal(weights_of: Callable[[Array, Array, Array], Array]) -> Callable[[Array], Array]:
    """Return a layer that goes from x to mixtures with the given masked weights."""

    def layer(x: Array) -> Array:
        queries, keys, values = queries_keys_values(x)
        return weights_of(queries, keys, causal_mask(len(x))) @ values

    return layer


def test_the_leak_test_catches_every_mask_bug_and_with_the_sums_half_of_all() -> None:
    leak.check(causal(attention_weights))
    leaky = {
        inverted_mask: causal(inverted_mask.wrong),
        multiplied_mask: causal(multiplied_mask.wrong),
        mask_after_softmax: causal(mask_after_softmax.wrong),
        mask_off_by_one: causal(
            lambda q, k, mask: attention_weights(q, k, mask_off_by_one.wrong(len(mask)))
        ),
        leak: leak.wrong,
    }
    for layer in leaky.values():
        with pytest.raises(AssertionError, match="an earlier row moves"):
            leak.check(layer)
    sums = set()
    for bug in bugs.BUGS:
        with pytest.raises(AssertionError) as caught:
            bug.check(bug.wrong)
        if re.search(r"adds? up to .* not to 1", str(caught.value)):
            sums.add(bug)
    assert len(sums) == 3
    assert 2 * len(sums | set(leaky)) == len(bugs.BUGS)


def test_the_leak_test_has_no_tolerance() -> None:
    x = read(RIVER).x  # centring takes away what every coordinate of a position gains
    assert leak.right(x + 3) == pytest.approx(leak.right(x), abs=1e-12)

    def leaks_a_little(x: Array) -> Array:
        return leak.right(x) + 1e-15 * x.sum()

    with pytest.raises(AssertionError, match="an earlier row moves"):
        leak.check(leaks_a_little)


def test_the_publisher_knows_the_gallery() -> None:
    files = tiny.PROJECT
    names, modules = files.chapters, files.bugs
    assert "bugs" in names and not set(modules) & set(names)
    assert set(modules) == {f"bugs.{name_of(bug)}" for bug in bugs.BUGS}
    assert {files.test(name) for name in ["bugs", *modules]} == {"tests/chapters/test_bugs.py"}
    for name in ("bugs", *modules):
        assert (tiny.ROOT / files.file(name)).is_file()


def test_the_page_shows_every_bug_in_order() -> None:
    page = (tiny.ROOT / "docs/bugs.md").read_text("utf-8")
    table = re.findall(r"^\| \[([^\]]+)\]\(#([\w-]+)\)", page, re.MULTILINE)
    headings = re.findall(r"^## (.+?) \{#([\w-]+)\}$", page, re.MULTILINE)
    sections = [pair for pair in headings if pair[1] not in ("the-inputs", "in-common")]
    assert table == sections
    assert [slug for _, slug in sections] == [
        name_of(bug).replace("_", "-") for bug in bugs.BUGS
    ]  # fmt: skip
    for bug in bugs.BUGS:
        for token in ("code {}.wrong", "output {}.demo", "code {}.check"):
            assert page.count("{{ " + token.format(f"bugs.{name_of(bug)}") + " }}") == 1
        for number in ("wrong", "right"):  # in the table and in the section
            assert page.count(f"{{{{ num bugs.{name_of(bug)}_{number} }}}}") == 2
