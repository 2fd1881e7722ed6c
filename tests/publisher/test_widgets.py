"""An explorable on a tiny site, and what its author can get wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from tests import tiny
from tests.publisher.mistakes import line_of, replaced

WIDGET = """

def widgets():
    return {
        "play": Widget(
            element="tiny-explorer", title="Play & see", label="invented numbers",
            figure="example.third", start={"x": 1 / 3, "names": ["<b>"]}, results={"y": 2 / 3},
        ),
    }
"""
SNIPPET = replaced(tiny.SNIPPET, "Tables, shown", "Tables, Widget, shown") + WIDGET
PAGE = replaced(tiny.PAGE, "{{ figure example.third }}", "{{ widget example.play }}")
TEST = f'{tiny.TEST}    assert example.widgets()["play"].start == start\n'
LINE = line_of(SNIPPET, '"play"')
SHOWN = line_of(PAGE, "{{ widget")


def make(folder: Path, snippet: str = SNIPPET, page: str = PAGE) -> Path:
    made = tiny.make(folder, snippet=snippet, page=page, test=TEST)
    (made / "docs/assets/explore").mkdir(parents=True)
    (made / "docs/assets/explore/tiny-explorer.js").write_text("export const x = 1;\n")
    return made


def test_the_figure_stands_inside_with_its_data(tmp_path: Path) -> None:
    folder = make(tmp_path)
    page = BeautifulSoup(tiny.publish(folder)["example.md"], "html.parser")
    element = page.find("tiny-explorer")
    assert element and element["id"] == "widget-example-play"
    assert element["data-title"] == "Play & see"
    data = json.loads(element.template.get_text())
    assert data == {"start": {"x": 1 / 3, "names": ["<b>"]}, "results": {"y": 2 / 3}}
    assert element.find("figure", id="figure-example-third")
    script = page.find("script", type="module")
    assert script and script["src"] == "../assets/explore/tiny-explorer.js"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('figure="example.third"', 'figure="example.thrid"',
         f"docs/example.md:{SHOWN}: no figure 'thrid' in example (did you mean 'third'?)"),
        ('figure="example.third"', 'figure="third"',
         f"docs/example.md:{SHOWN}: 'third' names no module; write module.name"),
        ('"tiny-explorer"', '"tiny-explore"',
         f"docs/example.md:{SHOWN}: no element 'tiny-explore' in docs/assets/explore; "
         "write tiny-explore.js there"),
        ('see", label="invented numbers"', 'see", label="made up"',
         f"snippets/example.py:{LINE}: widget 'play' is not a Widget with a label of: "
         "concept drawing, invented numbers, simulation, trained here, real model"),
        ("2 / 3", "{1}",
         f"snippets/example.py:{LINE}: widget 'play' cannot be written as JSON "
         "(Object of type set is not JSON serializable); use finite numbers"),
    ],
)  # fmt: skip
def test_a_widget_that_is_wrong(old: str, new: str, expected: str, tmp_path: Path) -> None:
    assert tiny.mistake(make(tmp_path, replaced(SNIPPET, old, new))) == expected


def test_a_number_that_is_not_finite(tmp_path: Path) -> None:
    said = tiny.mistake(make(tmp_path, replaced(SNIPPET, "2 / 3", "float('inf')")))
    assert said.startswith(f"snippets/example.py:{LINE}: widget 'play' cannot be written as JSON")
    assert said.endswith("; use finite numbers")


@pytest.mark.parametrize("second", ["{{ figure example.third }}", "{{ widget example.play }}"])
def test_a_widget_brings_its_figure_once(second: str, tmp_path: Path) -> None:
    folder = make(tmp_path, page=f"{PAGE}\n{second}\n")
    name = second.split(".")[1].split(" ")[0]
    what = f"{second.split()[1]} '{name}' stands on this page already; link to it instead"
    assert tiny.mistake(folder) == f"docs/example.md:{PAGE.count(chr(10)) + 2}: {what}"
