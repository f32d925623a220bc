"""Lines of play of 3-2-5 with all hands open: what may be played, what to try first, the last tricks.

As in :mod:`~sim.three_two_five.solving.endings` hands go by their place in the trick and trumps stand in the
highest lane. Hands and options are tuples of three sets; the cards of a trick are ``x``, ``y`` and ``z``.
"""

import numpy as np

from sim.core.bits import highest, lowest
from sim.core.jit import helper
from sim.three_two_five.cards import LANE, LANE_WIDTH, lane_with
from sim.three_two_five.solving.endings import PLACES, TRUMP_LANE

EACH_ALONE = 3
"""In place of the one that plays against the other two: everybody plays for itself."""
FIELD = 8
"""Bits of each of the three numbers in a packed vector of tricks, the leader's lowest."""

LEADS = np.array(
    [
        [7, -2, -3, 1, 0, -2, 11, 2, 1, 11, 2, 4],
        [7, -11, 14, 3, -14, 6, 25, 4, 1, 16, 20, 8],
        [9, 9, -2, 6, 3, 2, 8, 9, 1, 16, 4, 8],
        [14, 2, 10, 14, -6, -3, 20, 1, 3, 16, -5, 6],
    ],
    np.int8,
)
"""How good a lead looks, by the place of the one that plays against the other two (or each for itself):
the leader, the next or the last player has the suit's highest card; the same for trumps; the next player
follows, can ruff, must throw; the last player does. A lead's worth is the sum. The numbers are those
that made the searches visit the fewest positions; values do not depend on them."""
_TRUMPS, _NEXT, _LAST = 3, 6, 9


@helper
def distinct(hand, in_play):
    """Choose, from cards that are neighbours in rank among those in play, the lowest: they do the same.

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
    # A run lies between two cards of others. Adding its lowest place to its places that are empty
    # carries on to its lowest card.
    gone = PLACES & ~in_play
    runs = hand | gone
    return ((runs & ~(runs << 1)) + gone) & hand


@helper
def leads(hands):
    """Cards worth trying for the leader of a trick (R22)."""
    return distinct(hands[0], hands[0] | hands[1] | hands[2])


@helper
def follows(hand, led, in_play):
    """Cards worth trying for a hand that follows (R23)."""
    options = distinct(hand, in_play)
    return options & led if hand & led else options


@helper
def winning_card(x, y):
    """Card that wins so far after two of a trick (R24)."""
    return y if y & (lane_with(x) | TRUMP_LANE) > x else x


@helper
def trick_winner(x, y, z):
    """Place of the card that wins a trick (R24)."""
    lanes = lane_with(x) | TRUMP_LANE
    y, z = y & lanes, z & lanes
    return 0 if x > max(y, z) else (1 if y > z else 2)


@helper
def first_options(hands, x, y):
    """Where a search starts.

    Parameters
    ----------
    hands : tuple of int64
        Cards left, without those on the table.
    x, y : int64
        Cards on the table, or 0.

    Returns
    -------
    tuple
        The place to play, and the options of the three; those who played have no other.
    """
    if x == 0:
        return 0, (leads(hands), 0, 0)
    in_play = hands[0] | hands[1] | hands[2]
    if y == 0:
        return 1, (0, follows(hands[1], lane_with(x), in_play | x), 0)
    return 2, (0, 0, follows(hands[2], lane_with(x), in_play | winning_card(x, y)))


@helper
def play(place, hands, x, y, options, alone):
    """Play the option that looks best of a place, and of those after it.

    Parameters
    ----------
    place : int64
        Who has an option to play.
    hands : tuple of int64
        Hands before the trick.
    x, y : int64
        Cards of the places before.
    options : tuple of int64
        What is left to try; found here for places after ``place``.
    alone : int64
        Place of the one that plays against the other two, or EACH_ALONE.

    Returns
    -------
    tuple
        x, y, z, the options without them, and the winner's place.
    """
    a, b, c = hands
    options_a, options_b, options_c = options
    if place == 0:
        x = choose_lead(options_a, hands, alone)
        options_a ^= x
        options_b = follows(b, lane_with(x), a | b | c)
    led = lane_with(x)
    if place < 2:
        y = choose(options_b, led, x, alone == 2)
        options_b ^= y
    winning = winning_card(x, y)
    if place < 2:
        # A card that is beaten parts no others.
        options_c = follows(c, led, a | b | c ^ x ^ y ^ winning)
    z = choose(options_c, led, winning, alone < 2 and (alone == 0) == (winning == y))
    winner = 2 if z & (led | TRUMP_LANE) > winning else (1 if winning == y else 0)
    return x, y, z, (options_a, options_b, options_c ^ z), winner


@helper
def choose(options, led, winning, friendly):
    """Pick the option of a follower that looks best: win cheaply unless a friend does, or throw low."""
    beaters = options & (led | TRUMP_LANE) & -winning
    wanted = options ^ beaters if friendly else beaters
    return lowest(wanted if wanted else options)


@helper
def choose_lead(options, hands, alone):
    """Pick the lead that looks best, the highest option of a suit, as LEADS says."""
    a, b, c = hands
    best, chosen = -128, 0
    short_b, short_c = 1 if b & TRUMP_LANE else 2, 1 if c & TRUMP_LANE else 2
    for suit in range(4):
        lane = LANE << (suit * LANE_WIDTH)
        mine, suit_b, suit_c = options & lane, b & lane, c & lane
        top = 0 if a & lane > max(suit_b, suit_c) else (1 if suit_b > suit_c else 2)
        worth = int(LEADS[alone, top + (_TRUMPS if suit == 3 else 0)])
        worth += int(LEADS[alone, _NEXT + (0 if suit_b else short_b)])
        worth += int(LEADS[alone, _LAST + (0 if suit_c else short_c)])
        if mine and worth > best:
            best, chosen = worth, mine
    return highest(chosen)


@helper
def two_cards(hand, led):
    """Both cards that a hand of two may play, or twice the only one."""
    legal = hand & led if hand & led else hand
    rest = legal & (legal - 1)
    return lowest(legal), rest if rest else legal


@helper
def last_two(hands, x, y, z):
    """Tricks of the three places if hands of two cards play x, y, z: a packed vector."""
    first = trick_winner(x, y, z)
    a, b, c = hands[0] ^ x, hands[1] ^ y, hands[2] ^ z
    lanes = lane_with(a if first == 0 else (b if first == 1 else c)) | TRUMP_LANE
    a, b, c = a & lanes, b & lanes, c & lanes
    second = 0 if a > max(b, c) else (1 if b > c else 2)
    return (1 << FIELD * first) + (1 << FIELD * second)
