"""Positions of Fives and Threes solved for Python, all hands open: each move of one, and many at once.

A position is a row of numbers as :mod:`sim.fives_and_threes.solving.endings` names them.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sim.core.bits import lowest, popcount
from sim.core.jit import compile_lock, helper, kernel, plain
from sim.fives_and_threes.chain import DOUBLE, OPEN, RIGHT_SIDE, SHUT, legal_moves
from sim.fives_and_threes.rules import MOST_BONUS, MOST_PLAYERS, MOST_SIDES
from sim.fives_and_threes.solving.endings import (
    ASKED,
    BONUS,
    HANDS,
    LACKING,
    LEFT,
    MOVER,
    NO_LIMIT,
    PLAYERS,
    POSITION_SIZE,
    RIGHT,
    forget,
    new_solver,
    open_deal,
    open_position,
)
from sim.fives_and_threes.solving.lines import laid
from sim.fives_and_threes.solving.max_n import FIELD, max_n, vector_of
from sim.fives_and_threes.solving.solver import guarantee, value_of
from sim.fives_and_threes.tiles import SET, TILES, tile_bit, tile_name

TABLE_BITS = 16
"""Size of the table of a single question: a megabyte, of which only what is used is touched."""
_MOST_MOVES = 2 * TILES


class MoveValue(NamedTuple):
    """What a move is worth.

    Attributes
    ----------
    move : int
        One bit; see :mod:`sim.fives_and_threes.chain`.
    event : int
        Points that it scores, an out included; 0 where the target drops them (F13).
    sure : int
        What its player is sure of with it, all hands open, from this move on: with two sides the lead of its
        side, of three players its own points against the other two.
    points : tuple of int
        Points of the three players from this move on if each plays for itself
        (:mod:`~sim.fives_and_threes.solving.max_n`); with two sides empty.
    """

    move: int
    event: int
    sure: int
    points: tuple[int, ...]


def move_values(
    hands: Sequence[int],
    ends: tuple[int, int],
    mover: int,
    lacking: Sequence[int | None] | None = None,
    bonus: int = 1,
) -> list[MoveValue]:
    """Solve every legal move of the player to move, all hands open.

    Parameters
    ----------
    hands : sequence of two to four int
        Tiles left by player.
    ends : tuple of int
        Left and right end as :mod:`sim.fives_and_threes.chain` has them, OPEN and SHUT before the first tile.
    mover : int
        Whose turn it is.
    lacking : sequence of int or None, optional
        By side, what it lacks to the target (F13); left out, or None, where there is none.
    bonus : int
        Points for ending the round by going out (F9, F10).

    Returns
    -------
    list of MoveValue
        Lowest bit first; empty where the player has to knock (F6).

    Raises
    ------
    ValueError
        If this is not a position of the game.
    """
    row = position_row(hands, ends, mover, mover, lacking, bonus)
    moves = int(plain(legal_moves)(hands[mover], *ends))
    values = np.zeros((_MOST_MOVES, 3), np.int64)
    with compile_lock(value_moves):
        value_moves(row, moves, plain(new_solver)(TABLE_BITS), values)
    result = []
    for event, sure, packed in values[: popcount(moves)].tolist():
        move = plain(lowest)(moves)
        moves ^= move
        points = tuple(packed >> FIELD * player & ((1 << FIELD) - 1) for player in range(3))
        result.append(MoveValue(move, event, sure, points if len(hands) == 3 else ()))
    return result


def position_row(
    hands: Sequence[int],
    ends: tuple[int, int],
    mover: int,
    asked: int,
    lacking: Sequence[int | None] | None = None,
    bonus: int = 1,
) -> np.ndarray:
    """Check a position and write it as the solvers' kernels read it.

    Parameters
    ----------
    hands, ends, mover, lacking, bonus
        As for :func:`move_values`.
    asked : int
        The player that is asked about.

    Returns
    -------
    int64 (POSITION_SIZE,) array

    Raises
    ------
    ValueError
        If this is not a position of the game.
    """
    players = len(hands)
    if players not in (2, 3, MOST_PLAYERS):
        raise ValueError(f"{players} hands: valid are 2 to {MOST_PLAYERS}")
    for name, value, most in (
        ("mover", mover, players - 1),
        ("player", asked, players - 1),
        ("bonus", bonus, MOST_BONUS),
    ):
        if value not in range(most + 1):
            raise ValueError(f"{name}={value!r}: valid are 0 to {most}")
    _check_tiles(hands, ends)
    sides = 2 if players == MOST_PLAYERS else players
    lacking = [None] * sides if lacking is None else list(lacking)
    if len(lacking) != sides or any(short is not None and short < 1 for short in lacking):
        raise ValueError(f"points lacking {lacking}: valid are {sides} of 1 or more, or none")
    row = np.zeros(POSITION_SIZE, np.int64)
    row[HANDS : HANDS + players] = hands
    row[[LEFT, RIGHT, MOVER, PLAYERS, BONUS, ASKED]] = *ends, mover, players, bonus, asked
    row[LACKING : LACKING + MOST_SIDES] = NO_LIMIT
    row[LACKING : LACKING + sides] = [NO_LIMIT if short is None else short for short in lacking]
    return row


def _check_tiles(hands: Sequence[int], ends: tuple[int, int]) -> None:
    """Raise ValueError unless the hands are disjoint, can go on and leave the doubles at the ends out."""
    held = 0
    for hand in hands:
        if held & hand or hand & ~SET:
            wrong = plain(lowest)(held & hand or hand & ~SET)
            raise ValueError(
                f"tile in two hands: {tile_name(wrong)}" if wrong & SET else f"{hand:#x}: no set of tiles"
            )
        held |= hand
    partners = len(hands) == MOST_PLAYERS
    if not all(hands[player] | (hands[player - 2] if partners else 0) for player in range(len(hands))):
        raise ValueError("a hand without a tile: its player is out, and the round over (F9, F10)")
    if tuple(ends) == (OPEN, SHUT):
        return
    for end in ends:
        if end not in range(OPEN):
            raise ValueError(f"end {end!r}: valid are 0 to {OPEN - 1}, or {OPEN} and {SHUT} together")
        double = tile_bit(end - DOUBLE, end - DOUBLE) if end >= DOUBLE else 0
        if held & double:
            raise ValueError(f"tile in a hand and at an end: {tile_name(double)}")


@kernel
def value_moves(row, moves, scratch, values):
    """Value moves of the player to move.

    Parameters
    ----------
    row : int64 (POSITION_SIZE,) array
        The player asked about does not count.
    moves : int64
        Moves to value, legal ones.
    scratch : int64 array
        From :func:`~sim.fives_and_threes.solving.endings.new_solver`.
    values : int64 (moves, 3) array
        Filled, lowest move first: points that it scores, what the player is sure of with it, and of three
        players the packed max^n vector.
    """
    deal = open_deal(row, scratch)
    position, mover = open_position(row, deal), row[MOVER]
    for number in range(popcount(moves)):
        move = lowest(moves)
        moves ^= move
        after, event = laid(deal, position, mirrored(move) if row[LEFT] > row[RIGHT] else move)
        values[number, 0] = event
        values[number, 1] = event + value_of(deal, after, mover, scratch)
        if row[PLAYERS] == 3:
            values[number, 2] = (event << FIELD * mover) + vector_of(deal, after, scratch)


@helper
def mirrored(move):
    """Move that does the same to the chain read from its other side."""
    return move >> RIGHT_SIDE if move >> RIGHT_SIDE else move << RIGHT_SIDE


@kernel
def guarantees(rows, fresh, scratch, values):
    """Points that a player is sure of, for many positions.

    Parameters
    ----------
    rows : int64 (n, POSITION_SIZE) array
        Those of one deal are solved fastest in the order of play.
    fresh : bool
        Whether to empty the table before each of them; the values are the same.
    scratch : int64 array
        From :func:`~sim.fives_and_threes.solving.endings.new_solver`.
    values : int64 (n,) array
        Filled.
    """
    for p in range(rows.shape[0]):
        if fresh:
            forget(scratch)
        values[p] = guarantee(rows[p], scratch)


@kernel
def vectors(rows, fresh, scratch, values):
    """Packed max^n vectors of many positions of three players; parameters as for :func:`guarantees`."""
    for p in range(rows.shape[0]):
        if fresh:
            forget(scratch)
        values[p] = max_n(rows[p], scratch)
