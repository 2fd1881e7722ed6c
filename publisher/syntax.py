"""Where a result comes from: the line of its name, the call that makes it, its test, its source."""

from __future__ import annotations

import ast
import copy
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from publisher.errors import Mistake

# Expressions that say less than the function and the name do.
_MADE_HERE = (ast.List, ast.ListComp, ast.Tuple)
KINDS = ("numbers", "vectors", "texts", "tables", "figures", "widgets")


@dataclass(frozen=True)
class Origin:
    """A line of a file, and the expression that stands there."""

    file: str
    line: int
    call: str


@cache
def _tree(path: Path, _version: int) -> ast.Module:
    """Parse a file; the second argument, its time stamp, lets a changed file be parsed again."""
    return ast.parse(path.read_text(encoding="utf-8-sig"), str(path))


def _version(path: Path) -> int:
    return path.stat().st_mtime_ns


def parse(root: Path, file: str) -> ast.Module:
    """Parse a file of the project, once per version of it.

    Raises
    ------
    Mistake
        In that file, if it is not Python or not written as UTF-8.
    """
    try:
        return _tree(root / file, _version(root / file))
    except SyntaxError as error:
        raise Mistake(file, error.lineno or 1, f"{error.msg}; correct the syntax") from None
    except UnicodeDecodeError:
        raise Mistake(file, 1, "not written as UTF-8; save it so") from None


def results(root: Path, file: str) -> dict[tuple[str, str], Origin]:
    """Map (kind, name) to its origin, for every name that the module's result functions return.

    Raises
    ------
    Mistake
        If a result function does not end in `return {"name": expression, ...}`; only then can a
        reader be shown the line and the call.
    """
    return _results(root, file, _version(root / file))


@cache
def _results(root: Path, file: str, _version: int) -> dict[tuple[str, str], Origin]:
    found: dict[tuple[str, str], Origin] = {}
    for function in parse(root, file).body:
        if not isinstance(function, ast.FunctionDef) or function.name not in KINDS:
            continue
        last = function.body[-1]
        if not isinstance(last, ast.Return) or not isinstance(last.value, ast.Dict):
            what = f"{function.name}() must end in 'return {{\"name\": ...}}'"
            raise Mistake(file, function.lineno, what)
        if early := [node for node in _own(function) if node is not last]:
            what = f"{function.name}() returns twice; only the last line may return"
            raise Mistake(file, early[0].lineno, what)
        local, bound = _assignments(function.body), _bound(function)
        for key, value in zip(last.value.keys, last.value.values, strict=True):
            if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
                what = f"{function.name}() must name each result by a plain string"
                raise Mistake(file, value.lineno, what)
            if not key.value.isidentifier():
                what = f"'{key.value}' is not a name; write letters, digits and underscores"
                raise Mistake(file, key.lineno, what)
            if (function.name, key.value) in found:
                what = f"two {function.name} with one name, '{key.value}'; rename one"
                raise Mistake(file, key.lineno, what)
            call = f'{function.name}()["{key.value}"]'
            if function.name in ("numbers", "vectors") and not isinstance(value, _MADE_HERE):
                call = _call(value, local, bound) or call
                if function.name == "vectors" and " " in call:
                    call = f"({call})"  # an index is to follow
            found[function.name, key.value] = Origin(file, key.lineno, call)
    return found


def _own(function: ast.FunctionDef) -> list[ast.Return]:
    """Return a function's own return statements, not those of functions inside it."""
    inner = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
    todo: list[ast.AST] = list(function.body)
    found = []
    while todo:
        node = todo.pop(0)
        if isinstance(node, ast.Return):
            found.append(node)
        if not isinstance(node, inner):
            todo += ast.iter_child_nodes(node)
    return found


def _assignments(body: list[ast.stmt]) -> dict[str, ast.expr]:
    """Map each local name to the expression that made it; a name made twice is left as it is."""
    made: dict[str, list[ast.expr]] = {}
    for statement in body:
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            continue
        target = statement.targets[0]
        if isinstance(target, ast.Name):
            made.setdefault(target.id, []).append(statement.value)
        elif isinstance(target, ast.Tuple):
            for index, name in enumerate(target.elts):
                if isinstance(name, ast.Name):
                    part = ast.Subscript(statement.value, ast.Constant(index), ast.Load())
                    made.setdefault(name.id, []).append(part)
    return {name: values[0] for name, values in made.items() if len(values) == 1}


class _Inline(ast.NodeTransformer):
    def __init__(self, local: dict[str, ast.expr]) -> None:
        self.local = local

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.local:
            return node
        earlier = {k: v for k, v in self.local.items() if k != node.id}
        return _Inline(earlier).visit(copy.deepcopy(self.local[node.id]))  # type: ignore[no-any-return]


def _bound(function: ast.FunctionDef) -> set[str]:
    """Return every name that a function binds, comprehensions and lambdas included."""
    stored = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and _stores(n)}
    return stored | {n.arg for n in ast.walk(function) if isinstance(n, ast.arg)}


def _stores(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _call(value: ast.expr, local: dict[str, ast.expr], bound: set[str]) -> str:
    """Write `value` with its local names replaced; nothing if it could not be run by itself."""
    if (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Name)
        and value.func.id in ("Number", "short", "surd")
        and value.args
    ):
        value = value.args[0]
    inlined = _Inline(local).visit(copy.deepcopy(value))
    left = {node.id for node in ast.walk(inlined) if isinstance(node, ast.Name)} & bound
    text = ast.unparse(ast.fix_missing_locations(inlined))
    if left or len(text) > 160:
        return ""
    return text


def cut(root: Path, file: str, name: str, brief: bool = False) -> tuple[str, int, int] | None:
    """Return the source of a function, class or constant, with its first and last line.

    `brief` leaves out all of the docstring but its first line.
    """
    for node in parse(root, file).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names = [node.name]
        elif isinstance(node, ast.Assign):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names = [node.target.id]
        else:
            continue
        if name in names and node.end_lineno:
            decorators = getattr(node, "decorator_list", [])
            first = min([node.lineno, *(d.lineno for d in decorators)])
            lines = (root / file).read_text(encoding="utf-8-sig").splitlines()
            piece = lines[first - 1 : node.end_lineno]
            if brief and isinstance(node, ast.FunctionDef) and ast.get_docstring(node):
                start, end = node.body[0].lineno - first, (node.body[0].end_lineno or 0) - first
                summary = piece[start].rstrip()
                piece[start : end + 1] = [summary if start == end else f'{summary}"""']
            return "\n".join(piece), first, node.end_lineno
    return None


def imports(root: Path, file: str) -> frozenset[str]:
    """Return the snippet modules that a file imports, by dotted name."""
    return frozenset(imported(root, file))


def imported(root: Path, file: str) -> dict[str, int]:
    """Map each snippet module that a file imports to the line of its import.

    Raises
    ------
    Mistake
        At a relative import, which a rebuild could not follow.
    """
    return _imported(root, file, _version(root / file))


@cache
def _imported(root: Path, file: str, _version: int) -> dict[str, int]:
    found: dict[str, int] = {}
    for node in ast.walk(parse(root, file)):
        if isinstance(node, ast.Import):
            found |= {alias.name: node.lineno for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level:
            what = "a relative import, which rebuilding does not follow; write snippets.<module>"
            raise Mistake(file, node.lineno, what)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found[node.module] = node.lineno
            found |= {f"{node.module}.{alias.name}": alias.lineno for alias in node.names}
    return {name: line for name, line in found.items() if name.startswith("snippets.")}


def defined(root: Path, file: str) -> list[str]:
    """Return the names of a file's functions, classes and constants."""
    found: list[str] = []
    for node in parse(root, file).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.append(node.name)
        elif isinstance(node, ast.Assign):
            found += [target.id for target in node.targets if isinstance(target, ast.Name)]
    return found
