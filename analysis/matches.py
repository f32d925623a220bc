"""Moments of whole matches, the clusters over which all errors of played deals or rounds are."""

from collections.abc import Iterable, Iterator
from importlib import import_module

from analysis.moments import Moments
from analysis.provenance import Runs, labels, listed
from sim.results import Run


def match_moments(run: Run, phase: str = "all") -> Moments:
    """Return the moments of match totals, one cluster a match.

    Parameters
    ----------
    run : Run
        A run of any game; the quantities are those of ``QUANTITIES`` in ``sim/<game>/tally.py``.
    phase : {"all", "first", "later"}
        Which deals or rounds of each match: all, the first or the later ones.

    Raises
    ------
    ValueError
        If there is no such phase.
    """
    tally = import_module(f"sim.{run.game.name}.tally")
    row = number_of_phase(phase, tally.PHASES)
    counters = run.counters
    return Moments(
        counters["clusters"][row], counters["totals"][row], counters["gram"][row], tally.QUANTITIES
    )


def number_of_phase(phase: str, phases: tuple[str, ...]) -> int:
    """Return which of the phases is meant.

    Raises
    ------
    ValueError
        If there is no such phase.
    """
    if phase not in phases:
        raise ValueError(f"no phase {phase!r}: valid are {', '.join(phases)}")
    return phases.index(phase)


def moments_by_phase(runs: Runs, phases: Iterable[str]) -> Iterator[tuple[str, Run, str, Moments]]:
    """Yield label, run, phase and moments for each phase of each run in which something was played."""
    phases = tuple(phases)
    for label, run in zip(labels(runs), listed(runs), strict=True):
        for phase in phases:
            moments = match_moments(run, phase)
            if moments.total(f"{run.game.unit}s"):
                yield label, run, phase, moments
