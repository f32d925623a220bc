"""The last tricks of 3-2-5 with all hands open, every line played out, in plain Python.

No bound, no table, no cards that count as one: the twin against which the solvers are checked.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from .three_two_five_rules import DEFAULT, Rules, followers, suit_of, winning_place


class OpenValue(NamedTuple):
    """What a position is worth, tricks from the current one on, by seat in playing order.

    Attributes
    ----------
    sure : tuple of int
        For each player what it can be sure of if the other two play against it.
    tricks : tuple of int
        What all three take if each plays for itself; among options that bring it equally many the player
        to move takes one that leaves the next player the fewest.
    """

    sure: tuple[int, ...]
    tricks: tuple[int, ...]


def enumerate_ending(
    hands: Sequence[Collection[str]], leader: int, table: Sequence[str], trump: str, rules: Rules = DEFAULT
) -> OpenValue:
    """Play out every line from a position (R22 to R24).

    Parameters
    ----------
    hands : sequence of three collections of str
        Cards left, without those on the table.
    leader : int
        Who led, or leads, the current trick.
    table : sequence of str
        Cards of the current trick in order of play; three of them end it.
    trump : str
    rules : Rules
        Its sevens matter (R31).
    """
    if len(table) == 3:
        winner = (leader + winning_place(table, trump, rules)) % 3
        return _with_trick(enumerate_ending(hands, winner, (), trump, rules), winner)
    mover = (leader + len(table)) % 3
    if not hands[mover]:
        return OpenValue((0, 0, 0), (0, 0, 0))
    lines = []
    led = suit_of(table[0], trump, rules) if table else None
    for card in followers(hands[mover], led, trump, rules):
        left = [set(hand) - {card} for hand in hands]
        lines.append(enumerate_ending(left, leader, (*table, card), trump, rules))
    sure = tuple(
        (max if player == mover else min)(line.sure[player] for line in lines) for player in range(3)
    )
    following = (mover + 1) % 3
    best = max(lines, key=lambda line: (line.tricks[mover], -line.tricks[following]))
    return OpenValue(sure, best.tricks)


def _with_trick(value: OpenValue, winner: int) -> OpenValue:
    """Add one trick that a player took."""
    return OpenValue(*(tuple(n + (seat == winner) for seat, n in enumerate(part)) for part in value))
