"""A site of three files, with the real publisher: the test bed for the glue."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

SNIPPET = '''"""A tiny topic."""

from publisher.figures.parts import canvas
from publisher.results import shown
from publisher.figures import palette
from publisher.results import Figure, Figures, Numbers, Table, Tables


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

TEST = """def test_all():
    assert ["third", "pair"]
"""

CONFIG = """site_name: Tiny
strict: true
theme: mkdocs
plugins: []
watch: [publisher, snippets, tests]
hooks: [publisher/hooks.py]
markdown_extensions: [attr_list, admonition, tables, pymdownx.superfences, pymdownx.highlight]
"""

CITATION = "title: Tiny\nversion: 1.0.0\ndate-released: 2026-01-01\n"


def make(folder: Path, **changed: str) -> Path:
    """Write the tiny site; `page`, `snippet` and `test` replace its parts."""
    shutil.copytree(
        ROOT / "publisher", folder / "publisher", ignore=shutil.ignore_patterns("__pycache__")
    )
    files = {
        "mkdocs.yml": CONFIG,
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


def environment(**more: str) -> dict[str, str]:
    """Return an environment in which builds are quiet and equal."""
    return {
        **os.environ,
        "NO_MKDOCS_2_WARNING": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        **more,
    }


def mkdocs(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run MkDocs in a project's folder."""
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", *arguments],
        cwd=folder,
        env=environment(**more),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
