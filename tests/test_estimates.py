"""Means, shares and intervals of independent units, against combinatorics and repeated sampling."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import gammaln
from scipy.stats import binom

from analysis.estimates import (
    Estimate,
    Share,
    clopper_pearson,
    from_histogram,
    from_sums,
    from_values,
    places_off_zero,
    quantiles,
    share,
    wilson,
)

FINE = dict(rel=1e-12, abs=1e-300)
values_list = st.lists(st.integers(-1000, 1000), min_size=2, max_size=40)


def test_mean_and_error_of_a_die_are_exact():
    """Six equally likely faces: mean 7/2, variance 35/12 (n - 1 in the error)."""
    die = from_histogram([0, 1, 1, 1, 1, 1, 1])
    assert die.mean == 3.5
    assert die.se == pytest.approx(math.sqrt(35 / 12 / 5), **FINE)
    assert die.n == 6


def test_histogram_and_values_agree():
    values = np.repeat([-2.5, 0.0, 3.25], [3, 5, 9])
    listed, counted = from_values(values), from_histogram([3, 5, 9], [-2.5, 0.0, 3.25])
    assert (listed.mean, listed.se) == pytest.approx((counted.mean, counted.se), **FINE)
    assert listed.n == counted.n == 17


def test_error_of_a_thousand_million_deals_keeps_its_digits():
    """Half twos, half fours: variance exactly n / (n - 1), whatever large number is added."""
    n = 10**9
    expected = 1 / math.sqrt(n - 1)
    for shift in (0, 10**9, 10**12):
        spread = from_histogram([n // 2, n // 2], [2 + shift, 4 + shift])
        assert spread.mean == 3 + shift
        assert spread.se == pytest.approx(expected, **FINE)


def test_sums_of_numpy_counters_do_not_overflow():
    n = np.int64(4 * 10**9)
    total, squares = np.int64(3) * n, np.int64(10) * n
    assert from_sums(n, total, squares).se == pytest.approx(1 / math.sqrt(4e9 - 1), **FINE)


def test_sums_that_no_values_have_are_refused():
    with pytest.raises(ValueError, match="sum of squares 8 is too small for 2 values of sum 5"):
        from_sums(2, 5, 8)


@given(values_list, st.integers(-(10**6), 10**6), st.integers(-50, 50))
def test_shift_and_scale(values, shift, scale):
    before, after = from_values(values), from_values(np.array(values) * scale + shift)
    assert after.mean == pytest.approx(before.mean * scale + shift, rel=1e-9, abs=1e-6)
    assert after.se == pytest.approx(before.se * abs(scale), rel=1e-9, abs=1e-9)


@given(st.integers(2, 50), st.floats(-1e6, 1e6))
def test_constant_values_have_no_error(n, value):
    """Case 18: equal paired differences have an error of exactly 0."""
    assert from_values(np.full(n, value)) == Estimate(value, 0.0, n)


def test_too_few_units_claim_nothing():
    lone, none = from_values([4.0]), from_histogram([0, 0])
    assert (lone.mean, lone.n) == (4.0, 1)
    assert math.isnan(lone.se)
    assert all(math.isnan(end) for end in lone.interval())
    assert none.n == 0
    assert math.isnan(none.mean)
    assert lone.as_dict() == {"mean": 4.0, "se": None, "n": 1}
    assert json.loads(json.dumps(none.as_dict())) == {"mean": None, "se": None, "n": 0}


def test_interval_is_student():
    """Tabled critical values of t: 12.706 with 1 degree of freedom, 2.776 with 4, 1.960 with many."""
    for n, critical in ((2, 12.706), (5, 2.776), (10**9, 1.960)):
        low, high = Estimate(1.0, 0.5, n).interval()
        assert (low, high) == pytest.approx((1 - critical / 2, 1 + critical / 2), abs=3e-4)


@pytest.mark.parametrize("level", [0, 1, 95, -0.1, math.nan])
def test_levels_that_are_none_are_refused(level):
    with pytest.raises(ValueError, match="confidence level"):
        Estimate(1.0, 0.5, 9).interval(level)
    with pytest.raises(ValueError, match="confidence level"):
        wilson(1, 2, level)


@pytest.mark.parametrize("n", [2, 4, 30])
def test_interval_of_a_normal_mean_covers(n):
    """20,000 samples: the standard error of the coverage is .0015."""
    samples = np.random.default_rng(n).normal(5.0, 2.0, (20_000, n))
    ends = np.array([from_values(row).interval() for row in samples])
    covered = ((ends[:, 0] <= 5) & (5 <= ends[:, 1])).mean()
    assert 0.935 < covered < 0.965


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [(0, 10, 0, 0.2775), (10, 10, 0.7225, 1), (19, 20, 0.7639, 0.9911), (5000, 10_000, 0.4902, 0.5098)],
)
def test_wilson_of_cases_16_and_17(k, n, low, high):
    assert np.array(wilson(k, n)) == pytest.approx([low, high], abs=5e-5)
    assert share(k, n).interval() == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 10**9), st.data(), st.floats(0.01, 0.999))
def test_wilson_is_an_interval_that_mirrors(n, data, level):
    """Case 16: never of zero width, within [0, 1], about k / n, and k failures mirror k successes."""
    k = data.draw(st.integers(0, n))
    low, high = wilson(k, n, level)
    assert 0 <= low <= k / n <= high <= 1
    assert low < high
    mirrored = wilson(n - k, n, level)
    assert (1 - mirrored[1], 1 - mirrored[0]) == pytest.approx((low, high), abs=1e-12)
    assert (k > 0 or low == 0) and (k < n or high == 1)


def test_wilson_works_on_arrays():
    low, high = wilson([[0, 3], [7, 10]], [10, 10])
    assert low.shape == high.shape == (2, 2)
    assert [low[1, 1], high[1, 1]] == [*wilson(10, 10)]
    assert np.array(wilson(0, 0)).tolist() == [0, 1]


def test_wilson_solves_its_quadratic():
    """Each end is the p at which k is just 1.96 standard deviations away: (k/n - p)² = z² p (1 - p) / n."""
    k, n = np.arange(1, 40), 40
    for end in wilson(k, n):
        assert (k / n - end) ** 2 == pytest.approx(1.959963984540054**2 * end * (1 - end) / n, rel=1e-9)


def test_wilson_covers_on_average():
    """Exact coverage by the binomial distribution, averaged over p from .05 to .95."""
    n = 30
    k, p = np.arange(n + 1)[:, None], np.linspace(0.05, 0.95, 901)[None, :]
    low, high = wilson(k, n)
    choose = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    chance = np.exp(choose + k * np.log(p) + (n - k) * np.log1p(-p))
    assert chance.sum(axis=0) == pytest.approx(1)
    covered = (chance * ((low <= p) & (p <= high))).sum(axis=0)
    assert 0.945 < covered.mean() < 0.955


@pytest.mark.parametrize(("k", "n"), [(-1, 5), (6, 5)])
def test_impossible_successes_are_named(k, n):
    with pytest.raises(ValueError, match=f"{k} in {n}"):
        share(k, n)
    with pytest.raises(ValueError, match=f"{k} in {n}"):
        wilson([0, k], n)


def test_share_without_trials_is_unknown():
    assert share(0, 0).as_dict() == {"mean": None, "se": None, "n": 0}
    assert all(math.isnan(end) for end in share(0, 0).interval())


def test_clustered_share_is_wilson_on_the_effective_number():
    """An error doubled by clustering is worth a quarter of the trials (at t instead of z)."""
    many = 10**8
    clustered = Share(0.3, 2 * math.sqrt(0.3 * 0.7 / 400), many, clustered=True)
    assert clustered.interval() == pytest.approx(tuple(map(float, wilson(30, 100))), abs=1e-6)


@pytest.mark.parametrize("p", [0.0, 0.5, 1.0])
def test_clustered_share_has_width_even_without_error(p):
    """Case 16, clustered: worth at least the number of clusters, at Student's critical value."""
    low, high = Share(p, 0.0, 10, clustered=True).interval()
    independent = wilson(10 * p, 10)
    assert low <= independent[0] < independent[1] <= high
    assert low < high


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (Estimate(3.3551, 0.0032, 9), "3.355 ± 0.003"),
        (Estimate(3.35512, 0.00123, 9), "3.3551 ± 0.0012"),
        (Estimate(3.3551, 0.0098, 9), "3.355 ± 0.010"),
        (Estimate(3.3551, 0.00096, 9), "3.3551 ± 0.0010"),
        (Estimate(-0.0001, 0.003, 9), "0.000 ± 0.003"),
        (Estimate(12345.6, 230.0, 9), "12300 ± 200"),
        (Estimate(12345.6, 14.0, 9), "12346 ± 14"),
        (Estimate(0.5, 3.0, 9), "0 ± 3"),
        (Estimate(0.0, 0.0, 9), "0 ± 0"),
        (Estimate(1 / 3, 0.0, 9), "0.333333 ± 0"),
        (Estimate(2.5, math.nan, 1), "2.5 ± nan"),
        (share(253, 1000), "25.3% ± 1.4%"),
        (share(0, 10), "0% (0% to 27.8%)"),
        (share(10, 10), "100% (72.2% to 100%)"),
    ],
)
def test_text_shows_the_digits_that_the_error_supports(estimate, text):
    assert estimate.text() == str(estimate) == f"{estimate}" == text


def test_signed_text_and_number_formats():
    assert Estimate(0.0123, 0.003, 9).text(signed=True) == "+0.012 ± 0.003"
    assert f"{Estimate(0.0123, 0.003, 9):.2f}" == "0.01"


@given(st.lists(st.integers(0, 6), min_size=1, max_size=60), st.floats(0, 1))
def test_quantile_is_the_inverse_of_the_distribution(sample, q):
    value = quantiles(np.bincount(sample), q)
    at_most, below = np.mean(np.array(sample) <= value), np.mean(np.array(sample) < value)
    assert value in sample
    assert at_most >= q and (below < q or q == 0)


def test_quantiles_of_a_binomial():
    """Decimal parts hit their step exactly: .07 of 100 units is 7 of them; values may be in any order."""
    assert quantiles([7, 43, 50], [0, 0.07, 0.0701, 0.5, 0.501, 1]).tolist() == [0, 0, 1, 1, 2, 2]
    assert quantiles([50, 7, 43], [0.07, 0.5, 1], [2, 0, 1]).tolist() == [0, 1, 2]
    tosses = [math.comb(10, k) for k in range(11)]
    assert quantiles(tosses, [0.5, 968 / 1024, 0.946]).tolist() == [5, 7, 8]


@pytest.mark.parametrize(("counts", "q"), [([0, 0], 0.5), ([1, -1], 0.5), ([1, 1], 1.5)])
def test_quantiles_that_do_not_exist_are_refused(counts, q):
    with pytest.raises(ValueError, match=r"quantiles|count -1"):
        quantiles(counts, q)


@pytest.mark.parametrize(
    ("low", "high", "places"),
    [
        (-0.0826, -0.0045, 3),
        (0.04, 1.29, 2),
        (0.4, 1.29, 1),
        (-0.04, 1.29, 1),
        (0.0, 1.3, 1),
        (1e-12, 1.0, 6),
    ],
)
def test_an_interval_that_leaves_out_zero_is_not_written_as_touching_it(low, high, places):
    assert places_off_zero(low, high, 1) == places


@pytest.mark.parametrize(("k", "n"), [(0, 10), (1, 10), (3, 17), (17, 17), (40, 90)])
def test_exact_interval_leaves_a_tail_at_each_end(k, n):
    """Clopper and Pearson: at each end so many successes or more (fewer) have chance 2.5%."""
    low, high = clopper_pearson(k, n)
    if k:
        assert binom.sf(k - 1, n, low) == pytest.approx(0.025)
    if k < n:
        assert binom.cdf(k, n, high) == pytest.approx(0.025)
    assert (low == 0) == (k == 0) and (high == 1) == (k == n)
    assert clopper_pearson(0, 0) == (0, 1)


@pytest.mark.parametrize("expected", [0.05, 0.2, 1, 3, 10])
def test_exact_intervals_of_rare_things_cover(expected):
    """Whatever is to be expected of 5,000 trials, the summed chance to be covered is 95% at least."""
    n, p = 5000, expected / 5000
    k = np.arange(60)
    low, high = clopper_pearson(k, n)
    covered = binom.pmf(k, n, p)[(low <= p) & (p <= high)].sum()
    assert covered > 0.95


def test_a_clustered_share_is_worth_no_more_trials_than_can_be():
    low, high = Share(1e-9, 1e-12, 20, clustered=True, most=300).interval()
    assert low == 0 and 0.008 < high < 0.02
    low, high = Share(1 - 1e-9, 1e-12, 20, clustered=True, most=300).interval()
    assert 0.98 < low < 0.992 and high == 1
