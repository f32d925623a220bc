"""What a person sees of each suit of the first five cards, and what can be asked about it.

Suits come in a hand's own order (:func:`analysis.three_two_five.hands.suit_order`): the longest first, among
equally long ones the higher, card by card. Whatever else is equal, the earlier suit is taken.
"""

from collections.abc import Mapping

import numpy as np

from analysis.three_two_five.hands import lanes, suit_order
from sim.three_two_five.cards import PACK, RANKS

COUNTED = {
    "length": "for every card",
    "short": "if it is diamonds or clubs",
    "ace": "for the ace",
    "king": "for the king",
    "queen": "for the queen",
    "jack": "for the jack",
    "side aces": "for every ace of another suit",
    "side kings": "for every king of another suit",
}
"""Facts that can be counted in points, and what a person counts them for."""

PREFERRED = {
    "length": (1, "the longest suit"),
    "ace": (-1, "without the ace"),
    "short": (1, "in diamonds or clubs"),
    "courts": (1, "with more of king and queen"),
}
"""Facts by which one of several suits can be preferred: 1 for the most, -1 for the least of it."""

QUESTIONS = {
    "has it three cards or more": ("length", 3),
    "has the hand all four suits": ("suits", 4),
    "has it the ace": ("ace", 1),
    "has it the king": ("king", 1),
    "has it the queen": ("queen", 1),
    "has it king or queen": ("courts", 1),
    "has it king and queen": ("courts", 2),
    "has it the jack": ("jack", 1),
    "is it diamonds or clubs": ("short", 1),
    "is there an ace in another suit": ("side aces", 1),
    "are there two aces in other suits": ("side aces", 2),
    "is there a king in another suit": ("side kings", 1),
}
"""Questions about the suit that would be called: is there at least so much of a fact?"""

Facts = Mapping[str, np.ndarray]

_PACK_LENGTHS = np.bitwise_count(lanes(np.array([PACK]))[0])
_BASE = 8


def suit_facts(cards: np.ndarray) -> dict[str, np.ndarray]:
    """Look at the four suits of many hands.

    Parameters
    ----------
    cards : ndarray of int64, shape (H,)
        First five cards.

    Returns
    -------
    dict of str to ndarray of int8, shape (H, 4)
        By name. ``courts`` are kings and queens, ``suits`` those that the hand holds; ``short`` marks
        diamonds and clubs, of which the pack has seven cards against eight (R2). Sevens count as plain cards
        of their suit, also where a rule lifts them (R31).
    """
    order = suit_order(cards)
    held = np.take_along_axis(lanes(cards), order, axis=1)
    length = np.bitwise_count(held)
    ace, king, queen, jack = ((held >> RANKS.index(rank)) & 1 for rank in "AKQJ")
    facts = {
        "length": length,
        "ace": ace,
        "king": king,
        "queen": queen,
        "jack": jack,
        "courts": king + queen,
        "short": _PACK_LENGTHS[order] < _PACK_LENGTHS.max(),
        "suits": np.broadcast_to((length > 0).sum(axis=1, keepdims=True), length.shape),
        "side aces": ace.sum(axis=1, keepdims=True) - ace,
        "side kings": king.sum(axis=1, keepdims=True) - king,
    }
    return {name: fact.astype(np.int8) for name, fact in facts.items()}


def prefer(facts: Facts, order: tuple[str, ...]) -> np.ndarray:
    """Choose a suit by the first of some facts, where that ties by the next, and so on.

    Parameters
    ----------
    facts : mapping of str to ndarray, shape (H, 4)
        As :func:`suit_facts` gives them.
    order : tuple of str
        Names of PREFERRED.

    Returns
    -------
    ndarray of int64, shape (H,)
        Place of the suit in the hand's own order.
    """
    rank = np.zeros(facts["length"].shape, np.int64)
    for name in order:
        rank = rank * _BASE + PREFERRED[name][0] * facts[name]
    return rank.argmax(axis=1)


def ask(facts: Facts, places: np.ndarray) -> np.ndarray:
    """Answer all QUESTIONS about one suit of each hand.

    Returns
    -------
    ndarray of bool, shape (H, Q)
    """
    rows = np.arange(places.size)
    return np.column_stack([facts[name][rows, places] >= least for name, least in QUESTIONS.values()])


def count_points(facts: Facts, points: Mapping[str, int]) -> np.ndarray:
    """Add up the points of every suit, int64 of shape (H, 4)."""
    total = np.zeros(facts["length"].shape, np.int64)
    for name, each in points.items():
        total += each * facts[name]
    return total
