"""Valuing cards in sampled worlds: played out by all three, or solved with all hands open."""

import numpy as np

from sim.core.jit import helper, routine
from sim.three_two_five import knowledge as know
from sim.three_two_five.cards import lane_of
from sim.three_two_five.solving.max_n import max_n
from sim.three_two_five.thinking.candidates import worth
from sim.three_two_five.thinking.nested import play_candidate, play_candidate_thinking
from sim.three_two_five.thinking.parameters import OTHERS
from sim.three_two_five.thinking.side_by_side import add_side_by_side
from sim.three_two_five.thinking.worlds import LEFT, RIGHT


@routine
def add_heuristic(view, ranks, worlds, cards, number, values):
    """Play cards out in all worlds, all three as heuristic, and add up what they are worth.

    Parameters
    ----------
    view
        As a strategy gets it.
    ranks : int64 (1, SIZE) array
        Of the player's own parameters, as :mod:`sim.three_two_five.ranks` makes them.
    worlds : int64 (N, 2) array
        Of :mod:`sim.three_two_five.thinking.worlds`.
    cards, values : int64 (MOST,) arrays
        The candidates, and what is added to.
    number : int64
        How many candidates there are.
    """
    seat = view[know.SEAT]
    left = know.after(seat)
    right = know.after(left)
    add_side_by_side(
        view[know.HAND], worlds, view[know.VOIDS + seat], view[know.VOIDS + left], view[know.VOIDS + right],
        view[know.ORDER], view[know.TABLE], view[know.TABLE + 1], lane_of(view[know.TRUMP]), ranks, 0,
        view[know.TRICKS + seat], seat, view[know.SCORING], cards, number, values,
    )  # fmt: skip


@routine
def add_played(view, params, ranks, worlds, world, cards, number, values, key):
    """Play cards out in one world, the player on as heuristic, the others by the policy OTHERS.

    Parameters
    ----------
    params
        As a strategy gets them.
    world : int64
        Which of the worlds.
    key : int64
        Key of the random words of the world.

    Otherwise as :func:`add_heuristic`.
    """
    seat, row = view[know.SEAT], view[know.PARAMS]
    left = know.after(seat)
    right = know.after(left)
    taken, trump_lane = view[know.TRICKS + seat], lane_of(view[know.TRUMP])
    for candidate in range(number):
        tricks = play_candidate(
            cards[candidate], view[know.HAND], worlds[world, LEFT], worlds[world, RIGHT],
            view[know.VOIDS + seat], view[know.VOIDS + left], view[know.VOIDS + right],
            view[know.ORDER], view[know.TABLE], view[know.TABLE + 1], trump_lane, ranks, 0,
            int(params[row, OTHERS]), key,
        )  # fmt: skip
        values[candidate] += worth(taken + tricks, seat, view[know.SCORING])


@routine
def add_nested(view, ranks, worlds, world, cards, number, values, key, inner):
    """Play cards out in one world, all three sampling ``inner`` worlds for each card.

    Otherwise as :func:`add_played`.
    """
    seat = view[know.SEAT]
    left = know.after(seat)
    right = know.after(left)
    taken, trump_lane = view[know.TRICKS + seat], lane_of(view[know.TRUMP])
    for candidate in range(number):
        tricks = play_candidate_thinking(
            cards[candidate], view[know.HAND], worlds[world, LEFT], worlds[world, RIGHT],
            view[know.VOIDS + seat], view[know.VOIDS + left], view[know.VOIDS + right],
            view[know.ORDER], view[know.TABLE], view[know.TABLE + 1], trump_lane, ranks, 0, key, inner,
        )  # fmt: skip
        values[candidate] += worth(taken + tricks, seat, view[know.SCORING])


@routine
def add_solved(view, worlds, cards, number, values, scratch):
    """Add up what cards are worth in worlds where all see all hands and each plays for itself.

    Parameters
    ----------
    view, worlds, cards, number, values
        As for :func:`add_heuristic`.
    scratch : int64 array
        Of :func:`sim.three_two_five.solving.endings.new_solver`.
    """
    seat, scoring = view[know.SEAT], view[know.SCORING]
    left = know.after(seat)
    right = know.after(left)
    hands = np.empty(3, np.int64)
    for world in range(worlds.shape[0]):
        hands[left], hands[right] = worlds[world, LEFT], worlds[world, RIGHT]
        for candidate in range(number):
            hands[seat] = view[know.HAND] ^ cards[candidate]
            tricks = _solved(view, hands, cards[candidate], scratch)
            values[candidate] += worth(view[know.TRICKS + seat] + tricks, seat, scoring)


@helper
def _solved(view, hands, card, scratch):
    """Tricks of the player to move after its card."""
    seat, order, trump = view[know.SEAT], view[know.ORDER], view[know.TRUMP]
    leader, first, second, tricks = view[know.LEADER], view[know.TABLE], card, 0
    if order == 0:
        first, second = card, 0
    elif order == 2:
        leader = seat if know.beats(card, view[know.BEST], trump) else view[know.BEST_SEAT]
        tricks = 1 if leader == seat else 0
        first, second = 0, 0
    vector = max_n(hands[0], hands[1], hands[2], leader, first, second, trump, scratch)
    return tricks + (vector >> (8 * seat) & 0xFF)
