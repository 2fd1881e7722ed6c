"""The colours: readable on both grounds, and the tokens' apart for colour-blind readers."""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from coloraide import Color

from publisher.figures import palette
from snippets.drawings.tokens import TOKEN_COLOURS
from tests import tiny

CSS = (tiny.ROOT / "docs/assets/site.css").read_text("utf-8")
# The theme's grounds: white, and hsl(220 15% 14%) for the dark scheme's hue.
GROUNDS = {"default": "#ffffff", "slate": "#1e2129"}
SIGHT = ("all cones", "protan", "deutan", "tritan")
TOKENS = [f"token-{i}" for i, _ in enumerate(TOKEN_COLOURS, start=1)]


def scheme(name: str) -> dict[str, str]:
    """Return the variables of a colour scheme as the stylesheet sets them."""
    block = re.search(rf'\[data-md-color-scheme="{name}"\][^{{]*\{{(.*?)\n\}}', CSS, re.DOTALL)
    assert block
    return dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6})", block[1]))


def contrast(a: str, b: str) -> float:
    """Return the contrast ratio of WCAG 2."""
    return float(Color(a).contrast(b, method="wcag21"))


def seen(colour: str, sight: str) -> Color:
    """Return a colour as a reader without one kind of cone sees it (Machado et al. 2009)."""
    if sight == "all cones":
        return Color(colour)
    return Color(colour).filter(sight, method="machado").clip("srgb")  # what a screen can show


@pytest.mark.parametrize("name", GROUNDS)
def test_tokens_can_be_read(name: str) -> None:
    colours = scheme(name)
    for word in (*TOKENS, "figure-ink", "figure-muted", "figure-accent"):
        assert contrast(colours[word], GROUNDS[name]) >= 4.5, word


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("name", GROUNDS)
def test_tokens_stay_apart(name: str, sight: str) -> None:
    colours = scheme(name)
    for a, b in combinations(TOKENS, 2):
        distance = seen(colours[a], sight).delta_e(seen(colours[b], sight), method="76")
        assert distance > 20, (a, b)  # 2 is just to be told apart, side by side


def test_figures_are_drawn_in_the_light_scheme() -> None:
    colours = scheme("default")
    drawn = {f"figure-{name}": colour for name, colour in palette.COLOURS.items()}
    drawn |= dict(zip(TOKENS, TOKEN_COLOURS, strict=True))
    assert {name: colours.get(name) for name in drawn} == drawn


def test_known_contrasts() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_a_red_and_a_green_are_alike_to_those_who_lack_a_cone_for_one() -> None:
    apart = {
        sight: seen("#b04300", sight).delta_e(seen("#5f6a00", sight), method="76")
        for sight in SIGHT
    }
    assert (
        max(apart["protan"], apart["deutan"]) < 20 < 50 < min(apart["all cones"], apart["tritan"])
    )
