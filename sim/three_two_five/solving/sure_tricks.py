"""Tricks of 3-2-5 that can be seen to be sure when all hands are open, without any search.

Trumps stand in the highest lane, as :mod:`~sim.three_two_five.solving.endings` puts them.
"""

import numpy as np

from sim.core.bits import extract, popcount
from sim.core.jit import helper
from sim.three_two_five.cards import LANE, LANE_WIDTH
from sim.three_two_five.solving.endings import SIDE_SUITS, TRUMP_LANE

NO_CAP = 15
"""More tricks than there are."""


def _sure_by_pattern() -> np.ndarray:
    """For each set of a player's places among the trumps, behind a leading 1: its sure tricks."""
    table = np.zeros(1024, np.int8)
    for pattern in range(1, 1024):
        excess = 0
        for digit in f"{pattern:b}"[1:]:
            excess += 1 if digit == "1" else -1
            table[pattern] = max(table[pattern], excess)
    return table


SURE_BY_PATTERN = _sure_by_pattern()


@helper
def sure_trumps(own, others):
    """Tricks that a player's trumps win however anybody plays.

    A trump loses only to a higher one of an opponent, and each opponent's trump beats at most one. So
    from the top, down to any rank, the player's trumps in excess of the others' win.

    Parameters
    ----------
    own, others : int64
        Cards of the player, and of those that play against it.
    """
    trumps = (own | others) & TRUMP_LANE
    return int(SURE_BY_PATTERN[(1 << popcount(trumps)) | extract(own, trumps)])


@helper
def sure_on_lead(own, b, c):
    """Tricks that the leader can be sure of against both others."""
    trumps, trumps_b, trumps_c = own & TRUMP_LANE, b & TRUMP_LANE, c & TRUMP_LANE
    run = popcount(trumps & ~at_or_below(trumps_b | trumps_c))
    drawn = run >= max(popcount(trumps_b), popcount(trumps_c))
    sure = popcount(trumps) if drawn else sure_trumps(own, b | c)
    cap_b = 0 if trumps_b and not drawn else NO_CAP
    cap_c = 0 if trumps_c and not drawn else NO_CAP
    return sure + side_winners(own, b, c, cap_b, cap_c)


@helper
def sure_of_side(lead, partner, alone):
    """Tricks that two players can be sure of together against the third, with one of them on lead.

    The leader cashes side suits in which it has the highest cards of all and the third must follow; the
    partner keeps away. It can, unless it would have nothing but trumps left before that.
    """
    tricks = side_winners(lead, alone, partner, 0 if alone & TRUMP_LANE else NO_CAP, NO_CAP)
    if partner & TRUMP_LANE and popcount(partner & SIDE_SUITS) < tricks:
        tricks = 0
    return tricks + max(sure_trumps(lead, alone), sure_trumps(partner, alone))


@helper
def side_winners(own, b, c, cap_b, cap_c):
    """Tricks that the leader can cash in side suits before anybody can ruff.

    Parameters
    ----------
    own, b, c : int64
        Cards of the leader and of the other two.
    cap_b, cap_c : int64
        0 for a player that ruffs once it cannot follow; NO_CAP for one that has no trumps or may not.
    """
    tops = own & ~at_or_below((b | c) & SIDE_SUITS)
    tricks = 0
    for suit in range(3):
        lane = LANE << (suit * LANE_WIDTH)
        run, length_b, length_c = popcount(tops & lane), popcount(b & lane), popcount(c & lane)
        # Who cashes as often as the others have cards wins with the rest of the suit, too.
        run = popcount(own & lane) if run >= max(length_b, length_c) else run
        tricks += min(run, min(length_b | cap_b, length_c | cap_c))
    return tricks


@helper
def at_or_below(cards):
    """All places at or below the highest card of each suit, and some in the gaps between the lanes."""
    cards |= cards >> 1
    cards |= cards >> 2
    cards |= cards >> 4
    return cards | cards >> 2
