"""What the heuristic's weights promise for a card, as ranks: whole numbers in the same order.

A promise depends on a few small counts alone: how many of a suit are out, how many of them are higher. So
a strategy's promises are worked out once, into a row of a table. Whole numbers compare as quickly as they
add, and the better of two is chosen without a jump on every processor, which floats are not.

Places of a row:

``CASH``   + trumps out * COUNTS + cards of the suit out: leading a master
``KEPT``   + COUNTS where it is the only one of its suit and trumps are held, + higher cards out: leading low
``DRAW``   + COUNTS**2 where the highest trump is held, + own trumps * COUNTS + trumps out: leading trumps
``THROW``  + COUNTS * (0 a plain card, 1 the guard of another, 2 a master) + cards below it: throwing it
``NO_LEAD``, ``NO_THROW``  there is no card of the suit
``COVER``  the least number of higher cards out with which a card is not played second
"""

import numpy as np

from sim.core.jit import allocating, helper

COUNTS = 11
"""A hand holds 0 to 10 cards, and so many may be out."""
CASH = 0
KEPT = CASH + COUNTS * COUNTS
DRAW = KEPT + 2 * COUNTS
THROW = DRAW + 2 * COUNTS * COUNTS
NO_LEAD = THROW + 3 * COUNTS
NO_THROW = NO_LEAD + 1
COVER = NO_THROW + 1
SIZE = COVER + 1

FIRST_WEIGHT = 16
"""Column of ``params`` of the first weight of :data:`CARD_WEIGHTS`."""
CARD_WEIGHTS = {
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
    _CASH, _RUFFED, _DRAW, _DRAW_LENGTH, _LOW_TRUMP, _LOW_PLAIN, _LOW_SINGLE, _LOW_HIGHER,
    _COVER, _THROW_RANK, _THROW_GUARD, _THROW_MASTER,
) = range(FIRST_WEIGHT, FIRST_WEIGHT + len(CARD_WEIGHTS))  # fmt: skip

_WORST = -1e9
_HALVED = 0.5 ** np.arange(33)
_VOID_CHANCE = np.minimum(1.0, 2.0 * _HALVED)
"""Chance that one of two equal hands has none of n cards of a suit, by n: about 2 ** (1 - n)."""
_ALL_BUT_SIGN = (1 << 63) - 1


@allocating
def rank_promises(params):
    """Work out what each strategy's weights promise.

    Parameters
    ----------
    params : float64 (rows, P) array
        Parameters of strategies.

    Returns
    -------
    int64 (rows, SIZE) array
        Ranks, as the module describes them.
    """
    promises = np.empty((params.shape[0], SIZE))
    for row in range(params.shape[0]):
        _promise_leads(params[row], promises[row])
        _promise_throws(params[row], promises[row])
        for place in range(COVER):
            # Of the two zeros of floats the positive one.
            promises[row, place] += 0.0
    ranks = promises.view(np.int64)
    for row in range(params.shape[0]):
        for place in range(COVER):
            ranks[row, place] ^= (ranks[row, place] >> 63) & _ALL_BUT_SIGN
        ranks[row, COVER] = _least_uncovered(params[row, _COVER])
    return ranks


@helper
def _promise_leads(weights, promises):
    """Fill in CASH, KEPT, DRAW and NO_LEAD, in tricks."""
    for trumps_out in range(COUNTS):
        ruff = weights[_RUFFED] * (1.0 - _HALVED[trumps_out])
        for out in range(COUNTS):
            promises[CASH + COUNTS * trumps_out + out] = weights[_CASH] - ruff * _VOID_CHANCE[out]
    for higher in range(COUNTS):
        kept = weights[_LOW_PLAIN] + weights[_LOW_HIGHER] * higher
        promises[KEPT + higher] = kept
        promises[KEPT + COUNTS + higher] = kept + weights[_LOW_SINGLE]
    for own in range(COUNTS):
        for out in range(COUNTS):
            ahead, place = weights[_DRAW_LENGTH] * (2 * own - out), DRAW + COUNTS * own + out
            drawn = (weights[_DRAW] if out else 1.0) + ahead
            promises[place] = weights[_LOW_TRUMP] + ahead if own else _WORST
            promises[place + COUNTS * COUNTS] = drawn if own else _WORST
    promises[NO_LEAD] = _WORST


@helper
def _promise_throws(weights, promises):
    """Fill in THROW and NO_THROW: what is missed."""
    for below in range(COUNTS):
        missed = weights[_THROW_RANK] * below
        promises[THROW + below] = missed
        promises[THROW + COUNTS + below] = missed + weights[_THROW_GUARD]
        promises[THROW + 2 * COUNTS + below] = missed + weights[_THROW_MASTER]
    promises[NO_THROW] = -_WORST


@helper
def _least_uncovered(cover):
    """Least number of higher cards out that leave a card too small a chance to stand."""
    higher = 0
    while higher < COUNTS and _HALVED[higher] >= cover:
        higher += 1
    return higher
