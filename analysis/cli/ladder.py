"""``dealworth ladder``: rank strategies by playing each against others of every other."""

import argparse
import json
import math
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.cli.described import as_typed, jobs_of, refuse, rules_of, seed_of
from analysis.cli.folders import Checkpoints, named_or_new, pace, resumption_of, writing
from analysis.cli.interrupts import Interrupts, Stopped, discard
from analysis.cli.progress import ProgressDisplay
from analysis.cli.terminal import say, show_table, warn
from analysis.estimates import Estimate, Share, json_number
from analysis.figures import any_characters
from analysis.ladder.answers import Answer, answers_of, sensitivity_by_rung
from analysis.ladder.figures import draw_cross_play
from analysis.ladder.gains import cross_play, exploitability
from analysis.ladder.measure import Measure, measures_of
from analysis.ladder.order import (
    exception_in_words,
    intransitivities,
    open_pairs,
    order_in_words,
    ranking,
)
from analysis.summaries import Line
from analysis.wording import with_interval
from sim.batch import Progress
from sim.core.game import Game, find_game
from sim.folders import replace
from sim.ladder.folder import LadderFolder
from sim.ladder.ladder import Ladder, play_ladder
from sim.ladder.model import model_type
from sim.ladder.plan import LadderPlan, plan_ladder

_SETTLED = (
    "players", "deals_per_match", "seed", "strategy", "challengers", "rules", "quick", "matches", "out",
    "force",
)  # fmt: skip

Row = Mapping[Hashable, Any]


def main(args: argparse.Namespace) -> int:
    """Run the command; see :func:`analysis.cli.main`."""
    game = find_game(args.game)
    if args.figure is not None:
        _check_figure(Path(args.figure))
    jobs = jobs_of(args)
    with Interrupts() as interrupts:
        try:
            ladder, folder = _made(args, game, jobs, interrupts)
        except Stopped as stopped:
            discard(stopped)
            warn("dealworth: interrupted before anything was played")
            return interrupts.status
    if args.json:
        say(json.dumps(_record(ladder, folder)))
    else:
        _show(ladder, folder)
    if args.figure is not None:
        _draw(ladder, Path(args.figure))
    if not ladder.partial:
        return 0
    warn(f"dealworth: interrupted, {ladder.extent} kept; to go on: {_resumption(ladder.game, folder)}")
    return interrupts.status


def _check_figure(file: Path) -> None:
    """See that a figure can be written before anything is played for it; leaves nothing behind."""
    if not file.parent.is_dir():
        raise ValueError(f"{str(file)!r}: there is no folder {str(file.parent)!r} to write to")
    existed = file.exists()
    with file.open("ab"):
        pass
    if not existed:
        file.unlink()


def _draw(ladder: Ladder, file: Path) -> None:
    """Draw the heat map into a file, in the format that its ending says."""
    figure = draw_cross_play(cross_play(ladder)).figure
    file = file if file.suffix else file.with_suffix(".png")
    with any_characters():
        replace(file, lambda path: figure.savefig(path, format=file.suffix[1:]))


def _made(args: argparse.Namespace, game: Game, jobs: int, interrupts: Interrupts) -> tuple[Ladder, Path]:
    """Play a ladder in a folder of its own, or go on with one."""
    if args.resume is not None:
        refuse(args, "resume", _SETTLED)
        folder = LadderFolder(args.resume, resume=True)
        return _play(folder.resumed.plan, folder, jobs, interrupts), folder.folder
    plan = plan_ladder(
        game,
        args.strategy or (),
        args.challengers or _challengers(args, game),
        rules_of(args),
        seed_of(args),
        bool(args.quick),
        args.matches,
    )
    with named_or_new(args.out, f"ladder-{game.command}") as place:
        return _play(plan, LadderFolder(place, force=bool(args.force)), jobs, interrupts), place


def _challengers(args: argparse.Namespace, game: Game) -> tuple[str, ...]:
    """Return those of the usual ladder; rungs of one's own have none unless they are named."""
    if args.strategy:
        return ()
    model = model_type(game)
    return model.answers if args.quick else model.challengers


def _play(plan: LadderPlan, folder: LadderFolder, jobs: int, interrupts: Interrupts) -> Ladder:
    """Play into a folder; whatever goes wrong, it holds a whole result afterwards, or nothing."""
    checkpoints = Checkpoints(folder.checkpoint)
    with writing(folder, _resumption(plan.game, folder.folder), _extent):
        if folder.resumed is None:
            folder.begin(Ladder.blank(plan))
        with ProgressDisplay(plan.game) as display:

            def report(event: Progress) -> None:
                interrupts.compiling = event.stage == "compile"
                display.show(event)
                interrupts.check()

            ladder = play_ladder(
                plan,
                jobs,
                resume=folder.resumed,
                on_progress=report,
                on_checkpoint=checkpoints.consider,
            )
        folder.finish(ladder)
    return ladder


def _extent(ladder: Ladder) -> str:
    """Write how much of a partial ladder there is."""
    return ladder.extent


def _resumption(game: Game, folder: Path) -> str:
    """Return the command that goes on with a partial ladder."""
    return resumption_of("ladder", game.command, folder)


def _record(ladder: Ladder, folder: Path) -> dict[str, Any]:
    """Return the ladder as one object for programs."""
    principal, *others = (_measured(ladder, measure) for measure in measures_of(ladder))
    return {
        "game": ladder.game.name,
        **ladder.plan.as_dict(),
        ladder.plan.model.unit: ladder.units,
        "partial": ladder.partial,
        "digest": ladder.digest,
        **principal,
        **({"further": others} if others else {}),
        "sensitivity": _records(sensitivity_by_rung(ladder)),
        "jobs": ladder.jobs,
        "seconds": ladder.seconds,
        "warm_up_seconds": ladder.warm_up,
        "folder": str(folder),
    }


def _measured(ladder: Ladder, measure: Measure) -> dict[str, Any]:
    """Return what a ladder says by one measure."""
    table = cross_play(ladder, measure.name)
    return {
        "measure": measure.name,
        "unit": measure.unit,
        "order": order_in_words(table),
        "cross_play": _records(table),
        "ranking": _records(ranking(table)),
        "intransitivities": _records(intransitivities(table)),
        "exploitability": _records(exploitability(ladder, measure.name)),
    }


def _records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a table as JSON can hold it: None in the place of nan."""
    return [
        {str(name): json_number(value) if isinstance(value, float) else value for name, value in row.items()}
        for row in table.to_dict("records")
    ]


def _show(ladder: Ladder, folder: Path) -> None:
    """Print what the ladder says, and under it how it was made."""
    for measure in measures_of(ladder):
        table = cross_play(ladder, measure.name)
        _show_matrix(table, measure, ladder.game)
        _show_order(table)
        _show_exploits(exploitability(ladder, measure.name), measure)
    _show_sensitivity(ladder)
    plan = ladder.plan
    challengers = [strategy.name for strategy in plan.challengers]
    say(f"strategies  {', '.join(plan.names)}")
    if challengers:
        say(f"challengers {', '.join(challengers)}")
    say(f"rules       {as_typed(plan.rules.as_dict())}")
    say(f"seed        {plan.seed}, digest {ladder.digest}")
    say(f"time        {pace(ladder.seconds, ladder.jobs, ladder.warm_up)}")
    say(f"folder      {folder}")


def _show_matrix(table: pd.DataFrame, measure: Measure, game: Game) -> None:
    """Print what each row's strategy gains among others of each column's."""
    cells = {(row["one"], row["two"]): row for row in table.to_dict("records")}
    columns = list(dict.fromkeys(table["two"]))
    ones = [*columns, *(name for name in dict.fromkeys(table["one"]) if name not in columns)]
    rows = [(one, *("0" if one == two else _mean(cells.get((one, two))) for two in columns)) for one in ones]
    title = f"{game.title}, ladder: {measure.unit} that {measure.gains}, ± s.e."
    show_table((measure.one, *(f"{measure.two} {name}" for name in columns)), rows, title)
    say("")


def _show_order(table: pd.DataFrame) -> None:
    """Print the ranking, and where it is no order; a partial ladder may have none yet."""
    if open_pairs(table):
        say(order_in_words(table))
        say("")
        return
    rows = [
        (
            str(row["rank"]),
            row["strategy"],
            _interval(row, "mean_gain"),
            row["below"] or "–",
            _interval(row, "gain"),
            _interval(row, "back"),
            row["verdict"] or "–",
        )
        for row in ranking(table).to_dict("records")
    ]
    heads = ("", "strategy", "mean gain (95% interval)", "the next", "gain on it", "its gain back", "verdict")
    show_table(heads, rows)
    say(order_in_words(table))
    for row in intransitivities(table).to_dict("records"):
        say(f"- {exception_in_words(row)}")
    say("")


def _show_exploits(table: pd.DataFrame, measure: Measure) -> None:
    """Print how far each rung can be exploited."""
    rows = [
        (row["strategy"], row["responder"], _interval(row, "gain"), str(row["tried"]), f"{row['matches']:,}")
        for row in table.to_dict("records")
    ]
    heads = (measure.two, "best response of those tried", f"{measure.unit}, at least", "tried", "matches")
    show_table(heads, rows, "How far each can be exploited: a lower bound (95% interval)", right=(3, 4))
    say("")


def _show_sensitivity(ladder: Ladder) -> None:
    """Print the product's answers at each rung, a column each."""
    table, answers = sensitivity_by_rung(ladder), answers_of(ladder)
    unit = measures_of(ladder)[0].unit.split()[0]
    found = {(row["rung"], row["quantity"], row["seat"]): row for row in table.to_dict("records")}
    rows = [
        (name, *(_answer(found.get((name, answer.quantity, answer.group)), answer) for answer in answers))
        for name in dict.fromkeys(table["rung"])
    ]
    heads = ("all of", *(answer.head.format(unit=unit) for answer in answers))
    show_table(heads, rows, f"The answers at each rung, a {ladder.game.unit}, ± s.e.")
    say("")


def _answer(row: Row | None, answer: Answer) -> str:
    """Write one answer of one rung with its error; a dash where it was not played."""
    if row is None:
        return "–"
    values = row["value"], row["se"], row["n"]
    if answer.share:
        return Line("", "", Share(*values, clustered=True)).mean_text()
    return Line("", "", Estimate(*values), signed=not answer.level).mean_text()


def _mean(cell: Row | None) -> str:
    """Write a gain with its error; a dash where nothing was played."""
    if cell is None:
        return "–"
    return Line("", "", Estimate(cell["gain"], cell["se"], cell["matches"]), signed=True).mean_text()


def _interval(row: Row, name: str) -> str:
    """Write ``+0.382 (+0.365 to +0.399)``; a dash where there is nothing."""
    prefix = "" if "low" in row else f"{name}_"
    mean, low, high = row[name], row[f"{prefix}low"], row[f"{prefix}high"]
    return "–" if math.isnan(mean) else with_interval(mean, low, high, signed=True)
