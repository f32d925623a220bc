"""The deals of the opening book: hands and their classes, the naive game on the same deals, covariates."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from reference.three_two_five import Deal, highest_suits
from reference.three_two_five_rules import SUITS, deck_for, strength, suit_of, winning_place
from reference.three_two_five_rules import Rules as NaiveRules

from sim import strategy
from sim.book.book import play_piece
from sim.book.plan import FRESH, SEARCH
from sim.book.values import coefficients, option_moments
from sim.core.rng import BOOK, SHUFFLE, word
from sim.three_two_five.book import completions as book_deals
from sim.three_two_five.book.completions import COVARIATES, OPTIONS
from sim.three_two_five.book.hands import SUIT_SWAPS, all_hands, canonical, exchange, hand_classes, locate
from sim.three_two_five.book.plan import BookPlan
from sim.three_two_five.cards import LANE_WIDTH, PACK, card_names, parse_cards
from sim.three_two_five.kernel import deal_rest
from sim.three_two_five.rules import Rules

GAME = "three-two-five"
REVEAL = OPTIONS.index("reveal")
CARDS = [1 << place for place in range(64) if PACK >> place & 1]
hands = some.lists(some.sampled_from(CARDS), min_size=5, max_size=5, unique=True).map(sum)


def plan_for(cards, name="heuristic", seed=1, **options):
    """Plan of a book of a few classes, named by any of their hands."""
    sevens = ("low", "hearts_high", "spades_high").index(options.get("sevens", "low"))
    chosen = np.unique(canonical(np.array(cards, np.int64), sevens))
    return BookPlan(
        Rules(**options), (strategy(GAME, name),) * 3, seed=seed, hands=tuple(int(c) for c in chosen)
    )


def play(plan, stage, count, cards=None, first=0, alive=None):
    """Counters of as many completions of every hand."""
    cards = plan.cards if cards is None else np.asarray(cards, np.int64)
    alive = np.ones((cards.size, len(OPTIONS)), bool) if alive is None else alive
    begin = np.full(cards.size, first, np.int64)
    return play_piece(plan, stage, cards, begin, np.full(cards.size, count, np.int64), alive)


class AnyHands(BookPlan):
    """A plan of hands that need not represent their classes."""

    def _check_hands(self):
        pass

    @property
    def cards(self):
        """Return the hands themselves."""
        return np.array(self.hands, np.int64)


# Hands and classes.


@pytest.mark.parametrize(("sevens", "classes"), [(0, 39_109), (1, 75_565), (2, 75_565)])
def test_class_weights_add_up_to_all_hands(sevens, classes):
    """The rulebook's figures for low sevens; with raised ones (R31) 8,624 hands are their own exchange."""
    found = hand_classes(sevens)
    assert (found.cards.size, found.weight.sum()) == (classes, 142_506)
    assert (np.diff(found.cards) > 0).all() and (canonical(found.cards, sevens) == found.cards).all()


def test_every_hand_is_there_once():
    assert np.unique(all_hands()).size == 142_506
    assert (np.bitwise_count(all_hands()) == 5).all() and (all_hands() & ~PACK == 0).all()


@given(hands, some.sampled_from([0, 1, 2]))
def test_a_hand_is_found_by_the_exchange_that_leads_to_it(hand, sevens):
    """Suit s of the representative is suit swap[s] of the hand, card by card."""
    index, swap = locate(hand, sevens)
    representative = card_names(int(hand_classes(sevens).cards[index]))
    assert {card[0] + SUITS[swap[SUITS.index(card[1])]] for card in representative} == set(card_names(hand))


@pytest.mark.parametrize("text", ["AS", "AS KS QS JS TS 9S", ""])
def test_a_hand_of_another_size_has_no_class(text):
    with pytest.raises(ValueError, match="has 5 cards of the pack"):
        locate(parse_cards(text), 0)


@given(hands)
def test_the_kernel_exchanges_suits_as_the_classes_do(hand):
    for number, swap in enumerate(SUIT_SWAPS):
        expected = int(exchange(np.array([hand]), swap)[0])
        assert book_deals.exchange_pairs(hand, number & 1, number >> 1) == expected


# The naive game on the same deals.


def naive_card(deal):
    """Card of the strategy first-suit: high where it wins, low where it does not; spades first."""
    suits = {card: suit_of(card, deal.trump, deal.rules) for card in deal.legal_cards()}
    rank = {card: strength(card, deal.rules) for card in suits}
    place = len(deal.table)
    wins = [card for card in suits if winning_place([*deal.table, card], deal.trump, deal.rules) == place]
    if wins:
        return min(wins, key=lambda card: (-rank[card], SUITS.index(suits[card])))
    return min(suits, key=lambda card: (suits[card] == deal.trump, rank[card], SUITS.index(suits[card])))


def naive_tricks(deck, option, rules):
    """Tricks of the five by an option; None where revealed suits tie, which first-suit settles by luck."""
    deal = Deal(deck, dealer=2, rules=rules)
    if option == REVEAL:
        if len(highest_suits(deal.reveal())) > 1:
            return None
    else:
        deal.call(SUITS[option])
    while deal.phase == "play":
        deal.play(naive_card(deal))
    return deal.tricks_won[0]


def swapped(names, swap):
    return [card[0] + SUITS[swap[SUITS.index(card[1])]] for card in names]


def deck_of(plan, hand, stage, completion):
    """Deck of one completion, and the exchange that it is played under."""
    majors = completion >> 1 & 1 if plan.rules.sevens == "low" else 0
    swap = SUIT_SWAPS[majors + 2 * (completion & 1)]
    five = int(exchange(np.array([hand]), swap)[0])
    key = word(word(word(word(plan.seed, BOOK), stage), hand), SHUFFLE)
    packets = deal_rest(PACK ^ five, word(key, completion))
    next_three, last_two, three, two = (card_names(int(packet)) for packet in packets)
    return deck_for([*card_names(five), *next_three, *last_two], three, two), swap


@pytest.mark.parametrize(
    ("stage", "sevens"), [(SEARCH, "low"), (FRESH, "low"), (FRESH, "hearts_high"), (FRESH, "spades_high")]
)
def test_each_completion_is_the_deal_that_the_naive_game_plays(stage, sevens):
    """R8 to R13, R31: all options on one shuffle, with equal suits of the hand exchanged by turns."""
    cards = [parse_cards("AS KS 9H TD 8C"), parse_cards("7S JH 7H 9D 8C")]
    plan = plan_for(cards, "first-suit", sevens=sevens)
    compared = 0
    for completion in range(8):
        for hand in plan.cards:
            tricks = play(plan, stage, 1, [hand], completion)["tricks"][0, stage]
            deck, swap = deck_of(plan, int(hand), stage, completion)
            for option in range(len(OPTIONS)):
                played = option if option == REVEAL else swap[option]
                taken = naive_tricks(deck, played, NaiveRules(sevens=sevens))
                if taken is not None:
                    assert tricks[option, taken] == 1 and tricks[option].sum() == 1
                    compared += 1
    assert compared > 70


def naive_covariates(names):
    """What the module says of its covariates, from the names of the five's next five cards."""
    turned = names[:3]
    suit = highest_suits(turned)[0]
    own = [sum(card[1] == s for card in names) for s in SUITS]
    return [*(suit == s for s in "SHD"), own[SUITS.index(suit)], *own[:3]]


def test_covariates_are_those_of_the_hand_before_the_exchange():
    plan = plan_for([parse_cards("AS KS 9H TD 8C")], "first-suit")
    expected = np.zeros(len(COVARIATES), np.int64)
    for completion in range(40):
        deck, swap = deck_of(plan, int(plan.cards[0]), SEARCH, completion)
        expected += np.array(naive_covariates(swapped([*deck[15:18], *deck[24:26]], swap)), np.int64)
    assert play(plan, SEARCH, 40)["z"][0, SEARCH].tolist() == expected.tolist()


@pytest.mark.parametrize("text", ["AS KS 9H TD 8C", "7S 7H AD KD QD", "AC KC QC JC TC"])
def test_means_of_covariates_are_exact(text):
    """Against all 2,300 × 231 ways to deal the next three cards and the last two."""
    hand = parse_cards(text)
    rest = [(place // LANE_WIDTH, place % LANE_WIDTH) for place in range(64) if (PACK ^ hand) >> place & 1]
    suits = np.array([suit for suit, _ in rest])
    total = np.zeros(len(COVARIATES))
    triples = list(combinations(range(len(rest)), 3))
    for triple in triples:
        top = max(rest[i][1] for i in triple)
        suit = min(rest[i][0] for i in triple if rest[i][1] == top)
        left = np.delete(suits, triple)
        # Each of the 22 cards left is among the last two in 21 of 231 cases.
        hidden = [np.sum(suits[list(triple)] == s) + np.sum(left == s) * 21 / 231 for s in range(4)]
        total += [suit == 0, suit == 1, suit == 2, hidden[suit], *hidden[:3]]
    means = np.zeros((1, len(COVARIATES)))
    book_deals.covariate_means(np.array([hand], np.int64), means)
    assert np.allclose(means[0], total / len(triples), atol=1e-12)


# Streams.


def test_pieces_of_the_completions_add_up_to_the_whole():
    plan = plan_for([parse_cards("AS KS 9H TD 8C"), parse_cards("QH JH TD 9D 8C")])
    whole = play(plan, FRESH, 50)
    parts = [play(plan, FRESH, 20), play(plan, FRESH, 30, first=20)]
    assert all((whole[name] == parts[0][name] + parts[1][name]).all() for name in whole)


def test_an_option_is_the_same_whatever_else_is_played():
    """Case 15 in kind: what is played for one option shifts no card and no choice of another."""
    plan = plan_for([parse_cards("QH JH TD 9D 8C")], "random")
    alone = np.zeros((1, len(OPTIONS)), bool)
    alone[0, 3] = True
    together, single = play(plan, FRESH, 60), play(plan, FRESH, 60, alive=alone)
    assert (together["tricks"][:, :, 3] == single["tricks"][:, :, 3]).all()
    assert single["count"].sum() == 60 and single["gram"][0, FRESH].sum() == single["gram"][0, FRESH, 3, 3]


def test_stages_and_seeds_have_deals_of_their_own():
    cards = [parse_cards("AS KS 9H TD 8C")]
    search, fresh = (
        play(plan_for(cards), SEARCH, 200)["z"][0, SEARCH],
        play(plan_for(cards), FRESH, 200)["z"][0, FRESH],
    )
    other = play(plan_for(cards, seed=2), SEARCH, 200)["z"][0, SEARCH]
    assert search.tolist() != fresh.tolist() and search.tolist() != other.tolist()


@pytest.mark.parametrize("name", ["random", "first-suit", "heuristic"])
def test_suit_exchanges_give_equal_values(name):
    """Issue: hands that differ by an exchange of equal suits, each on its own deals, within 4 errors."""
    hand = parse_cards("AS 9S KH QD TD")
    moments = []
    for swap in SUIT_SWAPS:
        cards = exchange(np.array([hand], np.int64), swap)
        plan = AnyHands(Rules(), (strategy(GAME, name),) * 3, hands=tuple(cards.tolist()))
        counters = play(plan, SEARCH, 1024, cards)
        fresh = play(plan, FRESH, 12_000, cards)
        counters = {key: counters[key] + fresh[key] for key in counters}
        moments.append(option_moments(plan, counters, FRESH, coefficients(plan, counters)))
    for swap, other in zip(SUIT_SWAPS, moments, strict=True):
        place = [*(swap.index(suit) for suit in range(4)), REVEAL]
        spread = np.einsum("oo->o", (moments[0].errors() + other.errors()[:, place][:, :, place])[0])
        away = np.abs(moments[0].mean[0] - other.mean[0, place]) / np.sqrt(spread)
        assert (away < 4).all(), (name, swap, away)
