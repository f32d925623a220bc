"""The compiled game of 3-2-5 against the naive one, decision by decision, and against a referee."""

from collections import Counter
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.referee_three_two_five import referee
from reference.three_two_five import Match
from reference.three_two_five_rules import PACK, SCORINGS, SEVENS, followers, winning_place
from reference.three_two_five_rules import Rules as NaiveRules
from reference.three_two_five_rules import suit_of as naive_suit_of
from witness import (
    CARD,
    HIGH,
    LOW,
    MIXED,
    RETURN,
    SUITS,
    TIE,
    TRUMP,
    UNIFORM,
    due_view,
    mask,
    naive_deck,
    name_of,
    witness,
)

from sim import experiment, find_game, replay, run
from sim.three_two_five import kernel
from sim.three_two_five import knowledge as know
from sim.three_two_five.cards import lane_of, suit_of
from sim.three_two_five.game import play_rows
from sim.three_two_five.strategies import BOOK
from sim.three_two_five.tricks import legal_cards

GAME = find_game("three-two-five")
LENGTH = 9
RULE_SETS = [
    {"sevens": sevens, "scoring": scoring, "pulls": pulls}
    for sevens, scoring, pulls in product(SEVENS, SCORINGS, (True, False))
]
LINE_UPS = list(product((UNIFORM, LOW, HIGH, MIXED), repeat=3))
NUMBERS = {"rollout-N": "rollout-3", "nested-N": "nested-3", "solve-K": "solve-3"}
FEW_WORLDS = {"expert": ":worlds=4,inner=2"}
REFUSED = {
    ("random", "random-suit"),
    ("first-suit", "longest-suit"),
    ("heuristic", "weighed"),
    ("expert", "infer"),
}
"""Additions that change nothing."""
ALL_STRATEGIES = [
    NUMBERS.get(policy.name, policy.name) + overlay + FEW_WORLDS.get(policy.name, "")
    for policy in BOOK.policies
    for overlay in (
        "",
        *(
            f"+{NUMBERS.get(addition.name, addition.name)}"
            for addition in BOOK.overlays
            if policy.name in (addition.bases or (policy.name,))
            and (policy.name, addition.name) not in REFUSED
        ),
    )
]
GOLDEN = Path(__file__).parent / "golden" / "three_two_five.txt"


def rule_id(rules):
    return "-".join(map(str, rules.values()))


def act(deal, note):
    """Do on the naive deal what a script answered."""
    assert note.kind == {"maker": TRUMP, "tie": TIE, "return": RETURN, "play": CARD}[deal.phase]
    if note.kind == CARD:
        deal.play(name_of(note.answer, deal.rules.sevens))
    elif note.kind == RETURN:
        deal.return_card(name_of(note.answer, deal.rules.sevens))
    elif note.kind == TIE:
        deal.fix_trump(SUITS[note.answer])
    elif note.answer == len(SUITS):
        deal.reveal()
    else:
        deal.call(SUITS[note.answer])


def follow(deal, notes, **context):
    """Play the naive deal along the notes; at each decision the view must be the one that is due."""
    seats = (deal.five, deal.three, deal.two)
    while deal.phase != "over":
        note = next(notes[3 * deal.dealer + seats.index(deal.to_move)])
        if deal.phase == "draw":
            deal.draw(name_of(note.view[know.DRAWN], deal.rules.sevens))
        assert note.view == due_view(deal, **context)
        act(deal, note)


def due_row(deal, before):
    """Return the row that a finished naive deal must have left."""
    seats = (deal.five, deal.three, deal.two)
    return [
        deal.dealer,
        int(bool(deal.revealed)),
        SUITS.index(deal.trump),
        *(deal.tricks_won[player] for player in seats),
        *(deal.score[player] for player in seats),
        *(before[player] if deal.rules.pulls else 0 for player in seats),
    ]


@pytest.mark.parametrize("rules", RULE_SETS, ids=rule_id)
def test_the_kernel_agrees_with_the_naive_game_at_every_decision(rules):
    """R1–R32: 180 deals of each of the 18 rule sets, 3,240 in all; a different line-up in each match."""
    number, matches = RULE_SETS.index(rules), 20
    for match in range(matches):
        styles = LINE_UPS[(matches * number + match) % len(LINE_UPS)]
        rows, notes = witness(rules, styles, seed=number, first=match)
        naive = Match(int(rows[0, kernel.DEALER]), NaiveRules(**rules), LENGTH)
        for deal_number, row in enumerate(rows):
            scores = naive.scores
            before = naive.deals[-1].debts if naive.deals else (0, 0, 0)
            deal = naive.next_deal(naive_deck(number, match, deal_number))
            follow(deal, notes, number=deal_number, length=LENGTH, scores=scores, before=before)
            assert row.tolist() == due_row(deal, before)
        assert all(next(left, None) is None for left in notes.values())


@pytest.mark.parametrize("rules", RULE_SETS, ids=rule_id)
def test_the_referee_accepts_every_strategy_under_every_rule_set(rules):
    """R1–R32: records of each strategy, alone and with each addition, are right by the rulebook."""
    for seed, name in enumerate(ALL_STRATEGIES):
        made = experiment(GAME, matches=1, seed=seed, strategies=name, rules={**rules, "deals_per_match": 3})
        records = replay(made, 0)
        referee(records)
        assert [record["deal"] for record in records] == [0, 1, 2]


def test_the_referee_accepts_mixed_line_ups():
    for seed, names in enumerate(product(("random", "first-suit", "heuristic+always-reveal"), repeat=3)):
        referee(replay(experiment(GAME, matches=1, seed=seed, strategies=list(names)), 0))


@pytest.mark.parametrize("rules", RULE_SETS, ids=rule_id)
def test_the_fast_path_of_random_play_is_the_general_one(rules):
    """Random play in registers gives the rows of random play with knowledge kept."""
    for trump in ("random", "random+longest-suit", "random+always-reveal"):
        made = experiment(GAME, matches=200, seed=11, strategies=trump, rules=rules)
        rows = [np.empty((200 * LENGTH, kernel.COLUMNS), np.int8) for _ in range(2)]
        for traced, filled in enumerate(rows):
            play_rows(made, 0, filled, np.zeros(kernel.LOG_SIZE, np.int64), traced=bool(traced))
        np.testing.assert_array_equal(*rows)


def test_plain_python_gives_the_same_digest(python):
    """The sources run without the compiler or any machine instruction, without a warning, to the same."""
    script = """
from sim import experiment, run
for name, rules in (
    ("random", {}), ("first-suit", {"sevens": "hearts_high"}), ("heuristic", {"sevens": "spades_high"}),
    ("heuristic+always-reveal", {"scoring": "surplus"}), ("random", {"pulls": False}),
):
    made = experiment("three-two-five", matches=5, hands=1, completions=2, strategies=name, rules=rules)
    print(run(made).digest)
"""
    # Compiled here, where all parts of the kernels are; the process below reads them from the cache.
    run(experiment("three-two-five", matches=1, hands=1, completions=2, strategies="random"))
    plain = python(script, NUMBA_DISABLE_JIT="1", DEALWORTH_PORTABLE="1")
    assert len(set(plain.split())) == 5
    assert python(script) == plain


def test_golden_playthrough():
    """Three matches as text: the rows of ``tests/golden/three_two_five.txt``, which a person can follow.

    A change of the random words, the order of decisions or the text shows here. If it is meant, write the
    file anew from :func:`playthrough`.
    """
    assert playthrough() == GOLDEN.read_text(encoding="utf-8")


def playthrough():
    """Return the golden text: matches with calls, reveals, pulls and high sevens."""
    parts = []
    for seed, (names, sevens) in enumerate(
        [("random", "low"), ("first-suit", "hearts_high"), ("random+always-reveal", "spades_high")]
    ):
        made = experiment(
            GAME, matches=1, seed=seed, strategies=names, rules={"sevens": sevens, "deals_per_match": 3}
        )
        parts += [f"# {names}, sevens {sevens}"]
        parts += [GAME.describe(record, symbols=False) for record in replay(made, 0)]
    return "\n\n".join(parts) + "\n"


@settings(max_examples=60)
@given(
    seed=st.integers(0, 2**63 - 1),
    match=st.integers(0, 10**12),
    styles=st.tuples(*[st.sampled_from((UNIFORM, LOW, HIGH, MIXED))] * 3),
    rules=st.sampled_from(RULE_SETS),
)
def test_invariants_hold_at_every_step_of_any_match(seed, match, styles, rules):
    """R2, R20, R23, R25: cards are conserved, hands shrink in step, voids and sure cards are true."""
    rows, notes = witness(rules, styles, seed=seed, first=match)
    views = sorted((note.view for row in notes.values() for note in row), key=moment)
    for number in range(LENGTH):
        check_deal([view for view in views if view[know.DEAL] == number], rows[number])


def moment(view):
    """Key that puts the views of a match into the order in which they were shown."""
    fixed, drawing = view[know.TRUMP] >= 0, view[know.DRAWN] != 0
    return view[know.DEAL], fixed, view[know.CHOICE], not drawing, pulls(view), played(view)


def pulls(view):
    return sum(view[know.PULLED : know.PULLED + 9])


def played(view):
    return view[know.GONE].bit_count()


def check_deal(views, row):
    assert sum(row[kernel.TRICKS_FIVE : kernel.TRICKS_TWO + 1]) == 10
    playing = [view for view in views if view[know.TRUMP] >= 0 and not view[know.DRAWN]]
    check_before_play([view for view in views if view not in playing], playing[0])
    assert [played(view) for view in playing] == list(range(30))
    hands = {view[know.SEAT]: view[know.HAND] for view in playing[:3]}
    for view in playing:
        seat, gone = view[know.SEAT], view[know.GONE]
        assert view[know.HAND] == hands[seat] & ~gone
        assert view[know.LEGAL] and view[know.LEGAL] & ~view[know.HAND] == 0
        assert sum(view[know.TRICKS : know.TRICKS + 3]) == view[know.TRICK] == played(view) // 3
        for other in range(3):
            assert view[know.PLAYED + other] == hands[other] & gone
            assert hands[other] & ~gone & view[know.VOIDS + other] == 0
            assert view[know.KNOWN + other] & ~(hands[other] & ~gone) == 0
    assert playing[-1][know.GONE] | playing[-1][know.HAND] == playing[-1][know.WHOLE]


def check_before_play(views, first_lead):
    """Five cards at the decision, eight at a tie, eleven at a return; as many pulls as are owed."""
    owed = sum(max(0, debt) for debt in first_lead[know.DEBT : know.DEBT + 3])
    assert pulls(first_lead) == owed <= 8
    sizes = [view[know.HAND].bit_count() for view in views]
    ties = sizes.count(8)
    assert ties <= 1 and sizes == [5] + [8] * ties + [11] * owed
    for view in views[1 + ties :]:
        assert view[know.LEGAL] and view[know.LEGAL] & view[know.DRAWN] == 0
        assert view[know.LEGAL] & ~view[know.HAND] == 0


def courses_compiled(hands, leader, trump, won=(0, 0, 0)):
    """Count the courses of an ending by the tricks that they give, asking the compiled rules."""
    if not any(hands):
        return Counter({won: 1})
    total = Counter()
    seats = [(leader + place) % 3 for place in range(3)]
    for first in members(hands[leader]):
        led = lane_of(suit_of(first))
        for second, third in product(*(members(legal_cards(hands[seat], led)) for seat in seats[1:])):
            best, winner = first, leader
            for card, seat in ((second, seats[1]), (third, seats[2])):
                if know.beats(card, best, trump):
                    best, winner = card, seat
            left = list(hands)
            for card, seat in zip((first, second, third), seats, strict=True):
                left[seat] ^= card
            more = tuple(count + (seat == winner) for seat, count in enumerate(won))
            total += courses_compiled(left, winner, trump, more)
    return total


def members(cards):
    return [1 << place for place in range(cards.bit_length()) if cards >> place & 1]


def courses_naive(hands, leader, trump, rules, won=(0, 0, 0)):
    """Count the same courses by the naive rules."""
    if not any(hands):
        return Counter({won: 1})
    total = Counter()
    seats = [(leader + place) % 3 for place in range(3)]
    for first in hands[leader]:
        led = naive_suit_of(first, trump, rules)
        for others in product(*(followers(hands[seat], led, trump, rules) for seat in seats[1:])):
            cards = (first, *others)
            winner = seats[winning_place(cards, trump, rules)]
            left = [tuple(card for card in hand if card not in cards) for hand in hands]
            more = tuple(count + (seat == winner) for seat, count in enumerate(won))
            total += courses_naive(left, winner, trump, rules, more)
    return total


def test_an_ending_counted_by_hand():
    """R23: of eight orders of the cards two remain where two players must follow spades."""
    hands = [mask(cards.split()) for cards in ("AS KS", "QS AH", "9S KH")]
    assert courses_compiled(hands, 0, SUITS.index("D")) == {(2, 0, 0): 2}
    assert courses_compiled(hands, 0, SUITS.index("H")) == {(1, 1, 0): 2}
    free = [mask(cards.split()) for cards in ("AS KS QS", "AH KH QH", "AD KD QD")]
    assert courses_compiled(free, 0, SUITS.index("S")) == {(3, 0, 0): 6**3}
    assert courses_compiled(free, 2, SUITS.index("S")) == {(3, 0, 0): 6**3}


@pytest.mark.parametrize("sevens", SEVENS)
def test_endings_have_as_many_courses_as_in_the_naive_game(sevens):
    """R22–R24, R31: random endings of three tricks, all courses of play, counted by the tricks they give."""
    rng, rules, total = Random(sevens), NaiveRules(sevens=sevens), 0
    for trump in SUITS * 3:
        # Both sevens, and trumps and aces preferred: most cards can follow, ruff or overruff.
        others = [card for card in PACK if card[0] != "7" and (card[0] in "A9" or card[1] == trump)]
        cards = rng.sample([*rng.sample(others, 7), "7S", "7H"], 9)
        hands = [tuple(cards[start::3]) for start in range(3)]
        leader = rng.randrange(3)
        naive = courses_naive(hands, leader, trump, rules)
        bitwise = [mask(hand, trump, sevens) for hand in hands]
        assert courses_compiled(bitwise, leader, SUITS.index(trump)) == naive
        total += sum(naive.values())
    assert total > 300
