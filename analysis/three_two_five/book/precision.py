"""How well an opening book knows what it says: figures that hold for every one of its classes."""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.three_two_five.book.summary import columns, numbers
from sim.three_two_five.book.completions import OPTIONS
from sim.three_two_five.rules import REVEAL

_PLACES = 3


@dataclass(frozen=True)
class Precision:
    """Largest standard errors in a book, in points a deal.

    Parameters
    ----------
    contest : float
        Of the best option against the second.
    call_or_reveal : float
        Of the best call against revealing.
    in_play : float
        Of what an option in play loses against the best: the calls that the search did not clearly beat,
        the first two options, and revealing.
    beaten : float
        Of what the other calls lose; nan where there are none.
    fewest : int
        Deals that every option has at least.
    """

    contest: float
    call_or_reveal: float
    in_play: float
    beaten: float
    fewest: int


def precision(table: pd.DataFrame) -> Precision:
    """Read the precision off the table of a book.

    Parameters
    ----------
    table : DataFrame
        As :func:`analysis.three_two_five.book.book.book_table` gives it.
    """
    losses, n = columns(table, "loss_se"), columns(table, "n")
    playing = in_play(table)
    return Precision(
        contest=float(table["difference_se"].max()),
        call_or_reveal=float(table["call_minus_reveal_se"].max()),
        in_play=float(losses[playing].max()),
        beaten=float(losses[~playing].max()) if not playing.all() else math.nan,
        fewest=int(n.min()),
    )


def in_play(table: pd.DataFrame) -> np.ndarray:
    """Tell which options have all the deals of their class, bool (C, 5)."""
    n = columns(table, "n")
    return n == n.max(axis=1, keepdims=True)


def precision_in_words(table: pd.DataFrame) -> str:
    """Say how well a book knows its differences, with figures that no class exceeds."""
    found = precision(table)
    known = max(found.contest, found.call_or_reveal, found.in_play)
    text = (
        "On every hand the best call against revealing, and the best option against the second, are known to a"
        f" standard error of {_at_most(known)} points a deal or less."
    )
    if math.isnan(found.beaten):
        return text
    return (
        f"{text} Calls that are clearly behind after a search on other deals were played {found.fewest:,} times"
        f" only: what they lose is known to {_at_most(found.beaten)} or less."
    )


def _at_most(error: float) -> str:
    """Round up, so that no class exceeds what is said."""
    steps = 10**_PLACES
    return f"{math.ceil(round(error * steps, 6)) / steps:g}"
