"""Names, files and addresses: which module has which page, test and source."""

from __future__ import annotations

import hashlib
import posixpath
from dataclasses import dataclass
from pathlib import Path

from publisher import syntax

# Shared by all topics; they have tests but no page of their own.
SHARED = ("attention", "running_example", "sentences")
# The one topic that is a package: the gallery's page is one, its wrong snippets are kept apart.
GALLERY = "bugs"


def slug(name: str) -> str:
    """Return the page of a module: notes.query_key -> notes/query-key."""
    return name.replace(".", "/").replace("_", "-")


def file_of(name: str) -> str:
    """Return a module's file, relative to the project."""
    if name == GALLERY:
        return f"snippets/{name}/__init__.py"
    return f"snippets/{name.replace('.', '/')}.py"


def test_of(name: str) -> str:
    """Return the test file of a module, relative to the project."""
    *folders, last = [GALLERY] if name.startswith(f"{GALLERY}.") else name.split(".")
    return "/".join(["tests", "chapters", *folders, f"test_{last}.py"])


def names(root: Path) -> list[str]:
    """Return every module under snippets/ except the publisher and the packages' own files."""
    found = []
    for path in sorted((root / "snippets").rglob("*.py")):
        parts = path.relative_to(root / "snippets").with_suffix("").parts
        if parts == (GALLERY, "__init__"):
            found.append(GALLERY)
        elif parts[0] not in ("drawings", GALLERY) and parts[-1] != "__init__":
            found.append(".".join(parts))
    return found


def bugs(root: Path) -> list[str]:
    """Return the gallery's modules, one a bug: code to show, no topics of their own."""
    found = sorted((root / "snippets" / GALLERY).glob("[!_]*.py"))
    return [f"{GALLERY}.{path.stem}" for path in found]


def fingerprint(root: Path, name: str) -> str:
    """Hash a module's source and that of all it imports."""
    todo, seen = [f"snippets.{name}"], set()
    files: list[Path] = []
    while todo:
        dotted = todo.pop()
        path = root / file_of(dotted.removeprefix("snippets."))
        if dotted not in seen and path.is_file():
            seen.add(dotted)
            files.append(path)
            todo += syntax.imports(path)
    digest = hashlib.sha256()
    for path in sorted(set(files)):
        digest.update(path.read_bytes())
    return digest.hexdigest()


@dataclass(frozen=True)
class Addresses:
    """Where things are on the site, from its root: the one place that makes addresses.

    `directory_urls` is MkDocs' `use_directory_urls`: a/b/ if set, else a/b.html.
    """

    directory_urls: bool = True

    def page(self, file: str) -> str:
        """Return a Markdown file's address: a/b.md -> a/b/, index.md -> the empty address."""
        folder, _, name = file.removesuffix(".md").rpartition("/")
        if not self.directory_urls:
            return posixpath.join(folder, f"{name}.html")
        stem = folder if name == "index" else posixpath.join(folder, name)
        return f"{stem}/" if stem else ""

    def source(self, file: str) -> str:
        """Return the address of the page that shows a source file."""
        return self.page(f"source/{file}.md")


@dataclass(frozen=True)
class Here:
    """One page, and the relative addresses that lead from it to everything else."""

    addresses: Addresses
    file: str

    @property
    def address(self) -> str:
        """Return this page's own address, from the site's root."""
        return self.addresses.page(self.file)

    @property
    def root(self) -> str:
        """Return the way to the site's root: nothing, ../ or ../../."""
        return "../" * self.address.count("/")

    def page(self, file: str, anchor: str = "") -> str:
        """Return the way to a page, or to an anchor on it."""
        return self.root + self.addresses.page(file) + (f"#{anchor}" if anchor else "")

    def source(self, file: str, line: int = 0) -> str:
        """Return the way to a source file's page, or to a line of it."""
        return self.root + self.addresses.source(file) + (f"#L-{line}" if line else "")

    def asset(self, path: str) -> str:
        """Return the way to a file that stands on the site as it is."""
        return self.root + path


def url_of(file: str) -> str:
    """Return the address of a page where folders are addresses."""
    return Addresses().page(file)
