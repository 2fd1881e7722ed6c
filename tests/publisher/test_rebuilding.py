"""What is made again when something changes, and what is kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from publisher import draw, site
from publisher.keep import kept
from publisher.render import page as rendering
from tests import tiny

DRAWING = '''"""Draws."""

from publisher.figures import palette
from publisher.figures.parts import canvas


def draw(value, narrow):
    drawing, axes = canvas(200, 100)
    axes.text(10, 50, str(value), color=palette.INK)
    return drawing
'''
SNIPPET = (
    tiny.SNIPPET.replace("draw=draw,", "draw=partial(example.draw, 1 / 3),")
    .replace('"""A tiny chapter."""\n', '"""A tiny chapter."""\n\nfrom functools import partial\n')
    .replace("shown\n", "shown\nfrom snippets.drawings import example\n", 1)
)


class Built:
    """A project built again and again with one memo, and a count of what was made."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = tiny.make(folder, snippet=SNIPPET)
        (folder / "snippets/drawings").mkdir()
        (folder / "snippets/drawings/__init__.py").write_text("")
        (folder / "snippets/drawings/example.py").write_text(DRAWING)
        self.memo: dict[Any, Any] = {}
        self.made: list[str] = []
        self._count(monkeypatch, draw, "artwork", "drawn")
        self._count(monkeypatch, rendering, "Renderer", "rendered")

    def _count(
        self, monkeypatch: pytest.MonkeyPatch, module: Any, name: str, what: str
    ) -> None:  # fmt: skip
        original: Callable[..., Any] = getattr(module, name)

        def counted(*arguments: Any) -> Any:
            self.made.append(what)
            return original(*arguments)

        monkeypatch.setattr(module, name, counted)

    def again(self) -> list[str]:
        """Build, and return what was made."""
        self.made.clear()
        with tiny.first(self.folder):
            site.publish(self.folder, site.credit(self.folder, "/"), memo=self.memo)
        return sorted(self.made)

    def edit(self, file: str, old: str, new: str) -> None:
        path = self.folder / file
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Built:
    made = Built(tmp_path, monkeypatch)
    assert made.again() == ["drawn", "rendered", "rendered"]
    return made


def test_nothing_is_made_again_when_nothing_has_changed(built: Built) -> None:
    assert built.again() == []


def test_a_changed_page_alone_is_rendered(built: Built) -> None:
    built.edit("docs/example.md", "A third is", "One third is")
    assert built.again() == ["rendered"]


def test_a_changed_comment_makes_nothing_again(built: Built) -> None:
    built.edit("snippets/example.py", '"""A tiny chapter."""', '"""A tiny little chapter."""')
    assert built.again() == []


def test_a_changed_value_renders_its_page_and_draws_what_shows_it(built: Built) -> None:
    built.edit("snippets/example.py", '("two", 2.5)', '("two", 3.5)')
    assert built.again() == ["rendered"]  # the drawing was handed the same
    built.edit("snippets/example.py", "partial(example.draw, 1 / 3)", "partial(example.draw, 1)")
    assert built.again() == ["drawn", "rendered"]


def test_a_changed_drawing_is_drawn_again(built: Built) -> None:
    built.edit("snippets/drawings/example.py", "(10, 50", "(20, 50")
    assert built.again() == ["drawn", "rendered"]


def test_a_changed_test_is_read_again(built: Built) -> None:
    built.edit("tests/chapters/test_example.py", '"third"', '"fourth"')
    with pytest.raises(site.errors.Mistake, match="no test asks for number 'third'"):
        built.again()


def test_a_new_process_draws_nothing_that_is_kept(
    built: Built, monkeypatch: pytest.MonkeyPatch
) -> None:
    built.memo = {}
    assert built.again() == ["rendered", "rendered"]


def test_what_is_kept_depends_on_its_inputs_alone(tmp_path: Path) -> None:
    asked: list[int] = []

    def make(value: int) -> int:
        asked.append(value)
        return value * value

    assert [kept(tmp_path, n, lambda n=n: make(n)) for n in (2, 3, 2, 3)] == [4, 9, 4, 9]
    assert asked == [2, 3]
    for path in tmp_path.iterdir():
        path.write_bytes(b"\x80broken")
    assert kept(tmp_path, 2, lambda: make(2)) == 4  # a broken file is made anew
    assert asked == [2, 3, 2]
