"""A word needs its neighbours: one average for all positions, or a mixture for each."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from publisher.results import (
    Figure,
    Figures,
    Number,
    Numbers,
    Table,
    Tables,
    Texts,
    Vectors,
    short,
    shown,
    spoken,
)
from snippets.attention import Array, attention
from snippets.drawings.context import draw_shares
from snippets.running_example import MONEY, RIVER, TOKENS, W_K, W_Q
from snippets.sentences import WORD, position_of, representations, tokenise

# The positions that the chapter looks at, each with a need of its own.
ASKING = ("repaired", "net", WORD)


def equal_mixtures(x: Array) -> Array:
    """Return the baseline: at every position, the average of all rows of x.

    Parameters
    ----------
    x : (n, d_model), one representation per position

    Returns
    -------
    The mixtures, (n, d_model).
    """
    n = len(x)
    shares = np.full((n, n), 1 / n)  # row i: the shares at position i
    return shares @ x  # (n, n) @ (n, d_model)


def own_mixtures(x: Array) -> tuple[Array, Array]:
    """Return a mixture for each position, with shares of its own, and those shares.

    Parameters
    ----------
    x : (n, d_model), one representation per position

    Returns
    -------
    mixtures : (n, d_model)
    shares : (n, n), row i for the mixture at position i
    """
    return attention(x @ np.array(W_Q), x @ np.array(W_K), x)


def average_at_three() -> None:
    """Print what three positions of the river sentence receive."""
    tokens = tokenise(RIVER)
    mixtures = equal_mixtures(representations(tokens))  # (n, d_model)
    for word in ASKING:
        mixture = mixtures[position_of(word, tokens) - 1]
        print(f"{word:<9}", *(f"{value:.3f}" for value in mixture))


def distinct(rows: Array) -> int:
    """Count the rows that differ by more than rounding."""
    different: list[Array] = []
    for row in rows:
        if not any(np.allclose(row, other, rtol=0, atol=1e-12) for other in different):
            different.append(row)
    return len(different)


def at(rows: Array, word: str) -> Any:
    """Return the row at a word of the river sentence: of (n, d) a vector, of (n,) a number."""
    return rows[position_of(word, tokenise(RIVER)) - 1]


def asked(shares: Array) -> Array:
    """Return the shares in the mixtures at the positions of `ASKING`, shape (3, n)."""
    return np.array([at(shares, word) for word in ASKING])


def numbers() -> Numbers:
    """Return the chapter's numbers."""
    x = representations(tokenise(RIVER))
    shares = own_mixtures(x)[1]
    return {
        "n": len(x),
        "d_model": x.shape[1],
        "equal_share": Number(1 / len(x), form="fraction"),
        "equal_distinct": distinct(equal_mixtures(x)),
        "asking": len(ASKING),
        "own_distinct": distinct(asked(shares)),
        "bank_fisherman": at(at(shares, WORD), TOKENS[0]),
        "net_fisherman": at(at(shares, TOKENS[1]), TOKENS[0]),
        "bank_total": short(at(shares, WORD).sum()),
    }


def vectors() -> Vectors:
    """Return the chapter's vectors; mixtures have three decimals in this chapter."""
    tokens = tokenise(RIVER)
    x, backwards = representations(tokens), representations(tokens[::-1])
    money = representations(tokenise(MONEY))
    money_place = position_of(WORD, tokenise(MONEY))
    return {
        "bank_x": [short(value) for value in at(x, WORD)],
        "money_bank_x": [short(value) for value in money[money_place - 1]],
        "river_average": [Number(v, 3) for v in equal_mixtures(x)[0].tolist()],
        "money_average": [Number(v, 3) for v in equal_mixtures(money)[0].tolist()],
        "backwards_average": [Number(v, 3) for v in equal_mixtures(backwards)[0].tolist()],
    }


def tables() -> Tables:
    """Return the chapter's tables."""
    tokens = tokenise(RIVER)
    x = representations(tokens)
    own = own_mixtures(x)[0]
    return {
        "x": Table(
            caption="What goes into the first layer: the river sentence",
            columns=("Position", "Token", "Representation $x$"),
            rows=[
                (place, token, [short(value) for value in row])
                for place, (token, row) in enumerate(zip(tokens, x, strict=True), start=1)
            ],
        ),
        "own": Table(
            caption="Shares of their own: what the three positions receive",
            columns=("At", "Mixture"),
            rows=[(word, [Number(v, 3) for v in at(own, word).tolist()]) for word in ASKING],
        ),
    }


def figures() -> Figures:
    """Return the chapter's figure."""
    tokens = tokenise(RIVER)
    shares = asked(own_mixtures(representations(tokens))[1])
    said = [
        f"At {word}: "
        + ", ".join(f"{spoken(t)} {shown(s)}" for t, s in zip(tokens, line, strict=True))
        for word, line in zip(ASKING, shares, strict=True)
    ]
    return {
        "shares": Figure(
            title="Three positions, three mixtures",
            caption="Each column is one mixture, and its shares add up to one. With equal "
            "averaging all three columns would be alike, every bar ending at the dashed line.",
            description="Bars for the share of every token of the river sentence in three "
            f"mixtures. {'. '.join(said)}. A dashed line marks the equal share, 1/{len(tokens)}.",
            label="invented numbers",
            data=Table(
                "The shares in the figure",
                ("Position", "Token", *(f"At {word}" for word in ASKING)),
                [
                    (place, token, *column)
                    for place, (token, column) in enumerate(
                        zip(tokens, shares.T, strict=True), start=1
                    )
                ],
            ),
            draw=partial(draw_shares, TOKENS, tokens, ASKING, shares),
        ),
    }


def texts() -> Texts:
    """Return the chapter's computed words: whose share is the largest in each mixture."""
    tokens = tokenise(RIVER)
    shares = own_mixtures(representations(tokens))[1]
    return {
        "most_at_bank": tokens[int(np.argmax(at(shares, WORD)))],
    }
