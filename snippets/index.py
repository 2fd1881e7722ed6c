"""One word, two scenes: the same embedding row twice, among different neighbours."""

from __future__ import annotations

from functools import partial
from itertools import zip_longest

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
    shown_vector,
)
from snippets.drawings.index import Scene, Shared, draw_scenes
from snippets.running_example import MONEY, RIVER, TOKENS
from snippets.sentences import SENTENCES, WORD, look_up, position_of, tokenise

# The neighbours that the drawing links to the word: our choice, not a measurement.
CLUES = {"river": TOKENS[:2], "money": ("cashier", "money")}


def same_word_twice() -> None:
    """Print the embedding row of bank, looked up from each of the two sentences."""
    for sentence in (RIVER, MONEY):
        tokens = tokenise(sentence)
        place = position_of(WORD, tokens)
        row = look_up(tokens)[place - 1]
        print(f"{WORD}, position {place} of {len(tokens)}: {row.tolist()}")


def same_row(first: str, second: str) -> bool:
    """Tell whether two tokens have the same embedding row; "" stands for no token."""
    return bool(first and second) and np.array_equal(look_up([first]), look_up([second]))


def numbers() -> Numbers:
    """Return the page's numbers."""
    river, money = tokenise(RIVER), tokenise(MONEY)
    return {
        "river_position": position_of(WORD, river),
        "money_position": position_of(WORD, money),
        "river_count": len(river),
        "differing": sum(not same_row(a, b) for a, b in zip_longest(river, money, fillvalue="")),
    }


def vectors() -> Vectors:
    """Return the page's vectors."""
    river, money = tokenise(RIVER), tokenise(MONEY)
    in_river = look_up(river)[position_of(WORD, river) - 1]
    in_money = look_up(money)[position_of(WORD, money) - 1]
    return {
        "river_row": [short(value) for value in in_river],
        "money_row": [short(value) for value in in_money],
    }


def texts() -> Texts:
    """Return the two sentences, exactly."""
    return {"river": RIVER, "money": MONEY}


def tables() -> Tables:
    """Return the page's tables."""
    pairs = list(zip_longest(tokenise(RIVER), tokenise(MONEY), fillvalue=""))
    return {
        "side_by_side": Table(
            caption="The two sentences, position by position",
            columns=("Position", "River", "Money", "Same row?"),
            rows=[
                (place, first, second, "same" if same_row(first, second) else "different")
                for place, (first, second) in enumerate(pairs, start=1)
            ],
        ),
    }


def scenes() -> list[Scene]:
    """Return the two sentences as the drawing shows them."""
    made = []
    for name, clues in CLUES.items():
        tokens = tokenise(SENTENCES[name])
        present = [clue for clue in clues if clue in tokens]
        made.append(Scene(name, tokens, position_of(WORD, tokens), present))
    return made


def figures() -> Figures:
    """Return the page's figure."""
    (row,) = look_up([WORD])
    lines, said = [], []
    for scene in scenes():
        clues, count = " and ".join(scene.clues), len(scene.tokens)
        lines.append((scene.name, clues, scene.place, count, [short(value) for value in row]))
        said.append(
            f'The {scene.name} sentence, "{SENTENCES[scene.name]}": arrows lead from {clues} to '
            f"{WORD}, at position {scene.place} of {count}."
        )
    return {
        "two_scenes": Figure(
            title="One word among two sets of neighbours",
            caption="Below, what the two scenes share: one word, one row of numbers. Above, what "
            "tells them apart: the neighbours. The arrows are our idea of which words help. This "
            "is not a measured attention map.",
            description="Two panels. In one a fisherman mends a net on the bank of a river, in "
            f"the other a cashier counts coins inside a bank. {' '.join(said)} A dotted line joins "
            f"the row of {WORD} in both panels, {shown_vector(row)}, with the words: the same row.",
            label="concept drawing",
            data=Table(
                "What the drawing shows",
                ("Sentence", "Linked neighbours", f"Position of {WORD}", "Tokens", "Row"),
                lines,
            ),
            draw=partial(draw_scenes, scenes(), Shared(WORD, row, TOKENS)),
        ),
    }
