"""`make bench`: what computing the numbers costs, as ratios measured in one run.

    python -m tests.bench [--only cold,serve,growth,browser] [--tests] [--against FOLDER]

- cold: a build from nothing, against a build of the same pages with constants for shortcodes.
- serve: the time from saving a page, a snippet, an input of the running example, to seeing it.
- growth: both again with four times the chapters.
- browser: from an input in an explorable to the frame that shows it, beside a frame itself.
- tests: the checks without a browser, and all of them, in times of a cold build.

`--against` measures another checkout of this project, in turn with this one, in cold and serve.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests import tiny
from tests.bench_browser import inputs
from tests.bench_serve import served
from tests.conftest import FILES, FOLDERS
from tests.grown import grow

PARTS = ("cold", "serve", "growth", "browser")
ROUNDS = 5
TIMES = 4


def copied(project: Path, folder: Path) -> Path:
    """Copy what a build reads, of this checkout or another."""
    for name in FOLDERS:
        if (project / name).exists():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(project / name, folder / name, ignore=ignored)
    for name in FILES:
        shutil.copy(project / name, folder / name)
    return folder


def constants(project: Path, folder: Path) -> Path:
    """Write the project's pages with constants in place of shortcodes, and no hook."""
    from publisher import site as publishing

    site = publishing.publish(project, publishing.credit(project, "/"))
    for source, page in site.pages.items():
        # Placeholders lead to one place; in it stands what the publisher made.
        text = site.content(source, page.markdown)
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


class Taken(NamedTuple):
    """What a build takes; the processor's time is what counts on a machine with other work."""

    wall: float
    processor: float


def built(folder: Path) -> Taken:
    """Build from nothing, in a new process."""
    for made in ("site", ".cache"):
        shutil.rmtree(folder / made, ignore_errors=True)
    start, before = time.perf_counter(), processor()
    result = tiny.mkdocs(folder, "build", "-q")
    assert result.returncode == 0, result.stdout + result.stderr
    return Taken(time.perf_counter() - start, processor() - before)


def processor() -> float:
    """Return the processor time of all processes that have been waited for."""
    times = os.times()
    return times.children_user + times.children_system


def middle(taken: Sequence[Taken]) -> Taken:
    """Return the medians."""
    return Taken(*(statistics.median(column) for column in zip(*taken, strict=True)))


def ratio(one: Taken, other: Taken) -> str:
    """Return how many times the one is the other."""
    wall, processor = (a / b for a, b in zip(one, other, strict=True))
    return f"{wall:.2f} x (processor {processor:.2f} x)"


def cold(folders: dict[str, Path]) -> Taken:
    """Print what builds take, made in turn, against the first; return the first one's medians."""
    taken: dict[str, list[Taken]] = {name: [] for name in folders}
    for _ in range(ROUNDS):
        for name, folder in folders.items():
            taken[name].append(built(folder))
    first, *others = {name: middle(each) for name, each in taken.items()}.items()
    for name, each in (first, *others):
        print(
            f"cold build, {name}: {each.wall:.2f} s (processor {each.processor:.2f} s; "
            f"medians of {ROUNDS})"
        )
    for name, each in others:
        print(f"cold build, {first[0]} / {name}: {ratio(first[1], each)}")
    return first[1]


def growth(project: Path, folder: Path) -> None:
    """Print how a build and a saved file's way to its page grow with the chapters."""
    chapters = grow(copied(project, folder), TIMES)
    once, more = (middle([built(each) for _ in range(2)]) for each in (project, folder))
    print(f"growth, {chapters} chapters for {chapters // TIMES}: build {ratio(more, once)}")
    for (name, before), after in zip(served(project).items(), served(folder).values(), strict=True):
        print(f"growth, {name}: {before:.2f} s before, {after:.2f} s after")


def tests(build: Taken) -> None:
    """Print what the checks take, in times of a cold build."""
    for name, arguments in (("without a browser", ["--ignore=tests/browser"]), ("all", [])):
        start, before = time.perf_counter(), processor()
        command = [sys.executable, "-m", "pytest", "-q", *arguments]
        failed = subprocess.run(command, cwd=tiny.ROOT, capture_output=True, check=False).returncode
        taken = Taken(time.perf_counter() - start, processor() - before)
        note = ", with failures" if failed else ""
        print(f"tests, {name}, in cold builds: {ratio(taken, build)}, {taken.wall:.0f} s{note}")


def main(arguments: argparse.Namespace, folder: Path) -> None:
    only = arguments.only.split(",")
    project = copied(tiny.ROOT, folder / "project")
    others = {"the other": copied(arguments.against, folder / "other")} if arguments.against else {}
    if "cold" in only or arguments.tests:
        plain = constants(project, folder / "constants") if "cold" in only else None
        compared = {"computed": project, **({"constants": plain} if plain else {}), **others}
        build = cold(compared)
        if arguments.tests:
            tests(build)
    if "serve" in only:
        for name, each in {"this": project, **others}.items():
            for what, taken in served(copied(each, folder / f"served {name}")).items():
                print(f"serve, {name}, {what}: {taken:.2f} s")
    if "growth" in only:
        growth(project, folder / "grown")
    if "browser" in only:
        if not (project / "site").exists():
            built(project)
        inputs(project / "site")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="What computing the numbers costs.")
    parser.add_argument("--only", default=",".join(PARTS), help="some of cold,serve,growth,browser")
    parser.add_argument("--tests", action="store_true", help="time the checks as well")
    parser.add_argument("--against", type=Path, help="another checkout, measured in turn")
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    with tempfile.TemporaryDirectory() as name:
        main(parser.parse_args(), Path(name))
