"""What a table of match equity needs of a game: where a round or deal can lead, and how much to play.

A match is a chain of states. What the next round or deal brings depends on some of the state only, its
*row*: the scores in Fives and Threes, the debts in 3-2-5. Each row is played from many times, and what came
of it is counted; all the rest is arithmetic, done by each game's ``equity.solve``.
"""

from abc import ABC, abstractmethod
from importlib import import_module
from typing import Any

import numpy as np

from sim.equity.plan import EquityPlan


class Model(ABC):
    """Rows and outcomes of one plan; each game's ``equity/model.py`` has one of this name.

    Parameters
    ----------
    plan : EquityPlan
        What is to be made.

    Raises
    ------
    ValueError
        If there can be no table for these rules.
    """

    def __init__(self, plan: EquityPlan):
        self.plan = plan
        self.offsets = self.layout()

    @abstractmethod
    def layout(self) -> np.ndarray:
        """Return where the counts of each row begin, and where the last end: int64 (rows + 1,)."""

    @property
    @abstractmethod
    def entry(self) -> Any:
        """Return the compiled entry point that :meth:`play` calls."""

    @property
    def compiled(self) -> tuple[Any, ...]:
        """Return all that has to be compiled before playing."""
        return (self.entry,)

    @abstractmethod
    def play(self, start: int, first: np.ndarray, more: np.ndarray) -> np.ndarray:
        """Play from consecutive rows.

        Parameters
        ----------
        start : int
            Number of the first row.
        first, more : int64 (n,) arrays
            What each row has been played already, and what to add.

        Returns
        -------
        int64 array
            How often each outcome came, ``offsets[start]`` to ``offsets[start + n]``.

        Raises
        ------
        StrategyError
            If the strategy answers outside the rules.
        """

    @abstractmethod
    def wanted(self, counts: np.ndarray) -> np.ndarray:
        """Return how often to play from each row, int64 (rows,), as far as the counts so far can tell.

        It is a function of the counts alone, so that a table is the same integers for any number of jobs
        and however often it was interrupted.
        """

    def played(self, counts: np.ndarray) -> np.ndarray:
        """Return how often each row was played from: int64 (rows,)."""
        return np.add.reduceat(counts, self.offsets[:-1])


def model_of(plan: EquityPlan) -> Model:
    """Return the model of a plan's game.

    Raises
    ------
    ValueError
        If there can be no table for these rules.
    """
    return import_module(f"sim.{plan.game.name}.equity.model").Model(plan)
