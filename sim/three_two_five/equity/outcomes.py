"""Outcomes of every option of many first hands, on all cores: what calling or revealing can lead to."""

from dataclasses import dataclass

import numpy as np

from sim.core.game import StrategyError
from sim.core.jit import compile_lock
from sim.core.rng import EQUITY, bounded, word
from sim.equity.plan import EquityPlan
from sim.parallel import in_order
from sim.three_two_five.book.hands import all_hands
from sim.three_two_five.cards import format_cards
from sim.three_two_five.equity.deals import OUTCOMES, play_outcomes
from sim.three_two_five.kernel import OK
from sim.three_two_five.options import HALVES
from sim.three_two_five.rules import REVEAL
from sim.three_two_five.strategies import specialised_kernel, strategy_rows

_PIECE = 50


@dataclass(frozen=True)
class OptionOutcomes:
    """What was counted.

    Parameters
    ----------
    plan : EquityPlan
        Rules, players and seed.
    completions : int
        Deals of each hand.
    cards : int64 (hands,) array
        First five cards, drawn from all hands alike.
    counts : int64 (hands, 2, 5, 66) array
        Deals by half, option (S, H, D, C, reveal) and outcome.
    """

    plan: EquityPlan
    completions: int
    cards: np.ndarray
    counts: np.ndarray


def option_outcomes(plan: EquityPlan, hands: int, completions: int, jobs: int = 1) -> OptionOutcomes:
    """Play out every option of random first hands, without debts.

    Parameters
    ----------
    plan : EquityPlan
        Rules, players and seed; it fixes hands and deals.
    hands, completions : int
        How many hands, and deals for each; every option meets the same.
    jobs : int
        Pieces played at the same time; -1 for one a core.

    Raises
    ------
    StrategyError
        If the strategy answers outside the rules.
    """
    every, key = all_hands(), word(word(plan.seed, EQUITY), EQUITY)
    cards = np.array([every[bounded(key, number, every.size)] for number in range(hands)])
    pieces = [cards[first : first + _PIECE] for first in range(0, hands, _PIECE)]
    counted = in_order(_play, ((plan, piece, completions) for piece in pieces), jobs)
    return OptionOutcomes(plan, completions, cards, np.concatenate(list(counted)))


def _play(plan: EquityPlan, cards: np.ndarray, completions: int) -> np.ndarray:
    """Play out some hands."""
    counts = np.zeros((cards.size, HALVES, REVEAL + 1, len(OUTCOMES)), np.int64)
    entry = specialised_kernel(play_outcomes, plan.strategies)
    with compile_lock(entry):
        status, hand = entry(
            plan.seed, completions, plan.rules.row(), *strategy_rows(plan.strategies),
            np.zeros(3, np.int64), cards, counts,
        )  # fmt: skip
    if status != OK:
        raise StrategyError(f"a strategy answered outside the rules with {format_cards(int(cards[hand]))}")
    return counts
