"""What was played in a run against what was possible, with all hands open, over a sample of its rounds.

The sample is whole matches, replayed, the very rounds that the run counted, and solved: what each side was
sure of (:mod:`analysis.fives_and_threes.open_hands.solved`) before the first tile, and what it gave away tile
by tile.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from analysis.fives_and_threes.open_hands.records import read_round
from analysis.fives_and_threes.open_hands.rounds import OpenRound
from analysis.fives_and_threes.start import place_names
from analysis.moments import Combination, Moments
from analysis.provenance import Runs, counted, labels, listed, sources
from analysis.tables import columns_of, further_columns_of
from sim.core.game import Experiment
from sim.core.jit import compile_lock, plain
from sim.experiment import from_dict
from sim.fives_and_threes import kernel
from sim.fives_and_threes.solving.endings import new_solver
from sim.fives_and_threes.solving.open_hands import guarantees
from sim.fives_and_threes.strategies import GREEDY, HEURISTIC, RANDOM, specialised_kernel
from sim.fives_and_threes.tally import place_of
from sim.results import Run

MOST_ROUNDS = 600
"""Rounds of a sample, about: to replay, read and solve them takes some two seconds."""
_QUICK = (RANDOM, GREEDY, HEURISTIC)
"""Strategies that are replayed at no cost."""
_TABLE_BITS = 14


@dataclass(frozen=True, eq=False)
class Sample:
    """Replayed rounds of a run, by side.

    Attributes
    ----------
    match : int64 (R,) array
        Number of the match of each round, ascending.
    place : int64 (R, S) array
        Place of each side: 0 is the starter's.
    sure : int64 (R, S) array
        Points that a side was sure of before the first tile: with two sides its lead, of three players its
        own.
    gave : int64 (R, P) array
        Points that a player gave away by its own tiles.
    made : int64 (R, S) array
        What the round brought: the lead, or of three players the points.
    """

    match: np.ndarray
    place: np.ndarray
    sure: np.ndarray
    gave: np.ndarray
    made: np.ndarray


def played_and_possible(runs: Runs) -> pd.DataFrame:
    """Points that each place was sure of before the first tile, and that it made, over a sample of rounds.

    Parameters
    ----------
    runs : Run or sequence of Run
        Of which :func:`can_be_sampled` holds.

    Returns
    -------
    DataFrame
        A row a run and place, means a round with errors clustered by match; points are the lead of the side,
        and of three players its own:

        ``run``        label of the run
        ``place``      from the starter, by side in partnership
        ``sure``       points that the side is sure of before the first tile, all hands open;
                       ``sure_se`` its standard error, ``sure_low, sure_high`` 95% interval
        ``gave``       that it gives away by its own tiles; ``gave_se``, ``gave_low``, ``gave_high``
        ``was_given``  that it wins through tiles of the others; with ``was_given_se`` and so on
        ``made``       that it makes, ``sure - gave + was_given``; with ``made_se`` and so on
        ``gain``       ``made - sure``
        ``se``         its standard error
        ``low, high``  its 95% interval
        ``rounds``     rounds of the sample
        ``matches``    matches that they are of

    Raises
    ------
    ValueError
        If a run cannot be sampled.
    """
    rows = []
    for label, run in zip(labels(runs), listed(runs), strict=True):
        found = sample(run)
        moments = _moments(found, run)
        for place, name in enumerate(place_names(run.rules)):
            sure, gave, made = (f"{what} {place}" for what in ("sure", "gave", "made"))
            wanted: dict[str, Combination] = {
                "sure": sure,
                "gave": gave,
                "was_given": {made: 1, sure: -1, gave: 1},
                "made": made,
            }
            row: dict[str, Any] = {"run": label, "place": name}
            for column, above in wanted.items():
                row |= further_columns_of(moments.ratio(above, "rounds"), column)
            row |= columns_of(moments.ratio({made: 1, sure: -1}, "rounds"), "gain")
            rows.append(row | {"rounds": found.match.size, "matches": moments.n})
    return _with_sources(pd.DataFrame(rows), runs)


def given_away(runs: Runs) -> pd.DataFrame:
    """Points that a player of each strategy gives away in a round, over a sample of rounds.

    Parameters
    ----------
    runs : Run or sequence of Run
        Of which :func:`can_be_sampled` holds.

    Returns
    -------
    DataFrame
        A row for each strategy of a run:

        ``run``        label of the run
        ``strategy``   whose tiles
        ``players``    the run's label, and the strategy if it is not that of all
        ``gave``       mean points that a player gives away in a round: those that its side was sure of before
                       a tile of it, all hands open, and no longer after it
        ``se``         standard error, clustered by match
        ``low, high``  95% interval
        ``rounds``     rounds of the sample
        ``matches``    matches that they are of

    Raises
    ------
    ValueError
        If a run cannot be sampled.
    """
    rows = []
    for label, run in zip(labels(runs), listed(runs), strict=True):
        found = sample(run)
        moments = _moments(found, run)
        strategies = list(dict.fromkeys(run.strategies))
        rows += [
            {"run": label, "strategy": strategy}
            | {"players": label if len(strategies) == 1 else f"{label}: {strategy}"}
            | columns_of(moments.ratio(f"gave by {strategy}", f"rounds of {strategy}"), "gave")
            | {"rounds": found.match.size, "matches": moments.n}
            for strategy in strategies
        ]
    return _with_sources(pd.DataFrame(rows), runs)


def can_be_sampled(run: Run) -> bool:
    """Whether a run's rounds can be replayed, its strategies by name, and quickly enough."""
    try:
        experiment = run.experiment
    except ValueError:
        return False
    quick = all(strategy.policies[0] in _QUICK for strategy in experiment.strategies)
    return bool(run.units) and quick


def kernels(runs: Iterable[Run]) -> list[Any]:
    """Return what sampling these runs has to compile."""
    played = [specialised_kernel(kernel.play_matches, run.experiment.strategies) for run in runs]
    return [guarantees, *played] if played else []


def sample(run: Run) -> Sample:
    """Replay and solve the first matches of a run.

    Raises
    ------
    ValueError
        If the run cannot be sampled.
    """
    if not can_be_sampled(run):
        raise ValueError(
            f"the rounds of {', '.join(run.strategies)} cannot be replayed, or not quickly enough"
        )
    matches = min(run.matches, -(-MOST_ROUNDS * run.matches // run.units))
    return _sample(json.dumps(run.description), matches)


@lru_cache(maxsize=32)
def _sample(description: str, matches: int) -> Sample:
    experiment: Experiment = from_dict(json.loads(description))
    scratch = plain(new_solver)(_TABLE_BITS)
    parts: list[tuple[Any, ...]] = []
    for match in range(matches):
        for record in experiment.game.replay(experiment, match):
            opened = read_round(record)
            places = [
                int(plain(place_of)(side, record["starter"], opened.rules.players))
                for side in range(opened.rules.sides)
            ]
            parts.append((match, places, *_solved(opened, scratch)))
    return Sample(*(np.array(part, np.int64) for part in zip(*parts, strict=True)))


def _solved(opened: OpenRound, scratch: np.ndarray) -> tuple[list[int], list[int], list[int]]:
    """Return what the sides were sure of and the players gave away, and what the sides made."""
    rules, start = opened.rules, opened.start
    asked = [(start, side) for side in range(rules.sides)]
    movers = []
    for position, move in opened.turns():
        if move:
            movers.append(position.mover)
            after = position.placed(move, rules).position
            asked += [(position, position.mover), (after, position.mover)]
    # In the order of play, which the solver's table likes; a round that is over has no position to solve.
    rows = np.array([position.row(player, rules) for position, player in asked if not position.ended])
    values = np.zeros(len(rows), np.int64)
    with compile_lock(guarantees):
        guarantees(rows, False, scratch, values)
    more = iter(values.tolist())
    sure = [
        opened.made(position, player) + (0 if position.ended else next(more)) for position, player in asked
    ]
    gave = [0] * rules.players
    before, after_it = sure[rules.sides :: 2], sure[rules.sides + 1 :: 2]
    for mover, best, left in zip(movers, before, after_it, strict=True):
        gave[mover] += best - left
    return sure[: rules.sides], gave, [opened.made(opened.end, side) for side in range(rules.sides)]


def _moments(found: Sample, run: Run) -> Moments:
    """Return the moments of a sample, one cluster a match."""
    rules = run.rules
    by_side = np.stack(
        [found.gave[:, side :: rules.sides].sum(axis=1) for side in range(rules.sides)], axis=1
    )
    quantities = {"rounds": np.ones(found.match.size, np.int64)}
    for place in range(rules.sides):
        for name, values in (("sure", found.sure), ("gave", by_side), ("made", found.made)):
            quantities[f"{name} {place}"] = (values * (found.place == place)).sum(axis=1)
    for strategy in dict.fromkeys(run.strategies):
        own = [player for player, name in enumerate(run.strategies) if name == strategy]
        quantities[f"rounds of {strategy}"] = np.full(found.match.size, len(own))
        quantities[f"gave by {strategy}"] = found.gave[:, own].sum(axis=1)
    starts = np.flatnonzero(np.diff(found.match, prepend=-1))
    totals = np.add.reduceat(np.column_stack(list(quantities.values())), starts)
    return Moments(starts.size, totals.sum(axis=0), totals.T @ totals, tuple(quantities))


def _with_sources(table: pd.DataFrame, runs: Runs) -> pd.DataFrame:
    """Note where a table comes from, and how much of each run was replayed."""
    sizes = [counted(size, "round") for size in table.drop_duplicates("run")["rounds"].tolist()]
    table.attrs["provenance"] = f"{sources(runs)}\nReplayed and solved: {', '.join(sizes)}."
    return table
