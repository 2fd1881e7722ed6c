"""An attention map is a hypothesis: a weight, what it moves, and what happens without it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from publisher.results import (
    Cell,
    Figure,
    Figures,
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
    spoken,
)
from snippets.attention import Array, attention_weights
from snippets.drawings.reading_a_map import draw_map, draw_measures
from snippets.query_key_value import read
from snippets.running_example import MONEY, RIVER, TOKENS, VALUES
from snippets.scores_and_weights import hand_scores, hand_weights
from snippets.sentences import WORD, tokenise
from snippets.values import at_bank, hand_mixture

# Values for the hand example's weights: a short one, a middling one and a long one.
UNEQUAL_VALUES = ((0.1, 0.0), (0.6, 0.8), (4.0, 3.0))
# A later calculation that takes one number from the mixture: its dot product with this vector.
READ_OUT = (-3.0, 4.0)
# One number per position, and two distributions over the three positions with one mean.
SINGLE_VALUES = (0.0, 1.0, 2.0)
OUTER_WEIGHTS = (0.45, 0.1, 0.45)
MIDDLE_WEIGHTS = (0.05, 0.9, 0.05)

Removal = Callable[[Array, Array, int], Array]


def lengths(vectors: ArrayLike) -> Array:
    """Return the norm of each vector: the square root of the sum of its squares, (...)."""
    squares = np.asarray(vectors, dtype=float) ** 2
    return np.asarray(np.sqrt(squares.sum(axis=-1)))


def silenced(weights: Array, values: Array, position: int) -> Array:
    """Return the mixture without one position; the other weights stay."""
    kept = weights.copy()  # (n,)
    kept[position] = 0.0
    return np.asarray(kept @ values)  # (n,) @ (n, d_v)


def masked(weights: Array, values: Array, position: int) -> Array:
    """Return the mixture without one position; the other weights are divided by their sum."""
    kept = weights.copy()  # (n,)
    kept[position] = 0.0
    return np.asarray(kept / kept.sum() @ values)  # (n,) @ (n, d_v)


def effects(weights: Array, values: Array, remove: Removal) -> Array:
    """Return for each position how far the mixture moves without it, (n,)."""
    mixture = weights @ values  # (d_v,)
    return lengths([mixture - remove(weights, values, j) for j in range(len(weights))])


def remove_each() -> None:
    """Print the mixture, then what is left of it without each position."""
    weights, values = hand_weights(), np.array(UNEQUAL_VALUES)
    print("mixture            ", (weights @ values).round(4))
    for remove in (silenced, masked):
        for j, moved in enumerate(effects(weights, values, remove)):
            rest = remove(weights, values, j).round(4)
            print(f"{remove.__name__:<8} {TOKENS[j]:<9} ", rest, f" moved {moved:.4f}")


def traded(share: float) -> Array:
    """Take a share of the mixture from bank and split it between the other two."""
    fisherman, net, bank = np.array(VALUES)  # each (d_v,)
    across = net - fisherman
    part = (bank - fisherman) @ across / (across @ across)  # how far along bank's value lies
    return hand_weights() + share * np.array([1 - part, part, -1.0])


def ends() -> tuple[Array, Array, Array]:
    """Return three distributions over the hand example's tokens that have one mixture.

    Returns
    -------
    The hand example's own weights, then those in which bank has traded all of its weight away,
    then those in which net has: (3,) each, with an exact zero.
    """
    weights = hand_weights()
    for_net = traded(1.0)[1] - weights[1]  # what net gets of a whole share
    without_bank, without_net = traded(weights[2]), traded(-weights[1] / for_net)
    without_bank[2] = without_net[1] = 0.0  # exactly
    return weights, without_bank, without_net


def jensen_shannon(one: ArrayLike, other: ArrayLike) -> float:
    """Measure how unlike two distributions are: the Jensen-Shannon divergence.

    Parameters
    ----------
    one, other : (n,) each, no entry below 0, together 1

    Returns
    -------
    The divergence in nats: 0 if they are equal, ln 2 if they share no position.

    References
    ----------
    Lin (1991), Divergence measures based on the Shannon entropy.
    """
    pair = np.array([one, other], dtype=float)  # (2, n)
    middle = np.broadcast_to(pair.mean(axis=0), pair.shape)
    some = pair > 0  # a weight of zero adds nothing
    divergence = (pair[some] * np.log(pair[some] / middle[some])).sum() / 2
    return max(0.0, float(divergence))  # where rounding left less than nothing


def freedom(values: ArrayLike) -> int:
    """Count the independent ways to change the weights that leave the mixture as it is."""
    rows = np.asarray(values, dtype=float)  # (n, d_v)
    fixed = np.hstack([rows, np.ones((len(rows), 1))])  # the mixture, and the total of one
    return len(rows) - int(np.linalg.matrix_rank(fixed))


def one_word_replaced() -> list[tuple[str, str, Array]]:
    """Put one word of the money sentence into the river sentence at a time.

    Returns
    -------
    The word replaced, the word in its place, and the mixture at bank then, (d_v,).
    """
    river, money = tokenise(RIVER), tokenise(MONEY)
    changed = []
    for place, (old, new) in enumerate(zip(river, money, strict=True)):
        if old != new:
            text = " ".join([*river[:place], new, *river[place + 1 :]])
            changed.append((old, new, at_bank(text)[0]))
    return changed


def river_map() -> Array:
    """Return every weight of the river sentence, (n, n): a row for each query."""
    river = read(RIVER)
    return attention_weights(river.queries, river.keys)


def river_measures() -> dict[str, tuple[float, float, float]]:
    """Return each token's weight at bank, the norm of its weighted value, the effect of a mask."""
    river, weights = read(RIVER), at_bank(RIVER)[1]
    three = (weights, weights * lengths(river.values), effects(weights, river.values, masked))
    return dict(zip(river.tokens, np.column_stack(three).tolist(), strict=True))


def three_measures(values: ArrayLike) -> dict[str, Array]:
    """Return the three measures under the hand example's weights, each (3,)."""
    weights, rows = hand_weights(), np.asarray(values, dtype=float)
    return {
        "weight": weights,
        "norm of the weighted value": weights * lengths(rows),
        "effect of removal": effects(weights, rows, masked),
    }


def order(measure: Array) -> list[str]:
    """Return the three tokens, the one with the largest number first."""
    return [TOKENS[j] for j in np.argsort(-measure, kind="stable")]


def numbers() -> Numbers:
    """Return the chapter's numbers."""
    river = river_measures()
    mixture = at_bank(RIVER)[0]
    moved = {old: float(lengths(mixture - other)) for old, _, other in one_word_replaced()}
    single = np.array(SINGLE_VALUES)
    raised = single + np.array([0.0, 1.0, 0.0])
    case = three_measures(UNEQUAL_VALUES)
    return {
        "equal_share": 1 / len(river),
        "map_fisherman": river["fisherman"][0],
        "norm_fisherman": case["norm of the weighted value"][0],
        "effect_fisherman": case["effect of removal"][0],
        "read_out_whole": hand_weights() @ np.array(UNEQUAL_VALUES) @ np.array(READ_OUT),
        "middle_value": short(single[1]),
        "raised_value": short(raised[1]),
        "outer_raised": short(np.array(OUTER_WEIGHTS) @ raised),
        "middle_raised": short(np.array(MIDDLE_WEIGHTS) @ raised),
        "outer_weight": short(OUTER_WEIGHTS[1]),
        "middle_weight": short(MIDDLE_WEIGHTS[1]),
        "freedom_hand": freedom(VALUES),
        "freedom_unequal": freedom(UNEQUAL_VALUES),
        "freedom_river": freedom(read(RIVER).values),
        "river_net": river["net"][0],
        "river_his": river["his"][0],
        "masked_fisherman": river["fisherman"][2],
        "masked_net": river["net"][2],
        "masked_his": river["his"][2],
        "river_stop": river["."][0],
        "masked_stop": river["."][2],
        "swap_fisherman": moved["fisherman"],
        "swap_net": moved["net"],
    }


def vectors() -> Vectors:
    """Return the chapter's vectors."""
    return {
        "net_value": inputs(VALUES[1]),
        "bank_value": inputs(VALUES[2]),
        "fisherman_value": inputs(VALUES[0]),
        "norms": inputs(lengths(VALUES)),
        "unequal_fisherman": inputs(UNEQUAL_VALUES[0]),
        "unequal_net": inputs(UNEQUAL_VALUES[1]),
        "unequal_bank": inputs(UNEQUAL_VALUES[2]),
        "unequal_norms": inputs(lengths(UNEQUAL_VALUES)),
        "read_out": inputs(READ_OUT),
        "river_mixture": at_bank(RIVER)[0],
    }


def _measured(caption: str, values: Sequence[Sequence[float]]) -> Table:
    return Table(
        caption,
        ("Token", "Weight", "Norm of the weighted value", "Effect of removal, masked"),
        [[t, *row] for t, *row in zip(TOKENS, *three_measures(values).values(), strict=True)],
    )


def tables() -> Tables:
    """Return the chapter's tables."""
    case, mixture = three_measures(UNEQUAL_VALUES), at_bank(RIVER)[0]
    weighted = case["norm of the weighted value"]
    heard = hand_weights() * (np.array(UNEQUAL_VALUES) @ np.array(READ_OUT))
    pairs: list[list[Cell]] = [["value", *inputs(SINGLE_VALUES), ""]]
    for name, a in (("first", OUTER_WEIGHTS), ("second", MIDDLE_WEIGHTS)):
        pairs.append([name, *inputs(a), short(np.array(a) @ np.array(SINGLE_VALUES))])
    return {
        "hand": _measured("The hand example, measured in three ways", VALUES),
        "unequal": _measured("The same weights on other values", UNEQUAL_VALUES),
        "rankings": Table(
            "Three rankings of the same three positions",
            ("Ranked by", "First", "Second", "Third"),
            [[name, *order(measure)] for name, measure in case.items()],
        ),
        "contribution": Table(
            "Weight against contribution",
            ("Token", "Weight", "Norm of the value", "Norm of the weighted value"),
            [
                [t, a, *inputs([length]), b]
                for t, a, length, b in zip(
                    TOKENS, hand_weights(), lengths(UNEQUAL_VALUES), weighted, strict=True
                )
            ],
        ),
        "heard": Table(
            "What one read-out takes from each contribution",
            ("Token", "Norm of the weighted value", "What the read-out takes"),
            [[t, b, short(h)] for t, b, h in zip(TOKENS, weighted, heard, strict=True)],
        ),
        "pairs": Table(
            "Two distributions over three values",
            ("Weights", *TOKENS, "Output"),
            pairs,
        ),
        "ends": Table(
            "Three distributions, one mixture",
            ("Weights", "Mixture", "Share that changed hands"),
            [
                [w.tolist(), w @ np.array(VALUES), float(np.abs(w - hand_weights()).sum() / 2)]
                for w in ends()
            ],
        ),
        "river": Table(
            "At bank in the river sentence: weight, weighted value, and the mixture without it",
            ("Token", "Weight", "Norm of the weighted value", "Effect of removal, masked"),
            [[token, *three] for token, three in river_measures().items()],
        ),
        "swaps": Table(
            "One word of the money sentence at a time",
            ("Word", "Replaced by", "Weight before", "Mixture moves by"),
            [
                [old, new, river_measures()[old][0], float(lengths(mixture - other))]
                for old, new, other in one_word_replaced()
            ],
        ),
    }


def figures() -> Figures:
    """Return the chapter's figures."""
    tokens, weights, case = read(RIVER).tokens, river_map(), three_measures(UNEQUAL_VALUES)
    asked = ", ".join(
        f"{spoken(t)} {shown(a)}" for t, a in zip(tokens, at_bank(RIVER)[1], strict=True)
    )
    rows: list[list[Cell]] = [
        [token, *(float(a) for a in row)] for token, row in zip(tokens, weights, strict=True)
    ]
    orders = ". ".join(
        f"By {name}: " + ", ".join(f"{t} {shown(x)}" for t, x in zip(TOKENS, measure, strict=True))
        for name, measure in case.items()
    )
    return {
        "map": Figure(
            title="An attention map of the river sentence",
            caption="A row asks, a column is asked, and each row adds up to one. The stronger the "
            "shade, the larger the weight. The framed row is that of the query at bank.",
            description=f"A grid of {len(tokens)} rows and columns, shaded by weight. The row of "
            f"bank: {asked}. The other rows stand in the table.",
            label="invented numbers",
            data=Table("The weights of the map", ("Query at", *tokens), rows),
            draw=partial(draw_map, TOKENS, tokens, weights, tokens.index(WORD)),
        ),
        "measures": Figure(
            title="Three measures of one position",
            caption="One set of weights and values; each panel has its own scale. The longest bar "
            "changes its owner from panel to panel.",
            description=f"Three panels with a bar for each token. {orders}.",
            label="invented numbers",
            data=Table(
                "The bars",
                ("Token", *case),
                [
                    [t, *(float(x) for x in row)]
                    for t, row in zip(TOKENS, np.column_stack(list(case.values())), strict=True)
                ],
            ),
            draw=partial(draw_measures, TOKENS, case),
        ),
    }


def texts() -> Texts:
    """Return the token whose weight is the largest in the row of bank."""
    return {"strongest": read(RIVER).tokens[int(np.argmax(at_bank(RIVER)[1]))]}


def widgets() -> Widgets:
    """Return the explorable: the hand example, whose weights can change in one way only."""
    start, *two = ends()
    return {
        "explorer": Widget(
            element="same-output-explorer",
            anchor="widget-explore-same-output",
            title="Same output, other weights",
            label="invented numbers",
            figure="explore.same_output",
            start={
                "tokens": [
                    {"name": name, "value": list(value), "score": float(score), "moved": 0.0}
                    for name, value, score in zip(TOKENS, VALUES, hand_scores(), strict=True)
                ],
            },
            results={
                "weights": start.tolist(),
                "output": hand_mixture().tolist(),
                "free": [2],
                "corners": [end.tolist() for end in two],
                "ranges": [[], [], [float(end[2]) for end in two]],
                "now": start.tolist(),
                "shift": 0.0,
                "divergences": [jensen_shannon(start, w) for w in (start, start, *two)],
                "variations": [float(np.abs(w - start).sum() / 2) for w in (start, start, *two)],
            },
        ),
    }
