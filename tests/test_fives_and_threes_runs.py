"""Counters, rows, runs and the opening study of Fives and Threes."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from reference.dominoes import points_of

from sim.batch import run
from sim.core.jit import helper, specialise
from sim.core.strategy import seat_rows
from sim.experiment import experiment, from_dict
from sim.fives_and_threes import kernel, options, registers, tally
from sim.fives_and_threes.game import FivesAndThrees, study_hands
from sim.fives_and_threes.rules import LONGEST_MATCH, Rules
from sim.fives_and_threes.tiles import PIPS, TILES, parse_tiles

GAME = FivesAndThrees()
PLAYERS = [2, 3, 4]


def counted_by_hand(records, sides, target):
    """Clusters, totals, gram and tables of whole matches, from records alone."""
    sums = {name: [] for name in ("first", "later", "all")}
    points = np.zeros((2, 3, 128), np.int64)
    ends = np.zeros((2, 3, 3), np.int64)
    for match in records:
        parts = {"first": match[:1], "later": match[1:], "all": match}
        for phase, rounds in parts.items():
            if rounds:
                sums[phase].append(np.sum([quantities(record, sides, target) for record in rounds], axis=0))
        for record in match:
            phase = min(record["round"], 1)
            for side in range(sides):
                gained = record["scores"][side] - record["scores_before"][side]
                points[phase, (side - record["starter"]) % sides, gained] += 1
            ends[phase, ("out", "blocked", "target").index(record["ended"]), last_place(record, sides)] += 1
    totals = np.array([np.sum(rows or [np.zeros(15, np.int64)], axis=0) for rows in sums.values()])
    gram = np.array(
        [np.array(rows).T @ np.array(rows) if rows else np.zeros((15, 15)) for rows in sums.values()]
    )
    return {
        "clusters": np.array([len(rows) for rows in sums.values()]),
        "totals": totals,
        "gram": gram,
        "points": points,
        "ends": ends,
    }


def last_place(record, sides):
    last = [move["player"] for move in record["moves"] if not move.get("knock")][-1]
    return (last - record["starter"]) % sides


def quantities(record, sides, target):
    """The tally's quantities of one round."""
    placed = [move for move in record["moves"] if not move.get("knock")]
    row = dict.fromkeys(tally.QUANTITIES, 0)
    row["rounds"] = 1
    for side in range(sides):
        gained = record["scores"][side] - record["scores_before"][side]
        row[f"points_{side}"] = gained
        row["points_" + tally.PLACES[(side - record["starter"]) % sides]] = gained
        row["near"] += bool(target and record["scores_before"][side] > target - 8)
    row["out_" + tally.PLACES[last_place(record, sides)]] = int(record["ended"] == "out")
    row["blocked"] = int(record["ended"] == "blocked")
    row["tiles"], row["knocks"] = len(placed), len(record["moves"]) - len(placed)
    row["rejected"] = sum(not move["accepted"] for move in placed)
    return list(row.values())


@pytest.mark.parametrize("target", [61, 25, None])
@pytest.mark.parametrize("players", PLAYERS)
def test_counters_are_those_of_the_replays(players, target):
    """F3, F8, F13, F14: every counter again, from the records."""
    rules = {"players": players, "target": target}
    made = experiment(
        GAME, matches=60, seed=31, strategies=["greedy"] + ["random"] * (players - 1), rules=rules
    )
    counters = GAME.play(made, 0, 60, False).counters
    records = [GAME.replay(made, match) for match in range(60)]
    sides, flat = made.rules.sides, [record for match in records for record in match]
    for name, right in counted_by_hand(records, sides, target).items():
        assert counters[name].tolist() == right.tolist(), name
    placed = [move for record in flat for move in record["moves"] if not move.get("knock")]
    for accepted, row in zip((True, False), counters["placements"], strict=True):
        totals = [move["total"] for move in placed if move["accepted"] is accepted]
        assert row.tolist() == np.bincount(totals, minlength=25).tolist()
    for name in ("tiles", "knocks"):
        assert (counters[name] * np.arange(counters[name].size)).sum() == counters["totals"][2][
            tally.QUANTITIES.index(name)
        ]
        assert counters[name].sum() == len(flat)
    assert counters["near"].sum() == counters["totals"][2][-1]
    if target is None:
        assert counters["rounds"].sum() == counters["winners"].sum() == counters["scores"].sum() == 0
        return
    assert (
        counters["rounds"].tolist() == np.bincount([len(match) for match in records], minlength=401).tolist()
    )
    assert counters["turns"].sum() == 60
    winners, scores = np.zeros((4, 4), np.int64), np.zeros((3, target + 1), np.int64)
    for match in records:
        starter, final = match[0]["starter"], match[-1]["scores"]
        winners[starter, final.index(target)] += 1
        for side in range(sides):
            scores[(side - starter) % sides, final[side]] += 1
    assert counters["winners"].tolist() == winners.tolist()
    assert counters["scores"].tolist() == scores.tolist()


def test_a_match_that_cannot_be_won_ends_at_the_cap_and_is_counted():
    """F13: one tile each, an out of 5: no event is worth 1 to 4, so 4 is never met."""
    rules = {"hand": 1, "out_bonus": 5, "target": 4}
    made = experiment(GAME, matches=50, seed=32, strategies="random", rules=rules)
    piece = GAME.play(made, 0, 50, True)
    assert piece.units == 50 * LONGEST_MATCH
    assert piece.counters["winners"][:, 3].sum() == 50
    assert piece.counters["rounds"][LONGEST_MATCH] == 50
    assert piece.rows["match"].tolist() == np.repeat(np.arange(50), LONGEST_MATCH).tolist()
    assert len(GAME.replay(made, 0)) == LONGEST_MATCH


@pytest.mark.parametrize("name", ["random", "heuristic"])
@pytest.mark.parametrize("players", PLAYERS)
def test_case_19_equal_players_win_equally_often(players, name):
    made = experiment(GAME, matches=6000, seed=33, strategies=name, rules={"players": players})
    won = GAME.play(made, 0, 6000, False).counters["winners"].sum(axis=0)[: made.rules.sides]
    fair = 1 / made.rules.sides
    assert won.sum() == 6000
    assert np.all(np.abs(won - 6000 * fair) < 4 * np.sqrt(6000 * fair * (1 - fair)))


@pytest.mark.parametrize("jobs", [1, 2, 3, 4])
@pytest.mark.parametrize("n", [3, 9, 999, 1002])
def test_case_20_exactly_as_many_rounds_and_matches_as_asked(n, jobs):
    alone = run(experiment(GAME, units=n, strategies="random"), jobs)
    assert (alone.units, alone.matches, int(alone.counters["tiles"].sum())) == (n, n, n)
    whole = run(experiment(GAME, matches=n, strategies="random"), jobs)
    assert whole.matches == n
    assert whole.counters["rounds"].sum() == n
    assert whole.units == whole.counters["tiles"].sum() == (whole.counters["rounds"] * np.arange(401)).sum()


def test_case_21_ten_thousand_rounds_over_four_jobs_are_distinct():
    made = experiment(GAME, units=10_000, strategies="random", seed=34, rules={"players": 4})
    pieces = []
    run(made, 4, piece=500, on_rows=pieces.append)
    assert np.concatenate([piece["match"] for piece in pieces]).tolist() == list(range(10_000))
    dealt = {str(GAME.replay(made, match)[0]["hands"]) for match in range(10_000)}
    assert len(dealt) == 10_000


@pytest.mark.parametrize("name", ["random", "heuristic"])
def test_case_22_any_jobs_and_pieces_give_the_same_integers(name):
    made = experiment(
        GAME, matches=600, hands=30, completions=8, strategies=name, seed=35, rules={"players": 4}
    )
    digests = {run(made, jobs, piece=piece).digest for jobs, piece in ((1, None), (2, 7), (4, 50), (1, 600))}
    assert len(digests) == 1


def test_case_13_ten_thousand_rounds_in_one_go_equal_fresh_ones():
    made = experiment(GAME, units=10_000, strategies="heuristic", seed=36, rules={"players": 4})
    at_once = GAME.play(made, 0, 10_000, True).rows
    fresh = [GAME.play(made, match, 1, True).rows for match in range(0, 10_000, 10)]
    for name, column in at_once.items():
        assert column[::10].tolist() == [one[name][0] for one in fresh]


def test_rows_are_as_documented():
    piece = GAME.play(experiment(GAME, matches=5, strategies="greedy", rules={"players": 3}), 0, 5, True)
    assert list(piece.rows) == list(GAME.row_columns)
    assert {column.shape for column in piece.rows.values()} == {(piece.units,)}


def test_rounds_alone_are_scored_without_a_target():
    made = experiment(GAME, units=7, rules={"players": 4})
    assert (made.units, made.matches, made.rules.target) == (7, 7, None)
    assert from_dict(made.as_dict()).rules == made.rules
    assert experiment(GAME, matches=7).units == 0


# The opening study


@pytest.mark.parametrize("size", [1, 2, 3])
def test_all_hands_in_order(size):
    rules = Rules(hand=size)
    n = options.all_hands(rules)
    assert n == comb(28, size)
    hands = options.consecutive_hands(0, n, rules).tolist()
    assert hands == sorted(sum(1 << tile for tile in tiles) for tiles in combinations(range(28), size))
    assert options.consecutive_hands(17, 5, rules).tolist() == hands[17:22]
    assert options.all_hands(Rules(players=4)) == 98_280


def test_a_study_of_as_many_hands_as_there_are_takes_each_once():
    made = experiment(GAME, hands=378, completions=2, strategies="random", rules={"hand": 2})
    counters = run(made, 2, piece=100).study_counters()
    assert len(set(counters["openings"].sum(axis=1).tolist())) == 378
    some = run(
        experiment(GAME, hands=377, completions=2, strategies="random", rules={"hand": 2})
    ).study_counters()
    assert len(set(some["openings"].sum(axis=1).tolist())) < 377


@pytest.mark.parametrize(("players", "times"), [(2, 1), (3, 2)])
def test_value_of_a_last_tile_is_its_points_and_the_extra(players, times):
    """F8, F9: with one tile each the opening ends the round, so its value is exact."""
    made = experiment(
        GAME, hands=28, completions=4, strategies="random", rules={"players": players, "hand": 1}
    )
    counters = GAME.study(made, 0, 28)
    assert options.scale(made.rules) == times
    for opening, sums, gram in zip(counters["openings"], counters["sums"], counters["gram"], strict=True):
        value = times * (points_of(int(PIPS[int(opening[0]).bit_length() - 1])) + 1)
        assert sums[:, 0].tolist() == [2 * value, 2 * value]
        assert gram[:, 0, 0].tolist() == [2 * value**2, 2 * value**2]


@pytest.mark.parametrize("players", PLAYERS)
def test_openings_at_random_are_worth_what_random_rounds_are(players):
    """The mean over a random starter's tiles is the starter's lead in plain rounds."""
    made = experiment(
        GAME,
        units=60_000,
        hands=1000,
        completions=16,
        strategies="random",
        seed=37,
        rules={"players": players},
    )
    counters = GAME.study(made, 0, 1000)
    per_hand = counters["sums"].sum(axis=(1, 2)) / (options.scale(made.rules) * 16 * made.rules.hand_size)
    totals, gram, n = (
        GAME.play(made, 0, 60_000, False).counters[name] for name in ("totals", "gram", "clusters")
    )
    weights = np.zeros(len(tally.QUANTITIES))
    weights[1] = 1
    weights[2 : 1 + made.rules.sides] = -1 / options.scale(made.rules)
    lead = weights @ totals[0] / n[0]
    error = np.sqrt((weights @ gram[0] @ weights / n[0] - lead**2) / n[0] + per_hand.var() / 1000)
    assert abs(per_hand.mean() - lead) < 4 * error


@helper
def general(_policies):
    return registers.GENERAL


def test_study_in_registers_equals_the_general_path():
    made = experiment(GAME, hands=20, completions=6, strategies="random", rules={"players": 4})
    slow = specialise(options.play_options, {registers.path_of: general})
    fast, counters = GAME.study(made, 0, 20), options.blank(20, made.rules)
    openings, count, sums, gram = counters.values()
    slow(
        made.seed, 0, 6, made.rules.row(), *seat_rows(made.strategies, kernel.DECISIONS),
        np.zeros(20, np.int64), openings, count, sums.reshape(40, -1), gram.reshape(40, 5, 5),
    )  # fmt: skip
    for name, counter in counters.items():
        assert counter.tolist() == fast[name].tolist()


def test_a_given_hand_is_studied_on_common_deals():
    """Its own tiles are the options; the same hand with the same number gives the same integers."""
    hand = parse_tiles("6|6 5|4 0|0 1|2 3|3")
    made = experiment(GAME, hands=1, completions=50, strategies="heuristic", rules={"players": 3})
    first, again = (study_hands(made, np.array([hand])) for _ in range(2))
    assert first["openings"].sum() == hand
    assert first["count"].tolist() == [[25, 25]]
    assert first["sums"].tolist() == again["sums"].tolist()
    assert study_hands(made, np.array([hand]), 1)["sums"].tolist() != first["sums"].tolist()


def test_by_tile_adds_up():
    made = experiment(GAME, hands=300, completions=4, strategies="greedy", rules={"players": 4})
    counters = GAME.study(made, 0, 300)
    table = options.by_tile(counters)
    assert table["clusters"].sum() == 300 * 5
    totals = np.zeros((TILES, 3), np.int64)
    for openings, sums in zip(
        counters["openings"].tolist(), counters["sums"].sum(axis=1).tolist(), strict=True
    ):
        for opening, value in zip(openings, sums, strict=True):
            totals[opening.bit_length() - 1] += (4, value, 5 * value - sum(sums))
    assert table["totals"].tolist() == totals.tolist()
    assert table["totals"][:, 2].sum() == 0
    assert np.array_equal(table["gram"], table["gram"].transpose(0, 2, 1))
    assert (table["gram"][:, 0, 0] == 16 * table["clusters"]).all()
