"""From the options on a command line to an experiment."""

import argparse
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from analysis.cli.arguments import RULE_OPTIONS, UNITS
from sim.core.game import Experiment, Game
from sim.experiment import experiment
from sim.parallel import core_count
from sim.results import Run, load

_SEED = 1
_STRATEGY = "heuristic"


def described(args: argparse.Namespace, game: Game, **extent: int) -> Experiment:
    """Build the experiment that the options describe.

    Parameters
    ----------
    args : Namespace
        Options; those that are None have their defaults.
    game : Game
        The game.
    **extent : int
        ``units``, ``matches`` and ``hands`` to play, and ``completions``.

    Raises
    ------
    ValueError
        If an option is not valid.
    """
    return experiment(
        game,
        seed=seed_of(args),
        strategies=strategies_of(args),
        rules=rules_of(args),
        **extent,
    )


def rules_of(args: argparse.Namespace) -> dict[str, Any]:
    """Return the rules that were given, by name; some have an option of their own."""
    rules: dict[str, Any] = dict(args.rules or ())
    own = {name: getattr(args, name) for name in RULE_OPTIONS if getattr(args, name) is not None}
    return rules | own


def strategies_of(args: argparse.Namespace) -> list[str]:
    """Return the strategies that were given, or the usual one for all."""
    return args.strategy or [_STRATEGY]


def cost_of(args: argparse.Namespace, game: Game) -> int:
    """Return the class of the dearest strategy that was given, an index into COSTS.

    Raises
    ------
    ValueError
        If a name is not valid.
    """
    return game.cost(map(game.book.parse, strategies_of(args)))


def jobs_of(args: argparse.Namespace) -> int:
    """Return how much works at the same time: what was given, or one job a core."""
    return core_count() if args.jobs in (None, -1) else args.jobs


def seed_of(args: argparse.Namespace) -> int:
    """Return the seed that was given, or the usual one."""
    return _SEED if args.seed is None else args.seed


def as_typed(rules: Mapping[str, Any]) -> str:
    """Write rules as they are given on a command line: ``sevens=low pulls=true``."""
    return " ".join(
        f"{name}={str(value).lower() if isinstance(value, bool) else value}" for name, value in rules.items()
    )


def in_units(args: argparse.Namespace, game: Game, option: str) -> int | None:
    """Return the option that is named after the game's unit; None if it was not given.

    Parameters
    ----------
    args : Namespace
        Options.
    game : Game
        The game.
    option : str
        With ``{}`` for the unit: ``"{}s"`` for ``--deals``.

    Raises
    ------
    ValueError
        If it was given in a unit that the game does not have.
    """
    for unit in UNITS:
        if unit != game.unit and getattr(args, option.format(unit), None) is not None:
            raise ValueError(
                f"--{option.format(unit)} is not for {game.title}, which counts {game.unit}s:"
                f" use --{option.format(game.unit)}"
            )
    return getattr(args, option.format(game.unit), None)


def loaded(folder: str, game: Game) -> Run:
    """Read the run of a game.

    Raises
    ------
    ValueError
        If the folder holds no run, or one of another game.
    """
    run = load(Path(folder))
    if run.game.name != game.name:
        raise ValueError(f"{folder!r} holds a run of {run.game.title}, not of {game.title}")
    return run


def refuse(args: argparse.Namespace, given: str, others: Iterable[str]) -> None:
    """Refuse options that an existing run has settled already.

    Raises
    ------
    ValueError
        If one of them was given.
    """
    for name in others:
        if getattr(args, name, None) is not None:
            raise ValueError(f"--{given} has the run's own options: leave out --{name.replace('_', '-')}")
