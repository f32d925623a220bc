"""What ladder to play: who meets whom and how often. A frozen, validated description that fixes every number.

A *rung* is a strategy of the ladder. In a *cell* one strategy sits at a table with another, a rung, in each
of the places of a seating (:class:`sim.ladder.model.Seating`); every rung meets every other so, and besides
there is its *table*, where all are of the same. Challengers meet the rungs but are none themselves.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from sim.core.game import Experiment, Game, find_game
from sim.core.strategy import Strategy
from sim.experiment import experiment
from sim.ladder.model import NOWHERE, Model, Seating, model_of, model_type
from sim.ladder.sizes import Sizes, TableSize

_ANSWER = "against-"
LEAST_MATCHES = 4
"""Matches of a cell, so that each half of them, the even and the odd ones, has an error."""
_NUMBERS = {2: "two", 3: "three", 4: "four"}


class Cell(NamedTuple):
    """One strategy at a table with another.

    Parameters
    ----------
    one, two : int
        Numbers among the players of the plan; ``two``, of which all others are, is a rung.
    seating : Seating
        How they share the table.
    """

    one: int
    two: int
    seating: Seating


@dataclass(frozen=True)
class LadderPlan:
    """What ladder to play; :func:`plan_ladder` sizes one by cost.

    Parameters
    ----------
    game : Game
        Which game.
    rules : Any
        Its frozen rules, by which the matches are played and scored.
    strategies : tuple of Strategy
        The rungs.
    challengers : tuple of Strategy
        Strategies that only meet the rungs; one that answers a certain strategy meets that alone.
    seed : int
        Fixes every card or tile: all cells and tables play the same deals.
    matches : tuple of int
        Matches of each of the `cells`.
    tables : tuple of TableSize
        What each rung's own table plays.

    Raises
    ------
    ValueError
        If a field is out of range.
    """

    game: Game
    rules: Any
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
    def model(self) -> Model:
        """Return what the game tells a ladder."""
        return model_of(self.game, self.rules)

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Cells, seating by seating and table by table."""
        return tuple(_cells(self.model, self.strategies, self.challengers))

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the rungs."""
        return tuple(strategy.name for strategy in self.strategies)

    def names_of(self, cell: Cell) -> dict[str, str]:
        """Return the names of a cell's strategies, as ``one`` and ``two``."""
        return {"one": self.players[cell.one].name, "two": self.players[cell.two].name}

    def line_up(self, cell: Cell, place: int) -> Experiment:
        """Describe the matches of a cell with the one strategy in one of its places, or NOWHERE."""
        one, two, seating = cell
        sits = seating.line_ups[0 if place == NOWHERE else place]
        seated = (self.players[one if own and place != NOWHERE else two] for own in sits)
        return self._experiment(tuple(seated), TableSize(max(self.matches)))

    def table(self, rung: int) -> Experiment:
        """Describe the matches and the option study of one rung among its own."""
        return self._experiment((self.strategies[rung],) * self._seats, self.tables[rung])

    @property
    def _seats(self) -> int:
        return self.game.players(self.rules)

    def _experiment(self, players: tuple[Strategy, ...], size: TableSize) -> Experiment:
        return experiment(
            self.game,
            matches=size.matches,
            seed=self.seed,
            strategies=players,
            rules=self.rules.as_dict(),
            hands=size.hands,
            completions=size.completions,
        )

    def as_dict(self) -> dict[str, Any]:
        """Return names and values that :func:`from_dict` reads back."""
        seatings = len(self.model.seatings) > 1
        return {
            "rules": self.rules.as_dict(),
            "strategies": list(self.names),
            "challengers": [strategy.name for strategy in self.challengers],
            "seed": self.seed,
            "cells": [
                {**self.names_of(cell), **({"seating": cell.seating.name} if seatings else {}), "matches": n}
                for cell, n in zip(self.cells, self.matches, strict=True)
            ],
            "tables": [
                {_NUMBERS[self._seats]: name, **vars(size)}
                for name, size in zip(self.names, self.tables, strict=True)
            ],
        }


def meets(one: Strategy, rung: Strategy) -> bool:
    """Whether a challenger plays against a rung: an answer to a certain strategy only against that one."""
    additions = one.name.partition(":")[0].split("+")[1:]
    answered = [addition.removeprefix(_ANSWER) for addition in additions if addition.startswith(_ANSWER)]
    return not answered or rung.name in answered


def plan_ladder(
    game: str | Game,
    strategies: Sequence[str | Strategy] = (),
    challengers: Sequence[str | Strategy] = (),
    rules: Mapping[str, Any] | None = None,
    seed: int = 1,
    quick: bool = False,
    matches: int | None = None,
    sizes: Sizes | None = None,
) -> LadderPlan:
    """Plan a ladder whose size follows from the cost of its strategies.

    Parameters
    ----------
    game : str or Game
        Which game.
    strategies : sequence of str or Strategy
        Rungs; the game's usual ones if there are none.
    challengers : sequence of str or Strategy
        Strategies that only meet the rungs, as :func:`meets` says.
    rules : mapping
        Options of the rulebook that differ from the defaults.
    seed : int
        0 to 2**63 - 1.
    quick : bool
        Whether it is a first look, not the whole ladder.
    matches : int, optional
        Matches of every cell and table alike, whatever they cost.
    sizes : Sizes, optional
        Others than the usual ones.

    Raises
    ------
    ValueError
        If a name or number is not valid; the message says what would be.
    """
    game = find_game(game) if isinstance(game, str) else game
    settings = game.rules_type.from_options(dict(rules or {}))
    model = model_of(game, settings)
    sizes = sizes or (model.quick if quick else model.full)
    rungs, others = (
        tuple(game.book.parse(one) if isinstance(one, str) else one for one in given)
        for given in (strategies or model.rungs, challengers)
    )
    _check_players(rungs, others)
    for other in others:
        if not any(meets(other, rung) for rung in rungs):
            raise ValueError(f"challenger {other.name!r}: answers a strategy that is no rung of this ladder")
    players = (*rungs, *others)
    cells = [
        sizes.cell(game, players[one], players[two]) if matches is None else matches
        for one, two, _ in _cells(model, rungs, others)
    ]
    tables = [sizes.table(game, rung) for rung in rungs]
    if matches is not None:
        tables = [replace(size, matches=matches) for size in tables]
    return LadderPlan(game, settings, rungs, others, seed, tuple(cells), tuple(tables))


def usual_ladders(game: str | Game) -> list[LadderPlan]:
    """Return the plans of the ladders that come with the package, one or several of a game."""
    game = find_game(game) if isinstance(game, str) else game
    model = model_type(game)
    return [plan_ladder(game, challengers=model.challengers, rules=rules) for rules in model.usual_rules]


def from_dict(game: Game, description: Mapping[str, Any]) -> LadderPlan:
    """Rebuild the plan that :meth:`LadderPlan.as_dict` described.

    Raises
    ------
    ValueError
        If it names something that does not exist, such as a user's own strategy.
    """
    rungs, others = (
        tuple(game.book.parse(name) for name in description[kind]) for kind in ("strategies", "challengers")
    )
    return LadderPlan(
        game,
        game.rules_type.from_options(dict(description["rules"])),
        rungs,
        others,
        description["seed"],
        tuple(cell["matches"] for cell in description["cells"]),
        tuple(
            TableSize(table["matches"], table["hands"], table["completions"])
            for table in description["tables"]
        ),
    )


def _cells(model: Model, rungs: tuple[Strategy, ...], challengers: tuple[Strategy, ...]) -> Iterator[Cell]:
    """Yield who meets whom; of two rungs that change roles in one cell the later one is the one."""
    players = (*rungs, *challengers)
    for seating in model.seatings:
        for two, rung in enumerate(rungs):
            for one, player in enumerate(players):
                among_rungs = one < len(rungs)
                if among_rungs and (one > two or (one < two and not seating.mutual)):
                    yield Cell(one, two, seating)
                elif not among_rungs and meets(player, rung):
                    yield Cell(one, two, seating)


def _check_players(strategies: Sequence[Strategy], challengers: Sequence[Strategy]) -> None:
    names = [strategy.name for strategy in (*strategies, *challengers)]
    if not strategies or len(names) < 2:
        raise ValueError("a ladder needs two strategies, at least one of them a rung")
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"strategy {name!r} is named twice: a ladder takes each once")
