"""``dealworth simulate``: play, keep the counters in a run folder, show what they say."""

import argparse
import json
from importlib import import_module
from pathlib import Path
from typing import Any

from analysis.cli.described import as_typed, cost_of, described, in_units, jobs_of, loaded, refuse
from analysis.cli.folders import Checkpoints, named_or_new, pace, resumption_of, writing
from analysis.cli.interrupts import Interrupts, Stopped, discard
from analysis.cli.progress import ProgressDisplay
from analysis.cli.terminal import say, show_table, warn
from analysis.provenance import extent, line_up
from analysis.summaries import FEW_CLUSTERS, Summary
from sim.batch import Progress, run
from sim.core.game import Experiment, Game, find_game
from sim.results import Run, RunFolder

_MATCHES, _HANDS, _COMPLETIONS = (10_000, 2_000, 100), (1000, 100, 20), (64, 32, 8)
"""What is played where nothing is said, by the cost of the players; all of it takes a few minutes at most."""
_SETTLED = (
    "deals", "rounds", "matches", "players", "deals_per_match", "seed", "strategy", "rules",
    "hands", "completions", "config", "out", "force",
)  # fmt: skip


def main(args: argparse.Namespace) -> int:
    """Run the command; see :func:`analysis.cli.main`."""
    game = find_game(args.game)
    jobs = jobs_of(args)
    with Interrupts() as interrupts:
        try:
            if args.resume is not None:
                made, folder = _resume(args, game, jobs, interrupts)
            else:
                made, folder = _start(args, game, jobs, interrupts)
        except Stopped as stopped:
            discard(stopped)
            warn("dealworth: interrupted before anything was played")
            return interrupts.status
    summary = import_module(f"analysis.{game.name}.summary").summary(made)
    if args.json:
        say(json.dumps(_record(made, summary, folder)))
    else:
        _show(made, summary, folder)
    if not made.partial:
        return 0
    warn(f"dealworth: interrupted, {_progress(made)} kept; to go on: {_resumption(game, folder)}")
    return interrupts.status


def _start(args: argparse.Namespace, game: Game, jobs: int, interrupts: Interrupts) -> tuple[Run, Path]:
    """Play a new run in a folder of its own."""
    units, matches = in_units(args, game, "{}s") or 0, args.matches or 0
    cost = cost_of(args, game)
    if not (units or matches):
        matches = _MATCHES[cost]
    hands = _HANDS[cost] if args.hands is None else args.hands
    completions = args.completions or _COMPLETIONS[cost]
    experiment = described(args, game, units=units, matches=matches, hands=hands, completions=completions)
    _say_less(args, cost, experiment)
    with named_or_new(args.out, game.command) as place:
        folder = RunFolder(place, force=bool(args.force), keep_rows=args.rows)
        return _play(experiment, folder, jobs, interrupts), place


def _say_less(args: argparse.Namespace, cost: int, experiment: Experiment) -> None:
    """Say what is played less than usual because the players take their time."""
    given = {
        "matches": args.deals or args.rounds or args.matches,
        "hands": args.hands,
        "completions": args.completions if experiment.hands else 0,
    }
    less = [f"{getattr(experiment, name):,} {name}" for name, value in given.items() if value is None]
    if cost and less:
        warn(f"players that think are slow: {', '.join(less)}; --{' --'.join(given)} say otherwise")


def _resume(args: argparse.Namespace, game: Game, jobs: int, interrupts: Interrupts) -> tuple[Run, Path]:
    """Go on with the partial run in a folder."""
    refuse(args, "resume", _SETTLED)
    experiment, place = loaded(args.resume, game).experiment, Path(args.resume)
    folder = RunFolder(place, resume=True, keep_rows=args.rows)
    return _play(experiment, folder, jobs, interrupts), place


def _play(experiment: Experiment, folder: RunFolder, jobs: int, interrupts: Interrupts) -> Run:
    """Play into a folder; whatever goes wrong, it holds a whole result afterwards, or nothing."""
    before = folder.resumed
    checkpoints = Checkpoints(folder.checkpoint)
    done = (before.matches, before.hands) if before else (0, 0)
    with writing(folder, _resumption(experiment.game, folder.folder), _progress):
        if before is None:
            folder.begin(Run.blank(experiment))
        with ProgressDisplay(experiment.game, *done) as display:

            def report(event: Progress) -> None:
                interrupts.compiling = event.stage == "compile"
                display.show(event)
                interrupts.check()

            made = run(
                experiment,
                jobs,
                resume=before,
                on_progress=report,
                on_rows=folder.add_rows if folder.keeps_rows else None,
                on_checkpoint=checkpoints.consider,
            )
        folder.finish(made)
    return made


def _record(made: Run, summary: Summary, folder: Path) -> dict[str, Any]:
    """Return the run as one object for programs."""
    return {
        "game": made.game.name,
        f"{made.game.unit}s": made.units,
        "units": made.units,
        "matches": made.matches,
        "seed": made.description["seed"],
        "partial": made.partial,
        "digest": made.digest,
        "rules": made.rules.as_dict(),
        "strategies": made.strategies,
        **summary.record,
        "hands": made.hands,
        "completions": made.description["completions"],
        "jobs": made.jobs,
        "seconds": made.seconds,
        "warm_up_seconds": made.warm_up,
        "folder": str(folder),
    }


def _show(made: Run, summary: Summary, folder: Path) -> None:
    """Print the summary, and under it how it was made."""
    rows: list[tuple[str, ...] | None] = []
    group = None
    for line in summary.lines:
        if group not in (None, line.group):
            rows.append(None)
        first = line.group if line.group != group else ""
        rows.append((first, line.quantity, line.mean_text(), line.interval_text(), f"{line.estimate.n:,}"))
        group = line.group
    title = f"{made.game.title}: {extent(made)}"
    show_table(("", "", "mean ± s.e.", "95% interval", "n"), rows, title, right=(4,))
    say(f"s.e.: standard error; n: {summary.clusters}, over which the error is clustered")
    if summary.few_clusters():
        say(f"caution: with fewer than {FEW_CLUSTERS} {summary.clusters} the errors are themselves uncertain")
    say("")
    say(f"strategies  {line_up(made)}")
    say(f"rules       {as_typed(made.rules.as_dict())}")
    say(f"seed        {made.description['seed']}, digest {made.digest}")
    say(f"time        {pace(made.seconds, made.jobs, made.warm_up)}")
    say(f"folder      {folder}")


def _progress(made: Run) -> str:
    """Write how much of a partial run there is."""
    studied = made.matches == made.description["matches"] and made.description["hands"]
    stage, done = ("hands", made.hands) if studied else ("matches", made.matches)
    return f"{done:,} of {made.description[stage]:,} {stage}"


def _resumption(game: Game, folder: Path) -> str:
    """Return the command that goes on with a partial run."""
    return resumption_of("simulate", game.command, folder)
