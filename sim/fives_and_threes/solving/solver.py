"""How many points one side of Fives and Threes can be sure of when all hands are open.

With two sides the points of the round are a zero-sum game: a player is sure of a *lead*, the points of its
side less those of the other. Of three players, one plays against two: it is sure of its own points alone,
and the other two do their worst to them, whatever they score themselves.

The search is alpha-beta with fail-soft bounds (Fishburn 1983) and a table of positions. It keeps its own
stack, a frame a tile: numba cannot cache a function that calls itself.
"""

from sim.core.bits import lowest_index
from sim.core.jit import helper, routine
from sim.fives_and_threes.rules import side_of
from sim.fives_and_threes.solving.endings import (
    ASKED,
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

MOST = 127
"""More points than a side can make in a round."""
_FIELD = 8
_ONE = (1 << _FIELD) - 1
_OPEN = 1000
"""In place of a value: it has to be searched."""


@routine
def guarantee(row, scratch):
    """Points from here on that a player can be sure of.

    Parameters
    ----------
    row : int64 (POSITION_SIZE,) array
        The position and the player asked about; see :mod:`~sim.fives_and_threes.solving.endings`.
    scratch : int64 array
        From :func:`~sim.fives_and_threes.solving.endings.new_solver`; it may be kept from call to call, and
        what it remembers helps with positions of the same deal.

    Returns
    -------
    int64
        With two sides the lead of the player's side, as above; of three players its own points.
    """
    deal = open_deal(row, scratch)
    return value_of(deal, open_position(row, deal), row[ASKED], scratch)


@routine
def value_of(deal, position, player, scratch):
    """Points from here on that a player can be sure of, for a deal and a position that are open."""
    asked = player if deal[4] == 3 else 0
    value = _search(deal, position, asked, scratch)
    return value if side_of(player, deal[4]) == asked else -value


@helper
def _search(deal, position, asked, scratch):
    """Value of a position for a side."""
    frame, low, high = FRAMES, -MOST, MOST
    value, known, slot, key = _look(position, asked, low, high, scratch)
    if value != _OPEN:
        return value
    own, untried, best, chosen, move = _enter(deal, position, asked, known)
    while True:
        untried ^= move
        after, event = laid(deal, position, move)
        event = event if own else (0 if deal[4] == 3 else -event)
        least, most = (max(low, best), high) if own else (low, min(high, best))
        value, known, next_slot, next_key = _look(after, asked, least - event, most - event, scratch)
        if value == _OPEN:
            frame = push(
                frame, (*position, low, high, best, chosen, untried, move, event, slot, key), scratch
            )
            position, low, high, slot, key = after, least - event, most - event, next_slot, next_key
            own, untried, best, chosen, move = _enter(deal, position, asked, known)
            continue
        while True:
            value += event
            if (value > best) == own and value != best:
                best, chosen = value, move
            if untried and (best < high if own else best > low):
                break
            _note(slot, key, best, chosen, low, high, scratch)
            if frame == FRAMES:
                return best
            value, frame = best, frame - FRAME_SIZE
            position = position_at(frame, scratch)
            low, high, best, chosen = (
                scratch[frame + 5],
                scratch[frame + 6],
                scratch[frame + 7],
                scratch[frame + 8],
            )
            untried, move, event = scratch[frame + 9], scratch[frame + 10], scratch[frame + 11]
            slot, key = scratch[frame + 12], scratch[frame + 13]
            own = side_of(position[3], deal[4]) == asked
        move = choose(untried, position)


@helper
def _enter(deal, position, asked, known):
    """Where the search of a position starts.

    Returns
    -------
    tuple
        Whether the side asked about is to place; the moves to try; the best value so far and its move; and
        the move to try first: the one that the table has, else the one that looks best.
    """
    own = side_of(position[3], deal[4]) == asked
    untried = options(deal, position)
    move = choose(untried, position) if known == UNKNOWN else 1 << (known >> 2 * _FIELD)
    return own, untried, (-MOST if own else MOST), move, move


@helper
def _look(position, asked, low, high, scratch):
    """Value of a position, or a bound of it outside the window, if it is over or the table tells.

    Returns
    -------
    tuple of int64
        The value or _OPEN, what the table knows, the position's place in the table and its key.
    """
    scratch[NODES] += 1
    if position[3] == NOBODY:
        return 0, UNKNOWN, 0, 0
    key = position_key(position, asked)
    slot = slot_of(key, scratch)
    known = recall(slot, key, scratch)
    value = _OPEN
    if known != UNKNOWN:
        least, most = (known & _ONE) - MOST, (known >> _FIELD & _ONE) - MOST
        if least >= high or least == most:
            value = least
        elif most <= low:
            value = most
    return value, known, slot, key


@helper
def _note(slot, key, best, chosen, low, high, scratch):
    """Add what a search with this window has found to what the table knows of the position."""
    least, most = (best if best > low else -MOST), (best if best < high else MOST)
    known = recall(slot, key, scratch)
    if known != UNKNOWN:
        least, most = max(least, (known & _ONE) - MOST), min(most, (known >> _FIELD & _ONE) - MOST)
    bounds = least + MOST | (most + MOST) << _FIELD
    remember(slot, key, bounds | lowest_index(chosen) << 2 * _FIELD, scratch)
