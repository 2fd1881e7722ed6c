"""Masks in code: padding, the three ways to write a mask down, and a row with nothing left."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

import numpy as np
from numpy.typing import ArrayLike, NDArray

from publisher.results import (
    Cell,
    Number,
    Numbers,
    Table,
    Tables,
    Texts,
    inputs,
    short,
    shown_shape,
)
from snippets.attention import (
    Array,
    attention,
    attention_weights,
    causal_mask,
    scaled_dot_product_scores,
    softmax,
)
from snippets.query_key_value import queries_keys_values, read
from snippets.running_example import OPEN, RIVER, TOKENS, VALUES
from snippets.scores_and_weights import hand_scores, hand_weights
from snippets.sentences import WORD, representations, tokenise

SENTENCES = (RIVER, OPEN)
# What the added rows of X hold: nothing, or any number, to see that it cannot matter.
NOTHING, ANYTHING = 0.0, 9.0
CONVENTIONS = ("True = may attend", "True = blocked", "Added to the scores")
ROW = "flooded"  # the row of the open sentence that is written down in the three conventions
# What some programs write in place of minus infinity.
LOWEST = -1e9

Mask = NDArray[np.bool_]


def batch(
    sentences: Sequence[str], filling: float = NOTHING, left: bool = False
) -> tuple[Array, Mask]:
    """Put sentences of different length into one array."""
    rows = [representations(tokenise(sentence)) for sentence in sentences]
    lengths = np.array([[len(each)] for each in rows])  # (sentences, 1)
    n = lengths.max()
    real = np.arange(n) >= n - lengths if left else np.arange(n) < lengths
    x = np.full((*real.shape, rows[0].shape[1]), filling)
    x[real] = np.concatenate(rows)
    return x, real


def in_batch(masked: bool, filling: float = NOTHING) -> tuple[Array, Array]:
    """Attend in both sentences at once: output (2, n, d_v) and weights (2, n, n)."""
    x, real = batch(SENTENCES, filling)
    mask = real[:, np.newaxis, :] if masked else None  # (2, 1, n)
    return attention(*queries_keys_values(x), mask)


def alone(sentence: str) -> tuple[Array, Array]:
    """Attend in one sentence by itself: output (n, d_v) and weights (n, n)."""
    return attention(*queries_keys_values(representations(tokenise(sentence))))


def open_at_bank(made: tuple[Array, Array]) -> tuple[Array, float]:
    """Return the open sentence's mixture at bank, (d_v,), and the weight of the padding there."""
    tokens = tokenise(OPEN)
    output, weights = (part[-1] if part.ndim == 3 else part for part in made)
    bank = tokens.index(WORD)
    return output[bank], float(weights[bank, len(tokens) :].sum())


def batch_shapes() -> None:
    """Print the shape of every array of the batch."""
    x, real = batch(SENTENCES)
    output, weights = in_batch(masked=True)
    arrays = {"x": x, "mask": real[:, np.newaxis, :], "weights": weights, "output": output}
    for name, array in arrays.items():
        print(f"{name:<8} {shown_shape(array.shape, 'x')}")
    for sentence, row in zip(SENTENCES, real, strict=True):
        print("".join("#" if is_real else "." for is_real in row), "", sentence)


def unchecked_softmax(scores: Array) -> Array:
    """Return softmax over the last axis, with minus infinity allowed and nothing checked."""
    with np.errstate(invalid="ignore"):  # -inf less -inf, and 0 / 0, are NaN
        exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return np.asarray(exponentials / exponentials.sum(axis=-1, keepdims=True))


def conventions(allowed: Mask) -> tuple[Mask, Mask, Array]:
    """Write one mask down in the three ways in use."""
    blocked = ~allowed
    added = np.where(allowed, 0.0, -np.inf)
    return allowed, blocked, added


def by_convention() -> list[Array]:
    """Return one row of the open sentence's causal weights, (n,), from each of the three masks."""
    tokens, _, queries, keys, _ = read(OPEN)
    allowed, blocked, added = conventions(causal_mask(len(tokens)))
    weights = (
        attention_weights(queries, keys, allowed),
        attention_weights(queries, keys, ~blocked),
        unchecked_softmax(scaled_dot_product_scores(queries, keys) + added),
    )
    return [each[tokens.index(ROW)] for each in weights]


def wrong_way_round() -> str:
    """Return what bank may use in the open sentence when a blocking mask is read as ours."""
    tokens = tokenise(OPEN)
    blocked = ~causal_mask(len(tokens))
    used = np.array(tokens)[blocked[tokens.index(WORD)]]
    return ", ".join("the full stop" if token == "." else token for token in used)


def nothing_left() -> dict[str, Array]:
    """Return the hand example's weights with every key masked, (3,), in three programs."""
    scores = hand_scores()  # (3,)
    infinite = unchecked_softmax(np.full_like(scores, -np.inf))
    return {
        "minus infinity": infinite,
        "a very low score": softmax(np.full_like(scores, LOWEST)),
        "zero for NaN": np.nan_to_num(infinite),
    }


def refuse(x: ArrayLike, mask: ArrayLike) -> None:
    """Print why `attention` will not work with a mask."""
    try:
        attention(*queries_keys_values(x), mask)
    except (TypeError, ValueError) as error:
        print(fill(f"{type(error).__name__}: {error}", 64))


def added_mask() -> None:
    """Hand over a mask that is meant to be added."""
    x = representations(tokenise(OPEN))
    _, _, added = conventions(causal_mask(len(x)))
    refuse(x, added)


def padding_first() -> None:
    """Combine padding at the left with a causal mask."""
    x, real = batch(SENTENCES, left=True)  # (2, n, d_model), (2, n)
    both = causal_mask(x.shape[1]) & real[:, np.newaxis, :]  # (2, n, n)
    refuse(x, both)


def numbers() -> Numbers:
    """Return the chapter's numbers."""
    x, real = batch(SENTENCES)
    scores = hand_scores()
    return {
        "longest": x.shape[1],
        "shortest": len(tokenise(OPEN)),
        "padded": int((~real).sum()),
        "nothing": short(NOTHING),
        "anything": short(ANYTHING),
        "pad_score": short(queries_keys_values(x)[1][-1, -1] @ read(OPEN).queries[0]),
        "pad_weight": open_at_bank(in_batch(masked=False))[1],
        "pad_masked": short(open_at_bank(in_batch(masked=True))[1]),
        "lowest": Number(LOWEST, form="int"),
        "fisherman": hand_weights()[0],
        "fisherman_lowered": softmax(scores + LOWEST)[0],
        "fisherman_filled": softmax(np.full_like(scores, LOWEST))[0],
    }


def _weights(row: Array) -> list[Cell]:
    return [_cell(weight) for weight in row.tolist()]


def _cell(value: float) -> Cell:
    """Show NaN as text, and exact zeros as 0."""
    if not np.isfinite(value):
        return "NaN"
    return float(value) if value else short(value)


def _mixture(weights: Array) -> Cell:
    mixture = weights @ np.array(VALUES)
    return inputs(mixture) if np.isfinite(mixture).all() else "NaN in each coordinate"


def tables() -> Tables:
    """Return the chapter's tables."""
    tokens = tokenise(OPEN)
    masks = conventions(causal_mask(len(tokens)))
    rows = [mask[tokens.index(ROW)].tolist() for mask in masks]
    written = [[_written(entry) for entry in row] for row in rows]
    ways = {
        "by itself": alone(OPEN),
        "in the batch, no mask": in_batch(masked=False),
        "in the batch, masked": in_batch(masked=True),
        f"masked, filled with {ANYTHING:g}": in_batch(masked=True, filling=ANYTHING),
    }
    return {
        "batch": Table(
            "The open sentence at bank, by itself and in the batch",
            ("The sentence", "Weight of the padding", "Mixture at bank"),
            [
                (name, _cell(padding), mixture.tolist())
                for name, made in ways.items()
                for mixture, padding in [open_at_bank(made)]
            ],
        ),
        "written": Table(
            f"One mask, written down in three ways: the row of {ROW} in the open sentence",
            ("Token", *CONVENTIONS),
            list(zip(tokens, *written, strict=True)),
        ),
        "equal": Table(
            f"The weights at {ROW} from each of the three",
            ("Token", *CONVENTIONS),
            list(zip(tokens, *map(_weights, by_convention()), strict=True)),
        ),
        "nothing_left": Table(
            "Every key masked: what three kinds of program return",
            ("In place of each score", *TOKENS, "Mixture"),
            [(name, *_weights(row), _mixture(row)) for name, row in nothing_left().items()],
        ),
    }


def _written(entry: bool | float) -> str:
    return str(entry) if isinstance(entry, bool) else "$-\\infty$" if entry else "0"


def texts() -> Texts:
    """Return the chapter's computed words."""
    return {"wrong_way_round": wrong_way_round()}
