"""Note every number that becomes digits: value, text, and the place at which it was rounded.

Digits are made in two ways: by `publisher.formats.display`, and, in what a snippet prints, by
f-strings and `round`. The first is wrapped; of the second, an import hook sees to it that each
value passes `_formatted` or `_rounded` on its way. Neither changes what comes out.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import json
import math
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np

_SPEC = re.compile(r".*?(?:\.(\d+))?([efg%])")


@dataclass
class Notes:
    """What was noted: value, decimals it was rounded to (None if it was not), text, and where."""

    all: set[tuple[float, int | None, str, str]] = field(default_factory=set)

    def add(self, value: Any, places: int | None, text: str) -> None:
        if isinstance(value, (float, np.floating)) and math.isfinite(value):
            self.all.add((float(value), places, text, _where()))

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(sorted(self.all, key=lambda note: note[::-1][:2])), "utf-8")


def _where() -> str:
    """Return the file and line outside the publisher's formats that asked for digits."""
    frame = sys._getframe(2)
    while frame.f_back and Path(frame.f_code.co_filename).name in (
        "digits.py",
        "formats.py",
        "results.py",
    ):
        frame = frame.f_back
    return f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"


def places_of(value: float, spec: str) -> int | None:
    """Return the decimals at which a format specification rounds a value; None if it does not.

    Fifteen significant digits are as many as a float surely has.
    """
    found = _SPEC.fullmatch(spec)
    count = int((found and found[1]) or 6)
    if not found or not value or (found[2] in "eg" and count >= 15):
        return None
    if found[2] in "eg":  # significant digits
        return max(count, 1) - (found[2] == "g") - math.floor(math.log10(abs(value)))
    return count + 2 * (found[2] == "%")


class _Passing(ast.NodeTransformer):
    """Let each value pass a function that notes it before it is formatted or rounded."""

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        self.generic_visit(node)
        if node.conversion == -1:
            node.value = _call("_formatted", node.value, node.format_spec or ast.Constant(""))
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        of_name = isinstance(node.func, ast.Name) and node.func.id == "round"
        of_module = isinstance(node.func, ast.Attribute) and node.func.attr in ("round", "around")
        if of_name or (of_module and len(node.args) == 2):
            node.args[0] = _call("_rounded", *node.args)
        elif of_module and isinstance(node.func, ast.Attribute):
            node.func.value = _call("_rounded", node.func.value, *node.args)
        return node


def _call(name: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


class _Loader(SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType:
        tree = _Passing().visit(ast.parse(self.get_data(self.path)))
        return compile(ast.fix_missing_locations(tree), self.path, "exec")


class _Finder(MetaPathFinder):
    def find_spec(
        self, name: str, path: Sequence[str] | None, target: object = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path) if name.startswith("snippets.") else None
        if spec and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


@contextlib.contextmanager
def noted() -> Iterator[Notes]:
    """Note for a while; nothing may have imported the publisher or the snippets before."""
    assert not any(name.startswith(("publisher.", "snippets.")) for name in sys.modules)
    from publisher import formats

    notes, display = Notes(), formats.display

    def displayed(value: float, digits: int = 4, form: str = "", tex: bool = False) -> str:
        text = display(value, digits, form, tex)
        root = form == "surd" and ("√" in text or "sqrt" in text or float(value).is_integer())
        rounded = form in ("", "short", "percent") or (form == "surd" and not root)
        notes.add(value, digits if rounded else None, text)
        return text

    def formatted(value: Any, spec: str) -> Any:
        if isinstance(value, (float, np.floating)):
            notes.add(value, places_of(value, spec), format(value, spec).strip())
        return value

    def rounded(value: Any, digits: int | None = None) -> Any:
        for item in np.ravel(value):
            notes.add(item, digits or 0, repr(float(round(item, digits or 0))))
        return value

    finder = _Finder()
    formats.display = displayed
    builtins._formatted, builtins._rounded = formatted, rounded  # type: ignore[attr-defined]
    sys.meta_path.insert(0, finder)
    try:
        yield notes
    finally:
        sys.meta_path.remove(finder)
        formats.display = display
