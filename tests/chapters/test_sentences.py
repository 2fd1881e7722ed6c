"""From sentences to representations, against plain Python."""

import pytest

from snippets import sentences
from snippets.running_example import EMBEDDINGS, MONEY, OPEN, POSITION_STEP, RIVER
from tests.by_hand import exact

RIVER_TOKENS = ["The", "fisherman", "repaired", "his", "net", "beside", "the", "bank", "."]


def placed(word: str, position: int) -> list[float]:
    """Add the position to the row, coordinate by coordinate."""
    return [e + position * s for e, s in zip(EMBEDDINGS[word], POSITION_STEP, strict=True)]


def test_a_token_a_word_and_one_for_the_full_stop() -> None:
    assert sentences.tokenise(RIVER) == RIVER_TOKENS
    for sentence in (RIVER, MONEY, OPEN):
        assert sentences.tokenise(sentence) == sentence.replace(".", " .").split()
    assert sentences.tokenise("Wait, what?") == ["Wait", ",", "what", "?"]


def test_every_sentence_of_the_example_has_its_rows() -> None:
    for sentence in (RIVER, MONEY, OPEN):
        tokens = sentence.replace(".", " .").split()
        assert sentences.look_up(tokens).tolist() == [list(EMBEDDINGS[token]) for token in tokens]
        expected = [placed(token, p) for p, token in enumerate(tokens, start=1)]
        assert sentences.representations(tokens).tolist() == [exact(row) for row in expected]


@pytest.mark.parametrize(
    "function", [sentences.token_numbers, sentences.look_up, sentences.representations]
)
def test_mistakes_are_named_in_one_line(function) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=r"^no embedding for 'quay': the example knows The .* \.$"):
        function(["The", "quay"])
    with pytest.raises(TypeError, match=r"tokenise\(\) first$"):
        function("bank")
    with pytest.raises(ValueError, match=r"^tokens is empty"):
        function([])


def test_other_mistakes() -> None:
    with pytest.raises(ValueError, match=r"^sentence holds no token"):
        sentences.tokenise("  ")
    with pytest.raises(ValueError, match=r"^'storm' is not among the tokens: The fisherman"):
        sentences.position_of("storm", RIVER_TOKENS)
