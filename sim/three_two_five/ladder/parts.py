"""What a ladder has to play, in pieces, and playing one of them.

The work is a number of strands: the matches of each cell, and the matches and the option study of each
rung's own table. A part is some consecutive matches (or hands) of a strand; of a cell, with the one strategy
in one player's place. Parts are pure functions of plan and numbers, so that it does not matter how work is
cut or in which order it is done.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.batch import Task, play_task
from sim.core.game import Counters, Experiment
from sim.core.strategy import Strategy
from sim.three_two_five import kernel
from sim.three_two_five.game import play_rows
from sim.three_two_five.ladder.plan import LadderPlan
from sim.three_two_five.options import HALVES, OPTIONS
from sim.three_two_five.rules import PLAYERS, SEATS

QUANTITIES = ("gain", *(f"tricks_{seat}" for seat in SEATS))
CELL, MATCHES, HANDS = "cell", "matches", "hands"
NOWHERE = PLAYERS
"""The place of a strategy that is not at the table: all three players are of the other one."""
_PIECE_SECONDS = 0.15
_MOST_DEALS = 32_768
_PILOTS = (1, 64, 4096)
_PILOT_SECONDS = 0.02
"""Deals to time a player by: more if so many take no longer than this."""

Pace = Mapping[str, float]
"""Seconds of a deal and seat, by name of the strategy."""


@dataclass(frozen=True)
class Strand:
    """Matches of a cell, or matches or hands of a table, of which a part may be done.

    Parameters
    ----------
    kind : str
        CELL, or MATCHES or HANDS of a table.
    number : int
        Of the cell or of the rung.
    places : tuple of int
        The player in whose place the one strategy of a cell sits, one after the other.
    deals : int
        Deals of one match or hand, in all places.
    done, wanted : int
        Matches or hands.
    """

    kind: str
    number: int
    places: tuple[int, ...]
    deals: int
    done: int
    wanted: int

    def seconds(self, plan: LadderPlan, pace: Pace) -> dict[int, float]:
        """Return what one match or hand is expected to take, by place of the one strategy."""
        if self.kind != CELL:
            return {NOWHERE: self.deals * PLAYERS * pace[plan.names[self.number]]}
        one, two = (pace[plan.players[player].name] for player in plan.cells[self.number])
        length = plan.rules.deals_per_match
        return {
            place: length * (PLAYERS * two if place == NOWHERE else one + (PLAYERS - 1) * two)
            for place in self.places
        }


@dataclass(frozen=True)
class Part:
    """Consecutive matches or hands of a strand, with the one strategy of a cell in one place.

    Parameters
    ----------
    strand : Strand
        Where they belong.
    task : Task
        Which.
    place : int
        One of the strand's places.
    seconds : float
        What it is expected to take.
    """

    strand: Strand
    task: Task
    place: int
    seconds: float

    @property
    def is_last(self) -> bool:
        """Whether these matches come in all other places before."""
        return self.place == self.strand.places[-1]

    @property
    def deals(self) -> int:
        """Return the deals of this part."""
        return self.task.count * self.strand.deals // len(self.strand.places)


def blank(cells: int) -> Counters:
    """Zero counters for a number of cells."""
    shape = (cells, HALVES, len(QUANTITIES))
    return {
        "count": np.zeros(shape[:2], np.int64),
        "sums": np.zeros(shape, np.int64),
        "squares": np.zeros(shape, np.int64),
    }


def strands_of(
    plan: LadderPlan, cells: Sequence[int], matches: Sequence[int], hands: Sequence[int]
) -> list[Strand]:
    """Return all that a plan wants, and how much of it is done.

    Parameters
    ----------
    plan : LadderPlan
        What is wanted.
    cells : sequence of int
        Matches played of each cell.
    matches, hands : sequence of int
        Matches and hands played of each rung's table.
    """
    length = plan.rules.deals_per_match
    places = tuple(range(PLAYERS + (plan.rules.scoring == "surplus")))
    listed = [
        Strand(CELL, cell, places, length * len(places), int(done), wanted)
        for cell, (done, wanted) in enumerate(zip(cells, plan.matches, strict=True))
    ]
    for rung, size in enumerate(plan.tables):
        study = size.completions * len(OPTIONS)
        listed.append(Strand(MATCHES, rung, (NOWHERE,), length, matches[rung], size.matches))
        listed.append(Strand(HANDS, rung, (NOWHERE,), study, hands[rung], size.hands))
    return listed


def parts_of(plan: LadderPlan, strands: Sequence[Strand], pace: Pace, piece: int | None) -> Iterator[Part]:
    """Yield what is left to play, the dearest first, so that no core waits for a long piece at the end."""
    costs = [strand.seconds(plan, pace) for strand in strands]
    for cost, strand in sorted(zip(costs, strands, strict=True), key=lambda each: -max(each[0].values())):
        most = max(1, _MOST_DEALS // strand.deals)
        size = piece or int(np.clip(_PIECE_SECONDS / max(*cost.values(), 1e-9), 1, most))
        for first in range(strand.done, strand.wanted, size):
            task = Task(strand.kind, first, min(size, strand.wanted - first))
            for place in strand.places:
                yield Part(strand, task, place, cost[place] * task.count)


def play_part(plan: LadderPlan, part: Part) -> Any:
    """Play a part; what worker threads and processes do.

    Returns
    -------
    ndarray or Piece or Counters
        Of a cell int64 (matches, Q): what is to be added up over places to make the QUANTITIES. Of a table
        what :func:`sim.batch.play_task` returns.

    Raises
    ------
    StrategyError
        If a strategy answers outside the rules.
    """
    task, number = part.task, part.strand.number
    if part.strand.kind != CELL:
        return play_task(plan.table(number), task, False)
    one, two = plan.cells[number]
    deals = task.count * plan.rules.deals_per_match
    if part.place == NOWHERE:
        scores = _by_seat(_rows(plan.line_up(two, two, 0), task.first, deals), kernel.SCORE_FIVE)
        return _of_matches(-scores, np.zeros_like(scores), task.count)
    rows = _rows(plan.line_up(one, two, part.place), task.first, deals)
    seat = (part.place - rows[:, kernel.DEALER].astype(np.int64) - 1) % PLAYERS
    own = seat[:, None] == np.arange(PLAYERS)
    scores, tricks = (_by_seat(rows, start) * own for start in (kernel.SCORE_FIVE, kernel.TRICKS_FIVE))
    return _of_matches(scores, tricks, task.count)


def time_player(plan: LadderPlan, player: Strategy) -> float:
    """Measure the seconds that a strategy takes for a deal and seat, once it is compiled."""
    number = plan.players.index(player)
    table = plan.line_up(number, number, 0)
    _rows(table, 0, 1)
    seconds, deals = 0.0, 1
    for deals in _PILOTS:
        begun = time.perf_counter()
        _rows(table, 0, deals)
        seconds = time.perf_counter() - begun
        if seconds > _PILOT_SECONDS:
            break
    return seconds / (deals * PLAYERS)


def _rows(line_up: Experiment, first: int, deals: int) -> np.ndarray:
    """Play consecutive deals from the start of a match on: int8 (deals, COLUMNS)."""
    rows = np.empty((deals, kernel.COLUMNS), np.int8)
    play_rows(line_up, first, rows, np.zeros(kernel.LOG_SIZE, np.int64), traced=False)
    return rows


def _by_seat(rows: np.ndarray, start: int) -> np.ndarray:
    """Return three columns of rows, five, three and two, int64 (deals, 3)."""
    return rows[:, start : start + PLAYERS].astype(np.int64)


def _of_matches(scores: np.ndarray, tricks: np.ndarray, matches: int) -> np.ndarray:
    """Add up deals to matches: int64 (matches, Q) of the scores over all seats and the tricks by seat."""
    by_deal = np.column_stack([scores.sum(axis=1), tricks])
    return by_deal.reshape(matches, -1, len(QUANTITIES)).sum(axis=1)
