"""Ask every chapter for its results: validated, each with its line, its call and its test.

The first room on a number's way to its page. Nothing here knows of Markdown or HTML.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from publisher import formats, syntax, tested
from publisher.errors import Mistake, told
from publisher.project import Project
from publisher.results import Number, Table, cells, number
from publisher.validate import validated


@dataclass(frozen=True)
class Entry:
    """One number: its id, its value, where it is made, and where it is tested."""

    id: str
    number: Number
    module: str
    file: str
    line: int
    call: str
    test: str
    test_line: int

    @property
    def displayed(self) -> str:
        """The number as its chapter shows it."""
        return formats.display(self.number.value, self.number.digits, self.number.form)

    @property
    def value(self) -> str:
        """Every digit of the value."""
        return repr(self.number.value)


@dataclass(frozen=True)
class Chapter:
    """One module's results, by kind and name, and where each comes from."""

    name: str
    file: str
    made: Mapping[str, Mapping[str, Any]]  # kind -> name -> result
    origins: Mapping[tuple[str, str], syntax.Origin]
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Results:
    """Everything that pages may draw on."""

    chapters: Mapping[str, Chapter]
    entries: Mapping[str, Entry]  # by id, all chapters'
    outputs: Mapping[str, str]  # what demos print, by dotted name
    tokens: tuple[str, ...]  # the words that keep one colour each
    token_colours: tuple[str, ...]


# What the last build made, by whatever names it; a build under `serve` makes only the rest anew.
Memo = MutableMapping[Any, Any]


def remembered(memo: Memo, key: Any, mark: Any, make: Callable[[], Any]) -> Any:
    """Return what was made under this key while the mark is the same, or make it anew."""
    if key not in memo or memo[key][0] != mark:
        memo[key] = mark, make()
    return memo[key][1]


def collect(project: Project, demos: Iterable[str], memo: Memo) -> Results:
    """Import every chapter and ask it for its results.

    Parameters
    ----------
    project : the project's folder and settings
    demos : dotted names of the functions whose printed text pages ask for
    memo : results of the last call; a chapter is asked again only if its sources changed

    Raises
    ------
    Mistake
        At the first author's mistake in a snippet or its test.
    """
    chapters = {}
    for name in project.chapters:
        test = project.root / project.test(name)
        mark = project.fingerprint(name), test.read_bytes() if test.is_file() else None
        chapters[name] = remembered(memo, name, mark, lambda: _chapter(project, name))  # noqa: B023
    return Results(
        chapters,
        {entry.id: entry for chapter in chapters.values() for entry in chapter.entries},
        {name: text for name in demos if (text := _printed(project, name, memo)) is not None},
        _constant(project, project.settings.tokens),
        _constant(project, project.settings.token_colours),
    )


def _chapter(project: Project, name: str) -> Chapter:
    """Import one chapter and collect its results, each validated."""
    file = project.file(name)
    origins = syntax.results(project.root, file)
    module = run(project, file, "import", lambda: importlib.import_module(f"snippets.{name}"))
    made: dict[str, Mapping[str, Any]] = {kind: {} for kind in syntax.KINDS}
    for kind in syntax.KINDS:
        if function := getattr(module, kind, None):
            given = run(project, file, f"{kind}()", function)
            made[kind] = _named(kind, given, file, origins)
    for key in made["tables"].keys() & made["figures"].keys():  # whose cells would share their ids
        where = origins["figures", key]
        raise Mistake(file, where.line, f"a table and a figure with one name, '{key}'; rename one")
    return Chapter(name, file, made, origins, tuple(_entries(project, name, made, origins)))


def _named(
    kind: str, given: Any, file: str, origins: Mapping[tuple[str, str], syntax.Origin]
) -> dict[str, Any]:
    """Return a result function's results; each must be named in its last line, and the reverse."""
    if not isinstance(given, Mapping):
        raise Mistake(file, 1, f"{kind}() returns no mapping; end it in 'return {{...}}'")
    found = {}
    for key, value in given.items():
        where = origins.get((kind, key))
        if where is None:
            what = f"{kind}() returns '{key}' but does not name it"
            raise Mistake(file, 1, f"{what}; end it in 'return {{\"{key}\": ...}}'")
        found[key] = validated(kind, key, value, where)
    for (of_kind, key), where in origins.items():
        if of_kind == kind and key not in given:
            what = f"{kind}() names '{key}' without returning it; return it"
            raise Mistake(file, where.line, what)
    return found


def run(project: Project, file: str, what: str, function: Callable[[], Any]) -> Any:
    """Call a snippet; whatever it raises or warns of is a mistake at its own line."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return function()
    except (Mistake, KeyboardInterrupt):
        raise
    except BaseException as error:  # a snippet may also call sys.exit()
        line, place = 1, file
        for frame in traceback.extract_tb(error.__traceback__):
            inside = Path(frame.filename).resolve()
            if inside.is_relative_to(project.root / "snippets"):
                line, place = frame.lineno or 1, inside.relative_to(project.root).as_posix()
        raise Mistake(place, line, f"{what} raised {told(error)}; correct the snippet") from None


def _printed(project: Project, name: str, memo: Memo) -> str | None:
    """Return what a demo prints; None if it cannot be called."""
    module, _, function_name = name.rpartition(".")
    file = project.file(module)
    if not module or not (project.root / file).is_file():
        return None

    def demo() -> str | None:
        where = f"snippets.{module}"
        imported = run(project, file, "import", lambda: importlib.import_module(where))
        function = getattr(imported, function_name, None)
        if not callable(function):
            return None
        with contextlib.redirect_stdout(io.StringIO()) as stream:
            run(project, file, f"{function_name}()", function)
        return stream.getvalue()

    printed: str | None = remembered(memo, f"{name}()", project.fingerprint(module), demo)
    return printed


def _constant(project: Project, name: str) -> tuple[str, ...]:
    """Return the constant that the settings name, such as running_example.TOKENS."""
    module, _, constant = name.rpartition(".")
    if not module:
        return ()

    def value() -> tuple[str, ...]:
        return tuple(getattr(importlib.import_module(f"snippets.{module}"), constant))

    made: tuple[str, ...] = run(project, project.file(module), "import", value)
    return made


def _entries(
    project: Project,
    chapter: str,
    made: Mapping[str, Mapping[str, Any]],
    origins: Mapping[tuple[str, str], syntax.Origin],
) -> Iterator[Entry]:
    """Yield one entry per number: the scalars, the vectors' components, the tables' cells."""
    for kind, results in made.items():
        for name, result in results.items():
            where = origins[kind, name]
            test, line = _test(project, chapter, kind, name, where)
            for identifier, value in _numbers(f"{chapter}.{name}", result):
                part = identifier[identifier.index("[") :] if kind == "vectors" else ""
                call = where.call + part
                yield Entry(
                    identifier, value, chapter, where.file, where.line, call, test, line
                )  # fmt: skip


def _test(
    project: Project, chapter: str, kind: str, name: str, where: syntax.Origin
) -> tuple[str, int]:
    """Return the test file and the line of it that asks for a result and compares it."""
    test = project.test(chapter)
    there = (project.root / test).is_file()
    line = tested.test_line(project.root, test, name, kind) if there else None
    if line is None:
        what = f"no test asks for {kind[:-1]} '{name}'; compare it with a second computation"
        raise Mistake(where.file, where.line, f"{what} in {test}")
    return test, line


def _numbers(identifier: str, result: object) -> Iterator[tuple[str, Number]]:
    """Yield the id and the value of every number in a result; a text or a widget has none."""
    if isinstance(result, Number):
        yield identifier, result
    elif isinstance(result, list):
        yield from ((f"{identifier}[{index}]", item) for index, item in enumerate(result))
    elif table := result if isinstance(result, Table) else getattr(result, "data", None):
        for row, line in enumerate(table.rows):
            for column, cell in enumerate(line):
                if not isinstance(cell, str):
                    yield from _cell(cell_id(identifier, row, column), cell)


def _cell(identifier: str, cell: object) -> Iterator[tuple[str, Number]]:
    items = cells(cell)
    for index, item in enumerate(items):
        single = isinstance(cell, Number) or len(items) == 1
        yield identifier if single else f"{identifier}[{index}]", number(item)


def cell_id(table: str, row: int, column: int) -> str:
    """Return the id of a table's cell, counted from 1 as a reader counts."""
    return f"{table}[row {row + 1}, column {column + 1}]"
