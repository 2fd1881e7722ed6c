"""The tokens' colours: readable on both grounds, and apart for colour-blind readers."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest

from publisher.figures import palette
from tests import tiny

CSS = (tiny.ROOT / "docs/assets/site.css").read_text("utf-8")
# The theme's grounds: white, and hsl(220 15% 14%) for the dark scheme's hue.
GROUNDS = {"default": "#ffffff", "slate": "#1e2129"}
# Machado, Oliveira and Fernandes (2009), severity one, for linear RGB.
BLINDNESS = {
    "none": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


def scheme(name: str) -> dict[str, str]:
    """Return the variables of a colour scheme as the stylesheet sets them."""
    block = re.search(rf'\[data-md-color-scheme="{name}"\][^{{]*\{{(.*?)\n\}}', CSS, re.DOTALL)
    assert block
    return dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6})", block[1]))


def linear(colour: str) -> np.ndarray:
    """Return linear RGB of #rrggbb."""
    srgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def contrast(a: str, b: str) -> float:
    """Return the contrast ratio of WCAG 2."""
    dark, light = sorted(float(linear(c) @ [0.2126, 0.7152, 0.0722]) for c in (a, b))
    return (light + 0.05) / (dark + 0.05)


def lab(rgb: np.ndarray) -> np.ndarray:
    """Return CIE L*a*b* (D65) of linear RGB."""
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    ratio = to_xyz @ np.clip(rgb, 0, 1) / [0.9505, 1.0, 1.089]
    f = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("name", GROUNDS)
def test_tokens_can_be_read(name: str) -> None:
    colours = scheme(name)
    for index in (1, 2, 3):
        assert contrast(colours[f"token-{index}"], GROUNDS[name]) >= 4.5
    for word in ("figure-ink", "figure-muted", "figure-accent"):
        assert contrast(colours[word], GROUNDS[name]) >= 4.5


@pytest.mark.parametrize("blindness", BLINDNESS)
@pytest.mark.parametrize("name", GROUNDS)
def test_tokens_stay_apart(name: str, blindness: str) -> None:
    colours = scheme(name)
    seen = [lab(np.array(BLINDNESS[blindness]) @ linear(colours[f"token-{i}"])) for i in (1, 2, 3)]
    for a, b in combinations(seen, 2):
        assert np.linalg.norm(a - b) > 20


def test_figures_are_drawn_in_the_light_scheme() -> None:
    colours = scheme("default")
    for name, colour in palette.COLOURS.items():
        assert colours[name if name.startswith("token") else f"figure-{name}"] == colour


def test_known_contrasts() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
