"""A ladder of strategies: every one of them against others of every other, on the same deals.

In a cell, one strategy sits in each of the places of a seating once and whole matches are played, always on
the deals of the same seed. What it gains is counted over all these places together, by the game's
``ladder.model``: luck of the cards or tiles falls on all places alike and cancels; matches are independent of
each other.

Counters, int64, halves being even and odd matches:

``count`` (cells, 2)
    Matches by half.
``sums``, ``squares`` (cells, 2, Q)
    Sum over matches, and sum of squares, of the Q quantities of the model, each over all places.
``products`` (cells, 2, P)
    Likewise of products of two quantities, where the model names any.

Each rung's own table, where all are of the same, is an ordinary :class:`sim.results.Run`.
"""

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, field, replace
from itertools import tee
from typing import Any

import numpy as np

from sim.batch import Progress, Task, merged, play_task
from sim.core.game import Counters, Game
from sim.core.jit import compile_lock, is_compiled
from sim.folders import counters_digest, versions
from sim.ladder.parts import (
    CELL,
    HALVES,
    HANDS,
    MATCHES,
    Pace,
    Part,
    Strand,
    blank,
    parts_of,
    play_part,
    strands_of,
    time_player,
)
from sim.ladder.plan import LadderPlan
from sim.parallel import in_order
from sim.results import Run, to_arrays


@dataclass(repr=False)
class Ladder:
    """A ladder in the making, or made.

    Parameters
    ----------
    plan : LadderPlan
        What it is to be.
    counters : dict of str to int64 array
        Of the cells, as the module describes them.
    tables : tuple of Run
        All of the same, a run a rung.
    seconds, warm_up : float
        Time playing, and time compiling before.
    jobs : int
        Jobs of the last session.
    versions : dict of str to str
        Of the libraries that made it.
    """

    plan: LadderPlan
    counters: Counters
    tables: tuple[Run, ...]
    seconds: float = 0.0
    warm_up: float = 0.0
    jobs: int = 1
    versions: dict[str, str] = field(default_factory=versions)

    def __repr__(self) -> str:
        part = ", partial" if self.partial else ""
        names = " ".join(self.plan.names)
        return f"<Ladder of {self.game.title}: {names}, {self.extent}, seed {self.plan.seed}{part}>"

    @classmethod
    def blank(cls, plan: LadderPlan) -> "Ladder":
        """Return a ladder on which nothing was played yet."""
        tables = tuple(Run.blank(plan.table(rung)) for rung in range(len(plan.strategies)))
        return cls(plan, blank(plan.model, len(plan.cells)), tables)

    @property
    def game(self) -> Game:
        """Return the game."""
        return self.plan.game

    @property
    def matches(self) -> np.ndarray:
        """Return the matches played of each cell, int64 (cells,)."""
        return self.counters["count"].sum(axis=1)

    @property
    def strands(self) -> list[Strand]:
        """Return all that the plan wants, and how much of it is done."""
        played = [run.matches for run in self.tables], [run.hands for run in self.tables]
        return strands_of(self.plan, self.matches.tolist(), *played)

    @property
    def partial(self) -> bool:
        """Whether less was played than planned."""
        return any(strand.done < strand.wanted for strand in self.strands)

    @property
    def units(self) -> int:
        """Return the deals or matches played, in all places, tables and option studies."""
        return sum(strand.done * strand.units for strand in self.strands)

    @property
    def extent(self) -> str:
        """Say how much was played: ``90,000 deals``."""
        return f"{self.units:,} {self.plan.model.unit}"

    @property
    def arrays(self) -> Counters:
        """Return all counters by name, each table's after ``table.`` and its number."""
        of_tables = {
            f"table.{number}.{name}": array
            for number, run in enumerate(self.tables)
            for name, array in to_arrays(run).items()
        }
        return {**self.counters, **of_tables}

    @property
    def digest(self) -> str:
        """Hash of all integer counters; equal for equal results on any machine."""
        return counters_digest(self.arrays)


def play_ladder(
    plan: LadderPlan,
    jobs: int = 1,
    *,
    resume: Ladder | None = None,
    piece: int | None = None,
    backend: str | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    on_checkpoint: Callable[[Ladder], None] | None = None,
) -> Ladder:
    """Play a ladder, the dearest players first.

    Parameters
    ----------
    plan : LadderPlan
        What to play.
    jobs : int
        Pieces played at the same time; -1 for one a core.
    resume : Ladder, optional
        A partial ladder of the same plan to go on from.
    piece : int, optional
        Matches or hands a piece; by default about 0.15 s of work, but at least one.
    backend : str, optional
        As for :func:`sim.batch.run`.
    on_progress, on_checkpoint : callable, optional
        Called after each piece with the progress, and with the ladder so far.

    Returns
    -------
    Ladder
        Complete, or as far as it came before it was interrupted (Ctrl-C); the counters are the same for
        any jobs, piece and interruption.

    Raises
    ------
    StrategyError
        If a strategy answers outside the rules.
    ValueError
        If ``resume`` is a ladder of another plan.
    """
    if resume and resume.plan != plan:
        raise ValueError("the ladder to resume has another plan: the same options are needed")
    report = on_progress or _ignore
    pace, warm_up = _prepare(plan, report)
    ladder = replace(resume or Ladder.blank(plan), jobs=jobs)
    ladder.warm_up += warm_up
    clock = _Clock(ladder, pace)
    results = _played(ladder, pace, jobs, piece, backend)
    placed: list[Any] = []
    try:
        for part, result in results:
            placed.append(result)
            if part.is_last:
                ladder = _added(ladder, part, placed, clock.seconds())
                placed = []
            report(clock.after(part))
            if on_checkpoint:
                on_checkpoint(ladder)
    except KeyboardInterrupt:
        results.close()
    return ladder


def _prepare(plan: LadderPlan, report: Callable[[Progress], None]) -> tuple[Pace, float]:
    """Compile what is needed, once and before fanning out, and measure the pace of every player.

    Returns
    -------
    pace : mapping of str to float
        Seconds of a deal or round and seat, by name of the strategy.
    seconds : float
        Time that this took.
    """
    started = time.perf_counter()
    tables = [plan.table(rung) for rung in range(len(plan.strategies))]
    needed = [entry for table in tables for entry in table.game.kernels(table)]
    needed += plan.model.kernels(plan.players)
    if not all(is_compiled(entry) for entry in needed):
        report(Progress("compile"))
    with compile_lock():
        pace = {player.name: time_player(plan, player) for player in plan.players}
        fastest = min(tables, key=lambda table: pace[table.strategies[0].name])
        for kind, wanted in ((MATCHES, fastest.matches), (HANDS, fastest.hands)):
            if wanted:
                play_task(fastest, Task(kind, 0, 1), False)
    return pace, time.perf_counter() - started


def _played(
    ladder: Ladder, pace: Pace, jobs: int, piece: int | None, backend: str | None
) -> Generator[tuple[Part, Any], None, None]:
    """Yield finished parts in order."""
    parts, ahead = tee(parts_of(ladder.plan, ladder.strands, pace, piece))
    results = in_order(play_part, ((ladder.plan, part) for part in ahead), jobs, backend)
    try:
        yield from zip(parts, results, strict=True)
    finally:
        results.close()


def _added(ladder: Ladder, part: Part, placed: list[Any], seconds: float) -> Ladder:
    """Return the ladder with matches or hands added that were played in all places.

    An interruption meanwhile leaves the ladder as it was.
    """
    number, task = part.strand.number, part.task
    if part.strand.kind != CELL:
        tables = list(ladder.tables)
        tables[number] = merged(tables[number], task, placed[0], seconds=0.0)
        return replace(ladder, tables=tuple(tables), seconds=seconds)
    totals = np.sum(placed, axis=0)
    model = ladder.plan.model
    pairs = [[model.quantities.index(name) for name in pair] for pair in model.products]
    counters = {name: counter.copy() for name, counter in ladder.counters.items()}
    for half in range(HALVES):
        of_half = totals[(half - task.first) % HALVES :: HALVES]
        counters["count"][number, half] += len(of_half)
        counters["sums"][number, half] += of_half.sum(axis=0)
        counters["squares"][number, half] += (of_half * of_half).sum(axis=0)
        for place, (a, b) in enumerate(pairs):
            counters["products"][number, half, place] += of_half[:, a] @ of_half[:, b]
    return replace(ladder, counters=counters, seconds=seconds)


class _Clock:
    """Time of playing, and how much is left, where dear players come first and cheap ones last.

    Parameters
    ----------
    ladder : Ladder
        As it stands when playing begins.
    pace : mapping of str to float
        Seconds of a deal or round and seat, by strategy.
    """

    def __init__(self, ladder: Ladder, pace: Pace):
        self._started, self._before = time.perf_counter(), ladder.seconds
        self._done, self._played, self._unit = ladder.units, 0, ladder.plan.model.unit
        self._total = sum(strand.wanted * strand.units for strand in ladder.strands)
        self._work, self._all_work = 0.0, 0.0
        for strand in ladder.strands:
            each = sum(strand.seconds(ladder.plan, pace).values())
            self._all_work += (strand.wanted - strand.done) * each

    def seconds(self) -> float:
        """Return the seconds of playing, those of earlier sessions included."""
        return self._before + time.perf_counter() - self._started

    def after(self, part: Part) -> Progress:
        """Count a finished part and return the progress."""
        self._played += part.units
        self._work += part.seconds
        elapsed = time.perf_counter() - self._started
        left = elapsed * max(self._all_work / self._work - 1, 0.0)
        return Progress(self._unit, self._done + self._played, self._total, self._played, elapsed, left)


def _ignore(_progress: Progress) -> None:
    """Stand in where nobody asked for progress."""
