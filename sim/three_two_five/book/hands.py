"""The first five cards: all 142,506 hands, and the classes in which suits may be exchanged.

With low sevens the suits come in two pairs that differ in nothing: spades and hearts have eight cards,
diamonds and clubs seven. Exchanging the suits of a pair leaves every value unchanged, so that 39,109
classes stand for all hands. With raised sevens (R31) hearts and spades differ, and only diamonds and
clubs may be exchanged.
"""

from functools import lru_cache
from itertools import combinations

import numpy as np

from sim.book.plan import HandClasses
from sim.three_two_five.cards import LANE, LANE_WIDTH, PACK

HAND_SIZE = 5
SUIT_SWAPS = ((0, 1, 2, 3), (1, 0, 2, 3), (0, 1, 3, 2), (1, 0, 3, 2))
"""Suit exchanges: what stands for S, H, D, C; hearts and spades stay where the sevens differ."""


def swaps(sevens: int) -> tuple[tuple[int, ...], ...]:
    """Suit exchanges that leave the game unchanged: four with low sevens, two otherwise (R31)."""
    return SUIT_SWAPS if sevens == 0 else SUIT_SWAPS[::2]


def exchange(hands: np.ndarray, swap: tuple[int, ...]) -> np.ndarray:
    """Exchange suits in many hands: suit ``s`` of the result is suit ``swap[s]`` of the hand."""
    result = np.zeros_like(hands)
    for suit, source in enumerate(swap):
        result |= ((hands >> (source * LANE_WIDTH)) & LANE) << (suit * LANE_WIDTH)
    return result


@lru_cache(maxsize=1)
def all_hands() -> np.ndarray:
    """Return every five-card hand as an int64 mask, shape (142506,)."""
    cards = np.array([1 << place for place in range(64) if PACK >> place & 1], np.int64)
    picks = np.array(list(combinations(range(cards.size), HAND_SIZE)))
    hands = cards[picks].sum(axis=1)
    hands.setflags(write=False)
    return hands


@lru_cache(maxsize=2)
def hand_classes(sevens: int) -> HandClasses:
    """Return the classes of hands under the exchanges that the sevens allow."""
    cards, weight = np.unique(canonical(all_hands(), sevens), return_counts=True)
    return HandClasses(cards, weight.astype(np.int64))


def canonical(hands: np.ndarray, sevens: int) -> np.ndarray:
    """Return the representative of each hand's class: the least mask that an exchange gives."""
    return np.min([exchange(hands, swap) for swap in swaps(sevens)], axis=0)


def locate(hand: int, sevens: int) -> tuple[int, tuple[int, ...]]:
    """Find a hand among the classes.

    Returns
    -------
    index : int
        Number of its class.
    swap : tuple of int
        Suit ``s`` of the representative is suit ``swap[s]`` of the hand.

    Raises
    ------
    ValueError
        If the mask is no hand of five cards.
    """
    classes = hand_classes(sevens)
    for swap in swaps(sevens):
        cards = exchange(np.array([hand], np.int64), swap)[0]
        index = int(np.searchsorted(classes.cards, cards))
        if index < classes.cards.size and classes.cards[index] == cards:
            return index, swap
    raise ValueError(f"a first hand has {HAND_SIZE} cards of the pack, not {int(hand).bit_count()}")
