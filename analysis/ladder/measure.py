"""What a ladder measures gains by; each game's ``ladder/measures.py`` names its own, the principal first."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

import numpy as np

from analysis.estimates import Estimate
from analysis.moments import Moments
from sim.core.game import Game
from sim.ladder.ladder import Ladder
from sim.ladder.model import Seating


@dataclass(frozen=True)
class Measure:
    """A gain of one strategy among others of another.

    Parameters
    ----------
    name : str
        Distinct among the measures of a game.
    seating : Seating
        How the two share a table.
    unit : str
        Of the gain: ``tricks a deal``.
    one, two : str
        What stands before the names of the two strategies: ``one of``, ``two of``.
    gains : str
        What is said of it: ``one gains among two of another``.
    how : str
        How it is played, and what a gain is, in a sentence or two.
    estimate : callable
        Takes the :class:`Moments` of a cell over matches, and returns the gain.
    """

    name: str
    seating: Seating
    unit: str
    one: str
    two: str
    gains: str
    how: str
    estimate: Callable[[Moments], Estimate]


def hooks_of(game: Game, name: str) -> ModuleType:
    """Return what a game's ``analysis/<game>/ladder`` has under a name."""
    return import_module(f"analysis.{game.name}.ladder.{name}")


def measures_of(ladder: Ladder) -> tuple[Measure, ...]:
    """Return the measures of a ladder, the principal one first."""
    return hooks_of(ladder.game, "measures").measures(ladder.plan.rules)


def named_measure(ladder: Ladder, name: str | None) -> Measure:
    """Return a measure by its name; the principal one if there is none.

    Raises
    ------
    ValueError
        If the ladder has no such measure.
    """
    measures = {measure.name: measure for measure in measures_of(ladder)}
    if name is None:
        return next(iter(measures.values()))
    if name not in measures:
        raise ValueError(f"no measure {name!r} on this ladder: valid are {', '.join(measures)}")
    return measures[name]


def cell_moments(ladder: Ladder, cell: int, half: int | None = None) -> Moments:
    """Return the moments of a cell's quantities over its matches, or over the even or odd ones.

    Products that the game does not count are 0: no measure asks for them.
    """
    model = ladder.plan.model
    which = slice(None) if half is None else slice(half, half + 1)
    found = {name: counter[cell, which].sum(axis=0) for name, counter in ladder.counters.items()}
    gram = np.diag(found["squares"])
    for place, pair in enumerate(model.products):
        a, b = (model.quantities.index(name) for name in pair)
        gram[a, b] = gram[b, a] = found["products"][place]
    return Moments(found["count"], found["sums"], gram, model.quantities)
