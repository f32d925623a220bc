"""Speed of the solvers of 3-2-5 with all hands open; left out unless asked for with ``-m bench``.

The yardstick is random play in the same run: so many deals could be played in the time of one solution.
"""

import time
from random import Random
from statistics import median

import numpy as np
import pytest

from sim.batch import run
from sim.core.jit import plain
from sim.experiment import experiment
from sim.three_two_five.cards import LANE_WIDTH, PACK
from sim.three_two_five.solving.endings import new_solver
from sim.three_two_five.solving.open_hands import guarantees, vectors

pytestmark = pytest.mark.bench

DEALS = 30 * 9 * 2048
TABLE_BITS = 13


def random_deals_a_second() -> float:
    made = experiment("three-two-five", units=DEALS, strategies="random", rules={"pulls": False}, seed=1)
    return DEALS / run(made, 1).seconds


def draw_positions(left: int, count: int) -> np.ndarray:
    """Draw positions from a first lead on, with so many tricks left, a random trump and player asked."""
    rng = Random(left)
    pack = [1 << place for place in range(4 * LANE_WIDTH) if PACK >> place & 1]
    rows = []
    for _ in range(count):
        cards = rng.sample(pack, 3 * left)
        hands = [sum(cards[seat * left : (seat + 1) * left]) for seat in range(3)]
        rows.append([*hands, 0 if left == 10 else rng.randrange(3), 0, 0, rng.randrange(4), rng.randrange(3)])
    return np.array(rows)


def solved_a_second(kernel, positions: np.ndarray, block: int) -> float:
    """Return the rate in the median block of so many positions, the table emptied before each one."""
    scratch, values = plain(new_solver)(TABLE_BITS), np.zeros(block, np.int64)
    kernel(positions[:block], True, scratch, values)
    seconds = []
    for first in range(0, len(positions), block):
        started = time.perf_counter()
        kernel(positions[first : first + block], True, scratch, values)
        seconds.append(time.perf_counter() - started)
    return block / median(seconds)


@pytest.mark.parametrize(
    "kernel, left, count, block, most",
    [
        (guarantees, 10, 300, 1, 3000),
        (guarantees, 5, 5000, 50, 30),
        (guarantees, 4, 10000, 100, 12),
        (guarantees, 3, 10000, 100, 5),
        (vectors, 5, 2000, 20, 250),
        (vectors, 4, 5000, 100, 40),
        (vectors, 3, 10000, 100, 8),
    ],
)
def test_time_of_a_solution_in_random_deals(ratio, kernel, left, count, block, most) -> None:
    """Median times of 0.1 ms for a whole deal, 2 µs for five tricks, where a random deal takes 0.28 µs."""
    positions = draw_positions(left, count)
    rates = []

    def solved() -> float:
        rates.append(solved_a_second(kernel, positions, block))
        return rates[-1]

    deals = 1 / ratio(solved, random_deals_a_second)
    name = kernel.py_func.__name__
    print(f"{name}, {left} tricks left: {1e6 / median(rates):.2f} µs, as {deals:.1f} random deals")
    assert deals < most
