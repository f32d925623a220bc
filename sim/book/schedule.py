"""What each round of an opening book plays: a function of the plan and of the counters so far.

*Search* rounds play all options of a hand on the same deals and drop those that are clearly beaten.
*Fresh* rounds play other deals: first a few of every option, then as many of the options still in
question as their difference needs. How many that is may depend on how much the fresh scores scatter,
never on which option they favour: stopping where a difference looks large would overrate it.

A *rival*, an option such as revealing in 3-2-5, is compared with the best of the others on every hand,
however far apart they are. Where the fresh deals do not do it well enough, most often because the search
dropped it, the rounds of the *duel* play other deals of the two, and of nothing else: they leave the values
of the others and their order alone.
"""

from dataclasses import dataclass

import numpy as np

from sim.book.plan import DUEL, FRESH, SEARCH, BookPlan
from sim.book.values import OptionMoments, coefficients, option_moments, variance_between
from sim.core.game import Counters

TOP_UPS = 4
"""Rounds that add to the fresh deals; those of the duel go on until no class is short."""
_STEP = 32
_CLEARLY = 4.0
"""An option is dropped when it is worse than the best by this many standard errors."""
_IN_QUESTION = 4.0
"""Two options that are nearer than this many standard errors are worth searching on."""
_FIRST_PART = 0.6
"""What the first round of the duel plays of what is likely to be needed."""


@dataclass(frozen=True)
class Schedule:
    """What one round plays.

    Parameters
    ----------
    alive : bool (C, O) array
        Options to play.
    more : int64 (C,) array
        Completions to add.
    first : int64 (C,) array
        Completions of the stage that are there already.
    expected : int
        Play-outs that the whole book is foretold to take, about.
    """

    alive: np.ndarray
    more: np.ndarray
    first: np.ndarray
    expected: int


@dataclass(frozen=True)
class _Search:
    """What the search says so far.

    Parameters
    ----------
    fitted : float64 (C, O, K) array
        Coefficients of the control variates.
    moments : OptionMoments
        Of the search deals. Here control variates are used on the very deals that they were fitted to:
        it is only for choosing.
    distinct, current : bool (C, O) arrays
        Options that equal no earlier one; those of them that were not dropped.
    """

    fitted: np.ndarray
    moments: OptionMoments
    distinct: np.ndarray
    current: np.ndarray

    @classmethod
    def read(cls, plan: BookPlan, counters: Counters) -> "_Search":
        fitted = coefficients(plan, counters)
        moments = option_moments(plan, counters, SEARCH, fitted)
        distinct = plan.distinct
        current = distinct & (moments.n == moments.n.max(axis=1, keepdims=True))
        return cls(fitted, moments, distinct, current)

    def ranking(self) -> np.ndarray:
        """Options, the best first: those dropped after the others, those that equal another one last."""
        order = (-np.nan_to_num(self.moments.mean, nan=-np.inf)).argsort(axis=1, kind="stable")
        place = np.where(self.current, 0, np.where(self.distinct, 1, 2))
        by_kind = np.take_along_axis(place, order, axis=1).argsort(axis=1, kind="stable")
        return np.take_along_axis(order, by_kind, axis=1)

    def live(self, rank: np.ndarray) -> np.ndarray:
        """Options that are not clearly beaten, at least two a hand.

        An option once dropped has fewer completions than the others and stays dropped.
        """
        keep = self.current.copy()
        for option in range(rank.shape[1]):
            each = np.full(rank.shape[0], option)
            behind, variance, n = self.moments.difference(rank[:, 0], each)
            keep[:, option] &= behind <= _CLEARLY * np.sqrt(variance / np.maximum(n - 1, 1))
        np.put_along_axis(keep, rank[:, :2], True, axis=1)
        return keep & self.current

    def in_question(self, rank: np.ndarray, live: np.ndarray) -> np.ndarray:
        """Tell which classes may gain by more search, bool (C,)."""
        ahead, variance, n = self.moments.difference(rank[:, 0], rank[:, 1])
        near = ahead <= _IN_QUESTION * np.sqrt(variance / np.maximum(n - 1, 1))
        return near | (live.sum(axis=1) > 2)


@dataclass(frozen=True)
class _Contest:
    """Two options of each class that are compared: the first two of the search; in a duel rival and other.

    Parameters
    ----------
    size : float64 (C,) array
        How far apart their values may be: the difference on the search deals and its error, as one.
    variance : float64 (C,) array
        Of the difference on one completion.
    done : int64 (C,) array
        Completions of the stage that both have.
    known : float64 (C,) array
        One over the variance with which other deals tell their difference already.
    """

    size: np.ndarray
    variance: np.ndarray
    done: np.ndarray
    known: np.ndarray

    @classmethod
    def read(cls, plan: BookPlan, counters: Counters, search: _Search, rank: np.ndarray) -> "_Contest":
        """Compare the first two; less control variates, from the stage that has more completions."""
        first, second = rank[:, :2].T
        fresh = option_moments(plan, counters, FRESH, search.fitted)
        difference, variance, n = search.moments.difference(first, second)
        _, fresh_variance, done = fresh.difference(first, second)
        size = np.sqrt(difference**2 + variance / np.maximum(n, 1))
        return cls(size, np.where(done > n, fresh_variance, variance), done, np.zeros(done.size))

    @classmethod
    def duel(cls, plan: BookPlan, counters: Counters, search: _Search, rank: np.ndarray) -> "_Contest":
        """Compare the rival with the best of the others."""
        other, rival = best_other(rank, plan.rival), np.full(len(rank), plan.rival)
        fresh = option_moments(plan, counters, FRESH, search.fitted)
        moments = duel_moments(plan, counters)
        difference, variance, n = search.moments.difference(other, rival)
        size = np.sqrt(difference**2 + variance / np.maximum(n, 1))
        done = moments.n[:, plan.rival]
        # Such that as many completions again have the very error that the means have.
        found = done * variance_between(moments.errors(), other, rival)
        known = 1 / variance_between(fresh.errors(), other, rival)
        return cls(size, np.where(done > 0, found, _FIRST_PART * plan.pace.duel_variance), done, known)


def best_other(rank: np.ndarray, rival: int | None) -> np.ndarray:
    """Return the option but the rival that the search ranks first, int64 (C,), from the ranks of all."""
    return rank[rank != rival].reshape(len(rank), -1)[:, 0]


def _duellists(rank: np.ndarray, rival: int | None) -> np.ndarray:
    """Return what a duel plays, bool (C, O): the rival and the best of the others."""
    met = np.zeros(rank.shape, bool)
    met[np.arange(len(rank)), best_other(rank, rival)] = met[:, rival] = True
    return met


def duel_moments(plan: BookPlan, counters: Counters) -> OptionMoments:
    """Return means and covariance of the duel, without control variates."""
    plain = np.zeros((plan.cards.size, plan.options, plan.covariates))
    return option_moments(plan, counters, DUEL, plain)


def first_duel(plan: BookPlan) -> int:
    """Return the number of the first round of the duel, were there one."""
    return len(plan.pace.search) + 1 + TOP_UPS


def rounds(plan: BookPlan) -> int:
    """Return the number of rounds that a book may take."""
    return first_duel(plan) + plan.pace.duels


def stage_of(plan: BookPlan, round_number: int) -> int:
    """Return the stage that a round belongs to."""
    if round_number < len(plan.pace.search):
        return SEARCH
    return FRESH if round_number < first_duel(plan) else DUEL


def after_nothing(plan: BookPlan, round_number: int) -> int:
    """Return the round to go on with after one that had nothing to play.

    Rounds that top up would find the same counters again, so they are over.
    """
    if round_number <= len(plan.pace.search):
        return round_number + 1
    return first_duel(plan) if round_number < first_duel(plan) else rounds(plan)


def schedule(plan: BookPlan, counters: Counters, round_number: int) -> Schedule:
    """Schedule a round; it may have nothing to play."""
    size, pace = plan.cards.size, plan.pace
    played = int(counters["count"].sum())
    stage = stage_of(plan, round_number)
    first = counters["count"][:, stage].max(axis=1)
    if round_number == 0:
        alive = plan.distinct
        more = np.full(size, pace.search[0], np.int64)
        return Schedule(alive, more, first, _foretold(plan, alive, np.ones(size, bool), 0, None, played))
    search = _Search.read(plan, counters)
    rank = search.ranking()
    alive = search.live(rank)
    budget = plan.budget - played if plan.budget else None
    if stage == DUEL:
        contest = _Contest.duel(plan, counters, search, rank)
        met = _duellists(rank, plan.rival)
        more = _top_up(plan, contest, met, budget)
        return Schedule(met, more, first, played + int((more * met.sum(axis=1)).sum()))
    contest = _Contest.read(plan, counters, search, rank)
    asked = search.in_question(rank, alive) & (stage == SEARCH)
    expected = _foretold(plan, alive, asked, round_number, contest, played)
    if stage == SEARCH:
        wanted = asked | (round_number < pace.everywhere)
        more = np.where(wanted, pace.search[round_number], 0)
        if plan.budget and not _affordable(plan, played + int((more * alive.sum(axis=1)).sum())):
            more = np.zeros(size, np.int64)
        return Schedule(alive, more, first, expected)
    if round_number == len(pace.search):
        return Schedule(search.distinct, np.full(size, pace.fresh, np.int64), first, expected)
    return Schedule(alive, _top_up(plan, contest, alive, budget), first, expected)


def standing(plan: BookPlan, counters: Counters) -> tuple[np.ndarray, np.ndarray]:
    """How the options stand by the search.

    Returns
    -------
    rank : int64 (C, O) array
        Options of each class, the best first; those dropped early come after the others, and those that
        equal another one last.
    live : bool (C, O) array
        Options that are not clearly beaten, at least two a hand.
    """
    search = _Search.read(plan, counters)
    rank = search.ranking()
    return rank, search.live(rank)


def _foretold(
    plan: BookPlan,
    alive: np.ndarray,
    asked: np.ndarray,
    round_number: int,
    contest: _Contest | None,
    played: int,
) -> int:
    """Foretell the play-outs of the whole book, about, when a round begins; ``asked`` are searched on."""
    pace = plan.pace
    total = played + sum(pace.search[round_number : pace.everywhere]) * int(alive.sum())
    if contest:
        # Most of those that are searched on come down to two options soon.
        total += 2 * sum(pace.search[max(round_number, pace.everywhere) :]) * int(asked.sum())
    if round_number <= len(pace.search):
        total += pace.fresh * int(plan.distinct.sum())
    aim = np.full(len(alive), plan.precision)
    if contest:
        done, variance, cost = contest.done, contest.variance, alive.sum(axis=1)
        aim = np.maximum(aim, pace.leniency * contest.size)
    else:
        done, variance = np.zeros(len(alive)), np.full(len(alive), pace.variance)
        cost = np.full(len(alive), 2)
    more = np.maximum(variance / (aim * aim) - np.maximum(done, pace.fresh), 0)
    total += int((more * cost).sum())
    if plan.rival is not None:
        # In the duel its first fresh deals count as well.
        duel = max(pace.duel_variance / plan.precision**2 - pace.fresh, 0)
        total += int(2 * duel * (~alive[:, plan.rival]).sum())
    return min(total, plan.budget) if plan.budget else total


def _affordable(plan: BookPlan, search_plays: int) -> bool:
    """Whether a search of so many play-outs leaves as many for the fresh deals of the contested options."""
    reserve = plan.pace.fresh * int(plan.distinct.sum())
    return 2 * search_plays + reserve <= plan.budget


def _top_up(plan: BookPlan, contest: _Contest, alive: np.ndarray, budget: int | None) -> np.ndarray:
    """Completions that the difference of the two in contest still needs, by class.

    Hands whose options are clearly apart may get less, and do where the budget binds: their error may grow
    with the difference.
    """
    cost, least = alive.sum(axis=1), plan.pace.leniency

    def needed(leniency: float) -> np.ndarray:
        aim = np.maximum(plan.precision, leniency * contest.size)
        lacking = np.maximum(contest.variance / (aim * aim) - contest.variance * contest.known, 0.0)
        wanted = np.ceil(lacking / _STEP).astype(np.int64) * _STEP
        return np.maximum(wanted - contest.done, 0)

    if budget is None or (needed(least) * cost).sum() <= budget:
        return needed(least)
    tight, loose = least, 1e3
    for _ in range(50):
        middle = (tight + loose) / 2 if tight else loose / 4
        fits = (needed(middle) * cost).sum() <= budget
        tight, loose = (tight, middle) if fits else (middle, loose)
    more = needed(loose)
    return more if (more * cost).sum() <= budget else np.zeros_like(more)
