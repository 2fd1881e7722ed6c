"""The ledger's rows: every number of every topic, under one id."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from publisher import formats, syntax
from publisher.collect import Topic
from publisher.errors import Mistake
from publisher.project import test_of
from publisher.results import Number, Table, cells, number


@dataclass
class Entry:
    """One number: what a reader sees, its full value, where it is made and tested, where it is."""

    id: str
    number: Number
    module: str
    file: str
    line: int
    call: str
    test: str
    test_line: int
    pages: set[str] = field(default_factory=set)

    @property
    def displayed(self) -> str:
        """Return the number as its chapter shows it."""
        return formats.display(self.number.value, self.number.digits, self.number.form)

    @property
    def value(self) -> str:
        """Return every digit of the value."""
        return repr(self.number.value)


def of_topic(topic: Topic, root: Path) -> Iterator[Entry]:
    """Yield an entry a number: the scalars, the vectors' components, the tables' cells."""
    for kind in syntax.KINDS:
        for name, made in getattr(topic, kind).items():
            where = topic.origins[kind, name]
            line = _test_line(topic, root, name, where, kind)
            if kind in ("texts", "widgets"):
                continue
            for identifier, value in _numbers(f"{topic.name}.{name}", made):
                part = identifier[identifier.index("[") :] if kind == "vectors" else ""
                yield Entry(
                    identifier, value, topic.name, where.file, where.line,
                    where.call + part, test_of(topic.name), line,
                )  # fmt: skip


def _test_line(topic: Topic, root: Path, name: str, where: syntax.Origin, kind: str) -> int:
    test = root / test_of(topic.name)
    line = syntax.test_line(test, name, kind) if test.is_file() else None
    if line is None:
        what = f"no test names {kind[:-1]} '{name}'; assert it in {test_of(topic.name)}"
        raise Mistake(where.file, where.line, what)
    return line


def _numbers(identifier: str, made: object) -> Iterator[tuple[str, Number]]:
    if isinstance(made, Number):
        yield identifier, made
    elif isinstance(made, list):
        yield from ((f"{identifier}[{index}]", item) for index, item in enumerate(made))
    else:
        table = made if isinstance(made, Table) else made.data  # type: ignore[attr-defined]
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
