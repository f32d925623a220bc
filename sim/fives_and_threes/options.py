"""Every opening tile of a hand played out on the same deals.

A *hand* is the starter's. Each hand meets many completions of the deal, and for each of them every
opening tile is played with the same hidden tiles and the same random words, for one round without a
target. Completions fall into two halves, so that what looks best in one half can be judged on the other.

The *value* of an opening is what the starter's side scores in the round minus the mean of what the
others score: with two sides the plain difference, with three players the lead over an average opponent.
To stay an integer it is counted ``scale(rules)`` times: 1 for two sides, 2 for three players.

Counters, one entry a hand; options are numbered by the tiles of the hand, lowest bit first:

``openings`` (hands, O)
    The tile of each option, as a mask; O is the hand size.
``count`` (hands, 2)
    Completions by half.
``sums`` (hands, 2, O)
    Sum of scaled values by half and option.
``gram`` (hands, 2, O, O)
    Sum of products of those values.
"""

from math import comb

import numpy as np

from sim.core.bits import lowest
from sim.core.draw import draw
from sim.core.jit import helper, kernel
from sim.core.products import add_products
from sim.core.rng import HANDS, INDEX_STRIDE, PLAYER, SHUFFLE, stream_key, word
from sim.fives_and_threes import knowledge as know
from sim.fives_and_threes.chain import TOTALS
from sim.fives_and_threes.deal import WORDS
from sim.fives_and_threes.kernel import OK, play_any
from sim.fives_and_threes.registers import path_of
from sim.fives_and_threes.rules import MOST_PLAYERS, MOST_SIDES, Rules
from sim.fives_and_threes.tiles import SET, TILES

HALVES = 2
_STARTER = 0
TILE_QUANTITIES = ("completions", "value", "edge")
"""What a hand adds for one of its tiles: completions; scaled value, summed; the same above the mean of
all the hand's tiles, times the hand size."""


def scale(rules: Rules) -> int:
    """Return what a value is multiplied by in the counters: the number of other sides."""
    return rules.sides - 1


def all_hands(rules: Rules) -> int:
    """Return how many different hands there are."""
    return comb(TILES, rules.hand_size)


def blank(hands: int, rules: Rules) -> dict[str, np.ndarray]:
    """Zero counters for a number of hands."""
    n = rules.hand_size
    shapes = {"openings": (n,), "count": (HALVES,), "sums": (HALVES, n), "gram": (HALVES, n, n)}
    return {name: np.zeros((hands, *shape), np.int64) for name, shape in shapes.items()}


def consecutive_hands(first: int, count: int, rules: Rules) -> np.ndarray:
    """Return hands in the order of their masks.

    Parameters
    ----------
    first, count : int
        Number of the first, from 0, and how many; together at most ``all_hands(rules)``.
    rules : Rules
        Give the hand size.

    Returns
    -------
    int64 (count,) array
    """
    hand = _hand_by_number(first, rules.hand_size)
    hands = np.zeros(count, np.int64)
    for place in range(count):
        hands[place] = hand
        low = hand & -hand
        carried = hand + low
        hand = carried | ((hand ^ carried) >> 2) // low
    return hands


def _hand_by_number(number: int, size: int) -> int:
    """Return the hand with this number in the order of masks: its combinatorial number system."""
    hand = 0
    for left in range(size, 0, -1):
        top = next(tile for tile in range(TILES - 1, -1, -1) if comb(tile, left) <= number)
        hand |= 1 << top
        number -= comb(top, left)
    return hand


@kernel
def play_options(seed, first_hand, completions, rules, policies, params, hands, openings, count, sums, gram):
    """Play out all opening tiles of consecutive hands.

    Parameters
    ----------
    seed, first_hand : int
        The run's seed and the number of the first hand.
    completions : int
        Deals for each hand; odd ones form the second half.
    rules, policies, params : arrays
        As for :func:`sim.fives_and_threes.kernel.play_matches`; player 0 is the starter.
    hands : int64 (H,) array
        The hands; where one is 0, a random hand is drawn.
    openings, count, sums, gram : int64 arrays
        Filled, as the module describes them; ``sums`` and ``gram`` with hands and halves in one axis.

    Returns
    -------
    tuple of int
        Status (0 is fine) and the hand where it arose.
    """
    view = np.zeros(know.VIEW_SIZE, np.int64)
    dealt, keys = np.zeros(MOST_PLAYERS, np.int64), np.zeros(MOST_PLAYERS, np.int64)
    placements, values = np.zeros(2 * TOTALS, np.int64), np.zeros(openings.shape[1], np.int64)
    words = np.zeros(WORDS, np.int64)
    know.sit_down(view, rules)
    view[know.TARGET] = 0
    players, size, path = view[know.PLAYERS], view[know.DEALT], path_of(policies)
    for h in range(hands.size):
        hand_key = stream_key(seed, HANDS, first_hand + h)
        hand = hands[h] if hands[h] else draw(SET, hand_key, 0, size)
        _list_openings(hand, h, openings)
        shuffle_root = word(hand_key, SHUFFLE + INDEX_STRIDE)
        for completion in range(completions):
            half, deal_key = completion & 1, word(shuffle_root, completion)
            for player in range(players):
                keys[player] = word(word(hand_key, PLAYER + INDEX_STRIDE + player), completion)
            for option in range(size):
                _deal_others(view, dealt, hand, deal_key)
                know.start_round(view, _STARTER)
                status, _, _ = play_any(
                    view, dealt, policies, params, keys, words, openings[h, option], placements, path
                )
                if status != OK:
                    return status, h
                values[option] = _value(view)
            count[h, half] += 1
            add_products(values, HALVES * h + half, sums, gram)
    return OK, 0


@helper
def _list_openings(hand, h, openings):
    """Write down the tiles of a hand, lowest bit first."""
    left = hand
    for option in range(openings.shape[1]):
        openings[h, option] = lowest(left)
        left ^= lowest(left)


@helper
def _deal_others(view, dealt, hand, deal_key):
    """Give the starter its hand, the others theirs from the rest, and all scores zero."""
    rest, size = SET ^ hand, view[know.DEALT]
    dealt[_STARTER] = hand
    for player in range(1, view[know.PLAYERS]):
        dealt[player] = draw(rest, deal_key, (player - 1) * size, size)
        rest ^= dealt[player]
    for side in range(MOST_SIDES):
        view[know.SCORE + side] = 0


@helper
def _value(view):
    """Scaled value of the finished round for the starter's side, as the module defines it."""
    others = view[know.SCORE + 1] + view[know.SCORE + 2]
    return view[know.SCORE] * (2 if view[know.PLAYERS] == 3 else 1) - others


def by_tile(counters: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Counters of the option study, by opening tile over all hands that hold it.

    Parameters
    ----------
    counters : dict of str to int64 array
        As :func:`blank` describes them.

    Returns
    -------
    dict of str to int64 array
        ``clusters`` (28,) hands with the tile, ``totals`` (28, 3) and ``gram`` (28, 3, 3): sums and sums
        of products over these hands of ``TILE_QUANTITIES``.
    """
    openings = counters["openings"]
    size = openings.shape[1]
    value = counters["sums"].sum(axis=1)
    count = np.broadcast_to(counters["count"].sum(axis=1)[:, np.newaxis], value.shape)
    edge = size * value - value.sum(axis=1, keepdims=True)
    quantities = np.stack([count, value, edge], axis=-1).reshape(-1, len(TILE_QUANTITIES))
    tile = np.log2(openings.ravel()).astype(np.intp)
    clusters = np.bincount(tile, minlength=TILES)
    totals = np.zeros((TILES, quantities.shape[1]), np.int64)
    gram = np.zeros((TILES, *2 * quantities.shape[1:]), np.int64)
    np.add.at(totals, tile, quantities)
    np.add.at(gram, tile, quantities[:, :, np.newaxis] * quantities[:, np.newaxis, :])
    return {"clusters": clusters, "totals": totals, "gram": gram}
