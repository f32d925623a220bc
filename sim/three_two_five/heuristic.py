"""The thoughtful human: weights for the trump decision, rules of thumb for every card.

Trump: each suit that could be called has an estimated number of tricks, linear in length and honours;
so has revealing. The weights are least-squares fits to options played out between three players of
this kind (8,000 hands of 64 completions), rounded to 0.005; what is left unexplained is the noise of
64 completions, about 0.2 tricks a hand. The weights of the play were tuned one by one, on common deals
of one changed player against two unchanged ones in all three places.

Cards: the player remembers what is gone, so it knows its masters (nothing higher is out), counts the
trumps that are out and weighs the risk of a ruff. It leads what promises most (cash a master, draw
trumps, lead a short suit for a ruff), wins as cheaply as it can when it plays last, covers in the middle
when the odds are fair, ruffs, and otherwise throws what it will miss least.
"""

import numpy as np

from sim.core.bits import highest, lowest, popcount
from sim.core.jit import helper
from sim.three_two_five.cards import (
    SEVEN_HEARTS,
    SEVEN_SPADES,
    lane_of,
)
from sim.three_two_five.knowledge import (
    BEST,
    GONE,
    HAND,
    KNOWN,
    LED,
    LEGAL,
    ORDER,
    PARAMS,
    SEAT,
    SEVENS,
    TRUMP,
    VOIDS,
    WHOLE,
    after,
)
from sim.three_two_five.rules import REVEAL

PARAMETERS = {
    # Expected tricks of the five after calling a suit: length, honours, and the other suits.
    "call_base": 1.145,
    "call_length": 0.8,
    "call_ace": 0.69,
    "call_king": 0.575,
    "call_queen": 0.2,
    "call_jack": 0.055,
    "side_ace": 0.8,
    "side_king": 0.48,
    "side_queen": 0.1,
    "side_missing": 0.09,
    # Expected tricks after revealing.
    "reveal_base": 3.035,
    "reveal_ace": 0.725,
    "reveal_king": 0.455,
    "reveal_queen": 0.095,
    "reveal_jack": 0.02,
    "reveal_longest": -0.05,
    # Leads, in tricks: what each kind promises.
    "cash": 0.8,
    "ruffed": 1.0,
    "draw": 0.95,
    "draw_length": 0.05,
    "low_trump": -0.2,
    "low_plain": 0.5,
    "low_single": 0.1,
    "low_higher": 0.07,
    # Middle seat: the least chance that a card stands for playing it.
    "cover": 0.55,
    # Throwing a card away: what is missed.
    "throw_rank": 0.03,
    "throw_guard": 0.3,
    "throw_master": 1.0,
}
(
    _CALL_BASE, _CALL_LENGTH, _CALL_ACE, _CALL_KING, _CALL_QUEEN, _CALL_JACK,
    _SIDE_ACE, _SIDE_KING, _SIDE_QUEEN, _SIDE_MISSING,
    _REVEAL_BASE, _REVEAL_ACE, _REVEAL_KING, _REVEAL_QUEEN, _REVEAL_JACK, _REVEAL_LONGEST,
    _CASH, _RUFFED, _DRAW, _DRAW_LENGTH, _LOW_TRUMP, _LOW_PLAIN, _LOW_SINGLE, _LOW_HIGHER,
    _COVER, _THROW_RANK, _THROW_GUARD, _THROW_MASTER,
) = range(len(PARAMETERS))  # fmt: skip

_ACES = 0x0080_0080_0080_0080
_KINGS = _ACES >> 1
_QUEENS = _ACES >> 2
_JACKS = _ACES >> 3
_UNLIKELY = -1e9
_HALVED = 0.5 ** np.arange(33)
_VOID_CHANCE = np.minimum(1.0, 2.0 * _HALVED)
"""Chance that one of two equal hands has none of n cards of a suit, by n: about 2 ** (1 - n)."""


@helper
def _plain_cards(view):
    """Hand without sevens that the rule lifts: they are trumps whatever is called (R31)."""
    if view[SEVENS] == 0:
        return view[HAND]
    return view[HAND] & ~(SEVEN_SPADES | SEVEN_HEARTS)


@helper
def call_value(hand, suit, params, row):
    """Expected tricks of the five if this suit is trump."""
    trumps = hand & lane_of(suit)
    side = hand ^ trumps
    value = params[row, _CALL_BASE] + params[row, _CALL_LENGTH] * popcount(trumps)
    value += params[row, _CALL_ACE] * popcount(trumps & _ACES)
    value += params[row, _CALL_KING] * popcount(trumps & _KINGS)
    value += params[row, _CALL_QUEEN] * popcount(trumps & _QUEENS)
    value += params[row, _CALL_JACK] * popcount(trumps & _JACKS)
    value += params[row, _SIDE_ACE] * popcount(side & _ACES)
    value += params[row, _SIDE_KING] * popcount(side & _KINGS)
    value += params[row, _SIDE_QUEEN] * popcount(side & _QUEENS)
    return value + params[row, _SIDE_MISSING] * (3 - _suits_held(side))


@helper
def _suits_held(cards):
    """Number of suits with a card in the set."""
    held = 0
    for suit in range(4):
        held += 1 if cards & lane_of(suit) else 0
    return held


@helper
def reveal_value(hand, params, row):
    """Expected tricks of the five if it turns up three cards."""
    longest = 0
    for suit in range(4):
        longest = max(longest, popcount(hand & lane_of(suit)))
    return (
        params[row, _REVEAL_BASE]
        + params[row, _REVEAL_ACE] * popcount(hand & _ACES)
        + params[row, _REVEAL_KING] * popcount(hand & _KINGS)
        + params[row, _REVEAL_QUEEN] * popcount(hand & _QUEENS)
        + params[row, _REVEAL_JACK] * popcount(hand & _JACKS)
        + params[row, _REVEAL_LONGEST] * longest
    )


@helper
def best_suit(hand, suits, params, row):
    """The most valuable of the allowed suits; spades before hearts, diamonds and clubs on a tie."""
    best, best_value = -1, _UNLIKELY
    for suit in range(4):
        if suits >> suit & 1:
            value = call_value(hand, suit, params, row)
            if value > best_value:
                best, best_value = suit, value
    return best


@helper
def best_call(view, params):
    """The suit to call if the player has to call one."""
    return best_suit(_plain_cards(view), 0b1111, params, view[PARAMS])


@helper
def choose_trump(view, params):
    """Call the most valuable suit, or reveal where that promises more (R9, R10)."""
    row = view[PARAMS]
    hand = _plain_cards(view)
    suit = best_suit(hand, 0b1111, params, row)
    if reveal_value(hand, params, row) > call_value(hand, suit, params, row):
        return REVEAL
    return suit


@helper
def choose_tie(view, params):
    """Take the most valuable of the tied suits, knowing eight cards (R11)."""
    return best_suit(_plain_cards(view), view[LEGAL], params, view[PARAMS])


@helper
def choose_return(view, params):
    """Return the card that is missed least (R17, R18)."""
    return _throw(view[HAND], view[LEGAL], _cards_out(view), lane_of(view[TRUMP]), params, view[PARAMS])


@helper
def choose_card(view, params):
    """Card to play: by place in the trick."""
    hand, legal, row, out = view[HAND], view[LEGAL], view[PARAMS], _cards_out(view)
    trump_lane = lane_of(view[TRUMP])
    left = after(view[SEAT])
    void_left = view[VOIDS + left]
    if legal & (legal - 1) == 0:
        return legal
    if view[ORDER] == 0:
        return lead(hand, out, void_left, view[VOIDS + after(left)], trump_lane, params, row)
    if view[ORDER] == 1:
        sure = view[KNOWN + left]
        return play_between(hand, legal, view[LED], view[BEST], out, void_left, sure, trump_lane, params, row)
    return play_last(hand, legal, view[LED], view[BEST], out, trump_lane, params, row)


@helper
def _cards_out(view):
    """Cards that the other two players hold."""
    return view[WHOLE] & ~view[GONE] & ~view[HAND]


@helper
def lead(hand, out, void_left, void_right, trump_lane, params, row):
    """Lead what promises most: suit by suit, its master or its lowest card.

    Written without branches: which suit wins is as good as random, and a mispredicted branch costs
    more than evaluating both sides.

    Parameters
    ----------
    hand, out : int64
        The player's cards, and those that the other two hold between them.
    void_left, void_right : int64
        Places of the suits in which the next player, and the one after, have shown void.
    trump_lane : int64
        Places of the trump suit.
    params, row : float64 (rows, P) array and int64
        Parameters, and the player's row of them.
    """
    # Suits in which an opponent has shown void that may still hold a trump.
    ruffers = (0 if void_left & trump_lane else void_left) | (0 if void_right & trump_lane else void_right)
    trumps, trumps_out = hand & trump_lane, out & trump_lane
    ruff = params[row, _RUFFED] * (1.0 - _HALVED[popcount(trumps_out)])
    single_bonus = params[row, _LOW_SINGLE] if trumps else 0.0
    cash, low_plain, low_higher = params[row, _CASH], params[row, _LOW_PLAIN], params[row, _LOW_HIGHER]
    best, best_value = 0, _UNLIKELY
    for suit in range(4):
        lane = lane_of(suit)
        mine, others = hand & lane, out & lane
        top, low = highest(mine | 1), lowest(mine)
        master = mine > others
        cashed = cash - ruff * (1.0 if ruffers & lane else _VOID_CHANCE[popcount(others)])
        kept = low_plain + low_higher * popcount(others & ~(top - 1))
        kept += single_bonus if mine == low else 0.0
        value = cashed if master else kept
        value = value if mine and lane != trump_lane else _UNLIKELY
        card = top if master else low
        best = card if value > best_value else best
        best_value = max(value, best_value)
    if trumps:
        master = trumps > trumps_out
        value = (params[row, _DRAW] if trumps_out else 1.0) if master else params[row, _LOW_TRUMP]
        value += params[row, _DRAW_LENGTH] * (2 * popcount(trumps) - popcount(trumps_out))
        if value > best_value:
            best = highest(trumps) if master else lowest(trumps)
    return best


@helper
def play_between(hand, legal, led, best, out, void_third, sure_third, trump_lane, params, row):
    """Play second: cover when the odds are fair that the card stands, else duck or throw.

    Parameters
    ----------
    hand, legal : int64
        The player's cards, and those that it may play.
    led, best : int64
        Places of the led suit, and the card that was led.
    out : int64
        Cards that the other two hold between them.
    void_third, sure_third : int64
        Suits in which the third player has shown void; cards that it is known to hold.
    trump_lane, params, row
        As for :func:`lead`.
    """
    third_void = void_third & led != 0
    third_trumps = 0 if void_third & trump_lane else popcount(out & trump_lane)
    if legal & led:
        top = highest(legal)
        if top < best:
            return lowest(legal)
        if third_void:
            if led != trump_lane and third_trumps:
                return lowest(legal)
            return lowest(legal & ~(best - 1))
        above = out & led & ~(top - 1)
        if sure_third & above:
            return lowest(legal)
        stands = _HALVED[popcount(above)]
        if stands < params[row, _COVER]:
            return lowest(legal)
        others = out & led & (top - 1)
        sure = legal & ~(max(highest(others | 1), best) - 1)
        return top if above or not sure else lowest(sure)
    trumps = legal & trump_lane
    if trumps:
        master = trumps > out & trump_lane
        return highest(trumps) if third_void and third_trumps and master else lowest(trumps)
    return _throw(hand, legal, out, trump_lane, params, row)


@helper
def play_last(hand, legal, led, best, out, trump_lane, params, row):
    """Play third: win as cheaply as possible, else duck or throw; as :func:`play_between`."""
    if legal & led:
        winning = legal & ~(best - 1) & led if best & led else 0
        return lowest(winning) if winning else lowest(legal)
    trumps = legal & trump_lane
    winning = trumps & ~(best - 1) if best & trump_lane else trumps
    if winning:
        return lowest(winning)
    return _throw(hand, legal, out, trump_lane, params, row)


@helper
def _throw(hand, legal, out, trump_lane, params, row):
    """Throw a card that cannot win: suit by suit its lowest, what is missed least; trumps last.

    Without branches, as :func:`lead`.
    """
    plain = legal & ~trump_lane
    if not plain:
        return lowest(legal)
    by_rank = params[row, _THROW_RANK]
    guard, master = params[row, _THROW_GUARD], params[row, _THROW_MASTER]
    best, least = 0, -_UNLIKELY
    for suit in range(4):
        lane = lane_of(suit)
        card = lowest(plain & lane)
        mine, others = hand & lane, out & lane
        above = popcount(others & ~(highest(mine | 1) - 1))
        guards = above != 0 and popcount(mine) == above + 1
        missed = by_rank * popcount((card - 1) & lane)
        missed += master if card > others else (guard if guards else 0.0)
        missed = missed if card else -_UNLIKELY
        best = card if missed < least else best
        least = min(missed, least)
    return best
