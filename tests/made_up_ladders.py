"""Ladders of 3-2-5 whose gains are made up, so that the right answers are known."""

from functools import lru_cache

import numpy as np
import pandas as pd

from sim.ladder.ladder import Ladder
from sim.ladder.plan import plan_ladder
from sim.ladder.sizes import Sizes, TableSize

NO_TABLES = TableSize(4, 0, 2)
ALIKE = Sizes(cells=((4,), (4, 4), (4, 4, 4)), tables=(NO_TABLES,) * 3)
"""Four matches of everything, and no option study, whatever it costs."""


def matrix(gains, error=0.01, matches=100, **errors):
    """Make a cross-play table from gains by pairs of one-letter names: ``{"AB": 0.3}``, A among two of B.

    Parameters
    ----------
    gains : dict
        Every ordered pair of rungs; a pair whose second name is a rung and first none is a challenger's.
    error : float
        Standard error of each gain; the interval is two of them wide on each side.
    **errors : float
        Errors of single pairs.
    """
    rungs = {two for _, two in gains}
    rows = []
    for one, two in sorted(gains, key=lambda pair: pair[::-1]):
        gain, se = gains[one + two], errors.get(one + two, error)
        ends = {"low": gain - 2 * se, "high": gain + 2 * se}
        names = {"one": one, "two": two}
        rows.append(names | {"gain": gain, "se": se} | ends | {"matches": matches, "rung": one in rungs})
    table = pd.DataFrame(rows)
    table.attrs |= {"provenance": "A ladder made up for a test.", "unit": "tricks a deal"}
    table.attrs |= {
        "one": "one of",
        "two": "two of",
        "gains": "one player gains among two of another strategy",
    }
    return table


def ladder_of(gains, challengers=(), matches=None):
    """Make a ladder from the match totals of its cells' gains.

    Parameters
    ----------
    gains : list of sequences of int
        By cell in the plan's order: three times the deals of a match times the gain, match by match.
    challengers : sequence of str
        Names besides the two rungs, random and first-suit.
    matches : int, optional
        Of each cell in the plan; as many as there are if left out.
    """
    ladder = Ladder.blank(_plan(tuple(challengers), matches or len(gains[0])))
    for cell, values in enumerate(gains):
        for half in (0, 1):
            own = np.asarray(values, np.int64)[half::2]
            ladder.counters["count"][cell, half] = len(own)
            ladder.counters["sums"][cell, half, 0] = own.sum()
            ladder.counters["squares"][cell, half, 0] = (own * own).sum()
    return ladder


@lru_cache
def _plan(challengers, matches):
    return plan_ladder("three-two-five", ("random", "first-suit"), challengers, sizes=ALIKE, matches=matches)
