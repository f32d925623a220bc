"""What ``dealworth book`` says of an opening book of Fives and Threes."""

import math

import pandas as pd

from analysis.book.printed import Printed, PrintedTable
from analysis.estimates import json_number
from analysis.fives_and_threes.book.summary import THE_BOOK, opening_verdicts, policies, valued
from analysis.summaries import Line

_SHOWN = {"wrong": "{:.2%}", "difference": "{:.2f}", "largest_se": "{:.3f}"}


def printed(table: pd.DataFrame) -> Printed:
    """Say how often one opening is sure, how well the others are told apart, and what habits cost."""
    verdicts = opening_verdicts(table).to_dict("records")
    shares = [
        (row["verdict"], f"{row['share']:.1%}", *(_number(row[name], text) for name, text in _SHOWN.items()))
        for row in verdicts
    ]
    rows: list[tuple[str, ...]] = []
    record = {}
    for name, policy in policies(table).items():
        value, cost = valued(table, policy)
        record[name] = {"value": value.as_dict(), "cost": cost.as_dict()}
        lost = Line("", "", cost)
        costs = ("–", "–") if name == THE_BOOK else (lost.mean_text(), lost.interval_text())
        rows.append((name, Line("", "", value, signed=True).mean_text(), *costs))
    heads = ("best opening", "hands", "expected wrong", "lead", "largest s.e.")
    told = {row["verdict"]: {name: json_number(row[name]) for name in ("share", *_SHOWN)} for row in verdicts}
    return Printed(
        (
            PrintedTable(heads, shares, (1, 2, 3, 4)),
            PrintedTable(("policy", "points a round ± s.e.", "cost against the book", "95% interval"), rows),
        ),
        ("lead: the best tile against the second, in points a round alone",),
        {"verdicts": told, "policies": record},
    )


def _number(value: float, text: str) -> str:
    return "–" if math.isnan(value) else text.format(value)
