"""Fives and Threes behind the interface that both games share."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from sim.core.game import Counters, Experiment, Game, Piece, StrategyError
from sim.core.jit import compile_lock
from sim.core.strategy import Strategy
from sim.core.users import call
from sim.fives_and_threes import kernel, options, strategies, tally
from sim.fives_and_threes.asking import answered, asking
from sim.fives_and_threes.chain import TOTALS
from sim.fives_and_threes.replay import describe, record
from sim.fives_and_threes.rules import ENDINGS, MOST_SIDES, Rules
from sim.fives_and_threes.strategies import specialised_kernel, strategy_rows

# Imported for what it enters: the deciders of the strategies that sample worlds.
from sim.fives_and_threes.thinking import decisions as decisions

_ROWS = 8192
_NOT_PLAYED = -1


class FivesAndThrees(Game):
    """Fives and Threes, dominoes to exactly 61."""

    name = "fives_and_threes"
    title = "Fives and Threes"
    unit = "round"
    rules_type = Rules
    book = strategies.BOOK
    row_columns: ClassVar[Mapping[str, str]] = {
        "match": "number of the match, from 0",
        "round": "number of the round in its match, from 0",
        "starter": "player who laid the first tile (F3)",
        "ended": "out, blocked or target (F9-F11, F13)",
        "last": "player who laid the last tile",
        "tiles": "tiles placed",
        "knocks": "knocks (F6)",
        "rejected": "events dropped because they would have passed the target (F13)",
        **{
            f"points_{side}": f"points of side {side} in the round; 0 where there is none (F14)"
            for side in range(MOST_SIDES)
        },
        **{
            f"score_{side}": f"score of side {side} after the round; 0 where there is none"
            for side in range(MOST_SIDES)
        },
    }

    def cost(self, given: Iterable[Strategy]) -> int:
        """Return the class of the dearest player."""
        return max(map(strategies.cost, given))

    def players(self, rules: Rules) -> int:
        """Return two, three or four (F1)."""
        return rules.players

    def extent(self, rules: Rules, units: int, matches: int) -> tuple[Rules, int, int]:
        """Return what to play: whole matches, or as many rounds alone, scored without a target."""
        if units:
            return replace(rules, target=None), units, units
        return rules, matches, matches if rules.target is None else 0

    def kernels(self, experiment: Experiment) -> list[Any]:
        """Return the entry points for matches and for the option study."""
        needed: list[Any] = list(strategies.deciders(experiment.strategies).values())
        if experiment.matches:
            needed += [specialised_kernel(kernel.play_matches, experiment.strategies), tally.tally]
        if experiment.hands:
            needed.append(specialised_kernel(options.play_options, experiment.strategies))
        return needed

    def blank(self, experiment: Experiment) -> Counters:
        """Return zero counters, as :mod:`sim.fives_and_threes.tally` describes them."""
        return tally.blank(experiment.rules)

    def play(self, experiment: Experiment, first: int, matches: int, keep_rows: bool) -> Piece:
        """Play consecutive matches; see :class:`Game`."""
        counters, units, kept = self.blank(experiment), 0, []
        for done, rows, placements in play_in_parts(experiment, first, matches):
            for name, counter in tally.count(rows, placements, experiment.rules).items():
                counters[name] += counter
            units += rows.shape[0]
            if keep_rows:
                kept.append(_columns(rows, done))
        columns = {name: np.concatenate([part[name] for part in kept]) for name in kept[0]} if kept else None
        return Piece(matches, units, counters, columns)

    def study(self, experiment: Experiment, first: int, hands: int) -> Counters:
        """Play out every opening tile of consecutive hands.

        A study of exactly as many hands as there are (98,280 of five tiles) takes each of them once;
        any other number of hands is drawn at random.
        """
        rules = experiment.rules
        if experiment.hands == options.all_hands(rules):
            return study_hands(experiment, options.consecutive_hands(first, hands, rules), first)
        return study_hands(experiment, np.zeros(hands, np.int64), first)

    def replay(self, experiment: Experiment, match: int) -> list[dict[str, Any]]:
        """Return the records of one match's rounds."""
        longest = experiment.rules.longest_match
        log = np.zeros((longest, kernel.LOG_SIZE), np.int64)
        rows = np.empty((longest, kernel.COLUMNS), np.int16)
        _, used = _play(experiment, match, 1, rows, np.zeros(2 * TOTALS, np.int64), log, traced=True)
        return [record(experiment, match, rows[r], log[r]) for r in range(used)]

    def describe(self, record: Mapping[str, Any], symbols: bool) -> str:
        """Return the round as a person reads it."""
        return describe(record, symbols)


def study_hands(experiment: Experiment, hands: np.ndarray, first: int = 0) -> Counters:
    """Play out every opening tile of given hands.

    Parameters
    ----------
    experiment : Experiment
        Rules, strategies, seed and completions; player 0 is the starter.
    hands : int64 (H,) array
        Sets of tiles of the rules' hand size; 0 for a random one.
    first : int
        Number of the first of them; together with the seed it fixes the deals.

    Returns
    -------
    dict of str to int64 array
        As :mod:`sim.fives_and_threes.options` describes them.

    Raises
    ------
    StrategyError
        If a strategy answers outside the rules.
    """
    counters = options.blank(hands.size, experiment.rules)
    openings, count, sums, gram = counters.values()
    play = specialised_kernel(options.play_options, experiment.strategies)
    policies, params = strategy_rows(experiment.strategies)
    arguments = (
        experiment.seed, first, experiment.completions, experiment.rules.row(), policies, params, hands,
        openings, count, sums.reshape(-1, sums.shape[-1]), gram.reshape(-1, *gram.shape[-2:]),
    )  # fmt: skip

    def where(_number: int = 0) -> str:
        hand = max(0, int(np.count_nonzero(openings[:, 0])) - 1)
        return f"hand {first + hand} of seed {experiment.seed}"

    with compile_lock(play):
        status, _ = call(play, arguments, asking(experiment.strategies, params, where))
    if status != kernel.OK:
        raise StrategyError(_complaint(experiment, status, params, where()))
    return counters


def play_in_parts(
    experiment: Experiment, first: int, matches: int
) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """Yield the number of the first match, the rows and the placements of whole matches, in order.

    The rows are good until the next ones are asked for.

    Raises
    ------
    StrategyError
        If a strategy answers outside the rules.
    """
    rows = np.empty((max(_ROWS, experiment.rules.longest_match), kernel.COLUMNS), np.int16)
    log = np.zeros((1, kernel.LOG_SIZE), np.int64)
    done = 0
    while done < matches:
        placements = np.zeros(2 * TOTALS, np.int64)
        more, used = _play(experiment, first + done, matches - done, rows, placements, log, traced=False)
        yield first + done, rows[:used], placements
        done += more


def _play(
    experiment: Experiment,
    first: int,
    matches: int,
    rows: np.ndarray,
    placements: np.ndarray,
    log: np.ndarray,
    traced: bool,
) -> tuple[int, int]:
    """Play as many matches as the rows have place for; return how many, and the rows used.

    Raises
    ------
    StrategyError
        If a strategy answers outside the rules.
    """
    play = specialised_kernel(kernel.play_matches, experiment.strategies)
    policies, params = strategy_rows(experiment.strategies)
    arguments = (
        experiment.seed, first, matches, experiment.rules.row(), policies, params, rows, placements, log,
        traced,
    )  # fmt: skip
    rows[:, kernel.ROUND] = _NOT_PLAYED

    def where(number: int) -> str:
        begun = int(np.count_nonzero(rows[:, kernel.ROUND] == 0))
        match = first + begun - (1 if number else 0)
        return f"match {match}, round {number} of seed {experiment.seed}"

    with compile_lock(play):
        status, done, used = call(play, arguments, asking(experiment.strategies, params, where))
    if status != kernel.OK:
        place = f"match {first + done}, round {rows[used, kernel.ROUND]} of seed {experiment.seed}"
        raise StrategyError(_complaint(experiment, status, params, place))
    return done, used


def _complaint(experiment: Experiment, status: int, params: np.ndarray, where: str) -> str:
    player = status // 8
    strategy = experiment.strategies[player]
    answer = answered(strategy, params, player)
    return f"strategy {strategy.name!r} of player {player} made no legal move (F5) in {where}{answer}"


def _columns(rows: np.ndarray, first: int) -> Counters:
    """Return rows by column name, as ``row_columns`` describes them."""
    columns = {
        "match": first - 1 + np.cumsum(rows[:, kernel.ROUND] == 0),
        "round": rows[:, kernel.ROUND].copy(),
        "starter": rows[:, kernel.STARTER].astype(np.int8),
        "ended": np.array(ENDINGS, object)[rows[:, kernel.ENDED]],
        "last": rows[:, kernel.LAST].astype(np.int8),
        "tiles": rows[:, kernel.TILES].astype(np.int8),
        "knocks": rows[:, kernel.KNOCKS].astype(np.int8),
        "rejected": rows[:, kernel.REJECTED].astype(np.int8),
    }
    for name, start in (("points", kernel.POINTS_OF), ("score", kernel.SCORE_OF)):
        for side in range(MOST_SIDES):
            columns[f"{name}_{side}"] = rows[:, start + side].copy()
    return columns
