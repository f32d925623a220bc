"""What opening book of 3-2-5 to make: what :mod:`sim.book` asks of the game."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sim.book.plan import BookPlan as Base
from sim.book.plan import HandClasses, Pace, Tally
from sim.core.game import Counters, StrategyError
from sim.three_two_five.book import completions
from sim.three_two_five.book.completions import COVARIATES, OPTIONS, covariate_means
from sim.three_two_five.book.hands import hand_classes
from sim.three_two_five.cards import LANE, LANE_WIDTH, card_names, format_cards, parse_cards
from sim.three_two_five.kernel import OK
from sim.three_two_five.rules import QUOTAS, REVEAL, SEVENS, Rules
from sim.three_two_five.strategies import specialised_kernel, strategy_rows

_MOST_DEBT = 8


@dataclass(frozen=True)
class BookPlan(Base):
    """What book of the first five cards to make; see :class:`sim.book.plan.BookPlan`.

    Parameters
    ----------
    debts : tuple of int
        Pulls that five, three and two may take, or suffer if negative (R14): zeros for a first deal.

    Raises
    ------
    ValueError
        If a field is out of range.
    """

    debts: tuple[int, int, int] = (0, 0, 0)

    game_name: ClassVar[str] = "three_two_five"
    pace: ClassVar[Pace] = Pace(
        search=(64, 64, 128, 256, 512),
        everywhere=5,
        fresh=256,
        leniency=0.0,
        variance=1.9,
        duels=12,
        duel_variance=3.5,
    )
    rival: ClassVar[int | None] = REVEAL
    covariates: ClassVar[int] = len(COVARIATES)

    def __post_init__(self) -> None:
        self._check_debts()
        super().__post_init__()

    def _check_debts(self) -> None:
        if len(self.debts) != len(QUOTAS) or sum(self.debts) != 0 or max(map(abs, self.debts)) > _MOST_DEBT:
            raise ValueError(
                f"debts {','.join(map(str, self.debts))}: three numbers for five, three and two that add up"
                f" to 0, each from -{_MOST_DEBT} to {_MOST_DEBT}"
            )
        if any(self.debts) and not self.rules.pulls:
            raise ValueError(f"debts {','.join(map(str, self.debts))}: without pulls there are none (R32)")

    @property
    def options(self) -> int:
        """Return 5: four suits to call, and revealing."""
        return len(OPTIONS)

    @property
    def classes(self) -> HandClasses:
        """Return the classes in which equal suits are exchanged."""
        return hand_classes(SEVENS.index(self.rules.sevens))

    @property
    def distinct(self) -> np.ndarray:
        """Tell one of each pair of equal suits from the other: bool (C, 5)."""
        same = twins(self.cards)
        if self.rules.sevens != SEVENS[0]:
            same[:, 1] = False
        return ~same

    @property
    def entries(self) -> tuple[Any, ...]:
        """Return the compiled entry points."""
        return specialised_kernel(completions.play_completions, self.strategies), completions.covariate_means

    def blank(self, hands: int) -> Counters:
        """Return zero counters, as :mod:`sim.three_two_five.book.completions` describes them."""
        return completions.blank(hands)

    def play(
        self, stage: int, cards: np.ndarray, first: np.ndarray, more: np.ndarray, alive: np.ndarray
    ) -> Counters:
        """Play out options of some hands; see :meth:`sim.book.plan.BookPlan.play`."""
        counters = self.blank(cards.size)
        play = specialised_kernel(completions.play_completions, self.strategies)
        status, hand = play(
            self.seed, stage, cards, first, more, alive, np.array(self.debts, np.int64), self.rules.row(),
            *strategy_rows(self.strategies), *counters.values(),
        )  # fmt: skip
        if status != OK:
            named = format_cards(int(cards[hand]))
            raise StrategyError(f"a strategy answered outside the rules with {named}")
        return counters

    def tally(self, counters: Counters, stage: int) -> Tally:
        """Read the sums of one stage off the counters."""
        names = ("count", "gram", "z", "zz", "cross")
        n, products, z, zz, cross = (counters[name][:, stage] for name in names)
        sums = counters["tricks"][:, stage] @ scores_by_tricks(self.rules)
        return Tally(n, sums, products, z, zz, cross)

    def covariate_means(self, cards: np.ndarray) -> np.ndarray:
        """Return the exact mean of each covariate, float64 (H, 7)."""
        means = np.zeros((cards.size, len(COVARIATES)))
        covariate_means(cards, means)
        return means

    @staticmethod
    def write_hand(cards: int) -> str:
        """Return a hand as text."""
        return " ".join(card_names(cards))

    @staticmethod
    def read_hand(text: str) -> int:
        """Return the mask of a hand."""
        return parse_cards(text)

    def as_dict(self) -> dict[str, Any]:
        """Return names and values that :func:`sim.book.plan.from_dict` reads back."""
        return super().as_dict() | {"debts": list(self.debts)}


def scores_by_tricks(rules: Rules) -> np.ndarray:
    """Score of the five by its tricks 0 to 10, int64 (11,) (R26)."""
    tricks = np.arange(11)
    if rules.scoring == "tricks":
        return tricks
    return tricks - QUOTAS[0] if rules.scoring == "difference" else np.maximum(tricks - QUOTAS[0], 0)


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
