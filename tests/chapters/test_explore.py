"""What the explorables start from, by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from snippets import explore
from snippets import running_example as example
from snippets.notes import scaling
from tests.by_hand import WORDS, dot, exact, softmax, times


def test_attention_starts_from_the_hand_example() -> None:
    widget = explore.widgets()["attention"]
    assert [token["name"] for token in widget.start["tokens"]] == list(example.TOKENS)
    scores = [
        sum(q * k for q, k in zip(example.QUERY, key, strict=True)) / math.sqrt(len(example.QUERY))
        for key in example.KEYS
    ]
    total = sum(math.exp(score) for score in scores)
    weights = [math.exp(score) / total for score in scores]
    output = [
        sum(w * value[c] for w, value in zip(weights, example.VALUES, strict=True))
        for c in range(len(example.VALUES[0]))
    ]
    equal = [sum(column) / len(example.VALUES) for column in zip(*example.VALUES, strict=True)]
    results = widget.results
    assert results["scores"] == pytest.approx(scores, abs=1e-12)
    assert results["products"] == pytest.approx([s * math.sqrt(2) for s in scores], abs=1e-12)
    assert results["exponentials"] == pytest.approx([math.exp(s) for s in scores], rel=1e-12)
    assert results["weights"] == pytest.approx(weights, rel=1e-12)
    assert results["output"] == pytest.approx(output, rel=1e-12)
    assert results["equal"] == pytest.approx(equal, rel=1e-12)
    for row, weight, value in zip(results["contributions"], weights, example.VALUES, strict=True):
        assert row == pytest.approx([weight * v for v in value], rel=1e-12)


def divergence(p: Sequence[float], q: Sequence[float]) -> float:
    """Jensen-Shannon by entropies: that of the mean, less the mean of both."""

    def entropy(weights: Sequence[float]) -> float:
        return -math.fsum(w * math.log(w) for w in weights if w > 0)

    middle = [(a + b) / 2 for a, b in zip(p, q, strict=True)]
    return entropy(middle) - (entropy(p) + entropy(q)) / 2


E = math.e
WEIGHTS = [E**2 / (E**2 + E + 1), E / (E**2 + E + 1), 1 / (E**2 + E + 1)]


def test_jensen_shannon_is_the_entropy_that_mixing_adds() -> None:
    random = np.random.RandomState(2019)
    for _ in range(50):
        p, q = random.dirichlet(np.ones(4), 2)
        assert explore.jensen_shannon(p, q) == pytest.approx(divergence(p, q), abs=1e-12)
        assert explore.jensen_shannon(p, q) == pytest.approx(explore.jensen_shannon(q, p))
        assert 0 < explore.jensen_shannon(p, q) < math.log(2)
        assert explore.jensen_shannon(p, p) == 0
        nearly = p * (1 + random.uniform(-1e-15, 1e-15, 4))
        assert 0 <= explore.jensen_shannon(p, nearly) < 1e-15
    assert explore.jensen_shannon([1, 0], [0, 1]) == pytest.approx(math.log(2), rel=1e-15)
    assert explore.jensen_shannon([1, 0, 0], [0.5, 0, 0.5]) == pytest.approx(
        divergence([1, 0, 0], [0.5, 0, 0.5])
    )


def test_same_output_keeps_the_mixture_and_the_total() -> None:
    random = np.random.RandomState(2019)
    cases: list[tuple[list[tuple[float, float]], dict[int, float]]] = [
        ([(2, 0), (0, 2), (1, 1)], {2: 0.3}),
        ([(0, 0), (3, 1), (1, 4)], {}),
        ([(0, 0), (3, 1), (1, 4), (1.5, 1.5)], {3: 0.2}),
        ([(0, 0), (1, 1), (2, 2), (3, 3)], {2: 0.25, 3: 0.2}),
        ([(1, 1)] * 4, {1: 0.1, 2: 0.2, 3: 0.3}),
    ]
    for values, given in cases:
        weights = random.dirichlet(np.full(len(values), 20))
        other = explore.same_output(values, weights, given)
        assert min(other) >= 0 and math.fsum(other) == pytest.approx(1, abs=1e-12)
        assert other @ np.array(values) == pytest.approx(weights @ np.array(values), abs=1e-12)
        assert [other[j] for j in given] == list(given.values())
        if not given:
            assert other == pytest.approx(weights, abs=1e-12)


def test_same_output_starts_from_the_hand_example() -> None:
    widget = explore.widgets()["same_output"]
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


def test_the_figure_of_same_output_shows_the_two_ends_and_the_start() -> None:
    figure = explore.figures()["same_output"]
    f, n, b = WEIGHTS
    expected = {
        "no bank": [f + b / 2, n + b / 2, 0],
        "the start": WEIGHTS,
        "no net": [f - n, 0, b + 2 * n],
    }
    assert [row[0] for row in figure.data.rows] == list(expected)
    for row, weights in zip(figure.data.rows, expected.values(), strict=True):
        assert list(row[1:4]) == pytest.approx(weights, abs=1e-12)
        assert row[4] == pytest.approx([2 * f + b, 2 * n + b], rel=1e-12)
        assert row[5] == pytest.approx(divergence(WEIGHTS, weights), abs=1e-12)
    assert "no net: fisherman 0.4205, net 0.0000, bank 0.5795" in figure.description


def test_what_the_words_say_of_the_divergence() -> None:
    f, n, b = WEIGHTS
    numbers = explore.numbers()
    near = divergence(WEIGHTS, [f + b / 2, n + b / 2, 0])
    far = divergence(WEIGHTS, [f - n, 0, b + 2 * n])
    assert numbers["without_bank"] == pytest.approx(near, rel=1e-9)
    assert numbers["without_net"] == pytest.approx(far, rel=1e-9)
    assert numbers["ln_2"] == pytest.approx(math.log(2), rel=1e-15)
    assert near < far  # the end without net is further away
    random = np.random.RandomState(2019)
    for _ in range(50):  # the most unlike is a corner: mixtures of corners are nearer
        start, *corners = random.dirichlet(np.ones(4), 4)
        farthest = max(explore.jensen_shannon(start, corner) for corner in corners)
        inside = random.dirichlet(np.ones(3)) @ np.array(corners)
        assert explore.jensen_shannon(start, inside) < farthest


def test_masks_start_from_the_open_sentence_at_bank_with_equal_scores() -> None:
    widget = explore.widgets()["masks"]
    start, results = widget.start, widget.results
    words = WORDS[example.OPEN]
    n = len(words)
    assert start["examples"] == [example.RIVER, example.MONEY, example.OPEN]
    assert start["sentence"] == example.OPEN
    assert start["kind"] == "causal" and start["asking"] == "Am Ufer" and not start["left"]
    assert start["padding"] == len(WORDS[example.RIVER]) - n
    assert start["query"] == results["query"] == words.index("bank")
    assert results["queries"] == results["keys"] == words
    for i, (may, weights) in enumerate(zip(results["mask"], results["weights"], strict=True)):
        assert may == [True] * (i + 1) + [False] * (n - i - 1)
        assert weights == pytest.approx([1 / (i + 1)] * (i + 1) + [0.0] * (n - i - 1))
        assert all((weight == 0) is not use for weight, use in zip(weights, may, strict=True))


def test_heads_start_from_the_hand_example_and_its_rows_of_w_o() -> None:
    widget = explore.widgets()["heads"]
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


def test_softmax_starts_from_the_hand_examples_scores() -> None:
    widget = explore.widgets()["softmax"]
    assert widget.start["scores"] == widget.start["before"] == pytest.approx([2, 1, 0], abs=1e-12)
    exponentials = [math.e**2, math.e, 1]
    assert widget.results["exponentials"] == pytest.approx(exponentials, rel=1e-12)
    assert widget.results["sum"] == pytest.approx(math.fsum(exponentials), rel=1e-12)
    weights = [e / math.fsum(exponentials) for e in exponentials]
    for name in ("weights", "weights_before"):
        assert widget.results[name] == pytest.approx(weights, rel=1e-12)


def test_scaling_brings_the_notes_own_simulation() -> None:
    widget = explore.widgets()["scaling"]
    sizes, curves = widget.results["sizes"], widget.results["curves"]
    assert sizes[0] == 1 and sizes[-1] == 1024 and sizes == sorted(sizes)
    assert sizes[widget.start["place"]] == widget.results["d_k"] == 64
    for i, d_k in enumerate(sizes):
        size = scaling.simulate(d_k)
        for side in ("unscaled", "scaled"):
            trials = np.asarray(getattr(size, side).entropy)
            error = math.sqrt(
                ((trials - trials.mean()) ** 2).sum() / (len(trials) - 1) / len(trials)
            )
            assert curves["entropy"][side][i][0] == pytest.approx(trials.mean(), rel=1e-9)
            assert curves["entropy"][side][i][2] == pytest.approx(error, rel=1e-9)
        root = math.sqrt((size.products**2).mean())
        assert curves["spread"]["unscaled"][i][0] == pytest.approx(root, rel=1e-9)
        assert curves["spread"]["scaled"][i][0] == pytest.approx(root / math.sqrt(d_k), rel=1e-9)
    chosen = widget.results["chosen"]
    for name, both in zip(("spread", "entropy", "largest", "gradient"), chosen, strict=True):
        for side, estimate in zip(("unscaled", "scaled"), both, strict=True):
            assert estimate == curves[name][side][widget.start["place"]]
