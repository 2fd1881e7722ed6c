"""From comparison to proportion: dot products, scores, and the softmax that makes weights."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

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
    Widget,
    Widgets,
    inputs,
    short,
    shown,
    shown_vector,
    surd,
)
from snippets.attention import Array, attention_weights, scaled_dot_product_scores, softmax
from snippets.drawings.scores_and_weights import draw_plane, draw_shares
from snippets.running_example import KEYS, QUERY, TOKENS

# Added to every score, to show that only differences count.
CONSTANT = 100.0
# A query and two keys: the first is the query itself, the second is longer and points elsewhere.
COMPARED_QUERY = (1.0, 0.0)
COMPARED_KEYS = ((1.0, 0.0), (3.0, 3.0))


def hand_scores() -> Array:
    """Score the three keys of the hand example against the query at bank.

    Returns
    -------
    The scores, (3,), in the order of TOKENS.
    """
    return np.asarray(scaled_dot_product_scores([QUERY], KEYS)[0])


def hand_weights() -> Array:
    """Turn the hand example's scores into attention weights.

    Returns
    -------
    The weights at bank, (3,), in the order of TOKENS; each between 0 and 1, together 1.
    """
    return np.asarray(attention_weights([QUERY], KEYS)[0])


def cosine(a: Array, b: Array) -> float:
    """Return the dot product of two vectors with both lengths divided out, -1 to 1."""
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))


def compared() -> tuple[Array, Array, Array]:
    """Return cosine, score and weight of each of the compared keys, each of shape (2,)."""
    query = np.array(COMPARED_QUERY)
    cosines = np.array([cosine(query, np.array(key)) for key in COMPARED_KEYS])
    scores = scaled_dot_product_scores([query], COMPARED_KEYS)[0]
    return cosines, scores, softmax(scores)


def softmax_by_hand() -> None:
    """Print each exponential, their sum, and each one's share of it."""
    scores = hand_scores()
    exponentials = [math.exp(s) for s in scores]
    total = math.fsum(exponentials)
    form = ".4f" if total < 1e6 else ".4e"  # no digit that a float does not hold
    for token, s, e in zip(TOKENS, scores, exponentials, strict=True):
        print(f"{token:<9}  e^{s:.15g} = {e:{form}}   share = {e / total:.4f}")
    print(f"{'sum':<9}        {total:{form}}           {softmax(scores).sum():.4f}")


def numbers() -> Numbers:
    """Return the chapter's numbers."""
    scores = hand_scores()
    weights = hand_weights()
    products = np.array(KEYS) @ np.array(QUERY)
    return {
        "e": Number(math.e, digits=3),
        "d_k": len(QUERY),
        "query_first": surd(QUERY[0]),
        "query_second": surd(QUERY[1]),
        "key_first": short(KEYS[0][0]),
        "key_second": short(KEYS[0][1]),
        "product": surd(products[0]),
        "score_fisherman": short(scores[0]),
        "score_net": short(scores[1]),
        "score_bank": short(scores[2]),
        "exponential_bank": short(np.exp(scores[2])),
        "exponential_sum": np.exp(scores).sum(),
        "fisherman": weights[0],
        "net": weights[1],
        "bank": weights[2],
        "displayed_sum": math.fsum(round(weight, 4) for weight in weights.tolist()),
        "constant": short(CONSTANT),
        "fisherman_shifted": softmax(scores + CONSTANT)[0],
        "fisherman_doubled": softmax(2 * scores)[0],
    }


def vectors() -> Vectors:
    """Return the chapter's vectors."""
    cosines, _, weights = compared()
    return {
        "query": inputs(QUERY),
        "key_fisherman": inputs(KEYS[0]),
        "shifted_scores": [short(score) for score in hand_scores() + CONSTANT],
        "compared_query": inputs(COMPARED_QUERY),
        "more_alike": inputs(COMPARED_KEYS[int(cosines.argmax())]),
        "heavier": inputs(COMPARED_KEYS[int(weights.argmax())]),
    }


def tables() -> Tables:
    """Return the chapter's tables."""
    query, keys = np.array(QUERY), np.array(KEYS)
    scores, weights = hand_scores(), hand_weights()
    return {
        "hand": Table(
            caption="The hand example: three keys and their scores for the query at bank",
            columns=("Token", "Key", "Score"),
            rows=[
                (token, inputs(key), short(score))
                for token, key, score in zip(TOKENS, KEYS, scores, strict=True)
            ],
        ),
        "softmax": Table(
            caption="From score to weight",
            columns=("Token", "Score $s$", "$e^s$", "Weight $\\alpha$"),
            rows=[
                (token, short(s), math.exp(s), a)
                for token, s, a in zip(TOKENS, scores, weights, strict=True)
            ],
        ),
        "length": Table(
            caption="The key of net, then the same key doubled",
            columns=("Key", "Score", "Cosine"),
            rows=[
                (
                    inputs(key),
                    short(scaled_dot_product_scores([QUERY], [key])[0, 0]),
                    cosine(query, key),
                )
                for key in (keys[1], 2 * keys[1])
            ],
        ),
        "compared": Table(
            caption="Two keys under one query: cosines against weights",
            columns=("Key", "Cosine", "Score", "Weight"),
            rows=[
                (inputs(key), short(c), s, a)
                for key, c, s, a in zip(COMPARED_KEYS, *compared(), strict=True)
            ],
        ),
        "moved": Table(
            caption="Scores moved and scores stretched, and their weights",
            columns=("Change", "Scores", *(f"Weight of {token}" for token in TOKENS)),
            rows=[
                (what, [short(s) for s in moved], *softmax(moved))
                for what, moved in (
                    ("none", scores),
                    ("constant added", scores + CONSTANT),
                    ("doubled", 2 * scores),
                )
            ],
        ),
    }


def figures() -> Figures:
    """Return the chapter's figures."""
    scores, weights, exponentials = hand_scores(), hand_weights(), np.exp(hand_scores())
    keys = "; ".join(
        f"{token}, key {shown_vector(key)}, score {shown(score, form='short')}"
        for token, key, score in zip(TOKENS, KEYS, scores, strict=True)
    )
    said = "; ".join(
        f"{token}: score {shown(s, form='short')}, exponential {shown(math.exp(s))}, "
        f"weight {shown(a)}"
        for token, s, a in zip(TOKENS, scores, weights, strict=True)
    )
    rows: list[tuple[Cell, ...]] = [
        (token, *(short(x) for x in key), short(score))
        for token, key, score in zip(TOKENS, KEYS, scores, strict=True)
    ]
    return {
        "plane": Figure(
            title="The query and three keys in the plane",
            caption="The number beside each key is its score. The query points along the first "
            "axis, so only the first coordinate of a key counts here.",
            description="Arrows from the origin. Query at bank "
            f"{shown_vector(QUERY, 'surd')}; {keys}.",
            label="invented numbers",
            data=Table(
                "The vectors of the figure",
                ("Vector", "First coordinate", "Second coordinate", "Score"),
                [
                    ("query at bank", *inputs(QUERY), "none"),
                    *rows,
                ],
            ),
            draw=partial(draw_plane, TOKENS, QUERY, KEYS, scores),
        ),
        "shares": Figure(
            title="From scores to shares",
            caption="Each exponential as a bar; below, one whole bar, shared out among them.",
            description=f"Bars. {said}. The whole bar shows the weights side by side.",
            label="invented numbers",
            data=Table(
                "Scores, exponentials and weights",
                ("Token", "Score", "Exponential", "Weight"),
                [
                    (token, short(s), math.exp(s), a)
                    for token, s, a in zip(TOKENS, scores, weights, strict=True)
                ],
            ),
            draw=partial(draw_shares, TOKENS, scores, exponentials, weights, weights.sum()),
        ),
    }


def texts() -> Texts:
    """Return the chapter's computed words."""
    return {"heaviest": TOKENS[int(np.argmax(hand_weights()))]}


def widgets() -> Widgets:
    """Return the chapter's explorable: the hand example's scores, and a constant to add to them."""
    scores, weights = hand_scores().tolist(), hand_weights().tolist()
    return {
        "explorer": Widget(
            element="softmax-explorer",
            anchor="widget-explore-softmax",
            title="Scores to weights: move them one by one, or all together",
            label="invented numbers",
            figure="scores_and_weights.shares",
            start={
                "tokens": list(TOKENS),
                "scores": scores,
                "before": scores,
                "constant": CONSTANT,
                "digits": 4,
            },
            results={
                "exponentials": np.exp(scores).tolist(),
                "sum": float(np.exp(scores).sum()),
                "weights": weights,
                "weights_before": weights,
            },
        ),
    }
