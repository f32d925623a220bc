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
from sim.core.lanes import WIDTH, load, store
from sim.core.products import BLOCK, add_block
from sim.three_two_five.kernel import (
    CHOICE,
    DEALER,
    DEBT_FIVE,
    SCORE_FIVE,
    TRICKS_FIVE,
    TRICKS_THREE,
    TRUMP,
    player_at,
    quota_of,
)

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
_FIRST, _LATER, _ALL = range(3)
_MOST = 11
"""Numbers of tricks, 0 to 10."""
MOST_PULLS = 8


def blank(length: int) -> dict[str, np.ndarray]:
    """Zero counters for matches of ``length`` deals."""
    shapes = {
        "clusters": (3,),
        "totals": (3, _SIZE),
        "gram": (3, _SIZE, _SIZE),
        "outcomes": (3, 2, 2, _MOST, _MOST),
        "trumps": (2, 4),
        "pulls": (3, 2 * MOST_PULLS + 1, _MOST),
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
    known = np.zeros((outcomes.size, WIDTH), np.int64)
    sums, line = np.zeros((3, BLOCK * WIDTH), np.int32), np.zeros(WIDTH, np.int64)
    flat, matches = outcomes.reshape(-1), 0
    for start in range(0, rows.shape[0], length):
        deals = min(length, rows.shape[0] - start)
        _add_match(rows[start : start + deals], matches * WIDTH, known, flat, trumps, pulls, sums)
        if deals == length:
            _place_match(sums[_ALL], matches * WIDTH, length, match_scores, winners)
        clusters[_LATER] += deals > 1
        matches += 1
        if matches == BLOCK or start + deals == rows.shape[0]:
            clusters[_FIRST] += matches
            clusters[_ALL] += matches
            for phase in range(3):
                add_block(sums[phase], matches, phase, totals, gram, line)
            matches = 0


@helper
def _add_match(rows, at, known, outcomes, trumps, pulls, sums):
    """Count the deals of one match and write its totals to a place of `sums`.

    What a deal adds to the totals follows from its place in `outcomes`. It is reckoned when such a deal is
    first seen, and looked up ever after.
    """
    looked_up = known.reshape(-1)
    first = later = load(looked_up, 0) * 0
    for deal in range(rows.shape[0]):
        phase = _FIRST if deal == 0 else _LATER
        outcome = _outcome_of(rows, deal, phase)
        if known[outcome, _DEALS] == 0:
            _reckon(rows, deal, known[outcome])
        _place_deal(rows, deal, outcome, outcomes, trumps, pulls)
        adds = load(looked_up, outcome * WIDTH)
        if phase == _FIRST:
            first = adds
        else:
            later += adds
    store(sums[_FIRST], at, first)
    store(sums[_LATER], at, later)
    store(sums[_ALL], at, first + later)


@helper
def _outcome_of(rows, r, phase):
    """Place of a deal in `outcomes`, taken as one row."""
    side = (2 * np.int64(rows[r, DEALER]) + phase) * 2 + rows[r, CHOICE]
    return (side * _MOST + rows[r, TRICKS_FIVE]) * _MOST + rows[r, TRICKS_THREE]


@helper
def _reckon(rows, r, adds):
    """Fill in what a deal adds to the totals of its match."""
    adds[_DEALS], adds[_EXACT] = 1, 1
    for seat in range(3):
        tricks, score = rows[r, TRICKS_FIVE + seat], rows[r, SCORE_FIVE + seat]
        surplus = tricks - quota_of(seat)
        adds[_TRICKS + seat], adds[_SCORE + seat] = tricks, score
        adds[_PLAYER + player_at(seat, rows[r, DEALER])] = score
        adds[_MET + seat] = surplus >= 0
        adds[_EXACT] &= surplus == 0
        adds[_OWED] += max(0, surplus)
    adds[_REVEALS] = rows[r, CHOICE]


@helper
def _place_deal(rows, r, outcome, outcomes, trumps, pulls):
    """Count one deal in the tables of single deals."""
    outcomes[outcome] += 1
    trumps[rows[r, CHOICE], rows[r, TRUMP]] += 1
    for seat in range(3):
        pulls[seat, rows[r, DEBT_FIVE + seat] + MOST_PULLS, rows[r, TRICKS_FIVE + seat]] += 1


@helper
def _place_match(sums, at, length, match_scores, winners):
    """Count one whole match by its players' scores and by who won it."""
    scores = sums[at + _PLAYER : at + _PLAYER + 3]
    who = 0
    for player in range(3):
        match_scores[player, scores[player] + 5 * length] += 1
        if scores[player] == max(scores[0], scores[1], scores[2]):
            who |= 1 << player
    winners[who] += 1
