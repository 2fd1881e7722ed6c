"""Digits: rounded half to even from the full value, whatever the form."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from publisher.formats import MINUS, display, near_boundary

FINITE = st.floats(min_value=-1e6, max_value=1e6)


@pytest.mark.parametrize(
    ("value", "form", "text", "tex"),
    [
        (0.66524, "", "0.6652", "0.6652"),
        (-0.66524, "", f"{MINUS}0.6652", "-0.6652"),
        (-0.00001, "", "0.0000", "0.0000"),
        (-0.0, "short", "0", "0"),
        (3, "", "3", "3"),
        (20_000, "", "20,000", "20{,}000"),
        (2.0, "int", "2", "2"),
        (2.0000000000000004, "int", "2", "2"),
        (2.0, "short", "2", "2"),
        (1.5, "short", "1.5", "1.5"),
        (100.0, "short", "100", "100"),
        (0.66524, "percent", "66.52%", r"66.52\%"),
        (1 / 3, "fraction", "1/3", r"\tfrac{1}{3}"),
        (-0.5, "fraction", f"{MINUS}1/2", r"-\tfrac{1}{2}"),
        (2.0, "fraction", "2", "2"),
        (math.sqrt(2), "surd", "√2", r"\sqrt{2}"),
        (-math.sqrt(8), "surd", f"{MINUS}2√2", r"-2\sqrt{2}"),
        (2.0, "surd", "2", "2"),
        (1.0, "surd", "1", "1"),
        (0.0, "surd", "0", "0"),
        (1.55, "surd", "1.55", "1.55"),
        (0.1, "exact", "0.1", "0.1"),
        (1e-17, "exact", "1e-17", "1e-17"),
    ],
)
def test_forms(value: float, form: str, text: str, tex: str) -> None:
    assert display(value, 4, form) == text
    assert display(value, 4, form, tex=True) == tex


def test_ties_go_to_the_even_digit() -> None:
    # These are exact in binary, so they are true ties.
    assert [display(x, 1) for x in (0.25, 0.75, 1.25, 2.5)] == ["0.2", "0.8", "1.2", "2.5"]
    assert [display(x, 0) for x in (0.5, 1.5, 2.5)] == ["0", "2", "2"]
    assert display(0.00125, 2, "percent") == "0%"
    assert display(0.125, 2, "percent") == "12%"


@pytest.mark.parametrize(
    ("value", "form", "said"),
    [
        (0.5, "int", "needs a whole number"),
        (math.pi, "fraction", "needs a simple fraction"),
        (0.5, "roman", "unknown format 'roman'"),
    ],
)
def test_forms_that_do_not_fit_are_refused(value: float, form: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        display(value, 4, form)


@given(FINITE, st.integers(0, 8))
def test_plain_form_is_the_nearest_decimal(value: float, digits: int) -> None:
    shown = Fraction(display(value, digits).replace(MINUS, "-").replace(",", ""))
    assert abs(shown - Fraction(value)) <= Fraction(1, 2 * 10**digits)


@given(FINITE)
def test_exact_form_is_the_same_float(value: float) -> None:
    assert float(display(value, 4, "exact").replace(MINUS, "-")) == value


@pytest.mark.parametrize(
    ("value", "near"),
    [(0.00005, True), (0.66525, True), (0.665250002, False), (0.6652, False), (-0.66525, True)],
)
def test_boundary(value: float, near: bool) -> None:
    assert near_boundary(value, 4) is near
