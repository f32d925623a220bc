"""What the figures of 3-2-5 draw: data, labels and provenance, not pixels."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from figure_checks import bar_ends, check_figure, check_given_axes, figures_of

import analysis
from analysis import figures
from sim import experiment, run

NAMES = figures_of("analysis.three_two_five.figures")
PROVENANCE = ("3-2-5", "sevens low", "first-suit", "Seed 1", "deals in")


@pytest.fixture(scope="module")
def runs():
    """Return two small runs with option studies: equal players, and a mixed line-up without pulls."""
    return [
        run(experiment("three-two-five", matches=200, strategies="first-suit", hands=60, completions=16)),
        run(
            experiment(
                "three-two-five",
                matches=100,
                strategies=["first-suit", "random", "random"],
                rules={"pulls": False},
            )
        ),
    ]


@pytest.fixture(scope="module")
def tables(runs):
    """Return a table for each figure, by the figure's name."""
    one = runs[0]
    return {
        "draw_seat_advantage": analysis.seat_advantage(runs),
        "draw_match_wins": analysis.match_wins(one),
        "draw_tricks_by_pulls": analysis.tricks_by_pulls(one),
        "draw_tricks_by_seat": analysis.tricks_by_seat(one),
        "draw_deal_scores": analysis.deal_scores(one),
        "draw_match_scores": analysis.match_scores(one),
        "draw_cards_owed": analysis.cards_owed(one),
        "draw_quotas_met": analysis.quotas_met(runs),
        "draw_option_values": analysis.option_values(one),
        "draw_call_or_reveal": analysis.call_or_reveal(one, "shape"),
        "draw_call_or_reveal_map": analysis.call_or_reveal(one, ["shape", "honours"]),
        "draw_reveal_share": analysis.reveal_share(one, "shape"),
        "draw_policy_costs": analysis.policy_costs(one),
    }


def points(axes):
    """Return the marked points of each series of error bars, as (n, 2) arrays."""
    return [container.lines[0].get_xydata() for container in axes.containers if container.lines]


def test_every_public_figure_is_drawn_here(tables):
    assert sorted(tables) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_figures_return_axes_with_units_and_provenance(name, tables):
    check_figure(name, tables[name], "trick|point|share|card|score", PROVENANCE)


@pytest.mark.parametrize("name", NAMES)
def test_given_axes_are_drawn_on_and_not_captioned(name, tables):
    check_given_axes(name, tables[name])


def test_seat_advantage_draws_the_tables_numbers(tables):
    table = tables["draw_seat_advantage"]
    axes = analysis.draw_seat_advantage(table)
    for drawn, (_, rows) in zip(points(axes), table.groupby("seat", sort=False), strict=True):
        assert np.allclose(drawn[:, 0], rows["advantage"])
        assert drawn[:, 1].tolist() == list(range(6))
    names = [label.get_text().replace("\n", " ") for label in axes.get_yticklabels()]
    assert names[0] == "first-suit ×3: first deals"
    assert names[5] == "first-suit, random ×2, pulls off: all deals"
    assert axes.get_legend_handles_labels()[1] == ["five", "three", "two"]


def test_intervals_are_drawn_as_the_table_has_them(tables):
    table = tables["draw_call_or_reveal"]
    axes = analysis.draw_call_or_reveal(table)
    known = table[table["low"].notna()]
    bars = axes.containers[0].lines[2][0].get_segments()
    drawn = {round(bar[:, 0].min(), 9): round(bar[:, 0].max(), 9) for bar in bars}
    for row in known.itertuples():
        assert drawn[round(row.low, 9)] == pytest.approx(row.high)


def test_distributions_draw_shares(tables):
    owed = analysis.draw_cards_owed(tables["draw_cards_owed"])
    heights = [bar.get_height() for bar in owed.patches]
    assert heights == tables["draw_cards_owed"]["share"].to_list() and sum(heights) == pytest.approx(1)
    tricks = analysis.draw_tricks_by_seat(tables["draw_tricks_by_seat"])
    assert [series[:, 1].sum() for series in points(tricks)] == pytest.approx([1, 1, 1])


def test_map_writes_every_difference_with_its_sign(tables):
    """Rows and columns stand in the table's order; a minus is a minus, not a hyphen."""
    table = tables["draw_call_or_reveal_map"]
    axes = analysis.draw_call_or_reveal_map(table)
    rows = [label.get_text() for label in axes.get_yticklabels()]
    columns = [label.get_text() for label in axes.get_xticklabels()]
    assert rows == list(dict.fromkeys(table["shape"]))
    cells = {text.get_position(): text.get_text() for text in axes.texts}
    assert len(cells) == len(table)
    for row in table.itertuples():
        place = columns.index(str(row.honours)), rows.index(row.shape)
        assert cells[place] == f"{row.difference:+.2f}".replace("-", "−")


def test_verdict_bars_fill_the_whole(tables):
    axes = analysis.draw_reveal_share(tables["draw_reveal_share"])
    assert bar_ends(axes) == pytest.approx([1] * len(axes.get_yticklabels()))


def test_a_figure_of_one_run_refuses_several(runs):
    with pytest.raises(ValueError, match="table of 2 runs: this figure shows one"):
        analysis.draw_tricks_by_seat(analysis.tricks_by_seat(runs))


def test_svg_is_well_formed_loads_nothing_and_follows_the_page(tables):
    """Two figures on one page share no identifier; ink and ground are the page's."""
    axes = analysis.draw_cards_owed(tables["draw_cards_owed"], small_print=False)
    text = figures.svg(axes, "first")
    root = ElementTree.fromstring(text)
    assert root.tag == "svg" and "viewBox" in root.attrib and "width" not in root.attrib
    assert "http" not in text and "font-family" not in text
    assert "var(--ink)" in text and figures.INK not in text
    identifiers = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert len(identifiers) == len(set(identifiers))
    assert all(identifier.startswith("first-") for identifier in identifiers)
    used = re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', text)
    assert used and {a or b for a, b in used} <= set(identifiers)
    assert figures.svg(axes, "first") == text


def test_palette_is_told_apart_in_grey():
    """The colours of the three seats also differ in lightness or have markers of their own."""
    assert len(set(figures.MARKERS)) == len(figures.PALETTE) == len(set(figures.PALETTE))
