"""Author's mistakes in the bibliography, the misreadings and the bug gallery."""

from __future__ import annotations

from pathlib import Path

import pytest

from publisher.errors import Mistake
from publisher.features import references
from publisher.project import Addresses, Here
from tests import tiny
from tests.publisher.mistakes import line_of

ENTRY = r"""@misc{one2001,
  author = {A, Ann},
  title = {First},
  year = {2001},
  doi = {10.1/x},
}
"""
OTHER = ENTRY.replace("one2001", "one2001a").replace("{2001}", "{2001a}")


def load(folder: Path, text: str, encoding: str = "utf-8") -> dict[str, references.Reference]:
    (folder / "docs").mkdir()
    (folder / references.FILE).write_text(text, encoding)
    return references.load(folder)


ENTRIES = {
    ENTRY + ENTRY: ":7: repeated bibliography entry: one2001; correct the entry",
    ENTRY + ENTRY.replace("one", "two"): ":7: 'two2001' and 'one2001' would both be cited as"
    " A 2001; add a letter to each year",
    OTHER + ENTRY.replace("  year = {2001},\n", ""): ":7: entry 'one2001' lacks year; add it",
    ENTRY.replace("{First}", "{ }"): ":1: entry 'one2001' lacks title; add it",
    ENTRY.replace("{A, Ann}", "{}"): ":1: entry 'one2001' lacks author; add it",
    ENTRY.replace("Ann}", "Ann and }"): ":1: entry 'one2001' has an 'and' that joins no two"
    " authors; take it out",
    ENTRY.replace(
        "{A, Ann}", "{A, B, C, D}"
    ): ":1: Too many commas in 'A, B, C, D'; correct the entry",
    ENTRY.replace("{2001}", "{20O1}"): ":1: entry 'one2001' has the year '20O1'; write a year,"
    " such as 2017 or 2017a",
    ENTRY.replace("{10", "{https://doi.org/10"): ":1: entry 'one2001' has the doi"
    " 'https://doi.org/10.1/x'; write it from its 10. on, without https",
    ENTRY.replace("doi = {10.1/x}", "eprint = {arXiv:1706.03762}"): ":1: entry 'one2001' has the"
    " eprint 'arXiv:1706.03762'; write an arXiv number alone",
    ENTRY.replace(
        "{one2001", '{on"e'
    ): ":1: entry 'on\"e' has characters in its key that no link can have; use letters and digits",
    ENTRY.replace("First", r"A \emph{b}"): r":1: entry 'one2001' has '\emph' in its title,"
    " which is not read; write it in plain letters",
    ENTRY.replace(
        "{First},", "{First}"
    ): ":4: syntax error in line 4: '}' expected; correct the entry",
    ENTRY.replace(
        "{First}", "nowhere"
    ): ":3: undefined string in line 3: nowhere; correct the entry",
}


@pytest.mark.parametrize("text", ENTRIES)
def test_a_mistake_in_the_bibliography(tmp_path: Path, text: str) -> None:
    with pytest.raises(Mistake) as mistake:
        load(tmp_path, text)
    assert str(mistake.value) == references.FILE + ENTRIES[text]


def test_a_bibliography_that_is_not_utf_8(tmp_path: Path) -> None:
    with pytest.raises(Mistake, match=r"docs/references.bib:1: not written as UTF-8; save it so"):
        load(tmp_path, ENTRY.replace("Ann", "J\xfcrgen"), "latin-1")


@pytest.mark.parametrize("text", ["", " \n", "% nothing yet\n"])
def test_a_bibliography_may_be_empty(tmp_path: Path, text: str) -> None:
    assert load(tmp_path, text) == {}


READ = {
    r"{\'E}cole of {The {BERT} model} \& co": ("title", "École of The BERT model &amp; co"),
    "a <b>": ("title", "a &lt;b&gt;"),
    "3--4": ("pages", "pp. 3–4"),
    "B, {}": ("author", "B (2001)"),
    "{Open Group}": ("author", "Open Group (2001)"),
    "King, Jr., Martin L.": ("author", "King Jr., M. L. (2001)"),
    'M{\\"u}ller, J{\\"u}rgen and others': ("author", "Müller, J., et al. (2001)"),
}


@pytest.mark.parametrize("text", READ)
def test_what_an_entry_may_hold(tmp_path: Path, text: str) -> None:
    name, shown = READ[text]
    old = {"title": "First", "author": "A, Ann", "pages": "10.1/x"}[name]
    new = f"10.1/x}},\n  pages = {{{text}" if name == "pages" else text
    (reference,) = load(tmp_path, ENTRY.replace(f"{{{old}}}", f"{{{new}}}")).values()
    assert shown in reference.entry


def test_marks_in_a_label_are_not_acted_on(tmp_path: Path) -> None:
    (made,) = load(tmp_path, ENTRY.replace("A, Ann", "A*b*, C").replace("First", '`"x"`')).values()
    assert references.cite(made, "references.md", "<i>", Here(Addresses(), "index.md")) == (
        '<a class="citation" href="references/#one2001" title="&#96;&#34;x&#34;&#96;">'
        "A&#42;b&#42; 2001</a>, &#60;i&#62;"
    )


BOX = """!!! warning "A common misreading: one is two"

    {{ misreading one-two }}

    It is not.
"""
TOKEN = "    {{ misreading one-two }}\n"
OUTSIDE = (
    "a misreading outside its box; put it first in"
    " '!!! warning \"A common misreading: ...\"', after a blank line"
)
NO_LINK = "a misreading without its link; begin its text with {{ misreading some-name }}"
BOXES = {
    BOX.replace("one-two", "One_Two"): (
        3, "a misreading's name 'One_Two'; write small letters, digits and hyphens",
    ),
    BOX.replace(": one is two", ""): (3, OUTSIDE),
    BOX.replace("!!! warning", "!!! note"): (3, OUTSIDE),
    BOX.replace("    ", "\t"): (3, OUTSIDE),
    BOX.replace('two"\n', 'two"\n\n'): (4, OUTSIDE),
    BOX + "\n" + TOKEN.replace("one", "three"): (7, OUTSIDE),
    "!!! note \"x\"\n\n" + "".join(f"    {line}\n" for line in BOX.split("\n")): (5, OUTSIDE),
    "{{ misreading one-two }}\n": (1, OUTSIDE),
    BOX.replace(TOKEN + "\n", ""): (1, NO_LINK),
    BOX.replace("    It is not.\n", ""): (1, "a misreading without a text; write what holds"),
    BOX.replace("It is", "[It][x] is"): (
        5, "'][x]' in a misreading, which is shown twice; write [text](page.md)",
    ),
    BOX.replace("It is", "It[^1] is"): (
        5, "'[^1]' in a misreading, which is shown twice; write [text](page.md)",
    ),
    BOX + "\n" + BOX: (7, "two misreadings 'one-two'; rename one"),
}  # fmt: skip


@pytest.mark.parametrize("text", BOXES)
def test_a_mistake_in_a_misreading(text: str) -> None:
    line, what = BOXES[text]
    with pytest.raises(Mistake) as mistake:
        tiny.collected({"a.md": text}, ["a.md"])
    assert str(mistake.value) == f"docs/a.md:{line}: {what}"


def test_boxes_in_code_are_left_alone_and_the_last_line_is_kept() -> None:
    text = f"```\n{BOX}```\n\n<!--\n{BOX.replace('one-two', 'two')}-->\n\n{BOX.rstrip()}"
    text = text.replace("It is not.", "Not [so](#x), `[so](b.md)`, [so](../b.md).")
    made = tiny.collected({"n/a.md": text}, ["n/a.md"], "A <b>")
    assert made == (
        "## One is two {#one-two}\n\nNot [so](n/a.md#x), `[so](b.md)`, [so](b.md).\n\n"
        '<a href="../n/a/#misreading-one-two">In its chapter: A &#60;b&#62;</a>'
    )


def with_page(folder: Path, name: str, text: str) -> Path:
    tiny.make(folder, page=f"{tiny.PAGE}\n{BOX if name == 'misreadings.md' else 'A query.'}\n")
    (folder / "docs" / name).write_text(text, "utf-8")
    return folder


HEAD = "---\nchapter: false\nterms:\n  query: {means: What asks.}\n---\n\n# List\n\n"
PLACES = {
    ("glossary.md", ""): ":1: links lead to a list that is missing; write {{ glossary all }} here",
    ("glossary.md", "{{ glossary some }}\n"): ":9: a list is whole; write {{ glossary all }}",
    ("glossary.md", "{{ glossary all }}\n\n{{ glossary all }}\n"): ":11: {{ glossary all }} stands"
    " once, on docs/glossary.md; take this one out",
    ("misreadings.md", ""): ":1: links lead to a list that is missing; write"
    " {{ misreadings all }} here",
    ("misreadings.md", "> {{ misreadings all }}\n"): ":9: write {{ misreadings all }} at the"
    " beginning of its line",
    ("misreadings.md", f"{{{{ misreadings all }}}}\n\n{BOX}"): ":11: a misreading's box; move it"
    " into its chapter",
    ("other.md", "{{ references all }}\n"): ":9: {{ references all }} stands once, on"
    " docs/references.md; take this one out",
}


@pytest.mark.parametrize(("name", "text"), PLACES)
def test_a_list_that_is_not_where_it_belongs(name: str, text: str, tmp_path: Path) -> None:
    assert (
        tiny.mistake(with_page(tmp_path, name, HEAD + text)) == f"docs/{name}{PLACES[name, text]}"
    )


def test_a_mistake_in_a_box_is_told_of_its_chapter(tmp_path: Path) -> None:
    folder = tiny.make(tmp_path, page=tiny.PAGE)
    box = BOX.replace("It is not.", "It is {{ num example.thrid }}.")
    (folder / "docs/zebra.md").write_text(f"---\nchapter: false\n---\n\n{box}")
    (folder / "docs/misreadings.md").write_text(f"{HEAD}{{{{ misreadings all }}}}\n")
    assert tiny.mistake(folder).startswith("docs/zebra.md:9: no number 'thrid' in example")


BUG = {
    "docs/bugs.md": "# Bugs\n\n{{ num bugs.one }}\n\n{{ code bugs.one.wrong }}\n\n"
    "{{ code bugs.one.check }}\n",
    "tests/chapters/test_bugs.py": 'def test_bugs():\n    assert bugs.numbers()["one"] == 1\n',
    "snippets/bugs/__init__.py": "from snippets.bugs import one\n\n\ndef numbers():\n"
    '    return {\n        "one": one.wrong(),\n    }\n',
    "snippets/bugs/one.py": "".join(
        f"def {name}():\n    return 1\n\n\n"
        for name in ("wrong", "right", "measure", "demo", "check")
    ),
}
IMPORT = line_of(tiny.SNIPPET, "from publisher.figures import palette")
GALLERY = {
    ("snippets/bugs/one.py", "def check(", "def chek("): "snippets/bugs/one.py:1: a bug without"
    " check; define what is missing",
    ("docs/bugs.md", "{{ code bugs.one.check }}", ""): "snippets/bugs/one.py:1: a bug that no page"
    " shows in full; write {{ code bugs.one.check }}",
    ("snippets/example.py", "from publisher.figures import palette", "import snippets.bugs.one"):
    f"snippets/example.py:{IMPORT}: imports snippets.bugs.one, which is wrong on purpose; take"
    " the right code",
}  # fmt: skip


@pytest.mark.parametrize("change", GALLERY)
def test_a_mistake_in_the_gallery(change: tuple[str, str, str], tmp_path: Path) -> None:
    folder = with_bug(tmp_path)
    file, old, new = change
    text = (folder / file).read_text("utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new), "utf-8")
    assert tiny.mistake(folder) == GALLERY[change]


def test_a_gallery_without_its_list(tmp_path: Path) -> None:
    folder = with_bug(tmp_path)
    (folder / "snippets/bugs/__init__.py").unlink()
    (folder / "docs/bugs.md").unlink()
    said = "snippets/bugs/__init__.py:1: a gallery without its list; write the bugs' numbers() here"
    assert tiny.mistake(folder) == said


def with_bug(folder: Path) -> Path:
    tiny.make(folder)
    for name, text in BUG.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def test_a_gallery_without_a_mistake_builds(tmp_path: Path) -> None:
    assert 'data-id="bugs.one">1</data>' in tiny.publish(with_bug(tmp_path))["bugs.md"]
