"""Moments of whole matches, the clusters over which all errors of played deals or rounds are."""

from importlib import import_module

from analysis.moments import Moments
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
    if phase not in tally.PHASES:
        raise ValueError(f"no phase {phase!r}: valid are {', '.join(tally.PHASES)}")
    row = tally.PHASES.index(phase)
    counters = run.counters
    return Moments(
        counters["clusters"][row], counters["totals"][row], counters["gram"][row], tally.QUANTITIES
    )
