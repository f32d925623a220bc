"""The chance to win at Fives and Threes by both scores and who starts, and what points are worth there."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.equity.answer import change
from analysis.estimates import Estimate, Share
from analysis.provenance import people, rules_text
from sim.equity.model import model_of
from sim.equity.table import Equity
from sim.fives_and_threes.chain import LEVELS
from sim.fives_and_threes.equity.solve import solve, standard_errors

_PROVENANCE = "provenance"


def equity_table(table: Equity) -> pd.DataFrame:
    """Return the chance to win by both scores.

    Returns
    -------
    DataFrame
        One row a pair of scores, in the order of ``starter`` and then ``other``:

        ``starter``  score of the side that starts the next round
        ``other``    score of the other side
        ``chance``   chance of the starter's side to win the match
        ``se``       its standard error
        ``rounds``   rounds played from these scores
    """
    plan, target = table.plan, table.plan.rules.target
    solution = solve(table.counts, model_of(plan).offsets, target)
    starter, other = np.indices((target, target))
    frame = pd.DataFrame(
        {
            "starter": starter.ravel(),
            "other": other.ravel(),
            "chance": solution.chance.ravel(),
            "se": standard_errors(solution).ravel(),
            "rounds": solution.n.ravel(),
        }
    )
    frame.attrs[_PROVENANCE] = (
        f"{plan.game.title} ({rules_text(plan.rules)})."
        f" {people([one.name for one in plan.strategies])}. Seed {plan.seed}."
        f" {table.units:,} rounds from {len(frame):,} pairs of scores."
    )
    return frame


def in_words(table: Equity) -> list[str]:
    """Say in a line what a table holds."""
    found = Chances.of(equity_table(table))
    start = found.win(0, 0, own_start=True)
    return [
        f"chance of the first starter {start}, standard errors up to {100 * found.se.max():.2f}%"
        f" over {found.se.size:,} pairs of scores"
    ]


@dataclass(frozen=True)
class Chances:
    """A table of :func:`equity_table`, to look things up in.

    Attributes
    ----------
    chance, se : float64 (target, target) arrays
        Of the side that starts, by its score and the other's.
    rounds : int64 (target, target) array
        Rounds played from these scores.
    """

    chance: np.ndarray
    se: np.ndarray
    rounds: np.ndarray

    @classmethod
    def of(cls, table: pd.DataFrame) -> "Chances":
        """Read a table."""
        target = int(table["starter"].max()) + 1
        columns = (table[name].to_numpy().reshape(target, target) for name in ("chance", "se", "rounds"))
        return cls(*columns)

    @property
    def target(self) -> int:
        """Return the score that wins."""
        return self.chance.shape[0]

    def win(self, own: int, other: int, own_start: bool) -> Share:
        """Return the chance of one side, by both scores and whether it starts."""
        cell = (own, other) if own_start else (other, own)
        chance, se = float(self.chance[cell]), float(self.se[cell])
        return Share(chance if own_start else 1 - chance, se, int(self.rounds[cell]), clustered=True)

    def gain(self, own: int, other: int, own_start: bool, points: int) -> Estimate:
        """Return what points of one side change in its chance, both before the same start."""
        return change(self.win(own + points, other, own_start), self.win(own, other, own_start))


def dear_points(table: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    """List where a score is worth less than a lower one: points that one had better not have made.

    Parameters
    ----------
    table : DataFrame
        As :func:`equity_table` gives it.
    level : float
        Confidence level: only changes whose interval is below zero are listed.

    Returns
    -------
    DataFrame
        One row for each pair of scores, start and number of points that one placement can score:

        ``own, other``   scores of the side before the points, and of the other
        ``own_starts``   whether the side starts the next round
        ``points``       1, 2, 3, 4, 6 or 8
        ``change``       of the side's chance to win by the points; negative here
        ``se``           its standard error
        ``low, high``    its interval
    """
    chances, rows = Chances.of(table), []
    for own, other in np.ndindex(chances.target, chances.target):
        for points in LEVELS[LEVELS < chances.target - own].tolist():
            for own_starts in (True, False):
                gain = chances.gain(own, other, own_starts, points)
                low, high = gain.interval(level)
                if high < 0:
                    rows.append((own, other, own_starts, points, gain.mean, gain.se, low, high))
    columns = ["own", "other", "own_starts", "points", "change", "se", "low", "high"]
    found = pd.DataFrame(rows, columns=columns)
    found.attrs.update(table.attrs)
    return found
