"""Decisions of the strategies that sample worlds: which tile to lay at which end.

They see what every strategy sees, and think with their own parameters: all players of a play-out are
``heuristic`` with the weights of the one who thinks.
"""

from sim.core.jit import helper, routine
from sim.core.rng import word
from sim.fives_and_threes import heuristic
from sim.fives_and_threes import knowledge as know
from sim.fives_and_threes.rules import MOST_PLAYERS
from sim.fives_and_threes.strategies import DECIDERS
from sim.fives_and_threes.thinking.endings import add_solved
from sim.fives_and_threes.thinking.inference import deal_likely_worlds
from sim.fives_and_threes.thinking.nested import play_out_thinking
from sim.fives_and_threes.thinking.parameters import COLUMNS, PRIOR
from sim.fives_and_threes.thinking.playout import POINT, distinct, match_of, play_out, table_of
from sim.fives_and_threes.thinking.worlds import deal_worlds
from sim.fives_and_threes.tiles import TILES
from sim.thinking.candidates import list_members
from sim.thinking.deciding import Hooks, nested, rollout
from sim.thinking.parameters import NESTED, ROLLOUT

_TIMES = 2
"""How many times N the worlds are that the two leading moves of ``rollout-N`` meet."""


@helper
def _list_moves(view, moves):
    """List the moves that are worth telling apart; returns how many there are."""
    return list_members(distinct(view[know.LEGAL], view[know.LEFT], view[know.RIGHT]), moves)


@helper
def _weights(view, params):
    """Weights of the one who thinks."""
    return heuristic.weights_of(params, view[know.PLAYER])


@helper
def _preferred(view, params, _weights, _moves, _number):
    """Move of heuristic: of equal ends the left one, as the candidates."""
    return heuristic.choose_move(view, params)


@helper
def _begin(view, params, moves, number, values):
    """Count what heuristic thinks of each move for so many worlds."""
    position = heuristic.position(view, params)
    scale = params[view[know.PLAYER], PRIOR] * POINT * (match_of(view).scored - 1)
    for candidate in range(number):
        values[candidate] = int(scale * heuristic.worth_of(moves[candidate], *position))


@routine
def _add_heuristic(view, params, weights, worlds, first, last, moves, number, values, key):
    """Play moves out in some of the worlds; see :class:`sim.thinking.deciding.Hooks`."""
    match, others = match_of(view), int(params[view[know.PLAYER], COLUMNS.others])
    for world in range(first, last):
        table = table_of(view, worlds, world)
        for candidate in range(number):
            values[candidate] += play_out(match, table, moves[candidate], weights, others, word(key, world))


@routine
def _add_nested(view, weights, worlds, world, moves, number, values, key, inner):
    """Play moves out in one world, everybody sampling ``inner`` worlds for each move."""
    match, table = match_of(view), table_of(view, worlds, world)
    for candidate in range(number):
        values[candidate] += play_out_thinking(match, table, moves[candidate], weights, key, inner)


_HOOKS = Hooks(
    columns=COLUMNS,
    row=know.PLAYER,
    most=2 * TILES,
    width=MOST_PLAYERS,
    list_candidates=_list_moves,
    reading=_weights,
    deal=deal_worlds,
    deal_likely=deal_likely_worlds,
    preferred=_preferred,
    begin=_begin,
    add_solved=add_solved,
    add_heuristic=_add_heuristic,
    add_nested=_add_nested,
)

DECIDERS |= {
    ("move", ROLLOUT): rollout("rollout_move", _HOOKS, _TIMES),
    ("move", NESTED): nested("nested_move", _HOOKS),
}
