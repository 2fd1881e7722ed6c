"""Results that are dear to make, kept in a folder from one build to the next.

A result is kept under the hash of everything it depends on, so that it can never be stale: other
inputs have another name. The folder may be deleted at any time.
"""

from __future__ import annotations

import hashlib
import pickle
import tempfile
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

Made = TypeVar("Made")

# What drawings and listings are made with, beside the publisher's own code.
_LIBRARIES = ("matplotlib", "numpy", "pygments", "jinja2")


def kept(folder: Path, inputs: object, make: Callable[[], Made]) -> Made:
    """Return what was made of these inputs before, or make it and keep it.

    Parameters
    ----------
    folder : where results are kept; it is made when needed
    inputs : everything that the result depends on, beside the publisher and its libraries
    make : makes the result, which can be pickled
    """
    name = hashlib.sha256(pickle.dumps((_tools(), inputs))).hexdigest()
    path = folder / name
    try:
        found: Made = pickle.loads(path.read_bytes())
        return found
    except Exception:  # not there, cut short, or of another version: it is made anew
        made = make()
    folder.mkdir(parents=True, exist_ok=True)
    # Written whole under another name first: two builds may run at once.
    with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
        file.write(pickle.dumps(made))
    Path(file.name).replace(path)
    return made


@cache
def _tools() -> tuple[object, ...]:
    """Return the libraries' versions and a hash of the publisher's own sources."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*")):
        if path.suffix in (".py", ".html"):
            digest.update(path.read_bytes())
    return (*map(version, _LIBRARIES), digest.hexdigest())
