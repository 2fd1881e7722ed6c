"""The simulation against theory, against a second simulation that draws no keys, and by hand."""

import math
from functools import cache
from typing import Any

import numpy as np
import pytest

from publisher.formats import near_boundary
from publisher.results import Number
from snippets.notes import scaling as note
from tests.by_hand import contents, exact, hand_scores, softmax

D_KS = (1, 4, 16, 64, 256, 1024)
DIVISORS = {
    "$\\sqrt{d_k}$": 8.0,
    "nothing": 1.0,
    "$\\sqrt{d_\\text{model}}$": math.sqrt(512),
    "$d_k$": 64.0,
}


def agrees(estimate: tuple[Number, Number], value: float, error: float = 0.0) -> bool:
    """Tell whether an estimate lies within four standard errors of a value."""
    return abs(estimate[0].value - value) < 4 * math.hypot(estimate[1].value, error)


@cache
def shortcut(d_k: int, trials: int = 3_000) -> dict[str, np.ndarray]:
    """Simulate without keys: given q, the products are normal with variance |q|^2.

    What the keys do across the direction of q enters the gradient through their inner products
    alone, and these follow Wishart's distribution (Bartlett's triangle).
    """
    stream = np.random.RandomState(d_k + 99)
    length = np.sqrt(stream.chisquare(d_k, trials))
    along = stream.standard_normal((trials, 16))
    across = np.zeros((trials, 16, 16))
    for i in range(min(16, d_k - 1)):
        across[:, i, i] = np.sqrt(stream.chisquare(d_k - 1 - i, trials))
        across[:, i + 1 :, i] = stream.standard_normal((trials, 15 - i))
    keys = np.concatenate((along[..., None], across), axis=-1)
    found = {}
    for name, divisor in (("unscaled", 1.0), ("scaled", math.sqrt(d_k))):
        scores = along * length[:, None] / divisor
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        a = powers / powers.sum(axis=1, keepdims=True)
        middle = (a[..., None] * keys).sum(axis=1, keepdims=True)
        squares = a**2 * ((keys - middle) ** 2).sum(axis=-1)
        found[name, "largest"] = a.max(axis=1)
        found[name, "entropy"] = -np.sum(a * np.log(np.maximum(a, 1e-300)), axis=1)
        found[name, "jacobian"] = largest_root(a)
        found[name, "gradient"] = np.sqrt(squares.sum(axis=1)) / divisor
    return found


def largest_root(a: np.ndarray) -> np.ndarray:
    """Return the largest eigenvalue of diag(a) - a a^T, where sum a^2 / (a - root) = 1.

    It lies between the two largest weights; the sum rises from minus infinity to infinity there.
    """
    low, high = np.sort(a, axis=1)[:, -2:].T.copy()
    with np.errstate(divide="ignore", invalid="ignore"):
        for _ in range(60):
            root = (low + high) / 2
            above = (a**2 / (a - root[:, None])).sum(axis=1) > 1
            high, low = np.where(above, root, high), np.where(above, low, root)
    return (low + high) / 2


def by_hand_mean(trials: np.ndarray) -> list[float]:
    """Return a mean and its standard error, by sums."""
    values, n = trials.tolist(), len(trials)
    mean = math.fsum(values) / n
    return [mean, math.sqrt(math.fsum((x - mean) ** 2 for x in values) / (n - 1) / n)]


def every_shown() -> list[Number]:
    """Return every rounded number that the page or a figure's table shows."""
    made = list(note.numbers().values())
    for table in [*note.tables().values(), *(f.data for f in note.figures().values())]:
        for row in table.rows:
            for cell in row:
                made += cell if isinstance(cell, list) else [cell]
    return [
        n if isinstance(n, Number) else Number(n) for n in made if isinstance(n, float | Number)
    ]


def test_products_have_mean_zero_and_variance_d_k() -> None:
    rows = note.tables()["products"].rows
    assert tuple(row[0] for row in note.tables()["products"].rows) == D_KS
    for d_k, trials, *cells in rows:
        products = note.simulate(d_k).products
        assert products.shape == (trials, note.numbers()["n_keys"]) == (trials, 16)
        assert cells[0].value == exact(products.mean())
        assert cells[2].value == exact((products**2).mean() / d_k)
        assert abs(cells[0].value) < 2 * cells[1].value
        assert abs(cells[2].value - 1) < 2 * cells[3].value
        # Given the query, the mean of its 16 products has the variance |q|^2 / 16.
        assert cells[1].value == pytest.approx(math.sqrt(d_k / 16 / trials), rel=0.15)
        # E|q|^4 = d_k^2 + 2 d_k, and a mean of 16 squares varies by 2/16 around its expectation.
        wide = math.sqrt((1 + 2 / d_k) * (1 + 2 / 16) - 1)
        assert cells[3].value == pytest.approx(wide / math.sqrt(trials), rel=0.2)
    assert [row[1] for row in rows] == sorted((row[1] for row in rows), reverse=True)


def test_kurtosis_is_six_over_d_k() -> None:
    assert tuple(row[0] for row in note.tables()["kurtosis"].rows) == D_KS
    for d_k, value, error, theory in note.tables()["kurtosis"].rows:
        # d_k products of fourth moment 9 and variance 1: d_k * 9 + 3 d_k (d_k - 1), over d_k^2.
        assert theory.value == exact((9 * d_k + 3 * d_k * (d_k - 1)) / d_k**2 - 3)
        assert agrees((value, error), theory.value)


def test_spread_follows_the_root_while_the_mean_stays() -> None:
    numbers = note.numbers()
    assert (numbers["first"], numbers["last"]) == (1, 1024)
    assert numbers["theory_last"].value == 32
    last = note.simulate(1024).products
    assert numbers["spread_last"].value == exact(math.sqrt((last**2).mean()))
    assert numbers["mean_last"].value == exact(last.mean())
    by_trial = [sum(row) / 16 for row in last.tolist()]
    wide = math.sqrt(sum((m - last.mean()) ** 2 for m in by_trial) / (len(by_trial) - 1))
    assert numbers["mean_last_error"].value == exact(wide / math.sqrt(len(by_trial)))
    assert abs(numbers["mean_last"].value) < 0.05 * numbers["spread_last"].value


def test_scores_are_dot_products_of_the_drawn_vectors() -> None:
    stream = np.random.RandomState([note.SEED, 4])
    queries, keys = note.draw(4, 4_096, stream)  # the first chunk
    for trial in (0, 7):
        q, rows = queries[trial, 0].tolist(), keys[trial].tolist()
        products = [sum(a * b for a, b in zip(q, k, strict=True)) for k in rows]
        assert note.simulate(4).products[trial].tolist() == exact(products)
        for made, divisor in ((note.simulate(4).unscaled, 1), (note.simulate(4).scaled, 2)):
            weights = by_hand(q, rows, divisor)
            assert made.largest[trial] == exact(max(weights))
            assert made.entropy[trial] == exact(-sum(a * math.log(a) for a in weights))
            assert made.gradient[trial] == pytest.approx(nudged(q, rows, divisor), rel=1e-6)


def by_hand(q: list[float], keys: list[list[float]], divisor: float) -> list[float]:
    powers = [math.exp(sum(a * b for a, b in zip(q, k, strict=True)) / divisor) for k in keys]
    return [p / sum(powers) for p in powers]


def nudged(q: list[float], keys: list[list[float]], divisor: float) -> float:
    """Return the size of the gradient by moving each coordinate of the query a little."""
    squares, step = 0.0, 1e-5
    for place in range(len(q)):
        up, down = ([x + side * step * (i == place) for i, x in enumerate(q)] for side in (1, -1))
        pairs = zip(by_hand(up, keys, divisor), by_hand(down, keys, divisor), strict=True)
        squares += sum(((a - b) / (2 * step)) ** 2 for a, b in pairs)
    return math.sqrt(squares)


def test_jacobian_is_what_a_nudged_score_does() -> None:
    scores, step = [0.3, -1.2, 0.9, 0.0], 1e-6
    weights = by_hand([1.0], [[s] for s in scores], 1)
    for j in range(4):
        up, down = ([s + side * step * (i == j) for i, s in enumerate(scores)] for side in (1, -1))
        moved = zip(by_hand([1], [[s] for s in up], 1), by_hand([1], [[s] for s in down], 1))  # noqa: B905
        column = [(a - b) / (2 * step) for a, b in moved]
        assert note.jacobian(np.array(weights))[:, j] == pytest.approx(column, abs=1e-9)
    half = note.slopes(np.array([[0.5, 0.5, 0.0]]), np.ones((1, 3, 1)), 1.0)[0]
    assert half == exact([0.5])


@pytest.mark.parametrize("which", ["unscaled", "scaled"])
@pytest.mark.parametrize("kind", ["largest", "entropy", "jacobian", "gradient"])
def test_shortcut_without_keys_finds_the_same(which: str, kind: str) -> None:
    for d_k in D_KS:
        other = shortcut(d_k)[which, kind]
        estimate = note.mean(getattr(getattr(note.simulate(d_k), which), kind))
        assert agrees(estimate, other.mean(), other.std() / math.sqrt(len(other))), d_k


def test_softmax_saturates_without_the_division_only() -> None:
    numbers = note.numbers()
    assert numbers["entropy_limit"].value == exact(math.log(16))
    largest, entropy = note.tables()["largest"].rows, note.tables()["entropy"].rows
    expected = {"largest": 0, "entropy": 1}
    for name, place in expected.items():
        both = [(note.simulate(d).unscaled[place], note.simulate(d).scaled[place]) for d in D_KS]
        means = [[*by_hand_mean(unscaled), *by_hand_mean(scaled)] for unscaled, scaled in both]
        assert contents(note.tables()[name]) == exact(
            [[d_k, *mean] for d_k, mean in zip(D_KS, means, strict=True)]
        )
    assert [row[1].value for row in largest] == sorted(row[1].value for row in largest)
    assert [-row[1].value for row in entropy] == sorted(-row[1].value for row in entropy)
    assert numbers["largest_last"].value == largest[-1][1].value > 0.9
    assert numbers["largest_last_scaled"].value == largest[-1][3].value < 0.3
    assert entropy[-1][1].value < 0.2
    # With the division they settle: from the second size on nothing moves by more than a tenth.
    for rows in (largest, entropy):
        settled = [row[3].value for row in rows[1:]]
        assert max(settled) < 1.1 * min(settled)


def test_unscaled_jacobian_is_larger_first_and_smaller_later() -> None:
    numbers = note.numbers()
    assert (numbers["before"], numbers["after"]) == (16, 64)
    for d_k, sign in ((4, 1), (16, 1), (64, -1), (256, -1), (1024, -1)):
        size = note.simulate(d_k)
        value, error = note.mean(size.unscaled.jacobian - size.scaled.jacobian)
        assert sign * value.value > 4 * error.value
    # The exact shortcut narrows the crossing down: at 32 still the larger, at 48 no longer.
    for d_k, sign in ((32, 1), (48, -1)):
        found = shortcut(d_k, 12_000)
        excess = found["unscaled", "jacobian"] - found["scaled", "jacobian"]
        assert sign * excess.mean() > 4 * excess.std() / math.sqrt(len(excess))
    assert numbers["jacobian_before"].value > numbers["jacobian_before_scaled"].value
    assert numbers["jacobian_last"].value < 0.3 * numbers["jacobian_last_scaled"].value


def test_median_of_the_gradient_collapses_while_the_mean_grows() -> None:
    numbers, rows = note.numbers(), note.figures()["slopes"].data.rows
    assert [row[:2] for row in rows[:3]] == [(1, "no"), (1, "yes"), (4, "no")]
    unscaled = [row for row in rows if row[1] == "no"]
    medians = [row[7].value for row in unscaled]
    before = D_KS.index(numbers["before"])
    assert medians[: before + 1] == sorted(medians[: before + 1])
    assert medians[before:] == sorted(medians[before:], reverse=True)
    assert numbers["median_before"].value == medians[before]
    assert numbers["median_last"].value == medians[-1] < 0.01
    means = [row[4].value for row in unscaled]
    assert means == sorted(means)
    assert numbers["gradient_first"].value == means[0]
    assert numbers["gradient_last"].value == means[-1] > 5 * means[0]
    assert numbers["gradient_last_error"].value == unscaled[-1][5].value
    # The shortcut, with more trials, confirms that the mean still grows where ours cannot tell.
    early, late = (shortcut(d_k, 12_000)["unscaled", "gradient"] for d_k in (64, 1024))
    error = math.hypot(early.std(), late.std()) / math.sqrt(len(early))
    assert late.mean() - early.mean() > 4 * error
    # A long tail carries it: the upper quartile of the last size is below the mean.
    assert unscaled[-1][8].value < means[-1]


def test_scaled_gradient_stays_where_it_was() -> None:
    numbers = note.numbers()
    last = note.simulate(1024).scaled.gradient
    assert numbers["gradient_last_scaled"].value == exact(last.mean())
    assert numbers["lower_scaled"].value == exact(np.percentile(last, 25))
    assert numbers["upper_scaled"].value == exact(np.percentile(last, 75))
    means = [note.simulate(d_k).scaled.gradient.mean() for d_k in D_KS]
    assert max(means) < 1.3 * min(means)


def test_share_of_trials_with_almost_no_gradient() -> None:
    numbers = note.numbers()
    assert numbers["small"].value == 0.01
    gradients = note.simulate(1024).unscaled.gradient.tolist()
    share = sum(g < 0.01 for g in gradients) / len(gradients)
    assert numbers["share_small"].value == exact(share)
    assert share > 0.5
    assert numbers["share_small_error"].value == exact(
        math.sqrt(share * (1 - share) / len(gradients))
    )
    assert numbers["share_small_scaled"].value == 0
    largest = sum(sorted(gradients)[-50:])
    assert numbers["top_tenth"].value == exact(largest / sum(gradients))
    assert largest > sum(gradients) / 2
    assert numbers["slope_trials"] == len(note.simulate(1).unscaled.gradient) == 1500
    assert len(gradients) == 500


def test_four_divisors() -> None:
    numbers = note.numbers()
    assert (numbers["head_size"], numbers["model_size"]) == (64, 512)
    expected = []
    for name, divisor in DIVISORS.items():
        scores = [8 * score / divisor for score in hand_scores()]  # 8 times the root of 64
        expected.append([name, divisor, scores, *softmax(scores)])
    assert contents(note.tables()["divisors"]) == exact(expected)


def test_quantile_and_mean() -> None:
    ramp = np.arange(10_001, dtype=float)
    value, error = note.quantile(ramp, 0.5)
    assert (value.value, error.value) == (5_000, exact(50))
    value, error = note.mean(np.array([1.0, 2.0, 6.0]))
    assert (value.value, error.value) == (3, exact(math.sqrt(7 / 3)))
    assert [n.digits for n in note.estimate(0.12345, 0.0042)] == [2, 3]
    assert [n.digits for n in note.estimate(0.12345, 0.2)] == [1, 1]
    assert [n.digits for n in note.estimate(12.345, 3)] == [0, 0]


def test_no_printed_digit_hangs_by_a_hair() -> None:
    shown = every_shown()
    assert len(shown) > 200
    for number in shown:
        assert not near_boundary(number.value, number.digits), number
    # Nor does a number of digits: no standard error is next to a power of ten.
    for size in note.sizes():
        for made in (size.unscaled, size.scaled):
            for trials in (made.largest, made.entropy, made.jacobian, made.gradient):
                power = math.log10(note.mean(trials)[1].value)
                assert abs(power - round(power)) > 1e-6


def test_figures_show_the_estimates_and_say_them() -> None:
    spread, slopes = note.figures()["spread"], note.figures()["slopes"]
    assert [row[0] for row in note.figures()["spread"].data.rows] == list(D_KS)
    assert contents(note.figures()["slopes"].data) == exact(
        [
            [d_k, word, *by_hand_mean(made.jacobian), *by_hand_mean(made.gradient),
             *np.percentile(made.gradient, (25, 50, 75)).tolist()]
            for d_k in D_KS
            for word, made in (
                ("no", note.simulate(d_k).unscaled),
                ("yes", note.simulate(d_k).scaled),
            )
        ]
    )  # fmt: skip
    for d_k, *cells in spread.data.rows:
        assert agrees(tuple(cells[:2]), math.sqrt(d_k))
        assert cells[2].value == exact(math.sqrt(d_k))
        assert agrees(tuple(cells[3:]), 1)
        assert f"{cells[0].value:.{cells[0].digits}f}" in spread.description
    for row in slopes.data.rows:
        for cell in (row[2], row[4]):
            assert f"{cell.value:.{cell.digits}f}" in slopes.description
    assert {spread.label, slopes.label} == {"simulation"}


def test_demo_prints_slopes_that_have_gone(capsys: pytest.CaptureFixture[str]) -> None:
    note.steep_and_flat()
    lines = capsys.readouterr().out.replace("\N{MINUS SIGN}", "-").splitlines()
    rows = [[float(cell) for cell in line.split()] for line in lines if ":" not in line]
    for factor, printed in ((1, rows[:3]), (8, rows[3:])):
        a = softmax([factor * score for score in hand_scores()])
        assert printed == [
            pytest.approx([a[i] * ((i == j) - a[j]) for j in range(3)], abs=5.1e-5)
            for i in range(3)
        ]
        assert all(abs(sum(row)) < 2e-4 for row in printed)


def test_explorable_brings_the_notes_own_simulation() -> None:
    start, results = note.widgets()["explorer"].start, note.widgets()["explorer"].results
    assert results["sizes"] == list(D_KS)
    assert results["sizes"][start["place"]] == results["d_k"] == note.numbers()["head_size"]
    curves = results["curves"]
    for i, d_k in enumerate(D_KS):
        size = note.simulate(d_k)
        for side in ("unscaled", "scaled"):
            for quantity in ("entropy", "largest", "gradient"):
                value, _, error, _ = curves[quantity][side][i]
                trials = getattr(getattr(size, side), quantity)
                assert [value, error] == exact(by_hand_mean(trials))
        root = math.sqrt((size.products**2).mean())
        assert curves["spread"]["unscaled"][i][0] == exact(root)
        assert curves["spread"]["scaled"][i][0] == exact(root / math.sqrt(d_k))
    assert note.widgets()["explorer"].results["chosen"] == [
        [curves[quantity][side][start["place"]] for side in ("unscaled", "scaled")]
        for quantity in ("spread", "entropy", "largest", "gradient")
    ]


def test_simulation_runs_once_and_only_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    draw = note.draw

    def counted(d_k: int, *others: Any) -> Any:
        drawn.append(d_k)
        return draw(d_k, *others)

    monkeypatch.setattr(note, "draw", counted)
    note.simulate.cache_clear()
    note.steep_and_flat()
    assert drawn == []
    for ask in (note.numbers, note.tables, note.figures, note.widgets):
        ask()
        runs = len(drawn)
        note.numbers()
        assert len(drawn) == runs > 0 and set(drawn) == set(D_KS)
    assert drawn == sorted(drawn)  # once through the sizes, chunk after chunk


def test_what_the_text_says() -> None:
    by_root, by_nothing, by_model, by_d_k = (
        softmax([8 * score / divisor for score in hand_scores()])[0]
        for divisor in DIVISORS.values()
    )
    slopes = [a * (1 - a) for a in softmax([8 * score for score in hand_scores()])]
    for sentence, holds in {
        "every product in it is close to zero": max(slopes) < 0.05,
        "Undivided, fisherman takes all but a trace": by_nothing > 0.95,
        "The two larger divisors flatten the weights": by_root > by_model > by_d_k > 1 / 3,
    }.items():
        assert holds, f"docs/notes/scaling.md: no longer so: '{sentence}'"
