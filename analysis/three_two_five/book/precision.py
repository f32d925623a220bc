"""How well an opening book knows what it says: figures that hold for every one of its classes."""

import math
from dataclasses import dataclass

import pandas as pd

from analysis.three_two_five.book.summary import columns

_PLACES = 3


@dataclass(frozen=True)
class Precision:
    """Largest standard errors in a book, in points a deal.

    Parameters
    ----------
    call_or_reveal : float
        Of the best call against revealing.
    contest : float
        Of the best option against the second.
    loss : float
        Of what any option loses against the best, also of one that a search dropped.
    fewest : int
        Deals that every option has at least.
    """

    call_or_reveal: float
    contest: float
    loss: float
    fewest: int


def precision(table: pd.DataFrame) -> Precision:
    """Read the precision off the table of a book.

    Parameters
    ----------
    table : DataFrame
        As :func:`analysis.three_two_five.book.book.book_table` gives it.
    """
    return Precision(
        call_or_reveal=float(table["call_minus_reveal_se"].max()),
        contest=float(table["difference_se"].max()),
        loss=float(columns(table, "loss_se").max()),
        fewest=int(columns(table, "n").min()),
    )


def precision_in_words(table: pd.DataFrame) -> str:
    """Say how well a book knows its differences, with figures that no class exceeds."""
    found = precision(table)
    return (
        "Largest standard errors of any hand, in points a deal: the best call against revealing"
        f" {_at_most(found.call_or_reveal)}, the best option against the second {_at_most(found.contest)}."
        " What any option loses, also one that is clearly behind, is known to"
        f" {_at_most(found.loss)} or less, from {found.fewest:,} deals or more."
    )


def _at_most(error: float) -> str:
    """Round up, so that no class exceeds what is said."""
    steps = 10**_PLACES
    return f"{math.ceil(round(error * steps, 6)) / steps:.{_PLACES}f}"
