"""``dealworth equity``: the chance to win a match from where it stands."""

import argparse
import json
import math
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from analysis.cli.described import (
    as_typed,
    cost_of,
    described,
    jobs_of,
    refuse,
    rules_of,
    seed_of,
    strategies_of,
)
from analysis.cli.folders import Checkpoints, named_or_new, pace, resumption_of, writing
from analysis.cli.interrupts import Interrupts, Stopped, discard
from analysis.cli.progress import ProgressDisplay
from analysis.cli.terminal import say, show_table, warn
from analysis.equity.answer import EquityAnswer, match_equity
from analysis.estimates import Share
from analysis.provenance import people
from analysis.summaries import Line
from sim.batch import Progress
from sim.core.game import Game, find_game
from sim.equity.folder import EquityFolder
from sim.equity.plan import EquityPlan
from sim.equity.table import Equity, build

_PRECISION = (0.004, 0.02, 0.05)
"""Standard error of a chance where nothing is said, by the cost of the players."""
_STANDING = {"fives_and_threes": ("starter",), "three_two_five": ("deals_left", "debts")}
_OF_A_TABLE = ("out", "force")
_SETTLED = ("players", "deals_per_match", "seed", "strategy", "rules", "precision", "table", *_OF_A_TABLE)


def main(args: argparse.Namespace) -> int:
    """Run the command; see :func:`analysis.cli.main`."""
    game = find_game(args.game)
    for name in {name for names in _STANDING.values() for name in names} - set(_STANDING[game.name]):
        if getattr(args, name) is not None:
            raise ValueError(f"--{name.replace('_', '-')} is not for {game.title}")
    jobs = jobs_of(args)
    if args.table or args.resume is not None:
        return _make(args, game, jobs)
    refuse_of_a_table(args)
    if args.score is None:
        raise ValueError("nothing asked: give --score, or --table to make a whole table")
    given = {name: getattr(args, name) for name in _STANDING[game.name]}
    with ProgressDisplay(game) as display:
        found = match_equity(
            game.name,
            args.score,
            rules=rules_of(args),
            strategies=strategies_of(args),
            seed=seed_of(args),
            precision=args.precision or _PRECISION[cost_of(args, game)],
            jobs=jobs,
            on_progress=display.show,
            **{name: value for name, value in given.items() if value is not None},
        )
    if args.json:
        say(json.dumps(found.record()))
    else:
        _show(game, found)
    return 0


def refuse_of_a_table(args: argparse.Namespace) -> None:
    """Refuse options of a table where one standing is asked for.

    Raises
    ------
    ValueError
        If one of them was given.
    """
    for name in _OF_A_TABLE:
        if getattr(args, name) is not None:
            raise ValueError(f"--{name} goes with --table, which makes a whole one")


def _show(game: Game, found: EquityAnswer) -> None:
    """Print the chances, what points would change, and where the numbers come from."""
    ties = any(chance.tie for chance in found.chances)
    rows = []
    for chance in found.chances:
        line = Line("", "", chance.win)
        tie = [Line("", "", chance.tie).mean_text() if chance.tie else "–"] if ties else []
        rows.append((chance.name, line.mean_text(), line.interval_text(), *tie))
    heads = ("", "wins ± s.e.", "95% interval", *(["shares the top"] if ties else []))
    show_table(heads, rows, f"{game.title}, {found.heading}")
    say("")
    if found.worth:
        show_table(
            ("points of", "points", "then wins ± s.e.", "change"),
            list(_worth_rows(found)),
            found.worth_title,
        )
        say("")
    for note in found.notes:
        say(note)
    played = "" if math.isnan(found.seconds) else f", {found.matches:,} matches each, {found.seconds:.1f} s"
    say(f"source      {found.source}{played}")
    say(f"strategies  {people(found.strategies)}")
    say(f"rules       {as_typed(found.rules)}")
    say(f"seed        {found.seed}")


def _worth_rows(found: EquityAnswer) -> Iterator[tuple[str, ...] | None]:
    """Yield the rows of what points are worth, a gap between groups."""
    group = ""
    for one in found.worth:
        if group and one.group != group:
            yield None
        # A difference of chances is written as they are, in percent.
        moved = Share(one.change.mean, one.change.se, one.change.n, clustered=True)
        change = moved.text(signed=True) if moved.mean else "–"
        yield ("" if one.group == group else one.group, one.points, Line("", "", one.win).mean_text(), change)
        group = one.group


def _make(args: argparse.Namespace, game: Game, jobs: int) -> int:
    """Make a table in a folder, and say how it went."""
    if args.score is not None:
        raise ValueError("--score asks for one standing, --table makes them all: give one of them")
    with Interrupts() as interrupts:
        try:
            table, folder = _made(args, game, jobs, interrupts)
        except Stopped as stopped:
            discard(stopped)
            warn("dealworth: interrupted before anything was played")
            return interrupts.status
    if args.json:
        say(json.dumps(_record(table, folder)))
    else:
        _say_how(table, folder)
    if table.complete:
        return 0
    warn(f"dealworth: interrupted, {_progress(table)} kept; to go on: {_resumption(game, folder)}")
    return interrupts.status


def _made(args: argparse.Namespace, game: Game, jobs: int, interrupts: Interrupts) -> tuple[Equity, Path]:
    """Make a table in a folder of its own, or go on with one."""
    if args.resume is not None:
        refuse(args, "resume", _SETTLED)
        folder = EquityFolder(args.resume, resume=True)
        if folder.resumed.plan.game.name != game.name:
            folder.abandon()
            raise ValueError(f"{args.resume!r} holds a table of {folder.resumed.plan.game.title}")
        return _play(folder.resumed.plan, folder, jobs, interrupts), folder.folder
    plan = _plan(args, game)
    Equity.blank(plan)
    with named_or_new(args.out, f"equity-{game.command}") as place:
        return _play(plan, EquityFolder(place, force=bool(args.force)), jobs, interrupts), place


def _plan(args: argparse.Namespace, game: Game) -> EquityPlan:
    """Read the plan from the options.

    Raises
    ------
    ValueError
        If the players differ, or an option is not valid.
    """
    asked = described(args, game, matches=1)
    if len({strategy.name for strategy in asked.strategies}) > 1:
        raise ValueError("a table is one of players who all play alike: give one --strategy")
    precision = {} if args.precision is None else {"precision": args.precision}
    return EquityPlan(game, asked.rules, asked.strategies[0], asked.seed, **precision)


def _play(plan: EquityPlan, folder: EquityFolder, jobs: int, interrupts: Interrupts) -> Equity:
    """Play into a folder; whatever goes wrong, it holds a whole result afterwards, or nothing."""
    checkpoints = Checkpoints(folder.checkpoint)
    with writing(folder, _resumption(plan.game, folder.folder), _progress):
        if folder.resumed is None:
            folder.begin(Equity.blank(plan))
        with ProgressDisplay(plan.game) as display:

            def report(event: Progress) -> None:
                interrupts.compiling = event.stage == "compile"
                display.show(event)
                interrupts.check()

            table = build(
                plan, jobs, resume=folder.resumed, on_progress=report, on_checkpoint=checkpoints.consider
            )
        folder.finish(table)
    return table


def _progress(table: Equity) -> str:
    """Write how much of a partial table there is."""
    return f"{table.units:,} {table.plan.game.unit}s"


def _resumption(game: Game, folder: Path) -> str:
    """Return the command that goes on with a partial table."""
    return resumption_of("equity", game.command, folder)


def _record(table: Equity, folder: Path) -> dict[str, Any]:
    """Return how a table was made, as one object for programs."""
    return {
        **table.plan.as_dict(),
        "units": table.units,
        "partial": table.partial,
        "digest": table.digest,
        "jobs": table.jobs,
        "seconds": table.seconds,
        "warm_up_seconds": table.warm_up,
        "folder": str(folder),
    }


def _say_how(table: Equity, folder: Path) -> None:
    """Say what was made, and where it is kept."""
    plan = table.plan
    if table.complete:
        for line in import_module(f"analysis.{plan.game.name}.equity.table").in_words(table):
            say(line)
    say(f"strategies  {people([strategy.name for strategy in plan.strategies])}")
    say(f"rules       {as_typed(plan.rules.as_dict())}")
    say(f"seed        {plan.seed}, digest {table.digest}")
    say(f"played      {table.units:,} {plan.game.unit}s")
    say(f"time        {pace(table.seconds, table.jobs, table.warm_up)}")
    say(f"folder      {folder}")
