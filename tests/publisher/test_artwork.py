"""A drawing on its way to a page: ids of its own, the page's colours, no colour besides."""

from __future__ import annotations

import re
from collections.abc import Callable
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MatplotlibFigure
from matplotlib.patches import Rectangle

from publisher.errors import Mistake
from publisher.figures import palette
from publisher.figures.export import Artwork, Credit, artwork
from publisher.figures.parts import canvas
from publisher.results import Figure, Table
from publisher.syntax import Origin

TOKEN = "#0b3f94"
CREDIT = Credit("Tiny", "1.0.0", "2026", "https://tiny.test/")
WHERE = Origin("snippets/notes/a_b.py", 7, "")


def everything(axes: Axes) -> None:
    """Draw what needs ids: a hatched patch that is clipped, marks, text, a dashed line."""
    axes.add_patch(
        Rectangle((10, 10), 40, 20, facecolor=TOKEN, edgecolor=palette.PAPER, hatch="//")
    )
    axes.plot([10, 50], [60, 60], "o--", color=palette.ACCENT)
    axes.plot([80], [60], "o", fillstyle="none", color=palette.RULE)
    axes.text(10, 80, "a < b & 'c'  d", color=palette.INK, transform=axes.transData)


def made(draw: Callable[[Axes], object], **colours: str) -> Artwork:
    def drawing(narrow: bool) -> MatplotlibFigure:
        whole, axes = canvas(90 if narrow else 200, 100)
        draw(axes)
        return whole

    data = Table("Data", (r"$\alpha$", "y"), [("one", 0.1 + 0.2), ("two", [1.0, 2.5])])
    figure = Figure("A title", "A caption", "A description.", "invented numbers", data, drawing)
    return artwork("notes.a_b.plane", WHERE, "notes/a-b/", figure, CREDIT, colours)


def xml(content: str) -> ElementTree.Element:
    return ElementTree.fromstring(
        f'<svg xmlns:xlink="http://www.w3.org/1999/xlink">{content}</svg>'
    )


def test_every_colour_is_a_variable_on_the_page_and_itself_in_the_files() -> None:
    art = made(everything, **{"token-1": TOKEN})
    for drawing in (art.wide, art.narrow):
        assert not re.search(r"#[0-9a-f]{6}", drawing.content)
        used = set(re.findall(r"var\(--([\w-]+)\)", drawing.content))
        assert used == {
            "token-1", "figure-paper", "figure-accent", "figure-rule", "figure-ink", "figure-font",
        }  # fmt: skip
    file = art.files["figures/notes/a-b/plane.svg"].decode()
    assert "var(" not in file
    assert set(re.findall(r"(?:fill: |stroke: |fill=\")(#\w+)", file)) == {
        TOKEN, palette.PAPER, palette.ACCENT, palette.RULE, palette.INK,
    }  # fmt: skip


def test_ids_are_unique_on_the_page_and_every_reference_leads_to_one() -> None:
    art = made(everything, **{"token-1": TOKEN})
    both = xml(art.wide.content + art.narrow.content)
    ids = [element.attrib["id"] for element in both.iter() if "id" in element.attrib]
    text = ElementTree.tostring(both, "unicode")
    references = re.findall(r'url\(#([^)]+)\)|href="#([^"]+)"', text)
    targets = {first or second for first, second in references}
    assert len(ids) == len(set(ids))
    assert set(ids) == targets
    for width in ("w", "n"):  # for each a clip path, a hatch and two marks
        assert sum(name.startswith(f"figure-notes-a-b-plane-{width}-") for name in ids) == 4


def test_a_drawing_keeps_its_words_and_its_shape() -> None:
    art = made(everything, **{"token-1": TOKEN})
    text = xml(art.wide.content).find(".//text")
    assert text is not None and text.text == "a < b & 'c'  d"
    assert (art.wide.view_box, art.wide.pixels) == ("0 0 200 100", round(200 * 4 / 3))
    assert (art.narrow.view_box, art.narrow.pixels) == ("0 0 90 100", 90 * 4 / 3)
    file = art.files["figures/notes/a-b/plane.svg"].decode()
    paths = re.findall(r' d="([^"]+)"', file)
    shown = re.findall(r' d="([^"]+)"', art.wide.content)
    assert [path.split() for path in shown] == [path.split() for path in paths]
    assert "metadata" in file and "metadata" not in art.wide.content


FOREIGN = {
    "#123456": lambda axes: axes.text(1, 1, "x", color="#123456"),
    "#1f77b4": lambda axes: axes.plot([1, 2], [1, 2]),
    "#ff0000": lambda axes: axes.add_patch(Rectangle((1, 1), 9, 9, color="red")),
    TOKEN: lambda axes: axes.text(1, 1, "x", color=TOKEN),
    "#000000": lambda axes: axes.plot([1, 2], [1, 2], color="black"),
    "black": lambda axes: axes.text(1, 1, "x", color="black"),
}


@pytest.mark.parametrize("colour", FOREIGN)
def test_a_colour_outside_the_palette_is_a_mistake(colour: str) -> None:
    with pytest.raises(Mistake) as mistake:
        made(FOREIGN[colour])
    said = f"figure 'plane' has the colour {colour}; take one of the palette"
    assert str(mistake.value) == f"snippets/notes/a_b.py:7: {said}"


def test_a_picture_that_no_variable_can_colour_is_a_mistake() -> None:
    with pytest.raises(Mistake, match="of an image, which no page can change; take one"):
        made(lambda axes: axes.imshow(np.eye(2)))


def test_the_files_say_what_they_are() -> None:
    art = made(everything, **{"token-1": TOKEN})
    kinds = ("svg", "png", "pdf", "csv", "json")
    assert art.downloads == {kind: f"figures/notes/a-b/plane.{kind}" for kind in kinds}
    citation = (
        "Tiny contributors (2026). A title. Tiny, version 1.0.0."
        " https://tiny.test/notes/a-b/#figure-notes-a-b-plane"
    )
    assert (art.citation, art.anchor) == (citation, "figure-notes-a-b-plane")
    for kind in ("svg", "csv", "json"):
        assert citation in art.files[art.downloads[kind]].decode()
    rows = art.files[art.downloads["csv"]].decode().splitlines()
    assert rows[-3:] == ["alpha,y", "one,0.30000000000000004", 'two,"[1, 2.5]"']


def test_the_same_drawing_gives_the_same_bytes() -> None:
    assert made(everything, **{"token-1": TOKEN}) == made(everything, **{"token-1": TOKEN})
