"""Per-deal rows on disk: pieces while the run is played, one parquet file at the end.

Rows are written as they come, a row group a piece of play, so that memory stays bounded. At a checkpoint
the file they are in is closed and moved to ``rows.pieces/FIRST-END.parquet``, the deals (rounds) FIRST to
END - 1, just before the counters that count them are written. So after a kill at any moment the pieces
hold at least the counted deals, and what they hold beyond is removed and played again.
"""

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sim.folders import named, remove, replace

ROWS, PIECES = "rows.parquet", "rows.pieces"
_NAME = re.compile(r"(\d+)-(\d+)\.parquet")
_WAY_OUT = "--no-rows goes on without rows"


class RowPieces:
    """The rows of a run folder that is being written.

    Parameters
    ----------
    folder : Path
        The run folder.
    """

    def __init__(self, folder: Path):
        self._place, self._folder = folder / ROWS, folder / PIECES
        self._next = self._folder / "next.part"
        self._writer: pq.ParquetWriter | None = None
        self._landed = self._end = 0

    def take_over(self, units: int) -> None:
        """Start with the rows of a run that has counted so many deals.

        Raises
        ------
        ValueError
            If they are not all there; nothing is changed then.
        """
        if self._place.exists():
            self._split(units)
        else:
            kept = self._chain(units)
            for path in self._folder.iterdir() if self._folder.exists() else ():
                if path not in kept:
                    remove(path)
        self._landed = self._end = units

    def write(self, columns: Mapping[str, np.ndarray]) -> None:
        """Append one row group."""
        table = pa.table({name: _column(values) for name, values in columns.items()})
        with named(self._next):
            if self._writer is None:
                self._folder.mkdir(exist_ok=True)
                self._writer = pq.ParquetWriter(self._next, table.schema, compression="zstd")
            self._writer.write_table(table)
        self._end += table.num_rows

    def land(self, units: int) -> None:
        """Close the piece with the rows up to so many deals.

        Raises
        ------
        ValueError
            If the rows written are not those of so many deals.
        """
        if self._end != units:
            raise ValueError(f"{self._end} rows were written of {units} deals: every piece's are needed")
        if self._writer is not None:
            with named(self._next):
                self._writer.close()
                os.replace(self._next, self._piece(self._landed, units))
            self._writer, self._landed = None, units

    def assemble(self) -> None:
        """Put the pieces together as one file, a row group at a time, and remove them."""
        pieces = self._chain(self._landed)
        if len(pieces) == 1:
            os.replace(pieces[0], self._place)
        elif pieces:
            replace(self._place, lambda path: _join(pieces, path))
        remove(self._folder)

    def discard(self) -> None:
        """Throw away what was written since the last piece."""
        if self._writer is not None:
            with suppress(OSError):
                self._writer.close()
            self._writer = None
            self._next.unlink(missing_ok=True)

    def _split(self, units: int) -> None:
        """Make the one file of an interrupted run its first piece."""
        if (found := _length(self._place)) != units:
            raise ValueError(
                f"cannot go on with rows: {str(self._place)!r} has {found} rows, the run counted {units};"
                f" {_WAY_OUT}"
            )
        remove(self._folder)
        self._folder.mkdir()
        os.replace(self._place, self._piece(0, units))

    def _chain(self, units: int) -> list[Path]:
        """Return the pieces of the first so many deals, in order."""
        by_first = {}
        for path in self._folder.glob("*.parquet"):
            if name := _NAME.fullmatch(path.name):
                by_first[int(name[1])] = int(name[2]), path
        chain, end = [], 0
        while end < units:
            after, path = by_first.get(end, (end, self._folder))
            if not end < after <= units or _length(path) != after - end:
                raise ValueError(
                    f"cannot go on with rows: those from deal {end} on are missing in {str(self._folder)!r};"
                    f" {_WAY_OUT}"
                )
            chain.append(path)
            end = after
        return chain

    def _piece(self, first: int, end: int) -> Path:
        return self._folder / f"{first:014d}-{end:014d}.parquet"


def _length(path: Path) -> int:
    """Return the rows that a file holds; -1 if it is broken."""
    try:
        return pq.read_metadata(path).num_rows
    except (OSError, pa.ArrowInvalid):
        return -1


def _join(pieces: list[Path], path: Path) -> None:
    with pq.ParquetFile(pieces[0]) as first:
        schema = first.schema_arrow
    with pq.ParquetWriter(path, schema, compression="zstd") as joined:
        for piece in pieces:
            with pq.ParquetFile(piece) as stored:
                for group in range(stored.num_row_groups):
                    joined.write_table(stored.read_row_group(group))


def _column(values: np.ndarray) -> pa.Array:
    return pa.array(values).dictionary_encode() if values.dtype == object else pa.array(values)
