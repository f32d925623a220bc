"""Where a match of 3-2-5 stands between two deals, and playing it on from there."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.core.game import Experiment, StrategyError
from sim.core.jit import compile_lock
from sim.three_two_five.equity.deals import DEBTS, play_on
from sim.three_two_five.kernel import OK
from sim.three_two_five.rules import PLAYERS, QUOTAS, Rules
from sim.three_two_five.strategies import deciders, specialised_kernel, strategy_rows


@dataclass(frozen=True)
class Standing:
    """Scores and debts before a deal.

    Parameters
    ----------
    scores : tuple of int
        Match scores of those who sit five, three and two in the next deal (R27).
    deals_left : int
        Deals still to play, the next one included.
    debts : tuple of int
        Pulls of the next deal's five, three and two, negative if suffered (R14).
    """

    scores: tuple[int, ...]
    deals_left: int = 1
    debts: tuple[int, int, int] = (0, 0, 0)

    def check(self, rules: Rules) -> None:
        """See that the standing can occur by these rules.

        Raises
        ------
        ValueError
            If a number is out of range, or scores and debts do not add up.
        """
        if len(self.scores) != PLAYERS:
            raise ValueError(
                f"score {' '.join(map(str, self.scores))}: three scores are needed, of five, three and two"
            )
        if rules.scoring == "difference" and sum(self.scores) != 0:
            told = " ".join(f"{score:+d}" for score in self.scores)
            raise ValueError(f"score {told}: tricks less quotas add up to 0 (R26)")
        if not 1 <= self.deals_left <= rules.deals_per_match:
            raise ValueError(
                f"deals left {self.deals_left}: must be from 1 to {rules.deals_per_match}, the whole match"
            )
        self._check_debts(rules)

    def _check_debts(self, rules: Rules) -> None:
        written = ",".join(map(str, self.debts))
        if not any(self.debts):
            return
        if not rules.pulls or self.deals_left == rules.deals_per_match:
            raise ValueError(f"debts {written}: in a first deal and without pulls there are none (R21, R32)")
        if not (np.array(self.debts) == DEBTS).all(axis=1).any():
            five, three, two = QUOTAS
            raise ValueError(
                f"debts {written}: three numbers that add up to 0, at least {-three}, {-two} and {-five}:"
                " five, three and two were three, two and five in the deal before (R6)"
            )


def kernels(experiment: Experiment) -> list[Any]:
    """Return the compiled entry points that :func:`play` calls, and what they call."""
    return [*deciders(experiment.strategies).values(), specialised_kernel(play_on, experiment.strategies)]


def play(experiment: Experiment, standing: Standing, first: int, matches: int) -> np.ndarray:
    """Play consecutive matches on.

    Returns
    -------
    int64 (2, 3) array
        Matches won alone, and those in which the top was shared, by seat in the next deal.

    Raises
    ------
    StrategyError
        If a strategy answers outside the rules.
    """
    found = np.zeros((2, PLAYERS), np.int64)
    scores, debts = np.array(standing.scores, np.int64), np.array(standing.debts, np.int64)
    entry = specialised_kernel(play_on, experiment.strategies)
    with compile_lock(entry):
        status, match = entry(
            experiment.seed, first, matches, experiment.rules.row(), *strategy_rows(experiment.strategies),
            scores, standing.deals_left, debts, *found,
        )  # fmt: skip
    if status != OK:
        raise StrategyError(
            f"a strategy answered outside the rules in match {match} of seed {experiment.seed}"
        )
    return found
