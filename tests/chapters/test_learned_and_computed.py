"""Readings leave the parameters alone; a step of training does not. Against `math` and loops."""

import hashlib
import math
import struct

import numpy as np
import pytest

from publisher.results import Number
from snippets import learned_and_computed as chapter
from snippets import values
from snippets.running_example import EMBEDDINGS, MONEY, POSITION_STEP, RIVER, W_K, W_Q, W_V
from tests.by_hand import WORDS, exact, plain

# The places of the parameters in one long list.
SIZES = {"embedding table": 64, "position row": 4, "$W_Q$": 8, "$W_K$": 8, "$W_V$": 12}


def flat() -> list[float]:
    """Return the parameters as one list of floats, straight from the inputs."""
    rows = [*EMBEDDINGS.values(), POSITION_STEP, *W_Q, *W_K, *W_V]
    return [float(entry) for row in rows for entry in row]


def slowly(theta: list[float], sentence: str) -> tuple[list[float], list[float]]:
    """Return the mixture and the weights at bank, from a list of parameters, with loops alone."""
    known = list(EMBEDDINGS)
    table, step = [theta[4 * i : 4 * i + 4] for i in range(16)], theta[64:68]
    w_q, w_k = ([theta[s + 2 * i : s + 2 * i + 2] for i in range(4)] for s in (68, 76))
    w_v = [theta[84 + 3 * i : 87 + 3 * i] for i in range(4)]

    def times(x: list[float], matrix: list[list[float]]) -> list[float]:
        columns = zip(*matrix, strict=True)
        return [math.fsum(a * w for a, w in zip(x, c, strict=True)) for c in columns]

    xs = [
        [e + place * s for e, s in zip(table[known.index(word)], step, strict=True)]
        for place, word in enumerate(WORDS[sentence], start=1)
    ]
    query = times(xs[7], w_q)
    powers = [
        math.exp(sum(q * k for q, k in zip(query, times(x, w_k), strict=True)) / math.sqrt(2))
        for x in xs
    ]
    weights = [power / math.fsum(powers) for power in powers]
    return times(weights, [times(x, w_v) for x in xs]), weights


def slow_error(theta: list[float], sentence: str) -> float:
    mixture, _ = slowly(theta, sentence)
    return sum((z - t) ** 2 for z, t in zip(mixture, (1, 1, 0.5), strict=True))


def slow_step() -> list[float]:
    """Take the step by one-sided differences in another number of digits."""
    theta, moved = flat(), []
    for i in range(len(theta)):
        more, less = theta.copy(), theta.copy()
        more[i] += 1e-5
        less[i] -= 1e-5
        slope = (slow_error(more, RIVER) - slow_error(less, RIVER)) / 2e-5
        moved.append(theta[i] - 0.001 * slope)
    return moved


def test_the_parameters_are_the_inputs() -> None:
    assert {name: array.size for name, array in chapter.parameters().items()} == SIZES
    joined = np.concatenate([array.ravel() for array in chapter.parameters().values()])
    assert joined.tolist() == flat()
    numbers = chapter.numbers()
    assert numbers["count"] == len(flat()) == 96


def test_checksum_is_sha256_of_the_bytes() -> None:
    content = struct.pack("<96d", *flat())
    texts = chapter.texts()
    assert texts["before"] == hashlib.sha256(content).hexdigest()[:12]
    assert texts["before"] == texts["between"] == texts["after"]
    changed = chapter.parameters()
    changed["$W_V$"][3, 2] = np.nextafter(changed["$W_V$"][3, 2], 2)  # one bit
    assert chapter.checksum(changed) != texts["before"]


@pytest.mark.parametrize("sentence", [RIVER, MONEY])
def test_reading_is_that_of_the_earlier_chapter_and_of_the_loops(sentence: str) -> None:
    mixture, weights = chapter.at_bank(chapter.parameters(), sentence)
    slow_mixture, slow_weights = slowly(flat(), sentence)
    assert weights.tolist() == exact(slow_weights)
    assert mixture.tolist() == exact(slow_mixture)
    before, shares = values.at_bank(sentence)
    assert (before.tolist(), shares.tolist()) == (exact(mixture.tolist()), exact(weights.tolist()))


def test_two_rows_of_weights_differ() -> None:
    rows = chapter.tables()["rows"].rows
    river, money = slowly(flat(), RIVER)[1], slowly(flat(), MONEY)[1]
    assert [row[0] for row in rows] == WORDS[RIVER]
    assert [row[1] for row in rows] == exact(river)
    assert [row[2] for row in rows] == WORDS[MONEY]
    assert [row[3] for row in rows] == exact(money)
    assert max(abs(a - b) for a, b in zip(river, money, strict=True)) > 0.1
    numbers = chapter.numbers()
    assert numbers["river_first"] == exact(max(river))
    assert numbers["money_first"] == exact(max(money))
    assert f"{max(river):.4f}" != f"{max(money):.4f}"


def test_reading_again_gives_the_same() -> None:
    assert chapter.numbers()["again"].value == 0
    once, _ = chapter.at_bank(chapter.parameters(), RIVER)
    chapter.at_bank(chapter.parameters(), MONEY)
    again, _ = chapter.at_bank(chapter.parameters(), RIVER)
    assert once.tolist() == again.tolist()


def test_the_query_is_the_same_and_the_key_differs() -> None:
    queries = [chapter.project(chapter.parameters(), s)[0][7].tolist() for s in (RIVER, MONEY)]
    assert queries[0] == queries[1] == exact([math.sqrt(2), 0])
    vectors, texts = chapter.vectors(), chapter.texts()
    assert chapter.numbers()["place"] == 2
    assert (texts["river_token"], texts["money_token"]) == ("fisherman", "cashier")
    for name, row in (("river_key", EMBEDDINGS["fisherman"]), ("money_key", EMBEDDINGS["cashier"])):
        key = [sum(x * w for x, w in zip(row, c, strict=True)) for c in zip(*W_K, strict=True)]
        assert plain(vectors[name]) == key
    assert plain(vectors["river_key"]) != plain(vectors["money_key"])


def test_what_grows_with_the_text() -> None:
    rows = chapter.tables()["sizes"].rows
    assert [row[0] for row in rows] == ["open", "river", "river, then money"]
    for (_, *shown), n in zip(rows, (7, 9, 18), strict=True):
        assert shown == [n, 96, n * (2 + 2 + 3), n * n]
    numbers = chapter.numbers()
    assert (numbers["river_weights"], numbers["long_weights"]) == (9**2, 18**2)
    assert rows[2][1] == 2 * rows[1][1] and rows[2][4] == 4 * rows[1][4]


def test_meanings() -> None:
    rows = {row[0]: row[1:] for row in chapter.tables()["meanings"].rows}
    weights = slowly(flat(), RIVER)[1]
    assert plain(rows["Smallest here"]) == [min(flat()), exact(min(weights))]
    assert plain(rows["Largest here"]) == [max(flat()), exact(max(weights))]
    assert rows["Add up to"][1].value == exact(1)
    assert min(weights) > 0 > min(flat())


def test_one_step_of_training() -> None:
    numbers, vectors = chapter.numbers(), chapter.vectors()
    moved = slow_step()
    assert (numbers["step"].value, plain(vectors["target"])) == (0.001, [1, 1, 0.5])
    assert vectors["mixture"].tolist() == exact(slowly(flat(), RIVER)[0])
    for name, sentence in (("river_error", RIVER), ("money_error", MONEY)):
        assert numbers[name] == exact(slow_error(flat(), sentence))
    assert numbers["river_error_after"] == pytest.approx(slow_error(moved, RIVER), abs=1e-7)
    assert numbers["money_error_after"] == pytest.approx(slow_error(moved, MONEY), abs=1e-7)
    assert numbers["river_error_after"] < numbers["river_error"]  # "falls"
    # "while on the river sentence it fell": on the sentence held out it does not.
    assert numbers["money_error_after"] > numbers["money_error"]
    assert chapter.texts()["trained"] == "another"


def test_which_parameters_a_step_moves() -> None:
    differ = [abs(a - b) > 1e-9 for a, b in zip(flat(), slow_step(), strict=True)]
    rows, start = chapter.tables()["step"].rows, 0
    for name, size, moved in rows:
        assert (SIZES[name], sum(differ[start : start + size])) == (size, moved)
        assert moved > 0  # "some in each array"
        start += size
    assert chapter.numbers()["all_moved"] == sum(differ) < 96
    for i, word in enumerate(EMBEDDINGS):  # "rows of words that the sentence does not contain"
        assert all(differ[4 * i : 4 * i + 4]) == (word in WORDS[RIVER])
        assert any(differ[4 * i : 4 * i + 4]) == (word in WORDS[RIVER])
    # "multiplied by zero": x at bank for W_Q, the query for W_K; both hold [.., 0] and [0, 0, ..].
    assert differ[68:76] == [False] * 4 + [True] * 4
    assert differ[76:84] == [True, False] * 4


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


def test_inputs_are_shown_short() -> None:
    assert all(isinstance(entry, Number) for entry in chapter.vectors()["target"])
