"""How the answer changes with the players at the table and with the scoring: small books side by side.

A small book holds every n-th class of first hands (39,109 have an order, but none that matters here), so its
shares and values have the error of that choice on top.
"""

from collections.abc import Callable, Mapping, Sequence

import pandas as pd

from analysis.estimates import Estimate
from analysis.tables import further_columns_of
from analysis.three_two_five.book.book import book_table
from analysis.three_two_five.book.summary import (
    ALWAYS_REVEAL,
    LONGEST,
    option_worth,
    policies,
    policy_cost,
    reveal_best,
)
from sim.book.book import build
from sim.three_two_five.book.plan import BookPlan
from sim.three_two_five.rules import Rules
from sim.three_two_five.strategies import BOOK

TABLES: Mapping[str, tuple[tuple[str, str, str], str]] = {
    "heuristic ×3": (("heuristic",) * 3, "difference"),
    "first-suit ×3": (("first-suit",) * 3, "difference"),
    "random ×3": (("random",) * 3, "difference"),
    "heuristic against first-suit": (("heuristic", "first-suit", "first-suit"), "difference"),
    "first-suit against heuristic": (("first-suit", "heuristic", "heuristic"), "difference"),
    "heuristic ×3, surplus": (("heuristic",) * 3, "surplus"),
}
"""Players (five, three, two) and scoring. ``tricks`` differs from ``difference`` by the quota alone, the same
for every option (R26), so that it changes nothing."""


def small_books(
    every: int = 50,
    precision: float = 0.05,
    seed: int = 1,
    jobs: int = -1,
    tables: Sequence[str] = tuple(TABLES),
) -> dict[str, pd.DataFrame]:
    """Make a small book for each of several tables.

    Parameters
    ----------
    every : int
        Take every n-th class.
    precision : float
        As for :class:`sim.three_two_five.book.plan.BookPlan`, in points.
    seed : int
        Of all books.
    jobs : int
        Pieces played at the same time; -1 for one a core.
    tables : sequence of str
        Which of TABLES.

    Returns
    -------
    dict of str to DataFrame
        Book tables (:func:`analysis.three_two_five.book.book.book_table`) by name.
    """
    books = {}
    for name in tables:
        players, scoring = TABLES[name]
        plan = BookPlan(
            Rules(scoring=scoring),
            tuple(BOOK.parse(player) for player in players),
            seed=seed,
            precision=precision,
            every=every,
        )
        books[name] = book_table(build(plan, jobs))
    return books


_QUANTITIES: Mapping[str, Callable[[pd.DataFrame], Estimate]] = {
    "reveal": reveal_best,
    "worth": option_worth,
    "always": lambda table: policy_cost(table, policies(table)[ALWAYS_REVEAL]),
    "longest": lambda table: policy_cost(table, policies(table)[LONGEST]),
}


def sensitivity(books: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Compare books.

    Parameters
    ----------
    books : mapping of str to DataFrame
        Book tables by name.

    Returns
    -------
    DataFrame
        One row a book; each quantity with ``…_se`` and the ends ``…_low``, ``…_high`` of its 95% interval:

        ``table``    name of the book
        ``reveal``   share of hands on which revealing is best
        ``worth``    value of being free to reveal, in points a deal
        ``always``   cost of always revealing, in points a deal
        ``longest``  cost of always calling the longest suit, in points a deal
        ``classes``  classes behind the errors
    """
    rows = []
    for name, book in books.items():
        row: dict[str, object] = {"table": name}
        for quantity, estimate in _QUANTITIES.items():
            row |= further_columns_of(estimate(book), quantity)
        rows.append(row | {"classes": len(book)})
    compared = pd.DataFrame(rows)
    compared.attrs["provenance"] = "\n".join(str(book.attrs.get("provenance", "")) for book in books.values())
    return compared
