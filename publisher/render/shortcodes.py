"""Cut Markdown into the parts that matter here: code, comments, formulas, shortcodes, prose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches

INLINE = ("num", "vector", "text", "token", "cite", "literal")
# Each stands on a page of its own, which the settings name.
LISTS = ("references", "glossary", "misreadings", "ledger")
BLOCK = ("table", "figure", "code", "output", "widget", "misreading", *LISTS)
KEYWORDS = INLINE + BLOCK
# How a shortcode is written, where it is not `keyword module.name`.
_WRITTEN = {
    "token": "word",
    "cite": "key",
    "misreading": "some-name",
    **dict.fromkeys(LISTS, "all"),
}

_PARTS = re.compile(
    r"""
      (?P<fence>^(?P<indent>[ \t>]*)(?P<ticks>`{3,}|~{3,})[^\n]*\n
          (?:.*?^[ \t>]*(?P=ticks)[`~]*[ \t]*$|.*\Z))
    | (?P<comment><!--.*?-->)
    | (?P<code>(?<!`)(?P<tick>`+)(?!`)(?:(?!\n[ \t]*(?:\n|[-*+][ ]|\d+\.[ ]|\#|>)).)+?
          (?<!`)(?P=tick)(?!`))
    | (?P<escape>\\[\\$])
    | (?P<display>\$\$(?:\\.|[^\\])+?\$\$)
    | (?P<math>\$(?=\S)(?:\\.|(?!\n[ \t]*\n)[^$\\])+?(?<=\S)\$(?!\d))
    | (?P<shortcode>\{\{[ ]?[a-z]+[ ]?[^{}\n]*\}\})
    | (?P<open>\{\{[-~\s]*[A-Za-z_][\w.]*)
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_SHORTCODE = re.compile(
    r"\{\{ (?P<keyword>[a-z]+) (?P<name>[^{}|\n]+?)(?: \| (?P<form>[^{}|\n]+?))? \}\}"
)
_NEAR = re.compile(r"\{\{[-~\s]*(?P<word>[A-Za-z_][\w.]*)")
_LITERAL = re.compile(r"\{\{ literal (?P<rest>[^{}\n]+?) \}\}")
_DOTTED = re.compile(r"[A-Za-z_]\w*(\.\w+)+(\s*\|.*)?")


@dataclass(frozen=True)
class Part:
    """A piece of a page: its kind, its text, and where it starts (line and column from 0)."""

    kind: str
    text: str
    line: int
    column: int


@dataclass(frozen=True)
class Shortcode:
    """`{{ keyword name | form }}`, taken apart."""

    keyword: str
    name: str
    form: str = ""


def parts(markdown: str) -> Iterator[Part]:
    """Yield the page's parts in order; joined, their texts are the page again."""
    position = 0
    for match in _PARTS.finditer(markdown):
        if match.start() > position:
            yield Part("prose", markdown[position : match.start()], *_place(markdown, position))
        kind = next(k for k in _KINDS if match.group(k) is not None)
        yield Part(kind, match.group(), *_place(markdown, match.start()))
        position = match.end()
    if position < len(markdown):
        yield Part("prose", markdown[position:], *_place(markdown, position))


_KINDS = ("fence", "comment", "code", "escape", "display", "math", "shortcode", "open")


def shortcode(text: str) -> Shortcode | None:
    """Take a shortcode apart; None when the braces are somebody else's.

    Raises
    ------
    ValueError
        If it was meant as a shortcode and is not written as one.
    """
    if match := _LITERAL.fullmatch(text):
        return Shortcode("literal", match["rest"])
    keyword, _, rest = text.strip("{} ").partition(" ")
    if keyword in KEYWORDS:
        if match := _SHORTCODE.fullmatch(text):
            return Shortcode(keyword, match["name"], match["form"] or "")
        written = f"{keyword} {_WRITTEN.get(keyword, 'module.name')}"
        raise ValueError(f"'{text}' is not a shortcode; write {{{{ {written} }}}}")
    if _DOTTED.fullmatch(keyword):
        raise ValueError(f"'{text}' is not a shortcode; write {{{{ num {keyword} }}}}")
    if rest and (_DOTTED.fullmatch(rest.strip()) or get_close_matches(keyword, KEYWORDS, 1, 0.8)):
        raise ValueError(f"no shortcode '{keyword}'")
    return None


def near_shortcode(markdown: str) -> bool:
    """Tell whether text that opens with two braces was meant as a shortcode."""
    match = _NEAR.match(markdown)
    return bool(match and (match["word"].lower() in KEYWORDS or "." in match["word"]))


def _place(text: str, position: int) -> tuple[int, int]:
    """Return the line and the column of a position, both from 0."""
    return text.count("\n", 0, position), position - text.rfind("\n", 0, position) - 1
