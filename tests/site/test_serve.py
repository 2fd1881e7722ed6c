"""A real `mkdocs serve`: an edit shows, a mistake is survived, the next good save heals."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import tiny
from tests.publisher.mistakes import line_of

PATIENCE = 60.0


class Served:
    """A tiny site under `mkdocs serve`."""

    def __init__(self, folder: Path) -> None:
        self.folder = tiny.with_publisher(tiny.make(folder))
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}/"
        self.log = folder / "serve.log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "mkdocs", "serve", "-a", f"127.0.0.1:{port}"],
                cwd=folder, env=tiny.environment(), stdout=log, stderr=log,
            )  # fmt: skip

    def get(self, address: str) -> str:
        """Return a page, or nothing while there is none."""
        try:
            with urllib.request.urlopen(self.url + address, timeout=10) as answer:
                text: str = answer.read().decode()
                return text
        except (urllib.error.URLError, ConnectionError):
            return ""

    def wait(self, address: str, text: str) -> str:
        """Return the page as soon as it holds a text."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if text in (page := self.get(address)):
                return page
            time.sleep(0.1)
        raise AssertionError(f"{text!r} never came; the log ends\n{self.log.read_text()[-2000:]}")

    def wait_for_log(self, text: str) -> None:
        """Return as soon as the server has said a text."""
        end = time.monotonic() + PATIENCE
        while text not in self.log.read_text():
            assert time.monotonic() < end, self.log.read_text()[-2000:]
            time.sleep(0.1)

    def edit(self, file: str, old: str, new: str) -> None:
        """Replace a text in a file."""
        path = self.folder / file
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    made = Served(tmp_path)
    yield made
    made.process.terminate()
    made.process.wait(30)


def test_an_edit_a_mistake_and_the_next_good_save(served: Served) -> None:
    first = served.wait("example/", 'data-id="example.third">0.3333</data>')
    assert ">0.3333</text>" in first

    served.edit("snippets/example.py", "1 / 3", "1 / 4")
    page = served.wait("example/", 'data-id="example.third">0.2500</data>')
    assert ">0.2500</text>" in page  # the figure is drawn anew
    assert "0.3333</data>" not in page
    assert '"value": 0.25' in served.get("numbers.json")

    served.edit("docs/example.md", "{{ num example.third }}", "{{ num example.thrid }}")
    mistake = "docs/example.md:7: no number 'thrid' in example (did you mean 'third'?)"
    served.wait_for_log(mistake)
    assert "Traceback" not in served.log.read_text()

    served.edit("snippets/example.py", "1 / 4,\n    }", "1 / 0,\n    }")
    line = line_of(tiny.SNIPPET, '"third": 1 / 3')
    served.wait_for_log(f"snippets/example.py:{line}: numbers() raised ZeroDivisionError")
    served.edit("snippets/example.py", "1 / 0,\n    }", "1 / 5,\n    }")
    served.edit("docs/example.md", "{{ num example.thrid }}", "{{ num example.third }}")
    served.wait("example/", 'data-id="example.third">0.2000</data>')
    assert served.process.poll() is None
    assert "Traceback" not in served.log.read_text()
    assert served.log.read_text().count(mistake) >= 1
    # Nothing is written beside the sources, where it would wake the watcher.
    assert list(served.folder.rglob("*.pyc")) == []
    assert not (served.folder / "site").exists()
    assert {p.name for p in (served.folder / "docs").rglob("*")} == {"index.md", "example.md"}
