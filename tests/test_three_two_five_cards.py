"""The cards of 3-2-5 as bits and as people write them: R2, R4, R31, cases 7, 8 and 25."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.three_two_five_rules import PACK, SEVENS, SUITS
from witness import bits, mask

from sim.three_two_five.cards import PACK as PACK_MASK
from sim.three_two_five.cards import (
    SYMBOLS,
    card_name,
    card_names,
    format_cards,
    lane_of,
    lower_sevens,
    parse_card,
    parse_cards,
    raise_sevens,
    suit_length,
    suit_of,
)

hands = st.sets(st.sampled_from(PACK))


@pytest.mark.parametrize("text", ["TH", "Th", "10h", "10H", "tH", "T♥", "10♥", "T♥\ufe0f", "T♡", " th "])
def test_case_25_one_card_in_many_spellings(text):
    assert parse_card(text) == mask(["TH"])


@pytest.mark.parametrize(
    "text", ["2c", "7d", "7C", "Xh", "T", "H", "", " ", "AHH", "A S", "1h", "ah5", "♥T", "11h", "AS,KS"]
)
def test_case_25_bad_cards_are_named(text):
    with pytest.raises(ValueError) as caught:
        parse_card(text)
    assert repr(text) in str(caught.value) and "ranks A K Q J T 9 8" in str(caught.value)


@pytest.mark.parametrize("text", ["AS KH as", "AS, KH, A♠"])
def test_case_25_a_card_given_twice_is_named(text):
    with pytest.raises(ValueError, match=f"card given twice: {text.replace(',', ' ').split()[-1]!r}"):
        parse_cards(text)


def test_r2_every_card_has_a_name_that_reads_back():
    for card in PACK:
        assert card_name(parse_card(card)) == card
        assert parse_card(card[0] + SYMBOLS[SUITS.index(card[1])]) == bits()[card]
    assert parse_cards(PACK) == parse_cards(" ".join(PACK)) == parse_cards(",".join(PACK)) == PACK_MASK


@given(hands)
def test_a_set_of_cards_reads_back(hand):
    cards = mask(hand)
    names = card_names(cards)
    assert sorted(names, key=PACK.index) == names and set(names) == hand
    assert parse_cards(names) == parse_cards(" ".join(names)) == cards
    assert [suit_length(cards, suit) for suit in range(4)] == [sum(c[1] == s for c in hand) for s in SUITS]


def test_a_hand_as_a_person_reads_it():
    cards = parse_cards("10H AS 7S AH 9C")
    assert format_cards(cards) == "S A7   H AT   D -   C 9"
    assert format_cards(cards, symbols=True) == "♠ A7   ♥ AT   ♦ -   ♣ 9"


@given(hands, st.sampled_from(list(product(range(4), range(3)))))
def test_r31_raised_sevens_come_down_again(hand, setting):
    trump, sevens = setting
    raised = raise_sevens(mask(hand), trump, sevens)
    assert raised == mask(hand, SUITS[trump], list(SEVENS)[sevens])
    assert lower_sevens(raised, sevens) == mask(hand)


def test_masks_of_cards_are_positive_and_lanes_apart():
    """Signed 64-bit words hold every set of cards, raised sevens included, with room for the sign."""
    lane = [lane_of(suit) for suit in range(4)]
    assert sum(lane) == lane[0] | lane[1] | lane[2] | lane[3] < 2**62
    for trump, sevens in product(range(4), range(3)):
        raised = raise_sevens(PACK_MASK, trump, sevens)
        assert raised & ~sum(lane) == 0
        high, plain = sevens > 0, enumerate((8, 8, 7, 7))
        assert [suit_length(raised, suit) for suit in range(4)] == [
            length + 2 * (high and suit == trump) - (high and suit < 2) for suit, length in plain
        ]
        assert {suit_of(1 << place) for place in range(64) if raised >> place & 1} == {0, 1, 2, 3}
