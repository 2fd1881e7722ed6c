"""The gallery's wrong code stays by itself: nothing imports it, and a change of it is seen."""

from __future__ import annotations

import ast
import re
import shutil
from pathlib import Path

from publisher.project import Project
from tests import tiny


def imported(path: Path) -> set[str]:
    """Return every module that a file imports, relative imports resolved."""
    package = path.relative_to(tiny.ROOT).parent.parts
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*above, *([node.module] if node.module else [])])
            found |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            found |= {a.value for a in node.args if isinstance(a, ast.Constant)}
    return found


def test_nothing_outside_the_gallery_imports_it() -> None:
    folders = ("snippets", "tests", "docs", "overrides")
    files = [path for folder in folders for path in (tiny.ROOT / folder).rglob("*.py")]
    users = {
        path.relative_to(tiny.ROOT).as_posix()
        for path in files
        if any(re.match(r"snippets\.bugs(\.|$)", name) for name in imported(path))
    }
    assert users == {"snippets/bugs/__init__.py", "tests/chapters/test_bugs.py"}
    assert len(files) > 40


def test_a_changed_bug_is_seen(tmp_path: Path) -> None:
    shutil.copytree(tiny.ROOT / "snippets", tmp_path / "snippets")
    files = Project(tmp_path, tiny.PROJECT.settings)
    before = files.fingerprint("bugs"), files.fingerprint("values")
    assert len(files.bugs) > 10
    for bug in files.bugs:
        path = tmp_path / files.file(bug)
        text = path.read_text("utf-8")
        path.write_text(text + "\n# changed\n", "utf-8")
        changed = Project(tmp_path, tiny.PROJECT.settings)  # a project is asked once per build
        assert changed.fingerprint("bugs") != before[0], bug
        assert changed.fingerprint("values") == before[1], bug
        path.write_text(text, "utf-8")
