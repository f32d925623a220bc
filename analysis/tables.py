"""Rows of tables: estimates spread over columns, and distributions."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from analysis.estimates import Estimate, clopper_pearson


def columns_of(estimate: Estimate, name: str = "value") -> dict[str, float]:
    """Spread the only estimate of a row over four columns: its name, ``se``, ``low`` and ``high``."""
    low, high = estimate.interval()
    return {name: estimate.mean, "se": estimate.se, "low": low, "high": high}


def further_columns_of(estimate: Estimate, name: str) -> dict[str, float]:
    """Spread one of several estimates of a row: ``cost``, ``cost_se``, ``cost_low`` and ``cost_high``."""
    return {name: estimate.mean} | {
        f"{name}_{column}": value for column, value in columns_of(estimate).items() if column != "value"
    }


def per_unit(estimate: Estimate, units: int) -> Estimate:
    """Turn an estimate of a total over some units into one a unit."""
    return replace(estimate, mean=estimate.mean / units, se=estimate.se / units)


def distribution_rows(
    fixed: Mapping[str, object], name: str, values: Iterable[int], counts: np.ndarray, unit: str
) -> list[dict[str, object]]:
    """Return a distribution, one row a value.

    Parameters
    ----------
    fixed : mapping
        What is the same in all rows, first.
    name : str
        Column of the values.
    values : iterable of int, length V
        The values.
    counts : ndarray of int64, shape (V,)
        How many have each value.
    unit : str
        Column of these counts, ``deals``.

    Returns
    -------
    list of dict
        Also with ``share``, its exact 95% interval ``low``, ``high``, and ``n``, the sum of the counts.
    """
    n = int(counts.sum())
    low, high = clopper_pearson(counts, n)
    parts = counts / n if n else np.full(len(counts), np.nan)
    return [
        {**fixed, name: int(v), unit: int(c), "share": float(p), "low": float(a), "high": float(b), "n": n}
        for v, c, p, a, b in zip(values, counts, parts, low, high, strict=True)
    ]
