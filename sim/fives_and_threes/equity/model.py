"""How a table of match equity of Fives and Threes is made: cells of scores, and rounds where they matter.

The standard error of a chance is to be the plan's precision, and half of it where either side has reached
NEAR_SHARE of the target (45 of 61): there single points count. Rounds are shared out so that all cells come
to it with the fewest: those of a cell serve every lower one that leads there. The least number of rounds with
bounds on many variances is a convex problem; the weight of each bound is raised or lowered by its ratio to
what is allowed until the bounds hold.
"""

from typing import Any

import numpy as np

from sim.core.game import StrategyError
from sim.core.jit import compile_lock
from sim.equity.model import Model as Base
from sim.fives_and_threes.equity.rounds import cell_offsets, play_rounds
from sim.fives_and_threes.equity.solve import influence, solve
from sim.fives_and_threes.kernel import OK
from sim.fives_and_threes.strategies import deciders, specialised_kernel, strategy_rows

NEAR_SHARE = 45 / 61
MOST_TARGET = 100
_PILOT = 1024
"""Rounds of every cell before any is known to need more."""
_MARGIN = 1.05
"""Rounds more than the counts so far ask for: they tell the need with errors."""
_SWEEPS = 60
_STEPS_AN_OCTAVE = 8


class Model(Base):
    """Cells of scores; see :mod:`sim.fives_and_threes.equity.rounds`."""

    def layout(self) -> np.ndarray:
        """Return where the counts of each cell begin.

        Raises
        ------
        ValueError
            If there are three sides, no target, or one that is too far away.
        """
        rules = self.plan.rules
        if rules.sides != 2:
            raise ValueError("no table for three players: ask for single scores, which are played out")
        if rules.target is None or rules.target > MOST_TARGET:
            raise ValueError(f"rule target={rules.target!r}: a table needs one from 1 to {MOST_TARGET}")
        return cell_offsets(rules.target)

    @property
    def entry(self) -> Any:
        """Return the kernel of rounds from cells."""
        return specialised_kernel(play_rounds, self.plan.strategies)

    @property
    def compiled(self) -> tuple[Any, ...]:
        """Return the deciders of strategies that sample worlds, and the kernel."""
        return (*deciders(self.plan.strategies).values(), self.entry)

    def play(self, start: int, first: np.ndarray, more: np.ndarray) -> np.ndarray:
        """Play rounds from consecutive cells; see :class:`sim.equity.model.Model`."""
        plan = self.plan
        counts = np.zeros(self.offsets[start + first.size] - self.offsets[start], np.int64)
        with compile_lock(self.entry):
            status, cell = self.entry(
                plan.seed, plan.rules.row(), *strategy_rows(plan.strategies),
                start, first, more, self.offsets, counts,
            )  # fmt: skip
        if status != OK:
            own, other = divmod(cell, plan.rules.target)
            raise StrategyError(
                f"strategy {plan.strategy.name!r} made no legal move (F5) at scores {own} and {other}"
                f" of seed {plan.seed}"
            )
        return counts

    def tolerance(self) -> np.ndarray:
        """Return the standard error allowed in each cell: float64 (target, target)."""
        target, precision = self.plan.rules.target, self.plan.precision
        near = np.arange(target) >= NEAR_SHARE * target
        return np.where(near[:, np.newaxis] | near, precision / 2, precision)

    def wanted(self, counts: np.ndarray) -> np.ndarray:
        """Return how many rounds to play from each cell."""
        played = self.played(counts)
        if not played.all():
            return np.full(played.size, _PILOT)
        solution = solve(counts, self.offsets, self.plan.rules.target)
        squares = np.square(influence(solution))
        allowed = np.square(self.tolerance()).ravel().astype(np.float32)
        spread = solution.spread.ravel().astype(np.float32)
        if (squares @ (spread / played) <= allowed).all():
            return played
        return np.maximum(played, _on_steps(_MARGIN * fewest(squares, spread, allowed)))


def fewest(squares: np.ndarray, spread: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """Return the fewest rounds by cell with ``squares @ (spread / rounds) <= allowed``.

    Parameters
    ----------
    squares : float32 (B, cells) array
        Weight of each cell's variance in each bound.
    spread : float32 (cells,) array
        Variance of one round.
    allowed : float32 (B,) array
        The bounds.
    """
    weight = np.ones(allowed.size, np.float32) / allowed
    for _ in range(_SWEEPS):
        rounds = np.sqrt(np.maximum(spread * (weight @ squares), 1e-12))
        ratio = squares @ (spread / rounds) / allowed
        # The largest ratio scales all rounds, so that every bound holds at each sweep.
        weight *= np.sqrt(ratio / ratio.max()) * ratio.max() ** 2
    return rounds * ratio.max()


def _on_steps(rounds: np.ndarray) -> np.ndarray:
    """Round up to a geometric ladder, so that a last bit of a float does not change how much is played."""
    steps = np.ceil(_STEPS_AN_OCTAVE * np.log2(np.maximum(rounds, _PILOT)) - 1e-6)
    return np.ceil(2.0 ** (steps / _STEPS_AN_OCTAVE)).astype(np.int64)
