"""Playing a sampled world out to the end of the round, in registers.

The moves are those of :func:`sim.fives_and_threes.registers.play_in_registers`, begun in the middle of a
round. Seats and scores are packed as there; a world fills the hands.
"""

from typing import NamedTuple

import numpy as np

from sim.core.bits import choose, lowest_index, popcount
from sim.core.jit import helper, routine
from sim.core.rng import word
from sim.fives_and_threes import knowledge as know
from sim.fives_and_threes.chain import FOLLOWING, MOVES_AT, POINTS, TOTAL_AT, state_of, tiles_of
from sim.fives_and_threes.heuristic import COST
from sim.fives_and_threes.registers import (
    ONE_SCORE,
    SCORE_BITS,
    PLAYER,
    UPPER,
    both_ends,
    first_of,
    pack_scores,
    player_of,
    thoughtful_move,
    tile_at,
    turn,
)
from sim.fives_and_threes.rules import MOST_PLAYERS, MOST_SIDES
from sim.fives_and_threes.strategies import GREEDY, HEURISTIC, dearest_moves, random_move
from sim.fives_and_threes.tiles import SET

POINT = 16
"""What one point is worth, as an integer."""
_AIM = 1.0
_WIN = 20
NEAR = np.concatenate([[-POINT * _WIN], np.rint(_AIM * POINT * COST[1:])]).astype(np.int64)
"""What a score near the target costs above the usual pace, by the points missing."""


class Match(NamedTuple):
    """What stays the same all through a round.

    Parameters
    ----------
    limit : int
        The target (F13), or more than any score.
    bonus : int
        Points for ending the round by going out (F9, F10).
    partners : int
        All tiles where the second seat is a partner (F1), else 0.
    sides : int
        What of a player's number tells its side.
    scored : int
        How many sides there are (F14).
    """

    limit: int
    bonus: int
    partners: int
    sides: int
    scored: int


class Table(NamedTuple):
    """A round in the middle: ends, tiles laid, scores, and the seats from the one to move on."""

    state: int
    laid: int
    scores: int
    mover: int
    first: int
    second: int
    third: int


@helper
def match_of(view):
    """Return what a player knows of the match."""
    partnered = view[know.PLAYERS] == MOST_PLAYERS
    return Match(
        view[know.TARGET] if view[know.TARGET] else know.NO_LIMIT,
        view[know.BONUS],
        choose(partnered, SET, 0),
        choose(partnered, 1, 3),
        2 if partnered else view[know.PLAYERS],
    )


@helper
def table_of(view, worlds, world):
    """Return the table at which a player is to move, with the hands of a world."""
    player = view[know.PLAYER]
    return Table(
        state_of(view[know.LEFT], view[know.RIGHT]),
        view[know.CHAIN],
        pack_scores(view),
        _seat(view, worlds, world, player),
        _seat(view, worlds, world, (player + 1) % MOST_PLAYERS),
        _seat(view, worlds, world, (player + 2) % MOST_PLAYERS),
        _seat(view, worlds, world, (player + 3) % MOST_PLAYERS),
    )


@helper
def _seat(view, worlds, world, player):
    """Return the seat of a player in a world."""
    return worlds[world, player] | player << PLAYER | view[know.LACKS + player] << UPPER


@helper
def score_of(scores, side):
    """Return the score of one side."""
    return (scores >> SCORE_BITS * side) & ONE_SCORE


@helper
def laid(match, table, move):
    """Lay a tile, score it and pass the turn (F5-F13).

    Returns
    -------
    table : Table
        After it.
    moves : int64
        Moves of the player whose turn it is; 0 where the round is over.
    """
    state, chain, scores, mover, first, second, third = table
    hand, player = mover & SET, player_of(mover)
    shift = SCORE_BITS * (player & match.sides)
    room = match.limit - ((scores >> shift) & ONE_SCORE)
    out = hand & (hand - 1) == 0 and second & match.partners == 0
    index = lowest_index(move)
    state = np.int64(FOLLOWING[state, index])
    tile = tile_at(index)
    hand ^= tile
    mover ^= tile
    event = POINTS[TOTAL_AT[state]] + (match.bonus if out else 0)
    scores += (0 if event > room else event) << shift
    fits = MOVES_AT[state]
    can_first, can_second = both_ends(first) & fits, both_ends(second) & fits
    can_third, can_last = both_ends(third) & fits, both_ends(hand) & fits
    moves = first_of(can_first, can_second, can_third, can_first, can_second, can_third, can_last)
    moves = 0 if event == room or out else moves
    shown = tiles_of(fits) << UPPER
    first |= choose(can_first, 0, shown)
    second |= choose(can_first | can_second, 0, shown)
    third |= choose(can_first | can_second | can_third, 0, shown)
    first, second, third, mover = turn(can_first, can_second, can_third, first, second, third, mover)
    return Table(state, chain | tile, scores, mover, first, second, third), moves


@helper
def heuristic_move(match, table, moves, weights):
    """Move of the player to move as heuristic."""
    room = match.limit - score_of(table.scores, player_of(table.mover) & match.sides)
    hand = table.mover & SET
    out = hand & (hand - 1) == 0 and table.second & match.partners == 0
    return thoughtful_move(
        weights, moves, table.state, table.laid, room, match.bonus if out else 0,
        table.first, table.second, table.third, table.mover,
        match.partners, match.limit, table.scores, match.sides,
    )  # fmt: skip


@routine
def play_out(match, table, move, weights, others, key):
    """Play a move, and from there on to the end of the round.

    Parameters
    ----------
    match : Match
    table : Table
        Where the move is made.
    move : int64
    weights : Weights
        Of the player who moves, and of all that play as heuristic.
    others : int64
        Policy of its opponents: HEURISTIC, GREEDY or RANDOM.
    key : int64
        Key of their random words: each is that of the tile's number in the round.

    Returns
    -------
    int64
        Scores of all sides, packed.
    """
    mine = player_of(table.mover) & match.sides
    while True:
        table, moves = laid(match, table, move)
        if moves == 0:
            return table.scores
        if moves & (moves - 1) == 0:
            move = moves
        elif others == HEURISTIC or player_of(table.mover) & match.sides == mine:
            move = heuristic_move(match, table, moves, weights)
        else:
            if others == GREEDY:
                hand = table.mover & SET
                out = hand & (hand - 1) == 0 and table.second & match.partners == 0
                room = match.limit - score_of(table.scores, player_of(table.mover) & match.sides)
                moves = dearest_moves(moves, table.state, room - (match.bonus if out else 0))
            move = random_move(moves, word(key, popcount(table.laid)))


@helper
def worth(match, scores, side):
    """What scores are worth to a side: its own against the mean of the others, by POINT.

    With three sides it is twice that. A score near the target is worth less than its points, since the last
    ones have to be met exactly; the target itself is worth more.
    """
    total = 0
    for other in range(MOST_SIDES):
        if other < match.scored:
            here = POINT * score_of(scores, other) - near(match.limit - score_of(scores, other))
            total += here * (match.scored - 1) if other == side else -here
    return total


@helper
def near(room):
    """What a score so far from the target costs."""
    return NEAR[room] if room < NEAR.size else 0
