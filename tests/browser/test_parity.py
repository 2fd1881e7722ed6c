"""attention.js against NumPy, in a real browser: equal numbers, the same words for bad input."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from snippets import attention
from tests import tiny
from tests.browser.conftest import Tab
from tests.recorded import plain

CASES = 2_000
NAN, INF = float("nan"), float("inf")
# What JSON cannot say is said in a word.
ODD = {"nan": NAN, "inf": INF, "-inf": -INF}
RUN = """async (address) => {
  const operations = await import(new URL("assets/explore/attention.js", location.href));
  const odd = { nan: NaN, inf: Infinity, "-inf": -Infinity };
  const text = await (await fetch(address)).text();
  const revive = (key, value) => (value?.odd ? odd[value.odd] : value);
  const calls = JSON.parse(text, text.includes('{"odd"') ? revive : undefined);
  return JSON.stringify(calls.map(([name, given]) => {
    try {
      return { result: operations[name](...given) };
    } catch (error) {
      return { error: [error.name, error.message] };
    }
  }));
}"""


def in_browser(tab: Tab, calls: str) -> list[dict[str, Any]]:
    """Run calls, each a name and its arguments, through attention.js."""
    page = tab.open("")
    page.route("**/calls.json", lambda route: route.fulfill(body=calls))
    results: list[dict[str, Any]] = json.loads(page.evaluate(RUN, "calls.json"))
    page.unroute("**/calls.json")
    return results


def written(calls: list[tuple[str, list[Any]]]) -> str:
    return json.dumps([[name, said(given)] for name, given in calls])


def said(value: Any) -> Any:
    if isinstance(value, list):
        return [said(item) for item in value]
    if isinstance(value, float) and not np.isfinite(value):
        return {"odd": next(word for word, odd in ODD.items() if repr(odd) == repr(value))}
    return value


def apart(ours: Any, theirs: Any) -> float:
    """Return the largest difference, relative to the largest number of the array."""
    if isinstance(ours, list) and len({np.shape(item) for item in ours}) > 1:  # output, weights
        return max(map(apart, ours, theirs))
    one, other = np.array(ours), np.array(theirs)
    assert one.shape == other.shape
    if one.dtype == bool:
        return float((one != other).any())
    return float(np.abs(one - other).max() / (np.abs(one).max() or 1.0))


def generated() -> Iterator[tuple[str, list[Any]]]:
    """Yield the cases: every operation, many shapes, sizes of numbers, masks and batches."""
    random = np.random.RandomState(2017)
    names = ("softmax", "scaled_dot_product_scores", "additive_scores", "attention_weights")
    names += ("attention", "multi_head_attention")
    for case in range(CASES):
        name = names[case % len(names)]
        n_q, n_k, d_k, d_v, d_model, heads = random.randint(1, 7, 6)
        batch = [(), (), (2,), (3, 2)][random.randint(4)]
        scale = 10.0 ** random.randint(-3, 3)

        def some(*shape: int, scale: float = scale) -> Any:
            return plain(random.standard_normal(shape) * scale)

        mask = None
        if random.randint(2):
            allowed = random.random_sample((n_q, n_k)) < 0.6
            allowed[np.arange(n_q), random.randint(n_k, size=n_q)] = True
            mask = plain(allowed)
        queries, keys, values = some(*batch, n_q, d_k), some(*batch, n_k, d_k), some(n_k, d_v)
        x, context = some(*batch, n_q, d_model), some(n_k, d_v)
        yield name, {
            "softmax": [some(*batch, n_q, n_k), int(random.randint(-2, 2))],
            "scaled_dot_product_scores": [queries, keys],
            "additive_scores": [queries, some(n_k, d_v), some(d_k, d_model, scale=1.0),
                                some(d_v, d_model, scale=1.0), some(d_model)],
            "attention_weights": [queries, keys, mask],
            "attention": [queries, keys, values, mask],
            "multi_head_attention": [
                x, some(heads, d_model, d_k, scale=1.0), some(heads, d_v, d_k, scale=1.0),
                some(heads, d_v, d_k), some(heads * d_k, d_model), mask, context,
            ],
        }[name]  # fmt: skip


def test_two_thousand_generated_cases_agree(tab: Tab) -> None:
    cases = list(generated())
    results = in_browser(tab, written(cases))
    assert len(results) == CASES
    for (name, given), made in zip(cases, results, strict=True):
        ours = plain(getattr(attention, name)(*given))
        assert "result" in made, (name, given, made)
        assert apart(ours, made["result"]) <= 1e-12, (name, given)


def test_every_call_behind_the_published_numbers_agrees(tab: Tab) -> None:
    output = subprocess.run(
        [sys.executable, "-m", "tests.recorded"],
        cwd=tiny.ROOT, env=tiny.environment(), capture_output=True, check=True,
    ).stdout  # fmt: skip
    calls = json.loads(output)
    assert len(calls) > 500 and {name for name, _, _ in calls} >= {"softmax", "attention"}
    results = in_browser(tab, output.decode())
    for (name, given, ours), made in zip(calls, results, strict=True):
        assert "result" in made, (name, given, made)
        assert apart(ours, made["result"]) <= 1e-12, (name, given)


ONE, TWO = [[1.0, 0.5]], [[1.0, 2.0], [3.0, 4.5]]
BAD: list[tuple[str, list[Any]]] = [
    ("softmax", [[]]),
    ("softmax", [[[]]]),
    ("softmax", [1.5]),
    ("softmax", [[1.0, NAN]]),
    ("softmax", [[[1.0, 2.0], [INF, 0.0]]]),
    ("softmax", [[-INF, 0.0]]),
    ("softmax", [["a", "b"]]),
    ("softmax", ["abc"]),
    ("softmax", [None]),
    ("softmax", [[1.0, None]]),
    ("softmax", [[True, False]]),
    ("softmax", [[[1.0, 2.0], [3.0]]]),
    ("softmax", [[1.0, [2.0]]]),
    ("softmax", [TWO, 2]),
    ("softmax", [TWO, -3]),
    ("softmax", [TWO, 0.5]),
    ("softmax", [TWO, True]),
    ("softmax", [TWO, "last"]),
    ("softmax", [TWO, None]),
    ("softmax", [TWO, [0]]),
    ("scaled_dot_product_scores", [ONE, [[1.0, 2.0, 3.0]]]),
    ("scaled_dot_product_scores", [[1.0, 2.0], TWO]),
    ("scaled_dot_product_scores", [[[1e200, 1.0]], [[1e200, 1.0], [0.0, 0.0]]]),
    ("scaled_dot_product_scores", [[ONE, ONE], [TWO, TWO, TWO]]),
    ("additive_scores", [ONE, TWO, [[1.0]], [[1.0], [2.0]], [1.0]]),
    ("additive_scores", [ONE, TWO, [[1.0], [2.0]], [[1.0], [2.0]], [1.0, 2.0]]),
    ("additive_scores", [ONE, TWO, [[1.0], [2.0]], [[1.0], [2.0]], [[1.0]]]),
    ("additive_scores", [[[1e200, 1.0]], TWO, [[1e200], [2.0]], [[1.0], [2.0]], [1.0]]),
    ("causal_mask", [0]),
    ("causal_mask", [-2]),
    ("causal_mask", [2.5]),
    ("causal_mask", ["3"]),
    ("causal_mask", [True]),
    ("causal_mask", [None]),
    ("attention_weights", [ONE, TWO, [[False, False]]]),
    ("attention_weights", [TWO, TWO, [[True, False], [False, False]]]),
    ("attention_weights", [[TWO, TWO], TWO, [[[True, False]] * 2, [[True, True], [False, False]]]]),
    ("attention_weights", [ONE, TWO, [[True, True, True]]]),
    ("attention_weights", [ONE, TWO, [True, True]]),
    ("attention_weights", [ONE, TWO, [[[True, True]]]]),
    ("attention_weights", [ONE, TWO, True]),
    ("attention_weights", [ONE, TWO, []]),
    ("attention_weights", [ONE, TWO, [[1, 0]]]),
    ("attention_weights", [ONE, TWO, [[0.0, -INF]]]),
    ("attention_weights", [ONE, TWO, [["True", "False"]]]),
    ("attention_weights", [ONE, TWO, [[True], [True, False]]]),
    ("attention", [ONE, TWO, ONE]),
    ("attention", [ONE, TWO, [[1.0, NAN], [0.0, 0.0]], [[True, False]]]),
    ("attention", [ONE, TWO, []]),
    ("attention", [ONE, TWO, 3.0]),
    ("multi_head_attention", [TWO, [TWO], [TWO], [TWO], [[1.0]]]),
    ("multi_head_attention", [TWO, [TWO, TWO], [TWO], [TWO], TWO]),
    ("multi_head_attention", [TWO, TWO, [TWO], [TWO], TWO]),
    ("multi_head_attention", [TWO, [TWO], [TWO], [TWO], TWO, [[True, True, True]]]),
    ("multi_head_attention", [TWO, [TWO], [TWO], [TWO], TWO, None, [[1.0, 2.0, 3.0]]]),
    ("multi_head_attention", [TWO, [TWO], [[[1e308, 1e308]] * 2], [TWO], TWO]),
    ("multi_head_attention", [TWO, [TWO], [TWO], [TWO], [[1e308, 0.0], [1e308, 1.0]]]),
]  # fmt: skip


def test_bad_input_is_refused_in_the_same_words(tab: Tab) -> None:
    results = in_browser(tab, written(BAD))
    for (name, given), made in zip(BAD, results, strict=True):
        with pytest.raises((TypeError, ValueError)) as refused:
            getattr(attention, name)(*given)
        assert made == {"error": [refused.type.__name__, str(refused.value)]}, (name, given)
