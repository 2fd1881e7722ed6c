"""The running example's numeric inputs, and how a test moves them."""

from __future__ import annotations

import ast
from pathlib import Path

EXAMPLE = "snippets/running_example.py"
SIMULATION = "snippets/notes/scaling.py"
FEWER = "\nTRIALS = dict.fromkeys(TRIALS, 20)\nSLOPE_TRIALS = 10\n"


def shorten(folder: Path) -> None:
    """Let the copy's one long simulation make fewer trials: it takes longer than all the rest."""
    path = folder / SIMULATION
    text = path.read_text("utf-8")
    assert "\nTRIALS = {" in text and "\nSLOPE_TRIALS = " in text
    path.write_text(text + FEWER, "utf-8")


def constants(folder: Path) -> list[str]:
    """Return the names of the example's numeric constants."""
    tree = ast.parse((folder / EXAMPLE).read_text("utf-8"))
    return [
        node.targets[0].id
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and any(isinstance(n, ast.Constant) and isinstance(n.value, float) for n in ast.walk(node))
    ]


def move(folder: Path, name: str) -> None:
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
