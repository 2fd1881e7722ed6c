"""Move the running example's inputs, and nothing stale is left anywhere."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from publisher.collect import Memo, collect
from publisher.formats import MINUS, display
from publisher.project import Project, Settings
from tests import tiny
from tests.conftest import Once, copy_project
from tests.site import inputs, recomputed
from tests.site.recomputed import Leaves

CONSTANTS = inputs.constants(tiny.ROOT)
TEXT = {".html", ".json", ".svg", ".csv", ".xml"}
DIGITS = re.compile(r"(?<![\d.])\d+\.\d{4,}(?!\d)")


def recompute(folder: Path) -> None:
    copy_project(folder / "project")
    result = tiny.python(
        folder / "project", "-m", "tests.site.recomputed", str(folder / "all.json")
    )
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.fixture(scope="session")
def fresh(once: Once) -> dict[str, Leaves]:
    """Return what new interpreters compute: of the inputs as they are, of each moved, of all."""
    text = (once("recomputed", recompute) / "all.json").read_text("utf-8")
    made: dict[str, Leaves] = json.loads(text)
    return made


@pytest.fixture(scope="module")
def open_project(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Memo]:
    """Return a copy of the project, and what a rebuild remembers of having collected it."""
    folder = copy_project(tmp_path_factory.mktemp("open"))
    memo: Memo = {}
    inputs.shorten(folder)
    collected(folder, memo)
    return folder, memo


def collected(folder: Path, memo: Memo) -> Leaves:
    """Collect a project's results in this process, as a rebuild does."""
    project = Project(folder, Settings.read(folder))
    with tiny.first(folder):
        made = collect(project, recomputed.demos(folder), memo)
    found: Leaves = {}
    for name, chapter in made.chapters.items():
        for kind, results in chapter.made.items():
            for key, result in results.items():
                found.update(recomputed.leaves(f"{kind}: {name}.{key}", result))
    found.update((f"output: {name}", text) for name, text in made.outputs.items())
    return found


def collected_with(edit: Callable[[Path], object], folder: Path, memo: Memo) -> Leaves:
    """Collect with an edited running example, which is put back after."""
    path = folder / inputs.EXAMPLE
    text = path.read_text("utf-8")
    edit(folder)
    try:
        return collected(folder, memo)
    finally:
        path.write_text(text, "utf-8")


def shown(values: Iterator[float]) -> set[str]:
    """Return values as pages write them: to four places, and in full."""
    whole = [value for value in values if not value.is_integer()]
    texts = {display(value, 4) for value in whole} | {repr(value) for value in whole}
    return {text.strip(MINUS + "-") for text in texts}


def stale(before: Leaves, now: Leaves) -> set[str]:
    """Return the texts of numbers that were and no longer are."""
    was, current = (
        shown(leaf for leaf in leaves.values() if isinstance(leaf, float))
        | set(DIGITS.findall("".join(v for p, v in leaves.items() if p.startswith("output"))))
        for leaves in (before, now)
    )
    return {text for text in was - current if DIGITS.fullmatch(text)}


def test_the_constants_are_found() -> None:
    assert {"QUERY", "KEYS", "VALUES", "EMBEDDINGS", "POSITION_STEP"} <= set(CONSTANTS)


@pytest.mark.parametrize("name", CONSTANTS)
def test_every_result_follows_an_input(
    name: str, open_project: tuple[Path, Memo], fresh: dict[str, Leaves]
) -> None:
    now = collected_with(lambda folder: inputs.move(folder, name), *open_project)
    # The publisher's results are those of a new interpreter: numbers and words.
    assert now == fresh[name]
    before = fresh[""]
    assert before.keys() == now.keys()
    assert any(before[place] != leaf for place, leaf in now.items()), "nothing depends on it"
    # No words hold a number that was and is no longer.
    gone = stale(before, now)
    left = {
        place: found
        for place, leaf in now.items()
        if isinstance(leaf, str) and (found := gone & set(DIGITS.findall(leaf)))
    }
    assert left == {}


def entries(site: Path) -> dict[str, dict[str, Any]]:
    """Return numbers.json by id."""
    return {entry["id"]: entry for entry in json.loads((site / "numbers.json").read_text("utf-8"))}


def texts(site: Path) -> dict[str, str]:
    """Return every text file that shows results; sources and styles show none."""
    return {
        name: path.read_text("utf-8")
        for path in site.rglob("*")
        if path.suffix in TEXT
        and not (name := path.relative_to(site).as_posix()).startswith(("source/", "assets/"))
    }


def changed(old: dict[str, dict[str, Any]], new: dict[str, dict[str, Any]]) -> set[str]:
    return {
        identifier for identifier in new if old[identifier]["value"] != new[identifier]["value"]
    }


def test_no_page_keeps_an_old_number(builds: Path, fresh: dict[str, Leaves]) -> None:
    old, new = entries(builds / "site"), entries(builds / "moved")
    assert old.keys() == new.keys()
    # A ledger's id names the row and column as a reader counts; the values are the same ones.
    values = {leaf for leaf in fresh["all"].values() if isinstance(leaf, float)}
    assert {float(entry["value"]) for entry in new.values()} <= values
    moved = changed(old, new)
    assert len(moved) > 500

    gone = {str(old[i][form]) for i in moved for form in ("value", "displayed")}
    current = {str(entry[form]) for entry in new.values() for form in ("value", "displayed")}
    current |= shown(leaf for leaf in fresh["all"].values() if isinstance(leaf, float))
    current |= set(DIGITS.findall("".join(map(str, fresh["all"].values()))))
    left = {text for text in gone - current if DIGITS.fullmatch(text)}
    assert len(left) > 200
    for file, text in texts(builds / "moved").items():
        assert not left & set(DIGITS.findall(text)), file


def test_a_page_changes_exactly_with_its_numbers(builds: Path) -> None:
    before, now = texts(builds / "site"), texts(builds / "moved")
    old, new = entries(builds / "site"), entries(builds / "moved")
    moved = changed(old, new)
    same = []
    for file in before:
        address = file.removesuffix("index.html")
        if file.endswith("index.html") and address != "numbers/":
            on_it = any(address in new[identifier]["pages"] for identifier in moved)
            assert (before[file] != now[file]) == on_it, file
            same += [address] * (not on_it)
    assert len(same) > 3


def test_every_form_of_a_figure_follows_its_data(builds: Path) -> None:
    site, new_site = builds / "site", builds / "moved"
    moved = changed(entries(site), entries(new_site))
    for path in (site / "figures").rglob("*.json"):
        relative = path.relative_to(site)
        identifier = relative.with_suffix("").as_posix().removeprefix("figures/")
        identifier = identifier.replace("/", ".").replace("-", "_") + "["
        follows = any(i.startswith(identifier) for i in moved)
        for suffix in (".svg", ".png", ".pdf", ".csv", ".json"):
            file = relative.with_suffix(suffix)
            same = (site / file).read_bytes() == (new_site / file).read_bytes()
            assert same != follows, file


def test_a_shifted_constant_is_shown_shifted(open_project: tuple[Path, Memo]) -> None:
    """One case by hand: a value of fisherman moves, and the mixture moves by its weight."""

    def shift(folder: Path) -> None:
        path = folder / inputs.EXAMPLE
        text = path.read_text("utf-8")
        assert text.count("VALUES = ((2.0, 0.0), ") == 1
        path.write_text(text.replace("VALUES = ((2.0, 0.0), ", "VALUES = ((3.0, 0.0), "), "utf-8")

    now = collected_with(shift, *open_project)
    weight = 0.66524095577482188953
    # By hand: 2 * weight of fisherman + 1 * weight of bank was the first coordinate.
    before = 2 * weight + 0.09003057317038046
    assert display(before, 4) == "1.4205"
    assert now["numbers: values.first"] == pytest.approx(before + weight)
