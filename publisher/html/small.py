"""Scripts and styles as the site sends them: the same, without what only an author needs."""

from __future__ import annotations

import re
from pathlib import PurePath

import minify

from publisher.errors import Mistake

_KINDS = {".js": "text/javascript", ".css": "text/css"}


def is_ours_to_shrink(name: str) -> bool:
    """Tell whether a file is a script or a stylesheet."""
    return PurePath(name).suffix in _KINDS


def small(name: str, text: str) -> str:
    """Return a script or a stylesheet without comments and blanks.

    Parameters
    ----------
    name : its file, relative to the project, for mistakes
    text : its source

    Raises
    ------
    Mistake
        In that file, if its syntax is wrong.
    """
    try:
        shrunk: str = minify.string(_KINDS[PurePath(name).suffix], text)
    except minify.MinifyError as error:
        what = str(error).partition("\n")[0]
        line = re.search(r" on line (\d+)", what)  # which the minifier tells in words alone
        last = text.count("\n") or 1  # where an unexpected end is met
        raise Mistake(name, int(line[1]) if line else last, f"{what}; correct the syntax") from None
    return shrunk
