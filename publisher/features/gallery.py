"""The bug gallery: snippets that are wrong on purpose, each whole, shown, and kept apart."""

from __future__ import annotations

from collections.abc import Collection

from publisher import syntax
from publisher.errors import Mistake
from publisher.project import Project

# What every bug defines.
_PARTS = ("wrong", "right", "measure", "demo", "check")
# Of these, what a page shows.
_SHOWN = ("wrong", "check")


def validate(project: Project) -> None:
    """Stop if a bug lacks a part or lies in the wrong place, or if anything else imports one.

    Raises
    ------
    Mistake
        In the bug's file, or at the import.
    """
    if not (gallery := project.settings.gallery):
        return
    if project.bugs and gallery not in project.chapters:
        what = "a gallery without its list; write the bugs' numbers() here"
        raise Mistake(project.file(gallery), 1, what)
    _validate_places(project, gallery)
    for bug in project.bugs:
        file = project.file(bug)
        there = syntax.defined(project.root, file)
        if missing := [part for part in _PARTS if part not in there]:
            raise Mistake(file, 1, f"a bug without {', '.join(missing)}; define what is missing")
    for name in project.modules:
        if name != gallery:
            _validate_imports(project, gallery, project.file(name))


def _validate_places(project: Project, gallery: str) -> None:
    """Stop at a file of the gallery's folder that would not be taken for a bug."""
    folder = project.root / "snippets" / gallery
    for path in sorted(folder.rglob("*.py")):
        if path.parent != folder or (path.name.startswith("_") and path.name != "__init__.py"):
            file = path.relative_to(project.root).as_posix()
            raise Mistake(file, 1, f"not a place for a bug; name it snippets/{gallery}/bug.py")


def _validate_imports(project: Project, gallery: str, file: str) -> None:
    """Stop at a module that imports the gallery or one of its bugs."""
    for module, line in sorted(syntax.imported(project.root, file).items()):
        if f"{module}.".startswith(f"snippets.{gallery}."):
            what = f"imports {module}, which is wrong on purpose; take the right code"
            raise Mistake(file, line, what)


def unused(project: Project, programs: Collection[str]) -> None:
    """Stop at a bug that no page shows.

    Parameters
    ----------
    project : Project
        The project with the gallery.
    programs : collection of str
        The dotted names of the code that stands on pages.

    Raises
    ------
    Mistake
        In the bug's file.
    """
    for bug in project.bugs:
        for part in _SHOWN:
            if f"{bug}.{part}" not in programs:
                what = f"a bug that no page shows in full; write {{{{ code {bug}.{part} }}}}"
                raise Mistake(project.file(bug), 1, what)
