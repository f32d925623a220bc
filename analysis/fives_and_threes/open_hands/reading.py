"""Tiles, players, ends and scores of a record of Fives and Threes; what is of another form is named."""

import json
from typing import Any

from analysis.records import listed, shown
from sim.fives_and_threes.chain import DOUBLE
from sim.fives_and_threes.tiles import NUMBERS, parse_tile, parse_tiles, tile_halves


def player_of(value: Any, where: str, players: int) -> int:
    """Read the number of a player."""
    if isinstance(value, bool) or not isinstance(value, int) or value not in range(players):
        raise ValueError(f"{where} {shown(value)}: valid are the players 0 to {players - 1} (F1)")
    return value


def tile_of(value: Any, where: str) -> int:
    """Read one tile."""
    if not isinstance(value, str):
        raise ValueError(f"{where}: a tile is needed, such as '1|5', not {shown(value)}")
    try:
        return parse_tile(value)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def hand_of(value: Any, where: str) -> int:
    """Read a hand, a text or a list of tiles."""
    if not isinstance(value, str) and not all(isinstance(tile, str) for tile in listed(value, where)):
        raise ValueError(f"{where}: tiles are needed, such as '6|6', not {shown(value)}")
    try:
        return parse_tiles(value)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def end_of(value: Any) -> int:
    """Read one end: an open number, or a double lying across (F5)."""
    text = str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""
    if text in map(str, range(NUMBERS)):
        return int(text)
    try:
        low, high = tile_halves(parse_tile(text))
    except ValueError:
        low, high = 0, 1
    if low != high:
        raise ValueError(f"end {shown(value)}: valid are 0 to 6, or a double such as 6|6 lying across (F5)")
    return low + DOUBLE


def scores_of(value: Any, where: str, sides: int) -> tuple[int, ...]:
    """Read whole numbers from 0, one a side."""
    given = listed(value, where)
    whole = all(isinstance(one, int) and not isinstance(one, bool) and one >= 0 for one in given)
    if not whole or len(given) != sides:
        raise ValueError(f"{where} {shown(value)}: valid are {sides} whole numbers from 0, by side (F14)")
    return tuple(given)


def is_same(value: Any, due: Any) -> bool:
    """Whether a value is what is due as JSON writes it, where neither true nor 1.0 is 1."""
    return json.dumps(value, default=str) == json.dumps(due)
