"""What the two solvers of 3-2-5 with all hands open share: equal cards, equal positions, what is known.

The trump lane is exchanged with the highest one, so that any trump is a larger number than any other
card. Hands go by their *place* in the trick: ``a`` leads, ``b`` and ``c`` follow.

The table knows a position by its *relative ranks*: of every suit the owners of the cards still in play,
in order of rank. That order alone decides what can happen from a trick's first card on, and neither the
names of the three side suits matter nor which cards are gone. So one table serves any trump, any seat
and any player, and what was found out in one sampled deal helps with the next.
"""

import numpy as np

from sim.core.bits import extract, popcount
from sim.core.jit import allocating, helper
from sim.three_two_five.cards import LANE, LANE_WIDTH
from sim.three_two_five.rules import TRICKS_PER_DEAL

TRUMP_LANE = LANE << (3 * LANE_WIDTH)
SIDE_SUITS = LANE * 0x0001_0001_0001
PLACES = SIDE_SUITS | TRUMP_LANE
"""All places of the four lanes."""

# One array holds all that a solver needs.
GENERATION = 0
"""Stamp of the entries of the table that count; older ones are as good as empty."""
SLOTS = 1
"""Mask of the table's slot numbers."""
NODES = 2
"""Positions looked at so far, for measurements."""
ANSWER = 3
"""The last guarantee, where the next search starts."""
FRAMES = 8
"""+ FRAME_SIZE * depth: where the search stands in the tricks above the current one."""
FRAME_SIZE = 20
TABLE = FRAMES + TRICKS_PER_DEAL * FRAME_SIZE
"""+ 2 * slot: the key of a position, and what is known of it, stamped with the generation."""
_STAMP = 16
"""Place of the generation in the second word of an entry, above its content."""
UNKNOWN, NO_PLACE = -1, -1

BASE_3 = np.array([int(f"{mask:b}", 3) for mask in range(512)], np.int16)
"""A set of places in a suit of up to nine cards, its binary digits read in base 3."""


@allocating
def new_solver(bits):
    """Allocate what a solver needs; one serves any number of positions, one after the other.

    Parameters
    ----------
    bits : int64
        The table holds ``2**bits`` positions of sixteen bytes. Its size costs time, never correctness:
        what fits into the processor's caches is best, 10 to 12 for endings of some six tricks, 13 or
        14 for guarantees of whole deals, 18 for their max^n values.

    Returns
    -------
    int64 array
    """
    scratch = np.zeros(TABLE + (2 << bits), np.int64)
    scratch[GENERATION] = 1
    scratch[SLOTS] = (1 << bits) - 1
    return scratch


@helper
def forget(scratch):
    """Empty the table, at the cost of one addition. Values never call for it."""
    scratch[GENERATION] += 1


@helper
def trump_on_top(cards, trump):
    """Exchange the lane of trumps with the highest lane; done twice it changes nothing."""
    low, high = trump * LANE_WIDTH, 3 * LANE_WIDTH
    change = ((cards >> low) ^ (cards >> high)) & LANE
    return cards ^ (change << low) ^ (change << high) if change else cards


@helper
def led_by(place, a, b, c):
    """Three things in playing order from a place on."""
    if place == 1:
        return b, c, a
    if place == 2:
        return c, a, b
    return a, b, c


@helper
def position_key(hands):
    """Number of a position at the start of a trick, the same for all with equal relative ranks.

    Parameters
    ----------
    hands : tuple of int64
        By place.

    Returns
    -------
    int64
        Fifteen bits a suit, trumps first, the side suits sorted: the owners of its cards, lowest first,
        as digits 1 to 3 of a number in base 3. Nine cards make at most 29523.
    """
    everything = hands[0] | hands[1] | hands[2]
    a, b, c = extract(hands[0], everything), extract(hands[1], everything), extract(hands[2], everything)
    code, a, b, c = _suit_code(a, b, c, everything)
    other, a, b, c = _suit_code(a, b, c, everything >> LANE_WIDTH)
    low, high = min(code, other), max(code, other)
    code, a, b, c = _suit_code(a, b, c, everything >> (2 * LANE_WIDTH))
    middle, high = min(code, high), max(code, high)
    low, middle = min(low, middle), max(low, middle)
    trumps, a, b, c = _suit_code(a, b, c, everything >> (3 * LANE_WIDTH))
    return (trumps << 45) | (high << 30) | (middle << 15) | low


@helper
def _suit_code(a, b, c, everything):
    """Code of the lowest suit of three gathered hands, and the hands without it."""
    length = popcount(everything & LANE)
    suit = (1 << length) - 1
    code = int(BASE_3[a & suit]) + 2 * int(BASE_3[b & suit]) + 3 * int(BASE_3[c & suit])
    return code, a >> length, b >> length, c >> length


@helper
def slot_of(key, scratch):
    """Place of a position in the table; products stay below 2**63, as plain Python needs."""
    mixed = (key & 0x7FFF_FFFF) * 0x5851_F42D + (key >> 31) * 0x4C95_7F2D
    return TABLE + 2 * ((mixed >> 24) & scratch[SLOTS])


@helper
def recall(slot, key, scratch):
    """What the table knows of a position, or UNKNOWN."""
    content = scratch[slot + 1]
    if scratch[slot] == key and content >> _STAMP == scratch[GENERATION]:
        return content & ((1 << _STAMP) - 1)
    return UNKNOWN


@helper
def remember(slot, key, content, scratch):
    """Put what is known of a position, sixteen bits, into the table in place of what was there."""
    scratch[slot] = key
    scratch[slot + 1] = scratch[GENERATION] << _STAMP | content


@helper
def push(frame, values, scratch):
    """Lay numbers aside; returns the next frame."""
    for number in range(len(values)):
        scratch[frame + number] = values[number]
    return frame + FRAME_SIZE


@helper
def triple(place, scratch):
    """Three of the numbers laid aside."""
    return scratch[place], scratch[place + 1], scratch[place + 2]
