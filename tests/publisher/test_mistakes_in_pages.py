"""Author's mistakes in a page's name, front matter, headings and places; in result functions."""

from __future__ import annotations

import html
from pathlib import Path

import pytest

from publisher.errors import Mistake
from publisher.render import front_matter, prose
from tests import tiny
from tests.publisher.test_mistakes import THIRD, one_line, page, snippet
from tests.publisher.test_mistakes_in_lists import ENTRY

NO_LINK = "a heading with a number needs a fixed link; end it with {#id}"
CODE = "a token in indented code; begin its line further left"
BLOCK = "a block must stand on a line of its own; put blank lines around it"
PAIR = "{{ table example.pair }}"


def front(line: int, what: str) -> str:
    return f"docs/example.md:{line}: front matter: {what}"


CASES: dict[str, tuple[dict[str, str], str]] = {
    "underlined heading with a number": (
        page("# Example", f"Example {THIRD}\n======="), f"docs/example.md:5: {NO_LINK}",
    ),
    "underlined heading in a quotation": (
        page(THIRD, f"x\n\n> Some {THIRD}\n> ---\n\nx"), f"docs/example.md:9: {NO_LINK}",
    ),
    "heading in a list": (page(THIRD, f"x\n\n- ## A {THIRD}"), f"docs/example.md:9: {NO_LINK}"),
    "heading with a number in a formula": (
        page("# Example", f"# Example $x = {THIRD}$"), f"docs/example.md:5: {NO_LINK}",
    ),
    "one fixed link twice": (
        page("# Example", "# Example {#x}\n\n## Again {#x}"),
        "docs/example.md:7: a second '#x' on this page; rename one",
    ),
    "fixed link of a table": (
        page("# Example", "# Example {#table-example-pair}"),
        "docs/example.md:5: a second '#table-example-pair' on this page; rename one",
    ),
    "token in indented code": (page(THIRD, f"x\n\n    {THIRD}"), f"docs/example.md:9: {CODE}"),
    "block in indented code": (
        page(PAIR, f"\t{PAIR}"),
        "docs/example.md:9: a block indented as code is; begin its line further left",
    ),
    "block against a line above": (page(PAIR, f"Text\n{PAIR}"), f"docs/example.md:10: {BLOCK}"),
    "block against a line below": (page(PAIR, f"{PAIR}\nText"), f"docs/example.md:9: {BLOCK}"),
    "citation without a key": (
        page(THIRD, "{{ cite }}"),
        "docs/example.md:7: '{{ cite }}' is not a token; write {{ cite key }}",
    ),
    "citation that does not exist": (
        page(THIRD, "{{ cite one2001 }}"),
        "docs/example.md:7: no reference 'one2001' in docs/references.bib (it has: none)",
    ),
    "typed decimal behind a citation": (
        page(THIRD, "{{ cite one2001 | 0.6652 }}"),
        "docs/example.md:7: '0.6652' is typed by hand; compute it in a snippet and use a token",
    ),
    "block in a caption": (
        snippet('"A pair"', f'"A {PAIR}"'),
        f"docs/example.md:9: '{PAIR}' cannot stand in a caption or a cell; move it out",
    ),
    "display in a cell": (
        snippet('("one", 1.25)', '("$$x$$", 1.25)'),
        "docs/example.md:9: '$$x$$' cannot stand in a caption or a cell; move it out",
    ),
    "table and figure of one name": (
        {
            **snippet('"pair": Table', '"third": Table'),
            **page(PAIR, "{{ table example.third }}"),
        },
        "snippets/example.py:27: a table and a figure with one name, 'third'; rename one",
    ),
    "name that no link can have": (
        snippet('"third": 1 / 3,\n    }', '"a-b": 1 / 3,\n    }'),
        "snippets/example.py:9: 'a-b' is no name; write letters, digits and underscores",
    ),
    "computed name": (
        snippet('"third": 1 / 3,\n    }', '"thi" + "rd": 1 / 3,\n    }'),
        "snippets/example.py:9: numbers() must name each result by a plain string",
    ),
    "early return": (
        snippet("    return {\n        \"third\": 1 / 3", "    if draw:\n        return {}\n"
                "    return {\n        \"third\": 1 / 3"),
        "snippets/example.py:9: numbers() returns twice; only the last line may return",
    ),
    "results that are not functions": (
        snippet('def numbers() -> Numbers:\n    return {\n        "third": 1 / 3,\n    }',
                'numbers = lambda: {"third": 1 / 3}'),
        "snippets/example.py:1: numbers() returns 'third' but does not name it;"
        " end it in 'return {\"third\": ...}'",
    ),
    "name that is not returned": (
        snippet("def numbers() -> Numbers:", "@lambda function: dict\ndef numbers() -> Numbers:"),
        "snippets/example.py:10: numbers() names 'third' without returning it; return it",
    ),
    "name twice in the front matter": (
        page("title: Example", "title: Example\ntitle: Other"),
        front(3, "'title' stands twice; mend it"),
    ),
    "title that is no text": (
        page("title: Example", "title: [a]"),
        front(2, "'title' must be text; put it in quotation marks"),
    ),
    "chapter that is no truth value": (
        page("title: Example", "chapter: 'false'"), front(2, "'chapter' must be true or false"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_mistake_stops_the_build_with_one_line(name: str, tmp_path: Path) -> None:
    changed, expected = CASES[name]
    assert one_line(tiny.make(tmp_path, **changed)) == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a $x = {{ cite one2001 }}$", "'{{ cite one2001 }}' cannot stand in a formula"),
        ("[a {{ cite one2001 }}](index.md)", "a citation is a link itself and cannot stand in one"),
        ("# A\n\n## B {{ cite one2001 }}", NO_LINK),
    ],
)
def test_where_a_citation_cannot_stand(text: str, said: str, tmp_path: Path) -> None:
    folder = tiny.make(tmp_path, page=f"{tiny.PAGE}\n{text}\n")
    (folder / "docs/references.bib").write_text(ENTRY)
    line = tiny.PAGE.count("\n") + 2 + text.count("\n")
    assert one_line(folder).startswith(f"docs/example.md:{line}: {said}")


@pytest.mark.parametrize("name", ["a_b.md", "a b.md", "a.b.md"])
def test_a_page_is_named_with_hyphens(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("# A\n")
    what = "a page's name has letters, digits and hyphens; rename it to docs/a-b.md"
    with pytest.raises(Mistake) as mistake:
        front_matter.read(tmp_path)
    assert str(mistake.value) == f"docs/{name}:1: {what}"


@pytest.mark.parametrize(
    "text", ["---\ntitle: x\n\n# A\n", "\n---\ntitle: x\n---\n", "----\n# A\n"]
)
def test_front_matter_that_is_none(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(text)
    with pytest.raises(Mistake, match=r"docs/a.md:1: front matter begins on line 1 with '---'"):
        front_matter.read(tmp_path)


def test_a_module_is_named_with_underscores(tmp_path: Path) -> None:
    folder = tiny.make(tmp_path)
    (folder / "snippets/ex-ample.py").write_text("")
    (folder / "docs/ex-ample.md").write_text("# A\n")
    said = "no name for a module; rename it with underscores: letters, digits, '_'"
    assert one_line(folder) == f"snippets/ex-ample.py:1: {said}"


@pytest.mark.parametrize("file", ["snippets/example.py", "tests/chapters/test_example.py"])
def test_a_file_that_is_not_utf_8(file: str, tmp_path: Path) -> None:
    folder = tiny.make(tmp_path)
    text = (folder / file).read_text("utf-8")
    (folder / file).write_text(f"{text}# \xc4\n", "latin-1")
    assert one_line(folder) == f"{file}:1: not written as UTF-8; save it so"


def test_windows_files_build_to_the_same_pages(tmp_path: Path) -> None:
    for name in ("unix", "windows"):
        folder = tiny.make(tmp_path / name)
        for file in ("docs/example.md", "snippets/example.py", "tests/chapters/test_example.py"):
            text = (folder / file).read_bytes()
            if name == "windows":
                text = b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n")
            (folder / file).write_bytes(text)
        result = tiny.mkdocs(folder, "build", "-q")
        assert (result.returncode, result.stdout + result.stderr) == (0, "")
    one, two = (tmp_path / name / "site/example/index.html" for name in ("unix", "windows"))
    assert one.read_bytes() == two.read_bytes()


def test_a_caption_is_spoken_without_its_marks(tmp_path: Path) -> None:
    caption = r'"A pair, $x = {{ num example.third }}$, {{ num example.third }} & \\$5"'
    folder = tiny.make(tmp_path, **snippet('"A pair"', caption))
    result = tiny.mkdocs(folder, "build", "-q")
    assert (result.returncode, result.stdout + result.stderr) == (0, "")
    built = (folder / "site/example/index.html").read_text("utf-8")
    label = built.split('id="table-example-pair"')[1].split('aria-label="')[1].split('"')[0]
    assert html.unescape(label) == "A pair, x = 0.3333, 0.3333 & $5"
    assert "&amp; $5</span></caption>" in built


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a\n\n    b", True), ("a\n\n\tb", True), ("a\n    b", False), ("- a\n\n    b", False),
        ("1. a\n\n    b", False), ('!!! note "a"\n\n    b', False), ("a\n\n    c\n    b", True),
        ("- a\n\n    - c\n\n        b", False), ("a\n\n  b", False),
    ],
)  # fmt: skip
def test_code_is_known_by_its_indentation(text: str, code: bool) -> None:
    lines = text.split("\n")
    assert prose.is_code(lines, len(lines) - 1) is code
