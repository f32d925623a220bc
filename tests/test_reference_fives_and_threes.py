"""The naive game of Fives and Threes against its rulebook, rule by rule."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from random import Random

import pytest
from reference.dominoes import (
    DOUBLE_SIX,
    deal,
    draw_starter,
    halves,
    hand_size_of,
    opening_points,
    points_of,
    possible_totals,
)
from reference.fives_and_threes import Knock, Match, Round, play_match, play_out, uniform_pair


def laid(*moves: str) -> Round:
    """Lay a chain by two players in turn, each move as ``"1|4 right"``; both keep one tile more."""
    tiles = [move.split()[0] for move in moves]
    spare = [tile for tile in DOUBLE_SIX if tile not in tiles]
    game = Round([[*tiles[::2], spare[0]], [*tiles[1::2], spare[1]]], 0)
    for move in moves:
        game.play(*move.split())
    return game


def random_round(players: int, rng: Random, **options) -> Round:
    return play_out(Round(deal(players, rng), draw_starter(players, rng), **options), uniform_pair(rng))


# Table, set, deal


@pytest.mark.parametrize(("players", "sides"), [(2, [0, 1]), (3, [0, 1, 2]), (4, [0, 1, 0, 1])])
def test_f1_sides_and_clockwise_turns(players, sides):
    game = random_round(players, Random(1), target=None)
    assert [game.side(player) for player in range(players)] == sides
    until_out = [event.player for event in game.log][:players]
    assert until_out == [(game.starter + turn) % players for turn in range(players)]


@pytest.mark.parametrize("players", [0, 1, 5])
def test_f1_other_numbers_of_players_are_refused(players):
    with pytest.raises(ValueError, match=f"{players} players: valid are 2, 3 or 4"):
        hand_size_of(players)


def test_f2_case_8_the_set_has_28_distinct_tiles_and_168_pips():
    assert len(set(DOUBLE_SIX)) == len(DOUBLE_SIX) == 28
    assert sum(sum(halves(tile)) for tile in DOUBLE_SIX) == 168


@pytest.mark.parametrize(("players", "size", "undealt"), [(2, 7, 14), (3, 5, 13), (4, 5, 8)])
def test_f2_hands_are_distinct_and_the_rest_is_out_of_play(players, size, undealt):
    hands = deal(players, Random(2))
    assert [len(hand) for hand in hands] == [size] * players
    assert len(set(DOUBLE_SIX).difference(*hands)) == undealt
    game = play_out(Round(hands, 0, target=None), uniform_pair(Random(3)))
    placed = [event.tile for event in game.log if not isinstance(event, Knock)]
    held = [tile for hand in game.hands for tile in hand]
    assert sorted(placed + held) == sorted(tile for hand in hands for tile in hand)


def test_f2_every_tile_is_dealt_equally_often():
    rng, deals = Random(4), 2000
    counts = Counter(tile for _ in range(deals) for tile in deal(2, rng)[0])
    assert set(counts) == set(DOUBLE_SIX)
    assert all(abs(count - deals / 4) < 4.5 * sqrt(deals * 3 / 16) for count in counts.values())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_f3_first_starter_is_uniform(players):
    rng, lots = Random(5), 3000
    counts = Counter(draw_starter(players, rng) for _ in range(lots))
    assert sorted(counts) == list(range(players))
    assert all(abs(count - lots / players) < 4 * sqrt(lots / players) for count in counts.values())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_f3_start_moves_clockwise_after_every_round_blocked_ones_included(players):
    rng = Random(6)
    match = play_match(Match(players, players - 1), rng, uniform_pair(rng))
    assert "blocked" in [game.ended for game in match.rounds[:-1]]
    assert [game.starter for game in match.rounds] == [
        (players - 1 + number) % players for number in range(len(match.rounds))
    ]
    assert all(game.log[0].player == game.starter for game in match.rounds)


def test_f4_the_starter_may_begin_with_any_tile():
    hands = deal(3, Random(7))
    for tile in hands[2]:
        game = Round(hands, 2)
        assert (tile, "start") in game.legal_moves()
        assert game.play(tile, "start").ends == halves(tile)


# Play


def test_f5_a_tile_is_added_at_either_end_and_turned_to_match():
    game = laid("1|4 start", "4|6 right", "1|5 left")
    assert game.chain == [(5, 1), (1, 4), (4, 6)]
    assert game.ends == (5, 6)


def test_f5_doubles_never_branch():
    game = Round([["4|4", "4|5", "5|6"], ["1|4", "2|4"]], 0)
    game.play("4|4", "start")
    game.play("1|4", "right")
    game.play("4|5", "left")
    assert game.ends == (5, 1)
    assert game.must_knock()
    assert not game.can_play("2|4", "left")


def test_f5_a_tile_that_fits_both_ends_is_two_moves():
    game = Round([["1|4", "1|6"], ["4|6", "0|0"]], 0)
    game.play("1|4", "start")
    game.play("4|6", "right")
    assert game.legal_moves() == [("1|6", "left"), ("1|6", "right")]


@pytest.mark.parametrize(("end", "total", "points"), [("left", 13, 0), ("right", 9, 3)])
def test_f5_equal_ends_with_one_double_are_two_moves(end, total, points):
    game = Round([["3|4", "4|4", "4|5", "0|0"], ["3|6", "4|6", "1|1"]], 0)
    for tile, where in [("3|4", "start"), ("3|6", "left"), ("4|4", "right"), ("4|6", "left")]:
        game.play(tile, where)
    assert game.ends == (4, 4)
    assert game.legal_moves() == [("4|5", "left"), ("4|5", "right")]
    placed = game.play("4|5", end)
    assert (placed.total, placed.points) == (total, points)


def test_f5_the_two_numbers_of_a_lone_tile_are_two_ends():
    game = Round([["1|4", "0|0"], ["1|5", "4|5", "3|3", "1|1"]], 0)
    game.play("1|4", "start")
    assert game.legal_moves() == [("1|5", "left"), ("4|5", "right"), ("1|1", "left")]


def test_f5_the_two_sides_of_a_lone_double_are_one_move():
    hands = [["4|4", "0|0"], ["4|5", "1|4"]]
    game = Round(hands, 0)
    game.play("4|4", "start")
    assert game.legal_moves() == [("4|5", "left"), ("1|4", "left")]
    for end, ends in [("left", (5, 4)), ("right", (4, 5))]:
        game = Round(hands, 0)
        game.play("4|4", "start")
        placed = game.play("4|5", end)
        assert (placed.end, placed.ends, placed.total) == (end, ends, 13)


def test_f6_who_can_play_must_and_who_cannot_knocks():
    game = Round([["1|4", "1|6"], ["2|3", "5|5"], ["4|4", "0|0"]], 0)
    with pytest.raises(ValueError, match=r"knock: player 0 can play; valid are 1\|4 at start"):
        game.knock()
    game.play("1|4", "start")
    assert game.must_knock()
    with pytest.raises(ValueError, match=r"2\|3 at left: player 1 cannot; valid are only a knock"):
        game.play("2|3", "left")
    assert game.knock() == Knock(1, (1, 4))
    assert game.to_move == 2
    with pytest.raises(ValueError, match=r"knock: player 2 can play; valid are 4\|4 at right"):
        game.knock()


@pytest.mark.parametrize(
    ("tile", "end"),
    [("4|6", "left"), ("6|4", "right"), ("1|6", "right"), ("4|6", "start"), ("4|6", "middle")],
)
def test_f5_illegal_moves_are_refused_and_change_nothing(tile, end):
    game = Round([["1|4", "1|6"], ["4|6", "0|0"]], 0)
    game.play("1|4", "start")
    with pytest.raises(ValueError, match=r"valid are 4\|6 at right"):
        game.play(tile, end)
    assert (game.to_move, game.chain, game.hands[1], len(game.log)) == (1, [(1, 4)], ["4|6", "0|0"], 1)


@pytest.mark.parametrize(
    ("moves", "total", "points"),
    [
        (["1|4 start"], 5, 1),
        (["1|4 start", "1|1 left"], 6, 2),
        (["1|4 start", "1|1 left", "4|4 right"], 10, 2),
        (["1|4 start", "1|1 left", "4|4 right", "3|4 right"], 5, 1),
        (["2|2 start"], 4, 0),
        (["3|6 start", "6|6 right"], 15, 8),
        (["0|0 start"], 0, 0),
    ],
)
def test_f7_worked_placements(moves, total, points):
    placed = laid(*moves).log[-1]
    assert (placed.total, placed.points) == (total, points)


def test_f7_case_10_doubles_and_the_first_tile():
    game = laid("5|5 start", "0|5 right", "1|5 left")
    assert [(placed.total, placed.points) for placed in game.log] == [(10, 2), (10, 2), (1, 0)]


# Score


def test_f8_case_9_points_of_every_total():
    scoring = {3: 1, 5: 1, 6: 2, 9: 3, 10: 2, 12: 4, 15: 8, 18: 6, 20: 4}
    assert {total: points_of(total) for total in possible_totals()} == {
        total: scoring.get(total, 0) for total in possible_totals()
    }


def test_f8_exact_figures_of_the_rulebook():
    points = opening_points().values()
    assert sum(value > 0 for value in points) == 14
    assert (sum(points), len(points)) == (27, 28)
    assert set(range(max(possible_totals()) + 3)) - possible_totals() == {19, 21, 23, 24}


@pytest.mark.parametrize("players", [2, 3])
def test_f9_the_last_tile_of_a_hand_ends_the_round_for_one_extra(players):
    game = Round([["1|4"], ["4|6"], ["6|6"]][:players], 0)
    placed = game.play("1|4", "start")
    assert (placed.points, placed.bonus, placed.scores[0]) == (1, 1, 2)
    assert (game.ended, game.to_move) == ("out", None)


def test_f10_first_partner_out_is_skipped_and_second_ends_the_round():
    game = Round([["0|1"], ["1|2", "3|3"], ["2|3", "0|3"], ["0|4", "5|5"]], 0)
    first = game.play("0|1", "start")
    assert (first.bonus, game.ended) == (0, None)
    game.play("1|2", "right")
    game.play("2|3", "right")
    game.play("0|4", "left")
    assert game.to_move == 1
    assert not any(isinstance(event, Knock) for event in game.log)
    game.play("3|3", "right")
    assert game.to_move == 2
    last = game.play("0|3", "right")
    assert (last.player, last.total, last.points, last.bonus) == (2, 4, 0, 1)
    assert (game.ended, game.scores[0]) == ("out", sum(e.points + e.bonus for e in game.log if e.player != 1))


def test_f11_blocked_when_nobody_with_tiles_can_play():
    game = Round([["0|1", "3|3"], ["1|1", "4|4"], ["2|2"]], 0)
    game.play("0|1", "start")
    placed = game.play("1|1", "right")
    assert (game.ended, game.to_move, placed.bonus) == ("blocked", None, 0)
    assert len(game.log) == 2
    for refused in (game.knock, lambda: game.play("2|2", "left")):
        with pytest.raises(ValueError, match=r"the round has ended \(blocked\); valid is a new round"):
            refused()


def test_f11_blocked_with_one_player_left_on_each_side():
    game = Round([["0|1"], ["1|2"], ["2|4", "5|5"], ["3|3", "6|6"]], 0)
    for tile, end in [("0|1", "start"), ("1|2", "right")]:
        game.play(tile, end)
        assert game.ended is None
    assert game.play("2|4", "right").bonus == 0
    assert game.ended == "blocked"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_f11_case_13_a_stuck_table_is_blocked_within_one_lap(players):
    rng, endings = Random(8), Counter()
    for _ in range(300):
        game = random_round(players, rng, target=None)
        endings[game.ended] += 1
        assert not isinstance(game.log[-1], Knock)
        knocks = 0
        for event in game.log:
            knocks = knocks + 1 if isinstance(event, Knock) else 0
            assert knocks < players
        stuck = not any(game.moves_of(player) for player in range(players))
        assert stuck or game.ended == "out"
    assert set(endings) == {"out", "blocked"}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_f11_case_13_rounds_of_one_match_equal_fresh_rounds(players):
    rng = Random(9)
    match = Match(players, 0, target=None)
    for number in range(500):
        hands = deal(players, rng)
        inside = play_out(match.deal(hands), uniform_pair(Random(number)))
        fresh = play_out(Round(hands, number % players, target=None), uniform_pair(Random(number)))
        gained = [after - before for after, before in zip(inside.scores, inside.scores_before, strict=True)]
        assert (gained, inside.ended, inside.chain) == (fresh.scores, fresh.ended, fresh.chain)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_f12_f14_scores_are_the_events_and_never_fall(players):
    rng = Random(10)
    for _ in range(200):
        game = random_round(players, rng, target=None)
        scores = [0] * game.sides
        for event in game.log:
            if not isinstance(event, Knock):
                scores[game.side(event.player)] += event.points + event.bonus
                assert list(event.scores) == scores
        assert game.scores == scores
        assert sum(e.bonus for e in game.log if not isinstance(e, Knock)) == (game.ended == "out")


@pytest.mark.parametrize(
    ("tile", "before", "after", "ended"),
    [
        ("1|5", 59, 59, "out"),  # 2 + 1 is dropped whole.
        ("1|4", 59, 61, "target"),
        ("0|0", 60, 61, "target"),
        ("0|1", 60, 61, "target"),
        ("0|2", 60, 61, "target"),
        ("2|2", 60, 61, "target"),
        ("1|2", 60, 60, "out"),
        ("3|3", 58, 61, "target"),
    ],
)
def test_f13_case_11_an_out_near_the_target(tile, before, after, ended):
    game = Round([[tile], ["6|6"]], 0, scores=[before, 7])
    placed = game.play(tile, "start")
    assert (game.scores, game.ended, placed.bonus) == ([after, 7], ended, 1)
    assert placed.accepted == (after > before)
    assert game.winner == (0 if ended == "target" else None)


def test_f13_a_dropped_event_leaves_the_tile_and_the_round_goes_on():
    game = Round([["4|5", "0|0"], ["5|5", "0|1"]], 0, scores=[59, 60])
    placed = game.play("4|5", "start")
    assert (placed.points, placed.accepted, placed.scores) == (3, False, (59, 60))
    assert (game.chain, game.ended, game.to_move) == ([(4, 5)], None, 1)
    nothing = game.play("5|5", "right")
    assert (nothing.total, nothing.points, nothing.accepted) == (14, 0, True)


def test_f13_the_target_wins_at_once_whatever_is_left_in_hands():
    game = Round([["1|4", "1|1"], ["4|4", "0|0"]], 0, scores=[60, 0])
    game.play("1|4", "start")
    assert (game.ended, game.winner, game.to_move) == ("target", 0, None)
    with pytest.raises(ValueError, match=r"the round has ended \(target\)"):
        game.play("4|4", "right")


def test_f13_case_12_first_partner_out_wins_without_the_extra():
    game = Round([["1|5"], ["1|1"], ["2|2"], ["3|3"]], 0, scores=[59, 40])
    placed = game.play("1|5", "start")
    assert (placed.total, placed.points, placed.bonus, placed.accepted) == (6, 2, 0, True)
    assert (game.scores, game.ended, game.winner) == ([61, 40], "target", 0)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_f13_f14_a_match_carries_scores_and_ends_at_exactly_the_target(players):
    rng = Random(11)
    match = play_match(Match(players, 0), rng, uniform_pair(rng))
    scores = [0] * match.rounds[0].sides
    for game in match.rounds:
        assert list(game.scores_before) == scores
        scores = game.scores
    assert max(scores) == scores[match.winner] == 61
    assert [game.ended == "target" for game in match.rounds] == [False] * (len(match.rounds) - 1) + [True]
    with pytest.raises(ValueError, match="has won at 61; valid is a new match"):
        match.deal(deal(players, rng))


@pytest.mark.parametrize(
    ("hands", "options", "reason"),
    [
        ([["1|4"], ["1|4"]], {}, r"tile 1\|4 is dealt twice"),
        ([["1|4"], ["4|1"]], {}, r"'4\|1' is not a tile"),
        ([["1|4"], []], {}, "an empty hand is dealt"),
        ([["1|4"], ["0|0"]], {"starter": 2}, "starter 2: valid are 0 to 1"),
        ([["1|4"], ["0|0"]], {"scores": [61, 0]}, "valid are scores from 0 and below 61"),
        ([["1|4"], ["0|0"]], {"scores": [0]}, "valid are 2 scores"),
        ([["1|4"], ["0|0"]], {"out_bonus": -1}, "out bonus -1: valid is 0 or more"),
    ],
)
def test_impossible_rounds_are_refused(hands, options, reason):
    with pytest.raises(ValueError, match=reason):
        Round(hands, **{"starter": 0, **options})


# What each player knows


def test_knowledge_of_a_knock_lasts_in_partnership_too():
    game = Round([["1|4", "0|0"], ["4|5", "6|6"], ["2|3", "2|2"], ["1|5", "3|3"]], 0)
    game.play("1|4", "start")
    game.play("4|5", "right")
    game.knock()
    game.play("1|5", "left")
    known = game.knowledge(0)
    assert known.hand == {"0|0"}
    assert known.seen == {"0|0", "1|4", "4|5", "1|5"}
    assert known.lacks == {1: set(), 2: {1, 5}, 3: set()}
    assert known.hand_sizes == (1, 1, 2, 1)
    assert "0|1" in known.may_hold(1) and "0|1" not in known.may_hold(2)
    assert known.admits([["0|0"], ["0|1"], ["2|4", "3|6"], ["5|5"]])
    assert not known.admits([["0|0"], ["0|2"], ["2|4", "1|3"], ["5|5"]])
    assert not known.admits([["0|0"], ["0|2"], ["2|4"], ["5|5", "0|3"]])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_knowledge_admits_the_real_hands_at_every_step(players):
    rng, shown = Random(12), 0
    for _ in range(60):
        game = Round(deal(players, rng), 0, target=None)
        while game.ended is None:
            known = game.knowledge(game.to_move)
            assert known.admits(game.hands)
            shown += sum(map(len, known.lacks.values()))
            game.knock() if game.must_knock() else game.play(*rng.choice(game.legal_moves()))
    assert shown > 0


# Figures to check against


@pytest.mark.parametrize(
    ("players", "blocked", "points", "tiles"),
    [
        (2, 0.7045, (5.709, 5.380), 10.36),
        (3, 0.4558, (4.228, 3.878, 3.722), 10.83),
        (4, 0.7225, (8.689, 8.424), 15.94),
    ],
)
def test_check_figures_of_uniform_random_rounds(players, blocked, points, tiles):
    rng, rounds = Random(13), 2000
    rows = []
    for _ in range(rounds):
        game = play_out(Round(deal(players, rng), 0, target=None), uniform_pair(rng))
        rows.append((game.ended == "blocked", *game.scores, len(game.chain)))
    for values, right in zip(zip(*rows, strict=True), (blocked, *points, tiles), strict=True):
        mean = sum(values) / rounds
        deviation = sqrt(sum((value - mean) ** 2 for value in values) / (rounds - 1))
        assert abs(mean - right) < 4 * sqrt(deviation**2 / rounds + 0.005**2)


@pytest.mark.parametrize(
    ("players", "length", "deviation"), [(2, 10.97, 1.86), (3, 14.33, 2.20), (4, 7.31, 1.20)]
)
def test_check_figures_of_match_length(players, length, deviation):
    rng, matches = Random(14), 100
    lengths = [
        len(play_match(Match(players, draw_starter(players, rng)), rng, uniform_pair(rng)).rounds)
        for _ in range(matches)
    ]
    assert abs(sum(lengths) / matches - length) < 4 * deviation / sqrt(matches)
