"""Opening books on disk: ``results/book-…/``.

A book folder holds

``manifest.json``
    The plan by names, whether the book is partial, play-outs, timing, versions, digest.
``counters.npz``
    The counters of :mod:`sim.three_two_five.book.completions`, one entry a class, and with the prefix
    ``round.`` the schedule of the round that was being played. So a book that goes on where it was
    killed becomes the same integers as one that nobody stopped.
``book.parquet``
    Once it is complete or was interrupted: the table of :mod:`analysis.three_two_five.book.book`.
"""

from pathlib import Path
from typing import Any

import numpy as np

from sim.core.game import Counters
from sim.folders import (
    COUNTERS,
    KIND,
    MANIFEST,
    ResultFolder,
    check_digest,
    compact,
    reading,
    replace,
    write,
)
from sim.three_two_five.book.book import Book
from sim.three_two_five.book.completions import blank
from sim.three_two_five.book.plan import from_dict
from sim.three_two_five.book.schedule import Schedule

BOOK, TABLE = "book", "book.parquet"
_GAME = "three_two_five"
_ROUND = "round."
_FORMAT = 1


def save(book: Book, folder: str | Path) -> Path:
    """Write manifest and counters into a folder, replacing those of an earlier state of the book."""
    return write(folder, manifest(book), {**compact(book.counters), **_round(book)})


def load(folder: str | Path) -> Book:
    """Read a book folder.

    Raises
    ------
    ValueError
        If the folder is none, its counters are not those of its manifest, or a strategy was a user's own
        and cannot be found by name.
    """
    folder = Path(folder)
    with reading(folder, BOOK) as (stored, arrays):
        plan = from_dict(stored["plan"])
        parts = {name: arrays.pop(_ROUND + name) for name in ("place", "alive", "more", "first")}
        number, position, expected = parts.pop("place").tolist()
        counters = {name: arrays[name].astype(np.int64) for name in blank(0)}
        timing = stored["timing"]
        book = Book(
            plan,
            counters,
            number,
            position,
            Schedule(**parts, expected=expected),
            seconds=timing["seconds"],
            warm_up=timing["warm_up_seconds"],
            jobs=timing["jobs"],
            versions=stored["versions"],
        )
        written_together = [number, position] == [stored["done"]["round"], stored["done"]["position"]]
        promised = stored["digest"]
    if written_together:
        check_digest(folder, BOOK, book.digest, promised)
    return book


def manifest(book: Book) -> dict[str, Any]:
    """Return what ``manifest.json`` holds."""
    return {
        "format": _FORMAT,
        KIND: BOOK,
        "game": _GAME,
        "plan": book.plan.as_dict(),
        "classes": int(book.plan.cards.size),
        "play_outs": book.played,
        "done": {"round": book.round, "position": book.position},
        "partial": not book.complete,
        "digest": book.digest,
        "timing": {"seconds": book.seconds, "warm_up_seconds": book.warm_up, "jobs": book.jobs},
        "versions": book.versions,
    }


class BookFolder(ResultFolder):
    """A folder that a book is written to while it is made.

    Parameters
    ----------
    folder : path
        Where; it must not hold anything yet, unless ``force`` or ``resume`` is given.
    force : bool
        Throw away the book that the folder holds.
    resume : bool
        Go on with the partial book that the folder holds.

    Raises
    ------
    ValueError
        If the folder holds something and neither was given, or nothing to resume.
    """

    def __init__(self, folder: str | Path, force: bool = False, resume: bool = False):
        self.resumed = load(folder) if resume else None
        super().__init__(folder, BOOK, (MANIFEST, COUNTERS, TABLE), force, resume)

    def checkpoint(self, book: Book) -> None:
        """Write the book so far."""
        save(book, self.folder)

    def finish(self, book: Book, table: Any | None) -> Path:
        """Write the book for good, and its table (a DataFrame) if there is one yet."""
        if table is None:
            (self.folder / TABLE).unlink(missing_ok=True)
        else:
            replace(self.folder / TABLE, lambda path: table.to_parquet(path, compression="zstd", index=False))
        return save(book, self.folder)


def _round(book: Book) -> Counters:
    """Return the round's schedule as arrays."""
    planned = book.schedule
    return {
        _ROUND + "place": np.array([book.round, book.position, planned.expected], np.int64),
        _ROUND + "alive": planned.alive,
        _ROUND + "more": planned.more,
        _ROUND + "first": planned.first,
    }
