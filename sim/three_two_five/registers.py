"""Ten tricks between built-in players that look at the table alone, in registers.

Without a user's function or a player who samples worlds nobody is shown a view: the hands, and the voids that
the play has shown, rotate in three variables each, leader first. The cards are those of
:func:`sim.three_two_five.kernel.play_tricks`, to which all others are left.
"""

from sim.core.bits import choose, pick, popcount
from sim.core.jit import helper
from sim.core.rng import below, word
from sim.three_two_five import heuristic
from sim.three_two_five import knowledge as know
from sim.three_two_five.cards import lane_of, lane_with
from sim.three_two_five.rules import TRICKS_PER_DEAL
from sim.three_two_five.strategies import BY_CARD, HEURISTIC, RANDOM, UNASKED, WORD_CARD, simple_card
from sim.three_two_five.tricks import legal_cards, rotate, winning_place


@helper
def all_random(policies, row):
    """Whether the three strategies from this row on all play at random."""
    return policies[row, BY_CARD] == policies[row + 1, BY_CARD] == policies[row + 2, BY_CARD] == RANDOM


@helper
def all_simple(policies, row):
    """Whether the three strategies from this row on all play by a policy of this module."""
    most = max(policies[row, BY_CARD], policies[row + 1, BY_CARD], policies[row + 2, BY_CARD])
    return most <= HEURISTIC


@helper
def play_random_tricks(view, private, keys):
    """Ten tricks of uniformly random legal cards.

    A trick's random words are hashed by seat and rotated: so they do not wait for who takes the trick
    before it. The last trick needs none.
    """
    first, second, third = private[0, know.CARDS], private[1, know.CARDS], private[2, know.CARDS]
    trump_lane, leader, tricks = lane_of(view[know.TRUMP]), 0, 0
    for trick in range(TRICKS_PER_DEAL - 1):
        luck, luck_second, luck_third = rotate(
            leader,
            word(keys[0], WORD_CARD + trick),
            word(keys[1], WORD_CARD + trick),
            word(keys[2], WORD_CARD + trick),
        )
        card = pick(first, below(luck, TRICKS_PER_DEAL - trick))
        led = lane_with(card)
        legal = legal_cards(second, led)
        card_second = pick(legal, below(luck_second, popcount(legal)))
        legal = legal_cards(third, led)
        card_third = pick(legal, below(luck_third, popcount(legal)))
        winner = winning_place(card, card_second, card_third, led, trump_lane)
        first, second, third = rotate(winner, first ^ card, second ^ card_second, third ^ card_third)
        leader = _seat_at(leader, winner)
        tricks += 1 << (8 * leader)
    leader = _seat_at(leader, winning_place(first, second, third, lane_with(first), trump_lane))
    _write_tricks(view, tricks + (1 << (8 * leader)))


@helper
def _seat_at(leader, place):
    """Seat at a place of the trick."""
    seat = leader + place
    return seat - choose(seat >= 3, 3, 0)


@helper
def _write_tricks(view, tricks):
    """Write the tricks of the seats, a byte each, to the view."""
    for seat in range(3):
        view[know.TRICKS + seat] = (tricks >> (8 * seat)) & 0xFF


@helper
def play_simple_tricks(view, private, policies, ranks, keys):
    """Ten tricks of players by the policies RANDOM, FIRST_SUIT and HEURISTIC; ranks by the policies' rows."""
    first, second, third = private[0, know.CARDS], private[1, know.CARDS], private[2, know.CARDS]
    void_first = void_second = void_third = 0
    trump, row, leader, tricks = view[know.TRUMP], view[know.FIRST_ROW], 0, 0
    trump_lane = lane_of(trump)
    for trick in range(TRICKS_PER_DEAL - 1):
        seat_second = know.after(leader)
        seat_third = know.after(seat_second)
        policy = policies[row + leader, BY_CARD]
        if policy == HEURISTIC:
            card = heuristic.lead(
                first, second | third, void_second, void_third, trump_lane, ranks, row + leader
            )
        else:
            card = simple_card(policy, first, 0, trump, word(keys[leader], WORD_CARD + trick))
        first ^= card
        led, policy = lane_with(card), policies[row + seat_second, BY_CARD]
        legal = legal_cards(second, led)
        if policy == HEURISTIC:
            sure = private[seat_second, know.SURE + seat_third]
            card_second = heuristic.play_between(
                second,
                legal,
                led,
                card,
                first | third,
                void_third,
                sure,
                trump_lane,
                ranks,
                row + seat_second,
            )
        else:
            card_second = simple_card(policy, legal, card, trump, word(keys[seat_second], WORD_CARD + trick))
        second ^= card_second
        best = choose(winning_place(card, card_second, 0, led, trump_lane), card_second, card)
        legal, policy = legal_cards(third, led), policies[row + seat_third, BY_CARD]
        if policy == HEURISTIC:
            card_third = heuristic.play_last(
                third, legal, led, best, first | second, trump_lane, ranks, row + seat_third
            )
        else:
            card_third = simple_card(policy, legal, best, trump, word(keys[seat_third], WORD_CARD + trick))
        third ^= card_third
        void_second |= choose(card_second & led, 0, led)
        void_third |= choose(card_third & led, 0, led)
        winner = winning_place(card, card_second, card_third, led, trump_lane)
        first, second, third = rotate(winner, first, second, third)
        void_first, void_second, void_third = rotate(winner, void_first, void_second, void_third)
        leader = _seat_at(leader, winner)
        tricks += 1 << (8 * leader)
    leader = _seat_at(leader, winning_place(first, second, third, lane_with(first), trump_lane))
    _write_tricks(view, tricks + (1 << (8 * leader)))


@helper
def _never_random(view, private, keys):
    """Stand in for :func:`play_random_tricks` where a user's function is asked for a card."""


@helper
def _never_simple(view, private, policies, ranks, keys):
    """Stand in for :func:`play_simple_tricks` where a user's function is asked for a card."""


UNASKED[play_random_tricks] = _never_random
UNASKED[play_simple_tricks] = _never_simple
