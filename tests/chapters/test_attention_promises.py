"""What the operation promises whatever the numbers: on order, masks, memory and range."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from snippets.attention import (
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
    problems,
    projections,
    properties,
    same_bits,
)


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


def test_multi_head_masked_tokens_cannot_matter() -> None:
    """A context token that no query may use changes not a bit, even at 1e300."""
    x, context, w = draw(1, 4, 3), draw(2, 5, 3), projections(2, 3, 3, 2, 2)
    mask = np.ones((4, 5), dtype=bool)
    mask[:, 2] = False
    before = multi_head_attention(x, *w, mask, context)
    context[2] = 1e300
    after = multi_head_attention(x, *w, mask, context)
    assert same_bits(after[0], before[0]) and same_bits(after[1], before[1])


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
