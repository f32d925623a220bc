"""Deals and rounds solved with all hands open, from records of either game.

What a table holds is in the game's own module, :mod:`analysis.three_two_five.open_hands.solved` or
:mod:`analysis.fives_and_threes.open_hands.solved`. A record that names no game is a deal of 3-2-5.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import pandas as pd

from sim.core.game import find_game

_UNNAMED = "three_two_five"


def solved_plays(record: Any) -> pd.DataFrame:
    """Value every card or tile that was played, against the best that could be.

    Parameters
    ----------
    record : mapping
        As ``sim.replay`` returns it, or made by hand; or what the game's ``open_hands`` has read of one.

    Returns
    -------
    DataFrame
        A row a card or tile, as the game's own function of this name has them.

    Raises
    ------
    ValueError
        If the record is not valid.
    """
    return _solved(record).solved_plays(record)


def solved_options(record: Any) -> pd.DataFrame:
    """Value every card or move that was legal, in every position; as :func:`solved_plays`."""
    return _solved(record).solved_options(record)


def solved_position(record: Any, *place: int, **named: int) -> pd.DataFrame:
    """Value every card or move of one position.

    Parameters
    ----------
    record : mapping
        As for :func:`solved_plays`.
    *place, **named : int
        Which position: ``trick`` and ``order`` of 3-2-5, ``move`` of Fives and Threes; the one to be played,
        or the last one, if left out.

    Returns
    -------
    DataFrame
        A row a card or move, the best first.

    Raises
    ------
    ValueError
        If the record is not valid or has no such position.
    """
    return _solved(record).solved_position(record, *place, **named)


def _solved(record: Any) -> Any:
    """Return the module that solves a record."""
    name = record.get("game", _UNNAMED) if isinstance(record, Mapping) else getattr(record, "game", _UNNAMED)
    return import_module(f"analysis.{find_game(str(name)).name}.open_hands.solved")
