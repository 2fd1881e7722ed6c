"""Values are what travel: the mixture by hand, then two whole sentences from end to end."""

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
    spoken,
    surd,
)
from snippets.attention import Array, attention, scaled_dot_product_scores, softmax
from snippets.drawings.values import (
    Calculation,
    Row,
    draw_between,
    draw_mixture,
    draw_sentences,
)
from snippets.query_key_value import read
from snippets.running_example import KEYS, MONEY, QUERY, RIVER, TOKENS, VALUES
from snippets.scores_and_weights import hand_scores, hand_weights
from snippets.sentences import WORD

# A score far below the others, to see how small a weight becomes.
LOW_SCORE = -10.0


def contributions() -> Array:
    """Weigh each value of the hand example: what it adds to the mixture at bank.

    Returns
    -------
    The products weight times value, (3, d_v), in the order of TOKENS.
    """
    return np.asarray(hand_weights()[:, np.newaxis] * np.array(VALUES))


def hand_mixture() -> Array:
    """Mix the hand example's values by its weights.

    Returns
    -------
    The head's output at bank, (d_v,).
    """
    return np.asarray(attention([QUERY], KEYS, VALUES)[0][0])


def mix_by_hand() -> None:
    """Print the mixture, one coordinate per line, and what attention() makes of it."""
    weights = hand_weights()
    for coordinate, column in enumerate(np.array(VALUES).T, start=1):
        products = [f"{a:.4f}*{v:g}" for a, v in zip(weights, column, strict=True)]
        print(f"z_{coordinate} = {' + '.join(products)} = {weights @ column:.4f}")
    print("attention() gives", hand_mixture().round(4))


def at_bank(sentence: str) -> tuple[Array, Array]:
    """Return the mixture, (d_v,), and the weights, (n,), at bank in a sentence.

    Parameters
    ----------
    sentence : a text whose words all have an embedding, bank among them

    Returns
    -------
    mixture : (d_v,), the head's output at bank
    weights : (n,), one for each token, together 1

    Raises
    ------
    ValueError : as `read`; a sentence without bank
    """
    tokens, _, queries, keys, values = read(sentence)
    output, weights = attention(queries, keys, values)  # (n, d_v), (n, n)
    bank = tokens.index(WORD)
    return output[bank], weights[bank]


def at_bank_among_three() -> tuple[Array, Array]:
    """Return mixture and weights at bank among three positions of the river sentence."""
    river = read(RIVER)
    rows = [river.tokens.index(token) for token in TOKENS]
    bank = river.queries[[river.tokens.index(WORD)]]  # (1, d_k)
    output, weights = attention(bank, river.keys[rows], river.values[rows])
    return output[0], weights[0]


def heaviest(sentence: str) -> str:
    """Return the token with the largest weight at bank, or all that share the first place."""
    _, weights = at_bank(sentence)
    first = np.isclose(weights, weights.max(), rtol=1e-9, atol=0)
    return " and ".join(np.array(read(sentence).tokens)[first])


def numbers() -> Numbers:
    """Return the chapter's numbers."""
    river = read(RIVER)
    weights = dict(zip(river.tokens, at_bank(RIVER)[1].tolist(), strict=True))
    return {
        "d_k": river.keys.shape[1],
        "d_v": river.values.shape[1],
        "hand_d_v": len(VALUES[0]),
        "length": len(river.tokens),
        "position": river.tokens.index(WORD) + 1,
        "first": hand_mixture()[0],
        "largest_in_first": contributions()[:, 0].max(),
        "largest_in_second": contributions()[:, 1].max(),
        "first_smallest": short(min(value[0] for value in VALUES)),
        "first_largest": short(max(value[0] for value in VALUES)),
        "coordinate_sum": short(hand_mixture().sum()),
        "low_score": short(LOW_SCORE),
        "low_weight": Number(softmax([*hand_scores()[:2], LOW_SCORE])[2], digits=8),
        "underflow": Number(math.log(2) - math.log(math.ulp(0.0)), digits=0),
        "fisherman_of_all": weights["fisherman"],
        "bank_of_all": weights["bank"],
        "ratio_of_three": hand_weights()[0] / hand_weights()[1],
        "ratio_of_all": weights["fisherman"] / weights["net"],
    }


def vectors() -> Vectors:
    """Return the chapter's vectors."""
    rounded = [round(weight, 4) for weight in hand_weights().tolist()]
    mixture_among_three, weights_among_three = at_bank_among_three()
    return {
        "mixture": hand_mixture(),
        "rounded_weights": rounded,
        "rounded_mixture": np.array(rounded) @ np.array(VALUES),
        "equal_mixture": inputs(np.mean(VALUES, axis=0)),
        "difference": hand_mixture() - np.mean(VALUES, axis=0),
        "corner": inputs(np.max(VALUES, axis=0)),
        "weights_among_three": weights_among_three,
        "mixture_among_three": mixture_among_three,
    }


def _calculation_in(sentence: str, caption: str) -> Table:
    tokens, x, queries, keys, values = read(sentence)
    scores = scaled_dot_product_scores(queries[[tokens.index(WORD)]], keys)[0]
    weights = at_bank(sentence)[1]
    rows: list[list[Cell]] = [
        [tokens[i], inputs(x[i]), inputs(keys[i]), short(scores[i]), weights[i], inputs(values[i])]
        for i in range(len(tokens))
    ]
    return Table(caption, ("Token", "$x$", "Key", "Score", "Weight", "Value"), rows)


def tables() -> Tables:
    """Return the chapter's tables."""
    both = [(read(s), read(s).tokens.index(WORD), s) for s in (RIVER, MONEY)]
    parts = zip(TOKENS, hand_weights(), VALUES, contributions(), strict=True)
    whole = short(hand_weights().sum())
    return {
        "contributions": Table(
            "What each value gives to the mixture at bank",
            ("Token", "Weight", "Value", "Contribution"),
            [
                *([token, a, inputs(v), c.tolist()] for token, a, v, c in parts),
                ["sum", whole, "", hand_mixture().tolist()],
            ],
        ),
        "river": _calculation_in(RIVER, "The river sentence, for the query at bank"),
        "money": _calculation_in(MONEY, "The money sentence, for the query at bank"),
        "twice": Table(
            "One word in two sentences",
            ("At bank", "River sentence", "Money sentence"),
            [
                ["Position", *(bank + 1 for _, bank, _ in both)],
                ["Tokens in all", *(len(reading.tokens) for reading, _, _ in both)],
                ["Representation $x$", *(inputs(reading.x[bank]) for reading, bank, _ in both)],
                ["Query $q$", *(inputs(reading.queries[bank]) for reading, bank, _ in both)],
                ["Largest weight", *(heaviest(sentence) for _, _, sentence in both)],
                ["Mixture $z$", *(at_bank(sentence)[0].tolist() for _, _, sentence in both)],
            ],
        ),
    }


def _hand() -> Calculation:
    """Return every step of the hand example."""
    weights, products = hand_weights(), np.array(KEYS) @ np.array(QUERY)
    return Calculation(
        TOKENS, QUERY, np.array(KEYS), products, math.sqrt(len(QUERY)), hand_scores(), weights,
        weights.sum(), np.array(VALUES), contributions(), hand_mixture(),
    )  # fmt: skip


def _mixture_figure() -> Figure:
    hand = _hand()
    rows: list[list[Cell]] = []
    steps = []
    columns = (hand.keys, hand.products, hand.scores, hand.weights, hand.values, hand.contributions)
    for t, k, p, s, a, v, c in zip(TOKENS, *columns, strict=True):
        product = surd(p)
        rows.append([t, inputs(k), product, short(s), a, inputs(v), c.tolist()])
        steps.append(
            f"{t}: key {shown_vector(k)}, score {shown(s, form='short')}, weight "
            f"{shown(a)}, value {shown_vector(v)}, contribution {shown_vector(c, '')}"
        )
    rows.append(["sum", "", "", "", short(hand.total), "", hand.output.tolist()])
    return Figure(
        title="One head, one position: the whole calculation",
        caption="The query at bank meets each key; softmax turns the scores into shares of one; "
        "each value counts by its share, and the contributions add up to the output.",
        description=f"The query at bank is {shown_vector(QUERY, 'surd')}. "
        f"{'. '.join(steps)}. The weights are drawn as bars and fill one whole bar together. The "
        f"contributions add up to the output {shown_vector(hand.output, '')}.",
        label="invented numbers",
        data=Table(
            "The calculation, row by row",
            ("Token", "Key", "$q \\cdot k$", "Score", "Weight", "Value", "Contribution"),
            rows,
        ),
        draw=partial(draw_mixture, hand),
    )


def _between_figure() -> Figure:
    values, mixture = np.array(VALUES), hand_mixture()
    equal = values.mean(axis=0)
    points = [*zip(TOKENS, values, strict=True), ("equal weights", equal)]
    places = ", ".join(f"{name} at {shown_vector(point)}" for name, point in points)
    rows: list[list[Cell]] = [[name, inputs(point)] for name, point in points]
    rows.append(["mixture at bank", mixture.tolist()])
    return Figure(
        title="A mixture lies between the values",
        caption="The three values, what lies between them, and two of their mixtures: the one of "
        "equal weights (ring) and that of the query at bank (diamond).",
        description=f"Points in the plane: {places}, and the mixture at bank at "
        f"{shown_vector(mixture, '')}.",
        label="invented numbers",
        data=Table("The points of the figure", ("Point", "Coordinates"), rows),
        draw=partial(draw_between, TOKENS, values, equal, mixture),
    )


def _sentences_figure() -> Figure:
    drawn: list[Row] = []
    rows: list[list[Cell]] = []
    words = []
    for name, sentence in (("River", RIVER), ("Money", MONEY)):
        tokens, _, queries, *_ = read(sentence)
        mixture, weights = at_bank(sentence)
        query = queries[tokens.index(WORD)]  # the same in both
        drawn.append(Row(f"{name} sentence", tokens, weights, mixture))
        rows.append([name, "", "query", inputs(query)])
        rows += [[name, i, t, a] for i, (t, a) in enumerate(zip(tokens, weights, strict=True), 1)]
        rows.append([name, "", "mixture", mixture.tolist()])
        said = zip(map(spoken, tokens), weights, strict=True)
        shares = ", ".join(f"{token} {shown(weight)}" for token, weight in said)
        words.append(f"{name} sentence: {shares}; mixture {shown_vector(mixture, '')}")
    return Figure(
        title="One query, two sentences, two mixtures",
        caption="The weights that the query at bank gives to each position. Words outside the hand "
        "example have grey bars.",
        description=f"Weights under one query, as bars, a row a token. {'. '.join(words)}.",
        label="invented numbers",
        data=Table("Weights and mixtures", ("Sentence", "Position", "What", "Numbers"), rows),
        draw=partial(draw_sentences, TOKENS, query, drawn),
    )


def figures() -> Figures:
    """Return the chapter's figures."""
    return {
        "mixture": _mixture_figure(),
        "between": _between_figure(),
        "sentences": _sentences_figure(),
    }


def texts() -> Texts:
    """Return the token that gives the most to each coordinate."""
    first, second = (TOKENS[i] for i in contributions().argmax(axis=0))
    return {"first_from": first, "second_from": second}


def widgets() -> Widgets:
    """Return the chapter's explorable: the hand example, every number of it open."""
    hand = _hand()
    (equal,), _ = attention(np.zeros((1, len(QUERY))), KEYS, VALUES)
    return {
        "explorer": Widget(
            element="attention-explorer",
            anchor="widget-explore-attention",
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
                "products": hand.products.tolist(),
                "scores": hand.scores.tolist(),
                "exponentials": np.exp(hand.scores).tolist(),
                "weights": hand.weights.tolist(),
                "contributions": hand.contributions.tolist(),
                "output": hand.output.tolist(),
                "equal": equal.tolist(),
            },
        ),
    }
