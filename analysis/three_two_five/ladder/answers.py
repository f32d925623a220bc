"""How the product's answers move with the strength of the table: one line a rung of the ladder.

Every rung's own table, three players of the same, answers the same three questions: what a seat is worth, how
often the five reveals, and what calling is worth against revealing.
"""

from typing import Any

import pandas as pd

from analysis.matches import match_moments
from analysis.tables import columns_of
from analysis.three_two_five.ladder.ladder import ladder_sources
from analysis.three_two_five.options import call_or_reveal, value_unit
from analysis.three_two_five.seats import seat_advantage
from sim.results import Run
from sim.three_two_five.ladder.ladder import Ladder

ADVANTAGE, REVEALS, MARGIN = "seat advantage", "reveals", "call − reveal"
Row = dict[str, Any]

_FEWEST = 2
"""Matches, or hands, without which there is no error."""


def sensitivity_by_rung(ladder: Ladder) -> pd.DataFrame:
    """Seat advantage, share of reveals and the value of call against reveal, between three of each rung.

    Returns
    -------
    DataFrame
        Up to five rows a rung, in the ladder's order; what was not played is left out:

        ``rung``       strategy of all three players
        ``quantity``   seat advantage: tricks a deal above the quota; reveals: share of deals in which the
                       five reveals; call − reveal: score of the best call minus that of revealing, in tricks
                       (``surplus``: points) a deal on first deals
        ``seat``       five, three or two for the seat advantage, else empty
        ``value``      the quantity
        ``se``         its standard error, over matches or hands
        ``low, high``  95% interval; Wilson for shares
        ``n``          matches, or hands of the option study
    """
    rows = []
    for name, run in zip(ladder.plan.names, ladder.tables, strict=True):
        rows += [{"rung": name, **row} for row in (*_of_matches(run), *_of_hands(run))]
    table = pd.DataFrame(rows, columns=["rung", "quantity", "seat", "value", "se", "low", "high", "n"])
    unit = value_unit(ladder.tables[0])
    table.attrs |= {"provenance": f"{ladder_sources(ladder)}\n{_sizes(ladder)}", "unit": unit}
    return table


def _of_matches(run: Run) -> list[Row]:
    if run.matches < _FEWEST:
        return []
    reveals = match_moments(run).share("reveals", "deals")
    seats: list[Row] = [
        {"quantity": ADVANTAGE, "seat": row["seat"], "value": row["advantage"], "n": row["matches"]}
        | {name: row[name] for name in ("se", "low", "high")}
        for row in seat_advantage(run, ("all",)).to_dict("records")
    ]
    return [*seats, {"quantity": REVEALS, "seat": ""} | columns_of(reveals) | {"n": reveals.n}]


def _of_hands(run: Run) -> list[Row]:
    if run.hands < _FEWEST:
        return []
    found = call_or_reveal(run).iloc[0]
    margin = {"value": -found["difference"], "se": found["se"], "low": -found["high"], "high": -found["low"]}
    return [{"quantity": MARGIN, "seat": ""} | margin | {"n": int(found["hands"])}]


def _sizes(ladder: Ladder) -> str:
    """Say what each rung's own table rests on."""
    sizes = [
        f"{run.matches:,} matches, {run.hands:,} hands × {run.description['completions']:,} deals"
        for run in ladder.tables
    ]
    if len(set(sizes)) == 1:
        return f"Three of the same: {sizes[0]} each."
    parts = (f"{name} {size}" for name, size in zip(ladder.plan.names, sizes, strict=True))
    return f"Three of the same: {'; '.join(parts)}."
