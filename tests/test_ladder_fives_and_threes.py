"""Ladders of Fives and Threes: sides swapped on the same deals, points a round and matches won, the order."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

import analysis
from analysis.estimates import from_values
from analysis.ladder.gains import ITSELF, cross_play, exploitability, ladder_command
from analysis.ladder.measure import measures_of
from analysis.ladder.order import intransitivities, order_in_words, ranking
from analysis.report import render
from sim import experiment, find_game, replay, run
from sim.fives_and_threes.heuristic import PARAMETERS
from sim.fives_and_threes.ladder.model import SIDES, STRANGER
from sim.ladder.folder import load, save
from sim.ladder.ladder import Ladder, play_ladder
from sim.ladder.model import alone
from sim.ladder.parts import CELL
from sim.ladder.plan import from_dict, plan_ladder, usual_ladders
from sim.ladder.sizes import Sizes, TableSize
from tests.figure_checks import check_figure, check_given_axes

GAME = "fives-and-threes"
RUNGS = ("random", "greedy", "heuristic")
PLAYERS = (2, 3, 4)
SMALL = Sizes(cells=((30,),), tables=(TableSize(20),))
QUICK = Sizes(cells=((4_000,),), tables=(TableSize(200),))


def small(players=2, **options):
    return plan_ladder(GAME, RUNGS, rules={"players": players}, **{"sizes": SMALL, "seed": 3, **options})


@pytest.fixture(scope="module")
def quick():
    """A quick ladder of the cheap rungs at each number of players."""
    return {players: play_ladder(small(players, sizes=QUICK)) for players in PLAYERS}


# Plans.


def test_who_changes_roles_on_the_same_deals_meets_once():
    """Two players, and two sides (F1), are the same line-ups seen from the other side; three are not."""
    assert alone(2).mutual and SIDES.mutual and not alone(3).mutual and not STRANGER.mutual
    met = {
        players: [
            (*small(players).names_of(cell).values(), cell.seating.name) for cell in small(players).cells
        ]
        for players in PLAYERS
    }
    upwards = [("greedy", "random"), ("heuristic", "random"), ("heuristic", "greedy")]
    everybody = [(one, two) for two in RUNGS for one in RUNGS if one != two]
    assert met[2] == [(*pair, "alone") for pair in upwards]
    assert met[3] == [(*pair, "alone") for pair in everybody]
    assert met[4] == [(*pair, "sides") for pair in upwards] + [(*pair, "stranger") for pair in everybody]


def test_challengers_meet_every_rung_in_every_way():
    plan = plan_ladder(GAME, ("random",), ("greedy",), {"players": 4}, sizes=SMALL)
    assert [(one, two, seating.name) for one, two, seating in plan.cells] == [
        (1, 0, "sides"),
        (1, 0, "stranger"),
    ]


def line_ups(plan, seating):
    cell = next(cell for cell in plan.cells if cell.seating.name == seating)
    return [
        [one.name[0] for one in plan.line_up(cell, place).strategies]
        for place in range(len(cell.seating.line_ups))
    ]


def test_the_one_sits_in_every_place_once():
    """G among r: partners sit opposite each other (F1)."""
    assert line_ups(small(2), "alone") == [["g", "r"], ["r", "g"]]
    assert line_ups(small(3), "alone") == [list("grr"), list("rgr"), list("rrg")]
    assert line_ups(small(4), "sides") == [list("grgr"), list("rgrg")]
    assert line_ups(small(4), "stranger") == [list("grrr"), list("rgrr"), list("rrgr"), list("rrrg")]


@pytest.mark.parametrize("players", PLAYERS)
def test_plans_are_read_back_by_name(players):
    plan = small(players)
    assert from_dict(plan.game, json.loads(json.dumps(plan.as_dict()))) == plan
    assert usual_ladders(GAME)[players - 2].rules.players == players


@pytest.mark.parametrize("players", PLAYERS)
def test_the_usual_ladder_has_five_rungs_and_answers_to_three(players):
    plan = usual_ladders(GAME)[players - 2]
    assert plan.names == (*RUNGS, "rollout-50", "expert")
    answers = {plan.names_of(cell)["two"] for cell in plan.cells if cell.one >= len(plan.strategies)}
    assert answers == set(RUNGS) and len(plan.challengers) == 3
    sizes = plan.model.quick.cells, plan.model.full.cells
    assert all(
        few < many for quick, full in zip(*sizes, strict=True) for few, many in zip(quick, full, strict=True)
    )


# Playing.


@pytest.mark.parametrize("players", PLAYERS)
def test_a_cell_is_what_the_records_of_its_matches_say(players):
    """F13, F14: points of the side less those of each other, rounds and matches won, match by match."""
    plan = small(players, matches=6)
    counters = play_ladder(plan).counters
    for number, cell in enumerate(plan.cells):
        totals = np.zeros((6, 3), np.int64)
        for place, line_up in enumerate(cell.seating.line_ups):
            played = plan.line_up(cell, place)
            side = line_up.index(True) % 2 if players == 4 else line_up.index(True)
            for match in range(6):
                records = replay(played, match)
                for record in records:
                    points = np.subtract(record["scores"], record["scores_before"])
                    totals[match, 0] += sum(points[side] - other for other in np.delete(points, side))
                totals[match, 1] += len(records)
                totals[match, 2] += records[-1]["scores"][side] == 61
        for half in (0, 1):
            own = totals[half::2]
            assert counters["count"][number, half] == 3
            assert counters["sums"][number, half].tolist() == own.sum(axis=0).tolist()
            assert counters["squares"][number, half].tolist() == (own**2).sum(axis=0).tolist()
            assert counters["products"][number, half].tolist() == [own[:, 0] @ own[:, 1]]


@pytest.mark.parametrize("players", PLAYERS)
def test_case_18_the_same_strategy_gains_exactly_nothing(players):
    """Two names of one strategy: whoever sits where, the rounds go the same way, and somebody wins each."""
    name, weight = next(iter(PARAMETERS.items()))
    plan = plan_ladder(
        GAME, ("heuristic", f"heuristic:{name}={weight}"), rules={"players": players}, matches=40
    )
    ladder = play_ladder(plan)
    assert not ladder.counters["squares"][:, :, 0].any() and ladder.counters["squares"][:, :, 1].all()
    for measure in measures_of(ladder):
        table = cross_play(ladder, measure.name)
        assert (table["gain"].abs() < 1e-12).all() and (table["se"] < 1e-12).all()


def test_both_sides_play_the_same_deals():
    """Seats are exchanged, tiles are not: player 0 holds the same in both places of a cell."""
    plan = small(4)
    hands = [
        [record["hands"] for record in replay(plan.line_up(plan.cells[0], place), match)[:1]]
        for place in (0, 1)
        for match in range(3)
    ]
    assert hands[:3] == hands[3:]


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("options", [{"jobs": 2}, {"piece": 7}])
def test_any_jobs_and_pieces_give_the_same_integers(players, options):
    """Case 22."""
    assert play_ladder(small(players), **options).digest == play_ladder(small(players)).digest


def test_a_rung_s_own_table_is_an_ordinary_run():
    made = play_ladder(small(3))
    for number, name in enumerate(RUNGS):
        alike = run(experiment(GAME, matches=20, strategies=name, seed=3, rules={"players": 3}))
        assert made.tables[number].digest == alike.digest
    assert made.units == 6 * 30 * 3 + 3 * 20 and made.extent == "600 matches"


def test_an_interrupted_ladder_goes_on_to_the_same(tmp_path):
    """Also where the last matches had not been played in all places."""
    whole = play_ladder(small(4))
    for pieces in (1, 4, 50):
        seen = []

        def stop(event, pieces=pieces, seen=seen):
            seen.append(event)
            if sum(event.stage == "matches" for event in seen) == pieces:
                raise KeyboardInterrupt

        cut = play_ladder(small(4), on_progress=stop, piece=5, jobs=2)
        assert cut.partial and cut.units < whole.units
        save(cut, tmp_path / str(pieces))
        again = load(tmp_path / str(pieces))
        resumed = play_ladder(again.plan, resume=again)
        assert again.digest == cut.digest and (resumed.digest, resumed.partial) == (whole.digest, False)


def test_a_round_alone_has_points_and_no_winner():
    ladder = play_ladder(plan_ladder(GAME, ("random", "greedy"), rules={"target": None}, matches=40))
    assert [measure.name for measure in measures_of(ladder)] == ["points"]
    assert ladder.counters["sums"][0, :, 1].sum() == 80 and not ladder.counters["sums"][0, :, 2].any()
    assert set(analysis.sensitivity_by_rung(ladder)["quantity"]) == {"the start"}


# Gains.


def made_of(players, totals, seating=0):
    """Make a ladder of two rungs whose first cell of a seating has match totals of lead, rounds and won."""
    plan = plan_ladder(GAME, ("random", "greedy"), rules={"players": players}, matches=4)
    ladder = Ladder.blank(plan)
    cell = [cell.seating for cell in plan.cells].index(plan.model.seatings[seating])
    for half in (0, 1):
        own = np.array(totals, np.int64)[half::2]
        ladder.counters["count"][cell, half] = len(own)
        ladder.counters["sums"][cell, half] = own.sum(axis=0)
        ladder.counters["squares"][cell, half] = (own**2).sum(axis=0)
        ladder.counters["products"][cell, half] = own[:, 0] @ own[:, 1]
    return ladder


TOTALS = [[30, 12, 2], [-6, 18, 1], [12, 10, 1], [24, 20, 2]]


def test_gains_are_ratios_and_shares_by_hand():
    """60 points in 60 rounds are one a round; 6 of 8 matches are 25 in 100 above the fair half."""
    ladder = made_of(2, TOTALS)
    mine, theirs = sorted(cross_play(ladder).to_dict("records"), key=lambda row: row["one"])
    assert (mine["one"], mine["two"], mine["gain"]) == ("greedy", "random", 1.0)
    # Residuals lead - 1 * rounds over the mean of 15 rounds: the linearised error of a ratio.
    residuals = from_values(np.array([18, -24, 2, 4]) / 15)
    assert mine["se"] == pytest.approx(residuals.se)
    assert (theirs["gain"], theirs["se"]) == (-1.0, mine["se"]), "one cell serves both"
    assert (theirs["low"], theirs["high"]) == pytest.approx((-mine["high"], -mine["low"]))
    wins = cross_play(ladder, "matches").iloc[0]
    assert wins["gain"] == pytest.approx(25.0)
    assert wins["se"] == pytest.approx(from_values(np.array([2, 1, 1, 2]) * 50).se)
    assert cross_play(ladder).attrs["unit"] == "points a round"


def test_among_three_the_lead_is_over_the_mean_of_two_and_the_fair_share_a_third():
    ladder = made_of(3, TOTALS)
    row = cross_play(ladder).iloc[0]
    assert (row["one"], row["two"], row["gain"]) == ("greedy", "random", 0.5)
    assert cross_play(ladder, "matches").iloc[0]["gain"] == pytest.approx(100 * (6 / 12 - 1 / 3))
    assert math.isnan(cross_play(ladder).iloc[1]["gain"]), "the other way round was not played"


def test_a_stranger_s_gain_is_over_four_places():
    ladder = made_of(4, TOTALS, seating=1)
    assert cross_play(ladder, "points of a stranger").iloc[0]["gain"] == 1.0
    wins = cross_play(ladder, "matches of a stranger").iloc[0]
    assert wins["gain"] == pytest.approx(100 * (6 / 16 - 1 / 2))
    assert cross_play(ladder)["gain"].isna().all()


def test_a_measure_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="no measure 'tricks' on this ladder: valid are points, matches"):
        cross_play(made_of(2, TOTALS), "tricks")


def test_exploitability_takes_responders_from_either_side_of_a_cell():
    found = exploitability(made_of(2, TOTALS))
    assert list(found["responder"]) == ["greedy", ITSELF]
    # The halves: 42 points in 22 rounds, 18 in 38.
    assert found["gain"][0] == pytest.approx((42 / 22 + 18 / 38) / 2)


# The order, for everybody to see.


@pytest.mark.parametrize("players", PLAYERS)
def test_the_order_is_sure_in_points_and_in_matches(quick, players):
    names = [measure.name for measure in measures_of(quick[players])]
    assert len(names) == (4 if players == 4 else 2)
    for name in names:
        table = cross_play(quick[players], name)
        assert ranking(table)["strategy"].tolist() == ["heuristic", "greedy", "random"]
        assert intransitivities(table).empty
        assert order_in_words(table).startswith("random < greedy < heuristic: each surely beats")


@pytest.mark.parametrize("players", [2, 4])
def test_sides_gain_what_runs_of_the_same_line_ups_say(quick, players):
    """An independent way: runs of both line-ups, their leads and rounds added up."""
    plan = quick[players].plan
    cell = plan.cells[-1] if players == 2 else plan.cells[2]
    leads = rounds = won = 0
    for place, side in ((0, 0), (1, 1)):
        played = run(replace(plan.line_up(cell, place), matches=4_000))
        totals = played.counters["totals"][2]
        leads += int(totals[7 + side] - totals[8 - side])
        rounds += int(totals[0])
        won += int(played.counters["winners"][:, side].sum())
    table = cross_play(quick[players])
    row = table[(table["one"] == "heuristic") & (table["two"] == "greedy")].iloc[0]
    assert row["gain"] == pytest.approx(leads / rounds)
    table = cross_play(quick[players], "matches")
    row = table[(table["one"] == "heuristic") & (table["two"] == "greedy")].iloc[0]
    assert row["gain"] == pytest.approx(100 * won / 8_000 - 50)


@pytest.mark.parametrize("players", PLAYERS)
def test_the_answers_at_each_rung_are_those_of_its_own_table(quick, players):
    ladder = quick[players]
    table = analysis.sensitivity_by_rung(ladder).set_index(["rung", "quantity"])
    for name, made in zip(RUNGS, ladder.tables, strict=True):
        start = analysis.start_advantage(made, ("all",)).iloc[0]
        assert table.loc[(name, "the start"), "value"] == start["advantage"]
        assert table.loc[(name, "rounds"), "value"] == pytest.approx(made.units / 200)
        assert table.loc[(name, "its matches"), "n"] == 200
    words = {2: "Two", 3: "Three", 4: "Four"}
    assert f"{words[players]} of the same: 200 matches each." in table.attrs["provenance"]


def test_pictures_name_units_sizes_and_sources(quick):
    parts = ("random, greedy, heuristic", "Seed 3", "4 players", "target 61")
    table = cross_play(quick[4], "matches of a stranger")
    check_figure("draw_cross_play", table, "matches in 100", parts)
    axes = analysis.draw_cross_play(table)
    assert axes.get_title(loc="left") == "What a stranger gains among three of another"
    assert axes.get_ylabel() == "one of" and axes.get_xlabel().startswith("three of")
    answers = analysis.sensitivity_by_rung(quick[4])
    check_given_axes("draw_sensitivity_by_rung", answers)
    panels = analysis.draw_sensitivity_by_rung(answers).child_axes
    assert panels[2].get_xlabel().startswith("four players of one strategy")
    low, high = panels[1].get_ylim()
    shares = answers.loc[answers["quantity"] == "its matches", "high"]
    assert low == 0 and high > shares.max()


def test_a_report_has_a_chapter_a_ladder(quick):
    page = render(list(quick.values()))
    for players in PLAYERS:
        assert f"How strong are the players? ({players} players)" in page
    for text in (
        "Points a round: random &lt; greedy &lt; heuristic",
        "Matches in 100: random &lt; greedy &lt; heuristic",
        "a lower bound",
        "What a side gains against a side of another",
        "What a stranger gains among three of another",
    ):
        assert text in page
    assert "Which tile to open?" not in page


def test_a_ladder_is_repeated_by_its_command():
    ladder = Ladder.blank(plan_ladder(GAME, RUNGS, rules={"players": 4}, quick=True))
    assert ladder_command(ladder) == (
        "dealworth ladder fives-and-threes --strategy random greedy heuristic --rules players=4 --seed 1"
        " --quick"
    )


def test_the_time_of_a_match_is_foretold_by_who_sits_where():
    """A side of greedy and one of random, about six rounds, two of each at the table."""
    ladder = Ladder.blank(small(4))
    strand = next(strand for strand in ladder.strands if strand.kind == CELL)
    seconds = strand.seconds(ladder.plan, {"random": 1.0, "greedy": 10.0, "heuristic": 0.0})
    assert seconds == {0: 6 * (2 * 10 + 2 * 1), 1: 6 * (2 * 10 + 2 * 1)}
    assert find_game(GAME).cost(ladder.plan.strategies) == 0
