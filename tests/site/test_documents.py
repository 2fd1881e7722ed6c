"""The documents for maintainers name what is there."""

from __future__ import annotations

import ast
import re

import pytest

from tests import tiny

DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
FOLDERS = ("docs", "overrides", "publisher", "snippets", "tests")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_files_that_a_document_names_are_there(name: str) -> None:
    text = (tiny.ROOT / name).read_text("utf-8")
    named = re.findall(rf"`((?:{'|'.join(FOLDERS)})/[\w./-]*)`", text)
    linked = re.findall(r"\]\((?!https?:|#)([^)#]+)", text)
    assert linked
    missing = [file for file in (*named, *linked) if not (tiny.ROOT / file).exists()]
    assert missing == []


def test_the_walk_of_a_number_names_functions_that_are_there() -> None:
    text = (tiny.ROOT / "CONTRIBUTING.md").read_text("utf-8")
    walk = text.split("### The way of 0.6652")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `([\w/]+\.py)` \| (.+?) \|", walk, re.MULTILINE)
    assert len(rows) > 10
    missing = [
        f"{file}: {name}"
        for file, cell in rows
        for name in re.findall(r"`([\w.]+)`", cell)
        if name not in defined(ast.parse((tiny.ROOT / file).read_text("utf-8")))
    ]
    assert missing == []


def defined(module: ast.Module) -> set[str]:
    """Return the names of a module's functions, and of its classes' methods."""
    found = set()
    for node in module.body:
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.ClassDef):
            methods = [item for item in node.body if isinstance(item, ast.FunctionDef)]
            found |= {f"{node.name}.{method.name}" for method in methods}
    return found
