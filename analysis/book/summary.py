"""What an opening book says over all its hands: what a policy is worth, and what it costs.

Every hand counts as often as it is dealt, exactly; what is left of error is that of the values.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.book.table import columns
from analysis.estimates import Estimate


def policy_value(table: pd.DataFrame, policy: np.ndarray, names: Sequence[str], every: int) -> Estimate:
    """Mean score under a policy, over all hands of a book.

    Parameters
    ----------
    table : DataFrame
        As a game's ``book_table`` gives it.
    policy : ndarray of int64, shape (C,)
        Option for each class, by number.
    names : sequence of str
        Names of the options' columns.
    every : int
        How many hands there are in all.

    Returns
    -------
    Estimate
        In points. The error is that of the values; in a book of some classes only, that of the choice of
        classes as well.
    """
    value, error = (picked(columns(table, quantity, names), policy) for quantity in ("value", "se"))
    return over_hands(table, value, error, every)


def policy_cost(
    table: pd.DataFrame, policy: np.ndarray, against: np.ndarray, names: Sequence[str], every: int
) -> Estimate:
    """What a policy costs against another one, over all hands; parameters as for :func:`policy_value`.

    Returns
    -------
    Estimate
        Value of the other minus value of the policy, in points. Differences between options are paired
        through the best of the class; where neither is the best, their errors are added as if wholly
        dependent, which is never too small.
    """
    value, loss_se = (columns(table, quantity, names) for quantity in ("value", "loss_se"))
    difference = picked(value, against) - picked(value, policy)
    error = np.where(policy == against, 0.0, picked(loss_se, against) + picked(loss_se, policy))
    return over_hands(table, difference, error, every)


def picked(values: np.ndarray, policy: np.ndarray) -> np.ndarray:
    """Return the value of each class's option, float64 (C,), of values by option, (C, O)."""
    return values[np.arange(len(values)), policy]


def over_hands(table: pd.DataFrame, values: np.ndarray, errors: np.ndarray, every: int) -> Estimate:
    """Average over hands; errors of classes are independent, since each has deals of its own."""
    weight = table["weight"].to_numpy(np.float64)
    part = weight / weight.sum()
    mean = float(part @ values)
    n = len(table)
    if int(table["weight"].sum()) == every:
        variance = float((part**2) @ errors**2)
    else:
        # The classes are a sample: how they differ includes the errors of their values.
        variance = float((part**2) @ (values - mean) ** 2) * n / (n - 1) if n > 1 else np.nan
    return Estimate(mean, float(np.sqrt(variance)), n)
