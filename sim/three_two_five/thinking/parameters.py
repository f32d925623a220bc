"""The numbers of a strategy that thinks: its policies, and its parameters beside those of the heuristic."""

from sim.three_two_five.heuristic import PARAMETERS

ROLLOUT, NESTED, SAMPLED = 50, 51, 50
"""Policies of the play, and of all other decisions."""
THINKING = 50
"""Policy numbers from here on, and below those of users, mean a strategy that samples worlds."""
MOST_WORLDS = 10_000

THOUGHT = {
    # Worlds that a decision samples.
    "worlds": 50.0,
    # Last tricks of a sampled world that are solved exactly; 0 for none.
    "solve": 0.0,
    # Worlds that each player inside a nested play-out samples for a card.
    "inner": 4.0,
    # In every so many-th world of nested play-outs all three play as heuristic; 0: in none.
    "mixed": 0.0,
    # 1: worlds are weighed by how likely the others would have called and played as they did.
    "infer": 0.0,
    # Worlds dealt for each that is kept, when they are weighed.
    "dealt": 8.0,
    # Weight of a world for each card, and for a call, that heuristic would not have chosen in it.
    "unlikely_play": 0.5,
    "unlikely_call": 0.2,
    # Policy of the play that the others are taken to follow, in worlds and in play-outs; 2 is heuristic.
    "others": 2.0,
    # How many times as many worlds the trump decision takes for the two options that lead.
    "trump_worlds": 8.0,
}
RANGES = {
    "worlds": (1, MOST_WORLDS),
    "solve": (0, 10),
    "inner": (1, 100),
    "mixed": (0, MOST_WORLDS),
    "infer": (0, 1),
    "dealt": (1, 100),
    "unlikely_play": (0.001, 1.0),
    "unlikely_call": (0.001, 1.0),
    "others": (0, 2),
    "trump_worlds": (1, 100),
}
"""Least and most of each; between whole numbers only whole ones are valid."""
(
    WORLDS, SOLVE, INNER, MIXED, INFER, DEALT, UNLIKELY_PLAY, UNLIKELY_CALL, OTHERS, TRUMP_WORLDS,
) = range(len(PARAMETERS), len(PARAMETERS) + len(THOUGHT))  # fmt: skip
