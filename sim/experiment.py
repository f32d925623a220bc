"""Describe by names what to simulate, and read such a description back."""

from collections.abc import Mapping, Sequence
from typing import Any

from sim.core.game import MOST_UNITS, Experiment, Game, find_game, within
from sim.core.strategy import Strategy


def experiment(
    game: str | Game,
    *,
    units: int = 0,
    matches: int = 0,
    seed: int = 1,
    strategies: str | Strategy | Sequence[str | Strategy] = "heuristic",
    rules: Mapping[str, Any] | None = None,
    hands: int = 0,
    completions: int = 64,
) -> Experiment:
    """Describe a run by names.

    Parameters
    ----------
    game : str or Game
        ``"three-two-five"``.
    units, matches : int
        How many deals (rounds), or whole matches, to play: give one of them, or neither for an
        option study alone.
    seed : int
        0 to 2**63 - 1.
    strategies : str, Strategy, or one a player
        Names such as ``"heuristic+never-reveal"``, or what :meth:`StrategyBook.custom` made.
    rules : mapping
        Options of the rulebook that differ from the defaults.
    hands, completions : int
        Hands of the option study and deals for each.

    Raises
    ------
    ValueError
        If a name, number or combination is not valid; the message says what would be.
    """
    game = find_game(game) if isinstance(game, str) else game
    settings = game.rules_type.from_options(dict(rules or {}))
    within(game.unit + "s", units, 0, MOST_UNITS)
    within("matches", matches, 0, MOST_UNITS)
    if units and matches:
        raise ValueError(f"give {game.unit}s or matches, not both")
    settings, matches, units = game.extent(settings, units, matches)
    given = [strategies] if isinstance(strategies, str | Strategy) else list(strategies)
    chosen = [game.book.parse(one) if isinstance(one, str) else one for one in given]
    if len(chosen) == 1:
        chosen *= game.players(settings)
    return Experiment(game, settings, tuple(chosen), seed, units, matches, hands, completions)


def from_dict(description: Mapping[str, Any]) -> Experiment:
    """Rebuild the experiment that :meth:`Experiment.as_dict` described.

    Raises
    ------
    ValueError
        If it names something that does not exist, such as a user's own strategy.
    """
    game = find_game(description["game"])
    return Experiment(
        game=game,
        rules=game.rules_type.from_options(dict(description["rules"])),
        strategies=tuple(game.book.parse(name) for name in description["strategies"]),
        **{name: description[name] for name in ("seed", "units", "matches", "hands", "completions")},
    )
