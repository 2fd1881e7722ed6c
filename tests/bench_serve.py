"""How long a saved file takes to show under `mkdocs serve`."""

from __future__ import annotations

import math
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from tests import tiny

# What is saved, the page to look at, and what must come to stand there.
_MIXTURE = (2.5 * math.e**2 + 1) / (math.e**2 + math.e + 1)
SAVED = {
    "page saved to page shown": (
        "docs/scores-and-weights.md", "## Compare", "## Edited: compare",
        "scores-and-weights/", "Edited: compare",
    ),
    "snippet saved to page shown": (
        "snippets/scores_and_weights.py", "CONSTANT = 100.0", "CONSTANT = 207.0",
        "scores-and-weights/", ">207</data>",
    ),
    "input of the running example saved to page shown": (
        "snippets/running_example.py", "VALUES = ((2.0, 0.0)", "VALUES = ((2.5, 0.0)",
        "values/", f">{_MIXTURE:.4f}</data>",
    ),
}  # fmt: skip
PATIENCE = 600


def served(project: Path) -> dict[str, float]:
    """Return how long each saved file takes to show; the files are as before when it is done."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    root = f"http://127.0.0.1:{port}/"
    command = [sys.executable, "-m", "mkdocs", "serve", "-q", "-a", f"127.0.0.1:{port}"]
    process = subprocess.Popen(command, cwd=project, env=tiny.environment())
    taken = {}
    try:
        waited(root + "scores-and-weights/", "0.6652")
        for name, (file, old, new, address, shown) in SAVED.items():
            path = project / file
            text = path.read_text(encoding="utf-8")
            assert old in text, (file, old)
            try:
                path.write_text(text.replace(old, new), encoding="utf-8")
                taken[name] = waited(root + address, shown)
            finally:
                path.write_text(text, encoding="utf-8")
            waited(root + address, shown, there=False)
    finally:
        process.terminate()
        process.wait(30)
    return taken


def waited(url: str, text: str, there: bool = True) -> float:
    """Return the seconds until a page holds a text, or no longer holds it."""
    start = time.perf_counter()
    while time.perf_counter() - start < PATIENCE:
        try:
            with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
                if (text in answer.read().decode()) == there:
                    return time.perf_counter() - start
        except OSError:
            pass
        time.sleep(0.02)
    raise SystemExit(f"{text!r} never came to {url}")
