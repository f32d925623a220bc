"""The chain: its two ends, what fits them, what they count and what that scores (F5, F7, F8).

All that matters of a chain is its ends. An *end* is one number: 0 to 6 is an open half, 7 to 13 the
double of end - 7 lying across. Before the first tile there are two ends of their own kind, so that
one rule of what fits serves the whole round: everything fits one of them, nothing the other.

A *move* is one bit of 56: a tile's bit puts it at the left end, the same bit 28 places higher at the
right end. A tile that fits both ends is thus two moves, and so are the two sides of a lone double,
which come to the same.
"""

import numpy as np

from sim.core.bits import lowest_index
from sim.core.jit import helper
from sim.fives_and_threes.tiles import HALVES, NUMBERS, PIPS, SET, TILES

RIGHT_SIDE = TILES
"""How many places a right move's bit stands above the left move's."""
DOUBLE = NUMBERS
"""What makes an end the double of its number."""
OPEN, SHUT = 2 * NUMBERS, 2 * NUMBERS + 1
"""The ends of an empty chain, left and right: every tile fits the one, none the other."""
ENDS = 2 * NUMBERS + 2


def _fits(end: int) -> int:
    """Tiles that hold an end's number."""
    if end >= OPEN:
        return SET if end == OPEN else 0
    return sum(1 << index for index, halves in enumerate(HALVES) if end % DOUBLE in halves)


def _beyond(index: int, end: int) -> int:
    """End that a tile makes where it is put at another; SHUT where it does not fit."""
    low, high = HALVES[index]
    number = end % DOUBLE
    if end >= OPEN or number not in (low, high):
        return SHUT
    return number + DOUBLE if low == high else low + high - number


def _points(total: int) -> int:
    """Score of a count of the ends (F8)."""
    return (total // 3 if total % 3 == 0 else 0) + (total // 5 if total % 5 == 0 else 0)


FITS = np.array([_fits(end) for end in range(ENDS)], np.int64)
COUNT = np.array([end if end < DOUBLE else 2 * (end - DOUBLE) for end in range(OPEN)], np.int64)
"""What an end counts: an open half, or both halves of a double (F7)."""
BEYOND = np.array([[_beyond(index, end) for end in range(ENDS)] for index in range(TILES)], np.int64)
TOTALS = 25
"""A count of the ends is 0 to 24."""
POINTS = np.array([_points(total) for total in range(TOTALS)], np.int64)
"""Points of a total (F8)."""
LEFT_OF_FIRST = np.array([low + DOUBLE * (low == high) for low, high in HALVES], np.int64)
RIGHT_OF_FIRST = np.array([high + DOUBLE * (low == high) for low, high in HALVES], np.int64)
"""Ends of a lone first tile, lower half to the left; both sides of a lone double are that double."""

LEVELS = np.array([1, 2, 3, 4, 6, 8], np.int64)
"""Points that a placement can score (F8)."""
MOST_POINTS = 8
WITHIN = np.array([np.count_nonzero(room >= LEVELS) for room in range(MOST_POINTS + 1)], np.int64)
"""How many of LEVELS are at most 0, 1, … 8 points."""
EMPTY = OPEN * OPEN
"""State of an empty chain; see :func:`state_of`."""


@helper
def legal_moves(hand, left, right):
    """Moves that a hand has: its tiles that match the left end, and those that match the right one (F5)."""
    return (hand & FITS[left]) | ((hand & FITS[right]) << RIGHT_SIDE)


@helper
def tiles_of(moves):
    """Tiles of a set of moves, whichever end they go to."""
    return (moves | (moves >> RIGHT_SIDE)) & SET


@helper
def lay(move, left, right):
    """Lay a tile.

    Parameters
    ----------
    move : int64
        One bit.
    left, right : int64
        Ends before; OPEN and SHUT for the first tile, which is laid lower half to the left.

    Returns
    -------
    left, right, total : int64
        Ends after, and their count (F7): a lone first tile counts both its halves once.
    """
    index = lowest_index(move)
    if left == OPEN:
        return LEFT_OF_FIRST[index], RIGHT_OF_FIRST[index], PIPS[index]
    to_right = index >= RIGHT_SIDE
    tile = index - RIGHT_SIDE if to_right else index
    end = BEYOND[tile, right if to_right else left]
    left, right = (left if to_right else end), (end if to_right else right)
    return left, right, COUNT[left] + COUNT[right]


@helper
def state_of(left, right):
    """Row of SCORING for these ends."""
    return EMPTY if left == OPEN else left * OPEN + right


def _scoring() -> np.ndarray:
    """Moves by state that score at least each of LEVELS, whoever may hold the tiles."""
    states = [(left, right) for left in range(OPEN) for right in range(OPEN)] + [(OPEN, SHUT)]
    beyond, count, pips, points = (table.tolist() for table in (BEYOND, COUNT, PIPS, POINTS))
    scoring = np.zeros((len(states), LEVELS.size + 1), np.int64)
    for state, (left, right) in enumerate(states):
        for here, there, shift in ((left, right, 0), (right, left, RIGHT_SIDE)):
            fitting = int(FITS[here])
            for index in (index for index in range(TILES) if fitting >> index & 1):
                total = pips[index] if here == OPEN else count[beyond[index][here]] + count[there]
                scoring[state, : WITHIN[points[total]]] |= 1 << (index + shift)
    return scoring


SCORING = _scoring()
"""Moves that score at least ``LEVELS[level]`` points, and none at a seventh level: int64 (197, 7)."""


@helper
def moves_beyond(state, room):
    """Moves that score more than ``room`` points."""
    return SCORING[state, WITHIN[max(0, min(room, MOST_POINTS))]]


def _states() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tables by state: moves that fit, the count of the ends, and by move's bit the state that it makes."""
    moves, total = np.zeros(STATES, np.int64), np.zeros(STATES, np.uint8)
    following = np.zeros((STATES, MOVES), np.uint8)
    for left, right in np.ndindex(OPEN, OPEN):
        state = left * OPEN + right
        moves[state] = FITS[left] | FITS[right] << RIGHT_SIDE
        # Both ends the same double: a lone one, which counts both its halves once.
        total[state] = COUNT[left] if left == right >= DOUBLE else COUNT[left] + COUNT[right]
        following[state, :TILES] = BEYOND[:, left] % OPEN * OPEN + right
        following[state, TILES : 2 * TILES] = left * OPEN + BEYOND[:, right] % OPEN
    moves[EMPTY], following[EMPTY, :TILES] = SET, LEFT_OF_FIRST * OPEN + RIGHT_OF_FIRST
    return moves, total, following


STATES = EMPTY + 1
MOVES = 64
"""Columns of FOLLOWING: a power of two above the 56 moves."""
MOVES_AT, TOTAL_AT, FOLLOWING = _states()
"""By :func:`state_of`: moves that fit the ends, int64; count of the ends (F7), uint8, nothing for an empty
chain; and state after the move with each bit, uint8 (197, 64). What does not fit has no meaning there."""
