"""What of 3-2-5 is worth timing."""

from typing import Any

from analysis.benchmarks import Case
from sim.results import Run
from sim.three_two_five.rules import PLAYERS, TRICKS_PER_DEAL

CASES = (
    Case("random", {"pulls": False}),
    Case("random"),
    Case("first-suit"),
    Case("heuristic"),
    Case("rollout-50"),
)


def plays(run: Run) -> int:
    """Count the cards played in a run: three a trick, ten tricks a deal (R2)."""
    return run.units * PLAYERS * TRICKS_PER_DEAL


def yardstick_words(_rules: Any, deals: int) -> tuple[int, ...]:
    """Return the arguments of the C loop, which knows no rules."""
    return (deals,)
