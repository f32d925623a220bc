"""What ``dealworth book`` says of a finished book; each game's ``book/printed.py`` fills it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import pandas as pd

from sim.book.book import Book


@dataclass(frozen=True)
class PrintedTable:
    """A table on the terminal.

    Attributes
    ----------
    header : tuple of str
        Names of its columns.
    rows : sequence of tuple of str
        Cells as they are shown.
    right : tuple of int
        Columns to align at the right.
    """

    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    right: tuple[int, ...] = ()


@dataclass(frozen=True)
class Printed:
    """What a book says over all its hands.

    Attributes
    ----------
    tables : tuple of PrintedTable
        The first stands under the book's title.
    lines : tuple of str
        What is said below.
    record : mapping
        The same for programs.
    """

    tables: tuple[PrintedTable, ...]
    lines: tuple[str, ...]
    record: Mapping[str, Any]


def printed(book: Book, table: pd.DataFrame) -> Printed:
    """Return what a book says over all its hands, by its game."""
    found = import_module(f"analysis.{book.game.name}.book.printed").printed(table)
    assert isinstance(found, Printed)
    return found
