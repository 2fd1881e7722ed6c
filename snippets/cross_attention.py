"""Cross-attention: one sequence asks, another answers; scored by dot product and additively."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from textwrap import fill

import numpy as np

from publisher.results import (
    Cell,
    Figure,
    Figures,
    Numbers,
    Table,
    Tables,
    Texts,
    Vectors,
    inputs,
    short,
    shown,
    shown_shape,
    shown_vector,
)
from snippets.attention import (
    Array,
    additive_scores,
    attention,
    scaled_dot_product_scores,
    softmax,
)
from snippets.drawings.cross_attention import draw_cross
from snippets.query_key_value import queries_keys_values, read
from snippets.running_example import KEYS, QUERY, RIVER, TOKENS, VALUES

# The translation so far, and the representation of each of its positions. Invented.
OUTPUT = ("Am", "Ufer")
OUTPUT_STATES = ((0.0, 1.0, 0.0, 0.125), (2.0, 1.0, 0.0, 0.25))  # (m, d_model)
WORKED = (1, 0)  # the pair whose additive score is worked out in full: a query, a key

# The small network that scores additively; d_hidden = 3. Invented too.
W_QUERY = ((0.5, -0.5, 0.0), (0.0, 0.5, 0.5))  # (d_k, d_hidden)
W_KEY = ((0.5, -0.25, 0.0), (0.0, 1.0, 0.5))  # (d_k, d_hidden)
V_SCORE = (1.0, 2.0, 1.0)  # (d_hidden,)


def source() -> Array:
    """Return the representations of three positions of the river sentence, (n, d_model)."""
    tokens, x, *_ = read(RIVER)
    return x[[tokens.index(token) for token in TOKENS]]


def roles() -> tuple[Array, Array, Array]:
    """Take queries from the output, keys and values from the source."""
    queries, _, _ = queries_keys_values(OUTPUT_STATES)  # (m, d_k)
    _, keys, values = queries_keys_values(source())  # (n, d_k), (n, d_v)
    return queries, keys, values


def cross() -> tuple[Array, Array]:
    """Return the mixtures, (m, d_v), and the weights, (m, n)."""
    return attention(*roles())


def cross_shapes() -> None:
    """Print the shape of every array, and the weights."""
    queries, keys, values = roles()
    output, weights = cross()
    arrays = {
        "output's x": np.array(OUTPUT_STATES), "source's x": source(), "queries": queries,
        "keys": keys, "values": values, "weights": weights, "mixtures": output,
    }  # fmt: skip
    for name, array in arrays.items():
        print(f"{name:<10}  {shown_shape(array.shape, 'x')}")
    for word, row in zip(OUTPUT, weights, strict=True):
        print(f"{word:<10}  {'  '.join(f'{weight:.4f}' for weight in row)}")


def exchanged() -> tuple[Array, Array]:
    """Let the source ask and the output answer, by mistake: mixtures, (n, d_v); weights, (n, m)."""
    queries, _, _ = queries_keys_values(source())
    _, keys, values = queries_keys_values(OUTPUT_STATES)
    return attention(queries, keys, values)


def values_for_keys() -> None:
    """Hand over the keys and the values in each other's place."""
    queries, keys, values = roles()
    try:
        attention(queries, values, keys)
    except ValueError as error:
        print(fill(f"ValueError: {error}", 64))


def both_scores() -> tuple[Array, Array]:
    """Score the same queries and keys in both ways, each (m, n)."""
    queries, keys, _ = roles()
    dot = scaled_dot_product_scores(queries, keys)
    additive = additive_scores(queries, keys, W_QUERY, W_KEY, V_SCORE)
    return dot, additive


def additive_steps() -> tuple[Array, Array, Array, Array]:
    """Return the steps to every additive score: the two projections, their sums, and tanh.

    Returns
    -------
    of_queries : (m, d_hidden)
    of_keys : (n, d_hidden)
    sums, hidden : (m, n, d_hidden) each
    """
    queries, keys, _ = roles()
    of_queries, of_keys = queries @ np.array(W_QUERY), keys @ np.array(W_KEY)
    sums = of_queries[:, np.newaxis, :] + of_keys[np.newaxis, :, :]  # (m, n, d_hidden)
    return of_queries, of_keys, sums, np.tanh(sums)


def one_additive_score() -> None:
    """Print every step to one additive score."""
    i, j = WORKED
    of_queries, of_keys, sums, hidden = additive_steps()
    products = hidden[i, j] * V_SCORE
    steps = {
        "q W_a": of_queries[i],
        "k U_a": of_keys[j],
        "sum": sums[i, j],
        "tanh": hidden[i, j],
        "times v_a": products,
    }
    for name, row in steps.items():
        print(f"{name:<9} {' '.join(f'{round(entry, 4):>8g}' for entry in row)}")
    print(f"{'score':<9} {round(products.sum(), 4):>8g}")


def first(scores: Array) -> str:
    """Return the source token with the highest score."""
    return TOKENS[int(scores.argmax())]


def ranking(scores: Array) -> str:
    """Return the source tokens from the highest score to the lowest."""
    order = np.argsort(-scores, kind="stable").tolist()
    words = TOKENS[order[0]]
    for above, below in pairwise(order):
        words += f" {'=' if np.isclose(scores[above], scores[below]) else '>'} {TOKENS[below]}"
    return words


def numbers() -> Numbers:
    """Return the chapter's numbers."""
    queries, keys, values = roles()
    wrong = exchanged()[1]
    i, j = WORKED
    return {
        "m": len(queries),
        "n": len(keys),
        "d_k": keys.shape[1],
        "d_v": values.shape[1],
        "hidden": len(V_SCORE),
        "wrong_m": wrong.shape[0],
        "wrong_n": wrong.shape[1],
        "additive": both_scores()[1][i, j],
        "bound": short(np.abs(V_SCORE).sum()),
        "parameters": np.size(W_QUERY) + np.size(W_KEY) + np.size(V_SCORE),
    }


def vectors() -> Vectors:
    """Return the chapter's vectors."""
    dot, additive = (scores[WORKED[0]] for scores in both_scores())
    return {
        "v_a": [short(entry) for entry in V_SCORE],
        "mixture": attention([QUERY], KEYS, VALUES)[0][0],
        "mixture_of_keys": attention([QUERY], KEYS, KEYS)[0][0],
        "dot_weights": softmax(dot),
        "additive_weights": softmax(additive),
    }


def tables() -> Tables:
    """Return the chapter's tables."""
    queries, keys, values = roles()
    of_queries, of_keys, sums, hidden = additive_steps()
    dot, additive = both_scores()
    pairs = [(i, j) for i in range(len(OUTPUT)) for j in range(len(TOKENS))]
    asks: list[list[Cell]] = [
        [word, "output", inputs(x), inputs(q), "", ""]
        for word, x, q in zip(OUTPUT, OUTPUT_STATES, queries, strict=True)
    ]
    answers: list[list[Cell]] = [
        [token, "source", inputs(x), "", inputs(k), inputs(v)]
        for token, x, k, v in zip(TOKENS, source(), keys, values, strict=True)
    ]
    return {
        "roles": Table(
            "Who brings what",
            ("Position", "Sequence", "$x$", "Query", "Key", "Value"),
            [*asks, *answers],
        ),
        "weights": Table(
            "The weights: a row for each output position, a column for each source position",
            ("Asks", *TOKENS, "Sum", "Mixture"),
            [
                (word, *row.tolist(), short(row.sum()), mixture.tolist())
                for word, mixture, row in zip(OUTPUT, *cross(), strict=True)
            ],
        ),
        "parts": Table(
            "What each vector brings to the sums",
            ("Position", "Vector", "Times its matrix"),
            [
                *((f"{w}, query", inputs(q), inputs(p)) for w, q, p in
                  zip(OUTPUT, queries, of_queries, strict=True)),
                *((f"{w}, key", inputs(k), inputs(p)) for w, k, p in
                  zip(TOKENS, keys, of_keys, strict=True)),
            ],
        ),
        "additive": Table(
            "Every additive score, step by step",
            ("Asks", "Asked", "Sum", "$\\tanh$ of it", "Score"),
            [
                (OUTPUT[i], TOKENS[j], inputs(sums[i, j]), hidden[i, j].tolist(), additive[i, j])
                for i, j in pairs
            ],
        ),
        "both": Table(
            "The same queries and keys, scored in two ways",
            ("Asks", "Asked", "Dot product $q \\cdot k$", "Scaled score", "Weight",
             "Additive score", "Weight"),
            [
                (OUTPUT[i], TOKENS[j], short(queries[i] @ keys[j]), dot[i, j],
                 softmax(dot)[i, j], additive[i, j], softmax(additive)[i, j])
                for i, j in pairs
            ],
        ),
        "ranked": Table(
            "From the highest score to the lowest",
            ("Asks", "Scaled dot product", "Additive"),
            [(w, ranking(d), ranking(a)) for w, d, a in zip(OUTPUT, dot, additive, strict=True)],
        ),
    }  # fmt: skip


def figures() -> Figures:
    """Return the chapter's figure."""
    output, weights = cross()
    said = [
        f"Query at {word}: "
        + ", ".join(f"{t} {shown(a)}" for t, a in zip(TOKENS, row, strict=True))
        + f"; mixture {shown_vector(mixture, '')}"
        for word, mixture, row in zip(OUTPUT, output, weights, strict=True)
    ]
    return {
        "cross": Figure(
            title="Two positions ask, three answer",
            caption="Each position of the output shares out its own one over the positions of the "
            "source. The two sequences need not be equally long.",
            description="Weights as bars, a panel for each output position, a row for each source "
            f"position. {'. '.join(said)}.",
            label="invented numbers",
            data=Table(
                "The weights and mixtures of the figure",
                ("Asks", *TOKENS, "Mixture"),
                [
                    (word, *row.tolist(), mixture.tolist())
                    for word, mixture, row in zip(OUTPUT, output, weights, strict=True)
                ],
            ),
            draw=partial(draw_cross, TOKENS, OUTPUT, weights, output),
        ),
    }


def texts() -> Texts:
    """Return the chapter's words."""
    dot, additive = (scores[WORKED[0]] for scores in both_scores())
    return {
        "output": " ".join(OUTPUT),
        "asks": OUTPUT[WORKED[0]],
        "asked": TOKENS[WORKED[1]],
        "dot_first": first(dot),
        "additive_first": first(additive),
    }
