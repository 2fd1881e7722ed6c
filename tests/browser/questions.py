"""What is asked of an open page: each function asserts one thing, wherever it is asked."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

RULES = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]},
    "resultTypes": ["violations"],
}
OPEN_ALL = "document.querySelectorAll('details').forEach(d => d.open = true)"
# Of what is alike, some stands for all: rows of a table, lines of code, labels, formulas.
THIN = """(root) => {
  for (const [box, items, kept] of [
    ["table", "tbody tr", 2], ["pre code", ":scope > span", 6], ["svg", "text", 12],
    ["article", "math", 6],
  ])
    for (const one of document.querySelectorAll(`${root} ${box}`))
      [...one.querySelectorAll(items)].slice(kept).forEach((item) => item.remove());
}"""
TABLES = ".table-scroll, .md-typeset__table"
OVER = "all => all.map(e => e.scrollWidth - e.clientWidth)"
WIDTH = "document.documentElement.scrollWidth"
ZOOM = "size => { document.documentElement.style.fontSize = size; }"
BROKEN = "all => all.filter(n => n.getClientRects().length > 1).map(n => n.textContent)"
# What a page without scripts does not show: paragraphs, figures and formulas.
HIDDEN = """() => {
  const shown = (e) => e.checkVisibility({ visibilityProperty: true })
    && e.getBoundingClientRect().width > 0;
  const article = document.querySelector("article.md-content__inner");
  const items = [...article.querySelectorAll(":scope > :is(p, .formula, figure)")];
  // An answer's figure waits in its closed box.
  const figures = [...article.querySelectorAll("figure.figure, .explorable")]
    .filter((e) => !e.closest("details:not([open])"));
  const drawings = (e) => [...e.querySelectorAll("svg.drawing")].filter(shown).length;
  const formulas = [...article.querySelectorAll("math")].filter((e) => e.checkVisibility());
  const small = ({ width, height }) => width <= 2 || height <= 4;
  return [
    ...items.filter((e) => !shown(e)),
    ...figures.filter((e) => drawings(e) !== 1),
    ...formulas.filter((e) => small(e.getBoundingClientRect())),
    ...article.querySelectorAll(".explorable .panel"),
  ].map((e) => e.outerHTML.slice(0, 200));
}"""


def axe(page: Page, root: str = "html") -> list[Any]:
    """Return what axe finds wrong in a part of the page: the rule, and places where."""
    page.evaluate(THIN, root)
    found = Axe().run(page, context=root, options=RULES).response["violations"]
    return [(rule["id"], [node["html"][:160] for node in rule["nodes"][:3]]) for rule in found]


def accessible(page: Page) -> None:
    """Axe finds nothing, in a light narrow window and in a dark wide one."""
    page.evaluate(OPEN_ALL)
    for scheme, width in (("light", 320), ("dark", 1280)):
        # High enough that no link of the menu is half scrolled out: axe would call that small.
        page.set_viewport_size({"width": width, "height": 2000})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        if page.locator(".md-header").count():
            name = {"light": "default", "dark": "slate"}[scheme]
            expect(page.locator("body")).to_have_attribute("data-md-color-scheme", name)
        else:
            page.reload()  # the pages of sources find their scheme as they load
        assert axe(page) == [], (scheme, width)


def wide_enough_for_tables(page: Page, least: int) -> None:
    """No table scrolls sideways on a wide screen, of at least so many."""
    page.evaluate(OPEN_ALL)
    over = page.eval_on_selector_all(TABLES, OVER)
    assert len(over) >= least
    assert max(over, default=0) <= 0


def narrow_enough(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    assert page.evaluate(WIDTH) <= width


def says_whose_numbers_it_shows_and_speaks_only_when_asked(page: Page, tag: str) -> None:
    widget = page.locator(tag)
    assert "computed by Python" in widget.locator(".origin").inner_text()
    assert widget.locator(".said").inner_text() == ""
    for missing in ("NaN", "undefined", "Infinity", "[object"):
        assert missing not in widget.inner_html(), missing


def shows_its_figure_on_paper(page: Page, tag: str) -> None:
    assert page.locator(f"{tag} > figure").is_hidden()
    page.emulate_media(media="print")
    assert page.locator(f"{tag} > figure").is_visible()
    assert page.locator(f"{tag} .panel").is_hidden()
    page.emulate_media(media="screen")


def fits_when_narrow_and_large_in_forced_colours(page: Page, tag: str) -> None:
    page.emulate_media(forced_colors="active")
    for width, size in ((320, "100%"), (640, "200%")):
        page.evaluate(ZOOM, size)
        narrow_enough(page, width)
        # A number stands on one line.
        assert page.locator(f"{tag} .data data.live").evaluate_all(BROKEN) == []
    page.evaluate(ZOOM, "")
    page.emulate_media(forced_colors="none")
