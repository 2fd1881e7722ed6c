"""The publisher's smaller parts: the scanner, MathML, the font, origins."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from hypothesis import given
from hypothesis import strategies as st

from publisher import syntax
from publisher.html import font, mathml, templates
from publisher.render import shortcodes

TOKENS = ("fisherman", "net", "bank")


@given(st.text(alphabet="ab`$~{}|\n *_#.0-", max_size=80))
def test_scanner_loses_nothing(markdown: str) -> None:
    assert "".join(part.text for part in shortcodes.parts(markdown)) == markdown


def test_scanner_tells_the_kinds_apart() -> None:
    page = "a `c {{ num a.b }}` $m$ {{ num a.b }}\n\n```\n$f$\n```\n\n$$d$$ <!-- $x$ --> {{ num a"
    kinds = [part.kind for part in shortcodes.parts(page) if part.text.strip()]
    assert kinds == [
        "prose", "code", "math", "shortcode", "fence", "display", "comment", "open", "prose",
    ]  # fmt: skip
    assert [part.line for part in shortcodes.parts(page) if part.kind == "display"] == [6]


def test_formula_has_its_tex_and_its_token_colour() -> None:
    made = mathml.convert(r"\textcolor{net}{\alpha_2} < 1", False, TOKENS)
    assert made.startswith("<math><semantics><mrow>")
    assert 'style="color:var(--token-2);"' in made
    assert r"\textcolor{net}{\alpha_2} &lt; 1</annotation>" in made
    assert made.count("<mrow") == made.count("</mrow>")


@pytest.mark.parametrize("tex", [r"\frac{1}{", r"\nonsense", r"a \\[6pt] b", "x_"])
def test_invalid_tex_is_refused(tex: str) -> None:
    with pytest.raises(ValueError, match="invalid LaTeX"):
        mathml.convert(tex, True, TOKENS)


def test_shield_leaves_markdown_nothing_and_the_reader_everything() -> None:
    import html

    made = mathml.convert(r"a_{ij} * [b] | c", False, TOKENS)
    shielded = templates.shielded(made)
    between_tags = "".join(piece.split(">")[-1] for piece in shielded.split("<"))
    assert not set(between_tags) & set("*_[]|{}`\\")
    assert html.unescape(shielded) == html.unescape(made)


def test_letters_include_the_italic_twins() -> None:
    found = mathml.letters(mathml.convert(r"h_i = \alpha + 2", False, TOKENS))
    assert {"\N{PLANCK CONSTANT}", "\U0001d456", "\U0001d6fc", "2", "=", "+"} <= found


def test_font_holds_the_letters_the_maths_table_and_its_licence() -> None:
    letters = {"\U0001d456", "∑", "√", "7"}
    data = font.formulas(letters)
    assert data == font.formulas(letters)
    made = TTFont(io.BytesIO(data))
    assert made.flavor == "woff2"
    assert {ord(letter) for letter in letters} <= set(made.getBestCmap())
    assert ord("Z") not in made.getBestCmap()
    assert "MATH" in made
    names = " ".join(record.toUnicode() for record in made["name"].names)
    assert "SIL Open Font License" in names


SOURCE = """
LIMIT = 3

def pair():
    return 1.0, 2.0

def numbers():
    first, second = pair()
    total = first + second
    return {
        "total": total,
        "second": Number(second, digits=2),
    }

def vectors():
    return {
        "made_here": [1.0, 2.0],
        "pair": pair(),
    }
"""


def test_origin_writes_the_call_out(tmp_path: Path) -> None:
    path = tmp_path / "topic.py"
    path.write_text(SOURCE)
    made = syntax.results(tmp_path, "topic.py")
    assert made["numbers", "total"].call == "pair()[0] + pair()[1]"
    assert made["numbers", "second"].call == "pair()[1]"
    assert made["vectors", "pair"].call == "pair()"
    assert made["vectors", "made_here"].call == 'vectors()["made_here"]'
    lines = SOURCE.splitlines()
    for (_, name), where in made.items():
        assert f'"{name}"' in lines[where.line - 1]


def test_code_is_cut_by_name(tmp_path: Path) -> None:
    path = tmp_path / "topic.py"
    path.write_text(SOURCE)
    assert syntax.cut(tmp_path, "topic.py", "pair") == ("def pair():\n    return 1.0, 2.0", 4, 5)
    assert syntax.cut(tmp_path, "topic.py", "LIMIT") == ("LIMIT = 3", 2, 2)
    assert syntax.cut(tmp_path, "topic.py", "nothing") is None
    assert syntax.defined(tmp_path, "topic.py") == ["LIMIT", "pair", "numbers", "vectors"]


@pytest.mark.parametrize(
    "text", ["{{ name }}", "{{a}}", "{{ x y }}", "{{ some words here }}", "{{ T }}"]
)
def test_braces_of_others(text: str) -> None:
    assert shortcodes.shortcode(text) is None


def test_brief_code_keeps_the_first_line_of_its_docstring(tmp_path: Path) -> None:
    path = tmp_path / "topic.py"
    path.write_text('def f():\n    """Do it.\n\n    At length.\n    """\n    return 1\n')
    assert syntax.cut(tmp_path, "topic.py", "f", brief=True) == (
        'def f():\n    """Do it."""\n    return 1',
        1,
        6,
    )
    path.write_text('def f():\n    """Do it."""\n    return 1\n')
    assert syntax.cut(tmp_path, "topic.py", "f", brief=True) == (
        'def f():\n    """Do it."""\n    return 1',
        1,
        3,
    )
