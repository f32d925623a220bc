"""What a ladder of 3-2-5 measures: the tricks a deal that one gains among two of another, and where."""

import math

import pandas as pd

from analysis.document import Block, listing
from analysis.estimates import Estimate
from analysis.ladder.gains import noted
from analysis.ladder.measure import Measure, cell_moments
from analysis.matches import match_moments
from analysis.tables import columns_of, per_unit
from sim.ladder.ladder import Ladder
from sim.ladder.model import alone
from sim.three_two_five.rules import PLAYERS, SEATS, Rules

_SEATS = {
    "one": ("one of", "text"),
    "two": ("two of", "text"),
    "seat": ("its seat", "text"),
    "tricks": ("its tricks", "number"),
    "own": ("tricks of its hosts there", "number"),
    "gain": ("difference", "signed"),
    "low high": ("95% interval", "signed"),
}


def measures(rules: Rules) -> tuple[Measure, ...]:
    """Return the one measure: tricks a deal, or points where a deficit costs nothing (R26)."""
    each = PLAYERS * rules.deals_per_match
    unit = "points" if rules.scoring == "surplus" else "tricks"
    return (
        Measure(
            name=unit,
            seating=alone(PLAYERS),
            unit=f"{unit} a deal",
            one="one of",
            two="two of",
            gains="one gains among two of another",
            how="One player of a strategy sits at a table with two of another, in each of the three places"
            " once, on the same deals. Its gain is what it takes above what the others' strategy would take"
            f" in its place, in {unit} a deal",
            estimate=lambda moments: per_unit(moments.mean("gain"), each),
        ),
    )


def seat_gains(ladder: Ladder) -> pd.DataFrame:
    """Where strategies gain: the tricks of one among two of another, by its seat.

    Returns
    -------
    DataFrame
        Three rows a cell:

        ``one, two``   strategies as in :func:`analysis.ladder.gains.cross_play`
        ``seat``       five, three or two
        ``tricks``     mean tricks a deal of the one on that seat
        ``own``        mean tricks a deal on that seat where all three are of the other strategy
        ``gain``       their difference
        ``se``         its standard error, the two errors taken as independent: the deals are in part the
                       same, and what luck they share only makes it smaller
        ``low, high``  95% interval of the gain
        ``matches``    matches of the cell
    """
    plan = ladder.plan
    own = {
        (number, seat): match_moments(run).ratio(f"tricks_{seat}", "deals")
        for number, run in enumerate(ladder.tables)
        for seat in SEATS
    }
    rows = []
    for number, cell in enumerate(plan.cells):
        moments = cell_moments(ladder, number)
        for seat in SEATS:
            tricks = per_unit(moments.mean(f"tricks_{seat}"), plan.rules.deals_per_match)
            other = own[cell.two, seat]
            gain = Estimate(tricks.mean - other.mean, math.hypot(tricks.se, other.se), min(tricks.n, other.n))
            means = {"seat": seat, "tricks": tricks.mean, "own": other.mean}
            rows.append(plan.names_of(cell) | means | columns_of(gain, "gain") | {"matches": tricks.n})
    return noted(pd.DataFrame(rows), ladder, "tricks a deal")


def further(ladder: Ladder) -> list[Block]:
    """Return what the chapter on a ladder lists besides."""
    caption = "The same by seat of the one: tricks a deal, against its hosts' own."
    return [listing(seat_gains(ladder), _SEATS, caption, True)]
