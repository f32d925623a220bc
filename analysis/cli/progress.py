"""How far a run is, on standard error: a bar on a terminal, a line now and then elsewhere."""

import sys
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from analysis.cli.terminal import clock, fitting, short, warn
from sim.batch import Progress as Event
from sim.core.game import Game

_LINE_SECONDS = 30.0
FORETOLD = "play-outs"
"""The stage whose total is only foretold, and whose units are what it is counted in."""


def announce_compiling(event: Event) -> None:
    """Say that a run has to compile first, where it does (case 24)."""
    if event.stage == "compile":
        warn("compiling the game, first run only: this takes about half a minute …")


class ProgressDisplay:
    """Show the progress of one run.

    Rate and time left are those of playing alone: they come from the run's own clock, which starts
    after compiling and warming up (case 24).

    Parameters
    ----------
    game : Game
        Gives the unit of the rate.
    matches, hands : int
        How many had been played when the run began, other than 0 where it is resumed.
    """

    def __init__(self, game: Game, matches: int = 0, hands: int = 0):
        self._game = game
        self._stage = ""
        self._done = {"matches": matches, "hands": hands}
        self._began = 0.0
        self._seconds = 0.0
        self._due = _LINE_SECONDS
        self._bar = _Bar() if sys.stderr.isatty() else None

    def __enter__(self) -> "ProgressDisplay":
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar:
            self._bar.stop()

    def show(self, event: Event) -> None:
        """Show one event of the run."""
        if event.stage == "compile":
            announce_compiling(event)
            return
        if event.stage != self._stage:
            self._stage, self._began = event.stage, self._seconds
        self._seconds = event.seconds
        about = "about " if event.stage == FORETOLD else ""
        text = f"{event.done:,} of {about}{event.total:,} {event.stage}"
        if self._bar:
            self._bar.draw(event, text, self._pace(event))
        elif event.seconds >= self._due:
            self._due = event.seconds + _LINE_SECONDS
            warn(f"{text}, {self._pace(event)}")

    def _pace(self, event: Event) -> str:
        """Write rate and time left of the stage."""
        seconds = max(event.seconds - self._began, 1e-9)
        before = self._done.get(event.stage, event.done - event.units)
        done = max(event.done - before, 1)
        left = clock((event.total - event.done) * seconds / done if event.left is None else event.left)
        if event.stage == "matches" and event.left is None:
            return f"{short(event.units / seconds)} {self._game.unit}s a second, {left} left"
        return f"{short(done / seconds)} {event.stage} a second, {left} left"


class _Bar:
    """The bar itself, one for each stage."""

    def __init__(self) -> None:
        self._tasks: dict[str, TaskID] = {}
        self._progress = Progress(
            BarColumn(bar_width=24),
            TextColumn("{task.description}", markup=False),
            console=Console(stderr=True, highlight=False),
            transient=True,
        )
        self._progress.start()

    def draw(self, event: Event, text: str, pace: str) -> None:
        """Move the bar of the event's stage."""
        # Where dear units come first, how many are done says little of how far it is.
        done, left = (event.seconds, event.left) if event.left is not None else (event.done, None)
        values: dict[str, Any] = {
            "completed": done,
            "total": event.total if left is None else done + left,
            "description": fitting(f"{text}, {pace}", sys.stderr),
        }
        if event.stage in self._tasks:
            self._progress.update(self._tasks[event.stage], **values)
        else:
            self._tasks[event.stage] = self._progress.add_task(**values)

    def stop(self) -> None:
        """Take the bars away."""
        self._progress.stop()
