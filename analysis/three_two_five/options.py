"""Call or reveal? The options of the trump maker, played out on the same deals (R9, R10, R13).

Values are scores of the five under the run's scoring (R26), on first deals (no pulls), with all three
players playing the run's strategies and player 0 sitting five. All options of a hand share their deals, so
that differences are paired; errors are over hands. Calls are numbered by the hand's own order of suits
(:func:`analysis.three_two_five.hands.suit_order`): the first suit is the longest, then the highest.

Who picks the best of several noisy options and believes its value overrates it. So the value of the best
is what the deals of a hand and of similar hands let expect (:mod:`analysis.shrinkage`), with an error from
refits without a part of the hands and on half of the deals (:mod:`analysis.choices`). It is the value of
the option that is truly best, whatever the number of deals: studies of different sizes can be compared.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from analysis.choices import Jackknifed, chances_best, greatest, held_out, jackknife, rank_options
from analysis.estimates import Estimate, share
from analysis.moments import Moments
from analysis.provenance import study_counters, with_sources
from analysis.shrinkage import Posterior, lean_on_hands, means_and_noise
from analysis.tables import columns_of, further_columns_of, per_unit
from analysis.three_two_five.hands import FEATURES, ace_aside, describe_hands, holdings, suit_order
from sim.results import Run
from sim.three_two_five.options import HALVES
from sim.three_two_five.rules import REVEAL

CALLS = ("1st suit", "2nd suit", "3rd suit", "4th suit")
OPTIONS = (*CALLS, "reveal")
BEST_CALL, BEST_OPTION, DEALS = "best call", "best option", "deals"
VERDICTS = ("surely call", "too close", "surely reveal")
HAND_BY_HAND = "choose hand by hand"
ONLY_ACE = "the only ace of the two"
OTHER_PAIRS = "no ace, or both have one"
NEVER_REVEAL, ALWAYS_REVEAL = "never reveal", "always reveal"
FIRST_SUIT, ASIDE_FIRST = "always call the 1st suit", "call the longest, ace aside"
BY_GROUP = {
    "this or reveal, by shape": ("shape",),
    "this or reveal, by shape and honours": ("shape", "honours"),
}
"""Policies that do the same with all hands that agree in some features."""
AT_MOST = " (at most)"
"""Marks a cost that is an upper bound."""

_IS_BEST = tuple(f"{option} is best" for option in OPTIONS)
_QUANTITIES = (*OPTIONS, BEST_CALL, BEST_OPTION, ASIDE_FIRST, *BY_GROUP, *_IS_BEST)
_FEWEST_ALIKE = 20
"""Shapes of fewer hands lean on each other."""
_LEVEL = 0.95


@dataclass(frozen=True, eq=False)
class Study:
    """An option study, its options in the order of OPTIONS, relative to each hand.

    Attributes
    ----------
    run : Run
        The run that it belongs to.
    hands : DataFrame, H rows
        As :func:`analysis.three_two_five.hands.describe_hands` gives it.
    aside : ndarray of int64, shape (H,)
        Option of calling by :func:`analysis.three_two_five.hands.ace_aside`.
    n : ndarray of int64, shape (H, 2)
        Deals by half.
    sums : ndarray of int64, shape (H, 2, 5)
        Score of the five, summed over the deals of each half.
    gram : ndarray of int64, shape (H, 2, 5, 5)
        Products of the options' scores, summed over the deals of each half.
    made : ndarray of int64, shape (H, 5)
        Deals in which the five took five tricks or more.
    """

    run: Run
    hands: pd.DataFrame
    aside: np.ndarray
    n: np.ndarray
    sums: np.ndarray
    gram: np.ndarray
    made: np.ndarray

    def groups(self, by: Sequence[str]) -> np.ndarray:
        """Number the groups of hands that agree in some features, int64 of shape (H,)."""
        return self.hands.groupby(list(by), observed=True).ngroup().to_numpy()

    @cached_property
    def estimates(self) -> Jackknifed:
        """What the options and their best are worth on each hand, and the chance of each to be the best."""
        halves = range(HALVES) if self.n.min() > 1 else range(0)
        on_all, on_half = self._seen(range(HALVES)), [self._seen([half]) for half in halves]
        means = on_all[0]
        features = holdings(self.run.study_counters()["cards"])
        shape = self.groups(["shape"])
        alike = np.where(np.bincount(shape)[shape] < _FEWEST_ALIKE, -1, shape)
        aside = np.take_along_axis(means, self.aside[:, None], axis=1)[:, 0]
        either = np.column_stack([aside, means[:, REVEAL]])
        rules = [_better_by_group(either, self.groups(by)) for by in BY_GROUP.values()]
        fixed = np.column_stack([aside, *rules])

        def quantities(rows: np.ndarray, half: int | None) -> np.ndarray:
            seen, noise = on_all if half is None else on_half[half]
            true = lean_on_hands(seen[rows], noise[rows], features[rows], alike[rows])
            calls = Posterior(true.mean[:, :REVEAL], true.covariance[:, :REVEAL, :REVEAL])
            # Above revealing, whose mean over hands needs no prior.
            above = [means[rows, REVEAL] + greatest(best) - true.mean[:, REVEAL] for best in (calls, true)]
            return np.column_stack([means[rows], *above, fixed[rows], chances_best(true)])

        return jackknife(_QUANTITIES, quantities, len(means), halves)

    def _seen(self, halves: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """Means of the options, and the covariance of their errors, on some halves of the deals."""
        sums, gram, n = (counter[:, halves].sum(axis=1) for counter in (self.sums, self.gram, self.n))
        return means_and_noise(sums, gram, n)

    @cached_property
    def _table(self) -> np.ndarray:
        """Totals by hand, int64 of shape (H, 6): scores of the options, number of deals."""
        return np.column_stack([self.sums.sum(axis=1), self.n.sum(axis=1)])

    def moments(self, where: np.ndarray | None = None) -> Moments:
        """Return the moments of OPTIONS and DEALS, one cluster a hand.

        Parameters
        ----------
        where : ndarray of bool, shape (H,), optional
            Hands to take; all if left out.
        """
        table = self._table if where is None else self._table[where]
        return Moments(len(table), table.sum(axis=0), table.T @ table, (*OPTIONS, DEALS))

    def verdicts(self) -> np.ndarray:
        """Judge each hand at 95%.

        Returns
        -------
        ndarray of int64, shape (H,)
            Index into VERDICTS. Surely reveal: revealing beats each of the four calls. Surely call: some
            call beats revealing, at a level shared among the four.
        """
        n = self.n.sum(axis=1)[:, None]
        total = self.sums.sum(axis=1)
        above = total[:, [REVEAL]] - total[:, :REVEAL]
        gram = self.gram.sum(axis=1)
        own = np.einsum("hoo->ho", gram)
        squares = own[:, [REVEAL]] + own[:, :REVEAL] - 2 * gram[:, REVEAL, :REVEAL]
        error = np.sqrt(np.maximum(squares * n - above * above, 0) / (n * n * (n - 1.0)))
        tail = (1 - _LEVEL) / 2
        reveal = (above / n > stdtrit(n - 1, 1 - tail) * error).all(axis=1)
        call = (-above / n > stdtrit(n - 1, 1 - tail / REVEAL) * error).any(axis=1)
        return np.where(reveal, 2, np.where(call, 0, 1))


def study(run: Run | Study) -> Study:
    """Read a run's option study; one that was read already is returned, to save the work.

    Raises
    ------
    ValueError
        If the run has none.
    """
    if isinstance(run, Study):
        return run
    counters = study_counters(run)
    order = suit_order(counters["cards"])
    order = np.column_stack([order, np.full(len(order), REVEAL)])
    gram = np.take_along_axis(counters["gram"], order[:, None, :, None], axis=2)
    return Study(
        run=run,
        hands=describe_hands(counters["cards"]),
        aside=ace_aside(counters["cards"]),
        n=counters["count"],
        sums=np.take_along_axis(counters["sums"], order[:, None, :], axis=2),
        gram=np.take_along_axis(gram, order[:, None, None, :], axis=3),
        made=np.take_along_axis(counters["made"].sum(axis=1), order, axis=1),
    )


def value_unit(run: Run) -> str:
    """Return the unit of the study's values: tricks, or points where a deficit costs nothing (R26)."""
    return "points" if run.rules.scoring == "surplus" else "tricks"


def option_values(run: Run | Study) -> pd.DataFrame:
    """Rank the five options over all hands, each taken on every hand.

    Returns
    -------
    DataFrame
        Five rows, the best first:

        ``option``       1st to 4th suit (a call), or reveal
        ``value``        mean score of the five a deal, in points
        ``se``           its standard error over hands
        ``low, high``    95% interval of the value
        ``loss``         value of the best row minus this one's, in points, paired deal by deal
        ``loss_se``      its standard error over hands
        ``loss_low, loss_high``  95% interval of the loss
        ``chance_best``  chance of being the best of the five, given the errors
        ``makes_five``   share of deals in which the five makes its quota
        ``best_on``      share of hands on which it is the best
        ``best_on_se, best_on_low, best_on_high``  its standard error over hands, and 95% interval
        ``hands``        hands behind the errors
    """
    found = study(run)
    deals = found.run.description["completions"]
    rows = []
    for ranked in rank_options(found.moments(), OPTIONS):
        option = OPTIONS.index(ranked.name)
        rows.append(
            {"option": ranked.name}
            | columns_of(per_unit(ranked.value, deals))
            | further_columns_of(per_unit(ranked.loss, deals), "loss")
            | {
                "chance_best": ranked.chance_best,
                "makes_five": float(found.made[:, option].sum() / found.n.sum()),
            }
            | further_columns_of(found.estimates.share(_IS_BEST[option]), "best_on")
            | {"hands": len(found.hands)}
        )
    return with_sources(pd.DataFrame(rows), found.run)


def call_or_reveal(run: Run | Study, by: str | Sequence[str] = ()) -> pd.DataFrame:
    """Compare revealing with the best call, over all hands or group by group.

    Parameters
    ----------
    run : Run or Study
        A run with an option study.
    by : str or sequence of str
        Features to group by (``hands.FEATURES``): shape, honours, top, side.

    Returns
    -------
    DataFrame
        One row a group, the features first:

        ``hands``       hands in the group
        ``share``       of all hands
        ``first_suit``  mean score of calling the first suit, in points a deal
        ``call``        mean score of the best call, in points a deal
        ``reveal``      mean score of revealing, in points a deal
        ``difference``  reveal minus best call, in points a deal, paired
        ``se``          its standard error over hands
        ``low, high``   95% interval of the difference
        ``better``      call or reveal where the interval leaves out 0, else too close
    """
    found = study(run)
    rows = []
    for group, where in hand_groups(found.hands, by):
        hands = int(where.sum())
        first, call, reveal = (
            found.estimates.mean(name, where).mean for name in (CALLS[0], BEST_CALL, "reveal")
        )
        difference = found.estimates.mean({"reveal": 1, BEST_CALL: -1}, where)
        rows.append(
            {**group, "hands": hands, "share": hands / len(found.hands)}
            | {"first_suit": first, "call": call, "reveal": reveal}
            | columns_of(difference, "difference")
            | {"better": better_of(difference)}
        )
    return with_sources(pd.DataFrame(rows), found.run)


def second_suit_gain(run: Run | Study) -> pd.DataFrame:
    """What calling the second suit gains where the two longest are equally long (shape 2-2-1).

    Returns
    -------
    DataFrame
        At most two rows:

        ``first``       what the first suit holds: the only ace of the two, or not
        ``hands``       hands of that kind
        ``difference``  value of calling the second suit minus the first, in points a deal, paired
        ``se``          its standard error over hands
        ``low, high``   95% interval of the difference
    """
    found = study(run)
    pairs = (found.hands["shape"] == "2-2-1").to_numpy()
    rows = []
    for first, where in ((ONLY_ACE, found.aside == 1), (OTHER_PAIRS, found.aside == 0)):
        if (pairs & where).any():
            moments = found.moments(pairs & where)
            difference = moments.difference(CALLS[1], CALLS[0], DEALS)
            low, high = difference.interval()
            sizes = {"difference": difference.mean, "se": difference.se, "low": low, "high": high}
            rows.append({"first": first, "hands": moments.n, **sizes})
    columns = ["first", "hands", "difference", "se", "low", "high"]
    return with_sources(pd.DataFrame(rows, columns=columns), found.run)


def reveal_share(run: Run | Study, by: str | Sequence[str] = ()) -> pd.DataFrame:
    """How often revealing is best, hand by hand.

    Returns
    -------
    DataFrame
        Three rows a group, the features first:

        ``verdict``    surely call, too close or surely reveal: each hand judged at 95%, so that up to 2.5%
                       of the other side's hands can be misjudged
        ``hands``      hands with that verdict
        ``share``      of the group's hands
        ``low, high``  95% Wilson interval of the share
        ``n``          hands in the group
        ``best_on``    share of the group's hands on which revealing is the best
        ``best_on_se, best_on_low, best_on_high``  its standard error over hands, and 95% interval

        More deals make more hands sure; on how many revealing is best does not depend on them.
    """
    found = study(run)
    verdicts = found.verdicts()
    rows = []
    for group, where in hand_groups(found.hands, by):
        n = int(where.sum())
        best_on = further_columns_of(found.estimates.share(_IS_BEST[REVEAL], where), "best_on")
        for verdict, name in enumerate(VERDICTS):
            count = int((verdicts[where] == verdict).sum())
            low, high = share(count, n).interval()
            shares = {"share": count / n, "low": low, "high": high, "n": n}
            rows.append({**group, "verdict": name, "hands": count, **shares, **best_on})
    return with_sources(pd.DataFrame(rows), found.run)


def policy_costs(run: Run | Study) -> pd.DataFrame:
    """What simple policies cost against choosing hand by hand.

    Returns
    -------
    DataFrame
        One row a policy, the costs in points a deal:

        ``policy``       choose hand by hand: the better of best call and reveal; never reveal: the best
                         call; always reveal; always call the first suit; of two equally long suits the
                         one without the ace; this or reveal, whichever is better for all hands of a shape, or
                         of a shape and honours: a bound, since each part of the hands goes by a rule settled
                         on the other hands, which chance has part in
        ``value``        mean score of the five, in points a deal
        ``se``           its standard error over hands
        ``low, high``    95% interval of the value
        ``cost``         value of choosing hand by hand minus this policy's, paired
        ``cost_se``      its standard error over hands
        ``cost_low, cost_high``  95% interval of the cost
        ``hands``        hands behind the errors
    """
    found = study(run)
    policies = {
        HAND_BY_HAND: BEST_OPTION,
        NEVER_REVEAL: BEST_CALL,
        ALWAYS_REVEAL: OPTIONS[REVEAL],
        FIRST_SUIT: CALLS[0],
        ASIDE_FIRST: ASIDE_FIRST,
        **{f"{name}{AT_MOST}": name for name in BY_GROUP},
    }
    rows = [
        {"policy": name}
        | columns_of(found.estimates.mean(policy))
        | further_columns_of(_cost(found, policy), "cost")
        | {"hands": len(found.hands)}
        for name, policy in policies.items()
    ]
    return with_sources(pd.DataFrame(rows), found.run)


def option_to_choose(run: Run | Study) -> Estimate:
    """Value of being free to choose hand by hand, over the better of never and always revealing.

    Returns
    -------
    Estimate
        In points a deal, over hands.
    """
    found = study(run)
    costs = [_cost(found, policy) for policy in (BEST_CALL, OPTIONS[REVEAL])]
    return min(costs, key=lambda cost: cost.mean)


def _cost(found: Study, policy: str) -> Estimate:
    """Estimate what a policy costs against choosing hand by hand."""
    if policy == BEST_OPTION:
        return Estimate(0.0, 0.0, len(found.hands))
    return found.estimates.mean({BEST_OPTION: 1, policy: -1})


def _better_by_group(either: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Take the one of two values, (H, 2), that is larger on average over other hands of the same group."""

    def value(others: np.ndarray, own: np.ndarray) -> np.ndarray:
        gain = either[others, 1] - either[others, 0]
        better = np.bincount(groups[others], gain, groups.max() + 1) > 0
        return either[own, better[groups[own]].astype(np.int64)]

    return held_out(value, len(either))


def hand_groups(
    hands: pd.DataFrame, by: str | Sequence[str] = ()
) -> list[tuple[dict[str, object], np.ndarray]]:
    """Return each group's features and the mask of its hands, in the features' own order.

    Parameters
    ----------
    hands : DataFrame, H rows
        As :func:`analysis.three_two_five.hands.describe_hands` gives it.
    by : str or sequence of str
        Features to group by; all hands are one group without any.

    Raises
    ------
    ValueError
        If a feature is unknown.
    """
    by = [by] if isinstance(by, str) else list(by)
    for name in by:
        if name not in FEATURES:
            raise ValueError(f"no feature {name!r} of a hand: valid are {', '.join(FEATURES)}")
    if not by:
        return [({}, np.ones(len(hands), bool))]
    numbers = hands.groupby(by, observed=True).ngroup().to_numpy()
    masks = [numbers == number for number in range(numbers.max() + 1)]
    return [(hands.loc[where, by].iloc[0].to_dict(), where) for where in masks]


def better_of(difference: Estimate) -> str:
    """Say what is better at 95%, given revealing minus the best call: call, reveal or too close."""
    low, high = difference.interval()
    return "reveal" if low > 0 else "call" if high < 0 else "too close"
