"""Three roles: every position makes a query, a key and a value from its own representation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

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
    shown_vector,
    surd,
)
from snippets.attention import Array
from snippets.drawings.query_key_value import Role, draw_roles
from snippets.running_example import MONEY, RIVER, TOKENS, W_K, W_Q, W_V
from snippets.sentences import WORD, representations, tokenise

# The position worked out in full, in the river sentence: its x mixes two coordinates.
WORKED = "repaired"
# Two representations that are their own query, key and value, to see which match is largest.
PLAIN = ((1.0, 0.0), (3.0, 0.0))
# Each role's letter, and what a vector in that role does.
ROLES = {
    "query": ("q", "asks"),
    "key": ("k", "is compared with queries"),
    "value": ("v", "enters the mixture"),
}


class Reading(NamedTuple):
    """A sentence and the three vectors of each of its positions; every array has n rows."""

    tokens: Sequence[str]
    x: Array  # (n, d_model)
    queries: Array  # (n, d_k)
    keys: Array  # (n, d_k)
    values: Array  # (n, d_v)


def queries_keys_values(x: ArrayLike) -> tuple[Array, Array, Array]:
    """Give every position its query, key and value: X W_Q, X W_K and X W_V.

    Parameters
    ----------
    x : (n, d_model), one representation per position

    Returns
    -------
    queries : (n, d_k)
    keys : (n, d_k)
    values : (n, d_v)
    """
    rows = np.asarray(x, dtype=float)  # (n, d_model)
    return rows @ np.array(W_Q), rows @ np.array(W_K), rows @ np.array(W_V)


def read(sentence: str) -> Reading:
    """Give every token of a sentence its representation and its three vectors.

    Parameters
    ----------
    sentence : a text whose words all have an embedding

    Returns
    -------
    The tokens, and X, queries, keys and values with a row for each of them.

    Raises
    ------
    ValueError : a text without a word; a word without an embedding
    """
    tokens = tokenise(sentence)
    x = representations(tokens)  # (n, d_model)
    return Reading(tokens, x, *queries_keys_values(x))


def first_coordinates() -> None:
    """Print how the first coordinate of each of the three vectors comes about."""
    river = read(RIVER)
    x = river.x[river.tokens.index(WORKED)]  # (d_model,)
    for role, matrix in zip("qkv", (W_Q, W_K, W_V), strict=True):
        column = np.array(matrix)[:, 0]  # (d_model,)
        products = [f"{a:g}*{w:.4g}" for a, w in zip(x, column, strict=True)]
        print(f"{role}_1 = {' + '.join(products)} = {x @ column:g}")


def worked_roles() -> tuple[Array, list[Role]]:
    """Return x at the worked position, (d_model,), and what each role's matrix makes of it."""
    river = read(RIVER)
    at = river.tokens.index(WORKED)
    made = (river.queries[at], river.keys[at], river.values[at])
    return river.x[at], [
        Role(name, *words, np.array(matrix), vector)
        for (name, words), matrix, vector in zip(ROLES.items(), (W_Q, W_K, W_V), made, strict=True)
    ]


def _matching(query: Array, key: Array) -> Number:
    return surd(float(query @ key))


def numbers() -> Numbers:
    """Return the chapter's numbers."""
    river = read(RIVER)
    bank, fisherman = (river.tokens.index(token) for token in (WORD, TOKENS[0]))
    plain = np.array(PLAIN)
    return {
        "length": len(river.tokens),
        "position": river.tokens.index(WORKED) + 1,
        "bank_position": bank + 1,
        "d_model": river.x.shape[1],
        "d_k": river.keys.shape[1],
        "d_v": river.values.shape[1],
        "entries": np.size(W_Q) + np.size(W_K) + np.size(W_V),
        "own_match": _matching(river.queries[bank], river.keys[bank]),
        "fisherman_match": _matching(river.queries[bank], river.keys[fisherman]),
        "plain_own_match": short(plain[0] @ plain[0]),
        "plain_other_match": short(plain[0] @ plain[1]),
    }


def vectors() -> Vectors:
    """Return the chapter's vectors."""
    river = read(RIVER)
    worked, bank = river.tokens.index(WORKED), river.tokens.index(WORD)
    return {
        "x": inputs(river.x[worked]),
        "query": inputs(river.queries[worked]),
        "key": inputs(river.keys[worked]),
        "value": inputs(river.values[worked]),
        "bank_x": inputs(river.x[bank]),
        "bank_query": inputs(river.queries[bank]),
        "bank_key": inputs(river.keys[bank]),
        "plain_one": inputs(PLAIN[0]),
        "plain_other": inputs(PLAIN[1]),
    }


def _row(reading: Reading, i: int) -> list[Cell]:
    vectors = (reading.x, reading.queries, reading.keys, reading.values)
    return [reading.tokens[i], *(inputs(rows[i]) for rows in vectors)]


def tables() -> Tables:
    """Return the chapter's tables."""
    river, money = read(RIVER), read(MONEY)
    x = river.x[river.tokens.index(WORKED)]
    columns = ("Token", "$x$", "Query", "Key", "Value")
    repeated = [i for i, token in enumerate(money.tokens) if token == "the"]
    return {
        "first": Table(
            "One representation, three columns of coefficients, three results",
            ("Role", "First column of the matrix", "First coordinate"),
            [
                [role, inputs(column), short(x @ column)]
                for role, column in (
                    ("query", np.array(W_Q)[:, 0]),
                    ("key", np.array(W_K)[:, 0]),
                    ("value", np.array(W_V)[:, 0]),
                )
            ],
        ),
        "river": Table(
            "The river sentence: every position's three vectors, from the same three matrices",
            columns,
            [_row(river, i) for i in range(len(river.tokens))],
        ),
        "repeated": Table(
            "One word at two positions",
            ("Position", *columns),
            [[i + 1, *_row(money, i)] for i in repeated],
        ),
    }


def figures() -> Figures:
    """Return the chapter's figures."""
    x, roles = worked_roles()
    vectors = {"representation": x, **{role.name: role.made for role in roles}}
    made = ", ".join(f"the {name} {shown_vector(v, 'surd')}" for name, v in vectors.items())
    matrices = "; ".join(
        f"the {role.name} matrix has the rows "
        + ", ".join(shown_vector(row, "surd") for row in role.matrix)
        for role in roles
    )
    rows: list[list[Cell]] = [[name, inputs(v)] for name, v in vectors.items()]
    for role in roles:
        rows += [
            [f"{role.name} matrix, row {i}", inputs(row)]
            for i, row in enumerate(role.matrix, start=1)
        ]
    return {
        "roles": Figure(
            title="One representation, three matrices, three vectors",
            caption="Each matrix has a row for every coordinate of $x$, and a column for every "
            "coordinate of the result.",
            description=f"Strokes lead from the representation at {WORKED} to three matrices, and "
            f"from each matrix to its result. At {WORKED} stand {made}. Of the matrices, "
            f"{matrices}.",
            label="invented numbers",
            data=Table(
                f"The vectors at {WORKED}, and the matrices",
                ("Vector", "Coordinates"),
                rows,
            ),
            draw=partial(draw_roles, WORKED, x, roles),
        ),
    }


def texts() -> Texts:
    """Return the sentences, and the word that is worked out."""
    return {"river": RIVER, "money": MONEY, "worked": WORKED}
