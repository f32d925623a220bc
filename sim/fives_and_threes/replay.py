"""One round as a record for programs and as text for people.

The record is the format that the documentation calls a *record*: tiles as ``1|4``, players from 0.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from sim.core.game import Experiment
from sim.core.jit import plain
from sim.fives_and_threes import kernel
from sim.fives_and_threes.chain import DOUBLE, OPEN, POINTS, RIGHT_SIDE, SHUT, lay, tiles_of
from sim.fives_and_threes.knowledge import EVENT_DROPPED, EVENT_OUT, EVENT_PLAYER
from sim.fives_and_threes.rules import ENDINGS, MOST_PLAYERS, side_of
from sim.fives_and_threes.tiles import laid_name, parse_tile, tile_halves, tile_name, tile_names

_MOVE = EVENT_PLAYER - 1


def record(experiment: Experiment, match: int, row: np.ndarray, log: np.ndarray) -> dict[str, Any]:
    """Return the record of one round.

    Parameters
    ----------
    experiment : Experiment
        The run that the round belongs to.
    match : int
        Which match.
    row : int16 (COLUMNS,) array
        The round's row.
    log : int64 (LOG_SIZE,) array
        Its hands and history.
    """
    rules = experiment.rules
    after = [int(row[kernel.SCORE_OF + side]) for side in range(rules.sides)]
    before = [after[side] - int(row[kernel.POINTS_OF + side]) for side in range(rules.sides)]
    hands = log[kernel.LOG_HANDS :][: rules.players].tolist()
    history = log[kernel.LOG_HISTORY :][: log[kernel.LOG_EVENTS]].tolist()
    return {
        "game": experiment.game.name,
        "rules": rules.as_dict(),
        "seed": experiment.seed,
        "strategies": [strategy.name for strategy in experiment.strategies],
        "match": match,
        "round": int(row[kernel.ROUND]),
        "starter": int(row[kernel.STARTER]),
        "scores_before": before,
        "hands": [tile_names(hand) for hand in hands],
        "moves": list(_moves(history, before, rules.players, rules.out_bonus)),
        "ended": ENDINGS[row[kernel.ENDED]],
        "scores": after,
    }


def _moves(history: list[int], before: list[int], players: int, out_bonus: int) -> Iterator[dict[str, Any]]:
    """Yield the moves of a record: what everybody saw, with the count and the points of each tile."""
    left, right, scores = OPEN, SHUT, list(before)
    for event in history:
        move, player = event & _MOVE, event // EVENT_PLAYER & (MOST_PLAYERS - 1)
        if not move:
            yield {"player": player, "knock": True}
            continue
        end = "start" if left == OPEN else "right" if move >> RIGHT_SIDE else "left"
        left, right, total = (int(number) for number in plain(lay)(move, left, right))
        points, bonus = int(POINTS[total]), out_bonus if event & EVENT_OUT else 0
        accepted = not event & EVENT_DROPPED
        scores[plain(side_of)(player, players)] += points + bonus if accepted else 0
        yield {
            "player": player,
            "tile": tile_name(plain(tiles_of)(move)),
            "end": end,
            "ends": [left % DOUBLE, right % DOUBLE],
            "total": total,
            "points": points,
            "bonus": bonus,
            "accepted": accepted,
            "scores": list(scores),
        }


def laid_chain(moves: list[Mapping[str, Any]]) -> list[tuple[int, int]]:
    """Return the tiles of a record's moves as they lie in the end, left to right, left half first."""
    chain: list[tuple[int, int]] = []
    for move in moves:
        if move.get("knock"):
            continue
        halves = tile_halves(parse_tile(move["tile"]))
        left, right = move["ends"]
        if move["end"] == "left":
            chain.insert(0, halves if halves[0] == left else halves[::-1])
        else:
            chain.append(halves if halves[1] == right else halves[::-1])
    return chain


def describe(record: Mapping[str, Any], symbols: bool) -> str:
    """Return a round as a person reads it: hands, every placement with its count and points, the chain."""
    scores = _scores(record["scores_before"])
    lines = [
        f"Match {record['match']}, round {record['round']}, seed {record['seed']}:"
        f" player {record['starter']} starts, scores {scores}"
    ]
    lines += [f"  player {player}   {' '.join(hand)}" for player, hand in enumerate(record["hands"])]
    ends = None
    for number, move in enumerate(record["moves"], start=1):
        lines.append(f"  {number:>3}. player {move['player']} {_told(move, ends, symbols)}")
        ends = move.get("ends", ends)
    lines.append("  " + " ".join(laid_name(*halves, symbols) for halves in laid_chain(record["moves"])))
    lines.append(f"  {_ending(record)}; scores {_scores(record['scores'])}")
    return "\n".join(lines)


def _told(move: Mapping[str, Any], ends: list[int] | None, symbols: bool) -> str:
    """Tell one move; ``ends`` are the open ones before it."""
    if move.get("knock"):
        assert ends is not None
        return f"knocks: no {ends[0]}" + (f", no {ends[1]}" if ends[1] != ends[0] else "")
    name = laid_name(*tile_halves(parse_tile(move["tile"])), symbols)
    where = {"start": "starts ", "left": "left   ", "right": "right  "}[move["end"]]
    told = f"{where}{name:<6}counts {move['total']:>2}"
    if move["points"] or move["bonus"]:
        told += f", scores {move['points']}" + (f" + {move['bonus']} for going out" if move["bonus"] else "")
        told += f" ({_scores(move['scores'])})" if move["accepted"] else ": too many for the target, dropped"
    return told


def _ending(record: Mapping[str, Any]) -> str:
    last = next(move["player"] for move in reversed(record["moves"]) if not move.get("knock"))
    told = {
        "out": f"player {last} is out",
        "blocked": "blocked: nobody can play",
        "target": f"player {last} hits {record['rules']['target']} and wins",
    }
    return told[record["ended"]]


def _scores(scores: list[int]) -> str:
    return " : ".join(str(score) for score in scores)
