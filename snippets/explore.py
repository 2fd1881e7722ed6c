"""Where the explorables start: the page's own inputs, and what Python makes of them."""

from __future__ import annotations

import numpy as np

from snippets.attention import attention
from snippets.publish.results import Widget, Widgets
from snippets.running_example import KEYS, QUERY, TOKENS, VALUES
from snippets.scores_and_weights import hand_scores, hand_weights
from snippets.values import contributions, hand_mixture


def _attention() -> Widget:
    """Start from the hand example: a query, and a key and a value for each of three tokens."""
    products = np.array(KEYS) @ QUERY
    (equal,), _ = attention(np.zeros((1, len(QUERY))), KEYS, VALUES)
    return Widget(
        element="attention-explorer",
        title="Change the numbers: one head at one position",
        label="invented numbers",
        figure="values.mixture",
        start={
            "query": list(QUERY),
            "tokens": [
                {"name": name, "key": list(key), "value": list(value), "use": True}
                for name, key, value in zip(TOKENS, KEYS, VALUES, strict=True)
            ],
            "scaling": "root",
            "divisor": float(len(QUERY)),
            "temperature": 1.0,
        },
        results={
            "products": products.tolist(),
            "scores": hand_scores().tolist(),
            "exponentials": np.exp(hand_scores()).tolist(),
            "weights": hand_weights().tolist(),
            "contributions": contributions().tolist(),
            "output": hand_mixture().tolist(),
            "equal": equal.tolist(),
        },
    )


def widgets() -> Widgets:
    """Return every explorable, by name."""
    return {
        "attention": _attention(),
    }
