"""The solvers of Fives and Threes against plain enumeration, and what may not change a value."""

from random import Random

import numpy as np
import pytest
from drawn_rounds import draw_position, enumerated, kernel_ends, row_of
from reference.open_rounds import enumerate_moves, enumerate_round

from sim.core.jit import plain
from sim.fives_and_threes.chain import OPEN, RIGHT_SIDE, SHUT, tiles_of
from sim.fives_and_threes.solving.endings import ASKED, LEFT, MOVER, NODES, RIGHT, new_solver
from sim.fives_and_threes.solving.max_n import FIELD
from sim.fives_and_threes.solving.open_hands import guarantees, move_values, position_row, vectors
from sim.fives_and_threes.tiles import parse_tiles, tile_name

PLAYERS = [2, 3, 4]
MOST = {2: 4, 3: 3, 4: 3}
"""Tiles a hand of the endings that are enumerated."""


def solve(rows, size=14, fresh=False):
    """Return what the players asked about are sure of, int64 (n,)."""
    values = np.zeros(len(rows), np.int64)
    guarantees(np.array(rows), fresh, plain(new_solver)(size), values)
    return values


def solve_alone(rows, size=14, fresh=False):
    """Return max^n vectors of three players, int64 (n, 3)."""
    packed = np.zeros(len(rows), np.int64)
    vectors(np.array(rows), fresh, plain(new_solver)(size), packed)
    return packed[:, None] >> FIELD * np.arange(3) & ((1 << FIELD) - 1)


def draw_positions(seed, players, count, most, **options):
    rng = Random(seed)
    return [draw_position(rng, players, most, **options) for _ in range(count)]


def asked_by_all(positions, players):
    return [row_of(position, player) for position in positions for player in range(players)]


def check_against_enumeration(players, positions, size=14, fresh=False):
    due = [enumerated(position) for position in positions]
    sure = solve(asked_by_all(positions, players), size, fresh).reshape(-1, players)
    np.testing.assert_array_equal(sure, [value.sure for value in due])
    if players == 3:
        alone = solve_alone([row_of(position) for position in positions], size, fresh)
        np.testing.assert_array_equal(alone, [value.points for value in due])
    return due


@pytest.mark.parametrize("near", [False, True])
@pytest.mark.parametrize("players", PLAYERS)
def test_endings_are_worth_what_enumeration_says(players, near):
    """F4 to F14: no mismatch, with tables kept, emptied each time, tiny, and of a single place."""
    positions = draw_positions(1, players, 150, MOST[players], near=near)
    due = check_against_enumeration(players, positions)
    assert len({value.sure for value in due}) > 12
    for size, fresh in ((14, True), (3, False), (0, False)):
        check_against_enumeration(players, positions[:60], size, fresh)


@pytest.mark.long
@pytest.mark.parametrize("players", PLAYERS)
def test_ten_thousand_endings(players):
    """F4 to F14: 10,000 endings, with and without a target in reach; no mismatch."""
    for near in (False, True):
        check_against_enumeration(
            players, draw_positions(2 + near, players, 5000, MOST[players] + 1, near=near)
        )


@pytest.mark.parametrize("players", PLAYERS)
def test_small_rounds_from_the_first_tile(players):
    """F4: before the first tile everything fits."""
    check_against_enumeration(players, draw_positions(4, players, 25, 2, begun=False))
    check_against_enumeration(players, draw_positions(5, players, 25, 2, begun=False, near=True))


@pytest.mark.parametrize("players", PLAYERS)
def test_whole_rounds_are_worth_what_their_best_move_is(players):
    """One step of the definition, where enumeration is out of reach; with the tie rule of max^n."""
    rng, size = Random(6), {2: 7, 3: 5, 4: 5}[players]
    for _ in range(15):
        tiles = rng.sample(range(28), players * size)
        hands = [sum(1 << tile for tile in tiles[size * player :][:size]) for player in range(players)]
        mover = rng.randrange(players)
        values = move_values(hands, (OPEN, SHUT), mover)
        row = position_row(hands, (OPEN, SHUT), mover, mover)
        assert len(values) == size
        assert solve([row])[0] == max(value.sure for value in values)
        assert solve([row], 4, True)[0] == solve([row], 16)[0]
        if players == 3:
            following, last = (mover + 1) % 3, (mover + 2) % 3
            lines = [value.points for value in values]
            best = max(lines, key=lambda line: (line[mover], -line[following], -line[last]))
            assert tuple(solve_alone([row])[0]) == best
            assert all(value.sure <= value.points[mover] for value in values)
        else:
            other = row.copy()
            other[ASKED] = (mover + 1) % players
            assert solve([other])[0] == -solve([row])[0]


@pytest.mark.parametrize("players", PLAYERS)
def test_each_move_is_worth_what_enumeration_says(players):
    """F5, F8 to F13: every legal move and no other, at either end, with what it scores."""
    for position in draw_positions(7, players, 80, MOST[players] - 1, near=True):
        hands, ends, mover, lacking, bonus = position
        values = move_values([parse_tiles(hand) for hand in hands], kernel_ends(ends), mover, lacking, bonus)
        found = {
            (tile_name(plain(tiles_of)(value.move)), value.move >> RIGHT_SIDE > 0): tuple(value[1:])
            for value in values
        }
        due = {
            (line.tile, line.place == 1): (line.event, line.value.sure[mover], line.value.points)
            for line in enumerate_moves(*position)
        }
        assert found == due and len(values) == len(due)


@pytest.mark.parametrize("players", PLAYERS)
def test_a_chain_has_no_left_and_right(players):
    """F5: read from its other side the chain is the same."""
    rows = np.array(asked_by_all(draw_positions(8, players, 100, MOST[players]), players))
    turned = rows.copy()
    turned[:, [LEFT, RIGHT]] = rows[:, [RIGHT, LEFT]]
    np.testing.assert_array_equal(solve(turned), solve(rows))


@pytest.mark.parametrize("players", [2, 3])
def test_players_turn(players):
    """F1: the same tiles one player further on are worth the same to who holds them."""
    rows = np.array(asked_by_all(draw_positions(9, players, 100, MOST[players]), players))
    turned = rows.copy()
    turned[:, :players] = np.roll(rows[:, :players], 1, axis=1)
    turned[:, [MOVER, ASKED]] = (rows[:, [MOVER, ASKED]] + 1) % players
    np.testing.assert_array_equal(solve(turned), solve(rows))


def test_a_kept_table_saves_work_within_a_deal():
    """The positions of a round one after the other, and nothing kept that belongs to another deal."""
    rng = Random(10)
    tiles = rng.sample(range(28), 20)
    hands = [sum(1 << tile for tile in tiles[5 * player :][:5]) for player in range(4)]
    rows = np.array([position_row(hands, (OPEN, SHUT), mover, 0) for mover in range(4)])
    looked, values = {}, {}
    for fresh in (True, False):
        scratch, values[fresh] = plain(new_solver)(16), np.zeros(4, np.int64)
        guarantees(rows, fresh, scratch, values[fresh])
        looked[fresh] = scratch[NODES]
    assert looked[False] < looked[True] and values[False].tolist() == values[True].tolist()
    positions = draw_positions(11, 2, 40, 3)
    mixed = [position for position in positions for _ in range(2)] + positions[::-1]
    check_against_enumeration(2, mixed)


SURE = [
    # F9: the last tile scores and ends the round: 5|5 at the 5 counts 10 + 0, for 2 and 1 for going out.
    ((["5|5"], ["1|2", "1|3"]), ((5, False), (0, False)), 0, None, 1, 3),
    # F11: nobody can place: blocked, nothing more.
    ((["5|5"], ["1|2"]), ((6, False), (4, False)), 0, None, 1, 0),
    # F6: the first must knock, the second goes out with 3 + 6 for 3 and 1.
    ((["5|5"], ["3|4"]), ((4, False), (6, False)), 0, None, 1, -4),
    # F13: at 59 the same 2 and 1 are too many and dropped; the tile ends the round (case 11).
    ((["5|5"], ["1|2"]), ((5, False), (0, False)), 0, (2, None), 1, 0),
    # F13: at 60 an out that counts nothing wins by its 1.
    ((["4|5"], ["1|2"]), ((5, False), (0, False)), 0, (1, None), 1, 1),
    # F10, F13, case 12: the first partner goes out at 59 with 6, an event of 2: it wins at once.
    ((["1|6"], ["2|3"], ["1|2"], ["3|4"]), ((1, False), (0, False)), 0, (2, None), 1, 2),
]


@pytest.mark.parametrize("hands, ends, mover, lacking, bonus, due", SURE)
def test_small_positions_by_hand(hands, ends, mover, lacking, bonus, due):
    lacking = lacking or [None] * 2
    assert enumerate_round(hands, ends, mover, lacking, bonus).sure[0] == due
    assert solve([row_of((hands, ends, mover, lacking, bonus))])[0] == due


@pytest.mark.parametrize(
    "change, message",
    [
        ({"hands": ["1|2"]}, "1 hands: valid are 2 to 4"),
        ({"hands": ["1|2 3|3", "1|2"]}, "tile in two hands: 1|2"),
        ({"hands": ["1|2", ""]}, "a hand without a tile"),
        ({"hands": ["1|2", "", "0|0", ""]}, "a hand without a tile"),
        ({"mover": 2}, "mover=2: valid are 0 to 1"),
        ({"asked": -1}, "player=-1: valid are 0 to 1"),
        ({"bonus": 6}, "bonus=6: valid are 0 to 5"),
        ({"ends": (14, 3)}, "end 14: valid are 0 to 13, or 14 and 15 together"),
        ({"ends": (10, 3)}, "tile in a hand and at an end: 3|3"),
        ({"lacking": [0, None]}, "points lacking .* valid are 2 of 1 or more"),
        ({"lacking": [1, 2, 3]}, "points lacking .* valid are 2 of 1 or more"),
    ],
)  # fmt: skip
def test_what_is_no_position_is_refused(change, message):
    asked = {"hands": ["1|2 3|3", "0|4"], "ends": (1, 4), "mover": 0, "asked": 0, **change}
    asked["hands"] = [parse_tiles(hand) for hand in asked["hands"]]
    with pytest.raises(ValueError, match=message.replace("|", r"\|")):
        position_row(**asked)


PLAIN = """
from sim.fives_and_threes.tiles import parse_tiles
from sim.fives_and_threes.solving.open_hands import move_values
hands = [parse_tiles(tiles) for tiles in ("1|2 3|3", "0|4 1|6", "0|0 4|6")]
print([tuple(map(int, value[:3])) + value.points for value in move_values(hands, (1, 4), 1, [9, 4, None])])
"""


def test_plain_python_finds_the_same(python):
    """NUMBA_DISABLE_JIT=1: the same functions without the compiler."""
    found = python(PLAIN)
    assert found.count("(") == 2 and python(PLAIN, NUMBA_DISABLE_JIT="1") == found
