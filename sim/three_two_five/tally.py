"""From rows of deals to integer counters.

All counters are int64 sums over deals or matches, so that merging is exact and free of order.

``clusters`` (3,)
    Matches with a deal in the phase: first deals, later deals, all deals.
``totals`` (3, Q), ``gram`` (3, Q, Q)
    By phase, over matches: sum and sum of products of the match totals of the Q quantities in
    ``QUANTITIES``. With them every mean, ratio and paired difference has its clustered error.
``outcomes`` (3, 2, 2, 11, 11)
    Deals by dealer, phase (first, later), choice (call, reveal), tricks of five, tricks of three.
``trumps`` (2, 4)
    Deals by choice and trump suit.
``pulls`` (3, 17, 11)
    Deals by seat, net pulls + 8 (positive: the seat pulls), tricks of the seat.
``match_scores`` (3, 15 * length + 1)
    Whole matches by player and match score + 5 * length.
``winners`` (8,)
    Whole matches by the set of players (bits) with the highest total.
"""

import numpy as np

from sim.core.jit import helper, kernel
from sim.core.products import add_products
from sim.three_two_five.kernel import (
    CHOICE,
    DEALER,
    DEBT_FIVE,
    SCORE_FIVE,
    TRICKS_FIVE,
    TRICKS_THREE,
    TRUMP,
    quota_of,
)
from sim.three_two_five.tricks import rotate

QUANTITIES = (
    "deals",
    "tricks_five",
    "tricks_three",
    "tricks_two",
    "score_five",
    "score_three",
    "score_two",
    "met_five",
    "met_three",
    "met_two",
    "all_exact",
    "cards_owed",
    "reveals",
    "score_0",
    "score_1",
    "score_2",
)
_DEALS, _TRICKS, _SCORE, _MET, _EXACT, _OWED, _REVEALS, _PLAYER = 0, 1, 4, 7, 10, 11, 12, 13
_SIZE = len(QUANTITIES)
PHASES = ("first", "later", "all")
MOST_PULLS = 8


def blank(length: int) -> dict[str, np.ndarray]:
    """Zero counters for matches of ``length`` deals."""
    shapes = {
        "clusters": (3,),
        "totals": (3, _SIZE),
        "gram": (3, _SIZE, _SIZE),
        "outcomes": (3, 2, 2, 11, 11),
        "trumps": (2, 4),
        "pulls": (3, 2 * MOST_PULLS + 1, 11),
        "match_scores": (3, 15 * length + 1),
        "winners": (8,),
    }
    return {name: np.zeros(shape, np.int64) for name, shape in shapes.items()}


def count(rows: np.ndarray, length: int) -> dict[str, np.ndarray]:
    """Counters of consecutive matches.

    Parameters
    ----------
    rows : int8 (deals, COLUMNS) array
        As :func:`sim.three_two_five.kernel.play_matches` fills it; the last match may be cut short.
    length : int
        Deals in a whole match.

    Returns
    -------
    dict of str to int64 array
        As the module describes them.
    """
    counters = blank(length)
    tally(rows, length, *counters.values())
    return counters


@kernel
def tally(rows, length, clusters, totals, gram, outcomes, trumps, pulls, match_scores, winners):
    """Add consecutive matches to the counters; arrays as in :func:`blank`."""
    sums = np.zeros((3, _SIZE), np.int64)
    for start in range(0, rows.shape[0], length):
        sums[:] = 0
        deals = min(length, rows.shape[0] - start)
        for deal in range(deals):
            phase = 0 if deal == 0 else 1
            _add_deal(rows, start + deal, sums[phase])
            _place_deal(rows, start + deal, phase, outcomes, trumps, pulls)
        for quantity in range(_SIZE):
            sums[2, quantity] = sums[0, quantity] + sums[1, quantity]
        _add_match(sums, clusters, totals, gram)
        if deals == length:
            _place_match(sums[2], length, match_scores, winners)


@helper
def _add_deal(rows, r, sums):
    """Add one deal to the totals of its match."""
    exact, owed = 1, 0
    sums[_DEALS] += 1
    for seat in range(3):
        surplus = rows[r, TRICKS_FIVE + seat] - quota_of(seat)
        sums[_TRICKS + seat] += rows[r, TRICKS_FIVE + seat]
        sums[_SCORE + seat] += rows[r, SCORE_FIVE + seat]
        sums[_MET + seat] += surplus >= 0
        exact = exact if surplus == 0 else 0
        owed += max(0, surplus)
    # By selects: what is added to a place that the dealer names would make one deal wait for another.
    by_player = rotate(
        2 - rows[r, DEALER], rows[r, SCORE_FIVE], rows[r, SCORE_FIVE + 1], rows[r, SCORE_FIVE + 2]
    )
    for player in range(3):
        sums[_PLAYER + player] += by_player[player]
    sums[_EXACT] += exact
    sums[_OWED] += owed
    sums[_REVEALS] += rows[r, CHOICE]


@helper
def _place_deal(rows, r, phase, outcomes, trumps, pulls):
    """Count one deal in the tables of single deals."""
    choice = rows[r, CHOICE]
    outcomes[rows[r, DEALER], phase, choice, rows[r, TRICKS_FIVE], rows[r, TRICKS_THREE]] += 1
    trumps[choice, rows[r, TRUMP]] += 1
    for seat in range(3):
        pulls[seat, rows[r, DEBT_FIVE + seat] + MOST_PULLS, rows[r, TRICKS_FIVE + seat]] += 1


@helper
def _add_match(sums, clusters, totals, gram):
    """Add the totals of one match and their products, phase by phase."""
    for phase in range(3):
        if sums[phase, _DEALS] == 0:
            continue
        clusters[phase] += 1
        add_products(sums[phase], phase, totals, gram)


@helper
def _place_match(sums, length, match_scores, winners):
    """Count one whole match by its players' scores and by who won it."""
    best = max(sums[_PLAYER], sums[_PLAYER + 1], sums[_PLAYER + 2])
    who = 0
    for player in range(3):
        score = sums[_PLAYER + player]
        match_scores[player, score + 5 * length] += 1
        if score == best:
            who |= 1 << player
    winners[who] += 1
