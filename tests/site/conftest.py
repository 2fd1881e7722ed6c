"""The pages and the ledger of the built site."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.site import facts
from tests.site.facts import Facts


@pytest.fixture(scope="session")
def pages(site: Path) -> dict[str, Facts]:
    """Return every page of the site by its address."""
    return facts.read_site(site)


@pytest.fixture(scope="session")
def ledger(site: Path) -> list[dict[str, Any]]:
    """Return the entries of numbers.json."""
    entries: list[dict[str, Any]] = json.loads((site / "numbers.json").read_text("utf-8"))
    return entries
