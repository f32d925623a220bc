"""What a ladder needs of a game: who can sit where, the usual rungs, and what is counted of a match.

Each game's ``ladder/model.py`` has a :class:`Model`; nothing else of a ladder knows a game.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any, ClassVar

import numpy as np

from sim.core.game import Experiment, Game
from sim.core.strategy import Strategy
from sim.ladder.sizes import Sizes

NOWHERE = -1
"""The place of a strategy that is not at the table: all players are of the other one."""


@dataclass(frozen=True)
class Seating:
    """How one strategy and another share a table.

    Parameters
    ----------
    name : str
        Such as ``alone``.
    line_ups : tuple of tuple of bool
        Each place of the one strategy: which players are of it. All are played on the same deals.
    """

    name: str
    line_ups: tuple[tuple[bool, ...], ...]

    @cached_property
    def mutual(self) -> bool:
        """Whether the two strategies change roles among the line-ups, so that one cell serves them both."""
        swapped = {tuple(not sits for sits in line_up) for line_up in self.line_ups}
        return swapped == set(self.line_ups)


def alone(players: int) -> Seating:
    """Seat one player of a strategy among others, in every place once."""
    places = range(players)
    return Seating("alone", tuple(tuple(player == place for player in places) for place in places))


class Model(ABC):
    """What a ladder needs of one game by certain rules; each game's ``ladder/model.py`` has one of this name.

    Parameters
    ----------
    rules : Any
        The game's frozen rules.
    """

    rungs: ClassVar[tuple[str, ...]]
    """The usual ladder, as expected from the weakest to the strongest."""
    answers: ClassVar[tuple[str, ...]]
    """Best responses to single rungs, the usual challengers of a quick ladder."""
    challengers: ClassVar[tuple[str, ...]]
    """The usual challengers of the whole ladder."""
    usual_rules: ClassVar[tuple[dict[str, Any], ...]]
    """Rules that differ from the defaults, of each usual ladder."""
    unit: ClassVar[str]
    """What progress counts: ``deals`` or ``matches``."""
    options: ClassVar[int]
    """Options of a hand of the option study, at most."""
    quantities: ClassVar[tuple[str, ...]]
    """What is counted of a match, over all places of the one strategy."""
    products: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Pairs of quantities whose products are summed, too: those of a ratio."""

    def __init__(self, rules: Any):
        self.rules = rules

    @property
    @abstractmethod
    def quick(self) -> Sizes:
        """Return the sizes of a first look, to be had in less than five minutes on two cores."""

    @property
    @abstractmethod
    def full(self) -> Sizes:
        """Return the sizes of the whole ladder."""

    @property
    @abstractmethod
    def seatings(self) -> tuple[Seating, ...]:
        """Return how two strategies meet, the principal way first."""

    @property
    @abstractmethod
    def length(self) -> int:
        """Return the deals or rounds of a match, about, to foretell time by."""

    @property
    def units(self) -> int:
        """Return the units of a match that progress counts."""
        return 1

    @property
    def reference(self) -> bool:
        """Whether a cell needs the match without the one strategy besides, to compare with."""
        return False

    @abstractmethod
    def kernels(self, players: Sequence[Strategy]) -> list[Any]:
        """Return the compiled entry points that play matches of these strategies."""

    @abstractmethod
    def play(self, line_up: Experiment, seating: Seating, place: int, first: int, matches: int) -> np.ndarray:
        """Play consecutive matches of a cell with the one strategy in one place.

        Parameters
        ----------
        line_up : Experiment
            Who sits where.
        seating : Seating
            Of the cell.
        place : int
            Of its line-ups, or NOWHERE.
        first, matches : int
            Which matches.

        Returns
        -------
        int64 (matches, Q) array
            What is to be added up over places to make the quantities.

        Raises
        ------
        StrategyError
            If a strategy answers outside the rules.
        """

    @abstractmethod
    def first_match(self, line_up: Experiment) -> np.ndarray:
        """Return the rows of the first match, int64 (deals or rounds, COLUMNS)."""

    @abstractmethod
    def pilot(self, line_up: Experiment, number: int) -> None:
        """Play a number of deals or rounds that are not counted, to time the players."""


def model_of(game: Game, rules: Any) -> Model:
    """Return what a ladder needs of a game by certain rules."""
    return model_type(game)(rules)


def model_type(game: Game) -> type[Model]:
    """Return the class of :func:`model_of`, which knows what is usual whatever the rules."""
    return import_module(f"sim.{game.name}.ladder.model").Model
