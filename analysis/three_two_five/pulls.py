"""What is a pull worth? Tricks by the number of cards that a seat pulls or loses (R14–R21).

Debts come from the deal before, the cards from a fresh shuffle, so debts say nothing of the new cards. And
as the seats rotate, debts say nothing of who sits where as long as the three strategies are equal: then the
difference in tricks is what the pulls do. With unequal strategies it also holds who tends to owe whom.
Given the debts, the tricks of different deals are independent, so errors are over deals.
"""

import math
from fractions import Fraction

import numpy as np
import pandas as pd

from analysis.estimates import Estimate
from analysis.provenance import Runs, labels, listed, with_sources
from sim.three_two_five.rules import SEATS
from sim.three_two_five.tally import MOST_PULLS

EVERY_SEAT = "all"
_PRIOR_FREEDOM = 10
"""Degrees of freedom that the spread of all deals of a seat is worth beside that of a few."""


def tricks_by_pulls(runs: Runs) -> pd.DataFrame:
    """Mean tricks by seat and net pulls.

    Returns
    -------
    DataFrame
        One row a run, seat and number of net pulls that occurred:

        ``run``        label of the run
        ``seat``       five, three or two
        ``pulls``      cards that the seat pulls in the deal; negative: cards it loses to pulls
        ``deals``      deals counted
        ``tricks``     mean tricks of the seat
        ``se``         its standard error over deals, in tricks: few deals borrow the spread of the seat's
        ``low, high``  95% interval, in tricks
    """
    rows = []
    for label, run in zip(labels(runs), listed(runs), strict=True):
        for seat, counts in zip(SEATS, run.counters["pulls"], strict=True):
            for place in np.flatnonzero(counts.sum(axis=1)):
                tricks = moderated(counts, int(place))
                low, high = tricks.interval()
                rows.append(
                    {
                        "run": label,
                        "seat": seat,
                        "pulls": int(place) - MOST_PULLS,
                        "deals": int(counts[place].sum()),
                        "tricks": tricks.mean,
                        "se": tricks.se,
                        "low": low,
                        "high": high,
                    }
                )
    return with_sources(pd.DataFrame(rows), runs)


def pull_value(runs: Runs) -> pd.DataFrame:
    """Tricks gained by each further card pulled (or not lost): a straight line through all deals.

    Returns
    -------
    DataFrame
        One row a run and seat, with ``seat`` "all" for the three seats together, each about its own mean:

        ``run``        label of the run
        ``seat``       five, three, two or all
        ``value``      tricks a pull
        ``se``         its standard error over deals, in tricks; it allows for unequal spread
        ``low, high``  95% interval, in tricks
        ``deals``      deals with or without pulls; runs that never pull have no row
    """
    rows = []
    for label, run in zip(labels(runs), listed(runs), strict=True):
        pulls = run.counters["pulls"]
        for seat, counts in [*zip(SEATS, pulls[:, None], strict=True), (EVERY_SEAT, pulls)]:
            slope = common_slope(counts)
            if math.isnan(slope.mean):
                continue
            low, high = slope.interval()
            rows.append(
                {
                    "run": label,
                    "seat": seat,
                    "value": slope.mean,
                    "se": slope.se,
                    "low": low,
                    "high": high,
                    "deals": slope.n,
                }
            )
    columns = ["run", "seat", "value", "se", "low", "high", "deals"]
    return with_sources(pd.DataFrame(rows, columns=columns), runs)


def moderated(counts: np.ndarray, row: int) -> Estimate:
    """Estimate the mean of one row of histograms, whose spreads are alike.

    A handful of units may be all alike by chance. So their spread is drawn towards that of all rows, each
    about its own mean, as if this were seen on some more units (Smyth, Linear models and empirical Bayes
    methods for assessing differential expression, 2004).

    Parameters
    ----------
    counts : ndarray of int64, shape (X, Y)
        Units by row and value, 0 to Y - 1.
    row : int
        Which row; it has units.

    Returns
    -------
    Estimate
        Its n is one more than the degrees of freedom.
    """
    values, n = np.arange(counts.shape[1]), counts.sum(axis=1)
    means = counts @ values / np.maximum(n, 1)
    squares = (counts * (values - means[:, None]) ** 2).sum(axis=1)
    freedom = np.maximum(n - 1, 0)
    others = min(_PRIOR_FREEDOM, int(freedom.sum()))
    pooled = squares.sum() / max(freedom.sum(), 1)
    total = others + int(freedom[row])
    if not total:
        return Estimate(float(means[row]), math.nan, 1)
    variance = (others * pooled + squares[row]) / total
    return Estimate(float(means[row]), math.sqrt(variance / n[row]), total + 1)


def common_slope(counts: np.ndarray) -> Estimate:
    """Least-squares slope of tricks on net pulls, the same for all groups, each about its own mean.

    Parameters
    ----------
    counts : ndarray of int64, shape (G, X, Y)
        Deals by group, net pulls and tricks.

    Returns
    -------
    Estimate
        Slope with an error robust to unequal spread, summed deal by deal over the groups; nan where the
        pulls never vary. Its n is deals: the seats of one deal are counted as one.
    """
    x, y = np.arange(counts.shape[1]), np.arange(counts.shape[2])
    spread, product, errors = Fraction(0), Fraction(0), []
    for group in counts:
        n = int(group.sum())
        if n == 0:
            continue
        dx = [Fraction(int(v)) - Fraction(int((group.sum(axis=1) * x).sum()), n) for v in x]
        dy = [Fraction(int(v)) - Fraction(int((group.sum(axis=0) * y).sum()), n) for v in y]
        cells = [(int(group[i, j]), dx[i], dy[j]) for i, j in np.argwhere(group)]
        spread += sum(c * a * a for c, a, _ in cells)
        product += sum(c * a * b for c, a, b in cells)
        errors.append(cells)
    deals = int(counts[0].sum())
    if spread == 0:
        return Estimate(math.nan, math.nan, deals)
    slope = product / spread
    scores = [sum(c * (float(a) * float(b - slope * a)) ** 2 for c, a, b in cells) for cells in errors]
    # The seats of a deal share its ten tricks: their errors may add up, so they are taken as if they did.
    deviation = sum(math.sqrt(score) for score in scores)
    return Estimate(float(slope), deviation / float(spread), deals)
