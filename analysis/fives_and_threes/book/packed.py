"""The table of an opening book in few bytes: whole numbers of steps that are small against the errors."""

import numpy as np
import pandas as pd

from analysis.book.packed import in_steps, pack_options, unpack_options
from analysis.book.table import LEVEL
from analysis.fives_and_threes.book.book import option_names, tiles_of, verdicts

STEPS = {"value": 5e-3, "se": 2e-3, "loss_se": 2e-3, "best": 5e-3}
"""Step of what is stored for each tile. Values have errors of 0.02 and more."""
_CHANCE = 1e-4
_NAMED = ("best", "second", "found")


def pack(table: pd.DataFrame) -> pd.DataFrame:
    """Round the table of a book and leave out what follows from the rest.

    Parameters
    ----------
    table : DataFrame
        As :func:`analysis.fives_and_threes.book.book.book_table` gives it.

    Returns
    -------
    DataFrame
        Integers; :func:`unpack` is the way back.
    """
    size = _size(table)
    names = tiles_of(table["cards"].to_numpy(), size)
    packed = {
        "cards": table["cards"].to_numpy(np.int32),
        **{
            name: (names == table[name].to_numpy()[:, None]).argmax(axis=1).astype(np.uint8)
            for name in _NAMED
        },
        **{name: in_steps(table[name].to_numpy(), name, _CHANCE, np.uint16) for name in ("lfsr", "wrong")},
        **pack_options(table, option_names(size), STEPS),
    }
    return pd.DataFrame(packed)


def unpack(packed: pd.DataFrame, level: float = LEVEL) -> pd.DataFrame:
    """Return the table of a book, rounded, from what :func:`pack` left of it.

    Parameters
    ----------
    packed : DataFrame
        What was stored, or some rows of it.
    level : float
        Chance to be wrong that a verdict may have.
    """
    size, rows = _size(packed), np.arange(len(packed))
    names = tiles_of(packed["cards"].to_numpy(np.int64), size)
    best, second, found = (packed[name].to_numpy(np.int64) for name in _NAMED)
    each = unpack_options(packed, option_names(size), STEPS, best)
    lfsr, wrong = (packed[name].to_numpy() * _CHANCE for name in ("lfsr", "wrong"))
    loss, loss_se = (
        np.column_stack([each[f"{quantity}_{name}"] for name in option_names(size)])
        for quantity in ("loss", "loss_se")
    )
    table = {
        "hand": [" ".join(tiles) for tiles in names],
        "cards": packed["cards"].to_numpy(np.int64),
        "weight": np.ones(len(packed), np.int64),
        "best": names[rows, best],
        "second": names[rows, second],
        "difference": loss[rows, second],
        "difference_se": loss_se[rows, second],
        "lfsr": lfsr,
        "found": names[rows, found],
        "wrong": wrong,
        "verdict": verdicts(names[rows, best], wrong, level),
        **each,
    }
    return pd.DataFrame(table)


def _size(table: pd.DataFrame) -> int:
    """Return the number of tiles of a table's hands."""
    return int(table["cards"].iloc[0]).bit_count()
