"""Load every topic module and ask it for its results; a fault becomes a one-line mistake."""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from publisher import syntax
from publisher.errors import Mistake, told
from publisher.project import file_of
from publisher.results import LABELS, Figure, Number, Table, Widget, cells, number


@dataclass
class Topic:
    """One module's results, by kind and name, and where each comes from."""

    name: str
    file: str
    numbers: dict[str, Number] = field(default_factory=dict)
    vectors: dict[str, list[Number]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    figures: dict[str, Figure] = field(default_factory=dict)
    widgets: dict[str, Widget] = field(default_factory=dict)
    origins: dict[tuple[str, str], syntax.Origin] = field(default_factory=dict)


def load(root: Path, name: str) -> Topic:
    """Import one topic and collect its results, each checked."""
    file = file_of(name)
    origins = syntax.results(root / file, file)
    module = run(root, file, "import", lambda: importlib.import_module(f"snippets.{name}"))
    topic = Topic(name, file, origins=origins)
    for kind in syntax.KINDS:
        if function := getattr(module, kind, None):
            made = run(root, file, f"{kind}()", function)
            if not isinstance(made, Mapping):
                raise Mistake(file, 1, f"{kind}() returns no mapping; end it in 'return {{...}}'")
            for key, value in made.items():
                where = origins.get((kind, key))
                if where is None:
                    what = f"{kind}() returns '{key}' but does not name it"
                    raise Mistake(file, 1, f"{what}; end it in 'return {{\"{key}\": ...}}'")
                getattr(topic, kind)[key] = _checked(kind, key, value, where)
            for (what, key), where in origins.items():
                if what == kind and key not in made:
                    what = f"{kind}() names '{key}' without returning it; return it"
                    raise Mistake(file, where.line, what)
    for name in topic.tables.keys() & topic.figures.keys():  # whose cells would share their ids
        where = origins["figures", name]
        raise Mistake(file, where.line, f"a table and a figure with one name, '{name}'; rename one")
    return topic


def run(root: Path, file: str, what: str, function: Callable[[], Any]) -> Any:
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
            if inside.is_relative_to(root / "snippets") and True:
                line, place = frame.lineno or 1, inside.relative_to(root).as_posix()
        raise Mistake(place, line, f"{what} raised {told(error)}; mend the snippet") from None


def output(root: Path, name: str, function: Callable[[], Any]) -> str:
    """Return what a demo prints."""
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream):
        run(root, file_of(name), f"{function.__name__}()", function)
    return stream.getvalue()


def _checked(kind: str, key: str, value: Any, where: syntax.Origin) -> Any:
    def mistake(what: str) -> Mistake:
        return Mistake(where.file, where.line, f"{kind[:-1]} '{key}' {what}")

    if kind == "numbers":
        return _number(value, mistake)
    if kind == "vectors":
        if np.ndim(value) != 1 or not len(value):
            raise mistake("is not a vector; return one row of numbers")
        return [_number(item, mistake) for item in value]
    if kind == "texts" and not isinstance(value, str):
        raise mistake(f"is not a string but {type(value).__name__}")
    if kind == "tables":
        _check_table(value, mistake)
    if kind == "figures":
        if not isinstance(value, Figure) or not value.description.strip():
            raise mistake("has no description; say in words what the drawing shows")
        if value.label not in LABELS:
            raise mistake(f"has the label '{value.label}'; use one of: {', '.join(LABELS)}")
        _check_table(value.data, mistake)
    if kind == "widgets":
        if not isinstance(value, Widget) or value.label not in LABELS:
            raise mistake(f"is not a Widget with a label of: {', '.join(LABELS)}")
        try:
            json.dumps([value.start, value.results], allow_nan=False)
        except (TypeError, ValueError) as error:
            raise mistake(f"cannot be written as JSON ({error}); use finite numbers") from None
    return value


def _check_table(table: Any, mistake: Callable[[str], Mistake]) -> None:
    if not isinstance(table, Table) or not isinstance(table.rows, Sequence) or not table.rows:
        raise mistake("is not a Table with a list of rows; return one")
    for index, row in enumerate(table.rows, start=1):
        if len(row) != len(table.columns):
            raise mistake(
                f"is ragged: row {index} has {len(row)} cells under {len(table.columns)} columns"
            )
        for cell in row:
            for item in [] if isinstance(cell, str) else cells(cell):
                _number(item, mistake)


def _number(value: Any, mistake: Callable[[str], Mistake]) -> Number:
    inner = value.value if isinstance(value, Number) else value
    if isinstance(inner, (bool, np.bool_, str)) or np.ndim(inner) != 0:
        shape = np.shape(inner) if not isinstance(inner, str) else "text"
        raise mistake(f"is not a scalar but {type(inner).__name__} {shape}; pick one entry")
    try:
        finite = np.isfinite(float(inner)) and not np.iscomplexobj(inner)
    except (TypeError, ValueError, OverflowError):
        finite = None
    if finite is None or np.iscomplexobj(inner):
        raise mistake(f"is not a number but {type(inner).__name__}; return a real one") from None
    if not finite:
        raise mistake(f"is {inner}, not a finite number; mend the computation")
    return number(value)
