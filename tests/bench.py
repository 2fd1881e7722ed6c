"""`make bench`: what computing the numbers costs, as ratios measured in one run.

1. A cold build against a cold build of the same pages with every token replaced by what it
   became: numbers, tables, drawings and sources as constants, and no hook.
2. Under `mkdocs serve`, the time from saving a file to the new page.
3. In Chromium, from an input in an explorable to the frame that shows it, beside the frame itself.
"""

from __future__ import annotations

import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import sync_playwright

from publisher import site as publishing
from tests import tiny
from tests.browser.conftest import FLAGS, serving
from tests.conftest import copy_project

ROUNDS = 5


def constants(project: Path, folder: Path) -> Path:
    """Write the project's pages with constants in place of tokens."""
    site = publishing.publish(project, publishing.credit(project, "/"))
    for source, page in site.pages.items():
        text = page.markdown
        for index, block in enumerate(page.blocks):
            text = text.replace(f"computed-block-{index}-here", block)
        path = folder / "docs" / source
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"---\ntitle: {source}\n---\n\n{text}", encoding="utf-8")
    for address, content in site.files.items():
        path = folder / "docs" / address
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    shutil.copytree(project / "docs" / "assets", folder / "docs" / "assets", dirs_exist_ok=True)
    config = (project / "mkdocs.yml").read_text(encoding="utf-8")
    for line in (r"^hooks:.*\n", r"^watch:.*\n", r"^strict:.*\n", r"^  custom_dir:.*\n"):
        config = re.sub(line, "", config, flags=re.MULTILINE)
    config = re.sub(r"^validation:\n(?:  .*\n)+", "", config, flags=re.MULTILINE)
    (folder / "mkdocs.yml").write_text(config, encoding="utf-8")
    return folder


def seconds(folder: Path) -> float:
    """Build in a new process and return the wall time."""
    shutil.rmtree(folder / "site", ignore_errors=True)
    start = time.perf_counter()
    result = tiny.mkdocs(folder, "build", "-q")
    assert result.returncode == 0, result.stdout + result.stderr
    return time.perf_counter() - start


def cold(project: Path, plain: Path) -> None:
    """Print the ratio of the two builds, taken in turn."""
    computed, constant = [], []
    for _ in range(ROUNDS):
        computed.append(seconds(project))
        constant.append(seconds(plain))
    ratio = statistics.median(computed) / statistics.median(constant)
    pairs = [a / b for a, b in zip(computed, constant, strict=True)]
    print(
        f"cold build, computed / constants: {ratio:.2f} x "
        f"({statistics.median(computed):.2f} s / {statistics.median(constant):.2f} s, "
        f"medians of {ROUNDS}; pairs {min(pairs):.2f} to {max(pairs):.2f} x)"
    )


def served(project: Path) -> None:
    """Print how long a saved page and a saved snippet take to show."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}/scores-and-weights/"
    command = [sys.executable, "-m", "mkdocs", "serve", "-q", "-a", f"127.0.0.1:{port}"]
    process = subprocess.Popen(command, cwd=project, env=tiny.environment())

    def wait(text: str) -> float:
        start = time.perf_counter()
        while time.perf_counter() - start < 60:
            try:
                with urllib.request.urlopen(url, timeout=60) as answer:
                    if text in answer.read().decode():
                        return time.perf_counter() - start
            except OSError:
                pass
            time.sleep(0.02)
        raise SystemExit(f"{text!r} never came")

    try:
        wait("0.6652")
        for name, file, old, new in (
            ("page", "docs/scores-and-weights.md", "## Compare", "## Edited: compare"),
            ("snippet", "snippets/scores_and_weights.py", "CONSTANT = 100.0", "CONSTANT = 207.0"),
        ):
            path = project / file
            text = path.read_text(encoding="utf-8")
            assert old in text
            path.write_text(text.replace(old, new), encoding="utf-8")
            shown = {"page": "Edited: compare", "snippet": ">207</data>"}[name]
            print(f"serve, {name} saved to {name} shown: {wait(shown):.2f} s")
    finally:
        process.terminate()
        process.wait(30)


# What a reader does most in each explorable: the page, and the field that is changed.
INPUTS = {
    "values/": "tokens.1.key.0",
    "scores-and-weights/": "scores.1",
    "masks/": "padding",
    "heads/": "scores.1.1",
    "reading-a-map/": "tokens.1.value.0",
    "notes/scaling/": "place",
}
MEASURE = """async (path) => {
  const widget = document.querySelector(".explorable");
  const input = widget.querySelector(`[data-path="${path}"]`);
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const work = [], frames = [];
  for (let i = 0; i < 60; i++) {
    await frame();
    const last = performance.now();
    await frame();
    frames.push(performance.now() - last);
    const start = performance.now();
    input.value = input.type === "range" ? i % 2 + 1 : String(i % 2 + 1);
    input.dispatchEvent(new Event("input", { bubbles: true }));
    widget.getBoundingClientRect(); // the layout is part of it
    work.push(performance.now() - start);
  }
  const at = (all, share) => all.sort((a, b) => a - b)[Math.floor(all.length * share)];
  return [at(work, 0.5), at(work, 0.95), at(frames, 0.5)];
}"""


def inputs(site: Path) -> None:
    """Print what an input costs: our code and the layout, in one task before the next frame."""
    path = shutil.which("chromium")
    if not path:
        print("input to repaint: no Chromium here, not measured")
        return
    with serving(site) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        for address, field in INPUTS.items():
            page.goto(server.url + address)
            page.wait_for_selector(".explorable.alive")
            middle, slow, frame = page.evaluate(MEASURE, field)
            print(
                f"input to repaint, {address}: {middle:.1f} ms, 95 of 100 under {slow:.1f} ms "
                f"(a frame here: {frame:.1f} ms)"
            )
        browser.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        project = copy_project(Path(name) / "project")
        cold(project, constants(project, Path(name) / "constants"))
        served(project)
        inputs(project / "site")
