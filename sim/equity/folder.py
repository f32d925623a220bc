"""Tables of match equity on disk: ``results/equity-…/``.

A folder holds

``manifest.json``
    The plan by names, whether the table is partial, what was played, timing, versions, digests.
``counters.npz``
    ``counts``, as the game's ``equity.model`` describes them, and ``wanted``, the plan of the round that was
    being played. So a table that goes on where it was killed becomes the same integers as one that nobody
    stopped.
"""

from pathlib import Path
from typing import Any

import numpy as np

from sim.core.game import Counters
from sim.equity.plan import from_dict
from sim.equity.table import Equity
from sim.folders import FORMAT, KIND, ResultFolder, check_digest, compact, reading, write
from sim.folders import save as save_both

EQUITY = "equity"


def save(table: Equity, folder: str | Path) -> Path:
    """Write manifest and counters into a folder, replacing those of an earlier state of the table.

    Raises
    ------
    ValueError
        If another process writes to the folder.
    """
    return save_both(folder, manifest(table), _arrays(table))


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
        written_together = stored["done"] == {"units": table.units}
        promised = stored["digest"]
    if written_together:
        check_digest(folder, EQUITY, table.digest, promised)
    return table


def manifest(table: Equity) -> dict[str, Any]:
    """Return what ``manifest.json`` holds."""
    return {
        "format": FORMAT,
        KIND: EQUITY,
        "game": table.plan.game.name,
        "plan": table.plan.as_dict(),
        "done": {"units": table.units},
        "partial": table.partial,
        "digest": table.digest,
        "timing": {"seconds": table.seconds, "warm_up_seconds": table.warm_up, "jobs": table.jobs},
        "versions": table.versions,
    }


class EquityFolder(ResultFolder):
    """A folder that a table is written to while it is made; see :class:`sim.folders.ResultFolder`."""

    kind = EQUITY

    def load(self) -> Equity:
        """Return the table that the folder holds."""
        return load(self.folder)

    def _write(self, table: Equity) -> None:
        write(self.folder, manifest(table), _arrays(table))


def _arrays(table: Equity) -> Counters:
    """Return the counters, and the plan of the round as arrays."""
    planned = {"wanted": table.wanted, "complete": np.array([table.complete], np.int64)}
    return compact({**table.counters, **planned})
