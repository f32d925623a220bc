"""Opening books on disk: ``results/book-…/``.

A book folder holds

``manifest.json``
    The plan by names, whether the book is partial, play-outs, timing, versions, digests.
``counters.npz``
    The counters of the game's ``book.completions``, one entry a class, and with the prefix
    ``round.`` the schedule of the round that was being played. So a book that goes on where it was
    killed becomes the same integers as one that nobody stopped.
``book.parquet``
    Once it is complete or was interrupted: the table of the game's ``analysis`` (``book.book``).
"""

from pathlib import Path
from typing import Any

import numpy as np

from sim.book.book import Book
from sim.book.plan import from_dict
from sim.book.schedule import Schedule
from sim.core.game import Counters, find_game
from sim.folders import (
    COUNTERS,
    FORMAT,
    KIND,
    MANIFEST,
    ResultFolder,
    check_digest,
    compact,
    reading,
    remove,
    replace,
    write,
)
from sim.folders import save as save_both

BOOK, TABLE = "book", "book.parquet"
_ROUND = "round."


def save(book: Book, folder: str | Path) -> Path:
    """Write manifest and counters into a folder, replacing those of an earlier state of the book.

    Raises
    ------
    ValueError
        If another process writes to the folder.
    """
    return save_both(folder, manifest(book), _arrays(book))


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
        plan = from_dict(find_game(stored["game"]), stored["plan"])
        parts = {name: arrays.pop(_ROUND + name) for name in ("place", "alive", "more", "first")}
        number, position, expected = parts.pop("place").tolist()
        counters = {name: arrays[name].astype(np.int64) for name in plan.blank(0)}
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
        "format": FORMAT,
        KIND: BOOK,
        "game": book.game.name,
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
    """A folder that a book is written to while it is made; see :class:`sim.folders.ResultFolder`."""

    kind = BOOK
    files = (MANIFEST, COUNTERS, TABLE)

    def load(self) -> Book:
        """Return the book that the folder holds."""
        return load(self.folder)

    def finish(self, book: Book, table: Any | None = None) -> Path:
        """Write the book for good, and before it its table (a DataFrame) if there is one yet."""
        if table is not None:
            replace(self.folder / TABLE, lambda path: table.to_parquet(path, compression="zstd", index=False))
        return super().finish(book)

    def _write(self, book: Book) -> None:
        write(self.folder, manifest(book), _arrays(book))

    def _unfinished(self) -> Book:
        book = super()._unfinished()
        # The table of an earlier stop would not be that of the counters to come.
        remove(self.folder / TABLE)
        return book


def _arrays(book: Book) -> Counters:
    """Return the counters, and the round's schedule as arrays."""
    planned = book.schedule
    return {
        **compact(book.counters),
        _ROUND + "place": np.array([book.round, book.position, planned.expected], np.int64),
        _ROUND + "alive": planned.alive,
        _ROUND + "more": planned.more,
        _ROUND + "first": planned.first,
    }
