"""Which positions may contribute: the causal mask, what it changes, and how to see a leak."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from publisher.results import (
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
    short,
    spoken,
)
from snippets.attention import (
    Array,
    attention,
    attention_weights,
    causal_mask,
    multi_head_attention,
    scaled_dot_product_scores,
    softmax,
)
from snippets.drawings.masks import draw_access
from snippets.query_key_value import queries_keys_values, read
from snippets.running_example import OPEN, RIVER, TOKENS, W_K, W_Q, W_V
from snippets.sentences import SENTENCES, WORD, look_up, representations, tokenise

KINDS = ("causal", "bidirectional")
LATE = "storm"  # the word of the open sentence that comes after bank
OTHER = "money"  # what the leak test puts in its place
# Three scores of one query; the third is to be masked. FAR is the same case with a huge third one.
LOW = (-1.0, -2.0, -0.5)
FAR = (-1.0, -2.0, 1000.0)
KEPT = np.array((True, True, False))
# W_O of the two layers, (d_v, d_model): it leads z back to the model's width, and its last
# coordinate to where the position was.
BACK = ((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))
# Another sequence that may ask: the translation begun in the chapter on cross-attention.
ASKING = "Am Ufer"

Mask = NDArray[np.bool_] | None
Model = Callable[[Array], Array]


def weights_at(word: str, sentence: str, causal: bool) -> Array:
    """Return the weights of the query at a word, shape (n,), with the causal mask or without."""
    tokens, _, queries, keys, _ = read(sentence)
    mask = causal_mask(len(tokens)) if causal else None
    return attention_weights(queries, keys, mask)[tokens.index(word), :]


def scores_at_bank() -> Array:
    """Return the scores of the query at bank in the open sentence, shape (n,)."""
    tokens, _, queries, keys, _ = read(OPEN)
    return scaled_dot_product_scores(queries, keys)[tokens.index(WORD), :]


def may_use(word: str) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which positions of the open sentence a word may use under each mask, (n,) each."""
    tokens = tokenise(OPEN)
    causal = causal_mask(len(tokens))[tokens.index(word)]  # (n,)
    return causal, np.ones_like(causal)


def four_ways(scores: ArrayLike, kept: NDArray[np.bool_]) -> dict[str, Array]:
    """Mask one row of scores, (n,), before softmax and in three ways that people try instead."""
    row = np.array(scores, dtype=float)  # (n,)
    # With one coordinate, a query of 1 and keys that are the scores, the scores stay as they are.
    before = attention_weights([[1.0]], row[:, np.newaxis], kept[np.newaxis, :])[0]
    after = softmax(row) * kept
    left = after.sum()
    return {
        "before": before,
        "after": after,
        "divided": after / left if left else after,
        "zeroed": softmax(row * kept),
    }


def layer(x: ArrayLike, mask: Mask = None) -> Array:
    """Send every position through one layer, which here is one head and nothing else."""
    output, _ = multi_head_attention(x, [W_Q], [W_K], [W_V], BACK, mask=mask)  # (n, d_model)
    return output


def two_layers(x: Array, first: bool, second: bool) -> Array:
    """Send all positions through two layers, each masked or not."""
    mask = causal_mask(len(x))
    return layer(layer(x, mask if first else None), mask if second else None)


def prefix() -> list[str]:
    """Return the open sentence up to the storm: what a model has read by then."""
    tokens = tokenise(OPEN)
    return tokens[: tokens.index(LATE) + 1]


def first_row(first: bool, second: bool) -> tuple[Array, Array]:
    """Return the first row of two layers' output, before and after the last token changes."""
    changed = [*prefix()[:-1], OTHER]
    before, after = (
        two_layers(representations(tokens), first, second)[0] for tokens in (prefix(), changed)
    )
    return before, after


def leaks(model: Model, x: Array) -> list[int]:
    """Return the positions, from 1, that notice a later change."""
    before, found = model(x), set()
    for j in range(1, len(x)):
        changed = x.copy()
        changed[j] += 1.0
        after = model(changed)
        found |= {i + 1 for i in range(j) if (after[i] != before[i]).any()}
    return sorted(found)


def leak_test() -> None:
    """Run the leak test on four models: two layers, each masked or not."""
    x = representations(prefix())
    print(f"{'layer 1':<8} {'layer 2':<8} leaks at")
    for first in (True, False):
        for second in (True, False):
            found = leaks(partial(two_layers, first=first, second=second), x)
            places = " ".join(map(str, found)) or "no position"
            print(f"{_masked(first):<8} {_masked(second):<8} {places}")


def _masked(masked: bool) -> str:
    return "masked" if masked else "open"


def last_row(layers: int, causal: bool) -> Array:
    """Return the newest position's row after some layers, all masked or all open, (d_model,)."""
    x = representations(prefix())
    mask = causal_mask(len(x)) if causal else None
    for _ in range(layers):
        x = layer(x, mask)
    return x[-1, :]


def reordered() -> list[str]:
    """Return the tokens of the open sentence, with bank and storm in each other's place."""
    exchange = {WORD: LATE, LATE: WORD}
    return [exchange.get(token, token) for token in tokenise(OPEN)]


def ordered(tokens: Sequence[str]) -> tuple[Array, Array, Array]:
    """Return the mixture at bank, (d_v,): from embeddings alone, placed, and causally masked."""
    bank, mask = list(tokens).index(WORD), causal_mask(len(tokens))
    plain = attention(*queries_keys_values(look_up(tokens)))[0]  # (n, d_v)
    placed = attention(*queries_keys_values(representations(tokens)))[0]
    masked = attention(*queries_keys_values(look_up(tokens)), mask)[0]
    return plain[bank], placed[bank], masked[bank]


def numbers() -> Numbers:
    """Return the chapter's numbers."""
    tokens = tokenise(OPEN)
    river = dict(zip(tokenise(RIVER), zip(*_river(), strict=True), strict=True))
    ways = four_ways(scores_at_bank(), may_use(WORD)[0])
    low = four_ways(LOW, KEPT)
    far = four_ways(FAR, KEPT)
    return {
        "n": len(tokens),
        "bank_place": tokens.index(WORD) + 1,
        "late_place": tokens.index(LATE) + 1,
        "stop": river["."][0],
        "stop_causal": short(river["."][1]),
        "fisherman": river[TOKENS[0]][0],
        "fisherman_causal": river[TOKENS[0]][1],
        "net_causal": river[TOKENS[1]][1],
        "river_total": short(_river()[1].sum()),
        "late_at_bank": weights_at(WORD, OPEN, causal=False)[tokens.index(LATE)],
        "late_masked": short(weights_at(WORD, OPEN, causal=True)[tokens.index(LATE)]),
        "bank_at_late": weights_at(LATE, OPEN, causal=True)[tokens.index(WORD)],
        "left_over": ways["after"].sum(),
        "times_zero": ways["zeroed"][-1],
        "low_masked": short(LOW[2] * 0 + 0.0),
        "low_wins": low["zeroed"][2],
        "low_first": low["zeroed"][0],
        "low_after": low["after"].sum(),
        "low_before": low["before"][0],
        "low_divided": low["divided"][0],
        "far_score": short(FAR[2]),
        "far_after": short(far["after"].sum()),
        "far_before": far["before"][0],
    }


def _river() -> tuple[Array, Array]:
    return weights_at(WORD, RIVER, causal=False), weights_at(WORD, RIVER, causal=True)


def vectors() -> Vectors:
    """Return the chapter's vectors."""
    return {
        "low": [short(score) for score in LOW],
        "once_masked": _cells(last_row(1, causal=True)),
        "once_open": _cells(last_row(1, causal=False)),
        "twice_masked": _cells(last_row(2, causal=True)),
        "twice_open": _cells(last_row(2, causal=False)),
    }


def _cells(row: Array) -> list[float | Number]:
    """Show exact zeros as 0, so that they differ from small numbers."""
    return [short(entry) if entry == 0 else float(entry) for entry in row]


def _asking(word: str) -> tuple[str, str]:
    causal, bidirectional = KINDS
    return f"At {word}, {causal}", f"At {word}, {bidirectional}"


def tables() -> Tables:
    """Return the chapter's tables."""
    tokens = tokenise(OPEN)
    ways = four_ways(scores_at_bank(), may_use(WORD)[0])
    columns = [_cells(way) for way in ways.values()]
    sums = [short(way.sum()) for way in ways.values()]
    return {
        "river": Table(
            "The river sentence: weights at bank",
            ("Token", "Without a mask", "With the causal mask"),
            list(zip(tokenise(RIVER), *map(_cells, _river()), strict=True)),
        ),
        "positions": Table(
            "May the query use this position? The open sentence",
            ("Position", "Token", *_asking(WORD), *_asking(LATE)),
            [
                (place, token, *("yes" if may else "no" for may in row))
                for place, (token, *row) in enumerate(
                    zip(tokens, *may_use(WORD), *may_use(LATE), strict=True), start=1
                )
            ],
        ),
        "ways": Table(
            "Four ways to mask the open sentence, for the query at bank",
            ("Token", "Score", "Mask before softmax", "Mask after softmax",
             "After, divided by the sum", "Scores times zero"),
            [
                *zip(tokens, map(short, scores_at_bank()), *columns, strict=True),
                ("sum", "", *sums),
            ],
        ),
        "layers": Table(
            "The first row after two layers, when only the last token changes",
            ("Mask in", f"Last token {LATE}", f"Last token {OTHER}", "Same bits?"),
            [
                (name, _cells(a), _cells(b), "yes" if (a == b).all() else "no")
                for name, (a, b) in {
                    "both": first_row(True, True),
                    "the first": first_row(True, False),
                    "the second": first_row(False, True),
                    "neither": first_row(False, False),
                }.items()
            ],
        ),
        "order": Table(
            "The mixture at bank in two orders of the same words",
            ("Made from", f"{WORD} before {LATE}", f"{WORD} after {LATE}"),
            [
                (name, _cells(here), _cells(there))
                for name, here, there in zip(
                    ("embeddings alone", "with positions", "with a causal mask instead"),
                    ordered(tokens),
                    ordered(reordered()),
                    strict=True,
                )
            ],
        ),
    }  # fmt: skip


def figures() -> Figures:
    """Return the chapter's figure."""
    tokens, (causal, both) = tokenise(OPEN), may_use(WORD)
    access = dict(zip(KINDS, (causal.tolist(), both.tolist()), strict=True))

    def said(row: NDArray[np.bool_]) -> str:
        return ", ".join(f"{i + 1} {spoken(tokens[i])}" for i in np.flatnonzero(row))

    return {
        "access": Figure(
            title="Who may contribute at bank",
            caption="The open sentence. A disc says that the query at bank may use a position, a "
            "cross that it may not. The marks show access; they are no weights.",
            description="A row of marks over the positions of the open sentence, for the query at "
            f"{WORD}, position {tokens.index(WORD) + 1}. Causal, it may use {said(causal)} and "
            f"no other. Bidirectional, it may use {said(both)}.",
            label="concept drawing",
            data=Table(
                "The marks of the figure",
                ("Position", "Token", *_asking(WORD)),
                [
                    (i, token, *("disc" if may else "cross" for may in pair))
                    for i, (token, *pair) in enumerate(zip(tokens, causal, both, strict=True), 1)
                ],
            ),
            draw=partial(draw_access, TOKENS, tokens, tokens.index(WORD), access),
        ),
    }


def texts() -> Texts:
    """Return the chapter's words."""
    return {
        "river": RIVER,
        "open": OPEN,
        "late": LATE,
        "other": OTHER,
        "swapped": " ".join(reordered()[:-1]) + reordered()[-1],
    }


def widgets() -> Widgets:
    """Return the explorable: the open sentence, causal, asked at bank; every score is 0."""
    tokens = tokenise(OPEN)
    mask, zeros = causal_mask(len(tokens)), np.zeros((len(tokens), 1))
    query = tokens.index(WORD)
    return {
        "explorer": Widget(
            element="mask-explorer",
            anchor="widget-explore-masks",
            title="Who may use whom: your own sentence under a mask",
            label="concept drawing",
            figure="masks.access",
            start={
                "examples": list(SENTENCES.values()),
                "sentence": OPEN,
                "asking": ASKING,
                "kind": "causal",
                "padding": len(tokenise(RIVER)) - len(tokens),  # as in the chapter on padding
                "left": False,
                "query": query,
            },
            results={
                "queries": tokens,
                "keys": tokens,
                "mask": mask.tolist(),
                "weights": attention_weights(zeros, zeros, mask).tolist(),
                "query": query,
            },
        ),
    }
