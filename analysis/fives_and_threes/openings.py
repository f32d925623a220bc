"""Which tile to open? Every opening tile of many hands, played out on the same deals (F4).

The value of an opening is what the starter's side scores in the round minus the mean of what the others
score, over a round alone without a target. All openings of a hand share their deals, so that differences
are paired. Errors are over hands; where the study takes each of all hands once, they are a little too large.

Who picks the best of several noisy openings and believes its value overrates it. So the value of the best
is what the deals of a hand, and what such tiles are worth in other hands, let expect
(:mod:`analysis.shrinkage`), with an error from refits without a part of the hands and on half of the deals
(:mod:`analysis.choices`).
It is the value of the tile that is truly best, whatever the number of deals.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from analysis.choices import Jackknifed, chances_best, greatest, held_out, jackknife
from analysis.estimates import Estimate, Share, share
from analysis.moments import Moments
from analysis.provenance import study_counters, with_sources
from analysis.shrinkage import Posterior, lean_on_options, means_and_noise
from analysis.tables import columns_of, further_columns_of, per_unit
from sim.fives_and_threes.chain import POINTS
from sim.fives_and_threes.options import HALVES, TILE_QUANTITIES, by_tile, scale
from sim.fives_and_threes.tiles import HIGH, LOW, PIPS, TILES, tile_names
from sim.results import Run

TILE_NAMES = tuple(tile_names((1 << TILES) - 1))
HAND_BY_HAND, BY_RANKING, ANY_TILE = "choose hand by hand", "by the ranking of tiles", "any tile"
_MOST_NOW, _HEAVIEST, _DOUBLE = "most points now", "the heaviest tile", "a double, the heaviest"
_POLICY_NAMES = (HAND_BY_HAND, BY_RANKING, ANY_TILE, _MOST_NOW, _HEAVIEST, _DOUBLE)
_LEVEL = 0.95
_FIRST_POINTS = POINTS[PIPS]
"""What each tile scores as the first one (F7, F8)."""
_HEAVY = 100
_ENDS = 7
_TOGETHER = 20_000
"""Hands that lean on each other: so many know all that there is to know, and more would take room."""


@dataclass(frozen=True, eq=False)
class Study:
    """An opening study: H hands of O tiles, in the order of the tiles' bits.

    Attributes
    ----------
    run : Run
        The run that it belongs to.
    tiles : ndarray of int64, shape (H, O)
        Number of each option's tile, 0 to 27.
    n : ndarray of int64, shape (H, 2)
        Deals by half.
    sums : ndarray of int64, shape (H, 2, O)
        Scaled values summed over the deals of each half.
    gram : ndarray of int64, shape (H, 2, O, O)
        Products of these values, summed likewise.
    scale : int
        What values are multiplied by in ``sums``.
    """

    run: Run
    tiles: np.ndarray
    n: np.ndarray
    sums: np.ndarray
    gram: np.ndarray
    scale: int

    @cached_property
    def noise(self) -> np.ndarray:
        """Covariance of the errors of the options' means, in points squared, float64 of shape (H, O, O)."""
        return self._seen(slice(None))[1]

    @cached_property
    def _halves(self) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Means, noise and deals of each half alone; none where a half is too small for an error."""
        halves = range(HALVES) if self.n.min() > 1 else ()
        return [(*self._seen(slice(half, half + 1)), self.n[:, half]) for half in halves]

    def _seen(self, halves: slice) -> tuple[np.ndarray, np.ndarray]:
        """Means of the options, and the covariance of their errors, on some halves of the deals."""
        sums, gram, n = (counter[:, halves].sum(axis=1) for counter in (self.sums, self.gram, self.n))
        means, noise = means_and_noise(sums, gram, n)
        return means / self.scale, noise / self.scale**2

    @cached_property
    def estimates(self) -> Jackknifed:
        """What the policies are worth on each hand, in points, and the chance of each option to be best."""
        means = self.means()
        hands, size = self.tiles.shape
        ranked = held_out(lambda others, own: _by_ranking(self.tiles, means, others, own), hands)
        habitual = [means[np.arange(hands), choice] for choice in habits(self.tiles).values()]
        fixed = np.column_stack([ranked, means.mean(axis=1), *habitual])

        def quantities(rows: np.ndarray, half: int | None) -> np.ndarray:
            true = self.lean(rows) if half is None else self._lean(rows, *self._halves[half])
            # Above the mean of the hand, which needs no prior.
            best = means[rows].mean(axis=1) + greatest(true) - true.mean.mean(axis=1)
            return np.column_stack([best, fixed[rows], chances_best(true)])

        names = (*_POLICY_NAMES, *_chance_names(size))
        return jackknife(names, quantities, hands, range(len(self._halves)))

    def lean(self, rows: np.ndarray) -> Posterior:
        """Return how the true values of some hands' options may lie, as far as these hands tell."""
        return self._lean(rows, self.means(), self.noise, self.n.sum(axis=1))

    def _lean(self, rows: np.ndarray, means: np.ndarray, noise: np.ndarray, deals: np.ndarray) -> Posterior:
        """Lean on what was seen of all hands, by some of them; as :meth:`lean`."""
        mean, covariance = np.empty(self.tiles[rows].shape), np.empty(noise[rows].shape)
        parts = -(-len(rows) // _TOGETHER)
        for part in range(parts):
            some = rows[part::parts]
            true = lean_on_options(means[some], noise[some], _features(self.tiles[some]), deals[some])
            mean[part::parts], covariance[part::parts] = true.mean, true.covariance
        return Posterior(mean, covariance)

    def means(self) -> np.ndarray:
        """Return the mean value of each option in points, float64 of shape (H, O)."""
        return self.sums.sum(axis=1) / (self.scale * self.n.sum(axis=1)[:, None])


def opening_study(run: Run | Study) -> Study:
    """Read a run's opening study; one that was read already is returned, to save the work.

    Raises
    ------
    ValueError
        If the run has none.
    """
    if isinstance(run, Study):
        return run
    counters = study_counters(run)
    return Study(
        run=run,
        tiles=np.log2(counters["openings"]).astype(np.int64),
        n=counters["count"],
        sums=counters["sums"],
        gram=counters["gram"],
        scale=scale(run.rules),
    )


def opening_tiles(run: Run | Study) -> pd.DataFrame:
    """Rank the 28 tiles as openers.

    Returns
    -------
    DataFrame
        One row a tile that some hand held, the best opener first:

        ``tile``       as 1|4
        ``points``     what it scores as the first tile (F8)
        ``hands``      hands that held it
        ``value``      mean value of opening with it, in points a round
        ``value_se, value_low, value_high``  its standard error over hands, and 95% interval
        ``edge``       value minus the mean of all openings of the same hand, paired, in points a round
        ``edge_se, edge_low, edge_high``  likewise
        ``best_on``    about the share of these hands on which it is the best, extrapolated from half of the
                       deals to endless ones. Without an interval: at 64 deals a hand single tiles are off
                       by more than hands and halves show, 0.03 at most on average over studies
    """
    found = opening_study(run)
    counters = by_tile(found.run.study_counters())
    size = found.tiles.shape[1]
    rows = []
    for tile in np.flatnonzero(counters["clusters"]):
        clusters, totals, gram = (counters[name][tile] for name in ("clusters", "totals", "gram"))
        moments = Moments(clusters, totals, gram, TILE_QUANTITIES)
        value = per_unit(moments.ratio("value", "completions"), found.scale)
        edge = per_unit(moments.ratio("edge", "completions"), size * found.scale)
        rows.append(
            {"tile": TILE_NAMES[tile], "points": int(_FIRST_POINTS[tile]), "hands": moments.n}
            | further_columns_of(value, "value")
            | further_columns_of(edge, "edge")
            | {"best_on": _best_on(found, int(tile))}
        )
    table = pd.DataFrame(rows).sort_values("edge", ascending=False, kind="stable", ignore_index=True)
    return with_sources(table, found.run)


def hand_openings(run: Run | Study) -> pd.DataFrame:
    """Chart the hands: what to open from each, and how much it matters.

    Returns
    -------
    DataFrame
        One row a hand:

        ``hand``       its tiles
        ``tile``       the opening that is best on all its deals
        ``value``      expected value of that opening, in points a round, leaning on other hands: so that
                       it is not overrated for having been picked
        ``second``     the next best
        ``lead``       mean of the best minus that of the second over these deals, paired
        ``se``         its standard error, over the deals of this hand
        ``low, high``  95% interval of the lead
        ``sure``       whether the best beats each other opening at 95%
        ``deals``      deals of this hand
    """
    found = opening_study(run)
    means, n, expected = found.means(), found.n.sum(axis=1), found.lean(np.arange(len(found.n))).mean
    order = np.argsort(-means, axis=1, kind="stable")
    leads, errors = _leads(found, order[:, 0])
    critical = stdtrit(n - 1, (1 + _LEVEL) / 2)
    hands, rows = np.arange(len(n)), found.tiles.shape[1]
    names = np.array(TILE_NAMES, object)
    second = order[:, min(1, rows - 1)]
    lead, se = leads[hands, second], errors[hands, second]
    others = hands[:, None], order[:, 1:]
    table = {
        "hand": [" ".join(names[tiles]) for tiles in found.tiles],
        "tile": names[found.tiles[hands, order[:, 0]]],
        "value": expected[hands, order[:, 0]],
        "second": names[found.tiles[hands, second]],
        "lead": lead,
        "se": se,
        "low": lead - critical * se,
        "high": lead + critical * se,
        "sure": (leads[others] > critical[:, None] * errors[others]).all(axis=1),
        "deals": n,
    }
    return with_sources(pd.DataFrame(table), found.run)


def sure_share(run: Run | Study) -> Share:
    """Estimate the share of hands whose best opening is beyond doubt, each judged at 95%."""
    sure = hand_openings(run)["sure"]
    return share(int(sure.sum()), len(sure))


def opening_policies(run: Run | Study) -> pd.DataFrame:
    """What simple habits of opening cost against choosing hand by hand.

    Returns
    -------
    DataFrame
        One row a policy, the cheapest first:

        ``policy``     choose hand by hand; by the ranking of tiles; most points
                       now, of equals the heaviest; the heaviest tile; a double if there is one, the
                       heaviest; any tile (the mean of the hand)
        ``value``      mean value, in points a round
        ``se``         its standard error over hands
        ``low, high``  95% interval of the value
        ``cost``       value of choosing hand by hand minus this policy's, paired
        ``cost_se, cost_low, cost_high``  its standard error over hands, and 95% interval
        ``hands``      hands behind the errors
    """
    found = opening_study(run)
    rows = []
    for name in _POLICY_NAMES:
        cost = Estimate(0.0, 0.0, len(found.tiles))
        if name != HAND_BY_HAND:
            cost = found.estimates.mean({HAND_BY_HAND: 1, name: -1})
        rows.append(
            {"policy": name}
            | columns_of(found.estimates.mean(name))
            | further_columns_of(cost, "cost")
            | {"hands": len(found.tiles)}
        )
    return with_sources(pd.DataFrame(rows).sort_values("cost", kind="stable", ignore_index=True), found.run)


def habits(tiles: np.ndarray) -> dict[str, np.ndarray]:
    """Choose by simple habits: most points now, the heaviest tile, or a double, the heaviest.

    Parameters
    ----------
    tiles : ndarray of int64, shape (H, O)
        Numbers of the tiles of each hand.

    Returns
    -------
    dict of str to ndarray of int64, shape (H,)
        The option of each hand, by habit.
    """
    heavy = PIPS[tiles]
    double = LOW[tiles] == HIGH[tiles]
    merits = {
        _MOST_NOW: _HEAVY * _FIRST_POINTS[tiles] + heavy,
        _HEAVIEST: heavy,
        _DOUBLE: _HEAVY * double + heavy,
    }
    return {name: merit.argmax(axis=1) for name, merit in merits.items()}


def _chance_names(size: int) -> tuple[str, ...]:
    return tuple(f"option {option} is best" for option in range(size))


def _best_on(found: Study, tile: int) -> float:
    """Share of a tile's hands on which it is best; its bias is taken to halve with twice the deals."""
    held = found.tiles == tile
    every = found.estimates
    columns = [every.names.index(name) for name in _chance_names(held.shape[1])]
    whole, halved = (float(part[:, columns][held].mean()) for part in (every.whole, every.halved))
    return min(max(2 * whole - halved, 0.0), 1.0)


def _features(tiles: np.ndarray) -> np.ndarray:
    """Describe each tile of each hand, as an opener, by numbers to fit values with, float64 (H, O, 39).

    Which tile it is; how many others of the hand fit it; how these, its pips and its being a double go
    together with the pips and doubles of the hand.
    """
    low, high, pips = LOW[tiles], HIGH[tiles], PIPS[tiles].astype(np.float64)
    double = low == high
    holders = ((low[:, :, None] == np.arange(_ENDS)) | (high[:, :, None] == np.arange(_ENDS))).sum(axis=1)
    at_low, at_high = (np.take_along_axis(holders, end, axis=1) - 1 for end in (low, high))
    at_high = np.where(double, 0, at_high)
    fitting, heavy = at_low + at_high, pips.sum(axis=1, keepdims=True)
    doubles = double.sum(axis=1, keepdims=True)
    together = [
        fitting, fitting * double, np.minimum(at_low, at_high) * ~double, np.maximum(at_low, at_high) ** 2,
        pips * heavy, double * doubles, double * heavy, fitting * heavy, fitting * pips, double * pips,
        pips * doubles,
    ]  # fmt: skip
    return np.concatenate([tiles[:, :, None] == np.arange(TILES), np.stack(together, axis=2)], axis=2)


def _by_ranking(tiles: np.ndarray, means: np.ndarray, others: np.ndarray, own: np.ndarray) -> np.ndarray:
    """Value on some hands of the tile that gains most over its hand on other hands, float64 of shape (R,)."""
    above = means[others] - means[others].mean(axis=1, keepdims=True)
    held = np.bincount(tiles[others].ravel(), minlength=TILES)
    edges = np.bincount(tiles[others].ravel(), above.ravel(), minlength=TILES) / np.maximum(held, 1)
    return np.take_along_axis(means[own], edges[tiles[own]].argmax(axis=1)[:, None], axis=1)[:, 0]


def _leads(found: Study, best: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lead of each hand's best option over each option, and its standard error: float64, (H, O), points."""
    hands, means = np.arange(len(best)), found.means()
    own = np.einsum("hoo->ho", found.noise)
    squares = own + own[hands, best][:, None] - 2 * found.noise[hands, best]
    return means[hands, best][:, None] - means, np.sqrt(np.maximum(squares, 0))
