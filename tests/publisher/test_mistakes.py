"""Author's mistakes in shortcodes and results: each is one line that helps."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import tiny
from tests.publisher.mistakes import PAIR, THIRD, Case, blamed, in_page, in_snippet, page, snippet

TYPED = "is typed by hand; compute it in a snippet, use a shortcode"
UNCLOSED = "unclosed shortcode '{{ num'; close it with }} on the same line"
ZERO = "raised ZeroDivisionError: division by zero; correct the snippet"
LABELS = "concept drawing, invented numbers, simulation, trained here, real model"
NUMBERS = 'assert example.numbers() == {"third": 1 / 3, "pair": 2}'
ENTRY = '"third": 1 / 3,\n'

IN_PAGES: dict[str, Case] = {
    "unknown module": in_page(
        THIRD, "{{ num exmaple.third }}", "no module 'exmaple' (did you mean 'example'?)"
    ),
    "unknown name": in_page(
        THIRD, "{{ num example.thrid }}", "no number 'thrid' in example (did you mean 'third'?)"
    ),
    "misspelt keyword": in_page(
        THIRD, "{{ nmu example.third }}", "no shortcode 'nmu' (did you mean 'num'?)"
    ),
    "unknown format": in_page(
        THIRD,
        "{{ num example.third | percnt }}",
        "example.third: unknown format 'percnt'"
        " (one of: int, short, percent, fraction, surd, exact, digits n)",
    ),
    "format that does not fit": in_page(
        THIRD,
        "{{ num example.third | int }}",
        "example.third: format 'int' needs a whole number, not 0.3333333333333333",
    ),
    "unclosed shortcode": in_page(THIRD, "{{ num example.third }", UNCLOSED),
    "unclosed shortcode in a formula": in_page(THIRD, "$x = {{ num example.third }$", UNCLOSED),
    "shortcode without its blanks": in_page(
        THIRD,
        "{{num example.third}}",
        "'{{num example.third}}' is not a shortcode; write {{ num module.name }}",
    ),
    "shortcode without a module": in_page(
        THIRD, "{{ num third }}", "'third' names no module; write module.name"
    ),
    "block inside a sentence": in_page(
        THIRD,
        f"x {PAIR}",
        "a block must stand on a line of its own; put blank lines around it",
    ),
    "table shown twice": in_page(
        "{{ code example.demo }}",
        f"{PAIR} \n\n{{{{ code example.demo }}}}",
        "table 'pair' stands on this page already; link to it instead",
    ),
    "heading whose link would move": in_page(
        "# Example",
        f"# Example {THIRD}",
        "a heading with a number needs a fixed link; end it with {#id}",
    ),
    "code that is not there": in_page(
        "{{ code example.demo }}",
        "{{ code example.dome }}",
        "no code 'dome' in example (did you mean 'demo'?)",
    ),
    "demo that prints nothing": blamed(
        snippet('print("shown")', "pass"),
        "page",
        "{{ output",
        "example.demo() prints nothing; print what the page shows",
    ),
    "invalid LaTeX": in_page(
        THIRD,
        rf"{THIRD} and $\frac{{1}}{{$",
        r"invalid LaTeX in $\frac{1}{$:"
        ' Expected closing token "}", but reached end of input; correct the formula',
    ),
    "typed decimal in prose": in_page(THIRD, f"{THIRD}, that is 0.3333", f"'0.3333' {TYPED}"),
    "typed percentage": in_page(THIRD, f"{THIRD}, that is 33 %", f"'33 %' {TYPED}"),
    "typed decimal in a formula": in_page(THIRD, f"{THIRD} and $x = 0.25$", f"'0.25' {TYPED}"),
    "typed decimal in a table": in_page(
        THIRD,
        f"{THIRD}\n\n| a | b |\n|---|---|\n| 1 | 2.5 |\n",
        f"'2.5' {TYPED}",
        at="| 1 | 2.5 |",
    ),
    "typed decimal in the front matter": in_page(
        "title: Example", "title: Example of 0.25", f"'0.25' {TYPED}"
    ),
    "shortcode in the front matter": in_page(
        "title: Example",
        f"title: Example {THIRD}",
        "a shortcode in the front matter; move it into the page",
    ),
    "shortcode in an attribute": in_page(
        THIRD,
        f'<span title="{THIRD}">x</span>',
        "a shortcode cannot stand in an attribute or a link's address; move it",
    ),
    "format of a table": in_page(
        PAIR, "{{ table example.pair | short }}", "a table has no format 'short'; leave it out"
    ),
    "dollar without its partner": in_page(
        THIRD,
        f"{THIRD} and $z",
        r"a $ without its partner; close the formula, or write \$",
    ),
    "code block that never ends": in_page(
        "{{ code example.demo }}\n",
        "```\n",
        "a code block that never ends; close it with its own marks",
    ),
}

IN_SNIPPETS: dict[str, Case] = {
    "snippet that raises": in_snippet(ENTRY, ENTRY.replace("3", "0"), f"numbers() {ZERO}"),
    "snippet that leaves": in_snippet(
        "def numbers() -> Numbers:\n",
        "def numbers() -> Numbers:\n    raise SystemExit(0)\n",
        "numbers() raised SystemExit: 0; correct the snippet",
        at="raise SystemExit",
    ),
    "snippet that does not import": in_snippet(
        "from publisher.figures import palette",
        "import no_such_module",
        "import raised ModuleNotFoundError: No module named 'no_such_module'; correct the snippet",
    ),
    "snippet with a syntax error": in_snippet(
        "def demo():", "def demo(:", "invalid syntax; correct the syntax"
    ),
    "figure that raises": in_snippet(
        "axes.text(10, 50,", "axes.text(10, 50 / 0,", f"figure 'third' {ZERO}"
    ),
    "not a number": in_snippet(
        ENTRY,
        '"third": float("nan"),\n',
        "number 'third' is nan, not a finite number; correct the computation",
    ),
    "number that is not scalar": in_snippet(
        ENTRY,
        '"third": [1.0, 2.0],\n',
        "number 'third' is not a scalar but list (2,); pick one entry",
    ),
    "number that is complex": in_snippet(
        ENTRY, '"third": 1j,\n', "number 'third' is not a number but complex; return a real one"
    ),
    "number that is nothing": in_snippet(
        ENTRY, '"third": None,\n', "number 'third' is not a number but NoneType; return a real one"
    ),
    "ragged table": in_snippet(
        '("two", 2.5)', '("two",)', "table 'pair' is ragged: row 2 has 1 cells under 2 columns"
    ),
    "table whose rows run out": in_snippet(
        '[("one", 1.25), ("two", 2.5)]',
        '(row for row in [("one", 1.25)])',
        "table 'pair' is not a Table with a list of rows; return one",
    ),
    "figure without description": in_snippet(
        '"The text 0.3333."',
        '""',
        "figure 'third' has no description; say in words what the drawing shows",
        at='"third": Figure',
    ),
    "figure with an unknown label": in_snippet(
        '"invented numbers"',
        '"made up"',
        f"figure 'third' has the label 'made up'; use one of: {LABELS}",
        at='"third": Figure',
    ),
    "two figures with one name": in_snippet(
        '        "third": Figure(',
        '        "third": None,\n        "third": Figure(',
        "two figures with one name, 'third'; rename one",
        at='"third": Figure',
    ),
    "number that no page uses": in_snippet(
        ENTRY,
        f'{ENTRY}        "pair": 2,\n',
        "number 'pair' is used by no page; show it or delete it",
        at='"pair": 2',
    ),
    "table that no page uses": blamed(
        page(f"{PAIR}\n", ""),
        "snippet",
        '"pair": Table',
        "table 'pair' is used by no page; show it or delete it",
    ),
    "figure that no page uses": blamed(
        page("{{ figure example.third }}\n", ""),
        "snippet",
        '"third": Figure',
        "figure 'third' is used by no page; show it or delete it",
    ),
    "number that a test only mentions": blamed(
        {"test": tiny.TEST.replace(NUMBERS, 'assert "third" in list(example.numbers())')},
        "snippet",
        ENTRY,
        "no test asks for number 'third'; compare it with a second computation "
        "in tests/chapters/test_example.py",
    ),
    "results that cannot be traced": in_snippet(
        '    return {\n        "third": 1 / 3,\n    }',
        "    return dict(third=1 / 3)",
        "numbers() must end in 'return {\"name\": ...}'",
        at="def numbers",
    ),
}
CASES = IN_PAGES | IN_SNIPPETS


@pytest.mark.parametrize("name", CASES)
def test_a_mistake_is_told_in_one_line(name: str, tmp_path: Path) -> None:
    assert len(CASES) == len(IN_PAGES) + len(IN_SNIPPETS)
    changed, said = CASES[name]
    assert tiny.mistake(tiny.make(tmp_path, **changed)) == said


@pytest.mark.parametrize(
    ("remove", "said"),
    [
        (
            "snippets/example.py",
            "docs/example.md:1: a chapter without a snippet; write snippets/example.py"
            " (or set 'chapter: false')",
        ),
        (
            "tests/chapters/test_example.py",
            "snippets/example.py:1: a snippet without a test; write tests/chapters/test_example.py",
        ),
        (
            "docs/example.md",
            "snippets/example.py:1: a snippet without a page; write docs/example.md",
        ),
    ],
)
def test_a_triple_with_a_part_missing(remove: str, said: str, tmp_path: Path) -> None:
    folder = tiny.make(tmp_path)
    (folder / remove).unlink()
    assert tiny.mistake(folder) == said


STRAY = [
    "{{  num example.third }}",
    "{{\tnum example.third }}",
    "{{\N{NO-BREAK SPACE}num example.third }}",
    "{{ Num example.third }}",
    "{{- num example.third -}}",
    "{{ example.third }}",
    "{{ tokn bank }}",
    "{{ tokens bank }}",
]


@pytest.mark.parametrize("stray", STRAY)
def test_no_shortcode_is_passed_over(stray: str, tmp_path: Path) -> None:
    case = in_page(THIRD, stray, "")
    assert tiny.mistake(tiny.make(tmp_path, **case.changed)).startswith(case.said)
