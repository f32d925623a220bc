"""What the batch runner, the results and the commands need to know of a game, and no more."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from sim.core.strategy import Strategy, StrategyBook

if TYPE_CHECKING:
    from sim.experiment import Experiment

Counters = dict[str, np.ndarray]

COSTS = ("fast", "thinking", "deep")
"""Classes of strategies by what a deal or round costs a player: about a microsecond, a millisecond, or tens
of them."""


class StrategyError(ValueError):
    """A strategy answered outside the rules."""


@dataclass(frozen=True)
class Piece:
    """What a number of consecutive matches gave.

    Parameters
    ----------
    matches, units : int
        Matches played, and deals or rounds in them.
    counters : dict of str to int64 array
        Sums over them.
    rows : dict of str to array, or None
        One entry a deal or round, by column, where asked for.
    """

    matches: int
    units: int
    counters: Counters
    rows: Counters | None = None


class Game(ABC):
    """A game behind one interface; each game's ``game.py`` implements it."""

    name: ClassVar[str]
    """As in records and result files, ``three_two_five``."""
    title: ClassVar[str]
    """As people say it, ``3-2-5``."""
    unit: ClassVar[str]
    """What is counted: ``deal`` or ``round``."""
    rules_type: ClassVar[Any]
    """Frozen dataclass with ``from_options``, ``as_dict`` and validation."""
    book: ClassVar[StrategyBook]
    """The strategies by name."""
    row_columns: ClassVar[Mapping[str, str]]
    """Columns of per-deal rows: name to meaning, with units."""

    @property
    def command(self) -> str:
        """Return the name on the command line, ``three-two-five``."""
        return self.name.replace("_", "-")

    def __reduce__(self) -> tuple:
        """Pickle by name, so that worker processes get their own."""
        from sim.games import find_game

        return find_game, (self.name,)

    def cost(self, strategies: Iterable[Strategy]) -> int:
        """Return the class of the dearest of some strategies, an index into COSTS."""
        return COSTS.index("fast")

    @abstractmethod
    def players(self, rules: Any) -> int:
        """Return the number of players."""

    @abstractmethod
    def extent(self, rules: Any, units: int, matches: int) -> tuple[Any, int, int]:
        """Settle how much to play from what was asked: ``units``, or whole ``matches``.

        Returns
        -------
        tuple
            The rules to play by, the matches to play, and the exact number of units to count
            (0 where the matches decide it).
        """

    @abstractmethod
    def kernels(self, experiment: "Experiment") -> list[Any]:
        """Return the compiled entry points that the experiment will call."""

    @abstractmethod
    def blank(self, experiment: "Experiment") -> Counters:
        """Return zero counters of matches."""

    @abstractmethod
    def play(self, experiment: "Experiment", first: int, matches: int, keep_rows: bool) -> Piece:
        """Play consecutive matches.

        Raises
        ------
        StrategyError
            If a strategy answers outside the rules.
        """

    @abstractmethod
    def study(self, experiment: "Experiment", first: int, hands: int) -> Counters:
        """Play out every option of consecutive hands; arrays have one entry a hand."""

    @abstractmethod
    def replay(self, experiment: "Experiment", match: int) -> list[dict[str, Any]]:
        """Return the records of all deals or rounds of one match, as the batch counted them."""

    @abstractmethod
    def describe(self, record: Mapping[str, Any], symbols: bool) -> str:
        """Return a record as a person reads it."""
