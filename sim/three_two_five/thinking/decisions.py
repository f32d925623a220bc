"""Decisions of the strategies that sample worlds: a card, a return, trump, a tie.

They see what every strategy sees, and think with their own parameters: all three players of a play-out are
``heuristic`` with the weights of the one who thinks.
"""

import numpy as np

from sim.core.draw import draw
from sim.core.jit import Decider, helper, routine
from sim.core.lanes import WIDTH
from sim.core.rng import word
from sim.three_two_five import heuristic
from sim.three_two_five import knowledge as know
from sim.three_two_five.cards import PACK, lane_with, top_suits
from sim.three_two_five.kernel import LOG_SIZE, deal_rest, pull_debts, take_hands
from sim.three_two_five.ranks import rank_promises
from sim.three_two_five.rules import REVEAL, TRICKS_PER_DEAL
from sim.three_two_five.solving.endings import new_solver
from sim.three_two_five.solving.lines import distinct
from sim.three_two_five.strategies import DECIDERS, HEURISTIC, lowest_suit
from sim.three_two_five.thinking import opening
from sim.three_two_five.thinking.candidates import MOST, bring_forward, list_members
from sim.three_two_five.thinking.inference import deal_likely_worlds
from sim.three_two_five.thinking.parameters import (
    INFER,
    INNER,
    MIXED,
    NESTED,
    OTHERS,
    ROLLOUT,
    SAMPLED,
    SOLVE,
    TRUMP_WORLDS,
    WORLDS,
)
from sim.three_two_five.thinking.rollout import add_heuristic, add_nested, add_played, add_solved
from sim.three_two_five.thinking.side_by_side import add_deals, trump_last
from sim.three_two_five.thinking.worlds import LEFT, RIGHT, deal_worlds
from sim.three_two_five.tricks import is_single

_OPTIONS = REVEAL + 1
_SOLVER_BITS = 10
_PULLS_OF_DEAL = 32
"""Word of a sampled deal that is the key of its blind draws; those before it deal the cards."""


@routine
def rollout_card(view, params, luck):
    """Play the card of the best mean over sampled worlds, where all three play on as heuristic."""
    cards, values = np.empty(MOST, np.int64), np.zeros(MOST, np.int64)
    number = _list_cards(view, cards)
    if number > 1:
        ranks = _own_ranks(view, params)
        worlds, key = _sampled(view, params, ranks, luck), word(luck, 1)
        if not _add_solved(view, params, worlds, cards, number, values):
            if params[view[know.PARAMS], OTHERS] == HEURISTIC:
                add_heuristic(view, ranks, worlds, cards, number, values)
            else:
                for world in range(worlds.shape[0]):
                    add_played(view, params, ranks, worlds, world, cards, number, values, word(key, world))
        bring_forward(cards, values, number, 1, _preferred(view, ranks, cards, number))
    return cards[0]


@routine
def nested_card(view, params, luck):
    """Play the card of the best mean over sampled worlds, where all three sample a few for each card."""
    cards, values = np.empty(MOST, np.int64), np.zeros(MOST, np.int64)
    number = _list_cards(view, cards)
    if number > 1:
        ranks = _own_ranks(view, params)
        worlds = _sampled(view, params, ranks, luck)
        preferred = _preferred(view, ranks, cards, number)
        if not _add_solved(view, params, worlds, cards, number, values):
            number = _narrow(view, params, ranks, worlds, cards, number, values, preferred, word(luck, 1))
        bring_forward(cards, values, number, 1, preferred)
    return cards[0]


@routine
def _list_cards(view, cards):
    """List the cards that are worth telling apart; returns how many there are."""
    in_play = view[know.WHOLE] & ~view[know.GONE] | _on_table(view)
    return list_members(distinct(view[know.HAND], in_play) & view[know.LEGAL], cards)


@routine
def _own_ranks(view, params):
    """Ranks of the weights of the one who thinks, in one row."""
    return rank_promises(params[view[know.PARAMS] : view[know.PARAMS] + 1])


@routine
def _sampled(view, params, ranks, luck):
    """Sample the worlds of a decision, weighed or not."""
    row = view[know.PARAMS]
    worlds = np.empty((int(params[row, WORLDS]), 2), np.int64)
    if params[row, INFER]:
        deal_likely_worlds(view, params, ranks, word(luck, 0), worlds)
    else:
        deal_worlds(view, word(luck, 0), worlds)
    return worlds


@routine
def _add_solved(view, params, worlds, cards, number, values):
    """Value cards by the exact solution where few enough tricks are left; returns whether they are."""
    if TRICKS_PER_DEAL - view[know.TRICK] > params[view[know.PARAMS], SOLVE]:
        return False
    add_solved(view, worlds, cards, number, values, new_solver(_SOLVER_BITS))
    return True


@routine
def _preferred(view, ranks, cards, number):
    """The candidate that stands for heuristic's choice: the highest of its suit not above it."""
    card, best = heuristic.choose_card(view, ranks, 0), 0
    for candidate in range(number):
        if cards[candidate] <= card and cards[candidate] & lane_with(card):
            best = cards[candidate]
    return best


@helper
def _on_table(view):
    """Cards on the table."""
    lying = 0
    for order in range(view[know.ORDER]):
        lying |= view[know.TABLE + order]
    return lying


@routine
def _narrow(view, params, ranks, worlds, cards, number, values, preferred, key):
    """Value cards in nested play-outs, few of them in all worlds; returns how many are left.

    Sequential halving (Karnin, Koren and Somekh 2013): after a quarter of the worlds the better half goes
    on, after another quarter the best two.
    """
    row, count, done = view[know.PARAMS], worlds.shape[0], 0
    inner, mixed = int(params[row, INNER]), int(params[row, MIXED])
    for quarter in (1, 2, 4):
        until = (quarter * count + 3) // 4
        for world in range(done, until):
            if mixed and world % mixed == 0:
                add_played(view, params, ranks, worlds, world, cards, number, values, word(key, world))
            else:
                add_nested(view, ranks, worlds, world, cards, number, values, word(key, world), inner)
        done = until
        kept = min(number, max(2, (number + 1) // 2) if quarter == 1 else 2)
        bring_forward(cards, values, number, kept, preferred)
        number = kept
    return number


@routine
def _own_table(view, params):
    """Policies, parameters and ranks of three heuristic players with the weights of the one who thinks."""
    policies, rows = np.empty((3, 4), np.int64), np.empty((3, params.shape[1]))
    for seat in range(3):
        for kind in range(4):
            policies[seat, kind] = HEURISTIC
        for column in range(params.shape[1]):
            rows[seat, column] = params[view[know.PARAMS], column]
    return policies, rows, rank_promises(rows)


@helper
def _reset(view, scratch, private):
    """Go back to the moment of the decision: nobody has seen what a play-out showed."""
    for place in range(know.VIEW_SIZE):
        scratch[place] = view[place]
    scratch[know.FIRST_ROW] = 0
    for seat in range(3):
        for place in range(know.PRIVATE_SIZE):
            private[seat, place] = 0


@routine
def choose_return(view, params, luck):
    """Return the card of the best mean over sampled worlds, the other pulls and all tricks played out.

    The drawn card may not go back (R18); the pulls that follow draw blind (R17).
    """
    seat = view[know.SEAT]
    left = know.after(seat)
    right = know.after(left)
    worlds = np.empty((int(params[view[know.PARAMS], WORLDS]), 2), np.int64)
    deal_worlds(view, word(luck, 0), worlds)
    policies, rows, ranks = _own_table(view, params)
    cards, values = np.empty(MOST, np.int64), np.zeros(MOST, np.int64)
    number = list_members(view[know.LEGAL], cards)
    scratch, private = np.empty(know.VIEW_SIZE, np.int64), np.empty((3, know.PRIVATE_SIZE), np.int64)
    keys, log, hands = np.zeros(3, np.int64), np.empty(LOG_SIZE, np.int64), np.empty(3 * WIDTH, np.int64)
    pulls = word(luck, 1)
    for start in range(0, worlds.shape[0], WIDTH):
        used = min(WIDTH, worlds.shape[0] - start)
        for candidate in range(number):
            for lane in range(used):
                world = start + lane
                _reset(view, scratch, private)
                private[seat, know.CARDS] = view[know.HAND]
                private[left, know.CARDS] = worlds[world, LEFT]
                private[right, know.CARDS] = worlds[world, RIGHT]
                know.see_pull(scratch, private, seat, view[know.GIVER], view[know.DRAWN], cards[candidate])
                _pull_on(scratch, private, policies, rows, ranks, keys, word(pulls, world), log, hands, lane)
            values[candidate] += add_deals(hands, used, seat, ranks, view[know.SCORING])
    bring_forward(cards, values, number, 1, heuristic.choose_return(view, ranks, 0))
    return cards[0]


@routine
def _pull_on(view, private, policies, params, ranks, keys, pull_key, log, hands, lane):
    """Make the pulls that are left, and put the hands where the deal will be played out."""
    pull_debts(view, private, policies, params, ranks, keys, pull_key, log)
    for seat in range(3):
        hands[seat * WIDTH + lane] = trump_last(private[seat, know.CARDS], view[know.TRUMP])


@routine
def choose_trump(view, params, luck):
    """Take the book's option, or where it has none that of the best mean over sampled deals (R9, R10).

    All five options meet the same deals; the two that lead then meet more of them.
    """
    if opening.applies(view):
        return opening.verdict(view[know.HAND])
    count = int(params[view[know.PARAMS], WORLDS])
    options, values = np.arange(_OPTIONS), np.zeros(_OPTIONS, np.int64)
    _add_options(view, params, luck, 0, count, options, _OPTIONS, values)
    bring_forward(options, values, _OPTIONS, 2, heuristic.choose_trump(view, params))
    more = max(count, int(count * params[view[know.PARAMS], TRUMP_WORLDS]))
    _add_options(view, params, luck, count, more, options, 2, values)
    bring_forward(options, values, 2, 1, heuristic.choose_trump(view, params))
    return options[0]


@routine
def _add_options(view, params, key, first, last, options, number, values):
    """Play options out in deals from ``first`` on, up to but without ``last``, and add up their worth."""
    policies, rows, ranks = _own_table(view, params)
    scratch, private = np.empty(know.VIEW_SIZE, np.int64), np.empty((3, know.PRIVATE_SIZE), np.int64)
    keys, log, hands = np.zeros(3, np.int64), np.empty(LOG_SIZE, np.int64), np.empty(3 * WIDTH, np.int64)
    packets = np.empty((WIDTH, 4), np.int64)
    for start in range(first, last, WIDTH):
        used = min(WIDTH, last - start)
        for lane in range(used):
            next_three, last_two, three, two = deal_rest(PACK ^ view[know.HAND], word(key, start + lane))
            packets[lane, 0], packets[lane, 1] = next_three, last_two
            packets[lane, 2], packets[lane, 3] = three, two
        for place in range(number):
            for lane in range(used):
                next_three, last_two = packets[lane, 0], packets[lane, 1]
                three, two = packets[lane, 2], packets[lane, 3]
                _reset(view, scratch, private)
                private[0, know.CARDS] = view[know.HAND]
                _fix_trump(scratch, private, rows, next_three, options[place])
                take_hands(scratch, private, view[know.HAND] | next_three | last_two, three, two)
                pulls = word(word(key, start + lane), _PULLS_OF_DEAL)
                _pull_on(scratch, private, policies, rows, ranks, keys, pulls, log, hands, lane)
            values[place] += add_deals(hands, used, 0, ranks, view[know.SCORING])


@helper
def _fix_trump(view, private, params, next_three, option):
    """Fix trump by an option of the five, as :func:`sim.three_two_five.kernel.decide_trump` does."""
    trump = option
    if option == REVEAL:
        know.see_turned(view, private, next_three)
        suits = top_suits(next_three)
        trump = lowest_suit(suits)
        if not is_single(suits):
            know.show(view, private, 0, suits)
            trump = heuristic.choose_tie(view, params)
    know.see_trump(view, private, trump)


@routine
def choose_tie(view, params, luck):
    """Take the tied suit of the best mean over sampled deals, knowing eight cards (R11)."""
    count = int(params[view[know.PARAMS], WORLDS])
    policies, rows, ranks = _own_table(view, params)
    suits, values = np.empty(MOST, np.int64), np.zeros(MOST, np.int64)
    number = list_members(view[know.LEGAL], suits)
    scratch, private = np.empty(know.VIEW_SIZE, np.int64), np.empty((3, know.PRIVATE_SIZE), np.int64)
    keys, log, hands = np.zeros(3, np.int64), np.empty(LOG_SIZE, np.int64), np.empty(3 * WIDTH, np.int64)
    eight = view[know.HAND]
    for start in range(0, count, WIDTH):
        used = min(WIDTH, count - start)
        for place in range(number):
            for lane in range(used):
                deal = word(luck, start + lane)
                last_two = draw(PACK ^ eight, deal, 0, 2)
                three = draw(PACK ^ eight ^ last_two, deal, 2, TRICKS_PER_DEAL)
                five = eight | last_two
                _reset(view, scratch, private)
                know.see_trump(scratch, private, lowest_suit(suits[place]))
                take_hands(scratch, private, five, three, PACK ^ five ^ three)
                pulls = word(deal, _PULLS_OF_DEAL)
                _pull_on(scratch, private, policies, rows, ranks, keys, pulls, log, hands, lane)
            values[place] += add_deals(hands, used, 0, ranks, view[know.SCORING])
    preferred = 1 << heuristic.choose_tie(view, params)
    bring_forward(suits, values, number, 1, preferred)
    return lowest_suit(suits[0])


DECIDERS |= {
    ("card", ROLLOUT): Decider(rollout_card),
    ("card", NESTED): Decider(nested_card),
    ("return", SAMPLED): Decider(choose_return),
    ("trump", SAMPLED): Decider(choose_trump),
    ("tie", SAMPLED): Decider(choose_tie),
}
