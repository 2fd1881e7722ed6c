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
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

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
Scheme = Literal["light", "dark"]
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
        self.send_header("Cache-Control", "no-store")
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


@dataclass
class Tab:
    """A tab of the browser, with all that its page asked for or complained of.

    A new tab costs three times a new page in an old one; and as the server forbids all caches,
    a page is as cold in an old one.
    """

    page: Page
    server: Server
    asked: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def listen(self) -> None:
        """Note what is asked for, and each error and warning."""
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self.hear)

    def hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def open(
        self, address: str, width: int = 1280, height: int = 800, scheme: Scheme = "light",
        until: Literal["load", "networkidle"] = "load",
    ) -> Page:  # fmt: skip
        """Open a page of the site, as if nothing had been opened before."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(media="screen", color_scheme=scheme, forced_colors="none")
        self.asked.clear()
        self.complaints.clear()
        self.server.sent.clear()
        self.page.goto(self.server.url + address, wait_until=until)
        return self.page


@contextmanager
def tab_of(browser: Browser, server: Server, **options: bool) -> Iterator[Tab]:
    """Open a tab in a window of its own."""
    context = browser.new_context(reduced_motion="reduce", **options)  # type: ignore[arg-type]
    made = Tab(context.new_page(), server)
    made.listen()
    yield made
    context.close()


@pytest.fixture(scope="session")
def tab(browser: Browser, server: Server) -> Iterator[Tab]:
    with tab_of(browser, server) as made:
        yield made
