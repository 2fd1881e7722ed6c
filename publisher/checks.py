"""What must hold of the whole: no typed decimal, whole triples, nothing defined and unused."""

from __future__ import annotations

import re
from collections.abc import Iterable

from publisher.errors import Mistake
from publisher.features import gallery, references
from publisher.project import Project, slug
from publisher.render import shortcodes
from publisher.render.front_matter import Page
from publisher.render.values import Rendered, Sources

# 0.5, .5, 1,5, 0{,}25, 5e-3, 66 %, 66\%, 66 per cent
_DECIMAL = re.compile(
    r"(?<![A-Za-z\d.])(?:\d*\.\d+(?!\.?\d)|\d+,\d{1,2}(?!\d)|\d+\{[.,]\}\d+"
    r"|\d+(?:\.\d+)?[eE][-+\u2212]?\d+\b|\d+(?:\.\d+)?\s?(?:\\?%|per ?cent\b))"
)
# A number that names something (a section, a version, a licence, a paper) is not a result.
_NAMED = r"[1-9]\d*(?:\.\w+)*(?:/[\w./-]+)?"
_NAMES_SOMETHING = re.compile(
    r"(?:\b(?:[Ss]ections?|[Ss]ec\.|[Aa]ppendix|[Ee]quations?|[Ee]q\.|[Vv]ersions?|[Cc]hapters?"
    r"|Python|NumPy|MkDocs|BY|BY-SA|WCAG)|\xa7|\b(?:arXiv|doi|DOI)\b:?)[\s\[\u2265]*"
    rf"{_NAMED}(?:(?:,? and |,? or |, | to |[-\u2013]){_NAMED})*"
)
_LINK_TARGET = re.compile(r"\]\([^)\s]*|https?://[^\s)>\]]+|\{[:#][^}\n]*\}")
_TAG = re.compile(r"</?[A-Za-z][^>\n]*>")
_SPOKEN = re.compile(r"""(?:alt|title|aria-label)=(?:"[^"]*"|'[^']*')""")
_SHORTCODE = re.compile(rf"\{{\{{ (?:{'|'.join(shortcodes.KEYWORDS)}) [^{{}}\n]*\}}\}}")
_PLACE = re.compile(r"(?<=\{\{ )cite [^{}|\n]+(?=\|)")  # what follows is shown as it is


def page(given: Page) -> None:
    """Stop at a shortcode in front matter, and at a decimal typed by hand.

    Raises
    ------
    Mistake
        At its line.
    """
    head = given.text.removesuffix(given.body)
    front_matter(given.name, head)
    typed_decimals(given.name, head, 1)
    typed_decimals(given.name, given.body, given.first_line)


def front_matter(file: str, text: str) -> None:
    """Stop at a shortcode in a page's front matter, which nothing expands.

    Raises
    ------
    Mistake
        At its line.
    """
    for number, line in enumerate(text.split("\n"), start=1):
        if "{{" in line:
            raise Mistake(file, number, "a shortcode in the front matter; move it into the page")


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match.group())


def _blank_tag(match: re.Match[str]) -> str:
    """Keep of a tag only what a reader is told."""
    return " ".join(_SPOKEN.findall(match.group()))


def typed_decimals(file: str, markdown: str, first_line: int) -> None:
    """Stop at a decimal or percentage typed in prose, a table or a formula.

    Raises
    ------
    Mistake
        At the first one.
    """
    for part in shortcodes.parts(markdown):
        if part.kind not in ("prose", "math", "display", "shortcode", "open"):
            continue
        text = part.text
        text = _TAG.sub(_blank_tag, _SHORTCODE.sub(_blank, _PLACE.sub(_blank, text)))
        for harmless in (_LINK_TARGET, _NAMES_SOMETHING):
            text = harmless.sub(_blank, text)
        if found := _DECIMAL.search(text):
            line = first_line + part.line + text.count("\n", 0, found.start())
            what = f"'{found.group()}' is typed by hand; compute it in a snippet, use a shortcode"
            raise Mistake(file, line, what)


def project(made: Project, given: Iterable[Page]) -> None:
    """Stop if a chapter, its snippet module and its test are not all there.

    Raises
    ------
    Mistake
        Naming the file that lacks a partner, and the partner.
    """
    chapters = [page for page in given if page.about.get("chapter", True)]
    slugs = {slug(name): name for name in made.chapters}
    for page in chapters:
        stem = page.file.removesuffix(".md")
        module = stem.replace("/", ".").replace("-", "_")
        if stem not in slugs:
            what = f"a chapter without a snippet; write {made.file(module)}"
            raise Mistake(page.name, 1, f"{what} (or set 'chapter: false')")
    for stem, name in slugs.items():
        if f"{stem}.md" not in [page.file for page in chapters]:
            what = f"a snippet without a page; write docs/{stem}.md"
            raise Mistake(made.file(name), 1, what)
    for name in made.modules:
        if not all(part.isidentifier() for part in name.split(".")):
            what = "not a name for a module; rename it with underscores: letters, digits, '_'"
            raise Mistake(made.file(name), 1, what)
        if not (made.root / made.test(name)).is_file():
            what = f"a snippet without a test; write {made.test(name)}"
            raise Mistake(made.file(name), 1, what)
    gallery.validate(made)


def lists(made: Project, sources: Sources, rendered: Iterable[Rendered]) -> None:
    """Stop if links lead to a list that stands on no page.

    Raises
    ------
    Mistake
        On the page where the list belongs.
    """
    standing = {name for page in rendered for name in page.uses.lists}
    needed = {
        "references": any(page.uses.cited for page in rendered),
        "glossary": bool(sources.glossary),
        "misreadings": any(page.uses.misreadings for page in rendered),
    }
    for name, links in needed.items():
        if links and name not in standing:
            what = f"links lead to a list that is missing; write {{{{ {name} all }}}} here"
            raise Mistake(f"docs/{made.settings.lists.get(name, 'index.md')}", 1, what)


def unused(made: Project, sources: Sources, rendered: Iterable[Rendered]) -> None:
    """Stop at a result that no page shows, or a reference that none cites.

    Raises
    ------
    Mistake
        At the line that defines it.
    """
    used = {result for page in rendered for result in page.uses.results}
    for chapter in sources.results.chapters.values():
        for (kind, name), where in chapter.origins.items():
            if (kind, f"{chapter.name}.{name}") not in used:
                what = f"{kind[:-1]} '{name}' is used by no page; show it or delete it"
                raise Mistake(where.file, where.line, what)
    programs = {name for page in rendered for name in page.uses.programs}
    gallery.unused(made, programs)
    cited = {key for page in rendered for key in page.uses.cited}
    for key, reference in sources.references.items():
        if key not in cited:
            what = f"reference '{key}' is cited by no page; cite it or delete it"
            raise Mistake(references.FILE, reference.line, what)
