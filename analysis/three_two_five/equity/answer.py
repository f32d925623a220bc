"""What a standing of 3-2-5 is worth: from the shipped table, or by matches played on from it."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from analysis.equity.answer import PLAYED, TABLE, Chance, EquityAnswer, Worth, change, matches_for
from analysis.estimates import Estimate, share
from analysis.three_two_five.equity.shipped import shipped_equity
from analysis.three_two_five.equity.table import shares, solved
from sim.batch import Progress
from sim.core.game import Experiment
from sim.core.strategy import Strategy
from sim.equity.playing import play_on
from sim.equity.table import Equity
from sim.experiment import experiment
from sim.three_two_five.equity.standing import Standing
from sim.three_two_five.rules import PLAYERS, SEATS

_GAME = "three-two-five"
_WORTH = "What a point more is worth to who has it, at the cost of one other"


def answer(
    score: tuple[int, ...],
    *,
    rules: Mapping[str, Any] | None,
    strategies: str | Strategy | Sequence[str | Strategy],
    seed: int,
    precision: float,
    jobs: int,
    on_progress: Callable[[Progress], None] | None,
    deals_left: int = 1,
    debts: tuple[int, int, int] = (0, 0, 0),
) -> EquityAnswer:
    """Return the chance to win; see :func:`analysis.equity.answer.match_equity`."""
    asked = experiment(_GAME, matches=matches_for(precision), seed=seed, strategies=strategies, rules=rules)
    standing = Standing(score, deals_left, debts)
    standing.check(asked.rules)
    table = _table_for(asked, precision)
    seconds = math.nan
    if table:
        chances, worth = _from_table(table, standing)
    else:
        chances, worth, seconds = _from_play(asked, standing, jobs, on_progress)
    owed = f", debts {','.join(f'{debt:+d}' for debt in debts)}" if any(debts) else ""
    told = ", ".join(f"{seat} {points:+d}" for seat, points in zip(SEATS, score, strict=True))
    return EquityAnswer(
        game=asked.game.name,
        asked={"score": list(score), "deals_left": deals_left, "debts": list(debts)},
        heading=f"{deals_left} deal{'s' if deals_left > 1 else ''} left: {told}{owed}",
        chances=tuple(chances),
        worth=tuple(worth),
        worth_title=_WORTH,
        source=TABLE if table else PLAYED,
        rules=asked.rules.as_dict(),
        strategies=tuple(strategy.name for strategy in asked.strategies),
        seed=seed,
        matches=0 if table else asked.matches,
        seconds=seconds,
    )


def _table_for(asked: Experiment, precision: float) -> Equity | None:
    """Return the shipped table if it has the numbers asked for; a match may have any length."""
    table = shipped_equity()
    if table is None or table.plan.precision > precision or table.plan.seed != asked.seed:
        return None
    usual = replace(asked.rules, deals_per_match=table.plan.rules.deals_per_match) == table.plan.rules
    ways = {(one.policies, one.params, one.functions) for one in (table.plan.strategy, *asked.strategies)}
    return table if usual and len(ways) == 1 else None


def _shifts() -> Iterator[tuple[int, int]]:
    """Yield who gets a point from whom."""
    for player in range(PLAYERS):
        for other in range(PLAYERS):
            if other != player:
                yield player, other


def _shifted(standing: Standing, player: int, other: int) -> Standing:
    scores = list(standing.scores)
    scores[player] += 1
    scores[other] -= 1
    return replace(standing, scores=tuple(scores))


def _from_table(table: Equity, standing: Standing) -> tuple[list[Chance], list[Worth]]:
    """Look a standing up, and those with a point moved."""
    found = solved(table, [standing, *(_shifted(standing, *shift) for shift in _shifts())])
    chances = [Chance(*one) for one in zip(SEATS, *shares(table, found), strict=True)]
    worth = []
    for place, (player, other) in enumerate(_shifts(), start=1):
        win = shares(table, found, place)[0][player]
        moved = Estimate(float(found.moved[place, player]), float(found.moved_se[place, player]), win.n)
        worth.append(Worth(SEATS[player], f"1 from the {SEATS[other]}", win, moved))
    return chances, worth


def _from_play(
    asked: Experiment,
    standing: Standing,
    jobs: int,
    on_progress: Callable[[Progress], None] | None,
) -> tuple[list[Chance], list[Worth], float]:
    """Play on from a standing, and where players are fast from those with a point moved."""
    played = play_on(asked, standing, jobs, on_progress)
    seconds, n = played.seconds, played.matches
    wins = [share(int(won), n) for won in played.wins]
    chances = [Chance(*one) for one in zip(SEATS, wins, (share(int(t), n) for t in played.ties), strict=True)]
    worth = []
    for player, other in _shifts() if asked.game.cost(asked.strategies) == 0 else ():
        moved = play_on(asked, _shifted(standing, player, other), jobs, on_progress)
        win = share(int(moved.wins[player]), n)
        worth.append(Worth(SEATS[player], f"1 from the {SEATS[other]}", win, change(win, wins[player])))
        seconds += moved.seconds
    return chances, worth, seconds
