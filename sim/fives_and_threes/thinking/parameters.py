"""Parameters of a player that thinks, behind those of the heuristic."""

from sim.fives_and_threes.heuristic import PARAMETERS
from sim.fives_and_threes.tiles import TILES
from sim.thinking.parameters import RANGES as SHARED_RANGES
from sim.thinking.parameters import THOUGHT as SHARED
from sim.thinking.parameters import columns_behind

THOUGHT = SHARED | {
    # So many worlds are worth as much as what heuristic thinks of a move before any is played out.
    "prior": 25.0,
}
MOST_SOLVED = TILES // 2
RANGES = SHARED_RANGES | {"solve": (0, MOST_SOLVED), "prior": (0.0, 10_000.0)}
COLUMNS = columns_behind(len(PARAMETERS))
PRIOR = len(PARAMETERS) + len(SHARED)
