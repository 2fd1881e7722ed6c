"""The note's matrices against loops in plain Python, position by position."""

import math

import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

from snippets import running_example as example
from snippets.drawings.tokens import token_colour
from snippets.notes import matrices as note
from snippets.running_example import EMBEDDINGS, KEYS, RIVER, W_K, W_Q, W_V
from snippets.values import at_bank
from tests.by_hand import (
    WORDS,
    causal,
    exact,
    mixture_at,
    plain,
    rows,
    scores,
    scores_at,
    softmax,
    times,
    weights_at,
)

TOKENS, OPEN = WORDS[RIVER], WORDS[example.OPEN]
N = len(TOKENS)
FISHERMAN, NET, BANK = (TOKENS.index(token) for token in example.TOKENS)
X = rows(TOKENS)
VALUES = [times(x, W_V) for x in X]
WEIGHTS = [weights_at(X, i) for i in range(N)]
CAUSAL = [weights_at(X, i, causal) for i in range(N)]
# Queries and keys that are the same: the hand example's keys.
OWN_SCORES = [scores(key, KEYS) for key in KEYS]
OWN_WEIGHTS = [softmax(row) for row in OWN_SCORES]
# The scores of net and bank against the three tokens, and their shares by row and by column.
FEW = [[scores_at(X, i)[j] for j in (FISHERMAN, NET, BANK)] for i in (NET, BANK)]
BY_ROW = [softmax(row) for row in FEW]
BY_COLUMN = [list(row) for row in zip(*map(softmax, zip(*FEW, strict=True)), strict=True)]
SHAPES = {
    "Q": (N, len(W_Q[0])), "K": (len(W_K[0]), N), "S": (N, N), "A": (N, N),
    "V": (N, len(W_V[0])), "Z": (N, len(W_V[0])),
}  # fmt: skip


def without_keepdims() -> list[float]:
    """Return bank's row of two, each entry divided by the sum of the row of its column."""
    powers = [[math.exp(score) for score in row[:2]] for row in FEW]
    return [power / sum(row) for power, row in zip(powers[1], powers, strict=True)]


def test_numbers() -> None:
    assert plain(note.numbers()) == exact(
        {
            "n": N,
            "d_model": len(X[0]),
            "d_k": len(W_K[0]),
            "d_v": len(W_V[0]),
            "place": BANK + 1,
            "entries": N**2,
            "n_open": len(OPEN),
            "entries_open": len(OPEN) ** 2,
            "parameters": sum(len(row) for matrix in (W_Q, W_K, W_V) for row in matrix),
            "asking_asked": WEIGHTS[BANK][FISHERMAN],
            "asked_asking": WEIGHTS[FISHERMAN][BANK],
            "row_sum": 1,
            "column_sum": math.fsum(row[FISHERMAN] for row in WEIGHTS),
            "net_fisherman": OWN_WEIGHTS[1][0],
            "fisherman_net": OWN_WEIGHTS[0][1],
            "few_queries": len(FEW),
            "few_keys": len(FEW[0]),
            "without_keepdims": without_keepdims()[0],
            "without_keepdims_sum": math.fsum(without_keepdims()),
            "part": note.PART,
            "stop": WEIGHTS[BANK][-1],
            "cut_after": math.fsum(WEIGHTS[BANK][:-1]),
            "asking_asked_causal": WEIGHTS[BANK][FISHERMAN] / (1 - WEIGHTS[BANK][-1]),
        }
    )
    assert BANK == N - 2  # so that the mask takes nothing but the full stop from bank


def test_vectors() -> None:
    assert plain(note.vectors()) == exact(
        {
            "mixture": mixture_at(X, BANK),
            "alone": mixture_at(X, BANK),
            "own_fisherman": list(KEYS[0]),
            "own_net": list(KEYS[1]),
            "own_bank": list(KEYS[2]),
            "right_mixture": times(BY_ROW[1], [VALUES[j] for j in (FISHERMAN, NET, BANK)]),
            "wrong_mixture": times(BY_COLUMN[1], [VALUES[j] for j in (FISHERMAN, NET, BANK)]),
            "first_value": VALUES[0],
            "first_causal": VALUES[0],
        }
    )
    assert note.vectors()["mixture"].tolist() == exact(at_bank(RIVER)[0].tolist())


def test_sizes_differ_so_that_no_shape_hides_a_mistake() -> None:
    assert len({N, len(EMBEDDINGS["bank"]), len(W_K[0]), len(W_V[0])}) == 4
    _, head = note.river()
    d_model, d_k, d_v = len(X[0]), len(W_K[0]), len(W_V[0])
    assert [made.shape for made in head] == [
        (N, d_model), (N, d_k), (N, d_k), (N, d_v), (N, N), (N, N), (N, d_v),
    ]  # fmt: skip


def test_table_x_holds_every_row() -> None:
    tokens_and_x = zip(TOKENS, X, strict=True)
    made = ([token, x, *(times(x, w) for w in (W_Q, W_K, W_V))] for token, x in tokens_and_x)
    assert plain(note.tables()["x"].rows) == exact(list(made))


def test_weights_row_by_row() -> None:
    assert note.tables()["weights"].columns == ("Asks", *TOKENS)
    assert plain(note.tables()["weights"].rows) == exact(
        [[token, *row] for token, row in zip(TOKENS, WEIGHTS, strict=True)]
    )


def test_each_row_is_the_calculation_for_its_position_alone() -> None:
    _, head = note.river()
    for i in range(N):
        assert note.one_position(head.x, i).tolist() == exact(head.mixtures[i].tolist())


def test_symmetric_scores() -> None:
    for name, expected in (("own_scores", OWN_SCORES), ("own_weights", OWN_WEIGHTS)):
        assert [row[0] for row in note.tables()[name].rows] == list(example.TOKENS)
        assert [plain(row[1:]) for row in note.tables()[name].rows] == exact(expected)
    assert plain(note.tables()["own_scores"].rows[0][2]) == exact(OWN_SCORES[1][0])
    assert plain(note.tables()["own_weights"].rows[0][2]) != exact(OWN_WEIGHTS[1][0])


def test_softmax_along_rows_and_down_columns() -> None:
    tables, asking = note.tables(), example.TOKENS[1:]
    assert plain(tables["along_rows"].rows) == exact(
        [[token, *row, 1.0] for token, row in zip(asking, BY_ROW, strict=True)]
    )
    assert plain(tables["down_columns"].rows) == exact(
        [[token, *row, sum(row)] for token, row in zip(asking, BY_COLUMN, strict=True)]
    )
    downwards = zip(*(row[1:4] for row in tables["down_columns"].rows), strict=True)
    assert [sum(column) for column in downwards] == exact([1, 1, 1])


def test_keepdims_left_out_raises_unless_the_table_is_square() -> None:
    with pytest.raises(ValueError, match="broadcast"):
        note.without_keepdims(note.few()[0])


def test_mask_makes_zeros_and_shares_out_the_rest() -> None:
    tables, part = note.tables(), TOKENS[: note.PART]
    assert tables["causal_scores"].columns == tables["causal_weights"].columns == ("Asks", *part)
    for i, token in enumerate(part):
        allowed, cut = i + 1, note.PART - i - 1
        assert plain(tables["causal_scores"].rows[i]) == exact(
            [token, *scores_at(X, i)[:allowed], *["$-\\infty$"] * cut]
        )
        assert plain(tables["causal_weights"].rows[i]) == exact([token, *CAUSAL[i][: note.PART]])
        assert plain(tables["causal_weights"].rows[i][allowed + 1 :]) == [0.0] * cut  # exactly


def test_mixtures_without_and_with_the_mask() -> None:
    assert plain(note.tables()["mixtures"].rows) == exact(
        [[token, mixture_at(X, i), mixture_at(X, i, causal)] for i, token in enumerate(TOKENS)]
    )
    last = note.tables()["mixtures"].rows[-1]
    assert last[1].tolist() == last[2].tolist()


def test_figure_and_text() -> None:
    figure = note.figures()["shapes"]
    assert {row[0][0]: tuple(row[1:]) for row in note.figures()["shapes"].data.rows} == SHAPES
    for a, b in SHAPES.values():
        assert f"{a} × {b}" in figure.description
    assert note.texts()["river"] == RIVER


@pytest.mark.parametrize("narrow", [False, True])
def test_drawing_of_the_shapes(narrow: bool) -> None:
    (axes,) = note.figures()["shapes"].draw(narrow).axes
    cell = 9.5 if narrow else 11
    boxes = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    colour = token_colour(example.TOKENS, "bank")
    marked = [box for box in boxes if to_hex(box.get_facecolor()) == colour]
    grids = [box for box in boxes if box not in marked]
    sizes = [[box.get_height() / cell, box.get_width() / cell] for box in grids]
    assert sizes == exact([list(shape) for shape in SHAPES.values()])
    asked = [grid for grid, name in zip(grids, SHAPES, strict=True) if name not in "KV"]
    for row, grid in zip(marked, asked, strict=True):
        assert (row.get_y() - grid.get_y()) / cell == pytest.approx(BANK)
        assert (row.get_height(), row.get_width()) == pytest.approx((cell, grid.get_width()))


def test_demo_prints_both_rows(capsys: pytest.CaptureFixture[str]) -> None:
    note.head_shapes()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1:] for line in lines[:2]] == [["9", "x", "4"], ["9", "x", "2"]]
    for line in lines[-2:]:
        assert [float(z) for z in line.split(":")[1].split()] == pytest.approx(
            mixture_at(X, BANK), abs=5.1e-5
        )


def says(claim: bool, sentence: str) -> None:
    assert claim, f'docs/notes/matrices.md: change the sentence "{sentence}"'


def test_what_the_text_says() -> None:
    """Claims that hold for these inputs; on failure, change the sentence that is quoted."""
    column = math.fsum(row[FISHERMAN] for row in WEIGHTS)
    says(abs(column - 1) > 0.1, "its total may be anything")
    the = TOKENS.index("the")
    says(times(X[the], W_Q) == [0, 0], 'The row of "the" is flat, since its query is all zeros')
    says(WEIGHTS[the] == exact([1 / N] * N), "every score is zero then, and every weight the same")
    apart = abs(WEIGHTS[BANK][FISHERMAN] - WEIGHTS[FISHERMAN][BANK])
    says(apart > 0.1, "The table is not symmetric")
    says(without_keepdims()[0] > 1, 'fisherman would then have a "weight" of')
    says(all(abs(sum(row) - 1) > 0.1 for row in BY_COLUMN), "But the rows no longer add up to one")
