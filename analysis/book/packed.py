"""The table of an opening book in few bytes: whole numbers of steps that are small against the errors."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.book.table import Columns, columns

QUANTITIES = ("value", "se", "loss_se", "best")
"""What is stored of each option in both games, beside ``n``; its loss follows."""
TYPES: Mapping[str, Any] = {"value": np.int16, "se": np.uint16, "loss_se": np.uint16, "best": np.uint16}


def in_steps(values: np.ndarray, quantity: str, step: float, kind: Any) -> np.ndarray:
    """Round to whole steps.

    Raises
    ------
    ValueError
        If a value is too large to be stored.
    """
    steps, room = np.rint(values / step), np.iinfo(kind)
    if steps.min() < room.min or steps.max() > room.max:
        raise ValueError(f"{quantity} from {values.min():g} to {values.max():g}: too large to be packed")
    return steps.astype(kind)


def pack_options(table: pd.DataFrame, names: Sequence[str], steps: Mapping[str, float]) -> Columns:
    """Round what a table says of each option, by the names of the options' columns."""
    packed: Columns = {}
    for name in names:
        packed[f"n_{name}"] = table[f"n_{name}"].to_numpy(np.int32)
        for quantity in QUANTITIES:
            values = table[f"{quantity}_{name}"].to_numpy()
            packed[f"{quantity}_{name}"] = in_steps(values, quantity, steps[quantity], TYPES[quantity])
    return packed


def unpack_options(
    packed: pd.DataFrame, names: Sequence[str], steps: Mapping[str, float], best: np.ndarray
) -> Columns:
    """Return the columns of each option that :func:`pack_options` rounded; ``best`` is int64 (C,)."""
    value, loss_se = (columns(packed, quantity, names) * steps[quantity] for quantity in ("value", "loss_se"))
    most = value[np.arange(len(packed)), best]
    table: Columns = {}
    for number, name in enumerate(names):
        table |= {
            f"value_{name}": value[:, number],
            f"se_{name}": packed[f"se_{name}"].to_numpy() * steps["se"],
            f"n_{name}": packed[f"n_{name}"].to_numpy(np.int64),
            f"loss_{name}": most - value[:, number],
            f"loss_se_{name}": loss_se[:, number],
            f"best_{name}": packed[f"best_{name}"].to_numpy() * steps["best"],
        }
    return table
