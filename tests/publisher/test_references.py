"""The bibliography is read with pybtex's own parser; a mistake in it is told of its own entry."""

from __future__ import annotations

from pathlib import Path

import pytest

from publisher.errors import Mistake
from publisher.features import references

FIRST = """% A comment before the first entry.

@string{place = "Proceedings"}

@misc{one2001,
  author = {A, Ann and B, Ben},
  title = {First},
  year = 2001,
  doi = {10.1/x},
  booktitle = place,
}

@comment{nothing}
"""
# Begins on line 14.
SECOND = """@article(two2002,
  author = {C, Cy},
  title = {Second},
  year = 2002,
  eprint = {1706.03762},
)
"""


def load(folder: Path, text: str) -> dict[str, references.Reference]:
    (folder / "docs").mkdir()
    (folder / references.FILE).write_text(text, "utf-8")
    return references.load(folder)


def test_each_entry_knows_its_line(tmp_path: Path) -> None:
    text = FIRST + SECOND
    lines = text.split("\n")
    made = load(tmp_path, text)
    assert list(made) == ["one2001", "two2002"]
    for key, reference in made.items():
        assert key in lines[reference.line - 1]
    assert (made["one2001"].label, made["two2002"].label) == ("A and B 2001", "C 2002")
    assert made["one2001"].entry == (
        "A, A., &amp; B, B. (2001). <cite>First</cite>. Proceedings."
        ' <a href="https://doi.org/10.1/x">doi:10.1/x</a>.'
    )


# What is written instead of what, the line of the mistake, and what it says.
MISTAKES = [
    ("year = 2002,", "year = 2002,\n  year = 2003,", 14, "has a duplicate year field"),
    ("{C, Cy}", "{C, Cy, X, Y}", 14, "Too many commas in 'C, Cy, X, Y'"),
    ("two2002", "ONE2001", 14, "repeated bibliography entry: ONE2001"),
    ("{Second}", "{Second", 18, "premature end of file"),
    ("year = 2002", "year 2002", 17, "'=' expected"),
    ("year = 2002", "year = nowhere", 17, "undefined string in line 17: nowhere"),
]


@pytest.mark.parametrize(("old", "new", "line", "what"), MISTAKES)
def test_a_mistake_is_told_of_its_own_entry(
    tmp_path: Path, old: str, new: str, line: int, what: str
) -> None:
    with pytest.raises(Mistake) as mistake:
        load(tmp_path, FIRST + SECOND.replace(old, new))
    said = str(mistake.value)
    assert said.startswith(f"{references.FILE}:{line}: ")
    assert what in said
    assert said.endswith("; correct the entry")


def test_one_file_does_not_see_the_strings_of_another(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    load(tmp_path / "a", FIRST)
    with pytest.raises(Mistake, match="undefined string in line 4: place"):
        load(tmp_path / "b", SECOND.replace("year", "journal = place,\n  year"))
