"""Speed of the solvers of Fives and Threes, all hands open; left out unless asked for with ``-m bench``."""

import time
from random import Random
from statistics import median

import numpy as np
import pytest

from sim.core.jit import plain
from sim.fives_and_threes.chain import OPEN, SHUT
from sim.fives_and_threes.rules import CUSTOMARY_HAND
from sim.fives_and_threes.solving.endings import new_solver
from sim.fives_and_threes.solving.open_hands import guarantees, position_row, vectors
from sim.fives_and_threes.tiles import TILES

pytestmark = pytest.mark.bench

TABLE_BITS = 13
_LAST = 3


def whole_rounds(players: int, count: int) -> np.ndarray:
    """Draw rounds before the first tile."""
    rng, rows = Random(players), []
    for _ in range(count):
        rows.append(position_row(_hands(rng, players, CUSTOMARY_HAND[players]), (OPEN, SHUT), 0, 0))
    return np.array(rows)


def last_tiles(players: int, count: int) -> np.ndarray:
    """Draw positions with three tiles each, ends of any two numbers."""
    rng, rows = Random(players), []
    for _ in range(count):
        ends = (rng.randrange(7), rng.randrange(7))
        rows.append(position_row(_hands(rng, players, _LAST), ends, rng.randrange(players), 0))
    return np.array(rows)


def _hands(rng: Random, players: int, size: int) -> list[int]:
    tiles = [1 << tile for tile in rng.sample(range(TILES), players * size)]
    return [sum(tiles[player * size :][:size]) for player in range(players)]


@pytest.mark.parametrize(
    "kernel, players, draw, count, block, most",
    [
        (guarantees, 2, whole_rounds, 500, 1, 1e-3),
        (guarantees, 3, whole_rounds, 500, 1, 1e-3),
        (guarantees, 4, whole_rounds, 500, 1, 20e-3),
        (vectors, 3, whole_rounds, 500, 1, 1e-3),
        (guarantees, 2, last_tiles, 20000, 100, 1e-4),
        (guarantees, 3, last_tiles, 20000, 100, 1e-4),
        (guarantees, 4, last_tiles, 20000, 100, 1e-4),
        (vectors, 3, last_tiles, 20000, 100, 1e-4),
    ],
)
def test_time_of_a_solution(kernel, players, draw, count, block, most) -> None:
    """Median time of a core over blocks, the table emptied before each position."""
    rows, scratch, values = draw(players, count), plain(new_solver)(TABLE_BITS), np.zeros(block, np.int64)
    kernel(rows[:block], True, scratch, values)
    seconds = []
    for first in range(0, count, block):
        started = time.thread_time()
        kernel(rows[first : first + block], True, scratch, values)
        seconds.append((time.thread_time() - started) / block)
    print(f"{kernel.py_func.__name__}, {players} players, {draw.__name__}: {1e6 * median(seconds):.2f} µs")
    assert median(seconds) < most
