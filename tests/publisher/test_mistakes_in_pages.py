"""Author's mistakes in a page's name, front matter, headings and places; in result functions."""

from __future__ import annotations

import html
from pathlib import Path

import pytest

from publisher.errors import Mistake
from publisher.render import front_matter, prose
from tests import tiny
from tests.publisher.mistakes import PAIR, THIRD, Case, blamed, in_page, in_snippet, page, snippet
from tests.publisher.test_mistakes_in_lists import ENTRY

NO_LINK = "a heading with a number needs a fixed link; end it with {#id}"
CODE = "a shortcode in indented code; begin its line further left"
RESULT = '"third": 1 / 3'
BLOCK = "a block must stand on a line of its own; put blank lines around it"


CASES: dict[str, Case] = {
    "underlined heading with a number": in_page("# Example", f"Example {THIRD}\n=======", NO_LINK),
    "underlined heading in a quotation": in_page(
        THIRD, f"x\n\n> Some {THIRD}\n> ---\n\nx", NO_LINK, at="> Some"
    ),
    "heading in a list": in_page(THIRD, f"x\n\n- ## A {THIRD}", NO_LINK, at="- ## A"),
    "heading with a number in a formula": in_page("# Example", f"# Example $x = {THIRD}$", NO_LINK),
    "one fixed link twice": in_page(
        "# Example",
        "# Example {#x}\n\n## Again {#x}",
        "a second '#x' on this page; rename one",
        at="## Again",
    ),
    "fixed link of a table": in_page(
        "# Example",
        "# Example {#table-example-pair}",
        "a second '#table-example-pair' on this page; rename one",
    ),
    "shortcode in indented code": in_page(THIRD, f"x\n\n    {THIRD}", CODE, at=THIRD),
    "block in indented code": in_page(
        PAIR, f"\t{PAIR}", "a block indented as code is; begin its line further left"
    ),
    "block against a line above": in_page(PAIR, f"Text\n{PAIR}", BLOCK, at=PAIR),
    "block against a line below": in_page(PAIR, f"{PAIR}\nText", BLOCK),
    "citation without a key": in_page(
        THIRD, "{{ cite }}", "'{{ cite }}' is not a shortcode; write {{ cite key }}"
    ),
    "citation that does not exist": in_page(
        THIRD,
        "{{ cite one2001 }}",
        "no reference 'one2001' in docs/references.bib (it has: none)",
    ),
    "typed decimal behind a citation": in_page(
        THIRD,
        "{{ cite one2001 | 0.6652 }}",
        "'0.6652' is typed by hand; compute it in a snippet, use a shortcode",
    ),
    "block in a caption": blamed(
        snippet('"A pair"', f'"A {PAIR}"'),
        "page",
        PAIR,
        f"'{PAIR}' cannot stand in a caption or a cell; move it out",
    ),
    "display in a cell": blamed(
        snippet('("one", 1.25)', '("$$x$$", 1.25)'),
        "page",
        PAIR,
        "'$$x$$' cannot stand in a caption or a cell; move it out",
    ),
    "table and figure of one name": blamed(
        {**snippet('"pair": Table', '"third": Table'), **page(PAIR, "{{ table example.third }}")},
        "snippet",
        '"third": Figure',
        "a table and a figure with one name, 'third'; rename one",
    ),
    "name that no link can have": in_snippet(
        RESULT,
        RESULT.replace("third", "a-b"),
        "'a-b' is not a name; write letters, digits and underscores",
    ),
    "computed name": in_snippet(
        RESULT,
        RESULT.replace("third", 'thi" + "rd'),
        "numbers() must name each result by a plain string",
    ),
    "early return": in_snippet(
        f"    return {{\n        {RESULT}",
        f"    if draw:\n        return {{}}\n    return {{\n        {RESULT}",
        "numbers() returns twice; only the last line may return",
        at="return {}",
    ),
    "results that are not functions": in_snippet(
        f"def numbers() -> Numbers:\n    return {{\n        {RESULT},\n    }}",
        f"numbers = lambda: {{{RESULT}}}",
        "numbers() returns 'third' but does not name it; end it in 'return {\"third\": ...}'",
        at='"""A tiny chapter',
    ),
    "name that is not returned": in_snippet(
        "def numbers() -> Numbers:",
        "@lambda function: dict\ndef numbers() -> Numbers:",
        "numbers() names 'third' without returning it; return it",
        at=RESULT,
    ),
    "name twice in the front matter": in_page(
        "title: Example",
        "title: Example\ntitle: Other",
        "front matter: 'title' stands twice; correct it",
        at="title: Other",
    ),
    "title that is no text": in_page(
        "title: Example",
        "title: [a]",
        "front matter: 'title' must be text; put it in quotation marks",
    ),
    "chapter that is no truth value": in_page(
        "title: Example",
        "chapter: 'false'",
        "front matter: 'chapter' must be true or false",
    ),
    "front matter that is not YAML": in_page(
        "title: Example\n---",
        "title: [Example\n---",
        "front matter: expected ',' or ']', but got '<stream end>'; correct it",
        at="---\n\n#",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_mistake_is_told_in_one_line(name: str, tmp_path: Path) -> None:
    changed, said = CASES[name]
    assert tiny.mistake(tiny.make(tmp_path, **changed)) == said


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
    assert tiny.mistake(folder).startswith(f"docs/example.md:{line}: {said}")


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
    said = "not a name for a module; rename it with underscores: letters, digits, '_'"
    assert tiny.mistake(folder) == f"snippets/ex-ample.py:1: {said}"


@pytest.mark.parametrize("file", ["snippets/example.py", "tests/chapters/test_example.py"])
def test_a_file_that_is_not_utf_8(file: str, tmp_path: Path) -> None:
    folder = tiny.make(tmp_path)
    text = (folder / file).read_text("utf-8")
    (folder / file).write_text(f"{text}# \xc4\n", "latin-1")
    assert tiny.mistake(folder) == f"{file}:1: not written as UTF-8; save it so"


def test_windows_files_build_to_the_same_pages(tmp_path: Path) -> None:
    made = []
    for name in ("unix", "windows"):
        folder = tiny.make(tmp_path / name)
        for file in ("docs/example.md", "snippets/example.py", "tests/chapters/test_example.py"):
            text = (folder / file).read_bytes()
            if name == "windows":
                text = b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n")
            (folder / file).write_bytes(text)
        made.append(tiny.publish(folder))
    assert made[0] == made[1]


def test_a_caption_is_spoken_without_its_marks(tmp_path: Path) -> None:
    caption = r'"A pair, $x = {{ num example.third }}$, {{ num example.third }} & \\$5"'
    folder = tiny.make(tmp_path, **snippet('"A pair"', caption))
    pages = tiny.publish(folder)
    built = pages["example.md"]
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
