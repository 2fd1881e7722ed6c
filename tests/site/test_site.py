"""The built site: what stands in its pages, and that it stands there twice alike."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from bs4 import BeautifulSoup, Tag

from publisher.formats import MINUS
from tests import tiny
from tests.conftest import build, copy_project

SITE_URL = "https://attention-computed.github.io/"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, BeautifulSoup]:
    """Return every page of the site by its address."""
    return {
        page.relative_to(site).as_posix().removesuffix("index.html"): BeautifulSoup(
            page.read_text(encoding="utf-8"), "html.parser"
        )
        for page in sorted(site.rglob("*.html"))
    }


@pytest.fixture(scope="module")
def ledger(site: Path) -> list[dict[str, object]]:
    """Return the entries of numbers.json."""
    entries: list[dict[str, object]] = json.loads((site / "numbers.json").read_text("utf-8"))
    return entries


def numbers(page: BeautifulSoup) -> list[Tag]:
    return page.select("data.num")


def test_the_hand_example_stands_on_the_site(pages: dict[str, BeautifulSoup]) -> None:
    shown = {n.get_text() for page in pages.values() for n in numbers(page)}
    assert {"0.6652", "0.2447", "0.0900", "1.4205", "0.5795"} <= shown
    weight = pages["scores-and-weights/"].find("data", string="0.6652")
    assert isinstance(weight, Tag)
    # e^2 / (e^2 + e + 1) to twenty places is 0.66524095577482188953.
    assert weight["value"] == "0.6652409557748219"


def test_every_number_on_a_page_is_the_ledgers(
    pages: dict[str, BeautifulSoup], ledger: list[dict[str, object]]
) -> None:
    by_id = {entry["id"]: entry for entry in ledger}
    assert len(by_id) == len(ledger) > 100
    seen: dict[str, set[str]] = {}
    for address, page in pages.items():
        for number in numbers(page):
            entry = by_id[number["data-id"]]
            assert float(str(number["value"])) == entry["value"]
            seen.setdefault(str(entry["id"]), set()).add(address)
    for entry in ledger:
        # A number inside a formula has its page in the ledger, but no element of its own.
        assert seen.get(str(entry["id"]), set()) <= set(entry["pages"])  # type: ignore[call-overload]
        assert entry["pages"]


def test_ledger_shows_what_its_value_rounds_to(ledger: list[dict[str, object]]) -> None:
    plain = re.compile(rf"{MINUS}?\d+\.\d+")
    checked = 0
    for entry in ledger:
        text, digits = str(entry["displayed"]), entry["digits"]
        if isinstance(digits, int) and plain.fullmatch(text):
            shown = float(text.replace(MINUS, "-"))
            assert abs(shown - float(str(entry["value"]))) <= 0.5 * 10**-digits * (1 + 1e-9)
            checked += 1
    assert checked > 50


def test_ledger_points_at_the_lines_it_names(ledger: list[dict[str, object]]) -> None:
    for entry in ledger:
        identifier = str(entry["id"])
        name = identifier.removeprefix(str(entry["module"]).removeprefix("snippets.") + ".")
        name = f'"{name.split("[")[0]}"'
        file = tiny.ROOT / tiny.PROJECT.file(str(entry["module"]).removeprefix("snippets."))
        assert name in file.read_text("utf-8").splitlines()[int(str(entry["line"])) - 1]
        test, line = str(entry["test"]).split(":")
        assert name in (tiny.ROOT / test).read_text("utf-8").splitlines()[int(line) - 1]


def test_ids_are_unique(pages: dict[str, BeautifulSoup]) -> None:
    for address, page in pages.items():
        ids = [str(element["id"]) for element in page.find_all(id=True)]
        # The theme's own drawer and palette controls are not ours to rename.
        repeated = {i for i in ids if ids.count(i) > 1 and not i.startswith("__")}
        assert not repeated, (address, repeated)


def test_no_token_is_left_in_the_html(site: Path) -> None:
    raw = re.compile(r"\{\{ ?(?:num|vector|text|token|literal|table|figure|code|output|ledger)\b")
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")
        assert raw.search(text) is None, page
        assert "computed-block-" not in text, page


def test_every_link_leads_somewhere(site: Path, pages: dict[str, BeautifulSoup]) -> None:
    for address, page in pages.items():
        if address == "404.html":
            continue
        for link in page.find_all(["a", "link", "script", "img"]):
            target = str(link.get("href") or link.get("src") or "")
            parts = urlsplit(urljoin(SITE_URL + address, target))
            if not target or not parts.geturl().startswith(SITE_URL):
                continue
            file = unquote(parts.path.removeprefix("/"))
            on_disk = site / (f"{file}index.html" if file.endswith("/") or not file else file)
            assert on_disk.exists(), (address, target)
            if parts.fragment and file in pages:
                assert pages[file].find(id=unquote(parts.fragment)), (address, target)


def test_nothing_is_asked_of_another_host(pages: dict[str, BeautifulSoup], site: Path) -> None:
    for address, page in pages.items():
        for element in page.find_all(["script", "img", "link", "iframe", "source", "use"]):
            target = str(element.get("src") or element.get("href") or "")
            if element.name == "link" and "canonical" in element.get("rel", []):
                continue
            assert "//" not in target.removeprefix(SITE_URL), (address, target)
    for sheet in (site / "assets").rglob("*.css"):
        assert not re.search(r"url\(\s*['\"]?(?:https?:)?//", sheet.read_text("utf-8")), sheet


def test_every_page_says_what_it_is(pages: dict[str, BeautifulSoup]) -> None:
    for address, page in pages.items():
        assert page.html and page.html["lang"] == "en"
        for select in ('meta[name="description"]', 'meta[property="og:title"]'):
            found = page.select_one(select)
            assert found and str(found["content"]).strip(), (address, select)
        if address != "404.html" and not address.startswith("source/"):
            assert page.select_one(".cite"), address


def test_figures_can_be_read_and_taken_away(site: Path, pages: dict[str, BeautifulSoup]) -> None:
    figures = [(a, f) for a, page in pages.items() for f in page.select("figure.figure")]
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
    from PIL import Image

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


def test_two_builds_are_the_same_bytes(site: Path, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere" / "and deeper"
    folder.mkdir(parents=True)
    again = build(
        copy_project(folder),
        TZ="Pacific/Kiritimati", LC_ALL="C", LANG="C", PYTHONHASHSEED="12345", HOME=str(tmp_path),
    )  # fmt: skip
    first = {p.relative_to(site): p.read_bytes() for p in site.rglob("*") if p.is_file()}
    second = {p.relative_to(again): p.read_bytes() for p in again.rglob("*") if p.is_file()}
    assert first.keys() == second.keys()
    assert [str(name) for name in first if first[name] != second[name]] == []
