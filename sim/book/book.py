"""Opening books, for every game: each class of first hands, its options compared to a stated precision.

The work goes in rounds (:mod:`sim.book.schedule`), and a round's schedule is a function
of the counters so far, so that the book is the same integers for any number of jobs and however often
it was interrupted. Nothing that was used to choose is used to value, so the best of several noisy
options is not overrated.

The precision holds for the best option against the second, and in 3-2-5 for the best call against revealing,
which takes the last 13 of 100 play-outs between players of ``heuristic``. Options that the search clearly
beat have as many deals as show that they are beaten.

What each device saves in 3-2-5, in play-outs for the same error of the best option against the second,
measured on every hundredth class between players of ``heuristic``:

======  =============================================================================================
factor  device
======  =============================================================================================
1.84    common deals: all options of a hand on the same ones, differences taken deal by deal
1.94    control variates: functions of the hidden cards whose exact means are known, coefficients from
        the search deals, applied to the fresh ones (:mod:`sim.book.values`)
1.60    dropping options that the search has clearly beaten; its own play-outs are counted
1.45    fresh deals by need, hand by hand, against as many for all as 19 hands in 20 need
1.4     with a budget: spending it on hands that are close, against the same error for all
======  =============================================================================================

Which suit a reveal turns up, and how long it is, is among what the control variates know: that part is
averaged over exactly and costs no play-outs. Averaging the play-outs themselves over the ten triples of
the hidden five needs all four calls of each deal. Beyond the control variates it cuts them by 1.14 (23
close hands, 4,000 deals each), but costs five options a deal where 2.3 are played, so it is left out.

What saves play-outs in Fives and Threes: :mod:`sim.fives_and_threes.book.plan`.
"""

import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from itertools import tee

import numpy as np

from sim.batch import Progress
from sim.book.plan import BookPlan
from sim.book.schedule import Schedule, after_nothing, rounds, schedule, stage_of
from sim.core.game import Counters, Game
from sim.core.jit import compile_lock, is_compiled
from sim.folders import counters_digest, versions
from sim.parallel import in_order

_PIECE_PLAYS = (200_000, 200, 4)
"""Play-outs a piece, by the cost of the players: each some tenths of a second."""


@dataclass
class Book:
    """A book in the making, or made.

    Parameters
    ----------
    plan : BookPlan
        What it is to be.
    counters : dict of str to int64 array
        As the game's ``book.completions`` describes them, one entry a class.
    round : int
        Number of the round that is being played.
    position : int
        Classes of it that are done.
    schedule : Schedule
        What the round plays.
    seconds, warm_up : float
        Time playing, and time compiling before.
    jobs : int
        Jobs of the last session.
    versions : dict of str to str
        Of the libraries that made it.
    """

    plan: BookPlan
    counters: Counters
    round: int
    position: int
    schedule: Schedule
    seconds: float = 0.0
    warm_up: float = 0.0
    jobs: int = 1
    versions: dict[str, str] = field(default_factory=versions)
    _pending: tuple[slice, Counters] | None = field(default=None, repr=False)

    @classmethod
    def blank(cls, plan: BookPlan) -> "Book":
        """Return a book without a completion yet, its first round scheduled."""
        counters = plan.blank(plan.cards.size)
        return cls(plan, counters, 0, 0, schedule(plan, counters, 0))

    @property
    def game(self) -> Game:
        """Return the game."""
        return self.plan.game

    @property
    def partial(self) -> bool:
        """Whether less was played than planned."""
        return not self.complete

    @property
    def complete(self) -> bool:
        """Whether nothing is left to play."""
        return self.round >= rounds(self.plan)

    @property
    def played(self) -> int:
        """Return the play-outs in the counters."""
        return int(self.counters["count"].sum())

    @property
    def left(self) -> int:
        """Return the play-outs left in this round."""
        return int(self.costs()[self.position :].sum())

    @property
    def digest(self) -> str:
        """Hash of all integer counters; equal for equal results on any machine."""
        return counters_digest(self.counters)

    def costs(self) -> np.ndarray:
        """Return the play-outs of this round by class, int64 (C,)."""
        return self.schedule.more * self.schedule.alive.sum(axis=1)

    def add(self, part: slice, counters: Counters) -> None:
        """Add the counters of the round's next classes, all of them even if interrupted meanwhile."""
        merged = {name: self.counters[name][part] + counter for name, counter in counters.items()}
        self._pending = part, merged
        self.settle()

    def settle(self) -> None:
        """Finish an addition that an interruption cut short; doing it twice does no harm."""
        if self._pending:
            part, merged = self._pending
            for name, counter in merged.items():
                self.counters[name][part] = counter
            self.position = part.stop
            self._pending = None

    def next_round(self) -> None:
        """Schedule the next round from the counters; rounds with nothing to play are passed over."""
        following = self.round + 1
        while following < rounds(self.plan):
            planned = schedule(self.plan, self.counters, following)
            if (planned.more > 0).any():
                break
            following = after_nothing(self.plan, following)
        else:
            nothing = np.zeros(self.plan.cards.size, np.int64)
            nobody = np.zeros((nothing.size, self.plan.options), bool)
            planned = Schedule(nobody, nothing, nothing, self.played)
        # In one step, which no interruption can cut in two.
        vars(self).update(round=following, position=0, schedule=planned)


def build(
    plan: BookPlan,
    jobs: int = 1,
    *,
    resume: Book | None = None,
    piece: int | None = None,
    backend: str | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    on_checkpoint: Callable[[Book], None] | None = None,
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
    piece : int, optional
        Play-outs a piece, about; by default some tenths of a second of play.
    backend : str, optional
        As for :func:`sim.batch.run`.
    on_progress : callable, optional
        Called after each piece; the total is what the book is expected to take.
    on_checkpoint : callable, optional
        Called after each piece with the book so far.

    Returns
    -------
    Book
        Complete, or as far as it came before it was interrupted (Ctrl-C); the counters are the same
        for any jobs, piece and interruption.

    Raises
    ------
    StrategyError
        If a strategy answers outside the rules.
    ValueError
        If ``resume`` is a book of another plan.
    """
    if resume and resume.plan != plan:
        raise ValueError("the book to resume has another plan: the same options are needed")
    report = on_progress or _ignore
    book = resume or Book.blank(plan)
    book.jobs = jobs
    book.warm_up += _prepare(plan, report)
    before, played_before, started = book.seconds, book.played, time.perf_counter()
    piece = piece or _PIECE_PLAYS[book.game.cost(plan.strategies)]
    try:
        while not book.complete:
            total = book.schedule.expected
            for waiting in _play_round(book, jobs, piece, backend):
                elapsed = time.perf_counter() - started
                book.seconds = before + elapsed
                done = book.played + waiting
                report(Progress("play-outs", done, max(total, done), done - played_before, elapsed))
                if on_checkpoint:
                    on_checkpoint(book)
            book.next_round()
    except KeyboardInterrupt:
        book.settle()
    return book


def _prepare(plan: BookPlan, report: Callable[[Progress], None]) -> float:
    """Compile what is needed, once and before fanning out; returns the seconds that it took."""
    started = time.perf_counter()
    if not all(is_compiled(kernel) for kernel in plan.entries):
        report(Progress("compile"))
    with compile_lock(*plan.entries):
        one = plan.cards[:1]
        nothing = np.zeros(1, np.int64)
        play_piece(plan, 0, one, nothing, nothing, np.ones((1, plan.options), bool))
        plan.covariate_means(one)
    return time.perf_counter() - started


@dataclass(frozen=True)
class Part:
    """What is played at a time: some completions of consecutive classes.

    Parameters
    ----------
    classes : slice
        Which classes.
    first, more : int64 arrays
        Completions that each has already, and those to add.
    last : bool
        Whether this is all that the round adds to these classes, or the end of it.
    """

    classes: slice
    first: np.ndarray
    more: np.ndarray
    last: bool = True


def _play_round(book: Book, jobs: int, piece: int, backend: str | None) -> Generator[int, None, None]:
    """Play what is left of a round and add it class by class; yields the play-outs that wait to be added."""
    cards, planned, stage = book.plan.cards, book.schedule, stage_of(book.plan, book.round)
    parts, ahead = tee(pieces(book, piece))
    calls = (
        (book.plan, stage, cards[part.classes], part.first, part.more, planned.alive[part.classes])
        for part in ahead
    )
    results = in_order(play_piece, calls, jobs, backend)
    waiting: Counters = {}
    try:
        for part, counters in zip(parts, results, strict=True):
            waiting = {name: counter + waiting.get(name, 0) for name, counter in counters.items()}
            if part.last:
                book.add(part.classes, waiting)
                waiting = {}
            yield int(waiting["count"].sum()) if waiting else 0
    finally:
        results.close()


def pieces(book: Book, plays: int) -> Iterator[Part]:
    """Split what is left of the round into parts of about as many play-outs."""
    planned, cost = book.schedule, book.costs()
    start = book.position
    while start < cost.size:
        reached = np.cumsum(cost[start:])
        end = min(start + int(np.searchsorted(reached, plays)) + 1, cost.size)
        classes = slice(start, end)
        if end == start + 1 and cost[start] > plays:
            yield from _split(classes, planned, plays)
        else:
            yield Part(classes, planned.first[classes], planned.more[classes])
        start = end


def _split(classes: slice, planned: Schedule, plays: int) -> Iterator[Part]:
    """Split the completions of one class."""
    first, more = int(planned.first[classes][0]), int(planned.more[classes][0])
    step = max(1, plays // int(planned.alive[classes].sum()))
    for done in range(0, more, step):
        size = min(step, more - done)
        yield Part(classes, np.array([first + done]), np.array([size]), done + size == more)


def play_piece(
    plan: BookPlan, stage: int, cards: np.ndarray, first: np.ndarray, more: np.ndarray, alive: np.ndarray
) -> Counters:
    """Play a part of a round; see :meth:`sim.book.plan.BookPlan.play`."""
    return plan.play(stage, cards, first, more, alive)


def _ignore(_progress: Progress) -> None:
    """Stand in where nobody asked for progress."""
