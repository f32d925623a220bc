"""The answers of Fives and Threes at a rung's own table: what the start is worth, and how long a match is."""

from typing import Any

from analysis.fives_and_threes.scores import match_length
from analysis.fives_and_threes.start import match_wins_by_place, start_advantage
from analysis.ladder.answers import Answer
from sim.ladder.ladder import Ladder
from sim.results import Run

START, WINS, ROUNDS = "the start", "its matches", "rounds"
ANSWERS = (
    Answer(START, "", "start, points a round", "the starter's side makes {} points a round above the others"),
    Answer(WINS, "", "matches of the first starter", "wins {} of the matches that it starts", share=True),
    Answer(ROUNDS, "", "rounds a match", "and a match takes {} rounds", level=True),
)
Row = dict[str, Any]

_FEWEST = 2
"""Matches without which there is no error."""


def titles(_ladder: Ladder) -> dict[str, str]:
    """Return the title of each quantity's panel."""
    return {
        START: "Points a round of the starter's side above the others",
        WINS: "Share of matches won by the first starter's side",
        ROUNDS: "Rounds a match",
    }


def remark(_ladder: Ladder) -> str:
    """Say nothing: these answers speak for themselves."""
    return ""


def rows(run: Run) -> list[Row]:
    """Return the answers of one table."""
    if run.matches < _FEWEST:
        return []
    (start,) = start_advantage(run, ("all",)).to_dict("records")
    found = [(START, start["advantage"], start, "")]
    if run.rules.target is not None:
        wins, length = match_wins_by_place(run).iloc[0], match_length(run).iloc[0]
        found += [(WINS, wins["share"], wins, ""), (ROUNDS, length["rounds"], length, "rounds_")]
    return [
        {"quantity": quantity, "seat": "", "value": value, "n": run.matches}
        | {name: row[f"{prefix}{name}"] for name in ("se", "low", "high")}
        for quantity, value, row, prefix in found
    ]
