"""The option study of 3-2-5: every option of one hand on common deals (R13)."""

from math import sqrt

import numpy as np
import pytest
from reference.three_two_five_rules import SUITS

from sim import experiment, run
from sim.three_two_five.cards import PACK, card_names, suit_length
from sim.three_two_five.options import OPTIONS

GAME = "three-two-five"
REVEAL = OPTIONS.index("reveal")


def study(hands, completions, strategies="random", seed=1, **rules):
    made = experiment(
        GAME, hands=hands, completions=completions, strategies=strategies, seed=seed, rules=rules
    )
    return run(made, 2).study_counters()


@pytest.mark.parametrize("completions", [2, 5, 64])
def test_hands_are_five_cards_and_completions_fall_into_halves(completions):
    counters = study(300, completions)
    assert counters["count"].tolist() == [[(completions + 1) // 2, completions // 2]] * 300
    assert all(len(card_names(int(cards))) == 5 for cards in counters["cards"])
    assert np.all(counters["cards"] & ~PACK == 0)


def test_each_card_is_in_one_hand_of_six():
    cards = study(30_000, 2)["cards"]
    share = [(cards >> place & 1).mean() for place in range(64) if PACK >> place & 1]
    assert np.all(np.abs(np.array(share) - 1 / 6) < 4 * sqrt(5 / 36 / 30_000))


@pytest.mark.parametrize(
    ("scoring", "least", "most"), [("difference", -5, 5), ("surplus", 0, 5), ("tricks", 0, 10)]
)
def test_sums_and_products_are_of_possible_scores(scoring, least, most):
    """Cauchy–Schwarz on every pair of options, symmetry, and the bounds of the scoring (R26)."""
    counters = study(200, 16, strategies="heuristic", scoring=scoring)
    sums, gram, count = counters["sums"], counters["gram"], counters["count"][:, :, None]
    assert np.all(sums >= least * count) and np.all(sums <= most * count)
    assert np.array_equal(gram, gram.swapaxes(2, 3))
    squares = np.diagonal(gram, axis1=2, axis2=3)
    assert np.all(squares * count >= sums**2)
    assert np.all(gram**2 <= squares[..., :, None] * squares[..., None, :])
    assert np.all(counters["made"] <= count)


def test_scorings_share_the_deals():
    """Tricks less five are the difference, option by option and hand by hand; making five is the same."""
    tricks, difference = (study(100, 8, scoring=scoring) for scoring in ("tricks", "difference"))
    count = tricks["count"][:, :, None]
    np.testing.assert_array_equal(tricks["sums"] - 5 * count, difference["sums"])
    np.testing.assert_array_equal(tricks["made"], difference["made"])


def test_r13_an_option_is_worth_the_same_whatever_else_is_played_out():
    """The maker's own trump policy has no say: all five options are forced on the same deals."""
    one, other = (study(100, 8, strategies=name) for name in ("random", "random+always-reveal"))
    for name, counter in one.items():
        np.testing.assert_array_equal(counter, other[name])


def test_r13_revealing_is_calling_the_suit_that_turns_up_for_players_who_forget_the_turned_cards():
    """Random players do not look: with one completion a half, a reveal scores as one of the four calls."""
    sums = study(2_000, 2)["sums"]
    assert np.all((sums[:, :, :REVEAL] == sums[:, :, [REVEAL]]).any(axis=2))


def test_figures_of_the_rulebook_come_out_of_the_study_too():
    """Random play: any suit 3.355 tricks, the longest 4.142, revealing 3.835; 4 errors over hands."""
    hands, completions = 20_000, 16
    counters = study(hands, completions, seed=325, scoring="tricks")
    value = counters["sums"].sum(axis=1) / completions
    length = np.array([[suit_length(int(cards), suit) for suit in range(4)] for cards in counters["cards"]])
    longest = length == length.max(axis=1, keepdims=True)
    by_way = {
        3.355: value[:, :REVEAL].mean(axis=1),
        4.142: (value[:, :REVEAL] * longest).sum(axis=1) / longest.sum(axis=1),
        3.835: value[:, REVEAL],
    }
    for tricks, values in by_way.items():
        error = sqrt(values.var() / hands + 0.003**2)
        assert abs(values.mean() - tricks) < 4 * error
    assert [name for name in OPTIONS if name != "reveal"] == list(SUITS)


def test_the_same_hand_meets_other_completions_with_another_seed():
    one, other = study(50, 4, seed=1), study(50, 4, seed=2)
    assert not np.array_equal(one["cards"], other["cards"])
    more = study(80, 4, seed=1)
    for name, counter in one.items():
        np.testing.assert_array_equal(counter, more[name][:50])
