"""Lines of play of Fives and Threes with all hands open: what may be laid, what to try first, what follows.

Positions and deals are the tuples of :mod:`~sim.fives_and_threes.solving.endings`.
"""

from sim.core.bits import lowest
from sim.core.jit import helper
from sim.fives_and_threes import knowledge as know
from sim.fives_and_threes.chain import LEVELS, POINTS, SCORING, lay, legal_moves, state_of, tiles_of
from sim.fives_and_threes.rules import side_of
from sim.fives_and_threes.solving.endings import (
    NO_LIMIT,
    NOBODY,
    ROOM,
    next_to_place,
    room_left,
    tiles_of_side,
)
from sim.fives_and_threes.tiles import SET


@helper
def options(deal, position):
    """Moves worth trying: the sides of two ends of one kind come to the same."""
    held, left, right, mover, _ = position
    moves = legal_moves(deal[mover] & held, left, right)
    return moves & SET if left == right else moves


@helper
def choose(untried, position):
    """Pick the move that looks best: most points, then the lowest."""
    state = state_of(position[1], position[2])
    for level in range(LEVELS.size - 1, -1, -1):
        dearest = untried & SCORING[state, level]
        if dearest:
            return lowest(dearest)
    return lowest(untried)


@helper
def laid(deal, position, move):
    """Lay a tile and score it (F5–F13).

    Parameters
    ----------
    deal, position : tuple of int64
    move : int64
        One bit.

    Returns
    -------
    position : tuple of five int64
        After it, and after the knocks that follow; nobody's where the round is over.
    event : int64
        Points that it brings its player, 0 where the target drops it (F13).
    """
    held, left, right, mover, rooms = position
    players, bonus = deal[4], deal[5]
    held ^= tiles_of(move)
    left, right, total = lay(move, left, right)
    own = tiles_of_side(deal, mover) & held
    event = POINTS[total] + (0 if own else bonus)
    place, hit = ROOM * side_of(mover, players), False
    room = rooms >> place & NO_LIMIT
    if room != NO_LIMIT:
        event = event if event <= room else 0
        hit = event == room
        rooms += (room_left(room - event, own, bonus) - room) << place
    following = NOBODY
    if own and not hit:
        following = next_to_place(deal, held, left, right, know.after(mover, players))
    return (held, min(left, right), max(left, right), following, rooms), event
