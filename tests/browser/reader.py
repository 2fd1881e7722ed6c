"""What a reader does with an explorable, for the tests of each."""

from __future__ import annotations

import base64
import contextlib
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from playwright.sync_api import Locator, Page

from tests.browser.conftest import Tab
from tests.browser.questions import axe

WINDOW: Any = {"width": 1280, "height": 1600}
# Put the element, as the page brought it, in the place of the one that was used.
RESTART = """async ([tag, search]) => {
  window.served ??= await (await fetch(location.pathname)).text();
  history.replaceState(null, "", location.pathname + search);
  const page = new DOMParser().parseFromString(window.served, "text/html");
  document.querySelector(tag).replaceWith(document.importNode(page.querySelector(tag), true));
  scrollTo(0, 0);
}"""


@dataclass
class Reader:
    """A reader in front of one explorable of a page."""

    page: Page
    tag: str
    address: str
    complaints: list[str]

    @property
    def widget(self) -> Locator:
        return self.page.locator(self.tag)

    @property
    def problem(self) -> str:
        return self.widget.locator(".problem").inner_text()

    @property
    def shown(self) -> str:
        return self.widget.locator(".shown").inner_text()

    @property
    def origin(self) -> str:
        return self.widget.locator(".origin").inner_text()

    def field(self, label: str) -> Locator:
        return self.widget.get_by_label(label, exact=True)

    def act(self, name: str) -> None:
        self.widget.get_by_role("button", name=name, exact=True).click()

    def taken(self, name: str) -> str:
        self.act(name)
        return self.widget.locator("textarea").input_value()

    def numbers(self, within: str) -> list[float]:
        """Return the full numbers in a part of what is shown."""
        shown = self.widget.locator(f".shown {within} data.live")
        return [float(value) for value in shown.evaluate_all("all => all.map(d => d.value)")]

    def restart(self, search: str = "") -> None:
        """Begin anew on the open page, as if it had just come, at an address with this search."""
        self.page.evaluate(RESTART, [self.tag, search])

    def follow(self, link: str) -> None:
        """Begin anew at the address that a link gives."""
        address, _, search = link.strip().partition("?")
        assert address == self.address
        self.restart("?" + search)

    def follow_state(self, **changes: Any) -> None:
        """Begin anew with the start's state in a link, changed in a way that no reader could."""
        start = self.page.evaluate(f"document.querySelector('{self.tag}').start")
        text = base64.urlsafe_b64encode(json.dumps({**start, **changes}).encode()).decode()
        self.restart(f"?{self.widget.get_attribute('id')}={text.rstrip('=')}")

    def follow_damaged(self) -> None:
        """Follow a link that was cut on its way."""
        good = re.search(r"=([\w-]+)", self.taken("Copy a link"))
        assert good
        self.follow(f"{self.address}?{self.widget.get_attribute('id')}={good[1][:-20]}")

    def compare_start(self) -> int:
        """Assert that the browser makes of the start what Python made; return how much it was."""
        ours, theirs = self.page.evaluate(
            f"(() => {{ const w = document.querySelector('{self.tag}');"
            "return [w.compute(w.start), w.python]; })()"
        )
        assert ours.keys() == theirs.keys()
        size = 0
        for name, made in ours.items():
            one, other = np.array(made), np.array(theirs[name])
            assert one.shape == other.shape, name
            size += one.size
            if one.dtype.kind == "f":
                assert np.abs(one - other).max() <= 1e-12, name
            else:
                assert (one == other).all(), name
        return size

    def axe(self, state: str) -> None:
        # A field halfway under the page's bar would count as too small.
        self.widget.evaluate("(at) => at.scrollIntoView()")
        assert axe(self.page, self.tag) == [], state


def reading(tab: Tab, page: str, tag: str) -> Reader:
    """Open a page, for all tests of a file."""
    tab.open(page, **WINDOW)
    tab.page.wait_for_selector(f"{tag}.alive")
    return Reader(tab.page, tag, tab.page.url, tab.complaints)


def anew(reader: Reader) -> Iterator[Reader]:
    """Yield a reader who begins anew; nothing may go wrong on the page meanwhile."""
    reader.page.set_viewport_size(WINDOW)
    reader.page.emulate_media(media="screen", color_scheme="light")
    reader.restart()
    yield reader
    assert reader.complaints == []


def run(program: str) -> str:
    """Run a program that was copied, with this project's modules; return what it prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(program, "copied", "exec"), {"__name__": "__main__"})
    return printed.getvalue()
