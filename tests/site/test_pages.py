"""Names defined are names used, triples are whole, and no printed digit can flip."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest
import yaml

from publisher import site, syntax
from publisher.formats import near_boundary
from publisher.render import front_matter
from tests import tiny

NAV = yaml.load(
    re.sub(r"!ENV \[.*?\]", "''", (tiny.ROOT / "mkdocs.yml").read_text("utf-8")), yaml.SafeLoader
)["nav"]


@pytest.fixture(scope="module")
def book() -> site.Site:
    """Return the rendered site, without MkDocs."""
    about = site.credit(tiny.ROOT, "https://example.org/")
    return site.publish(tiny.ROOT, about)


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


def test_no_printed_digit_is_near_a_boundary(book: site.Site) -> None:
    shown = {identifier for page in book.pages.values() for identifier in page.uses.numbers}
    plain = [
        entry
        for entry in book.results.entries.values()
        if entry.id in shown
        and isinstance(entry.number.value, float)
        and entry.number.form in ("", "short", "percent")
    ]
    assert len(plain) > 100
    assert not [e.id for e in plain if near_boundary(e.number.value, e.number.digits)]


def test_triples_both_ways() -> None:
    root = tiny.ROOT
    project = tiny.PROJECT
    modules = set(project.chapters)
    chapters = set()
    for path in (root / "docs").rglob("*.md"):
        meta = front_matter.split(path.name, path.read_text("utf-8")).about
        if meta.get("chapter", True):
            name = path.relative_to(root / "docs").with_suffix("").as_posix()
            chapters.add(name.replace("/", ".").replace("-", "_"))
    assert chapters == modules
    tests = {project.test(name) for name in project.modules}
    assert all((root / test).is_file() for test in tests)


def test_names_defined_are_names_used(book: site.Site) -> None:
    defined = {
        (kind, f"{topic.name}.{name}")
        for topic in book.results.chapters.values()
        for kind in syntax.KINDS
        for name in topic.made[kind]
    }
    assert defined == {used for page in book.pages.values() for used in page.uses.results}
    assert len(defined) > 50


def test_a_chapter_uses_earlier_chapters_only() -> None:
    order = [page.removesuffix(".md").replace("-", "_").replace("/", ".") for page in in_order(NAV)]
    project = tiny.PROJECT
    files = [(name, project.file(name)) for name in project.modules]
    files += [(project.settings.gallery, project.file(bug)) for bug in project.bugs]
    for name, file in files:
        for imported in syntax.imports(tiny.ROOT, file):
            other = imported.removeprefix("snippets.")
            if other in order and other != name:
                assert name in order and order.index(other) < order.index(name), (name, other)


def test_no_topic_imports_mkdocs_and_only_the_hook_does() -> None:
    for path in (tiny.ROOT / "snippets").rglob("*.py"):
        if path.name != "hooks.py":
            assert "import mkdocs" not in path.read_text("utf-8"), path
            assert "from mkdocs" not in path.read_text("utf-8"), path


def test_every_page_of_docs_is_in_the_navigation() -> None:
    pages = {
        p.relative_to(tiny.ROOT / "docs").as_posix() for p in Path(tiny.ROOT / "docs").rglob("*.md")
    }
    assert pages == set(in_order(NAV))


def test_every_page_has_a_title_and_a_description() -> None:
    for path in (tiny.ROOT / "docs").rglob("*.md"):
        meta = front_matter.split(path.name, path.read_text("utf-8")).about
        assert meta.get("title") and len(str(meta.get("description", ""))) > 30, path


def test_every_call_shown_to_a_reader_gives_its_value(book: site.Site) -> None:
    checked = 0
    for entry in book.results.entries.values():
        if entry.call.startswith(("tables()", "figures()")):
            continue
        module = importlib.import_module(f"snippets.{entry.module}")
        made = eval(entry.call, dict(vars(module)))
        assert getattr(made, "value", made) == pytest.approx(entry.number.value), entry.id
        checked += 1
    assert checked > 100


def test_nothing_generated_is_kept_under_docs() -> None:
    kinds = {path.suffix for path in (tiny.ROOT / "docs").rglob("*") if path.is_file()}
    assert kinds <= {".md", ".css", ".js", ".bib", ".py"}


def test_versions_agree() -> None:
    project = (tiny.ROOT / "pyproject.toml").read_text("utf-8")
    version = re.search(r'^version = "([^"]+)"', project, re.MULTILINE)
    cited = yaml.safe_load((tiny.ROOT / "CITATION.cff").read_text("utf-8"))["version"]
    assert version and version[1] == str(cited)


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-test.txt"])
def test_requirements_are_pinned_with_hashes_and_without_addresses(name: str) -> None:
    text = (tiny.ROOT / name).read_text("utf-8")
    assert "://" not in text
    for block in re.split(r"\n(?=\S)", text.strip()):
        assert re.match(r"[\w.-]+==\S+", block), block
        assert "--hash=sha256:" in block, block
