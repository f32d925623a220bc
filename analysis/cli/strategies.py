"""``dealworth strategies``: the games, and who can play them."""

import argparse
import json

from analysis.cli.terminal import say, show_table
from sim.core.game import Game, find_game
from sim.games import GAMES


def main(args: argparse.Namespace) -> int:
    """Run the command; see :func:`analysis.cli.main`."""
    games = [find_game(args.game)] if args.game is not None else GAMES
    if args.json:
        say(json.dumps({game.name: game.book.about() for game in games}))
        return 0
    for place, game in enumerate(games):
        if place:
            say("")
        _show(game)
    return 0


def _show(game: Game) -> None:
    """Print one game's strategies, additions and parameters."""
    rows = [(entry["name"], entry["about"]) for entry in game.book.about()]
    title = f"{game.title} (dealworth simulate {game.command})"
    show_table(("strategy", "what it does"), rows, title, fold=True)
    if game.book.overlays:
        base, addition = game.book.policies[-1].name, game.book.overlays[0].name
        say(f"Additions replace part of a strategy: --strategy {base}+{addition}")
    if game.book.parameters:
        name, value = next(iter(game.book.parameters.items()))
        weights = ", ".join(f"{key}={number:g}" for key, number in game.book.parameters.items())
        say(f"Parameters can be set: --strategy {game.book.policies[-1].name}:{name}={value:g}")
        say(f"All parameters with their defaults: {weights}")
