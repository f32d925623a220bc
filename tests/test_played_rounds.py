"""What was played in a run of Fives and Threes against what was possible."""

from html import unescape

import numpy as np
import pytest

from analysis.estimates import from_values
from analysis.fives_and_threes.open_hands.played import (
    MOST_ROUNDS,
    can_be_sampled,
    given_away,
    kernels,
    played_and_possible,
    sample,
)
from analysis.fives_and_threes.open_hands.sections import TITLE, played_answer, played_section
from analysis.fives_and_threes.open_hands.solved import solved_sides
from analysis.report import render
from sim import experiment, replay, run, strategy
from sim.fives_and_threes.knowledge import LEGAL
from sim.fives_and_threes.solving.open_hands import guarantees
from sim.results import Run

GAME = "fives-and-threes"
MIXED = {2: ["random", "heuristic"], 3: ["random", "greedy", "random"], 4: ["random", "greedy"] * 2}


@pytest.fixture(scope="module", params=[2, 3, 4])
def mixed(request):
    """A run of unequal players, all of which is the sample."""
    players = request.param
    return run(experiment(GAME, matches=12, strategies=MIXED[players], rules={"players": players}))


def test_a_sample_is_the_rounds_that_the_run_counted(mixed):
    """What records solved one by one come to."""
    found, number = sample(mixed), 0
    for match in range(mixed.matches):
        for record in replay(mixed.experiment, match):
            sides = solved_sides(record)
            assert found.match[number] == match
            assert found.sure[number].tolist() == sides["sure"].tolist()
            assert found.made[number].tolist() == sides["now"].tolist()
            gave = [found.gave[number, side :: len(sides)].sum() for side in range(len(sides))]
            assert gave == sides["gave_away"].tolist()
            starters = record["starter"] % len(sides)
            assert found.place[number].tolist() == [(s - starters) % len(sides) for s in range(len(sides))]
            number += 1
    assert number == found.match.size == mixed.units


def test_places_and_strategies_add_up(mixed):
    """Made is sure less given away plus given; all that strategies give away is what places do."""
    table, given, found = played_and_possible(mixed), given_away(mixed), sample(mixed)
    assert table["made"].to_numpy() == pytest.approx(table["sure"] - table["gave"] + table["was_given"])
    assert table["gain"].to_numpy() == pytest.approx(table["made"] - table["sure"])
    assert (table["gave"] >= 0).all() and (table["was_given"] >= 0).all()
    players = [mixed.strategies.count(name) for name in given["strategy"]]
    assert (given["gave"] * players).sum() == pytest.approx(table["gave"].sum())
    assert table["gave"].sum() == pytest.approx(found.gave.sum() / found.match.size)
    if len(table) == 2:
        assert table["sure"].sum() == pytest.approx(0) == pytest.approx(table["made"].sum())


def test_rounds_of_a_match_are_one_cluster():
    """Of single rounds the error is that of their mean; the sample takes no more than it has to."""
    made = run(experiment(GAME, units=2000, strategies="random"))
    found, row = sample(made), played_and_possible(made).iloc[0]
    assert (row["rounds"], row["matches"]) == (MOST_ROUNDS, MOST_ROUNDS)
    starters = found.place.argmin(axis=1)
    due = from_values(found.sure[np.arange(MOST_ROUNDS), starters])
    assert [row["sure"], row["sure_se"]] == pytest.approx([due.mean, due.se])


def test_careless_players_give_away_more():
    made = [run(experiment(GAME, matches=60, strategies=name)) for name in ("random", "heuristic")]
    table = given_away(made)
    assert table["low"].iloc[0] > table["high"].iloc[1]


def test_runs_that_cannot_be_replayed_are_left_out(mixed):
    def lowest(view, params, luck):
        return view[LEGAL] & -view[LEGAL]

    own = experiment(GAME, matches=10, strategies=strategy(GAME, "lowest", base="random", move=lowest))
    for description in (own, experiment(GAME, hands=10)):
        made = Run.blank(description)
        made.matches, made.units = description.matches, description.units
        assert not can_be_sampled(made) and not played_section([made])
        with pytest.raises(ValueError, match="cannot be replayed, or not quickly enough"):
            played_and_possible(made)
    assert can_be_sampled(mixed) and guarantees in kernels([mixed]) and not kernels([])


def test_the_report_has_a_chapter(mixed):
    answer = played_answer(played_and_possible(mixed), mixed)
    assert [section.title for section in played_section([mixed])] == [TITLE]
    page = unescape(render([mixed]))
    assert TITLE in page and answer in page
    assert ("more than the other side" in answer) == (mixed.rules.sides == 2)
