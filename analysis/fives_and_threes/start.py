"""Is it good to start, for the round and for the match, and who beats whom? The start and the sides.

A *place* is the distance from the starter, by side in partnership; it moves round by round (F3). A *side*
is a player, or a partnership of four (F14). Rounds of one match depend on each other through scores near
the target, so every error here comes from whole matches (clusters).
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from analysis.estimates import share
from analysis.matches import match_moments, moments_by_phase
from analysis.provenance import Runs, labels, listed, with_sources
from analysis.tables import columns_of, further_columns_of
from sim.core.jit import plain
from sim.fives_and_threes.rules import MOST_PLAYERS, Rules
from sim.fives_and_threes.tally import PHASES, PLACES, place_of
from sim.results import Run


def place_names(rules: Rules) -> tuple[str, ...]:
    """Name the places from the starter: by player, or by side in partnership."""
    if rules.players == MOST_PLAYERS:
        return "starter's side", "other side"
    return ("starter", *PLACES[1 : rules.sides])


def side_names(rules: Rules) -> tuple[str, ...]:
    """Name the sides: players, or the two partnerships (F1)."""
    if rules.players == MOST_PLAYERS:
        return "players 0, 2", "players 1, 3"
    return tuple(f"player {player}" for player in range(rules.players))


def wins_by_side(run: Run) -> list[int]:
    """Count whole matches by the side that won; the last number are those that nobody did."""
    by_side = run.counters["winners"].sum(axis=0)
    return [int(count) for count in (*by_side[: run.rules.sides], by_side[-1])]


def wins_by_place(run: Run) -> list[int]:
    """Count whole matches by the place of the winner, from the starter of the first round.

    The last number are those that nobody won.
    """
    players, sides = run.rules.players, run.rules.sides
    wins = np.zeros(sides + 1, np.int64)
    for starter in range(players):
        counts = run.counters["winners"][starter]
        wins[-1] += counts[-1]
        for side in range(sides):
            wins[plain(place_of)(side, starter, players)] += counts[side]
    return wins.tolist()


def points_by_place(runs: Runs, phases: tuple[str, ...] = PHASES) -> pd.DataFrame:
    """Points by place from the starter, and rounds won by going out.

    Returns
    -------
    DataFrame
        One row a run, phase and place:

        ``run``        label of the run
        ``players``    2, 3 or 4
        ``phase``      first round, later rounds or all
        ``place``      starter, second, third; by side in partnership
        ``points``     mean points a round
        ``se``         its standard error, clustered by match
        ``low, high``  95% interval
        ``out``        share of rounds won by going out (F9, F10)
        ``rounds``     rounds counted
        ``matches``    clusters behind the error
    """
    rows = []
    for label, run, phase, moments in moments_by_phase(runs, phases):
        for quantity, place in zip(PLACES, place_names(run.rules), strict=False):
            rows.append(
                {"run": label, "players": run.rules.players, "phase": phase, "place": place}
                | columns_of(moments.ratio(f"points_{quantity}", "rounds"), "points")
                | {"out": moments.ratio(f"out_{quantity}", "rounds").mean}
                | {"rounds": int(moments.total("rounds")), "matches": moments.n}
            )
    return with_sources(pd.DataFrame(rows), runs)


def start_advantage(runs: Runs, phases: tuple[str, ...] = PHASES) -> pd.DataFrame:
    """What the start is worth in points: the starter's side against the mean of the others.

    Returns
    -------
    DataFrame
        One row a run and phase that occurred:

        ``run``        label of the run
        ``players``    2, 3 or 4
        ``phase``      first round, later rounds or all
        ``advantage``  points of the starter's side minus the mean of the others, a round, paired
        ``se``         its standard error, clustered by match
        ``low, high``  95% interval
        ``rounds``     rounds counted
        ``matches``    clusters behind the error
    """
    rows = []
    for label, run, phase, moments in moments_by_phase(runs, phases):
        rows.append(
            {"run": label, "players": run.rules.players, "phase": phase}
            | columns_of(moments.ratio(_against_others(PLACES, 0, run), "rounds"), "advantage")
            | {"rounds": int(moments.total("rounds")), "matches": moments.n}
        )
    columns = "run players phase advantage se low high rounds matches".split()
    return with_sources(pd.DataFrame(rows, columns=columns), runs)


def match_wins_by_place(runs: Runs) -> pd.DataFrame:
    """Whole matches won by place from the starter of the first round.

    Returns
    -------
    DataFrame
        One row a run and place; runs of rounds alone have none:

        ``run``        label of the run
        ``players``    2, 3 or 4
        ``place``      starter, second, third; by side in partnership
        ``matches``    matches won
        ``share``      of all whole matches
        ``se``         its standard error
        ``low, high``  95% Wilson interval
        ``fair``       share if the start were worth nothing
        ``n``          whole matches played
    """
    rows = []
    for label, run in zip(labels(runs), listed(runs), strict=True):
        wins = wins_by_place(run)
        for place, won in zip(place_names(run.rules), wins, strict=False):
            if sum(wins):
                rows.append(
                    {"run": label, "players": run.rules.players, "place": place, "matches": won}
                    | columns_of(share(won, sum(wins)), "share")
                    | {"fair": 1 / run.rules.sides, "n": sum(wins)}
                )
    columns = "run players place matches share se low high fair n".split()
    return with_sources(pd.DataFrame(rows, columns=columns), runs)


def side_wins(runs: Runs) -> pd.DataFrame:
    """Who beats whom: matches won and points by side.

    Returns
    -------
    DataFrame
        One row a run and side:

        ``run``        label of the run
        ``players``    2, 3 or 4
        ``side``       player, or players in partnership
        ``strategy``   of that side, of both partners if they differ
        ``matches``    matches won
        ``share``      of all whole matches; nan where rounds were played alone
        ``se``         its standard error
        ``low, high``  95% Wilson interval
        ``fair``       share between equal sides
        ``n``          whole matches played
        ``lead``       points a round above the mean of the others, paired
        ``lead_se, lead_low, lead_high``  its standard error, clustered by match, and 95% interval
    """
    rows = []
    for label, run in zip(labels(runs), listed(runs), strict=True):
        moments, wins = match_moments(run), wins_by_side(run)
        sides = [str(side) for side in range(run.rules.sides)]
        for side, name in enumerate(side_names(run.rules)):
            rows.append(
                {"run": label, "players": run.rules.players, "side": name}
                | {"strategy": _strategy_of(run, side), "matches": wins[side]}
                | columns_of(share(wins[side], sum(wins)), "share")
                | {"fair": 1 / run.rules.sides, "n": sum(wins)}
                | further_columns_of(moments.ratio(_against_others(sides, side, run), "rounds"), "lead")
            )
    return with_sources(pd.DataFrame(rows), runs)


def _strategy_of(run: Run, side: int) -> str:
    """Name the strategy of a side."""
    own = run.strategies[side :: run.rules.sides]
    return own[0] if len(set(own)) == 1 else " and ".join(own)


def _against_others(names: Sequence[str], which: int, run: Run) -> dict[str, Fraction]:
    """Points of one place or side above the mean of the others, as weights of quantities."""
    sides = run.rules.sides
    weights = [Fraction(1) if side == which else Fraction(-1, sides - 1) for side in range(sides)]
    return {f"points_{name}": weight for name, weight in zip(names, weights, strict=False)}
