"""From the project's folder to rendered pages and generated files, without MkDocs."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any

import yaml

from publisher import checks, collect, errors, ledger, project
from publisher.errors import Mistake
from publisher.features import misreadings, references
from publisher.features.glossary import FILE as GLOSSARY
from publisher.features.glossary import Glossary
from publisher.figures import export
from publisher.html import blocks, font
from publisher.project import url_of
from publisher.render import front_matter
from publisher.render.page import Book, Page, Renderer


@dataclass
class Site:
    """What the hook hands to MkDocs: pages by source file, other files by URL."""

    book: Book
    credit: export.Credit
    pages: dict[str, Page] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)


def credit(root: Path, url: str) -> export.Credit:
    """Read what citations need from CITATION.cff."""
    with errors.blamed("CITATION.cff"):
        about = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
        year = str(about["date-released"])[:4]
        return export.Credit(about["title"], str(about["version"]), year, url)


def prepare(
    root: Path, site_credit: export.Credit, cache: dict[str, Any], order: Sequence[str] = ()
) -> Site:
    """Compute everything and render every page.

    Parameters
    ----------
    root : Path
        The project: docs/, snippets/, tests/, CITATION.cff.
    site_credit : export.Credit
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
    cut, texts = front_matter.read(root / "docs")
    modules = project.names(root)
    chapters = [file for file, (meta, _, _) in cut.items() if meta.get("chapter", True)]
    for file, (_, body, first) in cut.items():
        head = texts[file].removesuffix(body)
        checks.front_matter(f"docs/{file}", head)
        checks.typed_decimals(f"docs/{file}", head, 1)
        checks.typed_decimals(f"docs/{file}", body, first)
    checks.triples(root, chapters, modules)
    checks.gallery(root, modules)
    book, files = _collect(root, site_credit, modules, cache)
    book.references = references.load(root)
    terms = cut[GLOSSARY][0].get("terms", {}) if GLOSSARY in cut else {}
    book.glossary = Glossary(terms, texts.get(GLOSSARY, ""))
    site = Site(book, site_credit, files=files)
    _render(site, cut, order)
    checks.unused(book)
    checks.lists(book)
    _finish(root, site, modules, cache)
    return site


def _render(site: Site, cut: dict[str, front_matter.Cut], order: Sequence[str]) -> None:
    """Render every page; the collected misreadings last, so that each is wrong in its chapter."""
    book = site.book
    padded = {file: "\n" * (first - 1) + body for file, (_, body, first) in cut.items()}
    titles = {file: str(meta.get("title", file)) for file, (meta, _, _) in cut.items()}
    gathered = misreadings.collect(padded, titles, order)
    for file in sorted(cut, key=lambda name: name == misreadings.PAGE):
        _, body, first = cut[file]
        if file == misreadings.PAGE and (place := misreadings.COLLECT.search(body)):
            body = body[: place.start()] + gathered + body[place.end() :]
            book.lists.add("misreadings")
        url = url_of(file)
        renderer = Renderer(book, f"docs/{file}", url, "../" * url.count("/"), first)
        renderer.linking = renderer.linking and file != GLOSSARY
        with errors.blamed(f"docs/{file}"):
            site.pages[file] = renderer.page(body)


def _collect(
    root: Path, site_credit: export.Credit, modules: list[str], cache: dict[str, Any]
) -> tuple[Book, dict[str, bytes]]:
    """Load the topics and draw their figures, or take both from the cache."""
    book, files = Book(root, {}, {}, _tokens(root)), dict[str, bytes]()
    for name in modules:
        if name in project.SHARED:
            continue
        with errors.blamed(project.file_of(name)):
            _add(book, files, root, site_credit, name, cache)
    return book, files


def _add(
    book: Book, files: dict[str, bytes], root: Path, site_credit: export.Credit, name: str,
    cache: dict[str, Any],
) -> None:  # fmt: skip
    """Add one topic's results to the book and its figures to the files."""
    mark = (project.fingerprint(root, name), astuple(site_credit))
    if cache.get(name, (None,))[0] != mark:
        topic = collect.load(root, name)
        cache[name] = (mark, topic, *_draw(root, topic, site_credit))
    _, topic, drawn, its_files = cache[name]
    book.topics[name] = topic
    book.entries.update((entry.id, entry) for entry in ledger.of_topic(topic, root))
    book.artwork.update(drawn)
    files.update(its_files)


def _draw(
    root: Path, topic: collect.Topic, site_credit: export.Credit
) -> tuple[dict[str, str], dict[str, bytes]]:
    drawn, files = {}, {}
    page = url_of(f"{project.slug(topic.name)}.md")
    for name, figure in topic.figures.items():
        identifier = f"{topic.name}.{name}"
        markup, its_files = collect.run(
            root, topic.file, f"figure '{name}'",
            lambda: export.publish(identifier, page, figure, site_credit),  # noqa: B023 (runs now)
        )  # fmt: skip
        drawn[identifier] = markup
        files.update(its_files)
    return drawn, files


def _tokens(root: Path) -> tuple[str, ...]:
    """Return the running example's tokens, which keep one colour each throughout."""
    file = project.file_of("running_example")
    if not (root / file).is_file():
        return ()

    def tokens() -> tuple[str, ...]:
        from snippets import running_example

        return tuple(running_example.TOKENS)

    return collect.run(root, file, "import", tokens)  # type: ignore[no-any-return]


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
    for name in [*modules, *project.bugs(root)]:  # the bugs share one test, and its page
        for file in (project.file_of(name), project.test_of(name)):
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


__all__ = ["Mistake", "Site", "credit", "numbers_script", "prepare"]
