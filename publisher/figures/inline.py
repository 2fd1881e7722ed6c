"""A matplotlib SVG becomes part of a page: ids of its own, the page's colours and letters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from markupsafe import Markup

_HREF = "{http://www.w3.org/1999/xlink}href"
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_DRAWN = ("path", "text", "use", "rect")
_NOT_DRAWN = ("defs", "clipPath", "pattern")  # but used by what is drawn
_FONT = "'DejaVu Sans'"


@dataclass(frozen=True)
class Drawing:
    """What stands inside an inline SVG, its view box, and its width in CSS pixels."""

    content: Markup
    view_box: str
    pixels: int


class ForeignColourError(ValueError):
    """A drawing has a colour that no CSS variable stands for; the text says which."""

    def __init__(self, colour: str) -> None:
        super().__init__(f"has the colour {colour}; take one of the palette")


def inline(svg: bytes, prefix: str, variables: Mapping[str, str]) -> Drawing:
    """Return a drawing for a page.

    Parameters
    ----------
    svg : bytes
        The file as matplotlib wrote it.
    prefix : str
        What the ids begin with, so that no two drawings on a page share one.
    variables : mapping of str to str
        The CSS variable that stands for each colour (#rrggbb) that the drawing may have.

    Raises
    ------
    ForeignColourError
        If the drawing has any other colour.
    """
    root = ElementTree.fromstring(svg)
    for metadata in root.findall("{*}metadata"):
        root.remove(metadata)
    if root.find(".//{*}image") is not None:
        raise ForeignColourError("of an image, which no page can change")
    _refuse_black(root)
    linked = {name for element in root.iter() for name in _references(element)}
    for element in root.iter():
        element.tag = _name(element)
        element.text, element.tail = _without_layout(element.text), _without_layout(element.tail)
        element.attrib = dict(_attributes(element, linked, prefix, variables))
    view_box = root.attrib["viewBox"]
    content = "".join(ElementTree.tostring(child, "unicode") for child in root)
    return Drawing(
        Markup(content.replace(" />", "/>")),  # a > in text or in an attribute is escaped
        view_box,
        pixels=round(float(view_box.split()[2]) * 4 / 3),
    )


def _name(element: Element) -> str:
    """Return an element's name without its namespace, which HTML does not need."""
    return element.tag.rpartition("}")[2]


def _without_layout(text: str | None) -> str | None:
    return text if text and text.strip() else None


def _references(element: Element) -> Iterator[str]:
    """Yield the ids that an element refers to."""
    for name, value in element.attrib.items():
        if name == _HREF:
            yield value.removeprefix("#")
        yield from _REFERENCE.findall(value)


def _refuse_black(element: Element) -> None:
    """Stop at something drawn without a colour, as matplotlib writes black."""
    style = dict(_declarations(element))
    invisible = float(style.get("fill-opacity", 1)) == 0
    if _name(element) in _DRAWN and "fill" not in style and not invisible:
        raise ForeignColourError("black")
    for child in element:
        if _name(child) not in _NOT_DRAWN:
            _refuse_black(child)


def _declarations(element: Element) -> Iterator[tuple[str, str]]:
    """Yield an element's styles by property."""
    for declaration in filter(None, element.get("style", "").split(";")):
        name, _, value = declaration.partition(":")
        yield name.strip(), value.strip()


def _attributes(
    element: Element, linked: set[str], prefix: str, variables: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield an element's attributes as they are on the page."""

    def page(name: str, value: str) -> str:
        if name in ("fill", "stroke") and value != "none" and not _REFERENCE.match(value):
            if value not in variables:
                raise ForeignColourError(value)
            return f"var(--{variables[value]})"
        if value == _FONT:
            return "var(--figure-font)"
        return _REFERENCE.sub(rf"url(#{prefix}-\1)", re.sub(r"\s+", " ", value))

    for name, value in element.attrib.items():
        if name == "style":
            styles = (f"{key}: {page(key, text)}" for key, text in _declarations(element))
            yield name, "; ".join(styles)
        elif name == _HREF:
            yield "xlink:href", f"#{prefix}-{value.removeprefix('#')}"
        elif name != "id":
            yield name, page(name, value)
        elif value in linked:
            yield name, f"{prefix}-{value}"
