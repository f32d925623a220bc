"""How tricks, scores and debts are distributed, and how often each quota is met."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from analysis.matches import match_moments, moments_by_phase, number_of_phase
from analysis.moments import Combination
from analysis.provenance import Runs, labels, listed, with_sources
from analysis.tables import columns_of, distribution_rows
from sim.results import Run
from sim.three_two_five.rules import PLAYERS, QUOTAS, SEATS, TRICKS_PER_DEAL
from sim.three_two_five.tally import MOST_PULLS, PHASES

_ALL_DEALS = slice(None)


def score_of(tricks: int, quota: int, scoring: str) -> int:
    """Score of a deal under a scoring of R26, in points."""
    return {"difference": tricks - quota, "surplus": max(0, tricks - quota), "tricks": tricks}[scoring]


def tricks_by_seat(runs: Runs, phase: str = "all") -> pd.DataFrame:
    """Distribution of the tricks that each seat takes.

    Returns
    -------
    DataFrame
        Eleven rows a run and seat:

        ``run``        label of the run
        ``seat``       five, three or two
        ``tricks``     0 to 10
        ``deals``      deals with so many
        ``share``      of all deals
        ``low, high``  exact 95% interval of the share, deals taken as independent
        ``n``          all deals
    """
    rows = []
    for label, run in zip(labels(runs), listed(runs), strict=True):
        for seat in SEATS:
            counts = _tricks_of(run, seat, phase)
            rows += distribution_rows(
                {"run": label, "seat": seat}, "tricks", range(len(counts)), counts, "deals"
            )
    return with_sources(pd.DataFrame(rows), runs)


def deal_scores(runs: Runs, phase: str = "all") -> pd.DataFrame:
    """Distribution of the score of a deal by seat, under the run's scoring (R26).

    Returns
    -------
    DataFrame
        As :func:`tricks_by_seat`, with ``score`` in points in the place of ``tricks``; only scores that
        the seat can make.
    """
    rows = []
    for label, run in zip(labels(runs), listed(runs), strict=True):
        scoring = run.rules.scoring
        for seat, quota in zip(SEATS, QUOTAS, strict=True):
            scores = np.array([score_of(t, quota, scoring) for t in range(TRICKS_PER_DEAL + 1)])
            values, place = np.unique(scores, return_inverse=True)
            counts = np.zeros(len(values), np.int64)
            np.add.at(counts, place, _tricks_of(run, seat, phase))
            rows += distribution_rows({"run": label, "seat": seat}, "score", values, counts, "deals")
    return with_sources(pd.DataFrame(rows), runs)


def match_scores(runs: Runs) -> pd.DataFrame:
    """Distribution of the score of a whole match by player (R27).

    Returns
    -------
    DataFrame
        One row a run, player and score from the lowest to the highest that occurred:

        ``run``        label of the run
        ``player``     0, 1 or 2
        ``strategy``   of that player
        ``score``      match score, in points
        ``matches``    matches with that score
        ``share``      of all whole matches
        ``low, high``  exact 95% interval of the share
        ``n``          all whole matches
    """
    rows = []
    for label, run in zip(labels(runs), listed(runs), strict=True):
        counts = run.counters["match_scores"]
        seen = np.flatnonzero(counts.sum(axis=0))
        if not seen.size:
            continue
        span = np.arange(seen[0], seen[-1] + 1)
        scores = span - QUOTAS[0] * run.rules.deals_per_match
        for player in range(PLAYERS):
            fixed = {"run": label, "player": player, "strategy": run.strategies[player]}
            rows += distribution_rows(fixed, "score", scores, counts[player, span], "matches")
    return with_sources(pd.DataFrame(rows), runs)


def cards_owed(runs: Runs, phase: str = "all") -> pd.DataFrame:
    """Distribution of the cards owed after a deal: the sum of all surpluses (R14, R21).

    Without pulls (R32) nothing is owed; then it is what would be.

    Returns
    -------
    DataFrame
        Nine rows a run: ``run``, ``owed`` (0 to 8 cards), ``deals``, ``share``, ``low``, ``high`` (95%
        exact interval, deals taken as independent) and ``n``.
    """
    rows = []
    for label, run in zip(labels(runs), listed(runs), strict=True):
        counts = np.zeros(MOST_PULLS + 1, np.int64)
        for (five, three), deals in np.ndenumerate(_joint(run, phase)):
            if deals:
                taken = (five, three, TRICKS_PER_DEAL - five - three)
                counts[sum(max(0, t - q) for t, q in zip(taken, QUOTAS, strict=True))] += deals
        rows += distribution_rows({"run": label}, "owed", range(len(counts)), counts, "deals")
    return with_sources(pd.DataFrame(rows), runs)


def quotas_met(runs: Runs, phases: Iterable[str] = PHASES) -> pd.DataFrame:
    """How often each seat takes at least its quota, and how often all three take it exactly.

    Returns
    -------
    DataFrame
        Four rows a run and phase:

        ``run``        label of the run
        ``phase``      first, later or all deals
        ``who``        five, three, two, or all exact
        ``deals``      deals in which it did
        ``share``      of all deals
        ``se``         standard error of the share, clustered by match
        ``low, high``  95% Wilson interval on the number of deals that this error is worth
        ``n``          all deals
    """
    quantities = {**{seat: f"met_{seat}" for seat in SEATS}, "all exact": "all_exact"}
    rows = []
    for label, _, phase, moments in moments_by_phase(runs, phases):
        deals = int(moments.total("deals"))
        for who, quantity in quantities.items():
            fixed = {"run": label, "phase": phase, "who": who, "deals": int(moments.total(quantity))}
            rows.append(fixed | columns_of(moments.share(quantity, "deals"), "share") | {"n": deals})
    return with_sources(pd.DataFrame(rows), runs)


def tricks_by_choice(runs: Runs) -> pd.DataFrame:
    """How often the five calls or reveals, and what it takes: played deals, not the same hands.

    Hands on which a strategy reveals are other hands than those on which it calls: this describes play and
    says nothing of which choice is better (for that see ``analysis.three_two_five.options``).

    Returns
    -------
    DataFrame
        Two rows a run: ``run``, ``choice`` (call, reveal), ``deals``, ``share``, its 95% interval
        ``low``, ``high`` (Wilson's, clustered by match: of unequal players each is five as often), ``n``,
        ``tricks`` (mean tricks of the five) and ``quota_met`` (share of deals).
    """
    rows = []
    for label, run in zip(labels(runs), listed(runs), strict=True):
        by_choice = run.counters["outcomes"].sum(axis=(0, 1, 4))
        n = int(by_choice.sum())
        moments = match_moments(run)
        shares: dict[str, Combination] = {"call": {"deals": 1, "reveals": -1}, "reveal": "reveals"}
        for (choice, wanted), counts in zip(shares.items(), by_choice, strict=True):
            deals = int(counts.sum())
            estimate = columns_of(moments.share(wanted, "deals"), "share")
            rows.append(
                {"run": label, "choice": choice, "deals": deals}
                | {name: estimate[name] for name in ("share", "low", "high")}
                | {
                    "n": n,
                    "tricks": counts @ np.arange(len(counts)) / deals if deals else np.nan,
                    "quota_met": counts[QUOTAS[0] :].sum() / deals if deals else np.nan,
                }
            )
    return with_sources(pd.DataFrame(rows), runs)


def _joint(run: Run, phase: str) -> np.ndarray:
    """Count deals by tricks of five and tricks of three, int64 of shape (11, 11).

    Raises
    ------
    ValueError
        If there is no such phase.
    """
    row = number_of_phase(phase, PHASES)
    which = _ALL_DEALS if phase == "all" else slice(row, row + 1)
    return run.counters["outcomes"][:, which].sum(axis=(0, 1, 2))


def _tricks_of(run: Run, seat: str, phase: str) -> np.ndarray:
    """Count deals by the tricks of one seat; the two takes what five and three leave."""
    joint = _joint(run, phase)
    if seat == "five":
        return joint.sum(axis=1)
    if seat == "three":
        return joint.sum(axis=0)
    return np.array([np.fliplr(joint).trace(offset=k) for k in range(TRICKS_PER_DEAL + 1)])
