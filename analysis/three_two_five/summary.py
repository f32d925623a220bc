"""What a run of 3-2-5 says at first sight: seats, quotas, debts, the trump maker's choice, matches won."""

from typing import Any

from analysis.estimates import Estimate, from_histogram, share
from analysis.matches import match_moments
from analysis.moments import Moments
from analysis.summaries import Line, Summary
from analysis.three_two_five.seats import match_wins
from sim.results import Run
from sim.three_two_five.rules import PLAYERS, SEATS

_OWN_SIGN = "difference"
"""The scoring (R26) under which scores are balances, below zero as often as above."""


def summary(run: Run) -> Summary:
    """Summarise a run: every mean and share is a deal's, its error clustered by match.

    Parameters
    ----------
    run : Run
        A run of 3-2-5, complete or partial.

    Returns
    -------
    Summary
        Lines by seat (tricks, score, quota met), for the deal (all quotas exact, cards owed, reveals)
        and by player (score a match, whole matches won; ties apart). Estimates are nan where nothing
        was played.
    """
    moments = match_moments(run)
    seats = {seat: _seat(moments, seat) for seat in SEATS}
    deal = {
        "all_exact": moments.share("all_exact", "deals"),
        "cards_owed": moments.ratio("cards_owed", "deals"),
        "reveal_share": moments.share("reveals", "deals"),
    }
    scores, wins = _match_scores(run), _match_wins(run)
    record: dict[str, Any] = {
        "seats": {seat: _as_dicts(estimates) for seat, estimates in seats.items()},
        **_as_dicts(deal),
        "players": [
            {"match_score": score.as_dict(), "match_won": won.as_dict()}
            for score, won in zip(scores, wins[:PLAYERS], strict=True)
        ],
        "match_tied": wins[PLAYERS].as_dict(),
    }
    signed = run.rules.scoring == _OWN_SIGN
    lines = [*_seat_lines(seats, signed), *_deal_lines(deal), *_player_lines(scores, wins, signed)]
    return Summary(tuple(lines), record)


def _seat(moments: Moments, seat: str) -> dict[str, Estimate]:
    return {
        "tricks": moments.ratio(f"tricks_{seat}", "deals"),
        "score": moments.ratio(f"score_{seat}", "deals"),
        "quota_met": moments.share(f"met_{seat}", "deals"),
    }


def _match_scores(run: Run) -> list[Estimate]:
    """Score a whole match by player, from the histogram of match scores (R27)."""
    lowest = -5 * run.rules.deals_per_match
    histograms = run.counters["match_scores"]
    return [from_histogram(counts, range(lowest, lowest + len(counts))) for counts in histograms]


def _match_wins(run: Run) -> list[Estimate]:
    """Shares of whole matches: won by player 0, 1 and 2, then tied (R7)."""
    table = match_wins(run)
    return [share(int(won), int(n)) for won, n in zip(table["matches"], table["n"], strict=True)]


def _seat_lines(seats: dict[str, dict[str, Estimate]], signed: bool) -> list[Line]:
    lines = []
    for seat, estimates in seats.items():
        lines += [
            Line(seat, "tricks a deal", estimates["tricks"]),
            Line(seat, "score a deal", estimates["score"], signed),
            Line(seat, "quota met", estimates["quota_met"]),
        ]
    return lines


def _deal_lines(deal: dict[str, Estimate]) -> list[Line]:
    return [
        Line("deal", "all quotas exact", deal["all_exact"]),
        Line("deal", "cards owed", deal["cards_owed"]),
        Line("deal", "trump revealed", deal["reveal_share"]),
    ]


def _player_lines(scores: list[Estimate], wins: list[Estimate], signed: bool) -> list[Line]:
    lines = []
    for player, (score, won) in enumerate(zip(scores, wins[:PLAYERS], strict=True)):
        lines += [
            Line(f"player {player}", "score a match", score, signed),
            Line(f"player {player}", "matches won", won),
        ]
    return [*lines, Line("players", "matches tied", wins[PLAYERS])]


def _as_dicts(estimates: dict[str, Estimate]) -> dict[str, Any]:
    return {name: estimate.as_dict() for name, estimate in estimates.items()}
