"""What three players of 3-2-5 take with all hands open when each plays for itself: max^n.

Every player takes the option that brings itself the most tricks. **Tie rule**: among those, the one that
leaves the next player in playing order the fewest, and so the one after it the most. The rule looks at
nothing but the three numbers, so cards that do the same and positions that are the same have one value.
"""

from sim.core.jit import helper, routine
from sim.three_two_five.endings import (
    BEST,
    CARD,
    FRAME_SIZE,
    FRAMES,
    HANDS,
    KEY,
    LEFT,
    MOVER,
    NOBODY,
    NODES,
    OPTIONS,
    SLOT,
    UNKNOWN,
    finish_trick,
    last_card_wins,
    lay_out,
    open_trick,
    position_key,
    recall,
    remember,
    slot_of,
    sure_on_lead,
    sure_trumps,
    trump_on_top,
)

FIELD = 8
"""Bits of each of the three numbers in a packed vector."""
_ONE = (1 << FIELD) - 1
_TWO = (1 << 2 * FIELD) - 1
_BY_LEADER = 3 << 60
"""Marks the keys of this solver in the table that it shares with the other one."""


@routine
def max_n(five, three, two, leader, first_card, second_card, trump, scratch):
    """Tricks of the three seats from here on, the current trick included, if all play for themselves.

    Parameters
    ----------
    five, three, two : int64
        Cards left in the hands of the three seats, without those on the table; high sevens stand in
        the trump lane (R31).
    leader : int64
        Seat that leads, or led, the current trick.
    first_card, second_card : int64
        Cards on the table in order of play, 0 where none was played.
    trump : int64
        Trump suit.
    scratch : int64 array
        From :func:`~sim.three_two_five.endings.new_solver`; it may be kept from call to call.

    Returns
    -------
    int64
        Tricks of five | three << 8 | two << 16.
    """
    five, three, two = trump_on_top(five, trump), trump_on_top(three, trump), trump_on_top(two, trump)
    first_card, second_card = trump_on_top(first_card, trump), trump_on_top(second_card, trump)
    if five | three | two == 0:
        return 0
    frame, order = lay_out(five, three, two, leader, first_card, second_card, scratch)
    while True:
        frame, winner = finish_trick(frame, order, NOBODY, scratch)
        left = scratch[frame + LEFT] - 1
        value, slot, key = _look(winner, left, scratch)
        if value == UNKNOWN:
            frame += FRAME_SIZE
            open_trick(frame, winner, left, 0, slot, key, scratch)
            order = 0
        else:
            frame, order, value = _back_up(frame, value + (1 << FIELD * winner), scratch)
            if frame < FRAMES:
                return value


@helper
def entry(vector, seat):
    """Tricks of one seat in a packed vector."""
    return vector >> FIELD * seat & _ONE


@helper
def turn(vector, steps):
    """Packed vector that starts with the seat ``steps`` further on."""
    return vector >> FIELD * steps | (vector & ((1 << FIELD * steps) - 1)) << FIELD * (3 - steps)


@helper
def prefers(mover, one, other):
    """Whether a player likes one vector better than another, by the tie rule."""
    mine, next_one = turn(one, mover), turn(other, mover)
    if mine & _ONE != next_one & _ONE:
        return mine & _ONE > next_one & _ONE
    return entry(mine, 1) < entry(next_one, 1)


@helper
def _look(leader, left, scratch):
    """Vector of a position at the start of a trick, if it is plain or in the table.

    Returns
    -------
    tuple of int64
        The vector or UNKNOWN, the position's place in the table and its key.
    """
    scratch[NODES] += 1
    a = scratch[HANDS + leader]
    b = scratch[HANDS + (leader + 1) % 3]
    c = scratch[HANDS + (leader + 2) % 3]
    to_seats = (3 - leader) % 3
    if left == 0:
        return 0, 0, 0
    if left == 1:
        return turn(1 << FIELD * last_card_wins(a, b, c), to_seats), 0, 0
    sure = sure_on_lead(a, b, c), sure_trumps(b, a | c), sure_trumps(c, a | b)
    # What is sure against any play is so here, and when that is all, nothing is left open.
    if sure[0] + sure[1] + sure[2] == left:
        return turn(sure[0] | sure[1] << FIELD | sure[2] << 2 * FIELD, to_seats), 0, 0
    key = position_key(a, b, c, scratch) | _BY_LEADER
    slot = slot_of(key, scratch)
    known = recall(slot, key, scratch)
    if known == UNKNOWN:
        return UNKNOWN, slot, key
    return turn(known & 15 | (known & 0xF0) << 4 | (known & 0xF00) << 8, to_seats), 0, 0


@helper
def _back_up(frame, value, scratch):
    """Take cards back until there is another option to try; as in the other solver."""
    order = 2
    while frame >= FRAMES:
        best, mover = scratch[frame + BEST], scratch[frame + MOVER]
        scratch[HANDS + mover] |= scratch[frame + CARD]
        if best != UNKNOWN and not prefers(mover, value, best):
            value = best
        if scratch[frame + OPTIONS] and entry(value, mover) < scratch[frame + LEFT]:
            scratch[frame + BEST] = value
            break
        order -= 1
        if order < 0:
            if scratch[frame + KEY]:
                by_leader = turn(value, mover)
                content = by_leader & 15 | by_leader >> 4 & 0xF0 | by_leader >> 8 & 0xF00
                remember(scratch[frame + SLOT], scratch[frame + KEY], content, scratch)
            if frame > FRAMES:
                value += 1 << FIELD * mover
            order = 2
        frame -= FRAME_SIZE
    return frame, order, value
