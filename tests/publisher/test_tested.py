"""Which results a test asks for and compares: each form that counts, and what does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from publisher import tested

# The line on which the name stands is marked.
COMPARED = {
    "a subscript": 'def test_it():\n    assert chapter.numbers()["one"] == 1  # here\n',
    "one on the right": 'def test_it():\n    assert 1 == chapter.numbers()["one"].value  # here\n',
    "a function of two": 'def test_it():\n    assert close(chapter.numbers()["one"], 1)  # here\n',
    "a variable": """
def test_it():
    numbers = chapter.numbers()
    if numbers:
        assert numbers["one"] == 1  # here
""",
    "a variable of another name": """
def test_it():
    first, second = chapter.texts(), chapter.numbers()
    with nothing():
        assert second["one"] == exact(1)  # here
""",
    "an intermediate": """
def test_it():
    one = chapter.numbers()["one"]  # here
    *first, last = plain(one)
    for row in first:
        assert row == 1
""",
    "a fixture": """
@pytest.fixture
def made():
    return chapter.numbers()

def test_it(made):
    assert made["one"] == 1  # here
""",
    "a dictionary": """
def test_it():
    assert plain(chapter.numbers()) == exact({
        "zero": 0,
        "one": 1,  # here
    })
""",
    "a dictionary by name": """
def test_it():
    made = plain(chapter.numbers())
    expected = {"zero": 0}
    expected = {"one": 1}  # here
    assert made == expected
""",
    "a dictionary of the module": """
EXPECTED = {"one": 1}  # here

def test_it():
    assert plain(chapter.numbers()) == EXPECTED
""",
    "a loop": """
def test_it():
    expected = {
        "one": 1,  # here
    }
    for name, value in expected.items():
        assert chapter.numbers()[name] == value
""",
    "a loop over a dictionary": """
def test_it():
    numbers = chapter.numbers()
    for name, value in {"one": 1}.items():  # here
        if value:
            assert numbers[name].value == value
""",
    "an assertion of NumPy": """
def test_it():
    np.testing.assert_allclose(chapter.numbers()["one"], 1)  # here
""",
    "the first of two": """
def test_it():
    assert chapter.numbers()["one"] == 1  # here

def test_again():
    assert chapter.numbers()["one"] > 0
""",
}
NOT_COMPARED = {
    "a string": 'def test_it():\n    assert len("one") == 3\n',
    "a list": 'def test_it():\n    assert ["one"] == list(chapter.numbers())\n',
    "a comment": "def test_it():\n    assert chapter.numbers() == made  # one\n",
    "no assertion": 'def test_it():\n    chapter.numbers()["one"] == 1\n',
    "nothing to compare with": 'def test_it():\n    assert chapter.numbers()["one"]\n',
    "a function of it alone": 'def test_it():\n    assert plain(chapter.numbers()["one"])\n',
    "another kind": 'def test_it():\n    assert chapter.tables()["one"] == 1\n',
    "another name": 'def test_it():\n    assert chapter.numbers()["ones"] == 1\n',
    "outside a test": 'assert chapter.numbers()["one"] == 1\n',
    "a helper": 'def helper():\n    assert chapter.numbers()["one"] == 1\n',
    "a dictionary without the kind": 'def test_it():\n    assert made() == {"one": 1}\n',
    "a dictionary beside": """
def test_it():
    expected = {"one": 1}
    assert chapter.numbers()["two"] == 2
""",
    "after the loop": """
def test_it():
    for name in {"one": 1}:
        pass
    assert chapter.numbers()[name] == 1
""",
    "a word that is no call": 'def test_it(numbers):\n    assert numbers["one"] == 1\n',
}


def line(folder: Path, text: str, kind: str = "numbers") -> int | None:
    (folder / "test_it.py").write_text(text, "utf-8")
    return tested.test_line(folder, "test_it.py", "one", kind)


@pytest.mark.parametrize("form", COMPARED)
def test_what_counts(form: str, tmp_path: Path) -> None:
    text = COMPARED[form]
    (marked,) = [i for i, row in enumerate(text.split("\n"), 1) if row.endswith("# here")]
    assert line(tmp_path, text) == marked
    assert line(tmp_path, text, "vectors") is None


@pytest.mark.parametrize("form", NOT_COMPARED)
def test_what_does_not_count(form: str, tmp_path: Path) -> None:
    assert line(tmp_path, NOT_COMPARED[form]) is None
