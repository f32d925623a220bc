"""What to do with one hand: its options ranked, as a table for people and as a record for programs.

Each game's ``analysis/<game>/advise.py`` fills an :class:`Advice` by a function of the name and arguments of
:func:`advise` but the first; nothing here knows a game.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from analysis.choices import RankedOption
from analysis.estimates import Share, json_number
from sim.batch import Progress
from sim.core.game import find_game
from sim.core.strategy import Strategy

if TYPE_CHECKING:
    import pandas as pd

BOOK, SIMULATED = "book", "simulated"
"""Where the numbers of an advice come from: a finished opening book, or deals played on the spot."""


@dataclass(frozen=True)
class AdvisedOption(RankedOption):
    """One option of a hand: a :class:`RankedOption`, its values a deal or round.

    Attributes
    ----------
    makes : Share or None
        How often the option makes what it aims at (the quota of the five), where there is such a thing.
    """

    makes: Share | None = None


@dataclass(frozen=True)
class Advice:
    """The options of one hand, the best first.

    Attributes
    ----------
    game : str
        Name of the game, ``three_two_five``.
    hand : tuple of str
        The cards or tiles, by their names in records.
    options : tuple of AdvisedOption
        Ordered by unrounded value; the loss of the first one is 0 ± 0.
    unit : str
        Unit of values and losses, ``tricks a deal``.
    source : {"book", "simulated"}
        Where the numbers come from.
    n : int
        Deals that the numbers of the best option rest on.
    rules : mapping
        All rules by name.
    strategies : tuple of str
        By player; player 0 holds the hand.
    seed : int
        Of the deals.
    makes : str
        What the options' ``makes`` is the share of, ``makes five``; empty if there is no such thing.
    notes : tuple of str
        What a reader should know besides, a sentence each.
    seconds : float
        Time that playing took, compiling apart; nan if nothing was played.
    extra : mapping
        Further keys of the record.
    """

    game: str
    hand: tuple[str, ...]
    options: tuple[AdvisedOption, ...]
    unit: str
    source: str
    n: int
    rules: Mapping[str, Any]
    strategies: tuple[str, ...]
    seed: int
    makes: str = ""
    notes: tuple[str, ...] = ()
    seconds: float = math.nan
    extra: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    def record(self) -> dict[str, Any]:
        """Return the advice for programs: one object, numbers unrounded, None for what is not known."""
        return {
            "game": self.game,
            "hand": list(self.hand),
            **self.extra,
            "options": [self._option_record(option) for option in self.options],
            "unit": self.unit,
            "source": self.source,
            "n": self.n,
            "rules": dict(self.rules),
            "strategies": list(self.strategies),
            "seed": self.seed,
            "seconds": json_number(self.seconds),
            "notes": list(self.notes),
        }

    def _option_record(self, option: AdvisedOption) -> dict[str, Any]:
        record = {
            "option": option.name,
            "value": option.value.as_dict(),
            "loss": json_number(option.loss.mean),
            "ci": [json_number(end) for end in option.loss.interval()],
            "best": option.chance_best,
        }
        if option.makes is not None:
            record[self.makes.replace(" ", "_") or "makes"] = option.makes.as_dict()
        return record

    def frame(self) -> "pd.DataFrame":
        """Return the options as a table.

        Returns
        -------
        DataFrame
            One row an option, the best first:

            ``option``       name
            ``value``        mean value, in ``unit``
            ``se``           its standard error
            ``low, high``    95% interval of the value
            ``loss``         value of the best option minus this one's, paired
            ``loss_se``      its standard error
            ``loss_low, loss_high``  95% interval of the loss
            ``chance_best``  chance of being truly the best, given the errors
            ``makes``        share of deals that make what is aimed at; nan if there is no such thing
            ``n``            deals behind the value's error
        """
        import pandas as pd

        rows = []
        for option in self.options:
            value, loss = option.value, option.loss
            makes = math.nan if option.makes is None else option.makes.mean
            numbers = (value.mean, value.se, *value.interval(), loss.mean, loss.se, *loss.interval())
            rows.append((option.name, *numbers, option.chance_best, makes, value.n))
        names = "option value se low high loss loss_se loss_low loss_high chance_best makes n"
        return pd.DataFrame(rows, columns=names.split())


def advise(
    game: str,
    hand_text: str,
    *,
    rules: Mapping[str, Any] | None = None,
    strategies: str | Strategy | Sequence[str | Strategy] = "heuristic",
    seed: int = 1,
    precision: float | None = None,
    jobs: int = 1,
    on_progress: Callable[[Progress], None] | None = None,
) -> Advice:
    """Rank what can be done with a hand.

    Parameters
    ----------
    game : str
        ``"three-two-five"`` or ``"fives-and-threes"``.
    hand_text : str
        Cards or tiles in any spelling; player 0 holds them.
    rules : mapping
        Options of the rulebook that differ from the defaults.
    strategies : str, Strategy, or one a player
        Who plays the deals out.
    seed : int
        Of the deals.
    precision : float, optional
        Standard error of each loss to stop at, where deals are played for the answer; by default 0.02, or
        what a finished opening book has.
    jobs : int
        Deals played at the same time.
    on_progress : callable, optional
        Told if something has to be compiled first.

    Returns
    -------
    Advice
        Options by value, the best first.

    Raises
    ------
    ValueError
        If the hand, a rule, a strategy or a number is not valid.
    """
    if precision is not None and not precision > 0:
        raise ValueError(f"precision {precision!r}: must be above 0")
    if not (jobs == -1 or jobs >= 1):
        raise ValueError(f"jobs {jobs!r}: must be a whole number from 1, or -1 for one a core")
    answer = import_module(f"analysis.{find_game(game).name}.advise").advise(
        hand_text,
        rules=dict(rules or {}),
        strategies=[strategies] if isinstance(strategies, str | Strategy) else list(strategies),
        seed=seed,
        precision=precision,
        jobs=jobs,
        on_progress=on_progress or _ignore,
    )
    assert isinstance(answer, Advice)
    return answer


def _ignore(_progress: Progress) -> None:
    """Stand in where nobody asked for progress."""
