"""Each bug really is one: its wrong number by hand, its check against wrong code and right code."""

from __future__ import annotations

import ast
import math
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from publisher.project import Project
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
from snippets.running_example import KEYS, QUERY, RIVER, TOKENS, VALUES, W_O
from tests import tiny

ROOT = math.sqrt(2)
E2, E1 = math.exp(2), math.e
# The hand example's weights, and what the scores of the three queries come to: by hand.
FISHERMAN, NET, BANK = (math.exp(s) / (E2 + E1 + 1) for s in (2, 1, 0))
AT_FISHERMAN = (ROOT, 1 / ROOT, 0)
AT_NET = (0, 1 / ROOT, 1 / ROOT)
AT_BANK = (2, 1, 0)


def share(scores: tuple[float, ...], index: int) -> float:
    """Return one weight, with `math` alone."""
    return math.exp(scores[index]) / sum(math.exp(score) for score in scores)


def scaled(divisor: float) -> float:
    """Return the weight of fisherman at bank when its products are divided by `divisor`."""
    return share((2 * ROOT / divisor, ROOT / divisor, 0), 0)


def name_of(bug: ModuleType) -> str:
    return bug.__name__.rpartition(".")[2]


every_bug = pytest.mark.parametrize("bug", bugs.BUGS, ids=name_of)


# The fisherman repaired his net beside the bank. The word's three coordinates of each row.
RIVER_ROWS = (
    (0, 0, 0.25), (1, 0, 0), (0.5, 0.5, 0), (0.5, 0, 0), (0, 1, 0), (0, 0, 0.5), (0, 0, 0),
    (0, 0, 1), (0, 0, -0.5),
)  # fmt: skip


def centred_mixture(word: tuple[float, float, float]) -> list[float]:
    """Return the mixture at fisherman, in loops, with centring by column and `word` for bank."""
    rows = [*RIVER_ROWS[:7], word, RIVER_ROWS[8]]
    x = [[*row, place / 8] for place, row in enumerate(rows, start=1)]
    means = [sum(column) / len(x) for column in zip(*x, strict=True)]
    centred = [[a - m for a, m in zip(row, means, strict=True)] for row in x]

    def times(row: list[float], matrix: list[tuple[float, ...]]) -> list[float]:
        return [sum(a * b for a, b in zip(row, c, strict=True)) for c in zip(*matrix, strict=True)]

    w_q = [(1, 0), (0, 1), (ROOT, 0), (0, 0)]
    w_k = [(2, 0), (1, 1), (0, 1), (0, 0)]
    w_v = [(2, 0, 0), (0, 2, 0), (1, 1, 0), (0, 0, 1)]
    query = times(centred[1], w_q)
    seen = centred[:2]  # The and fisherman
    keys, values = [times(row, w_k) for row in seen], [times(row, w_v) for row in seen]
    scores = tuple(sum(q * k for q, k in zip(query, key, strict=True)) / ROOT for key in keys)
    weights = [share(scores, j) for j in range(2)]
    return [sum(a * v[i] for a, v in zip(weights, values, strict=True)) for i in range(3)]


def first_of_head_one() -> float:
    """Return the first coordinate of head one's mixture at bank in the river sentence."""
    weights = [math.exp(2 * a + b) for a, b, _ in RIVER_ROWS]
    return sum(w * (2 * a + c) for w, (a, _, c) in zip(weights, RIVER_ROWS, strict=True)) / sum(
        weights
    )


def second_of_head_two() -> float:
    """Return the second coordinate of head two's mixture at bank in the river sentence."""
    weights = [math.exp(a + 2 * b) for a, b, _ in RIVER_ROWS]
    return sum(w * (a + 2 * c) for w, (a, _, c) in zip(weights, RIVER_ROWS, strict=True)) / sum(
        weights
    )


def mean_after_renormalising() -> float:
    """Return fisherman's mean over all draws, counted by hand."""
    # 27 of 64 draws keep all three, 9 each drop net or bank, 3 both; the rest drop fisherman.
    draws = ((27, NET + BANK), (9, NET), (9, BANK), (3, 0.0))
    return sum(times * FISHERMAN / (FISHERMAN + rest) for times, rest in draws) / 64


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("count", 14),
        ("softmax_axis_wrong", 1),
        ("softmax_axis_right", FISHERMAN),
        # The row of bank, divided by the sum of the row of fisherman.
        ("missing_keepdims_wrong", E2 / (math.exp(ROOT) + math.exp(1 / ROOT) + 1)),
        ("missing_keepdims_right", FISHERMAN),
        ("divided_by_d_k_wrong", scaled(2)),
        ("divided_by_d_k_right", scaled(ROOT)),
        ("divided_by_root_d_model_wrong", scaled(math.sqrt(4))),
        ("divided_by_root_d_model_right", FISHERMAN),
        ("divided_by_root_n_wrong", scaled(math.sqrt(3))),
        ("divided_by_root_n_right", FISHERMAN),
        ("inverted_mask_wrong", 1),
        ("inverted_mask_right", 0),
        ("multiplied_mask_wrong", share((0, 1 / ROOT, 0), 2)),
        ("multiplied_mask_right", 0),
        ("mask_after_softmax_wrong", share(AT_NET, 0) + share(AT_NET, 1)),
        ("mask_after_softmax_right", 1),
        ("mask_off_by_one_wrong", share(AT_FISHERMAN[:2], 1)),
        ("mask_off_by_one_right", 0),
        ("unswapped_heads_wrong", 0),
        ("unswapped_heads_right", 1),
        ("keys_for_values_wrong", 2 * FISHERMAN + NET),
        ("keys_for_values_right", 2 * FISHERMAN + BANK),
        # Of W_O, the first coordinate takes half of head one's first and of head two's second.
        ("ablated_after_w_o_wrong", (first_of_head_one() + second_of_head_two()) / 2),
        ("ablated_after_w_o_right", first_of_head_one() / 2),
        ("dropout_rate", 1 / 4),
        ("renormalised_dropout_wrong", mean_after_renormalising()),
        ("renormalised_dropout_right", FISHERMAN),
        ("leak_wrong", max(abs(a - b) for a, b in zip(
            centred_mixture((0, 0, 1)), centred_mixture((-1, 2, 0)), strict=True))),
        ("leak_right", 0),
    ],
)  # fmt: skip
def test_numbers(name: str, expected: float) -> None:
    made = bugs.numbers()[name]
    value = getattr(made, "value", made)
    assert value == pytest.approx(expected, rel=1e-12, abs=0 if expected == 0 else 1e-12)


def test_every_number_has_its_expectation() -> None:
    listed = {case[0] for case in test_numbers.pytestmark[0].args[1]}
    assert listed == set(bugs.numbers())
    assert {name_of(bug) for bug in bugs.BUGS} == {
        name.removesuffix("_wrong") for name in listed if name.endswith("_wrong")
    }


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
def test_wrong_and_right_differ_where_a_reader_can_see(bug: ModuleType) -> None:
    assert abs(bug.measure(bug.wrong) - bug.measure(bug.right)) > 0.01


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


def test_what_the_page_says_of_the_softmax_axis() -> None:
    mixture = softmax_axis.wrong([QUERY], KEYS) @ np.array(VALUES)
    assert (mixture[0] > np.max(VALUES, axis=0)).all()
    # As many queries as keys: right on average, and in some maps each sum is right.
    uneven = softmax_axis.wrong(KEYS, KEYS).sum(axis=-1)
    assert uneven.mean() == pytest.approx(1) and np.abs(uneven - 1).max() > 0.1
    even = softmax_axis.wrong(np.eye(3, 4), np.eye(3, 4)).sum(axis=-1)
    assert even == pytest.approx(1)


def test_what_the_page_says_of_keepdims() -> None:
    for scores in (np.array([[2.0, 1, 0]]), np.array([[0.5, 3]])):
        assert missing_keepdims.wrong(scores) == pytest.approx(missing_keepdims.right(scores))
    with pytest.raises(ValueError, match="broadcast"):
        missing_keepdims.wrong(np.ones((2, 3)))
    scores = missing_keepdims.three_by_three()
    assert scores == pytest.approx(np.array([AT_FISHERMAN, AT_NET, AT_BANK]), abs=1e-12)
    at_bank = missing_keepdims.wrong(scores)[-1]
    assert at_bank[0] > 1
    assert np.isclose(at_bank, (FISHERMAN, NET, BANK)).tolist() == [False, False, True]


def test_what_the_page_says_of_the_divisors() -> None:
    numbers = bugs.numbers()
    d_model, d_k = read(" ".join(TOKENS)).x.shape[1], len(QUERY)
    assert math.sqrt(d_model) == d_k
    assert numbers["divided_by_root_d_model_wrong"] == pytest.approx(
        numbers["divided_by_d_k_wrong"], rel=1e-14
    )
    for width in (2, 8, 32):  # the score of ones against ones: sqrt(width), and it shrinks to 1
        ones = np.ones((1, width))
        wrong, right = (f(ones, ones).item() for f in (divided_by_d_k.wrong, divided_by_d_k.right))
        assert (wrong, right) == pytest.approx((1, math.sqrt(width)))
    queries, keys = np.array([QUERY]), np.array(KEYS)
    scores = [divided_by_root_n.wrong(queries, keys[:n])[0, 0] for n in (1, 2, 3)]
    assert scores == sorted(scores, reverse=True)
    assert scores[1] == pytest.approx(2)


def test_what_the_page_says_of_the_masks() -> None:
    inverted = inverted_mask.among_three(inverted_mask.wrong)
    assert inverted[1].tolist() == [0, 0, 1]
    assert inverted[2] == pytest.approx(1 / 3)
    keys, mask = np.array([[-1.0], [-2.0], [-3.0]]), np.array([[True, True, False]])
    assert multiplied_mask.wrong(np.ones((1, 1)), keys, mask).argmax() == 2
    wrong, right = (mask_after_softmax.at_net(f) for f in (
        mask_after_softmax.wrong, mask_after_softmax.right))  # fmt: skip
    assert wrong[2] == right[2] == 0
    assert wrong / wrong.sum() == pytest.approx(right, rel=1e-14)
    with pytest.raises(AssertionError, match="0 positions"):
        mask_off_by_one.check(lambda n: np.tri(n, k=-1, dtype=bool))


def test_what_the_page_says_of_the_heads() -> None:
    wrong = unswapped_heads.wrong(np.array(KEYS), unswapped_heads.HEADS)
    assert wrong[0, 1, 0] == KEYS[0][1]
    assert wrong.shape == unswapped_heads.right(np.array(KEYS), unswapped_heads.HEADS).shape
    whole = bank_row(in_one_call(read(RIVER).x)[0])  # (d_out,)
    output = ablated_after_w_o.without_head_two(ablated_after_w_o.wrong)
    assert output == pytest.approx([*whole[:-1], 0]) and abs(whole[-1]) > 0.01
    assert len(whole) < len(W_O)
    without = ablated_after_w_o.without_head_two(ablated_after_w_o.right)
    assert without == pytest.approx(added_by_head()[0]) and not np.isclose(without, output).any()


def test_what_the_page_says_of_keys_and_values() -> None:
    wrong, right = (keys_for_values.at_bank(f) for f in (
        keys_for_values.wrong, keys_for_values.right))  # fmt: skip
    assert wrong.shape == right.shape
    assert wrong == pytest.approx([2 * FISHERMAN + NET, NET + BANK])


def test_what_the_page_says_of_dropout() -> None:
    weights, keep = np.array([FISHERMAN, NET, BANK]), np.array([False, True, True])
    draw = renormalised_dropout.right(weights, keep, renormalised_dropout.RATE)
    assert draw.sum() == pytest.approx(4 * (NET + BANK) / 3) and draw.sum() < 0.9
    assert renormalised_dropout.wrong(weights, keep, 0.5).sum() == pytest.approx(1)
    nothing = np.zeros(3, bool)
    assert renormalised_dropout.wrong(weights, nothing, 0.5).tolist() == [0, 0, 0]


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


def imported(path: Path) -> set[str]:
    """Return every module that a file imports, relative imports resolved."""
    package = path.relative_to(tiny.ROOT).parent.parts
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*above, *([node.module] if node.module else [])])
            found |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            found |= {a.value for a in node.args if isinstance(a, ast.Constant)}
    return found


def test_nothing_outside_the_gallery_imports_it() -> None:
    folders = ("snippets", "tests", "docs", "overrides")
    files = [path for folder in folders for path in (tiny.ROOT / folder).rglob("*.py")]
    users = {
        path.relative_to(tiny.ROOT).as_posix()
        for path in files
        if any(re.match(r"snippets\.bugs(\.|$)", name) for name in imported(path))
    }
    assert users == {"snippets/bugs/__init__.py", "tests/chapters/test_bugs.py"}
    assert len(files) > 40


def test_the_publisher_knows_the_gallery() -> None:
    files = tiny.PROJECT
    names, modules = files.chapters, files.bugs
    assert "bugs" in names and not set(modules) & set(names)
    assert set(modules) == {f"bugs.{name_of(bug)}" for bug in bugs.BUGS}
    assert {files.test(name) for name in ["bugs", *modules]} == {"tests/chapters/test_bugs.py"}
    for name in ("bugs", *modules):
        assert (tiny.ROOT / files.file(name)).is_file()


def test_a_changed_bug_is_seen(tmp_path: Path) -> None:
    shutil.copytree(tiny.ROOT / "snippets", tmp_path / "snippets")
    files = Project(tmp_path, tiny.PROJECT.settings)
    before = files.fingerprint("bugs"), files.fingerprint("values")
    for bug in files.bugs:
        path = tmp_path / files.file(bug)
        text = path.read_text("utf-8")
        path.write_text(text + "\n# changed\n", "utf-8")
        assert files.fingerprint("bugs") != before[0], bug
        path.write_text(text, "utf-8")
    assert (files.fingerprint("bugs"), files.fingerprint("values")) == before


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
