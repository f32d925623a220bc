"""The value of the best of several noisy options, without the winner's curse.

The best of several estimated values overrates itself: its luck is counted along with its merit. To choose on
some deals and value on others underrates it instead: luck makes the choice now and then. Both depend on how
many deals there are. So the value of the best option is taken as its expectation over all that the true
values of a hand may be (:mod:`analysis.shrinkage`), which hardly does. A jackknife over hands gives its
error, and takes away what is left of a bias where hands are few. How large a bias may be is seen from what
changes with the number of hands and of deals, and widens the interval. A rule for many hands is settled on
other hands than those that it is valued on.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr
from threadpoolctl import threadpool_limits

from analysis.estimates import Estimate, Share
from analysis.moments import Moments
from analysis.shrinkage import Posterior

_BLOCKS = 20
"""Parts of all hands that a jackknife leaves out one by one."""
_NO_SPREAD = 1e-12


def greatest(posterior: Posterior) -> np.ndarray:
    """Expected value of each hand's best option, by Clark (1961), The greatest of a finite set of variables.

    Parameters
    ----------
    posterior : Posterior
        Of H hands and O options.

    Returns
    -------
    ndarray of float64, shape (H,)
        The maximum of some options is taken as Gaussian before it is compared with the next one.
    """
    return _greatest(posterior.mean, posterior.covariance)[0]


def chances_best(posterior: Posterior) -> np.ndarray:
    """Chance of each option to be the best of its hand, approximated likewise, float64 of shape (H, O)."""
    options = posterior.mean.shape[1]
    chances = np.empty_like(posterior.mean)
    for option in range(options):
        order = [*(other for other in range(options) if other != option), option]
        chances[:, option] = _greatest(posterior.mean[:, order], posterior.covariance[:, order][:, :, order])[
            1
        ]
    return chances / chances.sum(axis=1, keepdims=True)


def _greatest(mean: np.ndarray, covariance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Expected maximum of the options, and the chance that the last one is it."""
    best, spread, shared = mean[:, 0], covariance[:, 0, 0], covariance[:, 0]
    last = np.ones(len(mean))
    for option in range(1, mean.shape[1]):
        own, variance = mean[:, option], covariance[:, option, option]
        apart = np.sqrt(np.maximum(spread + variance - 2 * shared[:, option], _NO_SPREAD**2))
        lead = (best - own) / apart
        ahead, density = ndtr(lead), np.exp(-lead * lead / 2) / np.sqrt(2 * np.pi)
        last = 1 - ahead
        larger = best * ahead + own * last + apart * density
        square = (best**2 + spread) * ahead + (own**2 + variance) * last + (best + own) * apart * density
        shared = shared * ahead[:, None] + covariance[:, option] * last[:, None]
        best, spread = larger, np.maximum(square - larger**2, 0)
    return best, last


@dataclass(frozen=True, eq=False)
class Jackknifed:
    """Quantities of each of H hands, K of them, that also depend on the other hands of a study.

    Attributes
    ----------
    names : tuple of str, length K
        What they are.
    whole : ndarray of float64, shape (H, K)
        From all hands.
    without : ndarray of float64, shape (B, H, K)
        The same where a block of hands is left out; nan for the hands of that block.
    halved : ndarray of float64, shape (H, K)
        The same from half of the deals.
    """

    names: tuple[str, ...]
    whole: np.ndarray
    without: np.ndarray
    halved: np.ndarray

    def mean(self, combination: str | Mapping[str, float], where: np.ndarray | None = None) -> Estimate:
        """Estimate the mean of a combination of quantities over hands.

        Parameters
        ----------
        combination : str or mapping of str to float
            One quantity, or the weight of each of several.
        where : ndarray of bool, shape (H,), optional
            Hands to take; all if left out.

        Returns
        -------
        Estimate
            Error and correction of the bias by a jackknife over blocks of hands (Efron, The Jackknife, the
            Bootstrap and Other Resampling Plans, 1982, 2 and 3); its n counts the blocks. The error is that
            of the mean squared: it includes the correction, and what half of the deals change, which are
            how large a bias of few hands and of few deals may be.
        """
        weights = {combination: 1.0} if isinstance(combination, str) else combination
        columns = [self.names.index(name) for name in weights]
        factors = np.array(list(weights.values()))
        rows = slice(None) if where is None else where
        mean, halved = (
            float((part[rows][:, columns] @ factors).mean()) for part in (self.whole, self.halved)
        )
        parts = self.without[:, rows][:, :, columns] @ factors
        left = np.isnan(parts)
        told = left.any(axis=1) & ~left.all(axis=1)
        blocks = int(told.sum())
        if blocks < 2:
            return Estimate(mean, float("nan"), blocks)
        again = np.nanmean(parts[told], axis=1)
        variance = (blocks - 1) / blocks * float(((again - again.mean()) ** 2).sum())
        correction = (blocks - 1) * (mean - float(again.mean()))
        error = float(np.sqrt(variance + correction**2 + (mean - halved) ** 2))
        return Estimate(mean + correction, error, blocks)

    def share(self, quantity: str, where: np.ndarray | None = None) -> Share:
        """Estimate the mean of chances, as a share of hands."""
        found = self.mean(quantity, where)
        hands = len(self.whole) if where is None else int(where.sum())
        return Share(min(max(found.mean, 0.0), 1.0), found.se, found.n, clustered=True, most=hands)


def jackknife(
    names: tuple[str, ...],
    quantities: Callable[[np.ndarray, int | None], np.ndarray],
    hands: int,
    halves: Sequence[int] = (),
) -> Jackknifed:
    """Take quantities of all hands, and again without each block of hands, and from each half of the deals.

    Parameters
    ----------
    names : tuple of str, length K
        Of the quantities.
    quantities : callable
        Gives them, (R, K), from the numbers of R hands and a half of the deals, all deals for None, and from
        nothing else.
    hands : int
        Hands of the study.
    halves : sequence of int
        Halves that have deals enough; none if they have not, and nothing is known of a bias of few deals.
    """
    blocks = _blocks(hands) if hands > 1 else []
    without = np.full((len(blocks), hands, len(names)), np.nan)
    everyone = np.arange(hands)
    # The fits are small: threads of the linear algebra would spend their time waiting for each other.
    with threadpool_limits(1, user_api="blas"):
        for part, (others, _) in zip(without, blocks, strict=True):
            part[others] = quantities(others, None)
        whole = quantities(everyone, None)
        halved = np.mean([quantities(everyone, half) for half in halves], axis=0) if len(halves) else whole
    return Jackknifed(names, whole, without, halved)


def held_out(value: Callable[[np.ndarray, np.ndarray], np.ndarray], hands: int) -> np.ndarray:
    """Value of a rule on each hand, the rule settled on hands of other blocks only.

    Parameters
    ----------
    value : callable
        Settles the rule on the hands whose numbers come first, and gives its value on those that come second.
    hands : int
        Hands of the study; a single one settles its own rule.

    Returns
    -------
    ndarray of float64, shape (H,)
    """
    values = np.empty(hands)
    for others, own in _blocks(hands):
        values[own] = value(others if others.size else own, own)
    return values


def _blocks(hands: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Split the numbers of hands into those outside and those inside of each block."""
    block = np.arange(hands) % min(_BLOCKS, hands)
    return [(np.flatnonzero(block != k), np.flatnonzero(block == k)) for k in range(min(_BLOCKS, hands))]


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
        completions that value it, its value is a little too good.

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
