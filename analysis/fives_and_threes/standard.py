"""The runs of the standard report on Fives and Threes: two, three and four players, and who beats whom."""

from sim.core.game import Experiment
from sim.experiment import experiment

_MATCHES = 60_000
_DUELS = 20_000
_HANDS = 6_000
_GAME = "fives-and-threes"


def standard_experiments(seed: int, scale: float) -> dict[str, Experiment]:
    """Describe the runs by name.

    Parameters
    ----------
    seed : int
        Of all runs.
    scale : float
        Part of the usual size: 1.5 million rounds between equal players, and studies of 18,000 hands, at 1.
    """

    def at_least_two(usual: int) -> int:
        return max(2, round(usual * scale))

    equal = {
        f"{players} players, heuristic": experiment(
            _GAME,
            matches=at_least_two(_MATCHES),
            seed=seed,
            rules={"players": players},
            strategies="heuristic",
            hands=at_least_two(_HANDS),
            completions=128,
        )
        for players in (2, 3, 4)
    }
    duels = {
        f"{players} players, {better} against {worse}": experiment(
            _GAME,
            matches=at_least_two(_DUELS),
            seed=seed,
            rules={"players": players},
            strategies=[better, *others],
        )
        for better, worse in (("heuristic", "greedy"), ("greedy", "random"))
        for players, others in ((2, [worse]), (3, [worse, worse]), (4, [worse, better, worse]))
    }
    return equal | duels
