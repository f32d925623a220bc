"""The game of 3-2-5 played by compiled code: deal, decide, pull, ten tricks, match.

Every function is a pure function of its arguments. Scratch rows are allocated once a batch; nothing
is validated here but what a strategy answers, and errors leave as status codes.
"""

import numpy as np

from sim.core.bits import pick, popcount
from sim.core.draw import draw
from sim.core.jit import helper, kernel
from sim.core.rng import INDEX_STRIDE, PLAYER, PULLS, SHUFFLE, START, below, stream_key, word
from sim.three_two_five import knowledge as know
from sim.three_two_five.cards import PACK, raise_sevens, returnable, top_suits
from sim.three_two_five.ranks import rank_promises
from sim.three_two_five.registers import all_random, all_simple, play_random_tricks, play_simple_tricks
from sim.three_two_five.rules import (
    DIFFERENCE,
    REVEAL,
    RULE_LENGTH,
    RULE_PULLS,
    RULE_SCORING,
    RULE_SEVENS,
    SURPLUS,
    TRICKS_PER_DEAL,
)
from sim.three_two_five.strategies import (
    BY_CARD,
    BY_RETURN,
    BY_TIE,
    BY_TRUMP,
    WORD_CARD,
    WORD_RETURN,
    WORD_TIE,
    WORD_TRUMP,
    choose_card,
    choose_return,
    choose_tie,
    choose_trump,
    lowest_suit,
)
from sim.three_two_five.tricks import legal_cards

OK, BAD_TRUMP, BAD_TIE, BAD_RETURN, BAD_CARD = 0, 1, 2, 3, 4
"""Status: fine, or which decision a strategy answered outside the rules; + 8 * seat."""

# Columns of a row, one row a deal.
(
    DEALER,
    CHOICE,
    TRUMP,
    TRICKS_FIVE,
    TRICKS_THREE,
    TRICKS_TWO,
    SCORE_FIVE,
    SCORE_THREE,
    SCORE_TWO,
    DEBT_FIVE,
    DEBT_THREE,
    DEBT_TWO,
    COLUMNS,
) = range(13)

# The log of one deal.
LOG_HANDS = 0
"""+ seat: ten cards as dealt, plain sevens."""
LOG_TURNED, LOG_CHOICE, LOG_TRUMP, LOG_PULLS = 3, 4, 5, 6
LOG_PULL = 7
"""+ 4 * number: taker, giver, drawn, returned."""
LOG_TRICK = 39
"""+ 4 * trick: leader, then three cards in order of play."""
LOG_SIZE = 79


@helper
def deal_rest(rest, key):
    """Deal the twenty-five cards left after the first five (R8).

    Returns
    -------
    tuple of int64
        The five's next three (deck places 15–17), its last two, and the ten cards of three and two.
    """
    next_three = draw(rest, key, 5, 3)
    rest ^= next_three
    last_two = draw(rest, key, 8, 2)
    rest ^= last_two
    three = draw(rest, key, 10, 10)
    return next_three, last_two, three, rest ^ three


@helper
def score_of(tricks, quota, scoring):
    """Score of a deal (R26)."""
    if scoring == DIFFERENCE:
        return tricks - quota
    if scoring == SURPLUS:
        return max(0, tricks - quota)
    return tricks


@helper
def quota_of(seat):
    """Tricks that a seat owes (R5)."""
    return 5 if seat == 0 else (3 if seat == 1 else 2)


@helper
def player_at(seat, dealer):
    """Player on a seat: the five sits after the dealer (R5)."""
    return (dealer + 1 + seat) % 3


@helper
def decide_trump(view, private, policies, params, keys, next_three, forced):
    """Let the five call or reveal and fix the trump (R9–R12).

    ``forced`` is an option to play out, or -1 to ask the strategy. Returns a status.
    """
    option = forced
    if option < 0:
        know.show(view, private, 0, 0b1111)
        option = choose_trump(policies[view[know.PARAMS], BY_TRUMP], view, params, word(keys[0], WORD_TRUMP))
        if option < 0 or option > REVEAL:
            return BAD_TRUMP
    trump = option
    if option == REVEAL:
        know.see_turned(view, private, next_three)
        suits = top_suits(next_three)
        trump = lowest_suit(suits)
        if popcount(suits) > 1:
            know.show(view, private, 0, suits)
            trump = choose_tie(policies[view[know.PARAMS], BY_TIE], view, params, word(keys[0], WORD_TIE))
            if trump < 0 or trump > 3 or not suits >> trump & 1:
                return BAD_TIE
    know.see_trump(view, private, trump)
    return OK


@helper
def take_hands(view, private, five, three, two):
    """Give every seat its ten cards, with raised sevens where the rule has them (R31)."""
    trump, sevens = view[know.TRUMP], view[know.SEVENS]
    private[0, know.CARDS] = raise_sevens(five, trump, sevens)
    private[1, know.CARDS] = raise_sevens(three, trump, sevens)
    private[2, know.CARDS] = raise_sevens(two, trump, sevens)


@helper
def pull_one(view, private, policies, params, ranks, keys, pull_key, number, taker, giver, log):
    """Draw one card blind and return another (R17–R20). Returns a status."""
    drawn = pick(private[giver, know.CARDS], below(word(pull_key, number), TRICKS_PER_DEAL))
    know.see_draw(view, private, taker, giver, drawn)
    legal = returnable(private[taker, know.CARDS], drawn)
    know.show(view, private, taker, legal)
    luck = word(keys[taker], WORD_RETURN + number)
    returned = choose_return(policies[view[know.PARAMS], BY_RETURN], view, params, ranks, luck)
    if not returned & legal or popcount(returned) != 1:
        return BAD_RETURN
    know.see_pull(view, private, taker, giver, drawn, returned)
    place = LOG_PULL + 4 * number
    log[place], log[place + 1], log[place + 2], log[place + 3] = taker, giver, drawn, returned
    return OK


@helper
def pull_debts(view, private, policies, params, ranks, keys, pull_key, log):
    """Make all pulls that are left: takers from the five on, givers from the dealer on (R14–R16).

    Returns a status, + 8 * seat of the strategy that answered outside the rules.
    """
    if view[know.DEBT] == 0 and view[know.DEBT + 1] == 0 and view[know.DEBT + 2] == 0:
        return OK
    number = 0
    for pair in range(9):
        number += view[know.PULLED + pair]
    for taker in range(3):
        owed = max(0, view[know.DEBT + taker]) - _taken(view, taker)
        for step in range(3):
            giver = (step + 2) % 3
            suffers = max(0, -view[know.DEBT + giver]) - _suffered(view, giver)
            for _ in range(min(owed, suffers)):
                status = pull_one(
                    view, private, policies, params, ranks, keys, pull_key, number, taker, giver, log
                )
                if status != OK:
                    return status + 8 * taker
                number += 1
                owed -= 1
    log[LOG_PULLS] = number
    return OK


@helper
def _taken(view, taker):
    """Pulls that a taker has made in this deal so far."""
    row = know.PULLED + 3 * taker
    return view[row] + view[row + 1] + view[row + 2]


@helper
def _suffered(view, giver):
    """Pulls that a giver has suffered in this deal so far."""
    return view[know.PULLED + giver] + view[know.PULLED + 3 + giver] + view[know.PULLED + 6 + giver]


@helper
def play_tricks(view, private, policies, params, ranks, keys, log):
    """Play the ten tricks (R22–R25). Returns a status, + 8 * seat as :func:`pull_debts`."""
    for trick in range(TRICKS_PER_DEAL):
        seat = view[know.LEADER]
        log[LOG_TRICK + 4 * trick] = seat
        for order in range(3):
            legal = legal_cards(private[seat, know.CARDS], view[know.LED])
            know.show(view, private, seat, legal)
            luck = word(keys[seat], WORD_CARD + trick)
            card = choose_card(policies[view[know.PARAMS], BY_CARD], view, params, ranks, luck)
            if not card & legal or popcount(card) != 1:
                return BAD_CARD + 8 * seat
            know.see_card(view, private, seat, card)
            log[LOG_TRICK + 4 * trick + 1 + order] = card
            seat = know.after(seat)
        know.close_trick(view)
    return OK


@helper
def play_deal(
    view, private, policies, params, ranks, keys, pull_key, first_five, packets, forced, log, traced
):  # fmt: skip
    """Play one deal from the decision to the last trick.

    Parameters
    ----------
    view, private : int64 arrays
        Scratch of :mod:`sim.three_two_five.knowledge`; rules, debts and scores are set.
    policies, params, ranks : int64 (9, 4), float64 (9, P) and int64 (9, SIZE) arrays
        Strategies, row 3 * dealer + seat; ranks as :mod:`sim.three_two_five.ranks` makes them of ``params``.
    keys : int64 (3,) array
        Keys of the players' own streams, by seat.
    pull_key : int64
        Key of the blind draws.
    first_five : int64
        The five's first cards.
    packets : tuple of int64
        The other twenty-five, as :func:`deal_rest` deals them.
    forced : int64
        Option of the five to play out, or -1 to ask its strategy.
    log : int64 (LOG_SIZE,) array
        Receives the whole course of the deal, if ``traced``.

    Returns
    -------
    int64
        Status, + 8 * seat of the strategy that answered outside the rules.
    """
    know.start_deal(view, private, first_five)
    next_three, last_two, three, two = packets
    status = decide_trump(view, private, policies, params, keys, next_three, forced)
    if status != OK:
        return status
    five = first_five | next_three | last_two
    take_hands(view, private, five, three, two)
    if traced:
        log[LOG_HANDS], log[LOG_HANDS + 1], log[LOG_HANDS + 2] = five, three, two
        log[LOG_TURNED], log[LOG_CHOICE] = view[know.TURNED], view[know.CHOICE]
        log[LOG_TRUMP], log[LOG_PULLS] = view[know.TRUMP], 0
    status = pull_debts(view, private, policies, params, ranks, keys, pull_key, log)
    if status != OK:
        return status
    if not traced and all_random(policies, view[know.FIRST_ROW]):
        play_random_tricks(view, private, keys)
        return OK
    if not traced and all_simple(policies, view[know.FIRST_ROW]):
        play_simple_tricks(view, private, policies, ranks, keys)
        return OK
    return play_tricks(view, private, policies, params, ranks, keys, log)


@helper
def open_match(view, seed, match, rules):
    """Clear scores and debts and draw the first dealer (R7); returns the dealer."""
    view[know.SEVENS] = rules[RULE_SEVENS]
    view[know.SCORING] = rules[RULE_SCORING]
    view[know.LENGTH] = rules[RULE_LENGTH]
    for seat in range(3):
        view[know.DEBT + seat] = 0
        view[know.SCORE + seat] = 0
    return below(stream_key(seed, START, match), 3)


@helper
def close_deal(view, rules, dealer, rows, r):
    """Write the row of a finished deal and turn the table for the next one (R6, R14, R26).

    The seats move: who was three sits five next, two sits three, five sits two.
    """
    scoring = rules[RULE_SCORING]
    rows[r, DEALER], rows[r, CHOICE], rows[r, TRUMP] = dealer, view[know.CHOICE], view[know.TRUMP]
    surplus_five = view[know.TRICKS] - quota_of(0)
    surplus_three = view[know.TRICKS + 1] - quota_of(1)
    surplus_two = view[know.TRICKS + 2] - quota_of(2)
    for seat in range(3):
        tricks = view[know.TRICKS + seat]
        score = score_of(tricks, quota_of(seat), scoring)
        rows[r, TRICKS_FIVE + seat] = tricks
        rows[r, SCORE_FIVE + seat] = score
        rows[r, DEBT_FIVE + seat] = view[know.DEBT + seat]
        view[know.SCORE + seat] += score
    five, three, two = view[know.SCORE], view[know.SCORE + 1], view[know.SCORE + 2]
    view[know.SCORE], view[know.SCORE + 1], view[know.SCORE + 2] = three, two, five
    if rules[RULE_PULLS]:
        view[know.DEBT] = surplus_three
        view[know.DEBT + 1] = surplus_two
        view[know.DEBT + 2] = surplus_five


@kernel
def play_matches(seed, first_match, rules, policies, params, rows, log, traced):
    """Play consecutive matches and write one row a deal.

    Parameters
    ----------
    seed, first_match : int
        The run's seed and the number of the first match.
    rules : int64 (4,) array
        As :meth:`Rules.row` gives it.
    policies, params : int64 (9, 4) and float64 (9, P) arrays
        Policy for each kind of decision, and parameters, of the strategy in row 3 * dealer + seat.
    rows : int8 (deals, COLUMNS) array
        Filled. Row ``r`` is deal ``r % length`` of match ``first_match + r // length``; the last
        match may be cut short.
    log : int64 (LOG_SIZE,) array
        Holds the course of the last deal afterwards, if ``traced``.
    traced : bool
        Whether the log is wanted.

    Returns
    -------
    tuple of int
        Status (0 is fine) and the row where it arose.
    """
    view = np.zeros(know.VIEW_SIZE, np.int64)
    private = np.zeros((3, know.PRIVATE_SIZE), np.int64)
    keys, ranks = np.zeros(3, np.int64), rank_promises(params)
    roots = np.array([word(seed, PLAYER), word(seed, PLAYER + 1), word(seed, PLAYER + 2)])
    shuffle_root, pulls_root = word(seed, SHUFFLE), word(seed, PULLS)
    length = rules[RULE_LENGTH]
    dealer = 0
    for r in range(rows.shape[0]):
        match, deal = first_match + r // length, r % length
        if deal == 0:
            dealer = open_match(view, seed, match, rules)
        view[know.DEAL] = deal
        view[know.FIRST_ROW] = 3 * dealer
        index = match * INDEX_STRIDE + deal
        for seat in range(3):
            keys[seat] = word(roots[player_at(seat, dealer)], index)
        deal_key = word(shuffle_root, index)
        pull_key = word(pulls_root, index)
        first_five = draw(PACK, deal_key, 0, 5)
        status = play_deal(
            view, private, policies, params, ranks, keys, pull_key,
            first_five, deal_rest(PACK ^ first_five, deal_key), -1, log, traced,
        )  # fmt: skip
        if status != OK:
            return status, r
        close_deal(view, rules, dealer, rows, r)
        dealer = (dealer + 1) % 3
    return OK, 0
