"""Every notation against loops in `math`, and every shape against the inputs' own lengths."""

import math

import numpy as np
import pytest

from snippets import notation as page
from snippets.attention import attention
from snippets.running_example import KEYS, QUERY, TOKENS, VALUES, W_K, W_O, W_Q, W_V
from tests.by_hand import exact, plain

E = math.e
TOTAL = E**2 + E + 1
WEIGHTS = [E**2 / TOTAL, E / TOTAL, 1 / TOTAL]
MIXTURE = [2 * WEIGHTS[0] + WEIGHTS[2], 2 * WEIGHTS[1] + WEIGHTS[2]]
# Two queries, three keys, four coordinates, five in a value: no axis can be taken for another.
QUERIES = [[1.0, -0.5, 0.25, 2.0], [0.0, 1.5, -1.0, 0.5]]
MORE_KEYS = [[0.5, 1.0, -1.0, 0.0], [2.0, 0.0, 0.5, 0.25], [-1.0, 1.0, 1.0, 1.0]]
MORE_VALUES = [[1.0, 2.0, 3.0, 4.0, 5.0], [0.0, -1.0, 0.5, 2.0, 1.0], [3.0, 0.0, 0.0, -2.0, 7.0]]


def slowly() -> tuple[list[list[float]], list[list[float]]]:
    """Compute weights and mixtures of the asymmetric case with loops and `math` alone."""
    weights, mixtures = [], []
    for query in QUERIES:
        scores = [math.fsum(a * b for a, b in zip(query, k, strict=True)) / 2 for k in MORE_KEYS]
        total = math.fsum(math.exp(s) for s in scores)
        weights.append([math.exp(s) / total for s in scores])
        columns = zip(*MORE_VALUES, strict=True)
        mixtures.append(
            [math.fsum(a * v for a, v in zip(weights[-1], c, strict=True)) for c in columns]
        )
    return weights, mixtures


def test_each_layout_on_arrays_whose_sizes_all_differ() -> None:
    weights, mixtures = slowly()
    queries, keys, values = (np.array(rows) for rows in (QUERIES, MORE_KEYS, MORE_VALUES))
    for made in (
        page.as_rows(queries, keys, values),
        page.as_letters(queries, keys, values),
        [turned.T for turned in page.as_columns(queries.T, keys.T, values.T)],
        attention(queries, keys, values)[::-1],
    ):
        assert made[0].tolist() == [exact(row) for row in weights]
        assert made[1].tolist() == [exact(row) for row in mixtures]
    for query, row, mixture in zip(queries, weights, mixtures, strict=True):
        column, z = page.as_column(query[:, np.newaxis], keys, values)
        assert (column.shape, z.shape) == ((3, 1), (5, 1))
        assert column[:, 0].tolist() == exact(row)
        assert z[:, 0].tolist() == exact(mixture)


def test_the_hand_example_is_one_number_in_every_notation() -> None:
    rows = page.tables()["same"].rows
    assert len(rows) == len(page.in_every_notation()) == 5
    for _, *weights, mixture in rows:
        assert weights == exact(WEIGHTS)
        assert mixture == exact(MIXTURE)
    assert f"{WEIGHTS[0]:.4f}" == "0.6652"
    assert page.tables()["same"].columns[1:4] == tuple(f"Weight of {token}" for token in TOKENS)


def test_layouts_prints_shapes_that_differ(capsys: pytest.CaptureFixture[str]) -> None:
    page.layouts()
    lines = capsys.readouterr().out.splitlines()
    weights = [line.removeprefix("  weights ").split("  ") for line in lines[1::3]]
    mixtures = [line.removeprefix("  mixture ").split("  ") for line in lines[2::3]]
    assert [w[0].strip() for w in weights] == ["1 x 3", "3 x 1", "3 x 1", "3", "1 x 3"]
    assert [m[0].strip() for m in mixtures] == ["1 x 2", "2 x 1", "2 x 1", "2", "1 x 2"]
    assert {line.split("  ")[-1].strip() for line in lines[1::3]} == {"0.6652 0.2447 0.0900"}
    assert {line.split("  ")[-1].strip() for line in lines[2::3]} == {"1.4205 0.5795"}


def test_bahdanaus_letters_by_hand() -> None:
    vectors = page.vectors()
    x = [[1, 0, 0, 2 / 8], [0, 1, 0, 5 / 8], [0, 0, 1, 8 / 8]]  # position p adds p eighths
    assert [row.tolist() for row in page.hand_states()[1]] == [exact(row) for row in x]
    assert page.hand_states()[0].tolist() == exact(x[2])
    assert plain(vectors["e"]) == exact([2, 1, 0])
    assert plain(vectors["alpha"]) == exact(WEIGHTS)
    c = [math.fsum(a * row[i] for a, row in zip(WEIGHTS, x, strict=True)) for i in range(4)]
    assert plain(vectors["c"]) == exact(c)
    # Mixing first and projecting afterwards is projecting first and mixing afterwards.
    projected = [math.fsum(c[i] * W_V[i][column] for i in range(4)) for column in range(2)]
    assert plain(vectors["c_projected"]) == exact(projected)
    assert projected == exact(MIXTURE)
    # The column left out is the one, and the only one, that carries the position.
    assert [row[:2] for row in W_V[3:]] == [(0, 0)] and W_V[3][2] != 0


def test_the_state_that_asks_and_the_annotations_have_parts_of_their_own() -> None:
    h = np.array(MORE_KEYS)
    s = np.array([0.5, -1.0, 2.0, 1.0])
    q = [math.fsum(s[i] * W_Q[i][c] for i in range(4)) for c in range(2)]
    keys = [[math.fsum(row[i] * W_K[i][c] for i in range(4)) for c in range(2)] for row in h]
    scores = [(q[0] * k[0] + q[1] * k[1]) / math.sqrt(2) for k in keys]
    e, alpha, c = page.as_bahdanau(s, h)
    assert e.tolist() == exact(scores)
    total = math.fsum(math.exp(score) for score in scores)
    assert alpha.tolist() == exact([math.exp(score) / total for score in scores])
    assert c.tolist() == exact([math.fsum(alpha[j] * h[j][i] for j in range(3)) for i in range(4)])


def test_softmax_the_wrong_way_gives_the_plain_sum() -> None:
    vectors = page.vectors()
    assert plain(vectors["wrong_weights"]) == [1, 1, 1]
    sums = [math.fsum(value[c] for value in VALUES) for c in range(2)]
    assert plain(vectors["wrong_mixture"]) == exact(sums)


def test_sizes_under_the_formulas_are_the_inputs() -> None:
    numbers = page.numbers()
    assert numbers["n_q"] == 1
    assert numbers["n_k"] == len(KEYS) == len(VALUES)
    assert numbers["d_k"] == len(QUERY) == len(KEYS[0])
    assert numbers["d_v"] == len(VALUES[0])
    assert numbers["river_n"] == 9
    assert numbers["river_model"] == len(W_Q) == len(W_V)
    assert numbers["river_d_k"] == len(W_Q[0]) == len(W_K[0])
    assert numbers["river_d_v"] == len(W_V[0])
    assert numbers["heads"] == 2
    sizes = {numbers[f"river_{size}"] for size in ("n", "model", "d_k", "d_v")}
    assert len(sizes) == 4


def spelled(general: str, sizes: dict[str, int]) -> list[int]:
    """Put sizes for the letters of a shape such as $n \\times d_k$."""
    factors = general.strip("$").replace("d_\\text{model}", "d").split(" \\times ")
    return [math.prod(sizes[letter] for letter in factor.split()) for factor in factors]


def test_shapes_say_what_the_arrays_are() -> None:
    sizes = {"n": 9, "d": 4, "d_k": 2, "d_v": 3, "h": 2, "1": 1}
    symbols, heads = page.tables()["symbols"].rows, page.tables()["heads"].rows
    assert len(symbols) == len({row[0] for row in symbols}) == 17
    for symbol, _, general, size in [*symbols, *heads]:
        assert size == spelled(str(general), sizes), symbol
    assert [list(np.shape(W_O))] == [row[3] for row in heads if row[0] == "$W_O$"]
    # Q and K have one shape, as have W_Q and W_K: the table names each pair once.
    assert np.shape(W_Q) == np.shape(W_K)


def test_table_of_letters_names_the_same_things_as_the_formulas() -> None:
    table = page.tables()["letters"]
    here = [row[1] for row in table.rows]
    assert here[:6] == ["$q_i$", "$k_j$", "$v_j$", "$s_{ij}$", "$\\alpha_{ij}$", "$z_i$"]
    by_name = {row[0]: row for row in table.rows}
    # What asks, what is asked and what is handed over: the last two are one in the old letters.
    assert "s_{i-1}" in by_name["query"][4]
    assert "h_j" in by_name["key"][4] and "h_j" in by_name["value"][4]
    assert by_name["value matrix"][4] == "none"
