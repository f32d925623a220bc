"""Rounds of Fives and Threes played by the kernel with given hands, scores and moves.

A move is written as in the reference game, ``("1|4", "left")``; the kernel's own notation stays in here.
"""

from dataclasses import dataclass, replace

import numpy as np

from sim.core.bits import popcount
from sim.core.jit import helper, routine, specialise
from sim.core.strategy import CUSTOM
from sim.fives_and_threes import kernel, knowledge, strategies
from sim.fives_and_threes.chain import RIGHT_SIDE, TOTALS
from sim.fives_and_threes.heuristic import PARAMETERS, choose_move
from sim.fives_and_threes.kernel import play_round
from sim.fives_and_threes.replay import record
from sim.fives_and_threes.rules import MOST_PLAYERS, MOST_SIDES, Rules
from sim.fives_and_threes.strategies import BOOK, dearest_in_view, random_move
from sim.fives_and_threes.tiles import TILES, parse_tile, parse_tiles, tile_name

MOST_MOVES = 14
POLICY = len(PARAMETERS)
SCRIPT = POLICY + 1
"""Places in a player's row behind its parameters: the policy to go on with, and the script."""
NO_MORE = -1.0

_MOVES = {
    1 << bit: (tile_name(1 << bit % TILES), "left" if bit < TILES else "right") for bit in range(2 * TILES)
}


@helper
def read_script(_slot, view, params, luck):
    """Move number k of a player's script, where k counts the tiles it has laid; then a policy's move."""
    player = view[knowledge.PLAYER]
    move = params[player, SCRIPT + popcount(view[knowledge.LAID + player])]
    if move != NO_MORE:
        return 1 << np.int64(move)
    policy = np.int64(params[player, POLICY])
    if policy == strategies.HEURISTIC:
        return choose_move(view, params)
    moves = dearest_in_view(view) if policy == strategies.GREEDY else view[knowledge.LEGAL]
    return random_move(moves, luck)


@routine
def _play(view, rules, sizes, starter, hands, scores, policies, params, placements):
    knowledge.sit_down(view, rules)
    for side in range(MOST_SIDES):
        view[knowledge.SCORE + side] = scores[side]
    knowledge.start_round(view, starter)
    for player in range(MOST_PLAYERS):
        view[knowledge.SIZE + player] = sizes[player]
    keys = np.zeros(MOST_PLAYERS, np.int64)
    return play_round(view, hands, policies, params, keys, 0, placements)


play_scripted = specialise(_play, {strategies.custom_move: read_script})


@dataclass(frozen=True)
class Played:
    """What the kernel made of a round: the record of it, the last view, the status."""

    record: dict
    view: np.ndarray
    status: int

    @property
    def moves(self):
        """Events in order, as a record lists them."""
        return self.record["moves"]

    @property
    def placed(self):
        """Placements alone."""
        return [move for move in self.moves if not move.get("knock")]


class _Table:
    """As much of an experiment as a record shows."""

    class game:
        name = "fives_and_threes"

    seed, strategies = 0, ()

    def __init__(self, rules):
        self.rules = rules


def move_bit(tile, end):
    """Bit number of a move of the reference game."""
    return parse_tile(tile).bit_length() - 1 + (RIGHT_SIDE if end == "right" else 0)


def moves_of(legal):
    """Moves of the reference game in a set of the kernel's, at an end each."""
    names = []
    while legal:
        names.append(_MOVES[legal & -legal])
        legal &= legal - 1
    return names


def play(hands, script, *, starter=0, scores=None, target=61, out_bonus=1, then=None):
    """Play a round with these hands: every player makes its moves of the script, in its order.

    Parameters
    ----------
    hands : list of str
        Tiles by player.
    script : list of (str, str)
        Placements in the order of play, ``("1|4", "left")``; whose turn it is the kernel decides.
    then : str, optional
        Strategy of all players after their part of the script; without one they break the rules.
    """
    players = len(hands)
    rules = replace(Rules(players=players, target=target, out_bonus=out_bonus))
    masks = np.array([parse_tiles(hand) for hand in hands] + [0] * (MOST_PLAYERS - players), np.int64)
    before = np.zeros(MOST_SIDES, np.int64)
    before[: rules.sides] = 0 if scores is None else scores
    params = np.full((players, SCRIPT + MOST_MOVES + 1), NO_MORE if then else 2.0 * TILES)
    for player in range(players):
        own = [move_bit(*move) for move in script if parse_tile(move[0]) & masks[player]]
        params[player, SCRIPT : SCRIPT + len(own)] = own
        if then:
            params[player, :SCRIPT] = [*BOOK.parse(then).params[:POLICY], BOOK.parse(then).policies[0]]
    view, dealt = np.zeros(knowledge.VIEW_SIZE, np.int64), masks.copy()
    sizes = np.array([int(hand).bit_count() for hand in masks])
    policies, placements = np.full((players, 1), CUSTOM), np.zeros(2 * TOTALS, np.int64)
    status, ended, last = play_scripted(
        view, rules.row(), sizes, starter, masks, before, policies, params, placements
    )
    row, log = np.zeros(kernel.COLUMNS, np.int16), np.zeros(kernel.LOG_SIZE, np.int64)
    row[kernel.STARTER], row[kernel.ENDED], row[kernel.LAST] = starter, ended, last
    for side in range(MOST_SIDES):
        row[kernel.SCORE_OF + side] = view[knowledge.SCORE + side]
        row[kernel.POINTS_OF + side] = view[knowledge.SCORE + side] - before[side]
    log[:MOST_PLAYERS] = dealt
    log[kernel.LOG_EVENTS :] = view[knowledge.EVENTS :][: kernel.LOG_SIZE - kernel.LOG_EVENTS]
    return Played(record(_Table(rules), 0, row, log), view, int(status))
