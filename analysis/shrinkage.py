"""Choosing each hand's option when its own completions are few: lean on similar hands.

The means of a few dozen completions are noisy, so picking the highest often picks noise. Similar hands have
similar values: each hand's differences between options are drawn towards the mean of its group, the more so
the noisier they are (empirical Bayes, James–Stein with a variance for each hand). As in `analysis.choices`
the choice is settled on one half of the completions and valued on the other.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from analysis.choices import Choice, choose_then_evaluate


def choose_with_groups(
    sums: np.ndarray, gram: np.ndarray, n: np.ndarray, groups: np.ndarray, mask: ArrayLike
) -> Choice:
    """Choose each hand's best option on one half, drawn towards its group, and value it on the other.

    Parameters
    ----------
    sums : ndarray of int64, shape (H, 2, O)
        Value of each option summed over the completions of each half.
    gram : ndarray of int64, shape (H, 2, O, O)
        Products of the options' values, summed likewise.
    n : ndarray of int64, shape (H, 2)
        Completions in each half, at least one.
    groups : ndarray of int64, shape (H,)
        Group of each hand, numbered from 0.
    mask : array_like of bool, shape (O,)
        Options that may be chosen; the first of them is the one that others are compared with.

    Returns
    -------
    Choice
        Marked as grouped, since a hand's choice depends on others of its group.
    """
    mask = np.asarray(mask, bool)
    chosen = np.column_stack([_choose(sums[:, h], gram[:, h], n[:, h], groups, mask) for h in (0, 1)])
    return judge(chosen, sums, n, mask)


def judge(chosen: np.ndarray, sums: np.ndarray, n: np.ndarray, mask: ArrayLike | None = None) -> Choice:
    """Value on each half what was chosen on the other, in whatever way.

    Parameters
    ----------
    chosen : ndarray of int64, shape (H, 2)
        Option of each hand, settled on half A and on half B; hands may depend on each other.
    sums, n : ndarray of int64, shapes (H, 2, O) and (H, 2)
        As for :func:`choose_with_groups`.
    mask : array_like of bool, shape (O,), optional
        Options that could be chosen.
    """
    by_other = chosen[:, ::-1, None]
    return replace(
        choose_then_evaluate(sums, n, mask=mask),
        chosen=chosen,
        evaluated=np.take_along_axis(sums, by_other, axis=2)[:, :, 0],
        grouped=True,
    )


def _choose(
    sums: np.ndarray, gram: np.ndarray, n: np.ndarray, groups: np.ndarray, mask: np.ndarray
) -> np.ndarray:
    """Choose on one half; arrays as above without the axis of halves."""
    reference = int(np.argmax(mask))
    above = sums - sums[:, [reference]]
    own = np.einsum("hoo->ho", gram)
    squares = own + own[:, [reference]] - 2 * gram[:, reference]
    size = n[:, None].astype(np.float64)
    spread = np.maximum(squares - above * (above / size), 0)
    # A single completion says nothing of its noise: then the group alone decides.
    noise = np.divide(spread, size * (size - 1), out=np.full(spread.shape, np.inf), where=size > 1)
    expected = shrink(above / size, noise, groups)
    return np.where(mask, expected, -np.inf).argmax(axis=1)


def shrink(means: np.ndarray, noise: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Draw means towards those of their groups.

    Parameters
    ----------
    means, noise : ndarray of float64, shape (H, O)
        Observed means and their squared standard errors.
    groups : ndarray of int64, shape (H,)
        Group of each hand, numbered from 0.

    Returns
    -------
    ndarray of float64, shape (H, O)
        Expected true means: the group's mean plus the part of the deviation that is not noise. How much
        true means vary within groups is estimated from all hands together.
    """
    size = np.bincount(groups)
    totals = np.zeros((len(size), means.shape[1]))
    np.add.at(totals, groups, means)
    centre = (totals / np.maximum(size, 1)[:, None])[groups]
    deviation = means - centre
    freedom = len(means) - np.count_nonzero(size)
    spread = (deviation**2).sum(axis=0) / max(freedom, 1)
    true_spread = np.maximum(spread - noise.mean(axis=0), 0)
    total = true_spread + noise
    weight = np.divide(true_spread, total, out=np.zeros_like(noise), where=total > 0)
    return centre + weight * deviation
