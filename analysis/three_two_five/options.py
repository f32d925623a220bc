"""Call or reveal? The options of the trump maker, played out on the same deals (R9, R10, R13).

Values are scores of the five under the run's scoring (R26), on first deals (no pulls), with all three
players playing the run's strategies and player 0 sitting five. All options of a hand share their deals, so
that differences are paired; errors are over hands. Calls are numbered by the hand's own order of suits
(:func:`analysis.three_two_five.hands.suit_order`): the first suit is the longest, then the highest.

Who picks the best of several noisy options and believes its value overrates it. So wherever the best is
picked hand by hand, it is picked on one half of the deals and valued on the other
(:mod:`analysis.choices`), leaning on hands of the same shape and honours (:mod:`analysis.shrinkage`). That
is a shade too modest: noise now and then picks the wrong option.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from analysis.choices import Choice, choose_then_evaluate, rank_options
from analysis.estimates import Estimate, from_values, share
from analysis.moments import Moments
from analysis.provenance import study_counters, with_sources
from analysis.shrinkage import choose_with_groups
from analysis.tables import columns_of, further_columns_of, per_unit
from analysis.three_two_five.hands import FEATURES, ace_aside, describe_hands, suit_order
from sim.results import Run
from sim.three_two_five.rules import REVEAL

CALLS = ("1st suit", "2nd suit", "3rd suit", "4th suit")
OPTIONS = (*CALLS, "reveal")
BEST_CALL, BEST_OPTION, DEALS = "best call", "best option", "deals"
VERDICTS = ("surely call", "too close", "surely reveal")
HAND_BY_HAND = "choose hand by hand"
ONLY_ACE = "the only ace of the two"
NEVER_REVEAL, ALWAYS_REVEAL = "never reveal", "always reveal"

_ALIKE = ("shape", "honours")
_EVERY_OPTION = np.ones(len(OPTIONS), bool)
_ONLY_CALLS = np.array([True] * REVEAL + [False])
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

    @cached_property
    def best_call(self) -> Choice:
        """The best of the four calls, hand by hand."""
        return self._choose(_ONLY_CALLS)

    @cached_property
    def best_option(self) -> Choice:
        """The best of all five options, hand by hand."""
        return self._choose(_EVERY_OPTION)

    def _choose(self, mask: np.ndarray) -> Choice:
        return choose_with_groups(self.sums, self.gram, self.n, self.groups(_ALIKE), mask)

    def groups(self, by: Sequence[str]) -> np.ndarray:
        """Number the groups of hands that agree in some features, int64 of shape (H,)."""
        return self.hands.groupby(list(by), observed=True).ngroup().to_numpy()

    @cached_property
    def _table(self) -> np.ndarray:
        """Totals by hand, int64 of shape (H, 8): scores of options and choices, number of deals."""
        chosen = [choice.evaluated.sum(axis=1) for choice in (self.best_call, self.best_option)]
        return np.column_stack([self.sums.sum(axis=1), *chosen, self.n.sum(axis=1)])

    def moments(self, where: np.ndarray | None = None) -> Moments:
        """Return the moments of OPTIONS, BEST_CALL, BEST_OPTION and DEALS, one cluster a hand.

        Parameters
        ----------
        where : ndarray of bool, shape (H,), optional
            Hands to take; all if left out.
        """
        table = self._table if where is None else self._table[where]
        names = (*OPTIONS, BEST_CALL, BEST_OPTION, DEALS)
        return Moments(len(table), table.sum(axis=0), table.T @ table, names)

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
        ``best_on``      share of hands on which it looks best, judged on a half
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
                "best_on": found.best_option.picked(option).mean,
                "hands": len(found.hands),
            }
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
    for group, where in _groups(found, by):
        moments = found.moments(where)
        difference = moments.difference("reveal", BEST_CALL, DEALS)
        low, high = difference.interval()
        rows.append(
            {
                **group,
                "hands": moments.n,
                "share": moments.n / len(found.hands),
                "first_suit": moments.ratio(CALLS[0], DEALS).mean,
                "call": moments.ratio(BEST_CALL, DEALS).mean,
                "reveal": moments.ratio("reveal", DEALS).mean,
            }
            | {"difference": difference.mean, "se": difference.se, "low": low, "high": high}
            | {"better": _better(difference)}
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
    for first, where in ((ONLY_ACE, found.aside == 1), ("no ace, or both have one", found.aside == 0)):
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
        ``best_on``    share of the group's hands on which revealing looks best, judged on a half
    """
    found = study(run)
    verdicts, looks_best = found.verdicts(), (found.best_option.chosen == REVEAL).mean(axis=1)
    rows = []
    for group, where in _groups(found, by):
        n = int(where.sum())
        for verdict, name in enumerate(VERDICTS):
            count = int((verdicts[where] == verdict).sum())
            low, high = share(count, n).interval()
            shares = {"share": count / n, "low": low, "high": high, "n": n}
            best_on = float(looks_best[where].mean())
            rows.append({**group, "verdict": name, "hands": count, **shares, "best_on": best_on})
    return with_sources(pd.DataFrame(rows), found.run)


def policy_costs(run: Run | Study) -> pd.DataFrame:
    """What simple policies cost against choosing hand by hand.

    Returns
    -------
    DataFrame
        One row a policy, the costs in points a deal:

        ``policy``       choose hand by hand: the better of best call and reveal; never reveal: the best
                         call; always reveal; always call the first suit; of two equally long suits the
                         one without the ace; this or reveal, by shape or by shape and honours (settled on
                         one half for all hands of a kind)
        ``value``        mean score of the five, in points a deal
        ``se``           its standard error over hands
        ``low, high``    95% interval of the value
        ``cost``         value of choosing hand by hand minus this policy's, paired
        ``cost_se``      its standard error over hands
        ``cost_low, cost_high``  95% interval of the cost
        ``hands``        hands behind the errors
    """
    found = study(run)
    free = found.best_option
    policies: dict[str, Choice | np.ndarray] = {
        HAND_BY_HAND: free,
        NEVER_REVEAL: found.best_call,
        ALWAYS_REVEAL: np.full(len(found.hands), REVEAL),
        "always call the 1st suit": np.zeros(len(found.hands), np.int64),
        "call the longest, ace aside": found.aside,
        "this or reveal, by shape": _by_group(found, ["shape"]),
        "this or reveal, by shape and honours": _by_group(found, ["shape", "honours"]),
    }
    rows = []
    for name, policy in policies.items():
        if isinstance(policy, Choice):
            value = policy.lower()
        else:
            total = found.sums.sum(axis=1)[np.arange(len(policy)), policy]
            value = from_values(total / found.n.sum(axis=1))
        cost = free.regret(policy)
        hands = {"hands": len(found.hands)}
        rows.append({"policy": name} | columns_of(value) | further_columns_of(cost, "cost") | hands)
    return with_sources(pd.DataFrame(rows), found.run)


def option_to_choose(run: Run | Study) -> Estimate:
    """Value of being free to choose hand by hand, over the better of never and always revealing.

    Returns
    -------
    Estimate
        In points a deal, over hands.
    """
    found = study(run)
    costs = [found.best_option.regret(policy) for policy in (found.best_call, REVEAL)]
    return min(costs, key=lambda cost: cost.mean)


def _by_group(found: Study, by: list[str]) -> Choice:
    """Choose between calling the longest suit (ace aside) and revealing, alike for all hands of a group."""
    called = np.take_along_axis(found.sums, found.aside[:, None, None], axis=2)
    either = np.concatenate([called, found.sums[:, :, [REVEAL]]], axis=2)
    choice = choose_then_evaluate(either, found.n, groups=found.groups(by))
    chosen = np.where(choice.chosen == 0, found.aside[:, None], REVEAL)
    return replace(choice, chosen=chosen, sums=found.sums)


def _groups(found: Study, by: str | Sequence[str]) -> list[tuple[dict[str, object], np.ndarray]]:
    """Return each group's features and the mask of its hands, in the features' own order.

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
        return [({}, np.ones(len(found.hands), bool))]
    numbers = found.groups(by)
    masks = [numbers == number for number in range(numbers.max() + 1)]
    return [(found.hands.loc[where, by].iloc[0].to_dict(), where) for where in masks]


def _better(difference: Estimate) -> str:
    low, high = difference.interval()
    return "reveal" if low > 0 else "call" if high < 0 else "too close"
