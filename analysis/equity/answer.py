"""What a standing is worth: the chances to win the match from it, and what points would change.

Each game's ``analysis/<game>/equity/answer.py`` fills an :class:`EquityAnswer`; nothing here knows a game.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from analysis.estimates import Estimate, Share, json_number
from sim.batch import Progress
from sim.core.game import find_game
from sim.core.strategy import Strategy

if TYPE_CHECKING:
    import pandas as pd

TABLE, PLAYED = "table", "played on"
"""Where the chances come from: a finished table, or matches played on from the standing."""


@dataclass(frozen=True)
class Chance:
    """One side's or seat's chance to win the match.

    Attributes
    ----------
    name : str
        Whose.
    win : Share
        Chance to win alone.
    tie : Share or None
        Chance to share the top, where matches can be tied.
    """

    name: str
    win: Share
    tie: Share | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the chance for programs."""
        tie = {} if self.tie is None else {"tie": self.tie.as_dict()}
        return {"name": self.name, "win": self.win.as_dict(), **tie}


@dataclass(frozen=True)
class Worth:
    """What some points are worth.

    Attributes
    ----------
    group, points : str
        Who would make them, and how many.
    win : Share
        The chance to win, of who is asked about, with them.
    change : Estimate
        That chance less the one without them. Both errors are taken as independent.
    """

    group: str
    points: str
    win: Share
    change: Estimate

    def as_dict(self) -> dict[str, Any]:
        """Return what the points are worth, for programs."""
        return {
            "group": self.group,
            "points": self.points,
            "win": self.win.as_dict(),
            "change": self.change.as_dict(),
        }


@dataclass(frozen=True)
class EquityAnswer:
    """The chances from one standing.

    Attributes
    ----------
    game : str
        Name of the game, ``fives_and_threes``.
    asked : mapping
        The standing by names, for programs.
    heading : str
        The standing in words.
    chances : tuple of Chance
        Of every side or seat.
    worth : tuple of Worth
        What points would change.
    worth_title : str
        What is said above them.
    source : {"table", "played on"}
        Where the numbers come from.
    rules : mapping
        All rules by name.
    strategies : tuple of str
        By player.
    seed : int
        Of the play.
    matches : int
        Matches played on; 0 where a table had the answer.
    seconds : float
        Time that they took; nan where a table had the answer.
    notes : tuple of str
        What a reader should know besides, a sentence each.
    """

    game: str
    asked: Mapping[str, Any]
    heading: str
    chances: tuple[Chance, ...]
    worth: tuple[Worth, ...]
    worth_title: str
    source: str
    rules: Mapping[str, Any]
    strategies: tuple[str, ...]
    seed: int
    matches: int = 0
    seconds: float = math.nan
    notes: tuple[str, ...] = ()

    def record(self) -> dict[str, Any]:
        """Return the answer for programs: one object, numbers unrounded, None for what is not known."""
        return {
            "game": self.game,
            **self.asked,
            "chances": [chance.as_dict() for chance in self.chances],
            "worth": [worth.as_dict() for worth in self.worth],
            "source": self.source,
            "matches": self.matches,
            "rules": dict(self.rules),
            "strategies": list(self.strategies),
            "seed": self.seed,
            "seconds": json_number(self.seconds),
            "notes": list(self.notes),
        }

    def frame(self) -> "pd.DataFrame":
        """Return the chances as a table.

        Returns
        -------
        DataFrame
            One row a side or seat: ``name``, ``chance`` to win alone, ``se`` (standard error), ``low``,
            ``high`` (95% interval), and ``tie``, nan where there is no such thing.
        """
        import pandas as pd

        rows = [
            (
                chance.name,
                chance.win.mean,
                chance.win.se,
                *chance.win.interval(),
                chance.tie.mean if chance.tie else math.nan,
            )
            for chance in self.chances
        ]
        return pd.DataFrame(rows, columns=["name", "chance", "se", "low", "high", "tie"])


def change(after: Share, before: Share) -> Estimate:
    """Return by how much a chance changes, the errors of both being taken as independent."""
    return Estimate(after.mean - before.mean, math.hypot(after.se, before.se), min(after.n, before.n))


def match_equity(
    game: str,
    score: Sequence[int],
    *,
    rules: Mapping[str, Any] | None = None,
    strategies: str | Strategy | Sequence[str | Strategy] = "heuristic",
    seed: int = 1,
    precision: float = 0.004,
    jobs: int = 1,
    on_progress: Callable[[Progress], None] | None = None,
    **standing: Any,
) -> EquityAnswer:
    """Return the chance to win a match from where it stands.

    Parameters
    ----------
    game : str
        ``"fives-and-threes"`` or ``"three-two-five"``.
    score : sequence of int
        Fives and Threes: yours first, then those of the others clockwise, by side where partners play.
        3-2-5: those of the players who sit five, three and two in the next deal.
    rules : mapping
        Options of the rulebook that differ from the defaults.
    strategies : str, Strategy, or one a player
        Who plays on.
    seed : int
        Of matches that are played on.
    precision : float
        Standard error of a chance, where it is played.
    jobs : int
        Calls at the same time; -1 for one a core.
    on_progress : callable, optional
        As for :func:`sim.equity.playing.play_on`.
    **standing
        Fives and Threes: ``starter``, ``"me"`` (default) or ``"other"``, with three players ``"left"`` or
        ``"right"``. 3-2-5: ``deals_left`` and ``debts``, pulls of five, three and two.

    Raises
    ------
    ValueError
        If the standing cannot occur, or an option is not valid.
    """
    module = import_module(f"analysis.{find_game(game).name}.equity.answer")
    return module.answer(
        tuple(score),
        rules=rules,
        strategies=strategies,
        seed=seed,
        precision=precision,
        jobs=jobs,
        on_progress=on_progress,
        **standing,
    )


def matches_for(precision: float) -> int:
    """Return how many matches give a chance this standard error, however even it is."""
    return math.ceil(0.25 / precision**2)
