"""What a player of 3-2-5 knows of the other two hands: which worlds fit, and how likely each of them is.

By the naive game, on names of cards; only what ``heuristic`` would do is asked of its own functions.
"""

from itertools import combinations

import numpy as np
from drawn_decisions import Decision
from reference.three_two_five_rules import PACK, SUITS, followers, strength, suit_of, winning_place
from witness import bits, kept_by, lanes, lost_sight, mask, name_of, played_by, shown_voids

from sim.three_two_five import heuristic
from sim.three_two_five import knowledge as know
from sim.three_two_five.ranks import rank_promises
from sim.three_two_five.rules import REVEAL
from sim.three_two_five.strategies import FIRST_SUIT, HEURISTIC, RANDOM
from sim.three_two_five.thinking.parameters import UNLIKELY_CALL, UNLIKELY_PLAY


class Worlds:
    """All that the player to move was shown of the hands of the other two.

    Parameters
    ----------
    decision : Decision
        A card or a return.
    """

    def __init__(self, decision: Decision):
        self.decision, self.deal = decision, decision.deal
        deal, player = decision.deal, decision.player
        self.known, self.voids = deal.knowledge(player), shown_voids(deal)
        self.unseen = set(PACK) - self.known.hand - self.known.played
        self.sizes = {other: len(deal.hands[other]) for other in decision.others}
        self.least = {other: self._least(kept_by(deal, other, player)) for other in decision.others}
        self.once, self.strayed = lost_sight(deal, player)
        self.pulls = sum(player not in (pull.taker, pull.giver) for pull in deal.pulls)

    @staticmethod
    def _least(counters: int) -> dict[str, int]:
        return {suit: counters >> 4 * number & 15 for number, suit in enumerate(SUITS)}

    def conditions(self) -> dict[str, bool]:
        """Return which kinds of conditions there are."""
        others = self.decision.others
        return {
            "void": any(self.voids[other] for other in others),
            "sure": any(self.known.held.values()),
            "kept": any(any(self.least[other].values()) for other in others),
            "strayed": any(self.once[other] for other in others),
        }

    def contradictions(self, left: int, right: int) -> list[str]:
        """Return what two hands, as bits, contradict: kinds of conditions, ``cards`` and ``sizes``."""
        hands = dict(zip(self.decision.others, map(self.decision.names, (left, right)), strict=True))
        wrong = [] if left & right == 0 and set.union(*hands.values()) == self.unseen else ["cards"]
        for other, hand in hands.items():
            elsewhere = sum(self.decision.others) - other
            began = [*hand, *played_by(self.deal, other)]
            suits = [self.suit(card) for card in began]
            checks = {
                "sizes": len(hand) == self.sizes[other],
                "void": not self.voids[other] & {self.suit(card) for card in hand},
                "sure": self.known.held[other] <= hand,
                "kept": all(suits.count(suit) >= least for suit, least in self.least[other].items()),
                "strayed": len(self.once[elsewhere] & set(began)) <= self.pulls - self.strayed[elsewhere]
                or not self.once[elsewhere] & set(began),
            }
            wrong += [kind for kind, right_so in checks.items() if not right_so]
        return wrong

    def suit(self, card: str) -> str:
        """Return the suit of a card in play (R31)."""
        return suit_of(card, self.deal.trump, self.deal.rules)

    def everything(self) -> list[tuple[int, int]]:
        """Return all ways to deal the unseen cards, whether they fit or not."""
        bit = bits(self.deal.trump, self.deal.rules.sevens)
        whole, size = self.decision.bits(self.unseen), self.sizes[self.decision.others[0]]
        hands = (sum(bit[card] for card in cards) for cards in combinations(sorted(self.unseen), size))
        return [(hand, whole ^ hand) for hand in hands]

    def fitting(self) -> list[tuple[int, int]]:
        """Return all worlds that fit."""
        return [world for world in self.everything() if not self.contradictions(*world)]


def weight(known: Worlds, world: tuple[int, int], params: np.ndarray, others: int) -> float:
    """Return how likely the other two would have called and played as they did in a world, up to a factor.

    Parameters
    ----------
    known : Worlds
    world : tuple of int
        Hands of the next player and of the one after, as bits.
    params : float64 (rows, P) array
        The first row counts.
    others : int
        What the others are taken to be: HEURISTIC, FIRST_SUIT or RANDOM.
    """
    return _call_weight(known, world, params, others) * _play_weight(known, world, params, others)


def _play_weight(known, world, params, others):
    """Multiply up the cards that the other two played.

    One for what a player would have played or a card as good, and for the only legal one; else what is set
    for unlikely ones. Of random players one in as many as were legal.
    """
    unlikely, product = params[0, UNLIKELY_PLAY], 1.0
    deal, player = known.deal, known.decision.player
    trump, rules = deal.trump, deal.rules
    left = dict(zip(known.decision.others, map(known.decision.names, world), strict=True))
    hands = {at: left.get(at, known.known.hand) | set(played_by(deal, at)) for at in range(3)}
    voids = [set(), set(), set()]
    for leader, cards in [*((trick.leader, trick.cards) for trick in deal.tricks), (deal.leader, deal.table)]:
        for place, card in enumerate(cards):
            at, table = (leader + place) % 3, cards[:place]
            legal = followers(hands[at], suit_of(table[0], trump, rules) if table else None, trump, rules)
            if at != player and len(legal) > 1:
                if others == RANDOM:
                    product /= len(legal)
                elif not _as_good(
                    hands, at, table, would_play(hands, at, table, voids, deal, params, others), card, deal
                ):
                    product *= unlikely
            if table and known.suit(card) != known.suit(table[0]):
                voids[at].add(known.suit(table[0]))
            hands[at] = hands[at] - {card}
    return product


def _as_good(hands, at, table, chosen, played, deal) -> bool:
    """Whether two cards are of a suit and no card that another holds, or that wins so far, is between."""
    trump, rules = deal.trump, deal.rules
    if suit_of(chosen, trump, rules) != suit_of(played, trump, rules):
        return False
    between = set().union(*(hands[other] for other in range(3) if other != at))
    if table:
        between.add(table[winning_place(table, trump, rules)])
    low, high = sorted((strength(chosen, rules), strength(played, rules)))
    return not any(
        suit_of(card, trump, rules) == suit_of(played, trump, rules) and low < strength(card, rules) < high
        for card in between
    )


def would_play(hands, at, table, voids, deal, params, others=HEURISTIC) -> str:
    """Return the card that a player would play who knows no single card of the others.

    Parameters
    ----------
    hands : sequence or dict of set of str
        By player, without the cards on the table.
    at : int
        Whose turn it is.
    table : sequence of str
    voids : sequence of set of str
        Suits in which each has shown void.
    deal : Deal
        For its trump and rules.
    params : float64 (rows, P) array
        The first row counts.
    others : int
        HEURISTIC or FIRST_SUIT.
    """
    trump, rules = deal.trump, deal.rules
    legal = followers(hands[at], suit_of(table[0], trump, rules) if table else None, trump, rules)
    if others == FIRST_SUIT:
        return _first_suit(legal, table, trump, rules)
    bit, view = bits(trump, rules.sevens), np.zeros(know.VIEW_SIZE, np.int64)
    view[know.SEAT], view[know.TRUMP], view[know.ORDER] = at, SUITS.index(trump), len(table)
    view[know.HAND], view[know.LEGAL] = (sum(bit[card] for card in cards) for cards in (hands[at], legal))
    view[know.WHOLE] = sum(bit.values())
    view[know.GONE] = view[know.WHOLE] - sum(
        bit[card] for hand in (hands[0], hands[1], hands[2]) for card in hand
    )
    for player in range(3):
        view[know.VOIDS + player] = lanes(voids[player])
    if table:
        view[know.LED] = lanes(suit_of(table[0], trump, rules))
        view[know.BEST] = bit[table[winning_place(table, trump, rules)]]
    return name_of(heuristic.choose_card(view, rank_promises(params), 0), rules.sevens)


def _first_suit(legal, table, trump, rules) -> str:
    """Play high when it can win, low when not; of equal ranks the suit that comes first, trumps kept."""

    def rank(card):
        return strength(card, rules)

    by_suit = sorted(legal, key=lambda card: SUITS.index(suit_of(card, trump, rules)))
    wins = [card for card in by_suit if winning_place([*table, card], trump, rules) == len(table)]
    if wins:
        return max(wins, key=rank)
    plain = [card for card in by_suit if suit_of(card, trump, rules) != trump]
    return min(plain or by_suit, key=rank)


def _call_weight(known, world, params, others):
    """Average over the five cards that the five may have decided on, one or what is set for unlikely calls.

    These are any five of its ten cards but the turned ones, sevens left out where they are high. Nothing is
    told by one's own decision, or where the five has pulled or been pulled from.
    """
    deal, five = known.deal, known.deal.five
    pulled = any(five in (pull.taker, pull.giver) for pull in deal.pulls)
    if five == known.decision.player or pulled or others == RANDOM:
        return 1.0
    hand = known.decision.names(world[known.decision.others.index(five)])
    ten = (hand | set(played_by(deal, five))) - set(deal.revealed)
    if deal.rules.sevens != "low":
        ten -= {"7S", "7H"}
    decided = REVEAL if deal.revealed else SUITS.index(deal.trump)
    fives = combinations(sorted(ten), min(5, len(ten)))
    decisions = [_would_decide(cards, decided, params, others) for cards in fives]
    return np.mean(np.where(decisions, 1.0, params[0, UNLIKELY_CALL]))


def _would_decide(cards, decided: int, params: np.ndarray, others: int) -> bool:
    """Whether the five would have decided so on five cards."""
    lengths = [sum(card[1] == suit for card in cards) for suit in SUITS]
    if others == FIRST_SUIT:
        return decided == REVEAL or lengths[decided] == max(lengths)
    view = np.zeros(know.VIEW_SIZE, np.int64)
    view[know.HAND] = mask(cards)
    return heuristic.choose_trump(view, params) == decided
