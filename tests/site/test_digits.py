"""No printed digit can flip: a number never lies so near a rounding boundary that a computer's
last bit decides. And every decimal that a reader sees was noted when it was made.
"""

from __future__ import annotations

import ast
import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from publisher.formats import MINUS, near_boundary
from tests import tiny
from tests.site import digits
from tests.site.digits import places_of

DECIMAL = re.compile(r"(?<![\w.])\d+\.\d+(?!\.?\d)")
# A section, a version or a licence is named by its number.
NAMED = re.compile(
    r"(?:sections?|[Pp]ython|[Vv]ersion|appendix|CC BY) \d+(?:\.\d+)*"
    r"(?:(?:, | or | and | to )\d+(?:\.\d+)+)*|https?://\S+"
)
Note = tuple[float, int | None, str, str]


@pytest.fixture(scope="module")
def notes(builds: Path) -> list[Note]:
    """Return every number that became digits while the site was built."""
    made = json.loads((builds / "digits.json").read_text("utf-8"))
    return [tuple(note) for note in made]


def test_no_digit_is_near_a_boundary(notes: list[Note]) -> None:
    rounded = [(value, places, where) for value, places, _, where in notes if places is not None]
    assert len(rounded) > 500
    assert [note for note in rounded if near_boundary(note[0], note[1])] == []
    # Pages, drawings and alternative texts, and demos; and not only at four places.
    assert len({where.split(":")[0] for *_, where in rounded}) > 20
    assert len({places for _, places, _ in rounded}) > 3


def articles(site: Path) -> Iterator[tuple[str, str]]:
    """Yield the reader's pages: their text, drawings and spoken words, without code and notes."""
    for page in sorted(site.rglob("index.html")):
        address = page.relative_to(site).as_posix().removesuffix("index.html")
        if address.startswith("source/") or address in ("numbers/", "references/"):
            continue
        text = page.read_text("utf-8")
        text = text[text.index("<article") : text.index("</article>")]
        for tag in ("script", "style", "template", "aside"):
            text = re.sub(rf"<{tag}\b.*?</{tag}>", " ", text, flags=re.DOTALL)
        text = re.sub(r'<span class="[msc]\w?">[^<]*</span>', " ", text)  # literals in code
        spoken = re.findall(r'(?:aria-label|alt|title)="([^"]*)"', text)
        yield address, html.unescape(" ".join([re.sub(r"<[^>]*>", "\0", text), *spoken]))


def test_every_decimal_was_noted(notes: list[Note], site: Path) -> None:
    noted = {text for *_, text, _ in notes for text in DECIMAL.findall(text)}
    found = {
        (address, text)
        for address, words in articles(site)
        for text in DECIMAL.findall(NAMED.sub("", words))
    }
    assert len(found) > 800
    assert sorted((address, text) for address, text in found if text not in noted) == []


def explorables(site: Path) -> Iterator[tuple[str, Any]]:
    """Yield what each explorable starts from and shows, by its page."""
    for page in sorted(site.rglob("index.html")):
        address = page.relative_to(site).as_posix()
        for data in re.findall(
            r'class="explorable".*?<template data-search-exclude>(.*?)</template>',
            page.read_text("utf-8"), flags=re.DOTALL,
        ):  # fmt: skip
            yield address, json.loads(html.unescape(data))


def as_the_browser_shows(data: Any, places: int = 4) -> Iterator[tuple[float, int]]:
    """Yield an explorable's numbers and their decimals: four, or those that stand beside."""
    match data:
        case {"digits": int(own), **rest}:
            yield from as_the_browser_shows(rest, own)
        case dict():
            for value in data.values():
                yield from as_the_browser_shows(value, places)
        case [float(value), int(own), float(error), int(also)]:
            yield from ((value, own), (error, also))
        case list():
            for value in data:
                yield from as_the_browser_shows(value, places)
        case float():
            yield data, places


def test_no_digit_of_an_explorable_is_near_a_boundary(site: Path) -> None:
    shown = {
        (address, *number)
        for address, data in explorables(site)
        for number in as_the_browser_shows(data)
    }
    assert len({address for address, *_ in shown}) > 5
    assert len(shown) > 100
    assert [number for number in shown if near_boundary(number[1], number[2])] == []


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_decimals_in_what_is_typed_are_the_ledgers(name: str, ledger: list[dict[str, Any]]) -> None:
    path = tiny.ROOT / name
    text = path.read_text("utf-8") if path.exists() else ""
    typed = set(DECIMAL.findall(NAMED.sub("", text)))
    true = {entry["displayed"].strip(MINUS) for entry in ledger}
    true |= {repr(abs(entry["value"])) for entry in ledger}
    assert typed <= true
    assert name != "README.md" or "0.6652" in typed


def test_digits_are_made_in_ways_that_are_noted() -> None:
    """In snippets, digits come from `shown`, from f-strings and from `round` alone."""
    for path in sorted((tiny.ROOT / "snippets").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
                left = isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)
                assert not left, f"{path.name}:{node.lineno}: write an f-string"
            if isinstance(node, ast.Call):
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                other = {"format", "format_map", "printoptions", "set_printoptions", "array2string"}
                assert name not in other, f"{path.name}:{node.lineno}: write an f-string"


@pytest.mark.parametrize(
    ("value", "spec", "places"),
    [(0.25, ".1f", 1), (0.25, ">9.3f", 3), (0.25, "", None), (0.25, "<9", None), (0.25, "f", 6),
     (0.25, ".1%", 3), (0.25, ".15g", None),
     (250.0, ".4g", 1), (0.025, ".4g", 5), (0.025, "g", 7), (0.0, "g", None),
     (250.0, ".1e", -1)],
)  # fmt: skip
def test_where_a_specification_rounds(value: float, spec: str, places: int | None) -> None:
    assert places_of(value, spec) == places
    if places is not None:
        assert float(format(value, spec).rstrip("%")) == pytest.approx(
            round(value, places) * (100 if spec.endswith("%") else 1)
        )


SNIPPET = """import numpy as np
from publisher.results import shown

A, B = 0.12345, np.array([0.5, 2.34567])
plain = shown(A, 2)
inside = f"{A:.3f} and {A:g} {A!r} {'x':<3} {3}"
rounded = B.round(4), round(A, 1), np.round(B, 2)
wide = f"{A:{6}.{1 + 1}f}"
"""


def test_a_snippets_digits_are_noted_and_stay_the_same(tmp_path: Path) -> None:
    (tmp_path / "snippets").mkdir()
    (tmp_path / "snippets/__init__.py").touch()
    (tmp_path / "snippets/noted.py").write_text(SNIPPET)
    script = f"""
import json, sys
sys.path[1:1] = [{str(tiny.ROOT)!r}]
from tests.site import digits
with digits.noted() as notes:
    from snippets import noted
    print(json.dumps([sorted(map(list, notes.all), key=str), noted.plain, noted.inside, noted.wide,
                      [str(made) for made in noted.rounded]]))
"""
    result = tiny.python(tmp_path, "-c", script)
    assert result.stderr == ""
    notes, *made = json.loads(result.stdout)
    assert made == [
        "0.12", "0.123 and 0.12345 0.12345 x   3", "  0.12",
        ["[0.5    2.3457]", "0.1", "[0.5  2.35]"],
    ]  # fmt: skip
    assert {(value, places, text) for value, places, text, _ in notes} == {
        (0.12345, 2, "0.12"), (0.12345, 3, "0.123"), (0.12345, 6, "0.12345"),
        (0.5, 4, "0.5"), (2.34567, 4, "2.3457"), (0.12345, 1, "0.1"),
        (0.5, 2, "0.5"), (2.34567, 2, "2.35"),
    }  # fmt: skip
    assert {where for *_, where in notes} == {f"noted.py:{line}" for line in (5, 6, 7, 8)}


def test_notes_are_taken_before_anything_is_imported() -> None:
    with pytest.raises(AssertionError), digits.noted():
        pass
