"""What each player knows, kept explicitly.

A strategy receives one int64 row, its *view*, whose places are named here: first what everybody knows,
then what only the deciding player knows. Nothing else reaches it. What the three players know apart
from each other is kept in ``private``, an int64 array of shape (3, PRIVATE_SIZE), and copied into the
view for each decision by :func:`show`. Sets of cards are masks of :mod:`sim.three_two_five.cards`; from
the moment trump is fixed, raised sevens (R31) stand in the trump lane. Seats count in playing order:
five = 0, three = 1, two = 2.
"""

from sim.core.jit import helper
from sim.three_two_five.cards import PACK, lane_of, raise_sevens, suit_of

NO_SEAT = -1
SEATS = 3

# Public row.
SEVENS = 0
"""0 low, 1 hearts high, 2 spades high."""
SCORING = 1
"""0 difference, 1 surplus, 2 tricks."""
DEAL = 2
"""Number of the deal in its match, from 0."""
LENGTH = 3
"""Deals in the match."""
DEBT = 4
"""+ seat: pulls that the seat may take (positive) or suffers (negative) in this deal (R14)."""
SCORE = 7
"""+ seat: the match score before this deal of the player who sits there (R27)."""
CHOICE = 10
"""-1 before the decision, 0 called, 1 revealed."""
TURNED = 11
"""The three turned cards as they lay on the table, plain sevens; 0 after a call."""
TRUMP = 12
"""Trump suit, -1 before it is fixed."""
PULLED = 13
"""+ taker * 3 + giver: pulls made so far in this deal between two seats (R19: that they took place)."""
TRICK = 22
"""Number of the trick, from 0."""
LEADER = 23
"""Seat that leads the trick."""
ORDER = 24
"""Cards on the table in this trick: 0 to 2."""
TABLE = 25
"""+ order: the cards of this trick in order of play; only the first ORDER of them are of this trick."""
LED = 28
"""All places of the led suit, 0 before the lead."""
BEST = 29
"""The card that wins the trick so far, 0 before the lead."""
BEST_SEAT = 30
"""Seat of that card."""
GONE = 31
"""All cards played in this deal, those on the table among them."""
PLAYED = 32
"""+ seat: the cards that the seat has played."""
VOIDS = 35
"""+ seat: all places of the suits in which the seat has failed to follow (R23)."""
TRICKS = 38
"""+ seat: tricks taken (R25)."""
WHOLE = 41
"""The thirty cards as they stand under the trump: raised sevens in the trump lane (R31)."""
FIRST_ROW = 42
"""Row of ``params`` of the five's strategy in this deal; three's and two's follow."""
HISTORY = 43
"""+ 3 * trick + order: the cards played in this deal in order of play, 0 where still to come."""

# What the deciding player knows besides.
SEAT = 73
"""Its own seat."""
HAND = 74
"""Its cards now: five before the decision, eight at a tie, then up to eleven."""
LEGAL = 75
"""What may be chosen now: cards, or suits as four bits (at a tie)."""
KNOWN = 76
"""+ seat: cards that this seat surely holds, through the reveal or a pull; 0 for its own."""
KEPT = 79
"""+ seat: least number of cards of each suit with which this seat went into the play, four bits a suit: who
returned a card to the player kept two of its suit (R18). From bit 16 on: how many cards of ONCE the player
has seen come from the other hand."""
ONCE = 82
"""+ seat: cards that this seat surely held before it and the third player pulled; each of these pulls moved
at most one of them (R19)."""
DRAWN = 85
"""The card just drawn, while choosing what to return; else 0."""
GIVER = 86
"""Seat it was drawn from, else NO_SEAT."""
PARAMS = 87
"""Row of ``params`` that belongs to the strategy asked."""
VIEW_SIZE = 88

# Columns of the private rows.
CARDS = 0
"""The seat's hand."""
SURE = 1
"""+ seat: cards that this player knows the seat to hold; those played since are taken out by :func:`show`."""
LEAST = 4
"""+ seat: as KEPT of the view."""
LOST = 7
"""+ seat: as ONCE of the view."""
PRIVATE_SIZE = 10
_STRAYED = 16
"""Place in KEPT of the count of cards that were seen to have left."""


@helper
def show(view, private, seat, legal):
    """Make the view that of one seat, which is to choose from ``legal``."""
    view[SEAT] = seat
    view[PARAMS] = view[FIRST_ROW] + seat
    view[HAND] = private[seat, CARDS]
    view[LEGAL] = legal
    held = ~view[GONE]
    view[KNOWN] = private[seat, SURE] & held
    view[KNOWN + 1] = private[seat, SURE + 1] & held
    view[KNOWN + 2] = private[seat, SURE + 2] & held
    for other in range(SEATS):
        view[KEPT + other] = private[seat, LEAST + other]
        view[ONCE + other] = private[seat, LOST + other]


@helper
def start_deal(view, private, first_five):
    """Set both rows to the moment of the decision: the five sees its first five cards (R9)."""
    view[CHOICE] = -1
    view[TRUMP] = -1
    for place in range(PULLED, WHOLE):
        view[place] = 0
    for place in range(HISTORY, SEAT):
        view[place] = 0
    view[TURNED] = 0
    view[WHOLE] = PACK
    view[BEST_SEAT] = NO_SEAT
    view[DRAWN] = 0
    view[GIVER] = NO_SEAT
    for seat in range(SEATS):
        for place in range(PRIVATE_SIZE):
            private[seat, place] = 0
    private[0, CARDS] = first_five


@helper
def see_turned(view, private, turned):
    """Show the three turned cards to all (R10); they become part of the five's hand."""
    view[CHOICE] = 1
    view[TURNED] = turned
    private[0, CARDS] |= turned


@helper
def see_trump(view, private, trump):
    """Announce the trump suit; the turned cards are then known to lie in the five's hand."""
    if view[CHOICE] < 0:
        view[CHOICE] = 0
    view[TRUMP] = trump
    view[WHOLE] = raise_sevens(PACK, trump, view[SEVENS])
    known = raise_sevens(view[TURNED], trump, view[SEVENS])
    private[1, SURE] = known
    private[2, SURE] = known


@helper
def see_draw(view, private, taker, giver, drawn):
    """Move the card drawn blind to the taker, which sees it and may not return it (R17, R18)."""
    private[giver, CARDS] ^= drawn
    private[taker, CARDS] |= drawn
    private[taker, SURE + giver] &= ~drawn
    _find_again(private, taker, giver, drawn)
    view[DRAWN] = drawn
    view[GIVER] = giver


@helper
def see_pull(view, private, taker, giver, drawn, returned):
    """Move the returned card and tell each player of the pull what it may know (R17, R19).

    The two partners saw both cards. The third player saw only that a card went each way, so nothing
    is certain to it any longer about either of the two hands.
    """
    private[taker, CARDS] ^= returned
    private[giver, CARDS] |= returned
    view[DRAWN] = 0
    view[GIVER] = NO_SEAT
    view[PULLED + taker * SEATS + giver] += 1
    private[taker, SURE + giver] |= returned
    private[giver, SURE + taker] = (private[giver, SURE + taker] & ~returned) | drawn
    _find_again(private, giver, taker, returned)
    third = SEATS - taker - giver
    private[third, LOST + taker] |= private[third, SURE + taker]
    private[third, LOST + giver] |= private[third, SURE + giver]
    private[third, SURE + taker] = 0
    private[third, SURE + giver] = 0
    private[giver, LEAST + taker] = _after_return(private[giver, LEAST + taker], drawn, returned)
    private[third, LEAST + taker] = _after_unseen(private[third, LEAST + taker])


@helper
def _find_again(private, seat, source, card):
    """Let a seat see a card come from a hand; it may once have been sure of it, there or elsewhere."""
    other = SEATS - seat - source
    if private[seat, LOST + other] & card:
        private[seat, LEAST + other] += 1 << _STRAYED
    private[seat, LOST + other] &= ~card
    private[seat, LOST + source] &= ~card


@helper
def most_strayed(view, seat, other):
    """Most cards of ONCE that may have gone from a seat to the other one and are there still."""
    pulls = view[PULLED + seat * SEATS + other] + view[PULLED + other * SEATS + seat]
    return pulls - (view[KEPT + seat] >> _STRAYED)


@helper
def least_of(kept, suit):
    """Least number of cards of a suit, from the four counters of KEPT."""
    return kept >> (4 * suit) & 0xF


@helper
def _after_return(kept, drawn, returned):
    """Counters after a pull whose two cards were seen: at least two are left of the returned suit (R18)."""
    kept += 1 << (4 * suit_of(drawn))
    suit = suit_of(returned)
    least = max(2, least_of(kept, suit) - 1)
    return kept & ~(0xF << (4 * suit)) | least << (4 * suit)


@helper
def _after_unseen(kept):
    """Counters after a pull whose cards were not seen: what was returned left two of its suit (R18)."""
    after_it = kept >> _STRAYED << _STRAYED
    for suit in range(4):
        after_it |= min(2, least_of(kept, suit)) << (4 * suit)
    return after_it


@helper
def see_card(view, private, seat, card):
    """Show one played card to all, and the void that it proves.

    Without branches: whether a card follows or takes the trick is as good as random.
    """
    order, led, best = view[ORDER], view[LED], view[BEST]
    leads = order == 0
    takes = leads or beats(card, best, view[TRUMP])
    view[LED] = lane_of(suit_of(card)) if leads else led
    view[BEST] = card if takes else best
    view[BEST_SEAT] = seat if takes else view[BEST_SEAT]
    view[VOIDS + seat] |= 0 if led & card else led
    view[TABLE + order] = card
    view[HISTORY + 3 * view[TRICK] + order] = card
    view[ORDER] = order + 1
    view[GONE] |= card
    view[PLAYED + seat] |= card
    private[seat, CARDS] ^= card


@helper
def after(seat):
    """Return the next seat in playing order (R1)."""
    return seat + 1 if seat < 2 else 0


@helper
def close_trick(view):
    """Give the trick to the best card's seat, which leads the next (R22, R24)."""
    winner = view[BEST_SEAT]
    view[TRICKS + winner] += 1
    view[TRICK] += 1
    view[LEADER] = winner
    view[ORDER] = 0
    view[LED] = 0
    view[BEST] = 0
    view[BEST_SEAT] = NO_SEAT
    return winner


@helper
def beats(card, best, trump):
    """Whether a later card takes the trick from the best so far (R24).

    Within a suit the higher bit wins; across suits only a trump beats, and it beats any other suit.
    """
    suit = suit_of(card)
    same = suit == suit_of(best)
    return (same & (card > best)) | ((not same) & (suit == trump))
