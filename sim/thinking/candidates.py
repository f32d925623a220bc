"""The candidates of one decision: listed, and the best of them brought to the front."""

from sim.core.bits import lowest
from sim.core.jit import helper


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
