"""The report's chapter on what was played and what was possible, with all hands open."""

from collections.abc import Iterator, Sequence

import pandas as pd

from analysis.document import Block, Section, Text, listing, picture
from analysis.figures import PALETTE
from analysis.provenance import labels, line_up
from analysis.three_two_five.open_hands.figures import draw_given_away
from analysis.three_two_five.open_hands.played import can_be_sampled, given_away, played_and_possible
from analysis.wording import with_interval
from sim.results import Run
from sim.three_two_five.rules import SEATS

TITLE = "Played and possible"

_SEATS = {
    "run": ("run", "text"),
    "seat": ("seat", "text"),
    "sure": ("sure of", "number"),
    "sure_low sure_high": ("95% interval", "number"),
    "gave": ("gave away", "number"),
    "was_given": ("was given", "number"),
    "took": ("took", "number"),
    "gain": ("took − sure of", "signed"),
    "low high": ("95% of that", "signed"),
    "deals": ("n deals", "count"),
}
_GIVEN = {
    "players": ("players", "text"),
    "trick": ("trick", "text"),
    "gave": ("gave away", "number"),
    "low high": ("95% interval", "number"),
    "matches": ("n matches", "count"),
}
_MEANS = (
    "To be sure of a number of tricks is to have a way to take them whatever the other two do, who see all"
    " hands as well and play as one against the player. Nobody knows so much at the table, and opponents"
    " seldom play as one: these are values neither of hands nor of skill. A card that gives such a trick away"
    " need not be a mistake, since to take a chance on what is likely can pay."
)
_SUMS = (
    "What a seat takes is what it was sure of at the first lead, less what it gives away by its own cards,"
    " plus what it is given by cards of the others."
)


def played_section(runs: Sequence[Run]) -> list[Section]:
    """Write the chapter on the runs whose deals can be replayed quickly enough; none if there is none."""
    sampled = [run for run in runs if can_be_sampled(run)]
    return [Section(TITLE, tuple(_blocks(sampled, runs)))] if sampled else []


def _blocks(sampled: Sequence[Run], runs: Sequence[Run]) -> Iterator[Block]:
    table, given = played_and_possible(sampled), given_away(sampled)
    yield Text(played_answer(table, sampled[0]), emphasis=True)
    yield Text(_MEANS)
    drawn = _drawable(given)
    yield picture(draw_given_away, drawn, _caption(drawn))
    yield listing(table, _SEATS, f"Tricks a deal by seat; errors are over matches. {_SUMS}")
    left_out = [label for label, run in zip(labels(runs), runs, strict=True) if not can_be_sampled(run)]
    if left_out:
        yield Text(
            f"Left out, as their deals cannot be played again here or take long: {'; '.join(left_out)}."
        )
    whole = given.assign(trick=given["trick"].astype(str).replace("0", "all"))
    yield listing(whole, _GIVEN, "Tricks that a player gives away in a deal, by number of the trick.", True)


def played_answer(table: pd.DataFrame, run: Run) -> str:
    """Say what each seat was sure of at the first lead and what it took, of the first run of a table."""
    parts = [
        f"the {row['seat']}{' could have been sure' * (row['seat'] == SEATS[0])} of"
        f" {with_interval(row['sure'], row['sure_low'], row['sure_high'])} tricks a deal and took"
        f" {with_interval(row['took'], row['took_low'], row['took_high'])}"
        for row in table[table["run"] == table["run"].iloc[0]].to_dict("records")
    ]
    return (
        f"With all hands open from the first lead on, between players of {line_up(run)}, {', '.join(parts)}."
    )


def _drawable(given: pd.DataFrame) -> pd.DataFrame:
    """Return the first lines of the table, as many as have colours of their own."""
    shown = given[given["players"].isin(given["players"].unique()[: len(PALETTE)])]
    shown.attrs = given.attrs
    return shown


def _caption(given: pd.DataFrame) -> str:
    """Say what a player gives away in a whole deal."""
    parts = [
        f"{with_interval(row['gave'], row['low'], row['high'])} for {row['players']}"
        for row in given[given["trick"] == 0].to_dict("records")
    ]
    return f"Tricks that a player gives away by its card to each trick; in a whole deal {'; '.join(parts)}."
