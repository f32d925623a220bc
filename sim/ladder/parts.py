"""What a ladder has to play, in pieces, and playing one of them.

The work is a number of strands: the matches of each cell, and the matches and the option study of each
rung's own table. A part is some consecutive matches (or hands) of a strand; of a cell, with the one strategy
in one of its places. Parts are pure functions of plan and numbers, so that it does not matter how work is
cut or in which order it is done.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.batch import Task, play_task
from sim.core.game import Counters
from sim.core.strategy import Strategy
from sim.ladder.model import NOWHERE, Model
from sim.ladder.plan import Cell, LadderPlan

CELL, MATCHES, HANDS = "cell", "matches", "hands"
HALVES = 2
"""Even and odd matches."""
_PIECE_SECONDS = 0.15
_MOST_DEALS = 32_768
_PILOTS = (1, 64, 4096)
_PILOT_SECONDS = 0.02
"""Deals or rounds to time a player by: more if so many take no longer than this."""

Pace = Mapping[str, float]
"""Seconds of a deal or round and seat, by name of the strategy."""


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
        Where the one strategy of a cell sits, one after the other.
    units : int
        What progress counts of one match or hand, in all places.
    length : int
        Deals or rounds of one match or hand in one place, about.
    done, wanted : int
        Matches or hands.
    """

    kind: str
    number: int
    places: tuple[int, ...]
    units: int
    length: int
    done: int
    wanted: int

    def seconds(self, plan: LadderPlan, pace: Pace) -> dict[int, float]:
        """Return what one match or hand is expected to take, by place of the one strategy."""
        seats = plan.game.players(plan.rules)
        if self.kind != CELL:
            return {NOWHERE: self.length * seats * pace[plan.names[self.number]]}
        cell = plan.cells[self.number]
        one, two = (pace[name] for name in plan.names_of(cell).values())
        seated = {place: sum(line_up) for place, line_up in enumerate(cell.seating.line_ups)}
        return {
            place: self.length * (two * seats + (one - two) * seated.get(place, 0)) for place in self.places
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
    def units(self) -> int:
        """Return what progress counts of this part."""
        return self.task.count * self.strand.units // len(self.strand.places)


def blank(model: Model, cells: int) -> Counters:
    """Zero counters for a number of cells."""
    widths = {"count": (), "sums": (len(model.quantities),), "squares": (len(model.quantities),)}
    if model.products:
        widths["products"] = (len(model.products),)
    return {name: np.zeros((cells, HALVES, *width), np.int64) for name, width in widths.items()}


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
    model = plan.model
    listed = []
    for number, (done, wanted) in enumerate(zip(cells, plan.matches, strict=True)):
        places = (*range(len(plan.cells[number].seating.line_ups)), *([NOWHERE] if model.reference else ()))
        units = model.units * len(places)
        listed.append(Strand(CELL, number, places, units, model.length, int(done), wanted))
    for rung, size in enumerate(plan.tables):
        study = size.completions * model.options
        played = model.units, model.length, matches[rung], size.matches
        listed.append(Strand(MATCHES, rung, (NOWHERE,), *played))
        listed.append(Strand(HANDS, rung, (NOWHERE,), study, study, hands[rung], size.hands))
    return listed


def parts_of(plan: LadderPlan, strands: Sequence[Strand], pace: Pace, piece: int | None) -> Iterator[Part]:
    """Yield what is left to play, the dearest first, so that no core waits for a long piece at the end."""
    costs = [strand.seconds(plan, pace) for strand in strands]
    for cost, strand in sorted(zip(costs, strands, strict=True), key=lambda each: -max(each[0].values())):
        most = max(1, _MOST_DEALS // (strand.length * len(strand.places)))
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
        Of a cell int64 (matches, Q): what is to be added up over places to make the model's quantities. Of a
        table what :func:`sim.batch.play_task` returns.

    Raises
    ------
    StrategyError
        If a strategy answers outside the rules.
    """
    task, number = part.task, part.strand.number
    if part.strand.kind != CELL:
        return play_task(plan.table(number), task, False)
    cell = plan.cells[number]
    line_up = plan.line_up(cell, part.place)
    return plan.model.play(line_up, cell.seating, part.place, task.first, task.count)


def time_player(plan: LadderPlan, player: Strategy) -> float:
    """Measure the seconds that a strategy takes for a deal or round and seat, once it is compiled."""
    number = plan.players.index(player)
    table = plan.line_up(Cell(number, number, plan.model.seatings[0]), NOWHERE)
    plan.model.pilot(table, 1)
    seconds, played = 0.0, 1
    for played in _PILOTS:
        begun = time.perf_counter()
        plan.model.pilot(table, played)
        seconds = time.perf_counter() - begun
        if seconds > _PILOT_SECONDS:
            break
    return seconds / (played * len(table.strategies))
