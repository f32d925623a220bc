"""The opening book that comes with the package: every hand of a first deal, three players of ``heuristic``.

``data/book.parquet`` holds its table, packed as :mod:`analysis.three_two_five.book.packed` says, and
``data/book.json`` the manifest of the book that it was made from. ``make book`` makes both again, and with
them the verdicts that players look up (:mod:`sim.three_two_five.thinking.opening`); the digest must be
the one in the manifest.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.book.shipped import Shipped, check_whole
from analysis.three_two_five.book.book import book_table
from analysis.three_two_five.book.packed import pack, unpack
from sim.book.folder import load
from sim.folders import replace
from sim.three_two_five.book.completions import OPTIONS
from sim.three_two_five.book.plan import BookPlan
from sim.three_two_five.thinking.opening import VERDICTS, verdicts

_DATA = Path(__file__).parent / "data"
TABLE, MANIFEST = _DATA / "book.parquet", _DATA / "book.json"


def _files() -> Shipped:
    return Shipped(TABLE, MANIFEST, pack, unpack)


def shipped_manifest() -> dict[str, Any] | None:
    """Return the manifest of the shipped book; see :meth:`analysis.book.shipped.Shipped.described`."""
    return _files().described()


def shipped_plan() -> BookPlan | None:
    """Return the plan of the shipped book; None if the package came without one."""
    plan = _files().plan()
    assert plan is None or isinstance(plan, BookPlan)
    return plan


def shipped_book(classes: Iterable[int] | None = None) -> pd.DataFrame:
    """Return the table of the shipped book.

    Parameters
    ----------
    classes : iterable of int, optional
        Numbers of the classes wanted (:func:`sim.three_two_five.book.hands.locate`); all if left out.

    Returns
    -------
    DataFrame
        As :func:`analysis.three_two_five.book.book.book_table` gives it, but for the rounding.

    Raises
    ------
    ValueError
        If the package came without its book.
    """
    return _files().rows(classes)


def ship(folder: str | Path) -> None:
    """Make the book in a folder the one that comes with the package.

    Raises
    ------
    ValueError
        If it is not complete, or does not hold every hand.
    """
    book = load(folder)
    check_whole(book, folder)
    table = book_table(book)
    _files().keep(book, table)
    with_verdicts = verdicts_of(table)
    replace(VERDICTS, lambda path: _save(path, with_verdicts))


def verdicts_of(table: pd.DataFrame) -> np.ndarray:
    """Return the best option of every first hand, as players look it up, from a table of all classes."""
    return verdicts(np.array([OPTIONS.index(name) for name in table["best"]]))


def _save(path: Path, array: np.ndarray) -> None:
    # By an open file: numpy adds an ending to other names.
    with path.open("wb") as file:
        np.save(file, array)
