"""The answers of 3-2-5 at a rung's own table: what a seat is worth, reveals, and call against reveal."""

from typing import Any

from analysis.ladder.answers import Answer
from analysis.matches import match_moments
from analysis.tables import columns_of
from analysis.three_two_five.options import call_or_reveal, value_unit
from analysis.three_two_five.seats import seat_advantage
from sim.ladder.ladder import Ladder
from sim.results import Run
from sim.three_two_five.rules import SEATS

ADVANTAGE, REVEALS, MARGIN = "seat advantage", "reveals", "call − reveal"
ANSWERS = (
    Answer(ADVANTAGE, SEATS[0], "five: tricks − quota", "the five takes {} tricks a deal against its quota"),
    *(Answer(ADVANTAGE, seat, f"{seat}: tricks − quota") for seat in SEATS[1:]),
    Answer(REVEALS, "", "reveals", "reveals in {} of deals", share=True),
    Answer(MARGIN, "", "call − reveal, {unit}", "and calling is worth {} more than revealing", by_hands=True),
)
Row = dict[str, Any]

_FEWEST = 2
"""Matches, or hands, without which there is no error."""


def titles(ladder: Ladder) -> dict[str, str]:
    """Return the title of each quantity's panel."""
    return {
        ADVANTAGE: "Tricks a deal above the quota",
        REVEALS: "Share of deals in which the five reveals",
        MARGIN: f"Best call minus reveal, {value_unit(ladder.tables[0])} a deal",
    }


def remark(ladder: Ladder) -> str:
    """Say why two of the rungs have no reveals; nothing where they are not among them."""
    if not {"random", "first-suit"} & set(ladder.plan.names):
        return ""
    return "That random and first-suit never reveal is how they are made, not what they found out."


def rows(run: Run) -> list[Row]:
    """Return the answers of one table."""
    return [*_of_matches(run), *_of_hands(run)]


def _of_matches(run: Run) -> list[Row]:
    if run.matches < _FEWEST:
        return []
    reveals = match_moments(run).share("reveals", "deals")
    seats: list[Row] = [
        {"quantity": ADVANTAGE, "seat": row["seat"], "value": row["advantage"], "n": row["matches"]}
        | {name: row[name] for name in ("se", "low", "high")}
        for row in seat_advantage(run, ("all",)).to_dict("records")
    ]
    return [*seats, {"quantity": REVEALS, "seat": ""} | columns_of(reveals) | {"n": reveals.n}]


def _of_hands(run: Run) -> list[Row]:
    if run.hands < _FEWEST:
        return []
    found = call_or_reveal(run).iloc[0]
    margin = {"value": -found["difference"], "se": found["se"], "low": -found["high"], "high": -found["low"]}
    return [{"quantity": MARGIN, "seat": ""} | margin | {"n": int(found["hands"])}]
