"""The chapter's numbers against `math`, term by term."""

import math

import pytest
from matplotlib.patches import Rectangle

from snippets import scores_and_weights as chapter
from snippets.running_example import KEYS, QUERY
from tests.by_hand import exact

ROOT = math.sqrt(2)


def test_inputs_are_those_of_the_brief() -> None:
    assert QUERY == (ROOT, 0)
    assert KEYS == ((2, 0), (1, 1), (0, 1))
    numbers = chapter.numbers()
    assert numbers["d_k"] == 2
    assert numbers["query_first"].value == ROOT
    assert numbers["query_second"].value == 0
    assert (numbers["key_first"].value, numbers["key_second"].value) == (2, 0)
    assert [n.value for n in chapter.vectors()["query"]] == [ROOT, 0]
    assert [n.value for n in chapter.vectors()["key_fisherman"]] == [2, 0]


def test_scores_by_hand() -> None:
    numbers = chapter.numbers()
    assert numbers["product"].value == exact(2 * ROOT)
    for name, first, second in (
        ("score_fisherman", 2, 0),
        ("score_net", 1, 1),
        ("score_bank", 0, 1),
    ):
        assert numbers[name].value == exact((ROOT * first + 0 * second) / ROOT)


def test_weights_by_hand() -> None:
    e = math.e
    total = e**2 + e + 1
    numbers = chapter.numbers()
    assert numbers["e"].value == e
    assert numbers["exponential_bank"].value == 1
    assert numbers["exponential_sum"] == exact(total)
    assert numbers["fisherman"] == exact(e**2 / total)
    assert numbers["net"] == exact(e / total)
    assert numbers["bank"] == exact(1 / total)
    assert chapter.texts()["heaviest"] == "fisherman"


def test_printed_weights_add_up_to_what_the_page_says() -> None:
    printed = [f"{chapter.numbers()[name]:.4f}" for name in ("fisherman", "net", "bank")]
    assert printed == ["0.6652", "0.2447", "0.0900"]
    in_ten_thousandths = sum(int(text.replace(".", "")) for text in printed)
    assert chapter.numbers()["displayed_sum"] == exact(in_ten_thousandths / 10_000)
    assert in_ten_thousandths == 9_999


def test_a_constant_changes_nothing_and_doubling_does() -> None:
    numbers = chapter.numbers()
    assert numbers["constant"].value == 100
    assert [n.value for n in chapter.vectors()["shifted_scores"]] == exact([102, 101, 100])
    assert numbers["fisherman_shifted"] == exact(numbers["fisherman"])
    doubled = math.exp(4) / (math.exp(4) + math.exp(2) + 1)
    assert numbers["fisherman_doubled"] == exact(doubled)
    assert doubled - numbers["fisherman"] > 0.1


def test_tables() -> None:
    tables = chapter.tables()
    assert [row[0] for row in tables["hand"].rows] == ["fisherman", "net", "bank"]
    assert [row[2].value for row in tables["hand"].rows] == exact([2, 1, 0])
    powers = [math.e**s for s in (2, 1, 0)]
    assert [row[2] for row in tables["softmax"].rows] == exact(powers)
    assert [row[3] for row in tables["softmax"].rows] == exact([p / sum(powers) for p in powers])


def test_table_of_moved_scores_keeps_its_weights_or_not() -> None:
    as_they_are, moved, doubled = chapter.tables()["moved"].rows
    assert [n.value for n in as_they_are[1]] == exact([2, 1, 0])
    assert [n.value for n in moved[1]] == exact([102, 101, 100])
    assert [n.value for n in doubled[1]] == exact([4, 2, 0])
    total = math.e**2 + math.e + 1
    assert list(as_they_are[2:]) == exact([math.e**2 / total, math.e / total, 1 / total])
    assert list(moved[2:]) == exact(list(as_they_are[2:]))
    total = math.e**4 + math.e**2 + 1
    assert list(doubled[2:]) == exact([math.e**4 / total, math.e**2 / total, 1 / total])
    assert chapter.numbers()["fisherman_doubled"] == exact(doubled[2])


def test_the_key_more_alike_is_not_the_heavier_one() -> None:
    vectors = chapter.vectors()
    query, alike, heavy = (
        [n.value for n in vectors[name]] for name in ("compared_query", "more_alike", "heavier")
    )
    assert query == alike == [1, 0]
    assert heavy == [3, 3]
    first, second = chapter.tables()["compared"].rows
    assert [n.value for n in first[0]] == alike and [n.value for n in second[0]] == heavy
    # Angles 0 and 45 degrees; products 1 and 3, each over the root of two.
    assert (first[1].value, second[1].value) == (exact(1), exact(math.cos(math.pi / 4)))
    assert (first[2], second[2]) == (exact(1 / ROOT), exact(3 / ROOT))
    ratio = math.exp(2 / ROOT)
    assert (first[3], second[3]) == (exact(1 / (1 + ratio)), exact(ratio / (1 + ratio)))
    # Length times length times cosine, as the page says.
    for row, length in ((first, 1), (second, math.hypot(3, 3))):
        assert row[2] == exact(length * row[1].value / ROOT)


def test_doubling_a_key_doubles_the_score_and_keeps_the_cosine() -> None:
    once, twice = chapter.tables()["length"].rows
    assert [n.value for n in twice[0]] == [2, 2]
    assert (once[1].value, twice[1].value) == (exact(1), exact(2))
    assert once[2] == twice[2] == exact(math.cos(math.pi / 4))


def test_figure_shows_the_query_and_the_keys() -> None:
    figure = chapter.figures()["plane"]
    assert [row[0] for row in figure.data.rows] == ["query at bank", "fisherman", "net", "bank"]
    assert [row[3].value for row in figure.data.rows[1:]] == exact([2, 1, 0])
    for words in ("fisherman", "net", "bank", "[√2, 0]", "score 2"):
        assert words in figure.description


def test_demo_prints_the_weights(capsys: pytest.CaptureFixture[str]) -> None:
    chapter.softmax_by_hand()
    lines = capsys.readouterr().out.splitlines()
    shares = [math.e**s / (math.e**2 + math.e + 1) for s in (2, 1, 0)]
    for line, share in zip(lines, shares, strict=False):
        assert line.endswith(f"{share:.4f}")
    assert lines[-1].endswith("1.0000")


def test_figure_of_shares_shows_them_in_words_data_and_bars() -> None:
    figure = chapter.figures()["shares"]
    exponentials = [math.e**2, math.e, 1]
    total = math.fsum(exponentials)
    for row, e in zip(figure.data.rows, exponentials, strict=True):
        assert row[2] == exact(e) and row[3] == exact(e / total)
        assert f"exponential {e:.4f}, weight {e / total:.4f}" in figure.description
    for narrow in (False, True):
        (axes,) = figure.draw(narrow).axes
        widths = [patch.get_width() for patch in axes.patches if isinstance(patch, Rectangle)]
        tall, whole = widths[::2], widths[1::2]
        assert [w / tall[0] for w in tall] == exact([e / exponentials[0] for e in exponentials])
        assert [w / sum(whole) for w in whole] == exact([e / total for e in exponentials])


def test_softmax_starts_from_the_hand_examples_scores() -> None:
    widget = chapter.widgets()["explorer"]
    assert widget.start["scores"] == widget.start["before"] == pytest.approx([2, 1, 0], abs=1e-12)
    exponentials = [math.e**2, math.e, 1]
    assert widget.results["exponentials"] == pytest.approx(exponentials, rel=1e-12)
    assert widget.results["sum"] == pytest.approx(math.fsum(exponentials), rel=1e-12)
    weights = [e / math.fsum(exponentials) for e in exponentials]
    for name in ("weights", "weights_before"):
        assert widget.results[name] == pytest.approx(weights, rel=1e-12)
