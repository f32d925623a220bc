"""Moves valued by the exact solution of sampled worlds, all hands open."""

import numpy as np

from sim.core.jit import helper, routine
from sim.fives_and_threes import knowledge as know
from sim.fives_and_threes.chain import MOST_POINTS, POINTS, lay, tiles_of
from sim.fives_and_threes.rules import MOST_PLAYERS, MOST_SIDES, side_of
from sim.fives_and_threes.solving import endings as solving
from sim.fives_and_threes.solving.endings import new_solver, open_deal
from sim.fives_and_threes.solving.max_n import FIELD, max_n
from sim.fives_and_threes.solving.solver import guarantee
from sim.fives_and_threes.thinking.parameters import COLUMNS
from sim.fives_and_threes.thinking.playout import POINT

_SOLVER_BITS = 10


@routine
def add_solved(view, params, worlds, moves, number, values):
    """Value moves by the exact solution where few enough tiles are left; returns whether they are.

    It counts points. Where a side can reach the target with the tiles that it has, points are not all.
    """
    most = 0
    for player in range(view[know.PLAYERS]):
        most = max(most, view[know.SIZE + player])
    if most > params[view[know.PLAYER], COLUMNS.solve] or _target_is_near(view):
        return False
    scratch, row = new_solver(_SOLVER_BITS), np.zeros(solving.POSITION_SIZE, np.int64)
    row[solving.PLAYERS], row[solving.BONUS] = view[know.PLAYERS], view[know.BONUS]
    row[solving.ASKED] = view[know.PLAYER]
    for side in range(MOST_SIDES):
        row[solving.LACKING + side] = solving.NO_LIMIT
    for world in range(worlds.shape[0]):
        for player in range(MOST_PLAYERS):
            row[solving.HANDS + player] = worlds[world, player]
        open_deal(row, scratch)
        for candidate in range(number):
            values[candidate] += POINT * _solved(view, row, moves[candidate], scratch)
    return True


@helper
def _target_is_near(view):
    """Whether a side can reach the target in this round with the tiles that it has."""
    for side in range(MOST_SIDES):
        tiles = 0
        for player in range(view[know.PLAYERS]):
            if side_of(player, view[know.PLAYERS]) == side:
                tiles += view[know.SIZE + player]
        if tiles and view[know.TARGET]:
            if view[know.TARGET] - view[know.SCORE + side] <= MOST_POINTS * tiles + view[know.BONUS]:
                return True
    return False


@helper
def _solved(view, row, move, scratch):
    """Points of a move and of all that follows: the lead of a side, or of three players twice the own one."""
    player, players = view[know.PLAYER], view[know.PLAYERS]
    left, right, total = lay(move, view[know.LEFT], view[know.RIGHT])
    out, tile = know.ends_by_out(view, player), tiles_of(move)
    event = POINTS[total] + (view[know.BONUS] if out else 0)
    if players == 3:
        event *= 2
    if out:
        return event
    row[solving.LEFT], row[solving.RIGHT], row[solving.MOVER] = left, right, know.after(player, players)
    row[solving.HANDS + player] ^= tile
    if players == 3:
        vector, lead = max_n(row, scratch), 0
        for other in range(players):
            points = vector >> FIELD * other & ((1 << FIELD) - 1)
            lead += 2 * points if other == player else -points
    else:
        lead = guarantee(row, scratch)
    row[solving.HANDS + player] ^= tile
    return event + lead
