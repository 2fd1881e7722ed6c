"""Imports point one way, without a cycle, and the publisher knows no chapter by name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
import yaml

from tests import tiny

ROOT, PROJECT = tiny.ROOT, tiny.PROJECT
DRAWINGS, GALLERY = PROJECT.settings.drawings, PROJECT.settings.gallery
NAV = yaml.load(
    re.sub(r"!ENV \[.*?\]", "''", (ROOT / "mkdocs.yml").read_text("utf-8")), yaml.SafeLoader
)["nav"]


def in_order(nav: list[object]) -> list[str]:
    """Return the pages of the navigation, in reading order."""
    found: list[str] = []
    for item in nav:
        if isinstance(item, str):
            found.append(item)
        elif isinstance(item, dict):
            for value in item.values():
                found += in_order(value) if isinstance(value, list) else [value]
    return found


def module_of(path: Path) -> str:
    """Return a file's dotted name: publisher/html/blocks.py -> publisher.html.blocks."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


FILES = {
    module_of(path): path
    for folder in ("publisher", "snippets")
    for path in sorted((ROOT / folder).rglob("*.py"))
}


def imported(text: str) -> set[str]:
    """Return every module that a source imports: anywhere in it, for types as well."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "a relative import"
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            modules = names & FILES.keys()
            # `from package import module` imports the module, not what the package defines.
            found |= modules | ({str(node.module)} if modules != names else set())
    return found


GRAPH = {name: imported(path.read_text("utf-8")) for name, path in FILES.items()}


def within(package: str, edges: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return the part of a graph that lies in one package."""
    return {
        name: {other for other in others if other.startswith(f"{package}.")}
        for name, others in edges.items()
        if name.startswith(f"{package}.")
    }


def of(package: str) -> Iterator[tuple[str, str]]:
    """Yield what each module of a package imports."""
    for name, others in GRAPH.items():
        if f"{name}.".startswith(f"{package}."):
            yield from ((name, other) for other in others)


@pytest.mark.parametrize("package", ["publisher", "snippets"])
def test_no_import_leads_back(package: str) -> None:
    graph = within(package, GRAPH)
    assert sum(map(len, graph.values())) > 20
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_the_publisher_imports_no_content_and_mkdocs_in_one_place() -> None:
    wrong = [(a, b) for a, b in of("publisher") if b.split(".")[0] in ("snippets", "tests")]
    assert wrong == []
    assert {a for a, b in of("publisher") if b.split(".")[0] == "mkdocs"} == {"publisher.hooks"}


def test_snippets_need_of_the_publisher_only_what_results_are_made_of() -> None:
    used = {b for _, b in of("snippets") if b.split(".")[0] == "publisher"}
    assert used <= {
        "publisher.results", "publisher.figures", "publisher.figures.palette",
        "publisher.figures.parts",
    }  # fmt: skip
    libraries = {b.split(".")[0] for _, b in of("snippets")} - {"publisher", "snippets"}
    assert not libraries & {"mkdocs", "markdown", "jinja2", "tests"}


def test_a_chapter_imports_earlier_chapters_only() -> None:
    pages = [page.removesuffix(".md").replace("-", "_").replace("/", ".") for page in in_order(NAV)]
    order = {f"snippets.{name}": place for place, name in enumerate(pages)}
    late = []
    for name, other in of("snippets"):
        gallery = name.startswith(f"snippets.{GALLERY}.")
        place = order.get(f"snippets.{GALLERY}" if gallery else name, -1)
        if other in order and order[other] >= place:
            late.append((name, other))
    assert late == []


def test_drawings_import_no_chapter() -> None:
    shared = {f"snippets.{name}" for name in PROJECT.settings.shared}
    chapters = [
        (name, other)
        for name, other in of(f"snippets.{DRAWINGS}")
        if other.startswith("snippets.")
        and not other.startswith(f"snippets.{DRAWINGS}.")
        and other not in shared
    ]
    assert chapters == []


# Names of chapters that are everyday words stand in the publisher as such.
EVERYDAY = {"index", "values", "context", "heads", "masks", "padding", "explore", "notation"}
WORDS = ("fisherman", "net", "bank", "river", "money", "cashier", "riverbank")


def content_names() -> set[str]:
    """Return the names of chapters, as modules and as pages, and the example's words."""
    found = set(WORDS)
    for name in [*PROJECT.modules, *PROJECT.bugs]:
        last = name.rpartition(".")[2]
        found |= {f"snippets.{name}", PROJECT.file(name), f"{name.replace('.', '/')}.md"}
        if last not in EVERYDAY | {GALLERY} and "_" in last:
            found |= {last, last.replace("_", "-")}
    return found - {"index.md"}  # which every folder's first page is called


def test_the_publisher_knows_no_chapter_by_name() -> None:
    names = content_names()
    assert {"scores-and-weights", "running_example", "softmax_axis", "snippets.values"} <= names
    known = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(names)))})(?![\w-])")
    found = []
    for module, path in FILES.items():
        if not module.startswith("publisher"):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            # Docstrings may give examples.
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(
                node
            ):
                node.body[0].value.value = ""  # type: ignore[attr-defined]
            text = getattr(node, "id", getattr(node, "attr", getattr(node, "value", "")))
            if isinstance(text, str) and (match := known.search(text)):
                found.append(f"{module}:{getattr(node, 'lineno', 0)}: {match[0]}")
    assert found == []
