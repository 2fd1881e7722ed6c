"""The ledger: every number that a page shows, and the pages that show it.

The third room on a number's way: it needs all chapters' results and all pages' uses.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from publisher.collect import Entry, Results
from publisher.project import Addresses
from publisher.render.values import Rendered


@dataclass(frozen=True)
class Row:
    """One number, and the addresses of the pages it stands on."""

    entry: Entry
    pages: tuple[str, ...]


def ledger(results: Results, rendered: Iterable[Rendered]) -> tuple[Row, ...]:
    """Return a row for every number that a page shows, in the order of the chapters."""
    pages: dict[str, list[str]] = {}
    for page in rendered:
        address = page.here.address
        for identifier in page.uses.numbers:
            pages.setdefault(identifier, []).append(address)
    return tuple(
        Row(entry, tuple(sorted(pages[identifier])))
        for identifier, entry in results.entries.items()
        if identifier in pages
    )


def as_json(rows: Iterable[Row], addresses: Addresses) -> bytes:
    """Return numbers.json: one record per row."""
    records = []
    for row in rows:
        entry = row.entry
        source, test = addresses.source(entry.file), addresses.source(entry.test)
        records.append(
            {
                "id": entry.id,
                "displayed": entry.displayed,
                "value": entry.number.value,
                "digits": entry.number.digits if isinstance(entry.number.value, float) else 0,
                "module": f"snippets.{entry.module}",
                "line": entry.line,
                "call": entry.call,
                "source": f"{source}#L-{entry.line}",
                "test": f"{entry.test}:{entry.test_line}",
                "test_source": f"{test}#L-{entry.test_line}",
                "pages": list(row.pages),
            }
        )
    return (json.dumps(records, indent=1) + "\n").encode()


def share(page: Rendered, entries: Mapping[str, Entry]) -> dict[str, list[str]]:
    """Return a page's own part of the ledger: id -> source, test, call; in the ledger's order."""
    return {
        identifier: [f"{e.file}:{e.line}", f"{e.test}:{e.test_line}", e.call]
        for identifier, e in entries.items()
        if identifier in page.uses.numbers
    }
