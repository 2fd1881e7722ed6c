"""The glossary: every term is plain text, stands for one thing, and is used on the site."""

import re

import pytest

from publisher.render import front_matter
from tests import tiny

PAGE = front_matter.split("glossary.md", (tiny.ROOT / "docs/glossary.md").read_text("utf-8"))
META, BODY = PAGE.about, PAGE.body
TERMS: dict[str, dict[str, object]] = META["terms"]


def spellings(term: str) -> list[str]:
    also = TERMS[term].get("also", [])
    assert isinstance(also, list)
    return [term, *also]


def test_a_spelling_belongs_to_one_term() -> None:
    every = [spelling.lower() for term in TERMS for spelling in spellings(term)]
    assert len(every) == len(set(every)) > 80
    assert list(TERMS) == sorted(TERMS, key=str.lower)


@pytest.mark.parametrize("term", TERMS)
def test_a_meaning_is_one_or_two_plain_sentences(term: str) -> None:
    assert set(TERMS[term]) <= {"also", "means"}
    means = TERMS[term]["means"]
    assert isinstance(means, str) and means[0].isupper() and means.endswith(".")
    assert len(re.findall(r"[.!?](?= |$)", means)) <= 2
    assert not re.search(r"[*_`$<>\[\]{}\d]", means)


def test_the_page_asks_for_the_whole_list() -> None:
    assert "\n\n{{ glossary all }}\n" in BODY
