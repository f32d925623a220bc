"""What a run of Fives and Threes says at first sight: the start, how rounds go and end, matches."""

import math
from typing import Any

from analysis.estimates import Estimate, Share, share
from analysis.fives_and_threes.start import place_names, side_names, wins_by_place, wins_by_side
from analysis.matches import match_moments
from analysis.moments import Moments
from analysis.summaries import Line, Summary
from sim.fives_and_threes.rules import LONGEST_MATCH
from sim.fives_and_threes.tally import PLACES
from sim.results import Run

_UNKNOWN = Estimate(math.nan, math.nan, 0)


def summary(run: Run) -> Summary:
    """Summarise a run: every mean and share is a round's, its error clustered by match.

    Parameters
    ----------
    run : Run
        A run of Fives and Threes, complete or partial.

    Returns
    -------
    Summary
        Lines by place from the starter (points, rounds won by going out, matches won), for the round
        (blocked, tiles, knocks, events dropped), for the match (rounds and turns) and by side (points,
        matches won). What belongs to matches is left out where rounds were played alone, and nan in
        the record.
    """
    moments, names = match_moments(run), place_names(run.rules)
    whole = run.rules.target is not None
    places = [_place(run, moments, place) for place in range(run.rules.sides)]
    round_ = {
        "blocked": moments.share("blocked", "rounds"),
        "tiles": moments.ratio("tiles", "rounds"),
        "knocks": moments.ratio("knocks", "rounds"),
        "rejected": moments.ratio("rejected", "rounds"),
    }
    match = {
        "rounds_per_match": moments.mean("rounds") if whole else _UNKNOWN,
        "turns_per_match": moments.mean({"tiles": 1, "knocks": 1}) if whole else _UNKNOWN,
        "cut": _cut(run) if whole else share(0, 0),
    }
    sides = [_side(run, moments, side) for side in range(run.rules.sides)]
    record: dict[str, Any] = {
        "players": run.rules.players,
        "places": [_as_dicts(place) for place in places],
        **_as_dicts(round_),
        **_as_dicts(match),
        "sides": [_as_dicts(side) for side in sides],
    }
    lines = [line for name, place in zip(names, places, strict=True) for line in _lines(name, place, whole)]
    lines += _round_lines(round_, whole)
    lines += _match_lines(match) if whole else []
    lines += [
        line
        for name, side in zip(side_names(run.rules), sides, strict=True)
        for line in _lines(name, side, whole)
    ]
    return Summary(tuple(lines), record, "matches" if whole else "rounds")


def _place(run: Run, moments: Moments, place: int) -> dict[str, Estimate]:
    wins = wins_by_place(run)
    return {
        "points": moments.ratio(f"points_{PLACES[place]}", "rounds"),
        "out": moments.share(f"out_{PLACES[place]}", "rounds"),
        "match_won": share(wins[place], sum(wins)),
    }


def _side(run: Run, moments: Moments, side: int) -> dict[str, Estimate]:
    wins = wins_by_side(run)
    return {
        "points": moments.ratio(f"points_{side}", "rounds"),
        "match_won": share(wins[side], sum(wins)),
    }


def _cut(run: Run) -> Share:
    """Share of matches that LONGEST_MATCH cut short."""
    wins = wins_by_side(run)
    return share(wins[-1], sum(wins))


def _lines(name: str, estimates: dict[str, Estimate], whole: bool) -> list[Line]:
    """Return the lines of a place or a side."""
    lines = [Line(name, "points a round", estimates["points"])]
    if "out" in estimates:
        lines.append(Line(name, "rounds won by going out", estimates["out"]))
    return [*lines, Line(name, "matches won", estimates["match_won"])] if whole else lines


def _round_lines(round_: dict[str, Estimate], whole: bool) -> list[Line]:
    lines = [
        Line("round", "blocked", round_["blocked"]),
        Line("round", "tiles placed", round_["tiles"]),
        Line("round", "knocks", round_["knocks"]),
    ]
    return [*lines, Line("round", "events dropped", round_["rejected"])] if whole else lines


def _match_lines(match: dict[str, Estimate]) -> list[Line]:
    lines = [
        Line("match", "rounds", match["rounds_per_match"]),
        Line("match", "turns", match["turns_per_match"]),
    ]
    if match["cut"].mean > 0:
        lines.append(Line("match", f"cut after {LONGEST_MATCH} rounds", match["cut"]))
    return lines


def _as_dicts(estimates: dict[str, Estimate]) -> dict[str, Any]:
    return {name: estimate.as_dict() for name, estimate in estimates.items()}
