"""Every figure can be read in words, and taken away with its licence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, SoupStrainer, Tag
from PIL import Image

from tests.site.test_links import SITE_URL


@pytest.fixture(scope="module")
def figures(site: Path) -> list[tuple[str, Tag]]:
    """Return every figure, with the address of its page."""
    found = []
    for page in sorted(site.rglob("*.html")):
        html = page.read_text("utf-8")
        address = page.relative_to(site).as_posix().removesuffix("index.html")
        if '<figure class="figure"' in html and not address.startswith("source/"):
            soup = BeautifulSoup(html, "html.parser", parse_only=SoupStrainer("figure"))
            found += [(address, figure) for figure in soup.select("figure.figure")]
    return found


def test_figures_can_be_read_and_taken_away(site: Path, figures: list[tuple[str, Tag]]) -> None:
    assert len(figures) >= 4
    for address, figure in figures:
        drawings = figure.select("svg.drawing")
        assert len(drawings) == 2, address
        for drawing in drawings:
            assert len(str(drawing["aria-label"])) > 60
            assert "#0b3f94" not in str(drawing)  # colours follow the page
        assert figure.select_one(".label")
        links = [str(a["href"]) for a in figure.select("a[download]")]
        assert [link.rsplit(".", 1)[1] for link in links] == ["svg", "png", "pdf", "csv", "json"]
        for link in links:
            data = (site / address / link).resolve().read_bytes()
            if not link.endswith((".png", ".pdf")):
                assert b"CC BY 4.0" in data, link
                assert b"version 1.0.0" in data, link
            assert b"2026-" not in data, link
        about = json.loads((site / address / links[-1]).resolve().read_text("utf-8"))
        assert about["description"] in drawings[0]["aria-label"]
        assert len({len(row) for row in about["rows"]} | {len(about["columns"])}) == 1


def test_png_and_pdf_carry_licence_and_citation(site: Path) -> None:
    pictures = sorted((site / "figures").rglob("*.png"))
    assert pictures
    for picture in pictures:
        text = Image.open(picture).text  # type: ignore[attr-defined]
        assert "CC BY 4.0" in text["Copyright"]
        assert SITE_URL in text["Copyright"]
        assert "Creation Time" not in text
        pdf = picture.with_suffix(".pdf").read_bytes()
        assert b"CC BY 4.0" in pdf
        assert b"CreationDate" not in pdf
