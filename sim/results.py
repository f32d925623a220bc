"""A run's results, in memory and on disk.

A run folder holds

``manifest.json``
    What was played (game, rules, strategies, seed, counts), with which versions, how long it took,
    whether it is partial, and the digest of the counters.
``counters.npz``
    The integer counters by name, those of the option study with the prefix ``study.``.
``rows.parquet``
    Only where asked for: one row a deal.

Files appear whole or not at all: each is written beside its place and moved there.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sim.core.game import Counters, Experiment, Game, find_game
from sim.experiment import from_dict
from sim.folders import (
    COUNTERS,
    MANIFEST,
    RUN,
    ResultFolder,
    check_digest,
    counters_digest,
    reading,
    versions,
    write,
)

ROWS = "rows.parquet"
_STUDY = "study."
_DONE = "done"
"""Array in the counters' file: matches, units, hands. A process killed between writing that file and the
manifest leaves the manifest behind; the counters carry their own numbers, so nothing is lost."""
_FORMAT = 1


@dataclass(repr=False)
class Run:
    """Counters of an experiment, all of it or the first part.

    Parameters
    ----------
    description : dict
        The experiment by names, as :meth:`Experiment.as_dict` gives it.
    counters : dict of str to int64 array
        Sums over matches; the game's ``tally`` module documents them.
    study : dict of str to list of int64 array
        Counters of the option study, in pieces, one entry a hand; see :meth:`study_counters`.
    matches, units, hands : int
        How many are in them.
    seconds, warm_up : float
        Time playing, and time compiling and warming up before.
    jobs : int
        Jobs of the last session.
    versions : dict of str to str
        Of the libraries that made it.
    """

    description: dict[str, Any]
    counters: Counters
    study: dict[str, list[np.ndarray]] = field(default_factory=dict)
    matches: int = 0
    units: int = 0
    hands: int = 0
    seconds: float = 0.0
    warm_up: float = 0.0
    jobs: int = 1
    versions: dict[str, str] = field(default_factory=versions)

    def __repr__(self) -> str:
        of = ", ".join(self.strategies)
        part = ", partial" if self.partial else ""
        counted = f"{self.units:,} {self.game.unit}s in {self.matches:,} matches, {self.hands:,} hands"
        return f"<Run of {self.game.title}: {counted}, {of}, seed {self.description['seed']}{part}>"

    @classmethod
    def blank(cls, experiment: Experiment) -> "Run":
        """Return a run of nothing yet."""
        return cls(experiment.as_dict(), experiment.game.blank(experiment))

    def copy(self) -> "Run":
        """Return a run that can be added to without changing this one."""
        return Run(
            self.description,
            {name: counter.copy() for name, counter in self.counters.items()},
            {name: list(pieces) for name, pieces in self.study.items()},
            self.matches,
            self.units,
            self.hands,
            self.seconds,
            self.warm_up,
            self.jobs,
            self.versions,
        )

    @property
    def partial(self) -> bool:
        """Whether less was played than described."""
        return self.matches < self.description["matches"] or self.hands < self.description["hands"]

    @property
    def game(self) -> Game:
        """Return the game that was played."""
        return find_game(self.description["game"])

    @property
    def rules(self) -> Any:
        """Return the rules it was played by."""
        return self.game.rules_type.from_options(dict(self.description["rules"]))

    @property
    def strategies(self) -> list[str]:
        """Names of the strategies by player."""
        return list(self.description["strategies"])

    @property
    def experiment(self) -> Experiment:
        """Rebuild the experiment.

        Raises
        ------
        ValueError
            If a strategy was a user's own and cannot be found by name.
        """
        return from_dict(self.description)

    def study_counters(self) -> Counters:
        """Return the counters of the option study; empty if there was none."""
        return {name: np.concatenate(pieces) for name, pieces in self.study.items()}

    @property
    def digest(self) -> str:
        """Hash of all integer counters; equal for equal results on any machine."""
        return counters_digest(_named(self))

    def manifest(self) -> dict[str, Any]:
        """Return what ``manifest.json`` holds."""
        return {
            "format": _FORMAT,
            **self.description,
            "done": {"matches": self.matches, "units": self.units, "hands": self.hands},
            "partial": self.partial,
            "digest": self.digest,
            "timing": {"seconds": self.seconds, "warm_up_seconds": self.warm_up, "jobs": self.jobs},
            "versions": self.versions,
        }


def _named(run: Run) -> Counters:
    return {**run.counters, **{_STUDY + name: counter for name, counter in run.study_counters().items()}}


def to_arrays(run: Run) -> Counters:
    """Return all counters of a run by name, and how much is in them, as :func:`from_arrays` reads them."""
    done = np.array([run.matches, run.units, run.hands], np.int64)
    return {_DONE: done, **_named(run)}


def from_arrays(description: dict[str, Any], arrays: Counters, **more: Any) -> Run:
    """Rebuild a run.

    Parameters
    ----------
    description : dict
        As :meth:`Experiment.as_dict` gives it.
    arrays : dict of str to int64 array
        As :func:`to_arrays` gives them.
    **more
        Further fields of the run.

    Raises
    ------
    KeyError
        If the arrays do not say how much is in them.
    """
    matches, units, hands = arrays[_DONE].tolist()
    counted = {name: array for name, array in arrays.items() if name != _DONE}
    return Run(
        description,
        {name: array for name, array in counted.items() if not name.startswith(_STUDY)},
        {name.removeprefix(_STUDY): [a] for name, a in counted.items() if name.startswith(_STUDY)},
        matches,
        units,
        hands,
        **more,
    )


def load(folder: str | Path) -> Run:
    """Read a run folder.

    Raises
    ------
    ValueError
        If the folder is none, or its counters are not those of its manifest.
    """
    folder = Path(folder)
    with reading(folder, RUN) as (manifest, arrays):
        run = from_arrays(
            {name: manifest[name] for name in _DESCRIPTION},
            arrays,
            seconds=manifest["timing"]["seconds"],
            warm_up=manifest["timing"]["warm_up_seconds"],
            jobs=manifest["timing"]["jobs"],
            versions=manifest["versions"],
        )
        done = {"matches": run.matches, "units": run.units, "hands": run.hands}
        written_together = done == manifest["done"]
        digest, promised = run.digest, manifest["digest"]
    if written_together:
        check_digest(folder, RUN, digest, promised)
    return run


_DESCRIPTION = ("game", "rules", "strategies", "seed", "units", "matches", "hands", "completions")


def save(run: Run, folder: str | Path) -> Path:
    """Write manifest and counters into a folder, replacing those of an earlier state of the run."""
    return write(folder, run.manifest(), to_arrays(run))


class RunFolder(ResultFolder):
    """A folder that a run is written to while it is played.

    Parameters
    ----------
    folder : path
        Where; it must not hold anything yet, unless ``force`` or ``resume`` is given.
    force : bool
        Throw away what the folder holds.
    resume : bool
        Go on with the partial run that the folder holds.
    keep_rows : bool
        Also write per-deal rows.

    Raises
    ------
    ValueError
        If the folder holds something and neither was given, or nothing to resume.
    """

    def __init__(
        self, folder: str | Path, force: bool = False, resume: bool = False, keep_rows: bool = False
    ):
        self.resumed = load(folder) if resume else None
        super().__init__(folder, RUN, (MANIFEST, COUNTERS, ROWS), force, resume)
        self._rows = _RowFile(self.folder / ROWS) if keep_rows else None
        _RowFile(self.folder / ROWS).clear_away()
        if self.resumed and self._rows:
            self._rows.take_over(self.resumed.units)

    def add_rows(self, columns: Counters) -> None:
        """Append the rows of one piece; they are on disk, not in memory, afterwards."""
        assert self._rows is not None
        self._rows.write(columns)

    def checkpoint(self, run: Run) -> None:
        """Write the run so far."""
        save(run, self.folder)

    def finish(self, run: Run) -> Path:
        """Write the run for good and put the rows in place."""
        if self._rows:
            self._rows.close()
        return save(run, self.folder)

    def abandon(self) -> None:
        """Leave nothing half-written: remove what this run has put there."""
        if self._rows:
            self._rows.discard()
        super().abandon()


class _RowFile:
    """One parquet file written in row groups, so that memory stays bounded."""

    def __init__(self, path: Path):
        self.path = path
        self._part = path.with_name(path.name + ".part")
        self._writer: pq.ParquetWriter | None = None

    def clear_away(self) -> None:
        """Remove what a killed process has left unfinished."""
        self._part.unlink(missing_ok=True)

    def write(self, columns: Mapping[str, np.ndarray]) -> None:
        """Append one row group."""
        self._append(pa.table({name: _column(values) for name, values in columns.items()}))

    def take_over(self, units: int) -> None:
        """Start with the rows of the run that is resumed.

        Raises
        ------
        ValueError
            If the file does not hold exactly the deals that were counted.
        """
        try:
            stored = pq.ParquetFile(self.path)
        except (OSError, pa.ArrowInvalid):
            raise ValueError(f"cannot resume with rows: {str(self.path)!r} is missing or broken") from None
        if stored.metadata.num_rows != units:
            raise ValueError(
                f"cannot resume with rows: {str(self.path)!r} has {stored.metadata.num_rows} rows,"
                f" the run counted {units}"
            )
        for group in range(stored.num_row_groups):
            self._append(stored.read_row_group(group))

    def _append(self, table: pa.Table) -> None:
        if self._writer is None:
            self._writer = pq.ParquetWriter(self._part, table.schema, compression="zstd")
        self._writer.write_table(table)

    def close(self) -> None:
        """Finish the file and move it to its place."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None
            os.replace(self._part, self.path)

    def discard(self) -> None:
        """Throw away what was written."""
        if self._writer is not None:
            self._writer.close()
            self._part.unlink(missing_ok=True)


def _column(values: np.ndarray) -> pa.Array:
    return pa.array(values).dictionary_encode() if values.dtype == object else pa.array(values)
