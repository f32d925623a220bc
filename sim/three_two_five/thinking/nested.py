"""Play-outs by players who themselves sample a few worlds for each card.

The hands of the other two enter such a player's choice through their sizes and their union alone, which
it knows: what it cannot see it deals anew.
"""

import numpy as np

from sim.core.bits import popcount
from sim.core.draw import draw
from sim.core.jit import helper, routine
from sim.core.rng import word
from sim.three_two_five.cards import lane_with
from sim.three_two_five.rules import TRICKS
from sim.three_two_five.solving.lines import distinct
from sim.three_two_five.thinking.candidates import MOST, bring_forward, list_members
from sim.three_two_five.thinking.playout import play_out_against, set_out
from sim.three_two_five.thinking.side_by_side import add_side_by_side
from sim.three_two_five.thinking.worlds import LEFT, RIGHT
from sim.three_two_five.tricks import is_single, legal_cards, rotate, winning_place


@helper
def play_candidate(
    card, hand, left, right, void_hand, void_left, void_right, order, table, table_second,
    trump_lane, ranks, row, others, key,
):  # fmt: skip
    """Tricks that a player takes from the current one on if it plays a card, and then as heuristic.

    Parameters
    ----------
    card, hand : int64
        The card, and the player's hand with it.
    left, right : int64
        Hands of the next player and of the one after.
    void_hand, void_left, void_right : int64
        Suits in which each has shown void.
    order : int64
        Cards on the table: 0 to 2.
    table, table_second : int64
        Those cards in order of play.
    trump_lane, ranks, row
        As for :func:`sim.three_two_five.heuristic.lead`.
    others, key
        As for :func:`sim.three_two_five.thinking.playout.play_out_against`.
    """
    return play_out_against(
        *set_out(card, hand, left, right, void_hand, void_left, void_right, order, table, table_second),
        order, trump_lane, ranks, row, others, key,
    )  # fmt: skip


@helper
def play_candidate_thinking(
    card, hand, left, right, void_hand, void_left, void_right, order, table, table_second,
    trump_lane, ranks, row, key, inner,
):  # fmt: skip
    """As :func:`play_candidate`, but all play on as :func:`play_out_thinking` says."""
    return play_out_thinking(
        *set_out(card, hand, left, right, void_hand, void_left, void_right, order, table, table_second),
        order, trump_lane, ranks, row, key, inner,
    )  # fmt: skip


@routine
def think_briefly(
    hand, legal, left, right, void_hand, void_left, void_right, order, table, table_second,
    trump_lane, ranks, row, key, count,
):  # fmt: skip
    """Choose a card as ``rollout-N`` does with ``count`` worlds; parameters as :func:`play_candidate`."""
    out = left | right
    candidates = distinct(hand, hand | out | table | table_second) & legal
    if is_single(candidates):
        return candidates
    cards, values = np.empty(MOST, np.int64), np.zeros(MOST, np.int64)
    number = list_members(candidates, cards)
    sure_left, sure_right = out & void_right, out & void_left
    free = out & ~sure_left & ~sure_right
    wanted = popcount(left) - popcount(sure_left)
    worlds = np.empty((count, 2), np.int64)
    for world in range(count):
        drawn = draw(free, word(key, world), 0, wanted)
        worlds[world, LEFT], worlds[world, RIGHT] = sure_left | drawn, sure_right | (free ^ drawn)
    add_side_by_side(
        hand, worlds, void_hand, void_left, void_right, order, table, table_second, trump_lane, ranks, row,
        0, 0, TRICKS, cards, number, values,
    )  # fmt: skip
    bring_forward(cards, values, number, 1, 0)
    return cards[0]


@routine
def play_out_thinking(
    first, second, third, void_first, void_second, void_third,
    card, card_second, card_third, mine, trump_lane, ranks, row, key, inner,
):  # fmt: skip
    """Play from a position on to the last trick, all three thinking.

    Parameters
    ----------
    first, second, third, void_first, void_second, void_third, card, card_second, card_third, mine
    trump_lane, ranks, row
        As for :func:`sim.three_two_five.thinking.playout.play_out_against`.
    key : int64
        Key of the players' random words; a turn has the same word in every play-out of a world.
    inner : int64
        Worlds that each player samples for a card.
    """
    tricks = 0
    left = max(popcount(first) + (card != 0), popcount(third) + (card_third != 0))
    while left:
        turn = word(key, left)
        if not card:
            card = think_briefly(
                first, first, second, third, void_first, void_second, void_third, 0, 0, 0,
                trump_lane, ranks, row, word(turn, 0), inner,
            )  # fmt: skip
            first ^= card
        led = lane_with(card)
        if not card_second:
            card_second = think_briefly(
                second, legal_cards(second, led), third, first, void_second, void_third, void_first,
                1, card, 0, trump_lane, ranks, row, word(turn, 1), inner,
            )  # fmt: skip
            second ^= card_second
        void_second |= 0 if card_second & led else led
        if not card_third:
            card_third = think_briefly(
                third, legal_cards(third, led), first, second, void_third, void_first, void_second,
                2, card, card_second, trump_lane, ranks, row, word(turn, 2), inner,
            )  # fmt: skip
            third ^= card_third
        void_third |= 0 if card_third & led else led
        winner = winning_place(card, card_second, card_third, led, trump_lane)
        tricks += winner == mine
        mine -= winner
        mine += 3 if mine < 0 else 0
        first, second, third = rotate(winner, first, second, third)
        void_first, void_second, void_third = rotate(winner, void_first, void_second, void_third)
        card = card_second = card_third = 0
        left -= 1
    return tricks
