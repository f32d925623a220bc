"""From rows of rounds to integer counters.

All counters are int64 sums over rounds or matches, so that merging is exact and free of order. A side's
*place* is its distance from the side of the starter: 0 the starter's own, then clockwise. Without a
target every match is one round, and what counts whole matches stays zero.

``clusters`` (3,)
    Matches with a round in the phase: first rounds, later rounds, all rounds.
``totals`` (3, Q), ``gram`` (3, Q, Q)
    By phase, over matches: sum and sum of products of the match totals of the Q quantities in
    ``QUANTITIES``. With them every mean, ratio and paired difference has its clustered error.
``points`` (2, 3, 128)
    Rounds by phase (first, later), place and the points of that side in the round.
``ends`` (2, 3, 3)
    Rounds by phase, ending (out, blocked, target) and place of the side that laid the last tile.
``tiles`` (29,), ``knocks`` (85,)
    Rounds by tiles placed, and by knocks.
``near`` (8,)
    Sides at the start of a round by the points that they lack to the target, where these are under 8.
``rounds`` (401,), ``turns`` (401,)
    Whole matches by rounds, and by turns (tiles and knocks) in fives; the last has all longer ones.
``winners`` (4, 4)
    Whole matches by first starter and winning side; 3 is nobody, in matches cut at LONGEST_MATCH.
``scores`` (3, target + 1)
    Whole matches by place of the side, seen from the first starter, and final score.
``placements`` (2, 25)
    Placements by whether the event was dropped (F13), and by total (F8).
"""

import numpy as np

from sim.core.jit import helper, kernel
from sim.core.lanes import WIDTH
from sim.core.products import BLOCK, add_block
from sim.fives_and_threes.chain import TOTALS
from sim.fives_and_threes.kernel import (
    ENDED,
    KNOCKS,
    LAST,
    POINTS_OF,
    REJECTED,
    ROUND,
    SCORE_OF,
    STARTER,
    TILES,
)
from sim.fives_and_threes.rules import (
    BLOCKED,
    ENDINGS,
    LONGEST_MATCH,
    MOST_PLAYERS,
    MOST_SIDES,
    OUT,
    RULE_PLAYERS,
    RULE_TARGET,
    TARGET,
    Rules,
    side_of,
)

QUANTITIES = (
    "rounds",
    "points_first",
    "points_second",
    "points_third",
    "out_first",
    "out_second",
    "out_third",
    "points_0",
    "points_1",
    "points_2",
    "blocked",
    "tiles",
    "knocks",
    "rejected",
    "near",
)
"""What a match is totalled by: points and rounds won by going out by place, points by side, blocked
rounds, tiles placed, knocks, events dropped, and sides that began a round near the target (F13)."""
_ROUNDS, _POINTS, _OUT, _SIDE, _BLOCKED, _TILES, _KNOCKS, _REJECTED, _NEAR = 0, 1, 4, 7, 10, 11, 12, 13, 14
_SIZE = len(QUANTITIES)
PHASES = ("first", "later", "all")
_FIRST, _LATER, _ALL = range(3)
PLACES = ("first", "second", "third")

NEAR = 8
"""A side that lacks fewer points is near the target: above 53 of 61."""
MOST_ROUND_POINTS = 127
"""Fourteen tiles of 8 points and an out of 5 stay below it."""
_MOST_TILES, _MOST_KNOCKS = 28, 84
TURNS_WIDTH = 5
_NOBODY = MOST_SIDES


def blank(rules: Rules) -> dict[str, np.ndarray]:
    """Zero counters for matches by these rules."""
    shapes = {
        "clusters": (3,),
        "totals": (3, _SIZE),
        "gram": (3, _SIZE, _SIZE),
        "points": (2, MOST_SIDES, MOST_ROUND_POINTS + 1),
        "ends": (2, len(ENDINGS), MOST_SIDES),
        "tiles": (_MOST_TILES + 1,),
        "knocks": (_MOST_KNOCKS + 1,),
        "near": (NEAR,),
        "rounds": (LONGEST_MATCH + 1,),
        "turns": (LONGEST_MATCH + 1,),
        "winners": (MOST_PLAYERS, MOST_SIDES + 1),
        "scores": (MOST_SIDES, (rules.target or 0) + 1),
        "placements": (2, TOTALS),
    }
    return {name: np.zeros(shape, np.int64) for name, shape in shapes.items()}


def count(rows: np.ndarray, placements: np.ndarray, rules: Rules) -> dict[str, np.ndarray]:
    """Counters of consecutive whole matches.

    Parameters
    ----------
    rows : int16 (rounds, COLUMNS) array
        As :func:`sim.fives_and_threes.kernel.play_matches` fills it.
    placements : int64 (50,) array
        Likewise.
    rules : Rules
        What was played by.

    Returns
    -------
    dict of str to int64 array
        As the module describes them.
    """
    counters = blank(rules)
    counters["placements"] += placements.reshape(2, TOTALS)
    tally(rows, rules.row(), *(counter for name, counter in counters.items() if name != "placements"))
    return counters


@kernel
def tally(
    rows, rules, clusters, totals, gram, points, ends, tiles, knocks, near, rounds, turns, winners, scores
):
    """Add consecutive whole matches to the counters; arrays as in :func:`blank`."""
    first, later = np.zeros(WIDTH, np.int64), np.zeros(WIDTH, np.int64)
    sums, line = np.zeros((3, BLOCK * WIDTH), np.int32), np.zeros(WIDTH, np.int64)
    players, target, matches = rules[RULE_PLAYERS], rules[RULE_TARGET], 0
    for r in range(rows.shape[0]):
        tiles[rows[r, TILES]] += 1
        knocks[rows[r, KNOCKS]] += 1
        phase = _FIRST if rows[r, ROUND] == 0 else _LATER
        _add_round(rows, r, players, target, first if phase == _FIRST else later, near)
        _place_round(rows, r, players, phase, points, ends)
        if r + 1 == rows.shape[0] or rows[r + 1, ROUND] == 0:
            if target:
                _place_match(rows, r, players, first, later, rounds, turns, winners, scores)
            clusters[_LATER] += later[_ROUNDS] > 0
            _add_match(first, later, matches * WIDTH, sums)
            matches += 1
        if matches == BLOCK or r + 1 == rows.shape[0]:
            clusters[_FIRST] += matches
            clusters[_ALL] += matches
            for phase in range(3):
                add_block(sums[phase], matches, phase, totals, gram, line)
            matches = 0


@helper
def place_of(side, starter, players):
    """Place of a side: its distance from the side of the starter."""
    place = side - side_of(starter, players)
    return place if place >= 0 else place + (2 if players == MOST_PLAYERS else players)


@helper
def _add_round(rows, r, players, target, sums, near):
    """Add one round to the totals of its match."""
    sums[_ROUNDS] += 1
    for side in range(2 if players == MOST_PLAYERS else players):
        place = place_of(side, rows[r, STARTER], players)
        sums[_POINTS + place] += rows[r, POINTS_OF + side]
        sums[_SIDE + side] += rows[r, POINTS_OF + side]
        lacking = target - rows[r, SCORE_OF + side] + rows[r, POINTS_OF + side]
        if 0 < lacking < NEAR:
            near[lacking] += 1
            sums[_NEAR] += 1
    last = place_of(side_of(rows[r, LAST], players), rows[r, STARTER], players)
    sums[_OUT + last] += rows[r, ENDED] == OUT
    sums[_BLOCKED] += rows[r, ENDED] == BLOCKED
    sums[_TILES] += rows[r, TILES]
    sums[_KNOCKS] += rows[r, KNOCKS]
    sums[_REJECTED] += rows[r, REJECTED]


@helper
def _place_round(rows, r, players, phase, points, ends):
    """Count one round in the tables of single rounds."""
    for side in range(2 if players == MOST_PLAYERS else players):
        points[phase, place_of(side, rows[r, STARTER], players), rows[r, POINTS_OF + side]] += 1
    last = place_of(side_of(rows[r, LAST], players), rows[r, STARTER], players)
    ends[phase, rows[r, ENDED], last] += 1


@helper
def _place_match(rows, r, players, first, later, rounds, turns, winners, scores):
    """Count one whole match, which ends with row ``r``."""
    length = first[_ROUNDS] + later[_ROUNDS]
    moves = first[_TILES] + later[_TILES] + first[_KNOCKS] + later[_KNOCKS]
    rounds[length] += 1
    turns[min(moves // TURNS_WIDTH, turns.size - 1)] += 1
    starter = rows[r - length + 1, STARTER]
    winner = side_of(rows[r, LAST], players) if rows[r, ENDED] == TARGET else _NOBODY
    winners[starter, winner] += 1
    for side in range(2 if players == MOST_PLAYERS else players):
        scores[place_of(side, starter, players), rows[r, SCORE_OF + side]] += 1


@helper
def _add_match(first, later, at, sums):
    """Write the totals of one match to a place of `sums`, and clear them."""
    for quantity in range(_SIZE):
        sums[_FIRST, at + quantity], sums[_LATER, at + quantity] = first[quantity], later[quantity]
        sums[_ALL, at + quantity] = first[quantity] + later[quantity]
        first[quantity] = later[quantity] = 0
