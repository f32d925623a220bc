"""What the tests share: Hypothesis profiles, small runs that are played once, a folder for a fresh cache."""

import os
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent

# Kernels compile within a first example, so no example has a deadline.
settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


@lru_cache(maxsize=64)
def _records(strategies, matches, seed, rules):
    from sim import experiment, replay

    made = experiment(
        "three-two-five", matches=matches, seed=seed, strategies=list(strategies), rules=dict(rules)
    )
    return [record for match in range(matches) for record in replay(made, match)]


@pytest.fixture(scope="session")
def records():
    """Function that replays matches of 3-2-5; asked twice for the same it plays once.

    ``records("random", matches=3, seed=1, scoring="tricks")`` returns the records of all deals, in order.
    They are shared: read them only.
    """

    def ask(*strategies, matches=3, seed=1, **rules):
        return _records(strategies or ("random",), matches, seed, tuple(sorted(rules.items())))

    return ask


@pytest.fixture(scope="session")
def python():
    """Function that runs a script in a process of its own, with more environment, and returns its output."""

    def ask(script, *options, folder=ROOT, **environment):
        done = subprocess.run(
            [sys.executable, "-W", "error", *options, "-c", script],
            capture_output=True,
            text=True,
            cwd=folder,
            timeout=300,
            env={**os.environ, "PYTHONPATH": str(folder), **environment},
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return ask
