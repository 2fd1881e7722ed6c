"""TeX becomes MathML when the site is built: strict, without JavaScript, its TeX kept beside it."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from markupsafe import Markup
from math_core import LatexError, LatexToMathML

from publisher.html.templates import render

_CONVERTER = LatexToMathML(fancy_error=False)
# Stand-ins that no formula uses; each becomes the CSS variable of a token's colour.
_COLOUR = "0101{:02x}"


def convert(tex: str, display: bool, tokens: Sequence[str]) -> Markup:
    r"""Return a formula as MathML, with its TeX as an annotation.

    Parameters
    ----------
    tex : str
        The formula; `\textcolor{fisherman}{...}` gives what it encloses the colour of a token.
    display : bool
        Whether it stands on a line of its own.
    tokens : sequence of str
        The tokens that have a colour, the first that of --token-1.

    Raises
    ------
    ValueError
        If the TeX is not valid; the message says what is wrong.
    """
    if spaced := re.search(r"\\\\\s*\[[\d.]+\w+\]", tex):  # which the converter would print
        raise ValueError(f"invalid LaTeX in ${tex}$: no length after a break; drop {spaced[0]}")
    coloured = tex
    for index, name in enumerate(tokens, start=1):
        stand_in = rf"{{\color[HTML]{{{_COLOUR.format(index)}}} "
        coloured = coloured.replace(rf"\textcolor{{{name}}}{{", stand_in)
    try:
        mathml: str = _CONVERTER.convert_with_local_state(coloured, displaystyle=display)
    except LatexError as error:
        _, _, what = str(error).partition(": ")
        what = what.rstrip(".")
        raise ValueError(f"invalid LaTeX in ${tex}$: {what}; correct the formula") from None
    for index in range(1, len(tokens) + 1):
        stand_in = f"color:#{_COLOUR.format(index)}".upper().replace("COLOR", "color")
        mathml = mathml.replace(stand_in, f"color:var(--token-{index})")
    opening, body = re.fullmatch(r"(<math[^>]*>)(.*)</math>", mathml, re.DOTALL).groups()  # type: ignore[union-attr]
    return render("mathml", opening=Markup(opening), body=Markup(body), tex=" ".join(tex.split()))


def letters(markup: str) -> set[str]:
    """Return the characters that a formula draws.

    A browser draws a variable's letter as its mathematical italic, which is returned too.
    """
    drawn = re.sub(r"<annotation.*?</annotation>", "", markup, flags=re.DOTALL)
    found = set(html.unescape(re.sub(r"<[^>]+>", "", drawn)))
    for letter in re.findall(r"<mi>(.)</mi>", drawn):
        found.add(_italic(letter))
    return found


def _italic(letter: str) -> str:
    """Return the mathematical italic of a Latin or Greek letter, as MathML Core maps it."""
    if letter == "h":
        return "\N{PLANCK CONSTANT}"
    for first, last, italic in (("A", "Z", 0x1D434), ("a", "z", 0x1D44E), ("α", "ω", 0x1D6FC)):
        if first <= letter <= last:
            return chr(italic + ord(letter) - ord(first))
    return letter
