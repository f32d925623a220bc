"""The runs of the standard report: several line-ups, with and without pulls, and option studies."""

from collections.abc import Callable, Iterator

from sim.batch import Progress, run
from sim.experiment import Experiment, experiment
from sim.results import Run

_MATCHES = 200_000
_GAME = "three-two-five"


def standard_experiments(seed: int = 1, scale: float = 1.0) -> dict[str, Experiment]:
    """Describe the standard runs by name; the first one gives the report's answer.

    Parameters
    ----------
    seed : int
        Of all runs, so that all line-ups get the same cards.
    scale : float
        Part of the usual size, for a quick look; about 8 million deals and 14 million of the option
        studies at 1.

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
            hands=max(2, round(10_000 * scale)),
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
            hands=max(2, round(4_000 * scale)),
            completions=64,
        ),
        "random": experiment(_GAME, matches=matches, seed=seed, strategies="random"),
    }


def standard_runs(
    seed: int = 1,
    scale: float = 1.0,
    jobs: int = 1,
    on_progress: Callable[[Progress], None] | None = None,
) -> Iterator[tuple[str, Run]]:
    """Play the standard runs one after another, each with its name; parameters as above and for `sim.run`."""
    for name, planned in standard_experiments(seed, scale).items():
        yield name, run(planned, jobs, on_progress=on_progress)
