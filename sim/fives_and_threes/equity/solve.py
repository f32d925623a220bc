"""From counted rounds to the chance to win: the recursion over scores, and its errors.

``chance[own, other]`` is that of the side that starts the next round. Scores never fall and the start
passes to the other side (F3, F14), so that

    chance[a, b] = P(starter wins now) + Σ P(a, b → a', b') (1 − chance[b', a'])

is solved from high scores to low ones. Where a round may leave the scores as they were, ``[a, b]`` and
``[b, a]`` depend on each other: two equations for two unknowns.

Errors follow by the delta method. Counts of different cells are independent multinomials, and the chance is
linear in the outcomes of each, so that its variance is the sum over cells of ``influence² · spread / n``:
influence is how often a match from here is expected to come by that cell (with a sign: whose turn it is),
spread the variance of the chance after one round from there.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Solution:
    """What the counts say.

    Parameters
    ----------
    chance : float64 (target, target) array
        Chance of the starter's side to win the match, by its score and the other's.
    spread : float64 (target, target) array
        Variance of that chance as it stands one round later, round by round.
    n : int64 (target, target) array
        Rounds counted.
    moves : list of float64 arrays
        Share of each outcome, cell by cell, as a table of points by points.
    """

    chance: np.ndarray
    spread: np.ndarray
    n: np.ndarray
    moves: list[np.ndarray]


def solve(counts: np.ndarray, offsets: np.ndarray, target: int) -> Solution:
    """Solve the recursion.

    Parameters
    ----------
    counts, offsets : int64 arrays
        As :func:`sim.fives_and_threes.equity.rounds.play_rounds` fills and takes them; no cell is empty.
    target : int
        Score that wins (F13).

    Raises
    ------
    ValueError
        If from some score no round ever scores, so that a match would not end.
    """
    n = np.add.reduceat(counts, offsets[:-1]).reshape(target, target)
    moves = [
        counts[offsets[cell] : offsets[cell + 1]].reshape(target - own + 1, target - other + 1)
        / n[own, other]
        for cell, (own, other) in enumerate(np.ndindex(target, target))
    ]
    chance = np.full((target, target), np.nan)
    for total in range(2 * target - 2, -1, -1):
        for own in range(max(0, total - target + 1), total // 2 + 1):
            _solve_pair(chance, moves, own, total - own, target)
    spread = np.array(
        [
            _spread(moves[cell], _after(chance, own, other, target))
            for cell, (own, other) in enumerate(np.ndindex(target, target))
        ]
    )
    return Solution(chance, spread.reshape(target, target), n, moves)


def _solve_pair(chance: np.ndarray, moves: list[np.ndarray], own: int, other: int, target: int) -> None:
    """Solve for a cell and the one with the scores exchanged, all higher totals being known."""
    known, stays = [], []
    for a, b in ((own, other), (other, own)):
        after, shares = _after(chance, a, b, target), moves[a * target + b]
        after[0, 0] = 0.0
        known.append(float((shares * after).sum()))
        stays.append(float(shares[0, 0]))
    if stays[0] * stays[1] == 1:
        raise ValueError(f"no round from {own} and {other} scored: by these rules a match may never end")
    for place, (a, b) in enumerate(((own, other), (other, own))):
        mine, theirs = known[place], known[1 - place]
        stay, back = stays[place], stays[1 - place]
        chance[a, b] = (mine + stay * (1 - theirs - back)) / (1 - stay * back)


def _after(chance: np.ndarray, own: int, other: int, target: int) -> np.ndarray:
    """Return the starter's chance by the points that both sides made in the round."""
    after = np.empty((target - own + 1, target - other + 1))
    after[:-1, :-1] = 1 - chance[other:, own:].T
    after[:, -1] = 0.0
    after[-1, :] = 1.0
    return after


def _spread(shares: np.ndarray, after: np.ndarray) -> float:
    """Return the variance of the chance after one round."""
    mean = float((shares * after).sum())
    return float((shares * (after - mean) ** 2).sum())


def influence(solution: Solution) -> np.ndarray:
    """Return how often a match from each cell is expected to come by each, with the sign of whose turn it is.

    Returns
    -------
    float32 (cells, cells) array
        Row by row the cells to start from; errors of its entries do not matter beyond their size.
    """
    target = solution.chance.shape[0]
    found = np.zeros((target, target, target * target), np.float32)
    for total in range(2 * target - 2, -1, -1):
        for own in range(max(0, total - target + 1), total // 2 + 1):
            _influence_of_pair(found, solution.moves, own, total - own, target)
    return found.reshape(target * target, -1)


def _influence_of_pair(found: np.ndarray, moves: list[np.ndarray], own: int, other: int, target: int) -> None:
    """Fill in the rows of a cell and the one with the scores exchanged."""
    pairs = ((own, other), (other, own))
    rows = []
    for a, b in pairs:
        shares = moves[a * target + b][:-1, :-1].T.astype(np.float32)
        shares[0, 0] = 0.0
        row = np.zeros(target * target, np.float32)
        for gain in np.flatnonzero(shares.any(axis=1)):
            row -= shares[gain] @ found[b + gain, a:]
        row[a * target + b] += 1
        rows.append(row)
    stays = [moves[a * target + b][0, 0] for a, b in pairs]
    for place, (a, b) in enumerate(pairs):
        found[a, b] = (rows[place] - stays[place] * rows[1 - place]) / (1 - stays[0] * stays[1])


def standard_errors(solution: Solution) -> np.ndarray:
    """Return the standard error of each chance: float64 of the shape of ``solution.chance``."""
    noise = (solution.spread / solution.n).ravel()
    squares = np.square(influence(solution))
    return np.sqrt(squares @ noise.astype(np.float32)).astype(np.float64).reshape(solution.chance.shape)
