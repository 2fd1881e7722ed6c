"""What is learned, what is computed: parameters stay as they are while a sentence is read."""

from __future__ import annotations

import hashlib

import numpy as np

from publisher.results import Cell, Numbers, Table, Tables, Texts, Vectors, inputs, short
from snippets.attention import Array, attention
from snippets.running_example import (
    EMBEDDINGS,
    MONEY,
    OPEN,
    POSITION_STEP,
    RIVER,
    W_K,
    W_Q,
    W_V,
)
from snippets.sentences import WORD, position_of, token_numbers, tokenise

# One step of training, on an invented task: what the mixture at bank should be in the river
# sentence, how far the parameters move, and the small change that shows an error's slope.
TARGET = (1.0, 1.0, 0.5)  # (d_v,)
STEP = 0.001
NUDGE = 1e-6
# Parameters that count as moved; whatever is smaller comes from rounding.
SAME = 1e-9
# The position whose key is compared between the sentences.
PLACE = 2

Parameters = dict[str, Array]


def parameters() -> Parameters:
    """Return everything that training would adjust in the example, as arrays."""
    return {
        "embedding table": np.array(list(EMBEDDINGS.values())),  # (tokens known, d_model)
        "position row": np.array(POSITION_STEP),  # (d_model,)
        "$W_Q$": np.array(W_Q),  # (d_model, d_k)
        "$W_K$": np.array(W_K),  # (d_model, d_k)
        "$W_V$": np.array(W_V),  # (d_model, d_v)
    }


def checksum(learned: Parameters) -> str:
    """Return twelve hexadecimal digits made from every byte."""
    content = b"".join(array.astype("<f8").tobytes() for array in learned.values())
    return hashlib.sha256(content).hexdigest()[:12]


def count(learned: Parameters) -> int:
    """Return the number of parameters."""
    return sum(array.size for array in learned.values())


def read_with(learned: Parameters, text: str) -> tuple[Array, Array, Array]:
    """Return the queries, keys and values of a text: (n, d_k), (n, d_k) and (n, d_v)."""
    table, position, w_q, w_k, w_v = learned.values()
    rows = table[np.array(token_numbers(tokenise(text))) - 1]  # (n, d_model)
    x = rows + np.outer(np.arange(1, len(rows) + 1), position)  # (n, d_model)
    return x @ w_q, x @ w_k, x @ w_v


def at_bank_with(learned: Parameters, text: str) -> tuple[Array, Array]:
    """Return the mixture, (d_v,), and the attention weights, (n,), at bank."""
    output, weights = attention(*read_with(learned, text))  # (n, d_v), (n, n)
    bank = position_of(WORD, tokenise(text)) - 1
    return output[bank], weights[bank]


def read_both() -> list[str]:
    """Read two sentences with one set of parameters; print checksums on the way."""
    learned = parameters()
    checksums = [checksum(learned)]
    print("checksum before:", checksums[0])
    for sentence in (RIVER, MONEY):
        _, weights = at_bank_with(learned, sentence)
        checksums.append(checksum(learned))
        print("weights:", *(f"{weight:.2f}" for weight in weights))
        print("checksum after: ", checksums[-1])
    return checksums


def error(learned: Parameters, text: str) -> float:
    """Return how far the mixture at bank is from the target: the sum of squared differences."""
    mixture, _ = at_bank_with(learned, text)
    return float(((mixture - np.array(TARGET)) ** 2).sum())


def train_once(learned: Parameters, text: str) -> Parameters:
    """Move every parameter a little way down the slope of the error."""
    moved = {}
    for name, array in learned.items():
        slope = np.zeros_like(array)
        for at in np.ndindex(array.shape):
            errors = []
            for nudge in (NUDGE, -NUDGE):
                nudged = array.copy()
                nudged[at] += nudge
                errors.append(error({**learned, name: nudged}, text))
            slope[at] = (errors[0] - errors[1]) / (2 * NUDGE)
        moved[name] = array - STEP * slope
    return moved


def moved_counts(before: Parameters, after: Parameters) -> list[tuple[str, int, int]]:
    """Return each array's name, its size, and how many of its entries a step has moved."""
    return [
        (name, array.size, int((np.abs(after[name] - array) > SAME).sum()))
        for name, array in before.items()
    ]


def weight_count(learned: Parameters, text: str) -> int:
    """Return how many attention weights one head has for a text."""
    return int(attention(*read_with(learned, text))[1].size)


def numbers() -> Numbers:
    """Return the chapter's numbers."""
    learned = parameters()
    trained = train_once(learned, RIVER)
    river = at_bank_with(learned, RIVER)
    again = at_bank_with(learned, RIVER)
    return {
        "count": count(learned),
        "place": PLACE,
        "river_first": river[1].max(),
        "money_first": at_bank_with(learned, MONEY)[1].max(),
        "river_weights": weight_count(learned, RIVER),
        "long_weights": weight_count(learned, f"{RIVER} {MONEY}"),
        "again": short(max(float(np.abs(a - b).max()) for a, b in zip(river, again, strict=True))),
        "step": short(STEP),
        "river_error": error(learned, RIVER),
        "river_error_after": error(trained, RIVER),
        "money_error": error(learned, MONEY),
        "money_error_after": error(trained, MONEY),
        "all_moved": sum(moved for _, _, moved in moved_counts(learned, trained)),
    }


def vectors() -> Vectors:
    """Return the chapter's vectors."""
    river, money = (read_with(parameters(), sentence)[1] for sentence in (RIVER, MONEY))
    return {
        "river_key": inputs(river[PLACE - 1]),
        "money_key": inputs(money[PLACE - 1]),
        "target": inputs(TARGET),
        "mixture": at_bank_with(parameters(), RIVER)[0],
    }


def _meanings() -> list[list[Cell]]:
    learned = parameters()
    entries = np.concatenate([array.ravel() for array in learned.values()])
    weights = at_bank_with(learned, RIVER)[1]
    return [
        ["Letters here", "$W$, and the rows of the table", "$\\alpha$"],
        ["Come from", "training", "softmax, for the text at hand"],
        ["Change with", "a step of training", "every text, and in it every query"],
        ["Serve", "every text alike", "one mixture in one text"],
        ["Smallest here", short(entries.min()), weights.min()],
        ["Largest here", short(entries.max()), weights.max()],
        ["Add up to", "nothing in particular", short(weights.sum())],
    ]


def tables() -> Tables:
    """Return the chapter's tables."""
    learned = parameters()
    rows = [(tokenise(s), at_bank_with(learned, s)[1].tolist()) for s in (RIVER, MONEY)]
    sizes: list[list[Cell]] = []
    texts = {"open": OPEN, "river": RIVER, "river, then money": f"{RIVER} {MONEY}"}
    for name, text in texts.items():
        made = read_with(learned, text)
        n = len(made[0])
        sizes.append(
            [name, n, count(learned), sum(m.size for m in made), weight_count(learned, text)]
        )
    return {
        "meanings": Table(
            "Two meanings of one word: parameters, and the attention weights at bank",
            ("", "Weights as parameters", "Attention weights"),
            _meanings(),
        ),
        "rows": Table(
            "One set of parameters, one query, two rows of attention weights",
            ("River", "Weight", "Money", "Weight"),
            list(zip(*rows[0], *rows[1], strict=True)),
        ),
        "sizes": Table(
            "What grows with the text, and what does not",
            ("Text", "Tokens", "Parameters", "In $Q$, $K$, $V$", "$\\alpha$"),
            sizes,
        ),
        "step": Table(
            "One step of training on the river sentence: which parameters move",
            ("Array", "Parameters", "Moved"),
            moved_counts(learned, train_once(learned, RIVER)),
        ),
    }


def texts() -> Texts:
    """Return the checksums before the readings and after each, and what a step does to it."""
    learned = parameters()
    before = checksum(learned)
    at_bank_with(learned, RIVER)
    between = checksum(learned)
    at_bank_with(learned, MONEY)
    after = checksum(learned)
    trained = checksum(train_once(learned, RIVER))
    return {
        "before": before,
        "between": between,
        "after": after,
        "trained": "the same" if trained == before else "another",
        "river_token": tokenise(RIVER)[PLACE - 1],
        "money_token": tokenise(MONEY)[PLACE - 1],
    }
