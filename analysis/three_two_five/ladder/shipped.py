"""The ladder that comes with the package: the usual rungs under the usual rules, at full size.

``data`` is a ladder folder as :mod:`sim.three_two_five.ladder.folder` describes it. ``make ladder``
plays it again; the digest must be the one in the manifest.
"""

from functools import lru_cache
from pathlib import Path

from sim.folders import MANIFEST
from sim.three_two_five.ladder.folder import load, save
from sim.three_two_five.ladder.ladder import Ladder
from sim.three_two_five.ladder.plan import plan_ladder

FOLDER = Path(__file__).parent / "data"


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
    if ladder.partial or ladder.plan != plan_ladder():
        raise ValueError(f"{str(folder)!r} holds another ladder: only the whole usual one can be shipped")
    save(ladder, FOLDER)
    _stored.cache_clear()
