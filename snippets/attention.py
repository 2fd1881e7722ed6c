"""Attention, once: every chapter of the site calls these functions.

Tokens are rows: a sequence of n tokens with d features each is an (n, d) array. Leading
dimensions are batches and broadcast. Everything is computed in float64. What cannot be computed
is refused in one line that names the argument and the remedy: a TypeError for input that is not
real numbers, a ValueError for input that is empty, ragged, NaN or infinite, for shapes that do
not fit and for results beyond the range of float64. No result ever holds a NaN.
"""

import operator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
FAR = 30.0  # beyond it sums of e^s could overflow, or small weights be lost


def softmax(scores: ArrayLike, axis: int = -1) -> Array:
    """Turn scores into weights: e^s over the sum of all e^s, along one axis.

    Subtracting one number from all scores changes no weight. Where e^s could leave the range of
    float64 the largest score is subtracted first, so nothing overflows, however large the scores.

    Parameters
    ----------
    scores : (..., n), finite
    axis : the axis along which the weights sum to one; the last by default

    Returns
    -------
    The weights, in the shape of the scores, each between 0 and 1; they sum to one along `axis`.

    Raises
    ------
    TypeError : scores that are not real numbers; an axis that is not an integer
    ValueError : scores that are scalar, empty, ragged, NaN or infinite; an axis out of range

    References
    ----------
    Vaswani et al. (2017), Attention is all you need, section 3.2.1.
    """
    (scores,) = _fit("... n", scores=scores)
    axis = _axis_of(scores, axis)
    with np.errstate(over="ignore", under="ignore"):  # both end at e^s = 0, as they should
        exponentials = np.exp(_within_range(scores, axis))
        weights: Array = exponentials / exponentials.sum(axis=axis, keepdims=True)
    return weights


def scaled_dot_product_scores(queries: ArrayLike, keys: ArrayLike) -> Array:
    """Score every key against every query: Q K^T / sqrt(d_k).

    Parameters
    ----------
    queries : (..., n_q, d_k)
    keys : (..., n_k, d_k)

    Returns
    -------
    The scores, (..., n_q, n_k), any finite numbers.

    Raises
    ------
    TypeError : input that is not real numbers
    ValueError : unusable numbers, shapes that do not fit, dot products beyond float64

    References
    ----------
    Vaswani et al. (2017), Attention is all you need, section 3.2.1.
    """
    queries, keys = _fit("... n_q d_k, ... n_k d_k", queries=queries, keys=keys)
    d_k = queries.shape[-1]
    with np.errstate(all="ignore"):  # the next line refuses an overflow
        scores = queries @ keys.mT / np.sqrt(d_k)  # (..., n_q, d_k) @ (..., d_k, n_k)
    return _not_overflown("scores", scores, "queries or keys")


def additive_scores(
    queries: ArrayLike, keys: ArrayLike, w_query: ArrayLike, w_key: ArrayLike, v: ArrayLike
) -> Array:
    """Score every key against every query with a small network: v . tanh(q W_q + k W_k).

    Parameters
    ----------
    queries : (..., n_q, d_query)
    keys : (..., n_k, d_key)
    w_query : (d_query, d_hidden)
    w_key : (d_key, d_hidden)
    v : (d_hidden,)

    Returns
    -------
    The scores, (..., n_q, n_k), none larger in size than the sum of |v|.

    Raises
    ------
    TypeError : input that is not real numbers
    ValueError : unusable numbers, shapes that do not fit, products or scores beyond float64

    References
    ----------
    Bahdanau, Cho & Bengio (2015), Neural machine translation by jointly learning to align and
    translate, appendix A.1.2.
    """
    shapes = "... n_q d_query, ... n_k d_key, d_query d_hidden, d_key d_hidden, d_hidden"
    queries, keys, w_query, w_key, v = _fit(
        shapes, queries=queries, keys=keys, w_query=w_query, w_key=w_key, v=v
    )
    of_queries = _project(queries, w_query, "queries @ w_query")  # (..., n_q, d_hidden)
    of_keys = _project(keys, w_key, "keys @ w_key")  # (..., n_k, d_hidden)
    with np.errstate(all="ignore"):  # tanh(inf) = 1 is right; the next line refuses the rest
        hidden = np.tanh(of_queries[..., :, np.newaxis, :] + of_keys[..., np.newaxis, :, :])
        scores = hidden @ v  # (..., n_q, n_k, d_hidden) @ (d_hidden,)
    return _not_overflown("scores", scores, "v")


def causal_mask(n: int) -> NDArray[np.bool_]:
    """Let every token use itself and the tokens before it.

    Parameters
    ----------
    n : the number of tokens, at least 1: no tokens is an error, as everywhere in this module

    Returns
    -------
    The mask, (n, n), boolean: row i is True up to and including column i.

    Raises
    ------
    TypeError : a size that is not an integer; True and False are no sizes
    ValueError : a size below 1

    References
    ----------
    Vaswani et al. (2017), Attention is all you need, section 3.2.3.
    """
    n = _integer("n", n)
    if n < 1:
        raise ValueError(f"n must be at least 1, got {n}: give the number of tokens")
    return np.tri(n, dtype=np.bool_)


def attention_weights(queries: ArrayLike, keys: ArrayLike, mask: ArrayLike | None = None) -> Array:
    """Share each query's attention out over the keys: softmax(Q K^T / sqrt(d_k)), row by row.

    Parameters
    ----------
    queries : (..., n_q, d_k)
    keys : (..., n_k, d_k)
    mask : boolean, broadcast to (..., n_q, n_k), True where the query may use the key

    Returns
    -------
    The weights, (..., n_q, n_k), each between 0 and 1, exactly 0.0 where masked; rows sum to one.

    Raises
    ------
    TypeError : input that is not real numbers; a mask that is not boolean
    ValueError : as `scaled_dot_product_scores`; a mask that does not fit, or a row of it without
        a key

    References
    ----------
    Vaswani et al. (2017), Attention is all you need, sections 3.2.1 and 3.2.3.
    """
    scores = scaled_dot_product_scores(queries, keys)  # (..., n_q, n_k)
    if mask is not None:
        scores = _mask_out(scores, mask)  # before softmax, so that the rest sums to one
    return softmax(scores)  # (..., n_q, n_k)


def attention(
    queries: ArrayLike, keys: ArrayLike, values: ArrayLike, mask: ArrayLike | None = None
) -> tuple[Array, Array]:
    """Mix the values, each by its key's weight: softmax(Q K^T / sqrt(d_k)) V.

    Parameters
    ----------
    queries : (..., n_q, d_k)
    keys : (..., n_k, d_k)
    values : (..., n_k, d_v), finite even where masked
    mask : boolean, broadcast to (..., n_q, n_k), True where the query may use the key

    Returns
    -------
    output : (..., n_q, d_v), each row a weighted mean of the values, so within their range
    weights : (..., n_q, n_k), as `attention_weights`

    Raises
    ------
    TypeError : input that is not real numbers; a mask that is not boolean
    ValueError : as `attention_weights`; values that do not fit, or so close to the largest
        float64 that rounding carries their mean beyond it

    References
    ----------
    Vaswani et al. (2017), Attention is all you need, section 3.2.1.
    """
    queries, keys, values = _fit(
        "... n_q d_k, ... n_k d_k, ... n_k d_v", queries=queries, keys=keys, values=values
    )
    weights = attention_weights(queries, keys, mask)  # (..., n_q, n_k)
    with np.errstate(all="ignore"):  # the last line refuses an overflow
        output = weights @ values  # (..., n_q, d_v)
    return _not_overflown("output", output, "values"), weights


def multi_head_attention(
    x: ArrayLike,
    w_q: ArrayLike,
    w_k: ArrayLike,
    w_v: ArrayLike,
    w_o: ArrayLike,
    mask: ArrayLike | None = None,
    context: ArrayLike | None = None,
) -> tuple[Array, Array]:
    """Attend once per head, put the heads' outputs end to end, and mix them with W_O.

    Parameters
    ----------
    x : (..., n_q, d_model), the tokens that ask
    w_q : (heads, d_model, d_k)
    w_k : (heads, d_context, d_k)
    w_v : (heads, d_context, d_v)
    w_o : (heads * d_v, d_out)
    mask : boolean, broadcast to (..., n_q, n_k), one for all heads, True = may attend
    context : (..., n_k, d_context), the tokens that answer; x itself (self-attention) by default

    Returns
    -------
    output : (..., n_q, d_out)
    weights : (..., heads, n_q, n_k), as `attention_weights`

    Raises
    ------
    TypeError : input that is not real numbers; a mask that is not boolean
    ValueError : as `attention`, for each head; heads that do not fit one another

    References
    ----------
    Vaswani et al. (2017), Attention is all you need, section 3.2.2.
    """
    source, d_context = ("x", "d_model") if context is None else ("context", "d_context")
    shapes = (
        f"... n_q d_model, ... n_k {d_context}, "
        f"heads d_model d_k, heads {d_context} d_k, heads {d_context} d_v, heads*d_v d_out"
    )
    context = x if context is None else context
    x, context, w_q, w_k, w_v, w_o = _fit(
        shapes, x=x, context=context, w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o
    )
    asking, answering = x[..., np.newaxis, :, :], context[..., np.newaxis, :, :]
    queries = _project(asking, w_q, "x @ w_q")  # (..., heads, n_q, d_k)
    keys = _project(answering, w_k, f"{source} @ w_k")  # (..., heads, n_k, d_k)
    values = _project(answering, w_v, f"{source} @ w_v")  # (..., heads, n_k, d_v)
    if mask is not None:  # one for all heads
        batch = np.broadcast_shapes(x.shape[:-2], context.shape[:-2])
        mask = _allowed(mask, (*batch, x.shape[-2], context.shape[-2]))[..., np.newaxis, :, :]
    by_head, weights = attention(queries, keys, values, mask)  # (..., heads, n_q, d_v)
    by_token = by_head.swapaxes(-3, -2)  # (..., n_q, heads, d_v)
    end_to_end = by_token.reshape(*by_token.shape[:-2], -1)  # (..., n_q, heads * d_v)
    with np.errstate(all="ignore"):  # the last line refuses an overflow
        output = end_to_end @ w_o  # (..., n_q, d_out)
    return _not_overflown("output", output, "x, w_v or w_o"), weights


def _within_range(scores: Array, axis: int) -> Array:
    """Move scores whose largest is far from 0 until it is 0.

    The others stay as they are: their exponentials are those that a reader computes by hand.
    """
    largest = scores.max(axis=axis, keepdims=True)
    moved: Array = scores - np.where(np.abs(largest) > FAR, largest, 0.0)
    return moved


def _mask_out(scores: Array, mask: ArrayLike) -> Array:
    """Give masked keys the score -inf, as far as softmax can tell.

    Softmax takes finite scores only. With the others moved within range, which changes no weight,
    the lowest float64 does what -inf does: e^s is 0.0.
    """
    allowed = _allowed(mask, scores.shape)
    masked = np.where(allowed, scores, -np.inf)
    with np.errstate(over="ignore"):  # to -inf, which the next line takes in
        finite: Array = np.maximum(_within_range(masked, -1), np.finfo(np.float64).min)
    return finite


def _allowed(mask: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Check a mask against the (..., n_q, n_k) it has to fit."""
    allowed = _copy("mask", mask)
    if allowed.dtype != np.bool_:
        remedy = "mask.astype(bool)" if isinstance(mask, np.ndarray) else "np.array(mask, bool)"
        if allowed.dtype.kind == "f":  # some libraries add their masks: 0 is True there
            remedy += " if it holds 1 and 0, np.equal(mask, 0) if it holds 0 and -inf"
        if allowed.dtype.kind in "SU":  # any string but the empty one would become True
            remedy = "an array of True and False, such as causal_mask(n)"
        raise TypeError(
            f"mask must be boolean (True = may attend), got {_kind(allowed)}; use {remedy}"
        )
    fits = all(m in (1, n) for m, n in zip(allowed.shape[::-1], shape[::-1], strict=False))
    if not (fits and 2 <= allowed.ndim <= len(shape)):
        raise ValueError(
            f"mask has shape {allowed.shape} but must broadcast to (..., n_q, n_k) = {shape}: "
            "give it a row for each query and a column for each key"
        )
    without_key = ~allowed.any(axis=-1)
    if without_key.any():
        raise ValueError(
            f"mask row {_first(without_key)} is False throughout, so its query has no key left: "
            "set at least one entry of the row to True"
        )
    return allowed


def _project(tokens: Array, weights: Array, product: str) -> Array:
    with np.errstate(all="ignore"):  # the next line refuses an overflow
        projected = tokens @ weights
    return _not_overflown(f"({product})", projected, product.replace("@", "or"))


def _fit(layouts: str, **arguments: ArrayLike) -> list[Array]:
    """Convert the arguments to float64, and check each against its layout and the others.

    A letter that two layouts share is one size; "..." stands for batch dimensions.
    """
    arrays: list[Array] = []
    batches: dict[str, tuple[int, ...]] = {}
    seen: dict[str, tuple[int, str, tuple[int, ...]]] = {}  # symbol: its size, where, the shape
    for (name, value), layout in zip(arguments.items(), layouts.split(", "), strict=True):
        array = _finite(name, value, layout)
        for symbol, size in zip(layout.split()[::-1], array.shape[::-1], strict=False):
            if symbol == "heads*d_v":
                seen[symbol] = (seen["heads"][0] * seen["d_v"][0], *seen["d_v"][1:])
            other_size, other, shape = seen.setdefault(symbol, (size, name, array.shape))
            if size != other_size and symbol != "...":
                raise ValueError(
                    f"{name} has {symbol} = {size} but {other} has {symbol} = {other_size}: "
                    f"the two must be equal (shapes {array.shape} and {shape})"
                )
        arrays.append(array)
        if "..." in layout:
            batches[name] = array.shape[:-2]
    try:
        np.broadcast_shapes(*batches.values())
    except ValueError:
        names, shapes = ", ".join(batches), ", ".join(map(str, batches.values()))
        raise ValueError(
            f"{names} have batch dimensions {shapes}, which do not broadcast: make them equal or 1"
        ) from None
    return arrays


def _copy(name: str, value: ArrayLike) -> NDArray[Any]:
    """Copy the input into memory of one layout, so that equal numbers give equal bits.

    NumPy chooses its routine by memory: x @ x.T may differ from x @ y.T in the last bit, y == x.
    """
    if isinstance(value, np.ma.MaskedArray):
        remedy = "mask.data" if name == "mask" else f"{name}.data, and mask= to leave keys out"
        raise TypeError(f"{name} is a numpy.ma array, whose own mask would be lost; use {remedy}")
    try:
        return np.array(value, order="C")
    except ValueError:
        raise ValueError(f"{name} is ragged; give all its rows the same length") from None


def _finite(name: str, value: ArrayLike, layout: str) -> Array:
    array = _copy(name, value)
    if array.dtype.kind not in "iuf":
        remedy = f"{name}.real" if array.dtype.kind == "c" else f"np.array({name}, float)"
        raise TypeError(f"{name} must hold real numbers, got {_kind(array)}; use {remedy}")
    shape = f"shape {array.shape} for ({layout.replace(' ', ', ')})"
    dimensions = len(layout.removeprefix("... ").split())
    if array.ndim < dimensions or (array.ndim > dimensions and "..." not in layout):
        raise ValueError(f"{name} has {shape}; make it {dimensions}-D")
    if array.size == 0:
        raise ValueError(f"{name} is empty, {shape}; make every size at least 1")
    with np.errstate(over="ignore"):  # a long double may become inf, refused next
        numbers = array.astype(np.float64, copy=False)
    bad = ~np.isfinite(numbers)
    if bad.any():
        remedy = "make it a finite number"
        if name == "scores":  # -inf, perhaps, by someone who knows how masks work
            remedy += ", or use attention_weights with a mask to leave a key out"
        raise ValueError(f"{name}[{_first(bad)}] is {numbers[bad][0]}; {remedy}")
    return numbers


def _not_overflown(name: str, result: Array, cause: str) -> Array:
    overflown = ~np.isfinite(result)
    if overflown.any():
        where = f"{name}[{_first(overflown)}]"
        raise ValueError(f"{where} overflows float64 (about 1.8e308); scale {cause} down")
    return result


def _axis_of(scores: Array, axis: int) -> int:
    axis, n = _integer("axis", axis), scores.ndim
    if not -n <= axis < n:
        raise ValueError(
            f"axis = {axis} but scores has shape {scores.shape}; use an axis from {-n} to {n - 1}"
        )
    return axis


def _integer(name: str, value: int) -> int:
    try:
        if not isinstance(value, bool):
            return operator.index(value)
    except TypeError:
        pass
    raise TypeError(
        f"{name} must be one integer, got {type(value).__name__}; convert it with int()"
    )


def _kind(array: NDArray[Any]) -> str:
    return array.dtype.type.__name__.rstrip("_")


def _first(where: ArrayLike) -> str:
    """Write the index of the first True, such as 0, 2."""
    return ", ".join(str(i) for i in np.argwhere(where)[0])
