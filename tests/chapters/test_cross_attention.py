"""Cross-attention and both scores against slow loops in `math`."""

import math

import pytest
from matplotlib.patches import Rectangle

from snippets import cross_attention as chapter
from snippets.attention import additive_scores, multi_head_attention
from snippets.running_example import RIVER as SENTENCE
from snippets.running_example import W_K, W_Q, W_V
from tests.by_hand import WORDS, dot, exact, plain, rows, softmax, times

E = math.e
RIVER = WORDS[SENTENCE]
TOKENS = ["fisherman", "net", "bank"]
STATES = [list(state) for state in chapter.OUTPUT_STATES]
SOURCE = [rows(RIVER)[RIVER.index(token)] for token in TOKENS]
QUERIES = [times(x, W_Q) for x in STATES]
KEYS = [times(x, W_K) for x in SOURCE]
VALUES = [times(x, W_V) for x in SOURCE]
PAIRS = [(i, j) for i in range(2) for j in range(3)]


DOT = [[dot(q, k) / math.sqrt(2) for k in KEYS] for q in QUERIES]
WEIGHTS = [softmax(row) for row in DOT]
MIXTURES = [times(row, VALUES) for row in WEIGHTS]
SUMS = {
    (i, j): [
        a + b
        for a, b in zip(
            times(QUERIES[i], chapter.W_QUERY), times(KEYS[j], chapter.W_KEY), strict=True
        )
    ]
    for i, j in PAIRS
}
HIDDEN = {pair: [math.tanh(s) for s in sums] for pair, sums in SUMS.items()}
ADDITIVE = [[dot(HIDDEN[i, j], list(chapter.V_SCORE)) for j in range(3)] for i in range(2)]


def test_sizes_differ_so_that_no_shape_hides_a_mistake() -> None:
    numbers = chapter.numbers()
    assert (numbers["m"], numbers["n"]) == (2, 3)
    assert (len(W_Q), numbers["d_k"], numbers["d_v"]) == (4, 2, 3)
    assert (numbers["wrong_m"], numbers["wrong_n"]) == (3, 2)
    assert (numbers["hidden"], numbers["parameters"]) == (3, 2 * 3 + 2 * 3 + 3)


def test_queries_from_the_output_keys_and_values_from_the_source() -> None:
    table = chapter.tables()["roles"].rows
    assert [row[0] for row in table] == ["Am", "Ufer", *TOKENS]
    assert [row[1] for row in table] == ["output"] * 2 + ["source"] * 3
    assert [plain(row[2]) for row in table] == exact([*STATES, *SOURCE])
    assert [plain(row[3]) for row in table] == [*map(exact, QUERIES), "", "", ""]
    assert [plain(row[4]) for row in table] == ["", "", *map(exact, KEYS)]
    assert [plain(row[5]) for row in table] == ["", "", *map(exact, VALUES)]
    assert chapter.texts()["output"] == "Am Ufer"


def test_weights_and_mixtures() -> None:
    table = chapter.tables()["weights"].rows
    for row, weights, mixture in zip(table, WEIGHTS, MIXTURES, strict=True):
        assert plain(row[1:4]) == exact(weights)
        assert plain(row[4]) == exact(1)
        assert row[5] == exact(mixture)


def test_multi_head_attention_with_a_context_agrees() -> None:
    identity = [[1.0 if i == j else 0.0 for j in range(3)] for i in range(3)]
    output, weights = multi_head_attention(STATES, [W_Q], [W_K], [W_V], identity, context=SOURCE)
    assert output.tolist() == exact(MIXTURES)
    assert weights[0].tolist() == exact(WEIGHTS)


def test_swapped_roles() -> None:
    output, weights = chapter.exchanged()
    assert weights.shape == (3, 2)
    assert weights.sum(axis=1).tolist() == exact([1, 1, 1])  # the source shares out instead
    assert output.shape == (3, 3)  # a row for each source position


def test_shapes_are_printed_from_the_arrays(capsys: pytest.CaptureFixture[str]) -> None:
    chapter.shapes()
    lines = capsys.readouterr().out.splitlines()
    assert [line.rsplit("  ", 1)[1].strip() for line in lines[:7]] == [
        "2 x 4", "3 x 4", "2 x 2", "3 x 2", "3 x 3", "2 x 3", "2 x 3",
    ]  # fmt: skip
    for line, row in zip(lines[7:], WEIGHTS, strict=True):
        assert line.split()[1:] == [f"{weight:.4f}" for weight in row]


def test_values_in_the_place_of_keys_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    chapter.values_for_keys()
    printed = " ".join(capsys.readouterr().out.split())
    assert printed.startswith("ValueError: keys has d_k = 3 but queries has d_k = 2")


def test_keys_in_the_place_of_values_pass_where_sizes_are_equal() -> None:
    weights = [E**2, E, 1]
    vectors = chapter.vectors()
    for name, mixed in (
        ("mixture", [(2, 0), (0, 2), (1, 1)]),
        ("mixture_of_keys", [(2, 0), (1, 1), (0, 1)]),
    ):
        expected = [dot(weights, [v[c] for v in mixed]) / sum(weights) for c in (0, 1)]
        assert vectors[name].tolist() == exact(expected)


def test_parts_of_the_sums() -> None:
    table = chapter.tables()["parts"].rows
    assert [row[0] for row in table] == [
        "Am, query", "Ufer, query", "fisherman, key", "net, key", "bank, key",
    ]  # fmt: skip
    assert [plain(row[1]) for row in table] == exact([*QUERIES, *KEYS])
    parts = [times(q, chapter.W_QUERY) for q in QUERIES] + [times(k, chapter.W_KEY) for k in KEYS]
    assert [plain(row[2]) for row in table] == exact(parts)


def test_additive_scores_step_by_step() -> None:
    for row, (i, j) in zip(chapter.tables()["additive"].rows, PAIRS, strict=True):
        assert row[:2] == (chapter.OUTPUT[i], TOKENS[j])
        assert plain(row[2]) == exact(SUMS[i, j])
        assert row[3] == exact(HIDDEN[i, j])
        assert row[4] == exact(ADDITIVE[i][j])


def test_one_additive_score(capsys: pytest.CaptureFixture[str]) -> None:
    numbers, texts = chapter.numbers(), chapter.texts()
    assert (texts["asks"], texts["asked"]) == ("Ufer", "fisherman")
    by_hand = math.tanh(2) + 2 * math.tanh(-1) + math.tanh(0.5)
    assert numbers["additive"] == exact(by_hand)
    assert [n.value for n in chapter.vectors()["v_a"]] == [1, 2, 1]
    chapter.one_additive_score()
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [float(cell) for cell in lines[0][-3:]] == [1, -0.5, 0.5]
    assert [float(cell) for cell in lines[1][-3:]] == [1, -0.5, 0]
    assert [float(cell) for cell in lines[2][-3:]] == [2, -1, 0.5]
    assert lines[3][-3:] == [f"{round(math.tanh(s), 4):g}" for s in (2, -1, 0.5)]
    assert lines[-1] == ["score", f"{round(by_hand, 4):g}"]


def test_additive_scores_are_bounded() -> None:
    bound = chapter.numbers()["bound"].value
    assert bound == 1 + 2 + 1
    far = additive_scores(
        [[1e6, 1e6]], [[0.0, 0.0]], chapter.W_QUERY, chapter.W_KEY, chapter.V_SCORE
    )
    assert abs(far).max() <= bound
    assert all(abs(score) < bound for row in ADDITIVE for score in row)


def test_both_scores_on_the_same_vectors() -> None:
    for row, (i, j) in zip(chapter.tables()["both"].rows, PAIRS, strict=True):
        assert row[:2] == (chapter.OUTPUT[i], TOKENS[j])
        assert plain(row[2]) == exact(dot(QUERIES[i], KEYS[j]))
        assert row[3:5] == exact((DOT[i][j], WEIGHTS[i][j]))
        assert row[5:] == exact((ADDITIVE[i][j], softmax(ADDITIVE[i])[j]))
    vectors, texts = chapter.vectors(), chapter.texts()
    assert vectors["dot_weights"].tolist() == exact(WEIGHTS[1])
    assert vectors["additive_weights"].tolist() == exact(softmax(ADDITIVE[1]))
    assert texts["dot_first"] == TOKENS[DOT[1].index(max(DOT[1]))] == "fisherman"
    assert texts["additive_first"] == TOKENS[ADDITIVE[1].index(max(ADDITIVE[1]))] == "bank"


def test_the_two_scores_rank_differently() -> None:
    rows = {row[0]: row[1:] for row in chapter.tables()["ranked"].rows}
    assert DOT[0][1] == exact(DOT[0][2])
    assert rows["Am"] == ("net = bank > fisherman", "net > bank > fisherman")
    assert rows["Ufer"] == ("fisherman > net > bank", "bank > net > fisherman")
    assert DOT[1][0] > DOT[1][1] > DOT[1][2]
    assert ADDITIVE[1][2] > ADDITIVE[1][1] > ADDITIVE[1][0]


def test_figure() -> None:
    figure = chapter.figures()["cross"]
    for row, weights, mixture in zip(figure.data.rows, WEIGHTS, MIXTURES, strict=True):
        assert list(row[1:4]) == exact(weights)
        assert row[4] == exact(mixture)
        assert f"{TOKENS[0]} {weights[0]:.4f}" in figure.description
    for narrow in (False, True):
        axes = chapter.draw_cross(narrow).axes[0]
        widths = [patch.get_width() for patch in axes.patches if isinstance(patch, Rectangle)]
        longest = max(max(row) for row in WEIGHTS)
        assert widths == exact([132 * a / longest for row in WEIGHTS for a in row])
