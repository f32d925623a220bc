"""Cards as bits, and the ways people write them.

A set of cards is an int64 mask of four lanes, one a suit, each sixteen bits wide. The bit inside a
lane is the rank (7 = 0 … ace = 7), so that within a suit a higher card is a higher bit. Two places
above the ace are free: there the sevens go when a rule lifts them to the top of the trump suit (R31).
"""

from collections.abc import Iterable

from sim.core.bits import lowest, lowest_index, popcount
from sim.core.jit import helper

SUITS = "SHDC"
SYMBOLS = "♠♥♦♣"
RANKS = "789TJQKA"
LANE_WIDTH = 16
LANE = (1 << 10) - 1
"""The places of a lane that are in use: eight ranks, and two above for raised sevens. All masks of
cards are thus positive int64."""
SEVEN_SPADES = 1
SEVEN_HEARTS = 1 << LANE_WIDTH
PACK = 0x00FE_00FE_00FF_00FF
"""The thirty cards of R2: eight spades and hearts, seven diamonds and clubs."""

_RANK_SPELLINGS = {**{rank: rank for rank in RANKS}, "10": "T", "0": "T"}
_SUIT_SPELLINGS = {
    **{suit: suit for suit in SUITS},
    **dict(zip(SYMBOLS, SUITS, strict=True)),
    **dict(zip("♤♡♢♧", SUITS, strict=True)),
}


@helper
def lane_of(suit):
    """Mask of all places of a suit."""
    return LANE << (suit * LANE_WIDTH)


@helper
def lane_with(card):
    """Mask of all places of the suit that a one-card mask belongs to."""
    return LANE << (lowest_index(card) & ~(LANE_WIDTH - 1))


@helper
def suit_of(card):
    """Suit number of a one-card mask: 0 spades, 1 hearts, 2 diamonds, 3 clubs."""
    return lowest_index(card) // LANE_WIDTH


@helper
def raise_sevens(cards, trump, sevens):
    """Move the sevens of hearts and spades above the trump ace where the rule says so (R31).

    Parameters
    ----------
    cards : int64
        Set of cards with plain sevens.
    trump : int64
        Trump suit.
    sevens : int64
        0 low, 1 hearts on top, 2 spades on top.

    Returns
    -------
    int64
        The same set; raised sevens stand at ranks 8 and 9 of the trump lane, so that leading,
        following and R18 treat them as trumps without a further rule.
    """
    if sevens == 0:
        return cards
    raised = cards & ~(SEVEN_SPADES | SEVEN_HEARTS)
    if cards & SEVEN_HEARTS:
        raised |= 1 << (trump * LANE_WIDTH + (9 if sevens == 1 else 8))
    if cards & SEVEN_SPADES:
        raised |= 1 << (trump * LANE_WIDTH + (8 if sevens == 1 else 9))
    return raised


def lower_sevens(cards: int, sevens: int) -> int:
    """Undo :func:`raise_sevens`, for showing cards to people."""
    for suit in range(4):
        for rank in (8, 9):
            bit = 1 << (suit * LANE_WIDTH + rank)
            if cards & bit:
                hearts = (rank == 9) == (sevens == 1)
                cards = (cards & ~bit) | (SEVEN_HEARTS if hearts else SEVEN_SPADES)
    return cards


def card_name(card: int) -> str:
    """Name of a one-card mask, rank then suit, as ``"AS"``."""
    index = card.bit_length() - 1
    return RANKS[index % LANE_WIDTH] + SUITS[index // LANE_WIDTH]


def card_names(cards: int) -> list[str]:
    """Names of a set of cards: by suit S H D C, highest first."""
    names = []
    for suit in range(4):
        lane = (cards >> (suit * LANE_WIDTH)) & LANE
        while lane:
            top = lane.bit_length() - 1
            names.append(RANKS[top] + SUITS[suit])
            lane ^= 1 << top
    return names


def parse_card(text: str) -> int:
    """Read one card in any common spelling: ``TH``, ``10h``, ``Th``, ``T♥``.

    Raises
    ------
    ValueError
        If the text names no card of the pack (R2).
    """
    spelled = text.strip().replace("\ufe0f", "")
    rank = _RANK_SPELLINGS.get(spelled[:-1].upper())
    suit = _SUIT_SPELLINGS.get(spelled[-1:].upper())
    if rank is not None and suit is not None:
        card = 1 << (SUITS.index(suit) * LANE_WIDTH + RANKS.index(rank))
        if card & PACK:
            return card
    raise ValueError(
        f"no such card: {text!r} (ranks A K Q J T 9 8, and 7 of hearts and spades only; suits S H D C)"
    )


def parse_cards(texts: str | Iterable[str]) -> int:
    """Read a set of cards, spaces or commas between them.

    Raises
    ------
    ValueError
        If a text names no card, or a card is given twice.
    """
    words = texts.replace(",", " ").split() if isinstance(texts, str) else list(texts)
    cards = 0
    for text in words:
        card = parse_card(text)
        if cards & card:
            raise ValueError(f"card given twice: {text!r}")
        cards |= card
    return cards


def format_cards(cards: int, symbols: bool = False) -> str:
    """A hand as a person reads it: suit by suit, highest first, ``-`` for a void."""
    parts = []
    for suit in range(4):
        lane = (cards >> (suit * LANE_WIDTH)) & LANE
        ranks = "".join(rank for index, rank in reversed(list(enumerate(RANKS))) if lane >> index & 1)
        parts.append(f"{(SYMBOLS if symbols else SUITS)[suit]} {ranks or '-'}")
    return "   ".join(parts)


@helper
def suit_length(cards, suit):
    """Number of cards that a set holds of a suit."""
    return popcount(cards & lane_of(suit))


@helper
def returnable(cards, drawn):
    """Cards that a taker may give back after a pull (R18).

    All but the card just drawn, of suits of which at least three are among the eleven.
    """
    allowed = 0
    for suit in range(4):
        lane = lane_of(suit)
        if popcount(cards & lane) >= 3:
            allowed |= cards & lane
    return allowed & ~drawn


@helper
def top_suits(turned):
    """Suits that may become trump after a reveal (R10, R11): those of the highest turned rank.

    Parameters
    ----------
    turned : int64
        The three turned cards with plain sevens.

    Returns
    -------
    int64
        Four bits, bit ``s`` set if suit ``s`` has a turned card of the highest rank.
    """
    best, suits = -1, 0
    left = turned
    while left:
        card = lowest(left)
        left ^= card
        suit = suit_of(card)
        rank_bit = card >> (suit * LANE_WIDTH)
        if rank_bit > best:
            best, suits = rank_bit, 1 << suit
        elif rank_bit == best:
            suits |= 1 << suit
    return suits
