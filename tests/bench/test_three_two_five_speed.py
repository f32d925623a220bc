"""Speed of the 3-2-5 kernels as ratios within one run; left out unless asked for with ``-m bench``.

The yardstick is the C loop of ``analysis/yardsticks``, compiled and timed in the same run.
"""

import os
import time

import numpy as np
import pytest

from sim.batch import run
from sim.experiment import experiment
from sim.three_two_five import kernel, tally
from sim.three_two_five.strategies import strategy_rows

pytestmark = pytest.mark.bench

YARDSTICK = "three_two_five"
PIECE = 9 * 2048
DEALS = 112 * PIECE
MANY = 448 * PIECE


def deals_a_second(strategy: str, jobs: int = 1, deals: int = DEALS) -> float:
    """Return the rate of one run, without warm-up."""
    made = experiment("three-two-five", units=deals, strategies=strategy, rules={"pulls": False}, seed=1)
    return deals / run(made, jobs).seconds


def counted_a_second(strategy: str) -> float:
    """Return the rate of one run by processor time, as the C loop tells its own."""
    made = experiment("three-two-five", units=DEALS, strategies=strategy, rules={"pulls": False}, seed=1)
    started = time.process_time()
    run(made)
    return DEALS / (time.process_time() - started)


def played_a_second(strategy: str) -> float:
    """Return the rate of the kernel alone, deals into rows, as the C loop does no more than that."""
    made = experiment("three-two-five", units=DEALS, strategies=strategy, rules={"pulls": False}, seed=1)
    rows = np.empty((PIECE, kernel.COLUMNS), np.int8)
    log = np.empty(kernel.LOG_SIZE, np.int64)
    table = strategy_rows(made.strategies)
    kernel.play_matches(1, 0, made.rules.row(), *table, rows[:9], log, False)
    started = time.thread_time()
    for first in range(0, DEALS // 9, PIECE // 9):
        kernel.play_matches(1, first, made.rules.row(), *table, rows, log, False)
    return DEALS / (time.thread_time() - started)


@pytest.fixture
def c_rate(c_loop):
    """Function that times the C loop, whose mean tricks must be those of the rulebook; deals a second."""

    def measure() -> float:
        rate, tricks = c_loop(DEALS)
        np.testing.assert_allclose(tricks, [3.355, 3.326, 3.320], atol=0.015)
        return rate

    return measure


def test_random_play_is_near_the_c_loop(c_rate, ratio) -> None:
    """The kernel alone, and whole runs, which also count."""
    counted_a_second("random")
    whole = ratio(lambda: counted_a_second("random"), c_rate)
    print(f"random play, played and counted: {whole:.2f} of the C loop")
    share = ratio(lambda: played_a_second("random"), c_rate)
    print(f"random play: {share:.2f} of the C loop")
    assert share >= 0.9
    assert whole >= 0.8


def test_heuristic_keeps_up_with_the_c_loop(c_rate, ratio) -> None:
    """A whole run, played and counted, has a quarter of the rate."""
    counted_a_second("heuristic")
    share = ratio(lambda: counted_a_second("heuristic"), c_rate)
    print(f"heuristic: {share:.3f} of the C loop")
    assert share >= 0.25


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="needs two cores")
def test_two_jobs_nearly_double_the_speed(ratio, two_cores) -> None:
    """Where a second core is worth less than twice to the C loop itself, as much as it is worth there."""
    gain = ratio(lambda: deals_a_second("heuristic", 2, MANY), lambda: deals_a_second("heuristic", 1, MANY))
    most = two_cores(MANY)
    print(f"two jobs: {gain:.2f} times one, two C loops {most:.2f} times one")
    assert gain >= min(1.9, 0.98 * most)


def test_counting_costs_little(ratio) -> None:
    """Playing is what takes the time: turning rows into counters is under a fifth of random play."""
    rows = np.zeros((DEALS, kernel.COLUMNS), np.int8)
    rows[:, kernel.TRICKS_FIVE : kernel.TRICKS_TWO + 1] = (4, 3, 3)
    tally.count(rows[:9], 9)

    def count() -> float:
        started = time.perf_counter()
        tally.count(rows, 9)
        return DEALS / (time.perf_counter() - started)

    assert ratio(count, lambda: deals_a_second("random")) > 5
