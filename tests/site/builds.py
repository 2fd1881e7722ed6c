"""Build the site three times in one process, as `mkdocs serve` would.

    python -m tests.site.builds FOLDER

FOLDER/site is the site, and FOLDER/digits.json every number that became digits while it was built;
FOLDER/files is the same with a file and not a folder per page (`use_directory_urls: false`), and
with the first one's drawings, which are half of the work;
FOLDER/moved is the site after every input of the running example has moved, and the simulation has
been shortened. The working directory is a copy of the project, and stays changed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any
from unittest import mock

from tests.site import digits, inputs


def main(target: Path) -> None:
    with digits.noted() as notes:  # before anything imports the publisher
        from mkdocs.__main__ import cli

        from publisher import draw

        def build(name: str, *arguments: str) -> None:
            cli(["build", "--site-dir", str(target / name), *arguments], standalone_mode=False)

        drawn: dict[str, Any] = {}
        artwork = draw.artwork

        def drawing(name: str, *arguments: Any) -> Any:
            drawn[name] = artwork(name, *arguments)
            return drawn[name]

        with mock.patch.object(draw, "artwork", drawing):
            build("site")
        notes.write(target / "digits.json")
    with mock.patch.object(draw, "artwork", lambda name, *_: drawn[name]):
        build("files", "--no-directory-urls")
    inputs.shorten(Path.cwd())
    for constant in inputs.constants(Path.cwd()):
        inputs.move(Path.cwd(), constant)
    build("moved")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
