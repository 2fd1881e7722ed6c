"""Names defined are names used, triples are whole, and every page says what it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from publisher import syntax
from publisher.render import front_matter, shortcodes
from tests import tiny
from tests.site.facts import Facts
from tests.site.test_imports import NAV, in_order


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


KINDS = {"num": "numbers"} | {
    keyword: f"{keyword}s" for keyword in ("vector", "text", "table", "figure", "widget")
}
ASKED = re.compile(rf"\{{\{{ ({'|'.join(KINDS)}) ([\w.]+)")


def test_names_defined_are_names_used() -> None:
    root, project = tiny.ROOT, tiny.PROJECT
    files = {name: project.file(name) for name in project.chapters}
    defined = {
        (kind, f"{chapter}.{name}")
        for chapter, file in files.items()
        for kind, name in syntax.results(root, file)
    }
    # On pages, in captions and cells, and the figure inside a widget.
    pages = "".join(path.read_text("utf-8") for path in sorted((root / "docs").rglob("*.md")))
    snippets = "".join((root / file).read_text("utf-8") for file in files.values())
    used = {(KINDS[keyword], name) for keyword, name in ASKED.findall(pages + snippets)}
    used |= {("figures", name) for name in re.findall(r'figure="([\w.]+)"', snippets)}
    assert len(defined) > 50
    assert defined == {(kind, name) for kind, name in used if "." in name}


def test_every_page_of_docs_is_in_the_navigation() -> None:
    pages = {
        p.relative_to(tiny.ROOT / "docs").as_posix() for p in Path(tiny.ROOT / "docs").rglob("*.md")
    }
    assert pages == set(in_order(NAV))


def test_every_page_has_a_title_and_a_description() -> None:
    for path in (tiny.ROOT / "docs").rglob("*.md"):
        meta = front_matter.split(path.name, path.read_text("utf-8")).about
        assert meta.get("title") and len(str(meta.get("description", ""))) > 30, path


def test_every_page_says_what_it_is(pages: dict[str, Facts]) -> None:
    for address, page in pages.items():
        assert [e.attributes.get("lang") for e in page.all("html")] == ["en"]
        said = {a.get("name") or a.get("property"): a.get("content") for _, a in page.all("meta")}
        assert (said["description"] or "").strip(), address
        assert (said["og:title"] or "").strip(), address
        if address != "404.html" and not address.startswith("source/"):
            assert page.has_class("cite"), address


def test_no_shortcode_is_left_in_the_html(site: Path) -> None:
    raw = re.compile(rf"\{{\{{ ?(?:{'|'.join(shortcodes.KEYWORDS)})\b")
    assert {"num", "cite", "widget", "misreadings", "ledger"} <= set(shortcodes.KEYWORDS)
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")
        assert raw.search(text) is None, page
        assert "computed-block-" not in text, page


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
