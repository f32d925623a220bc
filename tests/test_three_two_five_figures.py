"""The check figures of the rulebook of 3-2-5, and players that no number favours."""

from math import sqrt

import numpy as np
import pytest

from sim import experiment, run
from sim.three_two_five.tally import QUANTITIES

GAME = "three-two-five"
DEALS = 900_000
ALL_DEALS = 2

# strategy; tricks of five, three, two; quota met by five, three, two; all exact; cards owed.
FIGURES = {
    "random": ((3.355, 3.326, 3.320), (0.253, 0.652, 0.846), 0.037, 2.57),
    "random+longest-suit": ((4.142, 2.931, 2.928), (0.410, 0.568, 0.796), 0.053, 2.17),
    "random+always-reveal": ((3.835, 3.080, 3.086), (0.342, 0.603, 0.820), 0.047, 2.30),
}
PUBLISHED = 480_000
"""Deals behind the rulebook's figures, whose own error counts as well."""


def mean_and_spread(made, quantity):
    """Mean and standard deviation of a deal, from matches of nine independent ones."""
    place = QUANTITIES.index(quantity)
    clusters = made.counters["clusters"][ALL_DEALS]
    total = made.counters["totals"][ALL_DEALS, place]
    square = made.counters["gram"][ALL_DEALS, place, place]
    length = made.units / clusters
    variance = (square / clusters - (total / clusters) ** 2) / length
    return total / made.units, sqrt(variance)


def agrees(value, spread, published, digits):
    """Within four errors of the difference, and half of the last digit given."""
    return abs(value - published) < 4 * spread * sqrt(1 / DEALS + 1 / PUBLISHED) + 0.5 * 10**-digits


@pytest.mark.parametrize("name", FIGURES)
def test_figures_of_random_play_without_pulls(name):
    made = run(experiment(GAME, units=DEALS, seed=325, strategies=name, rules={"pulls": False}), 2)
    tricks, met, exact, owed = FIGURES[name]
    for seat, mean, share in zip(("five", "three", "two"), tricks, met, strict=True):
        assert agrees(*mean_and_spread(made, f"tricks_{seat}"), mean, digits=3)
        assert agrees(*mean_and_spread(made, f"met_{seat}"), share, digits=3)
    assert agrees(*mean_and_spread(made, "all_exact"), exact, digits=3)
    assert agrees(*mean_and_spread(made, "cards_owed"), owed, digits=2)


def test_each_suit_is_the_revealed_trump_equally_often():
    made = run(experiment(GAME, units=DEALS, strategies="random+always-reveal"), 2)
    called, revealed = made.counters["trumps"]
    assert not called.any() and revealed.sum() == DEALS
    assert np.all(np.abs(revealed / DEALS - 0.25) < 4 * sqrt(0.1875 / DEALS))


@pytest.mark.parametrize("name", ["random", "first-suit", "heuristic"])
@pytest.mark.parametrize("pulls", [True, False])
def test_case_19_no_player_is_favoured(name, pulls):
    """R7: three equal strategies score and win alike over whole matches, by paired differences."""
    matches = 20_000
    made = run(experiment(GAME, matches=matches, seed=19, strategies=name, rules={"pulls": pulls}), 2)
    scores = [QUANTITIES.index(f"score_{player}") for player in range(3)]
    mean = made.counters["totals"][ALL_DEALS, scores] / matches
    product = made.counters["gram"][ALL_DEALS][np.ix_(scores, scores)] / matches - np.outer(mean, mean)
    winners = made.counters["winners"]
    for a, b in ((0, 1), (0, 2), (1, 2)):
        variance = product[a, a] + product[b, b] - 2 * product[a, b]
        assert abs(mean[a] - mean[b]) < 4 * sqrt(variance / matches)
        one, other = winners[1 << a], winners[1 << b]
        assert abs(one - other) < 4 * sqrt(one + other)


def test_a_match_is_worth_nothing_to_all_three_together():
    """R26: differences sum to zero deal by deal, so totals and products do."""
    made = run(experiment(GAME, matches=1_000, strategies="heuristic"))
    scores = [QUANTITIES.index(f"score_{player}") for player in range(3)]
    assert made.counters["totals"][:, scores].sum(axis=1).tolist() == [0, 0, 0]
    assert not made.counters["gram"][:, :, scores].sum(axis=2).any()
