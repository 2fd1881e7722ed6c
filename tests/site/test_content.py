"""Every point that the site must teach stands where `tests/points` says, and is made there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin

import pytest
from bs4 import BeautifulSoup, Tag

from tests import tiny

LISTS = [tiny.ROOT / f"tests/points/{name}.txt" for name in ("content", "notes", "teaching")]
PARTS = (
    "0.", "Before", "1.", "2.", "3.", "4.", "5.", "6.", "7.", "8.", "9.",
    "Note 1.", "Note 2.", "Sources", "Misreadings", "Gallery",
)  # fmt: skip
SENTENCES = (
    "The fisherman repaired his net beside the bank.",
    "The cashier counted the money inside the bank.",
    "The bank flooded after the storm.",
)
BLOCKS = ["p", "li", "td", "th", "dt", "dd", "tr", "caption", "figcaption", "div", "pre", "h2"]


class Point(NamedTuple):
    """One row of the list: a point, the page and anchor where it stands, what must stand there."""

    part: str
    words: str
    page: str
    anchor: str
    claims: tuple[str, ...]


def read(text: str) -> list[Point]:
    """Read a list."""
    points, part = [], ""
    for row in re.sub(r"\n +", " ", text).splitlines():
        if row.startswith("## "):
            part = row[3:]
        elif row and not row.startswith("#"):
            words, place, *claims = (cell.strip() for cell in row.split(" | "))
            page, _, anchor = place.partition("#")
            points.append(Point(part, words, page, anchor, tuple(claims)))
    return points


POINTS = [point for file in LISTS for point in read(file.read_text("utf-8"))]


def load(html: str) -> Tag:
    """Return a page's article, its formulas as TeX, every block set off by a space."""
    article = BeautifulSoup(html, "html.parser").find("article")
    assert isinstance(article, Tag)
    for aside in article.select("script, style, a.headerlink, .cite"):
        aside.decompose()
    for formula in article.find_all("math"):
        tex = formula.find("annotation")
        formula.replace_with(tex.get_text() if tex else formula.get_text())
    for drawing in article.find_all("svg"):  # its words and numbers stand below it, too
        drawing.decompose()
    for block in article.find_all(BLOCKS):
        block.append(" ")
    return article


def section(article: Tag, anchor: str) -> list[Tag]:
    """Return the elements that an anchor opens; none if there is no such anchor."""
    start = article.find(id=anchor)
    if not isinstance(start, Tag):
        return []
    if anchor.startswith("misreading-"):
        box = start.find_parent(class_="admonition")
        return [box] if box else []
    if not re.fullmatch("h[1-6]", start.name):
        return [start]
    # A title opens its page up to the first heading below it, and not the whole page.
    last = 6 if start.name == "h1" else int(start.name[1])
    found = [start]
    for element in start.find_next_siblings():
        if re.fullmatch(f"h[1-{last}]", element.name):
            break
        found.append(element)
    return found


def flat(text: str) -> str:
    return " ".join(text.split())


def shown(elements: list[Tag], name: str) -> set[str]:
    """Return how a section prints a number, or a vector, of that name."""
    numbers = [(str(n["data-id"]), n.get_text()) for e in elements for n in e.select("data.num")]
    single = {text for identifier, text in numbers if identifier == name}
    one_of = re.compile(rf"{re.escape(name)}\[\d+\]")
    parts = [(identifier, text) for identifier, text in numbers if one_of.fullmatch(identifier)]
    width = len({identifier for identifier, _ in parts}) or 1
    texts = [text for _, text in parts]
    vectors = {f"[{', '.join(texts[i : i + width])}]" for i in range(0, len(texts), width)}
    return single | vectors


def lacks(article: Tag, point: Point) -> list[str]:
    """Say what a point asks for and its section does not hold."""
    elements = section(article, point.anchor)
    if not elements:
        return ["the anchor"]
    text = flat("".join(element.get_text() for element in elements))
    base = f"https://here/{point.page}"
    links = {urljoin(base, str(a["href"])) for e in elements for a in e.select("a[href]")}
    missing = []
    for claim in point.claims:
        if claim.startswith("="):
            name, _, printed = claim[1:].partition(": ")
            texts = shown(elements, name)
            holds = printed in texts if printed else bool(texts)
        elif claim.startswith(">"):
            holds = f"https://here/{claim[1:]}" in links
        else:
            holds = claim in text
        if not holds:
            missing.append(claim)
    return missing


@pytest.fixture(scope="module")
def page(site: Path) -> Callable[[str], Tag]:
    """Return what gives a page's article by its address, parsed once."""
    known: dict[str, Tag] = {}

    def article(address: str) -> Tag:
        if address not in known:
            known[address] = load((site / address / "index.html").read_text("utf-8"))
        return known[address]

    return article


def test_every_point_stands_on_its_page(page: Callable[[str], Tag]) -> None:
    missing = [
        f"{point.page}#{point.anchor} lacks {claim!r} ({point.part}: {point.words})"
        for point in POINTS
        for claim in lacks(page(point.page), point)
    ]
    assert missing == []


def test_the_list_is_whole() -> None:
    parts = list(dict.fromkeys(point.part for point in POINTS))
    assert [part.startswith(PARTS[i]) for i, part in enumerate(parts)] == [True] * len(PARTS)
    assert len(POINTS) > 120
    assert [point.words for point in POINTS if not point.claims or not point.anchor] == []
    rows = Counter((point.page, point.anchor, claim) for point in POINTS for claim in point.claims)
    assert [row for row, times in rows.items() if times > 1] == []


def test_every_misreading_and_every_bug_is_in_the_list(page: Callable[[str], Tag]) -> None:
    listed = {point.anchor.removeprefix("misreading-") for point in POINTS}
    boxes = {str(h["id"]) for h in page("misreadings/").select("h2[id]")}
    bugs = {name.rpartition(".")[2].replace("_", "-") for name in tiny.PROJECT.bugs}
    assert len(boxes) > 15
    assert len(bugs) > 10
    assert boxes - listed == set()
    assert bugs - listed == set()
    numbered = {p.words.split()[0] for p in POINTS if p.part == "Misreadings"}
    assert {str(row) for row in range(1, 16)} <= numbered


def test_every_misreading_has_a_number(page: Callable[[str], Tag]) -> None:
    article = page("misreadings/")
    boxes = [str(h["id"]) for h in article.select("h2[id]")]
    bare = [b for b in boxes if not any(e.select("data.num") for e in section(article, b))]
    assert bare == []


def test_the_three_sentences_are_quoted_exactly(page: Callable[[str], Tag]) -> None:
    begin = re.compile(r"The (?:fisherman repaired|cashier counted|bank flooded)[^.]*\.")
    addresses = sorted({point.page for point in POINTS})
    told = [flat(p.get_text()) for address in addresses for p in page(address).select("p")]
    quoted = [sentence for text in told for sentence in begin.findall(text)]
    assert set(quoted) == set(SENTENCES)
    assert len(quoted) > 10


def test_every_page_on_attention_explains_its_terms(page: Callable[[str], Tag]) -> None:
    addresses = sorted({point.page for point in POINTS} - {"references/"})
    bare = [a for a in addresses if not page(a).select('a.term[href*="glossary/#"][title]')]
    assert bare == []


TINY = """<article><h1 id="t">Title</h1><p>Lead.</p><h2 id="a">A<a class="headerlink">¶</a></h2>
<p>One <data class="num" data-id="m.x">0.5</data>
claim, [<data class="num" data-id="m.v[0]">1</data>, <data class="num" data-id="m.v[1]">2</data>].
<a href="../other/#b">There</a></p><h3 id="a1">Deeper</h3><p>Inside.</p>
<div class="admonition"><p><a id="misreading-m" href="#m">All</a></p><p>In the box.</p></div>
<h2 id="b">B</h2><p>Outside.</p></article>"""


@pytest.mark.parametrize(
    ("anchor", "claim", "found"),
    [
        ("a", "One 0.5 claim", True), ("a", "Inside.", True), ("a", "Outside.", False),
        ("a", "Lead.", False), ("t", "Lead.", True), ("t", "Inside.", False),
        ("a1", "Inside.", True), ("a1", "One", False), ("a1", "In the box.", True),
        ("misreading-m", "In the box.", True), ("misreading-m", "Inside.", False),
        ("gone", "One", False), ("a", "=m.x", True), ("a", "=m.x: 0.5", True),
        ("a", "=m.x: 0.6", False), ("a", "=m.y", False), ("b", "=m.x", False),
        ("a", "=m.v: [1, 2]", True), ("a", "=m.v: [2, 1]", False), ("a", "=m.v", True),
        ("b", "=m.v", False), ("a", ">other/#b", True), ("a", ">other/", False),
        ("b", ">other/#b", False),
    ],
)  # fmt: skip
def test_a_section_holds_what_it_holds(anchor: str, claim: str, found: bool) -> None:
    point = Point("part", "words", "page/", anchor, (claim,))
    assert (lacks(load(TINY), point) == []) is found
