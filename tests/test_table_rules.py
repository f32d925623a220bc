"""Table rules of 3-2-5: what they see, what they decide, that the search finds the best, what they cost."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from made_up_books import book_of, values_by_points

import analysis
from analysis.three_two_five.book.facts import QUESTIONS, count_points, prefer, suit_facts
from analysis.three_two_five.book.rule_costs import book_options
from analysis.three_two_five.book.rule_search import Profiles, best_counts, best_orders, best_trees, profiles
from analysis.three_two_five.book.table_rule import ALWAYS_REVEAL, LONGEST, Ask, Count, Tree, decide, sentence
from analysis.three_two_five.hands import suit_order
from sim import experiment, run
from sim.three_two_five.book.hands import all_hands, canonical, hand_classes
from sim.three_two_five.cards import lane_of, parse_cards
from sim.three_two_five.rules import REVEAL

SHORT_SUITS = Count((("length", 2), ("short", 1), ("ace", -1)), 5)
ORDER = ("length", "ace", "short")
COURTS = Tree(ORDER, Ask("has it three cards or more", True, Ask("has it king or queen", True, False)))


def hands(*texts):
    return np.array([parse_cards(text) for text in texts], np.int64)


def suit_called(rule, text):
    """Suit that a rule calls with one hand, as a letter, or ``reveal``."""
    cards = hands(text)
    place = decide(rule, cards)[0]
    return "reveal" if place == REVEAL else "SHDC"[suit_order(cards)[0, place]]


def test_facts_of_a_hand():
    """Suits in the hand's own order; diamonds and clubs have seven cards in the pack (R2)."""
    facts = suit_facts(hands("AS KS 9H TD 8C"))
    seen = {name: fact[0].tolist() for name, fact in facts.items()}
    assert seen["length"] == [2, 1, 1, 1] and seen["suits"] == [4] * 4
    assert seen["ace"] == [1, 0, 0, 0] and seen["courts"] == [1, 0, 0, 0] and seen["jack"] == [0] * 4
    assert seen["short"] == [0, 1, 0, 1]  # S, D (ten), H (nine), C
    assert seen["side aces"] == [0, 1, 1, 1] and seen["side kings"] == [0, 1, 1, 1]


@pytest.mark.parametrize(
    ("text", "suit"),
    [
        ("AS 9S KD QD 8H", "D"),  # the ace aside
        ("QS 9S KD 9D 8H", "D"),  # then diamonds or clubs
        ("AS 9S AD 9D 8H", "D"),  # both have an ace
        ("QS 9S 8H 7H KD", "S"),  # else the higher one
        ("AS 9S 8S KD QD", "S"),  # length before all
    ],
)
def test_the_suit_to_call_is_settled_in_turn(text, suit):
    assert suit_called(Tree(ORDER, True), text) == suit
    places = prefer(suit_facts(hands(text)), ORDER)
    assert "SHDC"[suit_order(hands(text))[0, places[0]]] == suit


@pytest.mark.parametrize(
    ("rule", "text", "suit"),
    [
        (COURTS, "9S 8S 7S AD KD", "S"),
        (COURTS, "AS 9S KD 9D 8H", "D"),
        (COURTS, "AS 9S JD 9D 8H", "reveal"),
        (SHORT_SUITS, "QS 9S KH JH 8D", "reveal"),
        (SHORT_SUITS, "QS 9S KD JD 8H", "D"),
        (SHORT_SUITS, "QS 9S AD JD 8H", "reveal"),
        (SHORT_SUITS, "AS QS 8S 9H 8D", "S"),
        (ALWAYS_REVEAL, "AS KS QS JS TS", "reveal"),
        (LONGEST, "AS KS 9H TD 8C", "S"),
    ],
)
def test_a_rule_decides_as_it_reads(rule, text, suit):
    assert suit_called(rule, text) == suit


def test_rules_are_written_for_people():
    assert COURTS.lines() == [
        "Look at the longest suit, of equal ones the one without the ace, then in diamonds or clubs.",
        "Has it three cards or more? Yes: call. Otherwise:",
        "Has it king or queen? Then call, else reveal.",
    ]
    assert sentence(SHORT_SUITS) == (
        "Count for each suit 2 for every card and 1 if it is diamonds or clubs, less 1 for the ace."
        " Call the suit with the most if it has 5 or more, else reveal."
    )
    assert sentence(ALWAYS_REVEAL) == "Always reveal."
    assert sentence(LONGEST) == "Always call the longest suit."
    both = Ask("has it the ace", Ask("has it the king", False, True), Ask("has it the queen", True, False))
    assert Tree(("length",), both).lines()[1:] == [
        "Has it the ace? Yes:",
        "    Has it the king? Then reveal, else call.",
        "Has it the ace? No:",
        "    Has it the queen? Then call, else reveal.",
    ]


def test_the_length_of_a_rule_counts_what_has_to_be_remembered():
    assert [rule.length for rule in (ALWAYS_REVEAL, LONGEST, COURTS, SHORT_SUITS)] == [0, 1, 5, 4]


def test_profiles_keep_what_is_at_stake():
    """Every hand counts as often as it is dealt: always calling a suit gains its mean over all hands."""
    values = values_by_points({"length": 2, "king": 1}, 4.25)
    found = profiles(book_of(values))
    weight = hand_classes(0).weight
    for place in range(REVEAL):
        assert found.gain[:, place].sum() == pytest.approx(
            np.average(values[:, place] - values[:, REVEAL], weights=weight)
        )


def test_a_count_is_found_on_the_book_that_it_made():
    """A book valued by a count gives that count's decisions back, and none shorter does as well."""
    truth = {"length": 3, "ace": -1, "queen": 2}
    values = values_by_points(truth, 7.5)
    found = profiles(book_of(values))
    rules = best_counts(found, 5)
    best = np.average(np.maximum(values.max(axis=1) - 7.5, 0), weights=hand_classes(0).weight)
    gains = [found.gain_of(rule) for rule in rules]
    assert gains[2] == pytest.approx(best) and gains[1] < best - 1e-6
    cards = hand_classes(0).cards
    assert np.array_equal(
        decide(rules[2], cards), np.where(values[:, :REVEAL].max(axis=1) > 7.5, values.argmax(axis=1), REVEAL)
    )


def test_a_tree_is_found_on_the_book_that_it_made():
    cards = hand_classes(0).cards
    places = prefer(suit_facts(cards), ORDER)
    values = np.full((cards.size, 5), -1.0)
    values[np.arange(cards.size), places] = np.where(decide(COURTS, cards) < REVEAL, 1.0, -0.5)
    values[:, REVEAL] = 0
    found = profiles(book_of(values))
    trees = best_trees(found, ORDER, 4)
    assert found.gain_of(trees[2]) == pytest.approx(found.gain_of(COURTS))
    assert np.array_equal(decide(trees[2], cards), decide(COURTS, cards))
    assert len(trees) == 3  # no further question helps


@pytest.mark.parametrize("seed", range(3))
def test_trees_are_optimal(seed):
    """With one and two questions no tree of all possible ones gains more."""
    rng = np.random.default_rng(seed)
    cards = rng.choice(all_hands(), 150, replace=False)
    found = Profiles(suit_facts(cards), rng.normal(size=(cards.size, 4)))
    leaves = (True, False)
    one = [Ask(question, *calls) for question, calls in product(QUESTIONS, product(leaves, leaves))]
    two = [
        Ask(question, *branches)
        for question, below, leaf in product(QUESTIONS, one, leaves)
        for branches in ((below, leaf), (leaf, below))
    ]
    none, *trees = best_trees(found, ("length",), 2)
    assert found.gain_of(none) == max(found.gain_of(Tree(("length",), leaf)) for leaf in leaves)
    for tree, every in zip(trees, (one, two), strict=True):
        assert found.gain_of(tree) == pytest.approx(
            max(found.gain_of(Tree(("length",), root)) for root in every)
        )


def test_suits_are_settled_by_what_gains_most():
    """A book in which aces are better left aside: the best second thing to look at is the ace."""
    found = profiles(book_of(values_by_points({"length": 8, "ace": -3, "short": 1}, 0.0)))
    assert best_orders(found)[:3] == [("length",), ("length", "ace"), ("length", "ace", "short")]


@pytest.mark.parametrize(("sevens", "number"), [("low", 0), ("hearts_high", 1)])
def test_a_hand_is_looked_up_with_its_suits_exchanged(sevens, number):
    """R31: the suit to call is the one that holds what the class's suit holds."""
    classes = hand_classes(number)
    options = np.array(["S", "H", "D", "C", "reveal"], object)
    picked = options[np.random.default_rng(1).integers(0, 5, classes.cards.size)]
    book = pd.DataFrame({"cards": classes.cards, "weight": classes.weight, "found": picked})
    cards = all_hands()[::370]
    places = book_options(book, cards, sevens)
    row = np.searchsorted(classes.cards, canonical(cards, number))
    for hand, place, entry in zip(cards, places, row, strict=True):
        option = book["found"].iloc[entry]
        if option == "reveal":
            assert place == REVEAL
            continue
        suit = suit_order(np.array([hand]))[0, place]
        held = (hand & lane_of(suit)) >> 16 * suit
        wanted = "SHDC".index(option)
        assert held == (classes.cards[entry] & lane_of(wanted)) >> 16 * wanted
        assert (suit < 2) == (wanted < 2) and (number == 0 or suit >= 2 or suit == wanted)


@pytest.fixture(scope="module")
def studied():
    return run(experiment("three-two-five", strategies="random", hands=60, completions=8, seed=3))


def test_the_book_against_itself_costs_nothing(studied):
    """Case 18: the same choice on the same deals has difference 0 and standard error 0."""
    book = book_of(values_by_points(dict(SHORT_SUITS.points), SHORT_SUITS.least - 0.5))
    costs = analysis.rule_costs(book, [SHORT_SUITS, LONGEST, ALWAYS_REVEAL], studied)
    assert costs["kind"].tolist() == ["book", "book", "count", "tree", "tree"]
    same = costs.iloc[2]
    assert same["cost"] == 0 and same["cost_se"] == 0 and costs.iloc[0]["cost"] == 0
    counters = studied.study_counters()
    revealed = counters["sums"][:, :, REVEAL].sum() / counters["count"].sum()
    assert costs.iloc[4]["value"] == pytest.approx(revealed) and costs.iloc[4]["reveals"] == 1
    assert costs.iloc[4]["cost"] == pytest.approx(costs.iloc[0]["value"] - revealed)
    assert "option study of 60 hands" in costs.attrs["provenance"]


def test_a_part_of_a_book_is_refused(studied):
    book = book_of(values_by_points({"length": 1}, 2.5)).iloc[::50]
    with pytest.raises(ValueError, match="not in the book: a whole book is needed"):
        analysis.rule_costs(book, [LONGEST], studied)


def test_points_are_added_up_suit_by_suit():
    facts = suit_facts(hands("AS KS 9H TD 8C"))
    assert count_points(facts, {"length": 3, "ace": -1, "side kings": 2})[0].tolist() == [5, 5, 5, 5]
