"""Readings leave the parameters alone; a step of training does not. Against `math` and loops."""

import hashlib
import struct

import numpy as np
import pytest

from snippets import learned_and_computed as chapter
from snippets import values
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
from tests.by_hand import WORDS, exact, plain, rows, scores, softmax, times

ARRAYS = {
    "embedding table": list(EMBEDDINGS.values()),
    "position row": [POSITION_STEP],
    "$W_Q$": W_Q,
    "$W_K$": W_K,
    "$W_V$": W_V,
}
SIZES = {name: len(array) * len(array[0]) for name, array in ARRAYS.items()}


def flat() -> list[float]:
    """Return the parameters as one list of floats, straight from the inputs."""
    return [float(entry) for array in ARRAYS.values() for row in array for entry in row]


def in_arrays(theta: list[float]) -> list[list[list[float]]]:
    """Cut a list of parameters into rows again, array by array."""
    left, cut = iter(theta), []
    for array in ARRAYS.values():
        cut.append([[next(left) for _ in row] for row in array])
    return cut


def slowly(theta: list[float], sentence: str) -> tuple[list[float], list[float]]:
    """Return the mixture and the weights at bank, from a list of parameters, with loops alone."""
    table, (step,), w_q, w_k, w_v = in_arrays(theta)
    known, words = list(EMBEDDINGS), WORDS[sentence]
    x = [
        [e + place * s for e, s in zip(table[known.index(word)], step, strict=True)]
        for place, word in enumerate(words, start=1)
    ]
    query = times(x[words.index("bank")], w_q)
    weights = softmax(scores(query, [times(row, w_k) for row in x]))
    return times(weights, [times(row, w_v) for row in x]), weights


def slow_error(theta: list[float], sentence: str) -> float:
    mixture, _ = slowly(theta, sentence)
    return sum((z - t) ** 2 for z, t in zip(mixture, chapter.TARGET, strict=True))


def slow_step() -> list[float]:
    """Take the step with another nudge than the chapter's."""
    theta, moved = flat(), []
    for i in range(len(theta)):
        more, less = theta.copy(), theta.copy()
        more[i] += 1e-5
        less[i] -= 1e-5
        slope = (slow_error(more, RIVER) - slow_error(less, RIVER)) / 2e-5
        moved.append(theta[i] - chapter.STEP * slope)
    return moved


def differ() -> list[bool]:
    """Say for each parameter whether the step moves it."""
    return [abs(a - b) > 1e-9 for a, b in zip(flat(), slow_step(), strict=True)]


def test_numbers() -> None:
    river, money = slowly(flat(), RIVER)[1], slowly(flat(), MONEY)[1]
    numbers = plain(chapter.numbers())
    trained = {
        "river_error_after": slow_error(slow_step(), RIVER),
        "money_error_after": slow_error(slow_step(), MONEY),
    }
    for name, value in trained.items():  # two nudges agree to fewer digits
        assert plain(chapter.numbers())[name] == pytest.approx(value, abs=1e-7)
        del numbers[name]
    assert numbers == exact(
        {
            "count": len(flat()),
            "place": chapter.PLACE,
            "river_first": max(river),
            "money_first": max(money),
            "river_weights": len(WORDS[RIVER]) ** 2,
            "long_weights": (len(WORDS[RIVER]) + len(WORDS[MONEY])) ** 2,
            "again": 0,
            "step": chapter.STEP,
            "river_error": slow_error(flat(), RIVER),
            "money_error": slow_error(flat(), MONEY),
            "all_moved": sum(differ()),
        }
    )
    assert numbers["again"] == 0  # exactly


def test_vectors() -> None:
    keys = [times(rows(WORDS[s])[chapter.PLACE - 1], W_K) for s in (RIVER, MONEY)]
    assert plain(chapter.vectors()) == exact(
        {
            "river_key": keys[0],
            "money_key": keys[1],
            "target": list(chapter.TARGET),
            "mixture": slowly(flat(), RIVER)[0],
        }
    )


def test_the_parameters_are_the_inputs() -> None:
    assert {name: array.size for name, array in chapter.parameters().items()} == SIZES
    joined = np.concatenate([array.ravel() for array in chapter.parameters().values()])
    assert joined.tolist() == flat()


def test_texts_and_the_checksum_of_the_bytes() -> None:
    content = struct.pack(f"<{len(flat())}d", *flat())
    checksum = hashlib.sha256(content).hexdigest()[:12]
    assert chapter.texts() == {
        "before": checksum,
        "between": checksum,
        "after": checksum,
        "trained": "another",
        "river_token": WORDS[RIVER][chapter.PLACE - 1],
        "money_token": WORDS[MONEY][chapter.PLACE - 1],
    }
    changed = chapter.parameters()
    changed["$W_V$"][3, 2] = np.nextafter(changed["$W_V$"][3, 2], 2)  # one bit
    assert chapter.checksum(changed) != checksum


@pytest.mark.parametrize("sentence", [RIVER, MONEY])
def test_reading_is_that_of_the_earlier_chapter_and_of_the_loops(sentence: str) -> None:
    mixture, weights = chapter.at_bank_with(chapter.parameters(), sentence)
    slow_mixture, slow_weights = slowly(flat(), sentence)
    assert weights.tolist() == exact(slow_weights)
    assert mixture.tolist() == exact(slow_mixture)
    before, shares = values.at_bank(sentence)
    assert (before.tolist(), shares.tolist()) == (exact(mixture.tolist()), exact(weights.tolist()))


def test_two_rows_of_weights() -> None:
    river, money = slowly(flat(), RIVER)[1], slowly(flat(), MONEY)[1]
    both = zip(WORDS[RIVER], river, WORDS[MONEY], money, strict=True)
    assert plain(chapter.tables()["rows"].rows) == exact([list(row) for row in both])
    assert river != exact(money)


def test_reading_again_gives_the_same() -> None:
    once, _ = chapter.at_bank_with(chapter.parameters(), RIVER)
    chapter.at_bank_with(chapter.parameters(), MONEY)
    again, _ = chapter.at_bank_with(chapter.parameters(), RIVER)
    assert once.tolist() == again.tolist()


def test_what_grows_with_the_text() -> None:
    made = sum(len(matrix[0]) for matrix in (W_Q, W_K, W_V))  # for each token
    lengths = {"open": len(WORDS[OPEN]), "river": len(WORDS[RIVER])}
    lengths["river, then money"] = len(WORDS[RIVER]) + len(WORDS[MONEY])
    assert plain(chapter.tables()["sizes"].rows) == [
        [name, n, len(flat()), n * made, n * n] for name, n in lengths.items()
    ]
    assert lengths["river, then money"] == 2 * lengths["river"]  # "twice the length"


def test_meanings() -> None:
    weights = slowly(flat(), RIVER)[1]
    assert plain(chapter.tables()["meanings"].rows[-3:]) == [
        ["Smallest here", min(flat()), exact(min(weights))],
        ["Largest here", max(flat()), exact(max(weights))],
        ["Add up to", "nothing in particular", exact(1)],
    ]


def test_which_parameters_a_step_moves() -> None:
    moved, expected = iter(differ()), []
    for name, size in SIZES.items():
        expected.append([name, size, sum(next(moved) for _ in range(size))])
    assert plain(chapter.tables()["step"].rows) == expected
    for word, row in zip(EMBEDDINGS, in_arrays(differ())[0], strict=True):
        assert any(row) == (word in WORDS[RIVER])  # "words that the sentence does not contain"


def says(claim: bool, sentence: str) -> None:
    assert claim, f'docs/learned-and-computed.md: change the sentence "{sentence}"'


def test_what_the_text_says() -> None:
    """Claims that hold for these inputs; on failure, change the sentence that is quoted."""
    numbers, texts = chapter.numbers(), chapter.texts()
    fell = numbers["river_error_after"] < numbers["river_error"]
    says(fell, "The error in the river sentence falls")
    rose = numbers["money_error_after"] > numbers["money_error"]
    says(rose, "the error goes from ..., while on the river sentence it fell")
    says(all(any(map(any, array)) for array in in_arrays(differ())), "some in each array")
    says(texts["trained"] == "another", "After the step of training above, by contrast")
    queries = [times(rows(WORDS[s])[WORDS[s].index("bank")], W_Q) for s in (RIVER, MONEY)]
    says(queries[0] == exact(queries[1]), "Even the query at bank was the same both times")
    vectors = plain(chapter.vectors())
    says(vectors["river_key"] != vectors["money_key"], "It was the keys that differed")
    shown = [f"{numbers[name]:.4f}" for name in ("river_first", "money_first")]
    says(shown[0] != shown[1], "What is computed from them differs")


def test_training_leaves_the_old_parameters_alone() -> None:
    learned = chapter.parameters()
    chapter.train_once(learned, RIVER)
    assert chapter.checksum(learned) == chapter.texts()["before"]


def test_demo_prints_three_checksums_and_two_rows(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(set(chapter.read_both())) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in lines[::2]] == [chapter.texts()["before"]] * 3
    for line, sentence in zip(lines[1::2], (RIVER, MONEY), strict=True):
        assert line.split()[1:] == [f"{weight:.2f}" for weight in slowly(flat(), sentence)[1]]
