"""Rounds of Fives and Threes solved with all hands open: what each move was worth, what was given away.

With two sides a player is *sure* of a lead, the points of its side in the round less those of the other, if
its side has a way to it whatever the other does, who sees all tiles as it does. Of three players one is sure
of its own points, if it has a way to them whatever the other two do, who see all tiles and play as one
against it. A move *gives away* what its player was sure of before it and is no longer after it. Nobody can
know so much at the table: what is given away need not be a mistake.

All numbers are points of the whole round, those made so far included; events that the target drops are
nothing, and reaching it ends the round (F13).
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from analysis.fives_and_threes.open_hands.records import read_round
from analysis.fives_and_threes.open_hands.rounds import OpenRound, Position, move_name
from sim.core.jit import compile_lock, plain
from sim.fives_and_threes.solving.endings import new_solver
from sim.fives_and_threes.solving.open_hands import guarantees

Round = OpenRound | Mapping[str, Any]
"""A round read already, or a record of one (:mod:`analysis.fives_and_threes.open_hands.records`)."""

_TABLE_BITS = 14


def solved_options(round_: Round) -> pd.DataFrame:
    """Value every move that could be made, in every position of a round.

    Parameters
    ----------
    round_ : OpenRound or mapping
        Complete or not.

    Returns
    -------
    DataFrame
        A row a legal move, in order of play and, of a position, tile by tile, left end first:

        ``move``        which position: number of the turn, knocks included, from 1
        ``player``      who is to play
        ``tile, end``   the move: ``1|5``, and ``start``, ``left`` or ``right``
        ``played``      whether it was made
        ``scores``      points that it scores, an out included; 0 where the target drops them
        ``sure``        points, as the module says, that the player is sure of with it
        ``best``        whether no other move leaves it more
        ``gave_away``   what it is sure of before the move and no longer after it

    Raises
    ------
    ValueError
        If the record is not valid.
    """
    opened = _opened(round_)
    rows = [row for position, played in opened.steps() for row in _valued(opened, position, played)]
    columns = ["move", "player", "tile", "end", "played", "scores", "sure", "points"]
    table = pd.DataFrame(rows, columns=columns).drop(columns="points")
    most = table.groupby("move")["sure"].transform("max")
    return table.assign(best=table["sure"] == most, gave_away=most - table["sure"])


def solved_plays(round_: Round) -> pd.DataFrame:
    """Value every tile that was laid in a round, against the best that could be.

    Parameters
    ----------
    round_ : OpenRound or mapping
        Complete or not.

    Returns
    -------
    DataFrame
        A row a tile laid: ``move``, ``player``, ``tile``, ``end``, ``scores``, ``sure`` and ``gave_away`` as
        :func:`solved_options` has them, and

        ``best``       the best moves, ``1|5 left, 3|3 right``
        ``possible``   points that the player is sure of with one of them
        ``choices``    moves that could be made

    Raises
    ------
    ValueError
        If the record is not valid.
    """
    options = solved_options(round_)
    named = options.assign(name=options["tile"] + " " + options["end"])
    best = named[named["best"]].groupby("move").agg(best=("name", ", ".join), possible=("sure", "first"))
    best["choices"] = options.groupby("move").size()
    played = options[options["played"]].drop(columns=["played", "best"])
    return played.join(best, on="move").reset_index(drop=True)


def solved_sides(round_: Round) -> pd.DataFrame:
    """What each side was sure of from the first tile on, and what became of it.

    Parameters
    ----------
    round_ : OpenRound or mapping
        Complete or not.

    Returns
    -------
    DataFrame
        A row a side, of two or three players a row a player:

        ``side``       number
        ``players``    its players, ``0`` or ``0, 2``
        ``strategy``   that they play, empty where that is not known
        ``points``     that it has made in the round
        ``sure``       points, as the module says, that it was sure of before the first move
        ``gave_away``  that it gave away by its own moves
        ``was_given``  that it won through moves of others
        ``now``        that it is sure of now, ``sure - gave_away + was_given``

    Raises
    ------
    ValueError
        If the record is not valid.
    """
    opened = _opened(round_)
    plays = solved_plays(opened)
    first, end = _sure(opened, opened.start), _sure(opened, opened.end)
    rows = []
    for side in range(opened.rules.sides):
        players = [player for player in range(opened.rules.players) if opened.side(player) == side]
        gave = int(plays.loc[plays["player"].isin(players), "gave_away"].sum())
        names = dict.fromkeys(opened.strategies[player] for player in players if opened.strategies)
        rows.append(
            {
                "side": side,
                "players": ", ".join(map(str, players)),
                "strategy": ", ".join(names),
                "points": opened.end.scores[side] - opened.start.scores[side],
                "sure": first[side],
                "gave_away": gave,
                "was_given": end[side] - first[side] + gave,
                "now": end[side],
            }
        )
    return pd.DataFrame(rows)


def solved_position(round_: Round, move: int | None = None) -> pd.DataFrame:
    """Value every move that could be made in one position; of three players in two ways.

    Parameters
    ----------
    round_ : OpenRound or mapping
        Complete or not.
    move : int, optional
        Number of the turn; the last one if left out, which is the one to be played if the round goes on.

    Returns
    -------
    DataFrame
        A row a legal move, the best first: ``tile``, ``end``, ``played``, ``scores``, ``sure`` and ``best``
        as :func:`solved_options` has them, and of three players

        ``points_0``    points that player 0 makes in the round if each plays for itself (max^n); among moves
                        that bring it equally many a player makes the one that leaves the next player the
                        fewest, then the one after it; ``points_1`` and ``points_2`` the same
        ``best_alone``  whether it is such a move

    Raises
    ------
    ValueError
        If the record is not valid or the round has no such position.
    """
    opened = _opened(round_)
    position, played = opened.last() if move is None else opened.at(move)
    rows = _valued(opened, position, played)
    most = max(row["sure"] for row in rows)
    kept = ["tile", "end", "played", "scores", "sure"]
    table = pd.DataFrame([{name: row[name] for name in kept} for row in rows])
    table = table.assign(best=table["sure"] == most)
    if opened.rules.players == 3:
        following, last = (position.mover + 1) % 3, (position.mover + 2) % 3
        points = np.array([row["points"] for row in rows])
        likings = [(line[position.mover], -line[following], -line[last]) for line in points.tolist()]
        table = table.assign(**{f"points_{player}": points[:, player] for player in range(3)})
        table = table.assign(best_alone=[liking == max(likings) for liking in likings])
    return table.sort_values("sure", ascending=False, kind="stable", ignore_index=True)


def _opened(round_: Round) -> OpenRound:
    return round_ if isinstance(round_, OpenRound) else read_round(round_)


def _valued(opened: OpenRound, position: Position, played: int | None) -> list[dict[str, Any]]:
    """Return the moves of a position with what they are worth in the whole round."""
    made = opened.made(position, position.mover)
    before = [after - first for after, first in zip(position.scores, opened.start.scores, strict=True)]
    return [
        {
            "move": position.number,
            "player": position.mover,
            "tile": move_name(value.move),
            "end": position.end_of(value.move),
            "played": value.move == played,
            "scores": value.event,
            "sure": made + value.sure,
            "points": tuple(more + so_far for more, so_far in zip(value.points, before, strict=False)),
        }
        for value in sorted(position.values(opened.rules), key=lambda value: _order(value.move))
    ]


def _order(move: int) -> tuple[str, int]:
    return move_name(move), move


def _sure(opened: OpenRound, position: Position) -> list[int]:
    """Return what each side is sure of in the whole round."""
    made = [opened.made(position, side) for side in range(opened.rules.sides)]
    if position.ended:
        return made
    rows = np.array([position.row(side, opened.rules) for side in range(opened.rules.sides)])
    values = np.zeros(len(rows), np.int64)
    with compile_lock(guarantees):
        guarantees(rows, False, plain(new_solver)(_TABLE_BITS), values)
    return [so_far + more for so_far, more in zip(made, values.tolist(), strict=True)]
