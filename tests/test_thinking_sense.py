"""What the players of 3-2-5 that think do where one choice is plainly right, or the opening book has it."""

from random import Random

import numpy as np
import pytest
from drawn_decisions import DEBTS, NO_DEBTS, Decision, answer, draw_decision
from plain_playouts import Table
from plain_worlds import Worlds
from reference.three_two_five import Deal
from reference.three_two_five_rules import DEFAULT, PACK, SUITS, Rules, deck_for

from analysis.three_two_five.book.shipped import shipped_book
from sim.core.rng import word
from sim.three_two_five import knowledge as know
from sim.three_two_five.book.completions import OPTIONS
from sim.three_two_five.book.hands import SUIT_SWAPS, all_hands, exchange, hand_classes
from sim.three_two_five.rules import REVEAL
from sim.three_two_five.thinking import opening


def extremes(table, player):
    """Fewest and most tricks of a player over all lines of play."""
    if not table.left:
        return table.taken[player], table.taken[player]
    lines = []
    for card in table.legal():
        trial = table.copy()
        trial.taken = list(table.taken)
        trial.play(card)
        lines.append(extremes(trial, player))
    return min(low for low, _ in lines), max(high for _, high in lines)


def plainly_right(decision):
    """Return the candidate that beats the others however the cards lie and whatever is played, or 0.

    In no world does it bring fewer tricks at worst than another one at best, in one of four it brings more.
    """
    table, worlds = Table.of(decision), Worlds(decision).fitting()
    cards = table.distinct()
    low, high = np.zeros((2, len(cards), len(worlds)), int)
    for number, world in enumerate(worlds):
        for player, hand in zip(decision.others, world, strict=True):
            table.hands[player] = set(table.names(hand))
        for place, card in enumerate(cards):
            trial = table.copy()
            trial.play(*table.names(card))
            low[place, number], high[place, number] = extremes(trial, decision.player)
    for place, card in enumerate(cards):
        others = np.delete(high, place, axis=0)
        if len(others) and (low[place] >= others).all() and ((low[place] > others).mean(axis=1) > 0.25).all():
            return card
    return 0


@pytest.fixture(scope="module")
def right_cards():
    """Decisions late in a deal with the card that is plainly right."""
    rng, found = Random(6), []
    while len(found) < 40:
        decision = draw_decision(rng, "play", rng.randrange(22, 27))
        if card := plainly_right(decision):
            found.append((decision, card))
    return found


@pytest.mark.parametrize(
    "name",
    ["rollout-50", "rollout-50+infer", "rollout-50+solve-4", "nested-40", "expert", "nested-40+solve-10"],
)
def test_a_card_that_is_plainly_right_is_played(right_cards, name):
    """However the cards lie and whatever the others do, every other card brings fewer tricks."""
    for number, (decision, card) in enumerate(right_cards):
        assert answer(name, decision, int(word(6, number))) == card


MIRROR = str.maketrans("SHDC", "HSCD")
"""With low sevens spades and hearts can change places, and diamonds and clubs."""


@pytest.fixture(params=[False, True], ids=["as it is", "suits exchanged"])
def suits(request):
    """Function that writes cards as they are, or with suits exchanged."""
    return (lambda cards: cards.translate(MIRROR)) if request.param else str


def dealt(suits, five, debts, rules=DEFAULT):
    """Deal a hand, or the beginning of one, to player 1, who is the five; player 0 is the dealer."""
    five = suits(five).split()
    rest = [card for card in PACK if card not in five]
    five, rest = five + rest[: 10 - len(five)], rest[10 - len(five) :]
    return Decision(Deal(deck_for(five, rest[::2], rest[1::2]), 0, rules, debts), debts)


def lucky_answers(name, decision):
    """Answers under eight lucks."""
    return {answer(name, decision, int(word(7, number))) for number in range(8)}


@pytest.mark.parametrize(
    ("hand", "drawn", "fine"),
    [
        ("AS KS QS AH KH AD KD 8C 9C JC", "QH", "8C 9C"),
        ("AS KS QS JS TS AH KH 8D 9D AD", "8C", "8D 9D"),
        ("AS KS QS AH KH QH 8H KD AD AC", "9D", "8H"),
    ],
)
def test_a_return_keeps_trumps_and_high_cards(suits, hand, drawn, fine):
    """R18: spades are trump; what is missed least goes back, whichever names the suits have."""
    decision = dealt(suits, hand, (-1, 1, 0))
    decision.deal.call(suits("S"))
    if suits(drawn) in decision.deal.hands[2]:
        decision.deal.hands[0], decision.deal.hands[2] = decision.deal.hands[2], decision.deal.hands[0]
    decision.deal.draw(suits(drawn))
    wanted = {decision.bits([card]) for card in suits(fine).split()}
    assert lucky_answers("rollout-50", decision) <= wanted


@pytest.mark.parametrize("debts", [NO_DEBTS, (1, -2, 1), (-2, 3, -1)])
def test_a_tie_goes_to_the_suit_that_is_far_better(suits, debts):
    """R11: five trumps with the ace against two; 15th to 17th card of the pack are the turned ones."""
    decision = dealt(suits, "AS QS JS 8D 8C KS KH 8H", debts)
    assert [card[0] for card in decision.deal.reveal()] == ["K", "K", "8"]
    assert lucky_answers("rollout-50", decision) == {SUITS.index(suits("S"))}


@pytest.mark.parametrize("hand", ["AS KS QS JS 8D", "AS KS QS 9S AD", "AS KS QS JS TS"])
def test_a_suit_that_is_far_better_is_called(suits, hand):
    """R9: by the book in a first deal; by sampling with debts, another score, high sevens."""
    for debts, rules in (
        (NO_DEBTS, Rules()),
        (NO_DEBTS, Rules(scoring="surplus")),
        (NO_DEBTS, Rules(sevens="hearts_high")),
        ((-1, 2, -1), Rules()),
        ((2, -3, 1), Rules()),
    ):
        decision = dealt(suits, hand, debts, rules)
        assert lucky_answers("rollout-50", decision) == {SUITS.index(suits("S"))}


# The book.


def test_verdicts_are_those_of_the_shipped_book_for_every_class():
    """R9, R10: 39,109 representatives."""
    best = [OPTIONS.index(name) for name in shipped_book()["best"]]
    assert [opening.verdict(int(hand)) for hand in hand_classes(0).cards] == best


def test_verdicts_follow_the_exchange_of_suits():
    """A hand with suits exchanged has the verdict exchanged; where it stays the same, any that does so."""
    rng, hands = Random(8), hand_classes(0).cards
    for hand in map(int, [*rng.sample(list(all_hands()), 3000), *hands[::100]]):
        given = opening.verdict(hand)
        images = {swap: int(exchange(np.array([hand]), swap)[0]) for swap in SUIT_SWAPS}
        for image in images.values():
            same = [swap for swap, other in images.items() if other == image]
            assert opening.verdict(image) in {
                REVEAL if given == REVEAL else swap.index(given) for swap in same
            }


def test_hands_are_numbered_without_gaps():
    numbers = [opening.number_of(int(hand)) for hand in all_hands()]
    assert sorted(numbers) == list(range(142_506))


def test_the_book_is_asked_in_first_deals_alone():
    """R14, R26, R31: not where cards are owed, sevens are high, or only tricks above the quota count."""
    rng = Random(9)
    for number in range(200):
        decision = draw_decision(rng, "maker", debts=rng.choice((NO_DEBTS, NO_DEBTS, *DEBTS)))
        rules, view = decision.deal.rules, decision.view()
        due = rules.sevens == "low" and rules.scoring != "surplus" and decision.debts == NO_DEBTS
        assert opening.applies(view) == due
        if due:
            verdict = opening.verdict(view[know.HAND])
            assert answer("rollout-1", decision, number) == answer("expert", decision, number) == verdict
