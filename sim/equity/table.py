"""A table of match equity in the making: counts of what came of each row, played in pieces on all cores.

The work goes in rounds: each plays every row as often as the counts so far ask for, until nothing is
wanted any more. All is counted in one array, and how often a row was played is the sum of its part, so that
an interruption at any moment leaves a whole state behind.
"""

import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from itertools import tee

import numpy as np

from sim.batch import Progress
from sim.core.game import Counters
from sim.core.jit import compile_lock, is_compiled
from sim.equity.model import Model, model_of
from sim.equity.plan import EquityPlan
from sim.folders import counters_digest, versions
from sim.parallel import in_order

_PIECE_UNITS = (100_000, 100, 4)
"""Rounds or deals a piece, by the cost of the players: each some tenths of a second."""


@dataclass
class Equity:
    """A table in the making, or made.

    Parameters
    ----------
    plan : EquityPlan
        What it is to be.
    counts : int64 array
        How often each outcome of each row came; the game's ``equity.model`` says which is where.
    wanted : int64 (rows,) array
        How often to play from each row in the round that is being played.
    complete : bool
        Whether nothing is left to play.
    seconds, warm_up : float
        Time playing, and time compiling before.
    jobs : int
        Jobs of the last session.
    versions : dict of str to str
        Of the libraries that made it.
    """

    plan: EquityPlan
    counts: np.ndarray
    wanted: np.ndarray
    complete: bool = False
    seconds: float = 0.0
    warm_up: float = 0.0
    jobs: int = 1
    versions: dict[str, str] = field(default_factory=versions)

    @classmethod
    def blank(cls, plan: EquityPlan) -> "Equity":
        """Return a table of nothing yet, its first round planned.

        Raises
        ------
        ValueError
            If there can be no table for these rules.
        """
        model = model_of(plan)
        counts = np.zeros(model.offsets[-1], np.int64)
        return cls(plan, counts, model.wanted(counts))

    @property
    def partial(self) -> bool:
        """Whether less was played than planned."""
        return not self.complete

    @property
    def units(self) -> int:
        """Return the rounds or deals in the counts."""
        return int(self.counts.sum())

    @property
    def counters(self) -> Counters:
        """Return the counters by name."""
        return {"counts": self.counts}

    @property
    def digest(self) -> str:
        """Hash of all integer counters; equal for equal results on any machine."""
        return counters_digest(self.counters)


def build(
    plan: EquityPlan,
    jobs: int = 1,
    *,
    resume: Equity | None = None,
    piece: int | None = None,
    backend: str | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    on_checkpoint: Callable[[Equity], None] | None = None,
) -> Equity:
    """Make a table.

    Parameters
    ----------
    plan : EquityPlan
        What to make.
    jobs : int
        Pieces played at the same time; -1 for one a core.
    resume : Equity, optional
        An unfinished table of the same plan to go on with; it is added to in place.
    piece : int, optional
        Rounds or deals a piece; by default some tenths of a second of play.
    backend : str, optional
        As for :func:`sim.batch.run`.
    on_progress : callable, optional
        Called after each piece; the total is that of the rounds planned so far.
    on_checkpoint : callable, optional
        Called after each piece with the table so far.

    Returns
    -------
    Equity
        Complete, or as far as it came before it was interrupted (Ctrl-C); the counts are the same for any
        jobs, piece and interruption.

    Raises
    ------
    StrategyError
        If the strategy answers outside the rules.
    ValueError
        If there can be no table for these rules, or ``resume`` has another plan.
    """
    if resume and resume.plan != plan:
        raise ValueError("the table to resume has another plan: the same options are needed")
    report = on_progress or _ignore
    model = model_of(plan)
    table = resume or Equity.blank(plan)
    table.jobs = jobs
    table.warm_up += _prepare(model, report)
    before, units_before, started = table.seconds, table.units, time.perf_counter()
    piece = piece or _PIECE_UNITS[plan.game.cost(plan.strategies)]
    try:
        while not table.complete:
            total = int(np.maximum(table.wanted, model.played(table.counts)).sum())
            for done in _play_round(table, model, jobs, piece, backend):
                elapsed = time.perf_counter() - started
                table.seconds = before + elapsed
                report(Progress(f"{plan.game.unit}s", done, total, done - units_before, elapsed))
                if on_checkpoint:
                    on_checkpoint(table)
            _plan_next(table, model)
    except KeyboardInterrupt:
        pass
    return table


def _plan_next(table: Equity, model: Model) -> None:
    """Plan the next round from the counts, or find that the table is complete."""
    wanted = model.wanted(table.counts)
    if (wanted > model.played(table.counts)).any():
        table.wanted = wanted
    else:
        table.complete = True


def _prepare(model: Model, report: Callable[[Progress], None]) -> float:
    """Compile what is needed, once and before fanning out; returns the seconds that it took."""
    started = time.perf_counter()
    if not all(is_compiled(entry) for entry in model.compiled):
        report(Progress("compile"))
    with compile_lock():
        model.play(0, np.zeros(1, np.int64), np.ones(1, np.int64))
    return time.perf_counter() - started


@dataclass(frozen=True)
class Part:
    """What is played at a time: consecutive rows, or some of one row.

    Parameters
    ----------
    start : int
        Number of the first row.
    first, more : int64 arrays
        What each row has been played already, and what to add.
    """

    start: int
    first: np.ndarray
    more: np.ndarray


def parts_of(played: np.ndarray, wanted: np.ndarray, units: int) -> Iterator[Part]:
    """Split what is left of a round into parts of at most ``units`` rounds or deals, in order."""
    left = np.maximum(wanted - played, 0)
    row = int(np.argmax(left > 0)) if left.any() else left.size
    while row < left.size:
        reached = np.cumsum(left[row:])
        end = row + max(1, int(np.searchsorted(reached, units, side="right")))
        if end == row + 1:
            for done in range(0, int(left[row]), units):
                first, more = played[row] + done, min(units, left[row] - done)
                yield Part(row, np.array([first]), np.array([more]))
        else:
            yield Part(row, played[row:end], left[row:end])
        row = end


def _play_round(
    table: Equity, model: Model, jobs: int, piece: int, backend: str | None
) -> Generator[int, None, None]:
    """Play what is left of a round and add it part by part; yields what has been played in all."""
    parts, ahead = tee(parts_of(model.played(table.counts), table.wanted, piece))
    results = in_order(model.play, ((part.start, part.first, part.more) for part in ahead), jobs, backend)
    done = table.units
    try:
        for part, counted in zip(parts, results, strict=True):
            begin = int(model.offsets[part.start])
            table.counts[begin : begin + counted.size] += counted
            done += int(part.more.sum())
            yield done
    finally:
        results.close()


def _ignore(_progress: Progress) -> None:
    """Stand in where nobody asked for progress."""
