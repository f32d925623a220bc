"""What strategies gain among each other, from a ladder, and how far each can be exploited.

A gain is what one strategy takes, at a table with others of another, above what it would take if it played as
they do: on the same deals, in each place once, its error from whole matches (clusters). Among its own kind
a strategy gains exactly nothing, so that cells on the diagonal are not played.
"""

import math
import shlex
from collections.abc import Iterator
from dataclasses import replace

import pandas as pd

from analysis.estimates import Estimate
from analysis.ladder.measure import Measure, cell_moments, named_measure
from analysis.provenance import rule_options, rules_text
from analysis.tables import columns_of
from sim.ladder.ladder import Ladder
from sim.ladder.plan import LadderPlan, plan_ladder

ITSELF = "none of those tried gains"


def cross_play(ladder: Ladder, measure: str | None = None) -> pd.DataFrame:
    """What one strategy gains at a table with others of another.

    Parameters
    ----------
    ladder : Ladder
        Complete or partial.
    measure : str, optional
        Name of one of the ladder's measures; the principal one if left out.

    Returns
    -------
    DataFrame
        One row a pair, tables in the ladder's order:

        ``one``        strategy of one player, or of a side
        ``two``        strategy of the others, a rung
        ``gain``       mean gain of the one, in the table's unit (``attrs``)
        ``se``         its standard error, over matches
        ``low, high``  95% interval
        ``matches``    matches behind it, each played with the one in all places
        ``rung``       whether the one is a rung, not a challenger

    Raises
    ------
    ValueError
        If the ladder has no such measure.
    """
    chosen = named_measure(ladder, measure)
    names = [player.name for player in ladder.plan.players]
    gains = sorted(_gains(ladder, chosen), key=lambda gain: gain[1::-1])
    rows = [
        {"one": names[one], "two": names[two]}
        | columns_of(estimate, "gain")
        | {"matches": estimate.n, "rung": one < len(ladder.plan.strategies)}
        for one, two, estimate in gains
    ]
    return _measured(pd.DataFrame(rows), ladder, chosen)


def exploitability(ladder: Ladder, measure: str | None = None) -> pd.DataFrame:
    """How far each rung can be exploited, at least: what the best of those tried gains among its kind.

    The best of several noisy gains overrates itself. So the responder is chosen on the even matches and
    valued on the odd ones, then the other way round, and the two are averaged. What comes out is, in
    expectation, at most the gain of the best strategy tried, and that is at most the gain of the best there
    is: a lower bound twice over. A rung of the same kind gains exactly 0 and is always among the choices.

    Parameters
    ----------
    ladder, measure : Ladder and str
        As for :func:`cross_play`.

    Returns
    -------
    DataFrame
        One row a rung:

        ``strategy``   the rung
        ``responder``  who was chosen; two names if the halves disagree; ITSELF if nobody gains
        ``gain``       what the responder gains, in the table's unit
        ``se``         its standard error, those of the halves added as if wholly dependent: never too small
        ``low, high``  95% interval of the lower bound; nan where nobody gains
        ``matches``    matches that valued it
        ``tried``      strategies tried
    """
    chosen = named_measure(ladder, measure)
    rows = []
    for rung, name in enumerate(ladder.plan.names):
        responses = _responses(ladder, chosen, rung)
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
    return _measured(pd.DataFrame(rows), ladder, chosen)


def ladder_sources(ladder: Ladder) -> str:
    """Say where the numbers of a ladder come from: rules, strategies, seed, size."""
    plan, matches = ladder.plan, ladder.matches
    others = [strategy.name for strategy in plan.challengers]
    challengers = f" Challengers: {', '.join(others)}." if others else ""
    size = " to ".join(f"{number:,}" for number in sorted({int(matches.min()), int(matches.max())}))
    partial = " (partial)" if ladder.partial else ""
    return (
        f"Ladder of {ladder.game.title} ({rules_text(plan.rules)}). {', '.join(plan.names)}.{challengers}"
        f" Seed {plan.seed}. {size} matches a cell{partial}, each with the one strategy in all places."
    )


def ladder_command(ladder: Ladder) -> str | None:
    """Return the command line that repeats a ladder; None if its sizes are none of the usual ones."""
    plan = ladder.plan
    options = _size_options(plan)
    if options is None:
        return None
    words = ["dealworth", "ladder", plan.game.command, "--strategy", *plan.names]
    if plan.challengers:
        words += ["--challengers", *(strategy.name for strategy in plan.challengers)]
    words += [*rule_options(plan.game, plan.rules), "--seed", str(plan.seed)]
    return shlex.join([*words, *options])


def _size_options(plan: LadderPlan) -> list[str] | None:
    """Return the options that give a plan its sizes."""
    matches = plan.matches[0]
    for options, quick, alike in (
        ([], False, None),
        (["--quick"], True, None),
        (["--matches", str(matches)], False, matches),
        (["--quick", "--matches", str(matches)], True, matches),
    ):
        rules = plan.rules.as_dict()
        if plan_ladder(plan.game, plan.strategies, plan.challengers, rules, plan.seed, quick, alike) == plan:
            return options
    return None


def noted(table: pd.DataFrame, ladder: Ladder, unit: str) -> pd.DataFrame:
    """Note on a table where it comes from, the unit of its gains, and the rungs."""
    table.attrs |= {"provenance": ladder_sources(ladder), "unit": unit, "rungs": list(ladder.plan.names)}
    return table


def _measured(table: pd.DataFrame, ladder: Ladder, measure: Measure) -> pd.DataFrame:
    """Note on a table what it measures as well."""
    table.attrs |= {name: getattr(measure, name) for name in ("one", "two", "gains")}
    return noted(table, ladder, measure.unit)


def _gains(ladder: Ladder, measure: Measure, half: int | None = None) -> Iterator[tuple[int, int, Estimate]]:
    """Yield what the one gains by the numbers of the two, where they change roles in one cell both ways."""
    for number, (one, two, seating) in enumerate(ladder.plan.cells):
        if seating == measure.seating:
            gain = measure.estimate(cell_moments(ladder, number, half))
            yield one, two, gain
            if seating.mutual and one < len(ladder.plan.strategies):
                yield two, one, replace(gain, mean=-gain.mean)


def _responses(ladder: Ladder, measure: Measure, rung: int) -> dict[str, list[Estimate]]:
    """Gain among a rung on even and on odd matches, by responder."""
    responses = {ITSELF: [Estimate(0.0, 0.0, 0)] * 2}
    halves = (_gains(ladder, measure, half) for half in (0, 1))
    for (one, two, even), (_, _, odd) in zip(*halves, strict=True):
        if two == rung and min(even.n, odd.n) > 1:
            responses[ladder.plan.players[one].name] = [even, odd]
    return responses
