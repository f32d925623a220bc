"""``dealworth solve``: what each card or tile was worth, with all hands open."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from analysis.cli import solve_deals, solve_rounds
from analysis.cli.progress import announce_compiling
from analysis.cli.terminal import say
from analysis.records import read_records
from sim.batch import Progress
from sim.core.jit import is_compiled

_INPUT = "-"
_CHOICE = ("line", "match", "deal", "round")
_GAMES: dict[str, Any] = {module.GAME: module for module in (solve_deals, solve_rounds)}
"""By the name of the game in a record, what reads and shows it."""


def main(args: argparse.Namespace) -> int:
    """Run the command; see :func:`analysis.cli.main`."""
    if args.card is not None and args.trick is None:
        raise ValueError("--card says which card of a trick: give --trick as well")
    asked = list(_asked(args))
    if not all(is_compiled(kernel) for game, one in asked for kernel in game.kernels(one, args.json)):
        announce_compiling(Progress("compile"))
    for number, (game, one) in enumerate(asked):
        if args.json:
            say(json.dumps(game.as_record(one)))
            continue
        if number:
            say("")
        game.show(one)
    return 0


def _asked(args: argparse.Namespace) -> Iterator[tuple[Any, Any]]:
    """Yield what is asked: for each record that is chosen what reads and shows it, and what that read."""
    for line, record in _chosen(args):
        try:
            game = _game(record)
            for name in (name for other in _GAMES.values() if other is not game for name in other.OPTIONS):
                if getattr(args, name) is not None:
                    raise ValueError(f"--{name} is not for a record of {game.GAME}")
            yield game, game.read(record, args)
        except ValueError as error:
            raise ValueError(f"{_named(args.record)}, line {line}: {error}") from None


def _game(record: Any) -> Any:
    """Return what reads and shows a record: 3-2-5 where it names no game."""
    name = record.get("game", solve_deals.GAME) if isinstance(record, Mapping) else solve_deals.GAME
    if not isinstance(name, str) or name not in _GAMES:
        raise ValueError(f"game {json.dumps(name)}: valid are {', '.join(_GAMES)}")
    return _GAMES[name]


def _chosen(args: argparse.Namespace) -> Iterator[tuple[int, Any]]:
    """Yield the records that are chosen by line, match and deal."""
    wanted = {name: getattr(args, name) for name in _CHOICE if getattr(args, name) is not None}
    found = False
    try:
        for line, record in read_records(_text(args.record)):
            known = {**record, "line": line} if isinstance(record, Mapping) else {"line": line}
            if all(known.get(name) == value for name, value in wanted.items()):
                found = True
                yield line, record
            if line == args.line:
                break
    except ValueError as error:
        raise ValueError(f"{_named(args.record)}: {error}") from None
    if not found:
        sought = ", ".join(f"{name} {value}" for name, value in wanted.items())
        raise ValueError(f"{_named(args.record)}: no record of {sought}; the last one read is on line {line}")


def _text(name: str) -> str:
    """Read a file, or standard input, as UTF-8."""
    try:
        if name == _INPUT and sys.stdin is None:
            raise ValueError("it is closed: name a file, or pipe records in")
        content = sys.stdin.buffer.read() if name == _INPUT else Path(name).read_bytes()
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"no text in UTF-8: byte {error.start} is {content[error.start]:#x}") from None


def _named(name: str) -> str:
    return "standard input" if name == _INPUT else repr(name)
