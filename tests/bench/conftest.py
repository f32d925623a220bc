"""What the speed tests share: a C yardstick, ratios of rates within one run."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from statistics import median

import pytest

from analysis.yardstick import CLoop, c_loop

REPEATS = 11


def ratio_of_rates(first: Callable[[], float], second: Callable[[], float]) -> float:
    """Return the median ratio of two rates measured in turn, so that a drifting machine cancels."""
    return median(first() / second() for _ in range(REPEATS))


@pytest.fixture(scope="session")
def ratio() -> Callable[[Callable[[], float], Callable[[], float]], float]:
    """Function that compares two rates; see :func:`ratio_of_rates`."""
    return ratio_of_rates


@pytest.fixture(scope="module", name="c_loop")
def compiled_loop(request: pytest.FixtureRequest) -> Iterator[CLoop]:
    """Compile the yardstick that the module names; called with its arguments: rate, check figures."""
    with c_loop(request.module.YARDSTICK) as loop:
        if loop is None:
            pytest.skip("the yardstick needs a C compiler and a processor with BMI2")
        yield loop


@pytest.fixture
def two_cores(c_loop) -> Callable[..., float]:
    """Function that tells what a second core is worth to the C loop, called with its arguments."""

    def measure(*words: object) -> float:
        def seconds(loops: int) -> float:
            started = time.perf_counter()
            with ThreadPoolExecutor(loops) as at_once:
                list(at_once.map(lambda _: c_loop(*words), range(loops)))
            return time.perf_counter() - started

        return ratio_of_rates(lambda: 2 / seconds(2), lambda: 1 / seconds(1))

    return measure
