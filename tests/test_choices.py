"""The value of the best option, refits without a part of the hands, and the ranking of options."""

import math

import numpy as np
import pytest

from analysis.choices import chances_best, greatest, held_out, jackknife, rank_options
from analysis.moments import Moments
from analysis.shrinkage import Posterior


def drawn_posterior(seed, hands=40, options=4):
    """Means and covariances of hands, no two alike."""
    rng = np.random.default_rng(seed)
    root = rng.normal(0, 0.5, (hands, options, options))
    return Posterior(rng.normal(0, 1, (hands, options)), root @ root.transpose(0, 2, 1))


def test_greatest_of_two_is_exact():
    """Clark's formula for two: E max = (a + b) / 2 + E|a - b| / 2, by drawing it."""
    rng = np.random.default_rng(1)
    true = drawn_posterior(1, options=2)
    for hand in range(5):
        drawn = rng.multivariate_normal(true.mean[hand], true.covariance[hand], 200_000).max(axis=1)
        error = drawn.std() / math.sqrt(drawn.size)
        assert greatest(true)[hand] == pytest.approx(drawn.mean(), abs=4.5 * error)


def test_greatest_of_several_and_who_it_is_are_nearly_right():
    rng = np.random.default_rng(2)
    true = drawn_posterior(2)
    best, chances = greatest(true), chances_best(true)
    drawn = np.stack(
        [
            rng.multivariate_normal(mean, covariance, 20_000)
            for mean, covariance in zip(true.mean, true.covariance, strict=True)
        ]
    )
    off = best - drawn.max(axis=2).mean(axis=1)
    assert np.abs(off).max() < 0.1 and abs(off.mean()) < 0.02
    who = (drawn.argmax(axis=2)[:, :, None] == np.arange(4)).mean(axis=1)
    assert np.abs(chances - who).mean() < 0.02 and chances.sum(axis=1) == pytest.approx(1)


def test_what_is_surely_known_is_the_plain_maximum():
    true = Posterior(np.array([[1.0, 3.0, 2.0], [5.0, 0.0, 4.0]]), np.zeros((2, 3, 3)))
    assert greatest(true).tolist() == [3, 5]
    assert chances_best(true).tolist() == [[0, 1, 0], [1, 0, 0]]


def test_jackknife_of_a_mean_is_the_mean_and_its_error():
    """Left out one by one, twenty hands give the usual standard error."""
    values = np.random.default_rng(3).normal(0, 1, 20)
    found = jackknife(("x",), lambda rows, half: values[rows, None], 20).mean("x")
    assert found.mean == pytest.approx(values.mean())
    assert found.se == pytest.approx(values.std(ddof=1) / math.sqrt(20))


def test_jackknife_takes_away_a_bias_that_falls_with_the_hands():
    """The plain variance of n values is too small by the part 1 / n."""
    values = np.random.default_rng(4).normal(0, 1, 20)

    def spread(rows, half):
        return np.full((len(rows), 1), values[rows].var())

    found = jackknife(("variance",), spread, 20).mean("variance")
    assert found.mean == pytest.approx(values.var(ddof=1))
    assert found.se > found.mean - values.var()


def test_groups_of_hands_are_left_out_with_their_blocks():
    values = np.arange(60.0)
    where = values < 10
    found = jackknife(("x",), lambda rows, half: values[rows, None], 60).mean("x", where)
    assert found.n == 10 and found.mean == pytest.approx(4.5)
    only = jackknife(("x",), lambda rows, half: values[rows, None], 60).mean("x", values == 7)
    assert only.mean == 7 and math.isnan(only.se)


def test_shares_of_what_never_happens_have_a_width():
    """All hands say 0: the share is not above what so many hands can rule out."""
    found = jackknife(("x",), lambda rows, half: np.zeros((len(rows), 1)), 300).share("x")
    low, high = found.interval()
    assert low == 0 and 0.008 < high < 0.02


def test_shares_of_next_to_nothing_do_not_leave_out_zero():
    """A chance of one in a hundred thousand on one hand of 300 is no hand seen."""
    chances = np.where(np.arange(300) == 7, 1e-5, 0)
    low, high = jackknife(("x",), lambda rows, half: chances[rows, None], 300).share("x").interval()
    assert low < 1e-15 and 0.008 < high < 0.02


def test_rules_are_settled_on_other_hands():
    """Each hand is valued by a rule that does not know it."""
    values = held_out(lambda others, own: np.array([np.isin(o, others) for o in own], float), 50)
    assert not values.any()
    assert held_out(lambda others, own: np.full(len(own), len(others)), 1).tolist() == [1]


def test_the_error_includes_what_half_of_the_deals_change():
    """All hands agree, so that nothing but the bias is in doubt."""
    found = jackknife(
        ("x",), lambda rows, half: np.full((len(rows), 1), 8.0 + (half is not None)), 40, (0, 1)
    )
    assert found.mean("x").mean == 8 and found.mean("x").se == pytest.approx(1)
    assert jackknife(("x",), lambda rows, half: np.full((len(rows), 1), 8.0), 40).mean("x").se == 0


def moments_of(table, names):
    return Moments(len(table), table.sum(axis=0), table.T @ table, names)


def test_option_table_ranks_with_paired_losses():
    """Noise common to all options cancels from the losses but not from the values."""
    rng = np.random.default_rng(4)
    common = rng.integers(0, 50, (400, 1))
    table = common + np.array([0, 3, 1]) + rng.integers(0, 2, (400, 3))
    best, second, last = rank_options(moments_of(table, ("S", "H", "D")))
    assert [best.name, second.name, last.name] == ["H", "D", "S"]
    assert (best.loss.mean, best.loss.se, best.chance_best) == (0.0, 0.0, 1.0)
    assert second.loss.mean == pytest.approx(2, abs=0.15)
    assert second.loss.se < best.value.se / 10
    assert second.chance_best == last.chance_best == 0


def test_chance_of_being_best_is_normal_and_sums_to_one():
    """Two options whose paired loss is one standard error: 84% and 16%."""
    difference = np.array([1, -1] * 50) + np.array([1, 0, 0, 0, 0, 0, 0, 0, 0, 0] * 10)
    table = np.column_stack([difference + 40, np.full(100, 40)])
    best, other = rank_options(moments_of(table, ("S", "H")))
    z = best.value.mean - 40
    expected = 0.5 * (1 + math.erf(z / other.loss.se / math.sqrt(2)))
    assert 0.8 < expected < 0.85
    assert best.chance_best == pytest.approx(expected, abs=4 * 0.5 / math.sqrt(20_000))
    assert best.chance_best + other.chance_best == pytest.approx(1)


def test_equal_options_share_the_chance():
    table = np.random.default_rng(0).integers(0, 9, (50, 1)) + np.zeros((1, 3), np.int64)
    lines = rank_options(moments_of(table, ("S", "H", "D")))
    assert [line.name for line in lines] == ["S", "H", "D"]
    assert [line.chance_best for line in lines] == pytest.approx([1 / 3] * 3)
    assert all((line.loss.mean, line.loss.se) == (0.0, 0.0) for line in lines)


@pytest.mark.parametrize("seed", range(5))
def test_equal_options_behind_a_noisy_leader_share_its_doubt(seed):
    """Rounding in the joint errors must not make one of three equal options better than the others."""
    noise = np.random.default_rng(seed).integers(0, 100, (300, 4))
    leader = noise[:, 1] + 1 + (noise.sum(axis=0).max() - noise[:, 1].sum()) // 300
    table = np.column_stack([noise[:, [0, 0, 0]], leader, noise[:, 2:]])
    lines = {line.name: line for line in rank_options(moments_of(table, tuple("ABCDEF")))}
    assert lines["D"].loss.mean == 0
    equal = [lines[name].chance_best for name in "ABC"]
    assert equal == pytest.approx([equal[0]] * 3)
    assert sum(line.chance_best for line in lines.values()) == pytest.approx(1)


def test_some_options_can_be_ranked():
    moments = moments_of(np.array([[1, 5, 3], [2, 6, 3], [2, 7, 3]]), ("S", "H", "D"))
    assert [line.name for line in rank_options(moments, ("S", "D"))] == ["D", "S"]
    with pytest.raises(ValueError, match="unknown quantity 'C'"):
        rank_options(moments, ("S", "C"))


def test_one_completion_is_no_ranking():
    with pytest.raises(ValueError, match="at least 2"):
        rank_options(moments_of(np.array([[1, 2]]), ("S", "H")))
