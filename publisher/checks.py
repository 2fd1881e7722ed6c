"""What must hold of the whole: no typed decimal, whole triples, nothing defined and unused."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from publisher import project, syntax
from publisher.errors import Mistake
from publisher.features import references
from publisher.render import shortcodes
from publisher.render.page import Book
from publisher.syntax import KINDS

# 0.5, .5, 1,5, 0{,}25, 5e-3, 66 %, 66\%, 66 per cent
_DECIMAL = re.compile(
    r"(?<![A-Za-z\d.])(?:\d*\.\d+(?!\.?\d)|\d+,\d{1,2}(?!\d)|\d+\{[.,]\}\d+"
    r"|\d+(?:\.\d+)?[eE][-+\u2212]?\d+\b|\d+(?:\.\d+)?\s?(?:\\?%|per ?cent\b))"
)
# A number that names something (a section, a version, a licence, a paper) is no result.
_NAMED = r"[1-9]\d*(?:\.\w+)*(?:/[\w./-]+)?"
_NAMES_SOMETHING = re.compile(
    r"(?:\b(?:[Ss]ections?|[Ss]ec\.|[Aa]ppendix|[Ee]quations?|[Ee]q\.|[Vv]ersions?|[Cc]hapters?"
    r"|Python|NumPy|MkDocs|BY|BY-SA|WCAG)|\xa7|\b(?:arXiv|doi|DOI)\b:?)[\s\[\u2265]*"
    rf"{_NAMED}(?:(?:,? and |,? or |, | to |[-\u2013]){_NAMED})*"
)
_LINK_TARGET = re.compile(r"\]\([^)\s]*|https?://[^\s)>\]]+|\{[:#][^}\n]*\}")
_TAG = re.compile(r"</?[A-Za-z][^>\n]*>")
_SPOKEN = re.compile(r"""(?:alt|title|aria-label)=(?:"[^"]*"|'[^']*')""")
_TOKEN = re.compile(rf"\{{\{{ (?:{'|'.join(shortcodes.KEYWORDS)}) [^{{}}\n]*\}}\}}")
_PLACE = re.compile(r"(?<=\{\{ )cite [^{}|\n]+(?=\|)")  # what follows is shown as it is
# What every module of the gallery has.
_BUG = ("wrong", "right", "measure", "demo", "check")


def front_matter(file: str, text: str) -> None:
    """Stop at a token in a page's front matter, which nothing expands.

    Raises
    ------
    Mistake
        At its line.
    """
    for number, line in enumerate(text.split("\n"), start=1):
        if "{{" in line:
            raise Mistake(file, number, "a token in the front matter; move it into the page")


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
        if part.kind not in ("prose", "math", "display", "token", "open"):
            continue
        text = part.text
        text = _TAG.sub(_blank_tag, _TOKEN.sub(_blank, _PLACE.sub(_blank, text)))
        for harmless in (_LINK_TARGET, _NAMES_SOMETHING):
            text = harmless.sub(_blank, text)
        if found := _DECIMAL.search(text):
            line = first_line + part.line + text.count("\n", 0, found.start())
            what = f"'{found.group()}' is typed by hand; compute it in a snippet and use a token"
            raise Mistake(file, line, what)


def triples(root: Path, chapters: Iterable[str], modules: Iterable[str]) -> None:
    """Stop if a chapter, its snippet module and its test are not all there.

    Raises
    ------
    Mistake
        Naming the file that lacks a partner, and the partner.
    """
    slugs = {project.slug(name): name for name in modules if name not in project.SHARED}
    for page in chapters:
        stem = page.removesuffix(".md")
        module = stem.replace("/", ".").replace("-", "_")
        if stem not in slugs:
            what = f"a chapter without a snippet; write {project.file_of(module)}"
            raise Mistake(f"docs/{page}", 1, f"{what} (or set 'chapter: false')")
    for stem, name in slugs.items():
        if f"{stem}.md" not in chapters:
            what = f"a snippet without a page; write docs/{stem}.md"
            raise Mistake(project.file_of(name), 1, what)
    for name in modules:
        if not all(part.isidentifier() for part in name.split(".")):
            what = "no name for a module; rename it with underscores: letters, digits, '_'"
            raise Mistake(project.file_of(name), 1, what)
        if not (root / project.test_of(name)).is_file():
            what = f"a snippet without a test; write {project.test_of(name)}"
            raise Mistake(project.file_of(name), 1, what)


def gallery(root: Path, modules: Iterable[str]) -> None:
    """Stop if a bug of the gallery lacks a part, or if anything else imports one.

    Raises
    ------
    Mistake
        In the bug's file, or at the import.
    """
    folder = root / "snippets" / project.GALLERY
    bugs = project.bugs(root)
    if bugs and project.GALLERY not in modules:
        what = "a gallery without its list; write the bugs' numbers() here"
        raise Mistake(project.file_of(project.GALLERY), 1, what)
    for path in sorted(folder.rglob("*.py")):
        if path.parent != folder or (path.name.startswith("_") and path.name != "__init__.py"):
            file = path.relative_to(root).as_posix()
            raise Mistake(file, 1, f"no place for a bug; name it snippets/{project.GALLERY}/bug.py")
    for bug in bugs:
        file = project.file_of(bug)
        if missing := [part for part in _BUG if part not in syntax.defined(root / file)]:
            raise Mistake(file, 1, f"a bug without {', '.join(missing)}; define what is missing")
    for name in modules:
        path = root / project.file_of(name)
        used = {
            i for i in syntax.imports(path) if f"{i}.".startswith(f"snippets.{project.GALLERY}.")
        }
        if used and name != project.GALLERY:
            line = next(i for i, text in enumerate(path.read_text("utf-8").split("\n"), 1)
                        if project.GALLERY in text and "import" in text)  # fmt: skip
            what = f"imports {min(used)}, which is wrong on purpose; take the right code"
            raise Mistake(project.file_of(name), line, what)


def lists(book: Book) -> None:
    """Stop if links lead to a list that stands on no page.

    Raises
    ------
    Mistake
        On the page where the list belongs.
    """
    needed = {"references": book.cited, "glossary": book.glossary, "misreadings": book.misreadings}
    for name, links in needed.items():
        if links and name not in book.lists:
            what = f"links lead to a list that is missing; write {{{{ {name} all }}}} here"
            raise Mistake(f"docs/{shortcodes.LISTS[name]}", 1, what)


def unused(book: Book) -> None:
    """Stop at a result that no page shows, or a reference that none cites.

    Raises
    ------
    Mistake
        At the line that defines it.
    """
    for topic in book.topics.values():
        for kind in KINDS:
            for name in getattr(topic, kind):
                if (kind, f"{topic.name}.{name}") not in book.used:
                    where = topic.origins[kind, name]
                    what = f"{kind[:-1]} '{name}' is used by no page; show it or delete it"
                    raise Mistake(where.file, where.line, what)
    for bug in project.bugs(book.root):
        for part in (f"{bug}.wrong", f"{bug}.check"):
            if part not in book.programs:
                what = f"a bug that no page shows in full; write {{{{ code {part} }}}}"
                raise Mistake(project.file_of(bug), 1, what)
    for key, reference in book.references.items():
        if key not in book.cited:
            what = f"reference '{key}' is cited by no page; cite it or delete it"
            raise Mistake(references.FILE, reference.line, what)
