"""Deals of 3-2-5 from given debts, matches from given scores, and what each option of the five leads to.

An *outcome* is the tricks of five, three and two, one of 66. It settles the scores of a deal (R26) and the
debts of the next one (R14), so that what a deal can lead to depends on the outcome before it alone, as long
as the players do not look at the match score. That is its *row*; before the first deal, and without pulls,
it is that of the three exact quotas.
"""

import numpy as np

from sim.core.draw import draw
from sim.core.jit import helper, kernel
from sim.core.rng import EQUITY, INDEX_STRIDE, PLAYER, PULLS, SHUFFLE, word
from sim.three_two_five import knowledge as know
from sim.three_two_five.cards import PACK
from sim.three_two_five.kernel import (
    COLUMNS,
    LOG_SIZE,
    OK,
    close_deal,
    deal_rest,
    open_match,
    play_deal,
    player_at,
)
from sim.three_two_five.ranks import rank_promises
from sim.three_two_five.rules import QUOTAS, REVEAL, RULE_LENGTH, TRICKS_PER_DEAL

OUTCOMES = np.array(
    [
        (five, three, TRICKS_PER_DEAL - five - three)
        for five in range(TRICKS_PER_DEAL + 1)
        for three in range(TRICKS_PER_DEAL + 1 - five)
    ],
    np.int64,
)
"""Tricks of five, three and two: int64 (66, 3)."""
SURPLUSES = OUTCOMES - np.array(QUOTAS)
EXACT = int(np.flatnonzero((SURPLUSES == 0).all(axis=1))[0])
"""The outcome that leaves no debts."""
DEBTS = SURPLUSES[:, [1, 2, 0]]
"""Pulls of the next deal's five, three and two after each outcome: the seats move (R6)."""
_DEALER = 2
"""So that player 0 is the five."""


@helper
def outcome_of(five, three):
    """Number of the outcome with these tricks."""
    return five * (TRICKS_PER_DEAL + 1) - five * (five - 1) // 2 + three


@helper
def _set_debts(view, debts):
    """Let pulls be owed, in a deal after the first one if there are any."""
    view[know.DEAL] = 1 if debts[0] or debts[1] or debts[2] else 0
    for seat in range(3):
        view[know.DEBT + seat] = debts[seat]


@kernel
def play_deals(seed, rules, policies, params, start, first, more, debts, counts):
    """Play deals from consecutive rows and count their outcomes.

    Parameters
    ----------
    seed : int
        The plan's seed.
    rules, policies, params : arrays
        As for :func:`sim.three_two_five.kernel.play_matches`; player 0 is the five.
    start : int
        Number of the first row.
    first, more : int64 (n,) arrays
        Number of the first deal from each row, and how many to play.
    debts : int64 (rows, 3) array
        Pulls of five, three and two.
    counts : int64 (n, 66) array
        Added to.

    Returns
    -------
    tuple of int
        Status (0 is fine) and the row where it arose.
    """
    view = np.zeros(know.VIEW_SIZE, np.int64)
    private = np.zeros((3, know.PRIVATE_SIZE), np.int64)
    log, keys, ranks = np.zeros(LOG_SIZE, np.int64), np.zeros(3, np.int64), rank_promises(params)
    open_match(view, seed, 0, rules)
    view[know.FIRST_ROW] = 3 * _DEALER
    for r in range(first.size):
        _set_debts(view, debts[start + r])
        row_key = word(word(seed, EQUITY), start + r)
        shuffles, pulls = word(row_key, SHUFFLE), word(row_key, PULLS)
        for number in range(first[r], first[r] + more[r]):
            for seat in range(3):
                keys[seat] = word(word(row_key, PLAYER + seat), number)
            deal_key = word(shuffles, number)
            five = draw(PACK, deal_key, 0, 5)
            status = play_deal(
                view, private, policies, params, ranks, keys, word(pulls, number),
                five, deal_rest(PACK ^ five, deal_key), -1, log, False,
            )  # fmt: skip
            if status != OK:
                return status, start + r
            counts[r, outcome_of(view[know.TRICKS], view[know.TRICKS + 1])] += 1
    return OK, 0


@kernel
def play_on(seed, first, matches, rules, policies, params, scores, deals_left, debts, wins, ties):
    """Play matches on from where they stand.

    Match ``m`` has the cards of match ``m`` of an ordinary run with this seed: from its first deal, and where
    player 2 was drawn to deal, it is that match.

    Parameters
    ----------
    seed, first, matches : int
        Seed, number of the first match, and how many to play.
    rules, policies, params : arrays
        As for :func:`sim.three_two_five.kernel.play_matches`; player 0 is the next five.
    scores, debts : int64 (3,) arrays
        Match scores, and pulls of the next deal, of five, three and two.
    deals_left : int
        At most the length of a match.
    wins, ties : int64 (3,) arrays
        Added to, by player: matches won alone, and those in which the top is shared.

    Returns
    -------
    tuple of int
        Status (0 is fine) and the match where it arose.
    """
    view = np.zeros(know.VIEW_SIZE, np.int64)
    private = np.zeros((3, know.PRIVATE_SIZE), np.int64)
    log, keys, ranks = np.zeros(LOG_SIZE, np.int64), np.zeros(3, np.int64), rank_promises(params)
    rows, final = np.zeros((1, COLUMNS), np.int64), np.zeros(3, np.int64)
    length = rules[RULE_LENGTH]
    for match in range(first, first + matches):
        open_match(view, seed, match, rules)
        dealer = _DEALER
        for seat in range(3):
            view[know.SCORE + seat], view[know.DEBT + seat] = scores[seat], debts[seat]
        for deal in range(length - deals_left, length):
            view[know.DEAL], view[know.FIRST_ROW] = deal, 3 * dealer
            index = match * INDEX_STRIDE + deal
            for seat in range(3):
                keys[seat] = word(word(seed, PLAYER + player_at(seat, dealer)), index)
            deal_key = word(word(seed, SHUFFLE), index)
            five = draw(PACK, deal_key, 0, 5)
            status = play_deal(
                view, private, policies, params, ranks, keys, word(word(seed, PULLS), index),
                five, deal_rest(PACK ^ five, deal_key), -1, log, False,
            )  # fmt: skip
            if status != OK:
                return status, match
            close_deal(view, rules, dealer, rows, 0)
            dealer = (dealer + 1) % 3
        for seat in range(3):
            final[player_at(seat, dealer)] = view[know.SCORE + seat]
        _count_top(final, wins, ties)
    return OK, 0


@helper
def _count_top(final, wins, ties):
    """Count who ends at the top, alone or with others (R7)."""
    top = max(final[0], final[1], final[2])
    at_top = (final[0] == top) + (final[1] == top) + (final[2] == top)
    for player in range(3):
        if final[player] == top:
            if at_top == 1:
                wins[player] += 1
            else:
                ties[player] += 1


@kernel
def play_outcomes(seed, completions, rules, policies, params, debts, cards, counts):
    """Play out all options of many first hands on common deals and count their outcomes.

    Parameters
    ----------
    seed, completions : int
        Seed, and deals for each hand; odd ones form the second half.
    rules, policies, params : arrays
        As for :func:`play_deals`.
    debts : int64 (3,) array
        Pulls of five, three and two.
    cards : int64 (hands,) array
        First five cards.
    counts : int64 (hands, 2, 5, 66) array
        Added to: by half, option (S, H, D, C, reveal) and outcome.

    Returns
    -------
    tuple of int
        Status (0 is fine) and the hand where it arose.
    """
    view = np.zeros(know.VIEW_SIZE, np.int64)
    private = np.zeros((3, know.PRIVATE_SIZE), np.int64)
    log, keys, ranks = np.zeros(LOG_SIZE, np.int64), np.zeros(3, np.int64), rank_promises(params)
    open_match(view, seed, 0, rules)
    view[know.FIRST_ROW] = 3 * _DEALER
    _set_debts(view, debts)
    for h in range(cards.size):
        hand_key = word(word(seed, EQUITY), cards[h])
        shuffles, pulls = word(hand_key, SHUFFLE), word(hand_key, PULLS)
        for completion in range(completions):
            for seat in range(3):
                keys[seat] = word(word(hand_key, PLAYER + seat), completion)
            packets = deal_rest(PACK ^ cards[h], word(shuffles, completion))
            for option in range(REVEAL + 1):
                status = play_deal(
                    view, private, policies, params, ranks, keys, word(pulls, completion),
                    cards[h], packets, option, log, False,
                )  # fmt: skip
                if status != OK:
                    return status, h
                outcome = outcome_of(view[know.TRICKS], view[know.TRICKS + 1])
                counts[h, completion & 1, option, outcome] += 1
    return OK, 0
