"""Play-outs by players who themselves sample a few worlds for each move.

The hands of the others enter such a player's choice through their sizes and what their knocks have shown
alone: what it cannot see it deals anew.
"""

import numpy as np

from sim.core.bits import popcount
from sim.core.jit import helper, routine
from sim.core.rng import word
from sim.fives_and_threes.chain import OPEN
from sim.fives_and_threes.registers import UPPER
from sim.fives_and_threes.rules import MOST_PLAYERS
from sim.fives_and_threes.strategies import HEURISTIC
from sim.fives_and_threes.thinking.playout import Table, distinct, laid, play_out, side_at, worth
from sim.fives_and_threes.thinking.worlds import deal_apart
from sim.fives_and_threes.tiles import SET, TILES
from sim.thinking.candidates import bring_forward, list_members


@routine
def play_out_thinking(match, table, move, weights, key, inner):
    """Play a move, and on to the end of the round, everybody thinking.

    Parameters
    ----------
    match, table, move, weights
        As for :func:`sim.fives_and_threes.thinking.playout.play_out`.
    key : int64
        Key of the players' random words: each has the number of tiles laid.
    inner : int64
        Worlds that each player samples for a move.

    Returns
    -------
    int64
        What the round is worth to the player's side.
    """
    mine, total, late = side_at(match, table), 0, 0
    while True:
        after, moves, event = laid(match, table, move)
        total += worth(match, table, mine, event, late)
        if moves == 0:
            return total
        table = after
        late += 1
        moves = distinct(moves, table.state // OPEN, table.state % OPEN)
        move = moves
        if moves & (moves - 1):
            move = think_briefly(match, table, moves, weights, word(key, popcount(table.laid)), inner)


@routine
def think_briefly(match, table, moves, weights, key, count):
    """Choose a move by the sum over ``count`` sampled worlds, the lowest of equal ones."""
    listed, values = np.empty(2 * TILES, np.int64), np.zeros(2 * TILES, np.int64)
    number, worlds = list_members(moves, listed), np.empty((count, MOST_PLAYERS), np.int64)
    unseen = SET ^ (table.laid | (table.mover & SET))
    deal_apart(
        _may_hold(table.first, unseen), _may_hold(table.second, unseen), _may_hold(table.third, unseen),
        popcount(table.first & SET), popcount(table.second & SET), popcount(table.third & SET),
        key, worlds, (1, 2, 3),
    )  # fmt: skip
    for world in range(count):
        there = Table(
            table.state,
            table.laid,
            table.scores,
            table.mover,
            table.first & ~SET | worlds[world, 1],
            table.second & ~SET | worlds[world, 2],
            table.third & ~SET | worlds[world, 3],
        )
        for candidate in range(number):
            values[candidate] += play_out(match, there, listed[candidate], weights, HEURISTIC, 0)
    bring_forward(listed, values, number, 1, 0)
    return listed[0]


@helper
def _may_hold(seat, unseen):
    """Tiles that a seat may hold, nothing where it holds none."""
    return unseen & ~(seat >> UPPER) if seat & SET else 0
