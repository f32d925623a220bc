"""Fives and Threes in plain Python, slow and clear, written from the rulebook alone.

Tests drive this game step by step beside the fast kernels, so it shares nothing with them. The chain is a
list of laid tiles read from left to right; players count from 0. Every action comes as three methods:
``check_*`` raises, ``can_*`` asks, and the bare verb acts and logs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from .dominoes import DOUBLE_SIX, deal, halves, hand_size_of, points_of

TARGET = 61

Move = tuple[str, str]


@dataclass(frozen=True)
class Placement:
    """One tile placed: the ends after it, their count, what it scored and the scores after it (F7-F13)."""

    player: int
    tile: str
    end: str
    ends: tuple[int, int]
    total: int
    points: int
    bonus: int
    accepted: bool
    scores: tuple[int, ...]

    def as_record(self) -> dict:
        """Give the placement as an entry of a JSON record's `moves`."""
        return {**vars(self), "ends": list(self.ends), "scores": list(self.scores)}


@dataclass(frozen=True)
class Knock:
    """One turn passed, and the two open ends that the player could not match (F6)."""

    player: int
    ends: tuple[int, int]

    def as_record(self) -> dict:
        """Give the knock as an entry of a JSON record's `moves`."""
        return {"player": self.player, "knock": True}


@dataclass(frozen=True)
class Knowledge:
    """All that one player may know ("What each player knows").

    Attributes
    ----------
    player : int
    hand : frozenset of str
        The player's own tiles.
    seen : frozenset of str
        Its own tiles and the chain's.
    lacks : dict of int to frozenset of int
        For every other player the numbers that its knocks prove missing from its hand. Nobody draws (F2), so
        what a hand lacks once it lacks for the rest of the round.
    hand_sizes : tuple of int
    scores : tuple of int
    log : tuple of Placement or Knock
        Who placed what, and who knocked at which ends, in order.
    """

    player: int
    hand: frozenset[str]
    seen: frozenset[str]
    lacks: dict[int, frozenset[int]]
    hand_sizes: tuple[int, ...]
    scores: tuple[int, ...]
    log: tuple[Placement | Knock, ...]

    def may_hold(self, other: int) -> frozenset[str]:
        """Give the tiles that may be in another player's hand: unseen, and without a number it lacks."""
        unseen = frozenset(DOUBLE_SIX) - self.seen
        return frozenset(tile for tile in unseen if self.lacks[other].isdisjoint(halves(tile)))

    def admits(self, hands: Sequence[Sequence[str]]) -> bool:
        """Tell whether these hands, one a player, could be the real ones as far as this player knows."""
        tiles = [tile for hand in hands for tile in hand]
        return (
            len(set(tiles)) == len(tiles)
            and tuple(len(hand) for hand in hands) == self.hand_sizes
            and set(hands[self.player]) == self.hand
            and all(self.may_hold(other).issuperset(hands[other]) for other in self.lacks)
        )


class Round:
    """One round, played from outside a move at a time.

    Parameters
    ----------
    hands : sequence of sequences of str
        The dealt tiles by player; two, three or four hands, of any sizes so that an endgame can be set up.
    starter : int
        The player who begins (F3).
    target : int or None
        The score that wins (F13); None plays the round alone, where every event is accepted.
    out_bonus : int
        The extra for the tile that ends the round (F9, F10).
    scores : sequence of int, optional
        Scores carried into the round by player, by side in partnership (F14); zeros if left out.

    Attributes
    ----------
    to_move : int or None
        The player whose turn it is; None once the round has ended.
    ended : str or None
        ``"target"`` if a side stands at the target, else ``"out"`` or ``"blocked"``; None during play.
    chain : list of tuple of int
        The laid tiles as (left half, right half).
    log : list of Placement or Knock

    Raises
    ------
    ValueError
        For hands, a starter or scores that cannot be.
    """

    def __init__(
        self,
        hands: Sequence[Sequence[str]],
        starter: int,
        target: int | None = TARGET,
        out_bonus: int = 1,
        scores: Sequence[int] | None = None,
    ):
        self.players = len(hands)
        hand_size_of(self.players)
        self.sides = 2 if self.players == 4 else self.players
        self.starter, self.target, self.out_bonus = starter, target, out_bonus
        self.dealt = tuple(tuple(hand) for hand in hands)
        self.scores = [0] * self.sides if scores is None else list(scores)
        self._check_set_up()
        self.scores_before = tuple(self.scores)
        self.hands = [list(hand) for hand in hands]
        self.chain: list[tuple[int, int]] = []
        self.log: list[Placement | Knock] = []
        self.to_move: int | None = starter
        self.ended: str | None = None

    def _check_set_up(self) -> None:
        tiles = [tile for hand in self.dealt for tile in hand]
        for place, tile in enumerate(tiles):
            halves(tile)
            if tile in tiles[:place]:
                raise ValueError(f"tile {tile} is dealt twice; valid are distinct tiles")
        if not all(self.dealt):
            raise ValueError("an empty hand is dealt; valid is at least one tile for each player")
        if self.starter not in range(self.players):
            raise ValueError(f"starter {self.starter!r}: valid are 0 to {self.players - 1}")
        if len(self.scores) != self.sides:
            raise ValueError(f"scores {self.scores}: valid are {self.sides} scores, one a side")
        if min(self.scores) < 0 or (self.target is not None and max(self.scores) >= self.target):
            raise ValueError(f"scores {self.scores}: valid are scores from 0 and below {self.target}")
        if self.out_bonus < 0:
            raise ValueError(f"out bonus {self.out_bonus}: valid is 0 or more, since nothing lowers a score")

    def side(self, player: int) -> int:
        """Give the side that a player scores for: 0 and 2 against 1 and 3, otherwise itself (F1, F14)."""
        return player % self.sides

    @property
    def ends(self) -> tuple[int, int] | None:
        """The two open numbers, left and right (F5); None before the first tile."""
        return (self.chain[0][0], self.chain[-1][1]) if self.chain else None

    @property
    def lone_double(self) -> bool:
        """Whether the chain is one double, whose two sides are one move (F5)."""
        return len(self.chain) == 1 and self.chain[0][0] == self.chain[0][1]

    @property
    def winner(self) -> int | None:
        """The side that has reached the target (F13), or None."""
        return self.scores.index(self.target) if self.ended == "target" else None

    def count(self) -> int:
        """Count the ends (F7): open halves, both halves of a double, a lone tile's two halves once."""
        if len(self.chain) == 1:
            return sum(self.chain[0])
        left, right = self.chain[0], self.chain[-1]
        left_count = sum(left) if left[0] == left[1] else left[0]
        right_count = sum(right) if right[0] == right[1] else right[1]
        return left_count + right_count

    def ends_for(self, tile: str) -> list[str]:
        """Name the ends that a tile may be put at, each a different move (F4, F5)."""
        if not self.chain:
            return ["start"]
        open_ends = zip(("left", "right"), self.ends, strict=True)
        fitting = [end for end, number in open_ends if number in halves(tile)]
        return fitting[:1] if self.lone_double else fitting

    def moves_of(self, player: int) -> list[Move]:
        """List a player's (tile, end) pairs as if it were that player's turn."""
        return [(tile, end) for tile in self.hands[player] for end in self.ends_for(tile)]

    def legal_moves(self) -> list[Move]:
        """List the (tile, end) pairs of the player to move, in the order of its hand, left before right.

        The one move on a lone double is listed at the left; `play` takes it at the right as well.
        """
        return [] if self.to_move is None else self.moves_of(self.to_move)

    def must_knock(self) -> bool:
        """Tell whether the player to move can only knock (F6)."""
        return self.to_move is not None and not self.legal_moves()

    def check_knock(self) -> None:
        """Raise ValueError unless the player to move has to knock: who can play must (F6)."""
        if self.ended:
            raise ValueError(f"knock: the round has ended ({self.ended}); valid is a new round")
        if not self.must_knock():
            raise ValueError(f"knock: player {self.to_move} can play; valid are {self._listed()}")

    def can_knock(self) -> bool:
        """Tell whether a knock is legal, which is when it is forced (F6)."""
        return self.must_knock()

    def knock(self) -> Knock:
        """Pass the turn of a player who cannot play."""
        self.check_knock()
        knock = Knock(self.to_move, self.ends)
        self.log.append(knock)
        self._pass_turn()
        return knock

    def can_play(self, tile: str, end: str) -> bool:
        """Tell whether the player to move may put this tile at this end."""
        if self.lone_double and end == "right":
            end = "left"
        return (tile, end) in self.legal_moves()

    def check_play(self, tile: str, end: str) -> None:
        """Raise ValueError, naming what would be valid, unless the move is legal (F4-F6)."""
        if self.ended:
            raise ValueError(f"{tile} at {end}: the round has ended ({self.ended}); valid is a new round")
        if not self.can_play(tile, end):
            raise ValueError(f"{tile} at {end}: player {self.to_move} cannot; valid are {self._listed()}")

    def play(self, tile: str, end: str) -> Placement:
        """Put a tile of the player to move at ``"start"``, ``"left"`` or ``"right"`` and score it."""
        self.check_play(tile, end)
        player = self.to_move
        self.hands[player].remove(tile)
        self._lay(tile, end)
        total = self.count()
        points = points_of(total)
        out = self._is_out(player)
        bonus = self.out_bonus if out else 0
        accepted = self._score(self.side(player), points + bonus)
        scores = tuple(self.scores)
        placement = Placement(player, tile, end, self.ends, total, points, bonus, accepted, scores)
        self.log.append(placement)
        self.ended = self._ending(out)
        self._pass_turn()
        return placement

    def _listed(self) -> str:
        return ", ".join(f"{tile} at {end}" for tile, end in self.legal_moves()) or "only a knock"

    def _lay(self, tile: str, end: str) -> None:
        low, high = halves(tile)
        if end == "start":
            self.chain.append((low, high))
        elif end == "left":
            self.chain.insert(0, (low, high) if high == self.ends[0] else (high, low))
        else:
            self.chain.append((low, high) if low == self.ends[1] else (high, low))

    def _is_out(self, player: int) -> bool:
        """Tell whether the round is out: a hand is empty (F9), in partnership both hands of a side (F10)."""
        return not any(
            self.hands[mate] for mate in range(self.players) if self.side(mate) == self.side(player)
        )

    def _score(self, side: int, event: int) -> bool:
        """Accept an event whole or drop it whole (F13)."""
        accepted = self.target is None or self.scores[side] + event <= self.target
        if accepted:
            self.scores[side] += event
        return accepted

    def _ending(self, out: bool) -> str | None:
        if self.target in self.scores:
            return "target"
        if out:
            return "out"
        blocked = not any(self.moves_of(player) for player in range(self.players))
        return "blocked" if blocked else None

    def _pass_turn(self) -> None:
        """Give the turn clockwise to the next player with tiles (F1, F10), to nobody after the end."""
        if self.ended:
            self.to_move = None
            return
        self.to_move = (self.to_move + 1) % self.players
        while not self.hands[self.to_move]:
            self.to_move = (self.to_move + 1) % self.players

    def knowledge(self, player: int) -> Knowledge:
        """Give what a player may know at this point of the round."""
        placed = {event.tile for event in self.log if isinstance(event, Placement)}
        knocks = [event for event in self.log if isinstance(event, Knock)]
        lacks = {
            other: frozenset(number for knock in knocks if knock.player == other for number in knock.ends)
            for other in range(self.players)
            if other != player
        }
        hand = frozenset(self.hands[player])
        sizes = tuple(len(held) for held in self.hands)
        return Knowledge(player, hand, hand | placed, lacks, sizes, tuple(self.scores), tuple(self.log))


class Match:
    """Rounds with the start moving clockwise (F3) and scores carried until a side has the target (F13).

    Parameters
    ----------
    players : int
    starter : int
        The first round's starter, drawn by lot (`draw_starter`).
    target : int or None
        The score that wins; with None the match goes on for as long as rounds are dealt.
    hand_size : int, optional
        Tiles a hand; 7, 5 or 5 if left out (F2).
    out_bonus : int
        The extra for the tile that ends a round.
    """

    def __init__(
        self,
        players: int,
        starter: int,
        target: int | None = TARGET,
        hand_size: int | None = None,
        out_bonus: int = 1,
    ):
        self.players, self.first_starter = players, starter
        self.target, self.out_bonus = target, out_bonus
        self.hand_size = hand_size_of(players, hand_size)
        self.rounds: list[Round] = []

    @property
    def scores(self) -> tuple[int, ...] | None:
        """The scores after the rounds so far; None before the first."""
        return tuple(self.rounds[-1].scores) if self.rounds else None

    @property
    def winner(self) -> int | None:
        """The side that has won the match, or None."""
        return self.rounds[-1].winner if self.rounds else None

    def deal(self, hands: Sequence[Sequence[str]]) -> Round:
        """Begin the next round with these hands.

        Raises
        ------
        ValueError
            If the match is won, a round is still being played, or the hands are not what the rules deal.
        """
        if self.winner is not None:
            raise ValueError(f"side {self.winner} has won at {self.target}; valid is a new match")
        if self.rounds and self.rounds[-1].ended is None:
            raise ValueError("the last round is still being played; valid is to end it first")
        sizes = [len(hand) for hand in hands]
        if sizes != [self.hand_size] * self.players:
            raise ValueError(f"hands of {sizes} tiles: valid are {self.players} hands of {self.hand_size}")
        starter = (self.first_starter + len(self.rounds)) % self.players
        self.rounds.append(Round(hands, starter, self.target, self.out_bonus, self.scores))
        return self.rounds[-1]


def play_out(game: Round, choose: Callable[[Round], Move]) -> Round:
    """Play a round to its end: `choose` gives a legal (tile, end), knocks follow by themselves."""
    while game.ended is None:
        if game.must_knock():
            game.knock()
        else:
            game.play(*choose(game))
    return game


def play_match(match: Match, rng: Random, choose: Callable[[Round], Move]) -> Match:
    """Deal and play rounds until the match is won."""
    while match.winner is None:
        play_out(match.deal(deal(match.players, rng, match.hand_size)), choose)
    return match


def uniform_pair(rng: Random) -> Callable[[Round], Move]:
    """Choose uniformly among fitting tile-and-end pairs, as the rulebook's check figures were played.

    Both sides of a lone double count as two pairs there; since every pair of such a turn is then doubled, the
    choice among the legal moves stays uniform.
    """
    return lambda game: rng.choice(game.legal_moves())
