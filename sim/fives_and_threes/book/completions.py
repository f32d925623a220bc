"""Deals that complete the starter's hand, with every live opening tile played out, for the opening book.

Each hand meets its own sequence of completions, a pure function of seed, stage and tiles; all opening tiles
(F4) are played on the same hidden tiles and random words, for one round without a target. A *value* is that
of the opening study (:mod:`sim.fives_and_threes.options`): what the starter's side scores in the round minus
the mean of what the others score, counted ``scale(rules)`` times to stay an integer.

Counters, one entry a hand and stage; options are numbered by the tiles of the hand, lowest bit first:

``count`` (hands, 2, O)
    Completions in which the tile was opened; O is the hand size.
``sums`` (hands, 2, O)
    Sum of scaled values.
``gram`` (hands, 2, O, O)
    Sum of products of the values of two tiles that were both opened.
"""

import numpy as np

from sim.book.plan import DUEL
from sim.core.bits import lowest
from sim.core.draw import draw
from sim.core.jit import helper, kernel
from sim.core.rng import BOOK, PLAYER, SHUFFLE, word
from sim.fives_and_threes import knowledge as know
from sim.fives_and_threes.chain import TOTALS
from sim.fives_and_threes.deal import WORDS
from sim.fives_and_threes.kernel import OK, play_any
from sim.fives_and_threes.registers import path_of
from sim.fives_and_threes.rules import MOST_PLAYERS, MOST_SIDES
from sim.fives_and_threes.tiles import SET

_STAGES = DUEL
"""Search and fresh deals: no tile has to be compared on every hand, so there is no duel."""
_STARTER = 0


def blank(hands: int, options: int) -> dict[str, np.ndarray]:
    """Zero counters for a number of hands."""
    shapes = {"count": (options,), "sums": (options,), "gram": (options, options)}
    return {name: np.zeros((hands, _STAGES, *shape), np.int64) for name, shape in shapes.items()}


@kernel
def play_completions(
    seed, stage, scale, cards, first, more, alive, rules, policies, params, count, sums, gram
):
    """Play out the live opening tiles of many hands.

    Parameters
    ----------
    seed, stage : int
        The run's seed; which deals.
    scale : int
        What values are multiplied by: the number of other sides.
    cards, first, more : int64 (hands,) arrays
        The starter's tiles; number of the first completion, and how many to play.
    alive : bool (hands, O) array
        Tiles to open.
    rules, policies, params : arrays
        As for :func:`sim.fives_and_threes.kernel.play_matches`; player 0 is the starter.
    count, sums, gram : int64 arrays
        Added to, as the module describes them.

    Returns
    -------
    tuple of int
        Status (0 is fine) and the hand where it arose.
    """
    view = np.zeros(know.VIEW_SIZE, np.int64)
    dealt, hands = np.zeros(MOST_PLAYERS, np.int64), np.zeros(MOST_PLAYERS, np.int64)
    keys = np.zeros(MOST_PLAYERS, np.int64)
    placements, values = np.zeros(2 * TOTALS, np.int64), np.zeros(alive.shape[1], np.int64)
    words = np.zeros(WORDS, np.int64)
    know.sit_down(view, rules)
    view[know.TARGET] = 0
    players, size, path = view[know.PLAYERS], view[know.DEALT], path_of(policies)
    root = word(word(seed, BOOK), stage)
    for h in range(cards.shape[0]):
        hand_key = word(root, cards[h])
        shuffles = word(hand_key, SHUFFLE)
        for completion in range(first[h], first[h] + more[h]):
            _deal_others(dealt, cards[h], word(shuffles, completion), players, size)
            for player in range(players):
                keys[player] = word(word(hand_key, PLAYER + player), completion)
            left = cards[h]
            for option in range(values.size):
                tile = lowest(left)
                left ^= tile
                values[option] = 0
                if not alive[h, option]:
                    continue
                for player in range(MOST_PLAYERS):
                    hands[player] = dealt[player]
                for side in range(MOST_SIDES):
                    view[know.SCORE + side] = 0
                know.start_round(view, _STARTER)
                status, _, _ = play_any(view, hands, policies, params, keys, words, tile, placements, path)
                if status != OK:
                    return status, h
                values[option] = scale * view[know.SCORE] - view[know.SCORE + 1] - view[know.SCORE + 2]
                count[h, stage, option] += 1
            _add(values, h, stage, sums, gram)
    return OK, 0


@helper
def _deal_others(dealt, hand, deal_key, players, size):
    """Give the starter its hand and the others theirs from the rest (F2)."""
    rest = SET ^ hand
    dealt[_STARTER] = hand
    for player in range(1, players):
        dealt[player] = draw(rest, deal_key, (player - 1) * size, size)
        rest ^= dealt[player]


@helper
def _add(values, h, stage, sums, gram):
    """Add one completion to the sums of its hand; tiles that were not opened have the value 0."""
    for a in range(values.size):
        value = values[a]
        sums[h, stage, a] += value
        for b in range(values.size):
            gram[h, stage, a, b] += value * values[b]
