"""The opening book of 3-2-5 as a table: one row a class of first hands, every option with its error.

Values are scores of the five, from the fresh deals alone and less control variates
(:mod:`sim.three_two_five.book.values`); the search deals only settle what to compare. All options of a
class share their deals, so that differences are paired.

Where the fresh deals leave the difference of the best call and revealing less precise than the plan wants it,
the two meet in a *duel* on deals of their own. What these say is in the value of revealing
(:func:`sim.three_two_five.book.values.after_duel`); the fresh deals alone settle which option is best. So in
a complete book without a budget ``call_minus_reveal_se`` is at most the precision in every class.
``difference_se`` is about that: one class in a hundred exceeds it, by a quarter at most. A call that the
search clearly beat is neither best nor second. It rests on 256 fresh deals
(:data:`sim.three_two_five.book.plan.FRESH_ALL`), and its ``loss_se`` is larger;
:mod:`analysis.three_two_five.book.precision` says by how much.

=========================  ==========================================================================
column                     meaning
=========================  ==========================================================================
``hand``                   the representative hand, ``AS KS 9H TD 8C``
``cards``                  the same as a mask of cards
``weight``                 hands that the class stands for; 142,506 in all
``best``, ``second``       the two options of highest value by the fresh deals, ``S H D C reveal``; of two
                           suits that hold the same cards only the first is named
``difference``             value of the best minus the second, in points a deal; of options that are all
                           but equal it may be a shade below 0, by what the duel adds
``difference_se``          its standard error
``lfsr``                   chance that the sign of this difference is wrong: local false sign rate
``found``                  the best option by the search deals, which had no part in the values: so
                           its value is not overrated
``call``                   the best call by the search deals
``call_minus_reveal``      value of that call minus revealing, in points a deal
``call_minus_reveal_se``   its standard error
``wrong_to_call``          chance, at most, that revealing is better than every call
``wrong_to_reveal``        chance, at most, that some call is better than revealing
``verdict``                ``call`` or ``reveal`` where the chance to be wrong is at most the level
                           (2.5% if not said otherwise), else ``too close``
=========================  ==========================================================================

and for each option (``S H D C``: call that suit; ``reveal``)

=========================  ==========================================================================
``value_S``, ``se_S``      expected score of the five in points a deal, and its standard error
``n_S``                    deals behind it
``loss_S``, ``loss_se_S``  value of the best option minus this one's, paired; 0 for the best
``best_S``                 chance that the option is the best, given the errors; suits that hold the
                           same cards share it
``makes_S``                share of deals in which the five makes its quota
``makes_se_S``             its standard error
``tricks_S_0`` … ``_10``   share of deals in which the five takes so many tricks
=========================  ==========================================================================

The value of the best of options that are all but equal is overrated, by about half its error at most.
"""

import shlex
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtr

from analysis.false_signs import fit_mixture
from analysis.provenance import people, rule_options
from sim.three_two_five.book.book import Book
from sim.three_two_five.book.completions import DUEL, FRESH, OPTIONS, SEARCH
from sim.three_two_five.book.plan import twins
from sim.three_two_five.book.schedule import best_call, duel_moments, standing
from sim.three_two_five.book.values import after_duel, coefficients, option_moments, variance_between
from sim.three_two_five.cards import card_names
from sim.three_two_five.rules import QUOTAS, REVEAL, SEVENS

LEVEL = 0.025
"""Chance to be wrong that a verdict may have."""
CALL, TOO_CLOSE = "call", "too close"
_DRAWS = 2000
_IN_QUESTION = 5.0
"""Options further behind than this many errors are not the best."""
_NAMES = np.array(OPTIONS, object)
_TRICKS = 11

Columns = dict[str, Any]


def book_table(book: Book, level: float = LEVEL) -> pd.DataFrame:
    """Return the table of a book, its columns as the module describes them.

    Parameters
    ----------
    book : Book
        Complete, or so far that every class has its fresh deals.
    level : float
        Chance to be wrong that a verdict may have, between 0 and 0.5.

    Raises
    ------
    ValueError
        If the book is not that far, or the level is not a chance below one half.
    """
    if not 0 < level < 0.5:
        raise ValueError(f"level {level:g}: must lie between 0 and 0.5, as 0.025 does")
    plan, weight = book.plan, book.plan.weight
    if not is_valued(book):
        raise ValueError("the book is only begun: not every hand has its fresh deals yet")
    source = _sources(plan.cards, plan.rules.sevens)
    rank, live = standing(plan, book.counters)
    call = best_call(rank)
    fresh, errors = _moments(book, FRESH, source)
    value, errors = after_duel(fresh, errors, call, duel_moments(plan, book.counters))
    search_value, search_errors = _moments(book, SEARCH, source)
    tricks = _tricks(book, source)
    n = tricks.sum(axis=2)
    distinct = source == np.arange(len(OPTIONS))
    live = np.take_along_axis(live, source, axis=1)
    best, second = (-np.where(distinct & live, fresh, -np.inf)).argsort(axis=1, kind="stable")[:, :2].T
    call_minus_reveal, error = _difference(value, errors, call, np.full(len(rank), REVEAL))
    better = _calls_better([(search_value, search_errors), (value, errors)], distinct, weight)
    columns = {
        "hand": [" ".join(card_names(int(cards))) for cards in plan.cards],
        "cards": plan.cards,
        "weight": weight,
        **_comparisons(value, errors, best, second, weight),
        "found": _NAMES[rank[:, 0]],
        "call": _NAMES[call],
        "call_minus_reveal": call_minus_reveal,
        "call_minus_reveal_se": error,
        **_judged(better, level),
        **_each_option(value, errors, n, best, live),
        **_distributions(tricks, n),
    }
    table = pd.DataFrame(columns)
    table.attrs["provenance"] = provenance(book)
    return table


def _moments(book: Book, stage: int, source: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Value (C, 5) of each option and covariance of the values (C, 5, 5) on one stage."""
    counters, rules = book.counters, book.plan.rules
    fitted = coefficients(counters, rules)
    # On the deals that they were fitted to, control variates would flatter.
    fitted = fitted if stage == FRESH else np.zeros_like(fitted)
    moments = option_moments(counters, book.plan.cards, rules, stage, fitted)
    rows = np.arange(len(source))[:, None]
    errors = moments.errors()[rows[:, :, None], source[:, :, None], source[:, None, :]]
    return moments.mean[rows, source], errors


def _tricks(book: Book, source: np.ndarray) -> np.ndarray:
    """Deals by option and tricks of the five, int64 (C, 5, 11), those of the duel among the reveal's."""
    stages = book.counters["tricks"]
    tricks = stages[:, FRESH].copy()
    tricks[:, REVEAL] += stages[:, DUEL, REVEAL]
    return tricks[np.arange(len(source))[:, None], source]


def is_valued(book: Book) -> bool:
    """Whether a book is so far that every class has fresh deals."""
    return bool(book.counters["count"][:, FRESH].max(axis=1).min() > 1)


def provenance(book: Book) -> str:
    """Say where the numbers of a book come from, in one line."""
    plan = book.plan
    players = people([strategy.name for strategy in plan.strategies])
    debts = f", debts {', '.join(map(str, plan.debts))}" if any(plan.debts) else ", first deal"
    size = "All 142,506 hands" if plan.whole else f"{plan.weight.sum():,} of 142,506 hands"
    partial = "" if book.complete else " (partial)"
    return (
        f"Opening book of 3-2-5 (sevens {plan.rules.sevens.replace('_', ' ')}, scoring"
        f" {plan.rules.scoring}{debts}). {players}. Seed {plan.seed}."
        f" {size}, {book.played:,} play-outs{partial}."
    )


def book_command(book: Book) -> str | None:
    """Return the command line that makes a book again; None for a book of chosen hands."""
    plan = book.plan
    if plan.hands:
        return None
    players = [strategy.name for strategy in plan.strategies]
    words = ["dealworth", "book", "three-two-five", "--precision", f"{plan.precision:g}"]
    words += ["--seed", str(plan.seed), "--strategy", *(players[:1] if len(set(players)) == 1 else players)]
    words += rule_options(book.game, plan.rules)
    words += ["--budget", str(plan.budget)] if plan.budget else []
    words += ["--every", str(plan.every)] if plan.every > 1 else []
    words += [f"--debts={','.join(map(str, plan.debts))}"] if any(plan.debts) else []
    return shlex.join(words)


def _sources(cards: np.ndarray, sevens: str) -> np.ndarray:
    """Number of the option that was played for each option, int64 (C, 5): twins have the other's."""
    same = twins(cards)
    if sevens != SEVENS[0]:
        same[:, 1] = False
    return np.arange(len(OPTIONS)) - same


def _difference(
    value: np.ndarray, errors: np.ndarray, a: np.ndarray, b: np.ndarray
) -> tuple[np.ndarray, ...]:
    """Difference of two options a class, given by number, and its error."""
    rows = np.arange(len(value))
    return value[rows, a] - value[rows, b], np.sqrt(variance_between(errors, a, b))


def _comparisons(
    value: np.ndarray, errors: np.ndarray, best: np.ndarray, second: np.ndarray, weight: np.ndarray
) -> Columns:
    """Columns that compare the best option with the second."""
    difference, error = _difference(value, errors, best, second)
    below = fit_mixture(difference, error, weight).chance_negative(difference, error)
    return {
        "best": _NAMES[best],
        "second": _NAMES[second],
        "difference": difference,
        "difference_se": error,
        "lfsr": np.minimum(below, 1 - below),
    }


def _judged(calls_better: np.ndarray, level: float) -> Columns:
    """Columns that judge calling and revealing, from the chance of each call to beat revealing, (C, 4).

    Some call is surely better than revealing if one of them is; revealing is surely better than every call
    if the chances of the calls add up to little.
    """
    wrong_to_call = 1 - calls_better.max(axis=1)
    wrong_to_reveal = np.minimum(calls_better.sum(axis=1), 1.0)
    return {
        "wrong_to_call": wrong_to_call,
        "wrong_to_reveal": wrong_to_reveal,
        "verdict": verdicts(wrong_to_call, wrong_to_reveal, level),
    }


def verdicts(wrong_to_call: np.ndarray, wrong_to_reveal: np.ndarray, level: float = LEVEL) -> np.ndarray:
    """Say ``call`` or ``reveal`` where the chance to be wrong is at most the level, else ``too close``."""
    sure = [wrong_to_call <= level, wrong_to_reveal <= level]
    return np.select(sure, [CALL, OPTIONS[REVEAL]], TOO_CLOSE).astype(object)


def _calls_better(
    stages: list[tuple[np.ndarray, np.ndarray]], distinct: np.ndarray, weight: np.ndarray
) -> np.ndarray:
    """Chance of each call to be better than revealing, by all deals of both stages, float64 (C, 4).

    Given the distribution of true differences, chances depend on the deals that were played, not on why no
    more of them were: so the deals of the search count as well, and an option that it dropped is not in doubt
    again because few fresh deals were spent on it. A call that equals another has no chance of its own.
    """
    reveal = np.full(len(weight), REVEAL)
    above, precision = np.zeros((len(weight), REVEAL)), np.zeros((len(weight), REVEAL))
    for value, errors in stages:
        for call in range(REVEAL):
            difference, error = _difference(value, errors, np.full(len(weight), call), reveal)
            above[:, call] += difference / error**2
            precision[:, call] += 1 / error**2
    above, error = above / precision, precision**-0.5
    above = np.where(distinct[:, :REVEAL], above, np.nan)
    mixture = fit_mixture(above.ravel(), error.ravel(), np.repeat(weight, REVEAL))
    below = mixture.chance_negative(above.ravel(), error.ravel()).reshape(above.shape)
    return np.nan_to_num(1 - below)


def _each_option(
    value: np.ndarray, errors: np.ndarray, n: np.ndarray, best: np.ndarray, live: np.ndarray
) -> Columns:
    """Columns of the values of single options."""
    chances = chances_best(value, errors, live)
    columns: Columns = {}
    for option, name in enumerate(OPTIONS):
        loss, loss_se = _difference(value, errors, best, np.full(len(best), option))
        columns |= {
            f"value_{name}": value[:, option],
            f"se_{name}": np.sqrt(errors[:, option, option]),
            f"n_{name}": n[:, option],
            f"loss_{name}": loss,
            f"loss_se_{name}": loss_se,
            f"best_{name}": chances[:, option],
        }
    return columns


def _distributions(tricks: np.ndarray, n: np.ndarray) -> Columns:
    """Columns of how many tricks the five takes."""
    tricks = tricks / n[:, :, None]
    makes = tricks[:, :, QUOTAS[0] :].sum(axis=2)
    errors = np.sqrt(np.maximum(makes * (1 - makes), 0.0) / n)  # shares that add up to 1 may round above it
    columns: Columns = {}
    for option, name in enumerate(OPTIONS):
        columns |= {f"makes_{name}": makes[:, option], f"makes_se_{name}": errors[:, option]}
        columns |= {f"tricks_{name}_{taken}": tricks[:, option, taken] for taken in range(_TRICKS)}
    return columns


def chances_best(value: np.ndarray, errors: np.ndarray, live: np.ndarray) -> np.ndarray:
    """Chance of each option to be the best, given the errors of all.

    Parameters
    ----------
    value : ndarray of float64, shape (C, 5)
        Means.
    errors : ndarray of float64, shape (C, 5, 5)
        Their covariance.
    live : ndarray of bool, shape (C, 5)
        Options that may be the best.

    Returns
    -------
    ndarray of float64, shape (C, 5)
        Rows add up to 1; options that are one and the same share their chance. Exact for two options in
        question; else from 2,000 draws of a fixed stream, off by 0.02 at most as a rule.
    """
    rows = np.arange(len(value))
    best = np.where(live, value, -np.inf).argmax(axis=1)
    each = [_difference(value, errors, best, np.full(len(best), option)) for option in range(len(OPTIONS))]
    behind, spread = (np.column_stack(part) for part in zip(*each, strict=True))
    same = live & (behind == 0) & (spread == 0)
    rivals = live & ~same & (behind <= _IN_QUESTION * spread)
    rival, several = rivals.argmax(axis=1), rivals.sum(axis=1) > 1
    wins = np.where(
        rivals.any(axis=1), ndtr(behind[rows, rival] / np.maximum(spread[rows, rival], 1e-300)), 1.0
    )
    chances = np.where(same, (wins / same.sum(axis=1))[:, None], np.where(rivals, 1 - wins[:, None], 0.0))
    chances[several] = _drawn_chances(np.where(live, value, -np.inf)[several], errors[several])
    return chances


def _drawn_chances(value: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """Chances from draws of the errors' joint distribution."""
    draws = np.random.default_rng(0).standard_normal((_DRAWS, len(OPTIONS)))
    scale, axes = np.linalg.eigh(errors)
    root = axes * np.sqrt(np.maximum(scale, 0.0))[:, None, :]
    chances = np.empty_like(value)
    for row, (mean, factor, variance) in enumerate(zip(value, root, scale[:, -1], strict=True)):
        drawn = mean + draws @ factor.T
        # Two options that are one and the same differ by rounding alone.
        leading = drawn >= drawn.max(axis=1, keepdims=True) - 1e-7 * np.sqrt(variance)
        chances[row] = (leading / leading.sum(axis=1, keepdims=True)).mean(axis=0)
    return chances
