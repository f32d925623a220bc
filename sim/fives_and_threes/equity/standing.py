"""Where a match of Fives and Threes stands between two rounds, and playing it on from there."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.core.game import Experiment, StrategyError
from sim.core.jit import compile_lock
from sim.fives_and_threes.equity.rounds import play_on
from sim.fives_and_threes.kernel import OK
from sim.fives_and_threes.rules import MOST_SIDES, Rules
from sim.fives_and_threes.strategies import deciders, specialised_kernel, strategy_rows


@dataclass(frozen=True)
class Standing:
    """Scores before a round, and who starts it.

    Parameters
    ----------
    scores : tuple of int
        By side (F14).
    starter : int
        Player who starts (F3).
    """

    scores: tuple[int, ...]
    starter: int = 0

    def check(self, rules: Rules) -> None:
        """See that the standing can occur by these rules.

        Raises
        ------
        ValueError
            If there is no target, not one score a side below it, or no such player.
        """
        if rules.target is None:
            raise ValueError("rule target=none: a round alone is nobody's match")
        if len(self.scores) != rules.sides:
            raise ValueError(
                f"score {_listed(self.scores)}: {rules.sides} scores are needed for {rules.players} players"
            )
        for score in self.scores:
            if not 0 <= score < rules.target:
                raise ValueError(f"score {score}: must be from 0 to {rules.target - 1}")
        if not 0 <= self.starter < rules.players:
            raise ValueError(f"starter {self.starter}: players are 0 to {rules.players - 1}")


def kernels(experiment: Experiment) -> list[Any]:
    """Return the compiled entry points that :func:`play` calls."""
    return [*deciders(experiment.strategies).values(), specialised_kernel(play_on, experiment.strategies)]


def play(experiment: Experiment, standing: Standing, first: int, matches: int) -> np.ndarray:
    """Play consecutive matches on.

    Returns
    -------
    int64 (2, 3) array
        Matches won by side; the second row, of shared tops, is empty in this game.

    Raises
    ------
    StrategyError
        If a strategy answers outside the rules.
    """
    scores, wins = np.zeros(MOST_SIDES, np.int64), np.zeros(MOST_SIDES + 1, np.int64)
    scores[: len(standing.scores)] = standing.scores
    entry = specialised_kernel(play_on, experiment.strategies)
    with compile_lock(entry):
        status, match = entry(
            experiment.seed, first, matches, experiment.rules.row(),
            *strategy_rows(experiment.strategies), scores, standing.starter, wins,
        )  # fmt: skip
    if status != OK:
        player = status // 8
        raise StrategyError(
            f"strategy {experiment.strategies[player].name!r} of player {player} made no legal move (F5)"
            f" in match {match} of seed {experiment.seed}, from scores {_listed(standing.scores)}"
        )
    return np.stack([wins[:MOST_SIDES], np.zeros_like(wins[:MOST_SIDES])])


def _listed(scores: tuple[int, ...]) -> str:
    return " ".join(map(str, scores))
