"""Citations, glossary links and collected misreadings, on tiny sites and by themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from publisher.errors import Mistake
from publisher.features import references
from tests import tiny

BIB = r"""@article{one2001,
  author = {Kaiser, {\L}ukasz},
  title = {A <first> thing},
  journal = {Journal},
  year = {2001},
  doi = {10.1/x},
}

@article{two2002,
  author = {de Vries, Ann and Brown, Bob C.},
  title = {Second},
  year = {2002},
  eprint = {2002.00002},
}

@article{three2003,
  author = {A, Ann and B, Bob and C, Cy},
  title = {Third},
  year = {2003},
  pages = {3-4},
  doi = {10.1/z},
}
"""


def with_bib(folder: Path, text: str = BIB) -> Path:
    (folder / "docs").mkdir(exist_ok=True)
    (folder / references.FILE).write_text(text, encoding="utf-8")
    return folder


def test_labels_and_entries(tmp_path: Path) -> None:
    loaded = references.load(with_bib(tmp_path))
    assert {key: r.label for key, r in loaded.items()} == {
        "one2001": "Kaiser 2001",
        "two2002": "de Vries and Brown 2002",
        "three2003": "A et al. 2003",
    }
    assert [r.line for r in sorted(loaded.values(), key=lambda r: r.key)] == [1, 16, 9]
    one, two, three = (loaded[key].entry for key in ("one2001", "two2002", "three2003"))
    assert one.startswith("Kaiser, Ł. (2001). <cite>A &lt;first&gt; thing</cite>. Journal. ")
    assert '<a href="https://doi.org/10.1/x">doi:10.1/x</a>' in one
    assert two.startswith("de Vries, A., &amp; Brown, B. C. (2002). ")
    assert '<a href="https://arxiv.org/abs/2002.00002">arXiv:2002.00002</a>' in two
    assert "pp. 3–4" in three
    assert list(loaded) == ["three2003", "two2002", "one2001"]  # A, de Vries, Kaiser


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("  doi = {10.1/x},\n", "", "docs/references.bib:1: entry 'one2001' lacks doi or eprint"),
        ("  year = {2002},\n", "", "docs/references.bib:9: entry 'two2002' lacks year; add it"),
        ("  title = {Second},", "  title = {Second,", "docs/references.bib:"),
    ],
)
def test_entries_that_lead_nowhere(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert BIB.count(old) == 1
    with pytest.raises(Mistake) as mistake:
        references.load(with_bib(tmp_path, BIB.replace(old, new)))
    assert str(mistake.value).startswith(said)
    assert "\n" not in str(mistake.value)


LAST = tiny.PAGE.count("\n")


@pytest.mark.parametrize(
    ("cited", "expected"),
    [
        (
            "{{ cite one2001 }} {{ cite two2002 }} {{ cite tree2003 }}",
            f"docs/example.md:{LAST + 3}: no reference 'tree2003' in docs/references.bib"
            " (did you mean 'three2003'?)",
        ),
        (
            "{{ cite one2001 }} {{ cite three2003 }}",
            "docs/references.bib:9: reference 'two2002' is cited by no page; cite it or delete it",
        ),
    ],
)
def test_citations_and_entries_match_both_ways(tmp_path: Path, cited: str, expected: str) -> None:
    folder = with_bib(tiny.make(tmp_path, page=f"{tiny.PAGE}\n\n{cited}\n"))
    assert tiny.mistake(folder) == expected


def test_citation_links_to_its_entry(tmp_path: Path) -> None:
    text = "({{ cite one2001 | section 3.2 }}; {{ cite two2002 }}; {{ cite three2003 }})"
    folder = with_bib(tiny.make(tmp_path, page=f"{tiny.PAGE}\n\n{text}\n"))
    listing = "---\nchapter: false\n---\n\n# References\n\n{{ references all }}\n"
    (folder / "docs/references.md").write_text(listing)
    pages = tiny.publish(folder)
    page = pages["example.md"]
    link = '<a class="citation" href="../references/#one2001" title="A &#60;first&#62; thing">'
    assert f"({link}Kaiser 2001</a>, section 3.2; " in page
    assert '<li id="one2001">Kaiser, Ł.' in pages["references.md"]


def test_terms_are_linked_in_prose_alone(tmp_path: Path) -> None:
    page = f"""{tiny.PAGE}
## The query here {{#heading}}

!!! note "A query in a title"

    A query in a box, `query` in code, $query$ in a formula. A query again.
"""
    folder = tiny.make(tmp_path, page=page)
    (folder / "docs/glossary.md").write_text(
        "---\nchapter: false\nterms:\n  query: {also: [queries], means: What asks.}\n---\n\n"
        "# Glossary\n\nA query.\n\n{{ glossary all }}\n"
    )
    pages = tiny.publish(folder)
    built = pages["example.md"]
    assert built.count('class="term"') == 1
    assert (
        'A <a class="term" href="../glossary/#query" title="What asks.">query</a> in a box' in built
    )
    glossary = pages["glossary.md"]
    assert '<dl class="glossary"><dt id="query">query</dt><dd>What asks.</dd></dl>' in glossary
    assert 'class="term"' not in glossary


BOX = """# Page

!!! warning "A common misreading: one is two"

    {{ misreading one-two }}

    It is not. See [there](b.md) and [home](https://x.org/y.md).

    {{ table t.n }}

After.
"""


def test_misreadings_are_collected_in_reading_order() -> None:
    other = BOX.replace("one-two", "three").replace("one is two", "three is three")
    pages = {"a.md": other, "n/c.md": BOX}
    made = tiny.collected(pages, ["n/c.md", "a.md"])
    first, second = made.split("\n\n## ")
    assert first == (
        "## One is two {#one-two}\n\n"
        "It is not. See [there](n/b.md) and [home](https://x.org/y.md).\n\n{{ table t.n }}\n\n"
        '<a href="../n/c/#misreading-one-two">In its chapter: A page</a>'
    )
    assert second.startswith("Three is three {#three}\n\nIt is not. See [there](b.md)")
    assert "After" not in made


def test_a_misreading_outside_its_box_is_a_mistake() -> None:
    squeezed = BOX.replace('two"\n\n', 'two"\n')
    with pytest.raises(Mistake, match=r"docs/a.md:4: a misreading outside its box"):
        tiny.collected({"a.md": squeezed}, ["a.md"])


def test_two_misreadings_with_one_link_are_a_mistake() -> None:
    with pytest.raises(Mistake, match=r"docs/b.md:3: two misreadings 'one-two'; rename one"):
        tiny.collected({"a.md": BOX, "b.md": BOX}, ["a.md", "b.md"])
