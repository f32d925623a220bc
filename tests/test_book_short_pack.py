"""The whole book engine on a short pack whose every deal is enumerated: true values against what it says.

Search, dropping, top-ups, control variates, errors, verdicts and policies are the product's own; only the
deals are played by the naive short game of ``reference/short_pack.py``.
"""

import numpy as np
import pytest
from reference.short_pack import DEALS, enumerate_deals

from analysis.three_two_five.book.book import book_table
from analysis.three_two_five.book.summary import columns, numbers, policy_cost, policy_value
from sim import strategy
from sim.book import book as engine
from sim.book import values as book_values
from sim.book.plan import FRESH
from sim.three_two_five.book import completions
from sim.three_two_five.book import plan as book_plan
from sim.three_two_five.book.completions import OPTIONS
from sim.three_two_five.book.hands import hand_classes
from sim.three_two_five.book.plan import BookPlan
from sim.three_two_five.rules import REVEAL, Rules

SHORT_HANDS = (("AS", "KD"), ("KS", "QH"), ("AH", "QC"))
COPIES = 80
"""Classes that stand for each short hand; each has deals of its own."""
PRECISION = 0.03
TRICKS = np.arange(11)


@pytest.fixture(scope="module")
def short():
    """Every deal of every short hand: tricks (H, 6300, 5) and covariates (H, 6300, 7)."""
    played = [enumerate_deals(hand) for hand in SHORT_HANDS]
    return tuple(np.array(part) for part in zip(*played, strict=True))


def plan_of(seed=1, precision=PRECISION, budget=0):
    """Plan whose classes, none with two equal suits, stand for the short hands by turns."""
    classes = hand_classes(0)
    lanes = (classes.cards[:, None] >> (16 * np.arange(4))) & 0xFF
    unlike = (lanes[:, 0] != lanes[:, 1]) & (lanes[:, 2] != lanes[:, 3])
    cards = classes.cards[unlike][::100][: COPIES * len(SHORT_HANDS)]
    players = (strategy("three-two-five", "first-suit"),) * 3
    return BookPlan(
        Rules(scoring="tricks"),
        players,
        seed,
        precision=precision,
        budget=budget,
        hands=tuple(cards.tolist()),
    )


def stand_for(cards, plan):
    """Number of the short hand of each class."""
    return np.searchsorted(plan.cards, cards) % len(SHORT_HANDS)


@pytest.fixture
def build(short, monkeypatch):
    """The product's ``build`` and ``book_table``, with the short game in the place of the compiled one."""
    tricks, covariates = short

    def means(cards, filled):
        filled[:] = covariates.mean(axis=1)[stand_for(cards, plan_of())] if cards.size > 1 else 0

    def piece(plan, stage, cards, first, more, alive):
        counters = completions.blank(cards.size)
        for row, hand in enumerate(stand_for(cards, plan)):
            stream = np.random.default_rng((plan.seed, stage, int(cards[row])))
            deals = stream.integers(DEALS, size=first[row] + more[row])[first[row] :]
            scores = np.where(alive[row], tricks[hand][deals], 0)
            seen = covariates[hand][deals]
            counters["count"][row, stage] = alive[row] * len(deals)
            for option in np.flatnonzero(alive[row]):
                counters["tricks"][row, stage, option] = np.bincount(scores[:, option], minlength=11)
            counters["gram"][row, stage] = scores.T @ scores
            counters["cross"][row, stage] = scores.T @ seen
            counters["z"][row, stage], counters["zz"][row, stage] = seen.sum(axis=0), seen.T @ seen
        return counters

    monkeypatch.setattr(engine, "play_piece", piece)
    monkeypatch.setattr(book_plan, "covariate_means", means)
    return lambda **options: engine.build(plan_of(**options))


@pytest.fixture
def truth(short):
    """True value of every option of every class, (C, 5)."""
    return short[0].mean(axis=1)[stand_for(plan_of().cards, plan_of())]


def test_every_deal_of_the_short_pack_is_played_once(short):
    tricks, covariates = short
    assert tricks.shape == (len(SHORT_HANDS), DEALS, len(OPTIONS)) and tricks.max() <= 4
    # The card turned up is any of ten; a call of its suit takes the same tricks.
    turned = np.where(covariates[:, :, :3].any(axis=2), covariates[:, :, :3].argmax(axis=2), 3)
    assert (np.take_along_axis(tricks, turned[:, :, None], axis=2)[:, :, 0] == tricks[:, :, REVEAL]).all()


def test_values_are_the_true_ones_within_their_errors(build, truth):
    """Unbiased, with errors of the right size: 95% of the intervals hold the truth."""
    table = book_table(build())
    away = (columns(table, "value") - truth) / columns(table, "se")
    assert np.abs(away.mean(axis=0)).max() < 4 / np.sqrt(len(table))
    assert 0.93 < (np.abs(away) < 1.96).mean() < 0.97


def test_differences_are_the_true_ones_within_their_errors(build, truth):
    table = book_table(build())
    rows, call = np.arange(len(table)), numbers(table["call"])
    away = table["call_minus_reveal"] - (truth[rows, call] - truth[:, REVEAL])
    away = (away / table["call_minus_reveal_se"]).to_numpy()
    assert abs(away.mean()) < 4 / np.sqrt(len(table)) and 0.9 < away.std() < 1.12
    assert table["call_minus_reveal_se"].max() <= PRECISION
    # The duel lowers errors above the precision, and raises none below it.
    assert 0.94 * PRECISION < table["difference_se"].mean() < 1.01 * PRECISION


def test_the_best_option_is_found_and_its_value_not_overrated(build, truth):
    """No winner's curse: what was chosen by the search is valued on fresh deals."""
    table = book_table(build())
    rows, found, best = np.arange(len(table)), numbers(table["found"]), truth.argmax(axis=1)
    assert (truth[rows, best] - truth[rows, found]).max() < 0.1
    away = (columns(table, "value")[rows, found] - truth[rows, found]) / columns(table, "se")[rows, found]
    assert abs(away.mean()) < 4 / np.sqrt(len(table))


def test_sure_verdicts_are_true(build, truth):
    """At a level of 2.5%, and with the chances that the table gives for them."""
    table = book_table(build())
    better = truth[:, :REVEAL].max(axis=1) > truth[:, REVEAL]
    verdict = table["verdict"].to_numpy()
    wrong = ((verdict == "call") & ~better) | ((verdict == "reveal") & better)
    sure = verdict != "too close"
    assert sure.any() and wrong.sum() <= 4 + 0.025 * sure.sum()


def test_control_variates_cut_the_variance_as_the_enumeration_says(build, short):
    """The adjusted variance is that of the residual from the best linear fit over all 6,300 deals."""
    tricks, covariates = short
    plan, book = plan_of(), build()
    fitted = book_values.coefficients(plan, book.counters)
    moments = book_values.option_moments(plan, book.counters, FRESH, fitted)
    for hand in range(len(SHORT_HANDS)):
        design = np.column_stack([np.ones(DEALS), covariates[hand]])
        residual = tricks[hand] - design @ np.linalg.lstsq(design, tricks[hand], rcond=None)[0]
        rows = stand_for(plan.cards, plan) == hand
        live = moments.n[rows] == moments.n[rows].max(axis=1, keepdims=True)
        seen = np.where(live, np.einsum("hoo->ho", moments.covariance[rows]), np.nan)
        for option in np.flatnonzero(live.all(axis=0)):
            assert seen[:, option].mean() == pytest.approx(residual[:, option].var(), rel=0.06, abs=0.005)


def test_policies_have_their_true_values_and_costs(build, truth):
    table, weight = book_table(build()), plan_of().weight
    part, call = weight / weight.sum(), numbers(table["call"])
    rows, reveal = np.arange(len(table)), np.full(len(table), REVEAL)
    value, cost = policy_value(table, reveal), policy_cost(table, call, against=reveal)
    assert abs(value.mean - part @ truth[:, REVEAL]) < 4 * 0.02 / np.sqrt(COPIES)
    assert abs(cost.mean - part @ (truth[:, REVEAL] - truth[rows, call])) < 4 * PRECISION / np.sqrt(COPIES)


def test_a_small_budget_is_kept_and_leaves_the_values_unbiased(build, truth):
    """Where to spend is settled by the search alone: a fresh difference that looks large stops nothing."""
    least = 320 * 5 * plan_of().cards.size
    book = build(budget=round(1.15 * least), precision=0.01)
    assert book.complete and book.played <= 1.15 * least
    table = book_table(book)
    away = (columns(table, "value") - truth) / columns(table, "se")
    assert np.abs(away.mean(axis=0)).max() < 4 / np.sqrt(len(table))
    assert book.played > 1.05 * least
