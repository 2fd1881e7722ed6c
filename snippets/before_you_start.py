"""Before you start: tokens, their rows in a table, their positions, and a dot product by hand."""

from __future__ import annotations

from functools import partial

import numpy as np

from publisher.results import (
    Figure,
    Figures,
    Numbers,
    Table,
    Tables,
    Texts,
    Vectors,
    short,
    shown,
    shown_vector,
)
from snippets.drawings.before_you_start import draw_plane
from snippets.running_example import EMBEDDINGS, MONEY, OPEN, POSITION_STEP, RIVER
from snippets.sentences import (
    SENTENCES,
    WORD,
    look_up,
    position_of,
    representations,
    token_numbers,
    tokenise,
)

# A word that the money sentence has twice.
REPEATED = "the"

# The dot product by hand: one vector, and three to multiply it with. Invented for this page.
A = (3.0, 1.0)
OTHERS = {"b": (2.0, -1.0), "c": (-1.0, 3.0), "d": (-2.0, 1.0)}


def dot_by_hand() -> None:
    """Print the products of matching coordinates, and their sum."""
    total = 0.0
    for first, second in zip(A, OTHERS["b"], strict=True):
        print(f"{first:g} times {second:g} is {first * second:g}")
        total += first * second
    print(f"together: {total:g}")


def places_of(word: str, sentence: str) -> list[int]:
    """Return every position of a word in a sentence, counted from one."""
    return [p for p, token in enumerate(tokenise(sentence), start=1) if token == word]


def numbers() -> Numbers:
    """Return the page's numbers."""
    capital, small = token_numbers(["The", "the"])
    places = places_of(REPEATED, MONEY)
    products = np.array(A) * np.array(OTHERS["b"])
    return {
        "river_count": len(tokenise(RIVER)),
        "known": len(EMBEDDINGS),
        "d_model": len(POSITION_STEP),
        "capital_the": capital,
        "small_the": small,
        "bank": token_numbers([WORD])[0],
        "river_position": position_of(WORD, tokenise(RIVER)),
        "repeated_first": places[0],
        "repeated_last": places[-1],
        "a_first": short(A[0]),
        "a_second": short(A[1]),
        "b_first": short(OTHERS["b"][0]),
        "b_second": short(OTHERS["b"][1]),
        "product_first": short(products[0]),
        "product_second": short(products[1]),
        "dot": short(products.sum()),
    }


def vectors() -> Vectors:
    """Return the page's vectors."""
    river, money = tokenise(RIVER), tokenise(MONEY)
    place = position_of(WORD, river)
    places = places_of(REPEATED, MONEY)
    x = representations(money)
    return {
        "bank_row": [short(value) for value in look_up([WORD])[0]],
        "step": [short(value) for value in POSITION_STEP],
        "river_bank": [short(value) for value in representations(river)[place - 1]],
        "repeated_row": [short(value) for value in look_up([REPEATED])[0]],
        "repeated_first_x": [short(value) for value in x[places[0] - 1]],
        "repeated_last_x": [short(value) for value in x[places[-1] - 1]],
        "a": [short(value) for value in A],
        "b": [short(value) for value in OTHERS["b"]],
        "c": [short(value) for value in OTHERS["c"]],
        "d": [short(value) for value in OTHERS["d"]],
    }


def tables() -> Tables:
    """Return the page's tables."""
    river = tokenise(RIVER)
    banks = []
    for name, sentence in SENTENCES.items():
        tokens = tokenise(sentence)
        place = position_of(WORD, tokens)
        banks.append((name, place, look_up(tokens)[place - 1], representations(tokens)[place - 1]))
    return {
        "river": Table(
            caption="The river sentence, cut into tokens",
            columns=("Position", "Token", "Number"),
            rows=list(zip(range(1, len(river) + 1), river, token_numbers(river), strict=True)),
        ),
        "embeddings": Table(
            caption="Every token that the example knows, and its row",
            columns=("Number", "Token", "Row"),
            rows=[
                (number, token, [short(value) for value in row])
                for number, (token, row) in enumerate(EMBEDDINGS.items(), start=1)
            ],
        ),
        "rows": Table(
            caption=f"Looking up {WORD}: same number, same row",
            columns=("Sentence", "Number", "Row"),
            rows=[
                (name, token_numbers([WORD])[0], [short(value) for value in row])
                for name, _, row, _ in banks
            ],
        ),
        "placed": Table(
            caption=f"The row of {WORD}, with its position added",
            columns=("Sentence", "Position $p$", "$x_p$"),
            rows=[
                (name, place, [short(value) for value in placed])
                for name, place, _, placed in banks
            ],
        ),
        "dots": Table(
            caption="The same vector $a$ with three others",
            columns=("Pair", "Products", "Dot product"),
            rows=[
                (
                    f"$a \\cdot {name}$",
                    [short(x * y) for x, y in zip(A, other, strict=True)],
                    short(np.dot(A, other)),
                )
                for name, other in OTHERS.items()
            ],
        ),
    }


def figures() -> Figures:
    """Return the page's figures."""
    products = {name: float(np.dot(A, end)) for name, end in OTHERS.items()}
    said = "; ".join(
        f"{name} = {shown_vector(end)}, whose dot product with a is "
        f"{shown(products[name], form='short')}"
        for name, end in OTHERS.items()
    )
    return {
        "plane": Figure(
            title="One vector and three others",
            caption="The number beside each arrow is its dot product with $a$: above zero for an "
            "arrow that points partly the same way, zero at a right angle, below zero for one "
            "that points partly the opposite way.",
            description=f"Four arrows from the origin of a plane: a = {shown_vector(A)}; {said}.",
            label="invented numbers",
            data=Table(
                "The vectors of the figure",
                ("Vector", "First coordinate", "Second coordinate", "Dot product with $a$"),
                [
                    (name, *(short(value) for value in end), short(np.dot(A, end)))
                    for name, end in {"a": A, **OTHERS}.items()
                ],
            ),
            draw=partial(draw_plane, A, OTHERS, products),
        ),
    }


def texts() -> Texts:
    """Return the sentence that this page quotes first."""
    return {"open": OPEN}
