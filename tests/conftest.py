"""The built site, once a session."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests import tiny

FOLDERS = ("docs", "overrides", "publisher", "snippets", "tests")
FILES = ("mkdocs.yml", "CITATION.cff", "pyproject.toml")


def copy_project(folder: Path) -> Path:
    """Copy what a build reads."""
    for name in FOLDERS:
        shutil.copytree(
            tiny.ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__")
        )
    for name in FILES:
        shutil.copy(tiny.ROOT / name, folder / name)
    return folder


def build(folder: Path, **more: str) -> Path:
    """Build the project in `folder` and return its site."""
    result = tiny.mkdocs(folder, "build", **more)
    assert result.returncode == 0, result.stdout + result.stderr
    return folder / "site"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site, built from a copy of the project."""
    return build(copy_project(tmp_path_factory.mktemp("project")))
