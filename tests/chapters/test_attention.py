"""Check `snippets/attention.py` against `math`, against slow loops and against its promises.

No expected value here comes from the module itself: each is worked out by hand in `math`, by
the pure-Python loops below, or follows from a property that attention must have.
"""

import inspect
import math
from collections.abc import Callable
from itertools import chain, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from numpy.typing import NDArray

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

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Rows = list[list[float]]
Projections = tuple[Array, Array, Array, Array]
HUGE = 1e308  # two of these add up to more than float64 holds
LARGEST = float(np.finfo(np.float64).max)

properties = settings(max_examples=60, deadline=None, derandomize=True)


# The oracle: attention in plain Python, one number at a time.


def slow_softmax(scores: list[float], allowed: list[bool]) -> list[float]:
    """Compute e^s over the sum of e^s for the allowed scores, and 0 for the others."""
    largest = max(s for s, ok in zip(scores, allowed, strict=True) if ok)
    exponentials = [
        math.exp(s - largest) if ok else 0.0 for s, ok in zip(scores, allowed, strict=True)
    ]
    return [e / math.fsum(exponentials) for e in exponentials]


def slow_attention(
    queries: Rows, keys: Rows, values: Rows, mask: list[list[bool]]
) -> tuple[Rows, Rows]:
    """Compute attention for one query after the other, one dot product after the other."""
    output, weights = [], []
    for query, allowed in zip(queries, mask, strict=True):
        scores = [
            math.fsum(q * k for q, k in zip(query, key, strict=True)) / math.sqrt(len(query))
            for key in keys
        ]
        row = slow_softmax(scores, allowed)
        weights.append(row)
        output.append(
            [
                math.fsum(w * v for w, v in zip(row, column, strict=True))
                for column in zip(*values, strict=True)
            ]
        )
    return output, weights


def slow_product(left: Rows, right: Rows) -> Rows:
    """Multiply two matrices, entry by entry."""
    return [
        [
            math.fsum(a * b for a, b in zip(row, column, strict=True))
            for column in zip(*right, strict=True)
        ]
        for row in left
    ]


def everything(n_q: int, n_k: int) -> list[list[bool]]:
    """Let every query use every key."""
    return [[True] * n_k for _ in range(n_q)]


def same_bits(one: Array, other: Array) -> bool:
    """Compare two arrays bit by bit."""
    return one.shape == other.shape and one.tobytes() == other.tobytes()


def close(actual: Array, expected: Any) -> None:
    """Compare to within a few roundings; shapes must be equal, not only broadcast."""
    assert actual.shape == np.shape(expected)
    np.testing.assert_allclose(actual, expected, rtol=1e-10, atol=1e-12)


def draw(seed: int, *shape: int) -> Array:
    """Draw an array of normal numbers, always the same ones for the same seed."""
    return np.random.default_rng(seed).normal(size=shape)


# Inputs for the properties: a few tokens, moderate numbers, and now and then a large one.

sizes = st.integers(1, 6)
numbers = st.floats(-30, 30, width=32)


@st.composite
def problems(draw_from: st.DrawFn, batched: bool = False) -> dict[str, Any]:
    """Draw queries, keys, values and a mask that leaves every query at least one key."""
    n_q, n_k, d_k, d_v = (draw_from(sizes) for _ in range(4))
    batch = (draw_from(st.integers(1, 3)),) if batched else ()
    mask = draw_from(npst.arrays(np.bool_, (*batch, n_q, n_k)))
    kept = draw_from(npst.arrays(np.int64, (*batch, n_q, 1), elements=st.integers(0, n_k - 1)))
    np.put_along_axis(mask, kept, True, axis=-1)
    return {
        "queries": draw_from(npst.arrays(np.float64, (*batch, n_q, d_k), elements=numbers)),
        "keys": draw_from(npst.arrays(np.float64, (*batch, n_k, d_k), elements=numbers)),
        "values": draw_from(npst.arrays(np.float64, (*batch, n_k, d_v), elements=numbers)),
        "mask": mask,
    }


vectors = npst.arrays(np.float64, st.integers(1, 8), elements=st.floats(-700, 700))


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
@given(problems())
def test_rows_sum_to_one_and_masked_weights_are_exactly_zero(problem: dict[str, Any]) -> None:
    """A masked key gets 0.0, not merely little, and the others share out the whole."""
    weights = attention(**problem)[1]
    assert (weights[~problem["mask"]] == 0.0).all()
    assert (weights >= 0).all() and (weights <= 1).all()
    for row in weights:
        assert math.fsum(row) == pytest.approx(1, abs=1e-14)


@properties
@given(problems(), st.randoms(use_true_random=False))
def test_order_of_keys_does_not_matter(problem: dict[str, Any], random: Any) -> None:
    """Permuting keys, values and mask columns together changes no output."""
    order = list(range(len(problem["keys"])))
    random.shuffle(order)
    output, weights = attention(**problem)
    other_output, other_weights = attention(
        problem["queries"],
        problem["keys"][order],
        problem["values"][order],
        problem["mask"][:, order],
    )
    close(other_output, output)
    close(other_weights, weights[:, order])


@properties
@given(problems(), st.randoms(use_true_random=False))
def test_order_of_queries_is_the_order_of_outputs(problem: dict[str, Any], random: Any) -> None:
    """Permuting the queries permutes the outputs: no query knows of another."""
    order = list(range(len(problem["queries"])))
    random.shuffle(order)
    output, weights = attention(**problem)
    problem["queries"], problem["mask"] = problem["queries"][order], problem["mask"][order]
    other_output, other_weights = attention(**problem)
    close(other_output, output[order])
    close(other_weights, weights[order])


@properties
@given(problems())
def test_output_lies_within_the_values(problem: dict[str, Any]) -> None:
    """Each coordinate lies between the least and the greatest of the values attended to."""
    output = attention(**problem)[0]
    for row, allowed in zip(output, problem["mask"], strict=True):
        attended = problem["values"][allowed]
        assert (row >= attended.min(axis=0) - 1e-12).all()
        assert (row <= attended.max(axis=0) + 1e-12).all()


@properties
@given(problems(), st.sampled_from([1e300, -1e300, LARGEST, -LARGEST]))
def test_masked_values_cannot_matter(problem: dict[str, Any], huge: float) -> None:
    """The value of a key that no query may use can be anything: not a bit changes."""
    n_k = len(problem["keys"])
    queries, keys = problem["queries"], np.insert(problem["keys"], n_k // 2, 7.0, axis=0)
    values = np.insert(problem["values"], n_k // 2, 7.0, axis=0)
    mask = np.insert(problem["mask"], n_k // 2, False, axis=1)
    before = attention(queries, keys, values, mask)
    values[n_k // 2] = huge
    after = attention(queries, keys, values, mask)
    assert same_bits(after[0], before[0]) and same_bits(after[1], before[1])
    close(after[0], attention(**problem)[0])  # nor does it matter that there is such a key
    keys[n_k // 2] = 1e300
    after = attention(queries, keys, values, mask)
    assert same_bits(after[0], before[0]) and same_bits(after[1], before[1])


@pytest.mark.parametrize("huge", [1e300, -1e300, LARGEST])
def test_masked_values_matter_to_none_but_those_who_may_use_them(huge: float) -> None:
    """A value masked for one query and open to another leaves the first one's bits alone."""
    queries, keys, values = draw(1, 5, 3), draw(2, 7, 3), draw(3, 7, 4)
    mask = np.ones((5, 7), dtype=bool)
    mask[:4, 2] = False
    before = attention(queries, keys, values, mask)[0]
    values[2] = huge
    after = attention(queries, keys, values, mask)[0]
    assert same_bits(after[:4], before[:4])
    assert (np.abs(after[4]) > 1e290).all()


def causal(tokens: Array) -> tuple[Array, ...]:
    """Attend causally, in one head and in three, with weights that depend on the sizes alone."""
    d_model, mask = tokens.shape[-1], causal_mask(tokens.shape[-2])
    w_q, w_k, w_v = (draw(seed, 3, d_model, 2) for seed in (11, 12, 13))
    heads, weights = multi_head_attention(tokens, w_q, w_k, w_v, draw(14, 6, d_model), mask)
    return *attention(tokens, tokens, tokens, mask), heads, *np.moveaxis(weights, -3, 0)


@settings(properties, max_examples=150)
@given(
    shape=st.tuples(st.integers(2, 40), st.integers(1, 20)),
    data=st.data(),
    future=st.sampled_from([0.0, -1.0, 1e-300, 1e3, 1e100]),
)
def test_the_future_cannot_be_seen(
    shape: tuple[int, int], data: st.DataObject, future: float
) -> None:
    """Change a token and every earlier row of causal attention stays the same to the bit."""
    tokens = draw(sum(shape), *shape)
    changed = data.draw(st.integers(1, shape[0] - 1))
    before = causal(tokens)
    other = tokens.copy()
    other[changed] = future
    after = causal(other)
    for one, another in zip(before, after, strict=True):
        assert same_bits(one[:changed], another[:changed])
        assert not same_bits(one[changed:], another[changed:])


def test_the_future_cannot_be_seen_in_batches() -> None:
    """The same with a batch, and with the changed keys and values apart from the queries."""
    tokens, mask = draw(1, 4, 33, 16), causal_mask(33)
    before = attention(tokens, tokens, tokens, mask)
    other = tokens.copy()
    other[:, 20:] *= -3
    after = attention(tokens, other, other, mask)
    for one, another in zip(before, after, strict=True):
        assert same_bits(one[:, :20], another[:, :20])
        assert not np.isclose(one[:, 20:], another[:, 20:]).all()


@pytest.mark.parametrize("n", [1, 3, 17, 64])
def test_memory_does_not_matter(n: int) -> None:
    """Equal numbers give equal bits, whether arguments share memory, are transposed or lists."""
    x = draw(n, n, n)
    expected = attention(x, x, x, causal_mask(n))
    for other in (x.copy(), np.asfortranarray(x), np.repeat(x, 2, axis=0)[::2], x.tolist()):
        for one, another in zip(attention(x, other, other, causal_mask(n)), expected, strict=True):
            assert same_bits(one, another)


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


@pytest.mark.parametrize("score", [HUGE, -HUGE])
def test_attention_at_the_edge_of_float64(score: float) -> None:
    """Scores of 1e308 and masked ones of either sign: exact weights and no warning."""
    keys, values = [[score], [-score], [score]], [[1.0], [2.0], [4.0]]
    with np.errstate(all="raise"):
        output, weights = attention([[1.0]], keys, values)
        expected = [[0.5, 0.0, 0.5]] if score > 0 else [[0.0, 1.0, 0.0]]
        assert weights.tolist() == expected
        assert output.tolist() == ([[2.5]] if score > 0 else [[2.0]])
        mask = [[True, True, False]]
        expected = [[1.0, 0.0, 0.0]] if score > 0 else [[0.0, 1.0, 0.0]]
        assert attention_weights([[1.0]], keys, mask).tolist() == expected
        mask = [[True, False, True]]  # the lowest scores there are still share out the whole
        assert attention_weights([[1.0]], keys, mask).tolist() == [[0.5, 0.0, 0.5]]
        lowest = [[-LARGEST], [-LARGEST], [LARGEST]]
        mask = [[True, True, False]]
        assert attention_weights([[1.0]], lowest, mask).tolist() == [[0.5, 0.5, 0.0]]


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.uint64, np.float16, np.float32])
def test_numbers_of_every_kind_become_float64(dtype: type) -> None:
    """Integers and short floats are computed in float64, without wrapping round."""
    hundred: NDArray[Any] = np.full((2, 1), 100, dtype=dtype)
    scores = scaled_dot_product_scores(hundred, hundred)
    assert scores.dtype == np.float64
    assert scores.tolist() == [[10000.0, 10000.0], [10000.0, 10000.0]]
    output, weights = attention(hundred, hundred, hundred)
    assert output.dtype == weights.dtype == softmax(hundred).dtype == np.float64
    assert output.tolist() == [[100.0], [100.0]]


def test_arguments_are_left_alone_and_not_returned() -> None:
    """No function writes to its arguments or hands out their memory."""
    arrays = (draw(1, 3, 4), draw(2, 5, 4), draw(3, 5, 2), np.ones((3, 5), dtype=bool))
    copies = [array.copy() for array in arrays]
    for array in arrays:
        array.setflags(write=False)
    output, weights = attention(*arrays)
    for array, copy in zip(arrays, copies, strict=True):
        assert np.array_equal(array, copy)
        assert not np.shares_memory(array, output) and not np.shares_memory(array, weights)


# Several heads


def slow_multi_head(
    x: Array, w_q: Array, w_k: Array, w_v: Array, w_o: Array, mask: Mask, context: Array
) -> tuple[Rows, list[Rows]]:
    """Attend head by head in plain Python, put the outputs end to end, multiply by w_o."""
    outputs, weights = [], []
    for head in range(len(w_q)):
        output, head_weights = slow_attention(
            slow_product(x.tolist(), w_q[head].tolist()),
            slow_product(context.tolist(), w_k[head].tolist()),
            slow_product(context.tolist(), w_v[head].tolist()),
            mask.tolist(),
        )
        outputs.append(output)
        weights.append(head_weights)
    end_to_end = [list(chain(*rows)) for rows in zip(*outputs, strict=True)]
    return slow_product(end_to_end, w_o.tolist()), weights


def projections(heads: int, d_model: int, d_context: int, d_k: int, d_v: int) -> Projections:
    """Draw w_q, w_k, w_v and w_o, the last of them for an output of size 5."""
    return (
        draw(21, heads, d_model, d_k),
        draw(22, heads, d_context, d_k),
        draw(23, heads, d_context, d_v),
        draw(24, heads * d_v, 5),
    )


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


def test_heads_go_end_to_end_in_order() -> None:
    """One token, so every weight is 1: the output is the heads' values in order, times w_o."""
    w_v = [[[1.0, 2.0]], [[3.0, 4.0]]]
    output, weights = multi_head_attention([[10]], [[[1]], [[1]]], [[[1]], [[1]]], w_v, np.eye(4))
    assert weights.tolist() == [[[1.0]], [[1.0]]]
    assert output.tolist() == [[10.0, 20.0, 30.0, 40.0]]


def test_multi_head_masked_tokens_cannot_matter() -> None:
    """A context token that no query may use changes not a bit, even at 1e300."""
    x, context, w = draw(1, 4, 3), draw(2, 5, 3), projections(2, 3, 3, 2, 2)
    mask = np.ones((4, 5), dtype=bool)
    mask[:, 2] = False
    before = multi_head_attention(x, *w, mask, context)
    context[2] = 1e300
    after = multi_head_attention(x, *w, mask, context)
    assert same_bits(after[0], before[0]) and same_bits(after[1], before[1])


# What is refused

Q, K, V = [[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], [[1.0], [2.0], [3.0]]
X = np.ones((3, 4))
W = {
    "w_q": np.ones((2, 4, 3)),
    "w_k": np.ones((2, 4, 3)),
    "w_v": np.ones((2, 4, 2)),
    "w_o": np.ones((4, 5)),
}
NOT_SQUARE = np.ones((2, 3), dtype=bool)


def weights_with(mask: Any) -> Callable[[], Any]:
    """Defer attention weights of two queries and three keys under this mask."""
    return lambda: attention_weights(Q, K, mask)


def heads_with(**changes: Any) -> Callable[[], Any]:
    """Defer multi-head attention with one argument or another exchanged."""
    return lambda: multi_head_attention(**{"x": X, **W, **changes})


def additive_with(**changes: Any) -> Callable[[], Any]:
    """Defer additive scores with one argument or another exchanged."""
    good = {"queries": Q, "keys": V, "w_query": np.ones((2, 4)), "w_key": np.ones((1, 4))}
    return lambda: additive_scores(**{**good, "v": np.ones(4), **changes})


with np.errstate(over="ignore"):  # where a long double is no longer than a float64, this is inf
    TOO_LARGE = np.longdouble(LARGEST) * 2

# One bad argument after the other, as any function may meet it.
UNUSABLE: list[tuple[str, Any, type[Exception], list[str]]] = [
    ("a string", "attention", TypeError, ["real numbers", "got str", "float"]),
    ("strings", [["1", "2"]], TypeError, ["real numbers", "got str", "float"]),
    ("bytes", [[b"1"]], TypeError, ["real numbers", "got bytes"]),
    ("None", None, TypeError, ["real numbers", "got object"]),
    ("a dictionary", {"a": 1}, TypeError, ["real numbers", "got object"]),
    ("objects", np.array([[1, 2]], dtype=object), TypeError, ["real numbers", "got object"]),
    ("an integer too long", [[10**400, 1]], TypeError, ["real numbers", "got object"]),
    ("complex numbers", [[1j, 2]], TypeError, ["real numbers", "got complex128", ".real"]),
    ("booleans", [[True, False]], TypeError, ["real numbers", "got bool", "float"]),
    ("dates", np.zeros((1, 2), "datetime64[s]"), TypeError, ["real numbers", "got datetime64"]),
    ("a masked array", np.ma.ones((1, 2)), TypeError, ["numpy.ma", ".data"]),
    ("ragged rows", [[1.0, 2.0], [3.0]], ValueError, ["ragged", "same length"]),
    ("a scalar", 1.0, ValueError, ["shape ()", "make it"]),
    ("no rows", [], ValueError, ["shape (0,)"]),
    ("more than float64 holds", [[0, TOO_LARGE]], ValueError, ["[0, 1] is inf", "finite"]),
    ("NaN", [[1.0, math.nan]], ValueError, ["[0, 1] is nan", "finite"]),
    ("infinity", [[1.0, 2.0], [math.inf, 0.0]], ValueError, ["[1, 0] is inf", "finite"]),
    ("minus infinity", [[-math.inf, 0.0]], ValueError, ["[0, 0] is -inf", "finite"]),
]
ONLY_MATRICES: list[tuple[str, Any, type[Exception], list[str]]] = [
    ("one dimension", [1.0, 2.0], ValueError, ["shape (2,)", "make it 2-D"]),
    ("no tokens", np.ones((0, 2)), ValueError, ["empty", "shape (0, 2)", "at least 1"]),
    ("no features", np.ones((2, 0)), ValueError, ["empty", "shape (2, 0)", "at least 1"]),
    ("no batch", np.ones((0, 2, 2)), ValueError, ["empty", "shape (0, 2, 2)", "at least 1"]),
]
CALLS: dict[str, Callable[[Any], Any]] = {
    "scores": softmax,
    "queries": lambda bad: attention(bad, K, V),
    "keys": lambda bad: attention(Q, bad, V),
    "values": lambda bad: attention(Q, K, bad),
    "x": lambda bad: multi_head_attention(bad, **W),
    "context": lambda bad: multi_head_attention(X, **W, context=bad),
}
# Arguments that are fine alone and do not fit, and mistakes that one argument alone can hold.
MISFITS: list[tuple[Callable[[], Any], type[Exception], list[str]]] = [
    (lambda: softmax([1.0, 2.0], axis=1), ValueError, ["axis = 1", "shape (2,)", "-1 to 0"]),
    (lambda: softmax(Q, axis=-3), ValueError, ["axis = -3", "shape (2, 2)", "-2 to 1"]),
    (lambda: softmax(Q, axis=1.0), TypeError, ["axis", "integer", "got float", "int()"]),  # type: ignore[arg-type]
    (lambda: softmax(Q, axis=(0, 1)), TypeError, ["axis", "one integer", "got tuple"]),  # type: ignore[arg-type]
    (lambda: softmax(Q, axis=None), TypeError, ["axis", "integer", "got NoneType"]),  # type: ignore[arg-type]
    (lambda: softmax(Q, axis=True), TypeError, ["axis", "integer", "got bool"]),
    (lambda: softmax([0.0, -math.inf]), ValueError, ["scores[1] is -inf", "finite", "with a mask"]),
    (lambda: softmax(np.ones((2, 0))), ValueError, ["scores", "empty", "shape (2, 0)"]),
    (lambda: softmax(np.ones((0, 2))), ValueError, ["scores", "empty", "shape (0, 2)"]),
    (lambda: causal_mask(0), ValueError, ["n must be at least 1", "got 0", "number of tokens"]),
    (lambda: causal_mask(-3), ValueError, ["n must be at least 1", "got -3"]),
    (lambda: causal_mask(3.0), TypeError, ["n must be", "integer", "got float", "int()"]),  # type: ignore[arg-type]
    (lambda: causal_mask("3"), TypeError, ["n must be", "integer", "got str"]),  # type: ignore[arg-type]
    (lambda: causal_mask(None), TypeError, ["n must be", "integer", "got NoneType"]),  # type: ignore[arg-type]
    (lambda: causal_mask(True), TypeError, ["n must be", "integer", "got bool"]),
    (lambda: causal_mask(np.True_), TypeError, ["n must be", "integer", "got bool"]),  # type: ignore[arg-type]
    (lambda: causal_mask([3]), TypeError, ["n must be", "integer", "got list"]),  # type: ignore[arg-type]
    (lambda: causal_mask(np.array([3])), TypeError, ["n must be", "integer", "ndarray"]),  # type: ignore[arg-type]
    # Shapes that do not fit one another
    (
        lambda: scaled_dot_product_scores([[1, 2]], [[1, 2, 3]] * 4),
        ValueError,
        ["keys has d_k = 3", "queries has d_k = 2", "equal", "(4, 3)", "(1, 2)"],
    ),
    (
        lambda: attention_weights(np.ones((2, 1, 3)), np.ones((5, 1, 3))),
        ValueError,
        ["queries, keys", "batch", "(2,), (5,)", "equal or 1"],
    ),
    (
        lambda: attention(Q, K, V[:2]),
        ValueError,
        ["values has n_k = 2", "keys has n_k = 3", "equal", "(2, 1)", "(3, 2)"],
    ),
    (
        lambda: attention(np.ones((2, 1, 3)), np.ones((1, 3)), np.ones((3, 1, 1))),
        ValueError,
        ["queries, keys, values", "batch", "(2,), (), (3,)", "equal or 1"],
    ),
    # Masks
    (
        weights_with([[1, 0, 1], [1, 1, 1]]),
        TypeError,
        ["mask", "boolean", "True = may attend", "got int64", "np.array(mask, bool)"],
    ),
    (
        weights_with(np.ones((2, 3), int)),
        TypeError,
        ["mask must be boolean (True = may attend), got int64; use mask.astype(bool)"],
    ),
    (
        weights_with(np.zeros((2, 3))),
        TypeError,
        [
            "mask",
            "boolean",
            "got float64",
            "mask.astype(bool) if it holds 1 and 0",
            "np.equal(mask, 0) if it holds 0 and -inf",
        ],
    ),
    (weights_with(np.ones((2, 3), object)), TypeError, ["mask", "boolean", "got object"]),
    (weights_with("causal"), TypeError, ["mask", "boolean", "got str", "causal_mask(n)"]),
    (weights_with([["True"] * 3] * 2), TypeError, ["mask", "boolean", "got str"]),
    (weights_with(np.ma.ones((2, 3), bool)), TypeError, ["mask", "numpy.ma"]),
    (weights_with([[True, False, True], [True]]), ValueError, ["mask", "ragged", "same length"]),
    (weights_with([]), TypeError, ["mask", "boolean"]),
    (weights_with(True), ValueError, ["mask", "shape ()", "(2, 3)", "row for each query"]),
    (weights_with([True] * 3), ValueError, ["mask", "shape (3,)", "(2, 3)", "row for each query"]),
    (weights_with(NOT_SQUARE.T), ValueError, ["mask", "shape (3, 2)", "(2, 3)"]),
    (weights_with(causal_mask(3)), ValueError, ["mask", "shape (3, 3)", "(2, 3)"]),
    (weights_with(NOT_SQUARE[:, :0]), ValueError, ["mask", "shape (2, 0)", "(2, 3)"]),
    (weights_with(NOT_SQUARE[np.newaxis]), ValueError, ["mask", "shape (1, 2, 3)", "(2, 3)"]),
    (
        weights_with([[False, True, False], [False] * 3]),
        ValueError,
        ["mask row 1 is False throughout", "no key left", "at least one"],
    ),
    (weights_with([[False] * 3]), ValueError, ["mask row 0", "no key left"]),
    (
        lambda: attention_weights([Q] * 4, K, [[[True] * 3] * 2] * 3 + [[[True] * 3, [False] * 3]]),
        ValueError,
        ["mask row 3, 1", "no key left"],
    ),
    # Several heads
    (heads_with(w_q=np.ones((4, 3))), ValueError, ["w_q", "(4, 3)", "(heads, d_model, d_k)"]),
    (heads_with(w_q=np.ones((1, 2, 4, 3))), ValueError, ["w_q", "(1, 2, 4, 3)", "make it 3-D"]),
    (heads_with(w_q=np.ones((0, 4, 3))), ValueError, ["w_q", "empty", "(0, 4, 3)"]),
    (heads_with(w_q=np.ones((2, 5, 3))), ValueError, ["w_q has d_model = 5", "x has d_model = 4"]),
    (heads_with(w_k=np.ones((3, 4, 3))), ValueError, ["w_k has heads = 3", "w_q has heads = 2"]),
    (heads_with(w_v=np.ones((3, 4, 2))), ValueError, ["w_v has heads = 3", "w_q has heads = 2"]),
    (heads_with(w_k=np.ones((2, 4, 2))), ValueError, ["w_k has d_k = 2", "w_q has d_k = 3"]),
    (heads_with(w_k=np.ones((2, 5, 3))), ValueError, ["w_k has d_model = 5", "x has d_model = 4"]),
    (
        heads_with(context=np.ones((3, 5))),
        ValueError,
        ["w_k has d_context = 4", "context has d_context = 5", "equal", "(2, 4, 3)", "(3, 5)"],
    ),
    (
        heads_with(w_v=np.ones((2, 5, 2))),
        ValueError,
        ["w_v has d_model = 5", "x has d_model = 4"],
    ),
    (
        heads_with(w_o=np.ones((6, 5))),
        ValueError,
        ["w_o has heads*d_v = 6", "w_v has heads*d_v = 4", "equal", "(6, 5)", "(2, 4, 2)"],
    ),
    (heads_with(w_o=np.ones(4)), ValueError, ["w_o", "shape (4,)", "make it 2-D"]),
    (heads_with(w_o=[["a"]]), TypeError, ["w_o", "real numbers", "got str"]),
    (
        heads_with(x=np.ones((2, 3, 4)), context=np.ones((3, 3, 4))),
        ValueError,
        ["x, context", "batch", "(2,), (3,)", "equal or 1"],
    ),
    (heads_with(mask=np.ones((3, 3))), TypeError, ["mask", "boolean", "got float64"]),
    (heads_with(mask=np.ones((2, 3, 3), bool)), ValueError, ["mask", "(2, 3, 3)", "= (3, 3)"]),
    (heads_with(mask=np.ones((4, 3), bool)), ValueError, ["mask", "(4, 3)", "= (3, 3)"]),
    (heads_with(mask=np.zeros((3, 3), bool)), ValueError, ["mask row 0", "no key left"]),
    # Additive scores
    (additive_with(w_query=np.ones((3, 4))), ValueError, ["w_query has d_query = 3", "queries"]),
    (additive_with(w_key=np.ones((2, 4))), ValueError, ["w_key has d_key = 2", "keys"]),
    (additive_with(w_key=np.ones((1, 3))), ValueError, ["w_key has d_hidden = 3", "w_query"]),
    (additive_with(v=np.ones(3)), ValueError, ["v has d_hidden = 3", "w_query"]),
    (additive_with(v=np.ones((1, 4))), ValueError, ["v has shape (1, 4)", "make it 1-D"]),
    (additive_with(v=[]), ValueError, ["v", "empty", "shape (0,)"]),
    (additive_with(keys=[1.0]), ValueError, ["keys", "shape (1,)", "make it 2-D"]),
    (additive_with(queries=[[math.nan, 1]]), ValueError, ["queries[0, 0] is nan"]),
    (
        additive_with(queries=np.ones((2, 1, 2)), keys=np.ones((3, 1, 1))),
        ValueError,
        ["queries, keys", "batch", "(2,), (3,)"],
    ),
    # Numbers that are finite and whose products are not
    (
        lambda: scaled_dot_product_scores([[1.0], [1e200]], [[1.0], [1e200]]),
        ValueError,
        ["scores[1, 1] overflows float64", "scale queries or keys down"],
    ),
    (
        lambda: attention_weights([[1e200] * 64], [[1e200, -1e200] * 32]),  # inf - inf
        ValueError,
        ["scores[0, 0] overflows float64", "scale queries or keys down"],
    ),
    (
        lambda: attention(draw(1, 200, 3), draw(2, 7, 3), np.full((7, 1), LARGEST)),
        ValueError,
        ["output[", "overflows float64", "scale values down"],
    ),
    (additive_with(queries=[[HUGE] * 2]), ValueError, ["(queries @ w_query)[0, 0]", "down"]),
    (additive_with(keys=[[HUGE]], w_key=[[10.0] * 4]), ValueError, ["(keys @ w_key)[0, 0]"]),
    (additive_with(v=[HUGE] * 4), ValueError, ["scores[0, 0] overflows", "scale v down"]),
    (heads_with(x=[[HUGE] * 4]), ValueError, ["(x @ w_q)[0, 0, 0] overflows", "x or w_q down"]),
    (heads_with(context=[[HUGE] * 4]), ValueError, ["(context @ w_k)[0, 0, 0]", "context or w_k"]),
    (heads_with(w_v=np.full((2, 4, 2), HUGE)), ValueError, ["(x @ w_v)[0, 0, 0]", "x or w_v down"]),
    (heads_with(w_o=np.full((4, 5), HUGE)), ValueError, ["output[0, 0] overflows", "w_o down"]),
    (heads_with(x=[[1e160] * 4]), ValueError, ["scores[0, 0, 0] overflows", "queries or keys"]),
]
CASES = [
    pytest.param(lambda call=call, bad=bad: call(bad), error, [name, *parts], id=f"{name}: {what}")
    for name, call in CALLS.items()
    for what, bad, error, parts in UNUSABLE + (ONLY_MATRICES if name != "scores" else [])
    if not (name == "context" and bad is None)  # None is the default there
] + [
    pytest.param(call, error, parts, id=f"{number}: {parts[0]}")
    for number, (call, error, parts) in enumerate(MISFITS)
]


@pytest.mark.parametrize(("call", "error", "parts"), CASES)
def test_bad_input_is_refused_in_one_line(
    call: Callable[[], Any], error: type[Exception], parts: list[str]
) -> None:
    """The exception is of the right type, of one line, and says what, where and what to do."""
    with pytest.raises(error) as caught:
        call()
    message = str(caught.value)
    assert type(caught.value) is error
    assert "\n" not in message and len(message) < 200
    assert [part for part in parts if part not in message] == [], message


def test_the_good_counterparts_are_accepted() -> None:
    """What the table above spoils is accepted unspoilt, so each refusal has the one cause."""
    output, weights = attention(Q, K, V, NOT_SQUARE)
    assert output.shape == (2, 1) and weights.shape == (2, 3)
    assert weights_with(NOT_SQUARE)().shape == (2, 3)
    assert heads_with()()[0].shape == heads_with(context=X)()[0].shape == (3, 5)
    assert additive_with()().shape == (2, 3)
    close(additive_with(v=[HUGE] * 4, keys=[[0]], queries=[[0, 0]])(), [[0.0]])


@settings(properties, max_examples=200)
@given(
    npst.arrays(np.float64, (2, 2), elements=st.floats()),
    npst.arrays(np.float64, (3, 2), elements=st.floats()),
    npst.arrays(np.float64, (3, 1), elements=st.floats()),
    npst.arrays(np.bool_, (2, 3)),
)
def test_any_floats_give_numbers_or_an_error(q: Array, k: Array, v: Array, mask: Array) -> None:
    """Whatever the floats, NaN and infinity among them: finite results or a ValueError."""
    possible = all(np.isfinite(array).all() for array in (q, k, v)) and mask.any(axis=-1).all()
    try:
        output, weights = attention(q, k, v, mask)
    except ValueError as error:
        assert not possible or "overflows float64" in str(error)
    else:
        assert possible
        assert np.isfinite(output).all()
        np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=1e-14)


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
