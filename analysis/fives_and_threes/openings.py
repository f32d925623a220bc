"""Which tile to open? Every opening tile of many hands, played out on the same deals (F4).

The value of an opening is what the starter's side scores in the round minus the mean of what the others
score, over a round alone without a target. All openings of a hand share their deals, so that differences
are paired. Errors are over hands; where the study takes each of all hands once, they are a little too large.

Who picks the best of several noisy openings and believes its value overrates it. So the best is picked on
one half of the deals and valued on the other (:mod:`analysis.choices`), leaning on what a tile is worth in
other hands (:mod:`analysis.shrinkage`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from analysis.choices import Choice
from analysis.estimates import Estimate, Share, from_values, share
from analysis.moments import Moments
from analysis.provenance import study_counters, with_sources
from analysis.shrinkage import judge, shrink
from analysis.tables import columns_of, further_columns_of, per_unit
from sim.fives_and_threes.chain import POINTS
from sim.fives_and_threes.options import TILE_QUANTITIES, by_tile, scale
from sim.fives_and_threes.tiles import HIGH, LOW, PIPS, TILES, tile_names
from sim.results import Run

TILE_NAMES = tuple(tile_names((1 << TILES) - 1))
HAND_BY_HAND, BY_RANKING, ANY_TILE = "choose hand by hand", "by the ranking of tiles", "any tile"
_LEVEL = 0.95
_FIRST_POINTS = POINTS[PIPS]
"""What each tile scores as the first one (F7, F8)."""
_HEAVY = 100


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
    def best(self) -> Choice:
        """The best opening, hand by hand."""
        halves = [_expected(self.tiles, self.sums[:, h], self.gram[:, h], self.n[:, h]) for h in (0, 1)]
        return judge(np.column_stack([expected.argmax(axis=1) for expected in halves]), self.sums, self.n)

    @cached_property
    def by_ranking(self) -> Choice:
        """The tile that is the best opener over all hands, for each hand."""
        halves = [_edges(self.tiles, self.sums[:, h], self.n[:, h]) for h in (0, 1)]
        chosen = [edges[self.tiles].argmax(axis=1) for edges in halves]
        return judge(np.column_stack(chosen), self.sums, self.n)

    def means(self) -> np.ndarray:
        """Return the mean value of each option in points, float64 of shape (H, O)."""
        return self.sums.sum(axis=1) / (self.scale * self.n.sum(axis=1)[:, None])

    def in_points(self, estimate: Estimate) -> Estimate:
        """Turn an estimate of scaled values into one of points."""
        return per_unit(estimate, self.scale)


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
        ``best_on``    share of these hands on which it looks best, judged on a half
    """
    found = opening_study(run)
    counters = by_tile(found.run.study_counters())
    size = found.tiles.shape[1]
    chosen = np.zeros(TILES)
    for half in (0, 1):
        tiles = np.take_along_axis(found.tiles, found.best.chosen[:, [half]], axis=1)
        chosen += np.bincount(tiles[:, 0], minlength=TILES) / 2
    rows = []
    for tile in np.flatnonzero(counters["clusters"]):
        clusters, totals, gram = (counters[name][tile] for name in ("clusters", "totals", "gram"))
        moments = Moments(clusters, totals, gram, TILE_QUANTITIES)
        value = found.in_points(moments.ratio("value", "completions"))
        edge = per_unit(found.in_points(moments.ratio("edge", "completions")), size)
        rows.append(
            {"tile": TILE_NAMES[tile], "points": int(_FIRST_POINTS[tile]), "hands": moments.n}
            | further_columns_of(value, "value")
            | further_columns_of(edge, "edge")
            | {"best_on": float(chosen[tile] / moments.n)}
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
        ``value``      mean value of that opening, in points a round: picked and valued on the same deals,
                       hence a little too good
        ``second``     the next best
        ``lead``       value of the best minus that of the second, paired
        ``se``         its standard error, over the deals of this hand
        ``low, high``  95% interval of the lead
        ``sure``       whether the best beats each other opening at 95%
        ``deals``      deals of this hand
    """
    found = opening_study(run)
    means, n = found.means(), found.n.sum(axis=1)
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
        "value": means[hands, order[:, 0]],
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

        ``policy``     choose hand by hand; by the ranking of tiles (settled on the other half); most points
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
    for name, value, cost in _policies(found):
        rows.append(
            {"policy": name}
            | columns_of(found.in_points(value))
            | further_columns_of(found.in_points(cost), "cost")
            | {"hands": len(found.tiles)}
        )
    return with_sources(pd.DataFrame(rows).sort_values("cost", kind="stable", ignore_index=True), found.run)


def _policies(found: Study) -> Iterator[tuple[str, Estimate, Estimate]]:
    """Yield each policy with its value and its cost, scaled."""
    free, n, total = found.best, found.n.sum(axis=1), found.sums.sum(axis=1)
    yield HAND_BY_HAND, free.lower(), free.regret(free)
    yield BY_RANKING, found.by_ranking.lower(), free.regret(found.by_ranking)
    heavy = PIPS[found.tiles]
    double = LOW[found.tiles] == HIGH[found.tiles]
    habits = {
        "most points now": _HEAVY * _FIRST_POINTS[found.tiles] + heavy,
        "the heaviest tile": heavy,
        "a double, the heaviest": _HEAVY * double + heavy,
    }
    for name, merit in habits.items():
        option = merit.argmax(axis=1)
        yield name, from_values(total[np.arange(len(n)), option] / n), free.regret(option)
    mean = total.mean(axis=1)
    yield ANY_TILE, from_values(mean / n), from_values((free.evaluated.sum(axis=1) - mean) / n)


def _edges(tiles: np.ndarray, sums: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Mean of each tile's value above that of its hand, float64 of shape (28,); 0 for tiles nobody held."""
    means = sums / n[:, None]
    above = means - means.mean(axis=1, keepdims=True)
    held = np.bincount(tiles.ravel(), minlength=TILES)
    return np.bincount(tiles.ravel(), above.ravel(), minlength=TILES) / np.maximum(held, 1)


def _expected(tiles: np.ndarray, sums: np.ndarray, gram: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Expected true values above the hand's mean, from one half: what was seen, drawn to the tile's edge."""
    centring = np.eye(tiles.shape[1]) - 1 / tiles.shape[1]
    above = (sums / n[:, None]) @ centring
    squares = np.einsum("oi,hij,oj->ho", centring, gram.astype(np.float64), centring)
    noise = _squared_error(squares, above, n[:, None])
    drawn = shrink(above.reshape(-1, 1), noise.reshape(-1, 1), tiles.ravel())
    return drawn.reshape(above.shape)


def _leads(found: Study, best: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lead of each hand's best option over each option, and its standard error: float64, (H, O), points."""
    hands = np.arange(len(best))
    gram, n = found.gram.sum(axis=1), found.n.sum(axis=1)[:, None]
    own = np.einsum("hoo->ho", gram)
    squares = own + own[hands, best][:, None] - 2 * gram[hands, best]
    total = found.sums.sum(axis=1)
    lead = (total[hands, best][:, None] - total) / n
    return lead / found.scale, np.sqrt(_squared_error(squares, lead, n)) / found.scale


def _squared_error(squares: np.ndarray, mean: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Squared standard error of a mean of ``n`` values from the sum of their squares; inf for one value."""
    spread = np.maximum(squares - n * mean**2, 0)
    freedom = n * (n - 1.0)
    return np.divide(spread, freedom, out=np.full(spread.shape, np.inf), where=freedom > 0)
