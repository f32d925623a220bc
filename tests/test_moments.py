"""Ratios and paired differences from counters of clusters, against a naive twin and repeated sampling."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.estimates import from_values
from analysis.moments import Moments

NAMES = ("five", "three", "deals")
FINE = dict(rel=1e-12, abs=1e-300)

clusters = st.lists(
    st.tuples(st.integers(0, 90), st.integers(0, 90), st.integers(1, 9)), min_size=2, max_size=30
).map(lambda rows: np.array(rows, np.int64))


def moments_of(table, names=NAMES):
    """Count as a kernel would: sums and products of the clusters' totals."""
    return Moments(len(table), table.sum(axis=0), table.T @ table, names)


def naive_ratio(above, over):
    """Linearise the ratio as textbooks do, from the clusters themselves."""
    n, mean = len(over), above.sum() / over.sum()
    residuals = above - mean * over
    return mean, math.sqrt(n / (n - 1) * (residuals**2).sum()) / over.sum()


@given(clusters)
def test_ratio_agrees_with_naive_residuals(table):
    five, three, deals = table.T.astype(float)
    ratio = moments_of(table).ratio({"five": 2, "three": -0.5}, "deals")
    assert (ratio.mean, ratio.se) == pytest.approx(
        naive_ratio(2 * five - three / 2, deals), rel=1e-9, abs=1e-9
    )
    assert ratio.n == len(table)


@given(clusters)
def test_mean_per_cluster_agrees_with_plain_values(table):
    mean, plain = moments_of(table).mean("five"), from_values(table[:, 0])
    assert (mean.mean, mean.se) == pytest.approx((plain.mean, plain.se), rel=1e-9, abs=1e-9)


@given(clusters, st.integers(-1000, 1000), st.integers(-1000, 1000))
def test_shift_and_scale_of_a_ratio(table, shift, scale):
    """Adding a constant to every unit shifts the mean alone; a factor scales both, exactly."""
    moments = moments_of(table)
    plain = moments.ratio("five", "deals")
    moved = moments.ratio({"five": scale, "deals": shift}, "deals")
    assert moved.mean == pytest.approx(plain.mean * scale + shift, **FINE | {"abs": 1e-9})
    assert moved.se == pytest.approx(plain.se * abs(scale), **FINE)


@given(clusters)
def test_identical_arms_differ_by_exactly_nothing(table):
    """Case 18: the same strategy on both arms of the same deals."""
    twice = moments_of(np.column_stack([table[:, 0], table[:, 0], table[:, 2]]))
    for difference in (twice.difference("five", "three", "deals"), twice.difference("five", "three")):
        assert (difference.mean, difference.se) == (0.0, 0.0)


@given(clusters)
def test_difference_is_paired(table):
    """The difference is that of the clusters, also when the arms have denominators of their own."""
    five, three, deals = table.T.astype(float)
    moments = moments_of(table)
    paired = moments.difference("five", "three", "deals")
    assert (paired.mean, paired.se) == pytest.approx(naive_ratio(five - three, deals), rel=1e-9, abs=1e-9)
    apart = moments.difference("five", "three", "deals", {"deals": 2})
    halved = moments.ratio({"five": 1, "three": -0.5}, "deals")
    assert (apart.mean, apart.se) == pytest.approx((halved.mean, halved.se), rel=1e-9, abs=1e-9)


@given(clusters)
def test_covariance_gives_the_error_of_a_difference(table):
    moments = moments_of(table)
    covariance = moments.covariance(["five", "three"], "deals")
    difference = moments.difference("five", "three", "deals")
    expected = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    assert difference.se**2 == pytest.approx(expected, rel=1e-6, abs=1e-9)
    assert covariance[0, 0] == pytest.approx(moments.ratio("five", "deals").se ** 2, rel=1e-12)


def test_small_spread_about_a_large_mean_is_exact():
    """Ten clusters of 10⁸ ± 1: products near 10¹⁷, variance exactly 10/9; floats would lose it."""
    table = np.array([[10**8 + sign, 7, 1] for sign in (1, -1) * 5], np.int64)
    mean = moments_of(table).mean("five")
    assert mean.mean == 1e8
    assert mean.se == pytest.approx(math.sqrt(10 / 9 / 10), **FINE)


def test_long_run_keeps_the_digits_of_its_error():
    """10⁹ deals of mean 3 and variance 1, as 9-deal matches of total 24 or 30 (variance 9)."""
    n = 111_111_112
    gram = np.array([[n // 2 * (24**2 + 30**2), 27 * 9 * n], [27 * 9 * n, 81 * n]])
    ratio = Moments(n, np.array([27 * n, 9 * n]), gram, ("five", "deals")).ratio("five", "deals")
    assert ratio.mean == 3
    assert ratio.se == pytest.approx(math.sqrt(9 / (n - 1)) / 9, **FINE)


@given(clusters, st.integers(1, 29))
def test_pooling_parts_equals_the_whole(table, cut):
    whole, parts = moments_of(table), moments_of(table[:cut]) + moments_of(table[cut:])
    assert parts.n == whole.n
    assert np.array_equal(parts.totals, whole.totals)
    assert parts.ratio("five", "deals") == whole.ratio("five", "deals")


def test_pooling_different_quantities_is_refused():
    table = np.ones((3, 3), np.int64)
    with pytest.raises(ValueError, match="cannot join"):
        moments_of(table) + moments_of(table, ("two", "three", "deals"))


def sampled_matches(seed, samples, matches):
    """Draw matches of 9 deals, the last of 3, whose deals share a latent mean of expectation 3."""
    rng = np.random.default_rng(seed)
    deals = np.full((samples, matches), 9)
    deals[:, -1] = 3
    level = rng.gamma(6.0, 0.5, deals.shape)
    return rng.poisson(level * deals), deals


@pytest.mark.parametrize("matches", [30, 60])
def test_interval_of_a_clustered_ratio_covers(matches):
    """10,000 samples with a smaller last match: the standard error of the coverage is .0022."""
    tricks, deals = sampled_matches(matches, 10_000, matches)
    covered = 0
    for row in np.stack([tricks, deals], axis=2):
        low, high = moments_of(row, ("tricks", "deals")).ratio("tricks", "deals").interval()
        covered += low <= 3 <= high
    assert 0.935 < covered / len(tricks) < 0.965


def test_error_that_ignores_clusters_is_too_small_here():
    """Poisson deals about a gamma level of variance 1.5: deals vary by 3 + 1.5, matches by 9 × 3 + 81 × 1.5.

    The design effect is therefore 148.5 / (9 × 4.5) = 3.67 for matches of nine deals.
    """
    rng = np.random.default_rng(5)
    deal = rng.poisson(rng.gamma(6.0, 0.5, (20_000, 1)), (20_000, 9))
    table = np.column_stack([deal.sum(axis=1), (deal**2).sum(axis=1), np.full(20_000, 9)])
    moments = moments_of(table, ("tricks", "squares", "deals"))
    assert moments.design_effect("tricks", "deals", "squares") == pytest.approx(148.5 / 40.5, rel=0.1)


def test_interval_of_a_clustered_share_covers():
    """Matches of 9 deals in which a share of .2 is overdispersed (beta with 5 pseudo-deals)."""
    rng = np.random.default_rng(11)
    covered, samples, deals = 0, 5_000, np.full(60, 9)
    for _ in range(samples):
        met = rng.binomial(9, rng.beta(1, 4, 60))
        share = moments_of(np.column_stack([met, deals]), ("met", "deals")).share("met", "deals")
        low, high = share.interval()
        covered += low <= 0.2 <= high
    assert 0.935 < covered / samples < 0.965


def test_share_at_an_end_has_width():
    """Case 16: no deal of 40 matches met the quota."""
    table = np.column_stack([np.zeros(40, np.int64), np.full(40, 9)])
    share = moments_of(table, ("met", "deals")).share("met", "deals")
    low, high = share.interval()
    assert (share.mean, low) == (0, 0)
    assert 0.05 < high < 0.12


def test_ratio_that_is_no_share_is_refused():
    with pytest.raises(ValueError, match="share of five in deals is 3: must be 0 to 1"):
        moments_of(np.array([[27, 0, 9], [27, 0, 9]])).share("five", "deals")


def test_design_effect_of_copied_and_of_independent_units():
    """Nine copies of one unit cost a factor 9; single units cost none."""
    unit = np.arange(500) % 2
    copied = moments_of(np.column_stack([9 * unit, np.full(500, 9)]), ("met", "deals"))
    single = moments_of(np.column_stack([unit, np.ones(500, np.int64)]), ("met", "deals"))
    assert copied.design_effect("met", "deals", "met") == pytest.approx(9, rel=0.01)
    assert single.design_effect("met", "deals", "met") == pytest.approx(1, **FINE)
    still = moments_of(np.full((5, 2), 9), ("met", "deals"))
    assert math.isnan(still.design_effect("met", "deals", "met"))


def test_one_cluster_has_a_mean_and_no_error():
    ratio = moments_of(np.array([[30, 20, 9]])).ratio("five", "deals")
    assert ratio.mean == pytest.approx(30 / 9)
    assert math.isnan(ratio.se)
    assert np.isnan(moments_of(np.array([[30, 20, 9]])).covariance(["five", "three"])).all()


def test_ratio_over_nothing_is_unknown():
    empty = moments_of(np.array([[5, 0, 0], [6, 0, 0]]))
    for estimate in (empty.ratio("five", "deals"), empty.difference("five", "three", "deals")):
        assert math.isnan(estimate.mean) and math.isnan(estimate.se)
    assert math.isnan(empty.share("five", "deals").interval()[0])


def test_numpy_weights_do_not_overflow():
    table = np.array([[10**8, 1, 1], [10**8 + 2, 1, 1]], np.int64)
    weight = np.int64(10**12)
    assert moments_of(table).mean({"five": weight}).se == pytest.approx(1e12, **FINE)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (dict(names=("five", "three")), "2 names"),
        (dict(names=("five", "five", "deals")), "only once"),
        (dict(gram=np.array([[9, 1, 3], [0, 1, 1], [3, 1, 1]])), "symmetric"),
        (dict(totals=np.array([4, 1, 1])), "five: sum of squares 9 is too small for 1 of sum 4"),
    ],
)
def test_moments_that_no_clusters_have_are_refused(change, message):
    right = dict(
        n=1, totals=np.array([3, 1, 1]), gram=np.array([[9, 3, 3], [3, 1, 1], [3, 1, 1]]), names=NAMES
    )
    Moments(**right)
    with pytest.raises(ValueError, match=message):
        Moments(**right | change)


def test_products_that_no_clusters_have_are_refused():
    bad = Moments(2, np.array([0, 0]), np.array([[1, 9], [9, 1]]), ("a", "b"))
    with pytest.raises(ValueError, match="overflowed"):
        bad.mean({"a": 1, "b": -1})


def test_unknown_quantity_is_named_with_the_known_ones():
    with pytest.raises(ValueError, match="'trick': choose from five, three, deals"):
        moments_of(np.ones((2, 3), np.int64)).ratio("trick", "deals")
