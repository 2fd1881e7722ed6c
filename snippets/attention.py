"""Attention, once: every chapter of the site calls these functions.

Tokens are rows: a sequence of n tokens with d features each is an (n, d) array. Leading
dimensions are batches and broadcast. Everything is computed in float64. What cannot be computed
is refused in one line that names the argument and the remedy; the words are in arguments.py. No
result ever holds a NaN.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from snippets.arguments import (
    mask_for_heads,
    mask_out,
    validate_arrays,
    validate_count,
    validate_heads,
    validate_result,
    validate_scores,
    within_range,
)

Array = NDArray[np.float64]


@np.errstate(under="ignore")  # e^-1000 is 0, as it should be
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
    scores, axis = validate_scores(scores, axis)
    exponentials = np.exp(within_range(scores, axis))
    totals: Array = exponentials.sum(axis=axis, keepdims=True)
    return exponentials / totals


@np.errstate(all="ignore")  # the last line refuses an overflow
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
    queries, keys = validate_arrays("... n_q d_k, ... n_k d_k", queries=queries, keys=keys)
    d_k = queries.shape[-1]
    scores = queries @ keys.mT / np.sqrt(d_k)  # (..., n_q, d_k) @ (..., d_k, n_k)
    return validate_result("scores", scores, "queries or keys")


@np.errstate(all="ignore")  # validate_result refuses an overflow; tanh(inf) = 1 is right
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
    queries, keys, w_query, w_key, v = validate_arrays(
        shapes, queries=queries, keys=keys, w_query=w_query, w_key=w_key, v=v
    )
    of_queries = validate_result("(queries @ w_query)", queries @ w_query, "queries or w_query")
    of_keys = validate_result("(keys @ w_key)", keys @ w_key, "keys or w_key")
    # (..., n_q, 1, d_hidden) + (..., 1, n_k, d_hidden)
    hidden = np.tanh(of_queries[..., :, np.newaxis, :] + of_keys[..., np.newaxis, :, :])
    return validate_result("scores", hidden @ v, "v")  # (..., n_q, n_k, d_hidden) @ (d_hidden,)


def causal_mask(n: int) -> NDArray[np.bool_]:
    """Let every token use itself and the tokens before it.

    Parameters
    ----------
    n : the number of tokens, at least 1

    Returns
    -------
    The mask, (n, n), boolean: row i is True up to and including column i.

    Raises
    ------
    TypeError : a number that is not an integer, such as True
    ValueError : a number below 1: no tokens is an error, as everywhere in this module

    References
    ----------
    Vaswani et al. (2017), Attention is all you need, section 3.2.3.
    """
    return np.tri(validate_count(n), dtype=np.bool_)


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
        scores = mask_out(scores, mask)  # before softmax, so that the rest sums to one
    return softmax(scores)  # (..., n_q, n_k)


@np.errstate(all="ignore")  # the last line refuses an overflow
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
    queries, keys, values = validate_arrays(
        "... n_q d_k, ... n_k d_k, ... n_k d_v", queries=queries, keys=keys, values=values
    )
    weights = attention_weights(queries, keys, mask)  # (..., n_q, n_k)
    output = weights @ values  # (..., n_q, d_v)
    return validate_result("output", output, "values"), weights


@np.errstate(all="ignore")  # validate_result refuses an overflow
def multi_head_attention(
    x: ArrayLike,
    w_q: ArrayLike,
    w_k: ArrayLike,
    w_v: ArrayLike,
    w_o: ArrayLike,
    mask: ArrayLike | None = None,
    context: ArrayLike | None = None,
) -> tuple[Array, Array]:
    """Attend once per head, concatenate the heads' outputs, and mix them with W_O.

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
    source = "x" if context is None else "context"
    x, context, w_q, w_k, w_v, w_o = validate_heads(x, context, w_q, w_k, w_v, w_o)
    asking, answering = x[..., np.newaxis, :, :], context[..., np.newaxis, :, :]
    queries = validate_result("(x @ w_q)", asking @ w_q, "x or w_q")  # (..., heads, n_q, d_k)
    keys = validate_result(f"({source} @ w_k)", answering @ w_k, f"{source} or w_k")
    values = validate_result(f"({source} @ w_v)", answering @ w_v, f"{source} or w_v")
    if mask is not None:
        mask = mask_for_heads(mask, x, context)  # (..., 1, n_q, n_k)
    by_head, weights = attention(queries, keys, values, mask)  # (..., heads, n_q, d_v)
    by_token = by_head.swapaxes(-3, -2)  # (..., n_q, heads, d_v)
    concatenated = by_token.reshape(*by_token.shape[:-2], -1)  # (..., n_q, heads * d_v)
    output = concatenated @ w_o  # (..., n_q, d_out)
    return validate_result("output", output, "x, w_v or w_o"), weights
