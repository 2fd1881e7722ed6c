"""Why the square root: what grows with d_k, what softmax makes of it, what the division mends."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.ticker import FuncFormatter

from publisher.figures import palette
from publisher.results import Figure, Figures, Number, Numbers, Table, Tables, short, shown
from snippets.attention import Array, scaled_dot_product_scores, softmax
from snippets.running_example import TOKENS
from snippets.scores_and_weights import hand_scores

# The trials of each size: fewer where a trial takes more random numbers.
TRIALS = {1: 20_000, 4: 10_000, 16: 6_000, 64: 3_000, 256: 1_200, 1024: 500}
SLOPE_TRIALS = 1_500  # slopes take longer: the first so many trials of a size, if it has them
N_KEYS = 16
SEED = 2017
QUARTERS = (0.25, 0.5, 0.75)
SMALL = 0.01  # a gradient below this counts as almost none
HEAD_SIZE, MODEL_SIZE = 64, 512  # d_k and d_model of Vaswani et al. (2017)

Estimate = tuple[Number, Number]  # a simulated value and its standard error


@dataclass(frozen=True)
class Softened:
    """What softmax makes of the scores of one size, a number a trial."""

    largest: Array  # (trials,) the largest weight
    entropy: Array  # (trials,)
    jacobian: Array  # (slope trials,) spectral norm of J: all weights by all scores
    gradient: Array  # (slope trials,) size of J K / divisor: all weights by the query


@dataclass(frozen=True)
class Size:
    """All trials of one d_k."""

    d_k: int
    products: Array  # (trials, N_KEYS) q . k
    unscaled: Softened
    scaled: Softened


def draw(d_k: int, trials: int, stream: np.random.RandomState) -> tuple[Array, Array]:
    """Draw a query and its keys for every trial, all standard normal."""
    queries = stream.standard_normal((trials, 1, d_k))
    keys = stream.standard_normal((trials, N_KEYS, d_k))
    return queries, keys


def entropy(weights: Array) -> Array:
    """Return -sum of a ln a over each row: 0 for one key alone, ln n for n equal shares."""
    logarithms = np.log(np.where(weights > 0, weights, 1))
    return np.asarray(-(weights * logarithms).sum(axis=-1))


def jacobian(weights: Array) -> Array:
    """Return the slopes of weights (..., n_k) by scores: diag(a) - a a^T."""
    column, row = weights[..., :, np.newaxis], weights[..., np.newaxis, :]
    return column * (np.eye(weights.shape[-1]) - row)  # (..., n_k, n_k)


def steep_and_flat() -> None:
    """Print J for the hand example's scores, then for the same dot products not divided."""
    scores = hand_scores()
    for name, factor in (("divided", 1.0), ("not divided", math.sqrt(HEAD_SIZE))):
        print(f"{name}:")
        for row in jacobian(softmax(scores * factor)):
            print("".join(f"{shown(slope):>9}" for slope in row))


def slopes(weights: Array, keys: Array, divisor: float) -> tuple[Array, Array]:
    """Return, a trial each, the norm of J and the size of J K / divisor."""
    by_score = jacobian(weights)  # (trials, n_k, n_k)
    by_query = by_score @ keys / divisor  # (trials, n_k, d_k)
    eigenvalues = np.linalg.eigvalsh(by_score)  # none is below zero
    lengths = np.sqrt(np.einsum("tkd,tkd->t", by_query, by_query))
    return np.asarray(eigenvalues[:, -1], float), lengths


@cache
def simulate(d_k: int) -> Size:
    """Run all trials of one size, in chunks that fit the processor's cache."""
    stream = np.random.RandomState([SEED, d_k])
    products: list[Array] = []
    found: dict[str, list[Array]] = {"unscaled": [], "scaled": []}
    done, chunk = 0, max(1, 2**18 // (N_KEYS * d_k))
    while done < TRIALS[d_k]:
        queries, keys = draw(d_k, min(chunk, TRIALS[d_k] - done), stream)
        scores = scaled_dot_product_scores(queries, keys)[:, 0]  # (trials, N_KEYS)
        products.append(scores * math.sqrt(d_k))  # the division taken back
        steep = max(0, min(len(keys), SLOPE_TRIALS - done))
        for rows, divisor in zip(found.values(), (1.0, math.sqrt(d_k)), strict=True):
            weights = softmax(products[-1] / divisor)
            made = np.full((4, len(weights)), np.nan)
            made[:2] = weights.max(axis=-1), entropy(weights)
            made[2:, :steep] = slopes(weights[:steep], keys[:steep], divisor)
            rows.append(made)
        done += len(keys)
    both = {which: np.concatenate(rows, axis=1) for which, rows in found.items()}
    softened = {k: Softened(*all_[:2], *all_[2:, :SLOPE_TRIALS]) for k, all_ in both.items()}
    return Size(d_k, np.concatenate(products), **softened)


def sizes() -> list[Size]:
    """Return every simulated size, the smallest first."""
    return [simulate(d_k) for d_k in TRIALS]


def estimate(value: float, error: float) -> Estimate:
    """Show a value to the place of its error's first digit, at most two decimals."""
    place = max(0, -math.floor(math.log10(error)))
    return Number(float(value), min(2, place)), Number(float(error), place)


def mean(trials: Array) -> Estimate:
    """Estimate a mean from one number a trial; trials are independent of each other."""
    return estimate(trials.mean(), trials.std(ddof=1) / math.sqrt(len(trials)))


def quantile(trials: Array, share: float) -> Estimate:
    """Estimate a quantile; its error is half the gap between the ranks one error away."""
    ordered, n = np.sort(trials), len(trials)
    away = math.sqrt(n * share * (1 - share))
    low, high = (ordered[round((n - 1) * share + side * away)] for side in (-1, 1))
    return estimate(np.quantile(trials, share), (high - low) / 2)


def product_mean(size: Size) -> Estimate:
    """Estimate the mean of q . k; the keys of a trial share a query, so a trial is one datum."""
    return mean(size.products.mean(axis=1))


def variance_ratio(size: Size) -> Estimate:
    """Estimate var(q . k) / d_k, the variance after the division; the mean is known to be 0."""
    return mean(np.square(size.products).mean(axis=1) / size.d_k)


def excess_kurtosis(size: Size) -> Estimate:
    """Estimate the excess kurtosis of q . k; its variance is known to be d_k."""
    fourth, error = mean((size.products**4).mean(axis=1) / size.d_k**2)
    return estimate(fourth.value - 3, error.value)


def spread(size: Size, divisor: float) -> Estimate:
    """Estimate the standard deviation of q . k / divisor."""
    ratio, error = variance_ratio(size)
    root = math.sqrt(ratio.value)
    factor = math.sqrt(size.d_k) / divisor
    return estimate(root * factor, error.value / (2 * root) * factor)


def crossing() -> tuple[Size, Size]:
    """Return the last size whose Jacobian is larger without the division, and the next one."""
    larger = [s.unscaled.jacobian.mean() > s.scaled.jacobian.mean() for s in sizes()]
    last = int(np.flatnonzero(larger)[-1])
    return sizes()[last], sizes()[last + 1]


def numbers() -> Numbers:
    """Return the note's numbers."""
    first, last = sizes()[0], sizes()[-1]
    before, after = crossing()
    unscaled, scaled = last.unscaled.gradient, last.scaled.gradient
    below = float((unscaled < SMALL).mean())
    top = np.sort(unscaled)[-(len(unscaled) // 10) :]
    return {
        "n_keys": N_KEYS,
        "first": first.d_k,
        "last": last.d_k,
        "slope_trials": SLOPE_TRIALS,
        "mean_last": product_mean(last)[0],
        "mean_last_error": product_mean(last)[1],
        "spread_last": spread(last, 1)[0],
        "theory_last": short(math.sqrt(last.d_k)),
        "largest_last": mean(last.unscaled.largest)[0],
        "largest_last_scaled": mean(last.scaled.largest)[0],
        "entropy_limit": Number(math.log(N_KEYS), 2),
        "before": before.d_k,
        "after": after.d_k,
        "jacobian_before": mean(before.unscaled.jacobian)[0],
        "jacobian_before_scaled": mean(before.scaled.jacobian)[0],
        "jacobian_last": mean(last.unscaled.jacobian)[0],
        "jacobian_last_scaled": mean(last.scaled.jacobian)[0],
        "gradient_first": mean(first.unscaled.gradient)[0],
        "gradient_last": mean(unscaled)[0],
        "gradient_last_error": mean(unscaled)[1],
        "gradient_last_scaled": mean(scaled)[0],
        "median_before": quantile(before.unscaled.gradient, 0.5)[0],
        "median_last": quantile(unscaled, 0.5)[0],
        "lower_scaled": quantile(scaled, QUARTERS[0])[0],
        "upper_scaled": quantile(scaled, QUARTERS[2])[0],
        "small": short(SMALL),
        "share_small": Number(below, 2, "percent"),
        "share_small_error": Number(math.sqrt(below * (1 - below) / len(unscaled)), 2, "percent"),
        "share_small_scaled": Number(float((scaled < SMALL).mean()), 2, "percent"),
        "top_tenth": Number(top.sum() / unscaled.sum(), 2, "percent"),
        "head_size": HEAD_SIZE,
        "model_size": MODEL_SIZE,
    }


def averages(kind: str, caption: str) -> Table:
    """Return a table of one property of the weights, without the division and with it."""
    rows = [
        (s.d_k, *mean(getattr(s.unscaled, kind)), *mean(getattr(s.scaled, kind))) for s in sizes()
    ]
    return Table(
        f"Simulation: {caption}", ("$d_k$", "Not divided", "s.e.", "Divided", "s.e."), rows
    )


def tables() -> Tables:
    """Return the note's tables."""
    products = hand_scores() * math.sqrt(HEAD_SIZE)  # over that root: the hand example's scores
    divisors = {
        "$\\sqrt{d_k}$": math.sqrt(HEAD_SIZE),
        "nothing": 1.0,
        "$\\sqrt{d_\\text{model}}$": math.sqrt(MODEL_SIZE),
        "$d_k$": float(HEAD_SIZE),
    }
    return {
        "products": Table(
            caption="Simulation: the dot product of a random query and a random key",
            columns=("$d_k$", "Trials", "Mean", "s.e.", "Variance / $d_k$", "s.e."),
            rows=[(s.d_k, TRIALS[s.d_k], *product_mean(s), *variance_ratio(s)) for s in sizes()],
        ),
        "kurtosis": Table(
            caption="Simulation and theory: the excess kurtosis of the dot product",
            columns=("$d_k$", "Simulated", "s.e.", "Theory, $6/d_k$"),
            rows=[(s.d_k, *excess_kurtosis(s), short(6 / s.d_k, 3)) for s in sizes()],
        ),
        "largest": averages("largest", "the largest weight of a query, on average"),
        "entropy": averages("entropy", "the entropy of a query's weights, on average"),
        "divisors": Table(
            caption="The same dot products under four divisors",
            columns=("Divide by", "That is", "Scores", *(f"Weight of {t}" for t in TOKENS)),
            rows=[
                (name, short(root), [short(s) for s in products / root], *softmax(products / root))
                for name, root in divisors.items()
            ],
        ),
    }


def panels(size: tuple[int, int], rows: int = 1, columns: int = 1) -> tuple[Drawing, list[Axes]]:
    """Return a drawing of so many points, and its panels over d_k."""
    width, height = size  # fixed margins, in points: faster to draw than a layout
    drawing = Drawing(figsize=(width / 72, height / 72))
    drawing.subplots_adjust(44 / width, 40 / height, 1 - 8 / width, 1 - 20 / height, 0.18, 0.28)
    every = [drawing.add_subplot(rows, columns, place + 1) for place in range(rows * columns)]
    for axes in every:
        axes.set(xscale="log", xlabel="d_k, coordinates of a query and a key")
        axes.set_xticks(list(TRIALS), [shown(d_k) for d_k in TRIALS])
        axes.minorticks_off()
        axes.grid(visible=True, linewidth=0.6)
        axes.tick_params(length=0)
    return drawing, every


def bars(axes: Axes, estimates: Sequence[Estimate], colour: str, mark: str, dashes: str) -> None:
    """Draw values over d_k, each with two standard errors to either side."""
    axes.errorbar(
        list(TRIALS), [e[0].value for e in estimates], [2 * e[1].value for e in estimates],
        color=colour, fmt=mark, linestyle=dashes, linewidth=1.4, markersize=5, capsize=3,
        markerfacecolor=colour if mark == "o" else palette.PAPER,
    )  # fmt: skip


def draw_spread(narrow: bool) -> Drawing:
    """Draw the standard deviation of the scores over d_k, with theory's lines behind."""
    drawing, (axes,) = panels((330, 280) if narrow else (500, 310))
    d_ks, roots = list(TRIALS), [math.sqrt(d_k) for d_k in TRIALS]
    axes.set(yscale="log", ylim=(0.7, 1.5 * roots[-1]), ylabel="standard deviation of the score")
    axes.set_yticks(roots, [shown(root, form="short") for root in roots])
    axes.minorticks_off()
    axes.plot(d_ks, roots, color=palette.MUTED, linewidth=0.8)
    axes.axhline(1, color=palette.MUTED, linewidth=0.8)
    bars(axes, [spread(s, 1) for s in sizes()], palette.INK, "s", "none")
    bars(axes, [spread(s, math.sqrt(s.d_k)) for s in sizes()], palette.ACCENT, "o", "none")
    middle = len(d_ks) // 2
    axes.text(d_ks[middle] / 1.2, roots[middle] * 1.1, "not divided: line √d_k", ha="right")
    axes.text(d_ks[middle], 1.15, "divided by √d_k: line 1", color=palette.ACCENT, ha="center")
    return drawing


def draw_slopes(narrow: bool) -> Drawing:
    """Draw the Jacobian's norm and the gradient's size over d_k, divided and not."""
    drawing, both = panels((330, 570), rows=2) if narrow else panels((600, 310), columns=2)
    titles = ("Weights by scores: norm of J", "Weights by query: size of J K / divisor")
    for axes, title, digits in zip(both, titles, (2, 1), strict=True):
        axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _, n=digits: shown(y, n)))
        axes.set_title(title, loc="left", fontsize=10)
    draw_jacobians(both[0])
    draw_gradients(both[1])
    return drawing


def draw_jacobians(axes: Axes) -> None:
    """Draw the Jacobian's spectral norm, mean and standard errors."""
    unscaled = [mean(s.unscaled.jacobian) for s in sizes()]
    scaled = [mean(s.scaled.jacobian) for s in sizes()]
    bars(axes, unscaled, palette.INK, "s", "--")
    bars(axes, scaled, palette.ACCENT, "o", "-")
    axes.set_ylim(0, 1.15 * max(value.value for value, _ in unscaled))
    d_ks, before = list(TRIALS), list(TRIALS).index(crossing()[0].d_k)
    axes.text(d_ks[before] * 1.5, unscaled[before][0].value, "not divided", va="center")
    above = scaled[-1][0].value + 3 * scaled[-1][1].value
    axes.text(d_ks[-1] / 1.3, above, "divided by √d_k", color=palette.ACCENT, ha="right")


def draw_gradients(axes: Axes) -> None:
    """Draw the gradient's size: its mean, and without the division its quartiles as well."""
    d_ks = list(TRIALS)
    gradients = [s.unscaled.gradient for s in sizes()]
    low, middle, high = ([np.quantile(g, share) for g in gradients] for share in QUARTERS)
    axes.fill_between(d_ks, low, high, facecolor=palette.FILL, edgecolor=palette.RULE)
    axes.plot(d_ks, middle, color=palette.INK, linewidth=1.4, marker="s", markersize=5)
    bars(axes, [mean(g) for g in gradients], palette.INK, "s", "--")
    bars(axes, [mean(s.scaled.gradient) for s in sizes()], palette.ACCENT, "o", "-")
    top = int(np.argmax(high))
    axes.set_ylim(0, 1.1 * high[top])
    axes.text(d_ks[top] * 1.15, 0.8 * high[top], "middle\nhalf", ha="center", va="center")
    axes.text(d_ks[top] * 1.2, middle[top], "median")
    axes.text(d_ks[top] * 1.7, 1.16 * gradients[top].mean(), "mean", ha="center")
    axes.text(d_ks[0], 1.02 * high[top], "not divided: mean,\nmedian, middle half", va="top")
    axes.text(d_ks[0], 0.05 * high[top], "divided by √d_k: mean", color=palette.ACCENT, va="center")


def say(estimates: Iterable[Estimate]) -> str:
    """Return values as a description names them, one after the other."""
    return ", ".join(shown(value.value, value.digits) for value, _ in estimates)


def slope_rows() -> list[tuple[int | str | Number, ...]]:
    """Return what the figure of the slopes shows, two rows a size: not divided, divided."""
    return [
        (
            size.d_k, word, *mean(made.jacobian), *mean(made.gradient),
            *(quantile(made.gradient, share)[0] for share in QUARTERS),
        )
        for size in sizes()
        for word, made in (("no", size.unscaled), ("yes", size.scaled))
    ]  # fmt: skip


def figures() -> Figures:
    """Return the note's figures."""
    before, after = crossing()
    d_ks = ", ".join(shown(d_k) for d_k in TRIALS)
    return {
        "spread": Figure(
            title="How far the scores spread",
            caption="Marks: the simulation, with bars of two standard errors to either side that "
            "are mostly smaller than the marks. Lines: theory. Both scales are logarithmic.",
            description=f"Standard deviation of the score over d_k = {d_ks}. Not divided, it "
            f"follows the rising line √d_k: {say(spread(s, 1) for s in sizes())}. Divided by √d_k, "
            f"it stays on the line 1: {say(spread(s, math.sqrt(s.d_k)) for s in sizes())}.",
            label="simulation",
            data=Table(
                "Standard deviation of the score",
                ("d_k", "Not divided", "s.e.", "Theory √d_k", "Divided", "s.e. divided"),
                [
                    (s.d_k, *spread(s, 1), short(math.sqrt(s.d_k)), *spread(s, math.sqrt(s.d_k)))
                    for s in sizes()
                ],
            ),
            draw=draw_spread,
        ),
        "slopes": Figure(
            title="What is left of the slopes",
            caption="Open squares and circles: means, with two standard errors to either side. "
            "Filled squares: the median. Shaded: the middle half of the trials.",
            description=f"Two panels over d_k = {d_ks}. Left, mean spectral norm of J: "
            f"not divided {say(mean(s.unscaled.jacobian) for s in sizes())}; "
            f"divided by √d_k {say(mean(s.scaled.jacobian) for s in sizes())}; "
            f"they cross between {before.d_k} and {after.d_k}. Right, mean size of J K / divisor: "
            f"not divided {say(mean(s.unscaled.gradient) for s in sizes())}, "
            f"with the medians {say(quantile(s.unscaled.gradient, 0.5) for s in sizes())}; "
            f"divided by √d_k {say(mean(s.scaled.gradient) for s in sizes())}.",
            label="simulation",
            data=Table(
                "Norm of J and size of the gradient",
                ("d_k", "Divided", "Mean norm of J", "s.e. of the norm", "Mean gradient",
                 "s.e. of the gradient", "Lower quartile", "Median", "Upper quartile"),
                slope_rows(),
            ),
            draw=draw_slopes,
        ),
    }  # fmt: skip
