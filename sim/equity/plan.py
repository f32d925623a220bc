"""What table of match equity to make: a frozen, validated description that fixes every number of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sim.core.game import MOST_SEED, Game, find_game
from sim.core.strategy import Strategy

LEAST_PRECISION, MOST_PRECISION = 0.0005, 0.1


@dataclass(frozen=True)
class EquityPlan:
    """A table to make.

    Parameters
    ----------
    game : Game
        Which game.
    rules : Any
        The game's frozen rules.
    strategy : Strategy
        How everybody plays. Seats that play alike can be exchanged, which keeps the table small; mixed
        line-ups are played out from the scores asked.
    seed : int
        Fixes every card and tile.
    precision : float
        Standard error wanted of a chance; each game's ``equity.model`` says where it has to be smaller.

    Raises
    ------
    ValueError
        If a field is out of range.
    """

    game: Game
    rules: Any
    strategy: Strategy
    seed: int = 1
    precision: float = 0.004

    def __post_init__(self) -> None:
        if not 0 <= self.seed <= MOST_SEED:
            raise ValueError(f"seed {self.seed}: must be a whole number from 0 to {MOST_SEED}")
        if not LEAST_PRECISION <= self.precision <= MOST_PRECISION:
            raise ValueError(
                f"precision {self.precision:g}: must be from {LEAST_PRECISION:g} to {MOST_PRECISION:g}"
            )

    @property
    def strategies(self) -> tuple[Strategy, ...]:
        """Return the strategy of every player."""
        return (self.strategy,) * self.game.players(self.rules)

    def as_dict(self) -> dict[str, Any]:
        """Return names and values that :func:`from_dict` reads back."""
        return {
            "game": self.game.name,
            "rules": self.rules.as_dict(),
            "strategy": self.strategy.name,
            "seed": self.seed,
            "precision": self.precision,
        }


def from_dict(description: Mapping[str, Any]) -> EquityPlan:
    """Rebuild the plan that :meth:`EquityPlan.as_dict` described.

    Raises
    ------
    ValueError
        If it names something that does not exist, such as a user's own strategy.
    """
    game = find_game(description["game"])
    return EquityPlan(
        game=game,
        rules=game.rules_type.from_options(dict(description["rules"])),
        strategy=game.book.parse(description["strategy"]),
        seed=description["seed"],
        precision=description["precision"],
    )
