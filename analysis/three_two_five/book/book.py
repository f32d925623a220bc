"""The opening book of 3-2-5 as a table: one row a class of first hands, every option with its error.

Values are scores of the five; what they rest on, both games share (:mod:`analysis.book.table`).

Where the fresh deals leave the difference of the best call and revealing less precise than the plan wants it,
the two meet in a *duel* on deals of their own. What these say is in the value of revealing
(:func:`sim.book.values.after_duel`); the fresh deals alone settle which option is best. So in
a complete book without a budget ``call_minus_reveal_se`` is at most the precision in every class.
``difference_se`` is about that: one class in a hundred exceeds it, by a quarter at most. A call that the
search clearly beat is neither best nor second. It rests on 256 fresh deals
(the plan's ``pace.fresh``), and its ``loss_se`` is larger;
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
"""

import numpy as np
import pandas as pd

from analysis.book.table import (
    LEVEL,
    PROVENANCE,
    TOO_CLOSE,
    Columns,
    check,
    comparisons,
    difference,
    each_option,
    moments,
    over_stages,
)
from analysis.book.table import book_command as command_of
from analysis.book.table import provenance as provenance_of
from analysis.false_signs import fit_mixture
from sim.book.book import Book
from sim.book.plan import DUEL, FRESH, SEARCH
from sim.book.schedule import best_other, duel_moments, standing
from sim.book.values import after_duel
from sim.three_two_five.book.completions import OPTIONS
from sim.three_two_five.book.plan import BookPlan
from sim.three_two_five.cards import card_names
from sim.three_two_five.rules import QUOTAS, REVEAL

CALL = "call"
_NAMES = np.array(OPTIONS, object)
_TRICKS = 11


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
    check(book, level)
    plan, weight = book.plan, book.plan.weight
    # Of two equal suits one was played.
    source = np.arange(len(OPTIONS)) - ~plan.distinct
    rank, live = standing(plan, book.counters)
    call = best_other(rank, REVEAL)
    fresh, errors = moments(book, FRESH, source)
    value, errors = after_duel(fresh, errors, call, REVEAL, duel_moments(plan, book.counters))
    search_value, search_errors = moments(book, SEARCH, source)
    tricks = _tricks(book, source)
    n = tricks.sum(axis=2)
    live = np.take_along_axis(live, source, axis=1)
    best, second = (-np.where(plan.distinct & live, fresh, -np.inf)).argsort(axis=1, kind="stable")[:, :2].T
    call_minus_reveal, error = difference(value, errors, call, np.full(len(rank), REVEAL))
    better = _calls_better([(search_value, search_errors), (value, errors)], plan.distinct, weight)
    columns = {
        "hand": [" ".join(card_names(int(cards))) for cards in plan.cards],
        "cards": plan.cards,
        "weight": weight,
        **comparisons(value, errors, best, second, weight, np.tile(_NAMES, (len(rank), 1))),
        "found": _NAMES[rank[:, 0]],
        "call": _NAMES[call],
        "call_minus_reveal": call_minus_reveal,
        "call_minus_reveal_se": error,
        **_judged(better, level),
        **each_option(value, errors, n, best, live, OPTIONS),
        **_distributions(tricks, n),
    }
    table = pd.DataFrame(columns)
    table.attrs[PROVENANCE] = provenance(book)
    return table


def _tricks(book: Book, source: np.ndarray) -> np.ndarray:
    """Deals by option and tricks of the five, int64 (C, 5, 11), those of the duel among the reveal's."""
    stages = book.counters["tricks"]
    tricks = stages[:, FRESH].copy()
    tricks[:, REVEAL] += stages[:, DUEL, REVEAL]
    return tricks[np.arange(len(source))[:, None], source]


def provenance(book: Book) -> str:
    """Say where the numbers of a book come from, in one line."""
    plan = plan_of(book)
    debts = f"debts {', '.join(map(str, plan.debts))}" if any(plan.debts) else "first deal"
    sevens = plan.rules.sevens.replace("_", " ")
    return provenance_of(book, f"sevens {sevens}, scoring {plan.rules.scoring}, {debts}")


def book_command(book: Book) -> str | None:
    """Return the command line that makes a book again; None for a book of chosen hands."""
    debts = plan_of(book).debts
    return command_of(book, [f"--debts={','.join(map(str, debts))}"] if any(debts) else [])


def plan_of(book: Book) -> BookPlan:
    """Return the plan of a book, which is one of this game."""
    assert isinstance(book.plan, BookPlan)
    return book.plan


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
    each = [over_stages(stages, np.full(len(weight), call), reveal) for call in range(REVEAL)]
    above, error = (np.column_stack(part) for part in zip(*each, strict=True))
    above = np.where(distinct[:, :REVEAL], above, np.nan)
    mixture = fit_mixture(above.ravel(), error.ravel(), np.repeat(weight, REVEAL))
    below = mixture.chance_negative(above.ravel(), error.ravel()).reshape(above.shape)
    return np.nan_to_num(1 - below)


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
