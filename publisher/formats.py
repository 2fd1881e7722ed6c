"""A value becomes digits, here and nowhere else: rounded half to even from the full value."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction

import numpy as np

FORMS = ("", "int", "short", "percent", "fraction", "surd", "exact")
MINUS = "\N{MINUS SIGN}"
# How close a float must be to a whole number or fraction to be shown as one.
SAME = 1e-9


def display(value: float, digits: int = 4, form: str = "", tex: bool = False) -> str:
    """Return `value` as the text a reader sees.

    Parameters
    ----------
    value : float or int
        A finite scalar. A Python or NumPy integer is shown as an integer.
    digits : int
        Decimals of the plain and the short form; a percentage shows two fewer.
    form : str
        One of `FORMS`: plain, whole number, without trailing zeros, per cent, fraction, square
        root, or every digit of the float.
    tex : bool
        Whether the text goes into a formula.

    Raises
    ------
    ValueError
        If the form is unknown or does not fit the value.
    """
    if form not in FORMS:
        known = ", ".join([*filter(None, FORMS), "digits n"])
        raise ValueError(f"unknown format '{form}' (one of: {known})")
    if form == "percent":
        return _signed(value, _fixed(Decimal(float(value)) * 100, digits - 2), tex) + (
            r"\%" if tex else "%"
        )
    if form == "fraction":
        return _fraction(value, tex)
    if form == "exact":
        return _signed(value, repr(abs(float(value))), tex)
    if form == "int" and abs(value - round(value)) > SAME:
        raise ValueError(f"format 'int' needs a whole number, not {float(value)!r}")
    if form == "surd" and (root := _surd(value, tex)):
        return root
    if isinstance(value, (int, np.integer)) or form == "int":
        return _signed(value, _grouped(abs(round(value)), tex), tex)
    text = _fixed(Decimal(float(value)), digits)
    if form in ("short", "surd"):
        text = text.rstrip("0").rstrip(".") if "." in text else text
    return _signed(value, text, tex)


def near_boundary(value: float, digits: int) -> bool:
    """Tell whether `value` lies within 1e-9 of a point where its last printed digit flips."""
    with localcontext(prec=1000):
        scaled = abs(Decimal(float(value))) * 10**digits
        return bool(abs(scaled % 1 - Decimal("0.5")) < Decimal("1e-9") * 10**digits)


def _fixed(value: Decimal, digits: int) -> str:
    """Return |value| with exactly `digits` decimals."""
    with localcontext(prec=1000):  # a float has up to 309 digits before the point
        return str(abs(value).quantize(Decimal(1).scaleb(-max(digits, 0)), ROUND_HALF_EVEN))


def _signed(value: float, text: str, tex: bool) -> str:
    """Put the minus sign before `text`, unless `text` has rounded to zero."""
    if value < 0 and any(character in "123456789" for character in text):
        return ("-" if tex else MINUS) + text
    return text


def _grouped(value: int, tex: bool) -> str:
    """Return 20000 as 20,000; four figures stay as they are."""
    if value < 10_000:
        return str(value)
    return f"{value:,}".replace(",", "{,}" if tex else ",")


def _fraction(value: float, tex: bool) -> str:
    near = Fraction(float(value)).limit_denominator(1000)
    if abs(float(near) - float(value)) > SAME:
        raise ValueError(f"format 'fraction' needs a simple fraction, not {float(value)!r}")
    top, bottom = abs(near.numerator), near.denominator
    if bottom == 1:
        return _signed(value, str(top), tex)
    return _signed(value, rf"\tfrac{{{top}}}{{{bottom}}}" if tex else f"{top}/{bottom}", tex)


def _surd(value: float, tex: bool) -> str:
    """Return 2.828... as 2√2 when its square is a whole number up to 10,000, else nothing."""
    square = round(value * value)
    if not 0 < square <= 10_000 or abs(math.sqrt(square) - abs(value)) > 1e-12:
        return ""
    outer = next(k for k in range(math.isqrt(square), 0, -1) if square % (k * k) == 0)
    inner = square // (outer * outer)
    root = "" if inner == 1 else rf"\sqrt{{{inner}}}" if tex else f"√{inner}"
    return _signed(value, ("" if outer == 1 and root else str(outer)) + root, tex)
