"""How fast a game is played: deals or rounds a second, by strategy and number of jobs.

Compiling and warming up are never in a rate. Repeats of different numbers of jobs alternate, and the
yardstick with them if there is one, so that a machine whose speed changes meanwhile favours none of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from types import MappingProxyType
from typing import Any

from sim.batch import Progress, run
from sim.core.game import Game
from sim.experiment import experiment
from sim.results import Run


@dataclass(frozen=True)
class Case:
    """One thing to time.

    Parameters
    ----------
    strategy : str
        Played by everybody.
    rules : mapping
        Options that differ from the game's defaults.
    """

    strategy: str
    rules: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True)
class Timing:
    """How fast one case ran with a number of jobs.

    Parameters
    ----------
    case : Case
        What was timed.
    jobs, repeats, units : int
        Jobs, repeats, and deals or rounds in each of them.
    per_s : float
        Deals or rounds a second, median of the repeats.
    plays_per_s : float
        Cards or tiles played a second, likewise.
    speed_up : float or None
        Rate against that of one job; None if one job was not timed.
    of_yardstick : float or None
        Rate against that of the yardstick on one core, median of the repeats; None if there was none.
    """

    case: Case
    jobs: int
    repeats: int
    units: int
    per_s: float
    plays_per_s: float
    speed_up: float | None
    of_yardstick: float | None

    def as_dict(self, game: Game) -> dict[str, Any]:
        """Return the record of this timing for programs."""
        return {
            "game": game.name,
            "strategy": self.case.strategy,
            "rules": dict(self.case.rules),
            "jobs": self.jobs,
            "per_s": self.per_s,
            "plays_per_s": self.plays_per_s,
            "speed_up": self.speed_up,
            "of_c_loop": self.of_yardstick,
            "repeats": self.repeats,
            f"{game.unit}s": self.units,
        }


def measure(
    game: Game,
    case: Case,
    plays: Callable[[Run], int],
    *,
    units: int,
    repeats: int,
    jobs: Sequence[int],
    yardstick: Callable[[Any], float] | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> list[Timing]:
    """Time one case.

    Parameters
    ----------
    game : Game
        The game.
    case : Case
        Strategy and rules.
    plays : callable
        Counts the cards or tiles played in a run.
    units : int
        Deals or rounds a repeat.
    repeats : int
        Runs for each number of jobs.
    jobs : sequence of int
        Numbers of jobs.
    yardstick : callable, optional
        Takes the rules and returns the deals or rounds a second of what to compare with.
    on_progress : callable, optional
        Told when something has to be compiled, before it is.

    Returns
    -------
    list of Timing
        One a number of jobs, in the order given.

    Raises
    ------
    ValueError
        If the strategy, a rule or a number is not valid.
    """
    timed = experiment(game, units=units, strategies=case.strategy, rules=case.rules)
    seconds: dict[int, list[float]] = {number: [] for number in jobs}
    yardsticks: list[float] = []
    for _ in range(repeats):
        if yardstick:
            yardsticks.append(yardstick(timed.rules))
        for number, taken in seconds.items():
            made = run(timed, number, on_progress=on_progress)
            taken.append(made.seconds)
    rates = {number: made.units / median(taken) for number, taken in seconds.items()}
    return [
        Timing(
            case=case,
            jobs=number,
            repeats=repeats,
            units=made.units,
            per_s=rate,
            plays_per_s=rate * plays(made) / made.units,
            speed_up=rate / rates[1] if 1 in rates else None,
            of_yardstick=_of_yardstick(made.units, seconds[number], yardsticks),
        )
        for number, rate in rates.items()
    ]


def _of_yardstick(units: int, seconds: Sequence[float], yardsticks: Sequence[float]) -> float | None:
    """Return the median ratio of the rates to those that the yardstick had just before."""
    if not yardsticks:
        return None
    return median(units / taken / rate for taken, rate in zip(seconds, yardsticks, strict=True))
