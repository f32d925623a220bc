"""From counted deals to the chance to win: the recursion over deals left, and its errors.

Players keep their names, A, B and C, who sit five, three and two in the next deal; the seats move on by one
with each deal (R6). Only differences of scores matter, ``x`` of A and ``y`` of B against C, and the row that
the last outcome leaves (:mod:`sim.three_two_five.equity.deals`). The chance is settled after the last deal,
and before each deal it is the mean over outcomes: exact but for the counted shares.

The same shares serve many deals of one match, so errors follow by the delta method from how much the chance
changes with each of them: summed over all deals, the chance of being in a row there times the chance after
each outcome. Rows are independent multinomials.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sim.three_two_five.equity.deals import EXACT, OUTCOMES, SURPLUSES
from sim.three_two_five.rules import PLAYERS, Rules

QUANTITIES = 2 * PLAYERS
"""A, B and C win alone, then A, B and C share the top."""


@dataclass(frozen=True)
class Solved:
    """Chances of one standing and of those with a few points more or less.

    Parameters
    ----------
    chance, se : float64 (starts, 6) arrays
        By start and quantity (:data:`QUANTITIES`).
    moved, moved_se : float64 (starts, 6) arrays
        Difference from the first start, with its own error: the same shares are behind both.
    after : float64 (6, 66) array
        Of the first start: the chance after each outcome of the next deal.
    """

    chance: np.ndarray
    se: np.ndarray
    moved: np.ndarray
    moved_se: np.ndarray
    after: np.ndarray


def solve(counts: np.ndarray, rules: Rules, row: int, deals: int, starts: list[tuple[int, int]]) -> Solved:
    """Solve for standings that differ in scores alone.

    Parameters
    ----------
    counts : int64 (rows, 66) array
        Outcomes by row.
    rules : Rules
        Scoring and pulls.
    row : int
        Row of the next deal.
    deals : int
        Deals left.
    starts : list of (int, int)
        Differences of A and B against C, the one of interest first.
    """
    n = counts.sum(axis=1)
    grid = _Grid(rules, deals, starts)
    shares = counts / n[:, np.newaxis]
    present = list(_forward(shares, grid, row))
    chance, after = np.empty((len(starts), QUANTITIES)), np.empty((QUANTITIES, len(OUTCOMES)))
    gradient = np.zeros((len(starts), QUANTITIES, *counts.shape))
    for quantity in range(QUANTITIES):
        value = np.broadcast_to(grid.final(quantity), (len(counts), *grid.shape(deals)))
        for deal in reversed(range(deals)):
            outlook = np.stack(list(_outlook(value, grid, deal)))
            for place, (dx, dy) in enumerate(grid.shifts):
                there = _moved(outlook, grid, deal, dx, dy)
                gradient[place, quantity] += np.einsum("rxy,oxy->ro", present[deal], there, optimize=True)
            value = np.tensordot(shares, outlook, axes=1)
        chance[:, quantity] = [value[row, x, y] for x, y in grid.places]
        after[quantity] = outlook[:, grid.places[0][0], grid.places[0][1]]
    moved = gradient - gradient[:1]
    return Solved(chance, _errors(gradient, shares, n), chance - chance[:1], _errors(moved, shares, n), after)


def _errors(gradient: np.ndarray, shares: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Return standard errors from the change of each quantity with each share."""
    mean = (gradient * shares).sum(axis=-1, keepdims=True)
    spread = (shares * (gradient - mean) ** 2).sum(axis=-1)
    return np.sqrt((spread / n).sum(axis=-1))


class _Grid:
    """Differences of scores that matter, deal by deal: as far from the first start as deals can lead.

    Parameters
    ----------
    rules, deals, starts
        As for :func:`solve`.
    """

    def __init__(self, rules: Rules, deals: int, starts: list[tuple[int, int]]):
        self.origin = starts[0]
        self.shifts = [(x - self.origin[0], y - self.origin[1]) for x, y in starts]
        self.margin = max(abs(step) for shift in self.shifts for step in shift)
        self.places = [(self.margin + dx, self.margin + dy) for dx, dy in self.shifts]
        self.next_row = np.arange(len(OUTCOMES)) if rules.pulls else np.zeros(len(OUTCOMES), int)
        gains = {"difference": SURPLUSES, "surplus": np.maximum(SURPLUSES, 0), "tricks": OUTCOMES}
        by_seat = gains[rules.scoring]
        self.gains = []
        for deal in range(deals):
            by_player = np.roll(by_seat, deal, axis=1)
            self.gains.append(by_player[:, :2] - by_player[:, 2:])
        self.step = max(int(np.abs(one).max()) for one in self.gains)
        self.deals = deals

    def reach(self, deal: int) -> int:
        """Return how far from the origin the differences before a deal can be."""
        return self.margin + self.step * deal

    def shape(self, deal: int) -> tuple[int, int]:
        """Return the shape of a table of differences before a deal."""
        return (2 * self.reach(deal) + 1,) * 2

    def final(self, quantity: int) -> np.ndarray:
        """Return what a quantity is after the last deal, by differences: 0 or 1."""
        reach = self.reach(self.deals)
        x, y = np.indices(self.shape(self.deals)) - reach + np.reshape(self.origin, (2, 1, 1))
        scores = np.stack([x, y, np.zeros_like(x)])
        at_top = scores == scores.max(axis=0)
        shared = at_top.sum(axis=0) > 1
        tied, player = divmod(quantity, PLAYERS)
        return (at_top[player] & (shared == bool(tied))).astype(float)


def _outlook(value: np.ndarray, grid: _Grid, deal: int) -> Iterator[np.ndarray]:
    """Yield, outcome by outcome, the chance after it by the differences before the deal."""
    side = grid.shape(deal)[0]
    for outcome, (gx, gy) in enumerate(grid.gains[deal]):
        x, y = grid.step + gx, grid.step + gy
        yield value[grid.next_row[outcome], x : x + side, y : y + side]


def _moved(outlook: np.ndarray, grid: _Grid, deal: int, dx: int, dy: int) -> np.ndarray:
    """Return the part of a table that a match from a start so far from the first one can come to."""
    reach, margin = grid.step * deal, grid.margin
    x, y = margin + dx, margin + dy
    return outlook[:, x : x + 2 * reach + 1, y : y + 2 * reach + 1]


def _forward(shares: np.ndarray, grid: _Grid, row: int) -> Iterator[np.ndarray]:
    """Yield, deal by deal, the chance of each row and differences before it, from the first start."""
    present = np.zeros((len(shares), 1, 1))
    present[row] = 1.0
    for deal in range(grid.deals):
        yield present
        side = present.shape[1]
        following = np.zeros((len(shares), side + 2 * grid.step, side + 2 * grid.step))
        leading = np.tensordot(shares.T, present, axes=1)
        for outcome, (gx, gy) in enumerate(grid.gains[deal]):
            x, y = grid.step + gx, grid.step + gy
            following[grid.next_row[outcome], x : x + side, y : y + side] += leading[outcome]
        present = following


def row_of(debts: tuple[int, int, int], rules: Rules) -> int:
    """Return the row of the debts of five, three and two."""
    if not rules.pulls:
        return 0
    five, three, two = debts
    before = (SURPLUSES == (two, five, three)).all(axis=1)
    return int(np.flatnonzero(before)[0]) if before.any() else EXACT
