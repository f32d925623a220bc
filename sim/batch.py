"""Split an experiment into pieces, play them on all cores, merge the counters.

The results are the same integers for any number of jobs, any piece size and any backend: a piece is a
range of matches, every match is a pure function of seed and number, and merging only adds. Pieces are
merged in order, so that an interrupted run is exactly the first matches of the whole one.
"""

import time
import warnings
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.core.game import Counters, Experiment, Piece
from sim.core.jit import compile_lock, is_compiled
from sim.core.users import unanswered
from sim.parallel import in_order
from sim.results import Run

_PIECE_SECONDS = 0.15
_MOST_UNITS = 32_768
_PILOT = 16
_PILOT_SECONDS = 0.005
_ROWS_AHEAD = 16
"""Pieces a job whose rows may wait to be taken: joblib itself plays on however slow the taker is."""


@dataclass(frozen=True)
class Progress:
    """How far a run is.

    Parameters
    ----------
    stage : str
        ``"compile"`` (announced before it starts), ``"matches"`` or ``"hands"``.
    done, total : int
        Matches or hands.
    units : int
        Deals or rounds played since the run, or its resumption, began.
    seconds : float
        Time playing took; compiling and warming up are not in it.
    left : float, optional
        Seconds left, where that does not follow from the count.
    """

    stage: str
    done: int = 0
    total: int = 0
    units: int = 0
    seconds: float = 0.0
    left: float | None = None


@dataclass(frozen=True)
class Task:
    """Consecutive matches, or hands of the option study."""

    kind: str
    first: int
    count: int


def run(
    experiment: Experiment,
    jobs: int = 1,
    *,
    resume: Run | None = None,
    piece: int | None = None,
    backend: str | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    on_rows: Callable[[Counters], None] | None = None,
    on_checkpoint: Callable[[Run], None] | None = None,
) -> Run:
    """Play an experiment.

    Parameters
    ----------
    experiment : Experiment
        What to play.
    jobs : int
        Pieces played at the same time; -1 for one a core.
    resume : Run, optional
        A partial run of the same experiment to go on from.
    piece : int, optional
        Matches (or hands) a piece; by default about 0.15 s of work.
    backend : str, optional
        A joblib backend; by default threads, unless ``joblib.parallel_config`` says otherwise.
    on_progress, on_rows, on_checkpoint : callable, optional
        Called after each piece with the progress, the piece's rows by column, the run so far.

    Returns
    -------
    Run
        Complete, or marked partial if it was interrupted (Ctrl-C); a warning names a user's function that
        does not answer.

    Raises
    ------
    StrategyError
        If a strategy answers outside the rules.
    ValueError
        If ``jobs`` or ``piece`` is not valid, or ``resume`` belongs to another experiment.
    """
    _check(experiment, jobs, piece, resume)
    report = on_progress or _ignore
    pace, warm_up = prepare(experiment, report)
    state = resume.copy() if resume else Run.blank(experiment)
    state.jobs, state.warm_up = jobs, state.warm_up + warm_up
    tasks = _tasks(experiment, state, piece, pace)
    before, units_before, started = state.seconds, state.units, time.perf_counter()
    pieces = _pieces(experiment, tasks, jobs, backend, on_rows is not None)
    try:
        for task, result in pieces:
            state = merged(state, task, result, before + time.perf_counter() - started)
            if on_rows and isinstance(result, Piece) and result.rows is not None:
                on_rows(result.rows)
            report(_progress(experiment, state, task, units_before, time.perf_counter() - started))
            if on_checkpoint:
                on_checkpoint(state)
    except KeyboardInterrupt as interruption:
        silent = str(interruption) or unanswered()
        pieces.close()
        if silent:
            warnings.warn(silent, RuntimeWarning, stacklevel=2)
    return state


def prepare(experiment: Experiment, report: Callable[[Progress], None]) -> tuple[dict[str, float], float]:
    """Compile what is needed, once and before fanning out, and measure the pace.

    Returns
    -------
    pace : dict
        Seconds a match and a hand, of a few that are played and thrown away.
    seconds : float
        Time that this took.
    """
    started = time.perf_counter()
    if not all(is_compiled(kernel) for kernel in experiment.game.kernels(experiment)):
        report(Progress("compile"))
    pace = {}
    with compile_lock():
        for kind, wanted in (("matches", experiment.matches), ("hands", experiment.hands)):
            if wanted:
                play_task(experiment, Task(kind, 0, 1), False)
                pace[kind] = _seconds_each(experiment, kind, wanted)
    return pace, time.perf_counter() - started


def _seconds_each(experiment: Experiment, kind: str, wanted: int) -> float:
    """Time one match or hand, or several where one is too short for the clock."""
    seconds, count = 0.0, 1
    for count in (1, min(wanted, _PILOT)):
        begun = time.perf_counter()
        play_task(experiment, Task(kind, 0, count), False)
        seconds = time.perf_counter() - begun
        if seconds > _PILOT_SECONDS:
            break
    return seconds / count


def play_task(experiment: Experiment, task: Task, keep_rows: bool) -> Piece | Counters:
    """Play one task; what worker threads and processes do."""
    if task.kind == "matches":
        return experiment.game.play(experiment, task.first, task.count, keep_rows)
    return experiment.game.study(experiment, task.first, task.count)


def _play(experiment: Experiment, task: Task, keep_rows: bool) -> tuple[Task, Piece | Counters]:
    return task, play_task(experiment, task, keep_rows)


def _tasks(experiment: Experiment, state: Run, piece: int | None, pace: dict[str, float]) -> Iterator[Task]:
    """Yield what is left to play, in order."""
    per_match = max(1, experiment.units // max(1, experiment.matches))
    ranges = (
        ("matches", state.matches, experiment.matches, _MOST_UNITS // per_match),
        ("hands", state.hands, experiment.hands, _MOST_UNITS),
    )
    for kind, done, wanted, most in ranges:
        if done < wanted:
            size = piece or int(np.clip(_PIECE_SECONDS / max(pace[kind], 1e-9), 1, max(1, most)))
            for first in range(done, wanted, size):
                yield Task(kind, first, min(size, wanted - first))


def _pieces(
    experiment: Experiment, tasks: Iterator[Task], jobs: int, backend: str | None, keep_rows: bool
) -> Generator[tuple[Task, Any], None, None]:
    """Yield finished tasks in order."""
    calls = ((experiment, task, keep_rows) for task in tasks)
    return in_order(_play, calls, jobs, backend, _ROWS_AHEAD if keep_rows else None)


def merged(state: Run, task: Task, result: Piece | Counters, seconds: float) -> Run:
    """Return the run with a finished task added; an interruption meanwhile leaves the run as it was."""
    more = state.copy()
    more.seconds = seconds
    if isinstance(result, Piece):
        for name, counter in result.counters.items():
            more.counters[name] += counter
        more.matches += result.matches
        more.units += result.units
    else:
        for name, counter in result.items():
            more.study.setdefault(name, []).append(counter)
        more.hands += task.count
    return more


def _progress(experiment: Experiment, state: Run, task: Task, units_before: int, seconds: float) -> Progress:
    matches = task.kind == "matches"
    return Progress(
        stage=task.kind,
        done=state.matches if matches else state.hands,
        total=experiment.matches if matches else experiment.hands,
        units=state.units - units_before,
        seconds=seconds,
    )


def _check(experiment: Experiment, jobs: int, piece: int | None, resume: Run | None) -> None:
    if isinstance(jobs, bool) or not isinstance(jobs, int) or not (jobs == -1 or 1 <= jobs <= 4096):
        raise ValueError(f"jobs {jobs!r}: must be a whole number from 1, or -1 for one a core")
    if piece is not None and piece < 1:
        raise ValueError(f"piece {piece!r}: must be at least 1")
    if resume and resume.description != experiment.as_dict():
        raise ValueError("the run to resume belongs to another experiment: same options are needed")


def _ignore(_progress: Progress) -> None:
    """Stand in where nobody asked for progress."""
