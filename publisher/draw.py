"""Draw every chapter's figures, and draw again only those that would look different."""

from __future__ import annotations

import pickle
from collections.abc import Hashable
from dataclasses import dataclass
from functools import partial

from publisher.collect import Chapter, Memo, Results, run
from publisher.figures.export import Artwork, Credit, artwork
from publisher.keep import kept
from publisher.project import Addresses, Project, slug
from publisher.results import Figure


@dataclass(frozen=True)
class _Drawn:
    """A figure, what it depends on, and what was drawn."""

    figure: Figure
    around: Hashable
    looks: object
    artwork: Artwork


def figures(
    project: Project, results: Results, credit: Credit, addresses: Addresses, memo: Memo
) -> dict[str, Artwork]:
    """Return every figure as pages and readers get it, by dotted name.

    Parameters
    ----------
    project, results : where the figures come from
    credit, addresses : what their files say about the site
    memo : what the last call drew

    Raises
    ------
    Mistake
        At the line of the drawing that fails.
    """
    colours = {f"token-{i}": colour for i, colour in enumerate(results.token_colours, start=1)}
    drawn = {}
    for chapter in results.chapters.values():
        page = addresses.page(f"{slug(chapter.name)}.md")
        around = (credit, page, *colours.items())
        for name, figure in chapter.made["figures"].items():
            key = ("figure", f"{chapter.name}.{name}")
            before = memo.get(key)
            if before is None or before.around != around or before.figure is not figure:
                looks = _looks(project, figure)
                if before and looks and (before.around, before.looks) == (around, looks):
                    made = before.artwork
                else:
                    make = partial(_draw, project, chapter, name, page, credit, colours)
                    made = kept(project.kept, (key, around, looks), make) if looks else make()
                memo[key] = _Drawn(figure, around, looks, made)
            drawn[key[1]] = memo[key].artwork
    return drawn


def _draw(
    project: Project,
    chapter: Chapter,
    name: str,
    page: str,
    credit: Credit,
    colours: dict[str, str],
) -> Artwork:
    figure, where = chapter.made["figures"][name], chapter.origins["figures", name]

    def drawing() -> Artwork:
        return artwork(f"{chapter.name}.{name}", where, page, figure, credit, colours)

    made: Artwork = run(project, chapter.file, f"figure '{name}'", drawing)
    return made


def _looks(project: Project, figure: Figure) -> object:
    """Return all that a drawing depends on, to be compared with that of the last build.

    This is its words, its data, the code of its drawing and the arrays handed to that. Nothing is
    known of a drawing of another kind, such as a nested function: it is drawn with its chapter.
    """
    draw = figure.draw
    if not isinstance(draw, partial):
        return None
    try:
        words = (figure.title, figure.caption, figure.description, figure.label, figure.data)
        handed = pickle.dumps((words, draw.args, draw.keywords))
    except (pickle.PicklingError, AttributeError, TypeError):
        return None
    module = str(draw.func.__module__).removeprefix("snippets.")
    return draw.func.__qualname__, handed, project.fingerprint(module)
