"""Author's mistakes: each stops the build of a tiny site with exactly one line that helps."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from publisher import checks
from publisher.errors import Mistake
from tests import tiny


def replaced(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, f"{old!r} should stand once in the tiny site"
    return text.replace(old, new)


def page(old: str, new: str) -> dict[str, str]:
    return {"page": replaced(tiny.PAGE, old, new)}


def snippet(old: str, new: str) -> dict[str, str]:
    return {"snippet": replaced(tiny.SNIPPET, old, new)}


THIRD = "{{ num example.third }}"
MISTAKES: dict[str, tuple[dict[str, str], str]] = {
    "unknown module": (
        page(THIRD, "{{ num exmaple.third }}"),
        "docs/example.md:7: no module 'exmaple' (did you mean 'example'?)",
    ),
    "unknown name": (
        page(THIRD, "{{ num example.thrid }}"),
        "docs/example.md:7: no number 'thrid' in example (did you mean 'third'?)",
    ),
    "misspelt keyword": (
        page(THIRD, "{{ nmu example.third }}"),
        "docs/example.md:7: no token 'nmu' (did you mean 'num'?)",
    ),
    "unknown format": (
        page(THIRD, "{{ num example.third | percnt }}"),
        "docs/example.md:7: example.third: unknown format 'percnt'"
        " (one of: int, short, percent, fraction, surd, exact, digits n)",
    ),
    "format that does not fit": (
        page(THIRD, "{{ num example.third | int }}"),
        "docs/example.md:7: example.third: format 'int' needs a whole number,"
        " not 0.3333333333333333",
    ),
    "unclosed token": (
        page(THIRD, "{{ num example.third }"),
        "docs/example.md:7: unclosed token '{{ num'; close it with }} on the same line",
    ),
    "unclosed token in a formula": (
        page(THIRD, "$x = {{ num example.third }$"),
        "docs/example.md:7: unclosed token '{{ num'; close it with }} on the same line",
    ),
    "token without its blanks": (
        page(THIRD, "{{num example.third}}"),
        "docs/example.md:7: '{{num example.third}}' is not a token; write {{ num module.name }}",
    ),
    "token without a module": (
        page(THIRD, "{{ num third }}"),
        "docs/example.md:7: 'third' names no module; write module.name",
    ),
    "block inside a sentence": (
        page(THIRD, "{{ table example.pair }}"),
        "docs/example.md:7: a block must stand on a line of its own; put blank lines around it",
    ),
    "table shown twice": (
        page(THIRD, "\n\n{{ table example.pair }}\n\n"),
        "docs/example.md:13: table 'pair' stands on this page already; link to it instead",
    ),
    "heading whose link would move": (
        page("# Example", f"# Example {THIRD}"),
        "docs/example.md:5: a heading with a number needs a fixed link; end it with {#id}",
    ),
    "code that is not there": (
        page("{{ code example.demo }}", "{{ code example.dome }}"),
        "docs/example.md:13: no code 'dome' in example (did you mean 'demo'?)",
    ),
    "demo that prints nothing": (
        snippet('print("shown")', "pass"),
        "docs/example.md:15: example.demo() prints nothing; print what the page shows",
    ),
    "snippet that raises": (
        snippet("1 / 3,\n    }", "1 / 0,\n    }"),
        "snippets/example.py:9: numbers() raised ZeroDivisionError: division by zero;"
        " mend the snippet",
    ),
    "snippet that does not import": (
        snippet("from publisher.figures import palette", "import no_such_module"),
        "snippets/example.py:3: import raised ModuleNotFoundError:"
        " No module named 'no_such_module'; mend the snippet",
    ),
    "snippet with a syntax error": (
        snippet("def demo():", "def demo(:"),
        "snippets/example.py:38: invalid syntax; mend the syntax",
    ),
    "figure that raises": (
        snippet("axes.text(10, 50,", "axes.text(10, 50 / 0,"),
        "snippets/example.py:21: figure 'third' raised ZeroDivisionError: division by zero;"
        " mend the snippet",
    ),
    "not a number": (
        snippet("1 / 3,\n    }", 'float("nan"),\n    }'),
        "snippets/example.py:9: number 'third' is nan, not a finite number; mend the computation",
    ),
    "number that is not scalar": (
        snippet("1 / 3,\n    }", "[1.0, 2.0],\n    }"),
        "snippets/example.py:9: number 'third' is not a scalar but list (2,); pick one entry",
    ),
    "ragged table": (
        snippet('("two", 2.5)', '("two",)'),
        "snippets/example.py:15: table 'pair' is ragged: row 2 has 1 cells under 2 columns",
    ),
    "figure without description": (
        snippet('"The text 0.3333."', '""'),
        "snippets/example.py:27: figure 'third' has no description;"
        " say in words what the drawing shows",
    ),
    "figure with an unknown label": (
        snippet('"invented numbers"', '"made up"'),
        "snippets/example.py:27: figure 'third' has the label 'made up'; use one of: concept"
        " drawing, invented numbers, simulation, trained here, real model",
    ),
    "two figures with one name": (
        snippet('        "third": Figure(', '        "third": None,\n        "third": Figure('),
        "snippets/example.py:28: two figures with one name, 'third'; rename one",
    ),
    "invalid LaTeX": (
        page(THIRD, rf"{THIRD} and $\frac{{1}}{{$"),
        r"docs/example.md:7: invalid LaTeX in $\frac{1}{$:"
        ' Expected closing token "}", but reached end of input; mend the formula',
    ),
    "typed decimal in prose": (
        page(THIRD, f"{THIRD}, that is 0.3333"),
        "docs/example.md:7: '0.3333' is typed by hand; compute it in a snippet and use a token",
    ),
    "typed percentage": (
        page(THIRD, f"{THIRD}, that is 33 %"),
        "docs/example.md:7: '33 %' is typed by hand; compute it in a snippet and use a token",
    ),
    "typed decimal in a formula": (
        page(THIRD, rf"{THIRD} and $x = 0.25$"),
        "docs/example.md:7: '0.25' is typed by hand; compute it in a snippet and use a token",
    ),
    "typed decimal in a table": (
        page(THIRD, f"{THIRD}\n\n| a | b |\n|---|---|\n| 1 | 2.5 |\n"),
        "docs/example.md:11: '2.5' is typed by hand; compute it in a snippet and use a token",
    ),
    "typed decimal in the front matter": (
        page("title: Example", "title: Example of 0.25"),
        "docs/example.md:2: '0.25' is typed by hand; compute it in a snippet and use a token",
    ),
    "number that no page uses": (
        snippet("1 / 3,\n    }", '1 / 3,\n        "pair": 2,\n    }'),
        "snippets/example.py:10: number 'pair' is used by no page; show it or delete it",
    ),
    "table that no page uses": (
        page("{{ table example.pair }}\n", ""),
        "snippets/example.py:15: table 'pair' is used by no page; show it or delete it",
    ),
    "figure that no page uses": (
        page("{{ figure example.third }}\n", ""),
        "snippets/example.py:27: figure 'third' is used by no page; show it or delete it",
    ),
    "number that no test names": (
        {"test": 'def test_all():\n    assert ["pair"]\n'},
        "snippets/example.py:9: no test names number 'third'; "
        "assert it in tests/chapters/test_example.py",
    ),
    "snippet that leaves": (
        snippet(
            "def numbers() -> Numbers:\n", "def numbers() -> Numbers:\n    raise SystemExit(0)\n"
        ),
        "snippets/example.py:8: numbers() raised SystemExit: 0; mend the snippet",
    ),
    "number that is complex": (
        snippet("1 / 3,\n    }", "1j,\n    }"),
        "snippets/example.py:9: number 'third' is not a number but complex; return a real one",
    ),
    "number that is nothing": (
        snippet("1 / 3,\n    }", "None,\n    }"),
        "snippets/example.py:9: number 'third' is not a number but NoneType; return a real one",
    ),
    "table whose rows run out": (
        snippet('[("one", 1.25), ("two", 2.5)]', '(row for row in [("one", 1.25)])'),
        "snippets/example.py:15: table 'pair' is not a Table with a list of rows; return one",
    ),
    "token in the front matter": (
        page("title: Example", f"title: Example {THIRD}"),
        "docs/example.md:2: a token in the front matter; move it into the page",
    ),
    "broken front matter": (
        page("title: Example", "title: [Example"),
        "docs/example.md:3: front matter: expected ',' or ']', but got '<stream end>'; mend it",
    ),
    "token in an attribute": (
        page(THIRD, f'<span title="{THIRD}">x</span>'),
        "docs/example.md:7: a token cannot stand in an attribute or a link's address; move it",
    ),
    "format of a table": (
        page("{{ table example.pair }}", "{{ table example.pair | short }}"),
        "docs/example.md:9: a table has no format 'short'; leave it out",
    ),
    "dollar without its partner": (
        page(THIRD, f"{THIRD} and $z"),
        r"docs/example.md:7: a $ without its partner; close the formula, or write \$",
    ),
    "code block that never ends": (
        page("{{ code example.demo }}\n", "```\n"),
        "docs/example.md:13: a code block that never ends; close it with its own marks",
    ),
    "results that cannot be traced": (
        snippet('    return {\n        "third": 1 / 3,\n    }', "    return dict(third=1 / 3)"),
        "snippets/example.py:7: numbers() must end in 'return {\"name\": ...}'",
    ),
}


def one_line(folder: Path) -> str:
    """Build, expect a failure, and return all that it says."""
    result = tiny.mkdocs(folder, "build", "-q")
    assert result.returncode == 1
    said = [line for line in (result.stdout + result.stderr).splitlines() if line.strip()]
    assert len(said) == 1, said
    return said[0]


@pytest.mark.parametrize("name", MISTAKES)
def test_mistake_stops_the_build_with_one_line(name: str, tmp_path: Path) -> None:
    changed, expected = MISTAKES[name]
    said = one_line(tiny.make(tmp_path, **changed))
    assert said.startswith(expected) if expected.endswith(": ") else said == expected


@pytest.mark.parametrize(
    ("remove", "expected"),
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
def test_triple_with_a_part_missing(remove: str, expected: str, tmp_path: Path) -> None:
    folder = tiny.make(tmp_path)
    (folder / remove).unlink()
    assert one_line(folder) == expected


def test_tiny_site_without_a_mistake_builds(tmp_path: Path) -> None:
    result = tiny.mkdocs(tiny.make(tmp_path), "build", "-q")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    built = (tmp_path / "site/example/index.html").read_text(encoding="utf-8")
    third = '<data class="num" value="0.3333333333333333" data-id="example.third">0.3333</data>'
    assert built.count(third) == 2  # in the sentence and in the figure's caption
    assert re.search(r"\{\{ ?\w", built) is None


LEFT_ALONE: dict[str, Callable[[str], bool]] = {
    "```python\nprint(f'{{ num example.nope }} {{x}}')\n```": lambda html: "example.nope" in html,
    "~~~\n{{ num example.nope }}\n~~~": lambda html: "{{ num example.nope }}" in html,
    "`{{ num example.nope }}`": lambda html: "<code>{{ num example.nope }}</code>" in html,
    "an f-string {{ name }} in prose": lambda html: "{{ name }}" in html,
    "## A heading {#my-id}": lambda html: '<h2 id="my-id">A heading</h2>' in html,
    r"$\frac{{a}}{{b}}$": lambda html: "<mfrac><mi>a</mi><mi>b</mi></mfrac>" in html,
    r"costs \$5 and \$6": lambda html: "costs $5 and $6" in html or "&#36;5 and" in html,
    "in section 3.2.1 of version 1.1, arXiv:1706.03762": lambda html: "section 3.2.1" in html,
    "in 2017, on page 5998": lambda html: "2017" in html,
    "{{ literal num example.nope }}": lambda html: (
        "<code>&#123;&#123; num example.nope &#125;&#125;</code>" in html
    ),
}


def test_what_is_not_a_token_is_left_alone(tmp_path: Path) -> None:
    extra = "\n\n".join(LEFT_ALONE)
    folder = tiny.make(tmp_path, page=f"{tiny.PAGE}\n\n{extra}\n")
    result = tiny.mkdocs(folder, "build", "-q")
    assert (result.returncode, result.stdout + result.stderr) == (0, "")
    built = (folder / "site/example/index.html").read_text(encoding="utf-8")
    for text, holds in LEFT_ALONE.items():
        assert holds(built), text


def test_tokens_work_in_every_place(tmp_path: Path) -> None:
    third = "{{ num example.third }}"
    places = f"""
## Heading {third} {{#fixed}}

- item {third}
    - nested {third}

        {{{{ output example.demo }}}}

!!! note "Title {third}"

    Inside {third}, *with emphasis {third}*, and $x_{{1}} = {third}$.

    - listed {third}

> Quoted {third}

| Name | Value |
|------|-------|
| third | {third} |
| formula | $|x| = {third}$ |

$$ {third} < 1 $$
"""
    folder = tiny.make(tmp_path, page=tiny.PAGE + places)
    result = tiny.mkdocs(folder, "build", "-q")
    assert (result.returncode, result.stdout + result.stderr) == (0, "")
    built = (folder / "site/example/index.html").read_text(encoding="utf-8")
    assert built.count('data-id="example.third">0.3333</data>') == 2 + 9
    assert built.count("<mn>0.3333</mn>") == 3
    assert '<h2 id="fixed">' in built
    assert built.count('<table class="data">') == 2  # the table, and that of the figure
    assert "<td><data" in built  # inside a table of Markdown
    assert "<mo>{{" not in built


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


@pytest.mark.parametrize("token", STRAY)
def test_no_token_is_passed_over(token: str, tmp_path: Path) -> None:
    said = one_line(tiny.make(tmp_path, **page(THIRD, token)))
    assert said.startswith("docs/example.md:7: ")


TYPED = [
    ".5", "1,5", "$0{,}25$", "5e-3", r"$66\%$", "66 per cent", "_0.6652_", "0.6652x",
    "x < 0.6652 and y > 2", '[x](y "0.6652")', '<img alt="0.6652" src="x">',
    "Section 3.2 and 0.6652",
    "Python 0.6652", "{{ weight is 0.6652 }}",
]  # fmt: skip
NAMED = [
    "CC BY-SA 4.0", "Sec. 3.2", "Eq. 3.2", "sections 3.2-3.4", "Python 3.11, 3.12 or 3.13",
    "Python ≥ 3.11", "NumPy 2.1", "arXiv 1706.03762", "doi:10.18653/v1/N19-1357", "1,500 trials",
    "7-9 May 2015", "§3.2.1", "<https://x.org/1.5>", "[x](https://x.org/0.25)", "appendix 1.2",
]  # fmt: skip


@pytest.mark.parametrize("text", TYPED)
def test_typed_numbers_are_found(text: str) -> None:
    with pytest.raises(Mistake, match=r"docs/p.md:8: '.+' is typed by hand"):
        checks.typed_decimals("docs/p.md", f"One.\n\nIt is {text}.\n", 6)


@pytest.mark.parametrize("text", NAMED)
def test_numbers_that_name_something_are_let_through(text: str) -> None:
    checks.typed_decimals("docs/p.md", f"It is {text}.\n", 1)
