"""``dealworth replay``: single deals or rounds, the very ones that a run counted."""

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import chain
from typing import Any

from analysis.cli.described import as_typed, described, in_units, loaded, refuse
from analysis.cli.terminal import fitting, has_symbols, say
from sim import replay
from sim.core.game import Experiment, Game, find_game

_SETTLED = ("players", "deals_per_match", "seed", "strategy", "rules", "config")


def main(args: argparse.Namespace) -> int:
    """Run the command; see :func:`analysis.cli.main`."""
    game = find_game(args.game)
    number = in_units(args, game, "{}")
    first, last = args.match or 0, (args.match or 0) + (args.count or 1) - 1
    experiment, matches = _of_run(args, game) if args.run is not None else _of_options(args, game, last + 1)
    if last >= matches:
        raise ValueError(f"match {max(first, matches)}: the run has matches 0 to {matches - 1}")
    records = _records(experiment, range(first, last + 1), number)
    if args.json:
        for record in records:
            say(json.dumps(record))
        return 0
    # The first one before the heading: a number out of range leaves nothing on standard output.
    records = chain([next(records)], records)
    say(f"{game.title}, seed {experiment.seed}, {as_typed(experiment.rules.as_dict())}")
    say(f"strategies by player: {', '.join(strategy.name for strategy in experiment.strategies)}")
    symbols = has_symbols(sys.stdout)
    for record in records:
        say("\n" + fitting(game.describe(record, symbols), sys.stdout))
    return 0


def _of_options(args: argparse.Namespace, game: Game, wanted: int) -> tuple[Experiment, int]:
    """Describe a run that has the matches wanted, or the one of a configuration file."""
    units, matches = in_units(args, game, "{}s") or 0, getattr(args, "matches", None) or 0
    if not (units or matches):
        matches = wanted
    experiment = described(args, game, units=units, matches=matches)
    return experiment, experiment.matches


def _of_run(args: argparse.Namespace, game: Game) -> tuple[Experiment, int]:
    """Take the experiment of a run folder, and the matches that it has counted."""
    refuse(args, "run", _SETTLED)
    run = loaded(args.run, game)
    if not run.matches:
        raise ValueError(f"{args.run!r} has counted no match yet")
    return run.experiment, run.matches


def _records(experiment: Experiment, matches: range, number: int | None) -> Iterator[dict[str, Any]]:
    """Replay match by match, so that nothing piles up."""
    unit = experiment.game.unit
    for match in matches:
        records = replay(experiment, match)
        if number is not None and number >= len(records):
            raise ValueError(f"{unit} {number}: match {match} has {unit}s 0 to {len(records) - 1}")
        yield from records if number is None else records[number : number + 1]
