"""What three players of Fives and Threes score with all hands open when each plays for itself: max^n.

Every player makes the move that brings itself the most points of the round. **Tie rule**: among those, the
one that leaves the next player clockwise the fewest, then the one after it. The rule looks at nothing but the
three numbers, so moves that do the same and positions that are the same have one value.

The three numbers have no fixed sum, so no move can be given up early (Korf 1991); the table alone saves work.
"""

from sim.core.jit import helper, routine
from sim.fives_and_threes.rules import MOST_SIDES
from sim.fives_and_threes.solving.endings import (
    ALL,
    FRAME_SIZE,
    FRAMES,
    NOBODY,
    NODES,
    UNKNOWN,
    open_deal,
    open_position,
    position_at,
    position_key,
    push,
    recall,
    remember,
    slot_of,
)
from sim.fives_and_threes.solving.lines import choose, laid, options

FIELD = 8
"""Bits of each of the three numbers in a packed vector of points, those of player 0 lowest."""
_ONE = (1 << FIELD) - 1


@routine
def max_n(row, scratch):
    """Points from here on of three players that all play for themselves.

    Parameters
    ----------
    row : int64 (POSITION_SIZE,) array
        The position, of three players; see :mod:`~sim.fives_and_threes.solving.endings`.
    scratch : int64 array
        From :func:`~sim.fives_and_threes.solving.endings.new_solver`; it may be kept from call to call.

    Returns
    -------
    int64
        Points of player 0 | 1 << 8 | 2 << 16.
    """
    deal = open_deal(row, scratch)
    return vector_of(deal, open_position(row, deal), scratch)


@routine
def vector_of(deal, position, scratch):
    """Vector of a position, for a deal and a position that are open."""
    value, slot, key = _look(position, scratch)
    if value != UNKNOWN:
        return value
    frame, best = FRAMES, UNKNOWN
    untried = options(deal, position)
    while True:
        move = choose(untried, position)
        untried ^= move
        after, event = laid(deal, position, move)
        event <<= FIELD * position[3]
        value, next_slot, next_key = _look(after, scratch)
        if value == UNKNOWN:
            frame = push(frame, (*position, best, untried, event, slot, key), scratch)
            position, slot, key, best = after, next_slot, next_key, UNKNOWN
            untried = options(deal, position)
            continue
        while True:
            best = _preferred(best, value + event, position[3])
            if untried:
                break
            remember(slot, key, best, scratch)
            if frame == FRAMES:
                return best
            value, frame = best, frame - FRAME_SIZE
            position = position_at(frame, scratch)
            best, untried, event = scratch[frame + 5], scratch[frame + 6], scratch[frame + 7]
            slot, key = scratch[frame + 8], scratch[frame + 9]


@helper
def _preferred(best, value, mover):
    """Of two vectors, the first possibly UNKNOWN, the one that a player likes better."""
    return value if best == UNKNOWN or liking(value, mover) > liking(best, mover) else best


@helper
def liking(vector, mover):
    """Number that orders vectors as a player does: its own points, then few for the next, then the last."""
    following = mover + 1 if mover + 1 < MOST_SIDES else 0
    last = MOST_SIDES - mover - following
    own, next_points = vector >> FIELD * mover & _ONE, vector >> FIELD * following & _ONE
    return (own << 2 * FIELD) - (next_points << FIELD) - (vector >> FIELD * last & _ONE)


@helper
def _look(position, scratch):
    """Vector of a position if it is over or in the table, else UNKNOWN; its place there and its key."""
    scratch[NODES] += 1
    if position[3] == NOBODY:
        return 0, 0, 0
    key = position_key(position, ALL)
    slot = slot_of(key, scratch)
    return recall(slot, key, scratch), slot, key
