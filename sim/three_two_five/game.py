"""3-2-5 behind the interface that both games share."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import numpy as np

from sim.core.game import Counters, Experiment, Game, Piece, StrategyError
from sim.core.jit import compile_lock
from sim.core.rng import START, below, stream_key
from sim.core.strategy import Strategy
from sim.core.users import call
from sim.three_two_five import kernel, options, strategies, tally
from sim.three_two_five.asking import answered, asking, player_in
from sim.three_two_five.cards import SUITS
from sim.three_two_five.replay import describe, record
from sim.three_two_five.rules import PLAYERS, SEATS, SEVENS, Rules
from sim.three_two_five.strategies import specialised_kernel, strategy_rows

# Imported for what it enters: the deciders of the strategies that sample worlds.
from sim.three_two_five.thinking import decisions as decisions

_WRONG = {
    kernel.BAD_CARD: ("chose a card that is not legal (R22, R23)", strategies.BY_CARD),
    kernel.BAD_RETURN: ("returned a card that is not legal (R18)", strategies.BY_RETURN),
    kernel.BAD_TRUMP: ("called no suit (R9)", strategies.BY_TRUMP),
    kernel.BAD_TIE: ("chose a trump suit that is not among the tied ones (R11)", strategies.BY_TIE),
}
"""By status what a strategy did, and the kind of decision."""
_NOT_PLAYED = -1


class ThreeTwoFive(Game):
    """3-2-5, Teen Do Paanch."""

    name = "three_two_five"
    title = "3-2-5"
    unit = "deal"
    rules_type = Rules
    book = strategies.BOOK
    row_columns: ClassVar[Mapping[str, str]] = {
        "match": "number of the match, from 0",
        "deal": "number of the deal in its match, from 0",
        "dealer": "player who deals; the five sits next (R5)",
        "choice": "call or reveal (R9, R10)",
        "trump": "trump suit, S H D C",
        **{f"tricks_{seat}": f"tricks taken by the {seat}" for seat in SEATS},
        **{f"score_{seat}": f"score of the {seat} in this deal (R26)" for seat in SEATS},
        **{f"pulls_{seat}": f"cards the {seat} pulls (negative: loses) in this deal (R14)" for seat in SEATS},
    }

    def cost(self, given: Iterable[Strategy]) -> int:
        """Return the class of the dearest player."""
        return max(map(strategies.cost, given))

    def players(self, rules: Rules) -> int:
        """Return three (R1)."""
        return PLAYERS

    def extent(self, rules: Rules, units: int, matches: int) -> tuple[Rules, int, int]:
        """Return the matches that hold the deals asked for; the last may be cut short."""
        length = rules.deals_per_match
        return (rules, -(-units // length), units) if units else (rules, matches, matches * length)

    def kernels(self, experiment: Experiment) -> list[Any]:
        """Return the entry points for matches and for the option study, and what they call."""
        needed: list[Any] = list(strategies.deciders(experiment.strategies).values())
        if experiment.matches:
            needed += [specialised_kernel(kernel.play_matches, experiment.strategies), tally.tally]
        if experiment.hands:
            needed.append(specialised_kernel(options.play_options, experiment.strategies))
        return needed

    def blank(self, experiment: Experiment) -> Counters:
        """Return zero counters, as :mod:`sim.three_two_five.tally` describes them."""
        return tally.blank(experiment.rules.deals_per_match)

    def play(self, experiment: Experiment, first: int, matches: int, keep_rows: bool) -> Piece:
        """Play consecutive matches; see :class:`Game`."""
        length = experiment.rules.deals_per_match
        deals = min(matches * length, experiment.units - first * length)
        rows = np.empty((deals, kernel.COLUMNS), np.int8)
        play_rows(experiment, first, rows, np.zeros(kernel.LOG_SIZE, np.int64), traced=False)
        columns = _columns(rows, first, length) if keep_rows else None
        return Piece(matches, deals, tally.count(rows, length), columns)

    def study(self, experiment: Experiment, first: int, hands: int) -> Counters:
        """Play out all five options of consecutive first-five hands."""
        counters = options.blank(hands)
        play = specialised_kernel(options.play_options, experiment.strategies)
        policies, params = strategy_rows(experiment.strategies)
        arguments = (
            experiment.seed, first, experiment.completions, experiment.rules.row(), policies, params,
            *counters.values(),
        )  # fmt: skip

        def where(_number: int = 0) -> str:
            hand = max(0, int(np.count_nonzero(counters["cards"])) - 1)
            return f"hand {first + hand} of seed {experiment.seed}"

        with compile_lock(play):
            status, _ = call(play, arguments, asking(experiment.strategies, params, where))
        if status != kernel.OK:
            raise StrategyError(_complaint(experiment, status, 2, params, where()))
        return counters

    def replay(self, experiment: Experiment, match: int) -> list[dict[str, Any]]:
        """Return the records of one match's deals."""
        length = experiment.rules.deals_per_match
        log = np.zeros(kernel.LOG_SIZE, np.int64)
        records, totals = [], np.zeros(PLAYERS, np.int64)
        for deal in range(min(length, experiment.units - match * length) if experiment.units else length):
            rows = np.empty((deal + 1, kernel.COLUMNS), np.int8)
            play_rows(experiment, match, rows, log, traced=True)
            records.append(record(experiment, match, deal, rows[deal], log, totals))
        return records

    def describe(self, record: Mapping[str, Any], symbols: bool) -> str:
        """Return the deal as a person reads it."""
        return describe(record, symbols)


def play_rows(experiment: Experiment, first: int, rows: np.ndarray, log: np.ndarray, traced: bool) -> None:
    """Play consecutive deals from the start of a match on, one row each.

    Raises
    ------
    StrategyError
        If a strategy answers outside the rules.
    """
    play = specialised_kernel(kernel.play_matches, experiment.strategies)
    policies, params = strategy_rows(experiment.strategies)
    arguments = (experiment.seed, first, experiment.rules.row(), policies, params, rows, log, traced)
    rows[:, kernel.DEALER] = _NOT_PLAYED

    def reached() -> tuple[int, int]:
        played = int(np.count_nonzero(rows[:, kernel.DEALER] != _NOT_PLAYED))
        match, deal = divmod(min(played, len(rows) - 1), experiment.rules.deals_per_match)
        return first + match, deal

    def where(_number: int = 0) -> str:
        match, deal = reached()
        return f"match {match}, deal {deal} of seed {experiment.seed}"

    with compile_lock(play):
        status, _ = call(play, arguments, asking(experiment.strategies, params, where))
    if status != kernel.OK:
        raise StrategyError(
            _complaint(experiment, status, dealer_of(experiment, *reached()), params, where())
        )


def dealer_of(experiment: Experiment, match: int, deal: int) -> int:
    """Return the dealer of a deal: drawn for the first one, then one seat on each deal (R6, R7)."""
    first = int(below(stream_key(experiment.seed, START, match), PLAYERS))
    return (first + deal) % PLAYERS


def _complaint(experiment: Experiment, status: int, dealer: int, params: np.ndarray, where: str) -> str:
    seat, kind = divmod(status, 8)
    row = PLAYERS * dealer + seat
    player = player_in(row)
    strategy, (did, decision) = experiment.strategies[player], _WRONG[kind]
    sevens = SEVENS.index(experiment.rules.sevens)
    answer = answered(strategy, decision, params, row, sevens)
    return f"strategy {strategy.name!r} of player {player} {did} in {where}{answer}"


def _columns(rows: np.ndarray, first: int, length: int) -> Counters:
    """Return rows by column name, as ``row_columns`` describes them."""
    number = np.arange(rows.shape[0])
    choice = np.array(["call", "reveal"], object)[rows[:, kernel.CHOICE]]
    columns = {
        "match": first + number // length,
        "deal": (number % length).astype(np.int16),
        "dealer": rows[:, kernel.DEALER].astype(np.int8),
        "choice": choice,
        "trump": np.array(list(SUITS), object)[rows[:, kernel.TRUMP]],
    }
    for name, start in (
        ("tricks", kernel.TRICKS_FIVE),
        ("score", kernel.SCORE_FIVE),
        ("pulls", kernel.DEBT_FIVE),
    ):
        for seat, label in enumerate(SEATS):
            columns[f"{name}_{label}"] = rows[:, start + seat].astype(np.int8)
    return columns
