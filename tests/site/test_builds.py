"""The builds: they come out, and two of them alike to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import build, copy_project


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.mark.builds
def test_the_site_is_built(builds: Path) -> None:
    made = {name: files(builds / name) for name in ("site", "files", "moved")}
    assert "index.html" in made["site"]
    assert len({len(names) for names in made.values()}) == 1


@pytest.mark.builds
def test_two_builds_are_the_same_bytes(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    folder = tmp_path / "elsewhere" / "and deeper"
    folder.mkdir(parents=True)
    again = build(
        copy_project(folder),
        TZ="Pacific/Kiritimati", LC_ALL="C", LANG="C", PYTHONHASHSEED="12345", HOME=str(tmp_path),
    )  # fmt: skip
    # Asked for now, so that another worker makes it meanwhile.
    first, second = files(request.getfixturevalue("site")), files(again)
    assert first.keys() == second.keys()
    assert [name for name in first if first[name] != second[name]] == []
