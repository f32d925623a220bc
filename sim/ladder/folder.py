"""Ladders on disk: ``results/ladder-…/``.

A ladder folder holds

``manifest.json``
    The plan by names, whether the ladder is partial, what is done, timing, versions, digests.
``counters.npz``
    The counters of :mod:`sim.ladder.ladder`, one entry a cell, and those of each rung's
    own table after ``table.`` and its number. So a ladder that goes on where it was killed becomes
    the same integers as one that nobody stopped.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from sim.core.game import find_game
from sim.folders import FORMAT, KIND, ResultFolder, check_digest, compact, reading, write
from sim.folders import save as save_both
from sim.ladder.ladder import Ladder
from sim.ladder.parts import blank
from sim.ladder.plan import LadderPlan, from_dict
from sim.results import Run, from_arrays

LADDER = "ladder"


def save(ladder: Ladder, folder: str | Path) -> Path:
    """Write manifest and counters into a folder, replacing those of an earlier state of the ladder.

    Raises
    ------
    ValueError
        If another process writes to the folder.
    """
    return save_both(folder, manifest(ladder), compact(ladder.arrays))


def load(folder: str | Path) -> Ladder:
    """Read a ladder folder.

    Raises
    ------
    ValueError
        If the folder is none, its counters are not those of its manifest, or a strategy was a user's own
        and cannot be found by name.
    """
    folder = Path(folder)
    with reading(folder, LADDER) as (stored, arrays):
        plan = from_dict(find_game(stored["game"]), stored["plan"])
        arrays = {name: array.astype(np.int64) for name, array in arrays.items()}
        timing = stored["timing"]
        ladder = Ladder(
            plan,
            {name: arrays[name] for name in blank(plan.model, 0)},
            tuple(_table(plan, rung, arrays, stored["versions"]) for rung in range(len(plan.strategies))),
            seconds=timing["seconds"],
            warm_up=timing["warm_up_seconds"],
            jobs=timing["jobs"],
            versions=stored["versions"],
        )
        # A process killed between writing the two files leaves an older manifest behind.
        written_together = stored["done"] == _done(ladder)
        promised = stored["digest"]
    if written_together:
        check_digest(folder, LADDER, ladder.digest, promised)
    return ladder


def manifest(ladder: Ladder) -> dict[str, Any]:
    """Return what ``manifest.json`` holds."""
    return {
        "format": FORMAT,
        KIND: LADDER,
        "game": ladder.game.name,
        "plan": ladder.plan.as_dict(),
        "played": ladder.units,
        "done": _done(ladder),
        "partial": ladder.partial,
        "digest": ladder.digest,
        "timing": {"seconds": ladder.seconds, "warm_up_seconds": ladder.warm_up, "jobs": ladder.jobs},
        "versions": ladder.versions,
    }


class LadderFolder(ResultFolder):
    """A folder that a ladder is written to while it is played; see :class:`sim.folders.ResultFolder`."""

    kind = LADDER

    def load(self) -> Ladder:
        """Return the ladder that the folder holds."""
        return load(self.folder)

    def _write(self, ladder: Ladder) -> None:
        write(self.folder, manifest(ladder), compact(ladder.arrays))


def _done(ladder: Ladder) -> dict[str, list[int]]:
    """Return the matches of each cell, and the matches and hands of each table."""
    return {
        "cells": ladder.matches.tolist(),
        "matches": [run.matches for run in ladder.tables],
        "hands": [run.hands for run in ladder.tables],
    }


def _table(plan: LadderPlan, rung: int, arrays: Mapping[str, np.ndarray], made_with: dict[str, str]) -> Run:
    """Rebuild the run of a rung's own table."""
    prefix = f"table.{rung}."
    own = {name.removeprefix(prefix): a for name, a in arrays.items() if name.startswith(prefix)}
    return from_arrays(plan.table(rung).as_dict(), own, versions=made_with)
