"""Every option of the trump maker played out on the same deals (R13): call a suit, or reveal.

A *hand* is the five's first five cards. Each hand meets many completions of the deal, and for each of
them all five options are played with the same hidden cards and the same random words. Completions
fall into two halves, so that what looks best in one half can be judged on the other.

Counters, one entry a hand:

``cards`` (hands,)
    The first five cards as a mask.
``count`` (hands, 2)
    Completions by half.
``sums`` (hands, 2, 5)
    Sum of the five's score by half and option: S, H, D, C, reveal.
``gram`` (hands, 2, 5, 5)
    Sum of products of those scores.
``made`` (hands, 2, 5)
    Completions in which the five took five tricks or more.
"""

import numpy as np

from sim.core.draw import draw
from sim.core.jit import kernel
from sim.core.products import add_products
from sim.core.rng import HANDS, INDEX_STRIDE, PLAYER, SHUFFLE, stream_key, word
from sim.three_two_five import knowledge as know
from sim.three_two_five.cards import PACK
from sim.three_two_five.kernel import (
    LOG_SIZE,
    OK,
    deal_rest,
    open_match,
    play_deal,
    quota_of,
    score_of,
)
from sim.three_two_five.ranks import rank_promises
from sim.three_two_five.rules import REVEAL, RULE_SCORING

OPTIONS = ("S", "H", "D", "C", "reveal")
HALVES = 2
_FIVE_AFTER_DEALER_TWO = 2


def blank(hands: int) -> dict[str, np.ndarray]:
    """Zero counters for a number of hands."""
    n = len(OPTIONS)
    shapes = {
        "cards": (),
        "count": (HALVES,),
        "sums": (HALVES, n),
        "gram": (HALVES, n, n),
        "made": (HALVES, n),
    }
    return {name: np.zeros((hands, *shape), np.int64) for name, shape in shapes.items()}


@kernel
def play_options(seed, first_hand, completions, rules, policies, params, cards, count, sums, gram, made):
    """Play out all options of consecutive hands.

    Parameters
    ----------
    seed, first_hand : int
        The run's seed and the number of the first hand.
    completions : int
        Deals for each hand; odd ones form the second half.
    rules, policies, params : arrays
        As for :func:`sim.three_two_five.kernel.play_matches`; player 0 is the five.
    cards, count, sums, gram, made : int64 arrays
        Filled, as the module describes them.

    Returns
    -------
    tuple of int
        Status (0 is fine) and the hand where it arose.
    """
    view = np.zeros(know.VIEW_SIZE, np.int64)
    private = np.zeros((3, know.PRIVATE_SIZE), np.int64)
    log = np.zeros(LOG_SIZE, np.int64)
    keys = np.zeros(3, np.int64)
    values, ranks = np.zeros(REVEAL + 1, np.int64), rank_promises(params)
    flat_sums = sums.reshape((-1, values.size))
    flat_gram = gram.reshape((-1, values.size, values.size))
    open_match(view, seed, 0, rules)
    view[know.FIRST_ROW] = 3 * _FIVE_AFTER_DEALER_TWO
    for h in range(cards.shape[0]):
        hand_key = stream_key(seed, HANDS, first_hand + h)
        first_five = draw(PACK, hand_key, 0, 5)
        cards[h] = first_five
        for completion in range(completions):
            half = completion & 1
            deal_key = word(word(hand_key, SHUFFLE + INDEX_STRIDE), completion)
            for seat in range(3):
                keys[seat] = word(word(hand_key, PLAYER + INDEX_STRIDE + seat), completion)
            packets = deal_rest(PACK ^ first_five, deal_key)
            for option in range(REVEAL + 1):
                status = play_deal(
                    view, private, policies, params, ranks, keys, 0, first_five, packets, option, log, False,
                )  # fmt: skip
                if status != OK:
                    return status, h
                tricks = view[know.TRICKS]
                values[option] = score_of(tricks, quota_of(0), rules[RULE_SCORING])
                made[h, half, option] += tricks >= quota_of(0)
            count[h, half] += 1
            add_products(values, HALVES * h + half, flat_sums, flat_gram)
    return OK, 0
