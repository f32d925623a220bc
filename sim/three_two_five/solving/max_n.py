"""What three players of 3-2-5 take with all hands open when each plays for itself: max^n.

Every player takes the option that brings itself the most tricks. **Tie rule**: among those, the one that
leaves the next player in playing order the fewest, and so the one after it the most. The rule looks at
nothing but the three numbers, so cards that do the same and positions that are the same have one value.

An option is given up early where it is exact to do so: when it brings the mover all that the others are
not sure of, or when it already leaves the player before, in the tricks ahead, less than that player
has elsewhere (shallow pruning; deeper cuts would not be exact with three players).
"""

from sim.core.bits import popcount
from sim.core.jit import helper, routine
from sim.three_two_five.cards import lane_with
from sim.three_two_five.solving.endings import (
    FRAME_SIZE,
    FRAMES,
    NO_PLACE,
    NODES,
    PLACES,
    UNKNOWN,
    led_by,
    position_key,
    push,
    recall,
    remember,
    slot_of,
    triple,
    trump_on_top,
)
from sim.three_two_five.solving.lines import (
    EACH_ALONE,
    FIELD,
    first_options,
    last_two,
    leads,
    play,
    trick_winner,
    two_cards,
)
from sim.three_two_five.solving.sure_tricks import sure_on_lead, sure_trumps

_ONE = (1 << FIELD) - 1
_BY_LEADER = 3 << 60
"""Marks the keys of this solver in the table that it shares with the other one."""
_LIKE, _WORST = 16, -1000
"""How much more a trick of its own counts for a player than one of the next; less than any liking."""


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
        From :func:`~sim.three_two_five.solving.endings.new_solver`; it may be kept from call to call.

    Returns
    -------
    int64
        Tricks of five | three << 8 | two << 16.
    """
    five, three, two = trump_on_top(five, trump), trump_on_top(three, trump), trump_on_top(two, trump)
    x, y = trump_on_top(first_card, trump), trump_on_top(second_card, trump)
    hands = led_by(leader, five, three, two)
    value, slot, key, sure = UNKNOWN, 0, 0, 0
    if x == 0:
        value, slot, key, sure = _look(hands, popcount(hands[2]), scratch)
    if value == UNKNOWN:
        value = _search(hands, x, y, slot, key, sure, scratch)
    return turn(value, (3 - leader) % 3)


@helper
def _search(hands, x, y, slot, key, sure, scratch):
    """Vector of a position by place."""
    place, options = first_options(hands, x, y)
    hands = hands[0] | x, hands[1] | y, hands[2]
    best, likes = (0, 0, 0), (_WORST, _WORST, _WORST)
    frame, left = FRAMES, popcount(hands[2])
    while True:
        x, y, z, options, winner = play(place, hands, x, y, options, EACH_ALONE)
        next_hands = led_by(winner, hands[0] ^ x, hands[1] ^ y, hands[2] ^ z)
        value, next_slot, next_key, next_sure = _look(next_hands, left - 1, scratch)
        if value == UNKNOWN:
            frame = push(frame, (*hands, *options, *best, *likes, x, y, winner, sure, slot, key), scratch)
            hands, left, sure, slot, key = next_hands, left - 1, next_sure, next_slot, next_key
            place, options, likes = 0, (leads(hands), 0, 0), (_WORST, _WORST, _WORST)
            continue
        while True:
            value = turn(value, (3 - winner) % 3) + (1 << FIELD * winner)
            place, best, likes = _back_up(value, options, best, likes, sure, left)
            value = best[0]
            refused = (
                place == 0
                and frame > FRAMES
                and _is_refused(frame - FRAME_SIZE, value & _ONE, sure, left, scratch)
            )
            if place != NO_PLACE and not refused:
                break
            if key and not refused:
                remember(slot, key, value & 15 | value >> 4 & 0xF0 | value >> 8 & 0xF00, scratch)
            if frame == FRAMES:
                return value
            frame, left = frame - FRAME_SIZE, left + 1
            hands, options, best = (
                triple(frame, scratch),
                triple(frame + 3, scratch),
                triple(frame + 6, scratch),
            )
            likes = triple(frame + 9, scratch)
            x, y, winner = triple(frame + 12, scratch)
            sure, slot, key = triple(frame + 15, scratch)


@helper
def _back_up(value, options, best, likes, sure, left):
    """Merge the vector of a line into those of its trick, from the last player to the leader.

    An option of a player is the last one tried if nothing can be better for it, or if it already leaves
    the player before no more than that one has.

    Returns
    -------
    tuple
        Who has another option that matters, or NO_PLACE; the best vectors so far, and how they are liked.
    """
    (best_a, best_b, best_c), (like_a, like_b, like_c) = best, likes
    sure_a, sure_b, sure_c = sure & _ONE, sure >> FIELD & _ONE, sure >> 2 * FIELD
    like = liking(value, 2)
    best_c, like_c = (value, like) if like > like_c else (best_c, like_c)
    if options[2] and like_c < _LIKE * (left - sure_a - sure_b) - sure_a:
        taken = best_c >> 2 * FIELD
        if _LIKE * (left - sure_a - taken) - taken > like_b:
            return 2, (best_a, best_b, best_c), (like_a, like_b, like_c)
    like = liking(best_c, 1)
    best_b, like_b = (best_c, like) if like > like_b else (best_b, like_b)
    if options[1] and like_b < _LIKE * (left - sure_a - sure_c) - sure_c:
        taken = best_b >> FIELD & _ONE
        if _LIKE * (left - sure_c - taken) - taken > like_a:
            return 1, (best_a, best_b, 0), (like_a, like_b, _WORST)
    like = liking(best_b, 0)
    best_a, like_a = (best_b, like) if like > like_a else (best_a, like_a)
    more = options[0] and like_a < _LIKE * (left - sure_b - sure_c) - sure_b
    return (0 if more else NO_PLACE), (best_a, 0, 0), (like_a, _WORST, _WORST)


@helper
def turn(vector, steps):
    """Packed vector that starts with the place ``steps`` further on."""
    return vector >> FIELD * steps | (vector & ((1 << FIELD * steps) - 1)) << FIELD * (3 - steps)


@helper
def liking(vector, place):
    """Number that orders vectors as a place does: its own tricks, then few for the next (tie rule)."""
    following = place + 1 if place < 2 else 0
    return _LIKE * (vector >> FIELD * place & _ONE) - (vector >> FIELD * following & _ONE)


@helper
def _is_refused(parent, taken, sure, left, scratch):
    """Whether the last player of the trick before has something better than that the leader takes so much.

    Its hope is that the third takes no more than is sure.
    """
    winner, like = scratch[parent + 14], scratch[parent + 11]
    if winner == 2:
        return False
    third = sure >> FIELD * (1 + winner) & _ONE
    following = taken + 1 if winner == 0 else third
    return _LIKE * (left - taken - third) - following <= like


@helper
def _look(hands, left, scratch):
    """Vector of a position at the start of a trick, if it is plain or in the table.

    Returns
    -------
    tuple of int64
        The vector or UNKNOWN, the position's place in the table and its key, and what is sure.
    """
    scratch[NODES] += 1
    a, b, c = hands
    if left < 2:
        return (1 << FIELD * trick_winner(a, b, c) if left else 0), 0, 0, 0
    if left == 2:
        return _two_tricks(hands), 0, 0, 0
    following = sure_trumps(b, a | c) << FIELD | sure_trumps(c, a | b) << 2 * FIELD
    value = sure_on_lead(a, b, c) | following
    # What is sure against any play is so here, and when that is all, nothing is left open.
    if (value & _ONE) + (value >> FIELD & _ONE) + (value >> 2 * FIELD) == left:
        return value, 0, 0, 0
    key = position_key(hands) | _BY_LEADER
    slot = slot_of(key, scratch)
    known = recall(slot, key, scratch)
    if known == UNKNOWN:
        return UNKNOWN, slot, key, sure_trumps(a, b | c) | following
    return known & 15 | (known & 0xF0) << 4 | (known & 0xF00) << 8, 0, 0, 0


@helper
def _two_tricks(hands):
    """Vector with two tricks left: all lines, without a branch."""
    best_a = 0
    x, other_x = two_cards(hands[0], PLACES)
    like_a = _WORST
    for _ in range(2):
        y, other_y = two_cards(hands[1], lane_with(x))
        z, other_z = two_cards(hands[2], lane_with(x))
        best_b, like_b = 0, _WORST
        for _ in range(2):
            value, other = last_two(hands, x, y, z), last_two(hands, x, y, other_z)
            value = value if liking(value, 2) >= liking(other, 2) else other
            like = liking(value, 1)
            best_b, like_b = (value, like) if like > like_b else (best_b, like_b)
            y = other_y
        like = liking(best_b, 0)
        best_a, like_a = (best_b, like) if like > like_a else (best_a, like_a)
        x = other_x
    return best_a
