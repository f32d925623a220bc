"""What was played in a run against what was possible, with all hands open, over a sample of its deals.

The sample is replayed, the very deals that the run counted, and solved: what each player was sure of
(:mod:`analysis.three_two_five.open_hands.solved`) at the first lead, and what it gave away card by card.
What the seats take is known much better from all deals of the run. So the tricks taken are control variates:
whatever goes with them is corrected for how far the sample's are off (Owen, Monte Carlo theory, methods and
examples, 2013, 8.9), and what the seats took in the sample is what they took in the run.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from analysis.estimates import Estimate
from analysis.matches import match_moments
from analysis.provenance import Runs, counted, labels, listed, sources
from analysis.tables import columns_of, further_columns_of
from analysis.three_two_five.open_hands.solved import sure_tricks
from sim.core.game import Experiment
from sim.core.strategy import Strategy
from sim.experiment import from_dict
from sim.results import Run
from sim.three_two_five import kernel
from sim.three_two_five.game import dealer_of, play_rows
from sim.three_two_five.rules import PLAYERS, SEATS, TRICKS_PER_DEAL
from sim.three_two_five.solving.open_hands import guarantees
from sim.three_two_five.strategies import BOOK, deciders, specialised_kernel
from sim.three_two_five.thinking.parameters import INFER, NESTED, ROLLOUT, SOLVE, WORLDS

MOST_DEALS = 540
"""Deals of a sample: solving them takes about a third of a second."""
_FEWEST_DEALS = 6
"""A sample that could have no more is left out."""
_SECONDS = 3.0
"""What replaying may take, by the costs below."""
_SECONDS_A_WORLD = {ROLLOUT: 1e-5, NESTED: 2.5e-4}
"""Roughly, what a deal costs a player that samples worlds, for each of them; others cost nothing."""
_WEIGHED = 1.2e-5
"""What it costs besides, for each world, to weigh worlds."""
_SOLVED, _SOLVED_TRICKS, _SOLVED_GROWTH = 5.5e-5, 6, 6.0
"""What it costs besides, for each world, to solve so many last tricks; and how that grows with each more."""
_FEWEST_MATCHES = 20
"""With fewer, what goes with the tricks taken cannot be told from chance."""
CHOICES = TRICKS_PER_DEAL - 1
"""Tricks in which there can be a choice: all but the last."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Replayed deals of a run, by seat.

    Attributes
    ----------
    match : int64 (D,) array
        Number of the match of each deal, ascending.
    players : int64 (D, 3) array
        Who sat in each seat.
    sure : int64 (D, 3) array
        Tricks that a seat was sure of before the first lead.
    gave : int64 (D, 3, CHOICES) array
        Tricks that a seat gave away by its card to each trick.
    took : int64 (D, 3) array
        Tricks that a seat took.
    """

    match: np.ndarray
    players: np.ndarray
    sure: np.ndarray
    gave: np.ndarray
    took: np.ndarray


def played_and_possible(runs: Runs) -> pd.DataFrame:
    """Tricks that each seat was sure of from the first lead on, and that it took, over a sample of deals.

    Parameters
    ----------
    runs : Run or sequence of Run
        Of which :func:`can_be_sampled` holds.

    Returns
    -------
    DataFrame
        Three rows a run, means a deal with errors clustered by match; what is known of the tricks taken from
    all deals of the run is used:

        ``run``        label of the run
        ``seat``       five, three or two
        ``sure``       tricks that the player is sure of at the first lead, all hands open, the other two
                       against it; ``sure_se`` its standard error, ``sure_low, sure_high`` 95% interval
        ``gave``       that it gives away by its own cards; ``gave_se``, ``gave_low``, ``gave_high``
        ``was_given``  that it wins through cards of the others; with ``was_given_se`` and so on
        ``took``       that it takes, ``sure - gave + was_given``; with ``took_se`` and so on
        ``gain``       ``took - sure``
        ``se``         its standard error
        ``low, high``  its 95% interval
        ``deals``      deals of the sample
        ``matches``    matches that they are of

    Raises
    ------
    ValueError
        If a run cannot be sampled.
    """
    rows = []
    for label, run in zip(labels(runs), listed(runs), strict=True):
        found = sample(run)
        totals = _totals(found, run)
        for seat in SEATS:
            sure, gave, took = (totals.by_match[f"{name} {seat}"] for name in ("sure", "gave", "took"))
            wanted = {"sure": sure, "gave": gave, "was_given": took - sure + gave, "took": took}
            row: dict[str, Any] = {"run": label, "seat": seat}
            for name, values in wanted.items():
                row |= further_columns_of(totals.ratio(values, "deals"), name)
            row |= columns_of(totals.ratio(took - sure, "deals"), "gain")
            rows.append(row | {"deals": found.match.size, "matches": totals.matches})
    return _with_sources(pd.DataFrame(rows), runs)


def given_away(runs: Runs) -> pd.DataFrame:
    """Tricks that a player of each strategy gives away, trick by trick, over a sample of deals.

    Parameters
    ----------
    runs : Run or sequence of Run
        Of which :func:`can_be_sampled` holds.

    Returns
    -------
    DataFrame
        Nine rows for each strategy of a run and one for all nine together; in the last trick nobody has a
        choice:

        ``run``        label of the run
        ``strategy``   whose cards
        ``players``    the run's label, and the strategy if it is not that of all three
        ``trick``      1 to 9; 0 for all together
        ``gave``       mean tricks that a player gives away in a deal by its card to this trick: those that
                       it was sure of before the card, all hands open, and no longer after it
        ``se``         standard error, clustered by match
        ``low, high``  95% interval
        ``deals``      deals of the sample
        ``matches``    matches that they are of

    Raises
    ------
    ValueError
        If a run cannot be sampled.
    """
    rows = []
    for label, run in zip(labels(runs), listed(runs), strict=True):
        found = sample(run)
        totals = _totals(found, run)
        strategies = list(dict.fromkeys(run.strategies))
        for strategy in strategies:
            players = label if len(strategies) == 1 else f"{label}: {strategy}"
            parts = {trick: totals.by_match[_gift(strategy, trick)] for trick in range(1, CHOICES + 1)}
            parts[0] = np.sum(list(parts.values()), axis=0)
            rows += [
                {"run": label, "strategy": strategy, "players": players, "trick": trick}
                | columns_of(totals.ratio(part, f"deals of {strategy}"), "gave")
                | {"deals": found.match.size, "matches": totals.matches}
                for trick, part in parts.items()
            ]
    return _with_sources(pd.DataFrame(rows), runs)


def can_be_sampled(run: Run) -> bool:
    """Whether a run's deals can be replayed, its strategies by name, and quickly enough."""
    try:
        experiment = run.experiment
    except ValueError:
        return False
    return bool(run.units) and sample_size(experiment) >= _FEWEST_DEALS


def kernels(runs: Iterable[Run]) -> list[Any]:
    """Return what sampling these runs has to compile."""
    needed: list[Any] = []
    for run in runs:
        strategies = run.experiment.strategies
        needed += [guarantees, specialised_kernel(kernel.play_matches, strategies)]
        needed += deciders(strategies).values()
    return needed


def sample(run: Run) -> Sample:
    """Replay and solve a sample of a run's deals, spread over its matches and over the deals of a match.

    Raises
    ------
    ValueError
        If the run cannot be sampled.
    """
    if not can_be_sampled(run):
        raise ValueError(
            f"the deals of {', '.join(run.strategies)} cannot be replayed, or not quickly enough"
        )
    return _sample(json.dumps(run.description), run.matches, run.units)


@lru_cache(maxsize=32)
def _sample(description: str, matches: int, units: int) -> Sample:
    experiment = from_dict(json.loads(description))
    chosen = _chosen_deals(experiment, matches, units)
    log = np.zeros(kernel.LOG_SIZE, np.int64)
    plays = np.empty((len(chosen), TRICKS_PER_DEAL, 1 + PLAYERS), np.int64)
    trump, took = np.empty(len(chosen), np.int64), np.empty((len(chosen), PLAYERS), np.int64)
    for place, (match, deal) in enumerate(chosen):
        rows = np.empty((deal + 1, kernel.COLUMNS), np.int8)
        play_rows(experiment, match, rows, log, traced=True)
        plays[place] = log[kernel.LOG_TRICK :].reshape(TRICKS_PER_DEAL, -1)
        trump[place] = rows[deal, kernel.TRUMP]
        took[place] = rows[deal, kernel.TRICKS_FIVE : kernel.TRICKS_FIVE + PLAYERS]
    five = np.array([dealer_of(experiment, match, deal) for match, deal in chosen]) + 1
    players = (five[:, None] + np.arange(PLAYERS)) % PLAYERS
    return Sample(np.array(chosen)[:, 0], players, *_solved(plays, trump), took)


def _chosen_deals(experiment: Experiment, matches: int, units: int) -> list[tuple[int, int]]:
    """Choose match and deal of each deal of the sample: as few of a match as will do."""
    length = experiment.rules.deals_per_match
    size = sample_size(experiment)
    each = min(length, -(-size // matches))
    chosen = [
        (match, (match * each + number) % length)
        for match in range(min(matches, -(-size // each)))
        for number in range(each)
    ]
    return sorted((match, deal) for match, deal in chosen if match * length + deal < units)


def sample_size(experiment: Experiment) -> int:
    """Return how many deals can be replayed in time, each with those before it in its match.

    It follows from the strategies and rules alone: a run has the same sample on any machine.
    """
    cost = sum(map(_cost, experiment.strategies)) * (1 + experiment.rules.deals_per_match) / 2
    return MOST_DEALS if cost == 0 else min(MOST_DEALS, int(_SECONDS / cost))


def _cost(strategy: Strategy) -> float:
    """Return about how many seconds a deal costs a player."""
    play = strategy.policies[BOOK.decisions.index("card")]
    if play not in _SECONDS_A_WORLD:
        return 0.0
    worlds, solve, infer = (strategy.params[place] for place in (WORLDS, SOLVE, INFER))
    solving = _SOLVED * _SOLVED_GROWTH ** (solve - _SOLVED_TRICKS)
    return worlds * (_SECONDS_A_WORLD[play] + solving + infer * _WEIGHED)


def _solved(plays: np.ndarray, trump: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Solve deals from the course of their play.

    Parameters
    ----------
    plays : int64 (D, 10, 4) array
        Leader's seat and the three cards in order of play, high sevens in the trump lane.
    trump : int64 (D,) array

    Returns
    -------
    tuple of int64 array
        What the seats are sure of, (D, 3), and give away by trick, (D, 3, CHOICES).
    """
    deals = np.arange(len(plays))
    seats = (plays[:, :, :1] + np.arange(PLAYERS)) % PLAYERS
    hands = np.zeros((len(plays), PLAYERS), np.int64)
    for seat in range(PLAYERS):
        hands[:, seat] = (plays[:, :, 1:] * (seats == seat)).sum(axis=(1, 2))
    nobody = np.zeros(len(plays), np.int64)
    first = [(*hands.T, plays[:, 0, 0], nobody, nobody, trump, nobody + seat) for seat in range(PLAYERS)]
    asked, won = [np.column_stack(position) for position in first], []
    for trick in range(CHOICES):
        leader, *cards = plays[:, trick].T
        for order, card in enumerate(cards):
            mover = seats[:, trick, order]
            for lying in (order, order + 1):
                on_table = [*cards[:lying], nobody, nobody][:2] if lying < PLAYERS else [nobody, nobody]
                to_lead = leader if lying < PLAYERS else plays[:, trick + 1, 0]
                asked.append(np.column_stack([hands, to_lead, *on_table, trump, mover]))
                hands[deals, mover] ^= card if lying == order else 0
            won.append((to_lead == mover) & (order == PLAYERS - 1))
    # Deal by deal, the last positions first: what is found out of them helps with those before.
    positions = np.stack(asked[::-1], axis=1)
    sure = sure_tricks(positions.reshape(-1, positions.shape[-1])).reshape(len(plays), -1)[:, ::-1]
    before, after = sure[:, PLAYERS::2], sure[:, PLAYERS + 1 :: 2] + np.column_stack(won)
    lost = (before - after).reshape(len(plays), CHOICES, PLAYERS)
    gave = np.empty((len(plays), PLAYERS, CHOICES), np.int64)
    for seat in range(PLAYERS):
        gave[:, seat] = (lost * (seats[:, :CHOICES] == seat)).sum(axis=2)
    return sure[:, :PLAYERS], gave


@dataclass(frozen=True, eq=False)
class Totals:
    """Totals of a sample by match, and what is known of some of them from the whole run.

    Attributes
    ----------
    by_match : dict of str to int64 (M,) array
        Every quantity.
    controls : tuple of str
        Those whose means a deal are known.
    known : float64 (C,) array
        Their means a deal over the run.
    covariance : float64 (C, C) array
        Of the errors of these means.
    """

    by_match: dict[str, np.ndarray]
    controls: tuple[str, ...]
    known: np.ndarray
    covariance: np.ndarray

    @property
    def matches(self) -> int:
        """Matches of the sample."""
        return len(self.by_match["deals"])

    def ratio(self, above: np.ndarray, over: str) -> Estimate:
        """Estimate a total a unit of another quantity, less what goes with how far the controls are off.

        Parameters
        ----------
        above : ndarray, shape (M,)
            The total by match.
        over : str
            What it is divided by.

        Returns
        -------
        Estimate
            The error is clustered by match; where matches are too few, controls are left alone.
        """
        mean, influence = _linearised(above, self.by_match[over])
        matches = self.matches
        if matches < _FEWEST_MATCHES:
            error = np.sqrt((influence**2).sum() / (matches * (matches - 1))) if matches > 1 else np.nan
            return Estimate(float(mean), float(error), matches)
        seen = [_linearised(self.by_match[name], self.by_match["deals"]) for name in self.controls]
        off = np.array([mean for mean, _ in seen]) - self.known
        sways = np.column_stack([influence for _, influence in seen])
        slopes = np.linalg.lstsq(sways, influence, rcond=None)[0]
        left = influence - sways @ slopes
        freedom = matches - 1 - len(off)
        variance = (left**2).sum() / (matches * freedom) + slopes @ self.covariance @ slopes
        return Estimate(float(mean - slopes @ off), float(np.sqrt(variance)), freedom + 1)


def _linearised(above: np.ndarray, over: np.ndarray) -> tuple[float, np.ndarray]:
    """Return a ratio of totals and what each match adds to it, (M,), of mean 0."""
    if not over.any():
        return np.nan, np.full(len(over), np.nan)
    mean = above.sum() / over.sum()
    return mean, (above - mean * over) / over.mean()


def _totals(found: Sample, run: Run) -> Totals:
    """Add a sample up by match."""
    names = np.array(run.strategies)[found.players]
    quantities = {"deals": np.ones(found.match.size, np.int64)}
    for place, seat in enumerate(SEATS):
        quantities[f"sure {seat}"] = found.sure[:, place]
        quantities[f"gave {seat}"] = found.gave[:, place].sum(axis=1)
        quantities[f"took {seat}"] = found.took[:, place]
    for strategy in dict.fromkeys(run.strategies):
        own = names == strategy
        quantities[f"deals of {strategy}"] = own.sum(axis=1)
        for trick in range(1, CHOICES + 1):
            quantities[_gift(strategy, trick)] = (found.gave[:, :, trick - 1] * own).sum(axis=1)
    starts = np.flatnonzero(np.diff(found.match, prepend=-1))
    by_match = {name: np.add.reduceat(values, starts) for name, values in quantities.items()}
    # The two takes what the others leave.
    moments, controls = match_moments(run), [f"tricks_{seat}" for seat in SEATS[:-1]]
    known = np.array([moments.ratio(name, "deals").mean for name in controls])
    return Totals(
        by_match,
        tuple(f"took {seat}" for seat in SEATS[:-1]),
        known,
        moments.covariance(controls, "deals"),
    )


def _gift(strategy: str, trick: int) -> str:
    return f"trick {trick} of {strategy}"


def _with_sources(table: pd.DataFrame, runs: Runs) -> pd.DataFrame:
    """Note where a table comes from, and how much of each run was replayed."""
    sizes = table.drop_duplicates("run")["deals"]
    table.attrs["provenance"] = f"{sources(runs)}\nReplayed and solved: {_listed(sizes.tolist())}."
    return table


def _listed(sizes: list[int]) -> str:
    """Write ``540 deals``, ``540 deals each`` or ``540, 45 deals``, by run."""
    if len(set(sizes)) == 1:
        return counted(sizes[0], "deal") + (" each" if len(sizes) > 1 else "")
    return f"{', '.join(f'{size:,}' for size in sizes)} deals"
