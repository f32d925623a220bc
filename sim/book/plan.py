"""What opening book to make, and what the making of it asks of a game.

A plan is a frozen, validated description that fixes every number of its book. Each game's ``book/plan.py``
has a ``BookPlan`` of its own: the classes of its opening hands, how their options are played out, and what
the counters say of them. Nothing else here knows a game.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any, ClassVar

import numpy as np

from sim.core.game import MOST_SEED, Counters, Game, find_game
from sim.core.strategy import Strategy

STAGES = SEARCH, FRESH, DUEL = 0, 1, 2
"""What deals are for: to choose what to compare, to value it, and to value a rival where that is short."""
LEAST_PRECISION, MOST_PRECISION = 0.002, 1.0


@dataclass(frozen=True)
class HandClasses:
    """All hands of a game, class by class.

    Parameters
    ----------
    cards : int64 (C,) array
        The representative hand of each class, a mask of cards or tiles, ascending.
    weight : int64 (C,) array
        Hands in the class.
    """

    cards: np.ndarray
    weight: np.ndarray


@dataclass(frozen=True)
class Pace:
    """How much of what is played; a constant of each game.

    Parameters
    ----------
    search : tuple of int
        Search completions that each round adds for the options still in question.
    everywhere : int
        Rounds of the search that all hands take. Later ones go to hands whose best two options are not
        clearly apart, and to those where more than two are left.
    fresh : int
        Fresh completions of every option, also of those that the search dropped.
    leniency : float
        The error of best against second may be this part of what the search says that they differ by.
    variance : float
        Of the difference of two options on one completion, likely; as much less as leniency is likely to
        save. Only foretells the play-outs before any are played.
    duels : int
        Rounds of the duel with the rival; 0 without one.
    duel_variance : float
        As ``variance``, of best call minus rival.
    """

    search: tuple[int, ...]
    everywhere: int
    fresh: int
    leniency: float
    variance: float
    duels: int = 0
    duel_variance: float = 0.0


@dataclass(frozen=True)
class Tally:
    """Sums over the completions of one stage.

    Parameters
    ----------
    n : int64 (C, O) array
        Completions of each option.
    sums, products : (C, O) and (C, O, O) arrays
        Of the options' scores, in points.
    z, zz, cross : int64 (C, K), (C, K, K) and (C, O, K) arrays
        Of the covariates, of their products, and of those with the scores.
    """

    n: np.ndarray
    sums: np.ndarray
    products: np.ndarray
    z: np.ndarray
    zz: np.ndarray
    cross: np.ndarray


@dataclass(frozen=True)
class BookPlan(ABC):
    """What book to make.

    Parameters
    ----------
    rules : Any
        By which the deals are played and scored.
    strategies : tuple of Strategy
        One a player; player 0 holds the hand.
    seed : int
        Fixes every completion.
    precision : float
        Standard error wanted, in points of score, for the difference between the best two options, and with a
        rival for it against the best of the others: this one is not larger in any class.
    budget : int
        Most play-outs; 0 for as many as the precision needs. A small budget goes to hands whose
        options are close, and leaves others less precise.
    every : int
        1 for the whole book; n for every n-th class only, a quick look.
    hands : tuple of int
        Classes to take, by their representatives, ascending; none for all of them.

    Raises
    ------
    ValueError
        If a field is out of range.
    """

    rules: Any
    strategies: tuple[Strategy, ...]
    seed: int = 1
    precision: float = 0.02
    budget: int = 0
    every: int = 1
    hands: tuple[int, ...] = ()

    game_name: ClassVar[str]
    pace: ClassVar[Pace]
    rival: ClassVar[int | None] = None
    """Option that is compared with the best of the others on every hand; None without one."""
    covariates: ClassVar[int] = 0
    """Number of control variates K."""

    def __post_init__(self) -> None:
        players = self.game.players(self.rules)
        if len(self.strategies) != players:
            raise ValueError(f"{len(self.strategies)} strategies for a book: {players} are needed")
        if not 0 <= self.seed <= MOST_SEED:
            raise ValueError(f"seed {self.seed}: must be a whole number from 0 to {MOST_SEED}")
        if not LEAST_PRECISION <= self.precision <= MOST_PRECISION:
            raise ValueError(
                f"precision {self.precision:g}: must be from {LEAST_PRECISION:g} to {MOST_PRECISION:g}"
            )
        if not 1 <= self.every <= self.classes.cards.size:
            raise ValueError(f"every {self.every}: must be a whole number from 1 to the number of classes")
        self._check_hands()
        least = (self.pace.search[0] + self.pace.fresh) * self.options * self.cards.size
        if self.budget and self.budget < least:
            raise ValueError(f"budget {self.budget:,}: this book needs at least {least:,} play-outs")

    def _check_hands(self) -> None:
        if not self.hands:
            return
        if self.every != 1:
            raise ValueError(f"every {self.every}: a book of chosen hands takes them all")
        hands = np.array(self.hands, np.int64)
        if (np.diff(hands) <= 0).any() or not np.isin(hands, self.classes.cards).all():
            raise ValueError("hands of a book: representatives of their classes are needed, ascending")

    @property
    def game(self) -> Game:
        """Return the game."""
        return find_game(self.game_name)

    @property
    @abstractmethod
    def options(self) -> int:
        """Return the number of options of a hand, O."""

    @property
    @abstractmethod
    def classes(self) -> HandClasses:
        """Return all classes of hands."""

    @property
    def distinct(self) -> np.ndarray:
        """Tell which options have to be played, bool (C, O): those that equal no earlier one."""
        return np.ones((self.cards.size, self.options), bool)

    @property
    @abstractmethod
    def entries(self) -> tuple[Any, ...]:
        """Return the compiled entry points that :meth:`play` and :meth:`covariate_means` call."""

    @abstractmethod
    def blank(self, hands: int) -> Counters:
        """Return zero counters for a number of hands; ``count`` (hands, stages, O) is among them."""

    @abstractmethod
    def play(
        self, stage: int, cards: np.ndarray, first: np.ndarray, more: np.ndarray, alive: np.ndarray
    ) -> Counters:
        """Play out options of some hands.

        Parameters
        ----------
        stage : int
            One of STAGES; each has deals of its own, fixed by seed, stage, hand and number.
        cards, first, more : int64 (H,) arrays
            Hands; number of the first completion of each, and how many to play.
        alive : bool (H, O) array
            Options to play, all on the same completions.

        Raises
        ------
        StrategyError
            If a strategy answers outside the rules.
        """

    @abstractmethod
    def tally(self, counters: Counters, stage: int) -> Tally:
        """Read the sums of one stage off the counters."""

    def covariate_means(self, cards: np.ndarray) -> np.ndarray:
        """Return the exact mean of each control variate over all completions, float64 (H, K)."""
        return np.zeros((cards.size, 0))

    @staticmethod
    @abstractmethod
    def write_hand(cards: int) -> str:
        """Return a hand as text that :meth:`read_hand` reads."""

    @staticmethod
    @abstractmethod
    def read_hand(text: str) -> int:
        """Return the mask of a hand."""

    @cached_property
    def _chosen(self) -> np.ndarray:
        """Numbers of the classes in the book."""
        if self.hands:
            return np.searchsorted(self.classes.cards, np.array(self.hands, np.int64))
        return np.arange(0, self.classes.cards.size, self.every)

    @property
    def cards(self) -> np.ndarray:
        """Return the representative hands, int64 of shape (C,)."""
        return self.classes.cards[self._chosen]

    @property
    def weight(self) -> np.ndarray:
        """Return the hands that each class stands for, int64 of shape (C,)."""
        return self.classes.weight[self._chosen]

    @property
    def whole(self) -> bool:
        """Whether every class is in the book."""
        return not self.hands and self.every == 1

    def as_dict(self) -> dict[str, Any]:
        """Return names and values that :func:`from_dict` reads back."""
        return {
            "rules": self.rules.as_dict(),
            "strategies": [strategy.name for strategy in self.strategies],
            "seed": self.seed,
            "precision": self.precision,
            "budget": self.budget,
            "every": self.every,
            "hands": [self.write_hand(hand) for hand in self.hands],
        }


def plan_type(game: Game) -> type[BookPlan]:
    """Return a game's own plan of a book."""
    found = import_module(f"sim.{game.name}.book.plan").BookPlan
    assert issubclass(found, BookPlan)
    return found


def from_dict(game: Game, description: Mapping[str, Any]) -> BookPlan:
    """Rebuild the plan that :meth:`BookPlan.as_dict` described.

    Raises
    ------
    ValueError
        If it names something that does not exist, such as a user's own strategy.
    """
    made: Any = plan_type(game)
    given = dict(description)
    rules, names, hands = (given.pop(name) for name in ("rules", "strategies", "hands"))
    plan = made(
        rules=game.rules_type.from_options(dict(rules)),
        strategies=tuple(game.book.parse(name) for name in names),
        hands=tuple(made.read_hand(hand) for hand in hands),
        **{name: tuple(value) if isinstance(value, list) else value for name, value in given.items()},
    )
    assert isinstance(plan, BookPlan)
    return plan
