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
    PLAYER,
    SCORE_BITS,
    UPPER,
    both_ends,
    first_of,
    pack_scores,
    player_of,
    thoughtful_move,
    tile_at,
    turn,
)
from sim.fives_and_threes.rules import MOST_PLAYERS
from sim.fives_and_threes.strategies import GREEDY, HEURISTIC, dearest_moves, random_move
from sim.fives_and_threes.tiles import SET, TILES

PART, STEP = 16, 1024
POINT = PART * STEP
"""What one point is worth at once, as an integer."""
_DISCOUNT, _WIN = 0.9, 20
STEPS = np.rint(STEP * _DISCOUNT ** np.arange(TILES)).astype(np.int64)
"""What a point counts that comes so many tiles later, of STEP. What is far away hangs little on a move and
varies much: a few worlds tell more if it counts for less."""
NEAR = np.rint(PART * np.concatenate([[-_WIN], COST[1:]])).astype(np.int64)
"""Cost of a score near the target, by the points missing, in parts of a point: the last ones have to be met
exactly, and the target itself is worth more than its points (F13)."""


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
    event : int64
        Points that it brings its player, 0 where the target drops it (F13).
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
    done = event == room
    event = 0 if event > room else event
    scores += event << shift
    fits = MOVES_AT[state]
    can_first, can_second = both_ends(first) & fits, both_ends(second) & fits
    can_third, can_last = both_ends(third) & fits, both_ends(hand) & fits
    moves = first_of(can_first, can_second, can_third, can_first, can_second, can_third, can_last)
    moves = 0 if done or out else moves
    shown = tiles_of(fits) << UPPER
    first |= choose(can_first, 0, shown)
    second |= choose(can_first | can_second, 0, shown)
    third |= choose(can_first | can_second | can_third, 0, shown)
    first, second, third, mover = turn(can_first, can_second, can_third, first, second, third, mover)
    return Table(state, chain | tile, scores, mover, first, second, third), moves, event


@helper
def stake(match, table):
    """Room of the player to move (F13), and what going out with this tile adds (F9, F10)."""
    hand = table.mover & SET
    out = hand & (hand - 1) == 0 and table.second & match.partners == 0
    return match.limit - score_of(table.scores, side_at(match, table)), match.bonus if out else 0


@helper
def heuristic_move(match, table, moves, weights):
    """Move of the player to move as heuristic."""
    room, bonus = stake(match, table)
    return thoughtful_move(
        weights, moves, table.state, table.laid, room, bonus,
        table.first, table.second, table.third, table.mover,
        match.partners, match.limit, table.scores, match.sides,
    )  # fmt: skip


@helper
def distinct(moves, left, right):
    """Moves that are worth telling apart: the sides of two ends of one kind come to the same."""
    return moves & SET if left == right else moves


@helper
def simple_move(match, table, moves, others, key):
    """Move of an opponent taken to be GREEDY or RANDOM."""
    if others == GREEDY:
        room, bonus = stake(match, table)
        moves = dearest_moves(moves, table.state, room - bonus)
    return random_move(moves, word(key, popcount(table.laid)))


@helper
def worth(match, table, side, event, late):
    """What an event is worth to a side: its points, and a score near the target, by POINT.

    Parameters
    ----------
    match, table : Match and Table
        Before the event.
    side : int64
        Whose it is worth to: its own count for it, those of others against it, with three sides by half, all
        of it twice.
    event, late : int64
        Points of the player to move, and how many tiles later.
    """
    scorer = side_at(match, table)
    room = match.limit - score_of(table.scores, scorer)
    gain = PART * event
    if event and room < NEAR.size:
        gain += NEAR[room] - NEAR[room - event]
    return STEPS[late] * (gain * (match.scored - 1) if scorer == side else -gain)


@helper
def side_at(match, table):
    """Side of the player to move."""
    return player_of(table.mover) & match.sides


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
        Key of their random words: each has the number of tiles laid.

    Returns
    -------
    int64
        What the round is worth to the player's side; see :func:`worth`.
    """
    mine, total, late = side_at(match, table), 0, 0
    while True:
        after, moves, event = laid(match, table, move)
        total += worth(match, table, mine, event, late)
        if moves == 0:
            return total
        table = after
        late += 1
        if moves & (moves - 1) == 0:
            move = moves
        elif others == HEURISTIC or side_at(match, table) == mine:
            move = heuristic_move(match, table, moves, weights)
        else:
            move = simple_move(match, table, moves, others, key)
