"""Same output, other weights: walk the set, drag the values, and check it all with NumPy."""

from __future__ import annotations

import base64
import itertools
import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Page, expect

from snippets import explore, reading_a_map
from snippets.reading_a_map import ends
from snippets.running_example import TOKENS, VALUES
from tests.browser.conftest import Tab
from tests.browser.questions import axe
from tests.browser.reader import Reader, anew, reading, run

PAGE = "reading-a-map/"
E = "same-output-explorer"
COMPUTE = """(states) => {
  const widget = document.querySelector("same-output-explorer");
  const kept = widget.results;
  const made = states.map((state) => {
    widget.results = widget.compute(state);
    const words = widget.show(state, widget.results) + widget.code(state) + widget.say(state, widget.results);
    return { ...widget.results, clean: !/NaN|undefined|Infinity/.test(words) };
  });
  widget.results = kept;
  return made;
}"""  # noqa: E501


@pytest.fixture(scope="module")
def desk(tab: Tab) -> Reader:
    return reading(tab, PAGE, E)


@pytest.fixture
def page(desk: Reader) -> Iterator[Page]:
    for reader in anew(desk):
        yield reader.page


def results(page: Page) -> dict[str, Any]:
    made: dict[str, Any] = page.evaluate(f"document.querySelector('{E}').results")
    return made


def walk(page: Page, token: int, share: float) -> None:
    """Put the slider of a token where a share of its length is behind it."""
    page.locator(f"{E} [data-walk='{token}'] input").evaluate(
        "(input, share) => { input.value = Number(input.min) + share * (input.max - input.min);"
        " for (const type of ['input', 'change'])"
        " input.dispatchEvent(new Event(type, { bubbles: true })); }",
        share,
    )


def shown(page: Page, row: str) -> list[float]:
    cells = page.locator(f"{E} table.data tr", has=page.get_by_role("rowheader", name=row))
    values = cells.locator("data").evaluate_all("all => all.map(one => one.value)")
    return [float(value) for value in values]


def problem(page: Page) -> str:
    return page.locator(f"{E} .problem").inner_text()


def press(page: Page, name: str) -> None:
    page.locator(E).get_by_role("button", name=name).click()


def corners_by_brute_force(values: NDArray[Any], weights: NDArray[Any]) -> NDArray[Any]:
    """Try every choice of tokens with no weight; keep the distributions that solve the system."""
    n = len(values)
    system = np.vstack([values.T, np.ones(n)])
    found: list[NDArray[Any]] = []
    for size in range(1, n + 1):
        for some in map(list, itertools.combinations(range(n), size)):
            part, _, rank, _ = np.linalg.lstsq(system[:, some], system @ weights, rcond=1e-9)
            point = np.zeros(n)
            point[some] = part
            solves = np.abs(system @ (point - weights)).max() < 1e-9
            new = all(np.abs(point - other).max() > 1e-6 for other in found)
            if rank == size and solves and point.min() > -1e-9 and new:
                found.append(point)
    return np.array(found)


def same_points(ours: NDArray[Any], theirs: NDArray[Any]) -> bool:
    apart = np.abs(ours[:, np.newaxis] - theirs).max(axis=2)
    return len(ours) == len(theirs) and bool(apart.min(axis=0).max() < 1e-7)


def states() -> Iterator[dict[str, Any]]:
    """Yield triangles, lines, points and pairs; three and four; in many sizes and places."""
    random = np.random.RandomState(2019)
    for case in range(600):
        n, kind = 3 + case % 2, case % 7
        values = random.uniform(-1, 1, (n, 2))
        if kind in (1, 2):
            values = np.outer(random.uniform(-1, 1, n), random.uniform(-1, 1, 2))
        elif kind == 3:
            values[:] = values[0]
        elif kind == 4:
            values[-1] = values[0]
        elif kind == 5:
            values = random.randint(-2, 3, (n, 2)).astype(float)
        values = values * 10.0 ** random.randint(-3, 4)
        moved = random.uniform(-1, 1, n) * random.choice([0, 0.1, 1, 1e300])
        yield {
            "tokens": [
                {"name": f"token {i}", "value": value, "score": score, "moved": step}
                for i, (value, score, step) in enumerate(
                    zip(values.tolist(), random.uniform(-2, 2, n).tolist(), moved, strict=True)
                )
            ]
        }


def test_six_hundred_sets_agree_with_numpy(page: Page) -> None:
    seen = set()
    every = list(states())
    for state, made in zip(every, page.evaluate(COMPUTE, every), strict=True):
        assert made["clean"], state
        tokens = state["tokens"]
        values = np.array([token["value"] for token in tokens])
        spread = np.abs(values - values[0]).max() or 1.0
        values = (values - values[0]) / spread  # neither place nor size matters
        exponentials = np.exp([token["score"] for token in tokens])
        weights = exponentials / exponentials.sum()
        assert made["weights"] == pytest.approx(weights, rel=1e-12)
        sizes = np.linalg.svd(np.vstack([values.T, np.ones(len(values))]), compute_uv=False)
        freedom = len(values) - int((sizes > 1e-9).sum())
        assert len(made["free"]) == freedom, state
        seen.add((len(values), freedom))
        corners, now = np.array(made["corners"], float), np.array(made["now"], float)
        assert same_points(corners, corners_by_brute_force(values, weights)), state
        for point in (now, *corners):
            assert point.min() >= 0 and point.sum() == pytest.approx(1, abs=1e-12)
            assert np.abs((point - weights) @ values).max() < 1e-9
        for corner in corners if freedom else []:
            assert (corner == 0).sum() >= freedom  # exactly
        # The walk: as far as asked, or to the edge; what the free weights are fixes the others.
        given = {token: now[token] for token in made["free"]}
        assert explore.same_output(values, weights, given) == pytest.approx(now, abs=1e-9)
        for token in made["free"]:
            goal = weights[token] + tokens[token]["moved"]
            assert now[token] == pytest.approx(np.clip(goal, *made["ranges"][token]), abs=1e-7)
        for name, measure in (
            ("divergences", reading_a_map.jensen_shannon),
            ("variations", lambda p, q: np.abs(p - q).sum() / 2),
        ):
            measured = [measure(weights, point) for point in (weights, now, *corners)]
            assert made[name] == pytest.approx(measured, abs=1e-12)
    assert seen == {(3, 0), (3, 1), (3, 2), (4, 1), (4, 2), (4, 3)}


def test_extreme_numbers_give_numbers(page: Page) -> None:
    def state(values: Any, scores: Any) -> dict[str, Any]:
        pairs = zip(values, scores, strict=True)
        return {"tokens": [{"name": "a", "value": v, "score": s, "moved": -1.0} for v, s in pairs]}

    line = [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]
    extreme = [
        state(line, [1e308, -1e308, 0.0]),
        state(line, [0.0, -60.0, 60.0]),
        state([[5e-324, 0.0], [0.0, 5e-324], [0.0, 0.0]], [0.0, 1.0, 2.0]),
        state([[1e6, -1e6], [-1e6, 1e6], [1e-300, 0.0], [0.0, 0.0]], [0.0, 1.0, 2.0, 3.0]),
        state([[0.0, 0.0], [1.0, 1e-7], [2.0, 0.0]], [0.0, 0.0, 0.0]),
        state([[0.0, 0.0], [1.0, 1e-8], [2.0, 0.0], [3.0, -1e-7]], [0.0, 0.0, 0.0, 0.0]),
    ]
    for given, made in zip(extreme, page.evaluate(COMPUTE, extreme), strict=True):
        assert made["clean"]
        values = np.array([token["value"] for token in given["tokens"]])
        for point in (made["now"], *made["corners"]):
            assert min(point) >= 0 and math.fsum(point) == pytest.approx(1, abs=1e-12)
        assert made["shift"] <= 1e-6 * np.abs(values).max() + 1e-100


def test_it_starts_from_python_and_agrees_with_it(page: Page) -> None:
    assert page.locator(f"{E} .panel").get_attribute("data-origin") == "python"
    ours, python = page.evaluate(
        f"(() => {{ const w = document.querySelector('{E}');"
        " return [w.compute(w.start), w.python]; })()"
    )
    assert ours.keys() == python.keys() == reading_a_map.widgets()["explorer"].results.keys()
    for key, value in reading_a_map.widgets()["explorer"].results.items():
        for one, other in zip(flat(python[key]), flat(value), strict=True):
            assert one == other
        for one, other in zip(flat(ours[key]), flat(value), strict=True):
            assert one == pytest.approx(other, abs=1e-12)


def flat(value: Any) -> list[float]:
    return [x for item in value for x in flat(item)] if isinstance(value, list) else [value]


def test_the_chapter_is_answered_at_both_ends(page: Page) -> None:
    start, without_bank, without_net = ends()
    z = start @ np.array(VALUES)
    expect(page.locator(E)).to_contain_text("a segment")
    for share, end, divergence in (
        (0.0, without_bank, explore.numbers()["without_bank"]),
        (1.0, without_net, explore.numbers()["without_net"]),
    ):
        walk(page, TOKENS.index("bank"), share)
        for name, weight, begun in zip(TOKENS, end, start, strict=True):
            assert shown(page, name)[:2] == pytest.approx([begun, weight], abs=1e-12)
        assert 0 in results(page)["now"]  # exactly
        assert results(page)["output"] == pytest.approx(z, abs=1e-12)
        assert results(page)["shift"] < 1e-15
        assert shown(page, "divergence")[1] == pytest.approx(divergence, abs=1e-12)
        changed = np.abs(end - start).sum() / 2
        assert shown(page, "distance")[1] == pytest.approx(changed, abs=1e-12)
    assert page.locator(f"{E} .panel").get_attribute("data-origin") == "browser"
    expect(page.locator(f"{E} .said")).to_contain_text("net 0.0000, bank 0.5795")
    press(page, "Back to the start")
    assert shown(page, "divergence")[1] == pytest.approx(0, abs=1e-12)
    press(page, "Undo")
    assert results(page)["now"][1] == 0
    press(page, "Reset")
    assert page.locator(f"{E} .panel").get_attribute("data-origin") == "python"


def test_walk_by_keyboard_and_by_dragging(page: Page) -> None:
    start = results(page)["weights"]
    handle = page.locator(f"{E} [data-handle=walk]")
    handle.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    once = results(page)["now"]
    assert once[2] > start[2] and once[0] < start[0]
    assert page.evaluate("document.activeElement.dataset.handle") == "walk"
    page.locator(f"{E} [data-walk='2'] input").focus()
    page.keyboard.press("End")
    assert results(page)["now"][1] == 0
    page.keyboard.press("Home")
    assert results(page)["now"][2] == 0
    # The triangle's right corner asks for all the weight on bank: we come to the end.
    handle.scroll_into_view_if_needed()
    box = handle.locator(".tip").bounding_box()
    svg = handle.locator("xpath=..").bounding_box()
    assert box and svg
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(svg["x"] + svg["width"] * 0.96, svg["y"] + svg["height"] * 0.9, steps=4)
    page.mouse.up()
    assert results(page)["now"] == pytest.approx(ends()[2].tolist(), abs=1e-12)


def test_off_the_line_the_output_fixes_the_weights(page: Page) -> None:
    page.locator(E).get_by_label("value of bank, coordinate 2").fill("1.5")
    made = results(page)
    assert (made["free"], made["now"]) == ([], made["weights"])
    expect(page.locator(E)).to_contain_text("a point, no freedom")
    expect(page.locator(f"{E} [data-walk]:visible")).to_have_count(0)
    expect(page.locator(f"{E} [data-handle=walk]")).to_have_count(0)
    expect(page.locator(f"{E} .said")).to_contain_text("no other weights give it")
    page.locator(E).get_by_label("value of bank, coordinate 2").fill("1")
    assert results(page)["free"] == [2]
    # By the tip: one step up, and the line is left.
    page.locator(f"{E} [data-handle='tokens.2.value']").focus()
    page.keyboard.press("ArrowUp")
    assert results(page)["free"] == []


def test_four_values_make_a_polygon_a_segment_and_a_solid(page: Page) -> None:
    press(page, "Add a fourth value")
    expect(page.locator(E)).to_contain_text("a polygon")
    assert len(results(page)["free"]) == 2
    expect(page.locator(f"{E} [data-walk]:visible")).to_have_count(2)
    z = results(page)["output"]
    walk(page, 3, 0.25)
    walk(page, 2, 1.0)
    now = results(page)["now"]
    assert now.count(0) == 1 and now[3] > 0  # on an edge of the polygon
    values = np.array([*VALUES, (0.5, 1.5)])
    assert np.array(now) @ values == pytest.approx(z, abs=1e-12)
    assert axe(page, E) == []
    page.locator(E).get_by_label("value of fourth, coordinate 1").fill("0")
    page.locator(E).get_by_label("value of fourth, coordinate 2").fill("0")
    expect(page.locator(E)).to_contain_text("a segment")
    for name, value in zip(TOKENS, VALUES, strict=True):
        for c in (1, 2):
            page.locator(E).get_by_label(f"value of {name}, coordinate {c}").fill("0")
        assert value != (0, 0)
    expect(page.locator(E)).to_contain_text("a solid, here its shadow")
    expect(page.locator(f"{E} [data-walk]:visible")).to_have_count(3)
    for token in (3, 2, 1):
        walk(page, token, 1.0 if token == 1 else 0.0)
    assert results(page)["now"] == [0, 1, 0, 0]
    press(page, "Remove the fourth value")
    assert len(results(page)["now"]) == 3


@pytest.mark.parametrize("text", ["text", "", "1e400", "0/0", "1e7"])
def test_bad_input_is_refused_in_place(page: Page, text: str) -> None:
    before = results(page)
    page.locator(E).get_by_label("value of net, coordinate 1").fill(text)
    assert "value of net" in problem(page)
    assert results(page) == before
    assert "NaN" not in page.locator(E).inner_text()
    page.locator(E).get_by_label("value of net, coordinate 1").fill("1/2")
    assert problem(page) == ""
    assert results(page)["free"] == []


def test_scores_make_the_start(page: Page) -> None:
    for name in TOKENS:
        page.locator(E).get_by_label(f"score of {name}").fill("-1000")
    assert results(page)["weights"] == pytest.approx([1 / 3] * 3, abs=1e-15)
    page.locator(E).get_by_label("score of net").fill("1e300")
    assert results(page)["now"] == [0, 1, 0]
    assert "NaN" not in page.locator(E).inner_text()


def copied(page: Page, name: str) -> str:
    press(page, name)
    return page.locator(f"{E} .copied textarea").input_value()


@pytest.mark.parametrize("kind", ["segment", "polygon", "point"])
def test_copied_python_prints_what_is_shown(page: Page, kind: str) -> None:
    if kind == "polygon":
        press(page, "Add a fourth value")
        walk(page, 3, 0.7)
    if kind == "point":
        page.locator(E).get_by_label("value of bank, coordinate 1").fill("-1/3")
    else:
        walk(page, 2, 1.0 if kind == "segment" else 0.4)
    made = run(copied(page, "Copy as Python")).splitlines()
    ours = results(page)
    names = [*TOKENS, "fourth"][: len(ours["now"])]
    for line, name, one, other in zip(made, names, ours["weights"], ours["now"], strict=False):
        assert line == f"{name}: {one:.4f}, now {other:.4f}"
    z = [f"{c:.4f}" for c in ours["output"]]
    assert made[len(names)] == f"output: {z} now {z}"
    assert made[-2] == f"divergence: {ours['divergences'][1]:.4f}"
    assert made[-1] == f"distance: {ours['variations'][1]:.4f}"


def test_csv_and_link_carry_the_state(page: Page, desk: Reader) -> None:
    press(page, "Add a fourth value")
    walk(page, 2, 0.5)
    ours = results(page)
    rows = [line.split(",") for line in copied(page, "Copy as CSV").strip().splitlines()]
    assert [float(row[5]) for row in rows[1:5]] == ours["now"]
    assert float(rows[-2][5]) == ours["divergences"][1]
    desk.follow(copied(page, "Copy a link"))
    assert results(page) == ours
    assert problem(page) == ""


@pytest.mark.parametrize("harm", ["cut", "two tokens", "three coordinates", "far"])
def test_a_malformed_link_says_so_and_starts_anew(page: Page, desk: Reader, harm: str) -> None:
    start = results(page)
    state = page.evaluate(f"structuredClone(document.querySelector('{E}').start)")
    if harm == "two tokens":
        state["tokens"].pop()
    if harm == "three coordinates":
        state["tokens"][0]["value"].append(1.0)
    if harm == "far":
        state["tokens"][0]["value"][0] = 1e300
    packed = base64.urlsafe_b64encode(json.dumps(state).encode()).decode()
    text = packed[:-9] if harm == "cut" else packed.rstrip("=")
    desk.restart(f"?{desk.widget.get_attribute('id')}={text}")
    assert "damaged" in problem(page)
    assert results(page) == start


def test_axe_and_a_narrow_screen_after_a_walk(page: Page, tab: Tab) -> None:
    tab.open(PAGE, 320, scheme="dark")
    page.wait_for_selector(f"{E}.alive")
    press(page, "Add a fourth value")
    walk(page, 3, 1.0)
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    assert axe(page, E) == []
