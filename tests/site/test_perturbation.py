"""Change one input of the running example, build, and nothing stale is left anywhere."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from publisher.formats import display
from tests import tiny
from tests.conftest import build, copy_project

EXAMPLE = "snippets/running_example.py"
TEXT = {".html", ".json", ".svg", ".csv", ".xml"}

# Calls each topic itself, without the publisher's renderer: the second computation.
FRESH = """
import contextlib, importlib, io, json, re, sys
from publisher import collect
from publisher import project
from publisher.results import cells
from pathlib import Path

def plain(item):
    return getattr(item, "value", item)

def of_table(name, table):
    for r, row in enumerate(table.rows, 1):
        for c, cell in enumerate(row, 1):
            if not isinstance(cell, str):
                items = [float(plain(i)) for i in cells(cell)]
                for i, item in enumerate(items):
                    part = f"[{i}]" if len(items) > 1 else ""
                    yield f"{name}[row {r}, column {c}]{part}", item

def floats(data):
    if isinstance(data, dict):
        data = list(data.values())
    if isinstance(data, list):
        return [number for item in data for number in floats(item)]
    return [data] if isinstance(data, float) else []

found = {}
root = Path(".").resolve()
for name in project.Project(root, project.Settings.read(root)).chapters:
    module = importlib.import_module("snippets." + name)
    get = lambda kind: getattr(module, kind, dict)().items()
    for key, value in get("numbers"):
        found[f"{name}.{key}"] = float(plain(value))
    for key, value in get("vectors"):
        found.update((f"{name}.{key}[{i}]", float(plain(v))) for i, v in enumerate(value))
    for key, table in get("tables"):
        found.update(of_table(f"{name}.{key}", table))
    for key, figure in get("figures"):
        found.update(of_table(f"{name}.{key}", figure.data))
    for key, widget in get("widgets"):
        numbers = floats([widget.start, widget.results])
        found.update((f"{name}.{key}({i})", number) for i, number in enumerate(numbers))
printed = io.StringIO()
for page in sorted(Path("docs").rglob("*.md")):
    for module, name in re.findall(r"{{ output ([\\w.]+)[.](\\w+) }}", page.read_text("utf-8")):
        with contextlib.redirect_stdout(printed):
            getattr(importlib.import_module("snippets." + module), name)()
json.dump([found, printed.getvalue()], sys.stdout)
"""


def constants() -> list[str]:
    """Return the names of the example's numeric constants."""
    tree = ast.parse((tiny.ROOT / EXAMPLE).read_text("utf-8"))
    return [
        node.targets[0].id
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and any(isinstance(n, ast.Constant) and isinstance(n.value, float) for n in ast.walk(node))
    ]


def perturb(folder: Path, name: str) -> None:
    """Move each number of the constant, by another amount, and leave the lines where they are."""
    path = folder / EXAMPLE
    lines = path.read_text("utf-8").splitlines(keepends=True)
    numbers = [
        number
        for node in ast.parse("".join(lines)).body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name
        for number in ast.walk(node.value)
        if isinstance(number, ast.Constant) and isinstance(number.value, float)
    ]
    numbers.sort(key=lambda number: (number.lineno, number.col_offset), reverse=True)
    for count, number in enumerate(numbers):
        line = lines[number.lineno - 1]
        moved = f"{number.value + 0.0713 + 0.0137 * count:.4f}"
        lines[number.lineno - 1] = line[: number.col_offset] + moved + line[number.end_col_offset :]
    path.write_text("".join(lines), "utf-8")


def entries(site: Path) -> dict[str, dict[str, object]]:
    """Return numbers.json by id."""
    return {entry["id"]: entry for entry in json.loads((site / "numbers.json").read_text("utf-8"))}


def fresh(folder: Path) -> tuple[dict[str, float], str]:
    """Compute every result in a new process; and what the demos on the pages print."""
    result = subprocess.run(
        [sys.executable, "-c", FRESH], cwd=folder, env=tiny.environment(PYTHONPATH="."),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    values, printed = json.loads(result.stdout)
    return values, printed


def texts(site: Path) -> dict[str, str]:
    """Return every text file that shows results; sources and styles show none."""
    return {
        name: path.read_text("utf-8")
        for path in site.rglob("*")
        if path.suffix in TEXT
        and not (name := path.relative_to(site).as_posix()).startswith(("source/", "assets/"))
    }


def test_the_constants_are_found() -> None:
    assert {"QUERY", "KEYS", "VALUES", "EMBEDDINGS", "POSITION_STEP"} <= set(constants())


@pytest.mark.parametrize("name", constants())
def test_nothing_stale_is_left(name: str, site: Path, tmp_path: Path) -> None:
    folder = copy_project(tmp_path)
    perturb(folder, name)
    new_site = build(folder)
    old, new = entries(site), entries(new_site)
    expected, printed = fresh(folder)
    assert old.keys() == new.keys()

    # Every number on the site is the fresh one; the rest has not moved.
    for identifier, entry in new.items():
        assert float(str(entry["value"])) == expected[identifier], identifier
    changed = {i for i in new if old[i]["value"] != new[i]["value"]}

    # No old value is left: neither in full nor as shown.
    now, before = texts(new_site), texts(site)
    pattern = re.compile(r"(?<![\d.])\d+\.\d{4,}(?!\d)")
    current = {str(e["displayed"]) for e in new.values()} | {repr(e["value"]) for e in new.values()}
    current |= set(pattern.findall(printed)) | {repr(value) for value in expected.values()}
    gone = {repr(old[i]["value"]) for i in changed} | {str(old[i]["displayed"]) for i in changed}
    stale = {text for text in gone - current if re.fullmatch(r"\S?\d+\.\d{4,}", text)}
    for file, text in now.items():
        left = stale & set(pattern.findall(text))
        assert not left, (file, left)

    # A page is the same to the byte exactly if none of its numbers moved.
    for file in before:
        address = file.removesuffix("index.html")
        if not file.endswith("index.html") or address == "numbers/":
            continue
        moved = any(address in new[i]["pages"] for i in changed)  # type: ignore[operator]
        assert (before[file] != now[file]) == moved, file

    # A figure's every form follows its data.
    for path in (site / "figures").rglob("*.json"):
        relative = path.relative_to(site)
        identifier = relative.with_suffix("").as_posix().removeprefix("figures/")
        identifier = identifier.replace("/", ".").replace("-", "_") + "["
        moved = any(i.startswith(identifier) for i in changed)
        for suffix in (".svg", ".png", ".pdf", ".csv", ".json"):
            file = relative.with_suffix(suffix)
            same = (site / file).read_bytes() == (new_site / file).read_bytes()
            assert same != moved, file
        about, was = (json.loads((s / relative).read_text("utf-8")) for s in (new_site, site))
        if not moved:
            assert about["description"] == was["description"], file


def test_a_shifted_constant_is_shown_shifted(tmp_path: Path) -> None:
    """One case by hand: a value of fisherman moves, and the mixture moves by its weight."""
    folder = copy_project(tmp_path)
    path = folder / EXAMPLE
    text = path.read_text("utf-8")
    assert text.count("VALUES = ((2.0, 0.0), ") == 1
    path.write_text(text.replace("VALUES = ((2.0, 0.0), ", "VALUES = ((3.0, 0.0), "), "utf-8")
    page = (build(folder) / "values/index.html").read_text("utf-8")
    weight = 0.66524095577482188953
    # By hand: 2 * weight of fisherman + 1 * weight of bank was the first coordinate.
    before = 2 * weight + 0.09003057317038046
    assert f">{display(before, 4)}<" == ">1.4205<"
    assert f">{display(before + weight, 4)}</data>" in page
    assert ">1.4205<" not in page
