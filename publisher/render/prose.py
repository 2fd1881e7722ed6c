"""Which lines of a page are not running text: headings and indented code."""

from __future__ import annotations

import re

_OPENS = re.compile(r"([-*+]|\d+[.)])[ \t]|!!! |\?\?\?\+? |=== |:[ \t]|\[\^[^\]]+\]:")
_ATX = re.compile(r"[ \t>]*(?:(?:[-*+]|\d+\.)[ \t]+)*#{1,6}(?!#)")
_UNDERLINE = re.compile(r"[ \t>]*(?:=+|-+)[ \t]*")


def is_heading(lines: list[str], number: int) -> bool:
    """Tell whether a line belongs to a heading, marked in front or underlined."""
    below = lines[number + 1] if number + 1 < len(lines) else ""
    underlined = _UNDERLINE.fullmatch(below) and lines[number].strip(" \t>")
    return bool(_ATX.match(lines[number]) or underlined)


def is_code(lines: list[str], number: int) -> bool:
    """Tell whether a line is code by its indentation: four blanks, and nothing to belong to."""
    indent = _indent(lines[number])
    if not lines[number].strip() or indent < 4:
        return False
    for line in reversed(lines[:number]):
        if line.strip() and _indent(line) < indent:
            indent = _indent(line)
            if _OPENS.match(line.strip()):
                return False
            if indent == 0:
                # The text of a paragraph may go on, indented, in its next line.
                return not lines[number - 1].strip() or is_code(lines, number - 1)
    return True


def _indent(line: str) -> int:
    line = line.expandtabs(4)
    return len(line) - len(line.lstrip(" "))
