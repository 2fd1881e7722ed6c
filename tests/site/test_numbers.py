"""The numbers on the pages are those of the ledger, and the ledger's are what it says they are."""

from __future__ import annotations

import importlib
import re
from typing import Any

import pytest

from publisher.formats import MINUS
from tests import tiny
from tests.site.facts import Facts


def test_the_hand_example_stands_on_the_site(pages: dict[str, Facts]) -> None:
    shown = {number.text for page in pages.values() for number in page.numbers}
    assert {"0.6652", "0.2447", "0.0900", "1.4205", "0.5795"} <= shown
    weights = {n.value for n in pages["scores-and-weights/"].numbers if n.text == "0.6652"}
    # e^2 / (e^2 + e + 1) to twenty places is 0.66524095577482188953.
    assert "0.6652409557748219" in weights
    assert all(float(value) == pytest.approx(0.6652409557748219, rel=1e-15) for value in weights)


def test_every_number_on_a_page_is_the_ledgers(
    pages: dict[str, Facts], ledger: list[dict[str, Any]]
) -> None:
    by_id = {entry["id"]: entry for entry in ledger}
    assert len(by_id) == len(ledger) > 100
    seen: dict[str, set[str]] = {}
    for address, page in pages.items():
        for number in page.numbers:
            assert float(number.value) == by_id[number.id]["value"]
            seen.setdefault(number.id, set()).add(address)
    for entry in ledger:
        # A number inside a formula has its page in the ledger, but no element of its own.
        assert seen.get(entry["id"], set()) <= set(entry["pages"])
        assert entry["pages"]


def test_ledger_shows_what_its_value_rounds_to(ledger: list[dict[str, Any]]) -> None:
    plain = re.compile(rf"{MINUS}?\d+\.\d+")
    checked = 0
    for entry in ledger:
        text, digits = entry["displayed"], entry["digits"]
        if plain.fullmatch(text):
            shown = float(text.replace(MINUS, "-"))
            assert abs(shown - entry["value"]) <= 0.5 * 10**-digits * (1 + 1e-9)
            checked += 1
    assert checked > 50


def test_ledger_points_at_the_lines_it_names(ledger: list[dict[str, Any]]) -> None:
    lines: dict[str, list[str]] = {}

    def line(file: str, number: int) -> str:
        if file not in lines:
            lines[file] = (tiny.ROOT / file).read_text("utf-8").splitlines()
        return lines[file][number - 1]

    for entry in ledger:
        module = entry["module"].removeprefix("snippets.")
        name = f'"{entry["id"].removeprefix(f"{module}.").split("[")[0]}"'
        assert name in line(tiny.PROJECT.file(module), entry["line"])
        test, number = entry["test"].split(":")
        assert name in line(test, int(number))


def test_every_call_shown_to_a_reader_gives_its_value(ledger: list[dict[str, Any]]) -> None:
    checked = 0
    for entry in ledger:
        if not entry["call"].startswith(("tables()", "figures()")):
            module = importlib.import_module(entry["module"])
            made = eval(entry["call"], dict(vars(module)))
            assert getattr(made, "value", made) == pytest.approx(entry["value"]), entry["id"]
            checked += 1
    assert checked > 100
