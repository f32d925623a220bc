"""``dealworth book``: value every option of every opening hand, and keep the table."""

import argparse
import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.cli.described import as_typed, described, jobs_of, refuse
from analysis.cli.folders import Checkpoints, named_or_new, pace, resumption_of, writing
from analysis.cli.interrupts import Interrupts, Stopped, discard
from analysis.cli.progress import ProgressDisplay
from analysis.cli.terminal import say, show_table, warn
from analysis.provenance import people
from analysis.summaries import Line
from analysis.three_two_five.book.book import book_table, is_valued
from analysis.three_two_five.book.precision import precision, precision_in_words
from analysis.three_two_five.book.summary import (
    THE_BOOK,
    option_worth,
    policies,
    policy_cost,
    policy_value,
    reveal_best,
    reveal_shares,
)
from sim.batch import Progress
from sim.core.game import Game, find_game
from sim.three_two_five.book.book import Book, build
from sim.three_two_five.book.folder import BookFolder
from sim.three_two_five.book.plan import BookPlan

_GAMES = ("three_two_five",)
_SETTLED = (
    "players", "deals_per_match", "seed", "strategy", "rules", "precision", "budget", "every", "debts",
    "out", "force",
)  # fmt: skip


def main(args: argparse.Namespace) -> int:
    """Run the command; see :func:`analysis.cli.main`."""
    game = find_game(args.game)
    if game.name not in _GAMES:
        raise ValueError(f"no opening book of {game.title}: valid is {_GAMES[0].replace('_', '-')}")
    jobs = jobs_of(args)
    with Interrupts() as interrupts:
        try:
            book, table, folder = _made(args, game, jobs, interrupts)
        except Stopped as stopped:
            discard(stopped)
            warn("dealworth: interrupted before anything was played")
            return interrupts.status
    if args.json:
        say(json.dumps(_record(book, table, folder)))
    elif table is not None:
        _show(book, table)
    if not args.json:
        _say_how(book, folder)
    if book.complete:
        return 0
    warn(f"dealworth: interrupted, {_progress(book)} kept; to go on: {_resumption(folder)}")
    return interrupts.status


def _made(
    args: argparse.Namespace, game: Game, jobs: int, interrupts: Interrupts
) -> tuple[Book, pd.DataFrame | None, Path]:
    """Make a book in a folder of its own, or go on with one."""
    if args.resume is not None:
        refuse(args, "resume", _SETTLED)
        folder = BookFolder(args.resume, resume=True)
        return *_play(folder.resumed.plan, folder, jobs, interrupts), folder.folder
    plan = _plan(args, game)
    with named_or_new(args.out, f"book-{game.command}") as place:
        return *_play(plan, BookFolder(place, force=bool(args.force)), jobs, interrupts), place


def _plan(args: argparse.Namespace, game: Game) -> BookPlan:
    """Read the plan from the options."""
    asked = described(args, game, hands=1)
    given = {name: getattr(args, name) for name in ("precision", "budget", "every", "debts")}
    return BookPlan(
        asked.rules,
        asked.strategies,
        asked.seed,
        **{name: value for name, value in given.items() if value is not None},
    )


def _play(
    plan: BookPlan, folder: BookFolder, jobs: int, interrupts: Interrupts
) -> tuple[Book, pd.DataFrame | None]:
    """Play into a folder; whatever goes wrong, it holds a whole result afterwards, or nothing."""
    checkpoints = Checkpoints(folder.checkpoint)
    with writing(folder, _resumption(folder.folder), _progress):
        if folder.resumed is None:
            folder.begin(Book.blank(plan))
        with ProgressDisplay(find_game(_GAMES[0])) as display:

            def report(event: Progress) -> None:
                interrupts.compiling = event.stage == "compile"
                display.show(event)
                interrupts.check()

            book = build(
                plan,
                jobs,
                resume=folder.resumed,
                on_progress=report,
                on_checkpoint=checkpoints.consider,
            )
        table = book_table(book) if is_valued(book) else None
        folder.finish(book, table)
    return book, table


def _progress(book: Book) -> str:
    """Write how much of a partial book there is."""
    return f"{book.played:,} play-outs"


def _resumption(folder: Path) -> str:
    """Return the command that goes on with a partial book."""
    return resumption_of("book", find_game(_GAMES[0]).command, folder)


def _record(book: Book, table: pd.DataFrame | None, folder: Path) -> dict[str, Any]:
    """Return the book as one object for programs; its values are in its table."""
    record = {
        "game": _GAMES[0],
        **book.plan.as_dict(),
        "classes": int(book.plan.cards.size),
        "hands": int(book.plan.weight.sum()),
        "play_outs": book.played,
        "partial": not book.complete,
        "digest": book.digest,
        "jobs": book.jobs,
        "seconds": book.seconds,
        "warm_up_seconds": book.warm_up,
        "folder": str(folder),
    }
    if table is None:
        return record
    shares = reveal_shares(table)
    return record | {
        "verdicts": dict(zip(shares["verdict"], shares["share"], strict=True)),
        "reveal_best": reveal_best(table).as_dict(),
        "worth_of_revealing": option_worth(table).as_dict(),
        "largest_errors": asdict(precision(table)),
        "policies": {
            name: {
                "value": policy_value(table, policy).as_dict(),
                "cost": policy_cost(table, policy).as_dict(),
            }
            for name, policy in policies(table).items()
        },
    }


def _show(book: Book, table: pd.DataFrame) -> None:
    """Print what the book says over all hands."""
    plan = book.plan
    part = "" if plan.whole else f", a sample of {plan.weight.sum():,} hands"
    title = f"3-2-5, opening book: {plan.cards.size:,} classes of hands{part}, {book.played:,} play-outs"
    shares = [
        (row["verdict"], f"{row['share']:.1%}", "–" if math.isnan(row["wrong"]) else f"{row['wrong']:.2%}")
        for row in reveal_shares(table).to_dict("records")
    ]
    show_table(("verdict", "hands", "expected wrong"), shares, title, right=(1, 2))
    rows: list[tuple[str, ...]] = []
    for name, policy in policies(table).items():
        value = Line("", "", policy_value(table, policy), signed=True)
        cost = Line("", "", policy_cost(table, policy))
        costs = ("–", "–") if name == THE_BOOK else (cost.mean_text(), cost.interval_text())
        rows.append((name, value.mean_text(), *costs))
    show_table(("policy", "points a deal ± s.e.", "cost against the book", "95% interval"), rows)
    say(f"revealing is best on {reveal_best(table)} of hands")
    say(f"that the five may reveal is worth {option_worth(table)} points a deal")
    say(precision_in_words(table))
    say("")


def _say_how(book: Book, folder: Path) -> None:
    """Print how the book was made."""
    plan = book.plan
    debts = f", debts {','.join(map(str, plan.debts))}" if any(plan.debts) else ""
    say(f"strategies  {people([strategy.name for strategy in plan.strategies])}")
    say(f"rules       {as_typed(plan.rules.as_dict())}{debts}")
    say(f"seed        {plan.seed}, digest {book.digest}")
    say(f"time        {pace(book.seconds, book.jobs, book.warm_up)}")
    say(f"folder      {folder}")
