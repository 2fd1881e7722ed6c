"""What a chapter's results must be: finite numbers, whole tables, figures with words."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from publisher.errors import Mistake
from publisher.results import LABELS, Figure, Number, Table, Widget, cells, number
from publisher.syntax import Origin


def validated(kind: str, key: str, value: Any, where: Origin) -> Any:
    """Return one result as the site uses it: numbers wrapped, vectors as lists of numbers.

    Parameters
    ----------
    kind : one of `syntax.KINDS`
    key : the result's name
    value : what the chapter returned under it
    where : the line that names it

    Raises
    ------
    Mistake
        At that line, if the value is not what its kind asks for.
    """

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
        raise mistake(f"is {inner}, not a finite number; correct the computation")
    return number(value)
