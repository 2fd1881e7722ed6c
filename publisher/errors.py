"""An author's mistake: one line that says where, what, and what to do about it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any


class Mistake(Exception):
    """An author's mistake. Its text is one line: where, what, and what to do about it."""

    def __init__(self, where: str, line: int, what: str) -> None:
        super().__init__(f"{where}:{line}: {' '.join(what.split())}")


def told(error: BaseException) -> str:
    """Return an exception's name and message, even if it cannot write itself."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:
        return type(error).__name__


@contextlib.contextmanager
def blamed(file: str) -> Iterator[None]:
    """Turn any fault met while a file is worked on into a mistake in that file."""
    try:
        yield
    except (Mistake, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise Mistake(file, 1, f"{told(error)}; correct this file") from None


def suggestion(name: str, known: Mapping[str, Any] | list[str]) -> str:
    """Return ' (did you mean ...?)' for a name close to a known one, else the known names."""
    if close := get_close_matches(name, list(known), 1, 0.5):
        return f" (did you mean '{close[0]}'?)"
    return f" (it has: {', '.join(sorted(known)) or 'none'})"
