"""What the figures of match equity show: data, labels and provenance, not pixels."""

import pytest

import analysis
from analysis.three_two_five.equity.shipped import shipped_equity as shipped_cards
from sim.three_two_five.equity.outcomes import option_outcomes
from tests.figure_checks import check_figure, check_given_axes, figures_of

TILES = figures_of("analysis.fives_and_threes.equity.figures")
CARDS = figures_of("analysis.three_two_five.equity.figures")


@pytest.fixture(scope="module")
def tables():
    """Return a table for each figure, by the figure's name."""
    cards = shipped_cards()
    return {
        "draw_equity_table": analysis.shipped_equity(4),
        "draw_equity_near_target": analysis.shipped_equity(2),
        "draw_equity_by_lead": analysis.equity_by_lead(cards, (1,), 2),
        "draw_calls_for_the_match": analysis.calls_for_the_match(
            cards, option_outcomes(cards.plan, 20, 16), (1,), (-2, 0)
        ),
    }


@pytest.mark.parametrize("name", TILES + CARDS)
def test_figures_name_what_they_show_and_where_it_comes_from(tables, name):
    game = "Fives and Threes" if name in TILES else "3-2-5"
    check_figure(name, tables[name], "chance|Chance", (game, "heuristic", "Seed 1"))
    check_given_axes(name, tables[name])


def test_every_line_near_the_target_is_that_of_the_table(tables):
    table = tables["draw_equity_near_target"]
    axes = analysis.draw_equity_near_target(table)
    line = axes.containers[0].lines[0]
    rows = table[(table["other"] == 60) & (table["starter"] > 52)]
    assert list(line.get_xdata()) == list(rows["starter"])
    assert list(line.get_ydata()) == list(rows["chance"])


def test_the_map_has_a_cell_a_pair_of_scores(tables):
    (image,) = analysis.draw_equity_table(tables["draw_equity_table"]).images
    assert image.get_array().shape == (61, 61)
    cell = tables["draw_equity_table"].set_index(["starter", "other"])["chance"][58, 30]
    assert image.get_array()[58, 30] == pytest.approx(cell)
