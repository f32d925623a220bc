"""The opening book as the players use it: the best option of every first hand, nothing else.

``data/opening.npy`` is made from the book that comes with the package (``make book`` makes both), whose
values hold for a first deal, low sevens, and scores that count tricks.
"""

from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np

from sim.core.bits import lowest, popcount
from sim.core.jit import helper
from sim.three_two_five import knowledge as know
from sim.three_two_five.book.hands import HAND_SIZE, all_hands, canonical, exchange, hand_classes, swaps
from sim.three_two_five.cards import PACK
from sim.three_two_five.rules import REVEAL, SURPLUS

VERDICTS = Path(__file__).parent / "data" / "opening.npy"
_BEST = np.load(VERDICTS)
_CHOOSE = np.array([[comb(n, k) for k in range(HAND_SIZE + 1)] for n in range(popcount(PACK))])


@helper
def applies(view):
    """Whether the book is about this decision: low sevens, no debts, a score that counts tricks."""
    debts = view[know.DEBT] | view[know.DEBT + 1] | view[know.DEBT + 2]
    return view[know.SEVENS] == 0 and view[know.SCORING] != SURPLUS and debts == 0


@helper
def verdict(hand):
    """Best option of a first hand: a suit to call, or REVEAL (R9)."""
    return np.int64(_BEST[number_of(hand)])


@helper
def number_of(hand):
    """Number of a hand of five among all 142,506, in the combinatorial number system."""
    number, size = 0, 0
    while hand:
        card = lowest(hand)
        hand ^= card
        size += 1
        number += _CHOOSE[popcount(PACK & (card - 1)), size]
    return number


def verdicts(best: np.ndarray) -> np.ndarray:
    """Spread the verdicts of the classes over all hands.

    Parameters
    ----------
    best : int (39109,) array
        Best option of each class of :func:`sim.three_two_five.book.hands.hand_classes` with low sevens.

    Returns
    -------
    int8 (142506,) array
        By :func:`number_of` a hand.
    """
    places = np.array(list(combinations(range(popcount(PACK)), HAND_SIZE)))
    numbers = _CHOOSE[places, np.arange(1, HAND_SIZE + 1)].sum(axis=1)
    hands = all_hands()
    representatives = canonical(hands, 0)
    of_class = best[np.searchsorted(hand_classes(0).cards, representatives)]
    spread = np.zeros(numbers.size, np.int8)
    # Of exchanges that give the same the first one counts, as in `locate`.
    for swap in reversed(swaps(0)):
        fits = exchange(hands, swap) == representatives
        spread[numbers[fits]] = np.array([*swap, REVEAL])[of_class[fits]]
    return spread
