"""What the figures and the report of Fives and Threes show: data, labels and provenance, not pixels."""

import numpy as np
import pytest
from figure_checks import bar_ends, check_figure, check_given_axes, figures_of
from test_report import read

import analysis
from analysis.document import columns
from analysis.report import render
from sim import experiment, run

NAMES = figures_of("analysis.fives_and_threes.figures")
PROVENANCE = ("Fives and Threes", "target 61", "greedy", "Seed 1", "rounds in")


@pytest.fixture(scope="module")
def runs():
    """Return small runs of two, three and four equal players, the first with an opening study."""
    return [
        run(
            experiment(
                "fives-and-threes",
                matches=150,
                strategies="greedy",
                rules={"players": players},
                hands=80 if players == 2 else 0,
                completions=16,
            )
        )
        for players in (2, 3, 4)
    ]


@pytest.fixture(scope="module")
def duels():
    """Return a run each for two and for four players of unequal strategies."""
    return [
        run(experiment("fives-and-threes", matches=100, strategies=names, rules={"players": len(names)}))
        for names in (["greedy", "random"], ["greedy", "random"] * 2)
    ]


@pytest.fixture(scope="module")
def tables(runs, duels):
    """Return a table for each figure, by the figure's name."""
    one, two = runs[0], runs[:2]
    tiles = analysis.opening_tiles(one)
    return {
        "draw_start_advantage": analysis.start_advantage(runs),
        "draw_match_wins_by_place": analysis.match_wins_by_place(runs),
        "draw_side_wins": analysis.side_wins(duels),
        "draw_placement_totals": analysis.placement_totals(one),
        "draw_round_points": analysis.round_points(one),
        "draw_final_scores": analysis.final_scores(one),
        "draw_match_lengths": analysis.match_lengths(two),
        "draw_near_target": analysis.near_target(two),
        "draw_round_endings": analysis.round_endings(runs),
        "draw_opening_tiles": tiles,
        "draw_opening_shares": tiles,
        "draw_opening_policies": analysis.opening_policies(one),
    }


def test_every_public_figure_is_drawn_here(tables):
    assert sorted(tables) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_figures_return_axes_with_units_and_provenance(name, tables):
    check_figure(name, tables[name], "point|share|count|rounds", PROVENANCE)


@pytest.mark.parametrize("name", NAMES)
def test_given_axes_are_drawn_on_and_not_captioned(name, tables):
    check_given_axes(name, tables[name])


def test_dots_stand_where_the_tables_numbers_are(tables):
    for name, column in (("draw_start_advantage", "advantage"), ("draw_match_wins_by_place", "share")):
        axes = getattr(analysis, name)(tables[name])
        drawn = axes.containers[0].lines[0].get_xydata()
        assert np.allclose(drawn[:, 0], tables[name][column]) and len(drawn) == len(axes.get_yticklabels())
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names[0] == "2 players: starter" and names[-1] == "4 players: other side"


def test_line_ups_are_drawn_by_their_first_side(tables):
    axes = analysis.draw_side_wins(tables["draw_side_wins"])
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        "2: greedy against random", "4: greedy against random",
    ]  # fmt: skip
    drawn = axes.containers[0].lines[0].get_xydata()[:, 0]
    assert np.allclose(drawn, tables["draw_side_wins"]["share"][::2])


def test_rows_of_equal_names_are_told_apart_by_run(duels):
    """Two runs with as many players keep their labels."""
    table = analysis.start_advantage([duels[0], duels[0]], ("all",))
    names = [label.get_text() for label in analysis.draw_start_advantage(table).get_yticklabels()]
    assert len(set(names)) == 2


def test_bars_of_totals_carry_their_points(tables):
    """F8: scoring totals are labelled with what they score, others with nothing."""
    table = tables["draw_placement_totals"]
    axes = analysis.draw_placement_totals(table)
    assert [bar.get_height() for bar in axes.patches] == table["share"].to_list()
    assert [text.get_text() for text in axes.texts] == [str(p) if p else "" for p in table["points"]]


def test_endings_fill_the_whole(tables):
    axes = analysis.draw_round_endings(tables["draw_round_endings"])
    assert bar_ends(axes) == pytest.approx([1, 1, 1])


@pytest.mark.parametrize("name", ["draw_opening_tiles", "draw_opening_shares"])
def test_triangle_has_a_cell_for_each_tile_where_it_belongs(name, tables):
    """F2: 28 tiles by lower and higher half, each with its number."""
    table = tables[name]
    axes = getattr(analysis, name)(table)
    cells = {text.get_text(): text.get_position() for text in axes.texts if "|" in text.get_text()}
    assert set(cells) == set(table["tile"]) and len(cells) == 28
    for tile, (x, y) in cells.items():
        assert tile == f"{round(x)}|{round(y)}"
    numbers = [text.get_text() for text in axes.texts if "|" not in text.get_text()]
    if name == "draw_opening_shares":
        assert numbers == [f"{share:.0%}" for share in table["best_on"]]
    else:
        assert all(number[0] in "+−" for number in numbers)


def test_report_of_both_games_has_chapters_of_each(runs, duels):
    """One page: both games, answers first, every run's provenance."""
    cards = run(experiment("three-two-five", matches=30, strategies="random", hands=20, completions=8))
    checker, words = read(render([cards, *runs, *duels]))
    assert "3-2-5 and Fives and Threes" in words
    assert len(checker.ids) == len(set(checker.ids))
    for title in ("Which tile to open?", "The start", "Points and endings", "Matches and the exact target"):
        assert f"Fives and Threes: {title}" in words
    assert "3-2-5: Call or reveal?" in words and "Who beats whom" in words
    for made in (cards, *runs, *duels):
        assert made.digest in words
    assert all(text in words for text in analysis.opening_answer(runs[0]))
    assert all(text in words for text in analysis.start_answer(runs))
    shown = columns(analysis.opening_tiles(runs[0]), {"tile": ("", "text"), "points": (" ", "text")})
    assert all(" ".join(row) in words for row in shown.itertuples(index=False))


@pytest.mark.parametrize("options", [{"units": 30}, {"matches": 1}, {"hands": 3, "completions": 2}])
def test_small_runs_of_any_kind_make_a_report(options):
    """Rounds alone, a single match, a study alone: no warning, no nan."""
    made = run(experiment("fives-and-threes", strategies="random", **options))
    _, words = read(render([made]))
    assert "nan" not in words and "Which tile to open?" in words
    assert ("Matches and the exact target" in words) == ("matches" in options)
    if "hands" not in options:
        assert "No run given has an option study" in words and "--hands 4000" in words
