"""A thoughtful human at Fives and Threes: what a move scores against what it leaves to whom.

Each legal move is valued in points: what it scores now, less what the next player can be expected to
score on the ends that it leaves, and so on. A player's knocks and the tiles in sight leave a number of
candidates for its hand; the chance that a hand of ``k`` out of ``n`` candidates holds none of ``m``
tiles is hypergeometric, so an expected best reply takes six counts. Weights are in ``PARAMETERS``.
"""

from math import comb
from typing import NamedTuple

import numpy as np

from sim.core.bits import choose, lowest, lowest_index, popcount
from sim.core.jit import helper, plain
from sim.fives_and_threes.chain import (
    FITS,
    FOLLOWING,
    LEVELS,
    MOST_POINTS,
    MOVES_AT,
    OPEN,
    POINTS,
    RIGHT_SIDE,
    SCORING,
    STATES,
    TOTAL_AT,
    WITHIN,
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
    chances : int
        Where MISS and GAIN begin for a hand of so many tiles out of so many candidates.
    candidates : int
        Tiles that may be in hand.
    level : int
        Where PROSPECTS begins for as many of LEVELS as stay within the target.
    hit : int
        Which of LEVELS hits it; one past the last if none does.
    """

    chances: int
    candidates: int
    level: int
    hit: int


PARAMETERS = Weights()._asdict()
DOUBLES = sum(1 << index for index, (low, high) in enumerate(HALVES) if low == high)

_MOST_HELD, _MOST_FITTING = TILES // 2, 13
_COUNT_BITS, _FITTING_BITS = 4, 4
"""Of the number of tiles in a hand, and of the number that fit, in an index of MISS."""
_WIN = 1000.0


def _miss() -> np.ndarray:
    """Chance that ``k`` tiles out of ``n`` are none of ``m``: float64 by n, k and m, in one axis."""
    miss = np.zeros((TILES, 1 << _COUNT_BITS, 1 << _FITTING_BITS))
    for n, k, m in np.ndindex(TILES, _MOST_HELD + 1, _MOST_FITTING + 1):
        if m <= n and k <= n:
            miss[n, k, m] = comb(n - m, k) / comb(n, k)
    return miss.ravel()


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


def _prospects() -> np.ndarray:
    """Table of PROSPECTS."""
    prospects = np.zeros((LEVELS.size + 1, 1 << _STATE_BITS, 1 << _PLACE_BITS), np.int64)
    replies = plain(tiles_of)(SCORING & ~SCORING.T[:, :, np.newaxis])
    by_state = prospects[:, :STATES]
    by_state[:, :, : LEVELS.size + 1] = replies
    levels = sum(replies[:, :, level, np.newaxis] >> np.arange(TILES) & 1 for level in range(LEVELS.size))
    for plane in range(3):
        by_state[:, :, PLANES + plane] = ((levels >> plane & 1) << np.arange(TILES)).sum(axis=2)
    by_state[:, :, LEFT_FITS], by_state[:, :, RIGHT_FITS] = MOVES_AT & SET, MOVES_AT >> RIGHT_SIDE
    by_state[:, :, FITTING] = plain(tiles_of)(MOVES_AT)
    by_state[:, :, SCORED] = POINTS[TOTAL_AT]
    return prospects.ravel()


MISS = _miss()
GAIN = 1.0 - MISS
"""Chance that a hand holds at least one of the tiles that MISS speaks of."""
TWICE = 2.0 * GAIN
COST = _pace()
SHARE = np.array([[own / (out + 1) for out in range(NUMBERS + 1)] for own in range(NUMBERS + 1)])
BEST = np.concatenate([[0], LEVELS, [0]]).astype(np.float64)
"""Points of the best of so many levels."""
PLANES, LEFT_FITS, RIGHT_FITS, FITTING, SCORED = 7, 10, 11, 12, 13
_STATE_BITS, _PLACE_BITS = 8, 4
_LEVEL_BITS = _STATE_BITS + _PLACE_BITS
PROSPECTS = _prospects()
"""What each state offers to a player, in one axis: by how many of LEVELS stay within the target, by state and
by place. Places 0 to 5: tiles with a move that scores at least that of LEVELS and stays within; 6: none.
PLANES + 0, 1, 2: tiles whose number of such levels has that binary digit. LEFT_FITS, RIGHT_FITS, FITTING:
tiles that fit the one end, the other, any. SCORED: what the ends score."""
HIT = np.array([np.argmax(np.append(LEVELS == room, True)) for room in range(MOST_POINTS + 2)], np.uint8)
"""Level of a score that is exactly 0, 1, … 9 points; one past the last if there is none."""
_WITHIN = WITHIN.astype(np.uint8)


@helper
def choose_move(view, params):
    """Return the legal move that is worth most; the lowest bit among equals."""
    moves = view[LEGAL]
    if moves & (moves - 1) == 0:
        return moves
    seen = position(view, params)
    return best_move(seen[0], seen[1], moves, *seen[2:])


@helper
def position(view, params):
    """What :func:`best_move` asks for but the moves, as a player sees it."""
    row = view[PLAYER]
    other, partner = next_holder(view, row), partner_of(row)
    with_partner = view[PLAYERS] == MOST_PLAYERS and view[SIZE + partner] > 0
    mate = partner if with_partner else row
    return (
        weights_of(params, row),
        view[HAND],
        state_of(view[LEFT], view[RIGHT]),
        SET ^ view[CHAIN],
        room_for(view, row),
        view[BONUS] if ends_by_out(view, row) else 0,
        outlook(view[SIZE + other], may_hold(view, other), room_for(view, other)),
        not (with_partner and other == partner),
        outlook(view[SIZE + mate], may_hold(view, mate), room_for(view, mate)),
        with_partner,
    )


@helper
def best_move(weights, hand, moves, state, out, room, bonus, rival, against, mate, with_partner):
    """Return the move that is worth most; the lowest bit among equals.

    Parameters
    ----------
    weights : Weights
        Of the player's strategy.
    hand, moves : int64
        Its tiles, and its legal moves.
    state, out : int64
        The chain: its state, and all tiles that are not in it.
    room, bonus : int64
        Most points that an event may be worth (F13); what going out with this tile adds (F9, F10).
    rival, mate : Outlook
        The next player with tiles, and the partner.
    against, with_partner : bool
        Whether that rival is an opponent; whether there is a partner with tiles.
    """
    best, best_worth = 0, -np.inf
    while moves:
        move = lowest(moves)
        moves ^= move
        worth = worth_of(move, weights, hand, state, out, room, bonus, rival, against, mate, with_partner)
        better = worth > best_worth
        best, best_worth = choose(better, move, best), choose(better, worth, best_worth)
    return best


@helper
def worth_of(move, weights, hand, state, out, room, bonus, rival, against, mate, with_partner):
    """Worth of one move in points; parameters as :func:`best_move`."""
    after, tile, level = np.int64(FOLLOWING[state, lowest_index(move)]), tiles_of(move), level_of(room)
    own = level + (after << _PLACE_BITS)
    worth = worth_now(weights, tile, PROSPECTS[own + SCORED] + bonus, room)
    worth += worth_kept(weights, hand ^ tile, out, own)
    if against:
        worth += worth_against(weights, rival, after)
    if with_partner:
        worth += worth_with(weights, mate, after)
    return worth


@helper
def weights_of(params, row):
    """Weights of one strategy."""
    return Weights(
        params[row, 0], params[row, 1], params[row, 2], params[row, 3], params[row, 4],
        params[row, 5], params[row, 6], params[row, 7], params[row, 8], params[row, 9],
    )  # fmt: skip


@helper
def outlook(held, candidates, room):
    """Return a player's prospects from its number of tiles, those it may hold and its room to the target."""
    chances = popcount(candidates) << _COUNT_BITS | held
    return Outlook(chances << _FITTING_BITS, candidates, level_of(room), HIT[min(room, MOST_POINTS + 1)])


@helper
def level_of(room):
    """Where PROSPECTS begins for a room to the target (F13)."""
    return np.int64(_WITHIN[max(0, min(room, MOST_POINTS))]) << _LEVEL_BITS


@helper
def worth_now(weights, tile, event, room):
    """Worth of what a move scores (F8–F10, F13), of the score reached, and of the tile being gone."""
    worth = choose(tile & DOUBLES, weights.double, 0.0)
    if event > room:
        return worth
    if event == room:
        return _WIN
    near = COST[room] - COST[room - event] if room < COST.size else 0.0
    return worth + event + weights.aim * near


@helper
def worth_kept(weights, rest, out, own):
    """Worth of the ends for the tiles that stay in hand.

    ``out`` are all tiles not in the chain before, ``own`` the player's place in PROSPECTS.
    """
    left, right = PROSPECTS[own + LEFT_FITS], PROSPECTS[own + RIGHT_FITS]
    share = SHARE[popcount(rest & left), popcount(out & left)]
    share += SHARE[popcount(rest & right), popcount(out & right)]
    fitting = popcount(rest & PROSPECTS[own + FITTING])
    return weights.mobility * fitting + weights.control * share + weights.follow * best_reply(rest, own)


@helper
def best_reply(hand, own):
    """Best score of a known hand: the greatest number of levels, from its highest binary digit down."""
    levels = 0
    for plane in range(2, -1, -1):
        those = hand & PROSPECTS[own + PLANES + plane]
        levels += choose(those, 1 << plane, 0)
        hand = choose(those, those, hand)
    return BEST[levels]


@helper
def worth_against(weights, rival, state):
    """Worth of the ends against what the next opponent can be expected to do with them."""
    theirs = rival.level + (state << _PLACE_BITS)
    worth = weights.knock * MISS[chance_place(rival, theirs + FITTING)]
    worth -= weights.reply * expected_reply(rival, theirs)
    if rival.hit == LEVELS.size:
        return worth
    return worth - weights.danger * GAIN[chance_place(rival, theirs + rival.hit)]


@helper
def worth_with(weights, mate, state):
    """Worth of the ends for what the partner can be expected to do with them."""
    theirs = mate.level + (state << _PLACE_BITS)
    worth = weights.partner * expected_reply(mate, theirs)
    return worth - weights.partner_knock * MISS[chance_place(mate, theirs + FITTING)]


@helper
def chance_place(seen, place):
    """Place in MISS and GAIN of a player's hand, drawn from its candidates, and the tiles of a prospect."""
    return seen.chances + popcount(PROSPECTS[place] & seen.candidates)


@helper
def expected_reply(seen, theirs):
    """Expected best score of a player, its hand being drawn from the candidates: LEVELS by their steps."""
    reply = GAIN[chance_place(seen, theirs)]
    reply += GAIN[chance_place(seen, theirs + 1)]
    reply += GAIN[chance_place(seen, theirs + 2)]
    reply += GAIN[chance_place(seen, theirs + 3)]
    reply += TWICE[chance_place(seen, theirs + 4)]
    return reply + TWICE[chance_place(seen, theirs + 5)]
