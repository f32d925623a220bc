"""The table of an opening book in few bytes: whole numbers of steps that are small against the errors."""

import numpy as np
import pandas as pd

from analysis.book.packed import TYPES, in_steps, pack_options, unpack_options
from analysis.book.table import LEVEL
from analysis.three_two_five.book.book import verdicts
from analysis.three_two_five.book.summary import numbers
from sim.three_two_five.book.completions import OPTIONS
from sim.three_two_five.cards import card_names
from sim.three_two_five.rules import REVEAL

STEPS = {"value": 1e-3, "se": 1e-4, "loss_se": 1e-4, "best": 1e-4, "makes": 1e-4, "tricks": 4e-3}
"""Step of what is stored for each option. What rounding loses, at most half a step, is at most a thirtieth of
the error of a value, and a quarter of that of a share in the distribution of tricks."""
_TYPES = {**TYPES, "makes": np.uint16, "tricks": np.uint8}
_CHANCES = ("lfsr", "wrong_to_call", "wrong_to_reveal")
_NAMED = ("best", "second", "found", "call")
_NAMES = np.array(OPTIONS, object)
_TRICKS = range(11)


def pack(table: pd.DataFrame) -> pd.DataFrame:
    """Round the table of a book and leave out what follows from the rest.

    Parameters
    ----------
    table : DataFrame
        As :func:`analysis.three_two_five.book.book.book_table` gives it.

    Returns
    -------
    DataFrame
        Integers; :func:`unpack` is the way back.
    """
    packed: dict[str, np.ndarray] = {
        "cards": table["cards"].to_numpy(),
        "weight": table["weight"].to_numpy(np.uint8),
        **{name: numbers(table[name]).astype(np.uint8) for name in _NAMED},
        "call_minus_reveal_se": _steps(table["call_minus_reveal_se"].to_numpy(), "loss_se"),
        **{name: _steps(table[name].to_numpy(), "best") for name in _CHANCES},
        **pack_options(table, OPTIONS, STEPS),
    }
    for name in OPTIONS:
        packed[f"makes_{name}"] = _steps(table[f"makes_{name}"].to_numpy(), "makes")
        for taken in _TRICKS:
            column = f"tricks_{name}_{taken}"
            packed[column] = _steps(table[column].to_numpy(), "tricks")
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
    option = {name: packed[name].to_numpy(np.int64) for name in _NAMED}
    chance = {name: _chances(packed[name].to_numpy()) for name in _CHANCES}
    each = unpack_options(packed, OPTIONS, STEPS, option["best"])
    loss, loss_se = (
        np.column_stack([each[f"{quantity}_{name}"] for name in OPTIONS]) for quantity in ("loss", "loss_se")
    )
    rows = np.arange(len(packed))
    table: dict[str, np.ndarray | list[str]] = {
        "hand": [" ".join(card_names(int(cards))) for cards in packed["cards"]],
        "cards": packed["cards"].to_numpy(),
        "weight": packed["weight"].to_numpy(np.int64),
        "best": _NAMES[option["best"]],
        "second": _NAMES[option["second"]],
        "difference": loss[rows, option["second"]],
        "difference_se": loss_se[rows, option["second"]],
        "lfsr": chance["lfsr"],
        "found": _NAMES[option["found"]],
        "call": _NAMES[option["call"]],
        "call_minus_reveal": loss[:, REVEAL] - loss[rows, option["call"]],
        "call_minus_reveal_se": packed["call_minus_reveal_se"].to_numpy() * STEPS["loss_se"],
        "wrong_to_call": chance["wrong_to_call"],
        "wrong_to_reveal": chance["wrong_to_reveal"],
        "verdict": verdicts(chance["wrong_to_call"], chance["wrong_to_reveal"], level),
    }
    table |= each
    for name in OPTIONS:
        table |= _distribution(packed, name)
    return pd.DataFrame(table)


def _distribution(packed: pd.DataFrame, name: str) -> dict[str, np.ndarray]:
    """Columns of how many tricks the five takes with an option."""
    makes, n = packed[f"makes_{name}"].to_numpy() * STEPS["makes"], packed[f"n_{name}"].to_numpy()
    shares = np.column_stack([packed[f"tricks_{name}_{taken}"].to_numpy(np.float64) for taken in _TRICKS])
    shares /= shares.sum(axis=1, keepdims=True)
    return {
        f"makes_{name}": makes,
        f"makes_se_{name}": np.sqrt(makes * (1 - makes) / n),
        **{f"tricks_{name}_{taken}": shares[:, taken] for taken in _TRICKS},
    }


def _steps(values: np.ndarray, quantity: str) -> np.ndarray:
    return in_steps(values, quantity, STEPS[quantity], _TYPES[quantity])


def _chances(steps: np.ndarray) -> np.ndarray:
    return steps * STEPS["best"]
