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

from sim.core.bits import choose, highest, larger, lowest, popcount, smaller
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
from sim.three_two_five.ranks import (
    CARD_WEIGHTS,
    CASH,
    COUNTS,
    COVER,
    DRAW,
    FIRST_WEIGHT,
    KEPT,
    NO_LEAD,
    NO_THROW,
    THROW,
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
    **CARD_WEIGHTS,
}
(
    _CALL_BASE, _CALL_LENGTH, _CALL_ACE, _CALL_KING, _CALL_QUEEN, _CALL_JACK,
    _SIDE_ACE, _SIDE_KING, _SIDE_QUEEN, _SIDE_MISSING,
    _REVEAL_BASE, _REVEAL_ACE, _REVEAL_KING, _REVEAL_QUEEN, _REVEAL_JACK, _REVEAL_LONGEST,
) = range(FIRST_WEIGHT)  # fmt: skip

_ACES = 0x0080_0080_0080_0080
_KINGS = _ACES >> 1
_QUEENS = _ACES >> 2
_JACKS = _ACES >> 3
_UNLIKELY = -1e9


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
def choose_return(view, ranks, row):
    """Return the card that is missed least (R17, R18)."""
    return _throw(view[HAND], view[LEGAL], _cards_out(view), lane_of(view[TRUMP]), ranks, row)


@helper
def choose_card(view, ranks, row):
    """Card to play: by place in the trick; ``ranks`` and ``row`` as for :func:`lead`."""
    hand, legal, out, trump_lane = view[HAND], view[LEGAL], _cards_out(view), lane_of(view[TRUMP])
    left = after(view[SEAT])
    void_left = view[VOIDS + left]
    if view[ORDER] == 0:
        return lead(hand, out, void_left, view[VOIDS + after(left)], trump_lane, ranks, row)
    if view[ORDER] == 1:
        sure = view[KNOWN + left]
        return play_between(hand, legal, view[LED], view[BEST], out, void_left, sure, trump_lane, ranks, row)
    return play_last(hand, legal, view[LED], view[BEST], out, trump_lane, ranks, row)


@helper
def _cards_out(view):
    """Cards that the other two players hold."""
    return view[WHOLE] & ~view[GONE] & ~view[HAND]


@helper
def side_lanes(trump_lane):
    """Places of the three suits that are not trumps, in the order of the suits."""
    return (
        choose(trump_lane == lane_of(0), lane_of(1), lane_of(0)),
        choose(trump_lane > lane_of(1), lane_of(1), lane_of(2)),
        choose(trump_lane == lane_of(3), lane_of(2), lane_of(3)),
    )


@helper
def lead(hand, out, void_left, void_right, trump_lane, ranks, row):
    """Lead what promises most: suit by suit, its master or its lowest card.

    Written without branches: which suit wins is as good as random, and a mispredicted branch costs
    more than evaluating both sides. Of equal promises the first counts, trumps last.

    Parameters
    ----------
    hand, out : int64
        The player's cards, and those that the other two hold between them.
    void_left, void_right : int64
        Places of the suits in which the next player, and the one after, have shown void.
    trump_lane : int64
        Places of the trump suit.
    ranks, row : int64 (rows, SIZE) array and int64
        Of :mod:`sim.three_two_five.ranks`, and the player's row of them.
    """
    # Suits in which an opponent has shown void that may still hold a trump.
    ruffers = choose(void_left & trump_lane, 0, void_left) | choose(void_right & trump_lane, 0, void_right)
    trumps, trumps_out = hand & trump_lane, out & trump_lane
    cash = CASH + COUNTS * popcount(trumps_out)
    single = choose(trumps, KEPT + COUNTS, KEPT)
    best, most = 0, ranks[row, NO_LEAD]
    for lane in side_lanes(trump_lane):
        card, promise = _lead_side(hand & lane, out & lane, ruffers & lane, cash, single, ranks, row)
        best, most = choose(promise > most, card, best), larger(promise, most)
    master = trumps > trumps_out
    drawn = DRAW + choose(master, COUNTS * COUNTS, 0) + COUNTS * popcount(trumps) + popcount(trumps_out)
    card = choose(master, highest(trumps | 1), lowest(trumps))
    return choose(ranks[row, drawn] > most, card, best)


@helper
def _lead_side(mine, others, ruffed, cash, single, ranks, row):
    """Master or lowest card of a plain suit and the rank of what it promises.

    A ruff is certain where a void has been shown, as where no card of the suit is out.
    """
    top, low = highest(mine | 1), lowest(mine)
    master = mine > others
    cashed = cash + choose(ruffed, 0, popcount(others))
    kept = choose(mine == low, single, KEPT) + popcount(others & ~(top - 1))
    place = choose(mine, choose(master, cashed, kept), NO_LEAD)
    return choose(master, top, low), ranks[row, place]


@helper
def play_between(hand, legal, led, best, out, void_third, sure_third, trump_lane, ranks, row):
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
    trump_lane, ranks, row
        As for :func:`lead`.
    """
    if legal & led:
        if void_third & led:
            return _follow_void(legal, led, best, _ruffs(void_third, led, out, trump_lane), trump_lane)
        return _cover(legal, led, best, out, sure_third, ranks[row, COVER])
    if legal & trump_lane:
        return _ruff_between(legal, out, _ruffs(void_third, led, out, trump_lane), trump_lane)
    return _throw(hand, legal, out, trump_lane, ranks, row)


@helper
def play_between_alike(hand, legal, led, best, out, void_third, sure_third, trump_lane, ranks, row):
    """Do as :func:`play_between` without branches: for lanes."""
    ruffs = _ruffs(void_third, led, out, trump_lane)
    covers = _cover(legal, led, best, out, sure_third, ranks[row, COVER])
    follows = choose(void_third & led, _follow_void(legal, led, best, ruffs, trump_lane), covers)
    thrown = _throw(hand, legal, out, trump_lane, ranks, row)
    other = choose(legal & trump_lane, _ruff_between(legal, out, ruffs, trump_lane), thrown)
    return choose(legal & led, follows, other)


@helper
def _ruffs(void_third, led, out, trump_lane):
    """Whether the third player has shown void in the led suit and may hold a trump."""
    return (choose(void_third & trump_lane, 0, out & trump_lane) != 0) & (void_third & led != 0)


@helper
def _follow_void(legal, led, best, ruffs, trump_lane):
    """Follow suit before a third player who cannot: win as cheaply as possible unless it ruffs."""
    winning = choose(ruffs & (led != trump_lane), legal, legal & ~(best - 1))
    return lowest(choose(winning, winning, legal))


@helper
def _ruff_between(legal, out, ruffs, trump_lane):
    """Ruff with the lowest trump, or with the highest if the third player may ruff, but not higher."""
    trumps = legal & trump_lane
    return choose(ruffs & (trumps > out & trump_lane), highest(trumps | 1), lowest(trumps))


@helper
def _cover(legal, led, best, out, sure_third, uncovered):
    """Follow suit before a third player who may follow too, without branches.

    With the highest card if it may be beaten yet, or else with the lowest that is as good; with the
    lowest card if none beats the lead, or what may beat it is too much.
    """
    low, top = lowest(legal), highest(legal)
    above, under = out & led & ~(top - 1), out & led & (top - 1)
    ducks = (top < best) | (sure_third & above != 0) | (popcount(above) >= uncovered)
    sure = legal & ~(larger(highest(under | 1), best) - 1)
    stands = choose((above != 0) | (sure == 0), top, lowest(sure))
    return choose(ducks, low, stands)


@helper
def play_last(hand, legal, led, best, out, trump_lane, ranks, row):
    """Play third: win as cheaply as possible, else duck or throw; as :func:`play_between`."""
    if legal & led:
        return _follow_last(legal, led, best)
    winning = _ruff_last(legal, best, trump_lane)
    if winning:
        return lowest(winning)
    return _throw(hand, legal, out, trump_lane, ranks, row)


@helper
def play_last_alike(hand, legal, led, best, out, trump_lane, ranks, row):
    """Do as :func:`play_last` without branches: for lanes."""
    winning = _ruff_last(legal, best, trump_lane)
    other = choose(winning, lowest(winning), _throw(hand, legal, out, trump_lane, ranks, row))
    return choose(legal & led, _follow_last(legal, led, best), other)


@helper
def _follow_last(legal, led, best):
    """Follow suit last: win as cheaply as possible, or with the lowest."""
    winning = choose(best & led, legal & ~(best - 1), 0)
    return lowest(choose(winning, winning, legal))


@helper
def _ruff_last(legal, best, trump_lane):
    """Trumps that win for one who plays last and cannot follow."""
    trumps = legal & trump_lane
    return choose(best & trump_lane, trumps & ~(best - 1), trumps)


@helper
def _throw(hand, legal, out, trump_lane, ranks, row):
    """Throw a card that cannot win: suit by suit its lowest, what is missed least; trumps last.

    Without branches, as :func:`lead`.
    """
    best, least = lowest(legal), ranks[row, NO_THROW]
    for lane in side_lanes(trump_lane):
        card, missed = _throw_side(hand & lane, legal & lane, out & lane, lane, ranks, row)
        best, least = choose(missed < least, card, best), smaller(missed, least)
    return best


@helper
def _throw_side(mine, legal, others, lane, ranks, row):
    """Lowest card of a plain suit and the rank of what is missed without it."""
    card = lowest(legal)
    above = popcount(others & ~(highest(mine | 1) - 1))
    guards = (above != 0) & (popcount(mine) == above + 1)
    kind = choose(card > others, 2 * COUNTS, choose(guards, COUNTS, 0))
    place = choose(legal, THROW + kind + popcount((card - 1) & lane), NO_THROW)
    return card, ranks[row, place]
