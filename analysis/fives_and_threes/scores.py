"""Points by placement, round and match, how rounds end, how long matches take, and what exactly 61 costs.

Shares of rounds and means a match have errors from whole matches (clusters). Distributions over placements,
rounds and sides take these as independent, which they nearly are.
"""

import math

import numpy as np
import pandas as pd

from analysis.estimates import Estimate, from_histogram, quantiles
from analysis.fives_and_threes.start import place_names
from analysis.matches import match_moments, moments_by_phase, number_of_phase
from analysis.moments import Combination
from analysis.provenance import Runs, labels, listed, with_sources
from analysis.tables import columns_of, distribution_rows, further_columns_of
from sim.fives_and_threes.chain import LEVELS, POINTS
from sim.fives_and_threes.tally import NEAR, PHASES, PLACES
from sim.results import Run

_DISTRIBUTION = ("share", "low", "high", "n")


def placement_totals(runs: Runs) -> pd.DataFrame:
    """Which counts of the ends occur how often, and what they score (F7, F8).

    Returns
    -------
    DataFrame
        One row a run and total that occurred:

        ``run``         label of the run
        ``total``       count of both ends after a placement, 0 to 22
        ``placements``  tiles placed with this total
        ``share``       of all tiles placed
        ``low, high``   exact 95% interval of the share
        ``n``           all tiles placed
        ``points``      points that the total scores
        ``dropped``     how many of the placements had their event dropped (F13)
    """
    rows = []
    for label, run in zip(labels(runs), listed(runs), strict=True):
        accepted, dropped = run.counters["placements"]
        seen = np.flatnonzero(accepted + dropped)
        parts = distribution_rows({"run": label}, "total", seen, (accepted + dropped)[seen], "placements")
        rows += [
            row | {"points": int(POINTS[total]), "dropped": int(dropped[total])}
            for row, total in zip(parts, seen, strict=True)
        ]
    columns = ["run", "total", "placements", *_DISTRIBUTION, "points", "dropped"]
    return with_sources(pd.DataFrame(rows, columns=columns), runs)


def placement_points(runs: Runs) -> pd.DataFrame:
    """How many points a placement is worth (F8), those included whose event was dropped (F13).

    Returns
    -------
    DataFrame
        Seven rows a run: ``run``, ``points`` (0, 1, 2, 3, 4, 6, 8), ``placements``, ``share``, ``low``,
        ``high`` (exact 95% interval) and ``n``.
    """
    rows = []
    levels = [0, *LEVELS.tolist()]
    for label, run in zip(labels(runs), listed(runs), strict=True):
        placements = run.counters["placements"].sum(axis=0)
        counts = np.array([placements[points == POINTS].sum() for points in levels])
        rows += distribution_rows({"run": label}, "points", levels, counts, "placements")
    return with_sources(pd.DataFrame(rows), runs)


def points_a_placement(run: Run) -> Estimate:
    """Estimate the points that a placement is worth on average; the error takes them as independent."""
    return from_histogram(run.counters["placements"].sum(axis=0), POINTS)


def round_points(runs: Runs, phase: str = "all") -> pd.DataFrame:
    """Distribution of the points that a side makes in a round, by place from the starter.

    Returns
    -------
    DataFrame
        One row a run, place and number of points from 0 to the most that occurred:

        ``run``        label of the run
        ``place``      starter, second, third; by side in partnership
        ``points``     points in the round
        ``rounds``     rounds with so many
        ``share``      of all rounds
        ``low, high``  exact 95% interval of the share
        ``n``          all rounds

    Raises
    ------
    ValueError
        If there is no such phase.
    """
    row = number_of_phase(phase, PHASES)
    rows = []
    for label, run in zip(labels(runs), listed(runs), strict=True):
        by_phase = run.counters["points"]
        counts = by_phase.sum(axis=0) if phase == "all" else by_phase[row]
        seen = np.flatnonzero(counts.sum(axis=0))
        span = range(int(seen[-1]) + 1 if seen.size else 0)
        for place, name in enumerate(place_names(run.rules)):
            fixed = {"run": label, "place": name}
            rows += distribution_rows(fixed, "points", span, counts[place, : len(span)], "rounds")
    return with_sources(pd.DataFrame(rows), runs)


def final_scores(runs: Runs) -> pd.DataFrame:
    """Distribution of the final score of a match, by place from the starter of its first round.

    Returns
    -------
    DataFrame
        As :func:`round_points`, with ``score`` and ``matches`` in the place of points and rounds; runs of
        rounds alone have no row.
    """
    rows = []
    for label, run in zip(labels(runs), listed(runs), strict=True):
        counts = run.counters["scores"]
        for place, name in enumerate(place_names(run.rules)):
            if counts.any():
                fixed = {"run": label, "place": name}
                rows += distribution_rows(fixed, "score", range(counts.shape[1]), counts[place], "matches")
    columns = ["run", "place", "score", "matches", *_DISTRIBUTION]
    return with_sources(pd.DataFrame(rows, columns=columns), runs)


def round_endings(runs: Runs, phases: tuple[str, ...] = PHASES) -> pd.DataFrame:
    """How a round ends: by going out, blocked, or at the target (F9-F11, F13).

    Returns
    -------
    DataFrame
        One row a run, phase and ending:

        ``run``        label of the run
        ``phase``      first round, later rounds or all
        ``ending``     out: who went out, by place from the starter; blocked; target
        ``share``      of all rounds
        ``se``         its standard error, clustered by match
        ``low, high``  95% Wilson interval on the number of rounds that this error is worth
        ``n``          all rounds
    """
    rows = []
    for label, run, phase, moments in moments_by_phase(runs, phases):
        named = zip(place_names(run.rules), PLACES, strict=False)
        endings = {f"out: {name}": f"out_{place}" for name, place in named} | {"blocked": "blocked"}
        rest: Combination = {"rounds": 1} | dict.fromkeys(endings.values(), -1)
        for ending, quantity in [*endings.items(), ("target", rest)]:
            rows.append(
                {"run": label, "phase": phase, "ending": ending}
                | columns_of(moments.share(quantity, "rounds"), "share")
                | {"n": int(moments.total("rounds"))}
            )
    return with_sources(pd.DataFrame(rows), runs)


def match_lengths(runs: Runs) -> pd.DataFrame:
    """Distribution of the rounds that a match takes.

    Returns
    -------
    DataFrame
        One row a run and number of rounds from the fewest to the most that occurred: ``run``, ``rounds``,
        ``matches``, ``share``, ``low``, ``high`` (exact 95% interval) and ``n``; runs of rounds alone have
        no row.
    """
    rows = []
    for label, run in zip(labels(runs), listed(runs), strict=True):
        seen = np.flatnonzero(run.counters["rounds"])
        if seen.size:
            span = np.arange(seen[0], seen[-1] + 1)
            rows += distribution_rows({"run": label}, "rounds", span, run.counters["rounds"][span], "matches")
    columns = ["run", "rounds", "matches", *_DISTRIBUTION]
    return with_sources(pd.DataFrame(rows, columns=columns), runs)


def match_length(runs: Runs) -> pd.DataFrame:
    """How long a match takes, in rounds and in turns (placements and knocks).

    Returns
    -------
    DataFrame
        One row a run with whole matches:

        ``run``        label of the run
        ``rounds``     mean rounds a match
        ``rounds_se, rounds_low, rounds_high``  its standard error and 95% interval
        ``sd``         standard deviation of the rounds
        ``median``     median of the rounds
        ``most``       rounds that 19 matches of 20 do not exceed
        ``turns``      mean turns a match
        ``turns_se, turns_low, turns_high``  its standard error and 95% interval
        ``matches``    whole matches
    """
    rows = []
    for label, run in zip(labels(runs), listed(runs), strict=True):
        counts = run.counters["rounds"]
        if not counts.any():
            continue
        rounds = from_histogram(counts)
        median, most = quantiles(counts, [0.5, 0.95])
        turns = match_moments(run).mean({"tiles": 1, "knocks": 1})
        rows.append(
            {"run": label}
            | further_columns_of(rounds, "rounds")
            | {"sd": rounds.se * math.sqrt(rounds.n), "median": int(median), "most": int(most)}
            | further_columns_of(turns, "turns")
            | {"matches": rounds.n}
        )
    return with_sources(pd.DataFrame(rows), runs)


def target_costs(runs: Runs) -> pd.DataFrame:
    """What it costs that the target must be hit exactly (F13).

    Returns
    -------
    DataFrame
        Four rows a run with a target:

        ``run``        label of the run
        ``measure``    events dropped, or rounds that a side begins near the target (fewer than 8 points
                       short: above 53 of 61), as a share or a match
        ``value``      the share (of tiles placed, or of rounds by side), or the mean a match, over all sides
        ``se``         its standard error, clustered by match
        ``low, high``  95% interval
        ``matches``    clusters behind the error
    """
    rows = []
    for label, run in zip(labels(runs), listed(runs), strict=True):
        if run.rules.target is None:
            continue
        moments = match_moments(run)
        measures = {
            "events dropped a match": moments.mean("rejected"),
            "events dropped, of all tiles": moments.share("rejected", "tiles"),
            "rounds begun near, a match": moments.mean("near"),
            "rounds begun near, of all": moments.share("near", {"rounds": run.rules.sides}),
        }
        rows += [
            {"run": label, "measure": measure, **columns_of(estimate), "matches": moments.n}
            for measure, estimate in measures.items()
        ]
    columns = ["run", "measure", "value", "se", "low", "high", "matches"]
    return with_sources(pd.DataFrame(rows, columns=columns), runs)


def near_target(runs: Runs) -> pd.DataFrame:
    """How many points sides lack where they begin a round near the target (F13).

    A side that lacks few points stays long: most of what it could score is too much.

    Returns
    -------
    DataFrame
        Seven rows a run with a target: ``run``, ``lacking`` (1 to 7 points), ``rounds`` (begun by a side that
        lacks so many), ``share``, ``low``, ``high`` (exact 95% interval), ``n`` (rounds begun by a side
        near the target) and ``a_match`` (such rounds a match, over all sides).
    """
    rows = []
    for label, run in zip(labels(runs), listed(runs), strict=True):
        counts = run.counters["near"][1:]
        if run.rules.target is not None and counts.any():
            parts = distribution_rows({"run": label}, "lacking", range(1, NEAR), counts, "rounds")
            a_match = (counts / run.matches).tolist()
            rows += [row | {"a_match": mean} for row, mean in zip(parts, a_match, strict=True)]
    columns = ["run", "lacking", "rounds", *_DISTRIBUTION, "a_match"]
    return with_sources(pd.DataFrame(rows, columns=columns), runs)
