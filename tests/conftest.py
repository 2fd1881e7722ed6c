"""Builds of the whole site, each made once per run, whatever the number of workers."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests that make a build first and those that read one last: few have to wait."""

    def place(item: pytest.Item) -> int:
        if item.get_closest_marker("builds"):
            return 0
        return 2 if "builds" in getattr(item, "fixturenames", ()) else 1

    items.sort(key=place)


Once = Callable[[str, Callable[[Path], object]], Path]


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Once:
    """Return what makes a folder unless another worker has, or waits while one does.

    As pytest-xdist's documentation advises: a lock in the folder that all workers share. A fault
    is kept as well, so that each worker reports it and none tries again.
    """
    shared = tmp_path_factory.getbasetemp()
    shared = shared if worker_id == "master" else shared.parent

    def made(name: str, make: Callable[[Path], object]) -> Path:
        folder, fault = shared / name, shared / f"{name}.fault"
        with FileLock(shared / f"{name}.lock"):
            if not folder.exists():
                folder.mkdir()
                try:
                    make(folder)
                except BaseException as error:
                    fault.write_text(f"{type(error).__name__}: {error}", "utf-8")
        assert not fault.exists(), fault.read_text("utf-8")
        return folder

    return made


def make_builds(folder: Path) -> None:
    copy_project(folder / "project")
    result = tiny.python(folder / "project", "-m", "tests.site.builds", str(folder))
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.fixture(scope="session")
def builds(once: Once) -> Path:
    """Return the folder of `tests.site.builds`: site/, files/, moved/, digits.json."""
    return once("builds", make_builds)


@pytest.fixture(scope="session")
def site(builds: Path) -> Path:
    """Return the folder of the site, built from a copy of the project."""
    return builds / "site"
