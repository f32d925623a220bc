"""What was played in a run against what was possible: the sample, its tables, the figure, the chapter."""

import numpy as np
import pytest

import analysis
from analysis import given_away, played_and_possible, solved_players, solved_plays
from analysis.estimates import from_values
from analysis.figures import PALETTE
from analysis.report import render
from analysis.three_two_five.open_hands.played import (
    CHOICES,
    MOST_DEALS,
    Totals,
    can_be_sampled,
    kernels,
    sample,
    sample_size,
)
from analysis.three_two_five.open_hands.sections import TITLE, played_answer, played_section
from analysis.wording import with_interval
from sim import experiment, replay, run, strategy
from sim.results import Run
from sim.three_two_five.knowledge import LEGAL
from sim.three_two_five.rules import SEATS
from sim.three_two_five.solving.open_hands import guarantees
from tests.figure_checks import check_figure, check_given_axes, figures_of
from tests.test_report import read

GAME = "three-two-five"
MIXED = ["heuristic", "random", "first-suit"]
CUT = 50
"""Deals of the run that is cut short: five matches and five deals of a sixth."""


@pytest.fixture(scope="module")
def runs():
    """Many matches of equal players; few of unequal ones with high sevens, the last one cut short."""
    return [
        run(experiment(GAME, matches=600, strategies="first-suit")),
        run(experiment(GAME, units=CUT, strategies=MIXED, rules={"sevens": "hearts_high"}, seed=2)),
    ]


def gifts(record):
    """Tricks given away by seat and trick, from a record that is solved by itself."""
    plays = solved_plays(record).groupby(["seat", "trick"])["gave_away"].sum()
    return [[plays[seat, trick] for trick in range(1, CHOICES + 1)] for seat in SEATS]


def test_a_sample_is_the_deals_that_the_run_counted(runs):
    """One deal a match where there are enough, every number as often; else all: as records have them."""
    many = [(match, match % 9) for match in range(MOST_DEALS)]
    few = [divmod(number, 9) for number in range(CUT)]
    for made, chosen in zip(runs, (many, few), strict=True):
        found = sample(made)
        assert found.match.tolist() == [match for match, _ in chosen]
        for place, (match, number) in list(enumerate(chosen[:CUT]))[::3]:
            record = replay(made.experiment, match)[number]
            players = solved_players(record)
            assert found.players[place].tolist() == players["player"].tolist()
            assert found.sure[place].tolist() == players["sure"].tolist()
            assert found.took[place].tolist() == players["now"].tolist()
            assert found.gave[place].tolist() == gifts(record)
        assert (found.gave >= 0).all() and (found.took.sum(axis=1) == 10).all()
        assert (found.took - found.sure + found.gave.sum(axis=2) >= 0).all()


def test_some_deals_of_each_match_are_taken_where_matches_are_few():
    made = run(experiment(GAME, matches=200, strategies="random"))
    found = sample(made)
    assert found.match.tolist() == [match for match in range(180) for _ in range(3)]
    dealt = {tuple(seats) for seats in found.players.tolist()}
    assert dealt == {(0, 1, 2), (1, 2, 0), (2, 0, 1)}


def corrected(found, values, known):
    """Mean of one value a deal, less its regression on the tricks of five and three, with its error."""
    took = found.took[:, :2].astype(float)
    terms = np.column_stack([np.ones(len(took)), took - known])
    fitted = np.linalg.lstsq(terms, values.astype(float), rcond=None)[0]
    left = values - terms @ fitted
    return fitted[0], left.std() * np.sqrt(len(left) / (len(left) - 3)) / np.sqrt(len(left))


def test_seats_take_in_the_sample_what_they_take_in_the_run(runs):
    """One quantity, one number: the tricks of the page's seats, with their errors."""
    table, seats = played_and_possible(runs[0]), analysis.seat_advantage(runs[0], ("all",))
    assert table["took"].to_list() == pytest.approx(seats["tricks"].to_list())
    assert table["took_se"].to_list() == pytest.approx(seats["se"].to_list(), rel=1e-6)
    sums = table["sure"] - table["gave"] + table["was_given"]
    assert sums.to_list() == pytest.approx(table["took"].to_list())


def test_what_goes_with_the_tricks_taken_is_corrected(runs):
    """The regression on the tricks of two seats, taken at the means of the run."""
    found, table = sample(runs[0]), played_and_possible(runs[0])
    known = analysis.seat_advantage(runs[0], ("all",))["tricks"].to_numpy()[:2]
    for place, row in enumerate(table.to_dict("records")):
        assert (row["run"], row["seat"]) == ("first-suit ×3", SEATS[place])
        assert (row["deals"], row["matches"]) == (MOST_DEALS, MOST_DEALS)
        parts = {"sure": found.sure[:, place], "gave": found.gave[:, place].sum(axis=1)}
        for name, values in parts.items():
            mean, left = corrected(found, values, known)
            assert row[name] == pytest.approx(mean)
            # The error of the run's means comes on top: 600 matches are few.
            assert left < row[f"{name}_se"] < 1.1 * from_values(values).se
        assert row["gain"] == pytest.approx(row["took"] - row["sure"])


def test_intervals_of_corrected_means_cover():
    """1,000 samples of 60 matches whose controls are nearly known: 95% of intervals hold the true mean."""
    rng, covered = np.random.default_rng(5), []
    for _ in range(1000):
        took = rng.poisson((4, 3), (60, 2))
        sure = took @ (0.6, 0.2) + rng.normal(1, 1, 60)
        by_match = {"deals": np.ones(60), "took five": took[:, 0], "took three": took[:, 1]}
        known = np.array([4, 3]) + rng.normal(0, 0.02, 2)
        totals = Totals(by_match, ("took five", "took three"), known, np.eye(2) * 0.02**2)
        low, high = totals.ratio(sure, "deals").interval()
        covered.append(low < 0.6 * 4 + 0.2 * 3 + 1 < high)
    assert 0.93 < np.mean(covered) < 0.97


def test_deals_of_a_match_are_one_cluster():
    made = run(experiment(GAME, matches=30, strategies="random"))
    found, row = sample(made), played_and_possible(made).iloc[0]
    due = from_values(found.took[:, 0].reshape(30, 9).mean(axis=1))
    assert (row["deals"], row["matches"]) == (270, 30)
    assert [row["took"], row["took_se"]] == pytest.approx([due.mean, due.se])


def test_gifts_are_told_apart_by_trick_and_strategy(runs):
    """A mean over the players of a strategy; all tricks together under 0."""
    equal, found = given_away(runs[0]), sample(runs[0])
    known = analysis.seat_advantage(runs[0], ("all",))["tricks"].to_numpy()[:2]
    assert list(equal["trick"]) == [*range(1, CHOICES + 1), 0] and set(equal["players"]) == {"first-suit ×3"}
    for row in equal.to_dict("records"):
        given = found.gave.sum(axis=2) if row["trick"] == 0 else found.gave[:, :, row["trick"] - 1]
        mean, left = corrected(found, given.mean(axis=1), known)
        assert row["gave"] == pytest.approx(mean) and left < row["se"]
    mixed, found = given_away(runs[1]), sample(runs[1])
    assert list(mixed["strategy"].unique()) == MIXED
    seats = {name: found.players == player for player, name in enumerate(MIXED)}
    for row in mixed[mixed["trick"] > 0].to_dict("records"):
        own = found.gave[:, :, row["trick"] - 1][seats[row["strategy"]]]
        assert own.size == CUT and row["gave"] == pytest.approx(own.mean())
        assert row["players"] == f"{', '.join(MIXED)}, sevens hearts high: {row['strategy']}"


def test_careless_players_give_away_more():
    """Random play gives away more than a naive human's, beyond doubt."""
    made = [run(experiment(GAME, matches=200, strategies=name)) for name in ("random", "first-suit")]
    whole = given_away(made).query("trick == 0")
    assert whole["low"].iloc[0] > whole["high"].iloc[1]


def test_runs_that_cannot_be_replayed_are_left_out(runs):
    """A user's own players, those that would take minutes, and option studies alone; nothing is compiled."""

    def lowest(view, params, luck):
        return view[LEGAL] & -view[LEGAL]

    own = strategy(GAME, "lowest", base="random", card=lowest)
    for description in (
        experiment(GAME, matches=10, strategies=own),
        experiment(GAME, matches=10, strategies=["random", "random", "nested-10000"]),
        experiment(GAME, matches=10, strategies="rollout-50+solve-10"),
        experiment(GAME, hands=10),
    ):
        made = Run.blank(description)
        made.matches, made.units = description.matches, description.units
        assert not can_be_sampled(made)
        with pytest.raises(ValueError, match="cannot be replayed, or not quickly enough"):
            played_and_possible(made)
        assert not played_section([made])
    assert can_be_sampled(runs[0]) and guarantees in kernels(runs)


def test_dear_players_have_fewer_deals():
    """The fewer, the more it takes to play a deal and those before it in its match."""

    def size(*names, **rules):
        return sample_size(experiment(GAME, matches=9, strategies=list(names), rules=rules))

    assert size("heuristic") == MOST_DEALS
    order = ("rollout-50", "rollout-50+infer", "rollout-50+solve-7", "rollout-50+solve-10")
    sizes = [size(name) for name in order]
    assert MOST_DEALS > sizes[0] > sizes[1] > sizes[2] > sizes[3] == 0
    assert size("nested-40", "random", "random") == pytest.approx(3 * size("nested-40"), abs=3)
    assert size("nested-40", deals_per_match=3) > 2 * size("nested-40")


def test_lines_are_drawn_by_trick_with_their_intervals(runs):
    assert figures_of("analysis.three_two_five.open_hands.figures") == ["draw_given_away"]
    table = given_away(runs)
    check_figure(
        "draw_given_away", table, "tricks given away", ("3-2-5", "Replayed and solved: 540, 50 deals")
    )
    check_given_axes("draw_given_away", table)
    axes = analysis.draw_given_away(table)
    lines = [container.lines[0].get_xydata() for container in axes.containers]
    for drawn, (_, rows) in zip(lines, table[table["trick"] > 0].groupby("players", sort=False), strict=True):
        assert np.allclose(drawn, rows[["trick", "gave"]])
    assert axes.get_legend_handles_labels()[1] == list(table["players"].unique())


def test_the_chapter_says_what_open_hands_mean(runs):
    """First the answer in words, then what it is worth, the figure and the numbers of the table."""
    _, words = read(render(runs))
    table = played_and_possible(runs)
    answer = played_answer(table, runs[0])
    row = table.iloc[0]
    assert f"the five could have been sure of {row['sure']:.2f} (" in answer
    assert f"and took {with_interval(row['took'], row['took_low'], row['took_high'])}" in answer
    start = words.index(answer)
    assert words.index(TITLE) < start < words.index("these are values neither of hands nor of skill")
    assert "Replayed and solved: 540, 50 deals." in words and "Left out" not in words
    for row in table.to_dict("records"):
        assert f" {row['deals']:,} " in words[start:]


def test_a_run_that_is_left_out_is_named(runs):
    slow = Run.blank(experiment(GAME, matches=10, strategies="nested-10000"))
    slow.matches, slow.units = 10, 90
    (chapter,) = played_section([*runs, slow])
    assert any("take long: nested-10000 ×3." in getattr(block, "text", "") for block in chapter.blocks)


def test_no_more_lines_than_colours(runs):
    """Four line-ups of three strategies are twelve lines; the table keeps them all."""
    names = ["random", "first-suit", "heuristic"]
    several = [run(experiment(GAME, matches=2, strategies=names, seed=seed)) for seed in range(4)]
    (chapter,) = played_section(several)
    pictures = [block for block in chapter.blocks if hasattr(block, "axes")]
    assert len(pictures[0].axes.get_legend_handles_labels()[1]) == len(PALETTE)
    assert len(chapter.blocks[-1].frame) == 12 * (CHOICES + 1)
