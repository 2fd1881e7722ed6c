"""A site of three files: the publisher's test bed, in this process or through MkDocs."""

from __future__ import annotations

import contextlib
import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import markdown
import pytest

from publisher import site
from publisher.errors import Mistake
from publisher.features import misreadings
from publisher.features.glossary_links import GlossaryExtension
from publisher.project import Addresses, Project, Settings
from publisher.render.front_matter import split

ROOT = Path(__file__).resolve().parent.parent
PROJECT = Project(ROOT, Settings.read(ROOT))

SNIPPET = '''"""A tiny chapter."""

from publisher.figures import palette
from publisher.figures.parts import canvas
from publisher.results import Figure, Figures, Numbers, Table, Tables, shown


def numbers() -> Numbers:
    return {
        "third": 1 / 3,
    }


def tables() -> Tables:
    return {
        "pair": Table("A pair", ("Name", "Value"), [("one", 1.25), ("two", 2.5)]),
    }


def draw(narrow):
    drawing, axes = canvas(200, 100)
    axes.text(10, 50, shown(1 / 3), color=palette.INK)
    return drawing


def figures() -> Figures:
    return {
        "third": Figure(
            title="A third",
            caption="It is {{ num example.third }}.",
            description="The text 0.3333.",
            label="invented numbers",
            data=Table("Data", ("x",), [(1 / 3,)]),
            draw=draw,
        ),
    }


def demo():
    print("shown")
'''

PAGE = """---
title: Example
---

# Example

A third is {{ num example.third }}.

{{ table example.pair }}

{{ figure example.third }}

{{ code example.demo }}

{{ output example.demo }}
"""

TEST = """from snippets import example


def test_all():
    assert example.numbers() == {"third": 1 / 3, "pair": 2}
    assert example.tables() == {"pair": pair, "third": third}
    assert example.figures() == {"third": third}
"""

EXTENSIONS = ["attr_list", "admonition", "tables", "pymdownx.superfences", "pymdownx.highlight"]
CONFIG = f"""site_name: Tiny
strict: true
theme: mkdocs
plugins: []
watch: [publisher, snippets, tests]
hooks: [publisher/hooks.py]
markdown_extensions: [{", ".join(EXTENSIONS)}]
"""

SETTINGS = """[tool.publisher]
gallery = "bugs"

[tool.publisher.lists]
references = "references.md"
glossary = "glossary.md"
misreadings = "misreadings.md"
ledger = "numbers.md"
"""

CITATION = "title: Tiny\nversion: 1.0.0\ndate-released: 2026-01-01\n"


def make(folder: Path, **changed: str) -> Path:
    """Write the tiny site; `page`, `snippet` and `test` replace its parts."""
    files = {
        "mkdocs.yml": CONFIG,
        "pyproject.toml": SETTINGS,
        "CITATION.cff": CITATION,
        "docs/index.md": "---\nchapter: false\n---\n\n# Home\n",
        "docs/example.md": changed.get("page", PAGE),
        "snippets/__init__.py": "",
        "snippets/example.py": changed.get("snippet", SNIPPET),
        "tests/chapters/test_example.py": changed.get("test", TEST),
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@contextlib.contextmanager
def first(folder: Path) -> Iterator[None]:
    """Let `import snippets` find the folder's snippets for a while, and the real ones after."""

    def forget() -> dict[str, object]:
        names = [name for name in sys.modules if name.partition(".")[0] == "snippets"]
        return {name: sys.modules.pop(name) for name in names}

    real = forget()
    # As the hook does: a compiled file outlives an edit that is made within its second.
    compiles, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        sys.dont_write_bytecode = compiles
        forget()
        sys.modules.update(real)  # type: ignore[arg-type]


def publish(folder: Path) -> dict[str, str]:
    """Publish a project's folder in this process: each page's HTML by its source's name.

    Raises
    ------
    Mistake
        At the author's first mistake.
    """
    with first(folder):
        made = site.publish(folder, site.credit(folder, "/"))
    return {name: made.content(name, converted(made, name)) for name in made.pages}


def converted(made: site.Site, name: str) -> str:
    """Return a page's HTML as Python-Markdown makes it."""
    extensions = ["toc", *EXTENSIONS, GlossaryExtension(lambda: made.links.get(name))]
    return markdown.markdown(made.pages[name].markdown, extensions=extensions)


def collected(texts: dict[str, str], order: list[str], title: str = "A page") -> str:
    """Return the misreadings of some pages of one title, as Markdown."""
    pages = {
        file: replace(split(file, text), about={"title": title}) for file, text in texts.items()
    }
    return misreadings.collect(pages, order, "misreadings.md", Addresses())


def mistake(folder: Path) -> str:
    """Publish a project's folder, expect an author's mistake, and return what it says."""
    with pytest.raises(Mistake) as caught:
        publish(folder)
    said = str(caught.value)
    assert "\n" not in said
    return said


def with_publisher(folder: Path) -> Path:
    """Add the publisher, which a project needs for a process of its own."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "publisher", folder / "publisher", ignore=ignored)
    return folder


def environment(**more: str) -> dict[str, str]:
    """Return an environment in which builds are quiet and equal."""
    return {
        **os.environ,
        "NO_MKDOCS_2_WARNING": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        **more,
    }


def python(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a project's folder."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment(**more),
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )


def mkdocs(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run MkDocs in a project's folder."""
    return python(folder, "-m", "mkdocs", *arguments, **more)
