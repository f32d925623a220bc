"""A run's results, in memory and on disk.

A run folder holds

``manifest.json``
    What was played (game, rules, strategies, seed, counts, whether with rows), with which versions, how
    long it took, whether it is partial, and the digests of counters and settings.
``counters.npz``
    The integer counters by name, those of the option study with the prefix ``study.``.
``rows.parquet``
    Only where asked for, once the run has ended or was interrupted: one row a deal. Until then they lie in
    pieces (:mod:`sim.rows`).

Files appear whole or not at all: each is written beside its place and moved there.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from sim.core.game import Counters, Experiment, Game, find_game
from sim.experiment import from_dict
from sim.folders import (
    COUNTERS,
    FORMAT,
    MANIFEST,
    ROWS_WANTED,
    RUN,
    ResultFolder,
    check_digest,
    counters_digest,
    reading,
    remove,
    versions,
    write,
)
from sim.folders import save as save_both
from sim.rows import PIECES, ROWS, RowPieces

_STUDY = "study."
_DONE = "done"
"""Array in the counters' file: matches, units, hands. A process killed between writing that file and the
manifest leaves the manifest behind; the counters carry their own numbers, so nothing is lost."""


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

    def manifest(self, rows: bool = False) -> dict[str, Any]:
        """Return what ``manifest.json`` holds of a run that is kept with or without rows."""
        return {
            "format": FORMAT,
            **self.description,
            ROWS_WANTED: rows,
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
    return _load(Path(folder))[0]


def _load(folder: Path) -> tuple[Run, bool]:
    """Read a run folder: the run, and whether it is kept with rows."""
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
        rows = bool(manifest[ROWS_WANTED])
    if written_together:
        check_digest(folder, RUN, digest, promised)
    return run, rows


_DESCRIPTION = ("game", "rules", "strategies", "seed", "units", "matches", "hands", "completions")


def save(run: Run, folder: str | Path) -> Path:
    """Write manifest and counters into a folder, replacing those of an earlier state of the run.

    Raises
    ------
    ValueError
        If another process writes to the folder.
    """
    return save_both(folder, run.manifest(), to_arrays(run))


class RunFolder(ResultFolder):
    """A folder that a run is written to while it is played; see :class:`sim.folders.ResultFolder`.

    Parameters
    ----------
    folder : path
        Where; it must not hold anything yet, unless ``force`` or ``resume`` is given.
    force : bool
        Throw away the run that the folder holds.
    resume : bool
        Go on with the partial run that the folder holds.
    keep_rows : bool, optional
        Also write per-deal rows; by default as the run to resume does. One that has none cannot get
        them; one that has them can lose them.

    Raises
    ------
    ValueError
        If the folder holds something and neither was given, holds nothing to resume or not the rows of it,
        or another process writes to it. Nothing in it is changed.
    """

    kind = RUN
    files = (MANIFEST, COUNTERS, ROWS, PIECES)

    def __init__(
        self,
        folder: str | Path,
        force: bool = False,
        resume: bool = False,
        keep_rows: bool | None = None,
    ):
        self._asked, self._had_rows, self.keeps_rows = keep_rows, False, bool(keep_rows)
        self._rows = RowPieces(Path(folder))
        super().__init__(folder, force, resume)

    def load(self) -> Run:
        """Return the run that the folder holds."""
        run, self._had_rows = _load(self.folder)
        return run

    def add_rows(self, columns: Counters) -> None:
        """Append the rows of one piece; the next checkpoint makes them those of the run."""
        self._rows.write(columns)

    def abandon(self) -> None:
        """Leave nothing half-written: keep the last checkpoint, or remove what was begun."""
        self._rows.discard()
        super().abandon()

    def _write(self, run: Run) -> None:
        if self.keeps_rows:
            self._rows.land(run.units)
        write(self.folder, run.manifest(self.keeps_rows), to_arrays(run))

    def _put_together(self) -> None:
        if self.keeps_rows:
            self._rows.assemble()

    def _is_in_pieces(self) -> bool:
        return (self.folder / PIECES).exists()

    def _unfinished(self) -> Run:
        run = super()._unfinished()
        self.keeps_rows = self._had_rows if self._asked is None else self._asked
        if self.keeps_rows and not self._had_rows:
            raise ValueError(
                f"{str(self.folder)!r} was played without rows: leave out --rows, or play it again with them"
            )
        if self.keeps_rows:
            self._rows.take_over(run.units)
        else:
            self._leave_out_rows(run)
        return run

    def _leave_out_rows(self, run: Run) -> None:
        """Remove the rows, and before that what says that there are any."""
        if self._had_rows:
            self._write(run)
        for name in (ROWS, PIECES):
            remove(self.folder / name)
