"""The naive game of 3-2-5 at work: what each player knows, invariants of every step, check figures."""

from itertools import product
from math import sqrt
from random import Random

import pytest
from reference.three_two_five import Deal, Match, play_out
from reference.three_two_five_rules import PACK, SCORINGS, SEVENS, Rules, deck_for, owed_pulls, suit_of

FIVE = "AS KS QS JS TS 9S 8S 7S AH KH".split()
THREE = "QH JH TH 9H 8H 7H AD KD QD JD".split()
TWO = "TD 9D 8D AC KC QC JC TC 9C 8C".split()
DECK = deck_for(FIVE, THREE, TWO)
RULE_SETS = [Rules(*options) for options in product(SEVENS, SCORINGS, (True, False))]


def test_r19_partners_know_both_cards_and_the_third_none():
    deal = Deal(DECK, dealer=2, debts=(1, -1, 0))
    deal.call("S")
    deal.draw("AD")
    deal.return_card("7S")
    assert deal.knowledge(0).held == {1: frozenset(("7S",)), 2: frozenset()}
    assert deal.knowledge(1).held == {0: frozenset(("AD",)), 2: frozenset()}
    assert deal.knowledge(2).held == {0: frozenset(), 1: frozenset()}


def test_r19_the_third_player_learns_nothing_from_the_cards_of_a_pull():
    views = set()
    for seed in range(50):
        deal = Deal(DECK, dealer=2, debts=(2, -2, 0))
        deal.reveal()
        rng = Random(seed)
        while deal.phase != "play":
            deal.act(rng.choice(deal.moves()))
        known = deal.knowledge(2)
        views.add((known.hand, known.played, *known.held.values(), *known.voids.values()))
    assert views == {(frozenset(TWO), *[frozenset()] * 5)}


def revealed_deal(debts):
    """Return a deal whose five has turned up 9S 8S 7S, before the pulls."""
    deal = Deal(DECK, dealer=2, debts=debts)
    deal.reveal()
    return deal


def test_knowledge_turned_cards_stay_certain_until_played_without_pulls():
    deal = revealed_deal((0, 0, 0))
    assert deal.knowledge(1).held[0] == {"9S", "8S", "7S"} == deal.knowledge(2).held[0]
    for card in ("8S", "QH", "TD"):
        deal.play(card)
    assert deal.knowledge(1).held[0] == {"9S", "7S"}
    assert deal.knowledge(0).voids == {1: frozenset("S"), 2: frozenset("S")}
    assert deal.knowledge(1).voids == {0: frozenset(), 2: frozenset("S")}


def test_knowledge_turned_cards_after_a_pull_from_the_five():
    """The taker loses sight only of what it drew itself; the third player of all, already at the draw."""
    deal = revealed_deal((-1, 1, 0))
    deal.draw("8S")
    assert deal.knowledge(1).held[0] == {"9S", "7S"} and deal.knowledge(2).held[0] == set()
    deal.return_card("7H")
    assert deal.knowledge(1).held[0] == {"9S", "7S", "7H"}
    assert deal.knowledge(0).held == {1: {"8S"}, 2: set()}
    assert deal.knowledge(2).held == {0: set(), 1: set()}


def test_knowledge_turned_cards_after_a_pull_by_the_five():
    """The draw leaves the five's own cards in place; its returned card may be one of the turned ones."""
    deal = revealed_deal((1, -1, 0))
    deal.draw("AD")
    assert deal.knowledge(2).held[0] == {"9S", "8S", "7S"}
    deal.return_card("9S")
    assert deal.knowledge(2).held[0] == set()
    assert deal.knowledge(1).held[0] == {"8S", "7S", "AD"}
    assert deal.knowledge(0).held[1] == {"9S"}


def test_knowledge_a_pull_between_the_others_leaves_the_five_certain():
    deal = revealed_deal((0, 1, -1))
    deal.draw("AC")
    deal.return_card("7H")
    assert deal.knowledge(1).held == {0: {"9S", "8S", "7S"}, 2: {"7H"}}
    assert deal.knowledge(2).held == {0: {"9S", "8S", "7S"}, 1: {"AC"}}


def test_knowledge_of_a_returned_card_ends_when_a_third_player_draws_from_it():
    deal = Deal(DECK, dealer=2, debts=(1, 1, -2))
    deal.call("S")
    deal.draw("AC")
    deal.return_card("7S")
    assert deal.knowledge(0).held[2] == {"7S"}
    deal.draw("KC")
    assert deal.knowledge(0).held == {1: set(), 2: set()}
    assert deal.knowledge(2).held == {0: {"AC"}, 1: {"KC"}}


@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_r27_and_the_invariants_of_every_step_in_random_matches(rules):
    """A random match of each rule set: cards are conserved, pulls fit the debts, knowledge is true."""
    rng = Random(str(rules))
    match = Match(rng.randrange(3), rules, length=3)
    while not match.over:
        before = match.deals[-1].debts if match.deals else (0, 0, 0)
        deal = match.next_deal(rng.sample(PACK, 30))
        assert deal.pending == (list(owed_pulls(before, deal.dealer)) if rules.pulls else [])
        while moves := deal.moves():
            deal.act(rng.choice(moves))
            check_cards(deal)
        assert sum(deal.tricks_won) == 10 and sum(deal.debts) == 0
    assert match.scores == tuple(map(sum, zip(*(deal.score for deal in match.deals), strict=True)))


def check_cards(deal):
    gone = [card for trick in deal.tricks for card in trick.cards] + deal.table
    assert sorted([*gone, *(card for hand in deal.hands for card in hand)]) == sorted(PACK)
    for player in range(3):
        known = deal.knowledge(player)
        assert known.seen.isdisjoint(known.hidden) and len(known.seen | known.hidden) == 30
        assert known.played == frozenset(gone)
        for other, cards in known.held.items():
            assert other != player and cards <= deal.hands[other]
            shown = {suit_of(card, deal.trump, deal.rules) for card in deal.hands[other]}
            assert shown.isdisjoint(known.voids[other])


def longest_suit(five, rng):
    count = {suit: sum(card[1] == suit for card in five) for suit in "SHDC"}
    return rng.choice([suit for suit in "SHDC" if count[suit] == max(count.values())])


@pytest.mark.parametrize(
    ("trump", "tricks", "met"),
    [
        ("random", (3.355, 3.326, 3.320), (0.253, 0.652, 0.846)),
        ("longest", (4.142, 2.931, 2.928), (0.410, 0.568, 0.796)),
        ("reveal", (3.835, 3.080, 3.086), (0.342, 0.603, 0.820)),
    ],
)
def test_check_figures_of_random_play_without_pulls(trump, tricks, met):
    """The rulebook's table within 4 standard errors, from a small sample."""
    rng, deals = Random(325), 1500
    won = []
    for _ in range(deals):
        deal = Deal(rng.sample(PACK, 30), dealer=2, rules=Rules(pulls=False))
        if trump == "reveal":
            deal.reveal()
        else:
            deal.call(rng.choice("SHDC") if trump == "random" else longest_suit(deal.makers_five, rng))
        won.append(play_out(deal, rng.choice).tricks_won)
    for seat, (quota, mean, share) in enumerate(zip((5, 3, 2), tricks, met, strict=True)):
        taken = [counts[seat] for counts in won]
        average = sum(taken) / deals
        spread = sqrt(sum((count - average) ** 2 for count in taken) / (deals - 1))
        assert abs(average - mean) < 4 * (spread / sqrt(deals) + 0.003)
        hit = sum(count >= quota for count in taken) / deals
        assert abs(hit - share) < 4 * sqrt(share * (1 - share) / deals)
