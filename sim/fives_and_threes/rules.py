"""The options of Fives and Threes, validated, and the row of integers that a kernel reads."""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from sim.core.jit import helper
from sim.fives_and_threes.tiles import TILES

CUSTOMARY_HAND = {2: 7, 3: 5, 4: 5}
"""Tiles dealt to each player, by number of players (F2)."""
MOST_PLAYERS = 4
MOST_SIDES = 3
MOST_TARGET = 999
MOST_BONUS = 5

LONGEST_MATCH = 400
"""Rounds after which a match ends without a winner; the tally counts such matches.

Matches to 61 take 7 to 15 rounds, but with some options the target can never be met exactly: one tile
each, an out worth 5 and a target of 4.
"""

PLAYING, OUT, BLOCKED, TARGET = -1, 0, 1, 2
"""How a round ended: the target goes before going out (F9–F11, F13)."""
ENDINGS = ("out", "blocked", "target")

RULE_PLAYERS, RULE_TARGET, RULE_HAND, RULE_BONUS, RULE_COUNT = range(5)


@dataclass(frozen=True)
class Rules:
    """Options of the rulebook.

    Parameters
    ----------
    players : {2, 3, 4}
        Four play as two partnerships (F1).
    target : int or None
        Score that wins (F13), 1 to 999; with None a match is one round, scored without a target.
    hand : int or None
        Tiles dealt to each (F2); None for the customary 7, 5 or 5, which it is then set to.
    out_bonus : int
        What the tile that ends a round by going out scores besides (F9, F10), 0 to 5.

    Raises
    ------
    ValueError
        If an option has no such value.
    """

    players: int = 2
    target: int | None = 61
    hand: int | None = None
    out_bonus: int = 1

    def __post_init__(self) -> None:
        _within("players", self.players, 2, MOST_PLAYERS)
        if self.hand is None:
            object.__setattr__(self, "hand", CUSTOMARY_HAND[self.players])
        if self.target is not None:
            _within("target", self.target, 1, MOST_TARGET, " or none")
        _within("hand", self.hand, 1, TILES // self.players, f" for {self.players} players (28 tiles in all)")
        _within("out_bonus", self.out_bonus, 0, MOST_BONUS)

    @property
    def hand_size(self) -> int:
        """Tiles dealt to each player."""
        return self.hand or CUSTOMARY_HAND[self.players]

    @property
    def sides(self) -> int:
        """Number of scores kept: two in partnership, otherwise one a player (F14)."""
        return 2 if self.players == MOST_PLAYERS else self.players

    @property
    def longest_match(self) -> int:
        """Rounds that a match can take at most."""
        return 1 if self.target is None else LONGEST_MATCH

    @classmethod
    def from_options(cls, options: dict[str, Any]) -> "Rules":
        """Build from names and values, where values may be text as typed on a command line.

        Raises
        ------
        ValueError
            If a name or a value is not one of the rulebook's.
        """
        known = [field.name for field in fields(cls)]
        for name in options:
            if name not in known:
                raise ValueError(
                    f"no rule {name!r} in Fives and Threes: valid are {', '.join(sorted(known))}"
                )
        return cls(**{name: _read(value) for name, value in options.items()})

    def as_dict(self) -> dict[str, Any]:
        """Return the options by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def row(self) -> np.ndarray:
        """Return the options as kernels read them: int64 of shape (4,); no target is 0."""
        row = np.zeros(RULE_COUNT, np.int64)
        row[RULE_PLAYERS] = self.players
        row[RULE_TARGET] = self.target or 0
        row[RULE_HAND] = self.hand_size
        row[RULE_BONUS] = self.out_bonus
        return row


@helper
def side_of(player, players):
    """Side that a player scores for: 0 and 2 against 1 and 3, otherwise itself (F1, F14)."""
    return player & 1 if players == MOST_PLAYERS else player


def _within(name: str, value: Any, least: int, most: int, besides: str = "") -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"rule {name}={value!r}: valid are {least} to {most}{besides}")


def _read(value: Any) -> Any:
    """Turn the text of an option into its type; leave what is no text to the constructor."""
    if not isinstance(value, str):
        return value
    if value.strip().lower() == "none":
        return None
    try:
        return int(value)
    except ValueError:
        return value
