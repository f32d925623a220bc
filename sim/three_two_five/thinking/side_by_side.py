"""Sampled worlds of one decision played out side by side, all three players as heuristic.

All play-outs of a decision are of the same length. So as many as there are lanes go through the same steps at
once, without a branch between them (:mod:`sim.core.lanes`). The cards are those of
:func:`sim.three_two_five.thinking.playout.play_out_against` in each.
"""

import numpy as np

from sim.core.bits import choose, lowest, popcount
from sim.core.jit import helper, routine
from sim.core.lanes import WIDTH, load, store
from sim.three_two_five.cards import LANE, LANE_WIDTH, lane_with, suit_of
from sim.three_two_five.heuristic import lead, play_between_alike, play_last_alike
from sim.three_two_five.rules import TRICKS_PER_DEAL
from sim.three_two_five.solving.endings import TRUMP_LANE
from sim.three_two_five.thinking.candidates import worth
from sim.three_two_five.thinking.playout import set_out
from sim.three_two_five.thinking.worlds import LEFT, RIGHT
from sim.three_two_five.tricks import legal_cards, rotate, winning_place


@helper
def trump_last(cards, trump):
    """Move the lane of trumps to the top and close the gap: the other suits stay in their order."""
    place = LANE_WIDTH * trump
    below, from_trump = cards & ((1 << place) - 1), cards >> place
    return below | from_trump >> LANE_WIDTH << place | (from_trump & LANE) << 3 * LANE_WIDTH


@routine
def add_side_by_side(
    hand, worlds, void_hand, void_left, void_right, order, table, table_second, trump_lane, ranks, row,
    taken, seat, scoring, cards, number, values,
):  # fmt: skip
    """Play a player's cards out in all worlds and add up what they are worth to it.

    Parameters
    ----------
    hand : int64
        Cards of the player to move.
    worlds : int64 (N, 2) array
        Of :mod:`sim.three_two_five.thinking.worlds`.
    void_hand, void_left, void_right, order, table, table_second, trump_lane, ranks, row
        As for :func:`sim.three_two_five.thinking.nested.play_candidate`.
    taken, seat, scoring : int64
        The player's tricks so far, and as for :func:`sim.three_two_five.thinking.candidates.worth`.
    cards, values : int64 (MOST,) arrays
        The candidates, and what is added to.
    number : int64
        How many candidates there are.
    """
    count, tricks_left, trump = worlds.shape[0], popcount(hand), suit_of(lowest(trump_lane))
    hand, table, table_second = (
        trump_last(hand, trump), trump_last(table, trump), trump_last(table_second, trump)
    )  # fmt: skip
    void_hand, void_left, void_right = (
        trump_last(void_hand, trump), trump_last(void_left, trump), trump_last(void_right, trump)
    )  # fmt: skip
    lanes = np.empty(3 * WIDTH, np.int64)
    candidate = world = owner = counted = 0
    for start in range(0, number * count, WIDTH):
        for lane in range(WIDTH):
            # Lanes that are left over play the last one again.
            lanes[lane] = cards[candidate]
            lanes[WIDTH + lane], lanes[2 * WIDTH + lane] = worlds[world, LEFT], worlds[world, RIGHT]
            if world + 1 < count:
                world += 1
            elif candidate + 1 < number:
                candidate, world = candidate + 1, 0
        laid_out = set_out(
            trump_last(load(lanes, 0), trump), hand,
            trump_last(load(lanes, WIDTH), trump), trump_last(load(lanes, 2 * WIDTH), trump),
            void_hand, void_left, void_right, order, table, table_second,
        )  # fmt: skip
        store(lanes, 0, play_out_alike(*laid_out, order, order + 1, tricks_left, ranks, row))
        for lane in range(min(WIDTH, number * count - start)):
            values[owner] += worth(taken + lanes[lane], seat, scoring)
            counted += 1
            if counted == count:
                owner, counted = owner + 1, 0


@routine
def add_deals(hands, used, seat, ranks, scoring):
    """Play whole deals out, the seat 0 leading; return what they are worth to a seat in sum.

    Parameters
    ----------
    hands : int64 (3 * WIDTH,) array
        Hands of each seat in all deals, then those of the next, as :func:`trump_last` turns them;
        overwritten.
    used : int64
        How many deals there are.
    seat, scoring
        As for :func:`sim.three_two_five.thinking.candidates.worth`.
    ranks
        As for :func:`sim.three_two_five.heuristic.lead`.
    """
    for lane in range(used, WIDTH):
        for owner in range(3):
            hands[owner * WIDTH + lane] = hands[owner * WIDTH]
    won = play_out_alike(
        load(hands, 0), load(hands, WIDTH), load(hands, 2 * WIDTH), 0, 0, 0, 0, 0, 0,
        seat, 0, TRICKS_PER_DEAL, ranks, 0,
    )  # fmt: skip
    store(hands, 0, won)
    total = 0
    for lane in range(used):
        total += worth(hands[lane], seat, scoring)
    return total


@helper
def play_out_alike(
    first, second, third, void_first, void_second, void_third,
    card, card_second, card_third, mine, placed, left, ranks, row,
):  # fmt: skip
    """Play as many positions out at once as there are lanes, all three as heuristic.

    Parameters
    ----------
    first, second, third, void_first, void_second, void_third, card, card_second, card_third, mine
        As for :func:`sim.three_two_five.thinking.playout.play_out_against`: lanes, or a number for all of
        them. Trumps stand in the highest lane.
    placed, left : int64
        Cards on the table, and tricks left with this one: the same in all positions.
    ranks, row
        As for :func:`sim.three_two_five.heuristic.lead`.

    Returns
    -------
    lanes
        Tricks that the player takes in each, this one included.
    """
    tricks = 0
    while left > 1:
        if placed == 0:
            card = lead(first, second | third, void_second, void_third, TRUMP_LANE, ranks, row)
            first ^= card
        led = lane_with(card)
        if placed < 2:
            card_second = play_between_alike(
                second, legal_cards(second, led), led, card, first | third, void_third, 0,
                TRUMP_LANE, ranks, row,
            )  # fmt: skip
            second ^= card_second
        if placed < 3:
            winning = choose(winning_place(card, card_second, 0, led, TRUMP_LANE), card_second, card)
            card_third = play_last_alike(
                third, legal_cards(third, led), led, winning, first | second, TRUMP_LANE, ranks, row
            )
            third ^= card_third
        void_second |= choose(card_second & led, 0, led)
        void_third |= choose(card_third & led, 0, led)
        winner = winning_place(card, card_second, card_third, led, TRUMP_LANE)
        tricks += choose(winner == mine, 1, 0)
        mine -= winner
        mine += choose(mine < 0, 3, 0)
        first, second, third = rotate(winner, first, second, third)
        void_first, void_second, void_third = rotate(winner, void_first, void_second, void_third)
        card = card_second = card_third = first & 0
        placed, left = 0, left - 1
    card = first | card
    winner = winning_place(card, second | card_second, third | card_third, lane_with(card), TRUMP_LANE)
    return tricks + choose(winner == mine, 1, 0)
