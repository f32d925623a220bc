"""Columns of the parameters of a player that thinks, behind those of the heuristic."""

from sim.fives_and_threes.heuristic import PARAMETERS
from sim.thinking.parameters import THOUGHT

WORLDS, SOLVE, INNER, MIXED, INFER, DEALT, UNLIKELY_PLAY, OTHERS = range(
    len(PARAMETERS), len(PARAMETERS) + len(THOUGHT)
)
