"""The same in matrices: one head over a whole sentence, every position at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from publisher.results import (
    Cell,
    Figure,
    Figures,
    Number,
    Numbers,
    Table,
    Tables,
    Texts,
    Vectors,
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
from snippets.drawings.notes.matrices import draw_shapes
from snippets.drawings.tokens import token_colour
from snippets.running_example import KEYS, OPEN, RIVER, TOKENS, W_K, W_Q, W_V
from snippets.sentences import WORD, representations, tokenise

ASKING, ASKED = WORD, TOKENS[0]  # the position that the note follows, and one it may use
PART = 4  # how many positions the tables of the causal mask show


class Head(NamedTuple):
    """Everything that one head computes for n positions, one row per position."""

    x: Array  # (n, d_model)
    queries: Array  # (n, d_k)
    keys: Array  # (n, d_k)
    values: Array  # (n, d_v)
    scores: Array  # (n, n)
    weights: Array  # (n, n)
    mixtures: Array  # (n, d_v)


def one_head(x: Array, mask: NDArray[np.bool_] | None = None) -> Head:
    """Compute one head for all positions at once."""
    queries = x @ np.array(W_Q)  # (n, d_model) @ (d_model, d_k)
    keys = x @ np.array(W_K)  # (n, d_model) @ (d_model, d_k)
    values = x @ np.array(W_V)  # (n, d_model) @ (d_model, d_v)
    scores = scaled_dot_product_scores(queries, keys)  # (n, n)
    mixtures, weights = attention(queries, keys, values, mask)  # (n, d_v), (n, n)
    return Head(x, queries, keys, values, scores, weights, mixtures)


def one_position(x: Array, i: int) -> Array:
    """Compute the mixture of position i alone, key by key and value by value."""
    query = x[i] @ np.array(W_Q)  # (d_k,)
    keys = [x_j @ np.array(W_K) for x_j in x]  # n times (d_k,)
    weights = attention_weights([query], keys)[0]  # (n,)
    mixture = np.zeros(np.array(W_V).shape[1])  # (d_v,)
    for weight, x_j in zip(weights, x, strict=True):
        mixture = mixture + weight * (x_j @ np.array(W_V))
    return mixture


def river() -> tuple[list[str], Head]:
    """Return the river sentence's head.

    Returns
    -------
    tokens : the n tokens
    head : what the head computes for them, without a mask
    """
    tokens = tokenise(RIVER)
    return tokens, one_head(representations(tokens))


def causal() -> Head:
    """Return the same head when every position may use only itself and earlier ones."""
    x = river()[1].x
    return one_head(x, causal_mask(len(x)))


def few() -> tuple[Array, Array]:
    """Return the scores of the last two of the three tokens against all three, and the values."""
    tokens, head = river()
    asked = [tokens.index(token) for token in TOKENS]
    return head.scores[np.ix_(asked[1:], asked)], head.values[asked]  # (2, 3), (3, d_v)


def without_keepdims(scores: Array) -> Array:
    """Forget keepdims: the sums of the rows then divide the columns, if the table is square."""
    exponentials = np.exp(scores)
    return np.asarray(exponentials / exponentials.sum(axis=-1))


def steps() -> dict[str, Array]:
    """Return the arrays of the formula by name, in the order of the calculation."""
    head = river()[1]
    return {
        "Q": head.queries,
        "Kᵀ": head.keys.T,
        "S = Q Kᵀ / √d_k": head.scores,
        "A = softmax(S)": head.weights,
        "V": head.values,
        "Z = A V": head.mixtures,
    }


def head_shapes() -> None:
    """Print the shape of every array, and bank's row of Z both ways."""
    tokens, head = river()
    for name, array in head._asdict().items():
        print(f"{name:<9} {' x '.join(str(size) for size in array.shape)}")
    bank = tokens.index(ASKING)
    for way, z in (("in matrices", head.mixtures[bank]), ("alone", one_position(head.x, bank))):
        print(f"{ASKING} {way}:", *(f"{coordinate:.4f}" for coordinate in z))


def numbers() -> Numbers:
    """Return the note's numbers."""
    tokens, head = river()
    bank, other = tokens.index(ASKING), tokens.index(ASKED)
    n, d_model = head.x.shape
    d_k, d_v = head.keys.shape[1], head.values.shape[1]
    n_open = len(tokenise(OPEN))
    few_scores = few()[0]
    wrong = without_keepdims(few_scores[:, : len(few_scores)])  # (2, 2)
    return {
        "n": n,
        "d_model": d_model,
        "d_k": d_k,
        "d_v": d_v,
        "place": bank + 1,
        "entries": head.weights.size,
        "n_open": n_open,
        "entries_open": n_open * n_open,
        "parameters": np.size(W_Q) + np.size(W_K) + np.size(W_V),
        "asking_asked": head.weights[bank, other],
        "asked_asking": head.weights[other, bank],
        "row_sum": short(head.weights[bank].sum()),
        "column_sum": head.weights[:, other].sum(),
        "net_fisherman": attention_weights(KEYS, KEYS)[1, 0],
        "fisherman_net": attention_weights(KEYS, KEYS)[0, 1],
        "few_queries": few_scores.shape[0],
        "few_keys": few_scores.shape[1],
        "without_keepdims": wrong[1, 0],
        "without_keepdims_sum": wrong[1].sum(),
        "part": PART,
        "stop": head.weights[bank, -1],
        "cut_after": head.weights[bank, :-1].sum(),
        "asking_asked_causal": causal().weights[bank, other],
    }


def vectors() -> Vectors:
    """Return the note's vectors."""
    tokens, head = river()
    bank = tokens.index(ASKING)
    few_scores, few_values = few()
    return {
        "mixture": head.mixtures[bank],
        "alone": one_position(head.x, bank),
        "own_fisherman": [short(coordinate) for coordinate in KEYS[0]],
        "own_net": [short(coordinate) for coordinate in KEYS[1]],
        "own_bank": [short(coordinate) for coordinate in KEYS[2]],
        "right_mixture": (softmax(few_scores) @ few_values)[1],
        "wrong_mixture": (softmax(few_scores, axis=0) @ few_values)[1],
        "first_value": [short(value) for value in head.values[0]],
        "first_causal": [short(value) for value in causal().mixtures[0]],
    }


def few_weights(caption: str, axis: int) -> Table:
    """Return the softmax of the few scores along an axis, with the total of each row."""
    weights = softmax(few()[0], axis=axis)
    return Table(
        caption,
        ("Asks", *TOKENS, "Total"),
        [(t, *row, short(row.sum())) for t, row in zip(TOKENS[1:], weights, strict=True)],
    )


def square(caption: str, tokens: Sequence[str], rows: Sequence[Sequence[Cell]]) -> Table:
    """Return a table with a row for each query and a column for each key."""
    return Table(
        caption, ("Asks", *tokens), [(t, *row) for t, row in zip(tokens, rows, strict=True)]
    )


def score_cell(entry: float, allowed: bool) -> Cell:
    """Return a score as a cell, minus infinity where the mask forbids it."""
    return short(entry) if allowed else "$-\\infty$"


def tables() -> Tables:
    """Return the note's tables."""
    tokens, head = river()
    may, part = causal_mask(PART), tokens[:PART]
    return {
        "x": Table(
            caption="X, and the rows that it becomes in Q, K and V",
            columns=("Token", "Row of $X$", "of $Q$", "of $K$", "of $V$"),
            rows=[
                (token, *map(inputs, rows)) for token, *rows in zip(tokens, *head[:4], strict=True)
            ],
        ),
        "weights": square(
            "The weights: a row asks, a column is asked",
            tokens,
            head.weights.tolist(),
        ),
        "own_scores": square(
            "The scores if queries and keys are the same",
            TOKENS,
            [inputs(row) for row in scaled_dot_product_scores(KEYS, KEYS)],
        ),
        "own_weights": square(
            "The weights that softmax makes of them, row by row",
            TOKENS,
            attention_weights(KEYS, KEYS).tolist(),
        ),
        "along_rows": few_weights("Softmax along each row: over the keys of one query", -1),
        "down_columns": few_weights("Softmax down each column: over the queries, by mistake", 0),
        "mixtures": Table(
            caption="Z, without and with the causal mask",
            columns=("Token", "Row of $Z$", "with the mask"),
            rows=list(zip(tokens, head.mixtures, causal().mixtures, strict=True)),
        ),
        "causal_scores": square(
            "The scores with the causal mask",
            part,
            [
                [score_cell(head.scores[i, j], bool(may[i, j])) for j in range(PART)]
                for i in range(PART)
            ],
        ),
        "causal_weights": square(
            "The weights that softmax makes of them",
            part,
            [
                [Number(weight, form="" if weight else "short") for weight in row[:PART]]
                for row in causal().weights[:PART]
            ],
        ),
    }


def figures() -> Figures:
    """Return the note's figures."""
    drawn = {name: (len(rows), len(rows[0])) for name, rows in steps().items()}
    sizes = {name.replace("ᵀ", "^T"): shape for name, shape in drawn.items()}
    said = ", then ".join(f"{name}, {shown_shape(shape)}" for name, shape in sizes.items())
    asking = (ASKING, river()[0].index(ASKING), token_colour(TOKENS, ASKING))
    return {
        "shapes": Figure(
            title="One head, all positions at once",
            caption=f"Every array of the formula, a square for each number. The row of {ASKING} is "
            "marked: it stays a row of its own from the query to the mixture.",
            description=f"Grids of squares, from left to right: {said}. The row of {ASKING} is "
            "marked in all of them but K^T and V, which serve every row.",
            label="concept drawing",
            data=Table(
                "The shapes of the arrays",
                ("Array", "Rows", "Columns"),
                [(name, *shape) for name, shape in sizes.items()],
            ),
            draw=partial(draw_shapes, *asking, drawn),
        ),
    }


def texts() -> Texts:
    """Return the note's words."""
    return {"river": RIVER}
