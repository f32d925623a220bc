"""Sampled worlds of 3-2-5: they contradict nothing that was shown, and come as often as they should."""

from collections import Counter
from random import Random

import numpy as np
import pytest
from drawn_decisions import NO_DEBTS, draw_decision, params_of
from plain_worlds import FIRST_SUIT, HEURISTIC, RANDOM, Worlds, weight
from scipy.stats import chi2, chisquare

from sim.core.rng import word
from sim.three_two_five import knowledge as know
from sim.three_two_five.ranks import rank_promises
from sim.three_two_five.thinking.inference import deal_likely_worlds
from sim.three_two_five.thinking.parameters import DEALT
from sim.three_two_five.thinking.worlds import deal_worlds, fits

MANY_PULLS = ((3, -2, -1), (-3, 5, -2), (2, 1, -3), (-4, 2, 2))


def dealt(decision, key, count):
    """Sample worlds of a decision."""
    worlds = np.zeros((count, 2), np.int64)
    deal_worlds(decision.view(), int(word(14, key)), worlds)
    return list(map(tuple, worlds.tolist()))


def draw_any(rng):
    """Draw a card or a return, at any time of a deal."""
    if rng.random() < 0.3:
        return draw_decision(
            rng, "return", rng.randrange(3), debts=rng.choice(((2, 1, -3), (-1, 4, -3), (3, -3, 0)))
        )
    return draw_decision(rng, "play", rng.randrange(30), debts=rng.choice((*MANY_PULLS, NO_DEBTS)))


def test_case_14_no_world_contradicts_what_was_shown():
    """Case 14, R17–R20, R23, R31: 10,000 worlds at cards and at returns, by the naive game's account."""
    rng, counted = Random(14), Counter()
    for number in range(500):
        decision = draw_any(rng)
        known = Worlds(decision)
        for world in dealt(decision, number, 20):
            assert not known.contradictions(*world)
        counted.update([decision.deal.phase, decision.deal.rules.sevens])
        counted.update(kind for kind, there in known.conditions().items() if there)
    assert len(counted) == 9 and min(counted.values()) > 50, counted


def test_the_true_hands_always_fit():
    """R18, R19: no condition that worlds must meet is one that the very hands do not."""
    rng = Random(15)
    for _ in range(500):
        decision = draw_any(rng)
        true = [decision.bits(decision.deal.hands[player]) for player in decision.others]
        assert not Worlds(decision).contradictions(*true)
        view = decision.view()
        left, right = ((view[know.SEAT] + step) % 3 for step in (1, 2))
        assert fits(view, left, right, true[0]) and fits(view, right, left, true[1])


def test_worlds_are_uniform_over_all_that_fit():
    """Every consistent world equally often, in positions where all of them can be listed."""
    rng, statistic, freedom, bound = Random(16), 0.0, 0, 0
    for number in range(120):
        decision = draw_decision(
            rng, "play", rng.randrange(11, 27), debts=rng.choice((*MANY_PULLS, NO_DEBTS))
        )
        known = Worlds(decision)
        worlds = known.fitting()
        if len(worlds) < 2:
            continue
        counts = Counter(dealt(decision, number, 20 * len(worlds)))
        assert set(counts) <= set(worlds)
        result = chisquare([counts[world] for world in worlds])
        assert result.pvalue > 1e-6
        statistic, freedom = statistic + result.statistic, freedom + len(worlds) - 1
        only = {"kept", "strayed"}
        bound += any(
            only.issuperset(found) for world in known.everything() if (found := known.contradictions(*world))
        )
    assert freedom > 2000 and bound > 20
    assert 0.001 < chi2.sf(statistic, freedom) < 0.999


def test_the_same_luck_gives_the_same_worlds():
    decision = draw_decision(Random(17), "play", 8)
    assert dealt(decision, 1, 20) == dealt(decision, 1, 20) != dealt(decision, 2, 20)
    assert dealt(decision, 1, 30)[:20] == dealt(decision, 1, 20), "whatever their number"


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("rollout-50+infer", HEURISTIC),
        ("rollout-50+against-heuristic", HEURISTIC),
        ("rollout-50+against-first-suit", FIRST_SUIT),
        ("rollout-50+against-random", RANDOM),
    ],
)
def test_likely_worlds_come_by_their_weights(name, others):
    """Frequencies agree with the weights that the naive game gives, in positions where all can be listed."""
    rng, params, squares, uneven = Random(name), params_of(name), [], 0
    for number in range(25):
        decision = draw_decision(rng, "play", rng.randrange(17, 27), debts=rng.choice((NO_DEBTS, (0, -1, 1))))
        known = Worlds(decision)
        worlds = known.fitting()
        weights = np.array([weight(known, world, params, others) for world in worlds])
        taken = np.zeros((100 * len(worlds), 2), np.int64)
        deal_likely_worlds(decision.view(), params, rank_promises(params), int(word(18, number)), taken)
        counts = Counter(map(tuple, taken.tolist()))
        assert set(counts) <= set(worlds)
        if np.ptp(weights) > 0:
            shares = weights / weights.sum()
            off = np.abs(np.array([counts[world] for world in worlds]) / len(taken) - shares)
            errors = share_errors(weights, len(taken), len(taken) * params[0, DEALT])
            assert (off < 5 * errors + 2 / len(taken)).all()
            squares.extend((off / errors) ** 2)
            uneven += 1
    assert uneven > 12 and len(squares) > 150
    assert np.mean(squares) < 1.2


def share_errors(weights, taken, dealt):
    """Standard errors of the shares of worlds: of those taken, and of those dealt to take them from."""
    shares, squares = weights / weights.sum(), weights**2
    of_dealt = (squares * (1 - shares) ** 2 + (squares.sum() - squares) * shares**2) / weights.mean() ** 2
    return np.sqrt(shares * (1 - shares) / taken + of_dealt / len(weights) / dealt)
