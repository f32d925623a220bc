"""Turns in the middle of random rounds of the naive game, and what the player to move knows then."""

from collections.abc import Iterator
from itertools import combinations
from random import Random

import numpy as np
from reference.dominoes import DOUBLE_SIX, deal, halves
from reference.fives_and_threes import Knock, Round, uniform_pair
from scripted_rounds import move_bit

from sim.fives_and_threes import knowledge as know
from sim.fives_and_threes.tiles import parse_tile, parse_tiles


def draw_turn(
    rng: Random, players: int, hand: int | None = None, least_laid: int = 0, least_knocks: int = 0
) -> Round:
    """Play random rounds until one waits for a choice, so many tiles and knocks at least having been seen."""
    while True:
        game = Round(deal(players, rng, hand), rng.randrange(players), target=None)
        stop = rng.randrange(least_laid, players * len(game.hands[0]))
        while game.ended is None and (len(game.chain) < stop or game.must_knock()):
            if game.must_knock():
                game.knock()
            else:
                game.play(*uniform_pair(rng)(game))
        if game.ended is None and sum(isinstance(event, Knock) for event in game.log) >= least_knocks:
            return game


def view_of(game: Round) -> np.ndarray:
    """Return the view of the player to move."""
    return np.array(due_view(game, 0, legal_bits(game)), np.int64)


def worlds_of(game: Round) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Yield all hands, one a player, that the player to move must think possible."""
    seen = game.knowledge(game.to_move)
    unseen = sorted(set(DOUBLE_SIX) - seen.seen)
    others = [other for other in range(game.players) if other != game.to_move]
    hands: list[tuple[str, ...]] = [tuple(sorted(seen.hand))] * game.players

    def dealt(left, place):
        if place == len(others):
            if seen.admits(hands):
                yield tuple(hands)
            return
        other = others[place]
        fitting = [tile for tile in left if tile in seen.may_hold(other)]
        for hand in combinations(fitting, seen.hand_sizes[other]):
            hands[other] = hand
            yield from dealt([tile for tile in left if tile not in hand], place + 1)

    return dealt(unseen, 0)


def masks_of(hands) -> tuple[int, ...]:
    """Return hands as a world has them: four sets of tiles."""
    return (*(parse_tiles(hand) for hand in hands), 0, 0)[:4]


def replayed(game: Round, hands) -> Round:
    """Play a round's course again with other tiles still in the hands."""
    laid = [[] for _ in range(game.players)]
    for event in game.log:
        if not isinstance(event, Knock):
            laid[event.player].append(event.tile)
    dealt = [[*own, *hand] for own, hand in zip(laid, hands, strict=True)]
    again = Round(dealt, game.starter, game.target, game.out_bonus)
    for event in game.log:
        if isinstance(event, Knock):
            again.knock()
        else:
            again.play(event.tile, event.end)
    return again


def due_view(game, number, legal):
    """View that the player to move must have, from the naive game's public log and its own hand."""
    player = game.to_move
    seen = game.knowledge(player)
    view = [0] * know.VIEW_SIZE
    view[know.PLAYERS], view[know.TARGET] = game.players, game.target or 0
    view[know.DEALT], view[know.BONUS] = len(game.dealt[0]), game.out_bonus
    view[know.ROUND], view[know.STARTER] = number, game.starter
    view[know.SCORE : know.SCORE + game.sides] = seen.scores
    view[know.LEFT], view[know.RIGHT] = open_ends(game)
    view[know.SIZE : know.SIZE + game.players] = seen.hand_sizes
    view[know.EVENTS] = len(seen.log)
    for place, event in enumerate(seen.log):
        view[know.HISTORY + place] = event.player << 56
        if isinstance(event, Knock):
            view[know.KNOCKS] += 1
            for number_lacked in event.ends:
                view[know.LACKS + event.player] |= parse_tiles(with_number(number_lacked))
        else:
            view[know.HISTORY + place] |= 1 << move_bit(event.tile, event.end)
            view[know.HISTORY + place] |= 0 if event.accepted else know.EVENT_DROPPED
            view[know.REJECTED] += not event.accepted
            view[know.LAID + event.player] |= parse_tile(event.tile)
            view[know.CHAIN] |= parse_tile(event.tile)
    view[know.PLAYER], view[know.HAND], view[know.LEGAL] = player, parse_tiles(seen.hand), legal
    return view


def with_number(number):
    return [tile for tile in DOUBLE_SIX if number in halves(tile)]


def open_ends(game):
    if not game.chain:
        return 14, 15
    (first, second), (third, fourth) = game.chain[0], game.chain[-1]
    return first + 7 * (first == second), fourth + 7 * (third == fourth)


def legal_bits(game):
    moves = game.legal_moves() + (
        [(tile, "right") for tile, _ in game.legal_moves()] if game.lone_double else []
    )
    return sum(1 << move_bit(*move) for move in moves)
