"""One trick in registers: who may play what, who takes it, who leads the next one.

Whose card wins is as good as random. So nothing here jumps: hands, and what goes with them, move on to the
next trick by selects.
"""

from sim.core.bits import choose, larger
from sim.core.jit import helper

_ABOVE_ALL = 1 << 62
"""A bit above all cards."""


@helper
def is_single(cards):
    """Whether a non-empty set has one member."""
    return cards & (cards - 1) == 0


@helper
def legal_cards(hand, led):
    """Cards that follow the led suit, or any card where none does or nothing is led (R22, R23)."""
    following = hand & led
    return choose(following, following, hand)


@helper
def strength(card, led, trump_lane):
    """Number that orders the cards of one trick: trumps above the led suit above the rest (R24)."""
    return choose(card & trump_lane, card | _ABOVE_ALL, card & led)


@helper
def winning_place(card, card_second, card_third, led, trump_lane):
    """Place in the trick of the card that wins it, or wins so far with the third card 0 (R24)."""
    best, strong_second = strength(card, led, trump_lane), strength(card_second, led, trump_lane)
    winner = choose(strong_second > best, 1, 0)
    return choose(strength(card_third, led, trump_lane) > larger(best, strong_second), 2, winner)


@helper
def rotate(places, first, second, third):
    """Bring the first of three to the front that stands ``places`` behind it: 0, 1 or 2.

    By the place of the winner, what stands in the order of a trick goes into that of the next one (R22); by
    the seat that leads, what belongs to seats goes into the order of the trick.
    """
    return (
        choose(places == 1, second, choose(places == 2, third, first)),
        choose(places == 1, third, choose(places == 2, first, second)),
        choose(places == 1, first, choose(places == 2, second, third)),
    )
