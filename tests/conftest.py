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


TOGETHER = (
    (
        "test_three_two_five_kernel",
        "test_users_strategies",
        "test_three_two_five_rules",
        "test_three_two_five_knowledge",
        "test_registers",
        "test_thinking_runs",
    ),
    (
        "test_fives_and_threes_kernel",
        "test_users_moves",
        "test_fives_and_threes_rules",
        "test_fives_and_threes_strategies",
        "test_fives_and_threes_runs",
        "test_fives_and_threes_openings",
    ),
)
"""Files by whose tests kernels are rebuilt around functions of their own. The process that compiled a game
rebuilds it in seconds, any other compiles all of it again: so one process has them all."""
LONGEST = ("test_machine_code", "test_fives_and_threes_figures", "test_equity_three_two_five")
"""Files that would hold up the end of a run if they came late."""
_ORDER = {
    name: place for place, name in enumerate([name for files in TOGETHER for name in files] + [*LONGEST])
}
_GROUPS = {name: files[0] for files in TOGETHER for name in files}


def pytest_collection_modifyitems(items):
    """Run files that belong together one after another, and first what takes longest."""
    items.sort(key=lambda item: _ORDER.get(item.path.stem, len(_ORDER)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give a file, or files that belong together, to one process, in the order of the tests."""
    if config.option.dist != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Together(LoadFileScheduling):
        def _split_scope(self, nodeid):
            return _GROUPS.get(Path(nodeid.partition("::")[0]).stem, super()._split_scope(nodeid))

    config.option.loadscopereorder = False
    return Together(config, log)


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
