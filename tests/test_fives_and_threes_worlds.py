"""Sampled worlds of Fives and Threes: none contradicts what was shown, each comes as often as it should."""

from collections import Counter
from random import Random

import numpy as np
import pytest
from drawn_turns import draw_turn, masks_of, replayed, view_of, worlds_of
from reference.dominoes import DOUBLE_SIX
from scipy.stats import binom, chi2, chisquare

from sim.core.rng import word
from sim.fives_and_threes import knowledge as know
from sim.fives_and_threes.thinking.worlds import deal_worlds
from sim.fives_and_threes.tiles import parse_tile, tile_names

PLAYERS = [2, 3, 4]
HANDS = {2: [7, 9, 14, 3], 3: [5, 9, 3], 4: [5, 6, 7, 2]}
WORLDS = 10_000


def dealt(view, key, count):
    """Sample worlds of a turn."""
    worlds = np.full((count, 4), -1, np.int64)
    deal_worlds(view, int(word(14, key)), worlds)
    return worlds


def listable(rng, players, most):
    """Draw turns with knocks at which all worlds can be listed, two of them at least."""
    while True:
        game = draw_turn(rng, players, rng.choice(HANDS[players]), least_knocks=1)
        seen = game.knowledge(game.to_move)
        if sum(seen.hand_sizes) - len(seen.hand) > 10 - players:
            continue
        worlds = []
        for world in worlds_of(game):
            worlds.append(masks_of(world))
            if len(worlds) > most:
                break
        if 2 <= len(worlds) <= most:
            yield game, worlds


@pytest.mark.parametrize("players", PLAYERS)
def test_case_14_no_world_contradicts_what_was_shown(players):
    """Case 14, F2, F6, F10: 10,000 worlds, by the naive game's account of what a player knows."""
    rng, knocks = Random(players), Counter()
    for number in range(WORLDS // 20):
        game = draw_turn(rng, players, rng.choice(HANDS[players]), least_knocks=number % 4)
        seen = game.knowledge(game.to_move)
        for world in dealt(view_of(game), number, 20).tolist():
            assert world[players:] == [0] * (4 - players)
            assert seen.admits([tile_names(hand) for hand in world[:players]])
        knocks[sum(bool(numbers) for numbers in seen.lacks.values())] += 1
    assert min(knocks[number] for number in range(players)) > 20, knocks


@pytest.mark.parametrize("players", PLAYERS)
def test_worlds_are_uniform_over_all_that_fit(players):
    """Every world that fits equally often, in endings where all of them can be listed."""
    statistic, freedom = 0.0, 0
    for number, (game, worlds) in zip(range(60), listable(Random(16), players, 150), strict=False):
        counts = Counter(map(tuple, dealt(view_of(game), number, 20 * len(worlds)).tolist()))
        assert set(counts) <= set(worlds)
        result = chisquare([counts[world] for world in worlds])
        assert result.pvalue > 1e-6
        statistic, freedom = statistic + result.statistic, freedom + len(worlds) - 1
    assert freedom > 500 and chi2.sf(statistic, freedom) > 1e-4


@pytest.mark.parametrize("players", PLAYERS)
def test_each_tile_lies_where_it_should_as_often_as_it_should(players):
    """Exact shares of the worlds in which a player holds a tile, and in which it sleeps."""
    count, shares, times = 2000, [], []
    for number, (game, worlds) in zip(range(25), listable(Random(17), players, 1500), strict=False):
        drawn = dealt(view_of(game), number, count)
        for tile in sorted(set(DOUBLE_SIX) - game.knowledge(game.to_move).seen):
            due, found = (np.array(some) & parse_tile(tile) != 0 for some in (worlds, drawn))
            shares += [*due.mean(axis=0), 1 - due.any(axis=1).mean()]
            times += [*found.sum(axis=0), count - found.any(axis=1).sum()]
    shares, times = np.array(shares), np.array(times)
    sure = (shares == 0) | (shares == 1)
    assert (times[sure] == shares[sure] * count).all()
    times, shares = times[~sure], shares[~sure]
    tails = 2 * np.minimum(binom.cdf(times, count, shares), binom.sf(times - 1, count, shares))
    assert tails.size > 200 and tails.min() * tails.size > 1e-4


@pytest.mark.parametrize("players", PLAYERS)
def test_case_15_permuting_the_hidden_tiles_changes_no_world(players):
    """The same course of play with other hidden hands: the same view, and so the same worlds."""
    rng, changed = Random(18), 0
    for number in range(60):
        game = draw_turn(rng, players, least_knocks=number % 3)
        view = view_of(game)
        worlds = dealt(view, number, 5)
        for world in worlds.tolist():
            hands = [tile_names(hand) for hand in world[:players]]
            other = replayed(game, hands)
            assert other.to_move == game.to_move
            changed += [sorted(hand) for hand in game.hands] != hands
            np.testing.assert_array_equal(view_of(other), view)
            np.testing.assert_array_equal(dealt(view_of(other), number, 5), worlds)
    assert changed > 200


def test_a_world_does_not_hang_on_how_many_are_drawn():
    game = draw_turn(Random(19), 4, least_knocks=3)
    np.testing.assert_array_equal(dealt(view_of(game), 1, 40)[:7], dealt(view_of(game), 1, 7))


def test_a_knock_leaves_one_world():
    """F6: of one tile each, who knocked at all numbers but one holds the double that is left."""
    view = np.zeros(know.VIEW_SIZE, np.int64)
    view[know.PLAYERS], view[know.PLAYER], view[know.HAND] = 3, 1, parse_tile("0|1")
    view[know.SIZE : know.SIZE + 3] = 1
    for other, number in ((0, 6), (2, 5)):
        for tile in DOUBLE_SIX:
            if tile != f"{number}|{number}":
                view[know.LACKS + other] |= parse_tile(tile)
    due = [parse_tile(tile) for tile in ("6|6", "0|1", "5|5")]
    assert dealt(view, 1, 3).tolist() == [[*due, 0]] * 3
