"""Worlds weighed by how likely the others would have placed as they did.

A world is worth more if in it each tile that another player laid is the one that ``heuristic``, or what it is
taken to be, would have laid from that hand, at that end.
"""

import numpy as np

from sim.core.bits import lowest_index, popcount
from sim.core.jit import allocating, helper, routine
from sim.fives_and_threes import knowledge as know
from sim.fives_and_threes.chain import EMPTY, FOLLOWING, MOVES_AT, OPEN, POINTS, TOTAL_AT, tiles_of
from sim.fives_and_threes.registers import PLAYER, SCORE_BITS, UPPER, both_ends, pack_scores
from sim.fives_and_threes.rules import MOST_PLAYERS, side_of
from sim.fives_and_threes.strategies import GREEDY, HEURISTIC, dearest_moves
from sim.fives_and_threes.thinking.parameters import COLUMNS
from sim.fives_and_threes.thinking.playout import Table, distinct, heuristic_move, match_of, stake
from sim.fives_and_threes.thinking.worlds import deal_worlds
from sim.fives_and_threes.tiles import SET, TILES
from sim.thinking.resampling import resample

_WHO, _MOVE, _STATE, _LAID, _SCORES, _LACKS = range(6)
"""_LACKS is + player."""
_PLACED_SIZE = _LACKS + MOST_PLAYERS


@routine
def deal_likely_worlds(view, params, weights, key, worlds):
    """Fill in worlds, likely ones more often, otherwise as ``deal_worlds``."""
    row = view[know.PLAYER]
    many = worlds.shape[0] * max(1, int(params[row, COLUMNS.dealt]))
    dealt, likely = np.empty((many, MOST_PLAYERS), np.int64), np.empty(many)
    deal_worlds(view, key, dealt)
    placed = np.empty((TILES, _PLACED_SIZE), np.int64)
    number, match = _list_placed(view, placed), match_of(view)
    unlikely, others = params[row, COLUMNS.unlikely_play], int(params[row, COLUMNS.others])
    total = 0.0
    for world in range(many):
        weight = 1.0
        for place in range(number):
            weight *= _weight(view, match, weights, placed[place], dealt[world], unlikely, others)
        total += weight
        likely[world] = weight
    resample(dealt, likely, total, worlds)


@allocating
def _list_placed(view, placed):
    """List the tiles that the others have laid in this round, and what the table saw before each."""
    number, state, chain, scores = 0, EMPTY, 0, 0
    lacks = np.zeros(MOST_PLAYERS, np.int64)
    for event in range(view[know.EVENTS]):
        happened = view[know.HISTORY + event]
        who, move = happened // know.EVENT_PLAYER & 3, happened & (know.EVENT_PLAYER - 1)
        if move == 0:
            lacks[who] |= tiles_of(MOVES_AT[state])
            continue
        if who != view[know.PLAYER]:
            placed[number, _WHO], placed[number, _MOVE] = who, move
            placed[number, _STATE], placed[number, _LAID], placed[number, _SCORES] = state, chain, scores
            for player in range(MOST_PLAYERS):
                placed[number, _LACKS + player] = lacks[player]
            number += 1
        state = np.int64(FOLLOWING[state, lowest_index(move)])
        chain |= tiles_of(move)
        if not happened & know.EVENT_DROPPED:
            scores += POINTS[TOTAL_AT[state]] << SCORE_BITS * side_of(who, view[know.PLAYERS])
    # Nobody has gone out yet: these are all points of the round, and what is left stood before it.
    before = pack_scores(view) - scores
    for place in range(number):
        placed[place, _SCORES] += before
    return number


@helper
def _weight(view, match, weights, placed, world, unlikely, others):
    """Weigh one tile that another player laid from its hand in a world."""
    who, state = placed[_WHO], placed[_STATE]
    table = Table(
        state,
        placed[_LAID],
        placed[_SCORES],
        _seat(view, placed, world, who),
        _seat(view, placed, world, (who + 1) % MOST_PLAYERS),
        _seat(view, placed, world, (who + 2) % MOST_PLAYERS),
        _seat(view, placed, world, (who + 3) % MOST_PLAYERS),
    )
    left, right = state // OPEN, state % OPEN
    moves = both_ends(table.mover) & MOVES_AT[state]
    if distinct(moves, left, right) & (distinct(moves, left, right) - 1) == 0:
        return 1.0
    same_side = side_of(who, view[know.PLAYERS]) == side_of(view[know.PLAYER], view[know.PLAYERS])
    if others == HEURISTIC or same_side:
        chosen = heuristic_move(match, table, moves, weights)
    else:
        chosen = moves
        if others == GREEDY:
            room, bonus = stake(match, table)
            chosen = dearest_moves(moves, state, room - bonus)
    move = placed[_MOVE]
    if left == right:
        chosen, move = tiles_of(chosen), tiles_of(move)
    return 1.0 / popcount(chosen) if chosen & move else unlikely


@helper
def _seat(view, placed, world, player):
    """Return the seat of a player at the time: what it holds in the world, and what it has laid since."""
    hand = (world[player] | (view[know.LAID + player] & ~placed[_LAID])) & SET
    return hand | player << PLAYER | placed[_LACKS + player] << UPPER
