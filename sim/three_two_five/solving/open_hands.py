"""Positions of 3-2-5 with all hands open, solved for Python: what each card is worth, and many at once.

A position is a row of eight numbers: the cards left in the hands of five, three and two, without those on
the table; the seat that led the current trick; the first and the second card on the table, or 0; the
trump suit; and the seat that is asked about. High sevens stand in the trump lane (R31).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sim.core.bits import lowest, popcount
from sim.core.jit import compile_lock, helper, kernel, plain
from sim.three_two_five.cards import PACK, SUITS, card_name, lane_of, lane_with, raise_sevens
from sim.three_two_five.rules import TRICKS_PER_DEAL
from sim.three_two_five.solving.endings import forget, new_solver
from sim.three_two_five.solving.lines import FIELD
from sim.three_two_five.solving.max_n import max_n
from sim.three_two_five.solving.solver import guarantee

POSITION_SIZE = 8
TABLE_BITS = 18
"""Size of the table of a single question: four megabytes, of which only what is used is touched."""
_SEATS = ("five", "three", "two")


class CardValue(NamedTuple):
    """What a card is worth.

    Attributes
    ----------
    card : int
        One-card mask, as in the hand.
    guaranteed : int
        Tricks that the player is sure of after it if the other two play against it, from the current
        trick on.
    tricks : tuple of int
        Tricks of five, three and two from the current trick on if everybody plays for itself
        (:mod:`~sim.three_two_five.solving.max_n`).
    """

    card: int
    guaranteed: int
    tricks: tuple[int, int, int]


def card_values(hands: Sequence[int], leader: int, table: Sequence[int], trump: int) -> list[CardValue]:
    """Solve every legal card of the player to move, all hands open.

    Parameters
    ----------
    hands : sequence of three int
        Cards left in the hands of five, three and two, without those on the table; high sevens as
        :func:`~sim.three_two_five.cards.raise_sevens` places them.
    leader : int
        Seat that leads, or led, the current trick: 0 five, 1 three, 2 two.
    table : sequence of up to two int
        Cards of the current trick in order of play.
    trump : int
        Trump suit.

    Returns
    -------
    list of CardValue
        Lowest card first.

    Raises
    ------
    ValueError
        If this is not a position of the game.
    """
    position = position_row(hands, leader, table, trump, 0)
    mover = (leader + len(table)) % 3
    legal = plain(_legal_cards)(hands[mover], table[0] if table else 0)
    values = np.zeros((TRICKS_PER_DEAL, 2), np.int64)
    with compile_lock(value_cards):
        value_cards(position, legal, TABLE_BITS, values)
    result = []
    for guaranteed, packed in values[: popcount(legal)].tolist():
        card = plain(lowest)(legal)
        legal ^= card
        vector = tuple(packed >> FIELD * seat & ((1 << FIELD) - 1) for seat in range(3))
        result.append(CardValue(card, guaranteed, vector))
    return result


def position_row(
    hands: Sequence[int], leader: int, table: Sequence[int], trump: int, player: int
) -> np.ndarray:
    """Check a position and write it as the solvers' kernels read it.

    Parameters
    ----------
    hands, leader, table, trump
        As for :func:`card_values`.
    player : int
        Seat that is asked about.

    Returns
    -------
    int64 (POSITION_SIZE,) array

    Raises
    ------
    ValueError
        If this is not a position of the game.
    """
    if len(hands) != 3 or len(table) > 2:
        raise ValueError(f"{len(hands)} hands and {len(table)} cards on the table: valid are 3, and 0 to 2")
    for name, value, count in (("leader", leader, 3), ("trump", trump, 4), ("player", player, 3)):
        if value not in range(count):
            raise ValueError(f"{name}={value!r}: valid are 0 to {count - 1}")
    _check_cards([*hands, *table], trump)
    if any(popcount(card) != 1 for card in table):
        raise ValueError("a place on the table holds no card, or several")
    sizes = [popcount(hand) for hand in hands]
    for place in range(len(table)):
        sizes[(leader + place) % 3] += 1
    if len(set(sizes)) != 1 or sizes[0] == 0:
        raise ValueError(f"cards of five, three and two before this trick: {sizes}, valid are equal numbers")
    if len(table) == 2:
        second = (leader + 1) % 3
        led = plain(lane_with)(table[0])
        if hands[second] & led and not table[1] & led:
            raise ValueError(f"{_SEATS[second]} played {card_name(table[1])} but could follow (R23)")
    first, second_card = [*table, 0, 0][:2]
    return np.array([*hands, leader, first, second_card, trump, player], np.int64)


def _check_cards(sets: Sequence[int], trump: int) -> None:
    """Raise ValueError unless the sets are disjoint parts of the pack, sevens low or high."""
    everything = 0
    for cards in sets:
        if everything & cards:
            raise ValueError(f"card in two places: {card_name(plain(lowest)(everything & cards))}")
        everything |= cards
    if not any(everything & ~plain(raise_sevens)(PACK, trump, sevens) == 0 for sevens in range(3)):
        raise ValueError(
            f"{everything:#x} is no part of a pack with trump {SUITS[trump]}, sevens low or high"
        )


@helper
def _legal_cards(hand, first_card):
    """Cards that may be played after the first one on the table, or 0 (R22, R23)."""
    following = hand & lane_with(first_card) if first_card else hand
    return following if following else hand


@helper
def _trick_winner(leader, first, second, third, trump):
    """Seat that wins a trick (R24)."""
    trumps = lane_of(trump)
    led = trumps if (first | second | third) & trumps else lane_with(first)
    second, third = second & led, third & led
    if max(first & led, second) < third:
        return (leader + 2) % 3
    return (leader + 1) % 3 if first & led < second else leader


@kernel
def value_cards(position, legal, bits, values):
    """Both values of every legal card of the player to move.

    Parameters
    ----------
    position : int64 (POSITION_SIZE,) array
        The player asked about does not count.
    legal : int64
        Cards to value.
    bits : int64
        Size of the table, see :func:`~sim.three_two_five.solving.endings.new_solver`.
    values : int64 (cards, 2) array
        Filled, lowest card first: tricks the player is sure of, and the packed max^n vector.
    """
    scratch = new_solver(bits)
    hands = position[:3].copy()
    leader, first, second, trump = position[3], position[4], position[5], position[6]
    mover = (leader + (first > 0) + (second > 0)) % 3
    number = 0
    while legal:
        card = lowest(legal)
        legal ^= card
        hands[mover] ^= card
        five, three, two = hands[0], hands[1], hands[2]
        if second:
            seat = _trick_winner(leader, first, second, card, trump)
            taken, to_lead, on_table, next_on_table = seat, seat, 0, 0
        else:
            taken, to_lead = -1, leader
            on_table, next_on_table = (first, card) if first else (card, 0)
        sure = guarantee(five, three, two, to_lead, on_table, next_on_table, trump, mover, scratch)
        vector = max_n(five, three, two, to_lead, on_table, next_on_table, trump, scratch)
        values[number, 0] = sure + (taken == mover)
        values[number, 1] = vector + (1 << FIELD * taken if taken >= 0 else 0)
        hands[mover] ^= card
        number += 1


@kernel
def guarantees(positions, fresh, scratch, values):
    """Tricks that a player is sure of, for many positions.

    Parameters
    ----------
    positions : int64 (n, POSITION_SIZE) array
    fresh : bool
        Whether to empty the table before each of them; the values are the same.
    scratch : int64 array
        From :func:`~sim.three_two_five.solving.endings.new_solver`.
    values : int64 (n,) array
        Filled.
    """
    for p in range(positions.shape[0]):
        if fresh:
            forget(scratch)
        five, three, two, leader = positions[p, 0], positions[p, 1], positions[p, 2], positions[p, 3]
        first, second, trump, player = positions[p, 4], positions[p, 5], positions[p, 6], positions[p, 7]
        values[p] = guarantee(five, three, two, leader, first, second, trump, player, scratch)


@kernel
def vectors(positions, fresh, scratch, values):
    """Packed max^n vectors of many positions; parameters as for :func:`guarantees`."""
    for p in range(positions.shape[0]):
        if fresh:
            forget(scratch)
        five, three, two, leader = positions[p, 0], positions[p, 1], positions[p, 2], positions[p, 3]
        first, second, trump = positions[p, 4], positions[p, 5], positions[p, 6]
        values[p] = max_n(five, three, two, leader, first, second, trump, scratch)
