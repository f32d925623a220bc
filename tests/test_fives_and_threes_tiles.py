"""Tiles, rules and the chain of Fives and Threes against the reference's tables."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.dominoes import DOUBLE_SIX, HALVES, opening_points, points_of, possible_totals
from reference.fives_and_threes import Round

from sim.core.bits import popcount
from sim.fives_and_threes import heuristic
from sim.fives_and_threes.chain import (
    EMPTY,
    FOLLOWING,
    LEVELS,
    MOVES_AT,
    OPEN,
    POINTS,
    SCORING,
    SHUT,
    TOTAL_AT,
    TOTALS,
    lay,
    legal_moves,
    moves_beyond,
    state_of,
)
from sim.fives_and_threes.rules import LONGEST_MATCH, Rules
from sim.fives_and_threes.tiles import (
    PIPS,
    SET,
    laid_name,
    parse_tile,
    parse_tiles,
    tile_name,
    tile_names,
)

lay, legal_moves, state_of = lay.py_func, legal_moves.py_func, state_of.py_func
LEFT, RIGHT = 0, 28


def moved(tile, side, left=OPEN, right=SHUT):
    """Lay a tile by its name; return ends and total."""
    return tuple(int(value) for value in lay(parse_tile(tile) << side, left, right))


def test_f2_case_8_the_set_has_28_distinct_tiles_and_168_pips():
    assert sorted(tile_names(SET)) == sorted(DOUBLE_SIX)
    assert PIPS.sum() == 168
    assert popcount(SET) == 28


@pytest.mark.parametrize("text", ["5|6", "6|5", "6-5", "56", "65", "[6|5]", "(5/6)", "6:5", " 6|5 "])
def test_a_tile_parses_in_any_common_spelling(text):
    assert tile_name(parse_tile(text)) == "5|6"


@pytest.mark.parametrize("text", ["7|1", "6", "", "6|", "1|2|3", "six", "16|5", "-1|2"])
def test_case_25_a_bad_tile_is_named(text):
    with pytest.raises(ValueError, match="no such tile: ") as error:
        parse_tile(text)
    assert repr(text) in str(error.value)


@pytest.mark.parametrize("texts", ["6|6 5|4 6-6", "6|6, 45, 5|4", ["1|2", "2|1"]])
def test_case_25_a_tile_given_twice_is_named(texts):
    last = texts.split()[-1] if isinstance(texts, str) else texts[-1]
    with pytest.raises(ValueError, match="tile given twice") as error:
        parse_tiles(texts)
    assert repr(last) in str(error.value)


@given(st.sets(st.sampled_from(DOUBLE_SIX)))
def test_a_set_of_tiles_reads_back(tiles):
    mask = parse_tiles(" ".join(tiles))
    assert set(tile_names(mask)) == tiles
    assert parse_tiles(tile_names(mask)) == mask


@pytest.mark.parametrize("symbols", [False, True])
def test_laid_tiles_read_back_and_are_ascii_without_symbols(symbols):
    for tile, (low, high) in HALVES.items():
        name = laid_name(high, low, symbols)
        assert tile_name(parse_tile(name)) == tile
        assert symbols or name.isascii()


WORKED = [
    ("1|4", LEFT, (OPEN, SHUT), 5, 1),
    ("1|1", LEFT, (1, 4), 6, 2),
    ("4|4", RIGHT, (8, 4), 10, 2),
    ("3|4", RIGHT, (8, 11), 5, 1),
    ("2|2", LEFT, (OPEN, SHUT), 4, 0),
    ("6|6", RIGHT, (3, 6), 15, 8),
    ("0|0", LEFT, (OPEN, SHUT), 0, 0),
]


@pytest.mark.parametrize(("tile", "side", "before", "total", "points"), WORKED)
def test_f7_f8_worked_placements(tile, side, before, total, points):
    *_, counted = moved(tile, side, *before)
    assert (counted, POINTS[counted]) == (total, points)


def test_f5_equal_ends_with_one_double_are_two_moves():
    ends = (4, 11)
    assert popcount(legal_moves(parse_tile("4|5"), *ends)) == 2
    plain, double = moved("4|5", LEFT, *ends), moved("4|5", RIGHT, *ends)
    assert (plain[2], POINTS[plain[2]]) == (13, 0)
    assert (double[2], POINTS[double[2]]) == (9, 3)


def test_f5_the_two_sides_of_a_lone_double_come_to_the_same():
    ends = moved("5|5", LEFT)[:2]
    assert ends == (12, 12)
    left, right = moved("0|5", LEFT, *ends), moved("0|5", RIGHT, *ends)
    assert left[2] == right[2] == 10
    assert left[:2] == right[:2][::-1]


def test_case_10_doubles_and_the_first_tile():
    left, right, first = moved("5|5", LEFT)
    left, right, second = moved("0|5", LEFT, left, right)
    *_, third = moved("1|5", RIGHT, left, right)
    assert [POINTS[total] for total in (first, second, third)] == [2, 2, 0]


def test_f8_case_9_every_total_scores_as_the_rule_says():
    assert POINTS.tolist() == [points_of(total) for total in range(TOTALS)]
    assert (POINTS[9], POINTS[15]) == (3, 8)
    impossible = {19, 21, 23, 24}
    assert impossible.isdisjoint(possible_totals())
    totals = {moved(tile, LEFT)[2] for tile in DOUBLE_SIX}
    for left in range(OPEN):
        for right in range(OPEN):
            if left == right >= 7:
                continue
            for tile in DOUBLE_SIX:
                for side in (LEFT, RIGHT):
                    move = parse_tile(tile) << side
                    laid = legal_moves(parse_tile(tile), left, right) & move
                    double_twice = laid and 7 <= lay(move, left, right)[0] == lay(move, left, right)[1]
                    if laid and not double_twice:
                        totals.add(moved(tile, side, left, right)[2])
    assert totals == possible_totals()


def test_exact_opening_figures():
    points = {tile: int(POINTS[moved(tile, LEFT)[2]]) for tile in DOUBLE_SIX}
    assert points == opening_points()
    assert sum(value > 0 for value in points.values()) == 14
    assert sum(points.values()) == 27


def test_scoring_table_agrees_with_laying_each_tile():
    for left in [*range(OPEN), OPEN]:
        for right in range(OPEN) if left < OPEN else [SHUT]:
            state, legal = state_of(left, right), legal_moves(SET, left, right)
            scores = {1 << bit: 0 for bit in range(56) if legal >> bit & 1}
            for move in scores:
                scores[move] = POINTS[lay(move, left, right)[2]]
            for level, least in enumerate(LEVELS):
                assert SCORING[state, level] == sum(move for move, score in scores.items() if score >= least)
            for room in range(-2, 11):
                beyond = sum(move for move, score in scores.items() if score > max(0, room))
                assert moves_beyond.py_func(state, room) == beyond
    assert state_of(OPEN, SHUT) == EMPTY


def states():
    """Every pair of ends, the empty chain included."""
    return [(left, right) for left in range(OPEN) for right in range(OPEN)] + [(OPEN, SHUT)]


def test_tables_by_state_agree_with_laying_each_tile():
    """F5, F7: a lone double, the only chain with one double at both ends, counts both its halves once."""
    for left, right in states():
        state, legal = state_of(left, right), legal_moves(SET, left, right)
        assert MOVES_AT[state] == legal
        if 7 <= left == right < OPEN:
            assert TOTAL_AT[state] == moved(f"{left - 7}|{left - 7}", LEFT)[2]
        for bit in (bit for bit in range(56) if legal >> bit & 1):
            after = lay(1 << bit, left, right)
            assert FOLLOWING[state, bit] == state_of(*after[:2])
            if not 7 <= after[0] == after[1] or left == OPEN:
                assert TOTAL_AT[FOLLOWING[state, bit]] == after[2]


@pytest.mark.parametrize("within", range(LEVELS.size + 1))
def test_the_heuristics_prospects_agree_with_laying_each_tile(within):
    most = [*LEVELS, 9][within]
    for left, right in states():
        state, legal = state_of(left, right), legal_moves(SET, left, right)
        row = heuristic.PROSPECTS[(within << 12) + (state << 4) :][:16].tolist()
        assert row[heuristic.LEFT_FITS : heuristic.FITTING + 1] == [
            legal & SET, legal >> RIGHT, legal & SET | legal >> RIGHT,
        ]  # fmt: skip
        assert row[heuristic.SCORED] == POINTS[TOTAL_AT[state]]
        levels = [0] * 28
        for bit in (bit for bit in range(56) if legal >> bit & 1):
            score = POINTS[lay(1 << bit, left, right)[2]]
            if score < most:
                levels[bit % 28] = max(levels[bit % 28], np.count_nonzero(score >= LEVELS))
        for level in range(LEVELS.size + 1):
            assert row[level] == sum(1 << tile for tile in range(28) if levels[tile] > level)
        planes = row[heuristic.PLANES :][:3]
        for tile in range(28):
            assert sum((plane >> tile & 1) << digit for digit, plane in enumerate(planes)) == levels[tile]


def test_f5_legal_moves_agree_with_the_reference():
    game = Round([["1|4", "2|4", "4|4"], ["4|5", "5|5", "0|0"]], 0)
    game.play("4|4", "start")
    assert game.ends_for("4|5") == ["left"]
    assert legal_moves(parse_tile("4|5"), 11, 11) == parse_tile("4|5") | parse_tile("4|5") << RIGHT


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"players": 5}, "players=5"),
        ({"players": True}, "players=True"),
        ({"players": "two"}, "players='two'"),
        ({"target": 0}, "target=0"),
        ({"target": 1000}, "target=1000"),
        ({"hand": 15}, "hand=15"),
        ({"players": "4", "hand": "8"}, "hand=8"),
        ({"hand": 0}, "hand=0"),
        ({"out_bonus": 6}, "out_bonus=6"),
        ({"out_bonus": -1}, "out_bonus=-1"),
        ({"bonus": 1}, "'bonus'"),
    ],
)
def test_bad_rules_are_named(options, named):
    with pytest.raises(ValueError, match="valid are") as error:
        Rules.from_options(options)
    assert named in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("players", "hand", "sides"), [(2, 7, 2), (3, 5, 3), (4, 5, 2)])
def test_f1_f2_customary_rules(players, hand, sides):
    rules = Rules.from_options({"players": str(players), "target": "none"})
    assert (rules.hand_size, rules.sides, rules.target) == (hand, sides, None)
    assert rules.longest_match == 1
    assert Rules(players=players).longest_match == LONGEST_MATCH
    assert Rules.from_options(rules.as_dict()) == rules
