"""The glossary's terms: how they are read, and which of their uses are linked."""

from __future__ import annotations

import html

import pytest
from bs4 import BeautifulSoup
from markdown import Markdown

from publisher.errors import Mistake
from publisher.features import glossary
from publisher.features.glossary import Glossary
from publisher.features.glossary_links import GlossaryExtension, Links
from publisher.render.front_matter import split
from tests import tiny

TERMS = {
    "attention": {"means": "A weighted mixture."},
    "dot product": {"also": ["dot products"], "means": "Multiply, then add."},
    "query": {"also": ["queries"], "means": 'The vector that "asks" & is < all.'},
}


def read(terms: object) -> Glossary:
    return glossary.read(terms, "", "docs/glossary.md")


def converted(text: str, terms: object = None, *more: str) -> str:
    """Return a page's HTML, its terms linked."""
    links = Links(read(terms or TERMS), "../glossary/", ("Attention, Computed",))
    extensions = [*tiny.EXTENSIONS, *more, GlossaryExtension(lambda: links)]
    return str(Markdown(extensions=extensions).convert(text))


def linked(text: str, terms: object = None, *more: str) -> list[tuple[str, str]]:
    """Return the words that are linked on a page, each with the part of the page it leads to."""
    page = BeautifulSoup(converted(text, terms, *more), "html.parser")
    return [(link.text, str(link["href"]).partition("#")[2]) for link in page.select("a.term")]


def test_the_first_use_of_each_term_is_linked() -> None:
    text = "Two dot\nproducts of a *query*, then attention. A query, a dot product.\n\n- Queries"
    assert linked(text) == [
        ("dot\nproducts", "dot-product"), ("query", "query"), ("attention", "attention"),
    ]  # fmt: skip
    page = converted(text)
    title = html.escape('The vector that "asks" & is < all.')
    assert f'<em><a class="term" href="../glossary/#query" title="{title}">query</a></em>' in page
    assert BeautifulSoup(page, "html.parser").text == BeautifulSoup(
        Markdown().convert(text), "html.parser"
    ).text  # fmt: skip


def test_a_page_may_have_no_links() -> None:
    text = "a query"
    assert Markdown(extensions=[GlossaryExtension(lambda: None)]).convert(text) == f"<p>{text}</p>"
    nothing = Links(Glossary(), "")
    assert (
        Markdown(extensions=[GlossaryExtension(lambda: nothing)]).convert(text) == f"<p>{text}</p>"
    )


def test_each_page_starts_anew() -> None:
    pages = iter([Links(read(TERMS), "a/"), Links(read(TERMS), "b/")])
    md = Markdown(extensions=[GlossaryExtension(lambda: next(pages))])
    assert 'href="a/#query"' in md.convert("a query")
    assert 'href="b/#query"' in md.reset().convert("a query")


# Where a term stays as it is; a use of it below is linked.
BARE = [
    "see [a\nquery](page.md)", "see [`x` of a query](page.md)", "see ![a query](x.png)",
    "see [x](page.md 'a query')", "<a href='x'>\na query</a>", "<abbr title='a\nquery'>x</abbr>",
    "a <i title='a > query'>x</i>", "a <b title='query'>x</b>", "<kbd>query</kbd> and x",
    "x <button>query</button> y", "<script>\nvar query\n</script>", "text\n\n    query as code\n",
    "`query`", "~~~\nquery\n~~~", "<!-- query -->", "x <!-- query --> y",
    "A query\n=======", "> ## A query", "- ## A query", "a query | b\n---|---\nx | y",
    "query\n:   What asks", '!!! note "A query"\n\n    x',
    "!!! abstract\n\n    A query\n\n    - query",
    '??? note "A query"\n\n    x', "https://x.org/query", "<https://x.org/query>", "query@x.org",
    "**The query**", "subquery, query-like, query_like, prequery", "x\n{: #query }",
    "<svg><title>a query</title></svg>", "x <svg><text>query</text></svg> y",
    '<span class="math"><math><mi>x</mi><annotation>query</annotation></math></span> y',
]  # fmt: skip


@pytest.mark.parametrize("text", BARE)
def test_terms_are_linked_in_running_text_alone(text: str) -> None:
    extensions = ("def_list", "pymdownx.details")
    assert linked(text, None, *extensions) == []
    assert linked(f"{text}\n\nThe query.", None, *extensions) == [("query", "query")]


# Where one is linked, although something near it is not.
SHOWN = [
    "[link](page.md) query", "<a href='x'>x</a> query", "<br> query <a href='x'>query</a>",
    "`code` query", "query: https://x.org/query", "# A title\n\nquery", "> query", "1. a query",
    '!!! note "A title"\n\n    query', "x\n:   query", "<i>query</i>", "$x$ query \\*", "*query*",
    "<svg></svg> query", "<abbr>x</abbr>query", "x <kbd>x</kbd> <code>x</code> query",
    "&alpha; query &amp; x", "<a href='x'>\n\nquery",
]  # fmt: skip


@pytest.mark.parametrize("text", SHOWN)
def test_what_is_near_running_text_does_not_hide_it(text: str) -> None:
    assert linked(text, None, "def_list") == [("query", "query")]


@pytest.mark.parametrize(
    "defined",
    ["**query**", '<a href="../glossary/#query">**query**</a>', "**Queries**", "**`query`** *x*"],
)
def test_a_term_that_the_page_explains_is_not_linked_below(defined: str) -> None:
    assert linked(f"a {defined} is ...; the query") == []
    assert linked(f"A query. Then a {defined} is ...; the query") == [("query", "query")]


def test_in_the_name_of_the_site_no_term_is_meant() -> None:
    assert linked("Attention, Computed") == []
    assert linked("Attention, Computed is about attention") == [("attention", "attention")]


def test_terms_with_odd_characters_and_terms_in_terms() -> None:
    terms = {term: {"means": "M"} for term in ("f(x)", "a+b", "C*", "key", "key vector")}
    found = [word for word, _ in linked("f(x), a+b, C*; a key vector, a turkey, a key", terms)]
    assert found == ["f(x)", "a+b", "C*", "key vector", "key"]


def test_the_list_has_every_term_by_name() -> None:
    page = BeautifulSoup(
        read({"b c": {"means": "x < y"}, "A": {"means": "Y"}}).listing(), "html.parser"
    )
    assert [(term.text, term["id"]) for term in page("dt")] == [("A", "a"), ("b c", "b-c")]
    assert [meaning.text for meaning in page("dd")] == ["Y", "x < y"]


MISTAKES = {
    "- query": ":2: the terms are not a mapping; write 'term: {means: ...}'",
    "query: {also: [q]}": ":3: term 'query' has no meaning; write 'means:'",
    "query:": ":3: term 'query' has no meaning; write 'means:'",
    "query: {means: ' '}": ":3: term 'query' has no meaning; write 'means:'",
    "query: {means: [a]}": ":3: term 'query' needs a meaning in plain text, without marks",
    "query: {means: a $x$}": ":3: term 'query' needs a meaning in plain text, without marks",
    "query: {means: a, also: queries}": ":3: term 'query' needs a list of words in 'also'",
    "query: {means: a, also: }": ":3: term 'query' needs a list of words in 'also'",
    "query: {means: a, and: b}": ":3: term 'query' has 'and'; write 'means' or 'also'",
    "yes: {means: a}": ":2: term 'True' is not a word; write one, in quotation marks",
    "key: {means: a}\n  query: {means: b, also: [Key]}": ":4: term 'query': 'Key' stands for 'key'"
    " already; take one out",
    "key: {means: a, also: [Key]}": ":3: term 'key': 'Key' stands for 'key' already; take one out",
    "a-b: {means: a}\n  a+b: {means: b}": ":4: terms 'a-b' and 'a+b' share a link; rename one",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_in_the_glossary(text: str) -> None:
    source = f"---\nterms:\n  {text}\n---\n"
    with pytest.raises(Mistake) as mistake:
        glossary.read(split("glossary.md", source).about["terms"], source, "docs/glossary.md")
    assert str(mistake.value) == "docs/glossary.md" + MISTAKES[text]
