"""Speed of the kernels of Fives and Threes as ratios within one run; asked for with ``-m bench``.

The yardstick is the C loop of ``analysis/yardsticks``, compiled and timed in the same run.
"""

import os
import time

import numpy as np
import pytest

from sim.batch import run
from sim.core.strategy import seat_rows
from sim.experiment import experiment
from sim.fives_and_threes import kernel
from sim.fives_and_threes.chain import TOTALS

pytestmark = pytest.mark.bench

YARDSTICK = "fives_and_threes"
PIECE = 8192
ROUNDS = 61 * PIECE
MANY = 488 * PIECE
FIGURES = {
    2: (0.7045, 5.709, 5.380, 10.36),
    3: (0.4558, 4.228, 3.878, 10.83),
    4: (0.7225, 8.689, 8.424, 15.94),
}
"""Blocked, points of the first two sides and tiles by number of players, as the rulebook has them."""


def rounds_a_second(strategy: str, jobs: int) -> float:
    """Return the rate of one run of rounds alone, without warm-up."""
    made = experiment("fives-and-threes", units=MANY, strategies=strategy, seed=1)
    return MANY / run(made, jobs).seconds


def counted_a_second(players: int, strategy: str) -> float:
    """Return the rate of one run of rounds alone by processor time, as the C loop tells its own."""
    rules = {"players": players}
    made = experiment("fives-and-threes", units=ROUNDS, strategies=strategy, rules=rules, seed=1)
    started = time.process_time()
    run(made)
    return ROUNDS / (time.process_time() - started)


def played_a_second(players: int, strategy: str) -> float:
    """Return the rate of the kernel alone, rounds into rows, as the C loop does no more than that."""
    rules = {"players": players}
    made = experiment("fives-and-threes", units=ROUNDS, strategies=strategy, rules=rules, seed=1)
    rows = np.empty((PIECE, kernel.COLUMNS), np.int16)
    log, placements = np.zeros((1, kernel.LOG_SIZE), np.int64), np.zeros(2 * TOTALS, np.int64)
    table = seat_rows(made.strategies, kernel.DECISIONS)

    def play(first: int) -> None:
        kernel.play_matches(1, first, PIECE, made.rules.row(), *table, rows, placements, log, False)

    play(0)
    started = time.thread_time()
    for first in range(0, ROUNDS, PIECE):
        play(first)
    return ROUNDS / (time.thread_time() - started)


@pytest.fixture
def c_rate(c_loop, players):
    """Function that times the C loop, whose figures must be those of the rulebook; rounds a second."""

    def measure() -> float:
        rate, figures = c_loop(players, ROUNDS)
        np.testing.assert_allclose(figures, FIGURES[players], atol=0.025)
        return rate

    return measure


@pytest.mark.parametrize(("strategy", "least"), [("random", 0.85), ("heuristic", 0.3)])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_play_is_near_the_c_loop(c_rate, ratio, players, strategy, least) -> None:
    """Kernels as a share of the C loop's random play; of whole runs, which also count, it is printed."""
    counted_a_second(players, strategy)
    whole = ratio(lambda: counted_a_second(players, strategy), c_rate)
    share = ratio(lambda: played_a_second(players, strategy), c_rate)
    print(f"{strategy} of {players}: {share:.3f} of the C loop, played and counted {whole:.3f}")
    assert share >= least


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="needs two cores")
def test_two_jobs_nearly_double_the_speed(ratio, two_cores) -> None:
    """Where a second core is worth less than twice to the C loop itself, as much as it is worth there."""
    gain = ratio(lambda: rounds_a_second("heuristic", 2), lambda: rounds_a_second("heuristic", 1))
    most = two_cores(2, MANY)
    print(f"two jobs: {gain:.2f} times one, two C loops {most:.2f} times one")
    assert gain >= min(1.9, 0.98 * most)
