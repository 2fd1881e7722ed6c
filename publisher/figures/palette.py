"""The look of every figure: colours that the page can swap, and the settings of its lines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib

# The colours of the light scheme. On a page each becomes the CSS variable --figure-<name>, so that
# one drawing serves light, dark and print; in a downloaded file they stay as they are.
COLOURS = {
    "paper": "#ffffff",
    "ink": "#1f2328",
    "muted": "#5b626b",
    "rule": "#c9ced6",
    "fill": "#eef1f5",
    "accent": "#6b3fa0",
}
PAPER, INK, MUTED = COLOURS["paper"], COLOURS["ink"], COLOURS["muted"]
RULE, FILL, ACCENT = COLOURS["rule"], COLOURS["fill"], COLOURS["accent"]

_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.id": None,
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": INK,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "grid.color": RULE,
    "hatch.linewidth": 0.8,
    "pdf.fonttype": 3,
    "legend.frameon": False,
}


@contextmanager
def settings(identifier: str) -> Iterator[None]:
    """Draw and save under the site's settings while the context lasts.

    The ids in a saved SVG depend on `identifier` alone, so that two builds give the same bytes.
    """
    with matplotlib.rc_context({**_SETTINGS, "svg.hashsalt": identifier}):
        yield
