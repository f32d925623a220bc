"""Ratios and differences, with clustered errors, from integer counters of whole clusters.

A kernel totals K integer quantities over each cluster (a match) and keeps only the sums of these totals
and of their products. That is enough for the linearised (delta-method) error of any ratio of linear
combinations, and for the difference of any two such ratios. The influence of a cluster with totals T on
the ratio R = aT / bT is ((a - R b) T) / (sum of bT): a linear function of T, so its variance is a quadratic
form of the product sums. All of it is done in exact rationals: a small variance is never the rounded
difference of two large numbers.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from analysis.estimates import Estimate, Share, exact

Combination = str | Mapping[str, int | float | Fraction]
"""The name of one quantity, or the weight of each of several."""

Weights = dict[int, Fraction]

EACH_CLUSTER = -1  # index of the implicit quantity that is 1 in every cluster


@dataclass(frozen=True, eq=False)
class Moments:
    """First and second moments of K quantities over independent clusters.

    Attributes
    ----------
    n : int
        Number of clusters.
    totals : ndarray of int64, shape (K,)
        Each quantity summed over all clusters.
    gram : ndarray of int64, shape (K, K)
        Products of the clusters' totals, summed over all clusters; symmetric.
    names : tuple of str, length K
        Names of the quantities.

    Raises
    ------
    ValueError
        If shapes do not fit, a name occurs twice, `gram` is not symmetric, or a sum of squares is smaller
        than its total allows (a counter that overflowed, most likely).
    """

    n: int
    totals: np.ndarray
    gram: np.ndarray
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", int(self.n))
        size = len(self.names)
        if self.totals.shape != (size,) or self.gram.shape != (size, size):
            raise ValueError(
                f"moments of {size} names with totals {self.totals.shape} and gram {self.gram.shape}: "
                f"must be {(size,)} and {(size, size)}"
            )
        if len(set(self.names)) < size:
            raise ValueError(f"moments of {', '.join(self.names)}: a name may occur only once")
        if not np.array_equal(self.gram, self.gram.T):
            raise ValueError("moments: gram must be symmetric")
        for k, name in enumerate(self.names):
            total, square = int(self.totals[k]), int(self.gram[k, k])
            if self.n * square < total * total:
                raise ValueError(f"{name}: sum of squares {square} is too small for {self.n} of sum {total}")

    def __add__(self, other: "Moments") -> "Moments":
        """Pool two independent sets of clusters with the same quantities."""
        if self.names != other.names:
            raise ValueError(f"moments of {', '.join(other.names)} cannot join {', '.join(self.names)}")
        return Moments(self.n + other.n, self.totals + other.totals, self.gram + other.gram, self.names)

    def total(self, combination: Combination) -> Fraction:
        """Return the exact total of a combination over all clusters, to be ranked without rounding."""
        return self._total(self._weights(combination))

    def ratio(self, numerator: Combination, denominator: Combination | None = None) -> Estimate:
        """Estimate the total of `numerator` per unit of `denominator`.

        Parameters
        ----------
        numerator, denominator : str or mapping of str to number
            Name of a quantity, or weights of several. Without a denominator: per cluster.

        Returns
        -------
        Estimate
            The error is clustered and linearised, with n / (n - 1); its n counts clusters. nan if the
            denominator's total is 0, and the error alone if there are fewer than two clusters.

        Raises
        ------
        ValueError
            If a name is unknown.
        """
        over = self._weights(denominator)
        above = self._weights(numerator)
        if self._total(over) == 0:
            return Estimate(math.nan, math.nan, self.n)
        mean = self._total(above) / self._total(over)
        return Estimate(float(mean), self._error(self._influence(above, over)), self.n)

    def mean(self, combination: Combination) -> Estimate:
        """Estimate the mean of a combination per cluster."""
        return self.ratio(combination)

    def share(self, numerator: Combination, denominator: Combination | None = None) -> Share:
        """Estimate a ratio known to lie between 0 and 1, as a clustered share.

        Raises
        ------
        ValueError
            If the ratio is not between 0 and 1, or a name is unknown.
        """
        ratio = self.ratio(numerator, denominator)
        if ratio.mean < 0 or ratio.mean > 1:
            raise ValueError(f"share of {numerator} in {denominator} is {ratio.mean:g}: must be 0 to 1")
        return Share(ratio.mean, ratio.se, ratio.n, clustered=True)

    def difference(
        self,
        a: Combination,
        b: Combination,
        denominator: Combination | None = None,
        denominator_b: Combination | None = None,
    ) -> Estimate:
        """Estimate the paired difference of two ratios over the same clusters.

        Parameters
        ----------
        a, b : str or mapping of str to number
            The two numerators, `a` minus `b`.
        denominator : str or mapping, optional
            Denominator of `a`; clusters if left out.
        denominator_b : str or mapping, optional
            Denominator of `b`; that of `a` if left out.

        Returns
        -------
        Estimate
            Mean and error are exactly 0 for arms that are equal cluster by cluster (case 18).
        """
        over_a = self._weights(denominator)
        over_b = over_a if denominator_b is None else self._weights(denominator_b)
        if self._total(over_a) == 0 or self._total(over_b) == 0:
            return Estimate(math.nan, math.nan, self.n)
        above_a, above_b = self._weights(a), self._weights(b)
        mean = self._total(above_a) / self._total(over_a) - self._total(above_b) / self._total(over_b)
        influence = _combine(self._influence(above_a, over_a), self._influence(above_b, over_b), Fraction(-1))
        return Estimate(float(mean), self._error(influence), self.n)

    def design_effect(self, numerator: str, denominator: str, squares: str) -> float:
        """Clustered variance of a ratio over the variance that independent units would give.

        Parameters
        ----------
        numerator, denominator : str
            A quantity and the number of units.
        squares : str
            The quantity that totals the units' squares (the numerator itself, if it counts 0 or 1).

        Returns
        -------
        float
            Above 1 if clustering costs precision; nan if the units do not vary.
        """
        units, total = self.total(denominator), self.total(numerator)
        spread = units * self.total(squares) - total * total
        if units < 2 or spread == 0:
            return math.nan
        return self.ratio(numerator, denominator).se ** 2 / float(spread / (units * units * (units - 1)))

    def covariance(
        self, numerators: Sequence[Combination], denominator: Combination | None = None
    ) -> np.ndarray:
        """Covariance of several ratios over one denominator.

        Returns
        -------
        ndarray of float64, shape (C, C)
            The square of the ratios' standard errors on the diagonal; all nan for fewer than two clusters.
        """
        over = self._weights(denominator)
        influences = [self._influence(self._weights(above), over) for above in numerators]
        if self.n < 2:
            return np.full((len(influences),) * 2, math.nan)
        return np.array([[float(self._covariance(u, v)) for v in influences] for u in influences])

    @cached_property
    def _products(self) -> np.ndarray:
        # Python integers, and a last row and column for the quantity that is 1 in every cluster.
        products = np.empty((len(self.names) + 1,) * 2, dtype=object)
        products[:-1, :-1] = self.gram.astype(object)
        products[-1, :-1] = products[:-1, -1] = self.totals.astype(object)
        products[-1, -1] = int(self.n)
        return products

    def _weights(self, combination: Combination | None) -> Weights:
        if combination is None:
            return {EACH_CLUSTER: Fraction(1)}
        if isinstance(combination, str):
            combination = {combination: 1}
        for name in combination:
            if name not in self.names:
                raise ValueError(f"unknown quantity {name!r}: choose from {', '.join(self.names)}")
        return {self.names.index(name): exact(weight) for name, weight in combination.items()}

    def _total(self, weights: Weights) -> Fraction:
        return sum((w * self._products[k, EACH_CLUSTER] for k, w in weights.items()), Fraction(0))

    def _influence(self, above: Weights, over: Weights) -> Weights:
        units = self._total(over)
        mean = self._total(above) / units
        return {k: w / units for k, w in _combine(above, over, -mean).items()}

    def _covariance(self, u: Weights, v: Weights) -> Fraction:
        products = (x * y * self._products[j, k] for j, x in u.items() for k, y in v.items())
        return sum(products, Fraction(0)) * self.n / (self.n - 1)

    def _error(self, influence: Weights) -> float:
        if self.n < 2:
            return math.nan
        variance = self._covariance(influence, influence)
        if variance < 0:
            raise ValueError("moments: gram is not a sum of products (a counter overflowed, most likely)")
        return math.sqrt(variance)


def _combine(left: Weights, right: Weights, factor: Fraction) -> Weights:
    return {k: left.get(k, Fraction(0)) + factor * right.get(k, Fraction(0)) for k in {**left, **right}}
