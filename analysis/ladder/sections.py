"""The report's chapter on the ladder: who is stronger, who can exploit whom, how the answers move."""

from collections.abc import Iterator, Sequence

import pandas as pd

from analysis.document import Block, Section, Text, listing, picture
from analysis.three_two_five.ladder.figures import draw_cross_play, draw_sensitivity_by_rung
from analysis.three_two_five.ladder.ladder import cross_play, exploitability, gain_unit, seat_gains
from analysis.three_two_five.ladder.order import (
    exception_in_words,
    intransitivities,
    open_pairs,
    order_in_words,
    ranking,
)
from analysis.three_two_five.ladder.sensitivity import ADVANTAGE, MARGIN, REVEALS, sensitivity_by_rung
from analysis.three_two_five.ladder.shipped import shipped_ladder
from analysis.wording import with_interval
from sim.results import Run
from sim.three_two_five.ladder.ladder import Ladder

TITLE = "How strong are the players?"

_CELLS = {
    "one": ("one of", "text"),
    "two": ("two of", "text"),
    "gain": ("gain a deal", "signed"),
    "low high": ("95% interval", "signed"),
    "matches": ("n matches", "count"),
}
_SEATS = {
    "one": ("one of", "text"),
    "two": ("two of", "text"),
    "seat": ("its seat", "text"),
    "tricks": ("its tricks", "number"),
    "own": ("tricks of its hosts there", "number"),
    "gain": ("difference", "signed"),
    "low high": ("95% interval", "signed"),
}
_RANKING = {
    "strategy": ("strategy", "text"),
    "mean_gain": ("mean gain", "signed"),
    "mean_gain_low mean_gain_high": ("95% interval", "signed"),
    "below": ("the next", "text"),
    "gain": ("gain on it", "signed"),
    "gain_low gain_high": ("95% of that", "signed"),
    "back": ("back", "signed"),
    "back_low back_high": ("95% of back", "signed"),
    "verdict": ("verdict", "text"),
}
_EXPLOITS = {
    "strategy": ("two of", "text"),
    "responder": ("best response of those tried", "text"),
    "gain": ("gains at least", "signed"),
    "low high": ("95% interval", "signed"),
    "tried": ("tried", "count"),
    "matches": ("n matches", "count"),
}
_ANSWERS = {
    "rung": ("three of", "text"),
    "quantity": ("quantity", "text"),
    "seat": ("seat", "text"),
    "value": ("value", "signed"),
    "low high": ("95% interval", "signed"),
    "n": ("n matches or hands", "count"),
}


def shipped_section(runs: Sequence[Run]) -> list[Section]:
    """Write the chapter on the ladder that comes with the package, if a run is played by its rules.

    Parameters
    ----------
    runs : sequence of Run
        Of the report.
    """
    ladder = shipped_ladder()
    if ladder is None or all(run.rules != ladder.plan.rules for run in runs):
        return []
    chapter = ladder_section(ladder)
    where_from = (
        "The ladder comes with the package and was not played for this report:"
        f" digest {ladder.digest}; `make ladder` plays it again."
    )
    return [Section(chapter.title, (*chapter.blocks, Text(where_from)))]


def given_ladders(ladders: Sequence[Ladder]) -> list[Section]:
    """Write a chapter on each of some ladders, numbered where there are several."""
    titles = [TITLE] if len(ladders) == 1 else [f"{TITLE} ({n})" for n in range(1, len(ladders) + 1)]
    return [ladder_section(ladder, title) for ladder, title in zip(ladders, titles, strict=True)]


def ladder_section(ladder: Ladder, title: str = TITLE) -> Section:
    """Write the chapter on a ladder.

    Parameters
    ----------
    ladder : Ladder
        Complete or partial.
    title : str
        Of the chapter, distinct within the report.

    Raises
    ------
    ValueError
        If nothing was played on it.
    """
    if not ladder.deals:
        raise ValueError(f"nothing was played on the ladder of {', '.join(ladder.plan.names)}")
    return Section(title, tuple(_blocks(ladder)))


def _blocks(ladder: Ladder) -> Iterator[Block]:
    table, unit = cross_play(ladder), gain_unit(ladder)
    yield Text(order_in_words(table), emphasis=True)
    yield Text(
        "One player of a strategy sits at a table with two of another, in each of the three places once, on"
        " the same deals. Its gain is what it takes above what the others' strategy would take in its place,"
        f" in {unit} a deal; errors are over whole matches. One strategy beats another if it gains among two"
        " of it and the other loses among two of the first, both with 95% intervals that leave out zero."
    )
    yield picture(
        draw_cross_play, table, f"Gain of one among two of another, {unit} a deal ± standard error."
    )
    answers = sensitivity_by_rung(ladder)
    if len(answers):
        yield picture(draw_sensitivity_by_rung, answers, _moves(answers, ranking(table)))
        yield Text("That random and first-suit never reveal is how they are made, not what they found out.")
    if not open_pairs(table):
        yield listing(ranking(table), _RANKING, f"The rungs, the strongest first; gains in {unit} a deal.")
    yield Text(
        "Who beats whom is settled between the two. What gains most at a weak table is another question: the"
        " answers to one strategy, below, gain more there than the strongest player does."
    )
    yield from _exceptions(table)
    yield listing(
        exploitability(ladder),
        _EXPLOITS,
        f"How far each strategy can be exploited: a lower bound, in {unit} a deal. The best response, among"
        " the rungs and challengers tried, is chosen on one half of the matches and valued on the other.",
    )
    yield listing(table, _CELLS, f"Every pair: gain of the one in {unit} a deal.", True)
    yield listing(
        seat_gains(ladder),
        _SEATS,
        "The same by seat of the one: tricks a deal, against its hosts' own.",
        True,
    )
    if len(answers):
        caption = (
            "The answers at each rung: tricks a deal above the quota, share of deals, call minus reveal."
        )
        yield listing(answers, _ANSWERS, caption, True)


def _exceptions(table: pd.DataFrame) -> Iterator[Text]:
    """Say where the ranking is no order."""
    exceptions = intransitivities(table)
    if len(exceptions):
        said = "; ".join(exception_in_words(row) for row in exceptions.to_dict("records"))
        yield Text(f"Where it is no order, or not beyond doubt: {said}.")


def _moves(answers: pd.DataFrame, ranked: pd.DataFrame) -> str:
    """Say how the answers move from the weakest to the strongest table."""
    weakest, strongest = ranked["strategy"].iloc[-1], ranked["strategy"].iloc[0]
    parts = []
    for quantity, seat, said in (
        (ADVANTAGE, "five", "the five takes {} tricks a deal against its quota"),
        (REVEALS, "", "reveals in {} of deals"),
        (MARGIN, "", "and calling is worth {} more than revealing"),
    ):
        rows = answers[(answers["quantity"] == quantity) & (answers["seat"] == seat)].set_index("rung")
        if {weakest, strongest} <= set(rows.index):
            values = [_said(rows.loc[name], quantity) for name in (weakest, strongest)]
            parts.append(said.format(" and ".join(values)))
    if not parts:
        return "The product's answers at each rung."
    return f"At a table of {weakest} and at one of {strongest}: {', '.join(parts)} (95% intervals)."


def _said(row: pd.Series, quantity: str) -> str:
    if quantity == REVEALS:
        return f"{row['value']:.1%} ({row['low']:.1%} to {row['high']:.1%})"
    return with_interval(row["value"], row["low"], row["high"], signed=True)
