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

import hashlib
import json
import os
import platform
import shutil
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sim.core.game import Counters, Game
from sim.experiment import Experiment, from_dict
from sim.games import find_game

MANIFEST, COUNTERS, ROWS = "manifest.json", "counters.npz", "rows.parquet"
_STUDY = "study."
_DONE = "done"
"""Array in the counters' file: matches, units, hands. A process killed between writing that file and the
manifest leaves the manifest behind; the counters carry their own numbers, so nothing is lost."""
_LIBRARIES = ("dealworth", "numpy", "numba", "llvmlite", "joblib", "pandas", "pyarrow")
_FORMAT = 1


@dataclass
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
    versions: dict[str, str] = field(default_factory=lambda: _versions())

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
        digest = hashlib.sha256()
        for name, counter in sorted(_named(self).items()):
            digest.update(f"{name}{counter.shape}".encode())
            digest.update(np.ascontiguousarray(counter, dtype="<i8").tobytes())
        return digest.hexdigest()[:32]

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


def _versions() -> dict[str, str]:
    """Versions of what makes a run, for its manifest."""
    found = {"python": platform.python_version(), "machine": platform.machine()}
    for name in _LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def load(folder: str | Path) -> Run:
    """Read a run folder.

    Raises
    ------
    ValueError
        If the folder is none, or its counters are not those of its manifest.
    """
    folder = Path(folder)
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        # Opened here: numpy leaves the file of a broken archive open.
        with (folder / COUNTERS).open("rb") as stream, np.load(stream) as stored:
            arrays = {name: stored[name] for name in stored.files}
        done = dict(zip(("matches", "units", "hands"), arrays.pop(_DONE).tolist(), strict=True))
        run = Run(
            description={name: manifest[name] for name in _DESCRIPTION},
            counters={name: array for name, array in arrays.items() if not name.startswith(_STUDY)},
            study={name.removeprefix(_STUDY): [a] for name, a in arrays.items() if name.startswith(_STUDY)},
            **done,
            seconds=manifest["timing"]["seconds"],
            warm_up=manifest["timing"]["warm_up_seconds"],
            jobs=manifest["timing"]["jobs"],
            versions=manifest["versions"],
        )
        written_together = done == manifest["done"]
        digest, promised = run.digest, manifest["digest"]
    except FileNotFoundError:
        raise ValueError(f"{str(folder)!r} is no run folder: it needs {MANIFEST} and {COUNTERS}") from None
    except (OSError, EOFError, KeyError, TypeError, ValueError, zipfile.BadZipFile) as error:
        raise ValueError(f"run folder {str(folder)!r} cannot be read: {error}") from None
    if written_together and digest != promised:
        raise ValueError(f"run folder {str(folder)!r}: {COUNTERS} does not have the digest of {MANIFEST}")
    return run


_DESCRIPTION = ("game", "rules", "strategies", "seed", "units", "matches", "hands", "completions")


def save(run: Run, folder: str | Path) -> Path:
    """Write manifest and counters into a folder, replacing those of an earlier state of the run."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    _replace(folder / COUNTERS, lambda path: _write_counters(path, run))
    text = json.dumps(run.manifest(), indent=2, ensure_ascii=False) + "\n"
    _replace(folder / MANIFEST, lambda path: path.write_text(text, encoding="utf-8"))
    return folder


class RunFolder:
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
        self.folder = Path(folder)
        self.resumed = load(self.folder) if resume else None
        self._rows = _RowFile(self.folder / ROWS) if keep_rows else None
        self._fresh = not self.folder.exists()
        if self.resumed is None:
            _claim(self.folder, force)
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
        if self._fresh and not (self.folder / MANIFEST).exists():
            shutil.rmtree(self.folder, ignore_errors=True)


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


def _claim(folder: Path, force: bool) -> None:
    """Make the folder ours, or refuse."""
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{str(folder)!r} is a file, not a folder")
    if folder.exists() and any(folder.iterdir()):
        if not force:
            raise ValueError(
                f"{str(folder)!r} exists already: choose another folder, or --force to replace it"
            )
        if not (folder / MANIFEST).exists():
            raise ValueError(f"{str(folder)!r} is not a run folder, so --force will not replace it")
        for name in (MANIFEST, COUNTERS, ROWS):
            (folder / name).unlink(missing_ok=True)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"cannot create {str(folder)!r}: {error.strerror}") from None


def _replace(path: Path, write: Any) -> None:
    """Write a file beside its place and move it there in one step."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        write(part)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def _write_counters(path: Path, run: Run) -> None:
    done = np.array([run.matches, run.units, run.hands], np.int64)
    with path.open("wb") as stream:
        np.savez(stream, **{_DONE: done}, **_named(run))
