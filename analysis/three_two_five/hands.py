"""The five's first five cards as a card player sees them: suits in order, shape, honours."""

import numpy as np
import pandas as pd

from sim.three_two_five.cards import LANE, LANE_WIDTH, RANKS

SHAPES = ("5", "4-1", "3-2", "3-1-1", "2-2-1", "2-1-1-1")
"""Shapes of five cards, the longest suit first, from the most to the least one-sided."""

FEATURES = {
    "shape": "lengths of the suits held, longest first",
    "honours": "ace, king and queen held in the best suit",
    "top": "highest card of the best suit",
    "side": "aces and kings outside the best suit",
}
"""What hands can be grouped by."""

_SHAPE_LENGTHS = np.array([[int(n) for n in f"{shape}-0-0-0".split("-")[:4]] for shape in SHAPES])
_ACE = 1 << RANKS.index("A")
_HONOUR_RANKS = sum(1 << RANKS.index(rank) for rank in "AKQ")
_TOP_RANKS = sum(1 << RANKS.index(rank) for rank in "AK")
_SUITS, _FIRST_SHORT = 4, 2
_SHAPE_ORDER = pd.CategoricalDtype(list(SHAPES), ordered=True)
_RANK_ORDER = pd.CategoricalDtype(list(RANKS), ordered=True)


def lanes(cards: np.ndarray) -> np.ndarray:
    """Split masks of cards by suit.

    Parameters
    ----------
    cards : ndarray of int64, shape (H,)
        Sets of cards.

    Returns
    -------
    ndarray of int64, shape (H, 4)
        Ranks held of S, H, D, C: bit 0 a seven, bit 7 an ace.
    """
    return (np.asarray(cards)[:, None] >> (LANE_WIDTH * np.arange(_SUITS))) & LANE


def suit_order(cards: np.ndarray) -> np.ndarray:
    """Order each hand's suits: the longest first, among equally long ones the higher, card by card.

    A hand's first suit is its *best* one. Equal suits (and voids) keep the order S, H, D, C.

    Returns
    -------
    ndarray of int64, shape (H, 4)
        Suit numbers, best first.
    """
    held = lanes(cards)
    worth = (np.bitwise_count(held).astype(np.int64) << LANE_WIDTH) | held
    return np.argsort(-worth, axis=1, kind="stable")


def ace_aside(cards: np.ndarray) -> np.ndarray:
    """Choose the longest suit, and of two that are equally long the one without the ace.

    An ace tends to win a trick whatever is trump, so it need not be trump itself.

    Returns
    -------
    ndarray of int64, shape (H,)
        Place of that suit in :func:`suit_order`: 1 where the first two suits are equally long and only the
        first holds an ace, else 0.
    """
    first, second = np.take_along_axis(lanes(cards), suit_order(cards)[:, :2], axis=1).T
    equal = np.bitwise_count(first) == np.bitwise_count(second)
    return (equal & (first >= _ACE) & (second < _ACE)).astype(np.int64)


def holdings(cards: np.ndarray) -> np.ndarray:
    """Write down what first-five hands hold, suit by suit in their own order, as numbers to fit values with.

    Returns
    -------
    ndarray of float64, shape (H, 24)
        Of each suit whether it is one of the short ones (D and C have seven cards), whether it holds jack,
        queen, king and ace, and the places of all its cards, 0 for a seven to 7 for an ace, added up.
    """
    order = suit_order(cards)
    held = np.take_along_axis(lanes(cards), order, axis=1)[:, :, None] >> np.arange(len(RANKS)) & 1
    places = held @ np.arange(len(RANKS))
    parts = np.concatenate([order[:, :, None] >= _FIRST_SHORT, held[:, :, -4:], places[:, :, None]], axis=2)
    return parts.reshape(len(order), -1).astype(np.float64)


def describe_hands(cards: np.ndarray) -> pd.DataFrame:
    """Describe first-five hands.

    Returns
    -------
    DataFrame
        One row a hand; sevens count as plain cards of their suit, also where a rule lifts them (R31):

        ``shape``    ordered category of SHAPES: lengths of the suits, longest first
        ``honours``  0 to 3: how many of A, K, Q the best suit holds
        ``top``      ordered category 7 … A: highest card of the best suit
        ``side``     0 to 4: aces and kings outside the best suit
    """
    held = lanes(cards)
    lengths = -np.sort(-np.bitwise_count(held).astype(np.int64), axis=1)
    best = np.take_along_axis(held, suit_order(cards)[:, :1], axis=1)[:, 0]
    tops = np.bitwise_count(held & _TOP_RANKS).sum(axis=1)
    shapes = np.argmax((lengths[:, None] == _SHAPE_LENGTHS).all(axis=2), axis=1)
    highest = np.searchsorted(1 << np.arange(len(RANKS)), best, side="right") - 1
    return pd.DataFrame(
        {
            "shape": pd.Categorical.from_codes(shapes, dtype=_SHAPE_ORDER),
            "honours": np.bitwise_count(best & _HONOUR_RANKS).astype(np.int64),
            "top": pd.Categorical.from_codes(highest, dtype=_RANK_ORDER),
            "side": (tops - np.bitwise_count(best & _TOP_RANKS)).astype(np.int64),
        }
    )
