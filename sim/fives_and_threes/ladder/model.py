"""What a ladder of Fives and Threes needs: who plays whom, in points a round and in matches won.

Two players and the two sides of four change roles on the same deals; so do a single player and two or three
of another strategy, which it joins in every place once: among three opponents each for itself, and among
four as a stranger in a side (F1).

Quantities, each over all places of the one strategy:

``lead``    points of its side less those of each other side, over the match; so that between two or more of
            one kind the leads of all places add up to nothing
``rounds``  rounds played, of which there are more or fewer as the scores near the target have it (F13)
``won``     matches that its side won
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from sim.core.game import Experiment
from sim.core.jit import plain
from sim.core.strategy import Strategy
from sim.fives_and_threes import kernel
from sim.fives_and_threes.game import play_in_parts
from sim.fives_and_threes.rules import MOST_PLAYERS, TARGET, side_of
from sim.fives_and_threes.strategies import specialised_kernel
from sim.ladder.model import Model as AnyModel
from sim.ladder.model import Seating, alone
from sim.ladder.sizes import Sizes, TableSize

SIDES = Seating("sides", ((True, False, True, False), (False, True, False, True)))
STRANGER = replace(alone(MOST_PLAYERS), name="stranger")
_LENGTHS = {2: 7, 3: 10, 4: 6}
"""Rounds of a match to 61, about, by number of players."""
_QUICK = {2: (1_000, 200, 1_200), 3: (1_000, 100, 600), 4: (600, 50, 300)}
_FULL = {2: (20_000, 2_000, 10_000), 3: (20_000, 2_000, 10_000), 4: (10_000, 1_000, 5_000)}
"""Matches of who samples worlds, of who nests them with fast players, and with others that sample."""


_ANSWERS = tuple(f"rollout-100+against-{rung}" for rung in ("random", "greedy", "heuristic"))


class Model(AnyModel):
    """A ladder of Fives and Threes; see :class:`sim.ladder.model.Model`."""

    rungs = ("random", "greedy", "heuristic", "rollout-50", "expert")
    answers = _ANSWERS
    challengers = _ANSWERS
    usual_rules = ({"players": 2}, {"players": 3}, {"players": 4})
    unit = "matches"
    options = 7
    quantities = ("lead", "rounds", "won")
    products = (("lead", "rounds"),)

    @property
    def quick(self) -> Sizes:
        """Return the sizes of a first look: smaller where a pair has more line-ups to play."""
        thinking, fast_deep, deep = _QUICK[self.rules.players]
        return Sizes(
            cells=((20_000,), (thinking, thinking), (fast_deep, deep, fast_deep)),
            tables=(TableSize(20_000), TableSize(thinking), TableSize(fast_deep)),
        )

    @property
    def full(self) -> Sizes:
        """Return the sizes of the whole ladder, half an hour to an hour and a half on two cores."""
        thinking, fast_deep, deep = _FULL[self.rules.players]
        return Sizes(
            cells=((400_000,), (thinking, thinking), (fast_deep, deep, fast_deep)),
            tables=(TableSize(400_000), TableSize(thinking), TableSize(fast_deep)),
        )

    @property
    def seatings(self) -> tuple[Seating, ...]:
        """Return the ways to meet: alone among others, or as a side and as a stranger in one (F1)."""
        players = self.rules.players
        return (SIDES, STRANGER) if players == MOST_PLAYERS else (alone(players),)

    @property
    def length(self) -> int:
        """Return the rounds of a match, about."""
        return 1 if self.rules.target is None else _LENGTHS[self.rules.players]

    def kernels(self, players: Sequence[Strategy]) -> list[Any]:
        """Return the entry points for matches of these strategies."""
        return [specialised_kernel(kernel.play_matches, (player,) * self.rules.players) for player in players]

    def play(self, line_up: Experiment, seating: Seating, place: int, first: int, matches: int) -> np.ndarray:
        """Play consecutive matches with the one strategy in one place."""
        side = plain(side_of)(seating.line_ups[place].index(True), self.rules.players)
        parts = [self._of_matches(rows, side) for _, rows, _ in play_in_parts(line_up, first, matches)]
        return np.concatenate(parts)

    def first_match(self, line_up: Experiment) -> np.ndarray:
        """Return the rows of the first match."""
        ((_, rows, _),) = play_in_parts(line_up, 0, 1)
        return rows.astype(np.int64)

    def pilot(self, line_up: Experiment, number: int) -> None:
        """Play a number of rounds alone, which is a match each."""
        for _ in play_in_parts(replace(line_up, rules=replace(line_up.rules, target=None)), 0, number):
            pass

    def _of_matches(self, rows: np.ndarray, side: int) -> np.ndarray:
        """Add up rounds to whole matches: int64 (matches, Q) of what a side made of them."""
        starts = np.flatnonzero(rows[:, kernel.ROUND] == 0)
        ends = np.append(starts[1:], len(rows))
        points = rows[:, kernel.POINTS_OF : kernel.POINTS_OF + self.rules.sides].astype(np.int64)
        lead = self.rules.sides * points[:, side] - points.sum(axis=1)
        winner = plain(side_of)(rows[ends - 1, kernel.LAST], self.rules.players)
        won = (rows[ends - 1, kernel.ENDED] == TARGET) & (winner == side)
        return np.column_stack([np.add.reduceat(lead, starts), ends - starts, won.astype(np.int64)])
