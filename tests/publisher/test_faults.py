"""Faults of the first edition, each found by a reader of the code, each kept from coming back."""

from __future__ import annotations

import html
import shutil
from pathlib import Path

import pytest

from publisher import site
from publisher.errors import Mistake
from publisher.html.small import small
from publisher.project import Project, Settings
from tests import tiny
from tests.publisher.mistakes import PAIR, THIRD, line_of

ATTRIBUTE = "a shortcode cannot stand in an attribute or a link's address; move it"


def shown(folder: Path, page: str, **changed: str) -> str:
    """Return the HTML of the tiny site's chapter."""
    return tiny.publish(tiny.make(folder, page=page, **changed))["example.md"]


@pytest.mark.parametrize(
    "line",
    [f'{THIRD} and <i title="{THIRD}">x</i>', f"{THIRD} and ![{THIRD}](x.png)",
     f"{THIRD}, {THIRD} and [x](y{THIRD})"],
)  # fmt: skip
def test_a_later_use_on_a_line_is_placed_as_strictly_as_the_first(
    line: str, tmp_path: Path
) -> None:
    page = f"{tiny.PAGE}\n{line}\n"
    expected = f"docs/example.md:{line_of(page, line)}: {ATTRIBUTE}"
    assert tiny.mistake(tiny.make(tmp_path, page=page)) == expected


def test_a_price_in_dollars_is_a_formula(tmp_path: Path) -> None:
    made = shown(tmp_path, f"{tiny.PAGE}\nIt costs $a = \\$$.\n\n$$b = 2\\$$$\n")
    assert made.count("<math") == 2
    assert ">a = \\$</annotation>" in html.unescape(made)


@pytest.mark.parametrize(
    ("form", "digits", "text"),
    [("short", 2, "0.5"), ("", 2, "0.50"), ("percent", 3, "50.0%"), ("surd", 3, "0.5")],
)
def test_digits_keep_the_form_of_the_number(
    form: str, digits: int, text: str, tmp_path: Path
) -> None:
    snippet = tiny.SNIPPET.replace("Table, Tables", "Number, Table, Tables").replace(
        '"third": 1 / 3,\n    }', f'"third": Number(0.5, form="{form}"),\n    }}'
    )
    page = f"{tiny.PAGE}\nHere: {{{{ num example.third | digits {digits} }}}}.\n"
    assert f'data-id="example.third">{text}</data>.' in shown(tmp_path, page, snippet=snippet)


def test_a_relative_import_is_blamed_on_its_file(tmp_path: Path) -> None:
    snippet = tiny.SNIPPET.replace("\n\ndef numbers", "\nfrom .other import x\n\n\ndef numbers", 1)
    said = tiny.mistake(tiny.make(tmp_path, snippet=snippet))
    line = line_of(snippet, "from .other")
    assert said.startswith(f"snippets/example.py:{line}: a relative import")


def test_a_project_may_lie_in_any_folder(tmp_path: Path) -> None:
    folder = tmp_path / "publish" / "publisher" / "snippets"
    snippet = tiny.SNIPPET.replace("1 / 3,\n    }", "1 / 0,\n    }")
    said = tiny.mistake(tiny.make(folder, snippet=snippet))
    assert said.startswith(f"snippets/example.py:{line_of(snippet, '1 / 0')}: numbers() raised")


def test_a_changed_data_file_changes_every_fingerprint(tmp_path: Path) -> None:
    folder = tiny.make(tmp_path)
    (folder / "snippets/data.csv").write_text("1,2\n")
    before = Project(folder, Settings()).fingerprint("example")
    assert Project(folder, Settings()).fingerprint("example") == before
    (folder / "snippets/data.csv").write_text("1,3\n")
    assert Project(folder, Settings()).fingerprint("example") != before


def test_a_byte_order_mark_is_not_shown(tmp_path: Path) -> None:
    folder = tiny.make(tmp_path)
    path = folder / "snippets/example.py"
    path.write_text(tiny.SNIPPET, encoding="utf-8-sig")
    with tiny.first(folder):
        files = site.publish(folder, site.credit(folder, "/")).files
    listing = files["source/snippets/example.py/index.html"].decode()
    assert "A tiny chapter" in listing
    assert "\ufeff" not in listing


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [("docs/a.js", "let a = 1;\nfunction ( {\n", 2), ("docs/a.js", "let a = ;\n", 1),
     ("docs/a.css", "a{b:c'}", 1)],
)  # fmt: skip
def test_a_wrong_script_or_stylesheet_is_a_mistake_in_one_line(
    name: str, text: str, line: int
) -> None:
    with pytest.raises(Mistake) as mistake:
        small(name, text)
    assert str(mistake.value).startswith(f"{name}:{line}: ")
    assert str(mistake.value).endswith("; correct the syntax")


def test_a_wrong_script_stops_mkdocs_with_one_line(tmp_path: Path) -> None:
    folder = tiny.with_publisher(tiny.make(tmp_path))
    (folder / "docs/a.js").write_text("let a = ;\n")
    result = tiny.mkdocs(folder, "build", "-q")
    said = [line for line in (result.stdout + result.stderr).splitlines() if line]
    assert result.returncode == 1
    assert len(said) == 1 and said[0].startswith("docs/a.js:1: ")


@pytest.mark.parametrize(
    ("table", "said"),
    [("galery = 'bugs'", "[tool.publisher] has 'galery' (did you mean 'gallery'?)"),
     ("gallery = 3", "[tool.publisher] needs a str as 'gallery'; correct it"),
     ("gallery = ", "Invalid value")],
)  # fmt: skip
def test_a_mistake_in_the_settings(table: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(f"[tool.publisher]\n{table}\n")
    with pytest.raises(Mistake) as mistake:
        Settings.read(tmp_path)
    assert str(mistake.value).startswith("pyproject.toml:1: ")
    assert said in str(mistake.value)


def test_a_table_may_stand_once_and_a_number_often(tmp_path: Path) -> None:
    assert shown(tmp_path / "a", f"{tiny.PAGE}\n{THIRD} {THIRD}\n").count("0.3333</data>") >= 4
    shutil.rmtree(tmp_path / "a")
    page = f"{tiny.PAGE}\n{PAIR}\n"
    assert "stands on this page already" in tiny.mistake(tiny.make(tmp_path / "b", page=page))
