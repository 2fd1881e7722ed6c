"""The HTML that pages are made of: nothing handed to it is read as markup, every address leads."""

from __future__ import annotations

import json

import pytest
from bs4 import BeautifulSoup
from jinja2 import UndefinedError
from markupsafe import Markup

from publisher.features import misreadings
from publisher.features.glossary import Glossary
from publisher.figures.export import Artwork
from publisher.figures.inline import Drawing
from publisher.html import blocks, templates
from publisher.html.templates import inline, render
from publisher.project import Addresses, Here
from publisher.results import Widget

# Text that would break out of an element or an attribute, and that earlier templates replaced.
ODD = "a {data} {{ root }} <b title=\"x\">&amp;'y'</b>"
FOLDERS, FILES = Addresses(directory_urls=True), Addresses(directory_urls=False)
HERE = Here(FOLDERS, "notes/page.md")
DRAWING = Drawing(Markup('<path d="M 0 0"/>'), "0 0 72 36", 96)


def soup(markup: str) -> BeautifulSoup:
    return BeautifulSoup(markup, "html.parser")


def artwork() -> Artwork:
    files = {f"figures/a/b.{kind}": b"" for kind in ("svg", "csv")}
    return Artwork("figure-a-b", ODD, ODD, ODD, "CC", ODD, DRAWING, DRAWING, files)


def figure(here: Here = HERE) -> BeautifulSoup:
    return soup(blocks.figure(artwork(), Markup("<i>caption</i>"), Markup("<hr>"), here))


def test_a_figure_shows_its_words_as_they_are() -> None:
    made = figure()
    assert [svg["aria-label"] for svg in made("svg")] == [f"{ODD}. {ODD}"] * 2
    label, caption, details = made.select_one(".label"), made.figcaption, made.details
    assert label and caption and details
    assert (label.text, caption.strong.text) == (ODD, f"{ODD}.")
    assert [p.text for p in details("p")] == [ODD, f"Download: SVG, CSV. Licence: CC. Cite: {ODD}"]
    assert [len(made(name)) for name in ("b", "i", "hr", "path")] == [0, 1, 1, 2]


def test_a_widget_carries_its_data_and_its_files_addresses() -> None:
    data = {"words": [ODD, "</template>"], "n": 0.5}
    made = Widget("a-b", ODD, ODD, "x.y", {"start": 1}, data)
    page = soup(blocks.widget("x.y_z", made, Markup("<hr>"), HERE))
    element = page.find("a-b")
    assert element and element.template and element.hr
    assert json.loads(element.template.text) == {"start": {"start": 1}, "results": data}
    assert (element["id"], element["data-title"], element["data-label"]) == (
        "widget-x-y-z", ODD, ODD,
    )  # fmt: skip
    assert page.script and page.script["src"] == "../../assets/explore/a-b.js"


def test_a_page_carries_its_numbers() -> None:
    records = {"a.b": ["snippets/a.py:1", "tests/a.py:2", "f(x < 1, '</template>')"]}
    here = Here(Addresses(), "notes/a.md")
    template = soup(blocks.page_numbers(records, here)).template
    assert template and json.loads(template.text) == records
    assert template["data-source"] == "../../source/FILE/"
    assert blocks.page_numbers({}, here) == ""


def test_a_table_tells_its_cells_apart() -> None:
    cells = [
        blocks.TableCell(blocks.text("`a_<b>` & c"), heads_row=True),
        blocks.TableCell(
            blocks.row([blocks.number("x.y[0]", "0.25", "0.25"), Markup("1")]), numeric=True
        ),
        blocks.TableCell(blocks.text("words")),
    ]
    made = soup(
        blocks.table(
            ODD, [Markup("A"), Markup("B"), Markup("C")], [cells], Markup("<i>c</i>"), "t-1"
        )
    )
    shown = made.select("tbody > tr > *")
    assert [(cell.name, cell.get("class"), cell.text) for cell in shown] == [
        ("th", None, "a_<b> & c"), ("td", ["number"], "[0.25, 1]"), ("td", None, "words"),
    ]  # fmt: skip
    assert made.div and (made.div["aria-label"], made.div["id"]) == (ODD, "t-1")
    assert made.caption and made.caption.i and made.code and made.code.text == "a_<b>"
    beside = soup(blocks.table(ODD, [], []))
    assert not beside.caption and beside.div and not beside.div.get("id")


def every_address(here: Here) -> list[str]:
    """Return the addresses of all parts that link."""
    glossary = Glossary({"query": "What asks."})
    parts = [
        str(figure(here)),
        blocks.provenance("snippets/a.py", 3, 5, "tests/test_a.py", here),
        misreadings.anchor("one-two", "misreadings.md", here),
        glossary.listing(),
    ]
    return [str(link["href"]) for link in soup("".join(parts))("a")]


def test_addresses_obey_the_setting() -> None:
    own, downloads = "#figure-a-b", ["figures/a/b.svg", "figures/a/b.csv"]
    assert every_address(Here(FOLDERS, "notes/page.md")) == [
        own, *(f"../../{file}" for file in downloads),
        "../../source/snippets/a.py/#L-3", "../../source/tests/test_a.py/",
        "../../misreadings/#one-two",
    ]  # fmt: skip
    assert every_address(Here(FILES, "notes/page.md")) == [
        own, *(f"../{file}" for file in downloads),
        "../source/snippets/a.py.html#L-3", "../source/tests/test_a.py.html",
        "../misreadings.html#one-two",
    ]  # fmt: skip


def test_source_has_a_link_for_each_line() -> None:
    text = 'def f():\n\n    """a\n    b < c"""\n'
    page = soup(blocks.source(text))
    assert [line["id"] for line in page("span", id=True)] == ["L-1", "L-2", "L-3", "L-4"]
    assert page.pre and page.pre.text == text


def test_what_stands_in_running_text_survives_markdown() -> None:
    odd = "*a* _b_ `c` [d](e) <i> & \\"
    citation = inline("citation", "address", odd, odd, odd)
    link = soup(citation).a
    assert link and link["title"] == odd
    assert soup(citation).text == f"{odd}, {odd}"
    assert not set("*_`[]\\") & set(citation)
    assert inline("citation", "address", "t", "l", "").endswith("</a>")


def test_a_template_names_nothing_that_it_is_not_given() -> None:
    with pytest.raises(UndefinedError, match="opening"):
        render("mathml", body="", tex="")


def test_layout_of_a_template_is_no_content() -> None:
    source = '<a\n  href="x">\n  {% if true %}\n  b,\n  c\n  {% endif %}\n</a>\n'
    environment = templates._ENVIRONMENT
    assert environment.from_string(source).render() == '<a href="x">b, c</a>'
