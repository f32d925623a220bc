"""What of Fives and Threes is worth timing."""

from typing import Any

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


def yardstick_words(rules: Any, rounds: int) -> tuple[int, ...]:
    """Return the arguments of the C loop: players and rounds."""
    return rules.players, rounds
