"""Where a command keeps what it makes: a folder of its own, saved from time to time."""

import contextlib
import os
import shlex
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

from sim.folders import ResultFolder

_RESULTS = Path("results")
_FIRST_CHECKPOINT, _LAST_CHECKPOINT = 1.0, 20.0
"""Seconds between checkpoints: soon at first, so that little is lost, then doubling up to the last."""


@contextlib.contextmanager
def named_or_new(name: str | None, kind: str) -> Iterator[Path]:
    """Give the folder asked for, or make one named by kind and time that nobody else has."""
    if name is not None:
        yield Path(name)
        return
    claimed = [_RESULTS] if not _RESULTS.exists() else []
    _RESULTS.mkdir(exist_ok=True)
    stem = f"{kind}-{datetime.now():%Y%m%d-%H%M%S}"
    for number in count(1):
        place = _RESULTS / (stem if number == 1 else f"{stem}-{number}")
        try:
            place.mkdir()
            break
        except FileExistsError:
            continue
    try:
        yield place
    finally:
        # A folder is removed only if it is empty, that is, if nothing was kept in it.
        with contextlib.suppress(OSError):
            for folder in (place, *claimed):
                folder.rmdir()


@contextlib.contextmanager
def writing(folder: ResultFolder, resumption: str, amount: Callable[[Any], str]) -> Iterator[None]:
    """Leave a whole result in a folder, or nothing, whatever goes wrong meanwhile.

    Parameters
    ----------
    folder : ResultFolder
        Where.
    resumption : str
        The command that goes on with what is kept.
    amount : callable
        Says how much of a result there is.

    Raises
    ------
    OSError
        If something cannot be written; it says what is kept and how to go on.
    """
    try:
        with folder:
            yield
    except OSError as error:
        kept = "nothing is kept"
        if folder.kept:
            kept = f"{amount(folder.load())} kept; once that is mended, go on: {resumption}"
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise OSError(error.errno, f"{reason}; {kept}", error.filename) from None


def resumption_of(command: str, game: str, folder: Path) -> str:
    """Return the command that goes on with an unfinished result."""
    return shlex.join(["dealworth", command, game, "--resume", str(folder)])


class Checkpoints:
    """Save a result from time to time, so that it can be resumed even if it is killed.

    Parameters
    ----------
    save : callable
        Called with the result so far.
    """

    def __init__(self, save: Callable[[Any], object]):
        self._save = save
        self._wait = _FIRST_CHECKPOINT
        self._due = time.monotonic() + self._wait

    def consider(self, state: Any) -> None:
        """Save if it is time to."""
        if time.monotonic() >= self._due:
            self._save(state)
            self._wait = min(2 * self._wait, _LAST_CHECKPOINT)
            self._due = time.monotonic() + self._wait


def pace(seconds: float, jobs: int, warm_up: float) -> str:
    """Write how long a result took: ``12.3 s on 2 jobs, and 0.4 s to load or compile before``."""
    return (
        f"{seconds:.1f} s on {jobs} job{'s' if jobs > 1 else ''},"
        f" and {warm_up:.1f} s to load or compile before"
    )
