"""Back to the river bank: the whole route in one function, and three exercises that diagnose."""

from __future__ import annotations

import inspect

import numpy as np

from publisher.results import Numbers, Table, Tables, Vectors, inputs, short
from snippets.attention import (
    Array,
    attention,
    attention_weights,
    causal_mask,
    scaled_dot_product_scores,
    softmax,
)
from snippets.query_key_value import queries_keys_values, read
from snippets.running_example import KEYS, MONEY, RIVER, TOKENS, VALUES
from snippets.sentences import WORD, representations, tokenise

# Who asks in the exercises: one of the hand example's tokens for each of the two queries.
FIRST_ASKS, SECOND_ASKS = TOKENS[0], TOKENS[1]


def mixture_at_bank(sentence: str) -> Array:
    """Return what reaches bank in a sentence, (d_v,)."""
    tokens = tokenise(sentence)
    x = representations(tokens)  # (n, d_model): embedding plus position
    queries, keys, values = queries_keys_values(x)  # (n, d_k), (n, d_k), (n, d_v)
    mixtures, _ = attention(queries, keys, values)  # (n, d_v)
    return mixtures[tokens.index(WORD), :]  # (d_v,)


def both_banks() -> None:
    """Print two sentences, and the mixture that reaches bank in each."""
    for sentence in (RIVER, MONEY):
        print(sentence)
        print("    bank:", mixture_at_bank(sentence).round(4))


def hand_queries() -> Array:
    """Return the queries of the hand example's tokens in the river sentence, (3, d_k)."""
    river = read(RIVER)
    return river.queries[[river.tokens.index(token) for token in TOKENS]]


def first_weights() -> dict[str, Array]:
    """Return the weights that the first exercise asks for, and those of each mistake, (3,)."""
    query = hand_queries()[TOKENS.index(FIRST_ASKS)]  # (d_k,)
    products = np.array(KEYS) @ query  # (3,)
    scores = products / np.sqrt(len(query))
    return {
        "right": softmax(scores),
        "not divided": softmax(products),
        "divided by d_k": softmax(products / len(query)),
        "no exponentials": scores / scores.sum(),
    }


def second_mixtures() -> dict[str, Array]:
    """Return the mixture that the second exercise asks for, and those of each mistake, (d_v,)."""
    weights, values = first_weights(), np.array(VALUES)
    return {
        "right": weights["right"] @ values,
        "rounded": weights["right"].round(1) @ values,
        "not divided": weights["not divided"] @ values,
        "keys mixed": weights["right"] @ np.array(KEYS),
        "equal weights": values.mean(axis=0),
    }


def third_weights() -> dict[str, Array]:
    """Return the row that the third exercise asks for, and those of each mistake, (3,)."""
    asks, may = TOKENS.index(SECOND_ASKS), causal_mask(len(TOKENS))
    scores = scaled_dot_product_scores(hand_queries(), KEYS)  # (3, 3)
    rows = {
        "right": attention_weights(hand_queries(), KEYS, may),
        "no mask": softmax(scores),
        "mask the wrong way round": attention_weights(hand_queries(), KEYS, may.T),
        "not divided": softmax(np.where(may, hand_queries() @ np.array(KEYS).T, -1e9)),
        "masked after softmax": softmax(scores) * may,
        "masked with zero": softmax(scores * may),
        "down the columns": softmax(np.where(may, scores, -1e9), axis=0),
    }
    return {name: weights[asks] for name, weights in rows.items()}


def numbers() -> Numbers:
    """Return the page's numbers."""
    third = third_weights()
    return {
        # All but the line of the name and the docstring.
        "lines": len(inspect.getsource(mixture_at_bank).splitlines()) - 2,
        "d_k": len(KEYS[0]),
        "third_total": short(third["right"].sum()),
        "third_cut_total": third["masked after softmax"].sum(),
        "third_columns_total": third["down the columns"].sum(),
    }


def vectors() -> Vectors:
    """Return the page's vectors: what reaches bank, then right and wrong answers."""
    first = first_weights()
    second = second_mixtures()
    third = third_weights()
    return {
        "river": mixture_at_bank(RIVER),
        "money": mixture_at_bank(MONEY),
        "first_query": inputs(hand_queries()[TOKENS.index(FIRST_ASKS)]),
        "second_query": inputs(hand_queries()[TOKENS.index(SECOND_ASKS)]),
        "first": first["right"],
        "first_not_divided": first["not divided"],
        "first_by_d_k": first["divided by d_k"],
        "first_no_exponentials": first["no exponentials"],
        "second": second["right"],
        "second_rounded": second["rounded"],
        "second_not_divided": second["not divided"],
        "second_keys": second["keys mixed"],
        "second_equal": second["equal weights"],
        "third": third["right"],
        "third_no_mask": third["no mask"],
        "third_ahead": third["mask the wrong way round"],
        "third_not_divided": third["not divided"],
        "third_cut": third["masked after softmax"],
        "third_zero": third["masked with zero"],
        "third_columns": third["down the columns"],
    }


def tables() -> Tables:
    """Return the inputs of the exercises."""
    parts = zip(TOKENS, hand_queries(), KEYS, VALUES, strict=True)
    return {
        "inputs": Table(
            "For the exercises: three positions, each with a query, a key and a value",
            ("Token", "Query", "Key", "Value"),
            [[token, inputs(q), inputs(k), inputs(v)] for token, q, k, v in parts],
        ),
    }
