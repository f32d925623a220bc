"""Which tile to open from a hand: from a shipped opening book, else played out until the answer is precise.

A round alone is valued, without a target: what the starter's side scores minus the mean of the others
(:mod:`sim.fives_and_threes.options`). Where no book has the answer, all tiles are played out on the same
deals. Rounds of play grow until every loss against the best is known well enough; they are the same for any
number of jobs, and so is the answer.
"""

import math
import time
from collections.abc import Callable, Sequence
from functools import reduce
from operator import add
from typing import Any

import numpy as np
import pandas as pd

from analysis.advice import BOOK, SIMULATED, Advice, AdvisedOption
from analysis.book.table import TOO_CLOSE
from analysis.choices import RankedOption, rank_options
from analysis.estimates import Estimate
from analysis.fives_and_threes.book.book import option_names
from analysis.fives_and_threes.book.shipped import answers, shipped_openings, shipped_plan
from analysis.moments import Moments
from analysis.tables import per_unit
from sim.batch import Progress, prepare
from sim.book.plan import MOST_PRECISION
from sim.core.game import Counters, Experiment
from sim.core.strategy import Strategy
from sim.experiment import experiment
from sim.fives_and_threes.book.hands import locate
from sim.fives_and_threes.book.plan import FEWEST_TILES, MOST_TILES, BookPlan
from sim.fives_and_threes.game import study_hands
from sim.fives_and_threes.options import scale
from sim.fives_and_threes.rules import MOST_PLAYERS, Rules
from sim.fives_and_threes.tiles import parse_tiles, tile_name, tile_names
from sim.parallel import in_order

_FIRST = 16
"""Chunks of the first round: enough that its errors foretell what is needed."""
_GROWTH = 8
"""How many times as much may be played in the next round, since that is a forecast."""
_CHUNK = 128
"""Deals that are played in one go."""
_MOST_CHUNKS = 64
_MARGIN = 1.05
_PRECISION = 0.02
UNIT = "points a round"


def advise(
    hand_text: str,
    *,
    rules: dict[str, Any],
    strategies: Sequence[str | Strategy],
    seed: int,
    precision: float | None,
    jobs: int,
    on_progress: Callable[[Progress], None],
) -> Advice:
    """Rank the opening tiles of a hand.

    Parameters
    ----------
    hand_text : str
        The starter's tiles in any spelling.
    rules : dict
        Options of the rulebook that differ from the defaults.
    strategies : sequence of str or Strategy
        One for all, or one a player; player 0 is the starter.
    seed : int
        Of the deals.
    precision : float, optional
        Standard error to reach for the loss of every tile against the best, in points a round, where no book
        has the answer; 0.02 if not given. Where it is given, a book answers only if it was made to as small
        an error.
    jobs : int
        Deals played at the same time.
    on_progress : callable
        Told if something has to be compiled first.

    Returns
    -------
    Advice
        Options are the tiles, valued in points a round.

    Raises
    ------
    ValueError
        If the hand, a rule or a strategy is not valid.
    """
    planned = experiment(
        "fives-and-threes", strategies=strategies, rules=rules, seed=seed, hands=1, completions=_CHUNK
    )
    hand = read_hand(hand_text, planned.rules)
    notes: tuple[str, ...] = ()
    seconds = math.nan
    row = _in_book(planned, hand, precision)
    if row is None:
        prepare(planned, on_progress)
        started = time.perf_counter()
        moments = play_until(planned, hand, precision or _PRECISION, jobs)
        options = tuple(_per_point(option, planned.rules) for option in rank_options(moments))
        seconds = time.perf_counter() - started
    else:
        options, notes = _ranked(row), _known(row)
    return Advice(
        game=planned.game.name,
        hand=tuple(tile_names(hand)),
        options=options,
        unit=UNIT,
        source=SIMULATED if row is None else BOOK,
        n=options[0].value.n,
        rules=planned.rules.as_dict(),
        strategies=tuple(strategy.name for strategy in planned.strategies),
        seed=seed,
        notes=(_meaning(planned.rules), *notes),
        seconds=seconds,
        extra={"players": planned.rules.players},
    )


def _in_book(planned: Experiment, hand: int, precision: float | None) -> pd.Series | None:
    """Return the row of a hand in the shipped book that has the numbers asked for; None without one."""
    rules = planned.rules
    shipped = shipped_plan(rules.players)
    if shipped is None or not FEWEST_TILES <= rules.hand_size <= MOST_TILES:
        return None
    wanted = shipped.precision if precision is None else min(precision, MOST_PRECISION)
    if wanted < shipped.precision:
        return None
    asked = BookPlan(rules, planned.strategies, planned.seed, wanted)
    if not answers(shipped, asked):
        return None
    return shipped_openings(rules.players, [locate(hand, rules.hand_size)]).iloc[0]


def _ranked(row: pd.Series) -> tuple[AdvisedOption, ...]:
    """Tiles of the hand in its row of a book, the best first."""
    tiles = row["hand"].split()
    options = [
        AdvisedOption(
            tile,
            Estimate(float(row[f"value_{name}"]), float(row[f"se_{name}"]), int(row[f"n_{name}"])),
            Estimate(float(row[f"loss_{name}"]), float(row[f"loss_se_{name}"]), int(row[f"n_{name}"])),
            float(row[f"best_{name}"]),
        )
        for name, tile in zip(option_names(len(tiles)), tiles, strict=True)
    ]
    # The best first even where a tile of few deals happens to show a higher value.
    return tuple(sorted(options, key=lambda option: (option.name != row["best"], option.loss.mean)))


def _known(row: pd.Series) -> tuple[str, ...]:
    """Say how sure the best tile is."""
    verdict = "the best tile is too close to tell"
    if row["verdict"] != TOO_CLOSE:
        wrong = "below 0.1%" if row["wrong"] < 0.001 else f"{row['wrong']:.1%}"
        verdict = f"{row['verdict']}; chance that this is wrong: {wrong}"
    lead = f"{row['difference']:.3f} ± {row['difference_se']:.3f}"
    return f"verdict: {verdict}", f"{row['best']} against {row['second']}: {lead}"


def read_hand(text: str, rules: Rules) -> int:
    """Read a hand of the size that the rules deal.

    Raises
    ------
    ValueError
        If a tile is none or given twice, or the hand has another size.
    """
    hand = parse_tiles(text)
    size, held = rules.hand_size, hand.bit_count()
    if held != size:
        raise ValueError(
            f"hand {text.strip()!r} has {held} {'tile' if held == 1 else 'tiles'}:"
            f" {rules.players} players get {size} each (for others say --players or --rules hand=…)"
        )
    return hand


def play_until(planned: Experiment, hand: int, precision: float, jobs: int) -> Moments:
    """Play out the openings of a hand until each loss is known to a standard error.

    Parameters
    ----------
    planned : Experiment
        Rules, strategies and seed.
    hand : int
        The starter's tiles, as a mask.
    precision : float
        Standard error to reach, in points.
    jobs : int
        Deals played at the same time.

    Returns
    -------
    Moments
        Scaled values of the openings by tile, one cluster a deal.
    """
    moments = _more(planned, hand, range(_FIRST), jobs)
    played = _FIRST
    while (error := _largest_error(moments) / scale(planned.rules)) > precision:
        forecast = played * (error / precision) ** 2 * _MARGIN
        needed = min(math.ceil(forecast), played * _GROWTH)
        moments += _more(planned, hand, range(played, needed), jobs)
        played = needed
    return moments


def _more(planned: Experiment, hand: int, chunks: range, jobs: int) -> Moments:
    """Play chunks of deals; a chunk is what the option study calls a hand, with deals of its own."""
    share = min(_MOST_CHUNKS, max(1, len(chunks) // (4 * jobs)))
    parts = (chunks[place : place + share] for place in range(0, len(chunks), share))
    calls = ((planned, np.full(len(part), hand, np.int64), part.start) for part in parts)
    return reduce(add, (_moments(counters) for counters in in_order(study_hands, calls, jobs)))


def _moments(counters: Counters) -> Moments:
    """Pool the chunks and halves of one hand."""
    names = tuple(tile_name(int(tile)) for tile in counters["openings"][0])
    count, sums, gram = (counters[name].sum(axis=(0, 1)) for name in ("count", "sums", "gram"))
    return Moments(count, sums, gram, names)


def _largest_error(moments: Moments) -> float:
    """Largest standard error of a loss against the leader, scaled like the values."""
    leader = max(moments.names, key=moments.total)
    return max(moments.difference(leader, name).se for name in moments.names)


def _per_point(option: RankedOption, rules: Rules) -> AdvisedOption:
    factor = scale(rules)
    return AdvisedOption(
        option.name, per_unit(option.value, factor), per_unit(option.loss, factor), option.chance_best
    )


def _meaning(rules: Rules) -> str:
    """Say what a value is."""
    others = {2: "the other player's", 3: "the mean of the other two", 4: "those of the other side"}
    own = "the starter's side" if rules.players == MOST_PLAYERS else "the starter"
    return f"value: points of {own} minus {others[rules.players]}, over one round without a target"
