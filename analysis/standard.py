"""The runs of the standard report: several line-ups, with and without pulls, and option studies."""

from sim.experiment import Experiment, experiment

_MATCHES = 400_000
_GAME = "three-two-five"


def standard_experiments(seed: int = 1, scale: float = 1.0) -> dict[str, Experiment]:
    """Describe the standard runs by name; the first one gives the report's answer.

    Parameters
    ----------
    seed : int
        Of all runs, so that all line-ups get the same cards.
    scale : float
        Part of the usual size, for a quick look; 18 million deals, and studies of 28,000 hands, at 1.

    Raises
    ------
    ValueError
        If the scale is not positive.
    """
    if not scale > 0:
        raise ValueError(f"scale {scale:g}: must be above 0")
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
