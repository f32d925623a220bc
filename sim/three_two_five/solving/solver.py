"""How many tricks one player of 3-2-5 can be sure of when all hands are open.

The other two play as one side against it. The search asks whether the player can take a number of
tricks, again and again until the answer is exact. It keeps its own stack, a frame a trick: numba cannot
cache a function that calls itself. Answers are *fail-soft*: a yes comes with a number of tricks that is
sure, a no with one that cannot be passed, and the table keeps both bounds.

Hands go by their place in the trick, as in :mod:`~sim.three_two_five.solving.endings`; ``alone`` is the place
of the player that is asked about.
"""

from sim.core.bits import popcount
from sim.core.jit import helper, routine
from sim.three_two_five.cards import lane_with
from sim.three_two_five.solving.endings import (
    ANSWER,
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
    FIELD,
    first_options,
    last_two,
    leads,
    play,
    trick_winner,
    two_cards,
)
from sim.three_two_five.solving.sure_tricks import sure_of_side, sure_on_lead, sure_trumps


@routine
def guarantee(five, three, two, leader, first_card, second_card, trump, player, scratch):
    """Tricks that a player can be sure of from here on, the current trick included.

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
    player : int64
        Seat of the player that is asked about.
    scratch : int64 array
        From :func:`~sim.three_two_five.solving.endings.new_solver`. What it remembers holds for any position,
        trump and player, and may be kept from call to call.

    Returns
    -------
    int64
    """
    five, three, two = trump_on_top(five, trump), trump_on_top(three, trump), trump_on_top(two, trump)
    x, y = trump_on_top(first_card, trump), trump_on_top(second_card, trump)
    hands = led_by(leader, five, three, two)
    alone = player - leader + (3 if player < leader else 0)
    own, one, other = led_by(alone, hands[0] | x, hands[1] | y, hands[2])
    left = popcount(hands[2])
    low, high = sure_trumps(own, one | other), left - max(sure_trumps(one, own), sure_trumps(other, own))
    guess = scratch[ANSWER]
    while low < high:
        need = min(max(guess, low + 1), high)
        answer, slot, key = UNKNOWN, 0, 0
        if x == 0:
            answer, slot, key = _look(hands, alone, need, left, scratch)
        if answer == UNKNOWN:
            answer = _search(hands, x, y, alone, need, slot, key, scratch)
        if answer >= need:
            low, guess = answer, answer + 1
        else:
            high, guess = answer, answer
    scratch[ANSWER] = low
    return low


@helper
def _search(hands, x, y, alone, need, slot, key, scratch):
    """Bound of the player's tricks: at least ``need`` and sure, or less and not to be passed."""
    place, options = first_options(hands, x, y)
    hands = hands[0] | x, hands[1] | y, hands[2]
    best = UNKNOWN, UNKNOWN, UNKNOWN
    frame, left = FRAMES, popcount(hands[2])
    while True:
        x, y, z, options, winner = play(place, hands, x, y, options, alone)
        won = 1 if winner == alone else 0
        next_hands = led_by(winner, hands[0] ^ x, hands[1] ^ y, hands[2] ^ z)
        next_alone = alone - winner + (3 if alone < winner else 0)
        value, next_slot, next_key = _look(next_hands, next_alone, need - won, left - 1, scratch)
        if value == UNKNOWN:
            frame = push(frame, (*hands, *options, *best, x, y, alone, need, won, slot, key), scratch)
            hands, alone, need, left = next_hands, next_alone, need - won, left - 1
            slot, key = next_slot, next_key
            place, options, best = 0, (leads(hands), 0, 0), (UNKNOWN, UNKNOWN, UNKNOWN)
            continue
        while True:
            place, best = _back_up(value + won, options, best, alone, need)
            if place != NO_PLACE:
                break
            value = best[0]
            if key:
                _note(slot, key, value, need, left, scratch)
            if frame == FRAMES:
                return value
            frame, left = frame - FRAME_SIZE, left + 1
            hands, options, best = (
                triple(frame, scratch),
                triple(frame + 3, scratch),
                triple(frame + 6, scratch),
            )
            x, y, alone = triple(frame + 9, scratch)
            need, won, slot = triple(frame + 12, scratch)
            key = scratch[frame + 15]


@helper
def _back_up(value, options, best, alone, need):
    """Merge the value of a line into those of its trick, from the last player to the leader.

    Returns
    -------
    tuple
        Who has another option that matters, or NO_PLACE; and the best values so far.
    """
    value, settled = _merge(value, best[2], alone == 2, need)
    if options[2] and not settled:
        return 2, (best[0], best[1], value)
    value, settled = _merge(value, best[1], alone == 1, need)
    if options[1] and not settled:
        return 1, (best[0], value, UNKNOWN)
    value, settled = _merge(value, best[0], alone == 0, need)
    if options[0] and not settled:
        return 0, (value, UNKNOWN, UNKNOWN)
    return NO_PLACE, (value, UNKNOWN, UNKNOWN)


@helper
def _merge(value, best, is_player, need):
    """Better of two values for who plays, and whether the answer is settled."""
    if is_player:
        value = max(value, best)
        return value, value >= need
    value = min(value, best) if best != UNKNOWN else value
    return value, value < need


@helper
def _look(hands, alone, need, left, scratch):
    """Bound of the player's tricks at the start of a trick, if it is plain or in the table.

    Returns
    -------
    tuple of int64
        The bound or UNKNOWN, the position's place in the table and its key.
    """
    scratch[NODES] += 1
    if need <= 0 or need > left:
        return (0 if need <= 0 else left), 0, 0
    if left == 1:
        return (1 if trick_winner(hands[0], hands[1], hands[2]) == alone else 0), 0, 0
    low, high = _bounds(hands, alone, left)
    if low >= need or high < need:
        return (low if low >= need else high), 0, 0
    if left == 2:
        return _two_tricks(hands, alone), 0, 0
    key = position_key(hands) | alone << 60
    slot = slot_of(key, scratch)
    known = recall(slot, key, scratch)
    if known != UNKNOWN:
        low, high = known & 15, known >> 4
        if low >= need or high < need:
            return (low if low >= need else high), 0, 0
    return UNKNOWN, slot, key


@helper
def _bounds(hands, alone, left):
    """Tricks that the player surely takes, and those it surely cannot pass, without any search."""
    a, b, c = hands
    if alone == 0:
        return sure_on_lead(a, b, c), left - max(sure_trumps(b, a), sure_trumps(c, a))
    own, partner = (b, c) if alone == 1 else (c, b)
    return sure_trumps(own, a | partner), left - sure_of_side(a, partner, own)


@helper
def _two_tricks(hands, alone):
    """Tricks of the player with two left: all lines, hardly a branch."""
    value_a = UNKNOWN
    x, other_x = two_cards(hands[0], PLACES)
    for _ in range(2):
        y, other_y = two_cards(hands[1], lane_with(x))
        z, other_z = two_cards(hands[2], lane_with(x))
        value_b = UNKNOWN
        for _ in range(2):
            value = last_two(hands, x, y, z) >> FIELD * alone & 3
            other = last_two(hands, x, y, other_z) >> FIELD * alone & 3
            value = max(value, other) if alone == 2 else min(value, other)
            value_b = _merge(value, value_b, alone == 1, 0)[0]
            y = other_y
        value_a = _merge(value_b, value_a, alone == 0, 0)[0]
        x = other_x
    return value_a


@helper
def _note(slot, key, value, need, left, scratch):
    """Add a bound to what the table knows of the position at the start of a trick."""
    known = recall(slot, key, scratch)
    low, high = (0, left) if known == UNKNOWN else (known & 15, known >> 4)
    low, high = (max(low, value), high) if value >= need else (low, min(high, value))
    remember(slot, key, high << 4 | low, scratch)
