"""A round of Fives and Threes with all hands open: who holds what, what was played, what is played next."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from sim.core.jit import plain
from sim.fives_and_threes.chain import DOUBLE, OPEN, POINTS, RIGHT_SIDE, lay, legal_moves, tiles_of
from sim.fives_and_threes.rules import Rules, side_of
from sim.fives_and_threes.solving.open_hands import MoveValue, move_values, position_row
from sim.fives_and_threes.tiles import SET, tile_name

KNOCK = 0
"""In place of a move."""


class Placed(NamedTuple):
    """What a move makes of a position.

    Attributes
    ----------
    position : Position
        After it.
    total, points, bonus : int
        Count of the ends, what that scores, and the extra for ending the round (F7 to F10).
    accepted : bool
        Whether the target does not drop it (F13).
    """

    position: "Position"
    total: int
    points: int
    bonus: int
    accepted: bool


class Position(NamedTuple):
    """A position of a round, at a player's turn.

    Attributes
    ----------
    number : int
        Number of the turn, knocks included, from 1.
    hands : tuple of int
        Tiles left by player.
    ends : tuple of int
        Left and right end, as :mod:`sim.fives_and_threes.chain` has them.
    mover : int
        Whose turn it is.
    scores : tuple of int
        By side.
    ended : str
        ``out``, ``blocked`` or ``target``; empty while the round goes on.
    """

    number: int
    hands: tuple[int, ...]
    ends: tuple[int, int]
    mover: int
    scores: tuple[int, ...]
    ended: str

    @property
    def legal(self) -> int:
        """Moves of the player to move; the two sides of equal ends count once (F4, F5)."""
        moves = int(plain(legal_moves)(self.hands[self.mover], *self.ends))
        return moves & SET if self.ends[0] == self.ends[1] else moves

    def knocked(self) -> "Position":
        """Return the position after a knock (F6)."""
        return self._replace(number=self.number + 1, mover=_next(self.hands, self.mover))

    def lacking(self, rules: Rules) -> list[int | None]:
        """Points that each side lacks to the target (F13)."""
        return [None if rules.target is None else rules.target - score for score in self.scores]

    def placed(self, move: int, rules: Rules) -> Placed:
        """Lay a tile and score it (F5 to F13)."""
        left, right, total = (int(number) for number in plain(lay)(move, *self.ends))
        tile = int(plain(tiles_of)(move))
        hands = tuple(hand & ~tile for hand in self.hands)
        side = plain(side_of)(self.mover, rules.players)
        mates = [player for player in range(rules.players) if plain(side_of)(player, rules.players) == side]
        out = not any(hands[mate] for mate in mates)
        points, bonus, short = int(POINTS[total]), rules.out_bonus if out else 0, self.lacking(rules)[side]
        accepted = short is None or points + bonus <= short
        scores = list(self.scores)
        scores[side] += points + bonus if accepted else 0
        following = Position(self.number + 1, hands, (left, right), self.mover, tuple(scores), "")
        blocked = not any(plain(legal_moves)(hand, left, right) for hand in hands)
        if scores[side] == rules.target:
            following = following._replace(ended="target")
        elif out or blocked:
            following = following._replace(ended="out" if out else "blocked")
        else:
            following = following._replace(mover=_next(hands, self.mover))
        return Placed(following, total, points, bonus, accepted)

    def row(self, asked: int, rules: Rules) -> np.ndarray:
        """Write the position as the solvers' kernels read it, asking about a player."""
        return position_row(self.hands, self.ends, self.mover, asked, self.lacking(rules), rules.out_bonus)

    def values(self, rules: Rules) -> list[MoveValue]:
        """Solve every legal move, points from here on; the two sides of equal ends count once."""
        solved = move_values(self.hands, self.ends, self.mover, self.lacking(rules), rules.out_bonus)
        return [value for value in solved if value.move & self.legal]

    def same(self, move: int) -> int:
        """Return the legal move that a move is: of two equal ends the left one."""
        return move if move & self.legal else move >> RIGHT_SIDE

    def end_of(self, move: int) -> str:
        """Name where a move puts its tile: ``start``, ``left`` or ``right``."""
        return "start" if self.ends[0] == OPEN else "right" if move >> RIGHT_SIDE else "left"

    def end_names(self) -> list[str]:
        """Ends as people write them: ``4``, or ``4|4`` for a double; none before the first tile."""
        if self.ends[0] == OPEN:
            return []
        return [f"{end % DOUBLE}|{end % DOUBLE}" if end >= DOUBLE else str(end) for end in self.ends]


@dataclass(frozen=True)
class OpenRound:
    """A round from its first tile, or from an ending, on.

    Parameters
    ----------
    start : Position
        Before the first turn.
    moves : tuple of int
        What was done in turn, legal moves and KNOCK.
    rules : Rules
    strategies : tuple of str
        By player; empty where they are not known.
    match, number : int or None
        Which round it is, where that is known.
    """

    game: ClassVar[str] = "fives_and_threes"

    start: Position
    moves: tuple[int, ...]
    rules: Rules
    strategies: tuple[str, ...] = ()
    match: int | None = None
    number: int | None = None

    @property
    def end(self) -> Position:
        """Where the round stands."""
        *_, (position, move) = [(self.start, None), *self.turns()]
        if move is None:
            return position
        return position.placed(move, self.rules).position if move else position.knocked()

    def turns(self) -> Iterator[tuple[Position, int]]:
        """Yield each position with what was done in it, KNOCK included."""
        position = self.start
        for move in self.moves:
            yield position, move
            position = position.placed(move, self.rules).position if move else position.knocked()

    @property
    def complete(self) -> bool:
        """Whether the round is over."""
        return bool(self.end.ended)

    def steps(self) -> Iterator[tuple[Position, int | None]]:
        """Yield each position in which a tile was laid, with the move; last the one to play, with None."""
        for position, move in self.turns():
            if move:
                yield position, position.same(move)
        position = self.end
        while not position.ended and not position.legal:
            position = position.knocked()
        if not position.ended:
            yield position, None

    def at(self, number: int) -> tuple[Position, int | None]:
        """Return a position by the number of its turn, and the move made or None.

        Raises
        ------
        ValueError
            If there is none in which a tile was laid or is to be laid.
        """
        steps = {position.number: (position, move) for position, move in self.steps()}
        if number not in steps:
            raise ValueError(
                f"move {number}: valid are {', '.join(map(str, steps))}, knocks having no choice"
            )
        return steps[number]

    def last(self) -> tuple[Position, int | None]:
        """Return the position to be played with None, or the last one of a complete round with its move."""
        return list(self.steps())[-1]

    def side(self, player: int) -> int:
        """Side of a player (F1)."""
        return int(plain(side_of)(player, self.rules.players))

    def made(self, position: Position, player: int) -> int:
        """What the round has brought so far: with two sides the lead of the player's, else its own points."""
        made = [after - before for after, before in zip(position.scores, self.start.scores, strict=True)]
        own = self.side(player)
        return made[own] - made[1 - own] if self.rules.sides == 2 else made[own]


def move_name(move: int) -> str:
    """Name of the tile of a move."""
    return tile_name(int(plain(tiles_of)(move)))


def _next(hands: tuple[int, ...], player: int) -> int:
    """Next player clockwise who holds tiles (F1, F10)."""
    player = (player + 1) % len(hands)
    return player if hands[player] else _next(hands, player)
