"""Playing a sampled world out to the end, in registers.

What :func:`sim.three_two_five.kernel.play_tricks` does with three ``heuristic`` strategies, but for one
thing: the players do not know single cards of each other (through a reveal or a pull), only the voids
that were shown. Hands rotate in three variables, leader first, as in the kernel's random play. The other
two may also be taken to play at random, or as ``first-suit``.
"""

from sim.core.bits import choose, lowest, popcount
from sim.core.jit import helper, routine
from sim.core.rng import word
from sim.three_two_five.cards import lane_with, suit_of
from sim.three_two_five.heuristic import lead, play_between, play_last
from sim.three_two_five.strategies import HEURISTIC, simple_card
from sim.three_two_five.tricks import legal_cards, rotate, winning_place


@helper
def by_turn(order, player, left, right):
    """Put what belongs to a player, the next one and the one after into the order of the trick.

    ``order`` is the player's own place in it: 0 leads, 1 and 2 follow.
    """
    if order == 0:
        return player, left, right
    if order == 1:
        return right, player, left
    return left, right, player


@helper
def set_out(card, hand, left, right, void_hand, void_left, void_right, order, table, table_second):
    """Put hands, voids and the cards of the trick into the order of the trick, after a card was played."""
    first, second, third = by_turn(order, hand ^ card, left, right)
    void_first, void_second, void_third = by_turn(order, void_hand, void_left, void_right)
    given, given_second, given_third = laid(order, table, table_second, card)
    return first, second, third, void_first, void_second, void_third, given, given_second, given_third


@helper
def laid(order, table, table_second, card):
    """The cards of a trick after a card was played to those on the table, 0 where none is yet."""
    if order == 0:
        return card, 0, 0
    if order == 1:
        return table, card, 0
    return table, table_second, card


@routine
def play_out_against(
    first, second, third, void_first, void_second, void_third,
    card, card_second, card_third, mine, trump_lane, ranks, row, others, key,
):  # fmt: skip
    """Play from a position on to the last trick, one player as heuristic.

    Parameters
    ----------
    first, second, third : int64
        Hands in the order of the trick, the leader's first, without the cards on the table.
    void_first, void_second, void_third : int64
        Suits in which each has shown void.
    card, card_second, card_third : int64
        Cards on the table, or settled to come there, in the order of the trick; else 0.
    mine : int64
        The player whose tricks are counted: its place in the order of the trick.
    trump_lane, ranks, row
        As for :func:`sim.three_two_five.heuristic.lead`.
    others : int64
        Policy of the other two: HEURISTIC, FIRST_SUIT or RANDOM.
    key : int64
        Key of their random words.

    Returns
    -------
    int64
        Tricks that the player takes, this one included.
    """
    tricks, trump = 0, suit_of(lowest(trump_lane))
    left = max(popcount(first) + (card != 0), popcount(third) + (card_third != 0))
    while left > 1:
        if not card:
            if others == HEURISTIC or mine == 0:
                card = lead(first, second | third, void_second, void_third, trump_lane, ranks, row)
            else:
                card = simple_card(others, first, 0, trump, word(key, 3 * left))
            first ^= card
        led = lane_with(card)
        if not card_second:
            legal = legal_cards(second, led)
            if others == HEURISTIC or mine == 1:
                card_second = play_between(
                    second, legal, led, card, first | third, void_third, 0, trump_lane, ranks, row
                )
            else:
                card_second = simple_card(others, legal, card, trump, word(key, 3 * left + 1))
            second ^= card_second
        if not card_third:
            legal = legal_cards(third, led)
            winning = choose(winning_place(card, card_second, 0, led, trump_lane), card_second, card)
            if others == HEURISTIC or mine == 2:
                card_third = play_last(third, legal, led, winning, first | second, trump_lane, ranks, row)
            else:
                card_third = simple_card(others, legal, winning, trump, word(key, 3 * left + 2))
            third ^= card_third
        void_second |= choose(card_second & led, 0, led)
        void_third |= choose(card_third & led, 0, led)
        winner = winning_place(card, card_second, card_third, led, trump_lane)
        tricks += winner == mine
        mine -= winner
        mine += choose(mine < 0, 3, 0)
        first, second, third = rotate(winner, first, second, third)
        void_first, void_second, void_third = rotate(winner, void_first, void_second, void_third)
        card = card_second = card_third = 0
        left -= 1
    # The last cards, some of which may lie on the table.
    card = first | card
    winner = winning_place(card, second | card_second, third | card_third, lane_with(card), trump_lane)
    return tricks + (winner == mine)
