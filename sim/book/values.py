"""What the counters of a book say of each option: means less control variates, and their errors.

A control variate subtracts from an option's mean the part that lucky or unlucky hidden cards explain:
``coefficient · (mean of the covariates − their exact mean)``. The coefficients are least-squares fits on
the search deals; applied to the fresh deals they cannot be fitted to the noise there, so the adjusted
mean stays unbiased (Glasserman 2003, *Monte Carlo Methods in Financial Engineering*, section 4.1). The duel
with a rival has no search deals of both, and none; nor has a game that names no covariates.
"""

from dataclasses import dataclass

import numpy as np

from sim.book.plan import SEARCH, BookPlan
from sim.core.game import Counters

_RIDGE = 1e-3
_FEWEST = 256
"""Search deals below which no coefficients are fitted: they would only add noise."""


def variance_between(covariance: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the variance of the difference of two options a class, given by number.

    Parameters
    ----------
    covariance : float64 (C, O, O) array
        Of one completion, or of the means.
    first, second : int64 (C,) arrays
        Which options.

    Returns
    -------
    float64 (C,) array
        Nan where one was not played.
    """
    rows = np.arange(first.size)
    own = covariance[rows, first, first] + covariance[rows, second, second]
    return np.maximum(own - 2 * covariance[rows, first, second], 0.0)


@dataclass(frozen=True)
class OptionMoments:
    """Mean and covariance of one stage, by class.

    Parameters
    ----------
    n : int64 (C, O) array
        Completions of each option.
    mean : float64 (C, O) array
        Mean score in points, adjusted; nan where the option was not played.
    covariance : float64 (C, O, O) array
        Of the adjusted scores of one completion. For two options with unequal ``n`` it is that of the
        completions they share.
    """

    n: np.ndarray
    mean: np.ndarray
    covariance: np.ndarray

    def difference(self, first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Compare two options a class, given by number, on the completions that they share.

        Returns
        -------
        mean, variance : float64 (C,) arrays
            Of the difference; the variance is that of one completion.
        n : int64 (C,) array
            Completions that both have.
        """
        rows = np.arange(first.size)
        mean = self.mean[rows, first] - self.mean[rows, second]
        n = np.minimum(self.n[rows, first], self.n[rows, second])
        return mean, variance_between(self.covariance, first, second), n

    def errors(self) -> np.ndarray:
        """Return the covariance of the means, float64 (C, O, O); nan for options not played.

        Options with unequal numbers of completions are taken as independent: what they share is a small
        part of the larger number, and leaving it out makes the error of their difference a little too large.
        No difference has the error 0, however alike the options were on every completion: one more
        completion might have told them apart by a point.
        """
        n = np.where(self.n > 1, self.n, np.nan)
        alone = self.covariance / (n[:, :, None] - 1) + np.eye(n.shape[1]) / (2 * n[:, :, None] ** 2)
        return np.where(n[:, :, None] == n[:, None, :], alone, 0.0)


def coefficients(plan: BookPlan, counters: Counters) -> np.ndarray:
    """Fit the control variates of every option on the search deals.

    Returns
    -------
    float64 (C, O, K) array
        Zero for options that the search dropped and for hands with few search deals.
    """
    seen = plan.tally(counters, SEARCH)
    n, sums, z, zz, cross = seen.n, seen.sums, seen.z, seen.zz, seen.cross
    total = n.max(axis=1)
    size = np.maximum(total, 1)[:, None]
    covariance_z = zz / size[:, :, None] - _products(z / size, z / size)
    with_score = cross / size[:, :, None] - _products(sums / size, z / size)
    covariance_z += _RIDGE * np.eye(plan.covariates)
    fitted = np.linalg.solve(covariance_z, with_score.transpose(0, 2, 1)).transpose(0, 2, 1)
    usable = (n == total[:, None]) & (total >= _FEWEST)[:, None]
    return np.where(usable[:, :, None], fitted, 0.0)


def option_moments(plan: BookPlan, counters: Counters, stage: int, fitted: np.ndarray) -> OptionMoments:
    """Adjusted means and covariances of one stage.

    Parameters
    ----------
    plan : BookPlan
        Of the book.
    counters : dict
        Of the book.
    stage : int
        One of STAGES.
    fitted : float64 (C, O, K) array
        Coefficients; zeros for plain means.
    """
    seen = plan.tally(counters, stage)
    n, sums, z, zz, cross = seen.n, seen.sums, seen.z, seen.zz, seen.cross
    total = n.max(axis=1)
    size = np.maximum(total, 1)[:, None].astype(np.float64)
    # A control variate needs its covariates over the option's own completions: only full options have them.
    beta = np.where((n == total[:, None])[:, :, None], fitted, 0.0)
    exact = plan.covariate_means(plan.cards)
    own = np.maximum(n, 1)
    plain = np.where(n > 0, sums / own, np.nan)
    mean = plain - (beta @ (z / size - exact)[:, :, None])[:, :, 0]
    shared = np.minimum(n[:, :, None], n[:, None, :])
    scores = seen.products / np.maximum(shared, 1) - _products(plain, plain)
    z_mean = z / size
    covariance_z = zz / size[:, :, None] - _products(z_mean, z_mean)
    with_score = cross / own[:, :, None] - _products(np.nan_to_num(plain), z_mean)
    explained = with_score @ beta.transpose(0, 2, 1)
    quadratic = beta @ covariance_z @ beta.transpose(0, 2, 1)
    return OptionMoments(n, mean, scores - explained - explained.transpose(0, 2, 1) + quadratic)


def after_duel(
    value: np.ndarray, errors: np.ndarray, other: np.ndarray, rival: int, duel: OptionMoments
) -> tuple[np.ndarray, np.ndarray]:
    """Value a rival with what the duel says of it as well: the other minus it, on deals of their own.

    The difference becomes the mean of the two stages', each weighted by its precision, and the value of
    the rival that of the other less this difference. The values of the others stay what they are.

    Parameters
    ----------
    value : float64 (C, O) array
        By the fresh deals.
    errors : float64 (C, O, O) array
        Their covariance.
    other : int64 (C,) array
        The option that met the rival.
    rival : int
        Number of the rival.
    duel : OptionMoments
        Of the DUEL stage; classes without deals there are left as they are.

    Returns
    -------
    value, errors : arrays like those given
    """
    each = np.full(other.size, rival)
    rows = np.arange(other.size)
    difference, _, n = duel.difference(other, each)
    met = n > 0
    own, new = variance_between(errors, other, each), variance_between(duel.errors(), other, each)
    # What is left of the fresh deals' difference; the rest is the duel's.
    left = np.where(met, new / (own + new), 1.0)
    onto = np.tile(np.eye(value.shape[1]), (other.size, 1, 1))
    onto[rows, rival, rival] = left
    onto[rows, rival, other] += 1 - left
    found = (onto @ value[:, :, None])[:, :, 0]
    covariance = onto @ errors @ onto.transpose(0, 2, 1)
    found[met, rival] -= ((1 - left) * difference)[met]
    covariance[met, rival, rival] += ((1 - left) ** 2 * new)[met]
    return found, covariance


def _products(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Products of each pair of two rows, by class."""
    return first[:, :, None] * second[:, None, :]
