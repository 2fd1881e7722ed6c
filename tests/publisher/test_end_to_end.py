"""Three builds through MkDocs, as an author starts them: a good one, and two with a mistake."""

from __future__ import annotations

import re
from pathlib import Path

from tests import tiny
from tests.publisher.mistakes import THIRD, in_page, in_snippet

IN_PAGE = in_page(
    THIRD, "{{ num example.thrid }}", "no number 'thrid' in example (did you mean 'third'?)"
)
IN_SNIPPET = in_snippet(
    "1 / 3,\n    }",
    "1 / 0,\n    }",
    "numbers() raised ZeroDivisionError: division by zero; correct the snippet",
)
SCRIPT = "// A script.\nexport const x = 1;\n"


def files(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_mistake_is_one_line_and_leaves_the_old_site_whole(tmp_path: Path) -> None:
    folder = tiny.with_publisher(tiny.make(tmp_path))
    (folder / "docs/a.js").write_text(SCRIPT)
    result = tiny.mkdocs(folder, "build", "-q")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    built = (folder / "site/example/index.html").read_text("utf-8")
    third = '<data class="num" value="0.3333333333333333" data-id="example.third">0.3333</data>'
    assert built.count(third) == 2  # in the sentence and in the figure's caption
    assert re.search(r"\{\{ ?\w", built) is None
    assert (folder / "site/numbers.json").is_file()
    assert (folder / "site/a.js").read_text("utf-8") == "export const x=1"  # sent small
    assert (folder / "docs/a.js").read_text("utf-8") == SCRIPT

    before = files(folder / "site")
    for changed, said in (IN_PAGE, IN_SNIPPET):
        result = tiny.mkdocs(tiny.make(folder, **changed), "build", "-q")
        assert result.returncode == 1
        assert [line for line in (result.stdout + result.stderr).splitlines() if line] == [said]
        assert files(folder / "site") == before
