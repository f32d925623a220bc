"""The chance to win at 3-2-5 by scores, deals left, seats and debts, from a table of outcomes."""

import pandas as pd

from analysis.estimates import Share
from analysis.provenance import people, rules_text
from sim.equity.table import Equity
from sim.three_two_five.equity.deals import OUTCOMES
from sim.three_two_five.equity.solve import Solved, row_of, solve
from sim.three_two_five.equity.standing import Standing
from sim.three_two_five.rules import PLAYERS, SEATS

_PROVENANCE = "provenance"


def solved(table: Equity, standings: list[Standing]) -> Solved:
    """Solve for standings that differ in scores alone, the one of interest first.

    Raises
    ------
    ValueError
        If a standing cannot occur by the rules of the table.
    """
    first, rules = standings[0], table.plan.rules
    for standing in standings:
        standing.check(rules)
    starts = [(five - two, three - two) for five, three, two in (one.scores for one in standings)]
    counts = table.counts.reshape(-1, len(OUTCOMES))
    return solve(counts, rules, row_of(first.debts, rules), first.deals_left, starts)


def shares(table: Equity, found: Solved, start: int = 0) -> tuple[list[Share], list[Share]]:
    """Return the chances of five, three and two to win alone, and to share the top."""
    n = int(table.wanted.min())
    every = [
        Share(float(mean), float(se), n, clustered=True)
        for mean, se in zip(found.chance[start], found.se[start], strict=True)
    ]
    return every[:PLAYERS], every[PLAYERS:]


def equity_by_lead(table: Equity, deals_left: tuple[int, ...] = (1, 2, 3, 6), most: int = 6) -> pd.DataFrame:
    """Return the chance to win by a player's lead over two equal others, without debts.

    Parameters
    ----------
    table : Equity
        What to solve.
    deals_left : tuple of int
        Deals to look from.
    most : int
        Largest lead or lag, over both others, in whole points of lead.

    Returns
    -------
    DataFrame
        One row a number of deals, seat and lead: ``deals_left``, ``seat`` (in the next deal), ``lead``
        (points over each of the others), ``chance`` to win alone, ``se``, ``low``, ``high`` and ``tie``
        (chance to share the top).
    """
    rows = []
    leads = range(-most, most + 1)
    for deals in deals_left:
        for player, seat in enumerate(SEATS):
            offsets = [_leading(player, lead) for lead in leads]
            counts = table.counts.reshape(-1, len(OUTCOMES))
            found = solve(counts, table.plan.rules, row_of((0, 0, 0), table.plan.rules), deals, offsets)
            for place, lead in enumerate(leads):
                win, tie = (each[player] for each in shares(table, found, place))
                rows.append((deals, seat, lead, win.mean, win.se, *win.interval(), tie.mean))
    frame = pd.DataFrame(rows, columns=["deals_left", "seat", "lead", "chance", "se", "low", "high", "tie"])
    frame.attrs[_PROVENANCE] = provenance(table)
    return frame


def _leading(player: int, lead: int) -> tuple[int, int]:
    """Return the differences of five and three against two where one player leads both others."""
    scores = [lead if place == player else 0 for place in range(PLAYERS)]
    return scores[0] - scores[2], scores[1] - scores[2]


def provenance(table: Equity) -> str:
    """Return one line: game and rules, strategies, seed, how much was played."""
    plan = table.plan
    return (
        f"{plan.game.title} ({rules_text(plan.rules)}). {people([one.name for one in plan.strategies])}."
        f" Seed {plan.seed}. {table.units:,} deals from {len(table.wanted)} rows of debts."
    )


def in_words(table: Equity) -> list[str]:
    """Say in a line what a table holds."""
    found = solved(table, [Standing((0, 0, 0), table.plan.rules.deals_per_match)])
    wins, _ = shares(table, found)
    told = ", ".join(f"{seat} {win}" for seat, win in zip(SEATS, wins, strict=True))
    return [f"chance to win a whole match alone, by first seat: {told}"]
