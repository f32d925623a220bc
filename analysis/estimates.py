"""Estimates that carry their errors: means, shares and the intervals about them.

Nothing here knows a game. An estimate comes from *independent* units (hands, matches, trials): what to
count as one unit is the caller's business, and `analysis.moments` builds estimates from clustered counters.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv, ndtri, stdtrit


@dataclass(frozen=True)
class Estimate:
    """A mean with its standard error.

    Attributes
    ----------
    mean : float
        The estimated mean; nan where there was nothing to average.
    se : float
        Standard error of the mean, in the unit of the mean; nan if fewer than two units were seen.
    n : int
        Number of independent units behind the error.
    """

    mean: float
    se: float
    n: int

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Student interval with ``n - 1`` degrees of freedom.

        Parameters
        ----------
        level : float
            Confidence level, strictly between 0 and 1.

        Returns
        -------
        tuple of float
            Low and high end; (nan, nan) for fewer than two units, since nothing is then known of the error
            and no comparison with nan holds.
        """
        critical = student(level, self.n)
        return self.mean - critical * self.se, self.mean + critical * self.se

    def as_dict(self) -> dict[str, float | int | None]:
        """Return ``{"mean", "se", "n"}``, unrounded, with None in the place of nan (JSON has none)."""
        return {"mean": json_number(self.mean), "se": json_number(self.se), "n": int(self.n)}

    def text(self, signed: bool = False) -> str:
        """Format as ``3.355 ± 0.003``, with the digits that the error supports.

        Parameters
        ----------
        signed : bool
            Write a plus sign before positive means, as fits a difference.
        """
        return _plus_minus(self.mean, self.se, signed=signed)

    def __str__(self) -> str:
        return self.text()

    def __format__(self, spec: str) -> str:
        return format(self.mean, spec) if spec else self.text()


@dataclass(frozen=True)
class Share(Estimate):
    """A proportion with its standard error and an interval within [0, 1].

    Attributes
    ----------
    clustered : bool
        False for ``n`` independent trials; True if the error comes from ``n`` clusters of dependent ones.
    most : int, optional
        The most independent trials that a clustered share can be worth, where that is known.
    """

    clustered: bool = False
    most: int | None = None

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Wilson interval, on the effective number of trials if the share is clustered.

        Where the most that these can be is known, the exact interval by the effective number (Korn and
        Graubard, Confidence intervals for proportions with small expected number of positive counts, 1998),
        which does not leave out 0 for less than a whole trial.

        The effective number is the one at which independent trials would show the same error,
        p(1 - p) / se². Where the error is 0 (no variation was seen, as at 0% and 100%) it is the number
        of clusters, the fewest that the data can be worth, so that the width is never zero; it is never
        above the most that they can be worth. Clustered
        shares take Student's critical value with ``n - 1`` degrees of freedom.

        Returns
        -------
        tuple of float
            Low and high end within [0, 1]; (nan, nan) if the error is unknown.
        """
        critical = student(level, self.n) if self.clustered else normal(level)
        if math.isnan(self.se):
            return math.nan, math.nan
        n = self._effective_n()
        if self.most is None:
            low, high = _wilson(self.mean, n, critical)
        else:
            n *= (normal(level) / critical) ** 2
            low, high = clopper_pearson(self.mean * n, n, level)
        return float(low), float(high)

    def _effective_n(self) -> float:
        if not self.clustered:
            return self.n
        most = math.inf if self.most is None else self.most
        if self.se == 0 or self.mean in (0, 1):
            return self.n if self.most is None else most
        return min(self.mean * (1 - self.mean) / self.se**2, most)

    def text(self, signed: bool = False) -> str:
        """Format as ``25.3% ± 0.2%``, or with the 95% interval where the error is 0: ``0% (0% to 27.8%)``."""
        if self.se != 0:
            return _plus_minus(100 * self.mean, 100 * self.se, unit="%", signed=signed)
        low, high = self.interval()
        return f"{100 * self.mean:.3g}% ({100 * low:.3g}% to {100 * high:.3g}%)"

    def __str__(self) -> str:
        return self.text()


def share(k: int, n: int) -> Share:
    """Estimate a proportion from `k` successes in `n` independent trials.

    Raises
    ------
    ValueError
        If `k` is negative or above `n`.
    """
    if not 0 <= k <= n:
        raise ValueError(f"share of {k} in {n}: successes must lie between 0 and the number of trials")
    if n == 0:
        return Share(math.nan, math.nan, 0)
    p = k / n
    return Share(p, math.sqrt(p * (1 - p) / n), int(n))


def wilson(k: ArrayLike, n: ArrayLike, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Wilson score interval for `k` successes in `n` independent trials.

    Parameters
    ----------
    k, n : array_like
        Successes and trials, broadcast against each other.
    level : float
        Confidence level, strictly between 0 and 1.

    Returns
    -------
    low, high : ndarray of float64, or float64 for scalars
        Exactly 0 where less than a whole trial succeeded, exactly 1 where less than one failed; [0, 1] for no
        trials.

    Raises
    ------
    ValueError
        If some `k` is negative or above its `n`.
    """
    k, n = np.broadcast_arrays(np.asarray(k, np.float64), np.asarray(n, np.float64))
    wrong = (k < 0) | (k > n)
    if wrong.any():
        first = f"{k[wrong][0]:g} in {n[wrong][0]:g}"
        raise ValueError(f"interval for {first}: successes must lie between 0 and the number of trials")
    return _wilson(np.divide(k, n, out=np.full(k.shape, 0.5), where=n > 0), n, normal(level))


def clopper_pearson(k: ArrayLike, n: ArrayLike, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Exact interval for `k` successes in `n` independent trials, after Clopper and Pearson (1934).

    It covers at least as often as it says for every share and number of trials, where that of Wilson covers
    as little as four times in five if a handful of successes are to be expected.

    Parameters
    ----------
    k, n : array_like
        Successes and trials, broadcast against each other, ``0 <= k <= n``; whole or effective numbers.
    level : float
        Confidence level, strictly between 0 and 1.

    Returns
    -------
    low, high : ndarray of float64, or float64 for scalars
        Exactly 0 where less than a whole trial succeeded, exactly 1 where less than one failed; [0, 1] for no
        trials.
    """
    k, n = np.broadcast_arrays(np.asarray(k, np.float64), np.asarray(n, np.float64))
    tail = 1 - _upper(level)
    low = np.where(k >= 1, betaincinv(np.maximum(k, 1), n - k + 1, tail), 0.0)
    high = np.where(n - k >= 1, betaincinv(k + 1, np.maximum(n - k, 1), 1 - tail), 1.0)
    return low[()], high[()]


def _wilson(p: ArrayLike, n: ArrayLike, critical: float) -> tuple[np.ndarray, np.ndarray]:
    p, n = np.asarray(p, np.float64), np.asarray(n, np.float64)
    z2 = critical * critical
    centre = (n * p + z2 / 2) / (n + z2)
    half = critical * np.sqrt(n * p * (1 - p) + z2 / 4) / (n + z2)
    low = np.where((p == 0) | (n == 0), 0.0, np.maximum(centre - half, 0.0))
    high = np.where((p == 1) | (n == 0), 1.0, np.minimum(centre + half, 1.0))
    return low[()], high[()]


def from_values(values: ArrayLike) -> Estimate:
    """Estimate the mean of independent values, each seen once.

    Parameters
    ----------
    values : array_like, shape (n,)
        One value a unit. For a paired comparison give the differences, unit by unit.
    """
    values = np.asarray(values, np.float64)
    n = values.size
    if n == 0:
        return Estimate(math.nan, math.nan, 0)
    # Centring on one of the values makes the error of constant data exactly 0.
    centred = values - values[0]
    se = float(centred.std(ddof=1)) / math.sqrt(n) if n > 1 else math.nan
    return Estimate(float(values[0] + centred.mean()), se, n)


def from_histogram(counts: ArrayLike, values: Iterable[float] | None = None) -> Estimate:
    """Estimate the mean of independent units from how often each value occurred.

    Sums are exact rationals: neither large counts nor a small spread about a large mean costs a digit.

    Parameters
    ----------
    counts : array_like of int, shape (V,)
        Number of units with each value.
    values : iterable of float, length V, optional
        The values; 0, 1, 2, … if left out.

    Raises
    ------
    ValueError
        If a count is negative or there is not one value for each.
    """
    counts = _counts(counts)
    points = [exact(v) for v in (range(len(counts)) if values is None else values)]
    if len(points) != len(counts):
        raise ValueError(f"{len(points)} values for {len(counts)} counts: give one value for each count")
    n = sum(counts)
    total = sum((c * v for c, v in zip(counts, points, strict=True)), Fraction(0))
    squares = sum((c * v * v for c, v in zip(counts, points, strict=True)), Fraction(0))
    return from_sums(n, total, squares)


def from_sums(n: int, total: int | Fraction, squares: int | Fraction) -> Estimate:
    """Estimate the mean of `n` independent units from the exact sums of their values and squares.

    Raises
    ------
    ValueError
        If ``n * squares < total²``, which no values give: a sum has overflowed or is not what it should be.
    """
    n, total, squares = int(n), exact(total), exact(squares)
    if n == 0:
        return Estimate(math.nan, math.nan, 0)
    spread = n * squares - total * total
    if spread < 0:
        raise ValueError(f"sum of squares {squares} is too small for {n} values of sum {total}: overflow?")
    se = math.sqrt(spread / (n * n * (n - 1))) if n > 1 else math.nan
    return Estimate(float(total / n), se, n)


def quantiles(counts: ArrayLike, q: ArrayLike, values: ArrayLike | None = None) -> np.ndarray:
    """Quantiles of a histogram: the smallest value that at least a part `q` of the units do not exceed.

    Parameters
    ----------
    counts : array_like of int, shape (V,)
        Number of units with each value; not all zero.
    q : array_like
        Parts between 0 and 1, of any shape.
    values : array_like, shape (V,), optional
        The values, ascending or not; 0, 1, 2, … if left out.

    Returns
    -------
    ndarray
        Of the shape of `q`; values that did occur.

    Raises
    ------
    ValueError
        If a count is negative, all are zero, or some `q` is not a part.
    """
    counts, q = np.array(_counts(counts)), np.asarray(q, np.float64)
    if not counts.any():
        raise ValueError("quantiles of an empty histogram: at least one count must be above 0")
    if (q < 0).any() or (q > 1).any():
        raise ValueError("quantiles: each part q must lie between 0 and 1")
    values = np.arange(len(counts)) if values is None else np.asarray(values)
    seen = np.flatnonzero(counts)
    ascending = seen[np.argsort(values[seen], kind="stable")]
    reached = np.cumsum(counts[ascending]) / counts.sum()
    return values[ascending][np.searchsorted(reached, q)]


def normal(level: float) -> float:
    """Two-sided critical value of the normal distribution: 1.96 at the level .95."""
    return float(ndtri(_upper(level)))


def student(level: float, n: int) -> float:
    """Two-sided critical value of Student's t with ``n - 1`` degrees of freedom; nan for ``n < 2``."""
    upper = _upper(level)
    return float(stdtrit(n - 1, upper)) if n > 1 else math.nan


def decimals(se: float) -> int:
    """Decimals that an error of size `se` supports: down to its first digit, its second if that is a 1.

    Negative for errors of ten and more (-1 means whole tens), as `round` has it.
    """
    mantissa, exponent = f"{se:.1e}".split("e")
    return (mantissa[0] == "1") - int(exponent)


_DEEPEST = 6


def places_off_zero(low: float, high: float, places: int) -> int:
    """Decimals with which no end of an interval that leaves out zero is written as zero."""
    while low * high > 0 and min(abs(low), abs(high)) < 0.5 * 10.0**-places and places < _DEEPEST:
        places += 1
    return places


def chance_text(p: float) -> str:
    """Write a chance in whole percent; only what is impossible or certain is written as 0% or 100%."""
    if 0 < p < 0.01:
        return "<1%"
    return ">99%" if 0.99 < p < 1 else f"{p:.0%}"


def exact(x: int | float | Fraction) -> Fraction:
    """Turn a number into a rational of Python integers, which never overflow as NumPy's would."""
    return Fraction(int(x)) if isinstance(x, Integral) else Fraction(x)


def _plus_minus(mean: float, se: float, unit: str = "", signed: bool = False) -> str:
    sign = "+" if signed else ""
    if se == 0 or math.isnan(se):
        return f"{mean:{sign}z.6g}{unit} ± {se:g}{unit}"
    places = decimals(se)
    shown = max(places, 0)
    return f"{round(mean, places):{sign}z.{shown}f}{unit} ± {round(se, places):.{shown}f}{unit}"


def json_number(x: float) -> float | None:
    """Return a number as JSON can hold it: None for nan and infinities."""
    return x if math.isfinite(x) else None


def _counts(counts: ArrayLike) -> list[int]:
    listed = [int(c) for c in np.asarray(counts).ravel()]
    if any(c < 0 for c in listed):
        raise ValueError(f"count {min(listed)} in a histogram: counts must be 0 or more")
    return listed


def _upper(level: float) -> float:
    if not 0 < level < 1:
        raise ValueError(f"confidence level {level:g}: must lie strictly between 0 and 1, as 0.95 does")
    return (1 + level) / 2
