"""The bug gallery's rules: every bug whole and shown, none imported by anything else."""

from __future__ import annotations

from pathlib import Path

import pytest

from publisher.errors import Mistake
from publisher.features import gallery
from publisher.project import Project, Settings

PARTS = ("wrong", "right", "measure", "demo", "check")
BUG = "\n\n".join(f"def {part}():\n    return 1\n" for part in PARTS)


def project(folder: Path, **files: str) -> Project:
    """Write a project with two chapters, one of them the gallery with one bug."""
    written = {
        "bugs/__init__.py": "from snippets.bugs import one\n",
        "bugs/one.py": BUG,
        "chapter.py": "",
        **files,
    }
    for name, text in written.items():
        path = folder / "snippets" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return Project(folder, Settings(gallery="bugs"))


def test_a_whole_gallery_is_accepted(tmp_path: Path) -> None:
    made = project(tmp_path)
    gallery.validate(made)
    gallery.unused(made, {"bugs.one.wrong", "bugs.one.check"})


def test_a_project_may_be_without_one(tmp_path: Path) -> None:
    project(tmp_path)
    made = Project(tmp_path, Settings(gallery=""))
    gallery.validate(made)
    gallery.unused(made, set())


# How a chapter imports a bug, and the line of it that is to be blamed.
IMPORTS = {
    "import snippets.bugs.one\n": 1,
    "import numpy\n\nimport snippets.bugs.one as fine\n": 3,
    "from snippets.bugs import one\n": 1,
    "from snippets.bugs.one import wrong\n": 1,
    "from snippets import bugs\n": 1,
    "from snippets import (\n    attention,\n    bugs,\n)\n": 3,
    "from snippets.bugs import (\n    one,\n)\n": 1,
    '"""Of bugs, and what to import."""\n\nfrom snippets.bugs.one import (\n    right,\n)\n': 3,
    "def numbers():\n    from snippets.bugs.one import right\n": 2,
}


@pytest.mark.parametrize("text", IMPORTS)
def test_an_import_of_a_bug_is_blamed_at_its_line(tmp_path: Path, text: str) -> None:
    made = project(tmp_path, **{"chapter.py": text})
    with pytest.raises(Mistake) as mistake:
        gallery.validate(made)
    where = f"snippets/chapter.py:{IMPORTS[text]}: imports snippets.bugs"
    assert str(mistake.value).startswith(where)
    assert str(mistake.value).endswith(", which is wrong on purpose; take the right code")


@pytest.mark.parametrize("text", ["from snippets import bugsy\n", "import bugs\n", "bugs = 1\n"])
def test_other_imports_are_not(tmp_path: Path, text: str) -> None:
    gallery.validate(project(tmp_path, **{"chapter.py": text}))


@pytest.mark.parametrize("name", ["bugs/_one.py", "bugs/more/one.py"])
def test_a_bug_has_its_place(tmp_path: Path, name: str) -> None:
    with pytest.raises(Mistake) as mistake:
        gallery.validate(project(tmp_path, **{name: BUG}))
    what = "not a place for a bug; name it snippets/bugs/bug.py"
    assert str(mistake.value) == f"snippets/{name}:1: {what}"


@pytest.mark.parametrize("part", PARTS)
def test_a_bug_has_all_its_parts(tmp_path: Path, part: str) -> None:
    made = project(tmp_path, **{"bugs/one.py": BUG.replace(f"def {part}(", "def other(")})
    with pytest.raises(Mistake) as mistake:
        gallery.validate(made)
    what = f"a bug without {part}; define what is missing"
    assert str(mistake.value) == f"snippets/bugs/one.py:1: {what}"


@pytest.mark.parametrize("part", ["wrong", "check"])
def test_a_bug_is_shown(tmp_path: Path, part: str) -> None:
    shown = {f"bugs.one.{name}" for name in PARTS if name != part}
    with pytest.raises(Mistake) as mistake:
        gallery.unused(project(tmp_path), shown)
    what = f"a bug that no page shows in full; write {{{{ code bugs.one.{part} }}}}"
    assert str(mistake.value) == f"snippets/bugs/one.py:1: {what}"
