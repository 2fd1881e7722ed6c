"""A page's Markdown with shortcodes becomes Markdown without: pure, and free of MkDocs.

The second room on a number's way to its page. A page takes what it needs from the results, and
says what it used; it writes into nothing that another stage made.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from markupsafe import Markup

from publisher import formats, syntax
from publisher.collect import Chapter, cell_id
from publisher.errors import Mistake, blamed, suggestion
from publisher.features import misreadings, references
from publisher.html import blocks, mathml
from publisher.html.templates import entities
from publisher.project import Here, element_id
from publisher.render import placing, shortcodes
from publisher.render.front_matter import Page
from publisher.render.shortcodes import Part, Shortcode
from publisher.render.values import Block, Late, Rendered, Sources, Uses
from publisher.results import Cell, Figure, Number, Table, Widget, cells, number


def render(page: Page, sources: Sources, here: Here) -> Rendered:
    """Expand every shortcode and formula of a page.

    Raises
    ------
    Mistake
        At the line of the first one that cannot be expanded.
    """
    with blamed(page.name):
        return Renderer(page, sources, here).page()


class Renderer:
    """Renders one page, and keeps count of what it uses."""

    def __init__(self, page: Page, sources: Sources, here: Here) -> None:
        self.source, self.sources, self.here = page, sources, here
        self.line = page.first_line
        self.lines: Sequence[str] = page.body.split("\n")
        self.blocks: list[Block] = []
        self.uses: defaultdict[str, set[Any]] = defaultdict(set)
        self.standing: set[tuple[str, str]] = set()  # tables and figures of this page
        lists = sources.project.settings.lists
        if sources.gathered and lists.get("misreadings") == page.file:
            self.uses["lists"].add("misreadings")

    def page(self) -> Rendered:
        """Expand the whole page."""
        body = self.source.body
        out: list[str] = []
        for part in shortcodes.parts(body):
            self.line = self.source.first_line + part.line
            out.append(self._part(part))
        self._check_links(body)
        uses = {field.name: frozenset(self.uses[field.name]) for field in fields(Uses)}
        return Rendered(self.here, "".join(out), tuple(self.blocks), Uses(**uses))

    def _check_links(self, body: str) -> None:
        """Stop at two headings with one fixed link, or one that a table or figure has."""
        taken = {element_id(*standing) for standing in self.standing}
        for link, line in placing.fixed_links(body):
            if link in taken:
                self.line = self.source.first_line + line
                raise self.mistake(f"a second '#{link}' on this page; rename one")
            taken.add(link)

    def mistake(self, what: str) -> Mistake:
        """Return a mistake at the line being rendered."""
        return Mistake(self.source.name, self.line, what)

    def _require(self, problem: str) -> None:
        if problem:
            raise self.mistake(problem)

    # Parts of the page

    def _part(self, part: Part) -> str:
        if part.kind == "open" and shortcodes.near_shortcode(part.text):
            raise self._unclosed(part.text)
        if part.kind == "fence" and not re.search(r"\n[ \t>]*[`~]{3,}[ \t]*$", part.text):
            raise self.mistake("a code block that never ends; close it with its own marks")
        if part.kind in ("math", "display"):
            return self._formula(part)
        if part.kind == "shortcode" and (code := self._shortcode(part.text)):
            if code.keyword in shortcodes.BLOCK:
                return self._block(code, part)
            self._require(placing.inline(part, self.lines))
            if code.keyword == "cite":
                self._require(placing.citation(part, self.lines))
            return self._inline(code)
        if part.kind == "escape":
            return part.text.replace(r"\$", "&#36;")
        if part.kind == "prose" and "$" in part.text:
            self.line += part.text.count("\n", 0, part.text.index("$"))
            raise self.mistake(r"a $ without its partner; close the formula, or write \$")
        return part.text

    def _unclosed(self, text: str) -> Mistake:
        return self.mistake(f"unclosed shortcode '{text}'; close it with }}}} on the same line")

    def _shortcode(self, text: str) -> Shortcode | None:
        try:
            return shortcodes.shortcode(text)
        except ValueError as error:
            keyword = text.strip("{} ").split(" ")[0]
            known = list(shortcodes.KEYWORDS)
            hint = "" if keyword in known else suggestion(keyword, known)
            raise self.mistake(f"{error}{hint}") from None

    def _formula(self, part: Part) -> str:
        display = part.kind == "display"
        mark = 2 if display else 1
        pieces = []
        for inner in shortcodes.parts(part.text[mark:-mark]):
            if inner.kind == "open" and shortcodes.near_shortcode(inner.text):
                raise self._unclosed(inner.text)
            code = self._shortcode(inner.text) if inner.kind == "shortcode" else None
            if code and code.keyword in (*shortcodes.BLOCK, "literal", "cite"):
                raise self.mistake(f"'{inner.text}' cannot stand in a formula; move it out")
            if code and not display:
                self._require(placing.inline(part, self.lines))
            pieces.append(self._inline(code, tex=True) if code else inner.text)
        tokens = self.sources.results.tokens
        try:
            markup = mathml.convert("".join(pieces), display, tokens)
        except ValueError as error:
            raise self.mistake(str(error)) from None
        self.uses["letters"] |= mathml.letters(markup)
        if display:
            return self._placeholder(blocks.formula(markup), part)
        return blocks.math(markup)

    # Text with shortcodes in it: captions, table cells

    def inline(self, text: str) -> Markup:
        """Return plain text with shortcodes and formulas as HTML: captions and table cells."""
        out = []
        around, self.lines = self.lines, text.split("\n")
        for part in shortcodes.parts(text):
            code = self._shortcode(part.text) if part.kind == "shortcode" else None
            if part.kind == "display" or (code and code.keyword in shortcodes.BLOCK):
                what = f"'{part.text}' cannot stand in a caption or a cell; move it out"
                raise self.mistake(what)
            if part.kind in ("math", "shortcode", "open"):
                out.append(self._part(part))
            else:
                out.append(blocks.text(part.text.replace(r"\$", "$")))
        self.lines = around
        return Markup("".join(out))

    def spoken(self, text: str) -> str:
        """Return a caption as a screen reader is to say it: no marks, its shortcodes expanded."""

        def said(code: re.Match[str]) -> str:
            return self.inline(code.group()).striptags()

        plain = re.sub(r"\{\{ .+? \}\}", said, text)
        return re.sub(r"\\?\$", lambda mark: mark[0][1:], plain)

    def cell(self, text: str) -> Markup:
        """Return a cell's text, in its colour if it is a token of the example."""
        return self.word(text) if text in self.sources.results.tokens else self.inline(text)

    # Inline shortcodes

    def _inline(self, code: Shortcode, tex: bool = False) -> str:
        if code.keyword == "literal":
            return blocks.code(entities(f"{{{{ {code.name} }}}}"))
        if code.keyword == "token":
            return self._token(code.name, tex)
        if code.keyword == "cite":
            return self._cite(code)
        chapter, name, made = self._find(code)
        identifier = f"{chapter.name}.{name}"
        if code.keyword == "text":
            if code.form:
                raise self.mistake(f"a text has no format '{code.form}'; leave it out")
            return str(made) if tex else entities(str(made))
        if code.keyword == "num":
            return self.number(identifier, made, code.form, tex)
        items = [
            self.number(f"{identifier}[{index}]", item, code.form, tex)
            for index, item in enumerate(made)
        ]
        return f"[{', '.join(items)}]" if tex else blocks.vector(items)

    def number(self, identifier: str, number: Number, form: str = "", tex: bool = False) -> Markup:
        """Return a number as the reader sees it, and note that it stands here."""
        shown = number
        if digits := re.fullmatch(r"digits (\d{1,2})", form):
            shown = replace(number, digits=int(digits[1]))
        elif form:
            shown = replace(number, form=form)
        try:
            text = formats.display(shown.value, shown.digits, shown.form, tex)
        except ValueError as error:
            raise self.mistake(f"{identifier}: {error}") from None
        self.uses["numbers"].add(identifier)
        return Markup(text) if tex else blocks.number(identifier, repr(number.value), text)

    def _token(self, name: str, tex: bool) -> str:
        tokens = list(self.sources.results.tokens)
        if name not in tokens:
            raise self.mistake(f"no token '{name}'{suggestion(name, tokens)}")
        return rf"\textcolor{{{name}}}{{\text{{{name}}}}}" if tex else self.word(name)

    def word(self, name: str) -> Markup:
        """Return a token of the running example in its colour."""
        index = self.sources.results.tokens.index(name) + 1
        return blocks.token(index, name)

    def _cite(self, code: Shortcode) -> str:
        known = self.sources.references
        if code.name not in known:
            hint = suggestion(code.name, known)
            raise self.mistake(f"no reference '{code.name}' in {references.FILE}{hint}")
        self.uses["cited"].add(code.name)
        page = self.sources.project.settings.lists.get("references", "")
        return references.cite(known[code.name], page, code.form, self.here)

    def _find(self, code: Shortcode) -> tuple[Chapter, str, Any]:
        """Look a result up by its dotted name; a miss says what there is."""
        module, _, name = code.name.rpartition(".")
        chapters = self.sources.results.chapters
        if not module:
            raise self.mistake(f"'{code.name}' names no module; write module.name")
        if module not in chapters:
            raise self.mistake(f"no module '{module}'{suggestion(module, chapters)}")
        kind = {"num": "numbers"}.get(code.keyword, f"{code.keyword}s")
        known = chapters[module].made[kind]
        if name not in known:
            word = kind.removesuffix("s")
            raise self.mistake(f"no {word} '{name}' in {module}{suggestion(name, known)}")
        self.uses["results"].add((kind, code.name))
        return chapters[module], name, known[name]

    # Block shortcodes

    def _block(self, code: Shortcode, part: Part) -> str:
        if code.keyword in ("code", "output"):
            return self._program(code, part)
        if code.keyword == "misreading":
            self.uses["misreadings"].add(code.name)
            page = self.sources.project.settings.lists.get("misreadings", "")
            return self._placeholder(misreadings.anchor(code.name, page, self.here), part)
        if code.keyword in shortcodes.LISTS:
            return self._placeholder(self._list(code), part)
        chapter, name, made = self._find(code)
        identifier = f"{chapter.name}.{name}"
        if code.form:
            raise self.mistake(f"a {code.keyword} has no format '{code.form}'; leave it out")
        self._stand(code.keyword, identifier)
        if code.keyword == "figure":
            markup = self._figure(identifier, made)
        elif code.keyword == "widget":
            markup = self._widget(identifier, made)
        else:
            markup = self._table(identifier, made)
        return self._placeholder(markup, part)

    def _table(self, identifier: str, made: Table, beside_figure: bool = False) -> Markup:
        return blocks.table(
            self.spoken(made.caption),
            [self.inline(column) for column in made.columns],
            [
                [self._cell(cell_id(identifier, i, j), cell, j) for j, cell in enumerate(row)]
                for i, row in enumerate(made.rows)
            ],
            None if beside_figure else self.inline(made.caption),
            "" if beside_figure else element_id("table", identifier),
        )

    def _cell(self, identifier: str, cell: Cell, column: int) -> blocks.TableCell:
        if isinstance(cell, str):
            return blocks.TableCell(self.cell(cell), heads_row=column == 0)
        items = [number(item) for item in cells(cell)]
        if len(items) == 1:
            return blocks.TableCell(self.number(identifier, items[0]), numeric=True)
        vector = [self.number(f"{identifier}[{i}]", item) for i, item in enumerate(items)]
        return blocks.TableCell(blocks.row(vector), numeric=True)

    def _figure(self, identifier: str, made: Figure) -> Markup:
        data = self._table(identifier, made.data, beside_figure=True)
        artwork = self.sources.figures[identifier]
        return blocks.figure(artwork, self.inline(made.caption), data, self.here)

    def _widget(self, identifier: str, made: Widget) -> Markup:
        folder, file = "docs/assets/explore", f"{made.element}.js"
        if not (self.sources.project.root / folder / file).is_file():
            raise self.mistake(f"no element '{made.element}' in {folder}; write {file} there")
        _, _, figure = self._find(Shortcode("figure", made.figure))
        self._stand("figure", made.figure)
        return blocks.widget(identifier, made, self._figure(made.figure, figure), self.here)

    def _stand(self, keyword: str, identifier: str) -> None:
        """Note what stands on this page; once, as its permanent link is one."""
        if (keyword, identifier) in self.standing:
            name = identifier.rpartition(".")[2]
            what = f"{keyword} '{name}' stands on this page already; link to it instead"
            raise self.mistake(what)
        self.standing.add((keyword, identifier))

    def _list(self, code: Shortcode) -> Block:
        keyword = code.keyword
        page = self.sources.project.settings.lists.get(keyword)
        if (code.name, code.form) != ("all", ""):
            raise self.mistake(f"a list is whole; write {{{{ {keyword} all }}}}")
        if self.source.file != page or keyword in self.uses["lists"]:
            there = f"once, on docs/{page}" if page else "on no page; name one in the settings"
            raise self.mistake(f"{{{{ {keyword} all }}}} stands {there}; take this one out")
        self.uses["lists"].add(keyword)
        if keyword == "misreadings":  # which are gathered before this, if it stands as it should
            raise self.mistake(f"write {{{{ {keyword} all }}}} at the beginning of its line")
        if keyword == "references":
            return references.listing(self.sources.references)
        return self.sources.glossary.listing() if keyword == "glossary" else Late.LEDGER

    def _program(self, code: Shortcode, part: Part) -> str:
        module, _, name = code.name.rpartition(".")
        project = self.sources.project
        known = [*project.modules, *project.bugs]
        if module not in known:
            raise self.mistake(f"no module '{module}'{suggestion(module, known)}")
        file = project.file(module)
        if code.form not in ("", "brief"):
            raise self.mistake(f"unknown format '{code.form}' of code (there is: brief)")
        piece = syntax.cut(project.root, file, name, brief=bool(code.form))
        if piece is None:
            there = syntax.defined(project.root, file)
            raise self.mistake(f"no code '{name}' in {module}{suggestion(name, there)}")
        self.uses["programs"].add(code.name)
        self._require(placing.block(part, self.lines))
        text, first, last = piece
        language, links = "text", ""
        if code.keyword == "code":
            language = "python"
            links = blocks.provenance(file, first, last, project.test(module), self.here)
        else:
            text = self._output(code.name)
        fence = [f"``` {language}", *text.rstrip("\n").split("\n"), "```"]
        if links:
            fence += ["", self._stored(links)]
        # The part stands behind its own indentation already.
        return f"\n{placing.indentation(part, self.lines)}".join(fence)

    def _output(self, name: str) -> str:
        outputs = self.sources.results.outputs
        if name not in outputs:
            raise self.mistake(f"{name} cannot be called; name a function that prints")
        if not outputs[name].strip():
            raise self.mistake(f"{name}() prints nothing; print what the page shows")
        return outputs[name]

    def _placeholder(self, markup: Block, part: Part) -> str:
        self._require(placing.block(part, self.lines))
        return self._stored(markup)

    def _stored(self, markup: Block) -> str:
        self.blocks.append(markup)
        return Rendered.placeholder(len(self.blocks) - 1)
