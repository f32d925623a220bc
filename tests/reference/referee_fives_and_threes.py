"""A referee of Fives and Threes: replays JSON records by the naive game and compares every field.

It knows the rulebook and the record format alone. Numbers and booleans are compared as JSON writes them, so
that ``1``, ``1.0`` and ``true`` are three different values.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from .fives_and_threes import TARGET, Match, Round

GAME = "fives_and_threes"
FIELDS = ("game", "rules", "match", "round", "starter", "scores_before", "hands", "moves", "ended", "scores")


class RefereeError(ValueError):
    """A record breaks the rules; the message names the match, the round and the reason."""


def record_of(game: Round, match: int, number: int, **rules: int | None) -> dict:
    """Write a finished round as a record; `rules` are its options beside the number of players."""
    return {
        "game": GAME,
        "rules": {"players": game.players, "target": game.target, **rules},
        "match": match,
        "round": number,
        "starter": game.starter,
        "scores_before": list(game.scores_before),
        "hands": [list(hand) for hand in game.dealt],
        "moves": [event.as_record() for event in game.log],
        "ended": game.ended,
        "scores": list(game.scores),
    }


def records_of(match: Match, number: int) -> list[dict]:
    """Write a whole match as records, one a round."""
    rules = {"hand": match.hand_size, "out_bonus": match.out_bonus}
    return [record_of(game, number, place, **rules) for place, game in enumerate(match.rounds)]


def referee(records: Iterable[dict]) -> int:
    """Check the records of whole matches, in order of match and round.

    Checked are the tiles and hand sizes (F2), the start moving clockwise (F3), every move's player, legality
    and end (F4, F5), forced knocks (F6, F10), ends, totals, points and extras (F7-F10), how the round ended
    (F9-F11), events dropped at the target (F13), scores carried (F14), and that a match stops when it is won
    and not before. Keys beyond the format are passed over.

    Parameters
    ----------
    records : iterable of dict
        As `json.loads` reads them, one a round. A target of null means rounds alone: such a match may stop
        after any round.

    Returns
    -------
    int
        The number of records accepted.

    Raises
    ------
    RefereeError
        At the first record that breaks a rule or the format.
    """
    match, last, count = None, None, 0
    for record in records:
        try:
            _check_fields(record)
            match = _match_for(record, match, last)
            _check_round(record, match)
        except (ValueError, TypeError, AttributeError) as error:
            raise RefereeError(f"{_place(record)}: {error}") from error
        last, count = record, count + 1
    if match is not None:
        _check_stop(match, last)
    return count


def _place(record: object) -> str:
    if not isinstance(record, dict):
        return "match ? round ?"
    return f"match {record.get('match', '?')} round {record.get('round', '?')}"


def _expect(what: str, found: object, right: object) -> None:
    """Raise ValueError unless a value reads as the right one in JSON."""
    found_json, right_json = json.dumps(found), json.dumps(right)
    if found_json != right_json:
        raise ValueError(f"{what} is {found_json}, right is {right_json}")


def _check_keys(what: str, found: dict, keys: Iterable[str]) -> None:
    if not isinstance(found, dict):
        raise ValueError(f"{what} is {found!r}, right is an object")
    missing = [key for key in keys if key not in found]
    if missing:
        raise ValueError(f"{what} lacks {', '.join(missing)}")


def _check_fields(record: dict) -> None:
    _check_keys("the record", record, FIELDS)
    _check_keys("rules", record["rules"], ())
    _expect("game", record["game"], GAME)
    for name in ("match", "round", "starter"):
        if type(record[name]) is not int or record[name] < 0:
            raise ValueError(f"{name} is {record[name]!r}, right is a count from 0")


def _match_for(record: dict, match: Match | None, last: dict | None) -> Match:
    """Give the match that a record belongs to: the one being played, or a new one at round 0."""
    if last is None or record["match"] != last["match"]:
        if last is not None:
            _check_stop(match, last)
            if record["match"] < last["match"]:
                raise ValueError(f"match {record['match']} comes after match {last['match']}")
        _expect("the match's first round", record["round"], 0)
        return _new_match(record)
    _expect("round", record["round"], last["round"] + 1)
    _expect("rules", record["rules"], last["rules"])
    return match


def _new_match(record: dict) -> Match:
    rules = record["rules"]
    players = rules.get("players", len(record["hands"]))
    return Match(
        players,
        record["starter"],
        target=rules.get("target", TARGET),
        hand_size=rules.get("hand"),
        out_bonus=rules.get("out_bonus", 1),
    )


def _check_stop(match: Match, last: dict) -> None:
    """Raise RefereeError if a match with a target stopped before it was won (F13)."""
    if match.target is not None and match.winner is None:
        raise RefereeError(
            f"{_place(last)}: the match stops at {list(match.scores)}, right is a side at {match.target}"
        )


def _check_round(record: dict, match: Match) -> None:
    game = match.deal(record["hands"])
    _expect("starter", record["starter"], game.starter)
    _expect("scores_before", record["scores_before"], list(game.scores_before))
    for number, move in enumerate(record["moves"]):
        try:
            _check_move(move, game)
        except ValueError as error:
            raise ValueError(f"move {number}: {error}") from error
    _expect("ended", record["ended"], game.ended)
    _expect("scores", record["scores"], list(game.scores))


def _check_move(move: dict, game: Round) -> None:
    """Make one recorded move in the naive game and compare what the game saw (F5-F13)."""
    _check_keys("the move", move, ("player",))
    if game.ended is None:
        _expect("player", move["player"], game.to_move)
    if move.get("knock", False) is not False:
        right = game.knock().as_record()
    else:
        _check_keys("the move", move, ("tile", "end"))
        right = game.play(move["tile"], move["end"]).as_record()
    _check_keys("the move", move, right)
    for key, value in right.items():
        _expect(key, move[key], value)
