"""The home page: one row twice, other neighbours, and a drawing that says the same."""

from itertools import combinations, zip_longest

import pytest

from publisher.figures.palette import settings
from publisher.formats import display
from publisher.results import shown_vector
from snippets import index as page
from snippets.drawings.tokens import TOKEN_COLOURS
from snippets.running_example import EMBEDDINGS, MONEY, RIVER
from snippets.sentences import WORD
from tests.by_hand import WORDS, exact, plain, says

PAGE = "docs/index.md"
SENTENCES = {"river": RIVER, "money": MONEY}
ROW = list(EMBEDDINGS[WORD])
PLACES = {name: WORDS[sentence].index(WORD) + 1 for name, sentence in SENTENCES.items()}
COUNTS = {name: len(WORDS[sentence]) for name, sentence in SENTENCES.items()}
CLUES = {name: " and ".join(clues) for name, clues in page.CLUES.items()}
PAIRS = list(zip_longest(WORDS[RIVER], WORDS[MONEY], fillvalue=""))


def same(a: str, b: str) -> bool:
    return a in EMBEDDINGS and b in EMBEDDINGS and EMBEDDINGS[a] == EMBEDDINGS[b]


def test_texts() -> None:
    assert page.texts() == {"river": RIVER, "money": MONEY}


def test_the_word_has_one_row_in_both_sentences() -> None:
    assert plain(page.vectors()) == exact({"river_row": ROW, "money_row": ROW})


def test_numbers() -> None:
    assert page.numbers() == {
        "river_position": PLACES["river"],
        "money_position": PLACES["money"],
        "river_count": COUNTS["river"],
        "differing": sum(not same(a, b) for a, b in PAIRS),
    }


def test_sentences_side_by_side() -> None:
    assert plain(page.tables()["side_by_side"].rows) == [
        [place, a, b, "same" if same(a, b) else "different"]
        for place, (a, b) in enumerate(PAIRS, start=1)
    ]


def test_a_missing_token_has_no_row() -> None:
    assert page.same_row(WORD, WORD)
    assert not page.same_row(WORD, "")
    assert not page.same_row("", "")


def test_demo_prints_the_same_row_twice(capsys: pytest.CaptureFixture[str]) -> None:
    page.same_word_twice()
    assert capsys.readouterr().out.splitlines() == [
        f"{WORD}, position {PLACES[name]} of {COUNTS[name]}: {ROW}" for name in SENTENCES
    ]


def test_drawing_is_a_concept_and_says_so() -> None:
    figure = page.figures()["two_scenes"]
    assert figure.label == "concept drawing"
    assert "not a measured attention map" in figure.caption
    assert plain(page.figures()["two_scenes"].data.rows) == exact(
        [[name, CLUES[name], PLACES[name], COUNTS[name], ROW] for name in SENTENCES]
    )
    for name, sentence in SENTENCES.items():
        assert (
            f'The {name} sentence, "{sentence}": arrows lead from {CLUES[name]} to {WORD}, '
            f"at position {PLACES[name]} of {COUNTS[name]}." in figure.description
        )
    assert shown_vector(ROW) in figure.description


@pytest.mark.parametrize("narrow", [False, True])
def test_drawing_holds_both_sentences_and_both_rows(narrow: bool) -> None:
    with settings("test"):
        axes = page.figures()["two_scenes"].draw(narrow).axes[0]
        drawn = [text.get_text() for text in axes.texts]
    words = [word for sentence in SENTENCES.values() for word in WORDS[sentence]]
    places = [f"position {PLACES[name]} of {COUNTS[name]}" for name in SENTENCES]
    labels = ["the same row", *["its row in the embedding table"] * 2]
    numbers = [display(value, form="short") for value in ROW] * 2
    assert sorted(drawn) == sorted([*words, *places, *labels, *numbers])


@pytest.mark.parametrize("narrow", [False, True])
def test_the_fisherman_stands_in_the_river_sentences_scene(narrow: bool) -> None:
    drawing = page.figures()["two_scenes"].draw(narrow)
    width, height = drawing.get_size_inches() * 72
    lines = [line for line in drawing.axes[0].lines if line.get_color() == TOKEN_COLOURS[0]]
    assert lines
    for line in lines:  # the river's scene comes first: above, or on the left
        assert max(line.get_ydata()) < height / 2 if narrow else max(line.get_xdata()) < width / 2


@pytest.mark.parametrize("narrow", [False, True])
def test_nothing_is_cut_off_at_an_edge_and_no_text_lies_on_another(narrow: bool) -> None:
    with settings("test"):
        drawing = page.figures()["two_scenes"].draw(narrow)
        (axes,) = drawing.axes
        right, bottom = drawing.get_size_inches() * 72
        inverse = axes.transData.inverted()
        boxes = [text.get_window_extent().transformed(inverse) for text in axes.texts]
    for one, other in combinations(boxes, 2):
        (a, b), (c, d) = sorted(one.intervaly), sorted(other.intervaly)
        beside = one.x1 < other.x0 or other.x1 < one.x0
        assert beside or b < c + 4 or d < a + 4  # boxes of one line may touch the next
    for box in boxes:
        assert min(box.x0, box.x1) >= 0
        assert max(box.x0, box.x1) <= right
        assert min(box.y0, box.y1) >= 0
        assert max(box.y0, box.y1) <= bottom


def test_what_the_text_says() -> None:
    """Claims that hold for these inputs; on failure, change the sentence that is quoted."""
    says(PLACES["river"] == PLACES["money"], PAGE, "The place in the sentence is no help either")
    says(COUNTS["river"] == COUNTS["money"], PAGE, "Only the neighbours differ, at ... of ...")
    says(not all(same(a, b) for a, b in PAIRS), PAGE, "Only the neighbours differ")
    drawn = {name: set(clues) <= set(WORDS[SENTENCES[name]]) for name, clues in page.CLUES.items()}
    says(all(drawn.values()), PAGE, "the figure's arrows lead from words of the sentence")
