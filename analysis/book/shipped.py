"""An opening book that comes with the package: its table, packed, and the manifest of what it was made from.

Each game's ``book/shipped.py`` says which books there are and where they lie.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from analysis.book.table import PROVENANCE
from sim.book.book import Book
from sim.book.folder import manifest
from sim.book.plan import BookPlan, from_dict
from sim.core.game import find_game
from sim.core.strategy import Strategy
from sim.folders import SETTINGS_DIGEST, check_settings, replace, settings_digest

_LEFT_OUT = ("format", "done", "partial")


@dataclass(frozen=True)
class Shipped:
    """One book that comes with the package.

    Attributes
    ----------
    table, manifest : Path
        Its two files.
    pack, unpack : callable
        From the table of a book to the one that is stored, and back.
    """

    table: Path
    manifest: Path
    pack: Callable[[pd.DataFrame], pd.DataFrame]
    unpack: Callable[[pd.DataFrame], pd.DataFrame]

    def described(self) -> dict[str, Any] | None:
        """Return its manifest; None if the package came without it.

        Raises
        ------
        ValueError
            If what it says of the book was changed.
        """
        if not (self.table.exists() and self.manifest.exists()):
            return None
        found = json.loads(self.manifest.read_text(encoding="utf-8"))
        check_settings(self.manifest, found)
        return found

    def plan(self) -> BookPlan | None:
        """Return its plan; None if the package came without it."""
        found = self.described()
        return from_dict(find_game(found["game"]), found["plan"]) if found else None

    def rows(self, classes: Iterable[int] | None = None) -> pd.DataFrame:
        """Return its table, or some rows of it by the numbers of their classes.

        Raises
        ------
        ValueError
            If the package came without it.
        """
        found = self.described()
        if found is None:
            raise ValueError("no opening book came with this package: make one with `dealworth book`")
        stored = _stored(self.table)
        table = self.unpack((stored if classes is None else stored.take(list(classes))).to_pandas())
        table.attrs[PROVENANCE] = found[PROVENANCE]
        return table

    def keep(self, book: Book, table: pd.DataFrame) -> None:
        """Write a book's table and manifest where they come with the package."""
        stored = pa.Table.from_pandas(self.pack(table), preserve_index=False)
        self.table.parent.mkdir(exist_ok=True)
        replace(self.table, lambda path: _write(stored, path))
        described = {name: value for name, value in manifest(book).items() if name not in _LEFT_OUT}
        described[PROVENANCE] = table.attrs[PROVENANCE]
        described[SETTINGS_DIGEST] = settings_digest(described)
        text = json.dumps(described, indent=2, ensure_ascii=False)
        replace(self.manifest, lambda path: path.write_text(text + "\n", encoding="utf-8"))
        _stored.cache_clear()


def _write(stored: pa.Table, path: Path) -> None:
    pq.write_table(stored, path, compression="zstd", compression_level=19)


@lru_cache(maxsize=2)
def _stored(path: Path) -> pa.Table:
    return pq.read_table(path)


def check_whole(book: Book, folder: str | Path) -> None:
    """Refuse to ship a part of a book.

    Raises
    ------
    ValueError
        If it is not complete, or does not hold every hand.
    """
    if not (book.complete and book.plan.whole):
        raise ValueError(f"{str(folder)!r} holds a part of a book: only a whole one can be shipped")


def ways(strategies: Iterable[Strategy]) -> list[tuple]:
    """Return how strategies play, whatever their names."""
    return [(one.policies, one.params, one.functions) for one in strategies]
