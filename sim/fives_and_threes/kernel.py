"""The game of Fives and Threes played by compiled code: deal, place or knock, score, match.

Every function is a pure function of its arguments. Scratch rows are allocated once a batch; nothing
is validated here but what a strategy answers, and errors leave as status codes.
"""

import numpy as np

from sim.core.bits import popcount
from sim.core.jit import helper, kernel
from sim.core.rng import INDEX_STRIDE, PLAYER, SHUFFLE, START, below, word
from sim.fives_and_threes import knowledge as know
from sim.fives_and_threes.chain import (
    FITS,
    POINTS,
    TOTALS,
    lay,
    legal_moves,
    tiles_of,
)
from sim.fives_and_threes.deal import WORDS, deal
from sim.fives_and_threes.registers import GENERAL, path_of, play_fast
from sim.fives_and_threes.rules import (
    BLOCKED,
    LONGEST_MATCH,
    MOST_PLAYERS,
    MOST_SIDES,
    OUT,
    PLAYING,
    TARGET,
    side_of,
)
from sim.fives_and_threes.strategies import BY_MOVE, choose_move

OK, BAD_MOVE = 0, 1
"""Status: fine, or a strategy answered outside the rules; + 8 * player."""

DECISIONS = ("move",)
"""Kinds of decision, the columns of the policies array."""

# Columns of a row, one row a round.
ROUND, STARTER, ENDED, LAST, TILES, KNOCKS, REJECTED, POINTS_OF, SCORE_OF = 0, 1, 2, 3, 4, 5, 6, 7, 10
"""LAST is the player who placed the last tile; POINTS_OF and SCORE_OF are + side: points made in the
round, score after it."""
COLUMNS = SCORE_OF + MOST_SIDES

# The log of a round.
LOG_HANDS, LOG_EVENTS, LOG_HISTORY = 0, MOST_PLAYERS, MOST_PLAYERS + 1
"""LOG_HANDS is + player: tiles as dealt; LOG_EVENTS how many events the history has."""
LOG_SIZE = LOG_HISTORY + know.MOST_EVENTS


@helper
def play_round(view, hands, policies, params, keys, opening, placements):
    """Play one round from the first tile to its end (F4–F13).

    Parameters
    ----------
    view : int64 (VIEW_SIZE,) array
        Scratch of :mod:`sim.fives_and_threes.knowledge`, after ``start_round``, with the scores before.
        Holds the course of the round afterwards.
    hands : int64 (4,) array
        Tiles by player, 0 where nobody sits; what is left of them afterwards.
    policies, params : int64 (players, 1) and float64 (players, P) arrays
        Strategies by player.
    keys : int64 (4,) array
        Keys of the players' own streams; a player's tile number ``k`` is chosen with word ``k``.
    opening : int64
        First move of the starter to play out, or 0 to ask its strategy.
    placements : int64 (50,) array
        Added to: placements by total, those whose event was dropped 25 places on.

    Returns
    -------
    status, ended, last : int64
        Status, + 8 * player whose strategy answered outside the rules; how the round ended; who
        placed the last tile.
    """
    player, last, status, ended = view[know.STARTER], 0, OK, PLAYING
    held = hands[0] | hands[1] | hands[2] | hands[3]
    while status == OK and ended == PLAYING:
        last, hand = player, hands[player]
        legal = legal_moves(hand, view[know.LEFT], view[know.RIGHT])
        if legal:
            know.show(view, player, hand, legal)
            luck = word(keys[player], view[know.DEALT] - view[know.SIZE + player])
            move = opening if opening else choose_move(policies[player, BY_MOVE], view, params, luck)
            opening = 0
            if not move & legal or popcount(move) != 1:
                status = BAD_MOVE + 8 * player
            else:
                held ^= tiles_of(move)
                hands[player] = hand ^ tiles_of(move)
                ended = place(view, player, move, held, placements)
        elif hand:
            know.see_knock(view, player)
        player = know.after(player, view[know.PLAYERS])
    return status, ended, last


@helper
def place(view, player, move, held, placements):
    """Lay a tile and score it (F5–F13).

    Parameters
    ----------
    view : int64 array
        Before the tile; what comes of it is shown to all.
    player, move : int64
        Who lays which tile where.
    held : int64
        All tiles still in hands.
    placements : int64 (50,) array
        As for :func:`play_round`.

    Returns
    -------
    int64
        How the round stands: PLAYING, OUT, BLOCKED or TARGET.
    """
    out = know.ends_by_out(view, player)
    left, right, total = lay(move, view[know.LEFT], view[know.RIGHT])
    event = POINTS[total] + (view[know.BONUS] if out else 0)
    room = know.room_for(view, player)
    dropped = 1 if event > room else 0
    view[know.SCORE + side_of(player, view[know.PLAYERS])] += 0 if dropped else event
    placements[total + dropped * TOTALS] += 1
    know.see_move(view, player, move, left, right, out, dropped)
    if event == room:
        return TARGET
    if out:
        return OUT
    return PLAYING if held & (FITS[left] | FITS[right]) else BLOCKED


@helper
def play_any(view, hands, policies, params, keys, words, opening, placements, path):
    """Play one round by :func:`play_round`, or in registers where the ``path`` allows; see there."""
    if path != GENERAL:
        ended, last = play_fast(view, hands, policies, params, keys, words, opening, placements, path)
        return OK, ended, last
    return play_round(view, hands, policies, params, keys, opening, placements)


@helper
def close_round(view, hands, number, ended, last, before, rows, r):
    """Write the row of a finished round; ``before`` holds the scores before it by side."""
    rows[r, ROUND], rows[r, STARTER] = number, view[know.STARTER]
    rows[r, ENDED], rows[r, LAST] = ended, last
    rows[r, KNOCKS], rows[r, REJECTED] = view[know.KNOCKS], view[know.REJECTED]
    tiles = view[know.PLAYERS] * view[know.DEALT]
    for player in range(MOST_PLAYERS):
        tiles -= popcount(hands[player])
    rows[r, TILES] = tiles
    for side in range(MOST_SIDES):
        rows[r, POINTS_OF + side] = view[know.SCORE + side] - before[side]
        rows[r, SCORE_OF + side] = view[know.SCORE + side]
        before[side] = view[know.SCORE + side]


@kernel
def play_matches(seed, first_match, matches, rules, policies, params, rows, placements, log, traced):
    """Play consecutive matches and write one row a round.

    A match lasts until a side stands at the target (F13), at most LONGEST_MATCH rounds; without a
    target it is one round.

    Parameters
    ----------
    seed, first_match, matches : int
        The run's seed, the number of the first match and how many to play.
    rules : int64 (4,) array
        As :meth:`Rules.row` gives it.
    policies, params : int64 (players, 1) and float64 (players, P) arrays
        Policy and parameters of each player's strategy.
    rows : int16 (R, COLUMNS) array
        Filled, round by round. The kernel stops before a match that may not fit any more.
    placements : int64 (50,) array
        Added to: placements by total (F8), those whose event was dropped (F13) 25 places on.
    log : int64 (R, LOG_SIZE) array
        Hands and history of each round, if ``traced``.
    traced : bool
        Whether the log is wanted.

    Returns
    -------
    status, done, used : int
        Status (0 is fine); matches that were played to their end; rows filled.
    """
    view = np.zeros(know.VIEW_SIZE, np.int64)
    hands, keys = np.zeros(MOST_PLAYERS, np.int64), np.zeros(MOST_PLAYERS, np.int64)
    before, words = np.zeros(MOST_SIDES, np.int64), np.zeros(WORDS, np.int64)
    roots = np.array([word(seed, PLAYER + player) for player in range(MOST_PLAYERS)])
    shuffle_root, start_root = word(seed, SHUFFLE), word(seed, START)
    know.sit_down(view, rules)
    players, target = view[know.PLAYERS], view[know.TARGET]
    longest = LONGEST_MATCH if target else 1
    path = GENERAL if traced else path_of(policies)
    used = 0
    for done in range(matches):
        if used + longest > rows.shape[0]:
            return OK, done, used
        match = first_match + done
        starter = below(word(start_root, match), players)
        for side in range(MOST_SIDES):
            view[know.SCORE + side] = before[side] = 0
        for number in range(longest):
            index = match * INDEX_STRIDE + number
            for player in range(MOST_PLAYERS):
                keys[player] = word(roots[player], index)
            view[know.ROUND] = number
            know.start_round(view, starter)
            deal(view, hands, word(shuffle_root, index), words)
            if traced:
                for player in range(players):
                    log[used, LOG_HANDS + player] = hands[player]
            status, ended, last = play_any(view, hands, policies, params, keys, words, 0, placements, path)
            if traced:
                for place in range(LOG_SIZE - LOG_EVENTS):
                    log[used, LOG_EVENTS + place] = view[know.EVENTS + place]
            if status != OK:
                rows[used, ROUND] = number
                return status, done, used
            close_round(view, hands, number, ended, last, before, rows, used)
            used += 1
            starter = know.after(starter, players)
            if ended == TARGET:
                break
    return OK, matches, used
