"""The table of match equity that comes with the package: three players of ``heuristic``, the usual rules.

``data`` is a folder as :mod:`sim.equity.folder` describes it: the outcomes of deals from every row of debts,
from which any chance follows in about a second. ``make equity`` plays it again; the digest must be the one in
the manifest.
"""

from functools import lru_cache
from pathlib import Path

from sim.equity.folder import load, save
from sim.equity.table import Equity
from sim.folders import MANIFEST

FOLDER = Path(__file__).parent / "data"


def shipped_equity() -> Equity | None:
    """Return the shipped table; None if the package came without one."""
    return _stored(FOLDER) if (FOLDER / MANIFEST).exists() else None


@lru_cache(maxsize=1)
def _stored(folder: Path) -> Equity:
    return load(folder)


def ship(folder: str | Path) -> None:
    """Make the table in a folder the one that comes with the package.

    Raises
    ------
    ValueError
        If it is not complete, or not by the usual rules.
    """
    made = load(folder)
    if made.partial or made.plan.rules != made.plan.game.rules_type():
        raise ValueError(f"{str(folder)!r}: only a whole table by the usual rules can be shipped")
    save(made, FOLDER)
    _stored.cache_clear()
