"""Give a copy of the project more chapters: each one again under other names, test and page too."""

from __future__ import annotations

import re
from pathlib import Path

from publisher import syntax
from publisher.project import Project, Settings, slug

# `{{ num values.`, `figure="values.`
_ASKED = r"(\{\{ (?:num|vector|text|table|figure|widget|code|output) |figure=\")"


def grow(folder: Path, times: int) -> int:
    """Give a project `times` as many chapters as it has, and return how many these are.

    The gallery of bugs, which is a package, is left as it is, and pages that hold a list.
    """
    project = Project(folder, Settings.read(folder))
    names = [name for name in project.chapters if name != project.settings.gallery]
    pages = {slug(name): (folder / f"docs/{slug(name)}.md").read_text("utf-8") for name in names}
    for copy in range(2, times + 1):
        for name in names:
            _copy(project, name, names, pages[slug(name)], copy)
    config = folder / "mkdocs.yml"
    rows = []
    for row in config.read_text("utf-8").splitlines():
        rows.append(row)
        if (found := re.fullmatch(r"( +- (?:.*: )?)([\w/-]+)\.md", row)) and found[2] in pages:
            rows += [f"{found[1]}{found[2]}-{copy}.md" for copy in range(2, times + 1)]
    config.write_text("\n".join(rows) + "\n", "utf-8")
    return times * len(names)


def _copy(project: Project, name: str, names: list[str], page: str, copy: int) -> None:
    """Write one chapter again; what it says of chapters, it says of their copies."""

    def renamed(text: str) -> str:
        for other in names:
            text = re.sub(rf"{_ASKED}{re.escape(other)}(?=\.)", rf"\g<1>{other}_{copy}", text)
        return re.sub(r"(\{\{ misreading [\w-]+)", rf"\1-{copy}", text)

    root, module = project.root, project.file(name)
    other = f"{name}_{copy}"
    snippet = renamed((root / module).read_text("utf-8"))
    (root / project.file(other)).write_text(snippet, "utf-8")
    test = (root / project.test(name)).read_text("utf-8")
    (root / project.test(other)).write_text(test, "utf-8")
    page = renamed(page)
    # What only another page shows of this chapter is shown below.
    for kind, key in syntax.results(root, module):
        if not re.search(rf"{re.escape(other)}\.{key}\b", page + snippet):
            keyword = "num" if kind == "numbers" else kind[:-1]
            page += f"\n\n{{{{ {keyword} {other}.{key} }}}}\n"
    (root / f"docs/{slug(other)}.md").write_text(page, "utf-8")
