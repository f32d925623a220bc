"""Calling for the match: when the five should call or reveal otherwise than by the mean of its tricks.

The opening book ranks options by their mean. Near the end of a match the chance to win counts, which follows
from the whole distribution of outcomes: each leads to scores and debts whose chance the table has. Whoever
is behind may want the option that wins more often if it loses more when it fails.

The best option by that chance is chosen on one half of a hand's deals and valued on the other, both ways
round; the book's is left only for one that is better by more than the error of independent deals. So what is
gained over the book is not overrated; as the choice is made with errors, it is a lower bound of what a
choice without errors would gain.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.estimates import from_values
from analysis.three_two_five.equity.table import provenance
from sim.equity.table import Equity
from sim.three_two_five.equity.deals import OUTCOMES
from sim.three_two_five.equity.outcomes import OptionOutcomes
from sim.three_two_five.equity.solve import row_of, solve
from sim.three_two_five.options import HALVES
from sim.three_two_five.rules import REVEAL
from sim.three_two_five.thinking.opening import verdict

_FIVE = 0
_NO_DEBTS = (0, 0, 0)
LEADS = (-8, -6, -5, -4, -3, -2, -1, 0, 1, 2, 4)
"""Points by which the five leads each of the others, or trails them, where nothing is said."""


def calls_for_the_match(
    table: Equity,
    played: OptionOutcomes,
    deals_left: Sequence[int] = (1, 2, 3),
    leads: Sequence[int] = LEADS,
) -> pd.DataFrame:
    """Compare the option that wins the match most often with the book's, by what the five leads by.

    Parameters
    ----------
    table : Equity
        What scores are worth after the deal.
    played : OptionOutcomes
        Outcomes of every option of many first hands.
    deals_left : sequence of int
        Deals left, this one included.
    leads : sequence of int
        Points over each of the two others, who are level.

    Returns
    -------
    DataFrame
        One row a number of deals left and lead:

        ``deals_left``, ``lead``  the standing; nobody owes cards
        ``chance``                chance that the five wins the match alone, if it goes by the book
        ``gain``                  what choosing by that chance adds to it, with ``se``, ``low``, ``high``
        ``reveals_by_book``       share of hands that the book reveals
        ``reveals``               share that choosing by the chance reveals
        ``to_reveal, to_call``    gain from hands that reveal for the book's call, and the other way round
        ``other_suit``            gain from hands that call another suit
        ``hands``                 hands played out
    """
    by_book = np.array([verdict(cards) for cards in played.cards])
    counts = table.counts.reshape(-1, len(OUTCOMES))
    rules, rows = table.plan.rules, []
    for deals in deals_left:
        for lead in leads:
            found = solve(counts, rules, row_of(_NO_DEBTS, rules), deals, [(lead, 0)])
            row = _compared(played, by_book, found.after[_FIVE])
            rows.append({"deals_left": deals, "lead": lead, **row, "hands": len(by_book)})
    frame = pd.DataFrame(rows)
    frame.attrs["provenance"] = (
        f"{provenance(table)} {len(by_book):,} first hands × {played.completions:,} deals for each option,"
        f" no debts, both others level."
    )
    return frame


def _compared(played: OptionOutcomes, by_book: np.ndarray, after: np.ndarray) -> dict[str, float]:
    """Return a row of :func:`calls_for_the_match`, given the chance after each outcome."""
    n = played.counts.sum(axis=-1)
    value = played.counts @ after / n
    variance = np.maximum(played.counts @ after**2 / n - value**2, 0) / n
    hands = np.arange(len(by_book))
    chosen = np.stack([_chosen(value[:, half], variance[:, half], by_book) for half in range(HALVES)], axis=1)
    gains = np.empty((HALVES, len(by_book)))
    for half in range(HALVES):
        judged = value[:, 1 - half]
        gains[half] = judged[hands, chosen[:, half]] - judged[hands, by_book]
    book_reveals, reveals = by_book == REVEAL, chosen.T == REVEAL
    gain = from_values(gains.mean(axis=0))
    low, high = gain.interval()
    return {
        "chance": float(value.mean(axis=1)[hands, by_book].mean()),
        "gain": gain.mean,
        "se": gain.se,
        "low": low,
        "high": high,
        "reveals_by_book": float(book_reveals.mean()),
        "reveals": float(reveals.mean()),
        "to_reveal": float((gains * (~book_reveals & reveals)).mean()),
        "to_call": float((gains * (book_reveals & ~reveals)).mean()),
        "other_suit": float((gains * ~(book_reveals | reveals)).mean()),
    }


def _chosen(value: np.ndarray, variance: np.ndarray, by_book: np.ndarray) -> np.ndarray:
    """Return the best option of each hand, or the book's where no other is clearly better."""
    hands, best = np.arange(len(by_book)), value.argmax(axis=-1)
    lead = value[hands, best] - value[hands, by_book]
    # Both options met the same deals, so that the true error is smaller still.
    error = np.sqrt(variance[hands, best] + variance[hands, by_book])
    return np.where(lead > error, best, by_book)
