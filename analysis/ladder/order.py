"""Who is stronger: the order that cross play gives, and where it is none.

In a game of three, "stronger" is not one comparison: A may gain among two of B, and B among two of A. So A
*beats* B only if A gains among those of B and B loses among those of A, both with intervals that leave out
zero.
"""

import math
from collections.abc import Hashable, Mapping
from itertools import combinations, permutations
from typing import Any

import pandas as pd

from analysis.ladder.gains import cross_play
from analysis.provenance import counted
from sim.ladder.ladder import Ladder

BEATS, LOSES, UNDECIDED, NOT_PLAYED = "beats", "loses", "undecided", "not played"
_LEAST_MATCHES = 2
"""Fewer have no error."""
BOTH_GAIN, BOTH_LOSE, CYCLE = "each gains among the other", "each loses among the other", "cycle"

Cell = Mapping[Hashable, Any]
Cells = dict[tuple[str, str], Cell]


def ranking(ladder: Ladder | pd.DataFrame) -> pd.DataFrame:
    """Rank the rungs, the strongest first.

    A strategy dominates another if it gains more among those of it than the other the other way round. The
    order is by the number of rungs dominated, then by mean gain; last, neighbours change places as long as
    the lower dominates the higher. Whether it is beyond doubt is another question, which ``verdict`` and
    :func:`intransitivities` answer.

    Parameters
    ----------
    ladder : Ladder or DataFrame
        A ladder, or the table that :func:`cross_play` made of it.

    Returns
    -------
    DataFrame
        One row a rung:

        ``rank``       from 1
        ``strategy``   its name
        ``beats``      how many of the other rungs it surely beats
        ``mean_gain``  its gain, averaged over the tables of all others
        ``mean_gain_low, mean_gain_high``  95% interval, the cells' errors added as if wholly dependent, since
                       they share their deals: never too narrow
        ``below``      the next one down; empty in the last row
        ``gain``       what it gains among those of that one, with ``gain_low`` and ``gain_high``
        ``back``       what that one gains among those of it, with ``back_low`` and ``back_high``
        ``verdict``    beats, loses, undecided (an interval holds zero), each gains (loses) among the other,
                       or not played, on a partial ladder
        ``matches``    fewest matches of the two cells
    """
    table = ladder if isinstance(ladder, pd.DataFrame) else cross_play(ladder)
    cells = _cells(table)
    order = _order(cells)
    rows = []
    for place, name in enumerate(order):
        below = order[place + 1] if place + 1 < len(order) else ""
        mean = _mean_gain(cells, name)
        rows.append(
            {"rank": place + 1, "strategy": name}
            | {"beats": sum(_verdict(cells, name, other) == BEATS for other in order if other != name)}
            | dict(zip(("mean_gain", "mean_gain_low", "mean_gain_high"), mean, strict=True))
            | {"below": below}
            | _both_ways(cells, name, below)
            | {"verdict": _verdict(cells, name, below) if below else ""}
        )
    return _as(table, rows)


def intransitivities(ladder: Ladder | pd.DataFrame) -> pd.DataFrame:
    """Where the ranking is no order, or not beyond doubt: pairs of which the higher is not sure, and cycles.

    Parameters
    ----------
    ladder : Ladder or DataFrame
        As for :func:`ranking`.

    Returns
    -------
    DataFrame
        One row an exception; none if the order is beyond doubt:

        ``kind``            the higher one ``loses``; ``undecided``: an interval holds zero; ``each gains`` or
                            ``each loses among the other``; ``cycle``: the first surely beats the second, that
                            the third, and the third the first
        ``higher, lower``   the pair, or the first two of a cycle
        ``third``           of a cycle, else empty
        ``gain``            what the higher gains among the lower, with ``gain_low`` and ``gain_high``;
                            nan for cycles
        ``back``            what the lower gains among the higher, with ``back_low`` and ``back_high``
        ``matches``         fewest matches of the two cells; 0 for cycles
    """
    table = ladder if isinstance(ladder, pd.DataFrame) else cross_play(ladder)
    cells = _cells(table)
    order = _order(cells)
    rows = []
    for higher, lower in combinations(order, 2):
        kind = _verdict(cells, higher, lower)
        if kind not in (BEATS, NOT_PLAYED):
            names = {"kind": kind, "higher": higher, "lower": lower, "third": ""}
            rows.append(names | _both_ways(cells, higher, lower))
    for a, b, c in permutations(order, 3):
        first = order.index(a) == min(order.index(name) for name in (a, b, c))
        if first and all(_verdict(cells, *pair) == BEATS for pair in ((a, b), (b, c), (c, a))):
            names = {"kind": CYCLE, "higher": a, "lower": b, "third": c}
            rows.append(names | _both_ways(cells, a, ""))
    columns = ["kind", "higher", "lower", "third", *_both_ways(cells, "", "")]
    return _as(table, rows, columns)


def order_in_words(ladder: Ladder | pd.DataFrame) -> str:
    """Say the order of the rungs in one sentence, the weakest first, and how much of it is beyond doubt."""
    table = ladder if isinstance(ladder, pd.DataFrame) else cross_play(ladder)
    names, exceptions = list(ranking(table)["strategy"]), intransitivities(table)
    said, pairs = " < ".join(reversed(names)), len(names) * (len(names) - 1) // 2
    if not pairs:
        return f"{said}: no other rung to compare with."
    if missing := len(open_pairs(table)):
        return f"No order yet: {missing} of {counted(pairs, 'pair')} not played both ways."
    if exceptions.empty:
        return f"{said}: each surely beats every weaker one ({counted(pairs, 'pair')}, both ways at 95%)."
    broken = exceptions[exceptions["kind"] != CYCLE]
    cycles = len(exceptions) - len(broken)
    sure = f"{pairs - len(broken)} of {counted(pairs, 'pair')} (both ways at 95%)"
    circular = f"; {counted(cycles, 'cycle')}" if cycles else ""
    return f"{said}: the stronger surely beats the weaker in {sure}{circular}."


def open_pairs(ladder: Ladder | pd.DataFrame) -> list[tuple[str, str]]:
    """Return the pairs of rungs that a partial ladder has not played both ways: there is no order yet."""
    cells = _cells(ladder if isinstance(ladder, pd.DataFrame) else cross_play(ladder))
    return [pair for pair in combinations(_names(cells), 2) if _verdict(cells, *pair) == NOT_PLAYED]


def exception_in_words(row: Cell) -> str:
    """Say one row of :func:`intransitivities`."""
    higher, lower, third = row["higher"], row["lower"], row["third"]
    if row["kind"] == CYCLE:
        return f"{higher} beats {lower}, which beats {third}, which beats {higher}"
    if row["kind"] == LOSES:
        return f"{higher} stands higher but loses to {lower}"
    if row["kind"] == UNDECIDED:
        return f"{higher} against {lower} is undecided"
    return f"{higher} and {lower}: {row['kind']}"


def _cells(table: pd.DataFrame) -> Cells:
    """Return the cells between rungs by the names of the one and of the two; the diagonal is nothing."""
    rungs = table[table["rung"]].to_dict("records")
    cells: Cells = {(str(row["one"]), str(row["two"])): row for row in rungs}
    for name in dict.fromkeys(table["two"]):
        cells[name, name] = {"gain": 0.0, "se": 0.0, "low": 0.0, "high": 0.0, "matches": 0}
    return cells


def _names(cells: Cells) -> list[str]:
    return [one for one, two in cells if one == two]


def _order(cells: Cells) -> list[str]:
    """Names of the rungs, the strongest first."""
    names = _names(cells)

    def dominates(name: str, other: str) -> bool:
        return bool(cells[name, other]["gain"] > cells[other, name]["gain"])

    def strength(name: str) -> tuple[int, float]:
        mean = _mean_gain(cells, name)[0]
        return sum(dominates(name, other) for other in names), 0.0 if math.isnan(mean) else mean

    ordered: list[str] = []
    for name in sorted(names, key=strength, reverse=True):
        place = len(ordered)
        while place and dominates(name, ordered[place - 1]):
            place -= 1
        ordered.insert(place, name)
    return ordered


def _mean_gain(cells: Cells, name: str) -> tuple[float, float, float]:
    """Mean gain over the tables of all other rungs, and its interval."""
    others = [cells[name, other] for other in _names(cells) if other != name]
    if not others:
        return math.nan, math.nan, math.nan
    mean, low, high = (sum(cell[end] for cell in others) / len(others) for end in ("gain", "low", "high"))
    return mean, low, high


def _verdict(cells: Cells, higher: str, lower: str) -> str:
    gain, back = cells[higher, lower], cells[lower, higher]
    if min(gain["matches"], back["matches"]) < _LEAST_MATCHES:
        return NOT_PLAYED
    signs = [_sign(gain), _sign(back)]
    if 0 in signs:
        return UNDECIDED
    return {(1, -1): BEATS, (-1, 1): LOSES, (1, 1): BOTH_GAIN, (-1, -1): BOTH_LOSE}[signs[0], signs[1]]


def _sign(cell: Cell) -> int:
    """Sign of a gain whose interval leaves out zero, else 0; also where no interval is known."""
    return int(cell["low"] > 0) - int(cell["high"] < 0)


def _both_ways(cells: Cells, higher: str, lower: str) -> dict[str, float]:
    """Columns of what a pair gains among each other, nan where there is no pair."""
    nothing = {"gain": math.nan, "low": math.nan, "high": math.nan, "matches": 0}
    gain, back = cells.get((higher, lower), nothing), cells.get((lower, higher), nothing)
    return {
        "gain": gain["gain"],
        "gain_low": gain["low"],
        "gain_high": gain["high"],
        "back": back["gain"],
        "back_low": back["low"],
        "back_high": back["high"],
        "matches": min(gain["matches"], back["matches"]),
    }


def _as(table: pd.DataFrame, rows: list[dict[str, Any]], columns: list[str] | None = None) -> pd.DataFrame:
    """Make a table with the notes of another."""
    made = pd.DataFrame(rows, columns=columns)
    made.attrs |= table.attrs
    return made
