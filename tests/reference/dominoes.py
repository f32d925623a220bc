"""The double-six set and what its counts are worth, in plain Python, written from the rulebook alone.

A tile is a string, low half first (``"1|4"``).
"""

from __future__ import annotations

from random import Random

PIPS = range(7)
HALVES = {f"{low}|{high}": (low, high) for low in PIPS for high in PIPS if low <= high}
DOUBLE_SIX = tuple(HALVES)
HAND_SIZE = {2: 7, 3: 5, 4: 5}


def halves(tile: str) -> tuple[int, int]:
    """Give the low and the high half of a tile.

    Raises
    ------
    ValueError
        If `tile` is not one of the 28 of the double-six set (F2), written low half first.
    """
    if not isinstance(tile, str) or tile not in HALVES:
        raise ValueError(f"{tile!r} is not a tile; valid are 0|0 to 6|6, low half first")
    return HALVES[tile]


def points_of(total: int) -> int:
    """Score a count of the ends: a third of it, a fifth of it, or both (F8)."""
    threes = total // 3 if total % 3 == 0 else 0
    fives = total // 5 if total % 5 == 0 else 0
    return threes + fives


def hand_size_of(players: int, hand_size: int | None = None) -> int:
    """Give the number of tiles dealt to each player (F1, F2), or check another one.

    Raises
    ------
    ValueError
        If the number of players is not 2, 3 or 4, or 28 tiles do not go round.
    """
    if players not in HAND_SIZE:
        raise ValueError(f"{players!r} players: valid are 2, 3 or 4")
    if hand_size is None:
        return HAND_SIZE[players]
    most = len(DOUBLE_SIX) // players
    if hand_size not in range(1, most + 1):
        raise ValueError(f"hands of {hand_size!r} tiles: valid for {players} players are 1 to {most}")
    return hand_size


def deal(players: int, rng: Random, hand_size: int | None = None) -> list[list[str]]:
    """Shuffle the set and deal every hand; the rest stays out of play (F2)."""
    size = hand_size_of(players, hand_size)
    tiles = rng.sample(DOUBLE_SIX, players * size)
    return [sorted(tiles[player * size : (player + 1) * size]) for player in range(players)]


def draw_starter(players: int, rng: Random) -> int:
    """Draw the first round's starter by fair lot (F3)."""
    return rng.randrange(players)


def opening_points() -> dict[str, int]:
    """Score each of the 28 tiles as a round's first (F7, F8)."""
    return {tile: points_of(sum(halves(tile))) for tile in DOUBLE_SIX}


def possible_totals() -> frozenset[int]:
    """Give every count that can occur: a lone tile, or two ends, an open half or a double each (F7)."""
    lone = {sum(halves(tile)) for tile in DOUBLE_SIX}
    ends = [(number, False) for number in PIPS] + [(number, True) for number in PIPS]
    pairs = {
        (left + left * left_double) + (right + right * right_double)
        for left, left_double in ends
        for right, right_double in ends
        # Each double is there once, so it cannot lie at both ends.
        if not (left_double and right_double and left == right)
    }
    return frozenset(lone | pairs)
