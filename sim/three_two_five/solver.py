"""How many tricks one player of 3-2-5 can be sure of when all hands are open.

The other two play as one side against it. The search asks whether the player can take a number of
tricks, again and again until the answer is exact. It keeps its own stack, a frame a card: numba cannot
cache a function that calls itself. Values are *fail-soft*: a yes comes with a number of tricks that is
sure, a no with one that cannot be passed, and the table keeps both bounds.
"""

from sim.core.bits import popcount
from sim.core.jit import helper, routine
from sim.three_two_five.cards import LANE, LANE_WIDTH
from sim.three_two_five.endings import (
    BEST,
    CARD,
    FRAME_SIZE,
    FRAMES,
    HANDS,
    KEY,
    LEFT,
    MOVER,
    NEED,
    NODES,
    OPTIONS,
    SLOT,
    TRUMP_LANE,
    UNKNOWN,
    finish_trick,
    last_card_wins,
    lay_out,
    open_trick,
    position_key,
    recall,
    remember,
    side_winners,
    slot_of,
    sure_on_lead,
    sure_trumps,
    trump_on_top,
)

ALONE = 0
"""Role of the player that is asked about."""


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
        From :func:`~sim.three_two_five.endings.new_solver`. What it remembers holds for any position,
        trump and player, and may be kept from call to call.

    Returns
    -------
    int64
    """
    first, second, third = trump_on_top(five, trump), trump_on_top(three, trump), trump_on_top(two, trump)
    first_card, second_card = trump_on_top(first_card, trump), trump_on_top(second_card, trump)
    if player == 1:
        first, second, third = second, third, first
    elif player == 2:
        first, second, third = third, first, second
    leader -= player
    leader += 3 if leader < 0 else 0
    low, high = 0, max(popcount(first), popcount(second), popcount(third))
    guess = (high + 2) // 3
    while low < high:
        need = min(max(guess, low + 1), high)
        frame, order = lay_out(first, second, third, leader, first_card, second_card, scratch)
        guess = _search(frame, order, need, scratch)
        if guess >= need:
            low = guess
        else:
            high = guess
    return low


@helper
def _search(frame, order, need, scratch):
    """Bound of the tricks of ALONE: at least ``need`` and sure, or less and not to be passed."""
    for number in range(order + 1):
        scratch[FRAMES + number * FRAME_SIZE + NEED] = need
    while True:
        frame, winner = finish_trick(frame, order, ALONE, scratch)
        need = scratch[frame + NEED] - (winner == ALONE)
        left = scratch[frame + LEFT] - 1
        value, slot, key = _look(winner, need, left, scratch)
        if value == UNKNOWN:
            frame += FRAME_SIZE
            open_trick(frame, winner, left, need, slot, key, scratch)
            order = 0
        else:
            frame, order, value = _back_up(frame, value + (winner == ALONE), scratch)
            if frame < FRAMES:
                return value


@helper
def _look(leader, need, left, scratch):
    """Bound of the tricks of ALONE at the start of a trick, if it is plain or in the table.

    Returns
    -------
    tuple of int64
        The bound or UNKNOWN, the position's place in the table and its key.
    """
    own, a, b = scratch[HANDS], scratch[HANDS + 1], scratch[HANDS + 2]
    scratch[NODES] += 1
    if need <= 0 or need > left:
        return (0 if need <= 0 else left), 0, 0
    if left == 1:
        return _last_trick(leader, own, a, b), 0, 0
    low, high = _bounds(leader, left, own, a, b)
    if low >= need or high < need:
        return (low if low >= need else high), 0, 0
    key = position_key(own, a, b, scratch) | leader << 60
    slot = slot_of(key, scratch)
    known = recall(slot, key, scratch)
    if known != UNKNOWN:
        low, high = known & 15, known >> 4
        if low >= need or high < need:
            return (low if low >= need else high), 0, 0
    return UNKNOWN, slot, key


@helper
def _last_trick(leader, own, a, b):
    """Whether ALONE wins the last trick."""
    if leader == 0:
        return 1 if last_card_wins(own, a, b) == 0 else 0
    if leader == 1:
        return 1 if last_card_wins(a, b, own) == 2 else 0
    return 1 if last_card_wins(b, own, a) == 1 else 0


@helper
def _bounds(leader, left, own, a, b):
    """Tricks that ALONE surely takes, and those it surely cannot pass, without any search."""
    if leader == ALONE:
        return sure_on_lead(own, a, b), left - max(sure_trumps(a, own), sure_trumps(b, own))
    lead, partner = (a, b) if leader == 1 else (b, a)
    return sure_trumps(own, a | b), left - _sure_of_side(lead, partner, own)


@helper
def _sure_of_side(lead, partner, own):
    """Tricks that the two can be sure of against ALONE with one of them on lead.

    The leader cashes side suits in which it has the highest cards of all and ALONE must follow; the
    partner keeps away. It can, unless it would have nothing but trumps left before that.
    """
    trumps = own & TRUMP_LANE
    tricks = 0
    for suit in range(3):
        tricks += side_winners(lead, own, partner, trumps, 0, LANE << (suit * LANE_WIDTH))
    if partner & TRUMP_LANE and popcount(partner & ~TRUMP_LANE) < tricks:
        tricks = 0
    return tricks + max(sure_trumps(lead, own), sure_trumps(partner, own))


@helper
def _back_up(frame, value, scratch):
    """Take cards back until there is another option to try.

    Returns
    -------
    tuple of int64
        The frame with that option, or one before the first; the card's number in its trick; and the
        value of the position in the latter case.
    """
    order = 2
    while frame >= FRAMES:
        need, best, mover = scratch[frame + NEED], scratch[frame + BEST], scratch[frame + MOVER]
        scratch[HANDS + mover] |= scratch[frame + CARD]
        if best != UNKNOWN:
            value = max(value, best) if mover == ALONE else min(value, best)
        settled = (value >= need) == (mover == ALONE)
        if scratch[frame + OPTIONS] and not settled:
            scratch[frame + BEST] = value
            break
        order -= 1
        if order < 0:
            _note(frame, value, need, scratch)
            order = 2
            value += mover == ALONE and frame > FRAMES
        frame -= FRAME_SIZE
    return frame, order, value


@helper
def _note(frame, value, need, scratch):
    """Add a bound to what the table knows of the position at the start of a trick."""
    slot, key = scratch[frame + SLOT], scratch[frame + KEY]
    if key == 0:
        return
    known = recall(slot, key, scratch)
    low, high = (0, scratch[frame + LEFT]) if known == UNKNOWN else (known & 15, known >> 4)
    low, high = (max(low, value), high) if value >= need else (low, min(high, value))
    remember(slot, key, high << 4 | low, scratch)
