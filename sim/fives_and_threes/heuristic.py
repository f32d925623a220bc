"""A thoughtful human at Fives and Threes: what a move scores against what it leaves to whom.

Each legal move is valued in points: what it scores now, less what the next player can be expected to
score on the ends that it leaves, and so on. A player's knocks and the tiles in sight leave a number of
candidates for its hand; the chance that a hand of ``k`` out of ``n`` candidates holds none of ``m``
tiles is hypergeometric, so an expected best reply takes six counts. Weights are in ``PARAMETERS``.
"""

from math import comb
from typing import NamedTuple

import numpy as np

from sim.core.bits import popcount
from sim.core.jit import helper, plain
from sim.fives_and_threes.chain import (
    FITS,
    LEVELS,
    MOST_POINTS,
    OPEN,
    POINTS,
    SCORING,
    WITHIN,
    lay,
    state_of,
    tiles_of,
)
from sim.fives_and_threes.knowledge import (
    BONUS,
    CHAIN,
    HAND,
    LEFT,
    LEGAL,
    PLAYER,
    PLAYERS,
    RIGHT,
    SIZE,
    ends_by_out,
    may_hold,
    next_holder,
    partner_of,
    room_for,
)
from sim.fives_and_threes.rules import MOST_PLAYERS
from sim.fives_and_threes.tiles import HALVES, NUMBERS, SET, TILES


class Weights(NamedTuple):
    """What a move's effects are worth, in points.

    Parameters
    ----------
    reply : float
        Of the best that the next opponent can be expected to score on the ends left; a cost.
    partner : float
        Of the best that the partner can be expected to score on them.
    follow : float
        Of the best that the own hand could score on them.
    mobility : float
        Of each own tile that fits them.
    control : float
        Of the own share of an open number's tiles that are still to come, end by end.
    knock : float
        Of the chance that the next opponent must knock.
    partner_knock : float
        Of the chance that the partner must knock; a cost.
    double : float
        Of getting rid of a double, which fits one number only.
    aim : float
        Of the turns that a score near the target costs above the usual pace.
    danger : float
        Of the chance that the next opponent hits the target at once; a cost.
    """

    reply: float = 0.8
    partner: float = 0.2
    follow: float = 0.15
    mobility: float = 0.12
    control: float = 0.35
    knock: float = 0.8
    partner_knock: float = 0.4
    double: float = 0.3
    aim: float = 0.5
    danger: float = 6.0


class Outlook(NamedTuple):
    """Another player as the deciding one sees it.

    Parameters
    ----------
    held : int
        Number of tiles in hand.
    candidates : int
        Tiles that may be among them.
    within : int
        How many of LEVELS stay within the target.
    hit : int
        Which of LEVELS hits it; one past the last if none does.
    """

    held: int
    candidates: int
    within: int
    hit: int


PARAMETERS = Weights()._asdict()
DOUBLES = sum(1 << index for index, (low, high) in enumerate(HALVES) if low == high)

_MOST_HELD, _MOST_FITTING = TILES // 2, 13
_WIN = 1000.0


def _miss() -> np.ndarray:
    """Chance that ``k`` tiles out of ``n`` are none of ``m``: float64 by n, k, m."""
    miss = np.zeros((TILES, _MOST_HELD + 1, _MOST_FITTING + 1))
    for n, k, m in np.ndindex(miss.shape):
        if m <= n and k <= n:
            miss[n, k, m] = comb(n - m, k) / comb(n, k)
    return miss


def _pace() -> np.ndarray:
    """Cost of a score near the target, by the points missing: float64.

    A player who scores ``p`` points with the chance that a random placement does, and nothing where
    ``p`` is too much, needs some number of turns to meet the target exactly. The cost is what this is
    above the turns that the same points take far from the target, in points.
    """
    count = np.array([np.bitwise_count(SCORING[:-1, level]).sum() for level in range(LEVELS.size + 1)])
    fitting = sum(2 * int(fits).bit_count() for fits in FITS[:OPEN]) * OPEN // 2
    chance = dict(zip(LEVELS.tolist(), (count[:-1] - count[1:]) / fitting, strict=True))
    turns = [0.0]
    for missing in range(1, 121):
        usable = {points: share for points, share in chance.items() if points <= missing}
        ahead = sum(share * turns[missing - points] for points, share in usable.items())
        turns.append((1 + ahead) / sum(usable.values()))
    speed = 60 / (turns[120] - turns[60])
    usual = turns[120] - 120 / speed
    return np.array([0.0] + [(turns[missing] - usual) * speed - missing for missing in range(1, 41)])


MISS = _miss()
COST = _pace()
SHARE = np.array([[own / (out + 1) for out in range(NUMBERS + 1)] for own in range(NUMBERS + 1)])
STEP = np.diff(LEVELS, prepend=0).astype(np.float64)
REPLIES = np.ascontiguousarray(plain(tiles_of)(SCORING & ~SCORING.T[:, :, np.newaxis]))
"""Tiles with a move that scores at least ``LEVELS[level]`` points and less than ``LEVELS[within]``:
int64 of shape (7, 197, 7) by within, state, level; within 6 is any score, level 6 none."""
HIT = np.array([np.argmax(np.append(LEVELS == room, True)) for room in range(MOST_POINTS + 2)])
"""Level of a score that is exactly 0, 1, … 9 points; one past the last if there is none."""


@helper
def choose_move(view, params):
    """Return the legal move that is worth most; the lowest bit among equals."""
    row, legal = view[PLAYER], view[LEGAL]
    if legal & (legal - 1) == 0:
        return legal
    weights = weights_of(params, row)
    other, partner = next_holder(view, row), partner_of(row)
    with_partner = view[PLAYERS] == MOST_PLAYERS and view[SIZE + partner] > 0
    rival, mate = outlook(view, other), outlook(view, partner if with_partner else row)
    against = 0.0 if with_partner and other == partner else 1.0
    bonus = view[BONUS] if ends_by_out(view, row) else 0
    room, left_before, right_before = room_for(view, row), view[LEFT], view[RIGHT]
    hand, chain = view[HAND], view[CHAIN]
    best, best_worth = 0, -np.inf
    while legal:
        move = legal & -legal
        legal ^= move
        left, right, total = lay(move, left_before, right_before)
        tile = tiles_of(move)
        worth = worth_now(weights, tile, POINTS[total] + bonus, room)
        worth += worth_kept(weights, hand ^ tile, SET ^ chain, within_of(room), left, right)
        worth += against * worth_against(weights, rival, left, right)
        if with_partner:
            worth += worth_with(weights, mate, left, right)
        if worth > best_worth:
            best, best_worth = move, worth
    return best


@helper
def weights_of(params, row):
    """Weights of one strategy."""
    return Weights(
        params[row, 0], params[row, 1], params[row, 2], params[row, 3], params[row, 4],
        params[row, 5], params[row, 6], params[row, 7], params[row, 8], params[row, 9],
    )  # fmt: skip


@helper
def outlook(view, other):
    """Return what the deciding player knows of another one's hand and prospects."""
    room = room_for(view, other)
    hit = HIT[min(room, MOST_POINTS + 1)]
    return Outlook(view[SIZE + other], may_hold(view, other), within_of(room), hit)


@helper
def within_of(room):
    """Return how many of LEVELS fit into the room to the target (F13)."""
    return WITHIN[min(room, MOST_POINTS)]


@helper
def worth_now(weights, tile, event, room):
    """Worth of what a move scores (F8–F10, F13), of the score reached, and of the tile being gone."""
    worth = weights.double if tile & DOUBLES else 0.0
    if event > room:
        return worth
    if event == room:
        return _WIN
    near = COST[room] - COST[room - event] if room < COST.size else 0.0
    return worth + event + weights.aim * near


@helper
def worth_kept(weights, rest, out, within, left, right):
    """Worth of the ends for the tiles that stay in hand; ``out`` are all tiles not in the chain before."""
    share = SHARE[popcount(rest & FITS[left]), popcount(out & FITS[left])]
    share += SHARE[popcount(rest & FITS[right]), popcount(out & FITS[right])]
    fitting = popcount(rest & (FITS[left] | FITS[right]))
    follow = best_reply(rest, state_of(left, right), within)
    return weights.mobility * fitting + weights.control * share + weights.follow * follow


@helper
def worth_against(weights, rival, left, right):
    """Worth of the ends against what the next opponent can be expected to do with them."""
    state = state_of(left, right)
    worth = weights.knock * chance_of_none(rival, FITS[left] | FITS[right])
    worth -= weights.reply * expected_reply(rival, state)
    hits = REPLIES[rival.within, state, rival.hit]
    return worth - weights.danger * (1.0 - chance_of_none(rival, hits))


@helper
def worth_with(weights, mate, left, right):
    """Worth of the ends for what the partner can be expected to do with them."""
    worth = weights.partner * expected_reply(mate, state_of(left, right))
    return worth - weights.partner_knock * chance_of_none(mate, FITS[left] | FITS[right])


@helper
def chance_of_none(seen, tiles):
    """Chance that a player holds none of these tiles, its hand being drawn from the candidates."""
    return MISS[popcount(seen.candidates), seen.held, popcount(tiles & seen.candidates)]


@helper
def expected_reply(seen, state):
    """Expected best score of a player in a given state, its hand being drawn from the candidates."""
    n, reply = popcount(seen.candidates), 0.0
    for level in range(LEVELS.size):
        fitting = popcount(REPLIES[seen.within, state, level] & seen.candidates)
        reply += STEP[level] * (1.0 - MISS[n, seen.held, fitting])
    return reply


@helper
def best_reply(hand, state, within):
    """Best score in a given state of a known hand."""
    reply = 0.0
    for level in range(LEVELS.size):
        reply += STEP[level] if REPLIES[within, state, level] & hand else 0.0
    return reply
