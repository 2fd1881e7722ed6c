"""The note's matrices against loops in plain Python, position by position."""

import math

import pytest

from snippets.notes import matrices as note
from snippets.running_example import EMBEDDINGS, POSITION_STEP, RIVER, W_K, W_Q, W_V
from snippets.values import at_bank
from tests.by_hand import exact, times

TOKENS = ["The", "fisherman", "repaired", "his", "net", "beside", "the", "bank", "."]
BANK, FISHERMAN = 7, 1
Row = list[float]


def x_rows() -> list[Row]:
    return [
        [e + place * step for e, step in zip(EMBEDDINGS[token], POSITION_STEP, strict=True)]
        for place, token in enumerate(TOKENS, start=1)
    ]


def score(i: int, j: int) -> float:
    query, key = times(x_rows()[i], W_Q), times(x_rows()[j], W_K)
    return sum(a * b for a, b in zip(query, key, strict=True)) / math.sqrt(len(key))


def weights(i: int, last: int = 8) -> Row:
    """Return row i of the weights over the positions up to `last`; the rest do not exist."""
    powers = [math.exp(score(i, j)) for j in range(last + 1)]
    return [p / sum(powers) for p in powers] + [0.0] * (8 - last)


def mixture(i: int, last: int = 8) -> Row:
    values = [times(x, W_V) for x in x_rows()]
    return [sum(a * v[c] for a, v in zip(weights(i, last), values, strict=True)) for c in range(3)]


def test_shapes() -> None:
    numbers = note.numbers()
    assert (numbers["n"], numbers["d_model"]) == (9, 4) == (len(TOKENS), len(EMBEDDINGS["bank"]))
    assert (numbers["d_k"], numbers["d_v"]) == (2, 3) == (len(W_K[0]), len(W_V[0]))
    assert numbers["entries"] == 81
    assert (numbers["n_open"], numbers["entries_open"]) == (7, 49)
    assert numbers["parameters"] == sum(len(row) for matrix in (W_Q, W_K, W_V) for row in matrix)
    assert len({numbers[name] for name in ("n", "d_model", "d_k", "d_v")}) == 4
    _, head = note.river()
    assert [made.shape for made in head] == [
        (9, 4), (9, 2), (9, 2), (9, 3), (9, 9), (9, 9), (9, 3),
    ]  # fmt: skip


def test_table_x_holds_every_row() -> None:
    rows = note.tables()["x"].rows
    assert [row[0] for row in rows] == TOKENS
    for row, x in zip(rows, x_rows(), strict=True):
        for cell, expected in zip(
            row[1:], (x, times(x, W_Q), times(x, W_K), times(x, W_V)), strict=True
        ):
            assert [number.value for number in cell] == exact(expected)


def test_weights_row_by_row() -> None:
    table = note.tables()["weights"]
    assert list(table.columns[1:]) == [row[0] for row in table.rows] == TOKENS
    for i, (_, *cells) in enumerate(table.rows):
        assert [cell.value for cell in cells] == exact(weights(i))


def test_row_of_bank_is_the_calculation_for_bank_alone() -> None:
    vectors = note.vectors()
    assert note.numbers()["place"] == TOKENS.index("bank") + 1 == 8
    assert vectors["mixture"].tolist() == exact(mixture(BANK))
    assert vectors["alone"].tolist() == exact(mixture(BANK))
    assert vectors["mixture"].tolist() == exact(at_bank(RIVER)[0].tolist())  # as in the chapter
    _, head = note.river()
    for i in range(9):
        assert note.one_position(head.x, i).tolist() == exact(head.mixtures[i].tolist())


def test_rows_add_up_to_one_and_columns_do_not() -> None:
    numbers = note.numbers()
    assert numbers["row_sum"].value == exact(1)
    column = sum(weights(i)[FISHERMAN] for i in range(9))
    assert numbers["column_sum"] == exact(column)
    assert abs(column - 1) > 0.1
    assert times(x_rows()[TOKENS.index("the")], W_Q) == [0, 0]
    assert weights(TOKENS.index("the")) == exact([1 / 9] * 9)


def test_table_is_not_symmetric() -> None:
    numbers = note.numbers()
    assert numbers["asking_asked"] == exact(weights(BANK)[FISHERMAN])
    assert numbers["asked_asking"] == exact(weights(FISHERMAN)[BANK])
    assert abs(numbers["asking_asked"] - numbers["asked_asking"]) > 0.1


def test_symmetric_scores_make_asymmetric_weights() -> None:
    vectors, tables, numbers = note.vectors(), note.tables(), note.numbers()
    x = [[n.value for n in vectors[name]] for name in ("own_fisherman", "own_net", "own_bank")]
    assert x == [[2, 0], [1, 1], [0, 1]]
    scores = [[sum(a * b for a, b in zip(p, q, strict=True)) / math.sqrt(2) for q in x] for p in x]
    shares = []
    for i, (name, *cells) in enumerate(tables["own_scores"].rows):
        assert name == ("fisherman", "net", "bank")[i]
        assert [cell.value for cell in cells] == exact(scores[i])
        powers = [math.exp(s) for s in scores[i]]
        shares.append([p / sum(powers) for p in powers])
        assert [c.value for c in tables["own_weights"].rows[i][1:]] == exact(shares[i])
    assert all(scores[i][j] == scores[j][i] for i in range(3) for j in range(3))
    assert all(abs(shares[i][j] - shares[j][i]) > 0.01 for i in range(3) for j in range(i))
    assert numbers["net_fisherman"] == exact(shares[1][0])
    assert numbers["fisherman_net"] == exact(shares[0][1])


def test_softmax_along_rows_and_down_columns() -> None:
    numbers, vectors, tables = note.numbers(), note.vectors(), note.tables()
    asked, asking = [FISHERMAN, 4, BANK], [4, BANK]
    assert (numbers["few_queries"], numbers["few_keys"]) == (2, 3)
    powers = [[math.exp(score(i, j)) for j in asked] for i in asking]
    right = [[p / sum(row) for p in row] for row in powers]
    columns = [sum(column) for column in zip(*powers, strict=True)]
    wrong = [[p / total for p, total in zip(row, columns, strict=True)] for row in powers]
    values = [times(x_rows()[j], W_V) for j in asked]
    for name, weights, vector in (
        ("along_rows", right, "right_mixture"),
        ("down_columns", wrong, "wrong_mixture"),
    ):
        assert [row[0] for row in tables[name].rows] == ["net", "bank"]
        for row, expected in zip(tables[name].rows, weights, strict=True):
            assert list(row[1:4]) == exact(expected)
            assert row[4].value == exact(sum(expected))
        mixed = [sum(a * v[c] for a, v in zip(weights[1], values, strict=True)) for c in range(3)]
        assert vectors[vector].tolist() == exact(mixed)
    assert all(sum(row) == exact(1) for row in right)
    assert all(abs(sum(row) - 1) > 0.1 for row in wrong)
    downwards = zip(*(row[1:4] for row in tables["down_columns"].rows), strict=True)
    assert [sum(column) for column in downwards] == exact([1, 1, 1])


def test_keepdims_left_out_raises_unless_the_table_is_square() -> None:
    numbers = note.numbers()
    scores, _ = note.few()
    with pytest.raises(ValueError, match="broadcast"):
        note.without_keepdims(scores)
    powers = [[math.exp(score(i, j)) for j in (FISHERMAN, 4)] for i in (4, BANK)]
    wrong = [powers[1][0] / sum(powers[0]), powers[1][1] / sum(powers[1])]
    assert numbers["without_keepdims"] == exact(wrong[0]) and wrong[0] > 1
    assert numbers["without_keepdims_sum"] == exact(sum(wrong)) and abs(sum(wrong) - 1) > 0.1


def test_mask_makes_zeros_and_shares_out_the_rest() -> None:
    numbers, tables = note.numbers(), note.tables()
    assert numbers["part"] == 4
    rows = zip(tables["causal_scores"].rows, tables["causal_weights"].rows, strict=True)
    for i, (scored, weighed) in enumerate(rows):
        assert scored[0] == weighed[0] == TOKENS[i]
        assert [cell.value for cell in weighed[1:]] == exact(weights(i, last=i)[:4])
        assert [cell.value for cell in weighed[i + 2 :]] == [0.0] * (3 - i)
        assert [cell.value for cell in scored[1 : i + 2]] == exact(
            [score(i, j) for j in range(i + 1)]
        )
        assert list(scored[i + 2 :]) == ["$-\\infty$"] * (3 - i)
    assert list(tables["causal_scores"].columns[1:]) == TOKENS[:4]


def test_mask_takes_only_the_full_stop_from_bank() -> None:
    numbers = note.numbers()
    assert numbers["stop"] == exact(weights(BANK)[8])
    assert numbers["cut_after"] == exact(sum(weights(BANK)[:8])) == exact(1 - numbers["stop"])
    assert numbers["asking_asked_causal"] == exact(weights(BANK, last=BANK)[FISHERMAN])
    assert numbers["asking_asked_causal"] == exact(numbers["asking_asked"] / (1 - numbers["stop"]))
    assert numbers["asking_asked_causal"] > numbers["asking_asked"]


def test_mixtures_without_and_with_the_mask() -> None:
    rows = note.tables()["mixtures"].rows
    assert [row[0] for row in rows] == TOKENS
    for i, (_, free, causal) in enumerate(rows):
        assert free.tolist() == exact(mixture(i))
        assert causal.tolist() == exact(mixture(i, last=i))
    assert rows[-1][1].tolist() == rows[-1][2].tolist()
    vectors = note.vectors()
    own = times(x_rows()[0], W_V)
    assert [n.value for n in vectors["first_value"]] == exact(own)
    assert [n.value for n in vectors["first_causal"]] == exact(own)


def test_figure_and_text() -> None:
    figure = note.figures()["shapes"]
    rows = {row[0][0]: tuple(row[1:]) for row in figure.data.rows}
    assert rows == {"Q": (9, 2), "K": (2, 9), "S": (9, 9), "A": (9, 9), "V": (9, 3), "Z": (9, 3)}
    for _, a, b in figure.data.rows:
        assert f"{a} × {b}" in figure.description
    assert note.texts()["river"] == RIVER == "The fisherman repaired his net beside the bank."


def test_demo_prints_both_rows(capsys: pytest.CaptureFixture[str]) -> None:
    note.shapes()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1:] for line in lines[:2]] == [["9", "x", "4"], ["9", "x", "2"]]
    for line in lines[-2:]:
        assert [float(z) for z in line.split(":")[1].split()] == pytest.approx(
            mixture(BANK), abs=5.1e-5
        )
