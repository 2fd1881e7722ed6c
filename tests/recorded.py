"""Record every call of the operation that the published results make: name, input, result.

    python -m tests.recorded > calls.json

In a process of its own, since the topics must be imported after the operation is wrapped.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import json
from collections.abc import Callable
from typing import Any

import numpy as np

from publisher import syntax
from snippets import attention
from tests.tiny import PROJECT

OPERATIONS = (
    "softmax",
    "scaled_dot_product_scores",
    "additive_scores",
    "causal_mask",
    "attention_weights",
    "attention",
    "multi_head_attention",
)
LARGEST = (
    2_000  # numbers in a call; of a simulation's larger batches the first trial stands for all
)


def plain(value: Any) -> Any:
    """Return arrays as nested lists, for JSON."""
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def listening(name: str, function: Callable[..., Any], calls: dict[str, Any]) -> Callable[..., Any]:
    """Wrap one operation so that each different call is kept, its arguments in order."""

    @functools.wraps(function)
    def wrapped(*arguments: Any, **named: Any) -> Any:
        bound = inspect.signature(function).bind(*arguments, **named)
        bound.apply_defaults()
        kept = list(bound.arguments.values())
        if sum(np.size(argument) for argument in kept) > LARGEST:
            kept = [argument[:1] if np.ndim(argument) else argument for argument in kept]
        calls[json.dumps([name, plain(kept)])] = plain(function(*kept))
        return function(*arguments, **named)

    return wrapped


def recorded() -> list[Any]:
    """Compute every topic's results, and return the calls: name, arguments, result."""
    calls: dict[str, Any] = {}
    for name in OPERATIONS:
        setattr(attention, name, listening(name, getattr(attention, name), calls))
    for name in PROJECT.chapters:
        module = importlib.import_module(f"snippets.{name}")
        for kind in syntax.KINDS:
            getattr(module, kind, dict)()
    return [[*json.loads(call), result] for call, result in calls.items()]


if __name__ == "__main__":
    print(json.dumps(recorded()))
