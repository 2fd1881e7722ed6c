"""From sentences to representations, against plain Python."""

import re
from collections.abc import Callable

import pytest

from snippets import sentences
from snippets.running_example import EMBEDDINGS, MONEY, OPEN, RIVER, TOKENS
from tests.by_hand import WORDS, exact, rows

RIVER_TOKENS = WORDS[RIVER]


def test_one_token_per_word_and_one_for_each_mark() -> None:
    for sentence, words in WORDS.items():
        assert sentences.tokenise(sentence) == words
    assert sentences.tokenise("Wait, what?") == ["Wait", ",", "what", "?"]


def test_the_word_and_the_sentences() -> None:
    assert {"river": RIVER, "money": MONEY, "open": OPEN} == sentences.SENTENCES
    assert TOKENS[-1] == sentences.WORD
    assert all(sentences.WORD in words for words in WORDS.values())


def test_every_sentence_of_the_example_has_its_rows() -> None:
    numbers = dict(zip(EMBEDDINGS, range(1, 1 + len(EMBEDDINGS)), strict=True))
    for tokens in WORDS.values():
        assert sentences.token_numbers(tokens) == [numbers[token] for token in tokens]
        assert sentences.look_up(tokens).tolist() == rows(tokens, placed=False)
        assert sentences.representations(tokens).tolist() == exact(rows(tokens))


def test_position_of_the_first_of_two() -> None:
    assert sentences.position_of("b", ["a", "b", "c", "b"]) == 2


@pytest.mark.parametrize(
    "function", [sentences.token_numbers, sentences.look_up, sentences.representations]
)
def test_mistakes_are_named_in_one_line(function: Callable[[object], object]) -> None:
    known = re.escape(" ".join(EMBEDDINGS))
    with pytest.raises(ValueError, match=f"^no embedding for 'quay': the example knows {known}$"):
        function(["The", "quay"])
    with pytest.raises(TypeError, match=r"tokenise\(\) first$"):
        function("bank")
    with pytest.raises(ValueError, match=r"^tokens is empty"):
        function([])


def test_other_mistakes() -> None:
    with pytest.raises(ValueError, match=r"^sentence holds no token"):
        sentences.tokenise("  ")
    among = re.escape(" ".join(RIVER_TOKENS))
    with pytest.raises(ValueError, match=f"^'quay' is not among the tokens: {among}$"):
        sentences.position_of("quay", RIVER_TOKENS)
