"""What ladder to play: who meets whom and how often. A frozen, validated description that fixes every number.

A *rung* is a strategy of the ladder. In a *cell* one strategy sits at a table with two of a rung; every rung
meets every other so, and besides there is its *table*, three of the same. Challengers meet the rungs but are
none themselves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sim.core.game import Experiment
from sim.core.strategy import Strategy
from sim.experiment import experiment
from sim.three_two_five.rules import PLAYERS, Rules
from sim.three_two_five.strategies import BOOK, cost

RUNGS = ("random", "first-suit", "heuristic", "rollout-50", "expert")
"""The usual ladder, as expected from the weakest to the strongest."""
ANSWERS = (
    "rollout-100+against-random",
    "rollout-100+against-first-suit",
    "rollout-100+against-heuristic",
)
"""Best responses to the rungs that a roll-out can play as they do."""
CHALLENGERS = ("nested-40", *ANSWERS)
"""The usual challengers of the whole ladder; a quick one has the answers alone."""

GAME = "three_two_five"
_ANSWER = "against-"
LEAST_MATCHES = 4
"""Matches of a cell, so that each half of them, the even and the odd ones, has an error."""


@dataclass(frozen=True)
class TableSize:
    """How much three players of one rung play.

    Parameters
    ----------
    matches : int
        Whole matches.
    hands, completions : int
        Of the option study (:mod:`sim.three_two_five.options`).
    """

    matches: int
    hands: int
    completions: int


@dataclass(frozen=True)
class Sizes:
    """How much is played by players of each class of cost.

    Parameters
    ----------
    cells : tuple of tuple of int
        Matches of a cell: a row for the class of the dearer of its two strategies, in it a column for that
        of the cheaper.
    tables : tuple of TableSize
        What three of the same play, by class.
    """

    cells: tuple[tuple[int, ...], ...]
    tables: tuple[TableSize, ...]

    def cell(self, one: Strategy, two: Strategy) -> int:
        """Return the matches of a cell."""
        cheaper, dearer = sorted((cost(one), cost(two)))
        return self.cells[dearer][cheaper]

    def table(self, strategy: Strategy) -> TableSize:
        """Return what three of a strategy play."""
        return self.tables[cost(strategy)]


QUICK = Sizes(
    cells=((8_000,), (100, 200), (12, 40, 40)),
    tables=(TableSize(8_000, 400, 64), TableSize(200, 60, 16), TableSize(40, 24, 4)),
)
"""A first look, to be had in less than five minutes on two cores."""

FULL = Sizes(
    cells=((200_000,), (2_000, 2_000), (100, 400, 120)),
    tables=(TableSize(200_000, 2_000, 128), TableSize(2_000, 400, 32), TableSize(200, 150, 8)),
)
"""The whole ladder, about an hour on two cores."""


@dataclass(frozen=True)
class LadderPlan:
    """What ladder to play; :func:`plan_ladder` sizes one by cost.

    Parameters
    ----------
    rules : Rules
        By which the matches are played and scored.
    strategies : tuple of Strategy
        The rungs.
    challengers : tuple of Strategy
        Strategies that only meet two of each rung; one that answers a certain strategy meets that alone.
    seed : int
        Fixes every card: all cells and tables play the same deals.
    matches : tuple of int
        Matches of each of the `cells`.
    tables : tuple of TableSize
        What each rung's own table plays.

    Raises
    ------
    ValueError
        If a field is out of range.
    """

    rules: Rules
    strategies: tuple[Strategy, ...]
    challengers: tuple[Strategy, ...]
    seed: int
    matches: tuple[int, ...]
    tables: tuple[TableSize, ...]

    def __post_init__(self) -> None:
        _check_players(self.strategies, self.challengers)
        if len(self.matches) != len(self.cells) or len(self.tables) != len(self.strategies):
            raise ValueError(
                f"{len(self.matches)} cells and {len(self.tables)} tables: this ladder has"
                f" {len(self.cells)} and {len(self.strategies)}"
            )
        if min(self.matches) < LEAST_MATCHES:
            raise ValueError(f"matches {min(self.matches)}: a cell needs at least {LEAST_MATCHES}")
        for rung in range(len(self.strategies)):
            self.table(rung)

    @property
    def players(self) -> tuple[Strategy, ...]:
        """Return the rungs and after them the challengers."""
        return self.strategies + self.challengers

    @cached_property
    def cells(self) -> tuple[tuple[int, int], ...]:
        """Cells, table by table: number of the one among `players`, and of the two."""
        rungs, players = range(len(self.strategies)), range(len(self.players))
        return tuple(
            (one, two)
            for two in rungs
            for one in players
            if one != two and (one in rungs or meets(self.players[one], self.strategies[two]))
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the rungs."""
        return tuple(strategy.name for strategy in self.strategies)

    def line_up(self, one: int, two: int, place: int) -> Experiment:
        """Describe the matches of one strategy in a player's place among two others, by their numbers."""
        seated = [self.players[two]] * PLAYERS
        seated[place] = self.players[one]
        return self._experiment(tuple(seated), max(self.matches), 0, 2)

    def table(self, rung: int) -> Experiment:
        """Describe the matches and the option study of three of one rung."""
        size = self.tables[rung]
        players = (self.strategies[rung],) * PLAYERS
        return self._experiment(players, size.matches, size.hands, size.completions)

    def _experiment(
        self, players: tuple[Strategy, ...], matches: int, hands: int, completions: int
    ) -> Experiment:
        return experiment(
            GAME,
            matches=matches,
            seed=self.seed,
            strategies=players,
            rules=self.rules.as_dict(),
            hands=hands,
            completions=completions,
        )

    def as_dict(self) -> dict[str, Any]:
        """Return names and values that :func:`from_dict` reads back."""
        players = self.players
        return {
            "rules": self.rules.as_dict(),
            "strategies": list(self.names),
            "challengers": [strategy.name for strategy in self.challengers],
            "seed": self.seed,
            "cells": [
                {"one": players[one].name, "two": players[two].name, "matches": matches}
                for (one, two), matches in zip(self.cells, self.matches, strict=True)
            ],
            "tables": [
                {"three": name, **vars(size)} for name, size in zip(self.names, self.tables, strict=True)
            ],
        }


def meets(one: Strategy, rung: Strategy) -> bool:
    """Whether a challenger plays against a rung: an answer to a certain strategy only against that one."""
    additions = one.name.partition(":")[0].split("+")[1:]
    answered = [addition.removeprefix(_ANSWER) for addition in additions if addition.startswith(_ANSWER)]
    return not answered or rung.name in answered


def plan_ladder(
    strategies: Sequence[str | Strategy] = RUNGS,
    challengers: Sequence[str | Strategy] = (),
    rules: Mapping[str, Any] | None = None,
    seed: int = 1,
    sizes: Sizes = FULL,
    matches: int | None = None,
) -> LadderPlan:
    """Plan a ladder whose size follows from the cost of its strategies.

    Parameters
    ----------
    strategies, challengers : sequence of str or Strategy
        Rungs, and strategies that only meet two of each rung, as :func:`meets` says.
    rules : mapping
        Options of the rulebook that differ from the defaults.
    seed : int
        0 to 2**63 - 1.
    sizes : Sizes
        QUICK, FULL or others.
    matches : int, optional
        Matches of every cell and table alike, whatever they cost.

    Raises
    ------
    ValueError
        If a name or number is not valid; the message says what would be.
    """
    rungs, others = (
        tuple(BOOK.parse(one) if isinstance(one, str) else one for one in given)
        for given in (strategies, challengers)
    )
    _check_players(rungs, others)
    for other in others:
        if not any(meets(other, rung) for rung in rungs):
            raise ValueError(f"challenger {other.name!r}: answers a strategy that is no rung of this ladder")
    cells = [
        (one, two)
        for two in rungs
        for one in (*rungs, *others)
        if one != two and (one in rungs or meets(one, two))
    ]
    tables = [sizes.table(rung) for rung in rungs]
    return LadderPlan(
        Rules.from_options(dict(rules or {})),
        rungs,
        others,
        seed,
        tuple(sizes.cell(one, two) if matches is None else matches for one, two in cells),
        tuple(
            size if matches is None else TableSize(matches, size.hands, size.completions) for size in tables
        ),
    )


def usual_ladder() -> LadderPlan:
    """Return the plan of the ladder that comes with the package."""
    return plan_ladder(challengers=CHALLENGERS)


def from_dict(description: Mapping[str, Any]) -> LadderPlan:
    """Rebuild the plan that :meth:`LadderPlan.as_dict` described.

    Raises
    ------
    ValueError
        If it names something that does not exist, such as a user's own strategy.
    """
    rungs, others = (
        tuple(BOOK.parse(name) for name in description[kind]) for kind in ("strategies", "challengers")
    )
    sizes = ("matches", "hands", "completions")
    return LadderPlan(
        Rules.from_options(dict(description["rules"])),
        rungs,
        others,
        description["seed"],
        tuple(cell["matches"] for cell in description["cells"]),
        tuple(TableSize(*(table[name] for name in sizes)) for table in description["tables"]),
    )


def _check_players(strategies: Sequence[Strategy], challengers: Sequence[Strategy]) -> None:
    names = [strategy.name for strategy in (*strategies, *challengers)]
    if not strategies or len(names) < 2:
        raise ValueError("a ladder needs two strategies, at least one of them a rung")
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"strategy {name!r} is named twice: a ladder takes each once")
