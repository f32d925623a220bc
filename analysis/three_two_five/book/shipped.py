"""The opening book that comes with the package: every hand of a first deal, three players of ``heuristic``.

``data/book.parquet`` holds its table, packed as :mod:`analysis.three_two_five.book.packed` says, and
``data/book.json`` the manifest of the book that it was made from. ``make book`` makes both again, and with
them the verdicts that players look up (:mod:`sim.three_two_five.thinking.opening`); the digest must be
the one in the manifest.
"""

import json
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from analysis.three_two_five.book.book import book_table
from analysis.three_two_five.book.packed import pack, unpack
from sim.folders import SETTINGS_DIGEST, check_settings, replace, settings_digest
from sim.three_two_five.book.completions import OPTIONS
from sim.three_two_five.book.folder import load, manifest
from sim.three_two_five.book.plan import BookPlan, from_dict
from sim.three_two_five.thinking.opening import VERDICTS, verdicts

_DATA = Path(__file__).parent / "data"
TABLE, MANIFEST = _DATA / "book.parquet", _DATA / "book.json"
_PROVENANCE = "provenance"
_LEFT_OUT = ("format", "done", "partial")


def shipped_manifest() -> dict[str, Any] | None:
    """Return the manifest of the shipped book; None if the package came without one.

    Raises
    ------
    ValueError
        If what it says of the book was changed.
    """
    if not (TABLE.exists() and MANIFEST.exists()):
        return None
    found = json.loads(MANIFEST.read_text(encoding="utf-8"))
    check_settings(MANIFEST, found)
    return found


def shipped_plan() -> BookPlan | None:
    """Return the plan of the shipped book; None if the package came without one."""
    found = shipped_manifest()
    return from_dict(found["plan"]) if found else None


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
    found = shipped_manifest()
    if found is None:
        raise ValueError("no opening book came with this package: make one with `dealworth book`")
    stored = _stored() if classes is None else _stored().take(list(classes))
    table = unpack(stored.to_pandas())
    table.attrs[_PROVENANCE] = found[_PROVENANCE]
    return table


@lru_cache(maxsize=1)
def _stored() -> pa.Table:
    return pq.read_table(TABLE)


def ship(folder: str | Path) -> None:
    """Make the book in a folder the one that comes with the package.

    Raises
    ------
    ValueError
        If it is not complete, or does not hold every hand.
    """
    book = load(folder)
    if not (book.complete and book.plan.whole):
        raise ValueError(f"{str(folder)!r} holds a part of a book: only a whole one can be shipped")
    table = book_table(book)
    stored = pa.Table.from_pandas(pack(table), preserve_index=False)
    _DATA.mkdir(exist_ok=True)
    replace(TABLE, lambda path: pq.write_table(stored, path, compression="zstd", compression_level=19))
    described = {name: value for name, value in manifest(book).items() if name not in _LEFT_OUT}
    described[_PROVENANCE] = table.attrs[_PROVENANCE]
    described[SETTINGS_DIGEST] = settings_digest(described)
    text = json.dumps(described, indent=2, ensure_ascii=False)
    replace(MANIFEST, lambda path: path.write_text(text + "\n", encoding="utf-8"))
    with_verdicts = verdicts_of(table)
    replace(VERDICTS, lambda path: _save(path, with_verdicts))
    _stored.cache_clear()


def verdicts_of(table: pd.DataFrame) -> np.ndarray:
    """Return the best option of every first hand, as players look it up, from a table of all classes."""
    return verdicts(np.array([OPTIONS.index(name) for name in table["best"]]))


def _save(path: Path, array: np.ndarray) -> None:
    # By an open file: numpy adds an ending to other names.
    with path.open("wb") as file:
        np.save(file, array)
