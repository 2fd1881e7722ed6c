"""What a reader does with an explorable, for the tests of each."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page

from tests import tiny
from tests.browser.conftest import Server, visit
from tests.browser.test_every_page import RULES


@dataclass
class Reader:
    """A reader in front of one explorable of a page."""

    page: Page
    tag: str
    address: str

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
        shown = self.widget.locator(f".shown {within} data.live").all()
        return [float(at.get_attribute("value") or "") for at in shown]

    def follow(self, link: str) -> None:
        self.page.goto(link)
        self.page.wait_for_selector(f"{self.tag}.alive")

    def follow_state(self, **changes: Any) -> None:
        """Follow a link with the start's state, changed in a way that no reader could."""
        start = self.page.evaluate(f"document.querySelector('{self.tag}').start")
        text = base64.urlsafe_b64encode(json.dumps({**start, **changes}).encode()).decode()
        self.follow(f"{self.address}?{self.widget.get_attribute('id')}={text.rstrip('=')}")

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
        found = Axe().run(self.page, context=self.tag, options=RULES).response["violations"]
        wrong = [(rule["id"], rule["nodes"][0]["html"]) for rule in found]
        assert wrong == [], (state, wrong)


@contextmanager
def reading(browser: Browser, server: Server, page: str, tag: str, width: int) -> Iterator[Reader]:
    """Open a page in a window of some width; nothing may go wrong on it."""
    context = browser.new_context(viewport={"width": width, "height": 1600})
    seen = visit(context, server.url + page, "load")
    seen.page.wait_for_selector(f"{tag}.alive")
    yield Reader(seen.page, tag, server.url + page)
    assert seen.complaints == []
    context.close()


def run(program: str) -> str:
    """Run a program that was copied, with this project's modules; return what it prints."""
    result = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tiny.ROOT, env=tiny.environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    return result.stdout
