"""Every piece of HTML is made here, by Jinja2, which escapes whatever a template is handed.

Only a `markupsafe.Markup`, which is HTML already, goes in as it is. The templates lie beside this
file, in templates/; those for a line of text are macros in one file, inline.html.
"""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.ext import Extension
from markupsafe import Markup


class _Layout(Extension):
    """Let a template be laid out in lines.

    A line break beside a tag or a statement is layout, and dropped; any other is a space.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return the template's source on one line."""
        layout = r"((?<=>)|(?<=%\})|(?<=#\}))\s*\n\s*|\s*\n\s*(?=<|\{[%#])"
        return re.sub(r"\s*\n\s*", " ", re.sub(layout, "", source.strip()))


def entities(text: str) -> Markup:
    """Return text in which every character that HTML or Markdown could act on is an entity."""
    special = r"[\\`*_{}\[\]()!|<>&$~^:\"'#]"
    return Markup(re.sub(special, lambda found: f"&#{ord(found.group())};", text))


def shielded(markup: str) -> Markup:
    """Return HTML in which Markdown finds nothing to act on between the tags."""
    return Markup(
        re.sub(r"(?<=>)[^<]+(?=<)", lambda text: entities(html.unescape(text.group())), markup)
    )


def _breakable(file: str) -> Markup:
    """Return a file's name that may be broken after each slash."""
    return Markup("/<wbr>").join(file.split("/"))


def _page_name(address: str) -> str:
    """Return what a list of pages calls a page: notes/scaling, home."""
    return address.removesuffix("index.html").removesuffix(".html").strip("/") or "home"


_ENVIRONMENT = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    extensions=[_Layout],
)
_ENVIRONMENT.filters.update(entities=entities, breakable=_breakable, page_name=_page_name)
_ENVIRONMENT.policies["json.dumps_kwargs"] = {"separators": (",", ":")}


def render(template: str, **values: Any) -> Markup:
    """Return a template's HTML.

    Parameters
    ----------
    template : str
        The name of a file in templates/, without its ending.
    **values
        What the template names; each is escaped unless it is a `Markup`.

    Raises
    ------
    jinja2.UndefinedError
        If the template names a value that is not given.
    """
    return Markup(_ENVIRONMENT.get_template(f"{template}.html").render(values))


def inline(macro: str, *values: Any) -> Markup:
    """Return the HTML of a macro of inline.html: a piece of a line of text."""
    made: Markup = getattr(_ENVIRONMENT.get_template("inline.html").module, macro)(*values)
    return made
