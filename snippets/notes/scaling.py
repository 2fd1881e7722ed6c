"""Why the square root: what grows with d_k, what softmax makes of it, what the division mends."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from publisher.results import (
    Figure,
    Figures,
    Number,
    Numbers,
    Table,
    Tables,
    Widget,
    Widgets,
    short,
    shown,
)
from snippets.attention import Array, scaled_dot_product_scores, softmax
from snippets.drawings.notes.scaling import Slopes, draw_slopes, draw_spread
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


class Softened(NamedTuple):
    """What softmax makes of the scores of one size: one number per trial."""

    largest: Array  # (trials,) the largest weight
    entropy: Array  # (trials,)
    jacobian: Array  # (slope trials,) spectral norm of J: all weights by all scores
    gradient: Array  # (slope trials,) size of J K / divisor: all weights by the query


class Size(NamedTuple):
    """All trials of one d_k."""

    d_k: int
    products: Array  # (trials, N_KEYS) q . k
    unscaled: Softened  # without the division
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
    """Return the norm of J and the size of J K / divisor, each of shape (trials,)."""
    by_score = jacobian(weights)  # (trials, n_k, n_k)
    by_query = by_score @ keys / divisor  # (trials, n_k, d_k)
    eigenvalues = np.linalg.eigvalsh(by_score)  # none is below zero
    lengths = np.sqrt(np.einsum("tkd,tkd->t", by_query, by_query))
    return np.asarray(eigenvalues[:, -1], float), lengths


def soften(products: Array, keys: Array, divisor: float, steep: int) -> Softened:
    """Divide the products (trials, N_KEYS), take softmax, and the slopes of `steep` trials."""
    weights = softmax(products / divisor)
    found = slopes(weights[:steep], keys[:steep], divisor)
    return Softened(weights.max(axis=-1), entropy(weights), *found)


@cache
def simulate(d_k: int) -> Size:
    """Run all trials of one size, once; in chunks that fit the processor's cache."""
    stream = np.random.RandomState([SEED, d_k])
    products, unscaled, scaled = list[Array](), list[Softened](), list[Softened]()
    done, chunk = 0, max(1, 2**18 // (N_KEYS * d_k))
    while done < TRIALS[d_k]:
        queries, keys = draw(d_k, min(chunk, TRIALS[d_k] - done), stream)
        scores = scaled_dot_product_scores(queries, keys)[:, 0]  # (trials, N_KEYS)
        products.append(scores * math.sqrt(d_k))  # the division taken back
        steep = max(0, SLOPE_TRIALS - done)
        unscaled.append(soften(products[-1], keys, 1.0, steep))
        scaled.append(soften(products[-1], keys, math.sqrt(d_k), steep))
        done += len(keys)
    return Size(d_k, np.concatenate(products), joined(unscaled), joined(scaled))


def joined(chunks: Sequence[Softened]) -> Softened:
    """Return the trials of all chunks, in their order."""
    return Softened(*(np.concatenate(parts) for parts in zip(*chunks, strict=True)))


def sizes() -> list[Size]:
    """Return every simulated size, the smallest first; simulated once, when first asked for."""
    return [simulate(d_k) for d_k in TRIALS]


def estimate(value: float, error: float) -> Estimate:
    """Show a value to the place of its error's first digit, at most two decimals."""
    place = max(0, -math.floor(math.log10(error)))
    return Number(float(value), min(2, place)), Number(float(error), place)


def mean(trials: Array) -> Estimate:
    """Estimate a mean from one number per trial; the trials are independent of each other."""
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


def spreads() -> tuple[list[Estimate], list[Estimate]]:
    """Estimate the scores' standard deviation for every size: not divided, divided."""
    return (
        [spread(size, 1.0) for size in sizes()],
        [spread(size, math.sqrt(size.d_k)) for size in sizes()],
    )


def averages(quantity: str) -> tuple[list[Estimate], list[Estimate]]:
    """Estimate a mean for every size: not divided, divided. `quantity` is one of Softened's."""
    return (
        [mean(getattr(size.unscaled, quantity)) for size in sizes()],
        [mean(getattr(size.scaled, quantity)) for size in sizes()],
    )


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


def _averages(quantity: str, caption: str) -> Table:
    """Return a table of one property of the weights, without the division and with it."""
    columns = zip(TRIALS, *averages(quantity), strict=True)
    rows = [(d_k, *unscaled, *scaled) for d_k, unscaled, scaled in columns]
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
        "largest": _averages("largest", "the largest weight of a query, on average"),
        "entropy": _averages("entropy", "the entropy of a query's weights, on average"),
        "divisors": Table(
            caption="The same dot products under four divisors",
            columns=("Divide by", "That is", "Scores", *(f"Weight of {t}" for t in TOKENS)),
            rows=[
                (name, short(root), [short(s) for s in products / root], *softmax(products / root))
                for name, root in divisors.items()
            ],
        ),
    }


def _said(estimates: Iterable[Estimate]) -> str:
    """Return values as a description names them, one after the other."""
    return ", ".join(shown(value.value, value.digits) for value, _ in estimates)


def _spread_figure() -> Figure:
    d_ks, roots, (unscaled, scaled) = list(TRIALS), [math.sqrt(d_k) for d_k in TRIALS], spreads()
    columns = zip(d_ks, unscaled, map(short, roots), scaled, strict=True)
    return Figure(
        title="How far the scores spread",
        caption="Marks: the simulation, with bars of two standard errors to either side that "
        "are mostly smaller than the marks. Lines: theory. Both scales are logarithmic.",
        description=f"Standard deviation of the score over d_k = {', '.join(map(shown, d_ks))}. "
        f"Not divided, it follows the rising line √d_k: {_said(unscaled)}. Divided by √d_k, "
        f"it stays on the line 1: {_said(scaled)}.",
        label="simulation",
        data=Table(
            "Standard deviation of the score",
            ("d_k", "Not divided", "s.e.", "Theory √d_k", "Divided", "s.e. divided"),
            [(d_k, *made, root, *divided) for d_k, made, root, divided in columns],
        ),
        draw=partial(draw_spread, d_ks, roots, unscaled, scaled),
    )


def _slopes_figure() -> Figure:
    before, after = crossing()
    quartiles = [[quantile(s.unscaled.gradient, share)[0] for s in sizes()] for share in QUARTERS]
    slopes = Slopes(
        list(TRIALS), *averages("jacobian"), *averages("gradient"),
        np.array([[number.value for number in row] for row in quartiles]),
        list(TRIALS).index(before.d_k),
    )  # fmt: skip
    return Figure(
        title="What is left of the slopes",
        caption="Open squares and circles: means, with two standard errors to either side. "
        "Filled squares: the median. Shaded: the middle half of the trials.",
        description=f"Two panels over d_k = {', '.join(map(shown, TRIALS))}. Left, mean spectral "
        f"norm of J: not divided {_said(slopes.jacobian_unscaled)}; "
        f"divided by √d_k {_said(slopes.jacobian_scaled)}; "
        f"they cross between {before.d_k} and {after.d_k}. Right, mean size of J K / divisor: "
        f"not divided {_said(slopes.gradient_unscaled)}, with the medians "
        f"{_said(quantile(s.unscaled.gradient, 0.5) for s in sizes())}; "
        f"divided by √d_k {_said(slopes.gradient_scaled)}.",
        label="simulation",
        data=Table(
            "Norm of J and size of the gradient",
            ("d_k", "Divided", "Mean norm of J", "s.e. of the norm", "Mean gradient",
             "s.e. of the gradient", "Lower quartile", "Median", "Upper quartile"),
            [
                (size.d_k, word, *mean(made.jacobian), *mean(made.gradient),
                 *(quantile(made.gradient, share)[0] for share in QUARTERS))
                for size in sizes()
                for word, made in (("no", size.unscaled), ("yes", size.scaled))
            ],
        ),
        draw=partial(draw_slopes, slopes),
    )  # fmt: skip


def figures() -> Figures:
    """Return the note's figures."""
    return {"spread": _spread_figure(), "slopes": _slopes_figure()}


def _plain(estimates: Iterable[Estimate]) -> list[list[float]]:
    """Return each value and its error, each with its digits, as JSON carries them."""
    return [[v.value, v.digits, e.value, e.digits] for v, e in estimates]


def widgets() -> Widgets:
    """Return the note's explorable, which shows the simulation at the size of the paper's heads."""
    d_ks = list(TRIALS)
    place = d_ks.index(HEAD_SIZE)
    both = {"spread": spreads()} | {q: averages(q) for q in ("entropy", "largest", "gradient")}
    curves = {
        quantity: {"unscaled": _plain(unscaled), "scaled": _plain(scaled)}
        for quantity, (unscaled, scaled) in both.items()
    }
    return {
        "explorer": Widget(
            element="scaling-explorer",
            anchor="widget-explore-scaling",
            title="From small heads to large ones: what the division mends",
            label="simulation",
            figure="notes.scaling.spread",
            start={"place": place, "divided": "both", "quantity": "spread"},
            results={
                "sizes": d_ks,
                "curves": curves,
                "d_k": HEAD_SIZE,
                "chosen": [[side[place] for side in sides.values()] for sides in curves.values()],
            },
        ),
    }
