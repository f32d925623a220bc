"""What each hand's options are truly worth, as far as their noisy means and those of similar hands tell.

The means of a few dozen deals are noisy, but hands that hold similar cards have similar values. So true
values are taken as a smooth function of what a hand holds, plus a part of the hand's own, both Gaussian with
variances that the data settle (empirical Bayes): a Gaussian process with a polynomial kernel (Rasmussen and
Williams, Gaussian Processes for Machine Learning, 2006, 2.3 and 4.2.2). The result is no single value but how
the true values of a hand's options may lie together, which is what the value of the best of them asks for.

Variances are averaged over what is likely rather than fixed at what is most likely: with few hands that is
often zero, and a result that jumps with it has no error that a jackknife could see.
"""

from dataclasses import dataclass

import numpy as np

_CURVATURE = 0.2
"""Variance of products of two features, relative to the features themselves."""
_SIGNAL, _OWN = (-7.0, 2.3), (-7.0, 0.0)
"""Range of the variances tried, of what features tell and of the part of a hand's own, relative to all that
is seen, as logarithms; besides, both may be 0."""
_STEPS, _ZOOMS, _LIKELY = 10, 3, 8.0
"""Variances tried at once; how often closer ones are; how much less likely than the best, as a logarithm."""
_FEWEST_FREE = 3
_RELATIVE = 1e-9
"""Eigenvalues smaller than this part of the largest are rounding."""


@dataclass(frozen=True, eq=False)
class Posterior:
    """How the true values of H hands' O options may lie: jointly Gaussian, hand by hand.

    Attributes
    ----------
    mean : ndarray of float64, shape (H, O)
        Expected true values.
    covariance : ndarray of float64, shape (H, O, O)
        Of the true values of a hand's options about them.
    """

    mean: np.ndarray
    covariance: np.ndarray


def means_and_noise(sums: np.ndarray, gram: np.ndarray, n: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the means of options that share their deals, and the covariance of their errors.

    Parameters
    ----------
    sums : ndarray of int64, shape (H, O)
        Value of each option summed over the deals of a hand.
    gram : ndarray of int64, shape (H, O, O)
        Products of the options' values, summed likewise.
    n : ndarray of int64, shape (H,)
        Deals, at least two.

    Returns
    -------
    means : ndarray of float64, shape (H, O)
    noise : ndarray of float64, shape (H, O, O)
    """
    size = n[:, None, None].astype(np.float64)
    products = sums[:, :, None].astype(np.float64) * sums[:, None, :]
    return sums / n[:, None], (gram - products / size) / (size * (size - 1))


def lean_on_hands(
    means: np.ndarray, noise: np.ndarray, features: np.ndarray, groups: np.ndarray
) -> Posterior:
    """Lean each hand's options on those of hands with similar features.

    Every option means the same in every hand (the first suit, revealing). Within a group the options are
    turned into independent combinations, those that are all noise apart from those that are all signal, and
    each of these is a quadratic function of the features, plus a part of the hand's own.

    Parameters
    ----------
    means : ndarray of float64, shape (H, O)
        Observed mean values.
    noise : ndarray of float64, shape (H, O, O)
        Covariance of their errors; its mean over a group is taken for all hands of the group.
    features : ndarray of float64, shape (H, P)
        What hands hold.
    groups : ndarray of int64, shape (H,)
        Hands of different groups tell nothing of each other. The mean over a group stays as observed.
    """
    mean, covariance = means.copy(), np.zeros_like(noise)
    for group in np.unique(groups):
        where = groups == group
        centre = means[where].mean(axis=0)
        unmix, mix = _independent(means[where] - centre, noise[where].mean(axis=0))
        basis, strengths = _principal(_quadratic(features[where]))
        true, spread = np.empty((2, *means[where].shape))
        for part, seen in enumerate(((means[where] - centre) @ unmix).T):
            fit = _fit(seen, basis, strengths)
            true[:, part] = fit.expected(seen, basis)
            spread[:, part] = basis**2 @ fit.spread + fit.own_spread
        mean[where] = centre + true @ mix.T
        covariance[where] = np.einsum("ic,hc,jc->hij", mix, spread, mix)
    return Posterior(mean, covariance)


def lean_on_options(means: np.ndarray, noise: np.ndarray, features: np.ndarray, n: np.ndarray) -> Posterior:
    """Lean each hand's options on similar options of other hands.

    Options differ from hand to hand (the tiles that it holds) and are told apart by their features alone.
    Only differences within a hand lean; its mean over all options stays as observed, without error.

    Parameters
    ----------
    means : ndarray of float64, shape (H, O)
        Observed mean values.
    noise : ndarray of float64, shape (H, O, O)
        Covariance of their errors. Differences within a hand are taken to vary alike, with a size of the
        hand's own, and the part of the true differences that is the hand's own to vary in proportion.
    features : ndarray of float64, shape (H, O, P)
        Of every option.
    n : ndarray of int64, shape (H,)
        Deals behind the means.
    """
    hands, options = means.shape
    contrasts = np.linalg.svd(np.eye(options) - 1 / options)[0][:, : options - 1]
    within = np.einsum("oc,hop,pc->h", contrasts, noise, contrasts, optimize=True)
    # What is divided by an error seen with ν degrees of freedom varies ν / (ν - 2) times as much.
    freedom = (n - 1) * (options - 1.0)
    within = within * np.where(freedom > _FEWEST_FREE, freedom / np.maximum(freedom - 2, 1), 1)
    scale = np.sqrt(np.maximum(within / (options - 1), max(_RELATIVE * float(within.max()), _RELATIVE**2)))
    seen = (means @ contrasts / scale[:, None]).ravel()
    spread = features.reshape(-1, features.shape[2]).std(axis=0)
    told = np.einsum("hop,oc->hcp", features / np.where(spread > 0, spread, 1), contrasts)
    basis, strengths = _principal((told / scale[:, None, None]).reshape(len(seen), -1))
    fit = _fit(seen, basis, strengths)
    blocks = basis.reshape(hands, options - 1, -1)
    inner = np.einsum("hcq,q,hdq->hcd", blocks, fit.spread, blocks, optimize=True)
    inner = (inner + fit.own_spread * np.eye(options - 1)) * scale[:, None, None] ** 2
    level = means.mean(axis=1, keepdims=True)
    true = fit.expected(seen, basis).reshape(hands, -1) * scale[:, None]
    return Posterior(level + true @ contrasts.T, contrasts @ inner @ contrasts.T)


@dataclass(frozen=True, eq=False)
class _Fit:
    """A Gaussian process fitted to N numbers with errors of variance 1, in terms of Q principal features.

    Attributes
    ----------
    weights : ndarray of float64, shape (Q,)
        Expected weights of the features in the expected values.
    own : float
        Part of what is seen that is the unit's own, in the expected values.
    spread : ndarray of float64, shape (Q,)
        Variance of a true value by squared feature.
    own_spread : float
        Variance of a true value besides.
    """

    weights: np.ndarray
    own: float
    spread: np.ndarray
    own_spread: float

    def expected(self, seen: np.ndarray, basis: np.ndarray) -> np.ndarray:
        """Return the expected true values."""
        return basis @ self.weights + self.own * seen


def _fit(seen: np.ndarray, basis: np.ndarray, strengths: np.ndarray) -> _Fit:
    """Fit; `strengths` (Q,) are the squared lengths of the orthogonal columns of `basis`, (N, Q)."""
    n, q = basis.shape
    total = float(seen @ seen)
    along = basis.T @ seen
    squares = along**2 / strengths
    beside = max(total - float(squares.sum()), 0.0)
    scale = float(strengths.sum()) / n or 1.0
    ranges = [_SIGNAL, _OWN]
    for _ in range(_ZOOMS):
        tried = [np.r_[0, np.exp(np.linspace(ends[0], ends[1], _STEPS))] for ends in ranges]
        signal, own = (tried[0] * total / n / scale)[:, None], (tried[1] * total / n)[None, :]
        noise = 1 + own
        variance = signal[:, :, None] * strengths + noise[:, :, None]
        fit = (np.log(variance) + squares / variance).sum(axis=2)
        likelihood = -0.5 * (fit + max(n - 1 - q, 0) * np.log(noise) + beside / noise)
        likely = likelihood > likelihood.max() - _LIKELY
        ranges = [_about(likely.any(axis=1 - axis), ends) for axis, ends in enumerate(ranges)]
    weight = np.exp(likelihood - likelihood.max())
    weight /= weight.sum()
    kept = own / noise  # what a deviation from the features' value keeps of itself
    gain = (weight * (1 - kept))[:, :, None] * signal[:, :, None] / variance
    return _Fit(
        weights=gain.sum(axis=(0, 1)) * along,
        own=float((weight * kept).sum()),
        # Times 1 - own / noise and noise: 1.
        spread=gain.sum(axis=(0, 1)),
        own_spread=float((weight * ((1 - kept) / n + kept)).sum()),
    )


def _about(likely: np.ndarray, ends: tuple[float, float]) -> tuple[float, float]:
    """Narrow a range of logarithms to what is likely of its steps, and one step about them; 0 comes first."""
    step = (ends[1] - ends[0]) / (_STEPS - 1)
    places = np.flatnonzero(likely[1:])
    if not places.size:
        return ends
    return ends[0] + step * max(places[0] - 1, 0), ends[0] + step * min(places[-1] + 1, _STEPS - 1)


def _independent(deviations: np.ndarray, noise: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Turn options into combinations with noise 1 each and signals that do not depend on each other.

    Returns the matrix that does so, and the one that undoes it.
    """
    scale, axes = np.linalg.eigh(noise)
    # Options without any noise are what they are seen to be: next to nothing stands for their noise.
    root = np.sqrt(np.maximum(scale, max(1e-12 * scale[-1], 1e-18)))
    whitened = deviations @ (axes / root)
    turn = np.linalg.eigh(whitened.T @ whitened)[1]
    return axes / root @ turn, axes * root @ turn


def _quadratic(features: np.ndarray) -> np.ndarray:
    """Standardise features and add their products, weighed as the polynomial kernel has them, (N, Q)."""
    spread = features.std(axis=0)
    varied = spread > _RELATIVE
    simple = (features - features.mean(axis=0))[:, varied] / spread[varied]
    simple /= np.sqrt(max(simple.shape[1], 1))
    a, b = np.triu_indices(simple.shape[1])
    products = simple[:, a] * simple[:, b] * np.where(a == b, 1.0, np.sqrt(2))
    return np.hstack([simple, np.sqrt(_CURVATURE) * (products - products.mean(axis=0))])


def _principal(features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Turn features (N, P) into orthogonal columns, (N, Q), and their squared lengths, (Q,)."""
    n, p = features.shape
    if p <= n:
        strengths, axes = np.linalg.eigh(features.T @ features)
        basis = features @ axes
    else:
        strengths, axes = np.linalg.eigh(features @ features.T)
        basis = axes * np.sqrt(np.maximum(strengths, 0))
    real = strengths > _RELATIVE * max(strengths.max(initial=0), _RELATIVE)
    return basis[:, real], strengths[real]
