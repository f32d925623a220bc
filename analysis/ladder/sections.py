"""A report's chapters on ladders: who is stronger, who can exploit whom, how the answers move."""

from collections.abc import Iterator, Sequence

import pandas as pd

from analysis.document import Block, Section, Text, listing, picture
from analysis.ladder.answers import Answer, answers_of, sensitivity_by_rung
from analysis.ladder.figures import draw_cross_play, draw_sensitivity_by_rung
from analysis.ladder.gains import cross_play, exploitability
from analysis.ladder.measure import Measure, hooks_of, measures_of
from analysis.ladder.order import (
    exception_in_words,
    intransitivities,
    open_pairs,
    order_in_words,
    ranking,
)
from analysis.ladder.shipped import shipped_ladders
from analysis.wording import with_interval
from sim.ladder.ladder import Ladder
from sim.results import Run

TITLE = "How strong are the players?"

_CELLS = {
    "gain": ("gain", "signed"),
    "low high": ("95% interval", "signed"),
    "matches": ("n matches", "count"),
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
    "responder": ("best response of those tried", "text"),
    "gain": ("gains at least", "signed"),
    "low high": ("95% interval", "signed"),
    "tried": ("tried", "count"),
    "matches": ("n matches", "count"),
}
_ANSWERS = {
    "rung": ("all of", "text"),
    "quantity": ("quantity", "text"),
    "seat": ("seat", "text"),
    "value": ("value", "signed"),
    "low high": ("95% interval", "signed"),
    "n": ("n matches or hands", "count"),
}


def chapters(ladders: Sequence[Ladder], runs: Sequence[Run]) -> list[Section]:
    """Write a chapter on each ladder that is given, or else on the shipped ones by the rules of some runs.

    Parameters
    ----------
    ladders : sequence of Ladder
        Of one game.
    runs : sequence of Run
        Of the same game.

    Raises
    ------
    ValueError
        If nothing was played on a ladder.
    """
    if ladders:
        return [
            ladder_section(ladder, title) for ladder, title in zip(ladders, _titles(ladders), strict=True)
        ]
    rules = [run.rules for run in runs]
    shipped = [made for made in (shipped_ladders(runs[0].game) if runs else []) if made.plan.rules in rules]
    return [_shipped(ladder, title) for ladder, title in zip(shipped, _titles(shipped), strict=True)]


def _shipped(ladder: Ladder, title: str) -> Section:
    """Write the chapter on a ladder that comes with the package."""
    chapter = ladder_section(ladder, title)
    where_from = (
        "The ladder comes with the package and was not played for this report:"
        f" digest {ladder.digest}; `make ladder` plays it again."
    )
    return Section(chapter.title, (*chapter.blocks, Text(where_from)))


def _titles(ladders: Sequence[Ladder]) -> list[str]:
    """Return a title a ladder; several are told apart by the number of players, or numbered."""
    if len(ladders) == 1:
        return [TITLE]
    players = [ladder.game.players(ladder.plan.rules) for ladder in ladders]
    if len(set(players)) == len(players):
        return [f"{TITLE} ({number} players)" for number in players]
    return [f"{TITLE} ({number})" for number in range(1, len(ladders) + 1)]


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
    if not ladder.units:
        raise ValueError(f"nothing was played on the ladder of {', '.join(ladder.plan.names)}")
    return Section(title, tuple(_blocks(ladder)))


def _blocks(ladder: Ladder) -> Iterator[Block]:
    principal, *others = measures_of(ladder)
    yield from _opening(ladder, principal)
    table = cross_play(ladder, principal.name)
    answers = sensitivity_by_rung(ladder)
    if len(answers):
        yield picture(draw_sensitivity_by_rung, answers, _moves(ladder, answers, ranking(table)))
        if remark := hooks_of(ladder.game, "answers").remark(ladder):
            yield Text(remark)
    yield from _details(ladder, principal)
    yield Text(
        "Who beats whom is settled between the two. What gains most at a weak table is another question: the"
        " answers to one strategy gain more there than the strongest player does."
    )
    for measure in others:
        yield from _opening(ladder, measure)
        yield from _details(ladder, measure)
    yield from hooks_of(ladder.game, "measures").further(ladder)
    if len(answers):
        yield listing(answers, _ANSWERS, _heads(ladder), True)


def _opening(ladder: Ladder, measure: Measure) -> Iterator[Block]:
    """Say the order by one measure, how it was found, and show the gains."""
    table = cross_play(ladder, measure.name)
    yield Text(f"{measure.unit.capitalize()}: {order_in_words(table)}", emphasis=True)
    yield Text(
        f"{measure.how}; errors are over whole matches. One strategy beats another if it"
        " gains among those of the other and the other loses among those of the first, both with 95%"
        " intervals that leave out zero."
    )
    yield picture(draw_cross_play, table, f"What {measure.gains}, {measure.unit} ± standard error.")


def _details(ladder: Ladder, measure: Measure) -> Iterator[Block]:
    """List ranking, exceptions, lower bounds and every pair by one measure."""
    table = cross_play(ladder, measure.name)
    if not open_pairs(table):
        yield listing(ranking(table), _RANKING, f"The rungs, the strongest first; gains in {measure.unit}.")
    yield from _exceptions(table)
    yield listing(
        exploitability(ladder, measure.name),
        {"strategy": (measure.two, "text"), **_EXPLOITS},
        f"How far each strategy can be exploited: a lower bound, in {measure.unit}. The best response, among"
        " the rungs and challengers tried, is chosen on one half of the matches and valued on the other.",
    )
    names = {"one": (measure.one, "text"), "two": (measure.two, "text")}
    yield listing(table, names | _CELLS, f"Every pair: gain of the first in {measure.unit}.", True)


def _heads(ladder: Ladder) -> str:
    """Say what the answers are."""
    titles = hooks_of(ladder.game, "answers").titles(ladder).values()
    return f"The answers at each rung: {'; '.join(title[0].lower() + title[1:] for title in titles)}."


def _exceptions(table: pd.DataFrame) -> Iterator[Text]:
    """Say where the ranking is no order."""
    exceptions = intransitivities(table)
    if len(exceptions):
        said = "; ".join(exception_in_words(row) for row in exceptions.to_dict("records"))
        yield Text(f"Where it is no order, or not beyond doubt: {said}.")


def _moves(ladder: Ladder, answers: pd.DataFrame, ranked: pd.DataFrame) -> str:
    """Say how the answers move from the weakest to the strongest table."""
    weakest, strongest = ranked["strategy"].iloc[-1], ranked["strategy"].iloc[0]
    parts = []
    for answer in answers_of(ladder):
        mine = (answers["quantity"] == answer.quantity) & (answers["seat"] == answer.group)
        rows = answers[mine].set_index("rung")
        if answer.said and {weakest, strongest} <= set(rows.index):
            values = [_said(rows.loc[name], answer) for name in (weakest, strongest)]
            parts.append(answer.said.format(" and ".join(values)))
    if not parts:
        return "The product's answers at each rung."
    return f"At a table of {weakest} and at one of {strongest}: {', '.join(parts)} (95% intervals)."


def _said(row: pd.Series, answer: Answer) -> str:
    if answer.share:
        return f"{row['value']:.1%} ({row['low']:.1%} to {row['high']:.1%})"
    return with_interval(row["value"], row["low"], row["high"], signed=not answer.level)
