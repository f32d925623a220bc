"""The table of an opening book, what both games share: values, differences, verdicts, where it comes from.

Values are scores in points, from the fresh deals alone and less control variates (:mod:`sim.book.values`);
the search deals only settle what to compare. All options of a class share their deals, so that differences
are paired. Each game's ``book/book.py`` has the table itself, ``book_table``; nothing here knows a game.

The value of the best of options that are all but equal is overrated, by about half its error at most.
"""

import shlex
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtr

from analysis.false_signs import fit_mixture
from analysis.provenance import people, rule_options
from sim.book.book import Book
from sim.book.plan import FRESH
from sim.book.values import coefficients, option_moments, variance_between

LEVEL = 0.025
"""Chance to be wrong that a verdict may have."""
TOO_CLOSE = "too close"
PROVENANCE = "provenance"
_DRAWS = 2000
_IN_QUESTION = 5.0
"""Options further behind than this many errors are not the best."""

Columns = dict[str, Any]


def table_of(book: Book) -> pd.DataFrame:
    """Return the table of a book, as its game's ``book_table`` gives it."""
    table = import_module(f"analysis.{book.game.name}.book.book").book_table(book)
    assert isinstance(table, pd.DataFrame)
    return table


def check(book: Book, level: float) -> None:
    """Refuse what there can be no table of.

    Raises
    ------
    ValueError
        If not every class has fresh deals yet, or the level is not a chance below one half.
    """
    if not 0 < level < 0.5:
        raise ValueError(f"level {level:g}: must lie between 0 and 0.5, as 0.025 does")
    if not is_valued(book):
        raise ValueError("the book is only begun: not every hand has its fresh deals yet")


def is_valued(book: Book) -> bool:
    """Whether a book is so far that every class has fresh deals."""
    return bool(book.counters["count"][:, FRESH].max(axis=1).min() > 1)


def provenance(book: Book, what: str) -> str:
    """Say where the numbers of a book come from, in one line; ``what`` tells the rules that matter."""
    plan, every = book.plan, int(book.plan.classes.weight.sum())
    players = people([strategy.name for strategy in plan.strategies])
    size = f"All {every:,} hands" if plan.whole else f"{plan.weight.sum():,} of {every:,} hands"
    partial = "" if book.complete else " (partial)"
    return (
        f"Opening book of {book.game.title} ({what}). {players}. Seed {plan.seed}."
        f" {size}, {book.played:,} play-outs{partial}."
    )


def book_command(book: Book, more: Sequence[str] = ()) -> str | None:
    """Return the command line that makes a book again; None for a book of chosen hands."""
    plan = book.plan
    if plan.hands:
        return None
    players = [strategy.name for strategy in plan.strategies]
    words = ["dealworth", "book", book.game.command, "--precision", f"{plan.precision:g}"]
    words += ["--seed", str(plan.seed), "--strategy", *(players[:1] if len(set(players)) == 1 else players)]
    words += rule_options(book.game, plan.rules)
    words += ["--budget", str(plan.budget)] if plan.budget else []
    words += ["--every", str(plan.every)] if plan.every > 1 else []
    return shlex.join([*words, *more])


def moments(book: Book, stage: int, source: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Value of each option and covariance of the values on one stage.

    Parameters
    ----------
    book : Book
        The book.
    stage : int
        SEARCH or FRESH.
    source : ndarray of int64, shape (C, O)
        Number of the option that was played for each option.

    Returns
    -------
    value : ndarray of float64, shape (C, O)
    errors : ndarray of float64, shape (C, O, O)
    """
    fitted = coefficients(book.plan, book.counters)
    # On the deals that they were fitted to, control variates would flatter.
    fitted = fitted if stage == FRESH else np.zeros_like(fitted)
    found = option_moments(book.plan, book.counters, stage, fitted)
    rows = np.arange(len(source))[:, None]
    errors = found.errors()[rows[:, :, None], source[:, :, None], source[:, None, :]]
    return found.mean[rows, source], errors


def difference(value: np.ndarray, errors: np.ndarray, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, ...]:
    """Difference of two options a class, given by number, and its error."""
    rows = np.arange(len(value))
    return value[rows, a] - value[rows, b], np.sqrt(variance_between(errors, a, b))


def over_stages(
    stages: Sequence[tuple[np.ndarray, np.ndarray]], a: np.ndarray, b: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Difference of two options a class by all deals of several stages, and its error.

    Parameters
    ----------
    stages : sequence of tuple
        Value and errors of each, as :func:`moments` gives them.
    a, b : ndarray of int64, shape (C,)
        Which options.
    """
    above, precision = np.zeros(len(a)), np.zeros(len(a))
    for value, errors in stages:
        ahead, error = difference(value, errors, a, b)
        above += ahead / error**2
        precision += 1 / error**2
    return above / precision, precision**-0.5


def comparisons(
    value: np.ndarray,
    errors: np.ndarray,
    best: np.ndarray,
    second: np.ndarray,
    weight: np.ndarray,
    names: np.ndarray,
) -> Columns:
    """Columns that compare the best option with the second; ``names`` are the options', (C, O)."""
    rows = np.arange(len(value))
    ahead, error = difference(value, errors, best, second)
    below = fit_mixture(ahead, error, weight).chance_negative(ahead, error)
    return {
        "best": names[rows, best],
        "second": names[rows, second],
        "difference": ahead,
        "difference_se": error,
        "lfsr": np.minimum(below, 1 - below),
    }


def each_option(
    value: np.ndarray,
    errors: np.ndarray,
    n: np.ndarray,
    best: np.ndarray,
    live: np.ndarray,
    names: Sequence[str],
) -> Columns:
    """Columns of the values of single options, by the names of their columns."""
    chances = chances_best(value, errors, live)
    columns: Columns = {}
    for option, name in enumerate(names):
        loss, loss_se = difference(value, errors, best, np.full(len(best), option))
        columns |= {
            f"value_{name}": value[:, option],
            f"se_{name}": np.sqrt(errors[:, option, option]),
            f"n_{name}": n[:, option],
            f"loss_{name}": loss,
            f"loss_se_{name}": loss_se,
            f"best_{name}": chances[:, option],
        }
    return columns


def columns(table: pd.DataFrame, quantity: str, names: Sequence[str]) -> np.ndarray:
    """Return a quantity of every option, such as ``value`` or ``loss_se``, float64 (C, O)."""
    return table[[f"{quantity}_{name}" for name in names]].to_numpy(np.float64)


def chances_best(value: np.ndarray, errors: np.ndarray, live: np.ndarray) -> np.ndarray:
    """Chance of each option to be the best, given the errors of all.

    Parameters
    ----------
    value : ndarray of float64, shape (C, O)
        Means.
    errors : ndarray of float64, shape (C, O, O)
        Their covariance.
    live : ndarray of bool, shape (C, O)
        Options that may be the best.

    Returns
    -------
    ndarray of float64, shape (C, O)
        Rows add up to 1; options that are one and the same share their chance. Exact for two options in
        question; else from 2,000 draws of a fixed stream, off by 0.02 at most as a rule.
    """
    rows = np.arange(len(value))
    best = np.where(live, value, -np.inf).argmax(axis=1)
    each = [difference(value, errors, best, np.full(len(best), option)) for option in range(value.shape[1])]
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
    draws = np.random.default_rng(0).standard_normal((_DRAWS, value.shape[1]))
    scale, axes = np.linalg.eigh(errors)
    root = axes * np.sqrt(np.maximum(scale, 0.0))[:, None, :]
    chances = np.empty_like(value)
    for row, (mean, factor, variance) in enumerate(zip(value, root, scale[:, -1], strict=True)):
        drawn = mean + draws @ factor.T
        # Two options that are one and the same differ by rounding alone.
        leading = drawn >= drawn.max(axis=1, keepdims=True) - 1e-7 * np.sqrt(variance)
        chances[row] = (leading / leading.sum(axis=1, keepdims=True)).mean(axis=0)
    return chances
