"""Is it better to sit five, three or two, and is any player favoured? Seat advantage and matches won.

Deals of one match depend on each other through debts and strategies, so every error here comes from whole
matches (clusters), by way of the counters ``clusters``, ``totals`` and ``gram``.
"""

from fractions import Fraction

import pandas as pd
from scipy.special import chdtrc

from analysis.estimates import Estimate, share
from analysis.matches import match_moments
from analysis.moments import Moments
from analysis.provenance import Runs, labels, listed, with_sources
from sim.results import Run
from sim.three_two_five.rules import PLAYERS, QUOTAS, SEATS
from sim.three_two_five.tally import PHASES

_DEGREES = PLAYERS - 1


def seat_advantage(runs: Runs, phases: tuple[str, ...] = PHASES) -> pd.DataFrame:
    """Tricks against quota by seat (R5), for one run or for several side by side.

    Returns
    -------
    DataFrame
        One row a run, phase and seat:

        ``run``        label of the run
        ``phase``      first (deals without pulls, R21), later or all
        ``seat``       five, three or two
        ``tricks``     mean tricks a deal
        ``advantage``  mean tricks a deal above the quota
        ``se``         standard error of both, clustered by match, in tricks
        ``low, high``  95% interval of the advantage, in tricks
        ``score``      mean score a deal (R26), in points
        ``matches``    clusters behind the error
        ``deals``      deals counted
    """
    rows = []
    for label, run in zip(labels(runs), listed(runs), strict=True):
        for phase in phases:
            moments = match_moments(run, phase)
            rows += [_seat_row(label, phase, moments, seat) for seat in range(PLAYERS)]
    return with_sources(pd.DataFrame(rows), runs)


def _seat_row(label: str, phase: str, moments: Moments, seat: int) -> dict[str, object]:
    name = SEATS[seat]
    tricks = moments.ratio(f"tricks_{name}", "deals")
    advantage = moments.ratio({f"tricks_{name}": 1, "deals": -QUOTAS[seat]}, "deals")
    low, high = advantage.interval()
    return {
        "run": label,
        "phase": phase,
        "seat": name,
        "tricks": tricks.mean,
        "advantage": advantage.mean,
        "se": advantage.se,
        "low": low,
        "high": high,
        "score": moments.ratio(f"score_{name}", "deals").mean,
        "matches": moments.n,
        "deals": int(moments.total("deals")),
    }


def match_wins(runs: Runs) -> pd.DataFrame:
    """Whole matches won by each player, ties apart (R7).

    Returns
    -------
    DataFrame
        Four rows a run:

        ``run``        label of the run
        ``winner``     player 0, player 1, player 2, or tie (two or three share the highest total)
        ``strategy``   of that player; empty for ties
        ``matches``    matches won so
        ``share``      of all whole matches
        ``low, high``  95% Wilson interval of the share
        ``n``          whole matches played
    """
    rows = []
    for label, run in zip(labels(runs), listed(runs), strict=True):
        won, tied = _outright(run)
        n = sum(won) + tied
        names = [f"player {player}" for player in range(PLAYERS)] + ["tie"]
        for name, strategy, count in zip(names, [*run.strategies, ""], [*won, tied], strict=True):
            estimate = share(count, n)
            low, high = estimate.interval()
            rows.append(
                {
                    "run": label,
                    "winner": name,
                    "strategy": strategy,
                    "matches": count,
                    "share": estimate.mean,
                    "low": low,
                    "high": high,
                    "n": n,
                }
            )
    return with_sources(pd.DataFrame(rows), runs)


def match_scores_by_player(runs: Runs) -> pd.DataFrame:
    """Mean match score by player, and against the mean of the other two, match by match (R27).

    Returns
    -------
    DataFrame
        Three rows a run:

        ``run``            label of the run
        ``player``         0, 1 or 2
        ``strategy``       of that player
        ``score``          mean score a match, in points
        ``difference``     mean of the score minus the mean of the two others', in points
        ``se``             standard error of the difference, from matches
        ``low, high``      95% interval of the difference, in points
        ``matches``        matches, the last possibly cut short
    """
    rows = []
    for label, run in zip(labels(runs), listed(runs), strict=True):
        moments = match_moments(run)
        for player in range(PLAYERS):
            difference = _against_others(moments, player)
            low, high = difference.interval()
            rows.append(
                {
                    "run": label,
                    "player": player,
                    "strategy": run.strategies[player],
                    "score": moments.mean(f"score_{player}").mean,
                    "difference": difference.mean,
                    "se": difference.se,
                    "low": low,
                    "high": high,
                    "matches": moments.n,
                }
            )
    return with_sources(pd.DataFrame(rows), runs)


def player_check(runs: Runs) -> pd.DataFrame:
    """Test that no player number is favoured, as must be where three strategies are equal (case 19).

    Seats rotate (R6) and the first dealer is drawn (R7), so that only the strategy can make a difference:
    with unequal strategies the test shows that there is one.

    Returns
    -------
    DataFrame
        Two rows a run:

        ``run``         label of the run
        ``equal``       whether the three strategies are the same
        ``measure``     match score (Wald test of two paired differences) or matches won (Pearson's test
                        of equal shares among the matches with one winner)
        ``chi_square``  statistic with two degrees of freedom; expected to be about 2
        ``p``           chance of so large a statistic if no player is favoured
        ``n``           matches behind it
    """
    rows = []
    for label, run in zip(labels(runs), listed(runs), strict=True):
        tests = {"match score": _test_of_scores(run), "matches won": _test_of_wins(run)}
        for measure, (statistic, n) in tests.items():
            rows.append(
                {
                    "run": label,
                    "equal": len(set(run.strategies)) == 1,
                    "measure": measure,
                    "chi_square": statistic,
                    "p": float(chdtrc(_DEGREES, statistic)),
                    "n": n,
                }
            )
    return with_sources(pd.DataFrame(rows), runs)


def _outright(run: Run) -> tuple[list[int], int]:
    """Count matches that each player won alone, and ties; winners are sets of bits."""
    winners = [int(count) for count in run.counters["winners"]]
    won = [winners[1 << player] for player in range(PLAYERS)]
    return won, sum(winners) - sum(won)


def _against_others(moments: Moments, player: int) -> Estimate:
    others = {f"score_{other}": Fraction(-1, 2) for other in range(PLAYERS) if other != player}
    return moments.mean({f"score_{player}": 1, **others})


def _test_of_scores(run: Run) -> tuple[float, int]:
    """Wald statistic of the differences of players 1 and 2 from player 0."""
    moments = match_moments(run)
    contrasts = [{"score_0": -1, f"score_{player}": 1} for player in (1, 2)]
    a, b = (moments.mean(contrast).mean for contrast in contrasts)
    (aa, ab), (_, bb) = moments.covariance(contrasts)
    determinant = aa * bb - ab * ab
    if not determinant > 0:
        return float("nan"), moments.n
    return float((a * a * bb - 2 * a * b * ab + b * b * aa) / determinant), moments.n


def _test_of_wins(run: Run) -> tuple[float, int]:
    """Pearson's statistic of equal shares."""
    won, _ = _outright(run)
    n = sum(won)
    if n == 0:
        return float("nan"), 0
    expected = n / PLAYERS
    return sum((count - expected) ** 2 for count in won) / expected, n
