"""The runs of the standard report, of every game."""

from importlib import import_module

from sim.core.game import Experiment
from sim.games import GAMES


def standard_experiments(seed: int = 1, scale: float = 1.0) -> dict[str, Experiment]:
    """Describe the standard runs by name; the first one of each game gives the report's answer.

    Parameters
    ----------
    seed : int
        Of all runs.
    scale : float
        Part of the usual size, for a quick look.

    Raises
    ------
    ValueError
        If the scale is not positive.
    """
    if not scale > 0:
        raise ValueError(f"scale {scale:g}: must be above 0")
    return {
        f"{game.title}, {name}": described
        for game in GAMES
        for name, described in import_module(f"analysis.{game.name}.standard")
        .standard_experiments(seed, scale)
        .items()
    }
