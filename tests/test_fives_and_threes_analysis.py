"""The tables of Fives and Threes against hand-made counters, single rounds and the rulebook's figures."""

import math

import numpy as np
import pandas as pd
import pytest

import analysis
from analysis.estimates import share, wilson
from analysis.fives_and_threes import scores, start
from analysis.fives_and_threes.answers import start_answer, target_answer
from analysis.fives_and_threes.summary import summary
from analysis.provenance import command, labels, provenance
from sim import Run, experiment, replay, run
from sim.fives_and_threes import kernel, tally
from sim.fives_and_threes.chain import TOTALS
from sim.fives_and_threes.kernel import BLOCKED, OUT, TARGET

# Two matches to 20: round, starter, ended, last player, tiles, knocks, events dropped, points, scores.
ROUNDS = (
    (0, 0, OUT, 0, 8, 1, 0, (10, 6), (10, 6)),
    (1, 1, BLOCKED, 0, 10, 2, 1, (4, 9), (14, 15)),
    (2, 0, TARGET, 0, 5, 0, 0, (6, 2), (20, 17)),
    (0, 1, OUT, 1, 9, 3, 0, (5, 13), (5, 13)),
    (1, 0, TARGET, 1, 4, 1, 2, (1, 7), (6, 20)),
)
TOTAL_COUNTS = {3: 10, 6: 20, 7: 5}
DROPPED = {6: 2, 9: 1}


def made_run(strategies=("heuristic", "heuristic")) -> Run:
    """Count hand-written rounds as the batch does."""
    rows = np.zeros((len(ROUNDS), kernel.COLUMNS), np.int16)
    for row, (*numbers, points, after) in zip(rows, ROUNDS, strict=True):
        row[: kernel.POINTS_OF] = numbers
        row[kernel.POINTS_OF : kernel.POINTS_OF + 2] = points
        row[kernel.SCORE_OF : kernel.SCORE_OF + 2] = after
    placements = np.zeros((2, TOTALS), np.int64)
    for dropped, counts in enumerate((TOTAL_COUNTS, DROPPED)):
        placements[dropped, list(counts)] = list(counts.values())
    planned = experiment("fives-and-threes", matches=2, strategies=list(strategies), rules={"target": 20})
    made = Run.blank(planned)
    made.counters = tally.count(rows, placements.ravel(), planned.rules)
    made.units, made.matches = len(rows), 2
    return made


@pytest.fixture(scope="module")
def random_runs() -> list[Run]:
    """Return random play of two, three and four, the setting of the check figures."""
    return [
        run(
            experiment("fives-and-threes", matches=12_000, strategies="random", rules={"players": n}, seed=9),
            2,
        )
        for n in (2, 3, 4)
    ]


def test_start_advantage_by_hand():
    """F3: starters lead by 13 points in three rounds and by 2 in two; errors come from the two matches."""
    table = start.start_advantage(made_run()).set_index("phase")
    assert table["advantage"].to_dict() == pytest.approx({"first": 6, "later": 1, "all": 3})
    # Residuals of the two matches are 13 - 9 and 2 - 6.
    assert table.loc["all", "se"] == pytest.approx(math.sqrt(2 * (16 + 16)) / 5)
    assert table["rounds"].to_dict() == {"first": 2, "later": 3, "all": 5}


def test_points_by_place_by_hand():
    """F3, F9: the place moves with the start."""
    table = start.points_by_place(made_run(), ("all",)).set_index("place")
    assert table["points"].to_dict() == pytest.approx({"starter": 39 / 5, "second": 24 / 5})
    assert table["out"].to_dict() == pytest.approx({"starter": 2 / 5, "second": 0})


def test_matches_won_by_place_and_by_side_by_hand():
    """F3, F13: each first starter won its match; player 0 won the first, player 1 the second."""
    assert start.wins_by_place(made_run()) == [2, 0, 0]
    assert start.wins_by_side(made_run()) == [1, 1, 0]
    places = start.match_wins_by_place(made_run())
    assert places["share"].to_list() == [1, 0] and set(places["fair"]) == {0.5}
    assert places["low"].iloc[0] == pytest.approx(wilson(2, 2)[0])  # case 16
    sides = start.side_wins(made_run(("greedy", "random")))
    assert sides["strategy"].to_list() == ["greedy", "random"]
    # Player 0 makes 20 of 20 : 17 and 6 of 6 : 20, in three and two rounds.
    assert sides["lead"].to_list() == pytest.approx([-11 / 5, 11 / 5])


def test_endings_by_hand():
    """F9, F11, F13: two rounds are won by going out, both by the starter, one is blocked, two end at 20."""
    table = scores.round_endings(made_run(), ("all",)).set_index("ending")
    expected = {"out: starter": 0.4, "out: second": 0, "blocked": 0.2, "target": 0.4}
    assert table["share"].to_dict() == pytest.approx(expected)
    assert table["share"].sum() == pytest.approx(1)


def test_match_length_by_hand():
    """Three and two rounds; 23 tiles and 3 knocks, 13 tiles and 4 knocks."""
    row = scores.match_length(made_run()).iloc[0]
    assert (row["rounds"], row["median"], row["most"]) == (2.5, 2, 3)
    assert row["sd"] == pytest.approx(math.sqrt(0.5))
    assert row["turns"] == pytest.approx((26 + 17) / 2)
    lengths = scores.match_lengths(made_run())
    assert lengths[["rounds", "matches"]].to_numpy().tolist() == [[2, 1], [3, 1]]


def test_costs_of_the_exact_target_by_hand():
    """F13: three events dropped in two matches; three rounds begun 6, 5 and 7 short, of ten by side."""
    table = scores.target_costs(made_run()).set_index("measure")["value"]
    assert table["events dropped a match"] == 1.5
    assert table["events dropped, of all tiles"] == pytest.approx(3 / 36)
    assert table["rounds begun near, a match"] == 1.5
    assert table["rounds begun near, of all"] == pytest.approx(0.3)
    near = scores.near_target(made_run()).set_index("lacking")
    assert near["rounds"].to_dict() == {1: 0, 2: 0, 3: 0, 4: 0, 5: 1, 6: 1, 7: 1}
    assert near["a_match"].sum() == 1.5


def test_placements_by_hand():
    """F8: totals 3, 6 and 9 score, 7 does not; dropped events are counted and told apart."""
    table = scores.placement_totals(made_run()).set_index("total")
    assert table["placements"].to_dict() == {3: 10, 6: 22, 7: 5, 9: 1}
    assert table["points"].to_dict() == {3: 1, 6: 2, 7: 0, 9: 3}
    assert table["dropped"].to_dict() == {3: 0, 6: 2, 7: 0, 9: 1}
    assert table["share"].sum() == pytest.approx(1) and set(table["n"]) == {38}
    points = scores.placement_points(made_run()).set_index("points")["placements"]
    assert points.to_dict() == {0: 5, 1: 10, 2: 22, 3: 1, 4: 0, 6: 0, 8: 0}
    assert scores.points_a_placement(made_run()).mean == pytest.approx((10 + 44 + 3) / 38)


def test_round_points_and_final_scores_by_hand():
    """F14: by place from the starter of the round, and of the first round."""
    table = scores.round_points(made_run())
    made = table[table["rounds"] > 0].groupby("place")["points"].apply(list).to_dict()
    assert made == {"starter": [1, 6, 9, 10, 13], "second": [2, 4, 5, 6, 7]}
    first = scores.round_points(made_run(), "first")
    assert first[first["rounds"] > 0]["points"].to_list() == [10, 13, 5, 6]
    final = scores.final_scores(made_run())
    ended = final[final["matches"] > 0].groupby("place")["score"].apply(list).to_dict()
    assert ended == {"starter": [20], "second": [6, 17]}
    with pytest.raises(ValueError, match="no phase 'last'"):
        scores.round_points(made_run(), "last")


def test_random_play_meets_the_rulebooks_figures(random_runs):
    """Check figures of random play: matches to 61 and wins of the first starter, within 4 standard errors."""
    expected = {2: (10.97, 1.86, 0.509), 3: (14.33, 2.20, 0.342), 4: (7.31, 1.20, 0.503)}
    for made in random_runs:
        rounds, spread, won = expected[made.rules.players]
        length = scores.match_length(made).iloc[0]
        assert abs(length["rounds"] - rounds) < 4 * math.hypot(length["rounds_se"], 0.02)
        assert length["sd"] == pytest.approx(spread, abs=0.07)
        wins = start.match_wins_by_place(made).iloc[0]
        assert abs(wins["share"] - won) < 4 * math.hypot(wins["se"], 0.003)


def test_points_of_places_and_sides_add_up(random_runs):
    """F14: what places score in sum, sides score."""
    for made in random_runs:
        by_place = start.points_by_place(made, ("all",))
        record = summary(made).record
        assert by_place["points"].sum() == pytest.approx(
            sum(side["points"]["mean"] for side in record["sides"])
        )
        assert sum(start.wins_by_place(made)) == sum(start.wins_by_side(made)) == made.matches


def clustered(matches, value):
    """Mean a round and its linearised error over matches, from single rounds."""
    totals = np.array([sum(value(record) for record in match) for match in matches], float)
    sizes = np.array([len(match) for match in matches], float)
    mean, n = totals.sum() / sizes.sum(), len(matches)
    return mean, math.sqrt(((totals - mean * sizes) ** 2).sum() * n / (n - 1)) / sizes.sum()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_summary_is_that_of_the_single_rounds(players):
    """Record format: places, blocked, tiles, knocks, rejected, rounds a match; errors from whole matches."""
    made = run(experiment("fives-and-threes", matches=40, strategies="greedy", rules={"players": players}))
    matches = [replay(made.experiment, match) for match in range(40)]
    sides = 2 if players == 4 else players
    record = summary(made).record

    def place_of(one, player):
        return (player - one["starter"]) % sides

    def points(one, place):
        side = (one["starter"] + place) % sides
        return one["scores"][side] - one["scores_before"][side]

    def out(one, place):
        last = [move for move in one["moves"] if not move.get("knock")][-1]["player"]
        return one["ended"] == "out" and place_of(one, last) == place

    def placed(one):
        return [move for move in one["moves"] if not move.get("knock")]

    for place, entry in enumerate(record["places"]):
        assert (entry["points"]["mean"], entry["points"]["se"]) == pytest.approx(
            clustered(matches, lambda one, place=place: points(one, place))
        )
        assert entry["out"]["mean"] == pytest.approx(
            clustered(matches, lambda one, place=place: out(one, place))[0]
        )
        won = sum(place_of(match[0], match[-1]["scores"].index(61)) == place for match in matches)
        assert entry["match_won"] == share(won, 40).as_dict()
    for name, value in (
        ("blocked", lambda one: one["ended"] == "blocked"),
        ("tiles", lambda one: len(placed(one))),
        ("knocks", lambda one: len(one["moves"]) - len(placed(one))),
        ("rejected", lambda one: sum(not move["accepted"] for move in placed(one))),
    ):
        assert (record[name]["mean"], record[name]["se"]) == pytest.approx(clustered(matches, value)), name
    assert record["rounds_per_match"]["mean"] == pytest.approx(np.mean([len(match) for match in matches]))
    turns = [sum(len(one["moves"]) for one in match) for match in matches]
    assert record["turns_per_match"]["mean"] == pytest.approx(np.mean(turns))
    assert record["players"] == players and record["cut"]["mean"] == 0


def test_rounds_alone_leave_out_what_belongs_to_matches():
    """Without a target there is no match to win and nothing to drop; errors are over rounds."""
    made = run(experiment("fives-and-threes", units=50, strategies="random"))
    found = summary(made)
    assert found.clusters == "rounds" and not found.few_clusters()
    assert not {"matches won", "events dropped"} & {line.quantity for line in found.lines}
    assert found.record["rounds_per_match"] == found.record["places"][0]["match_won"]
    assert found.record["rounds_per_match"]["mean"] is None
    assert scores.match_length(made).empty and scores.target_costs(made).empty
    assert scores.near_target(made).empty and start.match_wins_by_place(made).empty
    assert list(start.start_advantage(made)["phase"]) == ["first", "all"]


def test_matches_that_nobody_wins_are_told():
    """F13 with a target that cannot be met: the cap on rounds is counted, and shown."""
    rules = {"hand": 1, "target": 4, "out_bonus": 5}
    made = run(experiment("fives-and-threes", matches=3, strategies="random", rules=rules))
    assert summary(made).record["cut"]["mean"] == 1
    assert "cut after 400 rounds" in {line.quantity for line in summary(made).lines}
    assert start.wins_by_place(made) == [0, 0, 3]


def test_answers_say_the_numbers_of_the_tables(random_runs):
    """The start and the target in words, a sentence for each number of players."""
    for made, text in zip(random_runs, start_answer(random_runs), strict=True):
        won = start.match_wins_by_place(made).iloc[0]
        assert f"{won['share']:.1%} ({won['low']:.1%} to {won['high']:.1%})" in text
        assert f"Between {made.rules.players} players (random ×{made.rules.players})" in text
    costs = scores.target_costs(random_runs[0]).set_index("measure")
    text = target_answer(random_runs[0])
    for measure in ("events dropped a match", "rounds begun near, a match"):
        assert f"{costs.loc[measure, 'value']:.2f}" in text
    assert "hitting 61 exactly" in text


def test_provenance_and_command_name_what_differs():
    """The hand that follows from the number of players is not named twice; rounds alone have no matches."""
    made = run(experiment("fives-and-threes", matches=2, strategies="random", rules={"players": 4}))
    assert labels(made) == ["random ×4, 4 players"]
    assert provenance(made) == (
        "Fives and Threes (4 players, target 61, hand 5, out bonus 1). random ×4. Seed 1."
        f" {made.units} rounds in 2 matches."
    )
    assert command(made) == (
        "dealworth simulate fives-and-threes --matches 2 --seed 1 --strategy random --rules players=4"
        " --hands 0"
    )
    alone = run(experiment("fives-and-threes", units=7, strategies="random"))
    assert provenance(alone).endswith("random ×2. Seed 1. 7 rounds.")
    alone.matches = alone.units = 3
    assert provenance(alone).endswith("Seed 1. 3 rounds of 7 (partial).")


def test_tables_of_several_runs_keep_them_apart(random_runs):
    table = analysis.start_advantage(random_runs, ("all",))
    assert table["run"].to_list() == ["random ×2", "random ×3, 3 players", "random ×4, 4 players"]
    assert isinstance(table, pd.DataFrame) and "12,000 matches" in table.attrs["provenance"]
