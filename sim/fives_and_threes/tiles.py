"""The double-six set as bits, and the ways people write its tiles.

A set of tiles is an int64 mask of 28 bits. The bits follow the triangle of the set, by higher half and
then by lower half: 0|0, 0|1, 1|1, 0|2, 1|2, 2|2, … 6|6.
"""

import re
from collections.abc import Iterable

import numpy as np

NUMBERS = 7
TILES = NUMBERS * (NUMBERS + 1) // 2
SET = (1 << TILES) - 1
"""All 28 tiles (F2)."""

HALVES = tuple((low, high) for high in range(NUMBERS) for low in range(high + 1))
"""Lower and higher half of each tile, by its bit."""

LOW, HIGH = np.array(HALVES, np.int64).T.copy()
PIPS = LOW + HIGH
"""Both halves of each tile together; what a lone first tile counts (F7)."""

_WORD = re.compile(r"[\[(]?([0-6])[|/:-]?([0-6])[\])]?")
_UPRIGHT = dict(zip("⁰¹²³⁴⁵⁶", "0123456", strict=True)) | dict(zip("₀₁₂₃₄₅₆⁄", "0123456/", strict=True))
_SUPERSCRIPTS, _SUBSCRIPTS = "⁰¹²³⁴⁵⁶", "₀₁₂₃₄₅₆"


def tile_bit(low: int, high: int) -> int:
    """One-tile mask of the tile with these halves, in either order."""
    low, high = min(low, high), max(low, high)
    return 1 << (high * (high + 1) // 2 + low)


def tile_halves(tile: int) -> tuple[int, int]:
    """Lower and higher half of a one-tile mask."""
    return HALVES[tile.bit_length() - 1]


def tile_name(tile: int) -> str:
    """Name of a one-tile mask, lower half first, as ``"1|4"``."""
    low, high = tile_halves(tile)
    return f"{low}|{high}"


def tile_names(tiles: int) -> list[str]:
    """Names of a set of tiles, in the order of the bits."""
    return [f"{low}|{high}" for index, (low, high) in enumerate(HALVES) if tiles >> index & 1]


def parse_tile(text: str) -> int:
    """Read one tile in any common spelling: ``6|5``, ``5-6``, ``56``, ``5/6``, ``[5|6]``.

    Raises
    ------
    ValueError
        If the text names no tile of the double-six set (F2).
    """
    spelled = "".join(_UPRIGHT.get(sign, sign) for sign in text.strip())
    match = _WORD.fullmatch(spelled)
    if match:
        return tile_bit(int(match[1]), int(match[2]))
    raise ValueError(f"no such tile: {text!r} (two numbers of pips from 0 to 6, as 5|6)")


def parse_tiles(texts: str | Iterable[str]) -> int:
    """Read a set of tiles, spaces or commas between them.

    Raises
    ------
    ValueError
        If a text names no tile, or a tile is given twice.
    """
    words = texts.replace(",", " ").split() if isinstance(texts, str) else list(texts)
    tiles = 0
    for text in words:
        tile = parse_tile(text)
        if tiles & tile:
            raise ValueError(f"tile given twice: {text!r}")
        tiles |= tile
    return tiles


def laid_name(first: int, second: int, symbols: bool) -> str:
    """Name of a tile as it lies in the chain, left half first; a double lies across (F5).

    A double is drawn upright where signs beyond ASCII can be shown (``⁶⁄₆``), else in brackets.
    """
    if first != second:
        return f"{first}|{second}"
    return f"{_SUPERSCRIPTS[first]}⁄{_SUBSCRIPTS[first]}" if symbols else f"[{first}/{first}]"
