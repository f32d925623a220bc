"""Decisions of the strategies that sample worlds: which tile to lay where."""

import numpy as np

from sim.core.bits import lowest
from sim.core.jit import Decider, helper, routine
from sim.core.rng import word
from sim.fives_and_threes import heuristic
from sim.fives_and_threes import knowledge as know
from sim.fives_and_threes.rules import MOST_PLAYERS
from sim.fives_and_threes.strategies import DECIDERS
from sim.fives_and_threes.thinking.parameters import OTHERS, WORLDS
from sim.fives_and_threes.thinking.playout import match_of, play_out, table_of, worth
from sim.fives_and_threes.thinking.worlds import deal_worlds
from sim.fives_and_threes.tiles import SET
from sim.thinking.candidates import bring_forward, list_members
from sim.thinking.parameters import ROLLOUT

MOST = 28
"""Most candidates."""


@routine
def rollout_move(view, params, luck):
    moves, values = np.empty(MOST, np.int64), np.zeros(MOST, np.int64)
    distinct = view[know.LEGAL] & SET if view[know.LEFT] == view[know.RIGHT] else view[know.LEGAL]
    number = list_members(distinct, moves)
    if number > 1:
        player = view[know.PLAYER]
        weights = heuristic.weights_of(params, player)
        worlds = np.empty((int(params[player, WORLDS]), MOST_PLAYERS), np.int64)
        deal_worlds(view, word(luck, 0), worlds)
        key, match, others = word(luck, 1), match_of(view), int(params[player, OTHERS])
        for world in range(worlds.shape[0]):
            table = table_of(view, worlds, world)
            for candidate in range(number):
                scores = play_out(match, table, moves[candidate], weights, others, word(key, world))
                values[candidate] += worth(match, scores, player & match.sides)
        bring_forward(moves, values, number, 1, heuristic.choose_move(view, params))
    return moves[0]


DECIDERS |= {("move", ROLLOUT): Decider(rollout_move)}
