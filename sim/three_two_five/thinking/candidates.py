"""The candidates of one decision: listed, valued, and the best of them brought to the front."""

from sim.core.bits import lowest
from sim.core.jit import helper
from sim.three_two_five.kernel import quota_of
from sim.three_two_five.rules import SURPLUS

MOST = 11
"""Most candidates: the cards of a taker before it returns one (R17)."""
_OVER_QUOTA = 100


@helper
def worth(tricks, seat, scoring):
    """What tricks are worth to a seat, as an integer: the score first (R26), then the tricks themselves."""
    if scoring == SURPLUS:
        return _OVER_QUOTA * max(0, tricks - quota_of(seat)) + tricks
    return tricks


@helper
def list_members(members, listed):
    """List the members of a set in ascending order; returns how many there are."""
    number = 0
    while members:
        listed[number] = lowest(members)
        members ^= listed[number]
        number += 1
    return number


@helper
def bring_forward(listed, values, number, kept, preferred):
    """Bring the ``kept`` best candidates to the front, best first.

    Parameters
    ----------
    listed, values : int64 arrays
        Candidates and their values; reordered.
    number, kept : int64
        Candidates there are, and how many are wanted in front.
    preferred : int64
        The candidate that wins a tie; otherwise the lowest does.
    """
    for place in range(kept):
        best = place
        for other in range(place + 1, number):
            ahead = values[other] - values[best]
            if ahead == 0 and listed[best] != preferred:
                ahead = 1 if listed[other] == preferred else listed[best] - listed[other]
            if ahead > 0:
                best = other
        listed[place], listed[best] = listed[best], listed[place]
        values[place], values[best] = values[best], values[place]
