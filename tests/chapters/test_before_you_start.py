"""The primer's numbers against plain Python."""

import pytest

from publisher.figures.palette import settings
from publisher.results import shown, shown_vector
from snippets import before_you_start as chapter
from snippets.running_example import EMBEDDINGS, MONEY, OPEN, POSITION_STEP, RIVER
from snippets.sentences import WORD
from tests.by_hand import WORDS, dot, exact, plain, rows, says

PAGE = "docs/before-you-start.md"
SENTENCES = {"river": RIVER, "money": MONEY, "open": OPEN}
KNOWN = list(EMBEDDINGS)  # the table's rows, in order
A, OTHERS = chapter.A, chapter.OTHERS
PRODUCTS = {name: dot(A, other) for name, other in OTHERS.items()}


def number(token: str) -> int:
    """Return a token's number: its row in the table, counted from one."""
    return KNOWN.index(token) + 1


def place(sentence: str) -> int:
    """Return the position of the word in a sentence, counted from one."""
    return WORDS[sentence].index(WORD) + 1


def places_of(word: str) -> list[int]:
    """Return a word's positions in the money sentence, counted from one."""
    return [p for p, token in enumerate(WORDS[MONEY], start=1) if token == word]


def test_numbers() -> None:
    places = places_of(chapter.REPEATED)
    b = OTHERS["b"]
    assert plain(chapter.numbers()) == exact(
        {
            "river_count": len(WORDS[RIVER]),
            "known": len(KNOWN),
            "d_model": len(EMBEDDINGS[WORD]),
            "capital_the": number("The"),
            "small_the": number("the"),
            "bank": number(WORD),
            "river_position": place(RIVER),
            "repeated_first": places[0],
            "repeated_last": places[-1],
            "a_first": A[0],
            "a_second": A[1],
            "b_first": b[0],
            "b_second": b[1],
            "product_first": A[0] * b[0],
            "product_second": A[1] * b[1],
            "dot": A[0] * b[0] + A[1] * b[1],
        }
    )


def test_vectors() -> None:
    places = places_of(chapter.REPEATED)
    money = rows(WORDS[MONEY])
    assert plain(chapter.vectors()) == exact(
        {
            "bank_row": list(EMBEDDINGS[WORD]),
            "step": list(POSITION_STEP),
            "river_bank": rows(WORDS[RIVER])[place(RIVER) - 1],
            "repeated_row": list(EMBEDDINGS[chapter.REPEATED]),
            "repeated_first_x": money[places[0] - 1],
            "repeated_last_x": money[places[-1] - 1],
            "a": list(A),
            "b": list(OTHERS["b"]),
            "c": list(OTHERS["c"]),
            "d": list(OTHERS["d"]),
        }
    )


def test_the_open_sentence() -> None:
    assert chapter.texts()["open"] == OPEN


def test_tables_of_tokens() -> None:
    tokens = WORDS[RIVER]
    assert plain(chapter.tables()["river"].rows) == [
        [p, token, number(token)] for p, token in enumerate(tokens, start=1)
    ]
    assert plain(chapter.tables()["embeddings"].rows) == exact(
        [[number(token), token, list(row)] for token, row in EMBEDDINGS.items()]
    )


def test_the_word_has_one_row_whatever_the_sentence_and_differs_by_place() -> None:
    assert plain(chapter.tables()["rows"].rows) == exact(
        [[name, number(WORD), list(EMBEDDINGS[WORD])] for name in SENTENCES]
    )
    assert plain(chapter.tables()["placed"].rows) == exact(
        [
            [name, place(sentence), rows(WORDS[sentence])[place(sentence) - 1]]
            for name, sentence in SENTENCES.items()
        ]
    )


def test_dot_products(capsys: pytest.CaptureFixture[str]) -> None:
    assert plain(chapter.tables()["dots"].rows) == exact(
        [
            [f"$a \\cdot {name}$", [A[0] * x, A[1] * y], A[0] * x + A[1] * y]
            for name, (x, y) in OTHERS.items()
        ]
    )
    chapter.dot_by_hand()
    pairs = list(zip(A, OTHERS["b"], strict=True))
    assert capsys.readouterr().out.splitlines() == [
        *(f"{x:g} times {y:g} is {x * y:g}" for x, y in pairs),
        f"together: {sum(x * y for x, y in pairs):g}",
    ]


def test_figure_shows_the_four_vectors() -> None:
    figure = chapter.figures()["plane"]
    assert plain(chapter.figures()["plane"].data.rows) == exact(
        [[name, *end, dot(A, end)] for name, end in {"a": A, **OTHERS}.items()]
    )
    assert f"a = {shown_vector(A)}; " in figure.description
    for name, end in OTHERS.items():
        product = shown(PRODUCTS[name], form="short")
        assert f"{name} = {shown_vector(end)}, whose dot product with a is {product}" in (
            figure.description
        )


@pytest.mark.parametrize("narrow", [False, True])
def test_drawing_names_each_arrow_with_its_product(narrow: bool) -> None:
    with settings("test"):
        axes = chapter.figures()["plane"].draw(narrow).axes[0]
    words = [text.get_text() for text in axes.texts]
    labels = [f"{name}: {shown(product, form='short')}" for name, product in PRODUCTS.items()]
    assert [w for w in words if w] == ["a", *labels]


def test_what_the_text_says() -> None:
    """Claims that hold for these inputs; on failure, change the sentence that is quoted."""
    river, money, other = (place(sentence) for sentence in SENTENCES.values())
    says(other < river, PAGE, "In the third sentence, 'bank' comes earlier")
    says(river == money, PAGE, "In the first two it stands at the same place")
    says(len(places_of(chapter.REPEATED)) == 2, PAGE, "the money sentence has the word 'the' twice")
    says(any(POSITION_STEP), PAGE, "They share the row ..., but not the place")
    signs = [product > 0 for product in PRODUCTS.values()], [p < 0 for p in PRODUCTS.values()]
    one_of_each = signs == ([True, False, False], [False, False, True])
    says(one_of_each, PAGE, "which of the dot products with a is zero, and which is below zero?")
