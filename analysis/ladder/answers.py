"""How a game's answers move with the strength of the table: one line a rung of the ladder.

Every rung's own table, all of the same, answers the same few questions. Each game's ``ladder/answers.py`` has

``ANSWERS``       the :class:`Answer` columns
``titles``        a function of a ladder: title of the panel of each quantity, in their order
``remark``        a function of a ladder: what is to be said of them, or nothing
``rows``          a function of a run: its answers as rows, those left out that were not played
"""

from dataclasses import dataclass

import pandas as pd

from analysis.ladder.gains import ladder_sources
from analysis.ladder.measure import hooks_of
from sim.ladder.ladder import Ladder


@dataclass(frozen=True)
class Answer:
    """One of the answers.

    Parameters
    ----------
    quantity, group : str
        What it is, and whose: a seat, or empty.
    head : str
        Of its column, with ``{unit}`` for what scores are in.
    said : str
        What is said of the weakest and the strongest table, with ``{}`` for the two values; empty where the
        caption leaves it out.
    share : bool
        Whether it is a share of what is played.
    level : bool
        Whether it has nothing to do with zero: it is no balance of two sides.
    by_hands : bool
        Whether it rests on hands of the option study, not on matches.
    """

    quantity: str
    group: str
    head: str
    said: str = ""
    share: bool = False
    level: bool = False
    by_hands: bool = False


def answers_of(ladder: Ladder) -> tuple[Answer, ...]:
    """Return the answers of a ladder's game."""
    return hooks_of(ladder.game, "answers").ANSWERS


def sensitivity_by_rung(ladder: Ladder) -> pd.DataFrame:
    """What the game's answers are between players of each rung.

    Returns
    -------
    DataFrame
        Some rows a rung, in the ladder's order; what was not played is left out:

        ``rung``       strategy of all players
        ``quantity``   as the game's ``ladder/answers.py`` says; of 3-2-5 seat advantage: tricks a deal above
                       the quota; reveals: share of deals in which the five reveals; call − reveal: score of
                       the best call minus that of revealing, in tricks (``surplus``: points) a deal on first
                       deals; of Fives and Threes the start: points of the starter's side above the mean of
                       the others, a round; its matches: share of them won by the first starter's side;
                       rounds: those of a match
        ``seat``       five, three or two for the seat advantage, else empty
        ``value``      the quantity
        ``se``         its standard error, over matches or hands
        ``low, high``  95% interval; Wilson for shares
        ``n``          matches, or hands of the option study
    """
    hooks = hooks_of(ladder.game, "answers")
    rows = [
        {"rung": name, **row}
        for name, run in zip(ladder.plan.names, ladder.tables, strict=True)
        for row in hooks.rows(run)
    ]
    table = pd.DataFrame(rows, columns=["rung", "quantity", "seat", "value", "se", "low", "high", "n"])
    table.attrs |= {
        "provenance": f"{ladder_sources(ladder)}\n{_sizes(ladder)}",
        "titles": hooks.titles(ladder),
        **{
            kind: sorted({answer.quantity for answer in hooks.ANSWERS if getattr(answer, kind)})
            for kind in ("share", "level", "by_hands")
        },
        "table": _table_of(ladder),
    }
    return table


def _table_of(ladder: Ladder) -> str:
    """Name who sits at a rung's own table: ``three players of one strategy``."""
    number = {2: "two", 3: "three", 4: "four"}[ladder.game.players(ladder.plan.rules)]
    return f"{number} players of one strategy"


def _sizes(ladder: Ladder) -> str:
    """Say what each rung's own table rests on."""
    sizes = [
        f"{run.matches:,} matches"
        + (f", {run.hands:,} hands × {run.description['completions']:,} deals" if size.hands else "")
        for run, size in zip(ladder.tables, ladder.plan.tables, strict=True)
    ]
    who = _table_of(ladder).split()[0].capitalize()
    if len(set(sizes)) == 1:
        return f"{who} of the same: {sizes[0]} each."
    parts = (f"{name} {size}" for name, size in zip(ladder.plan.names, sizes, strict=True))
    return f"{who} of the same: {'; '.join(parts)}."
