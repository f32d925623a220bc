"""Choosing on one half and valuing on the other: no winner's curse, and honest paired regrets."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.choices import choose_then_evaluate, rank_options
from analysis.moments import Moments

REVEAL = 4
CALLS = np.array([True, True, True, True, False])


NOISE_SD = math.sqrt(14)  # of a uniform integer from -6 to 6


def played_out(seed, values, completions):
    """Sum `completions` noisy integer outcomes about the true values (H, O), in two halves: (H, 2, O)."""
    rng = np.random.default_rng(seed)
    hands, options = values.shape
    noise = rng.integers(-6, 7, (hands, 2, completions, options))
    return (np.asarray(values)[:, None, None, :] + noise).sum(axis=2)


@pytest.mark.parametrize("seed", range(5))
def test_equal_options_are_worth_their_common_value(seed):
    """The best of five equal options of value 3 is worth 3; the naive maximum says far more."""
    sums = played_out(seed, np.full((3_000, 5), 3), 20)
    choice = choose_then_evaluate(sums, 20)
    fair, naive = choice.lower(), choice.upper()
    assert abs(fair.mean - 3) < 4 * fair.se
    assert naive.mean - 3 > 20 * naive.se
    regret = choice.regret(REVEAL)
    assert abs(regret.mean) < 4 * regret.se


@pytest.mark.parametrize("seed", range(5))
def test_equal_options_of_groups_are_worth_their_common_value(seed):
    """One completion a hand, every other hand in half B, 300 groups of ten."""
    hands = 3_000
    sums = played_out(seed, np.full((hands, 5), 3), 1)
    n = np.array([[1, 0], [0, 1]] * (hands // 2))
    choice = choose_then_evaluate(sums * n[:, :, None], n, groups=np.arange(hands) // 10)
    fair, naive = choice.lower(), choice.upper()
    assert abs(fair.mean - 3) < 4 * fair.se
    assert naive.mean - 3 > 10 * naive.se


def test_error_over_hands_is_right():
    """Over 400 repetitions the estimates scatter as much as their errors say (sd known to 3.5%)."""
    repeated = [choose_then_evaluate(played_out(k, np.full((200, 3), 3), 4), 4).lower() for k in range(400)]
    scatter = np.std([e.mean for e in repeated]) / np.mean([e.se for e in repeated])
    assert 0.86 < scatter < 1.14


@pytest.mark.parametrize("apart", [0, 20])
@pytest.mark.parametrize("size", [2, 10, 100])
def test_error_of_groups_is_not_too_small(size, apart):
    """Hands that choose alike depend on each other; the bound holds, and is less than √2 too wide."""
    hands, repeated = 400, []
    n, groups = np.array([[1, 0], [0, 1]] * (hands // 2)), np.arange(hands) // size
    truth = np.full((hands, 5), 3) + apart * (np.arange(5) == 2)
    for seed in range(400):
        sums = played_out(seed, truth, 1) * n[:, :, None]
        repeated.append(choose_then_evaluate(sums, n, groups=groups).lower())
    scatter = np.std([e.mean for e in repeated]) / np.mean([e.se for e in repeated])
    assert 1 / math.sqrt(2) - 0.1 < scatter < 1.1
    if apart:
        assert scatter < 0.85


def test_true_value_lies_between_the_bounds():
    """Options a little apart: the bounds close in on the truth as completions grow."""
    truth = np.random.default_rng(1).integers(0, 4, (2_000, 5))
    best, gaps = truth.max(axis=1).mean(), []
    for completions in (4, 16, 64):
        choice = choose_then_evaluate(played_out(completions, truth, completions), completions)
        lower, upper = choice.lower().mean, choice.upper().mean
        slack = 4 * NOISE_SD / math.sqrt(2 * completions * len(truth))
        assert lower < best + slack and upper > best - slack
        gaps.append(upper - lower)
    assert gaps[0] > 2 * gaps[1] > 4 * gaps[2]


def test_regret_of_fixed_and_restricted_policies():
    """Revealing is worth 5 on every third hand and 1 elsewhere, where calling spades is worth 3."""
    hands = 3_000
    truth = np.ones((hands, 5), np.int64)
    truth[:, 0] = 3
    truth[::3, REVEAL] = 5
    sums = played_out(2, truth, 200)
    choice = choose_then_evaluate(sums, 200)
    never = choose_then_evaluate(sums, 200, mask=CALLS)
    assert (never.chosen != REVEAL).all()
    for regret, expected in (
        (choice.regret(never), 2 / 3),
        (choice.regret(REVEAL), 4 / 3),
        (choice.regret(np.where(np.arange(hands) % 3 == 0, REVEAL, 0)), 0.0),
    ):
        assert abs(regret.mean - expected) <= 4 * regret.se
        assert regret.n == hands
    assert choice.picked(REVEAL).mean == pytest.approx(1 / 3, abs=0.001)
    assert choice.agreement().mean > 0.99
    assert choice.lower().mean == pytest.approx(11 / 3, abs=0.1)


@given(st.integers(0, 10**6), st.integers(1, 20), st.integers(2, 5))
def test_policy_that_always_agrees_has_no_regret(seed, hands, options):
    """Case 18: a choice from one option is that option, and the paired difference exactly 0 ± 0."""
    sums = np.random.default_rng(seed).integers(0, 50, (hands + 1, 2, options))
    only = choose_then_evaluate(sums, 5, mask=np.arange(options) == 1)
    alike = choose_then_evaluate(sums, 5, mask=np.arange(options) == 1, groups=np.arange(hands + 1) // 3)
    for regret in (only.regret(1), only.regret(alike), alike.regret(1), alike.regret(only)):
        assert (regret.mean, regret.se) == (0.0, 0.0)
    assert np.array_equal(only.value, only.optimistic)


def naive_choice(sums, n):
    """Cross-fit hand by hand in plain Python."""
    values = []
    for hand, size in zip(sums.tolist(), n.tolist(), strict=True):
        first, second = hand[0].index(max(hand[0])), hand[1].index(max(hand[1]))
        values.append((hand[1][first] + hand[0][second]) / sum(size))
    return values


@given(st.integers(0, 10**6), st.integers(2, 20), st.integers(1, 5))
def test_value_agrees_with_plain_python(seed, hands, options):
    """Small integers, so that ties occur: the first of equal options is taken."""
    rng = np.random.default_rng(seed)
    sums, n = rng.integers(-3, 4, (hands, 2, options)), rng.integers(1, 5, (hands, 2))
    choice = choose_then_evaluate(sums, n)
    assert choice.value.tolist() == naive_choice(sums, n)
    assert choice.lower().mean == pytest.approx(choice.value.mean(), abs=1e-12)
    alone = choose_then_evaluate(sums, n, groups=rng.permutation(hands))
    assert np.array_equal(alone.chosen, choice.chosen)


def test_groups_choose_alike():
    sums = np.random.default_rng(0).integers(0, 9, (12, 2, 3))
    groups = np.array([7, 3] * 6)
    choice = choose_then_evaluate(sums, 2, groups=groups)
    for label in (3, 7):
        members = groups == label
        assert np.array_equal(np.unique(choice.chosen[members], axis=0)[0], sums[members].sum(0).argmax(1))
        assert len(np.unique(choice.chosen[members], axis=0)) == 1


def test_ranking_is_on_unrounded_sums():
    """Sums beyond 2⁵³ that differ by 1 are equal as floats."""
    sums = np.array([[[2**60, 2**60 + 1], [2**60 + 1, 2**60]]])
    assert choose_then_evaluate(sums, 1).chosen.tolist() == [[1, 0]]


@pytest.mark.parametrize(
    ("n", "options", "message"),
    [
        ([[2, 2], [2, 0]], {}, "hand 1 needs completions in both halves"),
        (2, dict(mask=[[True, True], [False, False]]), "hand 1 has no option"),
        (2, dict(mask=[[True, False], [False, True]], groups=[5, 5]), "group 5 has no option"),
        ([[2, 2], [0, 0]], dict(groups=[0, 0]), "hand 1 has no completions"),
        (2, dict(groups=[0, 0, 0]), "one group for each of 2 hands"),
    ],
)
def test_choices_that_cannot_be_made_are_refused(n, options, message):
    with pytest.raises(ValueError, match=message):
        choose_then_evaluate(np.ones((2, 2, 2), np.int64), n, **options)


@pytest.mark.parametrize("policy", [2, -1, [0, 2], [0, 1, 0]])
def test_policies_that_do_not_exist_are_refused(policy):
    choice = choose_then_evaluate(np.ones((2, 2, 2), np.int64), 2)
    with pytest.raises(ValueError, match=r"policy names option (2|-1): options are 0 to 1|each of 2 hands"):
        choice.regret(policy)


def test_policy_of_other_completions_is_refused():
    here, there = (choose_then_evaluate(np.full((2, 2, 2), value), 2) for value in (1, 2))
    with pytest.raises(ValueError, match="other completions"):
        here.regret(there)


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
