"""How a table of match equity of 3-2-5 is made: the debts that a deal can begin with, and deals of each.

A deal cannot spread a chance by more than 1/2, so that ``1 / (2 precision)²`` deals from each row keep what
one deal adds to the error below the precision; later deals add little, since they spread over the rows.
"""

import math
from typing import Any

import numpy as np

from sim.core.game import StrategyError
from sim.core.jit import compile_lock
from sim.equity.model import Model as Base
from sim.three_two_five.equity.deals import DEBTS, EXACT, OUTCOMES, play_deals
from sim.three_two_five.kernel import OK
from sim.three_two_five.strategies import deciders, specialised_kernel, strategy_rows


class Model(Base):
    """Rows of debts; see :mod:`sim.three_two_five.equity.deals`."""

    @property
    def debts(self) -> np.ndarray:
        """Return the debts of each row, int64 (rows, 3): of the outcome before it, or none without pulls."""
        return DEBTS if self.plan.rules.pulls else DEBTS[EXACT : EXACT + 1]

    def layout(self) -> np.ndarray:
        """Return where the counts of each row begin: 66 outcomes a row."""
        return np.arange(len(self.debts) + 1) * len(OUTCOMES)

    @property
    def entry(self) -> Any:
        """Return the kernel of deals from rows."""
        return specialised_kernel(play_deals, self.plan.strategies)

    @property
    def compiled(self) -> tuple[Any, ...]:
        """Return the kernel and what it calls."""
        return (*deciders(self.plan.strategies).values(), self.entry)

    def play(self, start: int, first: np.ndarray, more: np.ndarray) -> np.ndarray:
        """Play deals from consecutive rows; see :class:`sim.equity.model.Model`."""
        plan = self.plan
        counts = np.zeros((first.size, len(OUTCOMES)), np.int64)
        with compile_lock(self.entry):
            status, row = self.entry(
                plan.seed, plan.rules.row(), *strategy_rows(plan.strategies),
                start, first, more, self.debts, counts,
            )  # fmt: skip
        if status != OK:
            raise StrategyError(
                f"strategy {plan.strategy.name!r} answered outside the rules with debts"
                f" {','.join(map(str, self.debts[row]))} of seed {plan.seed}"
            )
        return counts.ravel()

    def wanted(self, counts: np.ndarray) -> np.ndarray:
        """Return how many deals to play from each row."""
        return np.full(len(self.debts), math.ceil(0.25 / self.plan.precision**2))
