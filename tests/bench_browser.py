"""How long an explorable takes, in Chromium, from an input to the frame that shows it."""

from __future__ import annotations

import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import FLAGS, serving

# What a reader does most in each explorable: the page, and the field that is changed.
INPUTS = {
    "values/": "tokens.1.key.0",
    "scores-and-weights/": "scores.1",
    "masks/": "padding",
    "heads/": "scores.1.1",
    "reading-a-map/": "tokens.1.value.0",
    "notes/scaling/": "place",
}
MEASURE = """async (path) => {
  const widget = document.querySelector(".explorable");
  const input = widget.querySelector(`[data-path="${path}"]`);
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const work = [], frames = [];
  for (let i = 0; i < 60; i++) {
    await frame();
    const last = performance.now();
    await frame();
    frames.push(performance.now() - last);
    const start = performance.now();
    input.value = input.type === "range" ? i % 2 + 1 : String(i % 2 + 1);
    input.dispatchEvent(new Event("input", { bubbles: true }));
    widget.getBoundingClientRect(); // the layout is part of it
    work.push(performance.now() - start);
  }
  const at = (all, share) => all.sort((a, b) => a - b)[Math.floor(all.length * share)];
  return [at(work, 0.5), at(work, 0.95), at(frames, 0.5)];
}"""


def inputs(site: Path) -> None:
    """Print what an input costs: our code and the layout, in one task before the next frame."""
    path = shutil.which("chromium")
    if not path:
        print("input to repaint: no Chromium here, not measured")
        return
    with serving(site) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        for address, field in INPUTS.items():
            page.goto(server.url + address)
            page.wait_for_selector(".explorable.alive")
            middle, slow, frame = page.evaluate(MEASURE, field)
            print(
                f"input to repaint, {address}: {middle:.1f} ms, 95 of 100 under {slow:.1f} ms "
                f"(a frame here: {frame:.1f} ms)"
            )
        browser.close()
