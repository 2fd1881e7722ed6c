"""Names, files and addresses: which module has which page, test and source."""

from __future__ import annotations

import hashlib
import posixpath
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from publisher import syntax
from publisher.errors import Mistake, suggestion

SETTINGS = "pyproject.toml"


@dataclass(frozen=True)
class Settings:
    """What the machinery is told of the content: the table [tool.publisher] of pyproject.toml.

    Attributes
    ----------
    shared : modules that all chapters may use; they have tests but no page
    drawings : the package that draws, without pages or tests of its own
    gallery : the chapter that is a package, of snippets that are wrong on purpose; '' for none
    tokens : dotted name of the words that keep one colour each, such as 'running_example.TOKENS'
    token_colours : dotted name of their colours, in the same order
    lists : the page that each list stands on, such as {glossary: glossary.md}
    """

    shared: tuple[str, ...] = ()
    drawings: str = "drawings"
    gallery: str = ""
    tokens: str = ""
    token_colours: str = ""
    lists: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, root: Path) -> Settings:
        """Read the project's table; without one, the defaults.

        Raises
        ------
        Mistake
            If the file does not parse, or the table holds a name or a type that is not known.
        """
        path = root / SETTINGS
        if not path.is_file():
            return cls()
        try:
            document = tomllib.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise Mistake(SETTINGS, 1, f"{error}; correct the file") from None
        table: dict[str, Any] = document.get("tool", {}).get("publisher", {})
        known = {item.name: type(getattr(cls(), item.name)) for item in fields(cls)}
        for name, value in table.items():
            if name not in known:
                raise Mistake(
                    SETTINGS, 1, f"[tool.publisher] has '{name}'{suggestion(name, list(known))}"
                )
            table[name] = value = tuple(value) if isinstance(value, list) else value
            if not isinstance(value, known[name]):
                what = f"[tool.publisher] needs a {known[name].__name__} as '{name}'; correct it"
                raise Mistake(SETTINGS, 1, what)
        return cls(**table)


@dataclass(frozen=True)
class Project:
    """A project's folder, and the names of what lies in it."""

    root: Path
    settings: Settings

    @property
    def kept(self) -> Path:
        """Where drawings and listings are kept from one build to the next."""
        return self.root / ".cache"

    @cached_property
    def modules(self) -> list[str]:
        """Every module with a test: the shared ones, the chapters and the gallery's list."""
        return [*self.settings.shared, *self.chapters]

    @cached_property
    def chapters(self) -> list[str]:
        """Every module with a page and a test, by dotted name."""
        found = []
        apart = (self.settings.drawings, self.settings.gallery)
        for path in sorted((self.root / "snippets").rglob("*.py")):
            parts = path.relative_to(self.root / "snippets").with_suffix("").parts
            if parts == (self.settings.gallery, "__init__"):
                found.append(self.settings.gallery)
            elif parts[0] not in apart and parts[-1] != "__init__":
                found.append(".".join(parts))
        return [name for name in found if name not in self.settings.shared]

    @cached_property
    def bugs(self) -> list[str]:
        """The gallery's modules, one per bug: code to show, without results of their own."""
        if not (gallery := self.settings.gallery):
            return []
        found = sorted((self.root / "snippets" / gallery).glob("[!_]*.py"))
        return [f"{gallery}.{path.stem}" for path in found]

    def file(self, name: str) -> str:
        """Return a module's file, relative to the project."""
        stem = f"snippets/{name.replace('.', '/')}"
        return f"{stem}/__init__.py" if (self.root / stem).is_dir() else f"{stem}.py"

    def test(self, name: str) -> str:
        """Return a module's test file, relative to the project; the gallery's bugs share one."""
        gallery = self.settings.gallery
        *folders, last = [gallery] if name.startswith(f"{gallery}.") else name.split(".")
        return "/".join(["tests", "chapters", *folders, f"test_{last}.py"])

    @cached_property
    def _data_files(self) -> set[Path]:
        """What snippets may read beside each other: a change of it concerns them all."""
        found = (self.root / "snippets").rglob("*")
        return {path for path in found if path.is_file() and path.suffix not in (".py", ".pyc")}

    def fingerprint(self, name: str) -> str:
        """Hash a module's source, that of all it imports, and the data files beside them."""
        if name not in self._fingerprints:
            self._fingerprints[name] = self._fingerprint(name)
        return self._fingerprints[name]

    @cached_property
    def _fingerprints(self) -> dict[str, str]:
        return {}

    def _fingerprint(self, name: str) -> str:
        todo, seen = [f"snippets.{name}"], set()
        files = set(self._data_files)
        while todo:
            dotted = todo.pop()
            file = self.file(dotted.removeprefix("snippets."))
            if dotted not in seen and (self.root / file).is_file():
                seen.add(dotted)
                files.add(self.root / file)
                todo += syntax.imports(self.root, file)
        digest = hashlib.sha256()
        for path in sorted(files):
            digest.update(path.read_bytes())
        return digest.hexdigest()


def slug(name: str) -> str:
    """Return a module's page without its ending: notes.query_key -> notes/query-key."""
    return name.replace(".", "/").replace("_", "-")


def element_id(kind: str, identifier: str) -> str:
    """Return the permanent link of a table, figure or widget: table-notes-scaling-spread."""
    return f"{kind}-{identifier}".replace(".", "-").replace("_", "-")


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

    def file(self, file: str) -> str:
        """Return the name under which a page's HTML is kept, from the site's root."""
        address = self.page(file)
        return f"{address}index.html" if address.endswith("/") or not address else address

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
        """The page's own address, from the site's root."""
        return self.addresses.page(self.file)

    @property
    def root(self) -> str:
        """The way to the site's root: nothing, ../ or ../../."""
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
