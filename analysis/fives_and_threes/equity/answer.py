"""What scores of Fives and Threes are worth: from the shipped table, or by matches played on from them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from analysis.equity.answer import (
    PLAYED,
    TABLE,
    Chance,
    EquityAnswer,
    Worth,
    change,
    matches_for,
)
from analysis.estimates import Share, share
from analysis.fives_and_threes.equity.shipped import shipped_equity, shipped_plan
from analysis.fives_and_threes.equity.table import Chances
from sim.batch import Progress
from sim.core.game import Experiment
from sim.core.strategy import Strategy
from sim.equity.plan import EquityPlan
from sim.equity.playing import Played, play_on
from sim.experiment import experiment
from sim.fives_and_threes.equity.standing import Standing

_POINTS = (0, 1, 2, 3, 4, 5, 6, 8)
_STARTERS = {2: ("me", "other"), 3: ("me", "left", "right"), 4: ("me", "other")}
_NAMES = {2: ("you", "the other"), 3: ("you", "left", "right"), 4: ("your side", "the others")}
_GAME = "fives-and-threes"

Win = Callable[[Standing], tuple[Share, ...]]


def answer(
    score: tuple[int, ...],
    *,
    rules: Mapping[str, Any] | None,
    strategies: str | Strategy | Sequence[str | Strategy],
    seed: int,
    precision: float,
    jobs: int,
    on_progress: Callable[[Progress], None] | None,
    starter: str = "me",
) -> EquityAnswer:
    """Return the chance to win; see :func:`analysis.equity.answer.match_equity`."""
    asked = experiment(_GAME, matches=matches_for(precision), seed=seed, strategies=strategies, rules=rules)
    players = asked.rules.players
    if starter not in _STARTERS[players]:
        valid = ", ".join(_STARTERS[players])
        raise ValueError(f"starter {starter!r}: with {players} players valid are {valid}")
    standing = Standing(score, _STARTERS[players].index(starter))
    standing.check(asked.rules)
    table = _table_for(asked, precision)
    seconds: list[float] = []
    win = _looked_up(table) if table else _played(asked, jobs, on_progress, seconds)
    now = win(standing)
    names = _NAMES[players]
    worth = tuple(_worth(asked, standing, win)) if table or asked.game.cost(asked.strategies) == 0 else ()
    return EquityAnswer(
        game=asked.game.name,
        asked={"score": list(score), "starter": starter},
        heading=f"{players} players to {asked.rules.target}: {' : '.join(map(str, score))},"
        f" {names[standing.starter]} to start",
        chances=tuple(Chance(name, one) for name, one in zip(names, now, strict=True)),
        worth=worth,
        worth_title=f"What points in this round are worth to {names[0]}",
        source=TABLE if table else PLAYED,
        rules=asked.rules.as_dict(),
        strategies=tuple(strategy.name for strategy in asked.strategies),
        seed=seed,
        matches=0 if table else asked.matches,
        seconds=sum(seconds) if seconds else float("nan"),
        notes=tuple(_notes(worth)),
    )


def _table_for(asked: Experiment, precision: float) -> Chances | None:
    """Return the shipped table if it has the numbers asked for."""
    plan = shipped_plan(asked.rules.players)
    if plan and plan.rules == asked.rules and plan.precision <= precision and _plays_so(plan, asked):
        return Chances.of(shipped_equity(asked.rules.players))
    return None


def _plays_so(plan: EquityPlan, asked: Experiment) -> bool:
    """Whether the players of a table are those asked for, whatever they are called."""
    ways = {(one.policies, one.params, one.functions) for one in (plan.strategy, *asked.strategies)}
    return len(ways) == 1 and plan.seed == asked.seed


def _looked_up(table: Chances) -> Win:
    """Return a function that takes chances from a table."""

    def win(standing: Standing) -> tuple[Share, ...]:
        own, other = standing.scores
        mine = table.win(own, other, standing.starter % 2 == 0)
        return mine, Share(1 - mine.mean, mine.se, mine.n, clustered=True)

    return win


def _played(
    asked: Experiment, jobs: int, on_progress: Callable[[Progress], None] | None, seconds: list[float]
) -> Win:
    """Return a function that plays on, and notes the time it took."""

    def win(standing: Standing) -> tuple[Share, ...]:
        played: Played = play_on(asked, standing, jobs, on_progress)
        seconds.append(played.seconds)
        return tuple(share(int(wins), played.matches) for wins in played.wins[: len(standing.scores)])

    return win


def _worth(asked: Experiment, standing: Standing, win: Win) -> Iterator[Worth]:
    """Value the points that each side might make in this round and the others not; the next one starts."""
    following = replace(standing, starter=(standing.starter + 1) % asked.rules.players)
    before = win(following)[0]
    for side, name in enumerate(_NAMES[asked.rules.players]):
        for points in _POINTS:
            scores = list(standing.scores)
            scores[side] += points
            if scores[side] >= asked.rules.target:
                break
            after = win(replace(following, scores=tuple(scores)))[0] if points else before
            yield Worth(name, f"{points} ({scores[side]})", after, change(after, before))


def _notes(worth: Sequence[Worth]) -> Iterator[str]:
    """Say which points of one's own are surely worth less than none."""
    bad = [one for one in worth if one.group == worth[0].group and one.change.interval()[1] < 0]
    if bad:
        listed = ", ".join(f"{one.points.partition(' ')[0]} ({one.change.mean:+.1%})" for one in bad)
        yield f"better not made, if they were all that this round brings: {listed} points".replace("-", "−")
