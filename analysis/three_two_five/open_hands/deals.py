"""A deal of 3-2-5 with all hands open: who holds what, what was played, and what is to be played next.

Players go by their *seat* here, 0 five, 1 three, 2 two, as the solvers have it; where nothing tells who the
five is, by their number. High sevens stand in the trump lane (R31).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from sim.three_two_five.cards import LANE, LANE_WIDTH, card_name, lower_sevens
from sim.three_two_five.rules import PLAYERS, SEATS

Three = tuple[int, int, int]


class Position(NamedTuple):
    """A position of the play, at a player's turn.

    Attributes
    ----------
    trick : int
        Number of the current trick, from 1.
    leader : int
        Seat that leads, or led, it.
    hands : tuple of three int
        Cards left by seat, without those on the table.
    table : tuple of up to two int
        Cards of the current trick in order of play.
    taken : tuple of three int
        Tricks taken before this one, by seat.
    trump : int
        Trump suit.
    """

    trick: int
    leader: int
    hands: Three
    table: tuple[int, ...]
    taken: Three
    trump: int

    @property
    def mover(self) -> int:
        """Seat that is to play."""
        return (self.leader + len(self.table)) % PLAYERS

    @property
    def order(self) -> int:
        """Which card of the trick is to be played, from 1."""
        return len(self.table) + 1

    @property
    def legal(self) -> int:
        """Cards that may be played (R22, R23)."""
        hand = self.hands[self.mover]
        following = hand & lane_of_card(self.table[0]) if self.table else hand
        return following or hand

    def after(self, card: int) -> "Position":
        """Return the position after a legal card; the third one ends the trick (R22, R24)."""
        hands = _changed(self.hands, self.mover, -card)
        table = (*self.table, card)
        if len(table) < PLAYERS:
            return self._replace(hands=hands, table=table)
        winner = (self.leader + _winning_place(table, self.trump)) % PLAYERS
        return Position(self.trick + 1, winner, hands, (), _changed(self.taken, winner, 1), self.trump)

    def row(self, seat: int) -> list[int]:
        """Write the position as the solvers' kernels read it, asking about a seat."""
        first, second = [*self.table, 0, 0][:2]
        return [*self.hands, self.leader, first, second, self.trump, seat]


@dataclass(frozen=True)
class OpenDeal:
    """A deal from its first lead on.

    Parameters
    ----------
    start : Position
        Before the first card, after the pulls.
    plays : tuple of int
        Cards played, in order; legal ones.
    first : int
        Player in seat 0.
    seated : bool
        Whether that seat is known to be the five.
    sevens : int
        0 low, 1 hearts on top, 2 spades on top.
    strategies : tuple of str
        By player; empty where they are not known.
    match, number : int or None
        Which deal it is, where that is known.
    """

    game: ClassVar[str] = "three_two_five"

    start: Position
    plays: tuple[int, ...]
    first: int
    seated: bool
    sevens: int = 0
    strategies: tuple[str, ...] = ()
    match: int | None = None
    number: int | None = None

    @property
    def end(self) -> Position:
        """Where the play stands."""
        position = self.start
        for card in self.plays:
            position = position.after(card)
        return position

    @property
    def complete(self) -> bool:
        """Whether all cards are played."""
        return not any(self.end.hands)

    def steps(self) -> Iterator[tuple[Position, int]]:
        """Yield each position with the card played in it; last the one to be played, if any, with 0."""
        position = self.start
        for card in self.plays:
            yield position, card
            position = position.after(card)
        if any(position.hands):
            yield position, 0

    def at(self, trick: int, order: int = 1) -> tuple[Position, int]:
        """Return a position by trick and card of the trick, both from 1, and the card played or 0.

        Raises
        ------
        ValueError
            If the deal has no such position.
        """
        for position, card in self.steps():
            if (position.trick, position.order) == (trick, order):
                return position, card
        raise ValueError(
            f"trick {trick}, card {order}: the last position is trick {position.trick}, card {position.order}"
        )

    def last(self) -> tuple[Position, int]:
        """Return the position to be played with 0, or the last one of a complete deal with its card."""
        return list(self.steps())[-1]

    def player(self, seat: int) -> int:
        """Return the number of the player in a seat."""
        return (self.first + seat) % PLAYERS

    def seat(self, player: int) -> int:
        """Return the seat of a player."""
        return (player - self.first) % PLAYERS

    def seat_name(self, seat: int) -> str:
        """Return ``five``, ``three`` or ``two``; nothing where it is not known who is the five."""
        return SEATS[seat] if self.seated else ""

    def by_player(self, by_seat: Three) -> list[int]:
        """Reorder numbers by seat into those by player."""
        return [by_seat[self.seat(player)] for player in range(PLAYERS)]

    def name(self, card: int) -> str:
        """Name of a card, ``AS``; a high seven by its own suit."""
        return card_name(lower_sevens(card, self.sevens))

    def names(self, cards: int) -> list[str]:
        """Names of a set of cards, in the order of :func:`members`."""
        return [self.name(card) for card in members(cards)]


def members(cards: int) -> list[int]:
    """Return the one-card masks of a set as a hand shows them: suit by suit, highest first."""
    single = [1 << place for place in range(cards.bit_length()) if cards >> place & 1]
    return sorted(single, key=lambda card: (lane_of_card(card), -card))


def lane_of_card(card: int) -> int:
    """Mask of all places of a card's suit."""
    return LANE << (card.bit_length() - 1) // LANE_WIDTH * LANE_WIDTH


def _changed(numbers: Three, place: int, by: int) -> Three:
    a, b, c = (number + by * (place == index) for index, number in enumerate(numbers))
    return a, b, c


def _winning_place(table: tuple[int, ...], trump: int) -> int:
    """Place in the trick that wins: the highest trump, without trumps the highest of the led suit (R24)."""
    trumps, led = LANE << trump * LANE_WIDTH, lane_of_card(table[0])
    strengths = [(bool(card & trumps), card & (trumps | led)) for card in table]
    return strengths.index(max(strengths))
