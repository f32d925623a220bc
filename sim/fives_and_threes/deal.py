"""Dealing the tiles of a round."""

from sim.core.bits import pick
from sim.core.jit import helper
from sim.core.rng import below, below_low, word
from sim.fives_and_threes import knowledge as know
from sim.fives_and_threes.rules import MOST_PLAYERS
from sim.fives_and_threes.tiles import SET, TILES

WORDS = 64
"""Size of the scratch that a round needs, for its shuffle and then for its players' random words."""
_PAIRS = 16
"""A random word serves two draws; 14 words would do, but whole vectors are stored faster."""


@helper
def deal(view, hands, key, words):
    """Deal every player its tiles (F2): draws of player after player from one shuffle.

    The whole shuffle's numbers are made first, into the scratch ``words``: that takes a few vectors.
    """
    for pair in range(_PAIRS):
        shuffled = word(key, pair)
        words[pair] = below(shuffled, TILES - 2 * pair)
        words[_PAIRS + pair] = below_low(shuffled, TILES - 2 * pair - 1)
    size, players, left = view[know.DEALT], view[know.PLAYERS], SET
    for number in range(players * size):
        drawn = pick(left, words[(number >> 1) + _PAIRS * (number & 1)])
        words[2 * _PAIRS + number] = left
        left ^= drawn
    words[2 * _PAIRS + players * size] = left
    for player in range(MOST_PLAYERS):
        here = 2 * _PAIRS + player * size
        hands[player] = words[here] ^ words[here + size] if player < players else 0
