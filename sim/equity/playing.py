"""Matches played on from where they stand, on all cores: the chance of any line-up, without a table."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import tee
from typing import Any

import numpy as np

from sim.batch import Progress
from sim.core.game import Experiment
from sim.core.jit import compile_lock, is_compiled
from sim.parallel import in_order

_PIECE_MATCHES = (4096, 16, 1)
"""Matches a piece, by the cost of the players."""


@dataclass(frozen=True)
class Played:
    """What came of matches that were played on.

    Parameters
    ----------
    matches : int
        How many.
    wins, ties : int64 (3,) arrays
        Matches that each side or player won alone, and in which it shared the top.
    seconds : float
        Time that it took, compiling left out.
    """

    matches: int
    wins: np.ndarray
    ties: np.ndarray
    seconds: float


def play_on(
    experiment: Experiment,
    standing: Any,
    jobs: int = 1,
    on_progress: Callable[[Progress], None] | None = None,
) -> Played:
    """Play the matches of an experiment on from a given standing.

    Parameters
    ----------
    experiment : Experiment
        Rules, strategies, seed and the number of matches.
    standing : Standing
        Of the game's ``equity.standing``.
    jobs : int
        Pieces played at the same time; -1 for one a core.
    on_progress : callable, optional
        Called after each piece.

    Raises
    ------
    StrategyError
        If a strategy answers outside the rules.
    ValueError
        If the standing does not fit the rules.
    """
    report = on_progress or _ignore
    rules_of_game = import_module(f"sim.{experiment.game.name}.equity.standing")
    standing.check(experiment.rules)
    if not all(is_compiled(entry) for entry in rules_of_game.kernels(experiment)):
        report(Progress("compile"))
    with compile_lock():
        rules_of_game.play(experiment, standing, 0, 1)
    ranges, ahead = tee(_ranges(experiment))
    calls = ((experiment, standing, first, matches) for first, matches in ahead)
    found, done, started = np.zeros((2, 3), np.int64), 0, time.perf_counter()
    for (_, matches), counted in zip(ranges, in_order(rules_of_game.play, calls, jobs), strict=True):
        found += counted
        done += matches
        report(Progress("matches", done, experiment.matches, done, time.perf_counter() - started))
    return Played(done, found[0], found[1], time.perf_counter() - started)


def _ranges(experiment: Experiment) -> Iterator[tuple[int, int]]:
    """Yield first match and number of matches, piece by piece."""
    size = _PIECE_MATCHES[experiment.game.cost(experiment.strategies)]
    for first in range(0, experiment.matches, size):
        yield first, min(size, experiment.matches - first)


def _ignore(_progress: Progress) -> None:
    """Stand in where nobody asked for progress."""
