"""A page's Markdown with tokens becomes Markdown without: pure, and free of MkDocs."""

from __future__ import annotations

import html
import importlib
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from publisher import collect, formats, project, syntax
from publisher.collect import Topic
from publisher.errors import Mistake, suggestion
from publisher.features import misreadings, references
from publisher.features.glossary import Glossary
from publisher.html import blocks, mathml
from publisher.ledger import Entry
from publisher.render import prose, shortcodes
from publisher.results import Figure, Number, Widget

_BLOCK = "computed-block-{}-here"
_HEAD = re.compile(r"[ \t>]*(#{1,6} |!!! |\?\?\?|=== )")


@dataclass
class Book:
    """All that pages may draw on, and the record of what they used."""

    root: Path
    topics: dict[str, Topic]
    entries: dict[str, Entry]
    tokens: tuple[str, ...]
    artwork: dict[str, str] = field(default_factory=dict)  # figure id -> HTML, {root} for its links
    used: set[tuple[str, str]] = field(default_factory=set)  # (kind, id)
    displays: list[tuple[Number, str]] = field(default_factory=list)  # as shown, and where
    letters: set[str] = field(default_factory=set)
    references: dict[str, references.Reference] = field(default_factory=dict)
    cited: set[str] = field(default_factory=set)
    misreadings: set[str] = field(default_factory=set)
    programs: set[str] = field(default_factory=set)  # whose code stands on a page
    lists: set[str] = field(default_factory=set)  # that stand on their pages
    glossary: Glossary = field(default_factory=lambda: Glossary({}))


@dataclass
class Page:
    """A rendered page: Markdown with placeholders, and the HTML that belongs there."""

    markdown: str
    blocks: list[str]


class Renderer:
    """Renders one page. `up` leads from the page to the site's root, such as '../'."""

    def __init__(self, book: Book, file: str, url: str, up: str, first_line: int = 1) -> None:
        self.book, self.file, self.url, self.up = book, file, url, up
        self.line = self.first_line = first_line
        self.blocks: list[str] = []
        self.linking = bool(book.glossary)  # of the glossary's terms, in running text
        self.standing: set[tuple[str, str]] = set()  # tables and figures of this page
        self.terms: set[str] = set()  # of the glossary, linked already
        self.hidden = ""  # the part being rendered, with all hidden that is no running text

    def page(self, markdown: str) -> Page:
        """Expand every token and formula of a page."""
        lines = markdown.split("\n")
        hidden = prose.hide(markdown) if self.linking else ""
        out: list[str] = []
        position = 0
        for part in shortcodes.parts(markdown):
            self.line = self.first_line + part.line
            self.hidden = hidden[position : position + len(part.text)]
            position += len(part.text)
            out.append(self._part(part, lines))
        self._permanent(markdown)
        return Page("".join(out), self.blocks)

    def _permanent(self, markdown: str) -> None:
        """Stop at two headings with one fixed link, or one that a table or figure has."""
        taken = {blocks.element_id(*standing) for standing in self.standing}
        for part in shortcodes.parts(markdown):
            for found in re.finditer(r"\{:? ?#([\w-]+)", part.text if part.kind == "prose" else ""):
                if found[1] in taken:
                    self.line = self.first_line + part.line
                    self.line += part.text.count("\n", 0, found.start())
                    raise self.mistake(f"a second '#{found[1]}' on this page; rename one")
                taken.add(found[1])

    def inline(self, text: str) -> str:
        """Return plain text with tokens and formulas as HTML: captions and table cells."""
        out = []
        for part in shortcodes.parts(text):
            token = self._token(part.text) if part.kind == "token" else None
            if part.kind == "display" or (token and token.keyword in shortcodes.BLOCK):
                raise self.mistake(
                    f"'{part.text}' cannot stand in a caption or a cell; move it out"
                )
            if part.kind in ("math", "token", "open"):
                out.append(self._part(part, text.split("\n")))
            else:
                escaped = html.escape(part.text.replace(r"\$", "$"), quote=False)
                out.append(re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped))
        return "".join(out)

    def spoken(self, text: str) -> str:
        """Return a caption as a screen reader is to say it: without marks, its tokens expanded."""

        def said(token: re.Match[str]) -> str:
            return html.unescape(re.sub(r"<[^>]+>", "", self.inline(token.group())))

        plain = re.sub(r"\{\{ .+? \}\}", said, text)
        return re.sub(r"\\?\$", lambda sign: sign[0][1:], plain)

    def mistake(self, what: str) -> Mistake:
        """Return a mistake at the line being rendered."""
        return Mistake(self.file, self.line, what)

    def _fits(self, part: shortcodes.Part, lines: list[str], cites: bool = False) -> None:
        """Refuse a token where its HTML would break the page, or move a permanent link."""
        line = lines[part.line]
        fixed = re.search(r"\{:? ?#[\w-]+[^}]*\}[ \t#]*$", line)
        if prose.is_heading(lines, part.line) and not fixed:
            raise self.mistake("a heading with a number needs a fixed link; end it with {#id}")
        if prose.is_code(lines, part.line):
            raise self.mistake("a token in indented code; begin its line further left")
        before, _, after = line.partition(part.text)
        if re.search(r"<[A-Za-z][^>]*$|!\[[^\]]*$|\]\([^)]*$|^\*\[[^\]]*\]:", before):
            raise self.mistake("a token cannot stand in an attribute or a link's address; move it")
        if (
            cites
            and re.search(r"\[[^\]]*$|<a\b(?!.*</a>)", before)
            and re.search(r"\][(\[]|</a>", after)
        ):
            raise self.mistake("a citation is a link itself and cannot stand in one; move it out")

    def _unclosed(self, text: str) -> Mistake:
        return self.mistake(f"unclosed token '{text}'; close it with }}}} on the same line")

    def _part(self, part: shortcodes.Part, lines: list[str]) -> str:
        if part.kind == "open" and shortcodes.near_token(part.text):
            raise self._unclosed(part.text)
        if part.kind == "fence" and not re.search(r"\n[ \t>]*[`~]{3,}[ \t]*$", part.text):
            raise self.mistake("a code block that never ends; close it with its own marks")
        if part.kind in ("math", "display"):
            return self._formula(part, lines)
        if part.kind == "token" and (token := self._token(part.text)):
            if token.keyword in shortcodes.BLOCK:
                return self._block(token, part, lines)
            self._fits(part, lines, cites=token.keyword == "cite")
            return self._inline_token(token)
        if part.kind == "escape":
            return part.text.replace(r"\$", "&#36;")
        if part.kind == "prose" and "$" in part.text:
            self.line += part.text.count("\n", 0, part.text.index("$"))
            raise self.mistake(r"a $ without its partner; close the formula, or write \$")
        if part.kind == "prose" and self.linking:
            return self.book.glossary.link(part.text, self.up, self.terms, self.hidden)
        return part.text

    def _token(self, text: str) -> shortcodes.Token | None:
        try:
            return shortcodes.token(text)
        except ValueError as error:
            keyword = text.strip("{} ").split(" ")[0]
            hint = (
                ""
                if keyword in shortcodes.KEYWORDS
                else suggestion(keyword, list(shortcodes.KEYWORDS))
            )
            raise self.mistake(f"{error}{hint}") from None

    def _inline_token(self, token: shortcodes.Token, tex: bool = False) -> str:
        if token.keyword == "literal":
            return f"<code>{mathml.entities('{{ ' + token.name + ' }}')}</code>"
        if token.keyword == "token":
            return self._word(token.name, tex)
        if token.keyword == "cite":
            return self._cite(token)
        topic, name, made = self._find(token)
        identifier = f"{topic.name}.{name}"
        if token.keyword == "text":
            if token.form:
                raise self.mistake(f"a text has no format '{token.form}'; leave it out")
            return str(made) if tex else mathml.entities(str(made))
        if token.keyword == "num":
            return self.number(identifier, made, token.form, tex)
        items = [
            self.number(f"{identifier}[{index}]", item, token.form, tex)
            for index, item in enumerate(made)
        ]
        if tex:
            return f"[{', '.join(items)}]"
        return f'<span class="vector">&#91;{", ".join(items)}&#93;</span>'

    def _cite(self, token: shortcodes.Token) -> str:
        if token.name not in self.book.references:
            hint = suggestion(token.name, self.book.references)
            raise self.mistake(f"no reference '{token.name}' in {references.FILE}{hint}")
        self.book.cited.add(token.name)
        return references.cite(self.book.references[token.name], self.up, token.form)

    def _word(self, name: str, tex: bool) -> str:
        if name not in self.book.tokens:
            raise self.mistake(f"no token '{name}'{suggestion(name, list(self.book.tokens))}")
        if tex:
            return rf"\textcolor{{{name}}}{{\text{{{name}}}}}"
        return self.word(name)

    def cell(self, text: str) -> str:
        """Return a cell's text, in its colour if it is a token of the example."""
        return self.word(text) if text in self.book.tokens else self.inline(text)

    def word(self, name: str) -> str:
        """Return a running-example token in its colour."""
        index = self.book.tokens.index(name) + 1
        return f'<span class="token token-{index}">{html.escape(name)}</span>'

    def number(self, identifier: str, number: Number, form: str = "", tex: bool = False) -> str:
        """Return a number as the reader sees it, and note where."""
        shown = number
        if digits := re.fullmatch(r"digits (\d{1,2})", form):
            shown = replace(number, digits=int(digits[1]), form="")
        elif form:
            shown = replace(number, form=form)
        try:
            text = formats.display(shown.value, shown.digits, shown.form, tex)
        except ValueError as error:
            raise self.mistake(f"{identifier}: {error}") from None
        self.book.displays.append((shown, f"{self.file}:{self.line}: {identifier}"))
        self.book.entries[identifier].pages.add(self.url)
        if tex:
            return text
        value = repr(number.value)
        return f'<data class="num" value="{value}" data-id="{identifier}">{text}</data>'

    def _find(self, token: shortcodes.Token) -> tuple[Topic, str, Any]:
        """Look a result up by its dotted name; a miss says what there is."""
        module, _, name = token.name.rpartition(".")
        if not module:
            raise self.mistake(f"'{token.name}' names no module; write module.name")
        if module not in self.book.topics:
            raise self.mistake(f"no module '{module}'{suggestion(module, self.book.topics)}")
        topic = self.book.topics[module]
        kind = {"num": "numbers"}.get(token.keyword, f"{token.keyword}s")
        known = getattr(topic, kind)
        if name not in known:
            word = kind.removesuffix("s")
            raise self.mistake(f"no {word} '{name}' in {module}{suggestion(name, known)}")
        self.book.used.add((kind, token.name))
        return topic, name, known[name]

    def _formula(self, part: shortcodes.Part, lines: list[str]) -> str:
        display = part.kind == "display"
        tex = part.text.strip("$")
        for inner in shortcodes.parts(tex):
            if inner.kind == "open" and shortcodes.near_token(inner.text):
                raise self._unclosed(inner.text)
            if inner.kind == "token" and (token := self._token(inner.text)):
                if token.keyword in (*shortcodes.BLOCK, "literal", "cite"):
                    raise self.mistake(f"'{inner.text}' cannot stand in a formula; move it out")
                if not display:
                    self._fits(part, lines)
                tex = tex.replace(inner.text, self._inline_token(token, tex=True), 1)
        try:
            markup = mathml.convert(tex, display, self.book.tokens)
        except ValueError as error:
            raise self.mistake(str(error)) from None
        self.book.letters |= mathml.letters(markup)
        if display:
            return self._placeholder(f'<div class="formula">{markup}</div>', part, lines)
        # Inside a span, so that Markdown never takes a paragraph's first formula for a block.
        return f'<span class="math">{mathml.shield(markup)}</span>'

    def _block(self, token: shortcodes.Token, part: shortcodes.Part, lines: list[str]) -> str:
        if token.keyword in ("code", "output"):
            return self._program(token, part, lines)
        if token.keyword == "misreading":
            self.book.misreadings.add(token.name)
            return self._placeholder(misreadings.anchor(token.name, self.up), part, lines)
        if token.keyword in shortcodes.LISTS:
            return self._placeholder(self._list(token), part, lines)
        topic, name, made = self._find(token)
        identifier = f"{topic.name}.{name}"
        if token.form:
            raise self.mistake(f"a {token.keyword} has no format '{token.form}'; leave it out")
        self._stand(token.keyword, identifier)
        if token.keyword == "figure":
            markup = self._figure(identifier, made)
        elif token.keyword == "widget":
            markup = self._widget(identifier, made)
        else:
            markup = blocks.table(self, identifier, made)
        return self._placeholder(markup, part, lines)

    def _figure(self, identifier: str, made: Figure) -> str:
        markup = self.book.artwork[identifier].replace("{root}", self.up)
        data = blocks.table(self, identifier, made.data, plain=True)
        return markup.replace("{caption}", self.inline(made.caption)).replace("{data}", data)

    def _widget(self, identifier: str, made: Widget) -> str:
        folder, file = "docs/assets/explore", f"{made.element}.js"
        if not (self.book.root / folder / file).is_file():
            raise self.mistake(f"no element '{made.element}' in {folder}; write {file} there")
        _, _, figure = self._find(shortcodes.Token("figure", made.figure))
        self._stand("figure", made.figure)
        return blocks.widget(self.up, identifier, made, self._figure(made.figure, figure))

    def _stand(self, keyword: str, identifier: str) -> None:
        """Note what stands on this page; once, as its permanent link is one."""
        if (keyword, identifier) in self.standing:
            name = identifier.rpartition(".")[2]
            what = f"{keyword} '{name}' stands on this page already; link to it instead"
            raise self.mistake(what)
        self.standing.add((keyword, identifier))

    def _list(self, token: shortcodes.Token) -> str:
        keyword, page = token.keyword, f"docs/{shortcodes.LISTS[token.keyword]}"
        if (token.name, token.form) != ("all", ""):
            raise self.mistake(f"a list is whole; write {{{{ {keyword} all }}}}")
        if self.file != page or keyword in self.book.lists:
            raise self.mistake(f"{{{{ {keyword} all }}}} stands once, on {page}; take this one out")
        self.book.lists.add(keyword)
        if keyword == "misreadings":  # which are gathered before this, if it stands as it should
            raise self.mistake(f"write {{{{ {keyword} all }}}} at the beginning of its line")
        if keyword == "references":
            return references.listing(self.book.references)
        return self.book.glossary.listing() if keyword == "glossary" else f"{{{keyword}}}"

    def _program(self, token: shortcodes.Token, part: shortcodes.Part, lines: list[str]) -> str:
        module, _, name = token.name.rpartition(".")
        known = [*self.book.topics, *project.SHARED, *project.bugs(self.book.root)]
        if module not in known:
            raise self.mistake(f"no module '{module}'{suggestion(module, known)}")
        file = project.file_of(module)
        if token.form not in ("", "brief"):
            raise self.mistake(f"unknown format '{token.form}' of code (there is: brief)")
        piece = syntax.cut(self.book.root / file, name, brief=bool(token.form))
        if piece is None:
            there = syntax.defined(self.book.root / file)
            raise self.mistake(f"no code '{name}' in {module}{suggestion(name, there)}")
        self.book.programs.add(token.name)
        text, first, last = piece
        test = project.test_of(module)
        links = blocks.provenance(self.up, file, first, last, test)
        if token.keyword == "output":
            function = getattr(importlib.import_module(f"snippets.{module}"), name)
            if not callable(function):
                raise self.mistake(f"{token.name} cannot be called; name a function that prints")
            text, links = collect.output(self.book.root, module, function), ""
            if not text.strip():
                raise self.mistake(f"{token.name}() prints nothing; print what the page shows")
        indent = self._alone(part, lines)
        language = "python" if token.keyword == "code" else "text"
        fence = [f"``` {language}", *text.rstrip("\n").split("\n"), "```"]
        if links:
            fence += ["", self._stored(links)]
        # The part stands behind its own indentation already.
        return f"\n{indent}".join(fence)

    def _placeholder(self, markup: str, part: shortcodes.Part, lines: list[str]) -> str:
        self._alone(part, lines)
        return self._stored(markup)

    def _stored(self, markup: str) -> str:
        self.blocks.append(markup)
        return _BLOCK.format(len(self.blocks) - 1)

    def _alone(self, part: shortcodes.Part, lines: list[str]) -> str:
        """Return the indentation of a block's line, which must hold nothing else."""
        span = part.text.count("\n") + 1
        around = "\n".join(lines[part.line : part.line + span])
        before, after = ["", *lines][part.line], [*lines, ""][part.line + span]
        crowded = after.strip(" \t>") or (before.strip(" \t>") and not _HEAD.match(before))
        if around.strip(" \t>") != part.text.strip() or crowded:
            raise self.mistake("a block must stand on a line of its own; put blank lines around it")
        if prose.is_code(lines, part.line):
            raise self.mistake("a block indented as code is; begin its line further left")
        return re.match(r"[ \t>]*", around)[0]  # type: ignore[index]


def finish(content: str, page: Page) -> str:
    """Put the blocks into the page's HTML."""
    for index, markup in enumerate(page.blocks):
        placeholder = _BLOCK.format(index)
        content = content.replace(f"<p>{placeholder}</p>", markup).replace(placeholder, markup)
    # Code and tables stay out of the search index: it is fetched with every first page.
    return content.replace('<div class="highlight">', '<div class="highlight" data-search-exclude>')
