"""What strategies gain among each other, from a ladder, and how far each can be exploited.

A gain is what one strategy takes a deal, at a table with two of another, above what it would take if it
played as they do: on the same deals, in each player's place once, its error from whole matches (clusters).
Among its own kind a strategy gains exactly nothing, so that cells on the diagonal are not played.
"""

import math
import shlex

import pandas as pd

from analysis.estimates import Estimate, from_sums
from analysis.matches import match_moments
from analysis.provenance import rule_options, rules_text
from analysis.tables import columns_of, per_unit
from sim.three_two_five.ladder.ladder import Ladder
from sim.three_two_five.ladder.parts import QUANTITIES
from sim.three_two_five.ladder.plan import FULL, QUICK, LadderPlan, plan_ladder
from sim.three_two_five.rules import PLAYERS, SEATS

ITSELF = "none of those tried gains"


def gain_unit(ladder: Ladder) -> str:
    """Return the unit of gains: tricks, or points where a deficit costs nothing (R26)."""
    return "points" if ladder.plan.rules.scoring == "surplus" else "tricks"


def cross_play(ladder: Ladder) -> pd.DataFrame:
    """What one strategy gains at a table with two of another.

    Returns
    -------
    DataFrame
        One row a cell, tables in the ladder's order:

        ``one``        strategy of one player
        ``two``        strategy of the other two, a rung
        ``gain``       mean gain of the one in tricks (``surplus``: points) a deal
        ``se``         its standard error, over matches
        ``low, high``  95% interval
        ``matches``    matches behind it, each played with the one in all three places
        ``rung``       whether the one is a rung, not a challenger
    """
    plan = ladder.plan
    each = PLAYERS * plan.rules.deals_per_match
    rows = []
    for cell, (one, two) in enumerate(plan.cells):
        estimate = per_unit(_estimate(ladder, cell, "gain"), each)
        names = {"one": plan.players[one].name, "two": plan.players[two].name}
        rows.append(
            names | columns_of(estimate, "gain") | {"matches": estimate.n, "rung": one < len(plan.strategies)}
        )
    return _noted(pd.DataFrame(rows), ladder)


def seat_gains(ladder: Ladder) -> pd.DataFrame:
    """Where strategies gain: the tricks of one among two of another, by its seat.

    Returns
    -------
    DataFrame
        Three rows a cell:

        ``one, two``   strategies as in :func:`cross_play`
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
    for cell, (one, two) in enumerate(plan.cells):
        for seat in SEATS:
            tricks = per_unit(_estimate(ladder, cell, f"tricks_{seat}"), plan.rules.deals_per_match)
            other = own[two, seat]
            gain = Estimate(tricks.mean - other.mean, math.hypot(tricks.se, other.se), min(tricks.n, other.n))
            names = {"one": plan.players[one].name, "two": plan.players[two].name, "seat": seat}
            means = {"tricks": tricks.mean, "own": other.mean}
            rows.append(names | means | columns_of(gain, "gain") | {"matches": tricks.n})
    table = _noted(pd.DataFrame(rows), ladder)
    table.attrs["unit"] = "tricks"
    return table


def exploitability(ladder: Ladder) -> pd.DataFrame:
    """How far each rung can be exploited, at least: what the best of those tried gains among two of it.

    The best of several noisy gains overrates itself. So the responder is chosen on the even matches and
    valued on the odd ones, then the other way round, and the two are averaged. What comes out is, in
    expectation, at most the gain of the best strategy tried, and that is at most the gain of the best there
    is: a lower bound twice over. A rung of the same kind gains exactly 0 and is always among the choices.

    Returns
    -------
    DataFrame
        One row a rung:

        ``strategy``   the rung
        ``responder``  who was chosen; two names if the halves disagree; ITSELF if nobody gains
        ``gain``       what the responder gains, in tricks (``surplus``: points) a deal
        ``se``         its standard error, those of the halves added as if wholly dependent: never too small
        ``low, high``  95% interval of the lower bound; nan where nobody gains
        ``matches``    matches that valued it
        ``tried``      strategies tried
    """
    plan = ladder.plan
    rows = []
    for rung, name in enumerate(plan.names):
        responses = _responses(ladder, rung)
        best = [max(responses, key=lambda other: responses[other][half].mean) for half in (0, 1)]
        halves = [responses[best[1 - half]][half] for half in (0, 1)]
        estimate = Estimate(
            sum(half.mean for half in halves) / 2,
            sum(half.se for half in halves) / 2,
            sum(half.n for half in halves),
        )
        # Among one's own kind nothing is gained, whatever the cards: that bound is no measurement.
        known = {"low": math.nan, "high": math.nan} if set(best) == {ITSELF} else {}
        rows.append(
            {"strategy": name, "responder": " / ".join(dict.fromkeys(best))}
            | columns_of(estimate, "gain")
            | known
            | {"matches": estimate.n, "tried": len(responses) - 1}
        )
    return _noted(pd.DataFrame(rows), ladder)


def ladder_sources(ladder: Ladder) -> str:
    """Say where the numbers of a ladder come from: rules, strategies, seed, size."""
    plan, matches = ladder.plan, ladder.matches
    others = [strategy.name for strategy in plan.challengers]
    challengers = f" Challengers: {', '.join(others)}." if others else ""
    size = " to ".join(f"{number:,}" for number in sorted({int(matches.min()), int(matches.max())}))
    partial = " (partial)" if ladder.partial else ""
    return (
        f"Ladder of 3-2-5 ({rules_text(plan.rules)}). {', '.join(plan.names)}.{challengers}"
        f" Seed {plan.seed}. {size} matches a cell{partial}, each with the one strategy in all three places."
    )


def ladder_command(ladder: Ladder) -> str | None:
    """Return the command line that repeats a ladder; None if its sizes are none of the usual ones."""
    plan = ladder.plan
    options = _size_options(plan)
    if options is None:
        return None
    words = ["dealworth", "ladder", "three-two-five", "--strategy", *plan.names]
    if plan.challengers:
        words += ["--challengers", *(strategy.name for strategy in plan.challengers)]
    words += [*rule_options(ladder.game, plan.rules), "--seed", str(plan.seed)]
    return shlex.join([*words, *options])


def _size_options(plan: LadderPlan) -> list[str] | None:
    """Return the options that give a plan its sizes."""
    matches = plan.matches[0]
    for options, sizes, alike in (
        ([], FULL, None),
        (["--quick"], QUICK, None),
        (["--matches", str(matches)], FULL, matches),
        (["--quick", "--matches", str(matches)], QUICK, matches),
    ):
        usual = plan_ladder(plan.strategies, plan.challengers, plan.rules.as_dict(), plan.seed, sizes, alike)
        if usual == plan:
            return options
    return None


def _estimate(ladder: Ladder, cell: int, quantity: str, half: int | None = None) -> Estimate:
    """Estimate a quantity a match, on all matches of a cell or on one half of them."""
    which = slice(None) if half is None else slice(half, half + 1)
    place = QUANTITIES.index(quantity)
    total, squares = (ladder.counters[name][cell, which, place].sum() for name in ("sums", "squares"))
    return from_sums(int(ladder.counters["count"][cell, which].sum()), int(total), int(squares))


def _responses(ladder: Ladder, rung: int) -> dict[str, list[Estimate]]:
    """Gain a deal among two of a rung on even and on odd matches, by responder."""
    plan = ladder.plan
    each = PLAYERS * plan.rules.deals_per_match
    responses = {ITSELF: [Estimate(0.0, 0.0, 0)] * 2}
    for cell, (one, two) in enumerate(plan.cells):
        if two != rung:
            continue
        halves = [per_unit(_estimate(ladder, cell, "gain", half), each) for half in (0, 1)]
        if min(half.n for half in halves) > 1:
            responses[plan.players[one].name] = halves
    return responses


def _noted(table: pd.DataFrame, ladder: Ladder) -> pd.DataFrame:
    """Note on a table where it comes from, the unit of its gains, and the rungs."""
    table.attrs |= {
        "provenance": ladder_sources(ladder),
        "unit": gain_unit(ladder),
        "rungs": list(ladder.plan.names),
    }
    return table
