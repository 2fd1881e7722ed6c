"""The leak test: no position may know what comes after it, however it gets there."""

from collections.abc import Callable

import numpy as np

from publisher.results import shown_vector
from snippets.attention import Array, attention, causal_mask
from snippets.query_key_value import queries_keys_values
from snippets.running_example import RIVER
from snippets.sentences import WORD, representations, tokenise

# The word that takes the place of bank.
OTHER = "money"


def wrong(x: Array) -> Array:
    """Centre the representations, (n, d_model), and return the causal mixtures, (n, d_v)."""
    centred = x - x.mean(axis=0, keepdims=True)
    queries, keys, values = queries_keys_values(centred)
    return attention(queries, keys, values, causal_mask(len(x)))[0]


def right(x: Array) -> Array:
    """Centre the representations, (n, d_model), and return the causal mixtures, (n, d_v)."""
    centred = x - x.mean(axis=-1, keepdims=True)
    queries, keys, values = queries_keys_values(centred)
    return attention(queries, keys, values, causal_mask(len(x)))[0]


def at_fisherman(function: Callable[[Array], Array], word: str) -> Array:
    """Return the mixture at fisherman when the sentence ends in the word, (d_v,)."""
    tokens = tokenise(RIVER)
    ending = [word if token == WORD else token for token in tokens]
    return function(representations(ending))[tokens.index("fisherman"), :]


def measure(function: Callable[[Array], Array]) -> float:
    """Return how far fisherman's mixture moves when a later word is exchanged."""
    return float(np.abs(at_fisherman(function, OTHER) - at_fisherman(function, WORD)).max())


def demo() -> None:
    """Print the mixture at fisherman, with bank further on and with another word there."""
    for name, function in (("wrong", wrong), ("right", right)):
        for word in (WORD, OTHER):
            print(f"{name}  {word:<5} {shown_vector(at_fisherman(function, word), form='')}")


def check(function: Callable[[Array], Array]) -> None:
    """Change the last position: every earlier row stays the same, to the bit."""
    x = np.sin(np.arange(20.0)).reshape(5, 4)  # any numbers will do
    changed = x.copy()
    changed[-1] += 1
    before, after = function(x)[:-1], function(changed)[:-1]
    assert before.tobytes() == after.tobytes(), (
        f"an earlier row moves by {np.abs(after - before).max():.4f} with the last position"
    )
