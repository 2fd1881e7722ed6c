"""Where a shortcode may stand on its page. Each function returns what is wrong, or nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from publisher.render import prose, shortcodes
from publisher.render.shortcodes import Part

_HEAD = re.compile(r"[ \t>]*(#{1,6} |!!! |\?\?\?|=== )")
_FIXED_LINK = re.compile(r"\{:? ?#[\w-]+[^}]*\}[ \t#]*$")
_OPEN_MARK = re.compile(r"<[A-Za-z][^>]*$|!\[[^\]]*$|\]\([^)]*$|^\*\[[^\]]*\]:")


def inline(part: Part, lines: Sequence[str]) -> str:
    """Refuse a place where the HTML of an inline shortcode would break the page, or a link."""
    line = lines[part.line]
    if prose.is_heading(list(lines), part.line) and not _FIXED_LINK.search(line):
        return "a heading with a number needs a fixed link; end it with {#id}"
    if prose.is_code(list(lines), part.line):
        return "a shortcode in indented code; begin its line further left"
    if _OPEN_MARK.search(line[: part.column]):
        return "a shortcode cannot stand in an attribute or a link's address; move it"
    return ""


def citation(part: Part, lines: Sequence[str]) -> str:
    """Refuse a citation, which is a link itself, in the text of another link."""
    line = lines[part.line]
    before, after = line[: part.column], line[part.column + len(part.text) :]
    opens = re.search(r"\[[^\]]*$|<a\b(?!.*</a>)", before)
    if opens and re.search(r"\][(\[]|</a>", after):
        return "a citation is a link itself and cannot stand in one; move it out"
    return ""


def block(part: Part, lines: Sequence[str]) -> str:
    """Refuse a block that shares its line, or touches the lines around it."""
    text, before, after = _around(part, lines)
    crowded = after.strip(" \t>") or (before.strip(" \t>") and not _HEAD.match(before))
    if text.strip(" \t>") != part.text.strip() or crowded:
        return "a block must stand on a line of its own; put blank lines around it"
    if prose.is_code(list(lines), part.line):
        return "a block indented as code is; begin its line further left"
    return ""


def indentation(part: Part, lines: Sequence[str]) -> str:
    """Return the blanks and quotation marks before a block."""
    return re.match(r"[ \t>]*", _around(part, lines)[0])[0]  # type: ignore[index]


def _around(part: Part, lines: Sequence[str]) -> tuple[str, str, str]:
    """Return a part's own lines, the line before and the line after."""
    last = part.line + part.text.count("\n") + 1
    return (
        "\n".join(lines[part.line : last]), ["", *lines][part.line], [*lines, ""][last]
    )  # fmt: skip


def fixed_links(markdown: str) -> Iterator[tuple[str, int]]:
    """Yield each permanent link that the author wrote, such as {#id}, and its line (from 0)."""
    for part in shortcodes.parts(markdown):
        for found in re.finditer(r"\{:? ?#([\w-]+)", part.text if part.kind == "prose" else ""):
            yield found[1], part.line + part.text.count("\n", 0, found.start())
