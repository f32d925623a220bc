"""What to simulate: a frozen, validated description that fixes every number of a run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sim.core.game import Game
from sim.core.strategy import Strategy
from sim.games import find_game

MOST_UNITS = 10**13
MOST_SEED = 2**63 - 1


@dataclass(frozen=True)
class Experiment:
    """A run to make.

    Parameters
    ----------
    game : Game
        Which game.
    rules : Any
        The game's frozen rules.
    strategies : tuple of Strategy
        One a player.
    seed : int
        Together with the other fields it fixes all results, on any machine and for any number of jobs.
    units : int
        Deals or rounds to count, exactly; or 0 to count whole matches.
    matches : int
        Matches to play; where ``units`` is given, the number that it takes.
    hands : int
        Hands of the option study: every option of each played out on common deals.
    completions : int
        Deals for each of those hands.

    Raises
    ------
    ValueError
        If a field is out of range or does not fit the game.
    """

    game: Game
    rules: Any
    strategies: tuple[Strategy, ...]
    seed: int = 1
    units: int = 0
    matches: int = 0
    hands: int = 0
    completions: int = 64

    def __post_init__(self) -> None:
        players = self.game.players(self.rules)
        if len(self.strategies) != players:
            raise ValueError(
                f"{len(self.strategies)} strategies for {players} players: give one, or {players}"
            )
        _within("seed", self.seed, 0, MOST_SEED)
        _within(self.game.unit + "s", self.units, 0, MOST_UNITS)
        _within("matches", self.matches, 0, MOST_UNITS)
        _within("hands", self.hands, 0, 10**7)
        _within("completions", self.completions, 2, 10**6)
        if not (self.matches or self.hands):
            raise ValueError(f"nothing to play: give {self.game.unit}s, matches or hands")

    def as_dict(self) -> dict[str, Any]:
        """Return names and values that :func:`experiment` reads back."""
        return {
            "game": self.game.name,
            "rules": self.rules.as_dict(),
            "strategies": [strategy.name for strategy in self.strategies],
            "seed": self.seed,
            "units": self.units,
            "matches": self.matches,
            "hands": self.hands,
            "completions": self.completions,
        }


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
    _within(game.unit + "s", units, 0, MOST_UNITS)
    _within("matches", matches, 0, MOST_UNITS)
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


def _within(name: str, value: int, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"{name} {value!r}: must be a whole number from {least} to {most}")
