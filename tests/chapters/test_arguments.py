"""What the operation refuses: each in one line, of the right type, with the remedy."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from snippets import arguments
from snippets.attention import (
    additive_scores,
    attention,
    attention_weights,
    causal_mask,
    multi_head_attention,
    scaled_dot_product_scores,
    softmax,
)
from tests.operation import HUGE, LARGEST, Array, close, draw, properties

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


def test_scores_are_moved_only_where_their_largest_is_far_from_zero() -> None:
    """Up to 30 nothing moves, so that a reader's e^s is ours; beyond it, the largest becomes 0."""
    near, far, low = [30.0, -900.0], [31.0, 1.0], [-1000.0, -1002.0]
    moved = arguments.within_range(np.array([near, far, low]))
    assert moved.tolist() == [near, [0.0, -30.0], [0.0, -2.0]]
    columns = arguments.within_range(np.array([[near, far], [far, near]]), axis=1)
    assert columns.tolist() == [[[-1.0, -900.0], [0.0, 1.0]], [[0.0, 1.0], [-1.0, -900.0]]]


def test_masked_scores_are_the_lowest_there_are() -> None:
    """Finite, but as good as -inf; what is left keeps its distances."""
    scores, mask = np.array([[1.0, 1000.0, -1000.0]]), np.array([[True, False, True]])
    assert arguments.mask_out(scores, mask).tolist() == [[1.0, -LARGEST, -1000.0]]
    assert arguments.mask_out(scores, ~mask).tolist() == [[-LARGEST, 0.0, -LARGEST]]


def test_what_is_accepted_is_copied() -> None:
    """The operation computes with memory of its own, in one layout."""
    given_array = np.asfortranarray(draw(1, 3, 2))
    (array,) = arguments.validate_arrays("... n d", x=given_array)
    assert array.tolist() == given_array.tolist()
    assert array.flags.c_contiguous and not np.shares_memory(array, given_array)


def test_heads_without_a_context_attend_to_x() -> None:
    """The context is x, and the sizes of w_k and w_v are checked against d_model."""
    x, context, *_ = arguments.validate_heads(X, None, **W)
    assert context.tolist() == x.tolist() == X.tolist()


def test_one_mask_serves_all_heads() -> None:
    """A mask of a batch gets an axis where the heads are; one without a batch fits any."""
    x, context = draw(1, 2, 3, 4), draw(2, 5, 4)
    mask = draw(3, 2, 3, 5) > -9
    assert arguments.mask_for_heads(mask, x, context).shape == (2, 1, 3, 5)
    assert arguments.mask_for_heads(mask[0], x, context).shape == (1, 3, 5)
