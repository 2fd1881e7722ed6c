"""A headless Chromium, and a server that compresses and counts as a host of static pages does."""

from __future__ import annotations

import functools
import gzip
import http.server
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
COMPRESSED = (".html", ".css", ".js", ".json", ".svg", ".xml")


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files, text compressed, and notes what it sends."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        if path.is_dir():
            path = path / "index.html"
        found = path.is_file()
        body = path.read_bytes() if found else b""
        self.send_response(200 if found else 404)
        if path.suffix in COMPRESSED:
            body = gzip.compress(body, 6)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.server.sent.append((self.path, len(body)))  # type: ignore[attr-defined]

    def log_message(self, format: str, *arguments: object) -> None:
        """Keep quiet."""


class Server(http.server.ThreadingHTTPServer):
    """The server with its record."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        self.sent: list[tuple[str, int]] = []
        super().__init__(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))

    @property
    def url(self) -> str:
        """Return the root address."""
        return f"http://127.0.0.1:{self.server_port}/"


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """Serve a site for a while."""
    made = Server(folder)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


@pytest.fixture(scope="session")
def server(site: Path) -> Iterator[Server]:
    with serving(site) as made:
        yield made


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = shutil.which("chromium")
    if not path and not os.environ.get("REQUIRE_BROWSER"):
        pytest.skip("no Chromium on this machine: browser tests left out")
    assert path, "REQUIRE_BROWSER is set and there is no Chromium; install it"
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield made
        made.close()


@pytest.fixture(scope="session")
def addresses(site: Path) -> list[str]:
    """Return the address of every page."""
    pages = sorted(site.rglob("index.html"))
    return [page.relative_to(site).as_posix().removesuffix("index.html") for page in pages]


@dataclass
class Visit:
    """A page opened cold, and all that it asked for or complained of."""

    page: Page
    asked: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


def visit(context: BrowserContext, url: str, until: Literal["load", "networkidle"]) -> Visit:
    """Open a page in a context and listen."""
    page = context.new_page()
    made = Visit(page)
    page.on("request", lambda request: made.asked.append(request.url))
    page.on("pageerror", lambda error: made.complaints.append(str(error)))
    page.on(
        "console",
        lambda message: (
            made.complaints.append(message.text) if message.type in ("error", "warning") else None
        ),
    )
    page.goto(url, wait_until=until)
    return made
