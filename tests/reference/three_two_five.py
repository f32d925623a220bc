"""3-2-5 in plain Python: slow, obvious, and written from the rulebook alone.

The twin against which the fast kernel is checked; it shares nothing with it. A `Deal` is driven from outside,
one `Move` at a time: `Deal.moves` asks what is legal, `Deal.check` refuses the rest, `Deal.act` does it and
adds it to the log. Rules are cited as ``R12``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .three_two_five_rules import (
    DEFAULT,
    PACK,
    PACKETS,
    SUITS,
    Rules,
    check_pack,
    followers,
    highest_suits,
    in_order,
    owed_pulls,
    quotas,
    returnable,
    score,
    seats,
    suit_of,
    winning_place,
)

CITED = {"maker": "R9", "tie": "R11", "draw": "R17", "return": "R18", "play": "R23", "over": "R2"}


class Move(NamedTuple):
    """One operation of the log: who, what, and the card or suit; `giver` for the two halves of a pull.

    `verb` is ``call`` or ``choose`` (of a suit), ``reveal``, ``draw``, ``return`` or ``play`` (of a card).
    """

    player: int
    verb: str
    what: str = ""
    giver: int | None = None


class Pull(NamedTuple):
    """A finished pull (R17): `drawn` went from giver to taker, `returned` the other way."""

    taker: int
    giver: int
    drawn: str
    returned: str


class Trick(NamedTuple):
    """A finished trick: its cards in order of play from the leader, and the player who won it."""

    leader: int
    cards: tuple[str, ...]
    winner: int


@dataclass(frozen=True)
class Knowledge:
    """What one player may know of the cards; the two dicts are keyed by the other two players.

    Attributes
    ----------
    hand : frozenset of str
        The player's own cards, as far as it has been dealt them (R9, R11, R12).
    played : frozenset of str
        Cards played by anybody.
    held : dict of int to frozenset of str
        Cards that this player is certain the other one holds, through the reveal or a pull of its own.
    voids : dict of int to frozenset of str
        Suits that the other player has failed to follow; a high seven (R31) counts as a trump.
    """

    hand: frozenset[str]
    played: frozenset[str]
    held: dict[int, frozenset[str]]
    voids: dict[int, frozenset[str]]

    @property
    def seen(self) -> frozenset[str]:
        """Cards whose place is known: own, played or surely held by another."""
        return self.hand.union(self.played, *self.held.values())

    @property
    def hidden(self) -> frozenset[str]:
        """Cards whose place is not known."""
        return frozenset(PACK) - self.seen


class Deal:
    """One deal, from the dealt cards to the last trick.

    Parameters
    ----------
    deck : sequence of str
        The shuffled pack in dealt order (R8).
    dealer : int
        The player who deals and sits in the two.
    rules : Rules
        Options in force.
    debts : sequence of int
        Tricks less quota of the deal before, by player: zeros in a match's first deal (R21). Their sum is 0.

    Attributes
    ----------
    dealt : tuple of tuple of str, one of ten cards for each player, as dealt (R8)
    hands : list of set of str, what each player holds now
    trump : str or None, `revealed` : tuple of str, the turned cards (R10)
    pending : list of (taker, giver), the pulls still owed (R16); a pull leaves it when its card is returned
    pulls : list of Pull, `tricks` : list of Trick, `table` : list of str, cards of the trick in progress
    log : tuple of Move, everything done so far
    """

    def __init__(
        self, deck: Sequence[str], dealer: int, rules: Rules = DEFAULT, debts: Sequence[int] = (0, 0, 0)
    ) -> None:
        if dealer not in (0, 1, 2):
            raise ValueError(f"dealer {dealer!r} is not a player: 0, 1 or 2 (R1)")
        if len(debts) != 3 or sum(debts) or sum(map(abs, debts)) > 16:
            raise ValueError(
                f"debts {list(debts)} are not three numbers of sum 0 with at most 8 owed (R14, R21)"
            )
        self.deck, self.dealer, self.rules = check_pack(deck), dealer, rules
        self.five, self.three, self.two = seats(dealer)
        self.quota = quotas(dealer)
        packets = dict(zip(seats(dealer), PACKETS, strict=True))
        self.dealt = tuple(tuple(c for part in packets[p] for c in self.deck[part]) for p in range(3))
        self.hands = [set(cards) for cards in self.dealt]
        self.trump: str | None = None
        self.revealed: tuple[str, ...] = ()
        self.pending = list(owed_pulls(debts, dealer)) if rules.pulls else []  # R32
        self.drawn: str | None = None
        self.pulls: list[Pull] = []
        self.tricks: list[Trick] = []
        self.table: list[str] = []
        self.leader = self.five  # R22
        self.log: tuple[Move, ...] = ()

    @property
    def phase(self) -> str:
        """One of maker, tie, draw, return, play and over, in that order (R15)."""
        if self.trump is None:
            return "tie" if self.revealed else "maker"
        if self.pending:
            return "return" if self.drawn else "draw"
        return "play" if len(self.tricks) < 10 else "over"

    @property
    def to_move(self) -> int:
        """The player whose turn it is."""
        if self.trump is None:
            return self.five
        return self.pending[0][0] if self.pending else (self.leader + len(self.table)) % 3

    @property
    def makers_five(self) -> tuple[str, ...]:
        """The five cards on which the trump maker decides (R9)."""
        return self.deck[:5]

    @property
    def tricks_won(self) -> tuple[int, ...]:
        """Tricks taken so far, by player (R25)."""
        return tuple(sum(trick.winner == player for trick in self.tricks) for player in range(3))

    @property
    def score(self) -> tuple[int, ...]:
        """The score of the deal, by player (R26)."""
        return score(self.tricks_won, self.quota, self.rules.scoring)

    @property
    def debts(self) -> tuple[int, ...]:
        """What the deal leaves to the next one: tricks less quota, by player (R14)."""
        return score(self.tricks_won, self.quota, "difference")

    def legal_trumps(self) -> tuple[str, ...]:
        """Return the suits that the five may make trump: all four by a call, the tied ones once turned up."""
        return highest_suits(self.revealed) if self.revealed else tuple(SUITS)

    def legal_draws(self) -> tuple[str, ...]:
        """Return the cards that the next pull may draw: the giver's ten, each as likely (R17)."""
        return in_order(self.hands[self.pending[0][1]])

    def legal_returns(self) -> tuple[str, ...]:
        """Return the cards that may go back after a draw (R18)."""
        return returnable(self.hands[self.to_move], self.drawn or "", self.trump, self.rules)

    def legal_cards(self) -> tuple[str, ...]:
        """Return the cards that the player to move may play (R22, R23)."""
        led = suit_of(self.table[0], self.trump, self.rules) if self.table else None
        return followers(self.hands[self.to_move], led, self.trump, self.rules)

    def moves(self) -> tuple[Move, ...]:
        """Return every legal move, none when the deal is over."""
        player, giver = self.to_move, self.pending[0][1] if self.pending else None
        match self.phase:
            case "maker":
                calls = tuple(Move(player, "call", suit) for suit in self.legal_trumps())
                return (*calls, Move(player, "reveal"))
            case "tie":
                return tuple(Move(player, "choose", suit) for suit in self.legal_trumps())
            case "draw":
                return tuple(Move(player, "draw", card, giver) for card in self.legal_draws())
            case "return":
                return tuple(Move(player, "return", card, giver) for card in self.legal_returns())
            case "play":
                return tuple(Move(player, "play", card) for card in self.legal_cards())
        return ()

    def check(self, move: Move) -> None:
        """Raise ValueError, naming what would be valid, unless the move is legal now."""
        legal = self.moves()
        if move not in legal:
            valid = ", ".join(f"{m.verb} {m.what}".strip() for m in legal) or "nothing, the deal is over"
            raise ValueError(
                f"{CITED[self.phase]}: player {move.player} cannot {move.verb} {move.what}".rstrip()
                + f"; valid for player {self.to_move}: {valid}"
            )

    def act(self, move: Move) -> None:
        """Do a legal move and log it; raise ValueError for any other."""
        self.check(move)
        match move.verb:
            case "call" | "choose":
                self.trump = move.what
            case "reveal":
                self._turn_up()
            case "draw":
                self._pass_on(move.what, move.giver, move.player)
                self.drawn = move.what
            case "return":
                self._pass_on(move.what, move.player, move.giver)
                self.pulls.append(Pull(move.player, move.giver, self.drawn, move.what))
                self.drawn = None
                self.pending.pop(0)
            case "play":
                self._lay(move.player, move.what)
        self.log += (move,)

    def call(self, suit: str) -> None:
        """Call trump from the first five cards (R9)."""
        self.act(Move(self.to_move, "call", suit))

    def reveal(self) -> tuple[str, ...]:
        """Turn the five's next three cards up and return them (R10); on a tie `fix_trump` is due."""
        self.act(Move(self.to_move, "reveal"))
        return self.revealed

    def fix_trump(self, suit: str) -> None:
        """Choose among the suits tied at the top of the turned cards (R11)."""
        self.act(Move(self.to_move, "choose", suit))

    def draw(self, card: str) -> None:
        """Draw a card from the hand of the pending pull's giver (R17)."""
        self.act(Move(self.to_move, "draw", card, self.pending[0][1] if self.pending else None))

    def return_card(self, card: str) -> None:
        """Give a card back to the one just drawn from (R18)."""
        self.act(Move(self.to_move, "return", card, self.pending[0][1] if self.pending else None))

    def play(self, card: str) -> None:
        """Play a card from the hand of the player to move; a third card ends the trick."""
        self.act(Move(self.to_move, "play", card))

    def _turn_up(self) -> None:
        self.revealed = self.deck[15:18]
        if len(tied := highest_suits(self.revealed)) == 1:
            self.trump = tied[0]

    def _pass_on(self, card: str, source: int, target: int) -> None:
        self.hands[source].remove(card)
        self.hands[target].add(card)

    def _lay(self, player: int, card: str) -> None:
        self.hands[player].remove(card)
        self.table.append(card)
        if len(self.table) == 3:
            winner = (self.leader + winning_place(self.table, self.trump, self.rules)) % 3
            self.tricks.append(Trick(self.leader, tuple(self.table), winner))
            self.leader, self.table = winner, []

    def knowledge(self, player: int) -> Knowledge:
        """Return what `player` may know of the cards now: facts witnessed, without inference from them."""
        played = frozenset(move.what for move in self.log if move.verb == "play")
        hand = self.hands[player]
        if self.trump is None:  # R9, R11, R12: the last packets are not yet seen
            hand = self.dealt[player][: 8 if self.revealed and player == self.five else 5]
        held, voids = self._held(player), self._voids(player)
        return Knowledge(
            hand=frozenset(hand),
            played=played,
            held={other: frozenset(cards) - played for other, cards in held.items()},
            voids={other: frozenset(suits) for other, suits in voids.items()},
        )

    def _held(self, player: int) -> dict[int, set[str]]:
        held: dict[int, set[str]] = {other: set() for other in range(3) if other != player}
        for move in self.log:
            if move.verb == "reveal" and player != self.five:
                held[self.five].update(self.revealed)
            elif move.verb in ("draw", "return"):
                ends = (move.giver, move.player) if move.verb == "draw" else (move.player, move.giver)
                self._witness_pull(player, move.what, *ends, held)
        return held

    @staticmethod
    def _witness_pull(player: int, card: str, source: int, target: int, held: dict[int, set[str]]) -> None:
        if player == target:
            held[source].discard(card)
        elif player == source:
            held[target].add(card)
        else:
            # R19: any card of the source may have gone, so none of them is certain any more
            held[source].clear()

    def _voids(self, player: int) -> dict[int, set[str]]:
        voids: dict[int, set[str]] = {other: set() for other in range(3) if other != player}
        for leader, cards in [*((t.leader, t.cards) for t in self.tricks), (self.leader, self.table)]:
            shown = [suit_of(card, self.trump, self.rules) for card in cards]
            for place, suit in enumerate(shown):
                other = (leader + place) % 3
                if suit != shown[0] and other != player:
                    voids[other].add(shown[0])
        return voids


class Match:
    """A match: a multiple of three deals with a rotating dealer and debts carried on (R6, R7, R14).

    Parameters
    ----------
    first_dealer : int
        Dealer of the first deal; who draws it, draws it uniformly.
    rules : Rules
        Options in force.
    length : int
        Number of deals, a positive multiple of three.
    """

    def __init__(self, first_dealer: int, rules: Rules = DEFAULT, length: int = 9) -> None:
        if length < 3 or length % 3:
            raise ValueError(
                f"a match of {length} deals is refused: only a multiple of three (3, 6, 9, …) gives "
                "everybody each quota equally often (R7)"
            )
        self.first_dealer, self.rules, self.length = first_dealer, rules, length
        self.deals: list[Deal] = []

    @property
    def over(self) -> bool:
        """Whether the last deal has been played."""
        return len(self.deals) == self.length and self.deals[-1].phase == "over"

    @property
    def scores(self) -> tuple[int, ...]:
        """The sum of the scores of the finished deals, by player (R27)."""
        done = [deal.score for deal in self.deals if deal.phase == "over"]
        return tuple(sum(points[player] for points in done) for player in range(3))

    @property
    def winners(self) -> tuple[int, ...]:
        """The players with the highest total: more than one is a tie (R7)."""
        return tuple(player for player in range(3) if self.scores[player] == max(self.scores))

    def next_deal(self, deck: Sequence[str]) -> Deal:
        """Deal the next pack out; ValueError while a deal is in play or when the match is over."""
        if self.deals and self.deals[-1].phase != "over":
            raise ValueError(f"deal {len(self.deals) - 1} is not over: play it out first")
        if len(self.deals) == self.length:
            raise ValueError(f"the match is over after {self.length} deals: start another (R7)")
        debts = self.deals[-1].debts if self.deals else (0, 0, 0)
        deal = Deal(deck, (self.first_dealer + len(self.deals)) % 3, self.rules, debts)
        self.deals.append(deal)
        return deal


def play_out(deal: Deal, choose: Callable[[tuple[Move, ...]], Move]) -> Deal:
    """Finish a deal, taking every move by `choose` from the legal ones, and return it."""
    while moves := deal.moves():
        deal.act(choose(moves))
    return deal
