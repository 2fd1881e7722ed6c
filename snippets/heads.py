"""Several mixtures for one word: two heads, their outputs concatenated, and a second layer."""

from __future__ import annotations

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
    Vectors,
    Widget,
    Widgets,
    inputs,
    short,
    shown,
    shown_vector,
)
from snippets import running_example as example
from snippets.attention import Array, attention, multi_head_attention, softmax
from snippets.drawings.heads import Head, draw_two
from snippets.running_example import MONEY, OPEN, RIVER, TOKENS, W_O
from snippets.scores_and_weights import hand_scores, hand_weights
from snippets.sentences import WORD, position_of, representations, tokenise
from snippets.values import hand_mixture

# Added to the score of net in head one, to see what the others lose.
RAISES = (0.0, 1.0, 2.0)
# For the misreadings: a wider model, cut into more and more heads.
WIDTH, HEAD_COUNTS, ROWS = 8, (1, 2, 4), 3


def second_weights() -> Array:
    """Return head two's attention weights at bank in the hand example, shape (3,)."""
    return softmax(example.SECOND_HEAD_SCORES)


def second_mixture() -> Array:
    """Return head two's mixture at bank in the hand example, shape (d_v,)."""
    return np.asarray(second_weights() @ np.array(example.SECOND_HEAD_VALUES))


def stacked() -> tuple[Array, Array, Array]:
    """Return both heads' matrices: (heads, d_model, d_k) twice, (heads, d_model, d_v)."""
    return (
        np.array((example.W_Q, example.SECOND_W_Q)),
        np.array((example.W_K, example.SECOND_W_K)),
        np.array((example.W_V, example.SECOND_W_V)),
    )


def head_by_head(x: Array) -> tuple[Array, Array]:
    """Run the heads one by one; return their outputs end to end, and times W_O.

    Parameters
    ----------
    x : (n, d_model), one representation per position

    Returns
    -------
    end_to_end : (n, heads * d_v), the heads' mixtures, concatenated
    output : (n, d_model), the same times W_O
    """
    outputs = []
    for w_q, w_k, w_v in zip(*stacked(), strict=True):
        z, _ = attention(x @ w_q, x @ w_k, x @ w_v)  # (n, d_v)
        outputs.append(z)
    end_to_end = np.concatenate(outputs, axis=1)  # (n, heads * d_v)
    return end_to_end, end_to_end @ np.array(W_O)  # (n, d_model)


def in_one_call(x: Array) -> tuple[Array, Array]:
    """Return the output, (n, d_model), and the weights, (heads, n, n)."""
    return multi_head_attention(x, *stacked(), W_O)


def both_ways() -> None:
    """Print the shape of every array on the way, and whether both ways agree."""
    x = representations(tokenise(RIVER))
    w_q, w_k, w_v = stacked()
    end_to_end, output = head_by_head(x)
    made, weights = in_one_call(x)
    steps = {
        "X": x, "W_Q": w_q, "W_K": w_k, "W_V": w_v, "weights": weights,
        "end to end": end_to_end, "W_O": np.array(W_O), "output": made,
    }  # fmt: skip
    for name, array in steps.items():
        print(f"{name:<11}", " x ".join(str(size) for size in array.shape))
    agree = np.allclose(output, made, rtol=0, atol=1e-12)
    print("head by head gives the same:", agree)


def bank_row(rows: Array, sentence: str = RIVER) -> Array:
    """Return the row at bank; `rows`, (n, d), has one for each token of the sentence."""
    return np.asarray(rows[position_of(WORD, tokenise(sentence)) - 1])


def added_by_head() -> Array:
    """Return what each head adds to the output at bank, (heads, d_model)."""
    z = bank_row(head_by_head(representations(tokenise(RIVER)))[0]).reshape(2, 1, -1)
    added = z @ np.array(W_O).reshape(2, -1, len(W_O[0]))  # by head: z times its rows
    return np.asarray(added[:, 0])


def heads_exchanged(rows_too: bool) -> Array:
    """Return the output at bank with the two heads exchanged, W_O's rows with them or not."""
    w_q, w_k, w_v = (matrices[::-1] for matrices in stacked())
    half = len(W_O) // 2
    w_o = (*W_O[half:], *W_O[:half]) if rows_too else W_O
    return bank_row(multi_head_attention(representations(tokenise(RIVER)), w_q, w_k, w_v, w_o)[0])


def first_layer(x: Array) -> Array:
    """Add the heads' output to what was there, (n, d_model)."""
    output, _ = in_one_call(x)
    return x + output


def split(made: Array, heads: int) -> Array:
    """Cut each row of a projection into heads.

    Parameters
    ----------
    made : (n, width), the projections of n positions for all heads
    heads : how many, a divisor of the width

    Returns
    -------
    The heads' own projections, (heads, n, width / heads).
    """
    n, width = made.shape
    return made.reshape(n, heads, width // heads).swapaxes(0, 1)


def wide() -> tuple[Array, Array]:
    """Return representations, (3, 8), and a query matrix, (8, 8): whole numbers, drawn once."""
    drawn = np.random.RandomState(0).randint(-2, 3, (ROWS + WIDTH, WIDTH)).astype(np.float64)
    return drawn[:ROWS], drawn[ROWS:]


def first_queries() -> list[Array]:
    """Return head one's queries, (3, 4), made in three ways; the last is the misreading."""
    x, w = wide()
    size = WIDTH // 2
    return [
        split(x @ w, 2)[0],  # project everything, then split
        x @ w[:, :size],  # a matrix of the head's own: all rows, its columns
        x[:, :size] @ w[:size, :size],  # cut the representation first
    ]


def parameter_counts(heads: int) -> list[int]:
    """Return the sizes of W_Q, W_K, W_V and W_O when the heads share the width."""
    x, w = wide()
    own = w.reshape(WIDTH, heads, WIDTH // heads).swapaxes(0, 1)  # (heads, width, width / heads)
    multi_head_attention(x, own, own, own, w)  # which refuses shapes that do not fit
    return [own.size, own.size, own.size, w.size]


def numbers() -> Numbers:
    """Return the chapter's numbers."""
    x = representations(tokenise(RIVER))
    return {
        "heads": len(stacked()[0]),
        "n": len(x),
        "d_model": x.shape[1],
        "d_v": stacked()[2].shape[2],
        "joined": len(W_O),
        "d_out": len(W_O[0]),
        "second_fisherman": second_weights()[0],
        "second_net": second_weights()[1],
        "second_bank": second_weights()[2],
        "second_total": short(second_weights().sum()),
        "both_total": short(hand_weights().sum() + second_weights().sum()),
        "score_now": short(hand_scores()[1]),
        "one_head": np.size(example.W_Q) + np.size(example.W_K) + np.size(example.W_V),
        "two_heads": sum(matrices.size for matrices in stacked()) + np.size(W_O),
        "width": WIDTH,
        "cut": WIDTH // 2,
    }


def vectors() -> Vectors:
    """Return the chapter's vectors."""
    end_to_end, output = head_by_head(representations(tokenise(RIVER)))
    first, second = bank_row(end_to_end).reshape(2, -1)
    return {
        "hand_mixture": hand_mixture(),
        "second_mixture": second_mixture(),
        "first": first,
        "second": second,
        "output": bank_row(output),
        "swapped": heads_exchanged(rows_too=False),
        "swapped_rows_too": heads_exchanged(rows_too=True),
        "without_second": added_by_head()[0],
    }


def _one_total() -> Table:
    rows: list[list[Cell]] = []
    for more in RAISES:
        scores = hand_scores() + np.array((0.0, more, 0.0))
        weights = softmax(scores)
        rows.append([short(scores[1]), *weights.tolist(), short(weights.sum())])
    return Table("Raising one score: the score of net", ("Score of net", *TOKENS, "Sum"), rows)


def _river() -> Table:
    tokens = tokenise(RIVER)
    _, weights = in_one_call(representations(tokens))  # (heads, n, n)
    first, second = (bank_row(of_head) for of_head in weights)
    rows: list[list[Cell]] = [[t, a, b] for t, a, b in zip(tokens, first, second, strict=True)]
    rows.append(["sum", short(first.sum()), short(second.sum())])
    return Table("The weights in the river sentence", ("Token", "Head one", "Head two"), rows)


def _meets() -> Table:
    coordinates = bank_row(head_by_head(representations(tokenise(RIVER)))[0])
    heads = ["one"] * len(example.W_V[0]) + ["two"] * len(example.SECOND_W_V[0])
    return Table(
        "The outputs at bank, end to end, and what they meet",
        ("From head", "$z$", "Row of $W_O$"),
        [(head, z, inputs(row)) for head, z, row in zip(heads, coordinates, W_O, strict=True)],
    )


def _second_layer() -> Table:
    columns: list[list[list[Cell]]] = []
    for name, sentence in (("river", RIVER), ("money", MONEY)):
        before = representations(tokenise(sentence))
        x, added, after = (
            bank_row(made, sentence)
            for made in (before, in_one_call(before)[0], first_layer(before))
        )
        steps = {
            "$x$": inputs(x),
            "$q^{(1)}$": inputs(x @ np.array(example.W_Q)),
            "$q^{(2)}$": inputs(x @ np.array(example.SECOND_W_Q)),
            "$y$": [Number(entry, 2) for entry in added],
            "$x^{\\text{new}}$": [Number(entry, 2) for entry in after],
            "$q$, layer two": [
                Number(entry, 2) for entry in after @ np.array(example.LAYER_TWO_W_Q)
            ],
        }
        columns.append([[step, name, vector] for step, vector in steps.items()])
    rows = [row for pair in zip(*columns, strict=True) for row in pair]
    return Table(
        "Two sentences, two layers (results with two decimals)", ("At bank", "In", "Vector"), rows
    )


def _means() -> Table:
    maps: list[tuple[str, Array]] = []
    for name, sentence in (("river sentence", RIVER), ("open sentence", OPEN)):
        _, weights = in_one_call(representations(tokenise(sentence)))
        maps += [(f"{name}, head one", weights[0]), (f"{name}, head two", weights[1])]
    maps.append(("each position only itself", np.eye(len(TOKENS))))
    return Table(
        "The mean of all weights in a map",
        ("Map", "Shape", "Mean"),
        [
            (n, f"{m.shape[0]}\u00a0×\u00a0{m.shape[1]}", Number(m.mean(), form="fraction"))
            for n, m in maps
        ],
    )


def _labels() -> tuple[Array, Array]:
    """Return what head one gets, axes exchanged or not; entry c of token t is the number tc."""
    made = np.add.outer(10.0 * np.arange(1, ROWS + 1), np.arange(1.0, WIDTH + 1))  # (3, 8)
    return split(made, 2)[0], made.reshape(2, ROWS, WIDTH // 2)[0]


def tables() -> Tables:
    """Return the chapter's tables."""
    hot = np.eye(len(TOKENS))[:2]  # all to the first token, all to the second
    added = added_by_head()
    scores = (hand_scores(), example.SECOND_HEAD_SCORES)
    both = zip(TOKENS, scores[0], hand_weights(), scores[1], second_weights(), strict=True)
    matrices = (example.SECOND_W_Q, example.SECOND_W_K, example.SECOND_W_V)
    ways = ("project all, then split", "a matrix of its own", "cut first, then project")
    return {
        "one_total": _one_total(),
        "two_heads": Table(
            "Scores and weights of both heads at bank",
            ("Token", "$s^{(1)}$", "$\\alpha^{(1)}$", "$s^{(2)}$", "$\\alpha^{(2)}$"),
            [
                *([token, short(s), a, short(t), b] for token, s, a, t, b in both),
                ["sum", "", short(hand_weights().sum()), "", short(second_weights().sum())],
            ],
        ),
        "matrices": Table(
            "Head two's matrices, row by row",
            ("Row", "$W_Q$", "$W_K$", "$W_V$"),
            [
                [i, *map(inputs, rows)]
                for i, rows in enumerate(zip(*matrices, strict=True), start=1)
            ],
        ),
        "river": _river(),
        "meets": _meets(),
        "parts": Table(
            "What each head adds to the output at bank",
            ("Part", "Vector"),
            [["head one", added[0]], ["head two", added[1]], ["sum", added.sum(axis=0)]],
        ),
        "second_layer": _second_layer(),
        "means": _means(),
        "one_hot": Table(
            "Two heads and their average",
            ("Weights of", *TOKENS),
            [
                ["head one", *map(short, hot[0])],
                ["head two", *map(short, hot[1])],
                ["average", *map(short, hot.mean(axis=0))],
            ],
        ),
        "counts": Table(
            "Parameters when the heads share the width",
            ("Heads", "$d_k$", "$W_Q$", "$W_K$", "$W_V$", "$W_O$", "Sum"),
            [[h, WIDTH // h, *parameter_counts(h), sum(parameter_counts(h))] for h in HEAD_COUNTS],
        ),
        "slices": Table(
            "Head one's query at the first position, made in three ways",
            ("Way", "Query"),
            [[w, inputs(q[0])] for w, q in zip(ways, first_queries(), strict=True)],
        ),
        "reshape": Table(
            "What reaches head one: first digit, the token; second, the coordinate",
            ("Row", "Axes exchanged", "Not exchanged"),
            [
                [i, *map(inputs, rows)]
                for i, rows in enumerate(zip(*_labels(), strict=True), start=1)
            ],
        ),
    }


def _two() -> tuple[Head, Head]:
    """Return the hand example's two heads."""
    first, second = hand_weights(), second_weights()
    values = np.array(example.VALUES), np.array(example.SECOND_HEAD_VALUES)
    scores = np.array(example.SECOND_HEAD_SCORES)
    return (
        Head("Head one", hand_scores(), first, first.sum(), values[0], hand_mixture()),
        Head("Head two", scores, second, second.sum(), values[1], second_mixture()),
    )


def figures() -> Figures:
    """Return the chapter's figure."""
    rows: list[list[Cell]] = []
    said = []
    for head in _two():
        steps = []
        for token, s, a, v in zip(TOKENS, head.scores, head.weights, head.values, strict=True):
            rows.append([head.title, token, short(s), a, inputs(v)])
            score, weight = shown(s, form="short"), shown(a)
            steps.append(f"{token}, score {score}, weight {weight}, value {shown_vector(v)}")
        rows.append([head.title, "sum and mixture", "", short(head.total), head.mixture.tolist()])
        said.append(
            f"{head.title}: {'; '.join(steps)}; the weights add up to "
            f"{shown(head.total, form='short')}, the mixture is {shown_vector(head.mixture, '')}"
        )
    return {
        "two": Figure(
            title="Two mixtures, each normalised on its own",
            caption="Each head shares out one whole, and mixes values of its own. Neither bar "
            "takes anything from the other.",
            description="Two panels with attention weights at bank as bars, which fill one whole "
            f"bar in each panel. {'. '.join(said)}.",
            label="invented numbers",
            data=Table(
                "The two heads of the figure",
                ("Head", "Token", "Score", "Weight", "Value"),
                rows,
            ),
            draw=partial(draw_two, TOKENS, _two()),
        ),
    }


def widgets() -> Widgets:
    """Return the explorable: the hand example's two heads, and W_O without the position's rows."""
    one, two = _two()
    mixtures = np.array((one.mixture, two.mixture))  # (heads, d_v), the hand example's d_v
    w_o = np.array(W_O).reshape(len(mixtures), -1, len(W_O[0]))
    w_o = w_o[:, : mixtures.shape[1]]  # (heads, d_v, d_model): without those for the position
    added = (mixtures[:, np.newaxis] @ w_o)[:, 0]  # (heads, d_model)
    return {
        "explorer": Widget(
            element="heads-explorer",
            anchor="widget-explore-heads",
            title="Two heads, end to end, and through one matrix",
            label="invented numbers",
            figure="heads.two",
            start={
                "tokens": list(TOKENS),
                "scores": [one.scores.tolist(), list(example.SECOND_HEAD_SCORES)],
                "values": [one.values.tolist(), two.values.tolist()],
                "w_o": np.concatenate(w_o).tolist(),  # (heads * d_v, d_model)
            },
            results={
                "weights": [one.weights.tolist(), two.weights.tolist()],
                "mixtures": mixtures.tolist(),
                "parts": added.tolist(),
                "output": added.sum(axis=0).tolist(),
            },
        ),
    }
