"""From a sentence to what goes into the first layer: tokens, their rows, their positions."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from snippets.attention import Array
from snippets.running_example import EMBEDDINGS, MONEY, OPEN, POSITION_STEP, RIVER, TOKENS

SENTENCES = {"river": RIVER, "money": MONEY, "open": OPEN}
# The word that all three sentences share, and that the site is about.
WORD = TOKENS[-1]


def tokenise(sentence: str) -> list[str]:
    """Cut a sentence into tokens: one per word, and each mark of punctuation by itself.

    Parameters
    ----------
    sentence : a text with at least one word or mark

    Returns
    -------
    The n tokens, in order, as they are written: The and the are two tokens.

    Raises
    ------
    ValueError : a text with nothing in it but spaces
    """
    tokens = re.findall(r"\w+|[^\w\s]", sentence)
    if not tokens:
        raise ValueError("sentence holds no token: give a text with a word in it")
    return tokens


def token_numbers(tokens: Sequence[str]) -> list[int]:
    """Return each token's number: its row in the embedding table, counted from one.

    Parameters
    ----------
    tokens : n tokens, as `tokenise` returns them

    Returns
    -------
    The n numbers.

    Raises
    ------
    TypeError : a sentence in place of its tokens
    ValueError : no tokens; a token without a row, named together with those that have one
    """
    if isinstance(tokens, str):
        raise TypeError("tokens must be a list of tokens, got a text: call tokenise() first")
    if not len(tokens):
        raise ValueError("tokens is empty: give at least one token")
    known = list(EMBEDDINGS)
    for token in tokens:
        if token not in known:
            raise ValueError(f"no embedding for '{token}': the example knows {' '.join(known)}")
    return [known.index(token) + 1 for token in tokens]


def look_up(tokens: Sequence[str]) -> Array:
    """Return the embedding row of each token, whatever stands around it.

    Parameters
    ----------
    tokens : n tokens

    Returns
    -------
    The rows, (n, d_model).

    Raises
    ------
    TypeError, ValueError : as `token_numbers`
    """
    table = np.array(list(EMBEDDINGS.values()))  # (tokens known, d_model)
    numbers = np.array(token_numbers(tokens))
    return np.asarray(table[numbers - 1])  # (n, d_model); NumPy counts from zero


def representations(tokens: Sequence[str]) -> Array:
    """Return what goes into the first layer: rows with their positions added.

    Parameters
    ----------
    tokens : n tokens

    Returns
    -------
    X, (n, d_model): row p is the embedding of token p plus p times POSITION_STEP.

    Raises
    ------
    TypeError, ValueError : as `token_numbers`
    """
    rows = look_up(tokens)  # (n, d_model)
    positions = np.arange(1, len(rows) + 1)  # (n,)
    return rows + np.outer(positions, POSITION_STEP)


def position_of(word: str, tokens: Sequence[str]) -> int:
    """Return the first position of a word among the tokens, counted from one.

    Parameters
    ----------
    word : the token to look for
    tokens : n tokens

    Returns
    -------
    Its position, 1 to n.

    Raises
    ------
    ValueError : a word that is not among the tokens
    """
    if word not in tokens:
        raise ValueError(f"'{word}' is not among the tokens: {' '.join(tokens)}")
    return list(tokens).index(word) + 1
