"""The mean tricks of a few deals by pulls: their intervals cover as they say."""

import numpy as np
import pytest

from analysis.three_two_five.pulls import moderated

SPREADS = {
    "alike": np.array([1, 3, 8, 12, 9, 4, 2, 1, 0, 0, 0]) / 40,
    "narrow": np.array([0, 0, 5, 25, 8, 2, 0, 0, 0, 0, 0]) / 40,
}
TRICKS = np.arange(11)


@pytest.mark.parametrize("deals", [2, 3, 5, 20])
@pytest.mark.parametrize("spread", SPREADS)
def test_means_of_few_deals_cover(spread, deals):
    """2,000 cells of few deals beside one of many; a narrow cell borrows too wide a spread."""
    rng, chances = np.random.default_rng(deals), SPREADS[spread]
    many = rng.multinomial(4000, SPREADS["alike"])
    covered = []
    for _ in range(2000):
        low, high = moderated(np.array([many, rng.multinomial(deals, chances)]), 1).interval()
        covered.append(low <= chances @ TRICKS <= high)
        # Whole tricks make the interval of two or three deals cover in steps.
        least, most = (0.935, 0.98) if spread == "alike" else (0.94, 1.0)
    assert least < np.mean(covered) <= most


def test_many_deals_have_the_error_of_their_own():
    counts = np.array([[0, 0, 0], [300, 400, 300]])
    values = np.repeat([0, 1, 2], [300, 400, 300])
    estimate = moderated(counts, 1)
    assert estimate.mean == 1 and estimate.se == pytest.approx(values.std(ddof=1) / 1000**0.5, rel=1e-9)


def test_a_single_deal_alone_has_no_error():
    assert np.isnan(moderated(np.array([[0, 1, 0]]), 0).se)
