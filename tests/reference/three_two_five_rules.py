"""The rules of 3-2-5 as plain functions of cards, hands and numbers, each citing its rule (``R12``).

A card is a string such as ``"AS"`` (rank, then suit), a hand any collection of cards, a suit one of the
letters ``SHDC``, a player 0, 1 or 2. The game that uses them is `three_two_five`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

SUITS = "SHDC"
RANKS = "789TJQKA"
PACK = tuple(
    rank + suit for suit in SUITS for rank in reversed(RANKS) if rank != "7" or suit in "SH"
)  # R2: thirty cards, by suit from the ace down
SEVENS = {"low": (), "hearts_high": ("7S", "7H"), "spades_high": ("7H", "7S")}  # R31: lowest first
SCORINGS = ("difference", "surplus", "tricks")
PACKETS = ((slice(0, 5), slice(15, 18), slice(24, 26)),
           (slice(5, 10), slice(18, 21), slice(26, 28)),
           (slice(10, 15), slice(21, 24), slice(28, 30)))  # R8, by seat: five, three, two  # fmt: skip


@dataclass(frozen=True)
class Rules:
    """The options of the rulebook: `sevens` (R31), `scoring` (R26) and `pulls` (R32)."""

    sevens: str = "low"
    scoring: str = "difference"
    pulls: bool = True

    def __post_init__(self) -> None:
        for name, value, valid in (
            ("sevens", self.sevens, tuple(SEVENS)),
            ("scoring", self.scoring, SCORINGS),
            ("pulls", self.pulls, (True, False)),
        ):
            if value not in valid:
                raise ValueError(f"{name}={value!r} is not one of {', '.join(map(str, valid))}")


DEFAULT = Rules()


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Return the cards in the order of `PACK`."""
    return tuple(sorted(cards, key=PACK.index))


def check_pack(deck: Sequence[str]) -> tuple[str, ...]:
    """Return `deck` as a tuple if it holds the thirty cards of R2 once each, else raise ValueError."""
    strangers = [card for card in deck if card not in PACK]
    twice = sorted({card for card in deck if list(deck).count(card) > 1} - set(strangers))
    missing = [card for card in PACK if card not in deck]
    if strangers or twice or missing:
        raise ValueError(
            f"R2: the pack is {len(PACK)} distinct cards, 8 S, 8 H, 7 D, 7 C: "
            f"not cards {strangers}, twice {twice}, missing {missing}"
        )
    return tuple(deck)


def seats(dealer: int) -> tuple[int, int, int]:
    """Return the players in the seats five, three and two (R5): the dealer sits last."""
    return (dealer + 1) % 3, (dealer + 2) % 3, dealer


def deck_for(five: Iterable[str], three: Iterable[str], two: Iterable[str]) -> tuple[str, ...]:
    """Return the pack that deals these hands, each in dealt order, to the three seats: R8 read backwards."""
    deck = [""] * len(PACK)
    for hand, parts in zip((five, three, two), PACKETS, strict=True):
        cards = iter(hand)
        for part in parts:
            deck[part] = [next(cards) for _ in deck[part]]
    return tuple(deck)


def quotas(dealer: int) -> tuple[int, ...]:
    """Return the quota of each player, by player number (R5)."""
    return tuple(dict(zip(seats(dealer), (5, 3, 2), strict=True))[player] for player in range(3))


def suit_of(card: str, trump: str | None, rules: Rules) -> str | None:
    """Return the suit a card belongs to in play and for R18: a high seven is a trump (R31)."""
    return trump if card in SEVENS[rules.sevens] else card[1]


def strength(card: str, rules: Rules) -> int:
    """Return the rank of a card among those of its suit in play (R3, R4, R31)."""
    high = SEVENS[rules.sevens]
    return len(RANKS) + high.index(card) if card in high else RANKS.index(card[0])


def followers(hand: Collection[str], led: str | None, trump: str | None, rules: Rules) -> tuple[str, ...]:
    """Return the cards of `hand` that may be played when suit `led` was led, None for a lead (R22, R23)."""
    of_suit = [card for card in hand if suit_of(card, trump, rules) == led]
    return in_order(of_suit if led and of_suit else hand)


def winning_place(cards: Sequence[str], trump: str | None, rules: Rules) -> int:
    """Return the place, counted from the leader, of the card that wins the trick (R24)."""
    played = [suit_of(card, trump, rules) for card in cards]
    ruling = trump if trump in played else played[0]
    return max(
        (place for place, suit in enumerate(played) if suit == ruling),
        key=lambda place: strength(cards[place], rules),
    )


def returnable(hand: Collection[str], drawn: str, trump: str | None, rules: Rules) -> tuple[str, ...]:
    """Return what a taker of eleven cards may give back: not `drawn`, and two of the suit must stay (R18)."""
    held = [suit_of(card, trump, rules) for card in hand]
    return in_order(
        card for card in hand if card != drawn and held.count(suit_of(card, trump, rules)) - 1 >= 2
    )


def highest_suits(turned: Iterable[str]) -> tuple[str, ...]:
    """Return the suits of the turned cards of highest plain rank: one, or those tied (R10, R11, R31)."""
    turned = list(turned)
    top = max(RANKS.index(card[0]) for card in turned)
    return tuple(suit for suit in SUITS if RANKS[top] + suit in turned)


def owed_pulls(debts: Sequence[int], dealer: int) -> tuple[tuple[int, int], ...]:
    """Return the (taker, giver) of every pull in order (R14, R16).

    `debts` is tricks less quota of the deal before, by player; `dealer` is the one of the new deal.
    """
    left = list(debts)
    five, three, two = seats(dealer)
    order = []
    for taker in (five, three, two):
        for giver in (two, five, three):
            while left[taker] > 0 and left[giver] < 0:
                order.append((taker, giver))
                left[taker] -= 1
                left[giver] += 1
    return tuple(order)


def score(tricks: Sequence[int], quota: Sequence[int], scoring: str) -> tuple[int, ...]:
    """Return each player's score of a deal (R26)."""
    if scoring == "tricks":
        return tuple(tricks)
    over = [won - due for won, due in zip(tricks, quota, strict=True)]
    return tuple(over) if scoring == "difference" else tuple(max(0, points) for points in over)
