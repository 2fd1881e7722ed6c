"""The letters that the site's formulas need, cut out of STIX Two Math (SIL Open Font Licence)."""

from __future__ import annotations

import io
from collections.abc import Iterable
from importlib.resources import files

from fontTools import subset

# The face comes inside the ziamath wheel; nothing else of that package is used.
_PACKAGE, _FILE = "ziamath.fonts", "STIXTwoMath-Regular.ttf"
DIGITS_AND_SIGNS = "0123456789.,()[]{}+−-=√∑"


def formulas(letters: Iterable[str]) -> bytes:
    """Return a WOFF2 with these letters, their stretched forms and the maths table.

    The same letters give the same bytes: the file carries no new date.
    """
    options = subset.Options(
        flavor="woff2", layout_features=["*"], hinting=False, notdef_outline=True, name_IDs=["*"]
    )
    with (files(_PACKAGE) / _FILE).open("rb") as stream:
        font = subset.load_font(io.BytesIO(stream.read()), options)
    font.recalcTimestamp = False
    subsetter = subset.Subsetter(options)
    subsetter.populate(text="".join(sorted({*letters, *DIGITS_AND_SIGNS})))
    subsetter.subset(font)
    out = io.BytesIO()
    subset.save_font(font, out, options)
    return out.getvalue()
