"""What ``dealworth book`` says of an opening book of 3-2-5."""

import math
from dataclasses import asdict

import pandas as pd

from analysis.book.printed import Printed, PrintedTable
from analysis.summaries import Line
from analysis.three_two_five.book.precision import precision, precision_in_words
from analysis.three_two_five.book.summary import (
    THE_BOOK,
    option_worth,
    policies,
    policy_cost,
    policy_value,
    reveal_best,
    reveal_shares,
)


def printed(table: pd.DataFrame) -> Printed:
    """Say how often to reveal, what habits cost, and what it is worth that the five may reveal."""
    shares = reveal_shares(table)
    verdicts = [
        (row["verdict"], f"{row['share']:.1%}", "–" if math.isnan(row["wrong"]) else f"{row['wrong']:.2%}")
        for row in shares.to_dict("records")
    ]
    rows: list[tuple[str, ...]] = []
    valued = {}
    for name, policy in policies(table).items():
        value, cost = policy_value(table, policy), policy_cost(table, policy)
        valued[name] = {"value": value.as_dict(), "cost": cost.as_dict()}
        lost = Line("", "", cost)
        costs = ("–", "–") if name == THE_BOOK else (lost.mean_text(), lost.interval_text())
        rows.append((name, Line("", "", value, signed=True).mean_text(), *costs))
    best, worth = reveal_best(table), option_worth(table)
    return Printed(
        (
            PrintedTable(("verdict", "hands", "expected wrong"), verdicts, right=(1, 2)),
            PrintedTable(("policy", "points a deal ± s.e.", "cost against the book", "95% interval"), rows),
        ),
        (
            f"revealing is best on {best} of hands",
            f"that the five may reveal is worth {worth} points a deal",
            precision_in_words(table),
        ),
        {
            "verdicts": dict(zip(shares["verdict"], shares["share"], strict=True)),
            "reveal_best": best.as_dict(),
            "worth_of_revealing": worth.as_dict(),
            "largest_errors": asdict(precision(table)),
            "policies": valued,
        },
    )
