"""The operation equals `math` and slow loops, one number at a time.

No expected value here comes from the module itself: each is worked out by hand in `math`, by
the pure-Python loops in tests/operation.py, or follows from a property that attention must have.
"""

import inspect
import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from snippets import attention as module
from snippets.attention import (
    additive_scores,
    attention,
    attention_weights,
    causal_mask,
    multi_head_attention,
    scaled_dot_product_scores,
    softmax,
)
from tests.operation import (
    HUGE,
    LARGEST,
    Array,
    close,
    draw,
    everything,
    numbers,
    problems,
    projections,
    properties,
    same_bits,
    slow_attention,
    slow_multi_head,
    slow_product,
    slow_softmax,
)

vectors = npst.arrays(np.float64, st.integers(1, 8), elements=st.floats(-700, 700))


# The interface, as the chapters use it


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("softmax", {"scores": ..., "axis": -1}),
        ("scaled_dot_product_scores", {"queries": ..., "keys": ...}),
        ("additive_scores", dict.fromkeys(["queries", "keys", "w_query", "w_key", "v"], ...)),
        ("causal_mask", {"n": ...}),
        ("attention_weights", {"queries": ..., "keys": ..., "mask": None}),
        ("attention", {"queries": ..., "keys": ..., "values": ..., "mask": None}),
        (
            "multi_head_attention",
            {
                **dict.fromkeys(["x", "w_q", "w_k", "w_v", "w_o"], ...),
                "mask": None,
                "context": None,
            },
        ),
    ],
)
def test_names_and_parameters(name: str, parameters: dict[str, Any]) -> None:
    """Names, order and defaults are those that every chapter relies on; each is documented."""
    function = getattr(module, name)
    signature = inspect.signature(function)
    defaults = {
        key: ... if parameter.default is parameter.empty else parameter.default
        for key, parameter in signature.parameters.items()
    }
    assert list(defaults.items()) == list(parameters.items())
    for section in ("Parameters", "Returns", "Raises", "References"):
        assert f"{section}\n{'-' * len(section)}\n" in inspect.getdoc(function)


# Softmax


def test_softmax_by_hand() -> None:
    """Scores 0, ln 2 and ln 5 share out 8 parts as 1, 2 and 5; and the paper-and-pencil case."""
    close(softmax([0.0, math.log(2), math.log(5)]), [1 / 8, 2 / 8, 5 / 8])
    total = math.exp(2) + math.exp(1) + math.exp(0)
    close(softmax([2, 1, 0]), [math.exp(2) / total, math.exp(1) / total, 1 / total])


def test_softmax_of_one_score_is_one() -> None:
    """A single score gets all the weight, whatever it is."""
    assert softmax([[-HUGE], [0.0], [HUGE]]).tolist() == [[1.0], [1.0], [1.0]]


@properties
@given(vectors)
def test_softmax_equals_the_loop_and_sums_to_one(scores: Array) -> None:
    """Softmax agrees with `math`, lies between 0 and 1 and sums to one."""
    weights = softmax(scores)
    close(weights, slow_softmax(scores.tolist(), [True] * len(scores)))
    assert (weights >= 0).all() and (weights <= 1).all()
    assert math.fsum(weights) == pytest.approx(1, abs=1e-14)


@properties
@given(vectors, st.floats(-1e3, 1e3))
def test_softmax_does_not_notice_a_shift(scores: Array, shift: float) -> None:
    """Adding one number to all scores changes no weight."""
    np.testing.assert_allclose(softmax(scores + shift), softmax(scores), rtol=1e-11, atol=1e-14)


@properties
@given(
    npst.arrays(
        np.float64, npst.array_shapes(min_dims=1, max_dims=4, max_side=4), elements=numbers
    ),
    st.data(),
)
def test_softmax_along_any_axis(scores: Array, data: st.DataObject) -> None:
    """Softmax along an axis is the loop over all slices along it."""
    axis = data.draw(st.integers(-scores.ndim, scores.ndim - 1))
    weights = softmax(scores, axis=axis)
    assert weights.shape == scores.shape
    slices, results = np.moveaxis(scores, axis, -1), np.moveaxis(weights, axis, -1)
    for index in np.ndindex(slices.shape[:-1]):
        close(results[index], slow_softmax(slices[index].tolist(), [True] * scores.shape[axis]))


def test_softmax_default_axis_is_the_last() -> None:
    """Without an axis the rows sum to one, not the columns."""
    weights = softmax([[0.0, math.log(3)], [0.0, 0.0]])
    close(weights, [[1 / 4, 3 / 4], [1 / 2, 1 / 2]])
    close(softmax([[0.0, 0.0], [math.log(3), 0.0]], axis=0), [[1 / 4, 1 / 2], [3 / 4, 1 / 2]])


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([1000.0, 1000.0], [0.5, 0.5]),
        ([-1000.0, -1000.0], [0.5, 0.5]),
        ([HUGE, HUGE], [0.5, 0.5]),
        ([HUGE, -HUGE], [1.0, 0.0]),  # the difference itself is beyond float64
        ([-LARGEST, LARGEST, -LARGEST, LARGEST], [0.0, 0.5, 0.0, 0.5]),
        ([-LARGEST, -LARGEST], [0.5, 0.5]),
        ([0.0, -745.2], [1.0, 0.0]),  # e^-745.2 is below the smallest float64
    ],
)
def test_softmax_never_overflows(scores: list[float], expected: list[float]) -> None:
    """Extreme scores give exact weights; a warning would be an error here."""
    with np.errstate(all="raise"):  # nor does it rely on the caller's error settings
        assert softmax(scores).tolist() == expected


# Scores


def test_scaled_dot_product_scores_by_hand() -> None:
    """(1 * 3 + 2 * 4) / sqrt 2, and so on: query rows, key columns."""
    scores = scaled_dot_product_scores([[1, 2], [0, -1]], [[3, 4], [5, 6], [0, 1]])
    root = math.sqrt(2)
    close(scores, [[11 / root, 17 / root, 2 / root], [-4 / root, -6 / root, -1 / root]])


def test_scores_are_divided_by_the_root_of_d_k() -> None:
    """With d_k = 9 ones the dot product is 9 and the score 3, however many keys there are."""
    assert scaled_dot_product_scores(np.ones((1, 9)), np.ones((4, 9))).tolist() == [[3.0] * 4]


def test_additive_scores_by_hand() -> None:
    """Two queries of size 2, three keys of size 1, two hidden units, each score in `math`."""
    queries, keys = [[1.0, 2.0], [0.5, -1.0]], [[0.3], [-0.7], [2.0]]
    w_query, w_key, v = [[0.1, -0.4], [0.2, 0.6]], [[0.9, -0.5]], [1.5, -2.0]
    expected = [
        [
            math.fsum(
                v[h] * math.tanh(q[0] * w_query[0][h] + q[1] * w_query[1][h] + k[0] * w_key[0][h])
                for h in range(2)
            )
            for k in keys
        ]
        for q in queries
    ]
    close(additive_scores(queries, keys, w_query, w_key, v), expected)


def test_additive_scores_batch_and_bound() -> None:
    """Batches broadcast as a loop over them would, and no score exceeds the sum of |v|."""
    queries, keys = draw(1, 2, 1, 3, 4), draw(2, 5, 2, 6)
    w_query, w_key, v = draw(3, 4, 7), draw(4, 6, 7), draw(5, 7)
    scores = additive_scores(queries, keys, w_query, w_key, v)
    assert scores.shape == (2, 5, 3, 2)
    for i, j, q, k in np.ndindex(scores.shape):
        from_query = slow_product([queries[i, 0, q].tolist()], w_query.tolist())[0]
        from_key = slow_product([keys[j, k].tolist()], w_key.tolist())[0]
        expected = math.fsum(
            c * math.tanh(a + b) for a, b, c in zip(from_query, from_key, v, strict=True)
        )
        assert scores[i, j, q, k] == pytest.approx(expected, rel=1e-10, abs=1e-12)
    assert (np.abs(scores) <= np.abs(v).sum()).all()


def test_additive_scores_saturate_where_the_sum_overflows() -> None:
    """The tanh of anything huge is 1, even if query and key add up to more than float64 holds."""
    assert additive_scores([[HUGE]], [[HUGE], [-HUGE]], [[1]], [[1]], [2]).tolist() == [[2.0, 0.0]]


# The causal mask


@pytest.mark.parametrize("n", [1, 2, 5])
def test_causal_mask(n: int) -> None:
    """Row i is True in columns 0 to i and nowhere else."""
    mask = causal_mask(n)
    assert mask.dtype == np.bool_
    assert mask.tolist() == [[column <= row for column in range(n)] for row in range(n)]
    assert causal_mask(np.int64(n)).tolist() == mask.tolist()  # type: ignore[arg-type]


# Attention


def test_attention_by_hand() -> None:
    """Scores ln 1, ln 2 and ln 5 (d_k = 4 divides by 2) mix three values in eighths."""
    keys = [[2 * math.log(part), 0.0, 0.0, 0.0] for part in (1, 2, 5)]
    output, weights = attention([[1, 0, 0, 0]], keys, [[8, 0], [0, 8], [16, 24]])
    close(weights, [[1 / 8, 2 / 8, 5 / 8]])
    close(output, [[1 + 0 + 10, 0 + 2 + 15]])


def test_mask_by_hand() -> None:
    """Without the third key the first two share out three parts: 1 and 2."""
    keys = [[0.0], [math.log(2)], [math.log(5)]]
    output, weights = attention([[1.0]], keys, [[3.0], [6.0], [9e9]], [[True, True, False]])
    close(weights, [[1 / 3, 2 / 3, 0]])
    close(output, [[5.0]])
    assert weights[0, 2] == 0.0


@properties
@given(problems())
def test_attention_equals_the_slow_loop(problem: dict[str, Any]) -> None:
    """Output and weights agree with plain Python, with a mask and without."""
    arguments = {name: array.tolist() for name, array in problem.items()}
    output, weights = attention(**problem)
    slow_output, slow_weights = slow_attention(**arguments)
    close(output, slow_output)
    close(weights, slow_weights)
    close(attention_weights(problem["queries"], problem["keys"], problem["mask"]), slow_weights)
    del problem["mask"]
    arguments["mask"] = everything(len(problem["queries"]), len(problem["keys"]))
    for fast, slow in zip(attention(**problem), slow_attention(**arguments), strict=True):
        close(fast, slow)


@properties
@given(problems(batched=True))
def test_a_batch_is_a_loop_over_it(problem: dict[str, Any]) -> None:
    """Each member of a batch comes out as it would alone."""
    output, weights = attention(**problem)
    for b in range(len(output)):
        alone = {name: array[b].tolist() for name, array in problem.items()}
        slow_output, slow_weights = slow_attention(**alone)
        close(output[b], slow_output)
        close(weights[b], slow_weights)


def test_batches_broadcast() -> None:
    """Queries, keys, values and mask may each lack a batch dimension or hold 1 there."""
    queries, keys, values = draw(1, 2, 1, 3, 4), draw(2, 5, 6, 4), draw(3, 6, 2)
    mask = np.ones((2, 1, 1, 6), dtype=bool)
    mask[1, ..., 2:] = False
    output, weights = attention(queries, keys, values, mask)
    assert output.shape == (2, 5, 3, 2) and weights.shape == (2, 5, 3, 6)
    for i, j in product(range(2), range(5)):
        rows = [mask[i, 0, 0].tolist()] * 3
        slow = slow_attention(queries[i, 0].tolist(), keys[j].tolist(), values.tolist(), rows)
        close(output[i, j], slow[0])
        close(weights[i, j], slow[1])


def test_values_may_have_a_batch_of_their_own() -> None:
    """One set of weights mixes several sets of values."""
    queries, keys, values = draw(1, 3, 4), draw(2, 6, 4), draw(3, 5, 6, 2)
    output, weights = attention(queries, keys, values)
    assert output.shape == (5, 3, 2) and weights.shape == (3, 6)
    for b in range(5):
        slow, _ = slow_attention(
            queries.tolist(), keys.tolist(), values[b].tolist(), everything(3, 6)
        )
        close(output[b], slow)


# Several heads


@pytest.mark.parametrize("heads", [1, 2, 3])
def test_self_attention_is_a_loop_over_heads(heads: int) -> None:
    """One pass over all heads equals the slow loop, with a causal mask and without."""
    x, w = draw(1, 6, 4), projections(heads, 4, 4, 3, 2)
    for mask in (causal_mask(6), np.ones((6, 6), dtype=bool)):
        output, weights = multi_head_attention(x, *w, mask=mask)
        slow_output, slow_weights = slow_multi_head(x, *w, mask, x)
        close(output, slow_output)
        close(weights, slow_weights)
    for with_mask, without in zip((output, weights), multi_head_attention(x, *w), strict=True):
        assert same_bits(with_mask, without)


@pytest.mark.parametrize(("n_q", "n_k"), [(3, 5), (5, 3), (1, 4), (4, 1)])
def test_cross_attention_takes_keys_and_values_from_the_context(n_q: int, n_k: int) -> None:
    """The context has its own number of tokens and its own size."""
    x, context, w = draw(1, n_q, 4), draw(2, n_k, 6), projections(2, 4, 6, 3, 2)
    mask = draw(3, n_q, n_k) > 0
    mask[:, 0] = True
    output, weights = multi_head_attention(x, *w, mask, context)
    slow_output, slow_weights = slow_multi_head(x, *w, mask, context)
    assert output.shape == (n_q, 5) and weights.shape == (2, n_q, n_k)
    close(output, slow_output)
    close(weights, slow_weights)
    assert (weights[:, ~mask] == 0.0).all()


def test_multi_head_batch_is_a_loop_with_a_mask_for_each_member() -> None:
    """As many heads as members of the batch: a mask still belongs to its member, for all heads."""
    x, context, w = draw(1, 2, 1, 4, 3), draw(2, 2, 5, 3), projections(2, 3, 3, 2, 2)
    mask = draw(3, 2, 2, 4, 5) > 0
    mask[..., 1] = True
    output, weights = multi_head_attention(x, *w, mask, context)
    assert output.shape == (2, 2, 4, 5) and weights.shape == (2, 2, 2, 4, 5)
    for i, j in product(range(2), range(2)):
        slow_output, slow_weights = slow_multi_head(x[i, 0], *w, mask[i, j], context[j])
        close(output[i, j], slow_output)
        close(weights[i, j], slow_weights)


def test_heads_are_concatenated_in_order() -> None:
    """One token, so every weight is 1: the output is the heads' values in order, times w_o."""
    w_v = [[[1.0, 2.0]], [[3.0, 4.0]]]
    output, weights = multi_head_attention([[10]], [[[1]], [[1]]], [[[1]], [[1]]], w_v, np.eye(4))
    assert weights.tolist() == [[[1.0]], [[1.0]]]
    assert output.tolist() == [[10.0, 20.0, 30.0, 40.0]]
