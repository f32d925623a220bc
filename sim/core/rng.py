"""Random words as a pure function of a key and a position: SplitMix64 read by counter.

``word(key, i)`` is the ``i``-th output of SplitMix64 started at ``key`` (Steele, Lea and Flood 2014,
"Fast splittable pseudorandom number generators"; finaliser: Stafford's variant 13). A word can serve
as the key of a further sequence, so that keys form a tree::

    seed ── stream ── index (match and deal) ── position

Nothing is ever advanced: what one player draws cannot shift the cards or another player's choices,
and any deal can be played alone. ``uint64`` stays inside this file; all others see int64.
"""

import numpy as np

from sim.core.jit import helper, wrapping

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _ONE = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(1)
_LOW_HALF = 0xFFFFFFFF

SHUFFLE, PULLS, START, HANDS, BOOK, EQUITY, PLAYER = 0, 1, 2, 3, 4, 5, 8
"""Streams: the shuffle, blind draws, who starts a match, hands of a study, the opening book, match
equity, and PLAYER + player."""

INDEX_STRIDE = 1024
"""Index of a deal or round: match * INDEX_STRIDE + its number in the match."""


@wrapping
def word(key, position):
    """Random word ``position`` (from 0) of the sequence of ``key``; int64, all 64 bits random."""
    z = np.uint64(key) + GAMMA * (np.uint64(position) + _ONE)
    z = (z ^ (z >> _30)) * _FIRST
    z = (z ^ (z >> _27)) * _SECOND
    return np.int64(z ^ (z >> _31))


@helper
def stream_key(seed, stream, index):
    """Key of one stream of one deal: cards, pulls or one player's choices."""
    return word(word(seed, stream), index)


@helper
def below(random_word, n):
    """Uniform integer in [0, n) from the upper half of a word.

    The fixed-point product is off uniform by at most n / 2**32 (under 1e-8 for a pack of cards),
    a hundredth of what a trillion draws could show.
    """
    return (((random_word >> 32) & _LOW_HALF) * n) >> 32


@helper
def below_low(random_word, n):
    """Uniform integer in [0, n) from the lower half of a word, independent of ``below``."""
    return ((random_word & _LOW_HALF) * n) >> 32


@helper
def bounded(key, position, n):
    """Uniform integer in [0, n): draw number ``position`` where each word serves two draws."""
    random_word = word(key, position >> 1)
    if position & 1:
        return below_low(random_word, n)
    return below(random_word, n)
