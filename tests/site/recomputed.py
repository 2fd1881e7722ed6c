"""Recompute every result from the chapters themselves, without the publisher's collecting.

    python -m tests.site.recomputed FILE

FILE becomes JSON: of the inputs as they are (the name ""), of each input moved, and of all of them
moved ("all"), every number and text by its place. Each is computed in a child process that has
imported no snippet yet, in the working directory, a copy of the project.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import matplotlib.figure  # noqa: F401 (once, and not in each child)
import numpy as np

from publisher.results import Number
from tests.site import inputs

KINDS = ("numbers", "vectors", "texts", "tables", "figures", "widgets")
Leaves = dict[str, float | str]


def leaves(place: str, made: Any) -> Iterator[tuple[str, float | str]]:
    """Yield every number and string of a result, with its place."""
    if isinstance(made, Number):
        yield place, float(made.value)
    elif isinstance(made, str):
        yield place, made
    elif is_dataclass(made):
        for field in fields(made):
            yield from leaves(f"{place}.{field.name}", getattr(made, field.name))
    elif isinstance(made, Mapping):
        for key, value in made.items():
            yield from leaves(f"{place}.{key}", value)
    elif isinstance(made, (list, tuple, np.ndarray)):
        for index, item in enumerate(made):
            yield from leaves(f"{place}[{index}]", item)
    elif isinstance(made, (int, float, np.number)):
        yield place, float(made)


def modules(folder: Path) -> list[str]:
    """Return the snippets that may hold results."""
    found = []
    for path in sorted((folder / "snippets").rglob("*.py")):
        parts = path.relative_to(folder / "snippets").with_suffix("").parts
        if "def " in path.read_text("utf-8") and parts[0] != "drawings":
            found.append(".".join(parts).removesuffix(".__init__"))
    return found


def demos(folder: Path) -> list[str]:
    """Return the dotted names of the functions whose printed text the pages show."""
    pages = "".join(page.read_text("utf-8") for page in sorted((folder / "docs").rglob("*.md")))
    return sorted(set(re.findall(r"\{\{ output ([\w.]+) \}\}", pages)))


def of_module(name: str, shown: list[str]) -> Leaves:
    """Compute a module's results and what those of its demos print that pages show."""
    module = importlib.import_module(f"snippets.{name}")
    found: Leaves = {}
    for kind in KINDS:
        for key, made in getattr(module, kind, dict)().items():
            found.update(leaves(f"{kind}: {name}.{key}", made))
    for demo in shown:
        if demo.rpartition(".")[0] == name:
            with contextlib.redirect_stdout(io.StringIO()) as stream:
                getattr(module, demo.rpartition(".")[2])()
            found[f"output: {demo}"] = stream.getvalue()
    return found


def in_child(compute: Callable[[], Any]) -> Any:
    """Return what a function returns in a child process."""
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        code = 1
        try:
            os.close(reading)
            with os.fdopen(writing, "w") as stream:
                json.dump(compute(), stream)
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading) as stream:
        text = stream.read()
    _, status = os.waitpid(child, 0)
    assert status == 0, "a child process failed; its traceback stands above"
    return json.loads(text)


def several(names: list[str], shown: list[str]) -> Leaves:
    found: Leaves = {}
    for name in names:
        found.update(of_module(name, shown))
    return found


def main(target: Path) -> None:
    folder = Path.cwd()
    inputs.shorten(folder)
    text = (folder / inputs.EXAMPLE).read_text("utf-8")
    constants = inputs.constants(folder)
    names, shown, found = modules(folder), demos(folder), {}
    for name, moved in {"": [], **{c: [c] for c in constants}, "all": constants}.items():
        for constant in moved:
            inputs.move(folder, constant)
        found[name] = in_child(lambda: several(names, shown))
        (folder / inputs.EXAMPLE).write_text(text, "utf-8")
    target.write_text(json.dumps(found), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
