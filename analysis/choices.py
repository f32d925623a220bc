"""The value of choosing well among noisy options, without the winner's curse.

The best of several estimated values overrates itself: its luck is counted along with its merit. So each
hand's completions come in two independent halves. The choice is made on one half and valued on the other,
then the other way round, and the two are averaged (cross-fitting). What remains is a choice from a finite
half, which is now and then the wrong one: the cross-fitted value is a lower bound, in expectation, of
the value of the truly best option, and the value of the best on all completions is an upper bound.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from analysis.estimates import Estimate, Share, from_values
from analysis.moments import Moments


@dataclass(frozen=True, eq=False)
class Choice:
    """The best option of each of H hands, chosen on one half and valued on the other.

    Attributes
    ----------
    chosen : ndarray of int64, shape (H, 2)
        Option chosen on half A and on half B.
    evaluated : ndarray of int64, shape (H, 2)
        Value of the option chosen on the *other* half, summed over the completions of this half.
    optimistic : ndarray of float64, shape (H,)
        Mean value of the option that is best on all completions, on those same completions.
    sums : ndarray of int64, shape (H, 2, O)
        Value of every option summed over the completions of each half.
    n : ndarray of int64, shape (H, 2)
        Completions in each half.
    grouped : bool
        True if several hands had to choose alike, so that hands are not independent.
    """

    chosen: np.ndarray
    evaluated: np.ndarray
    optimistic: np.ndarray
    sums: np.ndarray
    n: np.ndarray
    grouped: bool

    @property
    def value(self) -> np.ndarray:
        """Cross-fitted value of each hand's choice a completion, float64 of shape (H,)."""
        return self.evaluated.sum(axis=1) / self.n.sum(axis=1)

    def lower(self) -> Estimate:
        """Estimate the value of choosing: in expectation at most that of the truly best option.

        The error is over hands. In groups the two directions (chosen on A, chosen on B) depend on each
        other, and their errors are added as if wholly dependent: never too small, at most √2 too large.
        """
        return self._over_hands(self.evaluated)

    def upper(self) -> Estimate:
        """Estimate what the winner's curse makes of it: in expectation at least the truly best option's.

        For groups the error takes their choice as given.
        """
        return from_values(self.optimistic)

    def regret(self, policy: "Choice | ArrayLike") -> Estimate:
        """Estimate what a policy loses against this choice, paired hand by hand.

        Parameters
        ----------
        policy : Choice or int or array_like of int, shape (H,)
            One option for all hands ("always reveal"), one for each, or a choice from fewer options on the
            same completions ("never reveal").

        Returns
        -------
        Estimate
            Value of the choice minus value of the policy, in the unit of the values; the error is as in
            `lower`. It can be negative: where the options are equal, a choice does no better than chance.

        Raises
        ------
        ValueError
            If the policy names an option that does not exist, or was played on other completions.
        """
        return self._over_hands(self.evaluated - self._policy_sums(policy))

    def agreement(self) -> Share:
        """Estimate the share of hands on which both halves chose the same option."""
        return _share_of(self.chosen[:, 0] == self.chosen[:, 1])

    def picked(self, option: int) -> Share:
        """Estimate how often an option is chosen: the share of hands, averaged over both halves."""
        return _share_of((self.chosen == option).mean(axis=1))

    def _policy_sums(self, policy: "Choice | ArrayLike") -> np.ndarray:
        hands, _, options = self.sums.shape
        if isinstance(policy, Choice):
            if not np.array_equal(policy.sums, self.sums):
                raise ValueError("policy was chosen on other completions: choose both from the same sums")
            return policy.evaluated
        policy = np.asarray(policy)
        if policy.ndim and policy.shape != (hands,):
            raise ValueError(
                f"policy of shape {policy.shape}: must be one option, or one for each of {hands} hands"
            )
        unknown = policy[(policy < 0) | (policy >= options)]
        if unknown.size:
            raise ValueError(f"policy names option {unknown[0]}: options are 0 to {options - 1}")
        return self.sums[np.arange(hands), :, policy]

    def _over_hands(self, halves: np.ndarray) -> Estimate:
        """Average sums by half, shape (H, 2), over hands."""
        completions = self.n.sum(axis=1, keepdims=True)
        estimate = from_values(halves.sum(axis=1) / completions[:, 0])
        if not self.grouped or estimate.n < 2:
            return estimate
        # The deviation of a sum is at most the sum of the deviations, whatever their correlation.
        parts, weights = halves / completions, self.n / completions
        residuals = parts - weights * (parts.sum(axis=0) / weights.sum(axis=0))
        bound = np.sqrt((residuals**2).sum(axis=0) / (estimate.n * (estimate.n - 1))).sum()
        return replace(estimate, se=float(bound))


def choose_then_evaluate(
    sums: np.ndarray, n: ArrayLike, *, mask: ArrayLike | None = None, groups: ArrayLike | None = None
) -> Choice:
    """Choose each hand's best option on one half of its completions and value it on the other.

    Sums are compared as integers, so that nothing is rounded before it is ranked; the first of equal
    options is taken.

    Parameters
    ----------
    sums : ndarray of int64, shape (H, 2, O)
        Value of each option summed over the completions of each half. All options of a hand share their
        completions.
    n : int or array_like of int, shape (H, 2)
        Completions in each half.
    mask : array_like of bool, shape (O,) or (H, O), optional
        Options that may be chosen. In a group those count that all its hands allow.
    groups : array_like of int, shape (H,), optional
        Hands of one group must choose alike (knowing, say, no more than the shape of the cards). Then one
        half of a hand may be empty: with a single completion a hand, put every other one into half B.

    Returns
    -------
    Choice
        Hands weigh alike in its estimates, whatever their number of completions.

    Raises
    ------
    ValueError
        If shapes do not fit, a hand or group has nothing to choose from, or a half is empty.
    """
    hands, halves, options = sums.shape
    if halves != 2:
        raise ValueError(f"sums of shape {sums.shape}: must be hands × 2 halves × options")
    n = np.broadcast_to(np.asarray(n, np.int64), (hands, 2))
    allowed = np.broadcast_to(True if mask is None else np.asarray(mask, bool), (hands, options))
    if groups is None:
        member, pooled, size = np.arange(hands), sums, n
    else:
        member, pooled, size, allowed = _pool(np.asarray(groups), sums, n, allowed)
    _require(allowed.any(axis=1), "has no option to choose from", groups)
    _require((size > 0).all(axis=1), "needs completions in both halves", groups)
    _require(n.sum(axis=1) > 0, "has no completions", None)

    chosen = _argmax(pooled, allowed[:, None, :])[member]
    best = _argmax(pooled.sum(axis=1), allowed)[member]
    by_other = chosen[:, ::-1]
    return Choice(
        chosen=chosen,
        evaluated=np.take_along_axis(sums, by_other[:, :, None], axis=2)[:, :, 0],
        optimistic=np.take_along_axis(sums.sum(axis=1), best[:, None], axis=1)[:, 0] / n.sum(axis=1),
        sums=sums,
        n=n,
        grouped=groups is not None,
    )


@dataclass(frozen=True)
class RankedOption:
    """One line of an option table.

    Attributes
    ----------
    name : str
        The option.
    value : Estimate
        Mean value a completion.
    loss : Estimate
        Paired difference of the best option's value and this one's: 0 ± 0 for the best.
    chance_best : float
        Chance that the option is truly the best, by the normal approximation to the joint errors.
    """

    name: str
    value: Estimate
    loss: Estimate
    chance_best: float


def rank_options(
    moments: Moments, names: tuple[str, ...] | None = None, draws: int = 20_000
) -> list[RankedOption]:
    """Rank options that were played out on common completions, the best first.

    Parameters
    ----------
    moments : Moments
        Options as quantities, independent completions as clusters.
    names : tuple of str, optional
        The options to rank; all if left out.
    draws : int
        Draws from the errors' joint distribution for `chance_best`, whose own error is at most
        ``0.5 / sqrt(draws)``. They come from a fixed stream: the same moments give the same table.

    Returns
    -------
    list of RankedOption
        Ordered by unrounded mean; equal options in the order given. As the leader was picked on the
        completions that value it, its value is a little too good (see `choose_then_evaluate`).

    Raises
    ------
    ValueError
        If there are fewer than two completions, or a name is unknown.
    """
    if moments.n < 2:
        raise ValueError(f"ranking on {moments.n} completions: at least 2 are needed for an error")
    names = moments.names if names is None else names
    order = sorted(names, key=lambda name: -moments.total(name))
    chances = _chances_best(moments, order, draws)
    return [
        RankedOption(name, moments.mean(name), moments.difference(order[0], name), chance)
        for name, chance in zip(order, chances, strict=True)
    ]


def _chances_best(moments: Moments, order: list[str], draws: int) -> list[float]:
    """Chance of each option to be best, in terms of the losses against the leader."""
    leader = order[0]
    losses = np.array([moments.difference(leader, name).mean for name in order])
    against_leader = [{leader: 1, name: -1} if name != leader else {} for name in order]
    scale, axes = np.linalg.eigh(moments.covariance(against_leader))
    # Options equal on every completion leave eigenvalues that are 0 but for rounding, whose roots are not
    # negligible. Without them these options differ by rounding alone and share the chance of being best.
    root = axes * np.sqrt(np.where(scale > 1e-12 * scale[-1], scale, 0.0))
    drawn = np.random.default_rng(0).standard_normal((draws, len(order))) @ root.T - losses
    slack = 1e-9 * np.sqrt(max(scale[-1], 0.0))
    leading = drawn >= drawn.max(axis=1, keepdims=True) - slack
    return [float(c) for c in (leading / leading.sum(axis=1, keepdims=True)).mean(axis=0)]


def _argmax(sums: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    return np.where(allowed, sums, np.iinfo(np.int64).min).argmax(axis=-1)


def _share_of(parts: np.ndarray) -> Share:
    estimate = from_values(parts)
    return Share(estimate.mean, estimate.se, estimate.n, clustered=True)


def _pool(
    groups: np.ndarray, sums: np.ndarray, n: np.ndarray, allowed: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Add up each group's hands; return every hand's group, and sums, completions and mask by group."""
    if groups.shape != (len(sums),):
        raise ValueError(f"groups of shape {groups.shape}: must name one group for each of {len(sums)} hands")
    labels, member = np.unique(groups, return_inverse=True)
    pooled = np.zeros((len(labels), *sums.shape[1:]), np.int64)
    size = np.zeros((len(labels), 2), np.int64)
    common = np.ones((len(labels), sums.shape[2]), bool)
    np.add.at(pooled, member, sums)
    np.add.at(size, member, n)
    np.logical_and.at(common, member, allowed)
    return member, pooled, size, common


def _require(fulfilled: ArrayLike, fault: str, groups: ArrayLike | None) -> None:
    failed = np.flatnonzero(np.logical_not(fulfilled))
    if not failed.size:
        return
    first = int(failed[0])
    who = f"hand {first}" if groups is None else f"group {np.unique(np.asarray(groups))[first]}"
    raise ValueError(f"{who} {fault}")
