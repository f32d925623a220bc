"""Speed of the 3-2-5 kernels as ratios within one run; left out unless asked for with ``-m bench``.

The yardstick is the C loop beside this file, compiled and timed in the same run.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
import pytest

from sim.batch import run
from sim.core.bits import HAS_PDEP
from sim.experiment import experiment
from sim.three_two_five import kernel, tally

pytestmark = pytest.mark.bench

REPEATS = 5
DEALS = 1_000_000


def deals_a_second(strategy: str, jobs: int = 1) -> float:
    """Return the rate of one run, without warm-up."""
    made = experiment("three-two-five", units=DEALS, strategies=strategy, rules={"pulls": False}, seed=1)
    return DEALS / run(made, jobs).seconds


def ratio(first: Callable[[], float], second: Callable[[], float]) -> float:
    """Return the median ratio of two rates measured in turn, so that a drifting machine cancels."""
    return median(first() / second() for _ in range(REPEATS))


@pytest.fixture(scope="module")
def c_loop(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], float]:
    """Time the C loop, whose mean tricks must be those of the rulebook; deals a second."""
    compiler = shutil.which("cc")
    if compiler is None or not HAS_PDEP:
        pytest.skip("the yardstick needs a C compiler and a processor with BMI2")
    program = tmp_path_factory.mktemp("yardstick") / "three_two_five"
    source = Path(__file__).with_name("three_two_five.c")
    subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)

    def measure() -> float:
        printed = subprocess.run([program, str(DEALS)], check=True, capture_output=True, text=True)
        rate, *tricks = (float(number) for number in printed.stdout.split())
        np.testing.assert_allclose(tricks, [3.355, 3.326, 3.320], atol=0.015)
        return rate

    return measure


def test_random_play_is_near_the_c_loop(c_loop: Callable[[], float]) -> None:
    """3.5 million deals a second where the C loop makes 5."""
    share = ratio(lambda: deals_a_second("random"), c_loop)
    print(f"random play: {share:.2f} of the C loop")
    assert share >= 0.7


def test_heuristic_keeps_up_with_the_c_loop(c_loop: Callable[[], float]) -> None:
    """0.8 million deals a second where the C loop makes 5."""
    share = ratio(lambda: deals_a_second("heuristic"), c_loop)
    print(f"heuristic: {share:.3f} of the C loop")
    assert share >= 0.16


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="needs two cores")
def test_two_jobs_nearly_double_the_speed() -> None:
    gain = ratio(lambda: deals_a_second("heuristic", 2), lambda: deals_a_second("heuristic", 1))
    print(f"two jobs: {gain:.2f} times one")
    assert gain >= 1.8


def test_counting_costs_little() -> None:
    """Playing is what takes the time: turning rows into counters is under a fifth of random play."""
    rows = np.zeros((DEALS, kernel.COLUMNS), np.int16)
    rows[:, kernel.TRICKS_FIVE : kernel.TRICKS_TWO + 1] = (4, 3, 3)
    tally.count(rows[:9], 9)

    def count() -> float:
        started = time.perf_counter()
        tally.count(rows, 9)
        return DEALS / (time.perf_counter() - started)

    assert ratio(count, lambda: deals_a_second("random")) > 5
