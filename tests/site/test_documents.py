"""The documents for maintainers name what is there."""

from __future__ import annotations

import re

import pytest

from tests import tiny

DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
FOLDERS = ("docs", "overrides", "publisher", "snippets", "tests")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_files_that_a_document_names_are_there(name: str) -> None:
    text = (tiny.ROOT / name).read_text("utf-8")
    named = re.findall(rf"`((?:{'|'.join(FOLDERS)})/[\w./-]*)`", text)
    linked = re.findall(r"\]\((?!https?:|#)([^)#]+)", text)
    assert linked
    missing = [file for file in (*named, *linked) if not (tiny.ROOT / file).exists()]
    assert missing == []
