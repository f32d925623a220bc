"""The end of a round of Fives and Threes with all hands open, every line played out, in plain Python.

No bound, no table, no two sides that count as one: the twin against which the solvers are checked. An end of
the chain is its open number and whether it is a double.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .dominoes import halves, points_of

End = tuple[int, bool]


class OpenValue(NamedTuple):
    """What a position is worth, points from here on.

    Attributes
    ----------
    sure : tuple of int
        With two sides the lead of each player's side over the other one, both doing their best. Of three
        players the points that each can be sure of if the other two play against it.
    points : tuple of int
        Of three players, what all score if each plays for itself: a player takes the most points, then
        leaves the next player the fewest, then the one after it. With two sides empty.
    """

    sure: tuple[int, ...]
    points: tuple[int, ...]


class Line(NamedTuple):
    """A move: tile and end, the points that count, and what the position is worth with it, them included."""

    tile: str
    place: int
    event: int
    value: OpenValue


def enumerate_round(
    hands: Sequence[Sequence[str]],
    ends: tuple[End, End] | None,
    mover: int,
    lacking: Sequence[int | None],
    bonus: int = 1,
) -> OpenValue:
    """Play out every line from a position (F4 to F14).

    Parameters
    ----------
    hands : sequence of sequences of str
        Tiles left, by player.
    ends : tuple of two ends, or None
        None before the first tile.
    mover : int
        Whose turn it is.
    lacking : sequence of int or None
        By side, what it lacks to the target (F13); None plays without one.
    bonus : int
        For the tile that ends the round (F9, F10).
    """
    players = len(hands)
    if not any(True for player in range(players) for _ in placements(hands[player], ends)):
        return _nothing(players)
    while not any(True for _ in placements(hands[mover], ends)):
        mover = (mover + 1) % players
    lines = [line.value for line in enumerate_moves(hands, ends, mover, lacking, bonus)]
    friends = [player for player in range(players) if (player - mover) % _sides(players) == 0]
    sure = tuple(
        (max if player in friends else min)(line.sure[player] for line in lines) for player in range(players)
    )
    if players != 3:
        return OpenValue(sure, ())
    following, last = (mover + 1) % 3, (mover + 2) % 3
    best = max(lines, key=lambda line: (line.points[mover], -line.points[following], -line.points[last]))
    return OpenValue(sure, best.points)


def enumerate_moves(
    hands: Sequence[Sequence[str]],
    ends: tuple[End, End] | None,
    mover: int,
    lacking: Sequence[int | None],
    bonus: int = 1,
) -> list[Line]:
    """Play out every line after each move of a player; parameters as for :func:`enumerate_round`."""
    players, lines = len(hands), []
    side = mover % _sides(players)
    for tile, place, after, total in placements(hands[mover], ends):
        left = [tuple(held for held in hand if held != tile) for hand in hands]
        out = not any(left[mate] for mate in range(players) if mate % _sides(players) == side)
        event = points_of(total) + (bonus if out else 0)
        short = list(lacking)
        if short[side] is not None:
            event = event if event <= short[side] else 0
            short[side] -= event
        value = _nothing(players)
        if not out and short[side] != 0:
            value = enumerate_round(left, after, (mover + 1) % players, short, bonus)
        lines.append(Line(tile, place, event, _with_event(value, event, mover)))
    return lines


def _sides(players: int) -> int:
    return 2 if players == 4 else players


def placements(
    hand: Sequence[str], ends: tuple[End, End] | None
) -> Iterator[tuple[str, int, tuple[End, End], int]]:
    """Yield every way to lay a tile: it, its end (0 left, 1 right), the ends after, their count (F5, F7)."""
    for tile in hand:
        low, high = halves(tile)
        double = low == high
        if ends is None:
            yield tile, 0, ((low, double), (high, double)), low + high
            continue
        for place in range(2):
            number = ends[place][0]
            if number in (low, high):
                new = (high if number == low else low, double)
                after = (new, ends[1]) if place == 0 else (ends[0], new)
                yield tile, place, after, sum(end * (2 if across else 1) for end, across in after)


def _nothing(players: int) -> OpenValue:
    return OpenValue((0,) * players, (0,) * players if players == 3 else ())


def _with_event(value: OpenValue, event: int, mover: int) -> OpenValue:
    """Add the points that a placement brings its player's side."""
    sides = _sides(len(value.sure))
    against = -event if sides == 2 else 0
    sure = tuple(
        worth + (event if (player - mover) % sides == 0 else against)
        for player, worth in enumerate(value.sure)
    )
    points = tuple(worth + event * (player == mover) for player, worth in enumerate(value.points))
    return OpenValue(sure, points)
