"""What of Fives and Threes is worth timing."""

from analysis.benchmarks import Case
from sim.results import Run

CASES = tuple(
    Case(strategy, {"players": players})
    for strategy in ("random", "greedy", "heuristic")
    for players in (2, 3, 4)
)


def plays(run: Run) -> int:
    """Count the tiles placed in a run."""
    tiles = run.counters["tiles"]
    return int(tiles @ range(len(tiles)))
