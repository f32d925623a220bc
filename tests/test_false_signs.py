"""Local false sign rates: against numerical integration, and calibrated on differences that are known."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from analysis.false_signs import FLAT, NormalMixture, fit_mixture


def made_up(scales, weights, classes=8_000, seed=1):
    """True differences from a mixture, estimates of them and their errors."""
    random = np.random.default_rng(seed)
    truth = random.normal(0, random.choice(scales, classes, p=weights))
    errors = random.uniform(0.01, 0.05, classes)
    return truth, truth + random.normal(0, errors), errors


@pytest.mark.parametrize("estimate", [-0.2, -0.01, 0.0, 0.05])
def test_the_chance_of_a_negative_difference_is_that_of_integration(estimate):
    mixture = NormalMixture(np.array([0.02, 0.5]), np.array([0.3, 0.7]))

    def joint(true):
        prior = 0.3 * norm.pdf(true, 0, 0.02) + 0.7 * norm.pdf(true, 0, 0.5)
        return prior * norm.pdf(estimate, true, 0.03)

    below = quad(joint, -1.5, 0, points=[-0.1, -0.02], limit=200)[0]
    total = below + quad(joint, 0, 1.5, points=[0.02, 0.1], limit=200)[0]
    chance = mixture.chance_negative([estimate], [0.03])
    assert chance == pytest.approx([below / total], abs=1e-7)


def test_without_a_distribution_the_chance_is_the_one_sided_level():
    assert FLAT.chance_negative([0.0, 1.96, -1.0], [1.0, 1.0, 1.0]) == pytest.approx(
        [0.5, 0.025, 0.8413], abs=1e-4
    )


def test_few_estimates_teach_nothing():
    assert fit_mixture(np.zeros(99), np.ones(99)) is FLAT
    assert fit_mixture(np.r_[np.zeros(99), np.nan], np.ones(100)) is FLAT


def test_chances_to_be_wrong_come_true():
    """Of the signs called sure at 2.5%, and in each range of chances, as many are wrong as was said."""
    truth, estimates, errors = made_up([0.01, 0.1, 1.0], [0.4, 0.4, 0.2])
    below = fit_mixture(estimates, errors).chance_negative(estimates, errors)
    lfsr, wrong = np.minimum(below, 1 - below), (estimates > 0) != (truth > 0)
    for low, high in ((0, 0.005), (0.005, 0.025), (0.025, 0.1), (0.1, 0.3), (0.3, 0.5)):
        where = (lfsr >= low) & (lfsr < high)
        expected = lfsr[where].sum()
        assert where.sum() > 200
        assert abs(wrong[where].sum() - expected) < 4 * np.sqrt(expected) + 0.02 * expected


def test_a_distribution_is_found_again():
    _, estimates, errors = made_up([0.02, 0.6], [0.5, 0.5])
    mixture = fit_mixture(estimates, errors)
    assert mixture.weights.sum() == pytest.approx(1) and mixture.weights.min() >= 0
    small = mixture.weights[mixture.scales < 0.1].sum()
    variance = (mixture.weights * mixture.scales**2).sum()
    assert small == pytest.approx(0.5, abs=0.05) and variance == pytest.approx(0.1802, rel=0.05)


def test_weights_count_as_repetitions():
    _, estimates, errors = made_up([0.02, 0.6], [0.5, 0.5], classes=400)
    counts = np.random.default_rng(2).integers(1, 5, 400)
    repeated = fit_mixture(np.repeat(estimates, counts), np.repeat(errors, counts))
    weighted = fit_mixture(estimates, errors, counts)
    assert np.allclose(weighted.weights, repeated.weights, atol=1e-6)


def test_what_was_not_estimated_has_no_chance():
    _, estimates, errors = made_up([0.1], [1.0], classes=200)
    estimates[3] = np.nan
    chances = fit_mixture(estimates, errors).chance_negative(estimates, errors)
    assert np.flatnonzero(np.isnan(chances)).tolist() == [3]


def test_a_wide_difference_is_sure_to_the_last_digit():
    _, estimates, errors = made_up([0.1], [1.0], classes=200)
    chances = fit_mixture(estimates, errors).chance_negative([5.0, -5.0], [0.02, 0.02])
    assert chances[0] < 1e-12 and chances[1] > 1 - 1e-12
