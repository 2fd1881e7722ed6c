"""From the project's folder to rendered pages and generated files, without MkDocs.

Three values, one direction: collect makes `Results`, render makes `Rendered` pages, and here both
are bound into a `Site`.
"""

from __future__ import annotations

import dataclasses
import pickle
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from publisher import checks, draw, errors, ledger, syntax
from publisher.collect import Memo, Results, collect, remembered
from publisher.features import glossary, misreadings, references
from publisher.features.glossary import Glossary
from publisher.features.glossary_links import Links
from publisher.figures import export
from publisher.html import blocks, font
from publisher.listings import listings
from publisher.project import Addresses, Here, Project, Settings
from publisher.render import front_matter
from publisher.render.front_matter import Page
from publisher.render.page import render
from publisher.render.values import Late, Rendered, Sources, Uses

_OUTPUT = re.compile(r"\{\{ output ([\w.]+) \}\}")


@dataclass(frozen=True)
class Site:
    """What the hook hands to MkDocs: pages by source file, other files by address."""

    results: Results
    pages: Mapping[str, Rendered]
    files: Mapping[str, bytes]
    rows: tuple[ledger.Row, ...]
    links: Mapping[str, Links]  # of the glossary's terms, by page
    frame: object  # what stands around every page: all titles, the theme's settings

    def share(self, file: str) -> dict[str, list[str]]:
        """Return a page's part of the ledger."""
        return ledger.share(self.pages[file], self.results.entries)

    def late(self, file: str) -> tuple[ledger.Row, ...]:
        """Return the whole ledger for the page that it stands on, nothing for the others."""
        return self.rows if Late.LEDGER in self.pages[file].blocks else ()

    def content(self, file: str, content: str) -> str:
        """Return a page's HTML with its blocks in place, and its part of the ledger below."""
        page = self.pages[file]
        late = {}
        if rows := self.late(file):
            shown = [(row.entry, row.pages) for row in rows]
            late[Late.LEDGER] = blocks.ledger(shown, page.here)
        return page.bind(content, late) + str(blocks.page_numbers(self.share(file), page.here))


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
    for file, page in pages.items():
        remembered(memo, ("checked", file), page, lambda: checks.page(page))  # noqa: B023
    checks.project(project, pages.values())
    demos = sorted({name for page in pages.values() for name in _OUTPUT.findall(page.body)})
    results = collect(project, demos, memo)
    figures = draw.figures(project, results, site_credit, addresses, memo)
    files = {address: data for made in figures.values() for address, data in made.files.items()}
    own = pages.get(project.settings.lists.get("glossary", ""))
    sources = Sources(
        project,
        results,
        figures,
        references.load(root),
        remembered(memo, "glossary", own, lambda: _glossary(own)),
    )
    rendered = _render(pages, order, sources, addresses, memo)
    checks.unused(project, sources, rendered.values())
    checks.lists(project, sources, rendered.values())
    rows = ledger.ledger(results, rendered.values())
    files["numbers.json"] = remembered(
        memo, "numbers.json", (rows, addresses), lambda: ledger.as_json(rows, addresses)
    )
    letters = frozenset().union(*(page.uses.letters for page in rendered.values()))
    files["assets/formulas.woff2"] = remembered(
        memo, "font", letters, lambda: font.formulas(letters)
    )
    files |= listings(project, pages, addresses, site_credit.site, memo)
    return Site(
        results,
        rendered,
        files,
        rows,
        _links(sources, rendered, site_credit.site),
        ({file: page.about for file, page in pages.items()}, _theme(root)),
    )


def _links(sources: Sources, rendered: Mapping[str, Rendered], name: str) -> dict[str, Links]:
    """Return what links each page's terms; the glossary's own page does not link to itself."""
    own = sources.project.settings.lists.get("glossary", "")
    return {
        file: Links(sources.glossary, page.here.page(own), (name,))
        for file, page in rendered.items()
        if file != own and sources.glossary
    }


def _glossary(page: Page | None) -> Glossary:
    """Read the glossary from the front matter of its page."""
    if page is None:
        return Glossary()
    return glossary.read(page.about.get("terms", {}), page.text, page.name)


def _theme(root: Path) -> dict[Path, bytes]:
    """Return what the theme is told: MkDocs' settings and our own templates."""
    files = [root / "mkdocs.yml", *sorted((root / "overrides").rglob("*"))]
    return {path: path.read_bytes() for path in files if path.is_file()}


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
        used = before[1].uses if before else Uses()
        mark = (
            page,
            addresses,
            sources.references,
            sources.results.tokens,
            _state(sources, used),
        )
        if before is None or before[0] != mark:
            rendered[file] = render(page, sources, here)
            mark = (*mark[:-1], _state(sources, rendered[file].uses))
            memo["page", file] = mark, rendered[file]
        rendered[file] = memo["page", file][1]
    return rendered


def _state(sources: Sources, uses: Uses) -> list[object]:
    """Return everything that a page took, as it is now; pickled, so that values are compared."""
    project, results = sources.project, sources.results
    state: list[object] = []
    for kind, dotted in sorted(uses.results):
        module, _, name = dotted.rpartition(".")
        chapter = results.chapters.get(module)
        made = chapter.made[kind].get(name) if chapter else None
        state.append(sources.figures.get(dotted) if kind == "figures" else pickle.dumps(made))
    for dotted in sorted(uses.programs):
        module, _, name = dotted.rpartition(".")
        there = (project.root / project.file(module)).is_file()
        code = syntax.cut(project.root, project.file(module), name) if there else None
        state.append((dotted, code, results.outputs.get(dotted)))
    return state
