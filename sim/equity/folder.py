"""Tables of match equity on disk: ``results/equity-…/``.

A folder holds

``manifest.json``
    The plan by names, whether the table is partial, what was played, timing, versions, digest.
``counters.npz``
    ``counts``, as the game's ``equity.model`` describes them, and ``wanted``, the plan of the round that was
    being played. So a table that goes on where it was killed becomes the same integers as one that nobody
    stopped.
"""

from pathlib import Path
from typing import Any

import numpy as np

from sim.equity.plan import from_dict
from sim.equity.table import Equity
from sim.folders import COUNTERS, KIND, MANIFEST, ResultFolder, check_digest, compact, reading, write

EQUITY = "equity"
_FORMAT = 1


def save(table: Equity, folder: str | Path) -> Path:
    """Write manifest and counters into a folder, replacing those of an earlier state of the table."""
    wanted = {"wanted": table.wanted, "complete": np.array([table.complete], np.int64)}
    return write(folder, manifest(table), compact({**table.counters, **wanted}))


def load(folder: str | Path) -> Equity:
    """Read a folder.

    Raises
    ------
    ValueError
        If the folder is none, its counters are not those of its manifest, or the strategy was a user's own
        and cannot be found by name.
    """
    folder = Path(folder)
    with reading(folder, EQUITY) as (stored, arrays):
        timing = stored["timing"]
        table = Equity(
            from_dict(stored["plan"]),
            arrays["counts"].astype(np.int64),
            arrays["wanted"].astype(np.int64),
            bool(arrays["complete"][0]),
            seconds=timing["seconds"],
            warm_up=timing["warm_up_seconds"],
            jobs=timing["jobs"],
            versions=stored["versions"],
        )
        # A process killed between writing the two files leaves an older manifest behind.
        written_together = stored["units"] == table.units
        promised = stored["digest"]
    if written_together:
        check_digest(folder, EQUITY, table.digest, promised)
    return table


def manifest(table: Equity) -> dict[str, Any]:
    """Return what ``manifest.json`` holds."""
    return {
        "format": _FORMAT,
        KIND: EQUITY,
        "game": table.plan.game.name,
        "plan": table.plan.as_dict(),
        "units": table.units,
        "partial": table.partial,
        "digest": table.digest,
        "timing": {"seconds": table.seconds, "warm_up_seconds": table.warm_up, "jobs": table.jobs},
        "versions": table.versions,
    }


class EquityFolder(ResultFolder):
    """A folder that a table is written to while it is made.

    Parameters
    ----------
    folder : path
        Where; it must not hold anything yet, unless ``force`` or ``resume`` is given.
    force : bool
        Throw away the table that the folder holds.
    resume : bool
        Go on with the partial table that the folder holds.

    Raises
    ------
    ValueError
        If the folder holds something and neither was given, or nothing to resume.
    """

    def __init__(self, folder: str | Path, force: bool = False, resume: bool = False):
        self.resumed = load(folder) if resume else None
        super().__init__(folder, EQUITY, (MANIFEST, COUNTERS), force, resume)

    def checkpoint(self, table: Equity) -> None:
        """Write the table so far."""
        save(table, self.folder)
