"""Worlds weighed by how likely the other two would have called and played as they did.

A world is worth more if in it the five would have called this suit, or revealed, and each card that the
others played is the one that ``heuristic``, or what they are taken to be, would have played from that hand.
Many worlds are dealt, each is weighed, and as many as are wanted are taken in proportion to their weights
(sampling importance resampling, Rubin 1987; systematic resampling, Kitagawa 1996).
"""

import numpy as np

from sim.core.bits import popcount
from sim.core.draw import draw
from sim.core.jit import allocating, helper, routine
from sim.core.rng import word
from sim.three_two_five import knowledge as know
from sim.three_two_five.cards import PACK, lane_of, lane_with, suit_length
from sim.three_two_five.heuristic import best_suit, call_value, lead, play_between, play_last, reveal_value
from sim.three_two_five.rules import REVEAL
from sim.three_two_five.strategies import FIRST_SUIT, HEURISTIC, RANDOM, first_suit_card
from sim.three_two_five.thinking.parameters import DEALT, OTHERS, UNLIKELY_CALL, UNLIKELY_PLAY
from sim.three_two_five.thinking.worlds import deal_worlds
from sim.three_two_five.tricks import is_single, legal_cards

_MOST_PLAYS = 20
_OWNER, _ORDER, _LED, _BEST, _CARD, _SINCE, _GONE, _VOID_LEFT, _VOID_RIGHT, _PLAY_SIZE = range(10)
_ALL_SUITS = 0b1111


@routine
def deal_likely_worlds(view, params, ranks, key, worlds):
    """Fill in worlds, likely ones more often, otherwise as ``deal_worlds``."""
    row = view[know.PARAMS]
    many = worlds.shape[0] * max(1, int(params[row, DEALT]))
    dealt, weights = np.empty((many, 2), np.int64), np.empty(many)
    deal_worlds(view, key, dealt)
    plays = np.empty((_MOST_PLAYS, _PLAY_SIZE), np.int64)
    number = _list_plays(view, plays)
    left = know.after(view[know.SEAT])
    caller = -1 if not _call_tells(view) else (0 if left == 0 else 1)
    total = 0.0
    for world in range(many):
        weight = 1.0
        if caller >= 0:
            weight = _call_weight(view, params, dealt[world, caller], word(key, many + world))
        for play in range(number):
            weight *= _play_weight(view, params, ranks, plays[play], dealt[world, plays[play, _OWNER]])
        total += weight
        weights[world] = weight
    _resample(dealt, weights, total, worlds)


@helper
def _resample(dealt, weights, total, worlds):
    """Take worlds in proportion to their weights, at even steps."""
    reached, world, count = weights[0], 0, worlds.shape[0]
    for taken in range(count):
        step = total * (taken + 0.5) / count
        while reached < step and world < weights.size - 1:
            world += 1
            reached += weights[world]
        worlds[taken, 0], worlds[taken, 1] = dealt[world, 0], dealt[world, 1]


@helper
def _call_tells(view):
    """Whether another seat was the five, and still has the cards that it called with, or played them."""
    pulled = 0
    for seat in range(3):
        pulled += view[know.PULLED + seat] + view[know.PULLED + 3 * seat]
    return view[know.SEAT] != 0 and pulled == 0


@helper
def _call_weight(view, params, hand, key):
    """Weigh the five's decision by whether heuristic would have made it with five of these ten cards."""
    row, turned = view[know.PARAMS], view[know.TURNED]
    # High sevens count for nothing in the decision, and stand outside of the pack's places (R31).
    ten = (hand | view[know.PLAYED]) & PACK & ~turned
    first_five = draw(ten, key, 0, min(5, popcount(ten)))
    decided = REVEAL if view[know.CHOICE] == 1 else view[know.TRUMP]
    option = decided
    others = int(params[row, OTHERS])
    if others == HEURISTIC:
        suit = best_suit(first_five, _ALL_SUITS, params, row)
        reveals = reveal_value(first_five, params, row) > call_value(first_five, suit, params, row)
        option = REVEAL if reveals else suit
    elif others == FIRST_SUIT and decided != REVEAL:
        option = decided if _is_longest(first_five, decided) else -1
    return 1.0 if option == decided else params[row, UNLIKELY_CALL]


@helper
def _is_longest(hand, suit):
    """Whether no suit of a hand is longer than this one."""
    for other in range(4):
        if suit_length(hand, other) > suit_length(hand, suit):
            return False
    return True


@allocating
def _list_plays(view, plays):
    """List the cards that the other two have played in this deal, and what the table saw then."""
    seat = view[know.SEAT]
    left = know.after(seat)
    number, gone = 0, 0
    voids = np.zeros(3, np.int64)
    for trick in range(view[know.TRICK] + 1):
        at = know.HISTORY + 3 * trick
        leader = _player_of(view, view[at])
        led, best = 0, 0
        for order in range(3 if trick < view[know.TRICK] else view[know.ORDER]):
            card, who = view[at + order], (leader + order) % 3
            if who != seat:
                plays[number, _OWNER] = 0 if who == left else 1
                plays[number, _ORDER], plays[number, _LED], plays[number, _BEST] = order, led, best
                plays[number, _CARD] = card
                plays[number, _SINCE] = view[know.PLAYED + who] & ~gone
                plays[number, _GONE] = gone
                plays[number, _VOID_LEFT] = voids[know.after(who)]
                plays[number, _VOID_RIGHT] = voids[know.after(know.after(who))]
                number += 1
            if order == 0:
                led = lane_with(card)
            elif not card & led:
                voids[who] |= led
            if order == 0 or know.beats(card, best, view[know.TRUMP]):
                best = card
            gone |= card
    return number


@helper
def _player_of(view, card):
    """Seat that has played a card."""
    if view[know.PLAYED] & card:
        return 0
    return 1 if view[know.PLAYED + 1] & card else 2


@helper
def _play_weight(view, params, ranks, play, hand):
    """Weigh one card that was played from a hand of the world."""
    row, trump_lane = view[know.PARAMS], lane_of(view[know.TRUMP])
    hand |= play[_SINCE]
    legal = legal_cards(hand, play[_LED])
    if is_single(legal):
        return 1.0
    others = int(params[row, OTHERS])
    if others == RANDOM:
        return 1.0 / popcount(legal)
    out = view[know.WHOLE] & ~play[_GONE] & ~hand
    left, right, led, best = play[_VOID_LEFT], play[_VOID_RIGHT], play[_LED], play[_BEST]
    if others == FIRST_SUIT:
        card = first_suit_card(legal, best, view[know.TRUMP])
    elif play[_ORDER] == 0:
        card = lead(hand, out, left, right, trump_lane, ranks, 0)
    elif play[_ORDER] == 1:
        card = play_between(hand, legal, led, best, out, left, 0, trump_lane, ranks, 0)
    else:
        card = play_last(hand, legal, led, best, out, trump_lane, ranks, 0)
    low, high = min(card, play[_CARD]), max(card, play[_CARD])
    between = (out | best) & (high - 1) & ~(low - 1)
    # A card as good as the one that would have been played tells nothing against the world.
    likely = lane_with(card) & play[_CARD] and not between
    return 1.0 if likely else params[row, UNLIKELY_PLAY]
