"""Rules F1 to F14 through the compiled kernel, round by scripted round."""

from collections import Counter
from math import sqrt

import pytest
from reference.dominoes import DOUBLE_SIX
from scripted_rounds import play

from sim.core.rng import START, below, stream_key
from sim.experiment import experiment
from sim.fives_and_threes import kernel
from sim.fives_and_threes.game import FivesAndThrees

GAME = FivesAndThrees()


def replayed(matches, **options):
    made = experiment(GAME, matches=matches, **options)
    return [GAME.replay(made, match) for match in range(matches)]


def test_f1_four_play_as_two_sides_clockwise():
    played = play(
        ["0|1 0|0", "1|2 0|2", "2|3 0|3", "3|4 0|4"],
        [("0|1", "start"), ("1|2", "right"), ("2|3", "right"), ("3|4", "right"), ("0|0", "left")],
        target=None,
    )
    assert [move["player"] for move in played.placed[:5]] == [0, 1, 2, 3, 0]
    # 1 and 3 count for players 0 and 2; 2, 3 and 4 open with 0 for 1 and 3.
    assert [move["scores"] for move in played.placed[:4]] == [[0, 0], [0, 0], [1, 0], [1, 0]]


@pytest.mark.parametrize(("players", "size"), [(2, 7), (3, 5), (4, 5)])
def test_f2_hands_are_distinct_and_every_tile_is_dealt_equally_often(players, size):
    records = [
        match[0] for match in replayed(1500, strategies="random", rules={"players": players, "target": None})
    ]
    for hands in (record["hands"] for record in records):
        tiles = [tile for hand in hands for tile in hand]
        assert len(set(tiles)) == players * size
        assert [len(hand) for hand in hands] == [size] * players
    share = size / len(DOUBLE_SIX)
    for player in range(players):
        dealt = Counter(tile for record in records for tile in record["hands"][player])
        for tile in DOUBLE_SIX:
            assert abs(dealt[tile] - 1500 * share) < 4.5 * sqrt(1500 * share * (1 - share))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_f3_the_start_is_drawn_uniformly_and_then_moves_clockwise(players):
    firsts = Counter(int(below.py_func(stream_key(5, START, match), players)) for match in range(3000))
    assert all(abs(firsts[p] - 3000 / players) < 4 * sqrt(3000 / players) for p in range(players))
    matches = replayed(6, seed=5, strategies="random", rules={"players": players})
    for number, match in enumerate(matches):
        first = int(below.py_func(stream_key(5, START, number), players))
        assert [record["starter"] for record in match] == [(first + r) % players for r in range(len(match))]
        assert all(record["moves"][0]["player"] == record["starter"] for record in match)
    assert any(record["ended"] == "blocked" for match in matches for record in match[:-1])


@pytest.mark.parametrize("tile", ["0|0", "1|4", "5|6", "6|6"])
def test_f4_the_starter_may_begin_with_any_tile(tile):
    played = play(["0|0 1|4 5|6 6|6", "2|2 3|3"], [(tile, "start")])
    assert played.moves[0]["tile"] == tile
    assert played.moves[0]["ends"] == [int(tile[0]), int(tile[2])]


@pytest.mark.parametrize(("end", "total", "points"), [("left", 13, 0), ("right", 9, 3)])
def test_f5_equal_ends_with_one_double_are_two_moves(end, total, points):
    script = [("0|1", "start"), ("0|4", "left"), ("1|4", "right"), ("4|4", "right"), ("4|5", end)]
    played = play(["0|1 1|4 4|5", "0|4 4|4 6|6"], script)
    assert played.moves[3]["ends"] == [4, 4]
    assert played.moves[3]["total"] == 12
    assert (played.moves[4]["total"], played.moves[4]["points"]) == (total, points)


def test_f5_a_tile_that_does_not_fit_is_refused():
    played = play(["1|4 2|2", "5|5 4|6"], [("1|4", "start"), ("5|5", "left")])
    assert played.status == kernel.BAD_MOVE + 8
    wrong_end = play(["1|4 2|2", "5|5 4|6"], [("1|4", "start"), ("4|6", "left")])
    assert wrong_end.status == kernel.BAD_MOVE + 8


def test_f6_who_cannot_play_knocks_and_who_can_must_play():
    played = play(
        ["1|4 1|6 0|0", "5|5 2|2 6|6"],
        [("1|4", "start"), ("1|6", "left"), ("6|6", "left")],
    )
    assert [move.get("knock", False) for move in played.moves[:4]] == [False, True, False, False]
    assert played.moves[1] == {"player": 1, "knock": True}
    # Player 1 could play 4|6; no answer of its strategy passes for a knock.
    assert play(["1|4 2|2", "4|6 3|3"], [("1|4", "start")]).status == kernel.BAD_MOVE + 8


def test_f7_a_buried_double_counts_nothing():
    played = play(
        ["2|2 2|4 0|0", "2|5 3|5"],
        [("2|2", "start"), ("2|5", "left"), ("2|4", "right"), ("3|5", "left")],
    )
    assert [move["total"] for move in played.placed] == [4, 9, 9, 7]


def test_f8_every_placement_scores_the_first_and_the_last_included():
    played = play(["1|4 4|4", "1|1 3|4"], [("1|4", "start"), ("1|1", "left"), ("4|4", "right")], target=None)
    assert [(move["total"], move["points"], move["bonus"]) for move in played.placed] == [
        (5, 1, 0),
        (6, 2, 0),
        (10, 2, 1),
    ]
    assert played.record["scores"] == [4, 2]


@pytest.mark.parametrize("bonus", [0, 1, 5])
def test_f9_going_out_ends_the_round_and_scores_the_extra(bonus):
    played = play(
        ["1|4 4|4", "1|1 3|4 5|5"], [("1|4", "start"), ("1|1", "left"), ("4|4", "right")], out_bonus=bonus
    )
    assert played.record["ended"] == "out"
    assert played.moves[-1]["bonus"] == bonus
    assert played.record["scores"] == [3 + bonus, 2]


def test_f10_the_first_partner_out_gets_no_extra_and_is_skipped_without_a_knock():
    played = play(
        ["0|1", "1|2 2|6", "2|3 5|6", "3|4 4|6"],
        [("0|1", "start"), ("1|2", "right"), ("2|3", "right"), ("3|4", "right"), ("4|6", "right")],
        starter=0,
        target=None,
    )
    assert played.moves[0]["bonus"] == 0
    # Player 1 cannot match 0 and 4 and knocks, 2 likewise, player 0 is only skipped.
    assert [(move["player"], move.get("knock", False)) for move in played.moves] == [
        (0, False),
        (1, False),
        (2, False),
        (3, False),
        (1, True),
        (2, True),
        (3, False),
    ]


def test_f10_the_round_ends_with_the_second_partner_and_the_extra_goes_to_the_side():
    played = play(
        ["0|1", "1|2 2|6", "2|3 0|6", "3|5 5|6"],
        [
            ("0|1", "start"),
            ("1|2", "right"),
            ("2|3", "right"),
            ("3|5", "right"),
            ("5|6", "right"),
            ("0|6", "left"),
        ],
        target=None,
    )
    ended = played.moves[-1]
    assert (ended["player"], ended["bonus"], played.record["ended"]) == (2, 1, "out")
    assert played.moves[-2] == {"player": 1, "knock": True}
    assert ended["scores"][0] == sum(
        move["points"] + move["bonus"] for move in played.placed if move["player"] in (0, 2)
    )


def test_f11_case_13_a_round_that_nobody_can_go_on_with_is_blocked_at_once():
    played = play(["1|4 2|2", "4|4 3|3"], [("1|4", "start"), ("4|4", "right")])
    assert played.record["ended"] == "blocked"
    assert len(played.moves) == 2
    assert all(move["bonus"] == 0 for move in played.placed)


def test_f11_partners_with_one_player_left_on_each_side_can_be_blocked():
    played = play(
        ["0|1", "1|2", "0|3 5|5", "2|6 4|4"],
        [("0|1", "start"), ("1|2", "right"), ("0|3", "left"), ("2|6", "right")],
        target=None,
    )
    assert played.record["ended"] == "blocked"
    assert [move["bonus"] for move in played.placed] == [0, 0, 0, 0]


def test_f12_pips_left_in_hand_never_count():
    played = play(["1|2", "6|6 5|6"], [("1|2", "start")], target=None)
    assert played.record["scores"] == [2, 0]


@pytest.mark.parametrize(
    ("before", "tile", "after", "accepted"),
    [
        (60, "0|0", 61, True),
        (60, "0|1", 61, True),
        (60, "0|2", 61, True),
        (60, "2|2", 61, True),
        (60, "1|2", 60, False),
        (59, "1|2", 61, True),
        (59, "0|6", 59, False),
        (58, "0|6", 61, True),
    ],
)
def test_f13_case_11_an_event_is_accepted_whole_or_dropped_whole(before, tile, after, accepted):
    played = play([tile, "3|3 4|5"], [(tile, "start")], scores=[before, 7])
    assert played.record["scores"] == [after, 7]
    assert played.moves[0]["accepted"] is accepted
    assert played.record["ended"] == ("target" if after == 61 else "out")


def test_f13_a_dropped_event_leaves_the_tile_and_the_round_goes_on():
    played = play(["0|6 2|2", "6|6 3|3"], [("0|6", "start"), ("6|6", "right")], scores=[60, 60])
    assert [move["accepted"] for move in played.placed] == [False, False]
    assert (played.moves[0]["points"], played.moves[1]["points"]) == (2, 4)
    assert played.record["scores"] == [60, 60]
    assert played.record["ended"] == "blocked"


def test_f13_exactly_61_wins_at_once_whatever_is_left_in_hands():
    played = play(["0|5 5|6", "0|0 5|5"], [("0|5", "start")], scores=[60, 0])
    assert (played.record["ended"], len(played.moves)) == ("target", 1)


def test_f13_case_12_a_first_partner_going_out_at_59_with_a_total_of_6_wins():
    played = play(["0|6", "0|0 1|1", "2|2 3|3", "4|4 5|5"], [("0|6", "start")], scores=[59, 0])
    assert played.moves[0]["bonus"] == 0
    assert played.record["scores"] == [61, 0]
    assert played.record["ended"] == "target"


def test_f14_scores_belong_to_sides_and_nothing_lowers_them():
    for match in replayed(20, strategies="random", rules={"players": 4}):
        before = [0, 0]
        for record in match:
            assert record["scores_before"] == before
            for move in record["moves"]:
                if move.get("knock"):
                    continue
                side = move["player"] % 2
                gain = move["points"] + move["bonus"] if move["accepted"] else 0
                before[side] += gain
                assert move["scores"] == before
        assert 61 in before
