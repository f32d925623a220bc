"""The numbers of a strategy that thinks: its policies, and its parameters beside those of the heuristic."""

from typing import NamedTuple

from sim.core.strategy import CUSTOM

ROLLOUT, NESTED, SAMPLED = 50, 51, 50
"""Policies of the play, and of all other decisions."""
THINKING = 50
"""Policy numbers from here on, and below those of users, mean a strategy that samples worlds."""
MOST_WORLDS = 10_000

THOUGHT = {
    # Worlds that a decision samples.
    "worlds": 50.0,
    # Last tricks, or tiles of each player, of a sampled world that are solved exactly; 0 for none.
    "solve": 0.0,
    # Worlds that each player inside a nested play-out samples for a choice.
    "inner": 4.0,
    # In every so many-th world of nested play-outs all play as heuristic; 0: in none.
    "mixed": 0.0,
    # 1: worlds are weighed by how likely the others would have played as they did.
    "infer": 0.0,
    # Worlds dealt for each that is kept, when they are weighed.
    "dealt": 8.0,
    # Weight of a world for each choice of another player that heuristic would not have made in it.
    "unlikely_play": 0.5,
    # Policy of the play that the others are taken to follow, in worlds and in play-outs; 2 is heuristic.
    "others": 2.0,
}
RANGES: dict[str, tuple[float, float]] = {
    "worlds": (1, MOST_WORLDS),
    "inner": (1, 100),
    "mixed": (0, MOST_WORLDS),
    "infer": (0, 1),
    "dealt": (1, 100),
    "unlikely_play": (0.001, 1.0),
    "others": (0, 2),
}
"""Least and most of each; between whole numbers only whole ones are valid. Each game adds its own."""


class Columns(NamedTuple):
    """Columns of the parameters that every game has, in their order."""

    worlds: int
    solve: int
    inner: int
    mixed: int
    infer: int
    dealt: int
    unlikely_play: int
    others: int


def columns_behind(first: int) -> Columns:
    """Return the columns of THOUGHT where so many stand before them."""
    return Columns(*range(first, first + len(THOUGHT)))


def thinks(policy: int) -> bool:
    """Whether a policy number is that of a decider."""
    return THINKING <= policy < CUSTOM
