"""From the project's folder to rendered pages and generated files, without MkDocs."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any

import yaml

from snippets.publish import (
    artwork,
    blocks,
    checks,
    entries,
    font,
    misreadings,
    references,
    topics,
)
from snippets.publish.glossary import FILE as GLOSSARY
from snippets.publish.glossary import Glossary
from snippets.publish.render import Book, Page, Renderer
from snippets.publish.results import Mistake


@dataclass
class Site:
    """What the hook hands to MkDocs: pages by source file, other files by URL."""

    book: Book
    credit: artwork.Credit
    pages: dict[str, Page] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)


def credit(root: Path, url: str) -> artwork.Credit:
    """Read what citations need from CITATION.cff."""
    with topics.blamed("CITATION.cff"):
        about = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
        year = str(about["date-released"])[:4]
        return artwork.Credit(about["title"], str(about["version"]), year, url)


def url_of(file: str) -> str:
    """Return the address of a Markdown file from the site's root: a/b.md -> a/b/."""
    stem = file.removesuffix(".md")
    stem = "" if stem == "index" else stem.removesuffix("/index")
    return f"{stem}/" if stem else ""


def split(text: str) -> tuple[dict[str, Any], str, int]:
    """Return a page's front matter, its Markdown, and the line the Markdown starts on."""
    matter = re.match(r"---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", text, re.DOTALL)
    if not matter:
        return {}, text, 1
    about = yaml.safe_load(matter[1] or "") or {}
    if not isinstance(about, dict):
        raise TypeError("the front matter is no mapping of names to values")
    return about, text[matter.end() :], matter[0].count("\n") + 1


def prepare(
    root: Path, site_credit: artwork.Credit, cache: dict[str, Any], order: Sequence[str] = ()
) -> Site:
    """Compute everything and render every page.

    Parameters
    ----------
    root : Path
        The project: docs/, snippets/, tests/, CITATION.cff.
    site_credit : artwork.Credit
        What figures and citations say about the site.
    cache : dict
        Results of the last call by topic; a topic is computed anew only if its sources changed.
    order : sequence of str
        The pages in reading order; by name if not given.

    Raises
    ------
    Mistake
        At the first author's mistake.
    """
    cut, texts = _read(root / "docs")
    modules = topics.names(root)
    chapters = [file for file, (meta, _, _) in cut.items() if meta.get("chapter", True)]
    for file, (_, body, first) in cut.items():
        matter = texts[file].removesuffix(body)
        checks.front_matter(f"docs/{file}", matter)
        checks.typed_decimals(f"docs/{file}", matter, 1)
        checks.typed_decimals(f"docs/{file}", body, first)
    checks.triples(root, chapters, modules)
    book, files = _collect(root, site_credit, modules, cache)
    book.references = references.load(root)
    book.glossary = Glossary(cut.get(GLOSSARY, ({}, "", 0))[0].get("terms", {}))
    site = Site(book, site_credit, files=files)
    bodies = {file: body for file, (_, body, _) in cut.items()}
    titles = {file: str(meta.get("title", file)) for file, (meta, _, _) in cut.items()}
    for file, (_, body, first) in cut.items():
        if misreadings.COLLECT in body:
            gathered = misreadings.collect(bodies, titles, order or sorted(bodies))
            body = body.replace(misreadings.COLLECT, gathered)
        url = url_of(file)
        up = "../" * url.count("/")
        renderer = Renderer(book, f"docs/{file}", url, up, first)
        renderer.linking = renderer.linking and file != GLOSSARY
        with topics.blamed(f"docs/{file}"):
            site.pages[file] = renderer.page(body)
    checks.unused(book)
    _finish(root, site, modules, cache)
    return site


def _read(docs: Path) -> tuple[dict[str, tuple[dict[str, Any], str, int]], dict[str, str]]:
    """Return each page, cut into front matter, Markdown and first line, and as it stands."""
    cut, texts = {}, {}
    for path in sorted(docs.rglob("*")):
        file = path.relative_to(docs).as_posix()
        if path.suffix in (".markdown", ".mdown", ".mkd", ".mkdn"):
            raise Mistake(f"docs/{file}", 1, "a page under another ending; rename it to .md")
        if path.suffix == ".md" and path.is_file() and not path.name.startswith("."):
            with topics.blamed(f"docs/{file}"):
                texts[file] = path.read_text("utf-8-sig")
                cut[file] = split(texts[file])
    return cut, texts


def _collect(
    root: Path, site_credit: artwork.Credit, modules: list[str], cache: dict[str, Any]
) -> tuple[Book, dict[str, bytes]]:
    """Load the topics and draw their figures, or take both from the cache."""
    book, files = Book(root, {}, {}, _tokens(root)), dict[str, bytes]()
    for name in modules:
        if name in topics.SHARED:
            continue
        with topics.blamed(topics.file_of(name)):
            _add(book, files, root, site_credit, name, cache)
    return book, files


def _add(
    book: Book, files: dict[str, bytes], root: Path, site_credit: artwork.Credit, name: str,
    cache: dict[str, Any],
) -> None:  # fmt: skip
    """Add one topic's results to the book and its figures to the files."""
    mark = (topics.fingerprint(root, name), astuple(site_credit))
    if cache.get(name, (None,))[0] != mark:
        topic = topics.load(root, name)
        cache[name] = (mark, topic, *_draw(root, topic, site_credit))
    _, topic, drawn, its_files = cache[name]
    book.topics[name] = topic
    book.entries.update((entry.id, entry) for entry in entries.of_topic(topic, root))
    book.artwork.update(drawn)
    files.update(its_files)


def _draw(
    root: Path, topic: topics.Topic, site_credit: artwork.Credit
) -> tuple[dict[str, str], dict[str, bytes]]:
    drawn, files = {}, {}
    page = url_of(f"{topics.slug(topic.name)}.md")
    for name, figure in topic.figures.items():
        identifier = f"{topic.name}.{name}"
        markup, its_files = topics.run(
            root, topic.file, f"figure '{name}'",
            lambda: artwork.publish(identifier, page, figure, site_credit),  # noqa: B023 (runs now)
        )  # fmt: skip
        drawn[identifier] = markup
        files.update(its_files)
    return drawn, files


def _tokens(root: Path) -> tuple[str, ...]:
    """Return the running example's tokens, which keep one colour each throughout."""
    file = topics.file_of("running_example")
    if not (root / file).is_file():
        return ()

    def tokens() -> tuple[str, ...]:
        from snippets import running_example

        return tuple(running_example.TOKENS)

    return topics.run(root, file, "import", tokens)  # type: ignore[no-any-return]


def _finish(root: Path, site: Site, modules: list[str], cache: dict[str, Any]) -> None:
    """Add what needs all pages: the ledger, numbers.json, the sources, the formulas' font."""
    shown = [entry for entry in site.book.entries.values() if entry.pages]
    for file, page in site.pages.items():
        if "{ledger}" in page.blocks:
            table = blocks.ledger(shown, "../" * url_of(file).count("/"))
            page.blocks = [table if block == "{ledger}" else block for block in page.blocks]
    records = [blocks.record(entry) for entry in shown]
    site.files["numbers.json"] = (json.dumps(records, indent=1) + "\n").encode()
    letters = frozenset(site.book.letters)
    if cache.get("font", (None,))[0] != letters:
        cache["font"] = (letters, font.formulas(letters))
    site.files["assets/formulas.woff2"] = cache["font"][1]
    for name in [*modules, *topics.bugs(root)]:  # the bugs share one test, and its page
        for file in (topics.file_of(name), topics.test_of(name)):
            text = (root / file).read_text("utf-8")
            if cache.get(file, (None,))[0] != text:
                cache[file] = (text, blocks.source(text))
            site.sources[f"source/{file}.md"] = file
            site.pages[f"source/{file}.md"] = Page(
                f"# {file} {{ #source }}\n\ncomputed-block-0-here\n", [cache[file][1]]
            )


def numbers_script(site: Site, url: str) -> str:
    """Return the page's own share of the ledger, for the reader who asks about a number."""
    mine = {
        entry.id: [f"{entry.file}:{entry.line}", f"{entry.test}:{entry.test_line}", entry.call]
        for entry in site.book.entries.values()
        if url in entry.pages
    }
    if not mine:
        return ""
    # Not a script: the theme's instant navigation would run it.
    data = html.escape(json.dumps(mine, separators=(",", ":")), quote=False)
    return f'<template id="page-numbers">{data}</template>'


__all__ = ["Mistake", "Site", "credit", "numbers_script", "prepare", "url_of"]
