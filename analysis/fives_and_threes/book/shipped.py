"""The opening books that come with the package: every hand of five tiles, players of ``heuristic``.

``data/book-3.parquet`` and ``data/book-3.json`` are the table and the manifest for three players, and
likewise for four. ``make book`` makes them. Two players have none: a hand of seven tiles is played out on the
spot.
"""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from analysis.book.shipped import Shipped, check_whole, ways
from analysis.fives_and_threes.book.book import book_table
from analysis.fives_and_threes.book.packed import pack, unpack
from sim.book.folder import load
from sim.book.plan import BookPlan
from sim.fives_and_threes.rules import Rules

DATA = Path(__file__).parent / "data"


def shipped_openings(players: int, hands: Iterable[int] | None = None) -> pd.DataFrame:
    """Return the table of the shipped book for a number of players.

    Parameters
    ----------
    players : {2, 3, 4}
        How many play.
    hands : iterable of int, optional
        Numbers of the hands wanted (:func:`sim.fives_and_threes.book.hands.locate`); all if left out.

    Returns
    -------
    DataFrame
        As :func:`analysis.fives_and_threes.book.book.book_table` gives it, but for the rounding.

    Raises
    ------
    ValueError
        If the package came without that book.
    """
    return _files(players).rows(hands)


def shipped_plan(players: int) -> BookPlan | None:
    """Return the plan of the shipped book for a number of players; None where there is none."""
    return _files(players).plan()


def answers(shipped: BookPlan, asked: BookPlan) -> bool:
    """Whether a shipped book has the numbers asked for; the target does not matter in a round alone."""

    def played(rules: Rules) -> tuple[int, int, int]:
        return rules.players, rules.hand_size, rules.out_bonus

    return (
        played(shipped.rules) == played(asked.rules)
        and ways(shipped.strategies) == ways(asked.strategies)
        and shipped.seed == asked.seed
        and shipped.precision <= asked.precision
    )


def ship(folder: str | Path) -> None:
    """Make the book in a folder the one that comes with the package for its number of players.

    Raises
    ------
    ValueError
        If it is not complete, or does not hold every hand.
    """
    book = load(folder)
    check_whole(book, folder)
    _files(book.plan.rules.players).keep(book, book_table(book))


def _files(players: int) -> Shipped:
    stem = f"book-{players}"
    return Shipped(DATA / f"{stem}.parquet", DATA / f"{stem}.json", pack, unpack)
