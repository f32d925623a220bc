"""What the two solvers of 3-2-5 with all hands open share: cards that count the same, positions that do.

Players are *roles*: whoever the question is about is role 0, the others follow in playing order. The
trump lane is exchanged with the highest one, so that any trump is a larger number than any other card.

The table knows a position by its *relative ranks*: of every suit the owners of the cards still in play,
in order of rank. That order alone decides what can happen from a trick's first card on, and neither the
names of the three side suits matter nor which cards are gone. So one table serves any trump and any
player, and what one sampled deal taught helps with the next.
"""

import numpy as np

from sim.core.bits import extract, highest_index, lowest, popcount
from sim.core.jit import helper
from sim.three_two_five.cards import LANE, LANE_WIDTH, lane_with

TRUMP_LANE = LANE << (3 * LANE_WIDTH)
PLACES = LANE * 0x0001_0001_0001_0001
"""All places of the four lanes."""

NOBODY = -1
"""In place of the role that plays alone: all three play for themselves."""

# One array holds all that a solver needs.
GENERATION = 0
"""Stamp of the entries of the table that count; older ones are as good as empty."""
SLOTS = 1
"""Mask of the table's slot numbers."""
NODES = 2
"""Positions looked at, for measurements."""
HANDS = 4
"""+ role: the cards that are left."""
CODES = 8
"""+ mask of an owner's places among the cards of a suit: its value in base 3."""
FRAMES = CODES + 512
"""+ FRAME_SIZE * number of the card: where the search stands."""
OPTIONS, CARD, BEST, MOVER, LED, WINNING, WINNER, NEED, LEFT, SLOT, KEY, FRAME_SIZE = range(12)
"""Fields of a frame: cards still to try, the one being tried, the best value so far or UNKNOWN, who
plays; the led suit, the winning card and its owner before that; tricks asked for and left; and of a
trick's first card the place of the position in the table and its key."""
UNKNOWN = -1
TABLE = FRAMES + 30 * FRAME_SIZE
"""+ 2 * slot: the key of a position, and what is known of it, stamped with the generation."""
STAMP = 16
"""Place of the generation in the second word of an entry, above its content."""


@helper
def new_solver(bits):
    """Allocate what a solver needs; one may be used for any number of positions, one after the other.

    Parameters
    ----------
    bits : int64
        The table holds ``2**bits`` positions of sixteen bytes. A smaller one costs time, never
        correctness.

    Returns
    -------
    int64 array
    """
    scratch = np.zeros(TABLE + (2 << bits), np.int64)
    scratch[GENERATION] = 1
    scratch[SLOTS] = (1 << bits) - 1
    for mask in range(512):
        value, power = 0, 1
        for place in range(9):
            if mask >> place & 1:
                value += power
            power *= 3
        scratch[CODES + mask] = value
    return scratch


@helper
def forget(scratch):
    """Empty the table, at the cost of one addition."""
    scratch[GENERATION] += 1


@helper
def trump_on_top(cards, trump):
    """Exchange the lane of trumps with the highest lane; done twice it changes nothing."""
    low, high = trump * LANE_WIDTH, 3 * LANE_WIDTH
    change = ((cards >> low) ^ (cards >> high)) & LANE
    return cards ^ (change << low) ^ (change << high) if trump != 3 else cards


@helper
def distinct(hand, in_play):
    """Choose from cards that are neighbours in rank among those in play the lowest: they do the same.

    Parameters
    ----------
    hand : int64
        Cards of the player to move.
    in_play : int64
        All cards in the three hands, and the one that wins the current trick so far.

    Returns
    -------
    int64
        Subset of the hand.
    """
    # A run is what lies between two cards of others. Adding its first place to its empty places
    # carries on to its first card.
    gone = PLACES & ~in_play
    runs = hand | gone
    return ((runs & ~(runs << 1)) + gone) & hand


@helper
def position_key(first, second, third, scratch):
    """Number of a position at the start of a trick, the same for all with equal relative ranks.

    Parameters
    ----------
    first, second, third : int64
        Hands by role, trumps in the highest lane.
    scratch : int64 array

    Returns
    -------
    int64
        Fifteen bits a suit: the owners of its cards as digits 1 to 3 of a number in base 3, trumps
        first, the side suits sorted. Nine cards make at most 29523.
    """
    everything = first | second | third
    a, b, c = extract(first, everything), extract(second, everything), extract(third, everything)
    low, a, b, c = _lane_code(a, b, c, everything, scratch)
    middle, a, b, c = _lane_code(a, b, c, everything >> LANE_WIDTH, scratch)
    high, a, b, c = _lane_code(a, b, c, everything >> (2 * LANE_WIDTH), scratch)
    trumps, a, b, c = _lane_code(a, b, c, everything >> (3 * LANE_WIDTH), scratch)
    low, middle = min(low, middle), max(low, middle)
    middle, high = min(middle, high), max(middle, high)
    low, middle = min(low, middle), max(low, middle)
    return (trumps << 45) | (high << 30) | (middle << 15) | low


@helper
def _lane_code(a, b, c, everything, scratch):
    """Code of the lowest suit of three gathered hands, and the hands without it."""
    length = popcount(everything & LANE)
    mine = (1 << length) - 1
    code = scratch[CODES + (a & mine)] + 2 * scratch[CODES + (b & mine)] + 3 * scratch[CODES + (c & mine)]
    return code, a >> length, b >> length, c >> length


@helper
def slot_of(key, scratch):
    """Place of a position in the table; products stay below 2**63, as plain Python needs."""
    mixed = (key & 0x7FFF_FFFF) * 0x5851_F42D + (key >> 31) * 0x4C95_7F2D
    return TABLE + 2 * ((mixed >> 24) & scratch[SLOTS])


@helper
def recall(slot, key, scratch):
    """What the table knows of a position, or UNKNOWN."""
    content = scratch[slot + 1]
    if scratch[slot] == key and content >> STAMP == scratch[GENERATION]:
        return content & ((1 << STAMP) - 1)
    return UNKNOWN


@helper
def remember(slot, key, content, scratch):
    """Put a position into the table, in place of what was there."""
    scratch[slot] = key
    scratch[slot + 1] = scratch[GENERATION] << STAMP | content


@helper
def after(role):
    """Next role in playing order."""
    return role + 1 if role < 2 else 0


@helper
def before(role):
    """Role that plays before another."""
    return role - 1 if role > 0 else 2


@helper
def lay_out(first, second, third, leader, first_card, second_card, scratch):
    """Set up a position, hands by role; cards on the table become moves without a choice.

    Returns
    -------
    tuple of int64
        The frame of the card to be played, and its number in the trick.
    """
    scratch[HANDS], scratch[HANDS + 1], scratch[HANDS + 2] = first, second, third
    left = popcount(scratch[HANDS + before(leader)])
    frame, order = FRAMES, 0
    open_trick(frame, leader, left, 0, 0, 0, scratch)
    if first_card:
        scratch[frame + OPTIONS], scratch[frame + CARD] = 0, first_card
        frame, order = open_turn(frame, first_card, scratch), 1
    if second_card:
        scratch[frame + OPTIONS], scratch[frame + CARD] = 0, second_card
        frame, order = open_turn(frame, second_card, scratch), 2
    return frame, order


@helper
def open_trick(frame, leader, left, need, slot, key, scratch):
    """Prepare the frame of a trick's first card."""
    hand = scratch[HANDS + leader]
    in_play = scratch[HANDS] | scratch[HANDS + 1] | scratch[HANDS + 2]
    scratch[frame + OPTIONS], scratch[frame + BEST] = distinct(hand, in_play), UNKNOWN
    scratch[frame + MOVER], scratch[frame + LED] = leader, 0
    scratch[frame + WINNING], scratch[frame + WINNER] = 0, leader
    scratch[frame + NEED], scratch[frame + LEFT] = need, left
    scratch[frame + SLOT], scratch[frame + KEY] = slot, key


@helper
def open_turn(frame, card, scratch):
    """Prepare the frame after one in which a card was played, within a trick (R23); returns it."""
    mover, led, winning, winner = after_card(frame, card, scratch)
    mover = after(mover)
    hand = scratch[HANDS + mover]
    options = distinct(hand, scratch[HANDS] | scratch[HANDS + 1] | scratch[HANDS + 2] | winning)
    following = frame + FRAME_SIZE
    scratch[following + OPTIONS] = options & led if hand & led else options
    scratch[following + BEST] = UNKNOWN
    scratch[following + MOVER], scratch[following + LED] = mover, led
    scratch[following + WINNING], scratch[following + WINNER] = winning, winner
    scratch[following + NEED], scratch[following + LEFT] = scratch[frame + NEED], scratch[frame + LEFT]
    return following


@helper
def after_card(frame, card, scratch):
    """Who played a card, the led suit, the winning card and its owner after it (R24)."""
    mover, led = scratch[frame + MOVER], scratch[frame + LED]
    winning, winner = scratch[frame + WINNING], scratch[frame + WINNER]
    led = led if led else lane_with(card)
    if card & (led | TRUMP_LANE) > winning:
        return mover, led, card, mover
    return mover, led, winning, winner


@helper
def finish_trick(frame, order, alone, scratch):
    """Play the next option of a frame, and on until three cards lie.

    Returns
    -------
    tuple of int64
        The frame of the third card, and the winner of the trick.
    """
    while True:
        card = choose(frame, order, alone, scratch)
        scratch[frame + OPTIONS] ^= card
        scratch[frame + CARD] = card
        scratch[HANDS + scratch[frame + MOVER]] ^= card
        if order == 2:
            return frame, after_card(frame, card, scratch)[3]
        frame, order = open_turn(frame, card, scratch), order + 1


@helper
def choose(frame, order, alone, scratch):
    """Pick the option that looks best, to be tried first."""
    options, winning = scratch[frame + OPTIONS], scratch[frame + WINNING]
    if order == 0:
        in_play = scratch[HANDS] | scratch[HANDS + 1] | scratch[HANDS + 2]
        tops = options & highest_of_suits(in_play)
        return lowest(tops) if tops else lowest(options)
    beaters = options & (scratch[frame + LED] | TRUMP_LANE) & -winning
    friendly = alone >= 0 and scratch[frame + MOVER] != alone and scratch[frame + WINNER] != alone
    if beaters and not friendly:
        return lowest(beaters)
    losers = options & ~beaters
    return lowest(losers) if losers else lowest(beaters)


@helper
def highest_of_suits(cards):
    """Highest card of each suit of a set."""
    tops = 0
    for suit in range(4):
        lane = cards & (LANE << (suit * LANE_WIDTH))
        if lane:
            tops |= 1 << highest_index(lane)
    return tops


@helper
def last_card_wins(a, b, c):
    """Role that wins when each has one card left, by distance from the leader, whose card is ``a``."""
    lanes = lane_with(a) | TRUMP_LANE
    b, c = b & lanes, c & lanes
    return 0 if a > max(b, c) else (1 if b > c else 2)


@helper
def sure_trumps(own, others):
    """Tricks that a player's trumps win however anybody plays.

    A trump loses only to a higher one of an opponent, and each opponent's trump beats at most one. So
    from the top, at any rank, the player's trumps that outnumber the others' higher or equal ones win.

    Parameters
    ----------
    own, others : int64
        Cards of the player, and of those that play against it.
    """
    sure, excess = 0, 0
    left = (own | others) & TRUMP_LANE
    while left:
        card = 1 << highest_index(left)
        left ^= card
        excess += 1 if card & own else -1
        sure = max(sure, excess)
    return sure


@helper
def side_winners(own, a, b, trump_a, trump_b, lane):
    """Tricks that the leader can cash in a side suit before anybody can ruff.

    Parameters
    ----------
    own, a, b : int64
        Cards of the leader and of the two that play against it.
    trump_a, trump_b : int64
        Trumps of those two; a player without any cannot ruff.
    lane : int64
        The suit.
    """
    mine, others = own & lane, (a | b) & lane
    length_a, length_b = popcount(a & lane), popcount(b & lane)
    tricks = popcount(mine)
    if others:
        run = popcount(mine & -(2 << highest_index(others)))
        # Who cashes as often as the others have cards wins the rest of the suit, too.
        tricks = run if run < max(length_a, length_b) else tricks
    tricks = min(tricks, length_a) if trump_a else tricks
    return min(tricks, length_b) if trump_b else tricks


@helper
def sure_on_lead(own, a, b):
    """Tricks that the leader can be sure of against both others."""
    trumps, trump_a, trump_b = own & TRUMP_LANE, a & TRUMP_LANE, b & TRUMP_LANE
    sure = sure_trumps(own, a | b)
    if trump_a | trump_b:
        run = popcount(trumps & -(2 << highest_index(trump_a | trump_b)))
        if run >= max(popcount(trump_a), popcount(trump_b)):
            sure, trump_a, trump_b = popcount(trumps), 0, 0
    for suit in range(3):
        sure += side_winners(own, a, b, trump_a, trump_b, LANE << (suit * LANE_WIDTH))
    return sure
