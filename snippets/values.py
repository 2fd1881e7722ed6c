"""Values are what travel: the mixture by hand, then two whole sentences from end to end."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.patches import Circle, Polygon, Rectangle

from publisher.figures import palette
from publisher.figures.parts import box, canvas, headings, link, mark, panel, plane, terminal, write
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
    short,
    shown,
    shown_vector,
)
from snippets.attention import Array, attention, scaled_dot_product_scores, softmax
from snippets.context import spoken
from snippets.drawings.tokens import TOKEN_COLOURS, bar, names, token_colour
from snippets.query_key_value import inputs, read
from snippets.running_example import KEYS, MONEY, QUERY, RIVER, TOKENS, VALUES
from snippets.scores_and_weights import hand_scores, hand_weights
from snippets.sentences import WORD

# A score far below the others, to see how small a weight becomes.
LOW_SCORE = -10.0


def contributions() -> Array:
    """Return what each value gives to the mixture: weight times value, shape (3, d_v)."""
    products: Array = hand_weights()[:, np.newaxis] * np.array(VALUES)
    return products


def hand_mixture() -> Array:
    """Return the head's output at bank in the hand example, shape (d_v,)."""
    mixture: Array = attention([QUERY], KEYS, VALUES)[0][0]
    return mixture


def mix_by_hand() -> None:
    """Print the mixture, a coordinate a line, and what attention() makes of it."""
    weights = hand_weights()
    for coordinate, column in enumerate(np.array(VALUES).T, start=1):
        products = [f"{a:.4f}*{v:g}" for a, v in zip(weights, column, strict=True)]
        print(f"z_{coordinate} = {' + '.join(products)} = {weights @ column:.4f}")
    print("attention() gives", hand_mixture().round(4))


def at_bank(sentence: str) -> tuple[Array, Array]:
    """Return the mixture, (d_v,), and the weights, (n,), at bank in a sentence."""
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


def _sentence(sentence: str, caption: str) -> Table:
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
        "river": _sentence(RIVER, "The river sentence, for the query at bank"),
        "money": _sentence(MONEY, "The money sentence, for the query at bank"),
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


def _compare(axes: Axes, middles: Sequence[float], columns: Sequence[float]) -> None:
    """Draw keys, dot products and scores; the query comes down to the keys like a rail."""
    key, rail, product, divided, score = columns
    headings(axes, middles[0] - 29, {"key k": key, "q · k": product, "score s": score - 8})
    axes.plot((rail, rail), (34, middles[-1]), color=palette.ACCENT, linewidth=1.2)
    root = shown(math.sqrt(len(QUERY)), form="surd")
    for y, k, s in zip(middles, np.array(KEYS), hand_scores(), strict=True):
        write(axes, key, y, shown_vector(k))
        link(axes, (key + 21, y), (rail, y), head=False)
        link(axes, (rail, y), (product - 13, y))
        for radius, face in ((7, palette.PAPER), (1.5, palette.ACCENT)):
            axes.add_patch(Circle((rail, y), radius, fc=face, ec=palette.ACCENT, lw=1.2, zorder=3))
        write(axes, product, y, shown(k @ np.array(QUERY), form="surd"))
        write(axes, divided, y, f"÷ {root} =", palette.MUTED, size=9.5)
        write(axes, score, y, shown(s, form="short"), bold=True)


def _share(axes: Axes, middles: Sequence[float], total: float, left: float, full: float) -> None:
    """Draw the weights as bars, each a share of a whole, and the whole that they make."""
    start, right = left, left + full + 6
    for token, y, weight in zip(TOKENS, middles, hand_weights(), strict=True):
        axes.add_patch(Rectangle((left, y - 9), full, 18, fc=palette.PAPER, ec=palette.RULE))
        bar(axes, left, y, full * weight, token, TOKENS)
        bar(axes, start, total, full * weight, token, TOKENS)
        write(axes, right, y, shown(weight), align="left", bold=True)
        start += full * weight
    whole = shown(hand_weights().sum(), form="short")
    write(axes, right, total, whole, align="left", bold=True)


def _mix(axes: Axes, middles: Sequence[float], columns: Sequence[float]) -> None:
    """Draw weight times value, the contribution of each position."""
    times, value, equals, right = columns
    headings(axes, middles[0] - 29, {"value v": value, "contribution αv": right - 42})
    for y, v, c in zip(middles, VALUES, contributions(), strict=True):
        write(axes, times, y, "×", palette.MUTED, size=11)
        write(axes, value, y, shown_vector(v))
        write(axes, equals, y, "=", palette.MUTED, size=11)
        write(axes, right, y, shown_vector(c, ""), align="right")


def _wide_mixture() -> Drawing:
    drawing, axes = canvas(604, 320)
    middles = (132, 174, 216)
    terminal(axes, 8, 248, 21, "query at bank", f"q = {shown_vector(QUERY, 'surd')}")
    panel(axes, 8, 52, 248, 244, "1  Compare")
    panel(axes, 282, 52, 412, 244, "2  Share out")
    panel(axes, 432, 52, 596, 244, "3  Mix")
    names(axes, 18, middles, TOKENS)
    _compare(axes, middles, (107, 143, 174, 207, 235))
    box(axes, 256, 112, 274, 236, palette.MUTED)
    write(axes, 265, 174, "softmax", size=9.5, turned=True)
    for y in middles:
        link(axes, (244, y), (256, y))
        link(axes, (274, y), (289, y))
    headings(axes, 103, {"weight α": 347})
    _share(axes, middles, 283, 292, 66)
    _mix(axes, middles, (422, 458, 486, 588))
    for x in (325, 546):
        link(axes, (x, 244), (x, 269))
        write(axes, x - 7, 257, "sum", palette.MUTED, "right", size=9.5)
    terminal(axes, 432, 596, 283, "", f"z = {shown_vector(hand_mixture(), '')}")
    write(axes, 596, 308, "the head's output at bank", palette.MUTED, "right", size=9.5)
    return drawing


def _narrow_mixture() -> Drawing:
    drawing, axes = canvas(300, 632)
    compare, share, mix = (124, 156, 188), (306, 338, 370), (502, 534, 566)
    terminal(axes, 6, 294, 21, "query at bank", f"q = {shown_vector(QUERY, 'surd')}")
    panel(axes, 6, 48, 294, 208, "1  Compare")
    panel(axes, 6, 252, 294, 422, "2  Share out")
    panel(axes, 6, 436, 294, 586, "3  Mix")
    for middles in (compare, share, mix):
        names(axes, 16, middles, TOKENS)
    _compare(axes, compare, (111, 150, 186, 226, 264))
    box(axes, 95, 221, 205, 239, palette.MUTED)
    write(axes, 150, 230, "softmax", size=9.5)
    headings(axes, 280, {"weight α": 256})
    _share(axes, share, 402, 88, 140)
    write(axes, 16, 402, "sum", palette.MUTED, "left", size=9.5)
    headings(axes, 473, {"weight α": 103})
    for y, weight in zip(mix, hand_weights(), strict=True):
        write(axes, 103, y, shown(weight), bold=True)
    _mix(axes, mix, (131, 156, 184, 286))
    for top, bottom in ((208, 221), (239, 252), (422, 436), (586, 603)):
        link(axes, (150, top), (150, bottom))
    write(axes, 143, 595, "sum", palette.MUTED, "right", size=9.5)
    terminal(axes, 6, 294, 617, "output at bank", f"z = {shown_vector(hand_mixture(), '')}")
    return drawing


def draw_mixture(narrow: bool) -> Drawing:
    """Draw the whole calculation at bank, from the query to the result."""
    return _narrow_mixture() if narrow else _wide_mixture()


def draw_between(narrow: bool) -> Drawing:
    """Draw the values as points, what lies between them, and two of their mixtures."""
    values = np.array(VALUES)
    low, high = values.min(axis=0) - 0.5, values.max(axis=0) + np.array((1, 0.5))
    size = (320, 290) if narrow else (400, 310)
    drawing, axes = plane(*size, (low[0], high[0], low[1], high[1]))
    axes.add_patch(Polygon(values, fc=palette.FILL, ec=palette.MUTED, lw=1.2))
    for token, value, colour in zip(TOKENS, values, TOKEN_COLOURS, strict=True):
        mark(axes, value, token, colour, (8, 6))
    mark(axes, np.mean(VALUES, axis=0), "equal weights", palette.ACCENT, (-11, -13), "ring")
    mark(axes, hand_mixture(), "mixture at bank", palette.ACCENT, (-9, -13), "diamond")
    return drawing


def _weights(axes: Axes, sentence: str, title: str, left: float, top: float) -> None:
    """Draw the weights at bank in one sentence, and the mixture they make."""
    tokens, (mixture, weights) = read(sentence).tokens, at_bank(sentence)
    right, bottom = left + 284, top + 44 + 22 * len(tokens)
    panel(axes, left, top, right, bottom, title)
    longest = max(at_bank(each)[1].max() for each in (RIVER, MONEY))
    for row, (token, weight) in enumerate(zip(tokens, weights, strict=True)):
        y, colour = top + 46 + 22 * row, token_colour(TOKENS, token)
        write(axes, left + 20, y, str(row + 1), palette.MUTED, "right", size=9.5)
        write(axes, left + 28, y, token, colour, "left", bold=token in TOKENS)
        bar(axes, left + 98, y, 126 * weight / longest, token, TOKENS, 14)
        write(axes, right - 10, y, shown(weight), align="right")
    link(axes, (left + 142, bottom), (left + 142, bottom + 16))
    terminal(axes, left, right, bottom + 29, "mixture", f"z = {shown_vector(mixture, '')}")


def draw_sentences(narrow: bool) -> Drawing:
    """Draw one query, two sentences, and the weights and mixtures that come of it."""
    drawing, axes = canvas(300, 646) if narrow else canvas(600, 340)
    river = read(RIVER)
    query = f"q = {shown_vector(river.queries[river.tokens.index(WORD)], 'surd')}"
    terminal(axes, 8 if narrow else 158, 292 if narrow else 442, 21, "query at bank", query)
    second = (8, 356) if narrow else (308, 52)
    for x in (150,) if narrow else (200, 400):
        axes.plot((x, x), (34, 52), color=palette.ACCENT, linewidth=1.2)
    _weights(axes, RIVER, "River sentence", 8, 52)
    _weights(axes, MONEY, "Money sentence", *second)
    return drawing


def _mixture_figure() -> Figure:
    rows: list[list[Cell]] = []
    steps = []
    hand = zip(TOKENS, KEYS, hand_scores(), hand_weights(), VALUES, contributions(), strict=True)
    for t, k, s, a, v, c in hand:
        product = Number(float(np.dot(QUERY, k)), form="surd")
        rows.append([t, inputs(k), product, short(s), a, inputs(v), c.tolist()])
        steps.append(
            f"{t}: key {shown_vector(k)}, score {shown(s, form='short')}, weight "
            f"{shown(a)}, value {shown_vector(v)}, contribution {shown_vector(c, '')}"
        )
    rows.append(["sum", "", "", "", short(hand_weights().sum()), "", hand_mixture().tolist()])
    return Figure(
        title="One head, one position: the whole calculation",
        caption="The query at bank meets each key; softmax turns the scores into shares of one; "
        "each value counts by its share, and the contributions add up to the output.",
        description=f"The query at bank is {shown_vector(QUERY, 'surd')}. "
        f"{'. '.join(steps)}. The weights are drawn as bars and fill one whole bar together. The "
        f"contributions add up to the output {shown_vector(hand_mixture(), '')}.",
        label="invented numbers",
        data=Table(
            "The calculation, row by row",
            ("Token", "Key", "$q \\cdot k$", "Score", "Weight", "Value", "Contribution"),
            rows,
        ),
        draw=draw_mixture,
    )


def _between_figure() -> Figure:
    points = [*zip(TOKENS, VALUES, strict=True), ("equal weights", np.mean(VALUES, axis=0))]
    places = ", ".join(f"{name} at {shown_vector(point)}" for name, point in points)
    rows: list[list[Cell]] = [[name, inputs(point)] for name, point in points]
    rows.append(["mixture at bank", hand_mixture().tolist()])
    return Figure(
        title="A mixture lies between the values",
        caption="The three values, what lies between them, and two of their mixtures: the one of "
        "equal weights (ring) and that of the query at bank (diamond).",
        description=f"Points in the plane: {places}, and the mixture at bank at "
        f"{shown_vector(hand_mixture(), '')}.",
        label="invented numbers",
        data=Table("The points of the figure", ("Point", "Coordinates"), rows),
        draw=draw_between,
    )


def _sentences_figure() -> Figure:
    rows: list[list[Cell]] = []
    words = []
    for name, sentence in (("River", RIVER), ("Money", MONEY)):
        tokens, _, queries, *_ = read(sentence)
        mixture, weights = at_bank(sentence)
        rows.append([name, "", "query", inputs(queries[tokens.index(WORD)])])
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
        draw=draw_sentences,
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
