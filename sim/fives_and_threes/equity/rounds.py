"""Rounds and matches of Fives and Threes from given scores.

A *cell* is a pair of scores, the starter's side first: ``own * target + other``, both below the target. What
a round leads to is a pair of scores again, each from where it was up to the target.
"""

import numpy as np

from sim.core.jit import helper, kernel
from sim.core.rng import EQUITY, INDEX_STRIDE, PLAYER, SHUFFLE, stream_key, word
from sim.fives_and_threes import knowledge as know
from sim.fives_and_threes.chain import TOTALS
from sim.fives_and_threes.deal import WORDS, deal
from sim.fives_and_threes.kernel import OK, play_any
from sim.fives_and_threes.registers import path_of
from sim.fives_and_threes.rules import (
    LONGEST_MATCH,
    MOST_PLAYERS,
    MOST_SIDES,
    RULE_TARGET,
    TARGET,
    side_of,
)

_STARTER = 0
NOBODY = MOST_SIDES
"""Place among the winners of matches that were cut short."""


def cell_offsets(target: int) -> np.ndarray:
    """Return where the counts of each cell begin, and where the last end: int64 (target² + 1,).

    The counts of a cell are those of a table of ``target - own + 1`` by ``target - other + 1``: points that
    the starter's side and the other one made in the round.
    """
    room = np.arange(target, 0, -1) + 1
    return np.concatenate([[0], np.cumsum(np.outer(room, room).ravel())])


@kernel
def play_rounds(seed, rules, policies, params, start, first, more, offsets, counts):
    """Play rounds from consecutive cells and count what they lead to.

    Parameters
    ----------
    seed : int
        The plan's seed.
    rules, policies, params : arrays
        As for :func:`sim.fives_and_threes.kernel.play_matches`; player 0 starts.
    start : int
        Number of the first cell.
    first, more : int64 (n,) arrays
        Number of the first round from each cell, and how many to play.
    offsets : int64 (cells + 1,) array
        As :func:`cell_offsets` gives it.
    counts : int64 array
        Added to; its first place is ``offsets[start]``.

    Returns
    -------
    tuple of int
        Status (0 is fine) and the cell where it arose.
    """
    view = np.zeros(know.VIEW_SIZE, np.int64)
    hands, keys = np.zeros(MOST_PLAYERS, np.int64), np.zeros(MOST_PLAYERS, np.int64)
    placements, words = np.zeros(2 * TOTALS, np.int64), np.zeros(WORDS, np.int64)
    know.sit_down(view, rules)
    players, target, path = view[know.PLAYERS], rules[RULE_TARGET], path_of(policies)
    root = word(seed, EQUITY)
    for c in range(first.size):
        cell = start + c
        own, other, place = cell // target, cell % target, offsets[cell] - offsets[start]
        cell_key = word(root, cell)
        shuffles = word(cell_key, SHUFFLE)
        for number in range(first[c], first[c] + more[c]):
            for player in range(players):
                keys[player] = word(word(cell_key, PLAYER + player), number)
            know.start_round(view, _STARTER)
            view[know.SCORE], view[know.SCORE + 1] = own, other
            deal(view, hands, word(shuffles, number), words)
            status, _, _ = play_any(view, hands, policies, params, keys, words, 0, placements, path)
            if status != OK:
                return status, cell
            mine, theirs = view[know.SCORE] - own, view[know.SCORE + 1] - other
            counts[place + mine * (target - other + 1) + theirs] += 1
    return OK, 0


@kernel
def play_on(seed, first, matches, rules, policies, params, scores, starter, wins):
    """Play matches on from given scores.

    Match ``m`` has the tiles of match ``m`` of an ordinary run with this seed: from no score, and with the
    starter that was drawn there, it is that match.

    Parameters
    ----------
    seed, first, matches : int
        Seed, number of the first match, and how many to play.
    rules, policies, params : arrays
        As for :func:`sim.fives_and_threes.kernel.play_matches`.
    scores : int64 (3,) array
        By side, each below the target.
    starter : int
        Player who begins the first of these rounds.
    wins : int64 (4,) array
        Added to: matches by winning side; the last place is nobody's, of matches cut at LONGEST_MATCH.

    Returns
    -------
    tuple of int
        Status (0 is fine) and the match where it arose.
    """
    view = np.zeros(know.VIEW_SIZE, np.int64)
    hands, keys = np.zeros(MOST_PLAYERS, np.int64), np.zeros(MOST_PLAYERS, np.int64)
    placements, words = np.zeros(2 * TOTALS, np.int64), np.zeros(WORDS, np.int64)
    know.sit_down(view, rules)
    path = path_of(policies)
    for match in range(first, first + matches):
        for side in range(MOST_SIDES):
            view[know.SCORE + side] = scores[side]
        player, winner = starter, NOBODY
        for number in range(LONGEST_MATCH):
            _open_round(view, hands, keys, words, seed, match, number, player)
            status, ended, last = play_any(view, hands, policies, params, keys, words, 0, placements, path)
            if status != OK:
                return status, match
            if ended == TARGET:
                winner = side_of(last, view[know.PLAYERS])
                break
            player = know.after(player, view[know.PLAYERS])
        wins[winner] += 1
    return OK, 0


@helper
def _open_round(view, hands, keys, words, seed, match, number, starter):
    """Deal a round of a match as :func:`sim.fives_and_threes.kernel.play_matches` does."""
    index = match * INDEX_STRIDE + number
    for player in range(view[know.PLAYERS]):
        keys[player] = stream_key(seed, PLAYER + player, index)
    view[know.ROUND] = number
    know.start_round(view, starter)
    deal(view, hands, stream_key(seed, SHUFFLE, index), words)
