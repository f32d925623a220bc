"""The runs of the standard report on 3-2-5: several line-ups, with and without pulls, and option studies."""

from sim.core.game import Experiment
from sim.experiment import experiment

_MATCHES = 400_000
_GAME = "three-two-five"


def standard_experiments(seed: int, scale: float) -> dict[str, Experiment]:
    """Describe the runs by name.

    Parameters
    ----------
    seed : int
        Of all runs, so that all line-ups get the same cards.
    scale : float
        Part of the usual size: 18 million deals, and studies of 28,000 hands, at 1.
    """
    matches = max(2, round(_MATCHES * scale))
    thoughtful, naive = "heuristic", "first-suit"
    return {
        "heuristic": experiment(
            _GAME,
            matches=matches,
            seed=seed,
            strategies=thoughtful,
            hands=max(2, round(20_000 * scale)),
            completions=256,
        ),
        "heuristic-no-pulls": experiment(
            _GAME, matches=matches, seed=seed, strategies=thoughtful, rules={"pulls": False}
        ),
        "heuristic-against-first-suit": experiment(
            _GAME, matches=matches, seed=seed, strategies=[thoughtful, naive, naive]
        ),
        "first-suit": experiment(
            _GAME,
            matches=matches,
            seed=seed,
            strategies=naive,
            hands=max(2, round(8_000 * scale)),
            completions=128,
        ),
        "random": experiment(_GAME, matches=matches, seed=seed, strategies="random"),
    }
