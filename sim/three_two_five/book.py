"""The opening book: every class of first hands, each option valued to a stated precision.

The work goes in rounds, and a round's schedule is a function of the counters so far, so that the book
is the same integers for any number of jobs and however often it was interrupted.

*Search* rounds play all options of a hand on the same deals and drop those that are clearly beaten.
*Fresh* rounds play other deals: first a few of every option, then as many of the options still in
question as their difference needs. Nothing that was used to choose is used to value, so the best of
several noisy options is not overrated.

Differences are taken deal by deal, less control variates (functions of the hidden cards whose means
are known): coefficients come from the search deals and are applied to the fresh ones.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import tee
from typing import Any

import numpy as np

from sim.core.game import Counters, StrategyError
from sim.core.strategy import Strategy
from sim.parallel import in_order
from sim.three_two_five import completions
from sim.three_two_five.book_values import coefficients, option_moments
from sim.three_two_five.cards import LANE, LANE_WIDTH, format_cards
from sim.three_two_five.completions import COVARIATES, FRESH, OPTIONS, SEARCH
from sim.three_two_five.hands import hand_classes
from sim.three_two_five.kernel import OK
from sim.three_two_five.rules import SEVENS, Rules
from sim.three_two_five.strategies import specialised_kernel, strategy_rows

SEARCH_ROUNDS = (64, 64, 128, 256)
FRESH_ALL = 64
"""Fresh completions of every option, also of those that were dropped."""
TOP_UPS = 4
_STEP = 32
_PIECE_PLAYS = 200_000
_CLEARLY = 4.0
"""An option is dropped when it is worse than the best by this many standard errors."""
LEAST_PRECISION, MOST_PRECISION = 0.002, 1.0


@dataclass(frozen=True)
class BookPlan:
    """What book to make.

    Parameters
    ----------
    rules : Rules
        By which the deals are played and scored.
    strategies : tuple of Strategy
        Of the five, the three and the two.
    seed : int
        Fixes every completion.
    debts : tuple of int
        Pulls that five, three and two may take, or suffer if negative (R14): zeros for a first deal.
    precision : float
        Standard error wanted for the difference between the best two options, in points of score.
    budget : int
        Most play-outs; 0 for as many as the precision needs. A small budget goes to hands whose
        options are close.
    every : int
        1 for the whole book; n for every n-th class only, a quick look.

    Raises
    ------
    ValueError
        If a field is out of range.
    """

    rules: Rules
    strategies: tuple[Strategy, ...]
    seed: int = 1
    debts: tuple[int, int, int] = (0, 0, 0)
    precision: float = 0.02
    budget: int = 0
    every: int = 1

    def __post_init__(self) -> None:
        if len(self.debts) != 3 or sum(self.debts) != 0 or max(map(abs, self.debts)) > 8:
            raise ValueError(
                f"debts {self.debts}: three numbers for five, three and two that add up to 0, from -8 to 8"
            )
        if any(debt and not self.rules.pulls for debt in self.debts):
            raise ValueError(f"debts {self.debts}: without pulls there are none (R32)")
        if not LEAST_PRECISION <= self.precision <= MOST_PRECISION:
            raise ValueError(
                f"precision {self.precision:g}: must be from {LEAST_PRECISION:g} to {MOST_PRECISION:g}"
            )
        if self.every < 1:
            raise ValueError(f"every {self.every}: must be at least 1")
        least = 2 * SEARCH_ROUNDS[0] * len(OPTIONS) * self.cards.size
        if self.budget and self.budget < least:
            raise ValueError(f"budget {self.budget:,}: this book needs at least {least:,} play-outs")

    @property
    def cards(self) -> np.ndarray:
        """Return the representative hands, int64 of shape (C,)."""
        return hand_classes(SEVENS.index(self.rules.sevens)).cards[:: self.every]

    @property
    def weight(self) -> np.ndarray:
        """Return the hands that each class stands for, int64 of shape (C,)."""
        return hand_classes(SEVENS.index(self.rules.sevens)).weight[:: self.every]

    def as_dict(self) -> dict[str, Any]:
        """Return the plan by names."""
        return {
            "rules": self.rules.as_dict(),
            "strategies": [strategy.name for strategy in self.strategies],
            "seed": self.seed,
            "debts": list(self.debts),
            "precision": self.precision,
            "budget": self.budget,
            "every": self.every,
        }


@dataclass
class Book:
    """A book in the making, or made.

    Parameters
    ----------
    plan : BookPlan
        What it is to be.
    counters : dict of str to int64 array
        As :mod:`sim.three_two_five.completions` describes them, one entry a class.
    round : int
        Number of the round that is being played.
    position : int
        Classes of it that are done.
    alive : bool (C, 5) array
        Options that the round plays.
    more : int64 (C,) array
        Completions that it adds.
    first : int64 (C,) array
        Completions of the stage that were there before.
    """

    plan: BookPlan
    counters: Counters
    round: int = -1
    position: int = 0
    alive: np.ndarray = field(default_factory=lambda: np.zeros((0, len(OPTIONS)), bool))
    more: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    first: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))

    @classmethod
    def blank(cls, plan: BookPlan) -> "Book":
        """Return a book without a completion yet, its first round scheduled."""
        book = cls(plan, completions.blank(plan.cards.size))
        book.next_round()
        return book

    @property
    def stage(self) -> int:
        """Return the stage that the round belongs to."""
        return SEARCH if self.round < len(SEARCH_ROUNDS) else FRESH

    @property
    def complete(self) -> bool:
        """Whether nothing is left to play."""
        return self.round >= len(SEARCH_ROUNDS) + 1 + TOP_UPS

    @property
    def played(self) -> int:
        """Return the play-outs in the counters."""
        return int(self.counters["count"].sum())

    @property
    def left(self) -> int:
        """Return the play-outs left in this round."""
        return int((self.more * self.alive.sum(axis=1))[self.position :].sum())

    def next_round(self) -> None:
        """Schedule the next round from the counters; rounds with nothing to play are passed over."""
        while not self.complete:
            self.round += 1
            self.position = 0
            if self.complete:
                self.more = np.zeros(self.plan.cards.size, np.int64)
                return
            self.alive, self.more = _schedule(self)
            self.first = self.counters["count"][:, self.stage].max(axis=1)
            if self.left:
                return


def twins(cards: np.ndarray) -> np.ndarray:
    """Tell which options are the same as an earlier one because both suits hold the same cards.

    Returns
    -------
    bool (C, 5) array
        True for hearts where they equal spades, and for clubs where they equal diamonds. It holds
        for low sevens only; with raised sevens hearts and spades differ.
    """
    lanes = [(cards >> (suit * LANE_WIDTH)) & LANE for suit in range(4)]
    same = np.zeros((cards.size, len(OPTIONS)), bool)
    same[:, 1] = lanes[0] == lanes[1]
    same[:, 3] = lanes[2] == lanes[3]
    return same


def distinct_options(plan: BookPlan) -> np.ndarray:
    """Options that have to be played, bool (C, 5): one of each pair of equal suits."""
    same = twins(plan.cards)
    if plan.rules.sevens != "low":
        same[:, 1] = False
    return ~same


def _schedule(book: Book) -> tuple[np.ndarray, np.ndarray]:
    """Options to play and completions to add in the round that begins."""
    size = book.plan.cards.size
    options = distinct_options(book.plan)
    budget = book.plan.budget - book.played if book.plan.budget else None
    if book.round == 0:
        return options, np.full(size, SEARCH_ROUNDS[0], np.int64)
    alive = live_options(book, options)
    if book.round < len(SEARCH_ROUNDS):
        more = np.full(size, SEARCH_ROUNDS[book.round], np.int64)
        reserve = FRESH_ALL * options.sum(axis=1)
        return alive, _within_budget(more, alive, reserve, budget)
    if book.round == len(SEARCH_ROUNDS):
        return options, np.full(size, FRESH_ALL, np.int64)
    return alive, _top_up(book, alive, budget)


def live_options(book: Book, options: np.ndarray) -> np.ndarray:
    """Options that the search has not clearly beaten, at least two a hand, bool (C, 5).

    An option once dropped has fewer completions than the others and stays dropped.
    """
    moments = option_moments(book.counters, book.plan.cards, book.plan.rules, SEARCH, _no_coefficients(book))
    current = options & (moments.n == moments.n.max(axis=1, keepdims=True))
    mean = np.where(current, moments.mean, -np.inf)
    rank = (-mean).argsort(axis=1, kind="stable")
    keep = current.copy()
    for option in range(len(OPTIONS)):
        each = np.full(rank.shape[0], option)
        behind, variance, n = moments.difference(rank[:, 0], each)
        keep[:, option] &= behind <= _CLEARLY * np.sqrt(variance / np.maximum(n - 1, 1))
    np.put_along_axis(keep, rank[:, :2], True, axis=1)
    return keep & current


def finalists(book: Book) -> np.ndarray:
    """The best and the second-best option of each class by the search, int64 (C, 2)."""
    moments = option_moments(book.counters, book.plan.cards, book.plan.rules, SEARCH, _no_coefficients(book))
    current = distinct_options(book.plan) & (moments.n == moments.n.max(axis=1, keepdims=True))
    return (-np.where(current, moments.mean, -np.inf)).argsort(axis=1, kind="stable")[:, :2]


def _no_coefficients(book: Book) -> np.ndarray:
    return np.zeros((book.plan.cards.size, len(OPTIONS), len(COVARIATES)))


def _within_budget(
    more: np.ndarray, alive: np.ndarray, reserve: np.ndarray, budget: int | None
) -> np.ndarray:
    """Leave a search round out where the budget would not last for the fresh deals."""
    if budget is None:
        return more
    cost = more * alive.sum(axis=1)
    return more if cost.sum() + reserve.sum() <= budget else np.zeros_like(more)


def _top_up(book: Book, alive: np.ndarray, budget: int | None) -> np.ndarray:
    """Fresh completions that the best-against-second difference still needs, by class.

    How much a difference scatters is read from the stage with more completions. Where the budget
    binds, hands whose options are clearly apart get less: their error may grow with the difference.
    """
    difference, variance, done = _best_against_second(book)
    cost = alive.sum(axis=1)

    def needed(leniency: float) -> np.ndarray:
        aim = np.maximum(book.plan.precision, leniency * np.abs(difference))
        wanted = np.ceil(variance / (aim * aim) / _STEP).astype(np.int64) * _STEP
        return np.maximum(wanted - done, 0)

    if budget is None or (needed(0.0) * cost).sum() <= budget:
        return needed(0.0)
    tight, loose = 0.0, 1e3
    for _ in range(50):
        middle = (tight + loose) / 2 if tight else loose / 4
        fits = (needed(middle) * cost).sum() <= budget
        tight, loose = (tight, middle) if fits else (middle, loose)
    more = needed(loose)
    return more if (more * cost).sum() <= budget else np.zeros_like(more)


def _best_against_second(book: Book) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Difference of the finalists, variance of one completion, and fresh completions done."""
    rules, cards = book.plan.rules, book.plan.cards
    pair = finalists(book)
    fitted = coefficients(book.counters, rules)
    search = option_moments(book.counters, cards, rules, SEARCH, fitted)
    fresh = option_moments(book.counters, cards, rules, FRESH, fitted)
    difference, variance, n = search.difference(pair[:, 0], pair[:, 1])
    fresh_difference, fresh_variance, done = fresh.difference(pair[:, 0], pair[:, 1])
    better_known = done > n
    return (
        np.where(better_known, fresh_difference, difference),
        np.where(better_known, fresh_variance, variance),
        done,
    )


def play_piece(
    plan: BookPlan, stage: int, cards: np.ndarray, first: np.ndarray, more: np.ndarray, alive: np.ndarray
) -> Counters:
    """Play a part of a round: the counters of some classes, arrays as for ``play_completions``.

    Raises
    ------
    StrategyError
        If a strategy answers outside the rules.
    """
    counters = completions.blank(cards.size)
    play = specialised_kernel(completions.play_completions, plan.strategies)
    status, hand = play(
        plan.seed, stage, cards, first, more, alive, np.array(plan.debts, np.int64), plan.rules.row(),
        *strategy_rows(plan.strategies), *counters.values(),
    )  # fmt: skip
    if status != OK:
        raise StrategyError(f"a strategy answered outside the rules with {format_cards(int(cards[hand]))}")
    return counters


def pieces(book: Book, plays: int) -> Iterator[slice]:
    """Split what is left of the round into runs of classes of about as many play-outs."""
    cost = book.more * book.alive.sum(axis=1)
    start = book.position
    while start < cost.size:
        reached = np.cumsum(cost[start:])
        end = start + int(np.searchsorted(reached, plays)) + 1
        yield slice(start, min(end, cost.size))
        start = end


def build(
    plan: BookPlan,
    jobs: int = 1,
    *,
    resume: Book | None = None,
    piece: int = _PIECE_PLAYS,
    backend: str | None = None,
    on_progress: Callable[[Book], None] | None = None,
) -> Book:
    """Make a book.

    Parameters
    ----------
    plan : BookPlan
        What to make.
    jobs : int
        Pieces played at the same time; -1 for one a core.
    resume : Book, optional
        An unfinished book of the same plan to go on with; it is added to in place.
    piece : int
        Play-outs a piece, about.
    backend : str, optional
        As for :func:`sim.batch.run`.
    on_progress : callable, optional
        Called with the book after each piece.

    Returns
    -------
    Book
        Complete, or as far as it came before it was interrupted (Ctrl-C); the counters are the same
        for any jobs, piece and interruption.
    """
    book = resume or Book.blank(plan)
    try:
        while not book.complete:
            _play_round(book, jobs, piece, backend, on_progress or _ignore)
            book.next_round()
    except KeyboardInterrupt:
        return book
    return book


def _play_round(book: Book, jobs: int, piece: int, backend: str | None, report: Callable) -> None:
    """Play what is left of a round; an interruption leaves whole pieces."""
    cards, stage = book.plan.cards, book.stage
    parts, ahead = tee(pieces(book, piece))
    calls = (
        (book.plan, stage, cards[part], book.first[part], book.more[part], book.alive[part]) for part in ahead
    )
    results = in_order(play_piece, calls, jobs, backend)
    try:
        for part, counters in zip(parts, results, strict=True):
            for name, counter in counters.items():
                book.counters[name][part] += counter
            book.position = part.stop
            report(book)
    finally:
        results.close()


def _ignore(_book: Book) -> None:
    """Stand in where nobody asked for progress."""
