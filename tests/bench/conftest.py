"""What the speed tests share: a C yardstick compiled beside them, ratios of rates within one run."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from statistics import median

import pytest

from sim.core.bits import HAS_PDEP

REPEATS = 5

CLoop = Callable[..., tuple[float, list[float]]]


def ratio_of_rates(first: Callable[[], float], second: Callable[[], float]) -> float:
    """Return the median ratio of two rates measured in turn, so that a drifting machine cancels."""
    return median(first() / second() for _ in range(REPEATS))


@pytest.fixture(scope="session")
def ratio() -> Callable[[Callable[[], float], Callable[[], float]], float]:
    """Function that compares two rates; see :func:`ratio_of_rates`."""
    return ratio_of_rates


@pytest.fixture(scope="module")
def c_loop(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> CLoop:
    """Compile the yardstick that the module names; called with its arguments: rate, check figures."""
    compiler = shutil.which("cc")
    if compiler is None or not HAS_PDEP:
        pytest.skip("the yardstick needs a C compiler and a processor with BMI2")
    source = Path(__file__).with_name(request.module.YARDSTICK)
    program = tmp_path_factory.mktemp("yardstick") / source.stem
    subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)

    def measure(*words: object) -> tuple[float, list[float]]:
        command = [str(program), *(str(word) for word in words)]
        printed = subprocess.run(command, check=True, capture_output=True, text=True)
        rate, *figures = (float(number) for number in printed.stdout.split())
        return rate, figures

    return measure
