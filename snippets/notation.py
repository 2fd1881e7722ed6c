"""Notation: one calculation in the letters and the layouts of others, to the same numbers."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from publisher.results import Cell, Numbers, Table, Tables, Vectors, short, shown_shape
from snippets.attention import Array, multi_head_attention, scaled_dot_product_scores, softmax
from snippets.notes.matrices import Head, river
from snippets.query_key_value import read
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
from snippets.sentences import WORD

# The parameters of the running example's two heads.
BOTH_HEADS = ((W_Q, W_K, W_V), (SECOND_W_Q, SECOND_W_K, SECOND_W_V))


def as_rows(queries: Array, keys: Array, values: Array) -> tuple[Array, Array]:
    """Write it as Vaswani et al. do: softmax(Q K^T / sqrt(d_k)) V."""
    d_k = keys.shape[1]
    weights = softmax(queries @ keys.T / math.sqrt(d_k))  # rows: (n_q, n_k)
    return weights, weights @ values  # (n_q, d_v)


def as_column(query: Array, keys: Array, values: Array) -> tuple[Array, Array]:
    """Write one query as a column: V^T softmax(K q / sqrt(d_k))."""
    d_k = keys.shape[1]
    weights = softmax(keys @ query / math.sqrt(d_k), axis=0)  # (n_k, 1)
    return weights, values.T @ weights  # (d_v, 1)


def as_columns(queries: Array, keys: Array, values: Array) -> tuple[Array, Array]:
    """Write every vector as a column: V softmax(K^T Q / sqrt(d_k))."""
    d_k = keys.shape[0]
    weights = softmax(keys.T @ queries / math.sqrt(d_k), axis=0)  # (n_k, n_q)
    return weights, values @ weights  # (d_v, n_q)


def as_letters(queries: Array, keys: Array, values: Array) -> tuple[Array, Array]:
    """Name every axis by a letter; a letter that the result lacks is summed over."""
    d_k = keys.shape[1]
    scores = np.einsum("ic,jc->ij", queries, keys) / math.sqrt(d_k)  # (n_q, n_k)
    weights = softmax(scores)
    return weights, np.einsum("ij,jc->ic", weights, values)  # (n_q, d_v)


def as_bahdanau(s: Array, h: Array) -> tuple[Array, Array, Array]:
    """Write e, alpha and c in the letters of Bahdanau et al., with our score as a."""
    query, keys = s @ np.array(W_Q), h @ np.array(W_K)  # (d_k,), (n, d_k)
    e = scaled_dot_product_scores([query], keys)[0]  # (n,)
    alpha = softmax(e)  # (n,)
    c = alpha @ h  # (d_model,): the h_j themselves are mixed
    return e, alpha, c


def hand_arrays() -> tuple[Array, Array, Array]:
    """Return the hand example as Q, (1, d_k), K, (3, d_k), and V, (3, d_v)."""
    return np.array([QUERY]), np.array(KEYS), np.array(VALUES)


def hand_states() -> tuple[Array, Array]:
    """Return what Bahdanau's letters start from: x at bank, and x at the three positions."""
    sentence = read(RIVER)
    h = sentence.x[[sentence.tokens.index(token) for token in TOKENS]]  # (3, d_model)
    return sentence.x[sentence.tokens.index(WORD)], h


def bahdanau_mixture() -> Array:
    """Turn c into the hand example's mixture by the columns of W_V that made its values."""
    _, _, c = as_bahdanau(*hand_states())
    return np.asarray(c @ np.array(W_V)[:, : len(VALUES[0])])  # (d_model,) @ (d_model, 2)


def in_every_notation() -> dict[str, tuple[Array, Array]]:
    """Return the hand example's weights and mixture in each notation's layout."""
    queries, keys, values = hand_arrays()
    _, alpha, _ = as_bahdanau(*hand_states())
    return {
        "Rows": as_rows(queries, keys, values),
        "One column": as_column(queries.T, keys, values),
        "All columns": as_columns(queries.T, keys.T, values.T),
        "Bahdanau's letters": (alpha, bahdanau_mixture()),
        "A letter an axis": as_letters(queries, keys, values),
    }


def layouts() -> None:
    """Print the shapes and the numbers of weights and mixture in every notation."""
    for name, made in in_every_notation().items():
        print(name)
        for what, array in zip(("weights", "mixture"), made, strict=True):
            print(
                f"  {what} {shown_shape(array.shape, 'x'):<5} ",
                *(f"{entry:.4f}" for entry in array.flat),
            )


def wrong_way() -> tuple[Array, Array]:
    """Take the softmax of a column of scores along its rows, which have one entry each."""
    queries, keys, values = hand_arrays()
    weights = softmax(keys @ queries.T / math.sqrt(keys.shape[1]))  # (n_k, 1), axis -1
    return weights[:, 0], (values.T @ weights)[:, 0]


def size_of(array: ArrayLike) -> list[int]:
    """Return an array's rows and columns; a vector is one row, a number one of each."""
    return list(np.atleast_2d(np.asarray(array)).shape)


def symbol_rows(head: Head, at: int) -> list[list[Cell]]:
    """Return a row for every symbol of one head: its name, its shape, and that in `head`."""
    n, model, key, value = "n", "d_\\text{model}", "d_k", "d_v"
    known: list[tuple[str, str, str, str, ArrayLike]] = [
        ("X", "the representations, a row a position", n, model, head.x),
        ("W_Q", "makes queries of representations", model, key, W_Q),
        ("W_K", "makes keys of them", model, key, W_K),
        ("W_V", "makes values of them", model, value, W_V),
        ("Q", "all queries", n, key, head.queries),
        ("K", "all keys", n, key, head.keys),
        ("V", "all values", n, value, head.values),
        ("S", "all scores", n, n, head.scores),
        ("A", "all weights", n, n, head.weights),
        ("Z", "all mixtures", n, value, head.mixtures),
        ("x_i", "the representation of position $i$", "1", model, head.x[at]),
        ("q_i", "its query", "1", key, head.queries[at]),
        ("k_j", "the key of position $j$", "1", key, head.keys[at]),
        ("v_j", "its value", "1", value, head.values[at]),
        ("s_{ij}", "the score of key $j$ for query $i$", "1", "1", head.scores[at, 0]),
        ("\\alpha_{ij}", "the weight that goes with it", "1", "1", head.weights[at, 0]),
        ("z_i", "the mixture at position $i$", "1", value, head.mixtures[at]),
    ]
    return [
        [f"${symbol}$", what, f"${rows} \\times {columns}$", size_of(array)]
        for symbol, what, rows, columns, array in known
    ]


def head_rows(x: Array) -> list[list[Cell]]:
    """Return a row for every symbol of several heads, with its size in two heads over `x`."""
    w_q, w_k, w_v = (np.array(both) for both in zip(*BOTH_HEADS, strict=True))
    output, weights = multi_head_attention(x, w_q, w_k, w_v, W_O)
    mixtures = weights @ (x @ w_v)  # (heads, n, d_v)
    known: list[tuple[str, str, str, Array]] = [
        ("$W_Q$, $W_K$", "of all heads", "h \\times d_\\text{model} \\times d_k", w_q),
        ("$W_V$", "of all heads", "h \\times d_\\text{model} \\times d_v", w_v),
        ("$Q$, $K$", "of all heads", "h \\times n \\times d_k", x @ w_k),
        ("$A$", "the weights of all heads", "h \\times n \\times n", weights),
        ("$Z$", "the mixtures of all heads", "h \\times n \\times d_v", mixtures),
        ("$[Z_1 \\; Z_2]$", "these, put end to end", "n \\times h d_v", np.hstack(list(mixtures))),
        ("$W_O$", "the output projection", "h d_v \\times d_\\text{model}", np.array(W_O)),
        ("$Y$", "the output: these, times $W_O$", "n \\times d_\\text{model}", output),
    ]
    return [[name, what, f"${general}$", list(made.shape)] for name, what, general, made in known]


def numbers() -> Numbers:
    """Return the page's numbers."""
    queries, keys, values = hand_arrays()
    head = river()[1]
    return {
        "n_q": queries.shape[0],
        "n_k": keys.shape[0],
        "d_k": keys.shape[1],
        "d_v": values.shape[1],
        "river_n": head.x.shape[0],
        "river_model": head.x.shape[1],
        "river_d_k": head.keys.shape[1],
        "river_d_v": head.values.shape[1],
        "heads": len(BOTH_HEADS),
    }


def vectors() -> Vectors:
    """Return the page's vectors."""
    e, alpha, c = as_bahdanau(*hand_states())
    wrong_weights, wrong_mixture = wrong_way()
    return {
        "e": [short(score) for score in e],
        "alpha": alpha,
        "c": c,
        "c_projected": bahdanau_mixture(),
        "wrong_weights": [short(weight) for weight in wrong_weights],
        "wrong_mixture": [short(coordinate) for coordinate in wrong_mixture],
    }


def tables() -> Tables:
    """Return the page's tables."""
    tokens, head = river()
    return {
        "letters": Table(
            "The same things in four notations",
            ("What", "Here", "Vaswani et al.", "One query as a column", "Bahdanau et al."),
            [
                ["query", "$q_i$", "row of $Q$", "$q$", "$s_{i-1}$, the state that asks"],
                ["key", "$k_j$", "row of $K$", "row of $K$", "$h_j$, the annotation of word $j$"],
                ["value", "$v_j$", "row of $V$", "row of $V$", "$h_j$ again"],
                [
                    "score",
                    "$s_{ij}$",
                    "entry of $Q K^\\top / \\sqrt{d_k}$",
                    "entry of $K q / \\sqrt{d_k}$",
                    "$e_{ij} = a(s_{i-1}, h_j)$",
                ],
                [
                    "weight",
                    "$\\alpha_{ij}$",
                    "entry of the softmax",
                    "entry of the softmax",
                    "$\\alpha_{ij}$",
                ],
                [
                    "mixture",
                    "$z_i$",
                    "row of $\\text{Attention}(Q, K, V)$",
                    "$z$",
                    "$c_i$, the context",
                ],
                ["query matrix", "$W_Q$", "$W^Q_i$ of head $i$", "$W_Q^\\top$", "$W_a$, in $a$"],
                ["key matrix", "$W_K$", "$W^K_i$", "$W_K^\\top$", "$U_a$, in $a$"],
                ["value matrix", "$W_V$", "$W^V_i$", "$W_V^\\top$", "none"],
                ["positions asked", "$n$", "$n$, in section 3", "$n$", "$T_x$"],
            ],
        ),
        "same": Table(
            "The hand example in five ways of writing it",
            ("Notation", *(f"Weight of {token}" for token in TOKENS), "Mixture"),
            [
                [name, *weights.ravel().tolist(), mixture.ravel().tolist()]
                for name, (weights, mixture) in in_every_notation().items()
            ],
        ),
        "symbols": Table(
            "The symbols of one head, and their sizes in the river sentence",
            ("Symbol", "What it is", "Shape", "Size"),
            symbol_rows(head, tokens.index(WORD)),
        ),
        "heads": Table(
            "The symbols of several heads, and their sizes with two heads in the river sentence",
            ("Symbol", "What it is", "Shape", "Size"),
            head_rows(head.x),
        ),
    }
