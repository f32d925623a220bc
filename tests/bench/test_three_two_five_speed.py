"""Speed of the 3-2-5 kernels as ratios within one run; left out unless asked for with ``-m bench``.

The yardstick is the C loop beside this file, compiled and timed in the same run.
"""

import os
import time

import numpy as np
import pytest

from sim.batch import run
from sim.experiment import experiment
from sim.three_two_five import kernel, tally

pytestmark = pytest.mark.bench

YARDSTICK = "three_two_five.c"
DEALS = 1_000_000


def deals_a_second(strategy: str, jobs: int = 1) -> float:
    """Return the rate of one run, without warm-up."""
    made = experiment("three-two-five", units=DEALS, strategies=strategy, rules={"pulls": False}, seed=1)
    return DEALS / run(made, jobs).seconds


@pytest.fixture
def c_rate(c_loop):
    """Function that times the C loop, whose mean tricks must be those of the rulebook; deals a second."""

    def measure() -> float:
        rate, tricks = c_loop(DEALS)
        np.testing.assert_allclose(tricks, [3.355, 3.326, 3.320], atol=0.015)
        return rate

    return measure


def test_random_play_is_near_the_c_loop(c_rate, ratio) -> None:
    """3.5 million deals a second where the C loop makes 5."""
    share = ratio(lambda: deals_a_second("random"), c_rate)
    print(f"random play: {share:.2f} of the C loop")
    assert share >= 0.7


def test_heuristic_keeps_up_with_the_c_loop(c_rate, ratio) -> None:
    """0.8 million deals a second where the C loop makes 5."""
    share = ratio(lambda: deals_a_second("heuristic"), c_rate)
    print(f"heuristic: {share:.3f} of the C loop")
    assert share >= 0.16


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="needs two cores")
def test_two_jobs_nearly_double_the_speed(ratio) -> None:
    gain = ratio(lambda: deals_a_second("heuristic", 2), lambda: deals_a_second("heuristic", 1))
    print(f"two jobs: {gain:.2f} times one")
    assert gain >= 1.8


def test_counting_costs_little(ratio) -> None:
    """Playing is what takes the time: turning rows into counters is under a fifth of random play."""
    rows = np.zeros((DEALS, kernel.COLUMNS), np.int16)
    rows[:, kernel.TRICKS_FIVE : kernel.TRICKS_TWO + 1] = (4, 3, 3)
    tally.count(rows[:9], 9)

    def count() -> float:
        started = time.perf_counter()
        tally.count(rows, 9)
        return DEALS / (time.perf_counter() - started)

    assert ratio(count, lambda: deals_a_second("random")) > 5
