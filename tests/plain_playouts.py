"""Play-outs of 3-2-5 card by card on the rules of the naive game: the twins of those that players sample.

Only what ``heuristic`` would do in a position, and the random words, come from the compiled code.
"""

from __future__ import annotations

import numpy as np
from drawn_decisions import Decision, members
from plain_worlds import would_play
from reference.three_two_five import Deal
from reference.three_two_five_rules import followers, suit_of, winning_place
from witness import bits, due_legal, mask, name_of, shown_voids

from sim.core.draw import draw
from sim.core.rng import below, word
from sim.three_two_five import heuristic
from sim.three_two_five import knowledge as know
from sim.three_two_five.ranks import rank_promises
from sim.three_two_five.strategies import HEURISTIC, RANDOM


class Table:
    """Hands in the middle of the play.

    Attributes
    ----------
    deal : Deal
        For its trump and rules.
    hands : list of set of str
        By player, without the cards on the table.
    leader : int
    lying : list of str
        Cards on the table.
    voids : list of set of str
        Suits in which each has shown void.
    taken : list of int
        Tricks by player.
    """

    def __init__(self, deal: Deal, hands, leader: int, lying=(), voids=((), (), ())):
        self.deal, self.leader, self.lying = deal, leader, list(lying)
        self.hands, self.voids = [set(hand) for hand in hands], [set(suits) for suits in voids]
        self.taken = [0, 0, 0]

    @classmethod
    def of(cls, decision: Decision) -> Table:
        """Return the table at which a card is to be played."""
        deal = decision.deal
        return cls(deal, deal.hands, deal.leader, deal.table, shown_voids(deal))

    def copy(self) -> Table:
        """Return a table to play on at while this one stays."""
        return Table(self.deal, self.hands, self.leader, self.lying, self.voids)

    @property
    def mover(self) -> int:
        """The player whose turn it is."""
        return (self.leader + len(self.lying)) % 3

    @property
    def left(self) -> int:
        """Tricks left, this one included; 0 when all is over."""
        return len(self.hands[self.mover])

    def legal(self) -> tuple[str, ...]:
        """Return the cards that may be played (R22, R23)."""
        led = self.suit(self.lying[0]) if self.lying else None
        return followers(self.hands[self.mover], led, self.deal.trump, self.deal.rules)

    def suit(self, card: str) -> str:
        """Return the suit of a card in play (R31)."""
        return suit_of(card, self.deal.trump, self.deal.rules)

    def bits(self, cards) -> int:
        """Return named cards as bits."""
        return mask(cards, self.deal.trump, self.deal.rules.sevens)

    def names(self, cards) -> list[str]:
        """Return the names of a set of cards, the lowest bit first."""
        return [name_of(card, self.deal.rules.sevens) for card in members(cards)]

    def play(self, card: str) -> None:
        """Play a card; the third one ends the trick (R24)."""
        if self.lying and self.suit(card) != self.suit(self.lying[0]):
            self.voids[self.mover].add(self.suit(self.lying[0]))
        self.hands[self.mover].remove(card)
        self.lying.append(card)
        if len(self.lying) == 3:
            place = winning_place(self.lying, self.deal.trump, self.deal.rules)
            self.leader, self.lying = (self.leader + place) % 3, []
            self.taken[self.leader] += 1

    def distinct(self) -> list[int]:
        """Return the bits of the legal cards, of neighbours among all cards in play only the lowest."""
        bit, own, chosen = bits(self.deal.trump, self.deal.rules.sevens), self.hands[self.mover], []
        in_play = set().union(*self.hands, self.lying)
        for suit in "SHDC":
            neighbour = ""
            for card in sorted((card for card in in_play if self.suit(card) == suit), key=bit.__getitem__):
                if card in own and neighbour not in own:
                    chosen.append(card)
                neighbour = card
        return sorted(bit[card] for card in set(chosen) & set(self.legal()))


def play_on(table: Table, player: int, params: np.ndarray, others: int = HEURISTIC, key: int = 0) -> int:
    """Play on to the end, a player as heuristic and the other two by a policy; return the player's tricks."""
    while left := table.left:
        legal = table.legal()
        if len(legal) > 1 and others == RANDOM and table.mover != player:
            number = below(word(key, 3 * left + len(table.lying)), len(legal))
            table.play(table.names(table.bits(legal))[number])
        else:
            policy = HEURISTIC if table.mover == player else others
            table.play(
                would_play(table.hands, table.mover, table.lying, table.voids, table.deal, params, policy)
            )
    return table.taken[player]


def after_card(table: Table, card: int, *rest, **options) -> int:
    """Tricks of the player to move if it plays a card; the rest as for :func:`play_on`."""
    trial, player = table.copy(), table.mover
    trial.play(*table.names(card))
    return options.pop("play", play_on)(trial, player, *rest, **options)


def think_briefly(table: Table, params: np.ndarray, key: int, count: int) -> int:
    """Return the card of the best sum over sampled worlds, the lowest of equal ones."""
    options = table.distinct()
    if len(options) == 1:
        return options[0]
    player = table.mover
    left, right = (player + 1) % 3, (player + 2) % 3
    out = table.hands[left] | table.hands[right]
    sure = {card for card in out if table.suit(card) in table.voids[right]}
    free = {card for card in out - sure if table.suit(card) not in table.voids[left]}
    wanted = len(table.hands[left]) - len(sure)
    values = dict.fromkeys(options, 0)
    for world in range(count):
        drawn = draw(table.bits(free), word(key, world), 0, wanted)
        trial = table.copy()
        trial.hands[left] = sure | set(table.names(drawn))
        trial.hands[right] = out - trial.hands[left]
        for card in options:
            values[card] += after_card(trial, card, params)
    return best(values)


def think_on(table: Table, player: int, params: np.ndarray, key: int, inner: int) -> int:
    """Play on to the end, all three thinking briefly for each card; return a player's tricks."""
    while left := table.left:
        turn = word(word(key, left), len(table.lying))
        table.play(*table.names(think_briefly(table, params, turn, inner)))
    return table.taken[player]


def best(values: dict[int, int], preferred: int = 0) -> int:
    """Return the option of the highest value; of equal ones the preferred, else the lowest."""
    return ranked(values, preferred)[0]


def ranked(values: dict[int, int], preferred: int = 0) -> list[int]:
    """Return the options, the best first."""
    return sorted(values, key=lambda option: (-values[option], option != preferred, option))


def pull_on(deal: Deal, key: int, params: np.ndarray) -> None:
    """Make the pulls that are left: drawn by the words of a key, returned as heuristic does."""
    while deal.pending:
        if deal.phase == "draw":
            hand = members(mask(deal.hands[deal.pending[0][1]], deal.trump, deal.rules.sevens))
            card = hand[below(word(key, len(deal.pulls)), 10)]
            deal.draw(name_of(card, deal.rules.sevens))
        else:
            card = heuristic.choose_return(_return_view(deal), rank_promises(params), 0)
            deal.return_card(name_of(card, deal.rules.sevens))


def _return_view(deal: Deal) -> np.ndarray:
    """Return what heuristic looks at before it gives a card back."""
    view, bit = np.zeros(know.VIEW_SIZE, np.int64), bits(deal.trump, deal.rules.sevens)
    view[know.TRUMP] = "SHDC".index(deal.trump)
    view[know.WHOLE] = sum(bit.values())
    view[know.HAND] = sum(bit[card] for card in deal.hands[deal.to_move])
    view[know.LEGAL] = due_legal(deal)
    return view
