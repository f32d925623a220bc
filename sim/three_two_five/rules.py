"""The options of 3-2-5, validated, and the row of integers that a kernel reads."""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

SEVENS = ("low", "hearts_high", "spades_high")
SCORINGS = ("difference", "surplus", "tricks")
DIFFERENCE, SURPLUS, TRICKS = 0, 1, 2
QUOTAS = (5, 3, 2)
SEATS = ("five", "three", "two")
PLAYERS = 3
TRICKS_PER_DEAL = 10
LONGEST_MATCH = 999

REVEAL = 4
"""The fifth option of the trump maker, beside calling suits 0 to 3."""

RULE_SEVENS, RULE_SCORING, RULE_PULLS, RULE_LENGTH, RULE_COUNT = range(5)


@dataclass(frozen=True)
class Rules:
    """Options of the rulebook.

    Parameters
    ----------
    sevens : {"low", "hearts_high", "spades_high"}
        Place of the two sevens (R4, R31).
    scoring : {"difference", "surplus", "tricks"}
        Score of a deal (R26).
    pulls : bool
        Whether debts are pulled in the next deal (R14–R21, R32).
    deals_per_match : int
        A multiple of three (R7).

    Raises
    ------
    ValueError
        If an option has no such value.
    """

    sevens: str = "low"
    scoring: str = "difference"
    pulls: bool = True
    deals_per_match: int = 9

    def __post_init__(self) -> None:
        _require("sevens", self.sevens, SEVENS)
        _require("scoring", self.scoring, SCORINGS)
        if not isinstance(self.pulls, bool):
            raise ValueError(f"rule pulls={self.pulls!r}: valid are true and false")
        length = self.deals_per_match
        if isinstance(length, bool) or not isinstance(length, int):
            raise ValueError(f"deals per match {length!r}: a whole number is needed")
        if length % 3 or not 0 < length <= LONGEST_MATCH:
            raise ValueError(
                f"deals per match {length}: must be a multiple of three from 3 to {LONGEST_MATCH}, "
                "so that everybody holds each quota equally often (R7)"
            )

    @classmethod
    def from_options(cls, options: dict[str, Any]) -> "Rules":
        """Build from names and values, where values may be text as typed on a command line.

        Raises
        ------
        ValueError
            If a name or a value is not one of the rulebook's.
        """
        known = {field.name for field in fields(cls)}
        values = {}
        for name, value in options.items():
            if name not in known:
                raise ValueError(f"no rule {name!r} in 3-2-5: valid are {', '.join(sorted(known))}")
            values[name] = _read(name, value)
        return cls(**values)

    def as_dict(self) -> dict[str, Any]:
        """Return the options by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def row(self) -> np.ndarray:
        """Return the options as kernels read them: int64 of shape (4,)."""
        row = np.zeros(RULE_COUNT, np.int64)
        row[RULE_SEVENS] = SEVENS.index(self.sevens)
        row[RULE_SCORING] = SCORINGS.index(self.scoring)
        row[RULE_PULLS] = self.pulls
        row[RULE_LENGTH] = self.deals_per_match
        return row


def _require(name: str, value: Any, valid: tuple[str, ...]) -> None:
    if value not in valid:
        raise ValueError(f"rule {name}={value!r}: valid are {', '.join(valid)}")


def _read(name: str, value: Any) -> Any:
    """Turn the text of an option into its type; leave what is no text to the constructor."""
    if not isinstance(value, str):
        return value
    if name == "pulls":
        switches = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
        return switches.get(value.lower(), value)
    if name == "deals_per_match":
        try:
            return int(value)
        except ValueError:
            return value
    return value
