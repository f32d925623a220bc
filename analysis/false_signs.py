"""Which of thousands of differences have a sure sign: local false sign rates by empirical Bayes.

How large true differences are is learnt from all estimates together, as a mixture of normal distributions
about zero; each estimate then has a posterior distribution, and the chance that its sign is wrong (Stephens
2017, "False discovery rates: a new deal", Biostatistics 18). Such chances need no correction for how many
were looked at, and stay right for those that were picked because they look large. Nothing here knows a game.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

_STEP = np.sqrt(2.0)
_MOST_ROUNDS = 500
_CLOSE = 1e-8
_FEWEST = 100
"""Below this many estimates nothing is learnt from them: every difference is as likely as any other."""


@dataclass(frozen=True, eq=False)
class NormalMixture:
    """Distribution of true differences: a mixture of normal distributions about zero.

    Attributes
    ----------
    scales : ndarray of float64, shape (K,)
        Standard deviations; infinite for the flat distribution.
    weights : ndarray of float64, shape (K,)
        Parts; they add up to 1.
    """

    scales: np.ndarray
    weights: np.ndarray

    def chance_negative(self, estimates: ArrayLike, errors: ArrayLike) -> np.ndarray:
        """Chance that the true difference is below zero, given an estimate and its standard error.

        Parameters
        ----------
        estimates, errors : array_like of float, shape (C,)
            Unbiased estimates and their standard errors, above 0; nan where nothing was estimated.

        Returns
        -------
        ndarray of float64, shape (C,)
            Between 0 and 1; nan where nothing was estimated.
        """
        estimates, errors = np.asarray(estimates, np.float64), np.asarray(errors, np.float64)
        if np.isinf(self.scales).all():
            return ndtr(-estimates / errors)
        likelihood = self.weights * _likelihood(estimates, errors, self.scales)
        posterior = likelihood / likelihood.sum(axis=1, keepdims=True)
        shrunk = self.scales / np.hypot(errors[:, None], self.scales)
        return (posterior * ndtr(-(estimates / errors)[:, None] * shrunk)).sum(axis=1)


FLAT = NormalMixture(np.array([np.inf]), np.array([1.0]))
"""Every difference as likely as any other."""


def fit_mixture(estimates: ArrayLike, errors: ArrayLike, weights: ArrayLike | None = None) -> NormalMixture:
    """Learn the distribution of true differences by maximum likelihood.

    Parameters
    ----------
    estimates, errors : array_like of float, shape (C,)
        Unbiased estimates and their standard errors, above 0. Those that are nan are passed over.
    weights : array_like of float, shape (C,), optional
        How much each counts, such as the hands that a class stands for.

    Returns
    -------
    NormalMixture
        On a grid of scales from a tenth of the least error to twice the largest difference, a factor √2
        apart; :data:`FLAT` for fewer than 100 estimates.
    """
    seen, noise = np.asarray(estimates, np.float64), np.asarray(errors, np.float64)
    known = np.isfinite(seen) & np.isfinite(noise)
    if known.sum() < _FEWEST:
        return FLAT
    seen, noise = seen[known], noise[known]
    parts = np.ones(seen.size) if weights is None else np.asarray(weights, np.float64)[known]
    parts = parts / parts.sum()
    scales = _grid(seen, noise)
    likelihood = _likelihood(seen, noise, scales)
    mixture = np.full(scales.size, 1 / scales.size)
    reached = -np.inf
    for _ in range(_MOST_ROUNDS):
        joint = likelihood * mixture
        total = joint.sum(axis=1)
        mixture = parts @ (joint / total[:, None])
        before, reached = reached, float(parts @ np.log(total))
        if reached - before < _CLOSE:
            break
    return NormalMixture(scales, mixture)


def _grid(estimates: np.ndarray, errors: np.ndarray) -> np.ndarray:
    least = errors.min() / 10
    largest = 2 * np.sqrt(max(float((estimates**2 - errors**2).max()), (8 * least) ** 2))
    return least * _STEP ** np.arange(int(np.ceil(np.log(largest / least) / np.log(_STEP))) + 1)


def _likelihood(estimates: np.ndarray, errors: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """Density of each estimate under each scale, but for a factor that is the same for all scales."""
    spread = np.hypot(errors[:, None], scales)
    exponent = -0.5 * (estimates[:, None] / spread) ** 2
    return np.exp(exponent - exponent.max(axis=1, keepdims=True)) / spread
