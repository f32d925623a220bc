"""What a ladder of 3-2-5 needs: one player among two of another strategy, and the tricks that it gains.

What the one gains in a match is the sum of its scores over the three places, less what all three players
together score where all of them are of the other strategy: 0 under scoring by difference and ten a deal by
tricks (R26), so that only under ``surplus`` that match has to be played.

Quantities: the gain, and the tricks that the one takes as five, as three and as two, each over all places.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.core.game import Experiment
from sim.core.strategy import Strategy
from sim.ladder.model import NOWHERE, Seating, alone
from sim.ladder.model import Model as AnyModel
from sim.ladder.sizes import Sizes, TableSize
from sim.three_two_five import kernel
from sim.three_two_five.game import play_rows
from sim.three_two_five.options import OPTIONS
from sim.three_two_five.rules import PLAYERS, SEATS, TRICKS_PER_DEAL
from sim.three_two_five.strategies import specialised_kernel

_ANSWERS = tuple(f"rollout-100+against-{rung}" for rung in ("random", "first-suit", "heuristic"))


class Model(AnyModel):
    """A ladder of 3-2-5; see :class:`sim.ladder.model.Model`."""

    rungs = ("random", "first-suit", "heuristic", "rollout-50", "expert")
    answers = _ANSWERS
    challengers = ("nested-40", *_ANSWERS)
    usual_rules = ({},)
    unit = "deals"
    options = len(OPTIONS)
    quantities = ("gain", *(f"tricks_{seat}" for seat in SEATS))

    @property
    def quick(self) -> Sizes:
        """Return the sizes of a first look."""
        return Sizes(
            cells=((8_000,), (100, 200), (12, 40, 40)),
            tables=(TableSize(8_000, 400, 64), TableSize(200, 60, 16), TableSize(40, 24, 4)),
        )

    @property
    def full(self) -> Sizes:
        """Return the sizes of the whole ladder, about an hour on two cores."""
        return Sizes(
            cells=((200_000,), (2_000, 2_000), (100, 400, 120)),
            tables=(TableSize(200_000, 2_000, 128), TableSize(2_000, 400, 32), TableSize(200, 150, 8)),
        )

    @property
    def seatings(self) -> tuple[Seating, ...]:
        """Return the one way: one among two."""
        return (alone(PLAYERS),)

    @property
    def length(self) -> int:
        """Return the deals of a match."""
        return self.rules.deals_per_match

    @property
    def units(self) -> int:
        """Return the deals of a match."""
        return self.rules.deals_per_match

    @property
    def reference(self) -> bool:
        """Whether the three scores of a deal have no known sum (R26)."""
        return self.rules.scoring == "surplus"

    def kernels(self, players: Sequence[Strategy]) -> list[Any]:
        """Return the entry points for matches of these strategies."""
        return [specialised_kernel(kernel.play_matches, (player,) * PLAYERS) for player in players]

    def play(self, line_up: Experiment, seating: Seating, place: int, first: int, matches: int) -> np.ndarray:
        """Play consecutive matches with the one in one place, which is its number as a player."""
        rows = _rows(line_up, first, matches * self.length)
        if place == NOWHERE:
            scores = _by_seat(rows, kernel.SCORE_FIVE)
            return self._of_matches(-scores, np.zeros_like(scores), matches)
        seat = (place - rows[:, kernel.DEALER].astype(np.int64) - 1) % PLAYERS
        own = seat[:, None] == np.arange(PLAYERS)
        scores, tricks = (_by_seat(rows, start) * own for start in (kernel.SCORE_FIVE, kernel.TRICKS_FIVE))
        totals = self._of_matches(scores, tricks, matches)
        if place == 0 and self.rules.scoring == "tricks":
            totals[:, 0] -= TRICKS_PER_DEAL * self.length
        return totals

    def first_match(self, line_up: Experiment) -> np.ndarray:
        """Return the rows of the first match."""
        return _rows(line_up, 0, self.length).astype(np.int64)

    def pilot(self, line_up: Experiment, number: int) -> None:
        """Play a number of deals."""
        _rows(line_up, 0, number)

    def _of_matches(self, scores: np.ndarray, tricks: np.ndarray, matches: int) -> np.ndarray:
        """Add up deals to matches: int64 (matches, Q) of the scores over all seats and the tricks by seat."""
        by_deal = np.column_stack([scores.sum(axis=1), tricks])
        return by_deal.reshape(matches, -1, len(self.quantities)).sum(axis=1)


def _rows(line_up: Experiment, first: int, deals: int) -> np.ndarray:
    """Play consecutive deals from the start of a match on: int8 (deals, COLUMNS)."""
    rows = np.empty((deals, kernel.COLUMNS), np.int8)
    play_rows(line_up, first, rows, np.zeros(kernel.LOG_SIZE, np.int64), traced=False)
    return rows


def _by_seat(rows: np.ndarray, start: int) -> np.ndarray:
    """Return three columns of rows, five, three and two, int64 (deals, 3)."""
    return rows[:, start : start + PLAYERS].astype(np.int64)
