"""Read the pages: each cut into its front matter, its Markdown, and the Markdown's first line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from publisher import errors
from publisher.errors import Mistake

_MATTER = re.compile(r"---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_NAME = re.compile(r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")


@dataclass(frozen=True)
class Page:
    """A page as its author wrote it.

    Attributes
    ----------
    file : the Markdown file, below docs/
    text : all of it
    about : its front matter
    body : its Markdown, which starts on the line `first_line` (from 1)
    """

    file: str
    text: str
    about: dict[str, Any]
    body: str
    first_line: int

    @property
    def name(self) -> str:
        """The file from the project's root on, for mistakes."""
        return f"docs/{self.file}"

    @property
    def title(self) -> str:
        """The page's title, or its file's name."""
        return str(self.about.get("title", self.file))


def split(file: str, text: str) -> Page:
    """Cut a page into its front matter and its Markdown."""
    matter = _MATTER.match(text)
    if not matter:
        return Page(file, text, {}, text, 1)
    loader = yaml.SafeLoader(matter[1] or "")
    node = loader.get_single_node()
    _refuse_twice(node)
    about = (loader.construct_document(node) if node else None) or {}
    if not isinstance(about, dict):
        raise TypeError("the front matter is not a mapping of names to values")
    return Page(file, text, about, text[matter.end() :], matter[0].count("\n") + 1)


def read(docs: Path) -> dict[str, Page]:
    """Read every page, by file.

    Raises
    ------
    Mistake
        If a page's name, encoding or front matter is not as it should be.
    """
    pages = {}
    for path in sorted(docs.rglob("*")):
        file = path.relative_to(docs).as_posix()
        if path.suffix in (".markdown", ".mdown", ".mkd", ".mkdn"):
            raise Mistake(f"docs/{file}", 1, "a page under another ending; rename it to .md")
        if path.suffix == ".md" and path.is_file() and not path.name.startswith("."):
            _check_name(file)
            with errors.blamed(f"docs/{file}"):
                pages[file] = _split(file, path.read_text("utf-8-sig"))
    return pages


def _refuse_twice(node: yaml.Node | None) -> None:
    """Stop at a name that stands twice in one mapping, of which YAML would keep the last."""
    seen: set[str] = set()
    for key, value in node.value if isinstance(node, yaml.MappingNode) else []:
        if str(key.value) in seen:
            what = f"'{key.value}' stands twice"
            raise yaml.MarkedYAMLError(problem=what, problem_mark=key.start_mark)
        seen.add(str(key.value))
        _refuse_twice(value)


def _check_name(file: str) -> None:
    stems = file.removesuffix(".md").split("/")
    if not all(_NAME.fullmatch(stem) for stem in stems):
        better = "/".join("-".join(re.findall(r"[A-Za-z0-9]+", stem)) or "name" for stem in stems)
        what = f"a page's name has letters, digits and hyphens; rename it to docs/{better}.md"
        raise Mistake(f"docs/{file}", 1, what)


def _split(file: str, text: str) -> Page:
    """Cut a page; a fault of its front matter is a mistake at its line."""
    name = f"docs/{file}"
    if not _MATTER.match(text) and re.match(r"\s*-{3,}[ \t]*\n", text):
        what = "front matter begins on line 1 with '---' and ends with '---'; correct that"
        raise Mistake(name, 1, what)
    try:
        page = split(file, text)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 2 if error.problem_mark else 1
        raise Mistake(name, line, f"front matter: {error.problem}; correct it") from None
    for key, kind in (("chapter", bool), ("title", str), ("description", str)):
        if key in page.about and not isinstance(page.about[key], kind):
            line = next((i for i, row in enumerate(text.split("\n"), 1) if row.startswith(key)), 1)
            what = "true or false" if kind is bool else "text; put it in quotation marks"
            raise Mistake(name, line, f"front matter: '{key}' must be {what}")
    return page
