"""``dealworth book``: value every option of every opening hand, and keep the table."""

import argparse
import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.book.printed import printed
from analysis.book.table import is_valued, table_of
from analysis.cli.described import as_typed, described, jobs_of, refuse
from analysis.cli.folders import Checkpoints, named_or_new, pace, resumption_of, writing
from analysis.cli.interrupts import Interrupts, Stopped, discard
from analysis.cli.progress import ProgressDisplay
from analysis.cli.terminal import say, show_table, warn
from analysis.provenance import people
from sim.batch import Progress
from sim.book.book import Book, build
from sim.book.folder import BookFolder
from sim.book.plan import BookPlan, plan_type
from sim.core.game import Game, find_game

_SETTLED = (
    "players", "deals_per_match", "seed", "strategy", "rules", "precision", "budget", "every", "debts",
    "out", "force",
)  # fmt: skip


def main(args: argparse.Namespace) -> int:
    """Run the command; see :func:`analysis.cli.main`."""
    game = find_game(args.game)
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
    warn(f"dealworth: interrupted, {_progress(book)} kept; to go on: {_resumption(game, folder)}")
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
    wanted = {name: value for name, value in given.items() if value is not None}
    kind = plan_type(game)
    if unknown := wanted.keys() - {field.name for field in fields(kind)}:
        raise ValueError(f"--{min(unknown)} is not for an opening book of {game.title}")
    return kind(asked.rules, asked.strategies, asked.seed, **wanted)


def _play(
    plan: BookPlan, folder: BookFolder, jobs: int, interrupts: Interrupts
) -> tuple[Book, pd.DataFrame | None]:
    """Play into a folder; whatever goes wrong, it holds a whole result afterwards, or nothing."""
    checkpoints = Checkpoints(folder.checkpoint)
    with writing(folder, _resumption(plan.game, folder.folder), _progress):
        if folder.resumed is None:
            folder.begin(Book.blank(plan))
        with ProgressDisplay(plan.game) as display:

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
        table = table_of(book) if is_valued(book) else None
        folder.finish(book, table)
    return book, table


def _progress(book: Book) -> str:
    """Write how much of a partial book there is."""
    return f"{book.played:,} play-outs"


def _resumption(game: Game, folder: Path) -> str:
    """Return the command that goes on with a partial book."""
    return resumption_of("book", game.command, folder)


def _record(book: Book, table: pd.DataFrame | None, folder: Path) -> dict[str, Any]:
    """Return the book as one object for programs; its values are in its table."""
    record = {
        "game": book.game.name,
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
    return record if table is None else record | dict(printed(book, table).record)


def _show(book: Book, table: pd.DataFrame) -> None:
    """Print what the book says over all hands."""
    plan, said = book.plan, printed(book, table)
    part = "" if plan.whole else f", a sample of {plan.weight.sum():,} hands"
    classes = "hands" if plan.classes.cards.size == plan.classes.weight.sum() else "classes of hands"
    title = f"{book.game.title}, opening book: {plan.cards.size:,} {classes}{part}, {book.played:,} play-outs"
    for shown in said.tables:
        show_table(shown.header, shown.rows, title, right=shown.right)
        title = ""
    for line in said.lines:
        say(line)
    say("")


def _say_how(book: Book, folder: Path) -> None:
    """Print how the book was made."""
    plan = book.plan
    debts = getattr(plan, "debts", ())
    in_debt = f", debts {','.join(map(str, debts))}" if any(debts) else ""
    say(f"strategies  {people([strategy.name for strategy in plan.strategies])}")
    say(f"rules       {as_typed(plan.rules.as_dict())}{in_debt}")
    say(f"seed        {plan.seed}, digest {book.digest}")
    say(f"time        {pace(book.seconds, book.jobs, book.warm_up)}")
    say(f"folder      {folder}")
