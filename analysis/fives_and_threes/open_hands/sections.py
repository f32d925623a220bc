"""The report's chapter on what was played and what was possible, with all hands open."""

from collections.abc import Iterator, Sequence

import pandas as pd

from analysis.document import Block, Section, Text, listing
from analysis.fives_and_threes.open_hands.played import can_be_sampled, given_away, played_and_possible
from analysis.provenance import labels, line_up
from analysis.wording import with_interval
from sim.results import Run

TITLE = "Played and possible"

_PLACES = {
    "run": ("run", "text"),
    "place": ("place", "text"),
    "sure": ("sure of", "signed"),
    "sure_low sure_high": ("95% interval", "signed"),
    "gave": ("gave away", "number"),
    "was_given": ("was given", "number"),
    "made": ("made", "signed"),
    "gain": ("made − sure of", "signed"),
    "low high": ("95% of that", "signed"),
    "rounds": ("n rounds", "count"),
}
_GIVEN = {
    "players": ("players", "text"),
    "gave": ("gave away", "number"),
    "low high": ("95% interval", "number"),
    "matches": ("n matches", "count"),
}
_MEANS = (
    "With two sides, to be sure of a lead is to have a way to it whatever the other side does, which sees all"
    " tiles as well; of three players, one is sure of its own points against the other two, who play as one"
    " against it. Nobody knows so much at the table: these are values neither of hands nor of skill, and a"
    " tile that gives such a point away need not be a mistake."
)
_SUMS = (
    "What a side makes, its lead or of three players its points, is what it was sure of before the first"
    " tile, less what it gives away by its own tiles, plus what it is given by those of the others."
)


def played_section(runs: Sequence[Run]) -> list[Section]:
    """Write the chapter on the runs whose rounds can be replayed quickly enough; none if there is none."""
    sampled = [run for run in runs if can_be_sampled(run)]
    return [Section(TITLE, tuple(_blocks(sampled, runs)))] if sampled else []


def _blocks(sampled: Sequence[Run], runs: Sequence[Run]) -> Iterator[Block]:
    table = played_and_possible(sampled)
    yield Text(played_answer(table, sampled[0]), emphasis=True)
    yield Text(_MEANS)
    yield listing(table, _PLACES, f"Points a round by place; errors are over matches. {_SUMS}")
    yield listing(given_away(sampled), _GIVEN, "Points that a player gives away in a round.")
    left_out = [label for label, run in zip(labels(runs), runs, strict=True) if not can_be_sampled(run)]
    if left_out:
        yield Text(
            f"Left out, as their rounds cannot be played again here or take long: {'; '.join(left_out)}."
        )


def played_answer(table: pd.DataFrame, run: Run) -> str:
    """Say what the starter's side was sure of and what it made, of the first run of a table."""
    row = table.iloc[0]
    what = "points" if run.rules.sides > 2 else "points more than the other side"
    sure, made = (
        with_interval(row[name], row[f"{name}_low"], row[f"{name}_high"]) for name in ("sure", "made")
    )
    return (
        f"With all hands open before the first tile, between players of {line_up(run)}, the {row['place']}"
        f" could have been sure of {sure} {what} a round and made {made}."
    )
