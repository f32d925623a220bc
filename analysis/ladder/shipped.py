"""The ladder that comes with the package: the usual rungs under the usual rules, at full size.

``data`` is a ladder folder as :mod:`sim.three_two_five.ladder.folder` describes it. ``make ladder``
plays it again; the digest must be the one in the manifest. ``data/probe.json`` holds the digest of a first
match of every pair, quick to play again: whether the players still are those of the ladder.
"""

import json
from functools import lru_cache
from pathlib import Path

import numpy as np

from sim.folders import MANIFEST, counters_digest, replace
from sim.three_two_five import kernel
from sim.three_two_five.game import play_rows
from sim.three_two_five.ladder.folder import load, save
from sim.three_two_five.ladder.ladder import Ladder
from sim.three_two_five.ladder.plan import LadderPlan, usual_ladder

FOLDER = Path(__file__).parent / "data"
PROBE = "probe.json"
_FIRST_MATCHES = "first_matches"


def shipped_ladder() -> Ladder | None:
    """Return the shipped ladder; None if the package came without one."""
    return _stored(FOLDER) if (FOLDER / MANIFEST).exists() else None


@lru_cache(maxsize=1)
def _stored(folder: Path) -> Ladder:
    return load(folder)


def ship(folder: str | Path) -> None:
    """Make the ladder in a folder the one that comes with the package.

    Raises
    ------
    ValueError
        If it is not complete, or is not the usual one.
    """
    ladder = load(folder)
    if ladder.partial or ladder.plan != usual_ladder():
        raise ValueError(f"{str(folder)!r} holds another ladder: only the whole usual one can be shipped")
    save(ladder, FOLDER)
    text = json.dumps({_FIRST_MATCHES: first_matches(ladder.plan)}, indent=2)
    replace(FOLDER / PROBE, lambda path: path.write_text(text + "\n", encoding="utf-8"))
    _stored.cache_clear()


def shipped_probe() -> str:
    """Return the digest of first matches that was shipped."""
    return json.loads((FOLDER / PROBE).read_text(encoding="utf-8"))[_FIRST_MATCHES]


def first_matches(plan: LadderPlan) -> str:
    """Play a first match of every pair, the one strategy in the first player's place, and hash its deals."""
    log = np.zeros(kernel.LOG_SIZE, np.int64)
    played = {}
    for one, two in plan.cells:
        rows = np.empty((plan.rules.deals_per_match, kernel.COLUMNS), np.int8)
        play_rows(plan.line_up(one, two, 0), 0, rows, log, traced=False)
        played[f"{one}.{two}"] = rows.astype(np.int64)
    return counters_digest(played)
