"""``dealworth advise``: what to do with a hand."""

import argparse
import json
import math

from analysis.advice import Advice, advise
from analysis.cli.described import as_typed, cost_of, jobs_of, rules_of, seed_of, strategies_of
from analysis.cli.progress import ProgressDisplay
from analysis.cli.terminal import say, show_table
from analysis.estimates import chance_text
from analysis.provenance import people
from analysis.summaries import Line
from sim.core.game import Game, find_game

_PRECISION = (None, None, 0.1)
"""Standard error to stop at where nothing is said, by the cost of the players; None for the game's own."""


def main(args: argparse.Namespace) -> int:
    """Run the command; see :func:`analysis.cli.main`."""
    game = find_game(args.game)
    with ProgressDisplay(game) as display:
        advice = advise(
            game.name,
            " ".join(args.hand),
            rules=rules_of(args),
            strategies=strategies_of(args),
            seed=seed_of(args),
            precision=args.precision or _PRECISION[cost_of(args, game)],
            jobs=jobs_of(args),
            on_progress=display.show,
        )
    if args.json:
        say(json.dumps(advice.record()))
    else:
        _show(game, advice)
    return 0


def _show(game: Game, advice: Advice) -> None:
    """Print the options, and under them where the numbers come from."""
    heads = ["option", "value ± s.e.", "loss", "95% interval", "best"] + [advice.makes] * bool(advice.makes)
    rows = []
    for option in advice.options:
        value, loss = Line("", "", option.value, signed=True), Line("", "", option.loss)
        first = option is advice.options[0]
        cells = ["–", "–"] if first else [loss.mean_text().partition(" ±")[0], loss.interval_text()]
        makes = [] if option.makes is None else [Line("", "", option.makes).mean_text()]
        rows.append((option.name, value.mean_text(), *cells, chance_text(option.chance_best), *makes))
    show_table(heads, rows, f"{game.title}: {' '.join(advice.hand)}", right=(2, 4))
    say(f"value and loss: {advice.unit}; loss: against the first, on the same {game.unit}s")
    for note in advice.notes:
        say(note)
    say("")
    played = "" if math.isnan(advice.seconds) else f", played in {advice.seconds:.1f} s"
    say(f"source      {advice.source}, {_counted(advice, game)}{played}")
    say(f"strategies  {people(advice.strategies)}")
    say(f"rules       {as_typed(advice.rules)}")
    say(f"seed        {advice.seed}")


def _counted(advice: Advice, game: Game) -> str:
    """Say how often the options were played."""
    counts = sorted({option.value.n for option in advice.options})
    if len(counts) == 1:
        return f"{counts[0]:,} {game.unit}s each"
    return f"{counts[0]:,} to {counts[-1]:,} {game.unit}s an option"
