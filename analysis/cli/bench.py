"""``dealworth bench``: how fast this machine plays."""

import argparse
import json
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from itertools import groupby
from typing import Any

from analysis.benchmarks import Case, Timing, measure
from analysis.cli.arguments import UNITS
from analysis.cli.described import as_typed, in_units
from analysis.cli.progress import announce_compiling
from analysis.cli.terminal import say, short, show_table, warn
from analysis.yardstick import CLoop, c_loop, processor
from sim.core.game import Game, find_game
from sim.games import GAMES

_UNITS = (1_000_000, 1_000, 20)
"""Deals or rounds a repeat where nothing is said, by the cost of the players."""
_REPEATS = 5
_JOBS = (1, 2)
_YARDSTICK_UNITS = 1_000_000


def main(args: argparse.Namespace) -> int:
    """Run the command; see :func:`analysis.cli.main`."""
    games = [find_game(name) for name in args.games] or _all_games(args)
    timings = [(game, _time(game, args)) for game in games]
    if args.json:
        results = [timing.as_dict(game) for game, listed in timings for timing in listed]
        say(json.dumps({"processor": processor(), "results": results}))
        return 0
    for game, listed in timings:
        _show(game, listed)
    say(f"processor: {processor()}")
    say(f"median of {args.repeats or _REPEATS} repeats; compiling and warming up are not in it")
    if any(timing.of_yardstick for _, listed in timings for timing in listed):
        say("the C loop plays at random and counts nothing; it is timed in turn with each case, by CPU time")
    return 0


def _all_games(args: argparse.Namespace) -> list[Game]:
    """Return the games to time where none is named: all, or those that count what was given."""
    given = [unit for unit in UNITS if getattr(args, f"{unit}s") is not None]
    return [game for game in GAMES if not given or game.unit in given]


def _time(game: Game, args: argparse.Namespace) -> list[Timing]:
    """Time all cases of a game."""
    bench = import_module(f"analysis.{game.name}.bench")
    cases = [Case(name) for name in args.strategy] if args.strategy else bench.CASES
    timings = []
    with c_loop(game.name) as loop:
        for case in cases:
            if sys.stderr.isatty():
                warn(f"{game.title}: {case.strategy}{_rules(case)} …")
            timings += measure(
                game,
                case,
                bench.plays,
                units=_units(game, case, args),
                repeats=args.repeats or _REPEATS,
                jobs=args.jobs or _JOBS,
                yardstick=partial(_yardstick_rate, loop, bench.yardstick_words) if loop else None,
                on_progress=announce_compiling,
            )
    return timings


def _yardstick_rate(loop: CLoop, words: Callable, rules: Any) -> float:
    """Return the deals or rounds a second that the C loop plays."""
    return loop(*words(rules, _YARDSTICK_UNITS))[0]


def _units(game: Game, case: Case, args: argparse.Namespace) -> int:
    """Return the deals or rounds of a repeat; of the usual cases those that think play in proportion."""
    given = in_units(args, game, "{}s")
    usual = _UNITS[game.cost([game.book.parse(case.strategy)])]
    if given is None or args.strategy:
        return given or usual
    return max(1, given * usual // _UNITS[0])


def _show(game: Game, timings: list[Timing]) -> None:
    """Print the timings of a game, a group for each case."""
    rows: list[tuple[str, ...] | None] = []
    for case, group in groupby(timings, key=lambda timing: timing.case):
        name = case.strategy + _rules(case)
        for timing in group:
            speed_up = "" if timing.speed_up is None else f"{timing.speed_up:.2f}"
            of_c = "" if timing.of_yardstick is None else f"{timing.of_yardstick:.2g}"
            rates = short(timing.per_s), short(timing.plays_per_s)
            rows.append((name, str(timing.jobs), *rates, speed_up, of_c))
            name = ""
        rows.append(None)
    heads = ("strategy", "jobs", f"{game.unit}s a second", "plays a second", "speed-up", "of the C loop")
    show_table(heads, rows, game.title, right=(1, 2, 3, 4, 5))


def _rules(case: Case) -> str:
    return f" ({as_typed(case.rules)})" if case.rules else ""
