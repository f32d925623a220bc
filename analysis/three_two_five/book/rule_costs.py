"""What table rules cost on fresh deals, against the opening book.

The rules were found on the deals of a book, so their worth there is a little overrated. Here every rule
decides the hands of a run's option study, other deals altogether, and what it takes there is compared with
what the book's own choice takes on the very same deals.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.estimates import from_values
from analysis.provenance import with_sources
from analysis.tables import columns_of, further_columns_of
from analysis.three_two_five.book.summary import (
    NEVER_REVEAL,
    THE_BOOK,
    numbers,
    option_worth,
    policy_value,
)
from analysis.three_two_five.book.table_rule import Rule, Tree, decide, sentence
from analysis.three_two_five.hands import suit_order
from analysis.three_two_five.options import Study, study
from sim.results import Run
from sim.three_two_five.book.hands import canonical, exchange, swaps
from sim.three_two_five.rules import REVEAL, SEVENS


def book_options(book: pd.DataFrame, cards: np.ndarray, sevens: str, column: str = "found") -> np.ndarray:
    """Look hands up in a book.

    Parameters
    ----------
    book : DataFrame
        A whole book's table.
    cards : ndarray of int64, shape (H,)
        First hands.
    sevens : str
        Rule by which the book was made (R31): it settles which suits may be exchanged.
    column : str
        ``found``: the best option by the search, or ``call``: the best call.

    Returns
    -------
    ndarray of int64, shape (H,)
        Place of the suit to call in the hand's own order, or REVEAL.

    Raises
    ------
    ValueError
        If a hand's class is not in the book.
    """
    number = SEVENS.index(sevens)
    representative = canonical(cards, number)
    entries = book["cards"].to_numpy()
    row = np.minimum(np.searchsorted(entries, representative), len(entries) - 1)
    if (entries[row] != representative).any():
        raise ValueError("a hand is not in the book: a whole book is needed, not every n-th class")
    option = numbers(book[column])[row]
    suit = np.zeros(len(cards), np.int64)
    for swap in swaps(number):
        here = exchange(cards, swap) == representative
        suit[here] = np.array(swap)[np.minimum(option[here], REVEAL - 1)]
    place = (suit_order(cards) == suit[:, None]).argmax(axis=1)
    return np.where(option == REVEAL, REVEAL, place)


def rule_costs(book: pd.DataFrame, rules: Sequence[Rule], run: Run | Study) -> pd.DataFrame:
    """Measure table rules on fresh deals.

    Parameters
    ----------
    book : DataFrame
        A whole book's table, by the rules and strategies of the run.
    rules : sequence of Tree and Count
        What to measure.
    run : Run or Study
        A run with an option study. Its deals are other ones than the book's, whatever its seed.

    Returns
    -------
    DataFrame
        The book, never revealing (the best call, with its value and cost from the book itself), then the
        rules; one row each:

        ``rule``         in words
        ``kind``         book, tree or count
        ``length``       things to remember; 0 for the book and its calls
        ``value``        mean score of the five, in points a deal
        ``se, low, high``  its standard error over hands and 95% interval
        ``cost``         value of the book minus this one's, in points a deal, paired deal by deal
        ``cost_se, cost_low, cost_high``  its standard error over hands and 95% interval
        ``reveals``      share of hands on which it reveals
        ``hands``        hands behind the errors
    """
    found = study(run)
    cards, sevens = found.run.study_counters()["cards"], found.run.rules.sevens
    options: list[tuple[str, str, int, np.ndarray]] = [
        (THE_BOOK, "book", 0, book_options(book, cards, sevens))
    ]
    options += [(sentence(rule), _kind(rule), rule.length, decide(rule, cards)) for rule in rules]
    means = found.sums.sum(axis=1) / found.n.sum(axis=1)[:, None]
    rows = np.arange(len(cards))
    by_book = means[rows, options[0][3]]
    table = []
    for name, kind, length, places in options:
        taken = means[rows, places]
        table.append(
            {"rule": name, "kind": kind, "length": length}
            | columns_of(from_values(taken))
            | further_columns_of(from_values(by_book - taken), "cost")
            | {"reveals": float((places == REVEAL).mean()), "hands": len(cards)}
        )
    table.insert(1, _never(book))
    return with_sources(pd.DataFrame(table), found.run)


def _never(book: pd.DataFrame) -> dict[str, object]:
    """Value never revealing by the book itself, which knows it better than any fresh deals."""
    call = numbers(book["call"])
    sizes = {"reveals": 0.0, "hands": int(book["weight"].sum())}
    return (
        {"rule": NEVER_REVEAL, "kind": "book", "length": 0}
        | columns_of(policy_value(book, call))
        | further_columns_of(option_worth(book), "cost")
        | sizes
    )


def _kind(rule: Rule) -> str:
    return "tree" if isinstance(rule, Tree) else "count"
