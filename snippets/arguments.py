"""What the operation in attention.py refuses, and the words in which it does.

Every function takes what a caller gave and returns it ready to be computed with, or refuses it in
one line that names the argument and the remedy: a TypeError for input that is not real numbers, a
ValueError for input that is empty, ragged, NaN or infinite, for shapes that do not fit and for
results beyond the range of float64.
"""

import operator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
FAR = 30.0  # beyond it sums of e^s could overflow, or small weights be lost


def validate_scores(scores: ArrayLike, axis: int) -> tuple[Array, int]:
    """Return scores as float64, and the axis along which softmax may take them.

    Parameters
    ----------
    scores : (..., n), finite
    axis : an axis of the scores, counted from either end

    Returns
    -------
    A copy of the scores, and the axis.

    Raises
    ------
    TypeError : scores that are not real numbers; an axis that is not an integer
    ValueError : scores that are scalar, empty, ragged, NaN or infinite; an axis out of range
    """
    (array,) = validate_arrays("... n", scores=scores)
    axis, n = _integer("axis", axis), array.ndim
    if not -n <= axis < n:
        raise ValueError(
            f"axis = {axis} but scores has shape {array.shape}; use an axis from {-n} to {n - 1}"
        )
    return array, axis


def validate_arrays(layouts: str, **arguments: ArrayLike) -> list[Array]:
    """Return the arguments as float64 arrays whose shapes fit one another.

    Parameters
    ----------
    layouts : a shape for each argument in turn, such as "... n_q d_k, ... n_k d_k"; a symbol that
        two of them share is one size, "..." stands for batch dimensions, which broadcast
    **arguments : the arrays, under the names that an error is to use

    Returns
    -------
    A copy of each argument, in order.

    Raises
    ------
    TypeError : an argument that is not real numbers
    ValueError : one that is empty, ragged, NaN or infinite; sizes or batches that do not fit
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


def validate_heads(
    x: ArrayLike,
    context: ArrayLike | None,
    w_q: ArrayLike,
    w_k: ArrayLike,
    w_v: ArrayLike,
    w_o: ArrayLike,
) -> list[Array]:
    """Return the arguments of `multi_head_attention` as float64 arrays that fit one another.

    Parameters
    ----------
    x : (..., n_q, d_model)
    context : (..., n_k, d_context); x itself if None
    w_q, w_k, w_v, w_o : (heads, d_model, d_k), (heads, d_context, d_k), (heads, d_context, d_v)
        and (heads * d_v, d_out)

    Returns
    -------
    A copy of each, in order; the context is always an array.

    Raises
    ------
    TypeError, ValueError : as `validate_arrays`
    """
    d_context = "d_model" if context is None else "d_context"
    layouts = (
        f"... n_q d_model, ... n_k {d_context}, "
        f"heads d_model d_k, heads {d_context} d_k, heads {d_context} d_v, heads*d_v d_out"
    )
    context = x if context is None else context
    return validate_arrays(layouts, x=x, context=context, w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o)


def validate_count(n: int) -> int:
    """Return a number of tokens as an int.

    Parameters
    ----------
    n : the number, at least 1: no tokens is an error, as everywhere in the operation

    Raises
    ------
    TypeError : a number that is not an integer; True and False are not
    ValueError : a number below 1
    """
    n = _integer("n", n)
    if n < 1:
        raise ValueError(f"n must be at least 1, got {n}: give the number of tokens")
    return n


def validate_mask(mask: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return a mask that fits, and leaves every query a key.

    Parameters
    ----------
    mask : boolean, True where the query may use the key
    shape : the (..., n_q, n_k) that the mask must broadcast to

    Returns
    -------
    A copy of the mask, not broadcast.

    Raises
    ------
    TypeError : a mask that is not boolean
    ValueError : a mask that does not fit, or with a row without a key
    """
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


def validate_result(name: str, result: Array, cause: str) -> Array:
    """Return a result, unless it has left the range of float64.

    Parameters
    ----------
    name : what an error is to call the result
    result : any shape
    cause : the arguments that are to be scaled down, such as "queries or keys"

    Raises
    ------
    ValueError : a result with an entry that is infinite or NaN
    """
    overflown = ~np.isfinite(result)
    if overflown.any():
        where = f"{name}[{_first(overflown)}]"
        raise ValueError(f"{where} overflows float64 (about 1.8e308); scale {cause} down")
    return result


@np.errstate(over="ignore")  # of a difference beyond float64, to -inf: e^s is 0
def within_range(scores: Array, axis: int = -1) -> Array:
    """Subtract the largest score from all where it is far from 0, so that e^s cannot overflow.

    The others stay as they are: their exponentials are those that a reader computes by hand.

    Parameters
    ----------
    scores : (..., n), finite or -inf
    axis : the axis along which softmax takes them

    Returns
    -------
    The scores, in the same shape, with the same softmax.
    """
    largest = scores.max(axis=axis, keepdims=True)
    return scores - np.where(np.abs(largest) > FAR, largest, 0.0)


def mask_out(scores: Array, mask: ArrayLike) -> Array:
    """Give masked keys the score -inf, as far as softmax can tell.

    Softmax takes finite scores only. With the others moved within range, which changes no weight,
    the lowest float64 does what -inf does: e^s is 0.0.

    Parameters
    ----------
    scores : (..., n_q, n_k), finite
    mask : boolean, True where the query may use the key

    Returns
    -------
    The scores, finite.

    Raises
    ------
    TypeError, ValueError : as `validate_mask`
    """
    allowed = validate_mask(mask, scores.shape)
    masked = within_range(np.where(allowed, scores, -np.inf))
    return np.maximum(masked, np.finfo(np.float64).min)


def mask_for_heads(mask: ArrayLike, x: Array, context: Array) -> NDArray[np.bool_]:
    """Return one mask for all heads: with an axis of size 1 where the heads are.

    Parameters
    ----------
    mask : boolean, True where the query may use the key
    x : (..., n_q, d_model), the tokens that ask
    context : (..., n_k, d_context), the tokens that answer

    Returns
    -------
    The mask, (..., 1, n_q, n_k) or what broadcasts to it.

    Raises
    ------
    TypeError, ValueError : as `validate_mask`, of the shape (..., n_q, n_k)
    """
    batch = np.broadcast_shapes(x.shape[:-2], context.shape[:-2])
    allowed = validate_mask(mask, (*batch, x.shape[-2], context.shape[-2]))
    return allowed[..., np.newaxis, :, :]


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
