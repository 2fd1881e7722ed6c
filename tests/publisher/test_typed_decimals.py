"""Decimals typed by hand are found; numbers that name something are let through."""

from __future__ import annotations

import pytest

from publisher import checks
from publisher.errors import Mistake

TYPED = [
    ".5", "1,5", "$0{,}25$", "5e-3", r"$66\%$", "66 per cent", "_0.6652_", "0.6652x",
    "x < 0.6652 and y > 2", '[x](y "0.6652")', '<img alt="0.6652" src="x">',
    "Section 3.2 and 0.6652",
    "Python 0.6652", "{{ weight is 0.6652 }}",
]  # fmt: skip
NAMED = [
    "CC BY-SA 4.0", "Sec. 3.2", "Eq. 3.2", "sections 3.2-3.4", "Python 3.11, 3.12 or 3.13",
    "Python ≥ 3.11", "NumPy 2.1", "arXiv 1706.03762", "doi:10.18653/v1/N19-1357", "1,500 trials",
    "7-9 May 2015", "§3.2.1", "<https://x.org/1.5>", "[x](https://x.org/0.25)", "appendix 1.2",
]  # fmt: skip


@pytest.mark.parametrize("text", TYPED)
def test_typed_numbers_are_found(text: str) -> None:
    with pytest.raises(Mistake, match=r"docs/p.md:8: '.+' is typed by hand"):
        checks.typed_decimals("docs/p.md", f"One.\n\nIt is {text}.\n", 6)


@pytest.mark.parametrize("text", NAMED)
def test_numbers_that_name_something_are_let_through(text: str) -> None:
    checks.typed_decimals("docs/p.md", f"It is {text}.\n", 1)
