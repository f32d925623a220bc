"""A small 3-2-5 whose every deal can be played out: twelve cards, so that the true values are known.

A K Q of the four suits, four cards each, four tricks. The five sees two cards and calls a suit, or turns up
its third, whose suit is trump; its fourth card stays hidden, and the other two share the rest. After 10 × 9
ways to deal the third and the fourth there are C(8, 4) = 70 to share the others: 6,300 deals, all equally
likely. Everybody plays as the naive human of the strategy ``first-suit``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from itertools import combinations, permutations

import numpy as np

from .three_two_five_rules import SUITS

RANKS = "QKA"
PACK = tuple(rank + suit for suit in SUITS for rank in reversed(RANKS))
DEALS = 6300
REVEAL = 4
COVARIATES = 7


def enumerate_deals(hand: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Play out every option on every deal that completes two cards of the five.

    Returns
    -------
    tricks : int64 (6300, 5) array
        Tricks of the five after calling S, H, D, C, and after revealing.
    covariates : int64 (6300, 7) array
        Whether the turned-up card is a spade, heart, diamond; how many of its suit are among the two hidden
        cards of the five; how many spades, hearts, diamonds are.
    """
    rest = [card for card in PACK if card not in hand]
    tricks, covariates = [], []
    for turned, last in permutations(rest, 2):
        others = [card for card in rest if card not in (turned, last)]
        suits = turned[1] + last[1]
        facts = [*(turned[1] == s for s in "SHD"), suits.count(turned[1]), *(suits.count(s) for s in "SHD")]
        for three in combinations(others, 4):
            two = [card for card in others if card not in three]
            hands = [[*hand, turned, last], list(three), two]
            calls = [tricks_of_five(hands, trump) for trump in SUITS]
            tricks.append([*calls, calls[SUITS.index(turned[1])]])
            covariates.append(facts)
    return np.array(tricks, np.int64), np.array(covariates, np.int64)


def tricks_of_five(hands: Sequence[Collection[str]], trump: str) -> int:
    """Play four tricks from the lead of the five (R22 to R24); returns how many it takes."""
    left = [list(cards) for cards in hands]
    leader, taken = 0, 0
    for _ in range(4):
        table: list[str] = []
        for place in range(3):
            player = (leader + place) % 3
            card = _choose(left[player], table, trump)
            left[player].remove(card)
            table.append(card)
        leader = (leader + _winner(tuple(table), trump)) % 3
        taken += leader == 0
    return taken


@cache
def _winner(table: tuple[str, ...], trump: str) -> int:
    ruling = trump if any(card[1] == trump for card in table) else table[0][1]
    return max(
        (place for place, card in enumerate(table) if card[1] == ruling),
        key=lambda place: RANKS.index(table[place][0]),
    )


def _choose(hand: Sequence[str], table: Sequence[str], trump: str) -> str:
    following = [card for card in hand if table and card[1] == table[0][1]]
    legal = following or hand
    wins = [card for card in legal if _winner((*table, card), trump) == len(table)]
    if wins:
        return min(wins, key=lambda card: (-RANKS.index(card[0]), SUITS.index(card[1])))
    return min(legal, key=lambda card: (card[1] == trump, RANKS.index(card[0]), SUITS.index(card[1])))
