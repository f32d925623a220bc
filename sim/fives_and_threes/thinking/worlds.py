"""Worlds: hands of the other players that fit all that a player knows; the rest of the unseen tiles sleeps.

Nobody draws (F2), so a hand holds no tile with a number that one of its knocks has proved missing (F6);
nothing else that was shown speaks of the tiles still hidden. Tiles fall into classes by who may hold them.
How many deals there are is counted class by class, and worlds are drawn from these counts: every world that
fits is equally likely, however few there are.
"""

from math import comb

import numpy as np

from sim.core.bits import popcount
from sim.core.draw import draw
from sim.core.jit import helper, routine
from sim.core.rng import word
from sim.fives_and_threes import knowledge as know
from sim.fives_and_threes.rules import MOST_PLAYERS
from sim.fives_and_threes.tiles import TILES

CHOOSE = np.array([[comb(n, k) for k in range(TILES + 1)] for n in range(TILES + 1)], np.int64)
"""Ways to choose k tiles of n."""
_MOST_SHARES = 120
"""Ways to take the seven tiles that four players hold at most from four classes."""
_FIELD = 8
_ONE = (1 << _FIELD) - 1
_SHARE, _SECOND = 32, 33
"""Words of a world besides those that draw tiles: how the first, and the second, of the others shares."""
_BITS = (1 << 63) - 1


@routine
def deal_worlds(view, key, worlds):
    """Fill in worlds, each drawn from all that fit.

    Parameters
    ----------
    view : int64 (VIEW_SIZE,) array
        What the player knows, at a move.
    key : int64
        Key of the random words.
    worlds : int64 (N, 4) array
        Filled with the hands by player, the own one included, 0 where nobody sits.
    """
    player, players = view[know.PLAYER], view[know.PLAYERS]
    first, second, third = (player + 1) % players, player ^ 2, (player + 3) % MOST_PLAYERS
    if players < MOST_PLAYERS:
        second, third = (player + 2) % players, player
    a = know.may_hold(view, first)
    b = know.may_hold(view, second) if players > 2 else 0
    c = know.may_hold(view, third) if players == MOST_PLAYERS else 0
    size_a, size_b, size_c = view[know.SIZE + first], view[know.SIZE + second], view[know.SIZE + third]
    size_b, size_c = size_b if players > 2 else 0, size_c if players == MOST_PLAYERS else 0
    deal_apart(a, b, c, size_a, size_b, size_c, key, worlds, (first, second, third))
    for world in range(worlds.shape[0]):
        worlds[world, player] = view[know.HAND]


@routine
def deal_apart(a, b, c, size_a, size_b, size_c, key, worlds, places):
    """Deal three hands in each world.

    Parameters
    ----------
    a, b, c, size_a, size_b, size_c
        As for :func:`list_shares`; nothing where nobody sits.
    key : int64
        Key of the random words.
    worlds : int64 (N, 4) array
        Filled.
    places : tuple of three int64
        Columns of the hands. Of equal ones the first counts; the rest is 0.
    """
    shares, ways = np.empty(_MOST_SHARES, np.int64), np.empty(_MOST_SHARES, np.int64)
    number = list_shares(a, b, c, size_a, size_b, size_c, shares, ways)
    for world in range(worlds.shape[0]):
        world_key = word(key, world)
        share = 0
        if number > 1:
            rank = (word(world_key, _SHARE) & _BITS) % ways[number - 1]
            while ways[share] <= rank:
                share += 1
        hand_a = _draw_share(a, b, c, size_a, shares[share], world_key)
        hand_b = _draw_second(b & ~hand_a, c & ~hand_a, size_a, size_b, size_c, world_key)
        hand_c = draw(c & ~hand_a & ~hand_b, world_key, size_a + size_b, size_c)
        for other in range(MOST_PLAYERS):
            worlds[world, other] = 0
        worlds[world, places[2]] = hand_c
        worlds[world, places[1]] = hand_b
        worlds[world, places[0]] = hand_a


@helper
def list_shares(a, b, c, size_a, size_b, size_c, shares, ways):
    """List how one hand may take its tiles from those that the other two may hold as well, or not.

    Parameters
    ----------
    a, b, c : int64
        Tiles that each of three may hold.
    size_a, size_b, size_c : int64
        Tiles that they hold.
    shares : int64 (MOST_SHARES,) array
        Filled: tiles of ``a`` that ``b`` may hold but not ``c``, then ``c`` but not ``b``, then both; eight
        bits each.
    ways : int64 (MOST_SHARES,) array
        Filled: deals of all three hands with this share or one before it, at most some 4e11 of four players.

    Returns
    -------
    int64
        Number of shares.
    """
    none = popcount(a & ~b & ~c)
    with_b, with_c, with_both = popcount(a & b & ~c), popcount(a & ~b & c), popcount(a & b & c)
    only_b, only_c, both = popcount(b & ~a & ~c), popcount(c & ~a & ~b), popcount(b & c & ~a)
    number, total = 0, 0
    for of_b in range(min(with_b, size_a) + 1):
        for of_c in range(min(with_c, size_a - of_b) + 1):
            for of_both in range(min(with_both, size_a - of_b - of_c) + 1):
                way = CHOOSE[none, size_a - of_b - of_c - of_both]
                if way:
                    way *= CHOOSE[with_b, of_b] * CHOOSE[with_c, of_c] * CHOOSE[with_both, of_both]
                    way *= _ways_of_two(
                        only_b + with_b - of_b, only_c + with_c - of_c, both + with_both - of_both,
                        size_b, size_c,
                    )  # fmt: skip
                if way:
                    total += way
                    shares[number] = of_b | of_c << _FIELD | of_both << 2 * _FIELD
                    ways[number] = total
                    number += 1
    return number


@helper
def _ways_of_two(only_b, only_c, both, size_b, size_c):
    """Deals of two hands from tiles that only one of them may hold and tiles that both may hold."""
    ways = 0
    for shared in range(min(both, size_b) + 1):
        ways += _ways_with(shared, only_b, only_c, both, size_b, size_c)
    return ways


@helper
def _ways_with(shared, only_b, only_c, both, size_b, size_c):
    """Those of them in which the first takes so many of the tiles that both may hold."""
    ways = CHOOSE[both, shared] * CHOOSE[only_b, size_b - shared]
    return ways * CHOOSE[only_c + both - shared, size_c]


@helper
def _draw_share(a, b, c, size, share, key):
    """Draw the first hand with a given share."""
    of_b, of_c, of_both = share & _ONE, share >> _FIELD & _ONE, share >> 2 * _FIELD
    hand = draw(a & b & ~c, key, 0, of_b) | draw(a & ~b & c, key, of_b, of_c)
    hand |= draw(a & b & c, key, of_b + of_c, of_both)
    done = of_b + of_c + of_both
    return hand | draw(a & ~b & ~c, key, done, size - done)


@helper
def _draw_second(b, c, done, size_b, size_c, key):
    """Draw the second hand from what the first has left, ``done`` draws being used."""
    only_b, only_c, both = popcount(b & ~c), popcount(c & ~b), popcount(b & c)
    rank = (word(key, _SECOND) & _BITS) % _ways_of_two(only_b, only_c, both, size_b, size_c)
    shared = 0
    ways = _ways_with(0, only_b, only_c, both, size_b, size_c)
    while ways <= rank:
        rank -= ways
        shared += 1
        ways = _ways_with(shared, only_b, only_c, both, size_b, size_c)
    return draw(b & c, key, done, shared) | draw(b & ~c, key, done + shared, size_b - shared)
