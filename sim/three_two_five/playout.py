"""Playing a sampled world out to the end, three ``heuristic`` players, in registers.

What :func:`sim.three_two_five.kernel.play_tricks` does with three ``heuristic`` strategies, but for one
thing: the players do not know single cards of each other (through a reveal or a pull), only the voids
that were shown. Hands rotate in three variables, leader first, as in the kernel's random play.
"""

from sim.core.bits import popcount
from sim.core.jit import helper, routine
from sim.three_two_five.cards import lane_with
from sim.three_two_five.heuristic import lead, play_between, play_last
from sim.three_two_five.kernel import legal_cards, strength


@helper
def is_single(cards):
    """Whether a non-empty set has one member."""
    return cards & (cards - 1) == 0


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


@routine
def play_out(
    first, second, third, void_first, void_second, void_third,
    card, card_second, card_third, mine, trump_lane, params, row,
):  # fmt: skip
    """Play from a position on to the last trick.

    Parameters
    ----------
    first, second, third : int64
        Hands in the order of the trick, the leader's first, without the cards on the table.
    void_first, void_second, void_third : int64
        Suits in which each has shown void.
    card, card_second, card_third : int64
        Cards on the table, or settled to come there, in the order of the trick; else 0.
    mine : int64
        Whose tricks are counted: place in the order of the trick.
    trump_lane, params, row
        As for :func:`sim.three_two_five.heuristic.lead`.

    Returns
    -------
    int64
        Tricks that the player takes, this one included.
    """
    tricks = 0
    left = max(popcount(first) + (card != 0), popcount(third) + (card_third != 0))
    while left:
        if not card:
            if is_single(first):
                card = first
            else:
                card = lead(first, second | third, void_second, void_third, trump_lane, params, row)
            first ^= card
        led = lane_with(card)
        if not card_second:
            legal = legal_cards(second, led)
            card_second = legal
            if not is_single(legal):
                card_second = play_between(
                    second, legal, led, card, first | third, void_third, 0, trump_lane, params, row
                )
            second ^= card_second
        best = strength(card, led, trump_lane)
        strong_second = strength(card_second, led, trump_lane)
        if not card_third:
            legal = legal_cards(third, led)
            card_third = legal
            if not is_single(legal):
                winning = card_second if strong_second > best else card
                card_third = play_last(third, legal, led, winning, first | second, trump_lane, params, row)
            third ^= card_third
        void_second |= 0 if card_second & led else led
        void_third |= 0 if card_third & led else led
        strong_third = strength(card_third, led, trump_lane)
        winner = 1 if strong_second > best else 0
        winner = 2 if strong_third > max(best, strong_second) else winner
        tricks += winner == mine
        mine -= winner
        mine += 3 if mine < 0 else 0
        if winner == 1:
            first, second, third = second, third, first
            void_first, void_second, void_third = void_second, void_third, void_first
        elif winner == 2:
            first, second, third = third, first, second
            void_first, void_second, void_third = void_third, void_first, void_second
        card = card_second = card_third = 0
        left -= 1
    return tricks
