"""Shortcodes work wherever a page may hold one, and what is not one is left alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests import tiny
from tests.publisher.mistakes import THIRD

LEFT_ALONE: dict[str, Callable[[str], bool]] = {
    "```python\nprint(f'{{ num example.nope }} {{x}}')\n```": lambda html: "example.nope" in html,
    "~~~\n{{ num example.nope }}\n~~~": lambda html: "{{ num example.nope }}" in html,
    "`{{ num example.nope }}`": lambda html: "<code>{{ num example.nope }}</code>" in html,
    "an f-string {{ name }} in prose": lambda html: "{{ name }}" in html,
    "## A heading {#my-id}": lambda html: '<h2 id="my-id">A heading</h2>' in html,
    r"$\frac{{a}}{{b}}$": lambda html: "<mfrac><mi>a</mi><mi>b</mi></mfrac>" in html,
    r"costs \$5 and \$6": lambda html: "costs $5 and $6" in html or "&#36;5 and" in html,
    "in section 3.2.1 of version 1.1, arXiv:1706.03762": lambda html: "section 3.2.1" in html,
    "in 2017, on page 5998": lambda html: "2017" in html,
    "{{ literal num example.nope }}": lambda html: (
        "<code>&#123;&#123; num example.nope &#125;&#125;</code>" in html
    ),
}


def test_what_is_not_a_shortcode_is_left_alone(tmp_path: Path) -> None:
    extra = "\n\n".join(LEFT_ALONE)
    folder = tiny.make(tmp_path, page=f"{tiny.PAGE}\n\n{extra}\n")
    built = tiny.publish(folder)["example.md"]
    for text, holds in LEFT_ALONE.items():
        assert holds(built), text


def test_shortcodes_work_in_every_place(tmp_path: Path) -> None:
    places = f"""
## Heading {THIRD} {{#fixed}}

- item {THIRD}
    - nested {THIRD}

        {{{{ output example.demo }}}}

!!! note "Title {THIRD}"

    Inside {THIRD}, *with emphasis {THIRD}*, and $x_{{1}} = {THIRD}$.

    - listed {THIRD}

> Quoted {THIRD}

| Name | Value |
|------|-------|
| third | {THIRD} |
| formula | $|x| = {THIRD}$ |

$$ {THIRD} < 1 $$
"""
    folder = tiny.make(tmp_path, page=tiny.PAGE + places)
    built = tiny.publish(folder)["example.md"]
    assert built.count('data-id="example.third">0.3333</data>') == 2 + 9
    assert built.count("<mn>0.3333</mn>") == 3
    assert '<h2 id="fixed">' in built
    assert built.count('<table class="data">') == 2  # the table, and that of the figure
    assert "<td><data" in built  # inside a table of Markdown
    assert "<mo>{{" not in built
