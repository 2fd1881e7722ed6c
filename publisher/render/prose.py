"""What of a page is running text: not a heading, not code, not a link, tag or attribute."""

from __future__ import annotations

import re

from publisher.render import shortcodes

# Stands for a sign that is no running text; no term of the glossary can hold it.
HIDDEN = "\0"
_OPENS = re.compile(r"([-*+]|\d+[.)])[ \t]|!!! |\?\?\?\+? |=== |:[ \t]|\[\^[^\]]+\]:")
_ATX = re.compile(r"[ \t>]*(?:(?:[-*+]|\d+\.)[ \t]+)*#{1,6}(?!#)")
_UNDERLINE = re.compile(r"[ \t>]*(?:=+|-+)[ \t]*")
_TITLE = re.compile(r"[ \t>]*(?:!!! |\?\?\?|=== |\||\[|\*\[)")
_ROW = re.compile(r"[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)+")
# Links with their text, elements whose content is no prose, tags, attribute lists, addresses, and
# the site's own name.
_APART = re.compile(
    r"""!?\[(?:[^\[\]]|\[[^\[\]]*\])*\](?:\([^)]*\)|[ ]?\[[^\]]*\])
    | <(?P<tag>a|abbr|button|code|h[1-6]|kbd|pre|script|style|summary|svg|title)\b.*?</(?P=tag)\s*>
    | </?[A-Za-z](?:"[^"]*"|'[^']*'|[^>"'])*>
    | Attention,[ ]Computed | \{[^}\n]*\} | &\#?\w+; | https?://\S+ | \S+@\S+""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)


def hide(markdown: str, bare: bool = True) -> str:
    """Return a page of the same length with all but its running text hidden.

    `bare` hides the lines that stay free of links too: headings, titles, tables, aims.
    """
    code = ("fence", "comment", "code", "display")
    shown = "".join(
        blot(part.text) if part.kind in code else part.text for part in shortcodes.parts(markdown)
    )
    shown = _APART.sub(lambda match: blot(match.group()), shown)
    lines, kept = markdown.split("\n"), shown.split("\n")
    for number in range(len(lines)) if bare else ():
        if _stays_bare(lines, number):
            kept[number] = blot(kept[number])
    return "\n".join(kept)


def blot(text: str) -> str:
    """Hide every sign of a text but the ends of its lines."""
    return re.sub(r"[^\n]", HIDDEN, text)


def is_heading(lines: list[str], number: int) -> bool:
    """Tell whether a line belongs to a heading, with signs before it or a line below it."""
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


def _stays_bare(lines: list[str], number: int) -> bool:
    line, after = lines[number], [*lines[number + 1 : number + 3], "", ""]
    if _TITLE.match(line) or is_heading(lines, number) or is_code(lines, number):
        return True
    if re.match(r":[ \t]", after[0]) or (re.match(r":[ \t]", after[1]) and not after[0].strip()):
        return True  # a term, with its definition below
    outer = next((above for above in lines[number::-1] if above[:1].strip()), "")
    return outer.startswith("!!! abstract") or _in_table(lines, number)


def _in_table(lines: list[str], number: int) -> bool:
    """Tell whether the line's paragraph has a table's second line."""
    first = last = number
    while first and lines[first - 1].strip():
        first -= 1
    while last + 1 < len(lines) and lines[last + 1].strip():
        last += 1
    return any(_ROW.fullmatch(line) for line in lines[first : last + 1])
