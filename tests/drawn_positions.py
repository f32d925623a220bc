"""Positions of 3-2-5 with all hands open, drawn at random for the tests of the solvers."""

from random import Random

import numpy as np
from reference.three_two_five_rules import SEVENS, SUITS
from witness import bits

from sim.three_two_five.solving.open_hands import position_row

LANE_WIDTH = 16


def members(cards: int) -> list[int]:
    """Return the members of a set of cards, lowest first."""
    return [1 << place for place in range(63) if cards >> place & 1]


def suit_number(card: int) -> int:
    """Return the lane of a card: its suit, or the trump suit for a high seven."""
    return (card.bit_length() - 1) // LANE_WIDTH


def draw_position(rng: Random, left: int, lying: int | None = None) -> tuple[np.ndarray, str]:
    """Draw a position with ``left`` tricks to play, mid-trick or not; returns its row and its sevens."""
    sevens, trump, leader = rng.choice(list(SEVENS)), rng.randrange(4), rng.randrange(3)
    cards = rng.sample(sorted(bits(SUITS[trump], sevens).values()), 3 * left)
    hands = [sum(cards[seat * left : (seat + 1) * left]) for seat in range(3)]
    table: list[int] = []
    for place in range(rng.randrange(3) if lying is None else lying):
        hand = members(hands[(leader + place) % 3])
        following = [card for card in hand if table and suit_number(card) == suit_number(table[0])]
        table.append(rng.choice(following or hand))
        hands[(leader + place) % 3] ^= table[-1]
    return position_row(hands, leader, table, trump, rng.randrange(3)), sevens


def draw_positions(seed: int, count: int, sizes: list[int], lying: int | None = None) -> np.ndarray:
    """Draw rows of positions, each with one of these numbers of tricks left."""
    rng = Random(seed)
    return np.array([draw_position(rng, rng.choice(sizes), lying)[0] for _ in range(count)])
