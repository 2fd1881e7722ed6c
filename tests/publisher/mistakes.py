"""What an author changes in the tiny site, and the one line that must come of it."""

from __future__ import annotations

from typing import NamedTuple

from tests import tiny

FILES = {
    "page": "docs/example.md",
    "snippet": "snippets/example.py",
    "test": "tests/chapters/test_example.py",
}
WHOLE = {"page": tiny.PAGE, "snippet": tiny.SNIPPET, "test": tiny.TEST}
THIRD = "{{ num example.third }}"
PAIR = "{{ table example.pair }}"


class Case(NamedTuple):
    """The changed files, and the line that the mistake is to say."""

    changed: dict[str, str]
    said: str


def replaced(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, f"{old!r} should stand once in the tiny site"
    return text.replace(old, new)


def page(old: str, new: str) -> dict[str, str]:
    return {"page": replaced(tiny.PAGE, old, new)}


def snippet(old: str, new: str) -> dict[str, str]:
    return {"snippet": replaced(tiny.SNIPPET, old, new)}


def line_of(text: str, at: str) -> int:
    """Return the line on which a text first stands in another."""
    return text.count("\n", 0, text.index(at)) + 1


def blamed(changed: dict[str, str], part: str, at: str, what: str) -> Case:
    """Expect a mistake in one of the three files, on the line where `at` first stands."""
    return Case(changed, f"{FILES[part]}:{line_of({**WHOLE, **changed}[part], at)}: {what}")


def in_page(old: str, new: str, what: str, at: str = "") -> Case:
    """Change the page, and expect the mistake there: at the new text if not said otherwise."""
    return blamed(page(old, new), "page", at or new, what)


def in_snippet(old: str, new: str, what: str, at: str = "") -> Case:
    """Change the snippet, and expect the mistake there: at the new text if not said otherwise."""
    return blamed(snippet(old, new), "snippet", at or new, what)
