"""How ``dealworth solve`` reads and shows rounds of Fives and Threes."""

import argparse
import sys
from collections.abc import Hashable, Mapping
from typing import Any

from analysis.cli.terminal import has_symbols, note, say, show_table
from analysis.fives_and_threes.open_hands.records import GAME, read_round
from analysis.fives_and_threes.open_hands.rounds import OpenRound, Position, move_name
from analysis.fives_and_threes.open_hands.solved import solved_plays, solved_position, solved_sides
from sim.core.game import find_game
from sim.fives_and_threes.solving.open_hands import guarantees, value_moves
from sim.fives_and_threes.tiles import laid_name, parse_tile, tile_halves, tile_names

OPTIONS = ("round", "move")
"""Options of the command that only this game has."""
_OPEN = (
    "All hands are open: these are values for somebody who sees every tile, which no player does. What is"
    " given away need not be a mistake."
)
_LEAD = (
    "sure of: the lead in points of this round that the player's side has for certain after the move,"
    " whatever the other side does, which sees all tiles as well"
)
_OWN = (
    "sure of: points of this round that the player has for certain after the move, whatever the other two do,"
    " who see all tiles as well and play as one against it"
)
_ALONE = (
    "the last columns: points of this round for all three if each plays for itself (max^n); among moves that"
    " bring it equally many a player makes one that leaves the next the fewest, then the one after it"
)

Row = Mapping[Hashable, Any]
Asked = tuple[OpenRound, int | None]
"""A round, and the position asked about: the number of its move, or None for the whole round."""


def read(record: Any, args: argparse.Namespace) -> Asked:
    """Read a record, and what is asked about it.

    Raises
    ------
    ValueError
        If the record is not valid or has no such position.
    """
    round_ = read_round(record)
    if args.move is not None:
        round_.at(args.move)
    return round_, args.move


def kernels(asked: Asked, for_programs: bool) -> list[Any]:
    """Return what has to be compiled."""
    return [value_moves] + [guarantees] * (asked[1] is None)


def show(asked: Asked) -> None:
    """Print the whole round, with the position to be played if there is one, or a single position."""
    round_, move = asked
    if move is None:
        _show_round(round_)
    if move is not None or not round_.complete:
        _show_position(round_, move)
    note(_OPEN)


def _show_round(round_: OpenRound) -> None:
    """Print what every tile laid was worth, and what each side was sure of."""
    say(f"{_round(round_)}, before the first move")
    _show_hands(round_.start)
    say("")
    plays = {row["move"]: row for row in solved_plays(round_).to_dict("records")}
    rows: list[tuple[str, ...] | None] = []
    for position, move in round_.turns():
        head = str(position.number), str(position.mover)
        if not move:
            rows.append((*head, "knocks", "", "", "", "", ""))
            continue
        row = plays[position.number]
        lost, scores = (str(row[name] or "–") for name in ("gave_away", "scores"))
        laid = _laid(row["tile"], row["end"])
        rows.append((*head, laid, scores, str(row["sure"]), _best(row), str(row["possible"]), lost))
    if rows:
        heads = ("move", "player", "tile", "scores", "sure of", "best", "at best", "gave away")
        show_table(heads, rows, right=(0, 1, 3, 4, 6, 7))
        say("")
    _show_sides(round_)
    if round_.complete:
        note(_sure(round_))
    else:
        say("")


def _best(row: Row) -> str:
    """Write the best moves of a position, in a word where there was no choice or none that mattered."""
    if row["choices"] == 1:
        return "forced"
    best = row["best"].split(", ")
    if len(best) == row["choices"]:
        return f"any of {row['choices']}"
    return ", ".join(_laid(*move.split()) for move in best)


def _show_sides(round_: OpenRound) -> None:
    """Print what each side was sure of before the first move, and what became of it."""
    rows = [
        (
            row["players"],
            row["strategy"] or "–",
            *(str(row[name]) for name in ("sure", "gave_away", "was_given", "now", "points")),
        )
        for row in solved_sides(round_).to_dict("records")
    ]
    now = ("had" if round_.rules.players == 3 else "led by") if round_.complete else "sure of now"
    heads = ("player", "strategy", "sure of at first", "gave away", "was given", now, "points")
    show_table(heads, rows, right=(2, 3, 4, 5, 6))


def _show_position(round_: OpenRound, number: int | None) -> None:
    """Print what every legal move of one position is worth."""
    position, played = round_.last() if number is None else round_.at(number)
    say(f"{_round(round_)}, move {position.number}: player {position.mover} to play")
    _show_hands(position)
    if ends := position.end_names():
        say(f"  ends: {' and '.join(ends)}; scores {' : '.join(map(str, position.scores))}")
    if played:
        say(f"  played: {_laid(move_name(played), position.end_of(played))}")
    say("")
    table = solved_position(round_, number)
    alone = [name for name in table.columns if name.startswith("points_")]
    rows = [
        (
            _laid(row["tile"], row["end"]),
            str(row["scores"] or "–"),
            str(row["sure"]),
            "best" if row["best"] else "",
            *(str(row[name]) for name in alone),
            *(["best" if row["best_alone"] else ""] if alone else []),
        )
        for row in table.to_dict("records")
    ]
    names = [f"player {player}" for player in range(len(alone))]
    show_table(("tile", "scores", "sure of", "", *names, *[""] * bool(alone)), rows, right=(1, 2, 4, 5, 6))
    note(_sure(round_))
    if alone:
        note(_ALONE)


def _sure(round_: OpenRound) -> str:
    return _LEAD if round_.rules.sides == 2 else _OWN


def _show_hands(position: Position) -> None:
    for player, hand in enumerate(position.hands):
        say(f"  player {player}   {' '.join(tile_names(hand)) or 'out'}")


def _round(round_: OpenRound) -> str:
    """Name a round: its game, number and scores before it."""
    known = [(name, n) for name, n in (("match", round_.match), ("round", round_.number)) if n is not None]
    scores = " : ".join(map(str, round_.start.scores))
    target = "no target" if round_.rules.target is None else f"target {round_.rules.target}"
    return ", ".join(
        [find_game(GAME).title, *(f"{name} {n}" for name, n in known), f"scores {scores}", target]
    )


def _laid(tile: str, end: str) -> str:
    """Write a move: the tile, and its end but for the first tile."""
    name = laid_name(*tile_halves(parse_tile(tile)), has_symbols(sys.stdout))
    return name if end == "start" else f"{name} {end}"


def as_record(asked: Asked) -> dict[str, Any]:
    """Return a solved round, or one position of it, as one object for programs."""
    round_, number = asked
    steps = list(round_.steps()) if number is None else [round_.at(number)]
    return {
        "game": GAME,
        "match": round_.match,
        "round": round_.number,
        "rules": round_.rules.as_dict(),
        "starter": round_.start.mover,
        "scores_before": list(round_.start.scores),
        "strategies": list(round_.strategies),
        "all_hands_open": True,
        "positions": [_position(round_, *step) for step in steps],
        **({"sides": _sides(round_)} if number is None else {}),
    }


def _sides(round_: OpenRound) -> list[dict[Hashable, Any]]:
    """Return the sides' balances, None where a name is not known."""
    return [
        {
            **row,
            "players": [int(player) for player in row["players"].split(", ")],
            "strategy": row["strategy"] or None,
        }
        for row in solved_sides(round_).to_dict("records")
    ]


def _position(round_: OpenRound, position: Position, played: int | None) -> dict[str, Any]:
    """Return a position with the values of its moves; points are those of the whole round."""
    table = solved_position(round_, position.number)
    alone = [table.pop(name) for name in list(table.columns) if name.startswith("points_")]
    values = [dict(row) for row in table.to_dict("records")]
    for place, row in enumerate(values):
        row |= {"points": [int(points[place]) for points in alone]} if alone else {}
    laid = {"tile": move_name(played), "end": position.end_of(played)} if played else None
    return {
        "move": position.number,
        "player": position.mover,
        "hands": [tile_names(hand) for hand in position.hands],
        "ends": position.end_names(),
        "scores": list(position.scores),
        "played": laid,
        "sure": int(table["sure"].max()),
        "values": values,
    }
