"""Cross-attention and both scores against slow loops in `math`."""

import math

import pytest
from matplotlib.patches import Rectangle

from publisher.results import shown, shown_vector
from snippets import cross_attention as chapter
from snippets import running_example as example
from snippets.attention import additive_scores, multi_head_attention
from snippets.running_example import QUERY, W_K, W_Q, W_V
from tests.by_hand import WORDS, dot, exact, hand_weights, plain, rows, scores, softmax, times

RIVER, TOKENS = WORDS[example.RIVER], list(example.TOKENS)
OUTPUT, STATES = list(chapter.OUTPUT), [list(state) for state in chapter.OUTPUT_STATES]
SOURCE = [rows(RIVER)[RIVER.index(token)] for token in TOKENS]
QUERIES = [times(x, W_Q) for x in STATES]
KEYS = [times(x, W_K) for x in SOURCE]
VALUES = [times(x, W_V) for x in SOURCE]
PAIRS = [(i, j) for i in range(len(OUTPUT)) for j in range(len(TOKENS))]

DOT = [scores(q, KEYS) for q in QUERIES]
WEIGHTS = [softmax(row) for row in DOT]
MIXTURES = [times(row, VALUES) for row in WEIGHTS]

# The two parts of every additive score, its sum, tanh of that, and the score.
OF_QUERIES = [times(q, chapter.W_QUERY) for q in QUERIES]
OF_KEYS = [times(k, chapter.W_KEY) for k in KEYS]
SUMS = {(i, j): [a + b for a, b in zip(OF_QUERIES[i], OF_KEYS[j], strict=True)] for i, j in PAIRS}
HIDDEN = {pair: [math.tanh(s) for s in sums] for pair, sums in SUMS.items()}
ADDITIVE = [
    [dot(HIDDEN[i, j], chapter.V_SCORE) for j in range(len(TOKENS))] for i in range(len(OUTPUT))
]
ASKS, ASKED = chapter.WORKED


def ranking(row: list[float]) -> str:
    """Return the source's tokens from the highest score to the lowest, equal ones joined by =."""
    first, *others = sorted(range(len(row)), key=lambda j: (-round(row[j], 9), j))
    words, last = TOKENS[first], first
    for j in others:
        words += (" = " if math.isclose(row[last], row[j], abs_tol=1e-8) else " > ") + TOKENS[j]
        last = j
    return words


def test_numbers() -> None:
    assert plain(chapter.numbers()) == exact(
        {
            "m": len(OUTPUT),
            "n": len(TOKENS),
            "d_k": len(W_K[0]),
            "d_v": len(W_V[0]),
            "hidden": len(chapter.V_SCORE),
            "wrong_m": len(TOKENS),
            "wrong_n": len(OUTPUT),
            "additive": ADDITIVE[ASKS][ASKED],
            "bound": math.fsum(map(abs, chapter.V_SCORE)),
            "parameters": sum(map(len, (*chapter.W_QUERY, *chapter.W_KEY, chapter.V_SCORE))),
        }
    )


def test_sizes_differ_so_that_no_shape_hides_a_mistake() -> None:
    numbers = chapter.numbers()
    assert len({len(W_Q), numbers["n"], numbers["d_k"]}) == 3
    assert numbers["m"] != numbers["n"] and numbers["d_k"] != numbers["d_v"]


def test_vectors() -> None:
    vectors = chapter.vectors()
    assert plain(chapter.vectors()) == exact(
        {
            "v_a": list(chapter.V_SCORE),
            "mixture": times(hand_weights(), example.VALUES),
            "mixture_of_keys": times(hand_weights(), example.KEYS),
            "dot_weights": WEIGHTS[ASKS],
            "additive_weights": softmax(ADDITIVE[ASKS]),
        }
    )
    # Keys in the place of values pass where the sizes are equal, and give another mixture.
    assert len(example.KEYS[0]) == len(example.VALUES[0]) == len(QUERY)
    assert plain(vectors["mixture_of_keys"]) != exact(plain(vectors["mixture"]))


def test_texts() -> None:
    assert chapter.texts() == {
        "output": " ".join(OUTPUT),
        "asks": OUTPUT[ASKS],
        "asked": TOKENS[ASKED],
        "dot_first": ranking(DOT[ASKS]).split()[0],
        "additive_first": ranking(ADDITIVE[ASKS]).split()[0],
    }


def test_queries_from_the_output_keys_and_values_from_the_source() -> None:
    asks = zip(OUTPUT, STATES, QUERIES, strict=True)
    answers = zip(TOKENS, SOURCE, KEYS, VALUES, strict=True)
    assert plain(chapter.tables()["roles"].rows) == exact(
        [
            *([token, "output", x, q, "", ""] for token, x, q in asks),
            *([token, "source", x, "", k, v] for token, x, k, v in answers),
        ]
    )


def test_weights_and_mixtures() -> None:
    assert plain(chapter.tables()["weights"].rows) == exact(
        [[token, *a, 1.0, z] for token, a, z in zip(OUTPUT, WEIGHTS, MIXTURES, strict=True)]
    )


def test_multi_head_attention_with_a_context_agrees() -> None:
    identity = [[1.0 if i == j else 0.0 for j in range(3)] for i in range(3)]
    output, weights = multi_head_attention(STATES, [W_Q], [W_K], [W_V], identity, context=SOURCE)
    assert output.tolist() == exact(MIXTURES)
    assert weights[0].tolist() == exact(WEIGHTS)


def test_exchanged_roles_share_out_the_source_instead() -> None:
    output, weights = chapter.exchanged()
    assert weights.shape == (len(TOKENS), len(OUTPUT))
    assert weights.sum(axis=1).tolist() == exact([1] * len(TOKENS))
    assert output.shape == (len(TOKENS), len(W_V[0]))


def test_shapes_are_printed_from_the_arrays(capsys: pytest.CaptureFixture[str]) -> None:
    chapter.cross_shapes()
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


def test_parts_of_the_sums() -> None:
    names = [*(f"{t}, query" for t in OUTPUT), *(f"{t}, key" for t in TOKENS)]
    parts = zip(names, [*QUERIES, *KEYS], [*OF_QUERIES, *OF_KEYS], strict=True)
    assert plain(chapter.tables()["parts"].rows) == exact([list(row) for row in parts])


def test_additive_scores_step_by_step() -> None:
    assert plain(chapter.tables()["additive"].rows) == exact(
        [[OUTPUT[i], TOKENS[j], SUMS[i, j], HIDDEN[i, j], ADDITIVE[i][j]] for i, j in PAIRS]
    )


def test_one_additive_score_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    chapter.one_additive_score()
    products = [h * v for h, v in zip(HIDDEN[ASKS, ASKED], chapter.V_SCORE, strict=True)]
    steps = [OF_QUERIES[ASKS], OF_KEYS[ASKED], SUMS[ASKS, ASKED], HIDDEN[ASKS, ASKED], products]
    *lines, last = [line.split() for line in capsys.readouterr().out.splitlines()]
    for line, step in zip(lines, steps, strict=True):
        assert [float(cell) for cell in line[-len(step) :]] == pytest.approx(step, abs=5.1e-5)
    assert last == ["score", f"{round(ADDITIVE[ASKS][ASKED], 4):g}"]


def test_additive_scores_are_bounded() -> None:
    bound = chapter.numbers()["bound"].value
    far = additive_scores(
        [[1e6, 2e6]], [[0.0, 0.0]], chapter.W_QUERY, chapter.W_KEY, chapter.V_SCORE
    )
    assert far[0, 0] == exact(bound)
    assert all(abs(score) < bound for row in ADDITIVE for score in row)


def test_both_scores_on_the_same_vectors() -> None:
    assert plain(chapter.tables()["both"].rows) == exact(
        [
            [
                OUTPUT[i], TOKENS[j], dot(QUERIES[i], KEYS[j]), DOT[i][j], WEIGHTS[i][j],
                ADDITIVE[i][j], softmax(ADDITIVE[i])[j],
            ]
            for i, j in PAIRS
        ]
    )  # fmt: skip


def test_rankings() -> None:
    assert plain(chapter.tables()["ranked"].rows) == [
        [token, ranking(DOT[i]), ranking(ADDITIVE[i])] for i, token in enumerate(OUTPUT)
    ]


def test_figure() -> None:
    figure = chapter.figures()["cross"]
    parts = list(zip(OUTPUT, WEIGHTS, MIXTURES, strict=True))
    assert plain(chapter.figures()["cross"].data.rows) == exact([[t, *a, z] for t, a, z in parts])
    for token, weights, mixture in parts:
        said = ", ".join(f"{t} {shown(a)}" for t, a in zip(TOKENS, weights, strict=True))
        assert f"Query at {token}: {said}; mixture {shown_vector(mixture, '')}" in (
            figure.description
        )
    for narrow in (False, True):
        axes = figure.draw(narrow).axes[0]
        widths = [patch.get_width() for patch in axes.patches if isinstance(patch, Rectangle)]
        longest = max(max(row) for row in WEIGHTS)
        assert widths == exact([132 * a / longest for row in WEIGHTS for a in row])
        drawn = [text.get_text() for text in axes.texts]
        for _, weights, mixture in parts:
            assert {*map(shown, weights), f"z = {shown_vector(mixture, '')}"} <= set(drawn)


def test_what_the_text_says() -> None:
    """A claim that holds for these inputs; on failure, change the sentence that is quoted."""
    texts = chapter.texts()
    assert texts["dot_first"] != texts["additive_first"], (
        'docs/cross-attention.md: "they may disagree, even about the order"'
    )
