"""From the project's folder to rendered pages and generated files, without MkDocs.

Three values, one direction: collect makes `Results`, render makes `Rendered` pages, and here both
are bound into a `Site`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

import yaml

from publisher import checks, errors, ledger
from publisher.collect import Memo, Results, collect, remembered, run
from publisher.errors import Mistake
from publisher.features import misreadings, references
from publisher.features.glossary import Glossary
from publisher.figures import export
from publisher.html import blocks, font
from publisher.project import Addresses, Here, Project, Settings, slug
from publisher.render import front_matter
from publisher.render.front_matter import Page
from publisher.render.page import Late, Rendered, Sources, render

_OUTPUT = re.compile(r"\{\{ output ([\w.]+) \}\}")


@dataclass(frozen=True)
class Site:
    """What the hook hands to MkDocs: pages by source file, other files by address."""

    results: Results
    pages: Mapping[str, Rendered]
    files: Mapping[str, bytes]
    sources: Mapping[str, str]  # page -> the source file that it shows
    rows: tuple[ledger.Row, ...]

    def content(self, file: str, content: str) -> str:
        """Return a page's HTML with its blocks in place, and its part of the ledger below."""
        page = self.pages[file]
        late = {}
        if Late.LEDGER in page.blocks:
            rows = [(row.entry, row.pages) for row in self.rows]
            late[Late.LEDGER] = blocks.ledger(rows, page.here)
        numbers = blocks.page_numbers(ledger.share(page, self.results.entries))
        return page.bind(content, late) + str(numbers)


def credit(root: Path, url: str) -> export.Credit:
    """Read what citations need from CITATION.cff."""
    with errors.blamed("CITATION.cff"):
        about = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
        year = str(about["date-released"])[:4]
        return export.Credit(about["title"], str(about["version"]), year, url)


def publish(
    root: Path,
    site_credit: export.Credit,
    addresses: Addresses | None = None,
    order: Sequence[str] = (),
    memo: Memo | None = None,
) -> Site:
    """Compute everything and render every page.

    Parameters
    ----------
    root : the project: docs/, snippets/, tests/, pyproject.toml
    site_credit : what figures and citations say about the site
    addresses : how pages are addressed; as folders if not given
    order : the pages in reading order; by name if not given
    memo : what the last call made; only what changed since is made anew

    Raises
    ------
    Mistake
        At the first author's mistake.
    """
    addresses = addresses or Addresses()
    memo = {} if memo is None else memo
    project = Project(root, Settings.read(root))
    pages = front_matter.read(root / "docs")
    checks.pages(pages.values())
    checks.project(project, pages.values())
    demos = sorted({name for page in pages.values() for name in _OUTPUT.findall(page.body)})
    results = collect(project, demos, memo)
    figures = _figures(project, results, site_credit, addresses, memo)
    files = {address: data for made in figures.values() for address, data in made.files.items()}
    glossary_page = pages.get(project.settings.lists.get("glossary", ""))
    sources = Sources(
        project,
        results,
        figures,
        references.load(root),
        Glossary(glossary_page.about.get("terms", {}), glossary_page.text)
        if glossary_page
        else Glossary({}),
    )
    rendered = _render(pages, order, sources, addresses, memo)
    checks.unused(project, sources, rendered.values())
    checks.lists(project, sources, rendered.values())
    rows = ledger.ledger(results, rendered.values())
    files["numbers.json"] = ledger.as_json(rows, addresses)
    letters = frozenset().union(*(page.uses.letters for page in rendered.values()))
    files["assets/formulas.woff2"] = remembered(
        memo, "font", letters, lambda: font.formulas(letters)
    )
    shown = _listings(project, addresses, memo)
    return Site(
        results,
        {**rendered, **{page.here.file: page for page in shown.values()}},
        files,
        {page.here.file: file for file, page in shown.items()},
        rows,
    )


def _figures(
    project: Project,
    results: Results,
    site_credit: export.Credit,
    addresses: Addresses,
    memo: Memo,
) -> dict[str, export.Artwork]:
    """Draw every chapter's figures, by dotted name."""
    drawn = {}
    colours = {f"token-{i}": colour for i, colour in enumerate(results.token_colours, start=1)}
    for chapter in results.chapters.values():
        page = addresses.page(f"{slug(chapter.name)}.md")
        for name, figure in chapter.made["figures"].items():
            identifier = f"{chapter.name}.{name}"

            def draw() -> export.Artwork:
                where = chapter.origins["figures", name]  # noqa: B023
                return export.artwork(identifier, where, page, figure, site_credit, colours)  # noqa: B023

            drawn[identifier] = remembered(
                memo,
                ("figure", identifier),
                (figure, astuple(site_credit), page, colours),
                lambda: run(project, chapter.file, f"figure '{name}'", draw),  # noqa: B023
            )
    return drawn


def _render(
    pages: Mapping[str, Page],
    order: Sequence[str],
    sources: Sources,
    addresses: Addresses,
    memo: Memo,
) -> dict[str, Rendered]:
    """Render every page that has changed, or shows something that has."""
    rendered = {}
    settings = sources.project.settings
    boxes = misreadings.collect(pages, order, settings.lists.get("misreadings", ""), addresses)
    gathered = misreadings.gathered(pages, boxes, settings.lists.get("misreadings", ""))
    sources = dataclasses.replace(sources, gathered=gathered != pages)
    for file, page in gathered.items():
        here = Here(addresses, file)
        before = memo.get(("page", file))
        used: Iterable[str] = before[1].uses.modules if before else ()
        mark = (
            page,
            addresses,
            sources.references,
            sources.glossary.means,
            sources.results.tokens,
            {name: _state(sources, name) for name in used},
        )
        if before is None or before[0] != mark:
            rendered[file] = render(page, sources, here)
            used = rendered[file].uses.modules
            mark = (*mark[:-1], {name: _state(sources, name) for name in used})
            memo["page", file] = mark, rendered[file]
        rendered[file] = memo["page", file][1]
    return rendered


def _state(sources: Sources, name: str) -> object:
    """Return what a page that shows something of a module depends on."""
    project = sources.project
    if not (project.root / project.file(name)).is_file():
        return None
    return project.fingerprint(name), sources.results.chapters.get(name)


def _listings(project: Project, addresses: Addresses, memo: Memo) -> dict[str, Rendered]:
    """Return a page for the source of every module, bug and test, by file."""
    shown = {}
    for name in [*project.modules, *project.bugs]:  # the bugs share one test, and its page
        for file in (project.file(name), project.test(name)):
            text = (project.root / file).read_text("utf-8-sig")
            listing = remembered(memo, file, text, lambda: blocks.source(text))  # noqa: B023
            here = Here(addresses, f"source/{file}.md")
            title = f"# {file} {{ #source }}\n\ncomputed-block-0-here\n"
            shown[file] = Rendered(here, title, (listing,))
    return shown


__all__ = ["Addresses", "Mistake", "Site", "credit", "publish"]
