"""The tables of match equity that come with the package: two and four players of ``heuristic``, target 61.

``data/equity-P.parquet`` holds the table for P players and ``data/equity-P.json`` the manifest of the counts
that it was made from. ``make equity`` makes both again; the digest must be the one in the manifest.
"""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from analysis.fives_and_threes.equity.table import equity_table
from sim.equity.folder import load, manifest
from sim.equity.plan import EquityPlan, from_dict
from sim.folders import SETTINGS_DIGEST, check_settings, replace, settings_digest

_DATA = Path(__file__).parent / "data"
_PROVENANCE = "provenance"
_LEFT_OUT = ("format", "done", "partial")
_TYPES = {"starter": np.int16, "other": np.int16, "chance": np.float32, "se": np.float32, "rounds": np.int32}


def shipped_manifest(players: int) -> dict[str, Any] | None:
    """Return the manifest of the shipped table for so many players; None if there is none.

    Raises
    ------
    ValueError
        If what it says of the table was changed.
    """
    table, described = _files(players)
    if not (table.exists() and described.exists()):
        return None
    found = json.loads(described.read_text(encoding="utf-8"))
    check_settings(described, found)
    return found


def shipped_plan(players: int) -> EquityPlan | None:
    """Return the plan of the shipped table for so many players; None if there is none."""
    found = shipped_manifest(players)
    return from_dict(found["plan"]) if found else None


def shipped_equity(players: int = 2) -> pd.DataFrame:
    """Return a shipped table.

    Parameters
    ----------
    players : {2, 4}
        How many play.

    Returns
    -------
    DataFrame
        As :func:`analysis.fives_and_threes.equity.table.equity_table` gives it, but for the rounding.

    Raises
    ------
    ValueError
        If no table for so many players came with the package.
    """
    found = shipped_manifest(players)
    if found is None:
        raise ValueError(f"no table of match equity for {players} players came with this package")
    table = _stored(players).copy()
    table.attrs[_PROVENANCE] = found[_PROVENANCE]
    return table


@lru_cache(maxsize=2)
def _stored(players: int) -> pd.DataFrame:
    return pq.read_table(_files(players)[0]).to_pandas().astype({"chance": np.float64, "se": np.float64})


def ship(folder: str | Path) -> None:
    """Make the table in a folder the one that comes with the package for its number of players.

    Raises
    ------
    ValueError
        If it is not complete, or not by the usual rules for two or four players.
    """
    made = load(folder)
    plan = made.plan
    usual = plan.rules == plan.game.rules_type(players=plan.rules.players)
    if made.partial or not usual:
        raise ValueError(f"{str(folder)!r}: only a whole table by the usual rules can be shipped")
    table = equity_table(made)
    stored = pa.Table.from_pandas(table.astype(_TYPES), preserve_index=False)
    where, described = _files(plan.rules.players)
    _DATA.mkdir(exist_ok=True)
    replace(where, lambda path: pq.write_table(stored, path, compression="zstd", compression_level=19))
    kept = {name: value for name, value in manifest(made).items() if name not in _LEFT_OUT}
    kept[_PROVENANCE] = table.attrs[_PROVENANCE]
    kept[SETTINGS_DIGEST] = settings_digest(kept)
    text = json.dumps(kept, indent=2, ensure_ascii=False)
    replace(described, lambda path: path.write_text(text + "\n", encoding="utf-8"))
    _stored.cache_clear()


def _files(players: int) -> tuple[Path, Path]:
    stem = f"equity-{players}"
    return _DATA / f"{stem}.parquet", _DATA / f"{stem}.json"
