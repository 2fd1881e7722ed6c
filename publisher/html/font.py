"""The letters that the site's formulas need, cut out of STIX Two Math (SIL Open Font Licence)."""

from __future__ import annotations

import io
from collections.abc import Iterable
from importlib.metadata import distribution
from typing import Any

from fontTools import subset

# The face lies in the ziamath wheel; the package itself is not imported.
_FACE = distribution("ziamath").locate_file("ziamath/fonts/STIXTwoMath-Regular.ttf")
DIGITS_AND_SIGNS = "0123456789.,()[]{}+−-=√∑"


def formulas(letters: Iterable[str]) -> bytes:
    """Return a WOFF2 font of the letters that the formulas use.

    Parameters
    ----------
    letters : iterable of str
        Single characters; digits and the usual signs are always there.

    Returns
    -------
    bytes
        The font, with the letters' stretched forms and the maths table. The same letters give the
        same bytes: the file has no date of its own.
    """
    options = subset.Options(
        flavor="woff2",
        layout_features=["ssty", "dtls", "flac"],
        hinting=False,
        notdef_outline=True,
        name_IDs=["*"],
    )
    subsetter = subset.Subsetter(options)
    subsetter.populate(text="".join(sorted({*letters, *DIGITS_AND_SIGNS})))
    out = io.BytesIO()
    with subset.load_font(str(_FACE), options) as font:
        font.recalcTimestamp = False
        _keep_small_radical(font)
        subsetter.subset(font)
        subset.save_font(font, out, options)
    return out.getvalue()


def _keep_small_radical(font: Any) -> None:
    """Drop the tall forms of the root sign, which no formula here needs.

    Chromium reserves the width of the widest form for every root, and leaves a gap behind it.
    """
    variants = font["MATH"].table.MathVariants
    index = variants.VertGlyphCoverage.glyphs.index(font.getBestCmap()[ord("√")])
    construction = variants.VertGlyphConstruction[index]
    construction.MathGlyphVariantRecord = construction.MathGlyphVariantRecord[:1]
    construction.GlyphAssembly = None
