"""What opening book to make: a frozen, validated description that fixes every number of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sim.core.game import MOST_SEED
from sim.core.strategy import Strategy
from sim.three_two_five.book.completions import OPTIONS
from sim.three_two_five.book.hands import canonical, hand_classes
from sim.three_two_five.cards import LANE, LANE_WIDTH, card_names, parse_cards
from sim.three_two_five.rules import PLAYERS, SEVENS, Rules
from sim.three_two_five.strategies import BOOK

SEARCH_ROUNDS = (64, 64, 128, 256, 512)
"""Search completions that each round adds for the options still in question."""
FRESH_ALL = 256
"""Fresh completions of every option, also of those that the search dropped."""
LEAST_PRECISION, MOST_PRECISION = 0.002, 1.0
_MOST_DEBT = 8


@dataclass(frozen=True)
class BookPlan:
    """What book to make.

    Parameters
    ----------
    rules : Rules
        By which the deals are played and scored.
    strategies : tuple of Strategy
        Of the five, the three and the two.
    seed : int
        Fixes every completion.
    debts : tuple of int
        Pulls that five, three and two may take, or suffer if negative (R14): zeros for a first deal.
    precision : float
        Standard error wanted, in points of score, for the difference between the best two options, and for
        the best call against revealing: this one is not larger in any class.
    budget : int
        Most play-outs; 0 for as many as the precision needs. A small budget goes to hands whose
        options are close, and leaves others less precise.
    every : int
        1 for the whole book; n for every n-th class only, a quick look.
    hands : tuple of int
        Classes to take, by their representatives (:mod:`sim.three_two_five.book.hands`), ascending; none
        for all of them.

    Raises
    ------
    ValueError
        If a field is out of range.
    """

    rules: Rules
    strategies: tuple[Strategy, ...]
    seed: int = 1
    debts: tuple[int, int, int] = (0, 0, 0)
    precision: float = 0.02
    budget: int = 0
    every: int = 1
    hands: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if len(self.strategies) != PLAYERS:
            raise ValueError(f"{len(self.strategies)} strategies for a book: {PLAYERS} are needed")
        if not 0 <= self.seed <= MOST_SEED:
            raise ValueError(f"seed {self.seed}: must be a whole number from 0 to {MOST_SEED}")
        self._check_debts()
        if not LEAST_PRECISION <= self.precision <= MOST_PRECISION:
            raise ValueError(
                f"precision {self.precision:g}: must be from {LEAST_PRECISION:g} to {MOST_PRECISION:g}"
            )
        if not 1 <= self.every <= hand_classes(self._sevens).cards.size:
            raise ValueError(f"every {self.every}: must be a whole number from 1 to the number of classes")
        self._check_hands()
        least = (SEARCH_ROUNDS[0] + FRESH_ALL) * len(OPTIONS) * self.cards.size
        if self.budget and self.budget < least:
            raise ValueError(f"budget {self.budget:,}: this book needs at least {least:,} play-outs")

    def _check_debts(self) -> None:
        if len(self.debts) != PLAYERS or sum(self.debts) != 0 or max(map(abs, self.debts)) > _MOST_DEBT:
            raise ValueError(
                f"debts {','.join(map(str, self.debts))}: three numbers for five, three and two that add up"
                f" to 0, each from -{_MOST_DEBT} to {_MOST_DEBT}"
            )
        if any(self.debts) and not self.rules.pulls:
            raise ValueError(f"debts {','.join(map(str, self.debts))}: without pulls there are none (R32)")

    def _check_hands(self) -> None:
        if not self.hands:
            return
        if self.every != 1:
            raise ValueError(f"every {self.every}: a book of chosen hands takes them all")
        hands = np.array(self.hands, np.int64)
        if (np.diff(hands) <= 0).any() or (canonical(hands, self._sevens) != hands).any():
            raise ValueError("hands of a book: representatives of their classes are needed, ascending")

    @property
    def _sevens(self) -> int:
        return SEVENS.index(self.rules.sevens)

    @cached_property
    def _chosen(self) -> np.ndarray:
        """Numbers of the classes in the book."""
        classes = hand_classes(self._sevens)
        if self.hands:
            return np.searchsorted(classes.cards, np.array(self.hands, np.int64))
        return np.arange(0, classes.cards.size, self.every)

    @property
    def cards(self) -> np.ndarray:
        """Return the representative hands, int64 of shape (C,)."""
        return hand_classes(self._sevens).cards[self._chosen]

    @property
    def weight(self) -> np.ndarray:
        """Return the hands that each class stands for, int64 of shape (C,)."""
        return hand_classes(self._sevens).weight[self._chosen]

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
            "debts": list(self.debts),
            "precision": self.precision,
            "budget": self.budget,
            "every": self.every,
            "hands": [" ".join(card_names(hand)) for hand in self.hands],
        }


def from_dict(description: Mapping[str, Any]) -> BookPlan:
    """Rebuild the plan that :meth:`BookPlan.as_dict` described.

    Raises
    ------
    ValueError
        If it names something that does not exist, such as a user's own strategy.
    """
    return BookPlan(
        rules=Rules.from_options(dict(description["rules"])),
        strategies=tuple(BOOK.parse(name) for name in description["strategies"]),
        debts=tuple(description["debts"]),
        hands=tuple(parse_cards(hand) for hand in description["hands"]),
        **{name: description[name] for name in ("seed", "precision", "budget", "every")},
    )


def twins(cards: np.ndarray) -> np.ndarray:
    """Tell which options are the same as an earlier one because both suits hold the same cards.

    Returns
    -------
    bool (C, 5) array
        True for hearts where they equal spades, and for clubs where they equal diamonds. It holds
        for low sevens only; with raised sevens hearts and spades differ.
    """
    lanes = [(cards >> (suit * LANE_WIDTH)) & LANE for suit in range(4)]
    same = np.zeros((cards.size, len(OPTIONS)), bool)
    same[:, 1] = lanes[0] == lanes[1]
    same[:, 3] = lanes[2] == lanes[3]
    return same


def distinct_options(plan: BookPlan) -> np.ndarray:
    """Options that have to be played, bool (C, 5): one of each pair of equal suits."""
    same = twins(plan.cards)
    if plan.rules.sevens != "low":
        same[:, 1] = False
    return ~same
