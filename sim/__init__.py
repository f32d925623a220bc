"""Dealworth's simulations: describe an experiment, run it, get its counters.

>>> from sim import experiment, run
>>> made = run(experiment("three-two-five", matches=100, strategies="random", seed=1))
>>> made.units
900

=====================  ==========================================================================
``experiment(...)``    describe a run by names; every error is a ``ValueError`` that says what is valid
``run(experiment)``    play it, on as many cores as wanted; returns a :class:`Run`
``replay(...)``        the records of one match's deals, the very deals that the run counted
``strategy(...)``      a built-in strategy by name, or one with your own functions
``load`` / ``save``    a run folder
``find_game``          a game's rules, strategies and columns
=====================  ==========================================================================

Nothing is printed and nothing touches the disk but ``load`` and ``save``. Tables and figures are in
:mod:`analysis`.
"""

from collections.abc import Callable
from typing import Any

from sim.batch import Progress, run
from sim.core.game import Experiment, Game, StrategyError, find_game
from sim.core.strategy import Strategy
from sim.experiment import experiment
from sim.games import GAMES
from sim.results import Run, RunFolder, load, save

__all__ = [
    "GAMES",
    "Experiment",
    "Game",
    "Progress",
    "Run",
    "RunFolder",
    "Strategy",
    "StrategyError",
    "experiment",
    "find_game",
    "load",
    "replay",
    "run",
    "save",
    "strategy",
]


def strategy(
    game: str, name: str, base: str | None = None, *, check: bool = False, **functions: Callable
) -> Strategy:
    """Return a built-in strategy, or one with the user's own compiled functions.

    Parameters
    ----------
    game : str
        ``"three-two-five"``.
    name : str
        A built-in name, or any name for one with functions.
    base : str, optional
        Built-in strategy for decisions without a function; needed with functions.
    check : bool
        Whether an index outside ``view`` or ``params`` is an error. Numba's code does not check by itself:
        it reads what lies there. Checking takes time: use it while a function is new.
    **functions : Callable
        By kind of decision (3-2-5: ``card``, ``return``, ``trump``, ``tie``; Fives and Threes: ``move``),
        each ``f(view, params, luck) -> int``; see the game's ``knowledge`` module for the view. What it
        writes to either array stays with it.

    Raises
    ------
    ValueError
        If a name is unknown or what is given is no such function.

    Notes
    -----
    A function that answers outside the rules or raises an error ends the run by a :class:`StrategyError`. One
    that never answers keeps its thread busy until the process ends; Ctrl-C leaves it behind and names it.

    Examples
    --------
    >>> from sim.three_two_five.knowledge import LEGAL
    >>> lowest = strategy("three-two-five", "lowest bit", base="heuristic",
    ...                   card=lambda view, params, luck: view[LEGAL] & -view[LEGAL])
    """
    book = find_game(game).book
    if not functions:
        return book.parse(name)
    return book.custom(name, base or "random", check, **functions)


def replay(experiment: Experiment, match: int) -> list[dict[str, Any]]:
    """Return one record a deal (round) of a match: the very ones that a run of it counts.

    Raises
    ------
    ValueError
        If the match is not one that the experiment plays.
    """
    if isinstance(match, bool) or not isinstance(match, int) or not 0 <= match < experiment.matches:
        raise ValueError(f"match {match!r}: the run has matches 0 to {experiment.matches - 1}")
    return experiment.game.replay(experiment, match)
