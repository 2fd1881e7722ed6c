"""Which results a test file asks for and compares: read from its source, without running it.

A result counts as tested if a test function asserts something of it, in one of these forms::

    assert chapter.numbers()["name"] == ...              # or of a variable that was made from it
    assert plain(chapter.numbers()) == exact({"name": ...})
    expected = {"name": ...}
    for name, value in expected.items():
        assert chapter.numbers()[name] == value

A name that only stands in a string, a list or a comment does not count.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from publisher import syntax
from publisher.syntax import KINDS

Lines = dict[tuple[str, str], int]  # (kind, name) -> line


@dataclass
class _Held:
    """What an expression holds: results by name, all of a kind, and the keys of dictionaries."""

    results: Lines = field(default_factory=dict)
    kinds: set[str] = field(default_factory=set)
    keys: dict[str, int] = field(default_factory=dict)  # name -> line

    def add(self, other: _Held) -> None:
        self.results = {**other.results, **self.results}
        self.keys = {**other.keys, **self.keys}
        self.kinds |= other.kinds


def test_line(root: Path, file: str, name: str, kind: str) -> int | None:
    """Return the line on which a test asks for a result that it compares; None if none does."""
    return _lines(root, file, (root / file).stat().st_mtime_ns).get((kind, name))


@cache
def _lines(root: Path, file: str, _version: int) -> Lines:
    """Map each result that the file's tests compare to the first line that asks for it."""
    body = syntax.parse(root, file).body
    module = _Reader({})
    for statement in body:  # constants, and fixtures under their own names
        if isinstance(statement, ast.FunctionDef) and statement.decorator_list:
            fixture = _Reader(module.names)
            fixture.block(statement.body)
            module.names[statement.name] = fixture.returned
        elif not isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            module.statement(statement)
    found: Lines = {}
    for statement in body:
        if isinstance(statement, ast.FunctionDef) and statement.name.startswith("test"):
            test = _Reader(module.names)
            test.block(statement.body)
            for result, line in test.compared.items():
                found[result] = min(line, found.get(result, line))
    return found


class _Reader:
    """Follows a function's statements in order, and knows what each local name holds."""

    def __init__(self, names: dict[str, _Held]) -> None:
        self.names = dict(names)
        self.around = _Held()  # what the loops around a statement go through
        self.compared: Lines = {}
        self.returned = _Held()

    def block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Assert) and _compares(node.test):
            self.compare(self.held(node.test))
        elif isinstance(node, ast.Expr) and _asserts(node.value):
            self.compare(self.held(node.value))
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                self.bind(target, self.held(node.value))
        elif isinstance(node, ast.AnnAssign) and node.value:
            self.bind(node.target, self.held(node.value))
        elif isinstance(node, ast.Return) and node.value:
            self.returned.add(self.held(node.value))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield) and node.value.value:
            self.returned.add(self.held(node.value.value))
        elif isinstance(node, ast.For):
            self.loop(node)
        else:
            for block in ("body", "orelse", "handlers", "finalbody"):
                self.block([n for n in getattr(node, block, []) if isinstance(n, ast.stmt)])

    def loop(self, node: ast.For) -> None:
        outside, held = self.around, self.held(node.iter)
        self.bind(node.target, _Held(held.results, held.kinds))
        self.around = _Held()
        self.around.add(outside)
        self.around.add(_Held(keys=held.keys))
        self.block(node.body)
        self.around = outside
        self.block(node.orelse)

    def compare(self, held: _Held) -> None:
        """Note what an assertion compares."""
        held.add(self.around)
        named = {(kind, name): line for kind in held.kinds for name, line in held.keys.items()}
        for result, line in {**named, **held.results}.items():
            self.compared.setdefault(result, line)

    def bind(self, target: ast.expr, held: _Held) -> None:
        for name in ast.walk(target):
            if isinstance(name, ast.Name):
                self.names[name.id] = held

    def held(self, expression: ast.expr) -> _Held:
        """Return what an expression holds, itself or by the names in it."""
        found = _Held()
        for node in ast.walk(expression):
            found.add(self.own(node))
        return found

    def own(self, node: ast.AST) -> _Held:
        """Return what one node adds to what is inside it."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id, _Held())
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            return _Held(kinds={name} & set(KINDS))
        if isinstance(node, ast.Dict):
            keys = {_text(key): key.lineno for key in node.keys if key and _text(key)}
            return _Held(keys=keys)
        if isinstance(node, ast.Subscript) and (text := _text(node.slice)):
            kinds = self.held(node.value).kinds
            return _Held(results={(kind, text): node.slice.lineno for kind in kinds})
        return _Held()


def _text(node: ast.expr | None) -> str:
    """Return a plain string's text."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _compares(test: ast.expr) -> bool:
    """Tell whether an assertion compares: by an operator, or by a function of two things."""
    return any(
        isinstance(node, ast.Compare) or (isinstance(node, ast.Call) and len(_given(node)) > 1)
        for node in ast.walk(test)
    )


def _given(call: ast.Call) -> list[ast.expr]:
    """Return a call's arguments, and the object whose method is called, unless it is a module."""
    method = isinstance(call.func, ast.Attribute) and not isinstance(call.func.value, ast.Name)
    return [*call.args, *([call.func] if method else [])]


def _asserts(expression: ast.expr) -> bool:
    """Tell whether a statement calls an assertion, such as np.testing.assert_allclose."""
    return isinstance(expression, ast.Call) and getattr(expression.func, "attr", "").startswith(
        "assert_"
    )
