"""Positions of Fives and Threes with all hands open, drawn at random for the tests of the solvers."""

from random import Random

import numpy as np
from reference.dominoes import DOUBLE_SIX, halves
from reference.open_rounds import OpenValue, enumerate_round

from sim.fives_and_threes.chain import OPEN, SHUT
from sim.fives_and_threes.solving.open_hands import position_row
from sim.fives_and_threes.tiles import parse_tiles

Position = tuple
"""Hands by player, ends as :mod:`reference.open_rounds` has them, mover, points lacking by side, bonus."""


def draw_position(rng: Random, players: int, most: int, near: bool = False, begun: bool = True) -> Position:
    """Draw a position: hands of up to so many tiles, ends that some tile may or may not fit.

    With ``near`` the sides lack few points; not ``begun`` is before the first tile.
    """
    pack = list(DOUBLE_SIX)
    rng.shuffle(pack)
    ends = None
    if begun:
        ends = tuple((high, low == high) for low, high in (halves(pack.pop()), halves(pack.pop())))
    size = rng.randint(1, most)
    hands = [[pack.pop() for _ in range(rng.choice((size, max(1, size - 1))))] for _ in range(players)]
    if players == 4 and begun and rng.random() < 0.2:
        hands[rng.randrange(4)] = []
    mover = rng.choice([player for player in range(players) if hands[player]])
    sides = 2 if players == 4 else players
    lacking = [rng.choice((None, rng.randint(1, 9), rng.randint(5, 20))) for _ in range(sides)]
    return hands, ends, mover, lacking if near else [None] * sides, rng.choice((1, 1, 0, 3))


def kernel_ends(ends) -> tuple[int, int]:
    """Write ends as the kernels do."""
    return (OPEN, SHUT) if ends is None else tuple(number + 7 * double for number, double in ends)


def row_of(position: Position, asked: int = 0) -> np.ndarray:
    """Write a position as the solvers' kernels read it."""
    hands, ends, mover, lacking, bonus = position
    return position_row(
        [parse_tiles(hand) for hand in hands], kernel_ends(ends), mover, asked, lacking, bonus
    )


def enumerated(position: Position) -> OpenValue:
    """Play out every line of a position."""
    return enumerate_round(*position)
