"""The starter's hands: all 98,280 of five tiles, or 1,184,040 of seven.

No exchange of numbers keeps which totals of the ends score (F8), so that each hand is a class of its own.
"""

from functools import lru_cache
from math import comb

import numpy as np

from sim.book.plan import HandClasses
from sim.fives_and_threes.tiles import TILES


@lru_cache(maxsize=4)
def hand_classes(size: int) -> HandClasses:
    """Return every hand of a size, each for itself."""
    hands = all_hands(size)
    return HandClasses(hands, np.ones(hands.size, np.int64))


def all_hands(size: int) -> np.ndarray:
    """Return every hand of a size as an int64 mask, ascending, shape (C(28, size),)."""
    hands = np.zeros(1, np.int64)
    for held in range(size):
        # The hands below one highest tile are the first ones of those with a tile less.
        hands = np.concatenate([hands[: comb(tile, held)] | 1 << tile for tile in range(TILES)])
    hands.setflags(write=False)
    return hands


def locate(hand: int, size: int) -> int:
    """Return the number of a hand among all of its size.

    Raises
    ------
    ValueError
        If the mask is no hand of that many tiles.
    """
    hands = hand_classes(size).cards
    place = int(np.searchsorted(hands, hand))
    if place == hands.size or hands[place] != hand:
        raise ValueError(f"an opening hand has {size} tiles of the set, not {int(hand).bit_count()}")
    return place
