"""A game as the batch runner, the results and the commands know it, and what can be played of one.

Games are registered at the edge (:mod:`sim.games`) and found by name: nothing in here imports one.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sim.core.strategy import Strategy, StrategyBook
from sim.core.users import StrategyError as StrategyError

Counters = dict[str, np.ndarray]

MOST_UNITS = 10**13
MOST_SEED = 2**63 - 1

COSTS = ("fast", "thinking", "deep")
"""Classes of strategies by what a deal or round costs a player: about a microsecond, a millisecond, or tens
of them."""


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


@dataclass(frozen=True)
class Experiment:
    """A run to make.

    Parameters
    ----------
    game : Game
        Which game.
    rules : Any
        The game's frozen rules.
    strategies : tuple of Strategy
        One a player.
    seed : int
        Together with the other fields it fixes all results, on any machine and for any number of jobs.
    units : int
        Deals or rounds to count, exactly; or 0 to count whole matches.
    matches : int
        Matches to play; where ``units`` is given, the number that it takes.
    hands : int
        Hands of the option study: every option of each played out on common deals.
    completions : int
        Deals for each of those hands.

    Raises
    ------
    ValueError
        If a field is out of range or does not fit the game.
    """

    game: "Game"
    rules: Any
    strategies: tuple[Strategy, ...]
    seed: int = 1
    units: int = 0
    matches: int = 0
    hands: int = 0
    completions: int = 64

    def __post_init__(self) -> None:
        players = self.game.players(self.rules)
        if len(self.strategies) != players:
            raise ValueError(
                f"{len(self.strategies)} strategies for {players} players: give one, or {players}"
            )
        within("seed", self.seed, 0, MOST_SEED)
        within(self.game.unit + "s", self.units, 0, MOST_UNITS)
        within("matches", self.matches, 0, MOST_UNITS)
        within("hands", self.hands, 0, 10**7)
        within("completions", self.completions, 2, 10**6)
        if not (self.matches or self.hands):
            raise ValueError(f"nothing to play: give {self.game.unit}s, matches or hands")

    def as_dict(self) -> dict[str, Any]:
        """Return names and values that :func:`experiment` reads back."""
        return {
            "game": self.game.name,
            "rules": self.rules.as_dict(),
            "strategies": [strategy.name for strategy in self.strategies],
            "seed": self.seed,
            "units": self.units,
            "matches": self.matches,
            "hands": self.hands,
            "completions": self.completions,
        }


def within(name: str, value: int, least: int, most: int) -> None:
    """Refuse a number that is not whole or out of range, by a ``ValueError`` that names it."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"{name} {value!r}: must be a whole number from {least} to {most}")


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
    def kernels(self, experiment: Experiment) -> list[Any]:
        """Return the compiled entry points that the experiment will call."""

    @abstractmethod
    def blank(self, experiment: Experiment) -> Counters:
        """Return zero counters of matches."""

    @abstractmethod
    def play(self, experiment: Experiment, first: int, matches: int, keep_rows: bool) -> Piece:
        """Play consecutive matches.

        Raises
        ------
        StrategyError
            If a strategy answers outside the rules.
        """

    @abstractmethod
    def study(self, experiment: Experiment, first: int, hands: int) -> Counters:
        """Play out every option of consecutive hands; arrays have one entry a hand."""

    @abstractmethod
    def replay(self, experiment: Experiment, match: int) -> list[dict[str, Any]]:
        """Return the records of all deals or rounds of one match, as the batch counted them."""

    @abstractmethod
    def describe(self, record: Mapping[str, Any], symbols: bool) -> str:
        """Return a record as a person reads it."""


_GAMES: dict[str, Game] = {}


def register(game: Game) -> Game:
    """Let a game be found by its name; returns it."""
    _GAMES[game.name] = game
    return game


def find_game(name: str) -> Game:
    """Return a game by its name, ``three_two_five`` or ``three-two-five``.

    Raises
    ------
    ValueError
        If there is no such game.
    """
    game = _GAMES.get(name.replace("-", "_"))
    if game is None:
        raise ValueError(f"no game {name!r}: valid are {', '.join(game.command for game in _GAMES.values())}")
    return game
