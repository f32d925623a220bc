"""A referee for 3-2-5: reads records, one a deal, and accepts only what the rulebook allows.

It takes from a record what somebody chose or drew (the shuffled pack, the trump, the pulled and the played
cards), plays it out on the naive game, writes down the record that this deal deserves, and compares.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from .three_two_five import Deal
from .three_two_five_rules import Rules

GAME = "three_two_five"
RULE_OF = {
    "dealer": "R6",
    "quota": "R5",
    "hands": "R8",
    "maker": "R10",
    "pulls": "R16",
    "tricks": "R22–R24",
    "tricks_won": "R25",
    "score": "R26",
    "match_score": "R27",
}


class RefereeError(ValueError):
    """A record breaks a rule; the message says which match, deal and rule."""


def as_record(
    deal: Deal, *, match: int = 0, number: int = 0, seed: int = 0, before: Iterable[int] = (0, 0, 0)
) -> dict[str, Any]:
    """Return the record of a finished deal, JSON types only.

    Parameters
    ----------
    deal : Deal
        A deal that has been played out.
    match, number, seed : int
        Index of the match, of the deal in it (from 0), and the seed of the run.
    before : iterable of int
        The match score before this deal, by player.
    """
    rules = deal.rules
    record = {
        "game": GAME,
        "rules": {"sevens": rules.sevens, "scoring": rules.scoring, "pulls": rules.pulls},
        "seed": seed,
        "match": match,
        "deal": number,
        "dealer": deal.dealer,
        "quota": deal.quota,
        "deck": deal.deck,
        "hands": deal.dealt,
        "maker": {
            "choice": "reveal" if deal.revealed else "call",
            "revealed": deal.revealed,
            "trump": deal.trump,
        },
        "pulls": [pull._asdict() for pull in deal.pulls],
        "tricks": [trick._asdict() for trick in deal.tricks],
        "tricks_won": deal.tricks_won,
        "score": deal.score,
        "match_score": [old + new for old, new in zip(before, deal.score, strict=True)],
    }
    return json.loads(json.dumps(record))


def referee(records: Iterable[dict[str, Any]]) -> None:
    """Check records that come in order of match and deal; a record of deal 0 starts a match.

    Keys beyond those of the record format are ignored; `rules` may leave options out (their defaults hold)
    and may give `deals_per_match`.

    Raises
    ------
    RefereeError
        At the first record that breaks a rule or the format, naming match, deal and reason.
    """
    before: dict[str, Any] | None = None
    last: Deal | None = None
    for record in records:
        if not isinstance(record, dict):
            raise RefereeError(f"not a record: {record!r}")
        where = f"match {record.get('match')!r}, deal {record.get('deal')!r}"
        try:
            _check_sequence(record, before)
            continues = record["deal"] > 0
            last = _replay(record, last if continues else None)
            _compare(record, last, before["match_score"] if continues and before else (0, 0, 0))
        except KeyError as error:
            raise RefereeError(f"{where}: no key {error}") from error
        except (TypeError, AttributeError, IndexError) as error:
            raise RefereeError(f"{where}: not of the record's format: {error}") from error
        except ValueError as error:
            raise RefereeError(f"{where}: {error}") from error
        before = record


def _check_sequence(record: dict[str, Any], before: dict[str, Any] | None) -> None:
    match, number, length = record["match"], record["deal"], record["rules"].get("deals_per_match")
    if record["game"] != GAME:
        raise RefereeError(f"game {record['game']!r} is not {GAME!r}")
    if any(type(index) is not int or index < 0 for index in (match, number, record["seed"])):
        raise RefereeError("match, deal and seed must be whole numbers from 0")
    if length is not None and (length < 3 or length % 3 or number >= length):
        raise RefereeError(
            f"R7: no deal {number} in a match of {length}; a match is a multiple of three deals"
        )
    if number == 0:
        if before and match <= before["match"]:
            raise RefereeError(f"match {match} comes after match {before['match']}")
        if before and before["rules"].get("deals_per_match", before["deal"] + 1) != before["deal"] + 1:
            raise RefereeError(f"R7: match {before['match']} ended after {before['deal'] + 1} deals")
    elif not before or (match, number) != (before["match"], before["deal"] + 1):
        raise RefereeError("the deal before it is missing")
    elif (record["rules"], record["seed"]) != (before["rules"], before["seed"]):
        raise RefereeError("rules or seed changed within the match")


def _replay(record: dict[str, Any], last: Deal | None) -> Deal:
    options = {key: record["rules"][key] for key in ("sevens", "scoring", "pulls") if key in record["rules"]}
    dealer = record["dealer"]
    if last and dealer != (last.dealer + 1) % 3:
        raise RefereeError(
            f"R6: the deal passes from {last.dealer} to {(last.dealer + 1) % 3}, not to {dealer}"
        )
    deal = Deal(record["deck"], dealer, Rules(**options), last.debts if last else (0, 0, 0))
    _make_trump(deal, record["maker"])
    for pull in record["pulls"]:
        deal.draw(pull["drawn"])
        deal.return_card(pull["returned"])
    if deal.pending:
        raise RefereeError(f"R20: pulls still owed, (taker, giver): {deal.pending}")
    for trick in record["tricks"]:
        for card in trick["cards"]:
            deal.play(card)
    if deal.phase != "over":
        raise RefereeError(f"R2: only {len(deal.tricks)} of ten tricks are complete")
    return deal


def _make_trump(deal: Deal, maker: dict[str, Any]) -> None:
    if maker["choice"] == "call":
        deal.call(maker["trump"])
    elif maker["choice"] == "reveal":
        deal.reveal()
        if deal.phase == "tie":
            deal.fix_trump(maker["trump"])
    else:
        raise RefereeError(f"R9: maker.choice {maker['choice']!r} is neither call nor reveal")


def _compare(record: dict[str, Any], deal: Deal, before: Iterable[int]) -> None:
    due = as_record(deal, before=before)
    for key, rule in RULE_OF.items():
        wrong = _difference(record[key], due[key], key)
        if wrong:
            raise RefereeError(f"{rule}: {wrong}")


def _difference(given: Any, due: Any, path: str) -> str:
    """Say where `given` first departs from `due`, or nothing; keys beyond those of `due` are welcome."""
    if isinstance(due, dict) and isinstance(given, dict):
        pairs = [(given[key], value, f"{path}.{key}") for key, value in due.items()]
    elif isinstance(due, list) and isinstance(given, list | tuple) and len(given) == len(due):
        pairs = [(*both, f"{path}[{i}]") for i, both in enumerate(zip(given, due, strict=True))]
    else:
        same = type(given) is type(due) and given == due
        return "" if same else f"{path} is {given!r}, should be {due!r}"
    return next(filter(None, (_difference(*pair) for pair in pairs)), "")
